import { Kind, type TObject, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import type { Finding } from '../core/finding.ts'
import { limits } from '../core/limits.ts'
import { nearest } from '../core/nearest.ts'
import { brokenTextRule, isTextSchema } from './wire.ts'

/** Where a value came from: the first words of its findings. */
export type Place = 'body' | 'query' | 'header' | 'path' | 'response' | 'file' | 'proof'

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** Compiled on first use: a start compiles nothing. */
function checkerFor(schema: TSchema): TypeCheck<TSchema> {
  let checker = compiled.get(schema)
  if (checker === undefined) {
    checker = TypeCompiler.Compile(schema)
    compiled.set(schema, checker)
  }
  return checker
}

/**
 * Checks a value and says in words what is wrong: one finding a place, each naming field, rule and remedy. Empty when
 * the value is accepted.
 */
export function checkShape(schema: TSchema, value: unknown, place: Place): Finding[] {
  const checker = checkerFor(schema)
  if (checker.Check(value)) return []
  const findings = new Map<string, Finding>()
  for (const error of checker.Errors(value)) {
    // A missing property is reported again as a value of the wrong type; only the first error of a path is kept.
    if (!findings.has(error.path)) findings.set(error.path, translate(error, place))
    // Checks no further once a value has too many members: 180,000 of them block the thread for a third of a second.
    if (findings.size === limits.shapeFindings || tooMany.has(error.type)) break
  }
  return [...findings.values()]
}

const tooMany: ReadonlySet<ValueErrorType> = new Set([ValueErrorType.ObjectMaxProperties, ValueErrorType.ArrayMaxItems])

function translate(error: ValueError, place: Place): Finding {
  const field = fieldName(error.path)
  const subject = field === '' ? `The ${place}` : `${capital(place)} field ${field}`
  const [code, message, hint] = explain(error, subject)
  return {
    code: `${place}.${code}`,
    severity: 'error',
    message,
    ...(hint === undefined ? {} : { hint }),
    path: error.path,
  }
}

type Explanation = [code: string, message: string, hint?: string | undefined]

function explain(error: ValueError, subject: string): Explanation {
  const { schema, value } = error
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return ['required', `${subject} is missing.`, `Add it as ${describeSchema(schema)}.`]
    case ValueErrorType.ObjectAdditionalProperties:
      return ['unknown', `${subject} is not known here.`, knownName(schema, error.path)]
    case ValueErrorType.ObjectMinProperties:
      return ['too_few', `${subject} names no property.`, `Give at least one of ${Object.keys(schema.properties)}.`]
    case ValueErrorType.ObjectMaxProperties:
      return ['too_many', `${subject} must have at most ${schema.maxProperties} properties.`]
    case ValueErrorType.ArrayMinItems:
      return ['too_few', `${subject} must have at least ${schema.minItems} ${plural(schema.minItems, 'item')}.`]
    case ValueErrorType.ArrayMaxItems:
      return ['too_many', `${subject} must have at most ${schema.maxItems} ${plural(schema.maxItems, 'item')}.`]
    case ValueErrorType.ArrayUniqueItems:
      return ['repeated', `${subject} names an item twice.`, 'Name every item once.']
    case ValueErrorType.NumberMinimum:
    case ValueErrorType.IntegerMinimum:
      return ['too_small', `${subject} must be at least ${schema.minimum}.`]
    case ValueErrorType.NumberMaximum:
    case ValueErrorType.IntegerMaximum:
      return ['too_great', `${subject} must be at most ${schema.maximum}.`]
    default:
      for (const member of schema[Kind] === 'Union' ? (schema.anyOf as TSchema[]) : [schema]) {
        if (isTextSchema(member) && typeof value === 'string') {
          return ['rule', `${subject} ${brokenTextRule(member, value)}.`, meantText(member, value)]
        }
      }
      return ['type', `${subject} must be ${describeSchema(schema)}.`, valueMeant(schema, value)]
  }
}

function knownName({ properties }: TSchema, path: string): string {
  const meant = nearest(path.slice(path.lastIndexOf('/') + 1), Object.keys(properties ?? {}))
  return meant === undefined ? 'Remove it, or check its spelling.' : `Write ${meant}, or remove it.`
}

/** Suggests a text that keeps the rule: trimmed, in lower case, or with a hyphen for each run of odd characters. */
function meantText(rules: TSchema, text: string): string | undefined {
  if (text.length > limits.shownValueChars) return undefined
  const joined = text.trim().replace(/[^A-Za-z0-9._:@+-]+/g, '-')
  const meant = [text.trim(), text.toLowerCase(), joined, joined.toLowerCase()].find(
    (each) => each !== '' && brokenTextRule(rules, each) === undefined,
  )
  return meant === undefined ? undefined : `Write ${meant}, for example.`
}

/** For a value of another type with the same look. */
function valueMeant(schema: TSchema, value: unknown): string | undefined {
  const members = schema[Kind] === 'Union' ? (schema.anyOf as TSchema[]) : [schema]
  if (typeof value === 'number' && members.some(isTextSchema)) return `Put it in quotes: "${value}".`
  if (typeof value !== 'string') return undefined
  const isNumber = members.some((member) => member.type === 'number' || member.type === 'integer')
  return isNumber && /^-?\d{1,15}$/.test(value) ? `Write ${value} without quotes, if it is one of them.` : undefined
}

function describeSchema(schema: TSchema): string {
  if (schema[Kind] === 'Union') return describeUnion(schema.anyOf as TSchema[])
  if (schema[Kind] === 'Literal') return JSON.stringify(schema.const)
  switch (schema.type) {
    case 'string':
      return 'a string'
    case 'integer':
      return schema.minimum === undefined ? 'a whole number' : `a whole number from ${schema.minimum}`
    case 'number':
      return 'a number'
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'an array'
    case 'object':
      return 'an object'
    case 'null':
      return 'null'
    default:
      return 'any JSON value'
  }
}

function describeUnion(members: readonly TSchema[]): string {
  const words = members.map(describeSchema)
  // TypeBox makes no union of a single member.
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** `/roles/0` as people write it: `roles[0]`. */
function fieldName(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 100))
    .reduce((name, token) => (/^\d+$/.test(token) ? `${name}[${token}]` : name === '' ? token : `${name}.${token}`), '')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`
}

/** A record whose every name is a field of its own: in an ordinary object `__proto__` would vanish, and pass every check. */
export function ownFields<T>(): Record<string, T> {
  return Object.create(null)
}

/**
 * Path parameters and query values arrive as text: those whose schema wants a number or a truth value are read as one,
 * only in the one canonical spelling; everything else stays text, and the schema refuses it by name.
 */
export function coerceTexts(schema: TObject, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const values = ownFields<unknown>()
  for (const [name, value] of Object.entries(texts)) {
    const type: unknown = schema.properties[name]?.type
    const isNumber = type === 'integer' && /^-?(?:0|[1-9]\d{0,15})$/.test(value) && Number.isSafeInteger(Number(value))
    const isBoolean = type === 'boolean' && (value === 'true' || value === 'false')
    values[name] = isNumber ? Number(value) : isBoolean ? value === 'true' : value
  }
  return values
}
