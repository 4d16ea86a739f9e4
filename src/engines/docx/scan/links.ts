import type { Finding } from '../../../core/finding.ts'
import { relationshipType } from '../../ooxml/namespaces.ts'
import { childElements, type XmlDocument, type XmlElement, type XmlText } from '../../ooxml/xml.ts'
import type { Item } from '../plan/items.ts'
import type { Op } from '../program/program.ts'
import { attributeSpan, type Paragraph, placeOf, type ScannedPart, scanTags } from './scan.ts'

/** A hyperlink relationship whose target holds tags: it gives way to one relationship for every address it comes to. */
export interface LinkTemplate {
  id: string
  /** The relationship's own element in the relationship part, which goes. */
  element: XmlElement
  ops: Op[]
  scanned: ScannedPart
}

/** Finds hyperlink targets with tags. Word writes braces in addresses as `%7B` and `%7D`. */
export function findLinkTemplates(part: string, relations: XmlDocument, findings: Finding[]): LinkTemplate[] {
  const found: LinkTemplate[] = []
  for (const [index, element] of childElements(relations.root, 'Relationship').entries()) {
    if (element.attributes.TargetMode !== 'External') continue
    if (!(element.attributes.Type ?? '').endsWith(relationshipType('hyperlink').slice(-'/hyperlink'.length))) continue
    const text = plainTarget(element.attributes.Target ?? '')
    if (!text.includes('{{')) continue
    const scanned = scanTags(part, [paragraphOf(element, index + 1, text)], findings)
    const ops = linkOps(scanned, text, findings)
    found.push({ id: element.attributes.Id ?? '', element, ops, scanned })
  }
  return found
}

/** Braces as braces, and what stands between them decoded; the rest of the address stays as it is. */
function plainTarget(target: string): string {
  return target
    .replace(/%7b/gi, '{')
    .replace(/%7d/gi, '}')
    .replace(/\{\{.*?\}\}/g, (tag) => {
      try {
        return decodeURIComponent(tag)
      } catch {
        return tag
      }
    })
}

function paragraphOf(element: XmlElement, number: number, text: string): Paragraph {
  const node: XmlText = { kind: 'text', text, start: 0, end: text.length }
  const pieces = [{ from: 0, text, node, chain: [element] }]
  return { form: { kind: 'address', isWhole: false }, element, number, pieces, text, ancestors: [], objects: [] }
}

function linkOps(scanned: ScannedPart, text: string, findings: Finding[]): Op[] {
  const ops: Op[] = []
  let at = 0
  for (const { syntax, raw, paragraph, from, to } of scanned.tags) {
    const place = placeOf(scanned.part, paragraph, from)
    if (syntax.kind === 'text') {
      if (from > at) ops.push(text.slice(at, from))
      const form = { kind: 'address' as const, isWhole: from === 0 }
      ops.push({ op: 'text', value: syntax.value, filters: syntax.filters, form, place })
      at = to
      continue
    }
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${raw} cannot stand in the address of a link.`,
      hint: 'Only values can; put #if or #each around the link itself.',
      path: place,
    })
  }
  if (at < text.length) ops.push(text.slice(at))
  return ops
}

/** The places in a part that refer to such a relationship get a hole for the id of the new one. */
export function planLinks(root: XmlElement, source: string, templates: LinkTemplate[]): Item[] {
  const byId = new Map(templates.map((template) => [template.id, template]))
  const items: Item[] = []
  const walk = (element: XmlElement) => {
    if (element.name === 'w:hyperlink' || element.name === 'a:hlinkClick' || element.name === 'a:hlinkHover') {
      const template = byId.get(element.attributes['r:id'] ?? '')
      const span = template === undefined ? undefined : attributeSpan(element, 'r:id', source)
      if (template !== undefined && span !== undefined) items.push({ kind: 'link', ...span, template })
    }
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return items
}

const allowedSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'ftps'])

/** Whether a reader may safely click it: one of the usual schemes, or an address without one. */
export function isSafeAddress(address: string): boolean {
  const scheme = /^\s*([^/?#]*?):/.exec(address)?.[1]
  if (address.startsWith('\\') || address.startsWith('//')) return false
  return scheme === undefined || allowedSchemes.has(scheme.toLowerCase())
}
