import { limits } from '../../../core/limits.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import type { BulletPicture } from '../model/document.ts'
import { readVmlStyle } from './drawing/vml-style.ts'
import { emu, points } from './values.ts'

/** The pictures that levels take for their bullets (17.9.20), by id. */
export function readBulletPictures(root: XmlElement): Map<string, BulletPicture> {
  const pictures = new Map<string, BulletPicture>()
  for (const element of childElements(root, 'w:numPicBullet')) {
    const found: { relation?: string; width?: number; height?: number } = {}
    collect(element, found, 0)
    const { relation, width = 0, height = 0 } = found
    if (relation === undefined) continue
    const aspect = width > 0 && height > 0 ? Math.max(0.1, Math.min(10, width / height)) : 1
    pictures.set(element.attributes['w:numPicBulletId'] ?? '', { relation, aspect })
  }
  return pictures
}

function collect(
  element: XmlElement,
  found: { relation?: string; width?: number; height?: number },
  depth: number,
): void {
  const { attributes } = element
  if (element.name === 'v:shape') {
    const style = readVmlStyle(attributes.style)
    found.width = points(style.get('width'), 1) ?? 0
    found.height = points(style.get('height'), 1) ?? 0
  } else if (element.name === 'wp:extent') {
    found.width = emu(attributes.cx) ?? 0
    found.height = emu(attributes.cy) ?? 0
  } else if (element.name === 'v:imagedata' || element.name === 'a:blip') {
    const relation = attributes['r:id'] ?? attributes['r:embed']
    if (relation !== undefined) found.relation = relation
  }
  if (depth < limits.renderBulletDepth) for (const child of childElements(element)) collect(child, found, depth + 1)
}

/** The parts of bullets' pictures by relationship of the numbering part. */
export function bulletParts(container: OoxmlPackage, numberingPart: string | undefined): Map<string, string> {
  const parts = new Map<string, string>()
  if (numberingPart === undefined) return parts
  for (const relation of container.relationships(numberingPart))
    if (!relation.external) parts.set(relation.id, relation.target)
  return parts
}
