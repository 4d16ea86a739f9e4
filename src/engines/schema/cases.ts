/**
 * Test payloads for a contract, from its schema and a seed. The same schema, kind and seed give the same payload on
 * every machine and every release of the runtime. The validator judges every payload first: a `valid` or
 * `boundary` one satisfies its contract, an `invalid` one breaks exactly one rule, which is named.
 */

import { canonicalJson } from '../../core/canonical.ts'
import { inCycle } from '../../core/cycle.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { EvaluationExhausted } from './evaluate.ts'
import { believable, caseLocaleKeyword, caseLocales, countryOfSchema } from './generate/believe.ts'
import { findBoundary } from './generate/boundary.ts'
import { findViolation } from './generate/invalid.ts'
import { CaseExhausted } from './generate/judge.ts'
import { prune } from './generate/prune.ts'
import { Random } from './generate/random.ts'
import { CaseWriter, type WriterOptions } from './generate/values.ts'
import { type CompiledSchema, isValidPayload } from './schema.ts'

export const caseKinds = ['valid', 'boundary', 'invalid'] as const
export type CaseKind = (typeof caseKinds)[number]

export interface CaseRequest {
  kind: CaseKind
  /** 0..2147483647 */
  seed: number
}

export interface GeneratedCase {
  payload: JsonValue
  /** The payload's RFC 8785 text, at most `limits.payloadBytes` of UTF-8. */
  text: string
  /** JSON Pointer of the value that reaches a limit (boundary) or breaks a rule (invalid). */
  path?: string
  /** The keyword that sets the limit, or whose rule is broken. */
  keyword?: string
}

/**
 * Generates one case.
 *
 * Codes: `case.seed` and `case.kind` for a request out of range; `case.locale` for a contract with an unknown locale;
 * `case.none` if no payload was found, naming the obstacle; `case.no-limit` and `case.no-rule` for a schema without a limit to
 * reach or a rule to break.
 */
export function generateCase(schema: CompiledSchema, request: CaseRequest): Outcome<GeneratedCase> {
  const { kind, seed } = request
  if (!Number.isInteger(seed) || seed < 0 || seed > limits.caseSeedMax) {
    const hint = `Give an integer from 0 to ${limits.caseSeedMax}.`
    return fail({ code: 'case.seed', severity: 'error', message: `The seed ${seed} is out of range.`, hint })
  }
  const country = countryOfSchema(schema)
  if (typeof country === 'string') {
    const message = `There are no cases of "${country.slice(0, 60)}", which the contract names in ${caseLocaleKeyword}.`
    return fail({
      code: 'case.locale',
      severity: 'error',
      message,
      hint: `Name one of ${caseLocales.join(', ')}.`,
      path: '',
    })
  }
  switch (kind) {
    case 'valid':
      return generateValid(schema, seed)
    case 'boundary':
      return generateBoundary(schema, seed)
    case 'invalid':
      return generateInvalid(schema, seed)
    default:
      return fail({
        code: 'case.kind',
        severity: 'error',
        message: `There are no cases of the kind "${String(kind)}".`,
        hint: `Ask for ${caseKinds.join(', ')}.`,
      })
  }
}

/** Rounds of one case. Each has its own stream of chance; later ones write less. */
const rounds: readonly Pick<WriterOptions, 'values' | 'optional'>[] = [
  { values: limits.caseValues, optional: 'most' },
  { values: limits.caseValues, optional: 'most' },
  { values: 100, optional: 'most' },
  { values: 100, optional: 'none' },
  { values: 0, optional: 'none' },
]

/** What was in the way, over all rounds. */
type Obstacles = Map<string, number>

function generateValid(schema: CompiledSchema, seed: number): Outcome<GeneratedCase> {
  const obstacles: Obstacles = new Map()
  for (const [round, shape] of rounds.entries()) {
    // A payload that was too large would be too large again; only writing less can help.
    if (round === 1 && obstacles.has('budget')) continue
    const payload = writeOnce(schema, seed, round, { ...shape, extreme: undefined }, obstacles)
    const made = payload === undefined ? undefined : finished(payload)
    if (made !== undefined) return succeed(made)
  }
  return fail(noPayload(schema, obstacles))
}

