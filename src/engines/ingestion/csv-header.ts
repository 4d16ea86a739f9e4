/** Finds header lines which show that the text has another format than the model declares. */
import { nearest } from '../../core/nearest.ts'
import { unseenIn } from '../../core/plain-text.ts'
import { delimiters } from './csv-format.ts'
import { CsvRefusal, type Field } from './csv-records.ts'

/** Spreadsheets begin a text with the delimiter that they wrote. */
const delimiterLine = /^sep=(.?)$/
/** Delimiters that names hardly ever hold, as they do commas. */
const dividers = [';', '\t']
const inOtherQuotes = /^(?:'.*'|[‘“„«].*[’”“»])$/su

/**
 * Refuses names that were probably misread: a delimiter line, names with another delimiter in them, names in quotes
 * that CSV doesn't have, and invisible characters. A name in double quotes may have other delimiters and quotes.
 * @throws CsvRefusal
 */
export function refuseMisread(fields: readonly Field[], delimiter: string): void {
  const [first] = fields
  if (first === undefined) return
  const line = delimiterLine.exec(fields.map(({ text }) => text).join(delimiter))
  if (line !== null && !first.isQuoted) {
    const hint = line[1] === delimiter ? 'remove the line' : `remove the line, and ${declare(line[1] ?? '')}`
    throw new CsvRefusal(
      'header',
      first.offset,
      'the first line says what the delimiter is, and names no columns',
      hint,
    )
  }
  const other = otherDelimiter(fields)
  if (other !== undefined) {
    const message = `the line of names is one column with ${shownDelimiter(other)} in it, and the model's delimiter is ${shownDelimiter(delimiter)}`
    throw new CsvRefusal('header', first.offset, message, `${declare(other)}; or put the name in quotes`)
  }
  for (const { text, isQuoted, offset } of fields) {
    const unseen = unseenIn(text)
    if (unseen !== undefined)
      throw new CsvRefusal('header', offset, `a name holds the unseen character ${unseen}`, 'remove it')
    const sign = isQuoted ? undefined : dividers.find((each) => each !== delimiter && text.includes(each))
    if (sign !== undefined) {
      const message = `the name ${shownDelimiter(text.slice(0, 60))} holds ${shownDelimiter(sign)}, and the model's delimiter is ${shownDelimiter(delimiter)}`
      throw new CsvRefusal('header', offset, message, `${declare(sign)}; or put the name in quotes`)
    }
    if (!isQuoted && inOtherQuotes.test(text)) {
      const message = `the quotes of ${text.slice(0, 60)} would be part of the name`
      throw new CsvRefusal('header', offset, message, 'write "…" for quotes, or none')
    }
  }
}

/** For a line with fewer fields than there are names. */
export function fieldsHint(record: readonly Field[]): string {
  const other = otherDelimiter(record)
  return other === undefined ? 'quote fields that hold the delimiter or a line end' : declare(other)
}

/** For a missing column. */
export function columnHint(lacking: string, names: readonly string[]): string {
  const blank = names.find((name) => name.trim() === lacking)
  if (blank !== undefined) return 'there are blanks around that name: add trim: true to the model'
  const meant = nearest(lacking, names)
  return meant === undefined
    ? 'add it, or check the delimiter'
    : `did you mean "${meant.slice(0, 60)}"? Names count as they are written`
}

/** The delimiter that a record of one field without quotes holds most often. */
function otherDelimiter([only, ...more]: readonly Field[]): string | undefined {
  if (only === undefined || only.isQuoted || more.length > 0) return undefined
  const counted = delimiters.map((sign) => ({ sign, times: only.text.split(sign).length - 1 }))
  const most = counted.reduce((best, each) => (each.times > best.times ? each : best))
  return most.times === 0 ? undefined : most.sign
}

function declare(delimiter: string): string {
  return delimiters.includes(delimiter)
    ? `write delimiter: ${shownDelimiter(delimiter)} in the model`
    : `write one of ${delimiters.map(shownDelimiter).join(' ')}`
}

function shownDelimiter(delimiter: string): string {
  return JSON.stringify(delimiter)
}
