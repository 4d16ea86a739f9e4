import { expect, test } from 'bun:test'
import { changesBetween, type TextChange, withOneLineEnd } from '../../src/console/code/changes.ts'
import { largeContract } from '../support/large-contract.ts'

function made(text: string, changes: readonly TextChange[]): string {
  return changes.toReversed().reduce((so, { from, to, insert }) => so.slice(0, from) + insert + so.slice(to), text)
}

test('what differs at two ends of a long text is two changes, and what lies between stays', () => {
  const before = JSON.stringify(largeContract(), undefined, 2)
  const after = before.replace('{', '{ "x-note": "Typed",').replace(/\n}$/, ',\n  "more": {\n    "a": 1\n  }\n}')
  const changes = changesBetween(before, after)
  expect(changes).toHaveLength(2)
  expect(made(before, changes)).toBe(after)
  expect(changes.reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThan(10)
  expect(changesBetween(before, before)).toEqual([])
})

test('one letter is one change of one letter', () => {
  const before = 'a\nb\nc\nd\ne\nf'
  expect(changesBetween(before, before.replace('d', 'D'))).toEqual([{ from: 6, to: 7, insert: 'D' }])
  expect(changesBetween('', 'new')).toEqual([{ from: 0, to: 0, insert: 'new' }])
  expect(changesBetween('old', '')).toEqual([{ from: 0, to: 3, insert: '' }])
})

test('whatever the texts are, the changes lead from one to the other, in order and apart', () => {
  let state = 7
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  const line = () => ['}', '{', '"a": 1', '', 'x'.repeat(below(9_000)), String(below(50))][below(6)]!
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: below(200) }, line)
    const changed = [...lines]
    for (let times = below(round % 10 === 0 ? 300 : 6); times > 0; times--)
      changed.splice(below(changed.length + 1), below(4), ...Array.from({ length: below(4) }, line))
    const [before, after] = [lines.join('\n'), changed.join('\n')]
    const changes = changesBetween(before, after)
    expect(made(before, changes)).toBe(after)
    for (const [index, { from, to }] of changes.entries()) {
      expect(to).toBeGreaterThanOrEqual(from)
      if (index > 0) expect(from).toBeGreaterThan(changes[index - 1]!.to)
    }
  }
})

test('ends of lines that an editor has as one letter are no changes', () => {
  expect(changesBetween('a\nb\n\nc\n', withOneLineEnd('a\r\nb\r\rc\n'))).toEqual([])
})
