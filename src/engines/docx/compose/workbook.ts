/** Writes a chart's data into the workbook that Word opens to edit it. */
import { childElements, childNamed, type XmlDocument, type XmlElement } from '../../ooxml/xml.ts'
import { escapeAttribute, escapeText } from '../../ooxml/xml-write.ts'
import { writeZip, type ZipOutput } from '../../ooxml/zip-writer.ts'
import { attributeSpan } from '../scan/source.ts'
import type { WorkbookForm } from '../scan/workbook.ts'
import type { FilledChart } from './filled-chart.ts'

/** A cell that holds the name of a series. */
export interface NamedCell {
  column: string
  row: number
  text: string
}

const encoder = new TextEncoder()

/** The workbook with other rows; everything else in it stays, and equal data gives equal bytes. */
export function filledWorkbook(form: WorkbookForm, chart: FilledChart, names: readonly NamedCell[]): Uint8Array {
  const replaced = new Map([[form.sheet.part, sheetXml(form, chart, names)]])
  for (const { part, document } of form.tables) replaced.set(part, tableXml(document, form, chart, names))
  return writeZip(
    form.archive.names.flatMap((name): ZipOutput[] => {
      const text = replaced.get(name)
      if (text !== undefined) return [{ name, data: encoder.encode(text) }]
      const entry = form.archive.entry(name)
      return entry === undefined ? [] : [entry]
    }),
  )
}

/** Cells of one row by their columns, as XML. */
type Row = Map<string, string>

/** The sheet (ECMA-376 part 1, 18.3.1.99) with the data in its cells, which keep their formats. */
function sheetXml(form: WorkbookForm, { categories, series }: FilledChart, names: readonly NamedCell[]): string {
  const { root, source } = form.sheet.document
  const data = childNamed(root, 'sheetData')
  if (data === undefined) return source
  const own = new Set([form.category, ...form.values].filter((column) => column !== undefined))
  const rows = new Map<number, Row>()
  const rowAt = (number: number) => rows.get(number) ?? rows.set(number, new Map()).get(number) ?? new Map()
  const last = Math.max(form.to, form.from + categories.length - 1)
  const heads = new Map<number, string>()
  const styles = new Map<string, string>()
  for (const row of childElements(data, 'row')) {
    const number = Number(row.attributes.r)
    heads.set(number, withoutSpans(row))
    for (const cell of childElements(row, 'c')) {
      const column = (cell.attributes.r ?? '').replace(/\d+$/, '')
      const isReplaced = own.has(column) && number >= form.from && number <= last
      const isData = isReplaced && number <= form.to
      // Rows beyond the template's look like its first.
      if (isData && (number === form.from || !styles.has(column))) styles.set(column, cell.attributes.s ?? '')
      if (isData && cell.attributes.s !== undefined) styles.set(`${column}${number}`, cell.attributes.s)
      if (!isReplaced) rowAt(number).set(column, source.slice(cell.start, cell.end))
    }
  }
  const put = (column: string | undefined, number: number, value: string | number | undefined) => {
    if (column === undefined || value === undefined) return
    const style = styles.get(`${column}${number}`) ?? styles.get(column) ?? ''
    rowAt(number).set(column, cellXml(`${column}${number}`, style, value))
  }
  for (const [index, category] of categories.entries()) {
    put(form.category, form.from + index, category)
    for (const [at, column] of form.values.entries()) put(column, form.from + index, series[at]?.[index])
  }
  for (const { column, row, text } of names) {
    if (rows.get(row)?.has(column) === true) rowAt(row).set(column, cellXml(`${column}${row}`, '', text))
  }
  const written = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([number, cells]) => `<row r="${number}"${heads.get(number) ?? ''}>${inOrder(cells).join('')}</row>`)
  const dimension = childNamed(root, 'dimension')
  const head =
    dimension === undefined
      ? source.slice(0, data.start)
      : source.slice(0, dimension.start) + source.slice(dimension.end, data.start)
  return `${head}<sheetData>${written.join('')}</sheetData>${source.slice(data.end)}`
}

/** The first non-empty cell below the data that this many items would overwrite, such as `B9` with a total. */
export function cellTaken(form: WorkbookForm, items: number): string | undefined {
  const data = childNamed(form.sheet.document.root, 'sheetData')
  if (data === undefined || form.from + items - 1 <= form.to) return undefined
  const own = new Set([form.category, ...form.values])
  for (const row of childElements(data, 'row')) {
    const number = Number(row.attributes.r)
    if (number <= form.to || number >= form.from + items) continue
    const taken = childElements(row, 'c').find(
      (cell) => cell.children.length > 0 && own.has((cell.attributes.r ?? '').replace(/\d+$/, '')),
    )
    if (taken !== undefined) return taken.attributes.r
  }
  return undefined
}

/** The attributes of a row, without those that say which cells it has. */
function withoutSpans({ attributes }: XmlElement): string {
  return Object.entries(attributes)
    .filter(([name]) => name !== 'r' && name !== 'spans' && !name.includes(':'))
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('')
}

function cellXml(reference: string, style: string, value: string | number): string {
  const styled = style === '' ? '' : ` s="${escapeAttribute(style)}"`
  if (typeof value === 'number') return `<c r="${reference}"${styled}><v>${value}</v></c>`
  return `<c r="${reference}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapeText(value)}</t></is></c>`
}

/** Columns come as A, B, … Z, AA. */
function inOrder(cells: Row): string[] {
  return [...cells].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)).map(([, xml]) => xml)
}

/** A table around the data gets as many rows, and its columns the names that are in their cells. */
function tableXml(
  { root, source }: XmlDocument,
  form: WorkbookForm,
  { categories }: FilledChart,
  names: readonly NamedCell[],
): string {
  const [, first = '', top = '', last = '', bottom = ''] =
    /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(root.attributes.ref ?? '') ?? []
  if (Number(top) !== form.from - 1 || Number(bottom) !== form.to) return source
  const ref = `${first}${top}:${last}${form.from + Math.max(0, categories.length - 1)}`
  const edits: { start: number; end: number; text: string }[] = []
  for (const element of [root, childNamed(root, 'autoFilter')]) {
    const span = element === undefined ? undefined : attributeSpan(element, 'ref', source)
    if (span !== undefined) edits.push({ ...span, text: ref })
  }
  const columns = childNamed(root, 'tableColumns')
  for (const [index, column] of (columns === undefined ? [] : childElements(columns, 'tableColumn')).entries()) {
    const name = names.find(
      (one) => one.row === Number(top) && numberOfColumn(one.column) === numberOfColumn(first) + index,
    )
    const span = name === undefined ? undefined : attributeSpan(column, 'name', source)
    if (name !== undefined && span !== undefined) edits.push({ ...span, text: escapeAttribute(name.text) })
  }
  let text = ''
  let at = 0
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    text += source.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + source.slice(at)
}

function numberOfColumn(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
}
