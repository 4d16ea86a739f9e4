import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import {
  compileTransformer,
  evaluateTransformer,
  type Transformer,
} from '../../../src/engines/declarative/declarative.ts'
import { generateCase } from '../../../src/engines/schema/cases.ts'
import { compileSchemaValue, isValidPayload } from '../../../src/engines/schema/schema.ts'
import { invoiceInput, invoiceSource, letterContract, letterInput, letterSource } from './examples.ts'
import { pick, type Random, seeded } from './seeded.ts'

// Thousands of generated sources take some seconds where the machine is busy.
setDefaultTimeout(60_000)

const contract: JsonValue = {
  type: 'object',
  required: ['name', 'qty', 'born', 'kind', 'member', 'lines'],
  properties: {
    name: { type: 'string' },
    nick: { type: ['string', 'null'] },
    qty: { type: 'number' },
    extra: { type: 'number' },
    born: { type: 'string', format: 'date' },
    kind: { enum: ['home', 'car', 'life'] },
    member: { type: 'boolean' },
    lines: {
      type: 'array',
      maxItems: 6,
      items: {
        type: 'object',
        required: ['net', 'tag'],
        properties: { net: { type: 'number' }, tag: { type: 'string' }, on: { type: 'string', format: 'date' } },
      },
    },
  },
}

type Expression = JsonValue

/** Well-typed expressions of each type; `item` names the loop variables over lines that are in scope. */
class Maker {
  private names = 0

  /** With `isWild`, parts of any type are put anywhere; compiling finds out whether that makes sense. */
  constructor(
    private readonly random: Random,
    private readonly isWild = false,
  ) {}

  private wild(items: readonly string[]): Expression | undefined {
    if (!this.isWild || this.random(12) !== 0) return undefined
    const parts = ['/nick', '/extra', '/born', '/member', '/lines', '/kind', '/qty', '/name', '$maybe', '$maybe/on']
    return pick(this.random, [...parts, ...items.flatMap((item) => [`$${item}`, `$${item}/on`, `$${item}/net`]), null])
  }

  text(depth: number, items: readonly string[]): Expression {
    const wild = this.wild(items)
    if (wild !== undefined) return wild
    const leaves: Expression[] = [
      '/name',
      '/kind',
      'some text',
      ...items.map((item) => `$${item}/tag`),
      { $default: ['/nick', 'none'] },
    ]
    if (depth === 0) return pick(this.random, leaves)
    const deeper = depth - 1
    return pick<() => Expression>(this.random, [
      () => pick(this.random, leaves),
      () => ({ $text: 'a {x} {{}} {y}', x: this.text(deeper, items), y: this.number(deeper, items) }),
      () => ({ $case: this.text(deeper, items), to: pick(this.random, ['upper', 'lower', 'title']) }),
      () => ({
        $format: this.number(deeper, items),
        number: '#,##0.00',
        locale: pick(this.random, ['de', 'en', 'fr', 'pl']),
      }),
      () => ({ $format: this.date(deeper, items), date: 'd MMM yyyy' }),
      () => ({ $match: '/kind', home: this.text(deeper, items), else: this.text(deeper, items) }),
      () => ({ $lookup: 'rates', key: '/kind' }),
      () => ({ $require: '/nick', code: 'NICK' }),
      () => ({ $join: this.texts(deeper, items), with: '-' }),
      () => ({ $slice: this.text(deeper, items), from: this.random(3) }),
      () => ({ $if: { $exists: '/nick' }, then: '/nick', else: this.text(deeper, items) }),
      () => ({ $words: this.number(deeper, items), locale: 'en' }),
    ])()
  }

  number(depth: number, items: readonly string[]): Expression {
    const wild = this.wild(items)
    if (wild !== undefined) return wild
    const leaves: Expression[] = [
      '/qty',
      this.random(100) / 4,
      ...items.map((item) => `$${item}/net`),
      { $default: ['/extra', 1] },
    ]
    if (depth === 0) return pick(this.random, leaves)
    const deeper = depth - 1
    const name = `v${this.names++}`
    return pick<() => Expression>(this.random, [
      () => ({ $calc: 'a + b * 2', a: this.number(deeper, items), b: this.number(deeper, items) }),
      () => ({
        $calc: 'a / b',
        a: this.number(deeper, items),
        b: this.number(deeper, items),
        scale: 2,
        round: 'half-even',
      }),
      () => ({ $calc: 'a / b', a: this.number(deeper, items), b: '/qty', zero: 0, scale: 1, round: 'up' }),
      () => ({ $sum: '/lines', as: name, of: this.number(deeper, [...items, name]) }),
      () => ({ $default: [{ $max: '/lines', as: name, of: this.number(deeper, [...items, name]) }, 0] }),
      () => ({ $count: this.texts(deeper, items) }),
      () => ({ $dateDiff: [this.date(deeper, items), '/born'], unit: 'days' }),
      () => ({ $default: [{ $parse: this.text(deeper, items), as: 'decimal' }, 0] }),
      () => ({ $if: this.test(deeper, items), then: this.number(deeper, items), else: 3 }),
    ])()
  }

