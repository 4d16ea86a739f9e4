/** One request for an operation, from what was typed: the samples and the button "Send" are made from it. Pure. */

import type { Caller, Description, Operation, Parameter, Schema } from './description.ts'
import { exampleOf } from './example.ts'

export type Sent =
  | { kind: 'json'; text: string }
  /** Text fields, and a file whose bytes aren't known here. */
  | { kind: 'form'; fields: [name: string, value: string][]; file: string; mediaType: string }
  | { kind: 'file'; mediaType: string }

export interface Given {
  name: string
  value: string
  /** False for a number or a boolean. */
  isText: boolean
}

export interface SampleRequest {
  operation: string
  method: string
  origin: string
  caller: Caller
  /** With its parameters, encoded; `{name}` is in `params`. */
  path: string
  params: Given[]
  query: Given[]
  headers: Given[]
  sent: Sent | undefined
  /** The answer's media type; undefined if it has no body. */
  answers: string | undefined
  /** Whether the answer may also come without a body, as to a condition. */
  mayBeEmpty: boolean
}

/** Values by "in name", such as `query limit`. */
export type Typed = Readonly<Record<string, string>>

const ofSessions = ['Origin', 'X-CSRF-Token']

/** The fields of the form. The browser adds Origin and the CSRF token by itself. */
export function fieldsOf(operation: Operation): Parameter[] {
  return operation.parameters.filter(({ in: place, name }) => place !== 'cookie' && !ofSessions.includes(name))
}

export const keyOf = ({ in: place, name }: Parameter) => `${place} ${name}`

/** What is typed at first: a key for one effect, and the rest left open. */
export function firstTyped(operation: Operation, newKey: () => string): Typed {
  const keys = fieldsOf(operation).filter(({ name }) => name === 'Idempotency-Key')
  return Object.fromEntries(keys.map((field) => [keyOf(field), newKey()]))
}

/** A body to begin with: JSON, or the fields of a form as such, without its file. */
export function firstBody(mediaType: string, schema: Schema, api: Description): string {
  const isForm = mediaType === 'multipart/form-data'
  if (!isForm && mediaType !== 'application/json') return ''
  const example = exampleOf(schema, api)
  return JSON.stringify(isForm ? { ...(example as object), file: undefined } : example, null, 2)
}

export function requestOf(
  operation: Operation,
  { typed, mediaType, body }: { typed: Typed; mediaType: string | undefined; body: string },
  origin: string,
): SampleRequest {
  const fields = fieldsOf(operation)
  const valuesIn = (place: string): Given[] =>
    fields.flatMap((field) => {
      const value = typed[keyOf(field)] || (field.required === true ? placeholder(field) : undefined)
      return field.in !== place || value === undefined
        ? []
        : [{ name: field.name, value, isText: isText(field, value) }]
    })
  const params = valuesIn('path')
  const query = valuesIn('query')
  const path = params.reduce(
    (whole, { name, value }) => whole.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path,
  )
  const search = new URLSearchParams(query.map(({ name, value }) => [name, value])).toString()
  return {
    operation: operation.id,
    method: operation.method.toUpperCase(),
    ...{ origin, caller: operation.caller, params, query },
    path: search === '' ? path : `${path}?${search}`,
    headers: valuesIn('header'),
    sent: mediaType === undefined ? undefined : sentAs(operation, mediaType, body),
    mayBeEmpty: operation.answers.some(({ status, contents }) => /^[23]/.test(status) && contents.length === 0),
    answers: operation.answers.find(({ status }) => status.startsWith('2'))?.contents[0]?.mediaType,
  }
}

/** `templateId` as `TEMPLATE_ID`, which nobody takes for a value. */
function placeholder({ name, schema }: Parameter): string {
  if (schema?.type === 'integer') return '1'
  const [word] = schema?.enum ?? schema?.anyOf?.map((choice) => choice.const) ?? []
  if (typeof word === 'string') return word
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|-/g, '_').toUpperCase()
}

/** Whether programs write it in quotes. */
function isText({ schema }: Parameter, value: string): boolean {
  const choices = [schema?.type].flat()
  if (choices.includes('integer')) return !/^\d+$/.test(value)
  return !(choices.includes('boolean') && /^(true|false)$/.test(value))
}

function sentAs({ fileMediaType }: Operation, mediaType: string, body: string): Sent {
  if (mediaType === 'application/json') return { kind: 'json', text: body }
  if (mediaType !== 'multipart/form-data') return { kind: 'file', mediaType }
  return {
    kind: 'form',
    fields: formFields(body),
    file: 'file',
    mediaType: fileMediaType ?? 'application/octet-stream',
  }
}

/** None while they are not a JSON object. */
function formFields(body: string): [string, string][] {
  try {
    const fields: unknown = JSON.parse(body)
    if (typeof fields !== 'object' || fields === null) return []
    return Object.entries(fields).map(([name, value]) => [name, String(value)])
  } catch {
    return []
  }
}
