import { expect, test } from 'bun:test'
import { RE2JS } from 're2js'
import { readPattern } from '../../../src/core/pattern/pattern.ts'
import { matcherOf, readRuns, singlePassOf } from '../../../src/core/pattern/runs.ts'
import { Random } from '../../../src/engines/schema/generate/random.ts'
import { compileSchemaValue, validatePayload } from '../../../src/engines/schema/schema.ts'

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.below(list.length)] as T
}

const atoms = ['a', '[ab]', '[^a]', '.', '\\d', '\\w', '\\s', '\\p{L}', 'é', '😀', '[a-c1-3]', '(?:ab)', '(?:[ab]c?)']
const others = ['(?:a|b)', '(?:ab)', '^', '$', '\\b']
const counters = ['', '', '*', '+', '?', '{2}', '{0}', '{0,3}', '{1,}', '{2,4}', '{0,1200}', '*?']
const characters = ['a', 'b', 'c', '1', '2', ' ', 'é', '😀', '\n', '_', '\ud800']

function randomPattern(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(4) }, () => {
    if (random.below(12) === 0) return pick(random, others)
    const atom = pick(random, atoms)
    return atom.length > 8 ? atom : atom + pick(random, counters)
  })
  return `${pick(random, ['', '^'])}${parts.join('')}${pick(random, ['', '$'])}`
}

test('runs accept exactly the texts that RE2 accepts', () => {
  const random = new Random(7, 0)
  let compared = 0
  for (let index = 0; index < 2_500; index++) {
    const read = readPattern(randomPattern(random))
    if (!read.ok) continue
    const runs = readRuns(read.value.re2)
    if (runs === undefined) continue
    const matches = matcherOf(runs)
    const peer = RE2JS.compile(read.value.re2)
    for (let tried = 0; tried < 4; tried++) {
      const text = Array.from({ length: random.below(8) }, () => pick(random, characters)).join('')
      if (matches(text) !== peer.test(text)) throw new Error(JSON.stringify([read.value.source, text, peer.test(text)]))
      compared++
    }
  }
  expect(compared).toBeGreaterThan(4_000)
})

test('one pass accepts exactly the texts that RE2 accepts', () => {
  const random = new Random(8, 0)
  let [compared, accepted] = [0, 0]
  for (let index = 0; index < 2_500; index++) {
    const read = readPattern(`^${randomPattern(random).replace(/^\^/, '')}`)
    if (!read.ok) continue
    const runs = readRuns(read.value.re2)
    const matches = runs && singlePassOf(runs)
    if (matches === undefined) continue
    const peer = RE2JS.compile(read.value.re2)
    for (let tried = 0; tried < 8; tried++) {
      const text = Array.from({ length: random.below(8) }, () => pick(random, characters)).join('')
      const expected = peer.test(text)
      if (matches(text) !== expected) throw new Error(JSON.stringify([read.value.source, text, expected]))
      compared++
      if (expected) accepted++
    }
  }
  expect(compared).toBeGreaterThan(2_000)
  expect(accepted).toBeGreaterThan(200)
})

const isOnePass = (source: string) => {
  const read = readPattern(source)
  const runs = read.ok ? readRuns(read.value.re2) : undefined
  return runs !== undefined && singlePassOf(runs) !== undefined
}

test('one pass takes what can be told character by character', () => {
  const certain = ['^[A-Z]{2}-\\d{6}$', '^a*b', '^[^,]+,\\d?$', '^x{2,5}y?z*$', '^[ab]{2}a$', '^é+😀$']
  expect(certain.filter((source) => !isOnePass(source))).toEqual([])
  const uncertain = [
    'a$',
    '^a*a?b*a',
    '^[ab]*a$',
    '^\\w+\\d$',
    '^a?b?a$',
    '^\\p{L}+$',
    '^a+[^b]$',
    '^[acegikmoqsuwyACEGIKMOQSUWY02468äöüß]$',
    `^${'ab'.repeat(40)}$`,
  ]
  expect(uncertain.filter(isOnePass)).toEqual([])
})

test.each(['a|b', '(?:ab){2}', '(?:a|b)c', 'a^', '\\bab', '$a', '(?:a$)b'])('%p is no sequence of runs', (source) => {
  const read = readPattern(source)
  expect(read.ok && readRuns(read.value.re2)).toBe(undefined as never)
})

const strings = Array.from({ length: 166 }, () => 'a'.repeat(3_000))

const arrayOf = (pattern: string) => {
  const compiled = compileSchemaValue({ type: 'array', items: { type: 'string', pattern } })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  return compiled.value
}

test('half a megabyte under a counter of 3,000 is within the budget; it took a minute', () => {
  expect(validatePayload(arrayOf('^([A-Z0-9a-z_]{6,3000})$'), strings)).toEqual([])
})

test('a counter of 3,000 over a choice is charged what it costs, so that a small budget ends it', () => {
  const options = { maxSteps: 1_000_000 }
  const findings = validatePayload(arrayOf('^(?:[A-Z]|[0-9a-z_]){6,3000}$'), strings.slice(0, 1), options)
  expect(findings.map(({ code }) => code)).toEqual(['payload.too-complex'])
})