/** One attempt at a valid payload; a payload that is returned satisfies the schema. */
function writeOnce(
  schema: CompiledSchema,
  seed: number,
  stream: number,
  shape: Pick<WriterOptions, 'values' | 'optional' | 'extreme'>,
  obstacles: Obstacles,
): JsonValue | undefined {
  const maxSteps = Math.floor(limits.caseSteps / rounds.length)
  const writer = new CaseWriter(schema.model, { ...shape, random: new Random(seed, stream), seed, maxSteps })
  try {
    const payload = writer.write()
    if (payload === undefined) return undefined
    const valid = isValidPayload(schema, payload) ? payload : prune(schema, payload, maxSteps)
    const country = countryOfSchema(schema)
    // Values at a limit stay there.
    if (valid === undefined || typeof country !== 'object' || shape.extreme !== undefined) return valid
    return believable(schema, valid, country, seed, maxSteps)
  } catch (error) {
    if (!(error instanceof CaseExhausted || error instanceof EvaluationExhausted)) throw error
    obstacles.set('budget', (obstacles.get('budget') ?? 0) + 1)
    return undefined
  } finally {
    for (const [keyword, count] of writer.obstacles) obstacles.set(keyword, (obstacles.get(keyword) ?? 0) + count)
  }
}

function finished(payload: JsonValue): GeneratedCase | undefined {
  let text: string
  try {
    text = canonicalJson(payload)
  } catch {
    // An enum that didn't come through the reader may hold values that no JSON text can.
    return undefined
  }
  return new TextEncoder().encode(text).length > limits.payloadBytes ? undefined : { payload, text }
}

const shapesAtLimits: readonly Pick<WriterOptions, 'values' | 'optional' | 'extreme'>[] = [
  { values: 200, optional: 'none', extreme: 'least' },
  { values: 600, optional: 'all', extreme: 'most' },
  { values: 400, optional: 'all', extreme: 'least' },
  { values: 100, optional: 'none', extreme: 'most' },
  { values: 200, optional: 'most', extreme: 'least' },
  { values: 200, optional: 'most', extreme: 'most' },
]

function generateBoundary(schema: CompiledSchema, seed: number): Outcome<GeneratedCase> {
  const obstacles: Obstacles = new Map()
  let hasPayload = false
  for (let round = 0; round < shapesAtLimits.length; round++) {
    const shape = inCycle(shapesAtLimits, seed + round)
    const payload = writeOnce(schema, seed, 16 + round, shape, obstacles)
    const made = payload === undefined ? undefined : finished(payload)
    if (made === undefined) continue
    hasPayload = true
    const limit = findBoundary(schema, made.payload, new Random(seed, 32))
    if (limit !== undefined) return succeed({ ...made, ...limit })
  }
  if (!hasPayload) return fail(noPayload(schema, obstacles))
  return fail({
    code: 'case.no-limit',
    severity: 'error',
    message: 'The schema sets no limit that a payload could stand on.',
    hint: 'Bound lengths, sizes or numbers, or declare optional properties.',
  })
}

const shapesToBreak: readonly Pick<WriterOptions, 'values' | 'optional'>[] = [
  { values: 60, optional: 'most' },
  { values: 200, optional: 'most' },
  { values: 20, optional: 'most' },
  { values: 30, optional: 'none' },
  { values: 0, optional: 'none' },
]

function generateInvalid(schema: CompiledSchema, seed: number): Outcome<GeneratedCase> {
  const obstacles: Obstacles = new Map()
  let hasPayload = false
  for (const [round, shape] of shapesToBreak.entries()) {
    const payload = writeOnce(schema, seed, 48 + round, { ...shape, extreme: undefined }, obstacles)
    if (payload === undefined) continue
    hasPayload = true
    const broken = findViolation(schema, payload, new Random(seed, 64 + round))
    const made = broken === undefined ? undefined : finished(broken.payload)
    if (broken === undefined || made === undefined) continue
    return succeed({ ...made, path: broken.path, keyword: broken.keyword })
  }
  if (!hasPayload) return fail(noPayload(schema, obstacles))
  return fail({
    code: 'case.no-rule',
    severity: 'error',
    message: 'No change to a valid payload was found that breaks exactly one rule.',
    hint: 'Give the schema a type, required properties or bounds, so that something can break.',
  })
}

function noPayload(schema: CompiledSchema, obstacles: Obstacles): Finding {
  if (schema.model.root.always === false) {
    return {
      code: 'case.none',
      severity: 'error',
      message: 'The schema is false, so no payload satisfies it.',
      hint: 'Allow something.',
      path: '',
    }
  }
  const [keyword] = [...obstacles].sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))[0] ?? []
  const reason =
    keyword === undefined
      ? 'the choices it leaves contradict each other'
      : keyword === 'budget'
        ? 'the search took more steps than one case may take'
        : keyword === 'false'
          ? 'what it requires is forbidden elsewhere in it'
          : `most attempts failed at "${keyword}"`
  return {
    code: 'case.none',
    severity: 'error',
    message: `No payload was found that satisfies the schema: ${reason}.`,
    hint: 'Check that the rules do not contradict each other, or import a payload of your own.',
    path: '',
    ...(keyword === undefined || keyword === 'budget' || keyword === 'false' ? {} : { keyword }),
  }
}