  date(depth: number, items: readonly string[]): Expression {
    const wild = this.wild(items)
    if (wild !== undefined) return wild
    const leaves: Expression[] = [
      '/born',
      '2024-02-29',
      ...items.map((item) => ({ $default: [`$${item}/on`, '/born'] })),
    ]
    if (depth === 0) return pick(this.random, leaves)
    return { $dateAdd: this.date(depth - 1, items), months: this.random(30) - 15, days: this.random(60) }
  }

  test(depth: number, items: readonly string[]): Expression {
    if (depth === 0)
      return pick<Expression>(this.random, [
        '/member',
        { $exists: '/extra' },
        { $is: ['/kind', 'in', ['home', 'car']] },
      ])
    const deeper = depth - 1
    return pick<() => Expression>(this.random, [
      () => ({ $is: [this.number(deeper, items), pick(this.random, ['=', '<', '>=']), this.number(deeper, items)] }),
      () => ({ $is: [this.text(deeper, items), pick(this.random, ['!=', '<=']), this.text(deeper, items)] }),
      () => ({ $all: [this.test(deeper, items), this.test(deeper, items)] }),
      () => ({ $any: [this.test(deeper, items), this.test(deeper, items)] }),
      () => ({ $not: this.test(deeper, items) }),
    ])()
  }

  texts(depth: number, items: readonly string[]): Expression {
    const name = `v${this.names++}`
    const deeper = Math.max(0, depth - 1)
    const inner = [...items, name]
    return pick<() => Expression>(this.random, [
      () => ({ $each: '/lines', as: name, where: this.test(deeper, inner), do: this.text(deeper, inner) }),
      () => ({
        $each: '/lines',
        as: name,
        sort: { by: this.number(deeper, inner), descending: true },
        do: this.text(deeper, inner),
      }),
      () => ({
        $group: '/lines',
        as: name,
        by: this.text(deeper, inner),
        do: { $join: { $each: '$items', as: 'i', do: '$i/tag' } },
      }),
      () => ({ $distinct: { $each: '/lines', as: name, do: this.text(deeper, inner) } }),
      () => ({ $concat: [[this.text(deeper, items)], { $split: this.text(deeper, items), on: ' ' }] }),
    ])()
  }

  source(): string {
    const output = {
      text: this.text(4, []),
      number: this.number(4, []),
      texts: this.texts(3, []),
      rows: {
        $each: '/lines',
        as: 'row',
        do: { tag: '$row/tag', n: this.number(2, ['row']), on: { $omit: '$row/on' }, i: { $index: 'row' } },
      },
      test: this.test(3, []),
      // Taken whole it covers every read below it, so it must not always be there.
      ...(this.random(4) === 0 ? { lines: '/lines' } : {}),
      bound: '$bound',
    }
    const bound = { n: this.number(2, []), all: this.texts(2, []) }
    const maybe = pick(this.random, ['/nick', '/extra', { $pick: '/lines', at: 0 }])
    return JSON.stringify({
      transform: 'declarative-v1',
      tables: { rates: { home: 'h', car: 'c', life: 'l' } },
      let: this.isWild ? { maybe, bound } : { bound },
      output,
    })
  }

  input(): JsonValue {
    const { random } = this
    const date = () => `20${10 + random(20)}-0${1 + random(9)}-${10 + random(18)}`
    const lines = Array.from({ length: random(7) }, (_, index) => {
      const line: { [key: string]: JsonValue } = {
        net: (random(2000) - 500) / 100,
        tag: pick(random, ['a', 'b c', 'é', '12']),
      }
      if (random(2) === 0) line.on = date()
      return index % 5 === 4 ? { ...line, net: 0 } : line
    })
    const input: { [key: string]: JsonValue } = {
      name: pick(random, ['Ada King', '12.5', '']),
      qty: random(4) === 0 ? 0 : random(1000) / 10,
      born: date(),
      kind: pick(random, ['home', 'car', 'life']),
      member: random(2) === 0,
      lines,
    }
    if (random(2) === 0) input.nick = pick<JsonValue>(random, [null, 'Al'])
    if (random(2) === 0) input.extra = random(9)
    return input
  }
}

/**
 * A pointer that was seen is covered by a listed one that equals it, `*` for any token; where the source takes containers
 * whole, also by one that is above it.
 */
function covers(listed: string, seen: string, isWhole: boolean): boolean {
  const listedTokens = listed.split('/')
  const seenTokens = seen.split('/')
  return (
    (isWhole ? listedTokens.length <= seenTokens.length : listedTokens.length === seenTokens.length) &&
    listedTokens.every((token, index) => token === '*' || token === seenTokens[index])
  )
}

