import { expect, test } from 'bun:test'
import { sha256Hex } from '../../src/core/hash.ts'
import { hashesNamed, namesReference } from '../../src/core/references.ts'
import { atOnce, type InParts } from '../../src/core/turns.ts'
import { leastCpuMsOf } from '../support/cpu.ts'

const names = (text: string, reference = 'CLW-1') => [
  atOnce(namesReference(text, reference)),
  atOnce(hashesNamed(text, new Set([sha256Hex(reference)]))).size === 1,
]

function partsOf(work: InParts<unknown>): number {
  let parts = 0
  while (work.next().done !== true) parts++
  return parts
}

test('a reference that JSON spells with escapes is found behind a string of megabytes', () => {
  for (const sign of ['A', '/', '-', '\\"', '\\u0041', 'é']) {
    const photo = sign.repeat(sign === 'A' ? 2_000_000 : 200_000)
    expect([sign, ...names(`{"photo":"${photo}"}\n{"ref":"CLW\\u002d1"}`)]).toEqual([sign, true, true])
    expect([sign, ...names(`{"photo":"${photo}"}\n{"ref":"CLW-1"}`)]).toEqual([sign, true, true])
    expect([sign, ...names(`{"photo":"${photo}"}\n{"ref":"CLW-2\\n"}`)]).toEqual([sign, false, false])
  }
})

test('a reference is found where JSON is broken, and nowhere else', () => {
  const cases: [text: string, isNamed: boolean][] = [
    ['{"note":"5" pipe","ref":"CLW\\u002d1"}', true],
    ['{"ref":"\\q CLW\\u002d1"}', true],
    ['{"ref":"a\nCLW\\u002D1"}', true],
    ['{"ref":"CLW\\u002d1', true],
    ['CLW\\u002d1\\', true],
    ['\\u0043\\u004c\\u0057\\u002d\\u0031', true],
    ['{"ref":"of\\nCLW-1\\tand"}', true],
    ['{"ref":"a\\/CLW-1"}', true],
    ['{"ref":"\\\\CLW-1"}', true],
    ['{"ref":"CLW\\\\u002d1"}', false],
    ['{"ref":"CLW\\u002d11"}', false],
    ['{"ref":"\\u0041CLW\\u002d1"}', false],
    ['{"ref":"CLW\\u00zd1"}', false],
    ['{"ref":"CLW\\u002"}', false],
  ]
  for (const [text, isNamed] of cases) expect([text, ...names(text)]).toEqual([text, isNamed, isNamed])
})

test('a reference is a whole one, as long as references may be', () => {
  const longest = `A${'b'.repeat(127)}`
  for (const text of [longest, `\\u0041${'b'.repeat(127)}`, `A${'b'.repeat(126)}\\u0062`, ` \\n${longest}\\n`]) {
    expect([text, ...names(text, longest)]).toEqual([text, true, true])
  }
  for (const more of [`${longest}b`, `b${longest}`, `\\u0062${longest}`, `${longest}${longest}`, `-${longest}`]) {
    expect([more, ...names(more, longest)]).toEqual([more, false, false])
  }
})

test('the work grows with the text, whatever is in it', () => {
  for (const sign of ['\\"', '"', '\\', '\\\\', 'a\\', 'a ', '\\u0041', '\\u', '"\\']) {
    const text = (times: number) => `"${sign.repeat(times)}`
    const [once, tenfold] = [10_000, 100_000].map((times) => partsOf(namesReference(`${text(times)} \\`, 'CLW-1')))
    expect([sign, (tenfold ?? 0) <= 11 * (once ?? 0) + 11]).toEqual([sign, true])
    const ms = leastCpuMsOf(() => expect(names(text(20_000))).toEqual([false, false]))
    // Some 20 ms; what tried each quote anew took more than a second.
    expect([sign, ms < 500]).toEqual([sign, true])
  }
})

test('many hashes are looked for in one pass, which ends once all are found', () => {
  const text = Array.from({ length: 2_000 }, (_, number) => `"CLW\\u002d${number}"`).join(',')
  const hashOf = (number: number) => sha256Hex(`CLW-${number}`)
  const all = new Set(Array.from({ length: 40 }, (_, number) => hashOf(50 * number)))
  expect(atOnce(hashesNamed(text, all))).toEqual(all)
  const whole = partsOf(hashesNamed(text, new Set([hashOf(9_999)])))
  expect(partsOf(hashesNamed(text, new Set([...all, hashOf(9_999)])))).toBe(whole)
  const early = Array.from({ length: 100 }, (_, number) => `CLW-${number}`).join(' ')
  expect(partsOf(hashesNamed(early, new Set([hashOf(2), hashOf(4)])))).toBeLessThan(6)
})
