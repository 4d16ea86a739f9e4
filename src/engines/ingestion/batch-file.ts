/**
 * A file of many inputs for one ingestion model: CSV with a row for each, or NDJSON with a line for each. It is checked
 * once as a whole, and can then be read from any row on.
 */
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue, readJsonInParts, setMember } from '../../core/json.ts'
import type { BatchFormat } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { parsePointer } from '../../core/pointer.ts'
import { positionInParts } from '../../core/positions.ts'
import { atOnce, type InParts } from '../../core/turns.ts'
import { type BatchColumn, columnsOfContract } from './batch-columns.ts'
import { type CsvFormat, delimiters } from './csv-format.ts'
import { CsvRefusal, type Field, type PlacedRecord, placedRecords } from './csv-records.ts'
import { refusedCharacter, typedValue } from './field-values.ts'
import type { InputFormat } from './input-format.ts'
import { columnNames, refuseOtherCount } from './read-csv.ts'
import { findingInParts, InputRefusal } from './refusal.ts'

/** How a row becomes a raw input; plain, as it is kept with the batch. */
export type BatchReading = { start: number } & (
  | {
      format: 'ndjson'
      /** The model doesn't read JSON: each line is a JSON string that holds an input. */
      isText: boolean
      /** Where an object's reference is, as tokens of a pointer. */
      reference?: string[]
    }
  | {
      format: 'csv'
      csv: CsvFormat /** By its place. */
      reference?: number /** The line of names, with its end. */
      header: string
    }
  | { format: 'csv'; csv: CsvFormat; reference?: number; columns: BatchColumn[] }
)

export interface BatchRow {
  /** In the text: where it begins, and where the next one may. */
  offset: number
  end: number
  rawInput: string
  reference: string | undefined
}

export interface BatchWanted {
  format: BatchFormat
  /** What the model reads; JSON without one. */
  input: InputFormat | undefined
  /** The contract's schema, for columns in CSV. */
  schema: JsonValue
  /** The column, or for NDJSON the member or pointer, that holds the object's reference. */
  referenceField: string | undefined
}

class NdjsonRefusal extends InputRefusal {
  readonly format = 'ndjson'
}

/** Tuned: blank lines that are passed before others may have a turn, some .1 ms. */
const partLines = 1_000

/** Checks a file, yielding after about every row. @returns findings with line and column if it can't be read */
export function* checkBatch(
  text: string,
  wanted: BatchWanted,
): InParts<Outcome<{ reading: BatchReading; rows: number }>> {
  try {
    yield* refuseLongLine(text)
    const reading = wanted.format === 'csv' ? yield* readingOfCsv(text, wanted) : readingOfNdjson(wanted)
    let rows = 0
    for (const row of rowsInParts(text, reading)) {
      yield
      if (row === undefined) continue
      rows++
      if (rows > limits.batchRows) {
        throw refusal(
          reading.format,
          'size',
          row.offset,
          `there are more than ${limits.batchRows} rows`,
          'split the file',
        )
      }
    }
    if (rows > 0) return succeed({ reading, rows })
    throw refusal(reading.format, 'rows', text.length, 'there is no row', 'add one')
  } catch (error) {
    if (error instanceof InputRefusal) return fail(yield* findingInParts(text, error))
    throw error
  }
}

/** The rows from an offset on, where one begins. @throws InputRefusal */
export function* batchRows(text: string, reading: BatchReading, from?: number): Generator<BatchRow> {
  for (const row of rowsInParts(text, reading, from)) if (row !== undefined) yield row
}

/** The same, but yields undefined within a long row and between distant rows, so that the caller can let others run. */
export function* rowsInParts(
  text: string,
  reading: BatchReading,
  from: number = reading.start,
): Generator<BatchRow | undefined> {
  for (const row of reading.format === 'csv' ? csvRows(text, reading, from) : ndjsonRows(text, reading, from)) {
    if (row === undefined) {
      yield undefined
      continue
    }
    const { rawInput, offset } = row
    if (rawInput.length * 3 > limits.payloadBytes && encoder.encode(rawInput).length > limits.payloadBytes) {
      throw refusal(reading.format, 'size', offset, `the row has more than ${limits.payloadBytes} bytes`, 'shorten it')
    }
    yield row
  }
}

const encoder = new TextEncoder()

