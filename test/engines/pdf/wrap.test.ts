import { expect, test } from 'bun:test'
import { type Exclusion, giveWay } from '../../../src/engines/pdf/layout/paragraph/wrap.ts'
import { cpuMsOf } from '../../support/cpu.ts'

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
  const ms = cpuMsOf(() => {
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
