/** The cost bound against runs: programs of nested loops, made at random, over inputs of every size that the contract allows. */
import { expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileTransformer, evaluateTransformer } from '../../../src/engines/declarative/declarative.ts'
import { pick, type Random, seeded } from './seeded.ts'

const most = { orders: 4, lines: 3, pays: 2, tags: 2, rates: 3 }

const list = (items: JsonValue, maxItems: number): JsonValue => ({ type: 'array', items, maxItems })
const record = (properties: Record<string, JsonValue>): JsonValue => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const line = record({ net: { type: 'number' }, tags: list({ type: 'number' }, most.tags) })
const contract = record({
  orders: list(
    record({ no: { type: 'number' }, lines: list(line, most.lines), pays: list(line, most.pays) }),
    most.orders,
  ),
  rates: list(line, most.rates),
})

type Scope = readonly { name: string; kind: 'order' | 'line' }[]

/** Expressions over orders, lines and numbers; the scope has the loop variables around them. */
class Maker {
  private count = 0

  constructor(private readonly random: Random) {}

  /** A number made of whatever is in scope. */
  number(depth: number, scope: Scope): JsonValue {
    const leaves: JsonValue[] = [1, ...scope.map(({ name, kind }) => `$${name}/${kind === 'order' ? 'no' : 'net'}`)]
    if (depth === 0) return pick(this.random, leaves)
    const kind = this.random(2) === 0 ? 'order' : 'line'
    const name = this.name()
    const inner: Scope = [...scope, { name, kind }]
    switch (this.random(6)) {
      case 0:
        return { $sum: this.array(depth - 1, scope, kind), as: name, of: this.number(depth - 1, inner) }
      case 1:
        return { $count: this.made(depth - 1, scope) }
      case 2:
        return {
          $fold: this.array(depth - 1, scope, kind),
          as: name,
          into: `t${name}`,
          from: 0,
          do: { $calc: 'a + b', a: `$t${name}`, b: this.number(depth - 1, inner) },
        }
      case 3:
        return {
          $if: { $is: [this.number(depth - 1, scope), '>', 1] },
          then: this.number(depth - 1, scope),
          else: this.number(depth - 1, scope),
        }
      case 4:
        return { $calc: 'a + b', a: this.number(depth - 1, scope), b: this.number(depth - 1, scope) }
      default:
        return pick(this.random, leaves)
    }
  }

  /** An array of orders or lines. */
  array(depth: number, scope: Scope, kind: 'order' | 'line'): JsonValue {
    const inOrder = scope.filter((each) => each.kind === 'order').map(({ name }) => `$${name}`)
    const leaves: JsonValue[] =
      kind === 'order' ? ['/orders'] : ['/rates', ...inOrder.flatMap((name) => [`${name}/lines`, `${name}/pays`])]
    if (depth === 0) return pick(this.random, leaves)
    const name = this.name()
    const inner: Scope = [...scope, { name, kind }]
    switch (this.random(8)) {
      case 0:
        return { $concat: [this.array(depth - 1, scope, kind), this.array(depth - 1, scope, kind)] }
      case 1:
        return {
          $each: this.array(depth - 1, scope, kind),
          as: name,
          where: { $is: [this.number(depth - 1, inner), '<', 9] },
          sort: { by: this.number(0, inner) },
        }
      case 2:
        return { $take: this.array(depth - 1, scope, kind), count: this.random(4) }
      case 3: {
        const each = { $each: this.array(depth - 1, scope, 'order'), as: name }
        const within: Scope = [...scope, { name, kind: 'order' }]
        return { $flatten: { ...each, do: this.array(depth - 1, within, kind) } }
      }
      case 4:
        return {
          $if: { $is: [this.number(0, scope), '>', 1] },
          then: this.array(depth - 1, scope, kind),
          else: this.array(depth - 1, scope, kind),
        }
      case 5:
        return {
          $lookup: { $indexBy: this.array(depth - 1, scope, kind), as: name, by: this.number(0, inner), keep: 'all' },
          key: this.number(0, scope),
          else: this.array(0, scope, kind),
        }
      case 6:
        return { $flatten: [this.array(depth - 1, scope, kind), this.array(0, scope, kind)] }
      default:
        return pick(this.random, leaves)
    }
  }

  /** An array of anything. */
  made(depth: number, scope: Scope): JsonValue {
    const kind = this.random(2) === 0 ? 'order' : 'line'
    const name = this.name()
    const inner: Scope = [...scope, { name, kind }]
    const source = this.array(Math.max(0, depth - 1), scope, kind)
    if (depth === 0) return source
    if (this.random(3) > 0) return { $each: source, as: name, do: this.value(depth - 1, inner) }
    const again = this.name()
    const items = { $each: '$items', as: again, do: this.value(depth - 1, [...scope, { name: again, kind }]) }
    return {
      $group: source,
      as: name,
      by: this.number(0, inner),
      do: pick(this.random, [items, { all: items, n: { $count: '$items' } }]),
    }
  }

  value(depth: number, scope: Scope): JsonValue {
    if (depth === 0) return this.number(0, scope)
    const parts = [() => this.number(depth, scope), () => this.made(depth, scope)]
    if (this.random(4) === 0) return { a: pick(this.random, parts)(), b: pick(this.random, parts)() }
    return pick(this.random, parts)()
  }

  private name(): string {
    return `v${this.count++}`
  }
}

function inputOf(random: Random, isFull: boolean): JsonValue {
  const many = (count: number, make: () => JsonValue) =>
    Array.from({ length: isFull ? count : random(count + 1) }, make)
  const makeLine = () => ({ net: random(4), tags: many(most.tags, () => random(4)) })
  const order = () => ({ no: random(3), lines: many(most.lines, makeLine), pays: many(most.pays, makeLine) })
  return { orders: many(most.orders, order), rates: many(most.rates, makeLine) }
}

test('no run of nested loops takes more than the bound says, whatever the sizes of its arrays', () => {
  const random = seeded(20261123)
  let ran = 0
  let closest = 0
  for (let round = 0; round < 4_000; round++) {
    const output = new Maker(random).value(4, [])
    const source = JSON.stringify({ transform: 'declarative-v1', output })
    const compiled = compileTransformer(source, 'json', { contract })
    if (!compiled.ok) {
      expect([source, compiled.findings.filter(({ code }) => code !== 'cost')]).toEqual([source, []])
      continue
    }
    const { costBound } = compiled.value
    for (const isFull of [true, false, false]) {
      const result = evaluateTransformer(compiled.value, inputOf(random, isFull))
      if (!result.ok) throw new Error(`${source}\n${JSON.stringify(result.findings)}`)
      expect(result.value.fuelUsed).toBeLessThanOrEqual(costBound)
      if (isFull && costBound > 100) closest = Math.max(closest, result.value.fuelUsed / costBound)
      ran++
    }
  }
  expect(ran).toBeGreaterThan(6_000)
  expect(closest).toBeGreaterThan(0.95)
}, 120_000)
