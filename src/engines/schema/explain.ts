/** Faults and their wording: what a value must be, and what it is. */

import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { SchemaNode, TypeName } from './model.ts'

/** One broken rule, before it becomes a finding. */
export interface Fault {
  /** JSON Pointer of the value. */
  path: string
  /** How many tokens that pointer has. */
  depth: number
  keyword: string
  /** Made for what is told: most faults of alternatives never are. */
  message: () => string
  node: SchemaNode
  /** Set if the message is "<rule> <a> or <b>, is <actual>", so that faults of alternatives can merge into one sentence. */
  choice?: Choice
}

interface Choice {
  rule: string
  options: readonly string[]
  actual: () => string
}

/** The keywords that allow some types or values. */
export type ChoiceKeyword = 'type' | 'const' | 'enum'

/** Collects faults up to a bound. */
export class Faults {
  readonly list: Fault[] = []
  constructor(readonly max: number) {}

  add(fault: Fault): void {
    if (this.list.length < this.max) this.list.push(fault)
  }

  get isFull(): boolean {
    return this.list.length >= this.max
  }
}

const typeWords: Record<TypeName, string> = {
  null: 'null',
  boolean: 'true or false',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  array: 'an array',
  object: 'an object',
}

export function describeType(type: TypeName): string {
  return typeWords[type]
}

const described = new WeakMap<SchemaNode, Map<ChoiceKeyword, readonly string[]>>()

/** What a schema allows by such a keyword, in words. Cached, because thousands of places may ask for thousands of values. */
export function optionsOf(node: SchemaNode, keyword: ChoiceKeyword): readonly string[] {
  const known = described.get(node) ?? new Map<ChoiceKeyword, readonly string[]>()
  described.set(node, known)
  let options = known.get(keyword)
  if (options === undefined) {
    options = describeOptions(node, keyword)
    known.set(keyword, options)
  }
  return options
}

function describeOptions({ types, constant, choices }: SchemaNode, keyword: ChoiceKeyword): readonly string[] {
  if (keyword === 'type') return types?.map(describeType) ?? []
  if (keyword === 'enum') return choices?.values.map(describeValue) ?? []
  return constant === undefined ? [] : [describeValue(constant.value)]
}

export function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, 2 * limits.schemaExcerptChars + 2))
  return characters.length > limits.schemaExcerptChars
    ? `${characters.slice(0, limits.schemaExcerptChars).join('')}…`
    : text
}

/** A value as a message shows it: scalars as JSON, strings cut; containers by their size. */
export function describeValue(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(excerpt(value))
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${count(value.length, 'item')}`
  const keys = Object.keys(value).length
  return keys === 0 ? 'an empty object' : `an object of ${count(keys, 'property', 'properties')}`
}

const formatExamples: ReadonlyMap<string, string> = new Map([
  ['date', 'a date such as 2026-01-31'],
  ['time', 'a time with zone such as 09:30:00Z'],
  ['date-time', 'a date and time with zone such as 2026-01-31T09:30:00Z'],
  ['duration', 'a duration such as P1Y2M or PT36H'],
  ['email', 'an e-mail address'],
  ['idn-email', 'an e-mail address'],
  ['hostname', 'a host name'],
  ['idn-hostname', 'a host name'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['uri', 'a URI with its scheme, such as https://example.com/'],
  ['uri-reference', 'a URI reference'],
  ['iri', 'an IRI with its scheme, such as https://example.com/'],
  ['iri-reference', 'an IRI reference'],
  ['uri-template', 'a URI template'],
  ['uuid', 'a UUID'],
  ['json-pointer', 'a JSON Pointer'],
  ['relative-json-pointer', 'a relative JSON Pointer'],
  ['regex', 'a regular expression of ECMA-262'],
])

export function formatWords(name: string): string {
  return formatExamples.get(name) ?? `a valid ${name}`
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

export function orList(options: readonly string[]): string {
  const distinct = [...new Set(options)]
  if (distinct.length < 2) return distinct[0] ?? 'nothing'
  let shown = 0
  for (
    let chars = 0;
    shown < Math.min(distinct.length, limits.schemaChoicesShown) && chars < limits.schemaChoiceChars;
    shown++
  ) {
    chars += distinct[shown]?.length ?? 0
  }
  if (shown < distinct.length) return `one of ${distinct.slice(0, shown).join(', ')} or ${distinct.length - shown} more`
  return `${distinct.slice(0, -1).join(', ')} or ${distinct[distinct.length - 1]}`
}

export function choiceMessage({ rule, options, actual }: Choice): string {
  const found = actual()
  return `${rule} ${orList(options)}${found === '' ? '' : `, is ${found}`}`
}

/**
 * The cause to report if every branch of an anyOf or oneOf failed. In this order: one sentence if all branches only
 * want something else in the same place; one sentence where a property tells the branches apart and has none of the
 * values; otherwise the faults of the branch that was most likely meant.
 * @param depth tokens in the pointer of the value itself
 * @param walk is charged for the faults and the options that are compared
 */
export function explainAlternatives(
  branches: readonly (readonly Fault[])[],
  depth: number,
  walk: { spend(steps: number): void },
): readonly Fault[] {
  const first = branches[0] ?? []
  if (branches.length === 1) return first
  const single = branches.every((faults) => faults.length === 1) ? mergeAt(branches, first[0], walk) : undefined
  if (single !== undefined) return [single]
  for (const fault of first) {
    if (fault.depth !== depth + 1 || !isValueChoice(fault)) continue
    const merged = mergeAt(branches, fault, walk)
    if (merged !== undefined) return [merged]
  }
  let best = first
  let bestRank = rank(first, depth)
  for (const faults of branches.slice(1)) {
    const candidate = rank(faults, depth)
    if (isLess(candidate, bestRank)) [best, bestRank] = [faults, candidate]
  }
  return best
}

function isValueChoice(fault: Fault): boolean {
  return fault.keyword === 'const' || fault.keyword === 'enum'
}

/** One fault with the options of all branches, if each has a choice of the same rule in the same place. */
function mergeAt(
  branches: readonly (readonly Fault[])[],
  model: Fault | undefined,
  walk: { spend(steps: number): void },
): Fault | undefined {
  const wanted = model?.choice
  if (model === undefined || wanted === undefined) return undefined
  const options = new Set<string>()
  for (const faults of branches) {
    walk.spend(faults.length >> 3)
    const same = faults.find((fault) => fault.path === model.path && fault.choice?.rule === wanted.rule)
    if (same?.choice === undefined) return undefined
    walk.spend(same.choice.options.length >> 2)
    for (const option of same.choice.options) options.add(option)
  }
  const choice = { ...wanted, options: [...options] }
  return { ...model, choice, message: () => choiceMessage(choice) }
}

/** Lower ranks were more likely meant: right kind of value, right discriminator, right shape, then fewest faults. */
function rank(faults: readonly Fault[], depth: number): number[] {
  let wrongKind = 0
  let wrongDiscriminator = 0
  let wrongShape = 0
  for (const fault of faults) {
    if (fault.depth === depth && (fault.keyword === 'type' || isValueChoice(fault))) wrongKind++
    else if (fault.depth === depth + 1 && isValueChoice(fault)) wrongDiscriminator++
    else if (fault.keyword === 'required' || fault.keyword === 'additionalProperties') wrongShape++
  }
  return [wrongKind, wrongDiscriminator, wrongShape, faults.length]
}

function isLess(left: readonly number[], right: readonly number[]): boolean {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? value
    if (value !== other) return value < other
  }
  return false
}
