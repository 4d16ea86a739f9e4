import { describe, expect, test } from 'bun:test'
import { Decimal, divideRounded, Rational, type Rounding, roundings } from '../../src/core/decimal.ts'

function decimal(text: string): Decimal {
  const value = Decimal.parse(text)
  if (value === undefined) throw new Error(`${text} is no decimal`)
  return value
}

/** A small seeded generator (mulberry32), so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

describe('decimals', () => {
  test('are read from text and from the shortest text of a double, exactly', () => {
    expect(decimal('-12.50').toString()).toBe('-12.50')
    expect(decimal('1e3').toString()).toBe('1000')
    expect(decimal('1.5e-7').toString()).toBe('0.00000015')
    expect(decimal('-0').toString()).toBe('0')
    expect(Decimal.fromNumber(0.1).toString()).toBe('0.1')
    expect(Decimal.fromNumber(1e21).toString()).toBe('1000000000000000000000')
    expect(Decimal.fromNumber(5e-324).toNumber()).toBe(5e-324)
    for (const text of ['', '1.', '.5', '1,5', '0x1', '1e99999', 'NaN', ' 1', '1_000'])
      expect(Decimal.parse(text)).toBeUndefined()
  })

  test('add, subtract, multiply and compare without loss', () => {
    expect(decimal('0.1').add(decimal('0.2')).toString()).toBe('0.3')
    expect(decimal('1').subtract(decimal('0.999')).toString()).toBe('0.001')
    expect(decimal('19.99').multiply(decimal('3')).toString()).toBe('59.97')
    expect(decimal('1.10').equals(decimal('1.1'))).toBe(true)
    expect(decimal('-2').compare(decimal('-1.5'))).toBe(-1)
    expect(decimal('2.500').normalize().scale).toBe(1)
    expect(decimal('2.00').isInteger()).toBe(true)
    expect(decimal('2.01').isInteger()).toBe(false)
  })

  test('become a double only where its text names the same number', () => {
    expect(decimal('12.50').toNumber()).toBe(12.5)
    expect(decimal('9007199254740993').toNumber()).toBeUndefined()
    expect(decimal('0.30000000000000000001').toNumber()).toBeUndefined()
    expect(decimal(`1${'0'.repeat(400)}`).toNumber()).toBeUndefined()
  })

  /** The value, then its rounding to one place in the order of `roundings`. */
  const rounded: [string, ...string[]][] = [
    ['2.25', '2.3', '2.2', '2.3', '2.2', '2.3', '2.2'],
    ['2.35', '2.4', '2.4', '2.4', '2.3', '2.4', '2.3'],
    ['-2.25', '-2.3', '-2.2', '-2.3', '-2.2', '-2.2', '-2.3'],
    ['-2.21', '-2.2', '-2.2', '-2.3', '-2.2', '-2.2', '-2.3'],
    ['2.2', '2.2', '2.2', '2.2', '2.2', '2.2', '2.2'],
    ['-0.04', '0.0', '0.0', '-0.1', '0.0', '0.0', '-0.1'],
  ]
  for (const [value, ...results] of rounded) {
    test(`round ${value} in each of the six ways`, () => {
      expect(roundings.map((rounding) => decimal(value).round(1, rounding).toString())).toEqual(results)
    })
  }

  test('keep a division exact until it is rounded', () => {
    const third = Rational.from(decimal('1')).divide(Rational.from(decimal('-3')))
    expect(
      third
        ?.multiply(Rational.from(decimal('3')))
        .round(2, 'half-up')
        .toString(),
    ).toBe('-1.00')
    expect(third?.round(3, 'half-even').toString()).toBe('-0.333')
    expect(Rational.from(decimal('1')).divide(Rational.from(decimal('0.00')))).toBeUndefined()
  })

  test('round every quotient between its neighbours, and the nearest where the way says so', () => {
    const random = seeded(7)
    for (let count = 0; count < 2_000; count++) {
      const numerator = BigInt(Math.floor((random() - 0.5) * 1e6))
      const denominator = BigInt(Math.floor(random() * 999) + 1)
      for (const rounding of roundings as readonly Rounding[]) {
        const quotient = divideRounded(numerator, denominator, rounding)
        const error = quotient * denominator - numerator
        const size = error < 0n ? -error : error
        expect(size < denominator).toBe(true)
        if (rounding.startsWith('half')) expect(size * 2n <= denominator).toBe(true)
        if (rounding === 'floor') expect(error <= 0n).toBe(true)
        if (rounding === 'ceiling') expect(error >= 0n).toBe(true)
        expect(divideRounded(-numerator, -denominator, rounding)).toBe(quotient)
      }
    }
  })
})
