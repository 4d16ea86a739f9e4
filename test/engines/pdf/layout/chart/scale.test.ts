import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../../src/core/limits.ts'
import { scaleFor, shareOf, ticksOf } from '../../../../../src/engines/pdf/layout/chart/scale.ts'
import type { Axis } from '../../../../../src/engines/pdf/model/chart.ts'

type Stated = Partial<Pick<Axis, 'min' | 'max' | 'majorUnit' | 'logBase'>>
const axisOf = (stated: Stated): Axis => ({
  ...{ id: '1', crossesId: '2', kind: 'value', position: 'l', isDeleted: false, isReversed: false },
  ...{ min: undefined, max: undefined, majorUnit: undefined, logBase: undefined, format: undefined },
  ...{ labels: 'nextTo', look: {}, labelRotation: undefined, labelSkip: undefined, majorTick: 'none' },
  ...{ line: undefined, grid: undefined, title: undefined, crosses: 'autoZero', between: true },
  ...stated,
})
const wish = { intervals: 10, fromZero: true, clear: false, isPercent: false }
/** Least, greatest and step, without a rounding error. */
const scale = (min: number, max: number, stated: Stated = {}, more: Partial<typeof wish> = {}) => {
  const found = scaleFor({ min, max }, axisOf(stated), { ...wish, ...more })
  return [found.min, found.max, found.step]
}

describe('the steps of a scale', () => {
  test('are 1, 2 or 5 times a power of ten, and no smaller than its intervals allow', () => {
    expect([10, 10.1, 20, 20.1, 50, 50.1, 100, 100.1].map((max) => scale(0, max)[2])).toEqual([
      1, 2, 2, 5, 5, 10, 10, 20,
    ])
    expect([0.1, 0.11, 0.002, 3e7].map((max) => scale(0, max)[2])).toEqual([0.01, 0.02, 0.0002, 5e6])
    expect([2, 3, 4, 5].map((intervals) => scale(0, 10, {}, { intervals })[2])).toEqual([5, 5, 5, 2])
  })

  test('are one larger where the ends that they are moved out to would need more of them', () => {
    // From -1 to 9 are ten steps of one; from -1.5 to 8.5 they would be eleven.
    expect(scale(-1, 9)).toEqual([-1, 9, 1])
    expect(scale(-1.5, 8.5)).toEqual([-2, 10, 2])
  })

  test('are the stated ones, unless there would be too many, or none', () => {
    expect(scale(0, 10, { majorUnit: 3 })).toEqual([0, 12, 3])
    expect(scale(0, 10, { majorUnit: 10 / limits.chartTicks })[2]).toBe(10 / limits.chartTicks)
    expect(scale(0, 10, { majorUnit: 9 / limits.chartTicks })[2]).toBe(1)
    expect([scale(0, 10, { majorUnit: 0 })[2], scale(0, 10, { majorUnit: -2 })[2]]).toEqual([1, 1])
    // However few labels have room.
    expect(scale(0, 10, { majorUnit: 1 }, { intervals: 2 })).toEqual([0, 10, 1])
  })

  test('leave no rounding error at their ends', () => {
    expect(scale(-0.3, 0.6)).toEqual([-0.3, 0.6, 0.1])
    expect(scale(0, 0.7)).toEqual([0, 0.7, 0.1])
    expect(scale(-0.7, 0)).toEqual([-0.7, 0, 0.1])
    expect(Object.is(scale(-9, -1)[1], 0)).toBe(true)
  })
})

