import { describe, expect, test } from 'bun:test'
import type { GroupFrame, Matrix } from '../../../../src/engines/pdf/frame/frame.ts'
import {
  apply,
  boundsOf,
  identity,
  multiply,
  placeOf,
  translation,
  turned,
} from '../../../../src/engines/pdf/frame/matrix.ts'

const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 1e6) / 1e6 + 0)
/** Where the corners of a box of 40 × 20 come to: upper left, upper right, lower right. */
const corners = (matrix: Matrix) =>
  [
    [0, 0],
    [40, 0],
    [40, 20],
  ].map(([x = 0, y = 0]) => rounded(apply(matrix, x, y)))

describe('A matrix', () => {
  const skew: Matrix = [2, 3, 5, 7, 11, 13]

  test('takes a point to x′ = ax + cy + e and y′ = bx + dy + f', () => {
    expect(apply(skew, 100, 10)).toEqual([261, 383])
    expect(apply(identity, 3, 4)).toEqual([3, 4])
    expect(apply(translation(5, 6), 3, 4)).toEqual([8, 10])
  })

  test('of two applies the inner one first', () => {
    const inner: Matrix = [17, 19, 23, 29, 31, 37]
    const [x, y] = apply(inner, 3, 4)
    expect(apply(multiply(skew, inner), 3, 4)).toEqual(apply(skew, x, y))
    expect(multiply(skew, inner)).toEqual([129, 184, 191, 272, 258, 365])
    expect(multiply(skew, identity)).toEqual(skew)
    expect(multiply(identity, skew)).toEqual(skew)
  })

  test('turns a box clockwise about its middle', () => {
    expect(corners(turned(40, 20, 0))).toEqual([
      [0, 0],
      [40, 0],
      [40, 20],
    ])
    expect(corners(turned(40, 20, 90))).toEqual([
      [30, -10],
      [30, 30],
      [10, 30],
    ])
    expect(corners(turned(40, 20, 180))).toEqual([
      [40, 20],
      [0, 20],
      [0, 0],
    ])
    const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)]
    expect(rounded(turned(40, 20, 30))).toEqual(rounded([c, s, -s, c, 20 - 20 * c + 10 * s, 10 - 20 * s - 10 * c]))
  })

  test('of a quarter turn is exact', () => {
    for (const degrees of [90, 180, 270, -90, 450])
      for (const value of turned(40, 20, degrees).slice(0, 4)) expect(Number.isInteger(value)).toBe(true)
  })

  test('mirrors a box about its middle before it turns it', () => {
    expect(corners(turned(40, 20, 0, { flipH: true, flipV: false }))).toEqual([
      [40, 0],
      [0, 0],
      [0, 20],
    ])
    expect(corners(turned(40, 20, 0, { flipH: false, flipV: true }))).toEqual([
      [0, 20],
      [40, 20],
      [40, 0],
    ])
    expect(corners(turned(40, 20, 90, { flipH: true, flipV: false }))).toEqual([
      [30, 30],
      [30, -10],
      [10, -10],
    ])
    expect(corners(turned(40, 20, 90, { flipH: false, flipV: true }))).toEqual([
      [10, -10],
      [10, 30],
      [30, 30],
    ])
  })

  test('puts a box into the smallest upright one that holds it', () => {
    expect(boundsOf(identity, 3, 4, 40, 20)).toEqual({ x: 3, y: 4, width: 40, height: 20 })
    const quarter = boundsOf(turned(40, 20, 90), 0, 0, 40, 20)
    expect(rounded([quarter.x, quarter.y, quarter.width, quarter.height])).toEqual([10, -10, 20, 40])
    expect(boundsOf([1, 1, -1, 1, 100, 200], 0, 0, 30, 10)).toEqual({ x: 90, y: 200, width: 40, height: 40 })
    expect(boundsOf([-1, 1, 1, 1, 0, 0], 0, 0, 30, 10)).toEqual({ x: -30, y: 0, width: 40, height: 40 })
  })

  test('of a group holds its place', () => {
    const group: GroupFrame = { kind: 'group', x: 100, y: 200, matrix: [2, 0, 0, 3, 5, 7], frames: [] }
    expect(placeOf(group)).toEqual([2, 0, 0, 3, 105, 207])
  })
})