/** Whether a file starts with a UTF-16 byte order mark; checked before anything is decoded. */
export function wideEncoding(bytes: Uint8Array): Finding | undefined {
  const [first, second] = bytes
  if (!((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))) return undefined
  const hint = 'Save the file as UTF-8.'
  return { code: 'batch.encoding', severity: 'error', message: 'The file is in UTF-16.', hint, line: 1, column: 1 }
}

function* readingOfCsv(
  text: string,
  { input, schema, referenceField }: BatchWanted,
): InParts<BatchReading & { format: 'csv' }> {
  if (input !== undefined && input.format !== 'csv') {
    const hint = 'hand in NDJSON, each line a JSON string that holds an input'
    throw new CsvRefusal('model', 0, `the ingestion model reads ${input.format.toUpperCase()}, not CSV`, hint)
  }
  const csv: CsvFormat = input ?? { ...plainCsv, delimiter: delimiterOf(text) }
  const named = csv.header === 'first line' ? yield* firstRecord(text, csv) : undefined
  if (named !== undefined) refuseHeader(text, named)
  const names = columnNames(named?.fields, csv)
  const start = named?.end ?? 0
  const at = referenceField === undefined ? -1 : names.indexOf(referenceField)
  if (referenceField !== undefined && at < 0) {
    const message = `there is no column "${referenceField.slice(0, 60)}" for the object's reference`
    throw new CsvRefusal('header', named?.start ?? 0, message, `the columns are ${names.slice(0, 12).join(', ')}`)
  }
  const reference = at < 0 ? {} : { reference: at }
  if (input === undefined) {
    return { format: 'csv', csv, start, ...reference, columns: yield* columnsOfContract(named?.fields ?? [], schema) }
  }
  const header = named === undefined ? '' : endedLine(text.slice(named.start, named.end))
  return { format: 'csv', csv, start, ...reference, header }
}

/** Undefined if there is none. */
function* firstRecord(text: string, csv: CsvFormat): InParts<PlacedRecord | undefined> {
  for (const record of placedRecords(text, csv, { most: limits.payloadBytes })) {
    if (record !== undefined) return record
    yield
  }
  return undefined
}

function refuseHeader(text: string, { start, end }: PlacedRecord): void {
  refuseCharacters('csv', text, start, end)
  if (end - start <= limits.batchHeaderChars) return
  const message = `the line of names has more than ${limits.batchHeaderChars} characters, and each row repeats it`
  throw new CsvRefusal('header', start, message, 'shorten the names, or leave columns out')
}

const plainCsv = {
  format: 'csv',
  header: 'first line',
  rows: 'rows',
  decimal: '.',
  trim: false,
  empty: 'omit',
  types: {},
} as const

/** The delimiter that the first line has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const end = text.indexOf('\n')
  const line = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '')
  const counted = delimiters.map((sign) => ({ sign, times: line.split(sign).length - 1 }))
  return counted.reduce((best, each) => (each.times > best.times ? each : best)).sign
}

function readingOfNdjson({ input, referenceField }: BatchWanted): BatchReading {
  if (referenceField === undefined) return { format: 'ndjson', start: 0, isText: input !== undefined }
  const reference = referenceField.startsWith('/') ? parsePointer(referenceField) : [referenceField]
  if (reference !== undefined && input === undefined) return { format: 'ndjson', start: 0, isText: false, reference }
  const message = `the object's reference can not be at "${referenceField.slice(0, 60)}"`
  throw new NdjsonRefusal('reference', 0, message, 'name a member, or a JSON Pointer such as /policy/number')
}

function* csvRows(
  text: string,
  reading: BatchReading & { format: 'csv' },
  from: number,
): Generator<BatchRow | undefined> {
  const { csv, reference } = reading
  const names = 'columns' in reading ? reading.columns.map(({ path }) => path.join('.')) : undefined
  const width = names?.length ?? columnNames(headerFields(reading), csv).length
  for (const record of placedRecords(text, csv, { from, most: limits.payloadBytes })) {
    if (record === undefined) {
      yield undefined
      continue
    }
    const { fields, start, end } = record
    refuseCharacters('csv', text, start, end)
    if (fields.length !== width) refuseOtherCount(fields, names ?? columnNames(headerFields(reading), csv))
    const rawInput =
      'columns' in reading
        ? JSON.stringify(yield* objectOf(fields, reading.columns, csv))
        : reading.header + endedLine(text.slice(start, end))
    const cell = reference === undefined ? undefined : fields[reference]?.text
    yield { offset: start, end, rawInput, reference: cell === '' ? undefined : cell }
  }
}

function headerFields(reading: BatchReading & { format: 'csv' }): Field[] | undefined {
  if (!('header' in reading) || reading.header === '') return undefined
  return atOnce(firstRecord(reading.header, reading.csv))?.fields
}

function* objectOf(
  fields: readonly Field[],
  columns: readonly BatchColumn[],
  csv: CsvFormat,
): Generator<undefined, JsonObject, void> {
  const whole: JsonObject = {}
  for (const [index, field] of fields.entries()) {
    const column = columns[index]
    if (column === undefined || (field.text === '' && !field.isQuoted)) continue
    let target = whole
    for (const token of column.path.slice(0, -1)) {
      const inner = Object.hasOwn(target, token) ? target[token] : undefined
      const next: JsonObject = isJsonObject(inner) ? inner : {}
      if (next !== inner) setMember(target, token, next)
      target = next
    }
    setMember(target, column.path.at(-1) ?? '', yield* cellValue(field.text, column.type, csv.decimal))
  }
  return whole
}

/** What is not of its type stays text: the contract then says what is wrong with it. */
function* cellValue(
  text: string,
  type: BatchColumn['type'],
  decimal: '.' | ',',
): Generator<undefined, JsonValue, void> {
  if (type === 'json') {
    const read = yield* inTurn(readJsonInParts(text))
    return read.ok ? read.value : text
  }
  const read = typedValue(text, type, decimal)
  return read.ok ? read.value : text
}