describe('the ends of a scale', () => {
  test('of shares are nothing and the whole, and below them where shares are negative', () => {
    const shares = (min: number, max: number) => scale(min, max, {}, { isPercent: true })
    expect([shares(0.95, 0.97), shares(0, 1), shares(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)]).toEqual(
      new Array(3).fill([0, 1, 0.1]),
    )
    const [least, greatest] = shares(-0.4, 0.6)
    expect([least, greatest]).toEqual([-0.4, 1])
    // A logarithm has no nothing.
    expect(scale(0.2, 0.6, { logBase: 10 }, { isPercent: true })).toEqual([0, 1, 0.1])
  })

  test('are at zero where values differ by more than a sixth of the greatest', () => {
    expect(scale(8, 10)).toEqual([0, 10, 1])
    // The others are seen from half of their distance below them; 50 and 60 are just so close.
    expect(scale(50, 60)).toEqual([44, 60, 2])
    expect(scale(49, 60)).toEqual([0, 60, 10])
    expect(scale(95, 100)).toEqual([92, 100, 1])
    expect(scale(-10, -8)).toEqual([-10, 0, 1])
    expect(scale(-100, -95)).toEqual([-100, -92, 1])
  })

  test('are at the steps around the values where the scale need not begin at zero', () => {
    expect(scale(8.2, 9.7, {}, { fromZero: false })).toEqual([8.2, 9.8, 0.2])
    expect(scale(100, 109, {}, { fromZero: false })).toEqual([100, 109, 1])
  })

  test('keep away from values by a twentieth where bars have no room of their own', () => {
    const clear = { clear: true }
    expect(scale(0, 9.5, {}, clear)).toEqual([0, 10, 1])
    expect(scale(0, 9.6, {}, clear)).toEqual([0, 12, 2])
    expect(scale(-9.5, 0, {}, clear)).toEqual([-10, 0, 1])
    expect(scale(-9.6, 0, {}, clear)).toEqual([-12, 0, 2])
    expect(scale(-4.9, 4.2, {}, clear)).toEqual([-6, 6, 2])
    // Zero needs no distance, and shares end with the whole.
    expect(scale(0, 4.2, {}, clear)[0]).toBe(0)
    expect(scale(0, 1, {}, { ...clear, isPercent: true })).toEqual([0, 1, 0.1])
    // A stated end stays.
    expect(scale(0, 10, { max: 10 }, clear)).toEqual([0, 10, 1])
    expect(scale(-10, 5, { min: -10, max: 5 }, clear).slice(0, 2)).toEqual([-10, 5])
  })

  test('are apart where all values are equal', () => {
    expect(scale(7, 7)).toEqual([0, 7, 1])
    expect(scale(7, 7, {}, { fromZero: false })).toEqual([7, 14, 1])
    expect(scale(0, 0)).toEqual([0, 1, 0.1])
    expect(scale(-7, -7)).toEqual([-7, 0, 1])
    expect(scale(5, 5, { min: 5 })).toEqual([5, 10, 0.5])
    expect(scale(5, 5, { min: 5, max: 5 })).toEqual([5, 10, 0.5])
    expect(scale(0, 0, { max: 0 }, { fromZero: false })).toEqual([-1, 0, 0.1])
    expect(scale(5, 5, { max: 5 }, { fromZero: false })).toEqual([2.5, 5, 0.5])
  })

  test('that are stated stay, and the steps are counted from the lower of them', () => {
    expect(scale(0, 9, { min: 0.5 }, { intervals: 3 })).toEqual([0.5, 10.5, 5])
    expect(scale(0, 9, { max: 9.5 }, { intervals: 3 })).toEqual([-0.5, 9.5, 5])
    expect(scale(0, 9, { min: 1, max: 8 })).toEqual([1, 8, 1])
    expect(scale(-9, -4, { min: -8 })).toEqual([-8, 0, 1])
    expect(scale(-9, -4, { max: -2 })).toEqual([-9, -2, 1])
    expect(scale(-9, -4, { max: -2.5 }, { intervals: 2 })).toEqual([-12.5, -2.5, 5])
  })

  test('without values go from zero to one, and the whole is the end of shares', () => {
    expect(scale(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)).toEqual([0, 1, 0.1])
    expect(scale(0.2, 0.4, {}, { isPercent: true })).toEqual([0, 1, 0.1])
    expect(scale(-0.5, 0.5, {}, { isPercent: true })).toEqual([-0.6, 1, 0.2])
  })
})

describe('a logarithmic scale', () => {
  const powers = (min: number, max: number, stated: Stated = {}) =>
    scale(min, max, { logBase: 10, ...stated }).slice(0, 2)

  test('goes from the power below the least value to the one above the greatest', () => {
    expect(powers(3, 700)).toEqual([0, 3])
    expect(powers(0.5, 700)).toEqual([-1, 3])
    expect(powers(1, 1000)).toEqual([0, 3])
    expect(powers(1000, 5000)).toEqual([3, 4])
    expect(powers(0.02, 0.05)).toEqual([-2, -1])
    expect(scale(3, 9, { logBase: 2 })).toEqual([1, 4, 1])
  })

  test('has a power at least, and three hundred at most', () => {
    expect(powers(10, 10)).toEqual([1, 2])
    expect(powers(1e-200, 1e200)).toEqual([-200, 100])
    expect(powers(1, 5, { min: 100, max: 10 })).toEqual([2, 3])
  })

  test('begins at one, or below, where some values have no logarithm', () => {
    expect(powers(-5, 700)).toEqual([0, 3])
    expect(powers(0, 0.05)).toEqual([-2, -1])
    expect(powers(-5, -2)).toEqual([0, 1])
  })

  test('has the ends that are stated, where they have a logarithm', () => {
    const [low = 0, high = 0] = powers(0.01, 0.9, { min: 0.05, max: 0.5 })
    expect([low, high]).toEqual([expect.closeTo(Math.log10(0.05), 9), expect.closeTo(Math.log10(0.5), 9)])
    expect(powers(3, 700, { min: 0, max: -4 })).toEqual([0, 3])
    expect(powers(3, 700, { max: 1e5 })).toEqual([0, 5])
  })

  test('is one of steps where its base makes no sense, or it shows shares', () => {
    expect(scale(0, 10, { logBase: 1 })).toEqual([0, 10, 1])
    expect(scale(0, 1, { logBase: 10 }, { isPercent: true })).toEqual([0, 1, 0.1])
  })
})

test('a scale has no more ticks than can be drawn, and the last may be missed by a rounding error', () => {
  expect(ticksOf({ min: 0, max: 1e6, step: 1, log: undefined })).toHaveLength(limits.chartTicks + 1)
  expect(ticksOf({ min: 0, max: 0.3 - 1e-12, step: 0.1, log: undefined })).toEqual([0, 0.1, 0.2, 0.3])
  expect(ticksOf({ min: 0, max: 0.29, step: 0.1, log: undefined })).toEqual([0, 0.1, 0.2])
  expect(ticksOf({ min: -1e-17, max: 1, step: 1, log: undefined })).toEqual([0, 1])
  expect(shareOf(0.05, { min: -2, max: 0, step: 1, log: 10 })).toBeCloseTo((Math.log10(0.05) + 2) / 2, 9)
})
