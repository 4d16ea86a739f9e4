import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { readPattern } from '../../core/pattern/pattern.ts'

/**
 * Whether the patterns of a contract or transformer may take more than a moment to compile: 600 ms at most
 * (`schemaPatternsInstructions`), however short they are written.
 */
export function hasCostlyPatterns(given: unknown): boolean {
  const { contract, transformer, source } = Object(given) as Record<string, unknown>
  const sources = [source, Object(transformer).source]
  return (
    (typeof contract === 'string' && contractCost(contract) > limits.judgedOnTheSpotInstructions) ||
    sources.some((text) => typeof text === 'string' && mayCost(text))
  )
}

/** RE2 instructions of all that may be a pattern in a contract; endless for what is no JSON. */
function contractCost(text: string): number {
  let sum = 0
  const add = (pattern: string) => {
    const read = readPattern(pattern)
    sum += read.ok ? read.value.weight : Number.POSITIVE_INFINITY
  }
  try {
    JSON.parse(text, (key, value: JsonValue) => {
      if (key === 'pattern' && typeof value === 'string') add(value)
      if (key === 'patternProperties') for (const pattern of Object.keys(Object(value))) add(pattern)
      return value
    })
  } catch {
    return Number.POSITIVE_INFINITY
  }
  return sum
}

/** A transformer's patterns are words of its YAML; counters are what makes short ones costly, and escapes may hide them. */
function mayCost(source: string): boolean {
  if (!/\$(?:matches|replace)/.test(source)) return false
  return source.length > limits.judgedOnTheSpotPatternChars || /\{(?:\d+,)?\d{2,}|\)\{|\\[xuU]/.test(source)
}
