import { describe, expect, test } from 'bun:test'
import { Decimal, divideRounded, Rational, roundings } from '../../src/core/decimal.ts'
import { seeded } from '../engines/declarative/seeded.ts'

const decimal = (text: string): Decimal => {
  const value = Decimal.parse(text)
  if (value === undefined) throw new Error(`${text} is no decimal`)
  return value
}
const random = seeded(31)

/** A decimal of some digits and places, and itself times ten to the twelfth as an integer. */
function some(): { value: Decimal; scaled: bigint } {
  const scale = random(7)
  const coefficient = BigInt(random(2_000_001) - 1_000_000)
  return { value: new Decimal(coefficient, scale), scaled: coefficient * 10n ** BigInt(12 - scale) }
}

const scaledOf = ({ coefficient, scale }: Decimal) => coefficient * 10n ** BigInt(12 - scale)

describe('decimals of any places', () => {
  test('are added, compared and multiplied as integers would be', () => {
    for (let round = 0; round < 3_000; round++) {
      const [one, other] = [some(), some()]
      expect(scaledOf(one.value.add(other.value))).toBe(one.scaled + other.scaled)
      expect(scaledOf(one.value.subtract(other.value))).toBe(one.scaled - other.scaled)
      expect(scaledOf(one.value.multiply(other.value)) * 10n ** 12n).toBe(one.scaled * other.scaled)
      const expected = one.scaled < other.scaled ? -1 : one.scaled > other.scaled ? 1 : 0
      expect([one.value.compare(other.value), other.value.compare(one.value)]).toEqual([
        expected as -1 | 0 | 1,
        (0 - expected) as -1 | 0 | 1,
      ])
      expect(one.value.equals(other.value)).toBe(expected === 0)
    }
  })

  test('keep the places of the one that has more', () => {
    expect([decimal('1.50').add(decimal('2')).toString(), decimal('2').add(decimal('1.50')).toString()]).toEqual([
      '3.50',
      '3.50',
    ])
    expect(decimal('1.5').multiply(decimal('2.00')).toString()).toBe('3.000')
  })

  test('come back from their text, whatever their sign, size and places', () => {
    for (let round = 0; round < 1_000; round++) {
      const { value } = some()
      const again = decimal(value.toString())
      expect([again.coefficient, again.scale]).toEqual([value.coefficient, value.scale])
      expect(decimal(value.toPlain()).equals(value)).toBe(true)
      expect(value.toPlain()).toBe(value.normalize().toString())
      expect(value.toPlain()).not.toMatch(/\.\d*0$|\.$/)
      expect(value.toNumber()).toBe(Number(value.toString()) + 0)
    }
  })

  test.each([
    ['-0.05', '-0.05', '-0.05'],
    ['0.50', '0.50', '0.5'],
    ['-100', '-100', '-100'],
    ['100.00', '100.00', '100'],
    ['-0.00', '0.00', '0'],
    ['+007.10', '7.10', '7.1'],
    ['12E2', '1200', '1200'],
    ['1.25e1', '12.5', '12.5'],
    ['1.25e+2', '125', '125'],
    ['1.25e-1', '0.125', '0.125'],
    ['1e0009', '1000000000', '1000000000'],
  ])('are written in full: %s', (text, whole, plain) => {
    expect([decimal(text).toString(), decimal(text).toPlain()]).toEqual([whole, plain])
  })

  test.each(['-', '+', 'e5', '1e', '1e+', '1e12345', '1e-12345', '--1', '1.2.3', '1.', '.1', 'Infinity', '1n'])(
    'are not read from %s',
    (text) => expect(Decimal.parse(text)).toBeUndefined(),
  )

  test('may have thousands of digits', () => {
    const large = decimal('1e9999')
    expect(large.digits()).toBe(10_000)
    expect(large.toString()).toBe(`1${'0'.repeat(9_999)}`)
    const small = decimal('1e-9999')
    expect([small.scale, large.multiply(small).toPlain()]).toEqual([9_999, '1'])
    for (const exponent of [511, 512, 513, 514]) expect(decimal(`1e${exponent}`).digits()).toBe(exponent + 1)
  })

  test('say what they are', () => {
    const said = ['-1.5', '0', '0.00', '2.00', '2.01', '-3'].map((text) => {
      const value = decimal(text)
      return [value.isZero(), value.isNegative(), value.isInteger(), value.digits(), value.absolute().toString()]
    })
    expect(said).toEqual([
      [false, true, false, 2, '1.5'],
      [true, false, true, 1, '0'],
      [true, false, true, 1, '0.00'],
      [false, false, true, 3, '2.00'],
      [false, false, false, 3, '2.01'],
      [false, true, true, 1, '3'],
    ])
    expect(decimal('-2.5').negate().toString()).toBe('2.5')
  })

  test('become doubles up to the edges at which those lose digits', () => {
    for (const text of [
      '9007199254740991',
      '-9007199254740991',
      '9007199254740992',
      '9007199254740994',
      '-0.1',
      '1e300',
    ])
      expect(decimal(text).toNumber()).toBe(Number(text))
    for (const text of ['9007199254740993', '-9007199254740993', '0.1000000000000000000001', '1e309', '-1e309'])
      expect(decimal(text).toNumber()).toBeUndefined()
    for (const value of [0.1, -2.5, 1e-7, 123456.789, 2 ** 53, -(2 ** 60), 5e-324, Number.MAX_VALUE])
      expect(Decimal.fromNumber(value).toNumber()).toBe(value)
    expect([Decimal.fromNumber(-7).scale, Decimal.fromNumber(1e-7).toString()]).toEqual([0, '0.0000001'])
  })

  test('get more places by rounding to them, and the same value', () => {
    expect(decimal('1.5').round(3, 'down').toString()).toBe('1.500')
    expect(decimal('1.5').round(1, 'up').toString()).toBe('1.5')
    expect(decimal('15').round(0, 'up').toString()).toBe('15')
    expect([Decimal.zero.toString(), Decimal.one.toString()]).toEqual(['0', '1'])
  })
})

