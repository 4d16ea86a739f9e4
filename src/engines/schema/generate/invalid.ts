/**
 * Breaking exactly one rule of a valid payload. Every rule that applies to a value proposes changes that should break
 * it and nothing else; the validator decides which of them do.
 */
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { joinPointer, parsePointer } from '../../../core/pointer.ts'
import { codePointLength, identityOf, isMultipleOf } from '../compare.ts'
import { EvaluationExhausted } from '../evaluate.ts'
import { type SchemaNode, typeBits } from '../model.ts'
import { type CompiledSchema, validatePayload } from '../schema.ts'
import { type Applied, appliedSchemas } from './applied.ts'
import type { Random } from './random.ts'

export interface Violation {
  payload: JsonValue
  path: string
  keyword: string
}

interface Change {
  keyword: string
  /** Where the payload changes. */
  path: string
  /** The new value; undefined removes the old one. */
  value: JsonValue | undefined
}

/** A change of the payload that breaks exactly one rule, or undefined if none was found. */
export function findViolation(schema: CompiledSchema, payload: JsonValue, random: Random): Violation | undefined {
  let applied: Applied[]
  try {
    applied = appliedSchemas(schema.model, payload, limits.schemaEvaluationSteps)
  } catch (error) {
    if (error instanceof EvaluationExhausted) return undefined
    throw error
  }
  const byKeyword = new Map<string, Change[]>()
  for (const place of applied) {
    for (const node of place.nodes) {
      for (const change of changesFor(node, place, random)) {
        const list = byKeyword.get(change.keyword)
        if (list === undefined) byKeyword.set(change.keyword, [change])
        else if (list.length < limits.caseInvalidChangesPerKeyword) list.push(change)
      }
    }
  }
  // Each seed starts with another keyword, so that all of them get their turn.
  const queues = random.shuffled([...byKeyword.values()]).map((changes) => random.shuffled(changes))
  let tries = 0
  let steps: number = limits.caseSteps
  let other: Violation | undefined
  for (let round = 0; round < limits.caseInvalidTriesPerKeyword; round++) {
    for (const queue of queues) {
      const change = queue[round]
      if (change === undefined || tries++ > limits.caseInvalidTries || steps <= 0) continue
      const broken = changed(payload, change)
      if (broken === undefined) continue
      steps -= 1_000
      const findings = validatePayload(schema, broken, { maxFindings: 3, maxSteps: Math.min(steps, 400_000) })
      const [finding] = findings
      if (findings.length !== 1 || finding?.keyword === undefined || finding.path === undefined) continue
      const violation = { payload: broken, path: finding.path, keyword: finding.keyword }
      if (finding.keyword === change.keyword) return violation
      // Another rule failed first, but only one failed.
      other ??= violation
    }
  }
  return other
}

/** The payload with one place changed; everything else is shared with the original. */
function changed(payload: JsonValue, change: Change): JsonValue | undefined {
  const tokens = parsePointer(change.path) ?? []
  if (tokens.length === 0) return change.value
  return withChange(payload, tokens, change.value)
}

function withChange(
  at: JsonValue | undefined,
  [token = '', ...below]: readonly string[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (at === undefined) return undefined
  const isLast = below.length === 0
  if (Array.isArray(at)) {
    const copy = [...at]
    const inner = isLast ? value : withChange(copy[Number(token)], below, value)
    if (inner === undefined) return undefined
    copy[Number(token)] = inner
    return copy
  }
  if (!isJsonObject(at)) return undefined
  const copy: JsonObject = {}
  for (const [key, member] of Object.entries(at)) if (!(isLast && key === token)) setMember(copy, key, member)
  const inner = isLast ? value : withChange(at[token], below, value)
  if (inner !== undefined) setMember(copy, token, inner)
  else if (!isLast) return undefined
  return copy
}

function* changesFor(node: SchemaNode, place: Applied, random: Random): Generator<Change> {
  const { path, value } = place
  const set = (keyword: string, changedValue: JsonValue): Change => ({ keyword, path, value: changedValue })
  if (node.types !== undefined) {
    for (const wrong of random.shuffled(ofOtherTypes(node.typeMask)).slice(0, 3)) yield set('type', wrong)
  } else if (node.anyOf !== undefined || node.oneOf !== undefined) {
    const others: readonly JsonValue[] = ['unexpected', 7, true, null, [], {}]
    for (const wrong of others) yield set('type', wrong)
  }
  if (node.constant !== undefined) yield set('const', unlike(node.constant.value))
  if (node.choices !== undefined) {
    const other = unlike(value)
    if (!node.choices.identities.has(identityOf(other))) yield set('enum', other)
    yield set('enum', 'none of these')
  }
  if (node.not !== undefined) yield* changesAgainstNot(node.not, place)
  if (typeof value === 'number') yield* changesOfNumber(node, value, path)
  else if (typeof value === 'string') yield* changesOfText(node, value, path)
  else if (Array.isArray(value)) yield* changesOfArray(node, value, path)
  else if (isJsonObject(value)) yield* changesOfObject(node, value, path)
}

function ofOtherTypes(mask: number): JsonValue[] {
  const made: JsonValue[] = []
  if ((mask & typeBits.string) === 0) made.push('unexpected text')
  if ((mask & typeBits.integer) === 0) made.push(7)
  if (mask & typeBits.integer && (mask & typeBits.number) === typeBits.integer) made.push(7.5)
  if ((mask & typeBits.boolean) === 0) made.push(true)
  if ((mask & typeBits.null) === 0) made.push(null)
  if ((mask & typeBits.array) === 0) made.push([])
  if ((mask & typeBits.object) === 0) made.push({})
  return made
}

/** Another value of the same type. */
function unlike(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `${value.slice(0, 200)}-other`
  if (typeof value === 'number') return value + 1 === value ? 0 : value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, 'other']
  return isJsonObject(value) ? { ...value, other: true } : 'other'
}

