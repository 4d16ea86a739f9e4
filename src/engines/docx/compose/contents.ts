/**
 * Updates tables of contents (ECMA-376 part 1, 17.16.5.68) to the headings of the composed document: loops make headings
 * that the template could not list. New entries copy the look of the template's. Page numbers are PAGEREF fields: the PDF
 * engine computes them; Word does when it updates fields, which the document asks for.
 */
import { limits } from '../../../core/limits.ts'
import { type FieldCode, fieldKeyword, findFields } from '../../ooxml/fields.ts'
import { parseXmlDocument } from '../../ooxml/xml-parser.ts'
import type { Change, ContentsContext } from './contents-context.ts'
import { Bookmarks, EntryWriter } from './contents-entries.ts'
import { collectHeadings, type Heading } from './contents-headings.ts'
import { type Table, tableOf } from './contents-table.ts'
import { cut, resultText } from './contents-text.ts'

/** The main document; its tables of contents are rebuilt if their headings differ from the document's. */
export function withContents(text: string, context: ContentsContext): string {
  // Attributes need a prefix, even where elements have none.
  if (context.prefix === '') return text
  const parsed = parseXmlDocument(text)
  if (!parsed.ok) return text
  const { root, source } = parsed.value
  const tables: Table[] = []
  for (const field of findFields(root).filter(isContents).slice(0, limits.contentsTables)) {
    const table = tableOf(field, root, source)
    if (table !== undefined) tables.push(table)
  }
  if (tables.length === 0) return source
  const bookmarks = new Bookmarks(root, context.prefix)
  const changes: Change[] = []
  let allowed = limits.contentsEntries
  for (const table of tables) {
    const headings = collectHeadings(root, table, tables, context)
    if (headings.length === 0 || headings.length > allowed || listsThem(table, headings)) continue
    allowed -= headings.length
    const writer = new EntryWriter(table, root, source, context)
    const entries = writer.paragraphs(headings, bookmarks)
    if (entries !== undefined) changes.push({ start: table.start, end: table.end, text: entries })
  }
  if (changes.length === 0) return source
  changes.push(...bookmarks.added)
  changes.sort((a, b) => a.start - b.start || a.end - b.end)
  let result = ''
  let at = 0
  for (const { start, end, text: changed } of changes) {
    if (start < at) continue
    result += source.slice(at, start) + changed
    at = end
  }
  return result + source.slice(at)
}

function isContents({ code, element, end, paragraph }: FieldCode): boolean {
  return fieldKeyword(code) === 'TOC' && element.name === 'w:fldChar' && end !== undefined && paragraph !== undefined
}

/** Whether the entries already name these headings in this order; Word's own entries then stay. */
function listsThem(table: Table, headings: readonly Heading[]): boolean {
  if (table.entries.length !== headings.length) return false
  return table.entries.every((entry, index) => {
    const heading = headings[index]
    if (heading === undefined) return false
    const { number, text } = heading
    const shown = resultText(entry).replace(/\s+/g, ' ').trim()
    const blank = shown.lastIndexOf(' ')
    const isPage = /^(?:\d{1,6}|[ivxlc]{1,9})$/i.test(shown.slice(blank + 1, blank + 12))
    const listed = cut(isPage && blank > 0 ? shown.slice(0, blank) : shown)
    return listed === text || listed === cut(`${number} ${text}`) || listed === cut(number + text)
  })
}
