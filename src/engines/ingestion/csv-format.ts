/** How a model says what its inputs in CSV are like. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import {
  type EmptyChoice,
  emptyChoices,
  isValueType,
  oneOf,
  type Refuse,
  textOf,
  type ValueType,
  valueTypes,
} from './declaration.ts'
import { choiceMeant } from './slips.ts'

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
  empty: EmptyChoice
  /** By the column's name; others are text. */
  types: Record<string, ValueType>
  /** For a model from before the fifth rules (core/reading.ts), which accepts inputs that are refused today. */
  isEarlier?: true
}

export const delimiters = [',', ';', '|', '\t']

/** The declaration, with every default filled in. */
export function checkCsvFormat(value: JsonObject, refuse: Refuse): CsvFormat {
  const one = <T>(key: string, choices: readonly T[], otherwise: T): T =>
    oneOf({ value, key, refuse }, choices, otherwise)
  return {
    format: 'csv',
    delimiter: one('delimiter', delimiters, ','),
    header: headerOf(value.header, refuse),
    rows: textOf({ value, key: 'rows', refuse }, 'rows'),
    decimal: one('decimal', ['.', ','] as const, '.'),
    trim: one('trim', [true, false], false),
    empty: one('empty', emptyChoices, 'omit'),
    types: typesOf(value.types, refuse),
  }
}

function headerOf(given: JsonValue | undefined, refuse: Refuse): CsvFormat['header'] {
  if (given === undefined || given === true) return 'first line'
  const names = Array.isArray(given) ? given.filter((name) => typeof name === 'string' && name !== '') : []
  const isList = Array.isArray(given) && names.length > 0 && names.length === given.length
  if (isList && new Set(names).size === names.length && names.length <= limits.csvColumns) return names as string[]
  const message = `header must be true, or a list of 1 to ${limits.csvColumns} different names`
  refuse(['input', 'header'], 'input', message, choiceMeant(given) ?? 'leave it out where the first line has the names')
  return 'first line'
}

function typesOf(given: JsonValue | undefined, refuse: Refuse): Record<string, ValueType> {
  // Without a prototype, as a column may be called like one of its members.
  const types: Record<string, ValueType> = Object.create(null)
  if (given === undefined) return types
  if (!isJsonObject(given)) {
    refuse(['input', 'types'], 'type', 'types must be a mapping of columns', 'write "types: { amount: number }"')
    return types
  }
  for (const [name, type] of Object.entries(given)) {
    if (isValueType(type)) types[name] = type
    else {
      const message = `the type of a column must be one of ${valueTypes.join(', ')}`
      refuse(['input', 'types', name], 'input', message, choiceMeant(type) ?? 'leave the column out for text')
    }
  }
  return types
}
