/**
 * What values give for inputs, at their limits and one step beyond. In outcomes.txt each block is a value, and below it inputs, each
 * with its output or the fault that ends its run: code, place, message, and the hint in parentheses.
 */
import { describe, expect, test } from 'bun:test'
import { evaluateTransformer } from '../../../src/engines/declarative/declarative.ts'
import { compile, sourceOf } from './compile.ts'

const tables = `tables:
  t: { a: 1 }
  z: { 2026-01-01T00:00:00Z: "+01:00", 2026-07-01T00:00:00Z: "+02:00", until: 2027-01-01T00:00:00Z }
`

const text = await Bun.file(new URL('outcomes.txt', import.meta.url)).text()
const blocks = text
  .trimEnd()
  .split(/\n(?! )/)
  .map((block) => block.split('\n'))

/** The outcome of each input, and what the evaluation itself promises of every one. */
function outcomesOf(value: string, inputs: readonly string[]): string[] {
  const transformer = compile(sourceOf(value, tables))
  return inputs.map((input) => {
    const result = evaluateTransformer(transformer, JSON.parse(input))
    const traced = evaluateTransformer(transformer, JSON.parse(input), { lineage: true })
    if (!result.ok) {
      expect(traced).toEqual(result)
      const [{ code, path, message, hint }] = result.findings as [(typeof result.findings)[0]]
      return `  ${input} → ${code} at ${path}: ${message}${hint === undefined ? '' : ` (${hint})`}`
    }
    const { output, fuelUsed } = result.value
    expect(traced).toMatchObject({ ok: true, value: { output, fuelUsed } })
    expect(fuelUsed).toBeLessThanOrEqual(transformer.costBound)
    return `  ${input} → ${JSON.stringify(output)}`
  })
}

describe('a value gives for each input what is written down', () => {
  test.each(blocks)('%s', (value, ...expected) => {
    const inputs = expected.map((line) => line.trim().split(' → ')[0] ?? '')
    expect(outcomesOf(value ?? '', inputs)).toEqual(expected)
  })
})
