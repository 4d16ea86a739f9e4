import { describe, expect, test } from 'bun:test'
import { classOf, isSlanted } from '../../../../../src/engines/pdf/layout/math/letters.ts'

const classesOf = (...codes: number[]) => codes.map((code) => classOf(code))
const isRelation = (code: number) => classOf(code) === 'relation'

describe('The class of a mathematical character', () => {
  test('is that of its sign', () => {
    const of = (signs: string) => [...new Set([...signs].map((sign) => classOf(sign.codePointAt(0) ?? 0)))]
    expect(of('+−×÷±∪∩∧∨')).toEqual(['binary'])
    expect(of('([{⟨⌊⌈⟦')).toEqual(['open'])
    expect(of(')]}⟩⌋⌉⟧!')).toEqual(['close'])
    expect(of(',;')).toEqual(['punctuation'])
    expect(of('=<>:≔≠≤≥∈∋∝∥⊂⊆⊢→⇔⩽⩾')).toEqual(['relation'])
    expect(of('ax1∞∀∂∇∎')).toEqual(['ordinary'])
  })

  test('is a relation from the first to the last arrow, and for none beside them', () => {
    expect([0x218f, 0x2190, 0x21ff, 0x2200].map(isRelation)).toEqual([false, true, true, false])
  })

  test('is a relation from the first to the last sign of each run of relations, and for none beside them', () => {
    const runs: [before: number, first: number, last: number, after: number][] = [
      // ∇ ∈…∍ ∎, ∜ ∝ ∞, ∢ ∣…∦ ∧
      [0x2207, 0x2208, 0x220d, 0x220e],
      [0x221c, 0x221d, 0x221d, 0x221e],
      [0x2222, 0x2223, 0x2226, 0x2227],
      // ∸ ∹…∿ ≀, ≀ ≁…⊋ ⊌, ⊎ ⊏…⊒ ⊓, ⊡ ⊢…⊸ ⊹
      [0x2238, 0x2239, 0x223f, 0x2240],
      [0x2240, 0x2241, 0x228b, 0x228c],
      [0x228e, 0x228f, 0x2292, 0x2293],
      [0x22a1, 0x22a2, 0x22b8, 0x22b9],
    ]
    for (const run of runs) expect([run, ...run.map(isRelation)]).toEqual([run, false, true, true, false])
    expect(classesOf(0x2237, 0x2a7d, 0x2a7e)).toEqual(['relation', 'relation', 'relation'])
  })
})

test('A mathematical letter leans where it is italic, and nowhere else', () => {
  // Italic and bold italic Latin, ℎ in the place that its alphabet leaves free, and italic and bold italic Greek.
  for (const code of [0x1d434, 0x1d44e, 0x1d468, 0x1d49b, 0x210e, 0x1d6e2, 0x1d71c, 0x1d755])
    expect([code, isSlanted(code)]).toEqual([code, true])
  for (const code of [0x41, 0x210d, 0x210f, 0x1d433, 0x1d49c, 0x1d6e1, 0x1d756])
    expect([code, isSlanted(code)]).toEqual([code, false])
})
