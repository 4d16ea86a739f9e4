import { fieldKeyword, findFields } from '../../ooxml/fields.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import { chainOf, type LocatedTag, type TaggedText } from './tags.ts'

/**
 * Divides the tags in tables of contents. A table shows a copy of the headings and their tags, outside the loops around
 * the headings. Composing fills the values that are the same everywhere; all other tags are `gone`.
 */
export function divideContentsTags(
  root: XmlElement,
  source: string,
  { tags }: TaggedText,
): { kept: LocatedTag[]; gone: LocatedTag[] } {
  if (!source.includes('TOC') || tags.length === 0) return { kept: tags, gone: [] }
  const tables = findFields(root).flatMap(({ code, element, end }) =>
    fieldKeyword(code) === 'TOC' && end !== undefined ? [{ start: element.start, end }] : [],
  )
  const isGone = (tag: LocatedTag) => {
    if (tag.syntax.kind === 'text' && tag.syntax.value.kind === 'absolute') return false
    const { start } = chainOf(tag)[0]
    return tables.some((table) => start > table.start && start < table.end)
  }
  return { kept: tags.filter((tag) => !isGone(tag)), gone: tags.filter(isGone) }
}

/** Whether the part has a table of contents, which only Word can fill again. */
export function hasTableOfContents(root: XmlElement): boolean {
  return findFields(root).some((field) => fieldKeyword(field.code) === 'TOC')
}
