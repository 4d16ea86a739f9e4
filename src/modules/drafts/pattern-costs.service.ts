import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { readPattern } from '../../core/pattern/pattern.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { sourceTree } from './compiled-sources.service.ts'

/**
 * Whether the patterns of a contract, transformer or model may take long to compile, however short they are: up to 600 ms
 * (`schemaPatternsInstructions`), and more with Unicode properties.
 */
export function hasCostlyPatterns(given: unknown): boolean {
  const question = Object(given) as { contract?: unknown; transformer?: SourceText } & Partial<SourceText>
  const { contract, transformer, source, format } = question
  const costs = new Costs()
  if (typeof contract === 'string') costs.addContract(contract)
  if (transformer !== undefined) costs.addSource(transformer)
  if (source !== undefined && format !== undefined) costs.addSource({ source, format })
  return costs.sum > limits.judgedOnTheSpotInstructions
}

/** Sums the RE2 instructions of everything that may be a pattern; infinite for text that can't be read. */
class Costs {
  sum = 0

  addContract(text: string): void {
    try {
      JSON.parse(text, (key, value: JsonValue) => {
        if (key === 'pattern' && typeof value === 'string') this.#add(value)
        if (key === 'patternProperties') for (const pattern of Object.keys(Object(value))) this.#add(pattern)
        return value
      })
    } catch {
      this.sum = Number.POSITIVE_INFINITY
    }
  }

  /** A source's patterns are arguments named `pattern`; only an escape can hide that name. */
  addSource(text: SourceText): void {
    if (!/pattern|\\/.test(text.source)) return
    const tree = sourceTree(text)
    if (tree.ok) this.#addTree(tree.value)
    else this.sum = Number.POSITIVE_INFINITY
  }

  #addTree(node: SourceNode): void {
    if (node.kind === 'list') for (const item of node.items) this.#addTree(item)
    if (node.kind !== 'map') return
    for (const { key, value } of node.entries) {
      if (key === 'pattern' && value.kind === 'scalar') this.#add(value.text)
      this.#addTree(value)
    }
  }

  #add(pattern: string): void {
    if (this.sum > limits.judgedOnTheSpotInstructions) return
    const read = pattern.length > limits.judgedOnTheSpotPatternChars ? undefined : readPattern(pattern)
    this.sum += read?.ok ? costOf(read.value) : Number.POSITIVE_INFINITY
  }
}

/** One instruction may be a class of many ranges, and RE2 looks up hundreds of ranges for a Unicode property. */
function costOf({ weight, re2 }: { weight: number; re2: string }): number {
  return weight + re2.length / CLASS_CHARS + (re2.match(/\\p/gi)?.length ?? 0) * PROPERTY_INSTRUCTIONS
}

/** Tuned to patterns of 2,000 to 9,000 characters: this many characters of a class compile as long as one instruction. */
const CLASS_CHARS = 40
/** Tuned to the same patterns: a Unicode property compiles as long as this many instructions. */
const PROPERTY_INSTRUCTIONS = 60