function* changesAgainstNot(node: SchemaNode, { path, value }: Applied): Generator<Change> {
  const set = (changedValue: JsonValue): Change => ({ keyword: 'not', path, value: changedValue })
  if (node.constant !== undefined) yield set(node.constant.value)
  if (node.choices?.values[0] !== undefined) yield set(node.choices.values[0])
  if (node.types !== undefined) {
    const samples: JsonValue[] = ['text', 7, 7.5, true, null, [], {}]
    const others = new Set(ofOtherTypes(node.typeMask).map(identityOf))
    for (const sample of samples) if (!others.has(identityOf(sample))) yield set(sample)
  }
  if (node.required !== undefined && isJsonObject(value)) {
    const copy = { ...value }
    for (const name of node.required) if (!Object.hasOwn(copy, name)) setMember(copy, name, 'text')
    yield set(copy)
  }
  for (const part of [...(node.anyOf ?? []), ...(node.allOf ?? [])]) {
    yield* changesAgainstNot(part, { path, value, parent: undefined, token: undefined, nodes: [] })
  }
}

function* changesOfNumber(node: SchemaNode, value: number, path: string): Generator<Change> {
  const step = node.multipleOf ?? 1
  const set = (keyword: string, changedValue: number): Change => ({ keyword, path, value: changedValue })
  if (node.minimum !== undefined) {
    yield set('minimum', node.minimum - step)
    yield set('minimum', Math.floor(node.minimum) - 1)
  }
  if (node.maximum !== undefined) {
    yield set('maximum', node.maximum + step)
    yield set('maximum', Math.ceil(node.maximum) + 1)
  }
  if (node.exclusiveMinimum !== undefined) {
    yield set('exclusiveMinimum', node.exclusiveMinimum)
    yield set('exclusiveMinimum', Math.floor(node.exclusiveMinimum) - 1)
  }
  if (node.exclusiveMaximum !== undefined) {
    yield set('exclusiveMaximum', node.exclusiveMaximum)
    yield set('exclusiveMaximum', Math.ceil(node.exclusiveMaximum) + 1)
  }
  if (node.multipleOf !== undefined) {
    for (const other of [value + 1, value - 1, value + node.multipleOf / 2, value - node.multipleOf / 2]) {
      if (Number.isFinite(other) && !isMultipleOf(other, node.multipleOf)) yield set('multipleOf', other)
    }
  }
}

function* changesOfText(node: SchemaNode, value: string, path: string): Generator<Change> {
  const set = (keyword: string, changedValue: string): Change => ({ keyword, path, value: changedValue })
  const points = Array.from(value)
  if (node.minLength !== undefined && node.minLength > 0) {
    yield set('minLength', points.slice(0, Math.ceil(node.minLength) - 1).join(''))
  }
  if (node.maxLength !== undefined && node.maxLength <= limits.caseExcess) {
    const missing = Math.max(0, Math.floor(node.maxLength) + 1 - codePointLength(value))
    yield set('maxLength', value + (points[points.length - 1] ?? 'a').repeat(missing))
    yield set('maxLength', value + 'a'.repeat(missing))
  }
  const strange = [
    '',
    '!',
    ' ',
    `${value}!`,
    `!${value}`,
    `${value} `,
    'not this',
    '§',
    '0',
    'A',
    'a\nb',
    value.repeat(2),
  ]
  if (node.pattern !== undefined) {
    for (const text of strange)
      if (text.length < limits.caseExcess && !node.pattern.test(text)) yield set('pattern', text)
  }
  if (node.format?.test !== undefined) {
    for (const text of [
      `not ${/^[aeiou]/.test(node.format.name) ? 'an' : 'a'} ${node.format.name}`,
      '%',
      '[',
      ...strange,
    ]) {
      if (!node.format.test(text)) yield set('format', text)
    }
  }
}

