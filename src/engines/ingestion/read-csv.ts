/** CSV as the value that its contract is about: rows of named fields. */
import { type JsonObject, type JsonValue, setMember } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { parsePointer } from '../../core/pointer.ts'
import { LineIndex } from '../../core/positions.ts'
import type { CsvFormat } from './csv-format.ts'
import { columnHint, fieldsHint, refuseMisread } from './csv-header.ts'
import { CsvRefusal, type Field, recordsOf } from './csv-records.ts'
import { refusedCharacter, typedValue } from './field-values.ts'
import type { ReadInput } from './input-value.ts'

export interface ReadCsv extends ReadInput {
  /** In the order of the text. */
  columns: readonly string[]
}

/** Where the rows and their fields begin. */
interface Places {
  /** Where the line of names, or the text, starts. */
  start: number
  columns: readonly string[]
  rows: (readonly number[])[]
}

/** @throws CsvRefusal */
export function readCsv(text: string, format: CsvFormat): ReadCsv {
  refuseCharacters(text, format)
  const records = recordsOf(text, format)
  const columns = columnsOf(records, format)
  const rows: JsonValue[] = []
  const places: Places = { start: 0, columns, rows: [] }
  let bytes = 0
  for (const record of records) {
    const [first] = record
    refuseOtherCount(record, columns)
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

function columnsOf(records: Generator<Field[]>, format: CsvFormat): readonly string[] {
  const first = format.header === 'first line' ? records.next().value : undefined
  return columnNames(first === undefined ? undefined : (first as Field[]), format)
}

/** The names of the columns, from the line of them where the text has one. @throws CsvRefusal */
export function columnNames(fields: readonly Field[] | undefined, format: CsvFormat): readonly string[] {
  const { types } = format
  const names = fields?.map(({ text }) => text) ?? format.header
  if (names === 'first line') {
    throw new CsvRefusal('header', 0, 'there is no line of names', 'begin with the names of the columns')
  }
  if (fields !== undefined && format.isEarlier === undefined) refuseMisread(fields, format.delimiter)
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
  throw new CsvRefusal('header', offset, message, columnHint(lacking, names))
}

/** Undefined for an empty field that is left out. */
function valueIn(field: Field, name: string, format: CsvFormat): JsonValue | undefined {
  const { text, isQuoted, offset } = field
  if (text === '' && !isQuoted && format.empty !== 'text') return format.empty === 'null' ? null : undefined
  const read = typedValue(text, format.types[name] ?? 'text', format.decimal)
  if (read.ok) return read.value
  throw new CsvRefusal('value', offset, read.message, read.hint)
}

/** @throws CsvRefusal for a record that has not a field for each column */
export function refuseOtherCount(record: readonly Field[], columns: readonly string[]): void {
  if (record.length === columns.length) return
  const message = `this line has ${counted(record.length)}, and there ${columns.length === 1 ? 'is 1 column' : `are ${columns.length} columns`}`
  throw new CsvRefusal('fields', record[0]?.offset ?? 0, message, fieldsHint(record))
}

function counted(fields: number): string {
  return fields === 1 ? '1 field' : `${fields} fields`
}

function refuseCharacters(text: string, format: CsvFormat): void {
  const found = refusedCharacter(text, format)
  if (found !== undefined) throw new CsvRefusal('character', found.offset, found.name, found.hint)
}

/** The offset of the field at a pointer; of its row if the field is left out, else of the text. */
function offsetOf(pointer: string, { start, columns, rows }: Places): number {
  const [, row, column] = parsePointer(pointer) ?? []
  if (row === undefined) return start
  const offsets = rows[Number(row)] ?? []
  const index = column === undefined ? 0 : Math.max(0, columns.indexOf(column))
  return offsets[index] ?? start
}
