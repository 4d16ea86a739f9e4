import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import type { Reading } from '../../core/reading.ts'
import {
  compileTransformer,
  type EvaluateOptions,
  evaluateTransformer,
  type Transformer,
} from '../../engines/declarative/declarative.ts'
import {
  compileIngestionModel,
  type IngestionModel,
  type ModelNode,
  placesIn,
} from '../../engines/ingestion/ingestion-model.ts'
import { LruCache } from '../../runner/lru.ts'
import type { SourceText } from '../versions/versions.service.ts'

/**
 * Compiles an ingestion model and checks its conditions by today's rules. Conditions read the raw input. With the contract's
 * schema, each must be true or false for every input that the contract accepts, and read only what the contract has. Warns if
 * `object` reads something that the contract can't have.
 */
export function compileModel(text: SourceText, contract?: JsonValue): Outcome<IngestionModel> {
  const compiled = compileIngestionModel(text.source, text.format)
  if (!compiled.ok) return compiled
  const findings = [
    ...compiled.findings,
    ...checkConditions(compiled.value, text, contract),
    ...(contract === undefined ? [] : checkSources(compiled.value, text, contract)),
  ]
  return findings.some(({ severity }) => severity === 'error') ? fail(...findings) : succeed(compiled.value, findings)
}

/** Findings about the conditions of a model's nodes, each at its place in the model's text. */
export function checkConditions(model: IngestionModel, text: SourceText, contract?: JsonValue): Finding[] {
  const findings = conditionsOf(model.nodes, '/nodes').flatMap(({ path, when }) => {
    const condition = compileCondition(when, contract === undefined ? {} : { contract })
    return condition.findings.map((finding) => atNode(finding, path))
  })
  if (findings.length === 0) return findings
  const placeOf = placesIn(text.source, text.format)
  return findings.map((finding) => ({ ...finding, ...placeOf(finding.path) }))
}

/** A node's `when` as a program of declarative-v1 whose output is the condition's value. */
export function compileCondition(
  when: JsonValue,
  context: { contract?: JsonValue; reading?: Reading } = {},
): Outcome<Transformer> {
  const compiled = compileTransformer(JSON.stringify({ transform: 'declarative-v1', output: when }), 'json', context)
  if (!compiled.ok || context.reading === 1) return compiled
  const [type = ''] = compiled.value.writes.map((write) => (write.pointer === '' ? write.type : 'several values'))
  if (type === 'boolean' || type.startsWith('unknown')) return compiled
  return fail({
    code: 'ingestion.when',
    severity: 'error',
    path: '/output',
    message: `A condition is true or false; this one is ${type}.`,
    hint: 'Compare it, such as { $is: [/kind, "=", home] }, or ask whether it is there with { $exists: /kind }.',
  })
}

const compiledWhens = new WeakMap<object, Outcome<Transformer>>()
const compiledTexts = new LruCache<Outcome<Transformer>>(limits.judgedSourceBytes)

/**
 * Whether a condition of a frozen model holds for an input; undefined if evaluating it fails. The condition was checked when it
 * was frozen, and later rules never refuse it.
 * @throws EvaluationGivenUp as soon as `isOver` says so
 */
export function decide(when: JsonValue, input: JsonValue, options: EvaluateOptions = {}): boolean | undefined {
  const condition = typeof when === 'object' && when !== null ? compiledOnce(when) : compileCondition(when, frozenRules)
  if (!condition.ok) return undefined
  const outcome = evaluateTransformer(condition.value, input, options)
  return outcome.ok ? outcome.value.output !== false : undefined
}

const frozenRules = { reading: 1 } as const

/**
 * Models stay compiled, so a condition is the same object for each input here. The judge gets a new copy each time, known by its
 * text.
 */
function compiledOnce(when: JsonValue & object): Outcome<Transformer> {
  const known = compiledWhens.get(when)
  if (known !== undefined) return known
  const text = JSON.stringify(when)
  const condition = compiledTexts.get(text) ?? compileCondition(when, frozenRules)
  compiledTexts.set(text, condition, text.length)
  compiledWhens.set(when, condition)
  return condition
}

/** Decides several conditions on one input; null for one that fails. */
export function decideConditions({
  conditions,
  input,
}: {
  conditions: readonly JsonValue[]
  input: JsonValue
}): (boolean | null)[] {
  return conditions.map((when) => decide(when, input) ?? null)
}

/** The types of declarative-v1 from which each part of `object` can be read. */
const objectParts = {
  reference: { name: 'object reference', usable: /string|decimal|date|unknown/, wanted: 'a text or number' },
  time: { name: 'official time', usable: /string|datetime|unknown/, wanted: 'an RFC 3339 time' },
}

/**
 * Warns of an object reference or official time that is read where the contract has nothing, or nothing of a usable type.
 * Submissions then use their own values, or are refused.
 */
function checkSources(model: IngestionModel, text: SourceText, contract: JsonValue): Finding[] {
  return (['reference', 'time'] as const).flatMap((part) => {
    const source = model.object[part]
    if ('metadata' in source) return []
    const { name, usable, wanted } = objectParts[part]
    const output = { value: { $omit: source.pointer } }
    const read = compileTransformer(JSON.stringify({ transform: 'declarative-v1', output }), 'json', { contract })
    const type = read.ok ? read.value.writes.find(({ pointer }) => pointer === '/value')?.type : undefined
    if (type !== undefined && usable.test(type)) return []
    const path = `/object/${part}`
    const meant = /^(?:Did you|Known)/.test(read.findings[0]?.hint ?? '') ? read.findings[0]?.hint : undefined
    const message = read.ok
      ? `${source.pointer} is never ${wanted} in the contract.`
      : `The contract has no ${source.pointer}, so no input has its ${name} there.`
    const hint = meant ?? `Point to ${wanted}.`
    const place = placesIn(text.source, text.format)(path)
    return [{ code: 'ingestion.source', severity: 'warning', path, message, hint, ...place }]
  })
}

function conditionsOf(nodes: readonly ModelNode[], path: string): { path: string; when: JsonValue }[] {
  return nodes.flatMap((node, index) => [
    ...(node.when === undefined ? [] : [{ path: `${path}/${index}/when`, when: node.when }]),
    ...conditionsOf(node.children, `${path}/${index}/children`),
  ])
}

/** Moves a finding from the condition's own small program to the condition's place in the model. */
function atNode({ line: _line, column: _column, ...finding }: Finding, path: string): Finding & { path: string } {
  return { ...finding, path: `${path}${(finding.path ?? '').replace(/^\/output/, '')}` }
}
