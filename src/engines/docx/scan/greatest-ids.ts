import type { OoxmlPackage } from '../../ooxml/package.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import { idOf } from './ids.ts'
import type { NotesPart } from './notes.ts'
import { textualParts } from './parts.ts'

/** The greatest number of each kind in a package. Composing numbers its copies above them. */
export interface GreatestIds {
  drawing: number
  bookmark: number
  footnote: number
  endnote: number
}

export function greatestIds(opened: OoxmlPackage, notes: readonly NotesPart[]): GreatestIds {
  const greatest = { drawing: 0, bookmark: 0, footnote: 0, endnote: 0 }
  for (const { kind, greatestId } of notes) greatest[kind] = greatestId
  const walk = (element: XmlElement) => {
    if (element.name === 'wp:docPr') greatest.drawing = Math.max(greatest.drawing, idOf(element.attributes.id))
    if (element.name === 'w:bookmarkStart') {
      greatest.bookmark = Math.max(greatest.bookmark, idOf(element.attributes['w:id']))
    }
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  for (const { part, kind } of textualParts(opened)) {
    const root = kind === 'word' ? opened.readXml(part) : undefined
    if (root?.ok) walk(root.value)
  }
  return greatest
}
