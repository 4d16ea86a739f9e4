/**
 * An input as the value that its contract is about: JSON as it is, CSV by the model's declaration. Every text is either a
 * value, with the place of each part of it in the text, or a located finding.
 */
import { type Finding, type Outcome, succeed } from '../../core/finding.ts'
import { type JsonObject, type JsonValue, readJson, setMember } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { parsePointer } from '../../core/pointer.ts'
import { LineIndex, type SourcePosition } from '../../core/positions.ts'
import { CsvRefusal, type Field, located, recordsOf } from './csv-records.ts'
import type { ColumnType, CsvFormat, InputFormat } from './input-format.ts'

export interface ReadInput {
  value: JsonValue
  /** Of CSV, in the order of the text. */
  columns?: readonly string[]
  /** Where in the text the value at a JSON Pointer comes from; undefined for JSON, whose pointers are places. */
  placeOf(pointer: string): SourcePosition | undefined
}

/** @param format of the model; JSON without one */
export function readInput(text: string, format: InputFormat | undefined): Outcome<ReadInput> {
  if (format !== undefined) return located(text, () => readCsv(text, format))
  const read = readJson(text)
  return read.ok ? succeed({ value: read.value, placeOf: () => undefined }) : read
}

/** A raw input as JSON text: what can't be read is left as it is, for others to refuse. */
export function asJsonText(text: string, format: InputFormat | undefined): string {
  if (format === undefined) return text
  const read = readInput(text, format)
  return read.ok ? JSON.stringify(read.value.value) : text
}

/** Findings about a value, with the place in the text that it comes from. */
export function placedIn(input: ReadInput, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const place = input.placeOf(finding.path ?? '')
    if (place === undefined) return finding
    const where = `line ${place.line}, column ${place.column}`
    return { ...finding, message: `${finding.message} (${where})`, ...place }
  })
}

/** Where the rows and their fields begin. */
interface Places {
  /** Of the line of names, or the text. */
  start: number
  columns: readonly string[]
  rows: (readonly number[])[]
}

function readCsv(text: string, format: CsvFormat): ReadInput {
  refuseUnkeepable(text)
  const records = recordsOf(text, format)
  const columns = columnsOf(records, format)
  const rows: JsonValue[] = []
  const places: Places = { start: 0, columns, rows: [] }
  let bytes = 0
  for (const record of records) {
    const [first] = record
    if (record.length !== columns.length) {
      const message = `this line has ${counted(record.length)}, and there are ${columns.length} columns`
      throw new CsvRefusal('fields', first?.offset ?? 0, message, 'quote fields that hold the delimiter or a line end')
    }
    const row: JsonObject = {}
    for (const [index, field] of record.entries()) {
      const name = columns[index] ?? ''
      const value = valueIn(field, name, format)
      if (value === undefined) continue
      setMember(row, name, value)
    }
    // Names are repeated in every row, so a small text could make a large value.
    bytes += encoder.encode(JSON.stringify(row)).length + 1
    if (bytes > limits.payloadBytes) {
      const message = `as JSON the rows up to here have more than ${limits.payloadBytes} bytes`
      throw new CsvRefusal(
        'size',
        first?.offset ?? 0,
        message,
        'submit fewer rows at once, or shorten the names of columns',
      )
    }
    rows.push(row)
    places.rows.push(record.map(({ offset }) => offset))
  }
  const lines = new LineIndex(text)
  const value: JsonObject = {}
  setMember(value, format.rows, rows)
  return { value, columns, placeOf: (pointer) => lines.positionOf(offsetOf(pointer, places)) }
}

const encoder = new TextEncoder()

function columnsOf(records: Generator<Field[]>, { header, types }: CsvFormat): readonly string[] {
  const first = header === 'first line' ? records.next().value : undefined
  const fields = first === undefined ? undefined : (first as Field[])
  if (header === 'first line' && fields === undefined) {
    throw new CsvRefusal('header', 0, 'there is no line of names', 'begin with the names of the columns')
  }
  const names = fields?.map(({ text }) => text) ?? (header as string[])
  const offset = fields?.[0]?.offset ?? 0
  if (names.length > limits.csvColumns) {
    throw new CsvRefusal('header', offset, `there are more than ${limits.csvColumns} columns`, 'leave some out')
  }
  for (const [index, name] of names.entries()) {
    const at = fields?.[index]?.offset ?? 0
    if (name === '') throw new CsvRefusal('header', at, `column ${index + 1} has no name`, 'name it')
    if (names.indexOf(name) < index) {
      throw new CsvRefusal('header', at, `two columns are called "${name.slice(0, 60)}"`, 'rename one of them')
    }
  }
  const lacking = Object.keys(types).find((name) => !names.includes(name))
  if (lacking === undefined) return names
  const message = `there is no column "${lacking.slice(0, 60)}", for which the model has a type`
  throw new CsvRefusal('header', offset, message, 'add it, or check the delimiter')
}

/** Undefined for an empty field that is left out. */
function valueIn(field: Field, name: string, format: CsvFormat): JsonValue | undefined {
  const { text, isQuoted, offset } = field
  if (text === '' && !isQuoted && format.empty !== 'text') return format.empty === 'null' ? null : undefined
  const type: ColumnType = format.types[name] ?? 'text'
  if (type === 'text') return text
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new CsvRefusal('value', offset, `${shown(text)} is neither true nor false`, `take the column ${name} as text`)
  }
  const pattern = format.decimal === '.' ? /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/ : /^-?(?:0|[1-9]\d*)(?:,\d+)?$/
  const read = pattern.test(text) ? readJson(text.replace(',', '.')) : undefined
  if (read?.ok) return read.value
  const what = read === undefined ? `is no number with "${format.decimal}"` : 'is a number that is not kept exactly'
  const hint = 'write digits without grouping, exponent or leading zeros, or take the column as text'
  throw new CsvRefusal('value', offset, `${shown(text)} ${what}`, hint)
}

function counted(fields: number): string {
  return fields === 1 ? '1 field' : `${fields} fields`
}

function shown(text: string): string {
  return `"${text.length <= 40 ? text : `${text.slice(0, 39)}…`}"`
}

/** What JSON as Quire reads it refuses in a text, other systems can't hold from CSV either. */
function refuseUnkeepable(text: string): void {
  const found = /[\0\p{Noncharacter_Code_Point}\p{Surrogate}]/u.exec(text)
  if (found === null) return
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  throw new CsvRefusal('character', found.index, `the character U+${code}`, 'remove it')
}

/** Of the field that a pointer leads to; of its row where the field is left out, else of the text. */
function offsetOf(pointer: string, { start, columns, rows }: Places): number {
  const [, row, column] = parsePointer(pointer) ?? []
  if (row === undefined) return start
  const offsets = rows[Number(row)] ?? []
  const index = column === undefined ? 0 : Math.max(0, columns.indexOf(column))
  return offsets[index] ?? start
}
