import { withDocument } from './own-template.ts'

/** How many copies of the letter's table, of twelve rows each, fill ten pages. */
const TABLES = 21

/** The demo's letter with its table of the year's payments repeated; every cell is bound. */
export function tenPagesOf(letter: Uint8Array): Uint8Array {
  return withDocument(letter, withTables)
}

function withTables(document: string): string {
  const table = document.match(/<w:tbl>(?:(?!<\/w:tbl>).)*#each \/schedule.*?<\/w:tbl>/s)?.[0]
  const end = document.lastIndexOf('<w:sectPr>')
  if (table === undefined || end < 0) throw new Error('the demo has no table of payments')
  const again = `<w:p><w:r><w:t>Payments of {{/year/from}}, {{/reference}}</w:t></w:r></w:p>${table}`
  return document.slice(0, end) + again.repeat(TABLES) + document.slice(end)
}