/** What yields nothing of its own, as a part of what yields rows. */
function* inTurn<T>(work: InParts<T>): Generator<undefined, T, void> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value as T
    yield undefined
  }
}

function* ndjsonRows(
  text: string,
  reading: BatchReading & { format: 'ndjson' },
  from: number,
): Generator<BatchRow | undefined> {
  let lines = 0
  for (let at = from; at < text.length; ) {
    if (++lines % partLines === 0) yield undefined
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline + 1
    const line = text.slice(at, end)
    const offset = at
    at = end
    const rawInput = line.trim()
    if (rawInput === '') continue
    const read = yield* inTurn(readJsonInParts(rawInput))
    if (!read.ok) {
      const [first] = read.findings
      const place = offset + line.indexOf(rawInput) + (first?.column ?? 1) - 1
      throw new NdjsonRefusal(
        'json',
        place,
        unended(first?.message ?? 'it is no JSON'),
        unended(first?.hint ?? 'mend it'),
      )
    }
    const { value } = read
    if (reading.isText && typeof value !== 'string') {
      throw new NdjsonRefusal(
        'text',
        offset,
        'the line is no JSON string',
        "write a string that holds an input of the model's format",
      )
    }
    yield {
      ...{ offset, end, rawInput: reading.isText ? String(value) : rawInput },
      reference: reading.reference === undefined ? undefined : textAt(value, reading.reference),
    }
  }
}

function textAt(value: JsonValue, path: readonly string[]): string | undefined {
  let at: JsonValue | undefined = value
  for (const token of path) at = isJsonObject(at) && Object.hasOwn(at, token) ? at[token] : undefined
  return typeof at === 'string' || typeof at === 'number' ? String(at) : undefined
}

/** Readers look at a field whole: what is too long for any row is found by its line first. */
function* refuseLongLine(text: string): InParts<void> {
  for (let at = 0; text.length - at > limits.payloadBytes; ) {
    // Of lines that end within so many characters none is too long.
    const end = text.lastIndexOf('\n', at + limits.payloadBytes)
    if (end < at) {
      const { line } = yield* positionInParts(text, at)
      throw new CsvRefusal(
        'size',
        at,
        `line ${line} has more than ${limits.payloadBytes} characters`,
        'end rows with a line feed',
      )
    }
    at = end + 1
  }
}

function refuseCharacters(format: BatchFormat, text: string, start: number, end: number): void {
  const found = refusedCharacter(text.slice(start, end), {})
  if (found !== undefined) throw refusal(format, 'character', start + found.offset, found.name, found.hint)
}

function refusal(format: BatchFormat, code: string, offset: number, message: string, hint: string): InputRefusal {
  return format === 'csv' ? new CsvRefusal(code, offset, message, hint) : new NdjsonRefusal(code, offset, message, hint)
}

function endedLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Refusals are made into sentences again. */
function unended(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
