/** An input in CSV as the rows that a model reads, with what is wrong with them and where. Pure. */
import type { Finding } from '../../core/finding.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { CsvFormat } from '../../engines/ingestion/csv-format.ts'
import type { ReadCsv } from '../../engines/ingestion/read-csv.ts'
import { readCsv } from '../../engines/ingestion/read-csv.ts'
import { located } from '../../engines/ingestion/refusal.ts'
import { conjunctsOf, type SchemaNode } from '../../engines/schema/model.ts'
import { type CompiledSchema, validatePayload } from '../../engines/schema/schema.ts'
import { gather } from './form-rows.ts'

export interface CheckedRows {
  /** The text's columns; those that the contract names while the text can't be read. */
  columns: readonly string[]
  /** The first ones as their values are written; a field that is left out is undefined. */
  rows: readonly { line: number; cells: readonly (string | undefined)[] }[]
  /** How many there are. */
  count: number
  isRead: boolean
  /** With their places in the text. */
  findings: readonly Finding[]
}

/** As many as somebody looks through; the text has the others. */
const maxRows = 100

export function checkRows(schema: CompiledSchema, text: string, format: CsvFormat): CheckedRows {
  const read = located(text, () => readCsv(text, format))
  if (!read.ok) {
    const columns = format.header === 'first line' ? columnsOf(schema.model.root, format.rows) : format.header
    return { columns, rows: [], count: 0, isRead: false, findings: read.findings }
  }
  const { value } = read.value
  const found = validatePayload(schema, value, { maxFindings: limits.configurationIssues })
  const findings = found.map((finding) => ({ ...finding, ...read.value.placeOf(finding.path ?? '') }))
  return { ...rowsOf(read.value, format.rows), isRead: true, findings }
}

function rowsOf({ value, columns, placeOf }: ReadCsv, member: string): Pick<CheckedRows, 'columns' | 'rows' | 'count'> {
  const all = isJsonObject(value) && Array.isArray(value[member]) ? value[member] : []
  const shown = all.slice(0, maxRows).map((row) => (isJsonObject(row) ? row : {}))
  return {
    columns,
    count: all.length,
    rows: shown.map((row, index) => ({
      line: placeOf(`/${member}/${index}`)?.line ?? 1,
      cells: columns.map((name) => (Object.hasOwn(row, name) ? cellOf(row[name]) : undefined)),
    })),
  }
}

function cellOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What the contract names in a row. */
function columnsOf(root: SchemaNode, member: string): readonly string[] {
  const rows = gather(root, ({ properties }) => properties?.get(member))
  const row = rows && gather(rows, ({ items }) => items)
  return row === undefined ? [] : [...new Set(conjunctsOf(row).flatMap((part) => [...(part.properties?.keys() ?? [])]))]
}
