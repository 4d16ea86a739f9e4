/** Which draft of JSON Schema a document is written in, and what each of them knows. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { dialectUri } from '../metaschema.ts'

export type Draft = 4 | 6 | 7 | 2019 | 2020

export const draftNames: Record<Draft, string> = {
  4: 'draft 4',
  6: 'draft 6',
  7: 'draft 7',
  2019: 'draft 2019-09',
  2020: 'draft 2020-12',
}

const byNumber: Record<string, Draft> = { '4': 4, '5': 4, '6': 6, '7': 7 }

/** The draft that `$schema` names; undefined for any other dialect. Draft 5 only reworded draft 4 and uses its metaschema. */
export function draftOf(uri: JsonValue | undefined): Draft | undefined {
  if (typeof uri !== 'string') return undefined
  if (uri === dialectUri) return 2020
  const [, number, year] =
    /^https?:\/\/json-schema\.org\/(?:draft-0([4-7])\/schema|draft\/(2019-09|2020-12)\/schema)\/?#?$/.exec(uri) ?? []
  if (number !== undefined) return byNumber[number]
  return year === undefined ? undefined : year === '2019-09' ? 2019 : 2020
}

/**
 * The draft of a document that names none, recognised by features that only older drafts have. If several fit, the
 * newest one.
 */
export function guessDraft(root: JsonValue): Draft {
  const isDraft4 = (value: JsonValue): boolean => {
    if (Array.isArray(value)) return value.some(isDraft4)
    if (!isJsonObject(value)) return false
    if (typeof value.exclusiveMinimum === 'boolean' || typeof value.exclusiveMaximum === 'boolean') return true
    return Object.values(value).some(isDraft4)
  }
  const namesItself = isJsonObject(root) && typeof root.id === 'string' && root.$id === undefined
  return namesItself || isDraft4(root) ? 4 : 7
}

/** The first draft with each keyword that checks or identifies something; earlier drafts ignore it. */
const since: Record<string, Draft> = {
  $id: 6,
  contains: 6,
  propertyNames: 6,
  const: 6,
  if: 7,
  then: 7,
  else: 7,
  $anchor: 2019,
  $vocabulary: 2019,
  dependentSchemas: 2019,
  dependentRequired: 2019,
  unevaluatedItems: 2019,
  unevaluatedProperties: 2019,
  minContains: 2019,
  maxContains: 2019,
  prefixItems: 2020,
  $dynamicRef: 2020,
  $dynamicAnchor: 2020,
}

/** Whether a draft ignores a keyword that 2020-12 would take at its word. */
export function isIgnoredBy(draft: Draft, keyword: string): boolean {
  const first = Object.hasOwn(since, keyword) ? since[keyword] : undefined
  return first !== undefined && draft < first
}

/** Keywords that check nothing and apply no schema: every draft allows them beside a `$ref`. */
const notes = new Set(
  '$schema $ref $comment title description default examples deprecated readOnly writeOnly definitions $defs'.split(' '),
)

const checks = new Set(
  `id $id allOf anyOf oneOf not if then else properties patternProperties additionalProperties propertyNames
  dependencies items additionalItems contains type const enum multipleOf maximum exclusiveMaximum minimum
  exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required
  format contentEncoding contentMediaType`.split(/\s+/),
)

/** Drafts 4, 6 and 7 read nothing of a schema that has `$ref` but the reference. */
export function isIgnoredBesideRef(draft: Draft, keyword: string, schema: JsonObject): boolean {
  if (draft > 7 || typeof schema.$ref !== 'string' || notes.has(keyword)) return false
  return checks.has(keyword)
}

const single = ['not', 'if', 'then', 'else', 'additionalProperties', 'propertyNames', 'contains', 'contentSchema']
const unevaluated = ['unevaluatedItems', 'unevaluatedProperties']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const maps = ['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'dependencies']

/** The schemas directly inside of a schema, by their tokens: only where the draft reads them. */
export function* schemasIn(schema: JsonObject, draft: Draft): Generator<[tokens: (string | number)[], JsonValue]> {
  const isRead = (keyword: string) =>
    Object.hasOwn(schema, keyword) && !isIgnoredBy(draft, keyword) && !isIgnoredBesideRef(draft, keyword, schema)
  for (const keyword of [...single, ...unevaluated]) {
    if (isRead(keyword)) yield [[keyword], schema[keyword] ?? null]
  }
  const { items, additionalItems } = schema
  if (isRead('items')) {
    if (!Array.isArray(items)) yield [['items'], items ?? null]
    else if (draft < 2020) {
      for (const [index, item] of items.entries()) yield [['items', index], item]
      if (additionalItems !== undefined) yield [['additionalItems'], additionalItems]
    }
  }
  for (const keyword of lists) {
    const list = schema[keyword]
    if (!isRead(keyword) || !Array.isArray(list)) continue
    for (const [index, item] of list.entries()) yield [[keyword, index], item]
  }
  for (const keyword of maps) {
    const map = schema[keyword]
    if (!isRead(keyword) || !isJsonObject(map)) continue
    for (const [key, value] of Object.entries(map)) yield [[keyword, key], value]
  }
}