function checkRun(
  transformer: Transformer,
  input: JsonValue,
  label: string,
  params: Record<string, JsonValue> = {},
  isWhole = true,
): string {
  const before = JSON.stringify(input)
  const first = evaluateTransformer(transformer, input, { params })
  const second = evaluateTransformer(transformer, input, { params })
  const traced = evaluateTransformer(transformer, input, { params, lineage: true })
  expect(JSON.stringify(second)).toBe(JSON.stringify(first))
  expect(JSON.stringify(input)).toBe(before)
  if (!first.ok || !traced.ok) {
    expect(JSON.stringify(traced.findings)).toBe(JSON.stringify(first.findings))
    const code = first.findings[0]!.code
    // The contract bounds every array, so that fuel must not run out: the cost bound would be too low.
    if (!/^(required\..+|division_by_zero|no_row)$/.test(code))
      throw new Error(`${label}: ${JSON.stringify(first.findings)}`)
    return code
  }
  expect(JSON.stringify(traced.value.output)).toBe(JSON.stringify(first.value.output))
  expect(traced.value.fuelUsed).toBe(first.value.fuelUsed)
  expect(first.value.fuelUsed).toBeLessThanOrEqual(transformer.costBound)
  for (const seen of traced.value.readsSeen ?? []) {
    if (!transformer.reads.some((listed) => covers(listed, seen, isWhole)))
      throw new Error(`${label}: ${seen} is not in the list of reads`)
  }
  for (const entry of traced.value.lineage ?? []) {
    if (entry.lines.length === 0) throw new Error(`${label}: ${entry.output} has no source line`)
  }
  return 'done'
}

describe('every generated transformer', () => {
  test('compiles, gives the same twice, stays within bound and list of reads, and fails only with the faults of data', () => {
    const outcomes = new Map<string, number>()
    for (let seed = 1; seed <= 250; seed++) {
      const maker = new Maker(seeded(seed))
      const source = maker.source()
      const compiled = compileTransformer(source, 'json', { contract })
      if (!compiled.ok) throw new Error(`seed ${seed}: ${source}\n${JSON.stringify(compiled.findings)}`)
      for (let round = 0; round < 4; round++) {
        const isWhole = source.includes('"lines":"/lines"')
        const outcome = checkRun(compiled.value, maker.input(), `seed ${seed}`, {}, isWhole)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    // The generator must reach both results and faults, or the properties above say nothing.
    expect(outcomes.get('done')).toBeGreaterThan(300)
    expect(outcomes.get('required.nick')).toBeGreaterThan(10)
    expect(outcomes.get('division_by_zero')).toBeGreaterThan(10)
  })

  test('of parts in any place: whatever compiles has the same properties', () => {
    let compiles = 0
    for (let seed = 1; seed <= 1_500; seed++) {
      const maker = new Maker(seeded(seed), true)
      const source = maker.source()
      const compiled = compileTransformer(source, 'json', { contract })
      if (!compiled.ok) continue
      compiles++
      for (let round = 0; round < 3; round++) checkRun(compiled.value, maker.input(), `seed ${seed}: ${source}`)
    }
    expect(compiles).toBeGreaterThan(50)
  })

  test('does the same without a contract, for inputs that would pass it', () => {
    for (let seed = 300; seed <= 360; seed++) {
      const maker = new Maker(seeded(seed))
      const source = maker.source()
      const typed = compileTransformer(source, 'json', { contract })
      const dynamic = compileTransformer(source, 'json')
      if (!typed.ok) throw new Error(`seed ${seed}: ${JSON.stringify(typed.findings)}`)
      // Without maxItems loops in loops may cost too much; that is the only difference allowed.
      if (!dynamic.ok) {
        expect(
          dynamic.findings.filter((finding) => finding.severity === 'error').map((finding) => finding.code),
        ).toEqual(['cost'])
        continue
      }
      const input = maker.input()
      const one = evaluateTransformer(typed.value, input)
      const other = evaluateTransformer(dynamic.value, input)
      expect(other.ok ? other.value.output : other.findings).toEqual(one.ok ? one.value.output : one.findings)
    }
  })

  test('the examples hold the same properties', () => {
    const letter = compileTransformer(letterSource, 'yaml', { contract: letterContract })
    const invoice = compileTransformer(invoiceSource, 'yaml')
    if (!letter.ok || !invoice.ok) throw new Error('the examples do not compile')
    expect(checkRun(letter.value, letterInput, 'letter', { letterDate: '2025-02-01' })).toBe('done')
    expect(checkRun(invoice.value, invoiceInput(200), 'invoice')).toBe('done')
  })
  test('inputs that a contract itself generates end in an output or in a fault of data', () => {
    const letter = compileTransformer(letterSource, 'yaml', { contract: letterContract })
    const schema = compileSchemaValue(letterContract)
    if (!letter.ok || !schema.ok) throw new Error('the letter does not compile')
    const outcomes = new Set<string>()
    for (const kind of ['valid', 'boundary'] as const) {
      for (let seed = 1; seed <= 40; seed++) {
        const made = generateCase(schema.value, { kind, seed })
        if (!made.ok) continue
        expect(isValidPayload(schema.value, made.value.payload)).toBe(true)
        outcomes.add(checkRun(letter.value, made.value.payload, `${kind} ${seed}`, { letterDate: '2025-02-01' }))
      }
    }
    expect([...outcomes].sort()).toEqual(['done', 'required.plate_missing'])
  })
})
