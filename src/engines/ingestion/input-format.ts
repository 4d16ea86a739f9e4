/** How a model says what its inputs are written in: the part `input`. Without it an input is JSON. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'

export type InputFormat = CsvFormat

export interface CsvFormat {
  format: 'csv'
  delimiter: string
  /** The names of the columns where the text has no line of them. */
  header: 'first line' | string[]
  /** The member that holds the rows. */
  rows: string
  decimal: '.' | ','
  /** Whether blanks around a field are dropped. */
  trim: boolean
  /** What an empty field becomes, unless it is quoted. */
  empty: 'omit' | 'null' | 'text'
  /** By the column's name; others are text. */
  types: Record<string, ColumnType>
}

export type ColumnType = 'text' | 'number' | 'boolean'

const columnTypes: readonly string[] = ['text', 'number', 'boolean'] satisfies ColumnType[]
const delimiters = [',', ';', '|', '\t']
const keys = ['format', 'delimiter', 'header', 'rows', 'decimal', 'trim', 'empty', 'types']

/** Takes a finding: the place below the model's root, the code, what is wrong and what to do. */
export type Refuse = (tokens: readonly (string | number)[], code: string, message: string, hint: string) => void

/** The declaration, with every default filled in. @returns undefined where it is refused */
export function checkInputFormat(value: JsonValue, refuse: Refuse): InputFormat | undefined {
  if (!isJsonObject(value)) {
    refuse(['input'], 'type', 'input must be a mapping', 'write "input: { format: csv }", or leave it out for JSON')
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) {
      refuse(['input', key], 'unknown_key', `there is no key "${key}" here`, `the keys are ${keys.join(', ')}`)
    }
  }
  if (value.format !== 'csv') {
    refuse(['input', 'format'], 'input', 'format must be csv', 'write "format: csv", or leave input out for JSON')
  }
  const one = <T>(key: string, choices: readonly T[], otherwise: T): T =>
    oneOf({ value, key, refuse }, choices, otherwise)
  return {
    format: 'csv',
    delimiter: one('delimiter', delimiters, ','),
    header: headerOf(value.header, refuse),
    rows: textOf(value.rows, 'rows', refuse) ?? 'rows',
    decimal: one('decimal', ['.', ','] as const, '.'),
    trim: one('trim', [true, false], false),
    empty: one('empty', ['omit', 'null', 'text'] as const, 'omit'),
    types: typesOf(value.types, refuse),
  }
}

interface Member {
  value: JsonObject
  key: string
  refuse: Refuse
}

function oneOf<T>({ value, key, refuse }: Member, choices: readonly T[], otherwise: T): T {
  const given = value[key]
  if (given === undefined) return otherwise
  const found = choices.find((choice) => choice === given)
  if (found !== undefined) return found
  const words = choices.map((choice) => JSON.stringify(choice)).join(', ')
  refuse(['input', key], 'input', `${key} must be one of ${words}`, `leave it out for ${JSON.stringify(otherwise)}`)
  return otherwise
}

function headerOf(given: JsonValue | undefined, refuse: Refuse): CsvFormat['header'] {
  if (given === undefined || given === true) return 'first line'
  const names = Array.isArray(given) ? given.filter((name) => typeof name === 'string' && name !== '') : []
  const isList = Array.isArray(given) && names.length > 0 && names.length === given.length
  if (isList && new Set(names).size === names.length && names.length <= limits.csvColumns) return names as string[]
  const message = `header must be true, or a list of 1 to ${limits.csvColumns} different names`
  refuse(['input', 'header'], 'input', message, 'leave it out where the first line has the names')
  return 'first line'
}

function textOf(given: JsonValue | undefined, key: string, refuse: Refuse): string | undefined {
  if (given === undefined || (typeof given === 'string' && given !== '' && given.length <= 200)) return given
  refuse(['input', key], 'type', `${key} must be text of 1 to 200 characters`, `leave it out for "${key}"`)
  return undefined
}

function typesOf(given: JsonValue | undefined, refuse: Refuse): Record<string, ColumnType> {
  // Without a prototype, as a column may be called like one of its members.
  const types: Record<string, ColumnType> = Object.create(null)
  if (given === undefined) return types
  if (!isJsonObject(given)) {
    refuse(['input', 'types'], 'type', 'types must be a mapping of columns', 'write "types: { amount: number }"')
    return types
  }
  for (const [name, type] of Object.entries(given)) {
    if (isColumnType(type)) types[name] = type
    else {
      const message = `the type of a column must be one of ${columnTypes.join(', ')}`
      refuse(['input', 'types', name], 'input', message, 'leave the column out for text')
    }
  }
  return types
}

function isColumnType(type: JsonValue): type is ColumnType {
  return typeof type === 'string' && columnTypes.includes(type)
}
