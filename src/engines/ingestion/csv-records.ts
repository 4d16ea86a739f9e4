/** CSV as RFC 4180 has it, with one of four delimiters: from a text to fields with their places. */
import type { CsvFormat } from './csv-format.ts'
import { InputRefusal } from './refusal.ts'

/** Tuned: characters that are read before others may have a turn, some .2 ms. */
const partChars = 16_384

export interface Field {
  text: string
  isQuoted: boolean
  /** In the text, of the field's first character. */
  offset: number
}

export class CsvRefusal extends InputRefusal {
  readonly format = 'csv'
}

/** A record with where it begins and ends in the text; the end comes after its line's end. */
export interface PlacedRecord {
  fields: Field[]
  start: number
  end: number
}

/** The records that have anything on their line, each with all its fields. Linear in the text. */
export function* recordsOf(text: string, format: Pick<CsvFormat, 'delimiter' | 'trim'>): Generator<Field[]> {
  for (const record of placedRecords(text, format)) if (record !== undefined) yield record.fields
}

/**
 * The same with their places. Yields undefined now and then, so that the caller can let others run: between two records
 * there may be millions of blank lines.
 * @param options.from where a record begins
 * @param options.most maximum characters of a record; a longer one is refused before it is read to its end
 */
export function* placedRecords(
  text: string,
  { delimiter, trim }: Pick<CsvFormat, 'delimiter' | 'trim'>,
  { from = 0, most = text.length }: { from?: number; most?: number } = {},
): Generator<PlacedRecord | undefined> {
  let at = from === 0 && text.startsWith('\uFEFF') ? 1 : from
  let partEnd = at + partChars
  while (at < text.length) {
    const start = at
    const record: Field[] = []
    for (;;) {
      const read = readField(text, at, { delimiter, trim, until: start + most })
      if (read === undefined) {
        throw new CsvRefusal('size', start, `the row has more than ${most} characters`, 'shorten it')
      }
      record.push(read.field)
      at = read.end
      if (at >= partEnd) {
        partEnd = at + partChars
        yield undefined
      }
      if (text[at] !== delimiter) break
      at++
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    const [first] = record
    const isBlank = record.length === 1 && first?.text === '' && !first.isQuoted
    if (!isBlank) yield { fields: record, start, end: at }
  }
}

interface FieldRules {
  delimiter: string
  trim: boolean
  /** Beyond this offset no field of the record may go on. */
  until: number
}

/**
 * The field that begins at an offset, and its end: at a delimiter, a line end or the end of the text. Undefined if it is
 * too long.
 */
function readField(text: string, from: number, rules: FieldRules): { field: Field; end: number } | undefined {
  const { delimiter, trim, until } = rules
  let at = from
  if (trim) while (isBlank(text[at], delimiter)) at++
  if (text[at] === '"') return readQuoted(text, at, rules)
  const offset = at
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && !text.startsWith('\r\n', at)) {
    if (text[at] === '"') {
      throw new CsvRefusal(
        'quote',
        at,
        'a quote inside a field that is not quoted',
        /^\s*[{[]/.test(text)
          ? 'this looks like JSON: leave input out of the model for JSON'
          : 'quote the field, and write "" for a quote',
      )
    }
    if (text[at] === '\r')
      throw new CsvRefusal('line-end', at, 'a carriage return without a line feed', 'end lines with LF or CR LF')
    at++
  }
  if (at > until) return undefined
  let end = at
  if (trim) while (end > offset && isBlank(text[end - 1], delimiter)) end--
  return { field: { text: text.slice(offset, end), isQuoted: false, offset }, end: at }
}

function readQuoted(text: string, offset: number, { delimiter, trim, until }: FieldRules) {
  let made = ''
  let from = offset + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) throw new CsvRefusal('quote', offset, 'a quoted field is never closed', 'close it with a quote')
    if (quote > until) return undefined
    made += text.slice(from, quote)
    from = quote + 1
    if (text[from] !== '"') break
    made += '"'
    from++
  }
  if (trim) while (isBlank(text[from], delimiter)) from++
  const isEnd = from === text.length || text[from] === delimiter || text[from] === '\n' || text.startsWith('\r\n', from)
  if (!isEnd) throw new CsvRefusal('quote', from, 'text after a closing quote', 'write "" for a quote inside the field')
  return { field: { text: made, isQuoted: true, offset }, end: from }
}

function isBlank(character: string | undefined, delimiter: string): boolean {
  return (character === ' ' || character === '\t') && character !== delimiter
}
