/** What declarations of formats have in common. */
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { choiceMeant } from './slips.ts'

/** What a field or element holds. */
export type ValueType = 'text' | 'number' | 'boolean'

export const valueTypes: readonly string[] = ['text', 'number', 'boolean'] satisfies ValueType[]

/** What one without anything in it becomes. */
export type EmptyChoice = (typeof emptyChoices)[number]

export const emptyChoices = ['omit', 'null', 'text'] as const

/** Takes a finding: the place below the model's root, the code, what is wrong and what to do. */
export type Refuse = (tokens: readonly (string | number)[], code: string, message: string, hint: string) => void

/** A part of a declaration that is to be read. */
export interface Member {
  value: JsonObject
  key: string
  refuse: Refuse
}

/** The value if it is one of the choices; refused, and the default, if it is another. */
export function oneOf<T>({ value, key, refuse }: Member, choices: readonly T[], otherwise: T): T {
  const given = value[key]
  if (given === undefined) return otherwise
  const found = choices.find((choice) => choice === given)
  if (found !== undefined) return found
  const words = choices.map((choice) => JSON.stringify(choice)).join(', ')
  const hint = given === null ? `quote it: "null"` : choiceMeant(given)
  refuse(
    ['input', key],
    'input',
    `${key} must be one of ${words}`,
    hint ?? `leave it out for ${JSON.stringify(otherwise)}`,
  )
  return otherwise
}

/** Text of 1 to 200 characters; refused, and the default, if it is something else. */
export function textOf({ value, key, refuse }: Member, otherwise: string): string {
  const given = value[key]
  if (given === undefined) return otherwise
  if (typeof given === 'string' && given !== '' && given.length <= 200) return given
  refuse(['input', key], 'type', `${key} must be text of 1 to 200 characters`, `leave it out for "${otherwise}"`)
  return otherwise
}

export function isValueType(type: JsonValue): type is ValueType {
  return typeof type === 'string' && valueTypes.includes(type)
}
