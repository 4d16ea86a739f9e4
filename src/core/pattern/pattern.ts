/**
 * Patterns: read as ECMA-262 with the `u` flag, as JSON Schema wants, and run by RE2 (re2js) in time linear in the
 * text, whatever the pattern. The syntaxes differ: RE2 has only ASCII `\s`, no `\cX`, `\uXXXX` or long category names,
 * and no look-around or back-references.
 */
import { limits } from '../limits.ts'
import { linearPattern, linearPatterns } from './library.ts'
import { type PatternFault, PatternReader } from './reader.ts'
import { matcherOf, readRuns, singlePassOf } from './runs.ts'

export interface CompiledPattern {
  /** The author's text. */
  source: string
  /** How many RE2 instructions it takes, about. */
  weight: number
  /** What a character costs at most, in RE2's instructions. */
  cost: number
  /** The pattern translated for RE2, using only the constructs that `generate/pattern-text.ts` lists. */
  re2: string
  test(text: string): boolean
}

export type PatternResult = { ok: true; value: CompiledPattern } | { ok: false; fault: PatternFault }

/** Compiles an author's pattern. Never hands it to the native engine, which backtracks without bound. */
export function compilePattern(source: string): PatternResult {
  const read = readPattern(source)
  if (!read.ok) return read
  const fault = read.compile()
  return fault === undefined ? { ok: true, value: read.value } : { ok: false, fault }
}

/**
 * The first, cheap half of `compilePattern`: determines syntax and weight. The value must not be used until `compile`
 * has been called and found no fault.
 */
export function readPattern(
  source: string,
): { ok: true; value: CompiledPattern; compile(): PatternFault | undefined } | { ok: false; fault: PatternFault } {
  const reader = new PatternReader(source)
  const translated = reader.translate()
  if (reader.fault !== undefined) return { ok: false, fault: reader.fault }
  if (translated.weight > limits.schemaPatternInstructions) {
    const message = `the pattern needs more than ${limits.schemaPatternInstructions} steps when its repetitions are written out`
    return { ok: false, fault: { kind: 'unsupported', message, hint: 'Use minLength and maxLength to bound lengths.' } }
  }
  const sequence = readRuns(translated.text)
  const runs = translated.weight > limits.schemaPatternWrittenOut ? sequence : undefined
  const cost = runs === undefined ? translated.weight : runs.list.length + 1
  const value: CompiledPattern = { source, weight: translated.weight, cost, re2: translated.text, test: () => false }
  const compile = (): PatternFault | undefined => {
    try {
      const matcher = (sequence && singlePassOf(sequence)) ?? (runs && matcherOf(runs))
      if (matcher !== undefined) {
        value.test = matcher
        return undefined
      }
      const compiled = linearPattern(translated.text)
      value.test = (text) => compiled.test(text)
      return undefined
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
      const message = `the pattern has no linear-time form (${reason})`
      return { kind: 'unsupported', message, hint: 'Write it with simpler constructs.' }
    }
  }
  return { ok: true, value, compile }
}

/** Whether a text is an ECMA-262 pattern, even one that Quire refuses to run: the meaning of `format: regex`. */
export function isEcmaPattern(source: string): boolean {
  const reader = new PatternReader(source)
  reader.translate()
  return reader.fault?.kind !== 'syntax'
}

/** Replaces what a pattern finds. */
export interface Replacer {
  /** How many groups with a number the pattern has. */
  groups: number
  /**
   * `write` gets the match and its groups; a group without a match is empty. Each match reads the rest of the text.
   * Undefined if all matches together would read more than `limits.transformPatternReads` characters.
   */
  replace(text: string, write: (found: readonly string[]) => string): string | undefined
}

export function compileReplacer(source: string): { ok: true; value: Replacer } | { ok: false; fault: PatternFault } {
  const compiled = compilePattern(source)
  if (!compiled.ok) return compiled
  const reader = new PatternReader(source, '(')
  const { text: re2 } = reader.translate()
  const { groups } = reader
  const program = linearPatterns().compile(re2)
  if (program.groupCount() !== groups) {
    const message = 'repetitions of its groups are too many to write out'
    return { ok: false, fault: { kind: 'unsupported', message, hint: 'Write it with shorter repetitions.' } }
  }
  const replace: Replacer['replace'] = (text, write) => {
    const matcher = program.matcher(text)
    let result = ''
    let at = 0
    let reads = text.length
    while (reads <= limits.transformPatternReads) {
      if (!matcher.find()) return result + text.slice(at)
      const found = Array.from({ length: groups + 1 }, (_, index) => matcher.group(index) ?? '')
      result += text.slice(at, matcher.start()) + write(found)
      at = matcher.end()
      reads += text.length - at
    }
    return undefined
  }
  return { ok: true, value: { groups, replace } }
}