describe('fractions', () => {
  test('are added and multiplied exactly, and rounded once', () => {
    const third = Rational.from(decimal('1')).divide(Rational.from(decimal('3')))!
    const sixth = Rational.from(decimal('0.5')).multiply(third)
    expect(third.add(sixth).round(4, 'half-up').toString()).toBe('0.5000')
    expect(third.add(third.negate()).numerator).toBe(0n)
    expect(third.add(third).add(third).round(0, 'down').toString()).toBe('1')
    expect(Rational.from(decimal('2.50')).round(0, 'half-even').toString()).toBe('2')
  })

  test('keep a positive denominator, whatever they are divided by', () => {
    for (const [one, other, sign] of [
      ['1', '-4', -1n],
      ['-1', '-4', 1n],
      ['-1', '4', -1n],
    ] as const) {
      const quotient = Rational.from(decimal(one)).divide(Rational.from(decimal(other)))!
      expect(quotient.denominator > 0n).toBe(true)
      expect(quotient.numerator * 4n).toBe(sign * quotient.denominator)
    }
  })

  test('are rounded by what they are, and not by the signs of their parts', () => {
    for (const rounding of roundings) {
      for (const [numerator, denominator] of [
        [7n, 2n],
        [-7n, 2n],
        [5n, 3n],
        [-5n, 3n],
      ] as const)
        expect(divideRounded(-numerator, -denominator, rounding)).toBe(divideRounded(numerator, denominator, rounding))
    }
    const ties = roundings.map((rounding) => [-3n, -1n, 1n, 3n, 5n].map((half) => divideRounded(half, 2n, rounding)))
    expect(ties).toEqual([
      [-2n, -1n, 1n, 2n, 3n],
      [-2n, 0n, 0n, 2n, 2n],
      [-2n, -1n, 1n, 2n, 3n],
      [-1n, 0n, 0n, 1n, 2n],
      [-1n, 0n, 1n, 2n, 3n],
      [-2n, -1n, 0n, 1n, 2n],
    ])
  })
})
