import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { linearPattern } from '../../../src/core/pattern/library.ts'

test('a pattern is compiled once as long as somebody has it, and answers for all who have it', () => {
  const first = linearPattern('^[A-Z]{3}-[0-9]+$')
  const again = linearPattern('^[A-Z]{3}-[0-9]+$')
  expect(again).toBe(first)
  expect(linearPattern('^[A-Z]{3}-[0-9]*$')).not.toBe(first)
  expect([first.test('CLW-12'), again.test('CLW-'), first.test('CLW-7')]).toEqual([true, false, true])
})

test('a bounded number of patterns is kept, and no very long one', () => {
  const oldest = linearPattern('^oldest$')
  const held = Array.from({ length: limits.patternsShared }, (_, number) => linearPattern(`^other${number}$`))
  expect(linearPattern('^oldest$')).not.toBe(oldest)
  expect(held.at(-1)).toBe(linearPattern(`^other${held.length - 1}$`))
  const long = 'a'.repeat(limits.patternSharedChars + 1)
  const compiled = linearPattern(long)
  expect(linearPattern(long)).not.toBe(compiled)
})
