import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import {
  compileTransformer,
  EvaluationGivenUp,
  evaluateTransformer,
} from '../../../src/engines/declarative/declarative.ts'

const input: JsonValue = {
  items: Array.from({ length: 5_000 }, (_, index) => index % 7),
  few: [1, 2, 3],
  text: 'aÀb '.repeat(25_000),
}

function run(output: JsonValue, isOver: () => boolean) {
  const compiled = compileTransformer(JSON.stringify({ transform: 'declarative-v1', output }), 'json', { reading: 1 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  return evaluateTransformer(compiled.value, input, { isOver })
}

const lengthOf = (text: JsonValue): JsonValue => ({ $length: text })
const ofFew = (made: JsonValue): JsonValue => ({ $each: '/few', as: 'x', do: made })

describe('an evaluation asks whether it takes too long', () => {
  test.each([
    ['while it looks at nodes', { $each: '/items', as: 'x', do: { $calc: 'x + 1', x: '$x' } }],
    ['while it looks at items', { $sum: '/items' }],
    ['while it sorts', { $each: '/items', as: 'x', sort: { by: '$x' } }],
    ['before it reads long texts', ofFew(lengthOf({ $replace: '/text', find: 'a', with: 'bb' }))],
    ['before it looks for a text', ofFew({ $contains: '/text', find: 'aÀbc', anyCase: true })],
    ['before long formulas', ofFew({ $calc: Array(200).fill('x').join(' + '), x: '$x' })],
  ] satisfies [string, JsonValue][])('%s', (_when, output) => {
    let asked = 0
    const outcome = run(output, () => ++asked < 0)
    expect([outcome.ok, asked >= 3]).toEqual([true, true])
    expect(() => run(output, () => true)).toThrow(EvaluationGivenUp)
    // It is given up where it was asked last, and not at its end.
    let left = asked - 1
    expect(() => run(output, () => --left === 0)).toThrow(EvaluationGivenUp)
  })

  test('and not for a few nodes', () => {
    expect(run({ n: { $is: [{ $default: ['/few/0', 0] }, '>', 0] } }, () => true).ok).toBe(true)
  })
})
