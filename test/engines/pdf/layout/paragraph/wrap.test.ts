import { expect, test } from 'bun:test'
import { type Exclusion, giveWay } from '../../../../../src/engines/pdf/layout/paragraph/wrap.ts'
import { leastCpuMsOf } from '../../../../support/cpu.ts'

const square = (left: number): Exclusion => ({
  left,
  right: left + 50,
  top: 0,
  bottom: 100,
  whole: false,
  sides: 'both',
})

test('a line beside many floating objects at one height finds its places immediately', () => {
  const many = Array.from({ length: 40 }, () => square(175))
  const ms = leastCpuMsOf(() => {
    expect(giveWay(many, { left: 0, right: 400 }, { top: 10, height: 12 })).toEqual({
      left: 0,
      right: 225,
      skip: 0,
      more: [{ left: 225, right: 0 }],
    })
  })
  expect(ms).toBeLessThan(250)
})

test('a line continues between each two of several floating objects', () => {
  const row = [square(100), square(250)]
  expect(giveWay(row, { left: 0, right: 400 }, { top: 10, height: 12 })).toEqual({
    left: 0,
    right: 300,
    skip: 0,
    more: [
      { left: 150, right: 150 },
      { left: 300, right: 0 },
    ],
  })
})

test('a line finds its place however many objects are elsewhere on the page', () => {
  const elsewhere = Array.from({ length: 40 }, (_, at): Exclusion => {
    return { left: 300, right: 350, top: 0, bottom: 11 + at, whole: true, sides: 'both' }
  })
  const column = { left: 0, right: 200 }
  const whole: Exclusion = { left: 50, right: 150, top: 0, bottom: 90, whole: true, sides: 'both' }
  expect(giveWay([...elsewhere, whole], column, { top: 10, height: 10 }).skip).toBe(80)
  const stacked = elsewhere.map((area) => ({ ...area, left: 50, right: 150 }))
  expect(giveWay(stacked, column, { top: 10, height: 10 }).skip).toBe(40)
  // Two that leave too little room between them and beside them.
  const apart = [
    { ...whole, left: 0, right: 90, whole: false },
    { ...whole, left: 110, right: 200, bottom: 120, whole: false },
  ]
  expect(giveWay([...elsewhere, ...apart], column, { top: 10, height: 10 })).toEqual({ left: 0, right: 90, skip: 80 })
})
