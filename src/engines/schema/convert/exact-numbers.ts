/**
 * Bounds that no double represents, such as those of 64-bit integers. Quire reads every number as the shortest decimal
 * of a double. A bound between two doubles therefore accepts the same numbers as the next double inside its range.
 */
import { Decimal } from '../../../core/decimal.ts'
import { type Finding, fail, type Outcome, succeed } from '../../../core/finding.ts'
import { type JsonObject, type JsonValue, readJson, setMember } from '../../../core/json.ts'
import { LineIndex } from '../../../core/positions.ts'
import { readJsonTree } from '../../../core/source/json.ts'
import { type MapNode, pathOf, type ScalarNode, type SourceNode } from '../../../core/source/tree.ts'
import type { Change } from './write-schemas.ts'

export interface ExactDocument {
  root: JsonValue
  changes: Change[]
  /** The offset of each list and object in the text. */
  offsets: Map<JsonValue, number>
}

const lower = new Set(['minimum', 'minLength', 'minItems', 'minProperties', 'minContains'])
const upper = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'])
/** These only tell readers something. */
const notes = new Set(['default', 'example', 'examples'])

/** Reads a schema's text. A bound that no double represents becomes the equivalent double, and is reported as a change. */
export function readExactly(text: string): Outcome<ExactDocument> {
  // With every number at zero only what else is wrong is refused.
  const rest = readJson(text.replaceAll(/"(?:[^"\\]|\\.)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g, zeroed))
  if (!rest.ok) return fail(...rest.findings)
  return new ExactReader(text).read()
}

function zeroed(token: string): string {
  return token.startsWith('"') ? token : '0'
}

class ExactReader {
  private readonly changes: Change[] = []
  private readonly refused: Finding[] = []
  private readonly offsets = new Map<JsonValue, number>()
  private readonly lines: LineIndex

  constructor(private readonly text: string) {
    this.lines = new LineIndex(text)
  }

  read(): Outcome<ExactDocument> {
    const root = this.value(readJsonTree(this.text)) ?? null
    if (this.refused.length > 0) return fail(...this.refused)
    return succeed({ root, changes: this.changes, offsets: this.offsets })
  }

  /** Undefined for a note that can't be kept. */
  private value(node: SourceNode): JsonValue | undefined {
    if (node.kind === 'scalar') return node.value instanceof Decimal ? this.number(node) : node.value
    const made: JsonObject | JsonValue[] = node.kind === 'list' ? [] : {}
    if (Array.isArray(made)) {
      for (const item of node.kind === 'list' ? node.items : []) made.push(this.value(item) ?? null)
    } else {
      for (const { key, value } of node.kind === 'map' ? node.entries : []) {
        const read = this.value(value)
        if (read !== undefined) setMember(made, key, read)
      }
    }
    this.offsets.set(made, node.offset)
    return made
  }

  private number(node: ScalarNode): JsonValue | undefined {
    const read = readJson(node.text)
    if (read.ok) return read.value
    const bound = Decimal.parse(node.text)
    const key = String(node.key)
    const round = bound && node.parent?.kind === 'map' ? roundingOf(key, node.parent) : undefined
    const near = bound && round && (round === 'down' ? atMost(bound) : atLeast(bound))
    const path = pathOf(node)
    if (near !== undefined) {
      const text = `${key}: ${near}, which accepts the same numbers: Quire reads none between the two`
      this.changes.push({ path, text, isNotable: true })
      return near
    }
    if (notes.has(key) && node.parent?.kind === 'map') {
      const text = `${key}: left out: ${node.text.slice(0, 40)} is not kept exactly`
      this.changes.push({ path, text, isNotable: true })
      return undefined
    }
    this.refused.push(...read.findings.map((finding) => ({ ...finding, path, ...this.lines.positionOf(node.offset) })))
    return null
  }
}

/** To which side a bound may go without accepting anything else. */
function roundingOf(key: string, schema: MapNode): 'up' | 'down' | undefined {
  const isTrue = (keyword: string) => scalarOf(schema, keyword) === true
  // x > 9.5 is x > 9 where there is nothing between; x ≥ 9.5 is x ≥ 10.
  if (key === 'exclusiveMinimum' || (key === 'minimum' && isTrue('exclusiveMinimum'))) return 'down'
  if (key === 'exclusiveMaximum' || (key === 'maximum' && isTrue('exclusiveMaximum'))) return 'up'
  if (lower.has(key)) return 'up'
  return upper.has(key) ? 'down' : undefined
}

function scalarOf(schema: MapNode, key: string): unknown {
  const node = schema.byKey.get(key)?.value
  return node?.kind === 'scalar' ? node.value : undefined
}

/** The greatest number that Quire reads and that is not greater. */
function atMost(bound: Decimal): number | undefined {
  const near = Number(bound.toString())
  if (near === Number.POSITIVE_INFINITY) return Number.MAX_VALUE
  if (near === Number.NEGATIVE_INFINITY) return undefined
  return Decimal.fromNumber(near).compare(bound) <= 0 ? near : -nextUp(-near)
}

function atLeast(bound: Decimal): number | undefined {
  const found = atMost(bound.negate())
  return found === undefined ? undefined : -found
}

/** The next double, if it is finite. */
function nextUp(value: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value === 0 ? 0 : value)
  const bits = view.getBigInt64(0)
  view.setBigInt64(0, bits >= 0n ? bits + 1n : bits - 1n)
  return view.getFloat64(0)
}