function* changesOfArray(node: SchemaNode, value: readonly JsonValue[], path: string): Generator<Change> {
  const set = (keyword: string, changedValue: JsonValue): Change => ({ keyword, path, value: changedValue })
  const [first] = value
  const last = value[value.length - 1]
  if (node.minItems !== undefined && node.minItems > 0)
    yield set('minItems', value.slice(0, Math.ceil(node.minItems) - 1))
  if (node.maxItems !== undefined && node.maxItems <= limits.caseExcess) {
    const count = Math.floor(node.maxItems) + 1
    const copies = [...value]
    while (copies.length < count) copies.push(last ?? 'extra')
    yield set('maxItems', copies)
    const distinct = [...value]
    while (distinct.length < count) distinct.push(distinctFrom(last ?? 'extra', distinct.length))
    yield set('maxItems', distinct)
  }
  if (node.uniqueItems) {
    if (first !== undefined) yield set('uniqueItems', [...value, first])
    if (first !== undefined && value.length > 1) yield set('uniqueItems', [first, first, ...value.slice(2)])
    yield set('uniqueItems', ['twice', 'twice'])
    yield set('uniqueItems', [7, 7])
  }
  if (node.contains !== undefined) {
    const keyword = node.minContains === undefined ? 'contains' : 'minContains'
    yield set(keyword, [])
    for (const other of ['other', 0, null, true])
      yield set(
        keyword,
        value.map(() => other),
      )
    if (node.minContains !== undefined) yield set(keyword, value.slice(0, Math.ceil(node.minContains) - 1))
    if (
      node.maxContains !== undefined &&
      first !== undefined &&
      last !== undefined &&
      node.maxContains < limits.caseExcess
    ) {
      for (const item of [first, last]) {
        yield set('maxContains', [...value, ...Array.from({ length: Math.floor(node.maxContains) + 1 }, () => item)])
      }
    }
  }
  if (node.items?.always === false) yield set('items', [...value, 'extra'])
  if (node.unevaluatedItems?.always === false) {
    yield { keyword: 'unevaluatedItems', path, value: [...value, 'extra'] }
    yield { keyword: 'unevaluatedItems', path, value: [...value, 7] }
  }
  if (value.length === 0) {
    const item = node.prefixItems?.[0] ?? node.items
    if (item?.types !== undefined) for (const wrong of ofOtherTypes(item.typeMask)) yield set('type', [wrong])
  }
}

function distinctFrom(value: JsonValue, number: number): JsonValue {
  if (typeof value === 'string') return `${value.slice(0, 200)}${number}`
  if (typeof value === 'number') return value + number
  if (Array.isArray(value)) return [...value, number]
  return isJsonObject(value) ? { ...value, extra: number } : number
}

function* changesOfObject(node: SchemaNode, value: JsonObject, path: string): Generator<Change> {
  const set = (keyword: string, changedValue: JsonValue): Change => ({ keyword, path, value: changedValue })
  const remove = (keyword: string, name: string): Change => ({
    keyword,
    path: joinPointer(path, name),
    value: undefined,
  })
  const put = (keyword: string, name: string, member: JsonValue): Change => ({
    keyword,
    path: joinPointer(path, name),
    value: member,
  })
  for (const name of node.required ?? []) yield remove('required', name)
  const keys = Object.keys(value)
  const [anyMember = 'text'] = Object.values(value)
  if (node.minProperties !== undefined && node.minProperties > 0) {
    const optional = keys.filter((key) => !(node.required?.includes(key) ?? false))
    const gone = new Set(optional.slice(0, keys.length - Math.ceil(node.minProperties) + 1))
    const left: JsonObject = {}
    for (const [key, member] of Object.entries(value)) if (!gone.has(key)) setMember(left, key, member)
    yield set('minProperties', left)
  }
  if (node.maxProperties !== undefined && node.maxProperties <= limits.caseExcess) {
    const more: JsonObject = { ...value }
    for (let index = 1; Object.keys(more).length <= node.maxProperties; index++) more[`extra${index}`] = anyMember
    yield set('maxProperties', more)
  }
  for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const) {
    const further = node[keyword]
    if (further?.always === false) {
      for (const name of ['unexpected', 'x-unexpected', '0']) yield put(keyword, name, 'text')
    } else if (further?.types !== undefined) {
      for (const wrong of ofOtherTypes(further.typeMask).slice(0, 2)) yield put('type', 'unexpected', wrong)
    }
  }
  if (node.propertyNames !== undefined) {
    for (const name of ['unexpected name!', '', '0', 'x'.repeat(300)]) {
      yield put('propertyNames', name, anyMember)
    }
  }
  for (const [name, names] of node.dependentRequired ?? []) {
    if (Object.hasOwn(value, name)) for (const other of names) yield remove('dependentRequired', other)
    else yield put('dependentRequired', name, 'text')
  }
  for (const [name, member] of node.properties ?? []) {
    if (Object.hasOwn(value, name)) continue
    if (member.always === false) yield put('false', name, 'text')
    else if (member.types !== undefined) yield put('type', name, ofOtherTypes(member.typeMask)[0] ?? null)
    else if (member.constant !== undefined) yield put('const', name, unlike(member.constant.value))
    else if (member.choices !== undefined) yield put('enum', name, 'none of these')
    else if (member.ref !== undefined) for (const wrong of ['unexpected', 7, []]) yield put('type', name, wrong)
  }
  for (const { schema } of node.patternProperties ?? []) if (schema.always === false) yield put('false', 'x-', 'text')
}
