import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { causeOf, closedAs, placeOf } from '../../../src/modules/batches/batches.causes.ts'

type Failures = Parameters<typeof closedAs>[1]
const row = (number: number, submissionId: string | null) => ({ number, reopened: 0, submissionId })
const failed = (submissionId: string, step: string, issues: object[] = [], message = 'No.') =>
  ({ submissionId, step, failure: { code: 'broken', message, issues } }) as unknown as Failures[number]

describe('the place of a cause', () => {
  test('is the same in every row: no index of a list is in it, and names that have digits are', () => {
    expect(placeOf('/items/12/parts/3/x', '')).toBe('/items/*/parts/*/x')
    expect(placeOf('/12/3', '')).toBe('/*/*')
    expect(placeOf('/a1/2b/3c/4', '')).toBe('/a1/2b/3c/*')
  })

  test('is the field that a refusal names where it has no path', () => {
    expect(placeOf(undefined, 'Body field raw_input.a/3~x-y must be text.')).toBe('raw_input.a/3~x-y')
    expect(placeOf(undefined, 'The Body field x is wrong.')).toBe('')
    expect(placeOf('', 'Body field x is wrong.')).toBe('')
  })

  test('is cut where it is too long', () => {
    expect(placeOf(`/${'x'.repeat(limits.batchPlaceChars)}`, '')).toHaveLength(limits.batchPlaceChars)
  })
})

test('causes are told apart by code, step and place, and by nothing else', () => {
  const parts = { code: 'c', step: 's', place: 'p' }
  const { cause, ...rest } = causeOf(parts)
  expect(rest).toEqual(parts)
  expect(causeOf({ ...parts }).cause).toBe(cause)
  const others = [{ code: 'x' }, { step: '' }, { place: '/p' }, { code: 's', step: 'c' }]
  expect(new Set([cause, ...others.map((one) => causeOf({ ...parts, ...one }).cause)]).size).toBe(5)
})

describe('rows that ended', () => {
  test('are together where they ended in the same way, in the order in which they came', () => {
    const place = (at: number) => [{ path: `/items/${at}`, message: 'must be there' }]
    const failures = [
      failed('b', 'validate', place(1)),
      failed('c', 'validate', place(2)),
      failed('d', 'compose', place(1)),
    ]
    const rows = [row(1, 'a'), row(2, 'b'), row(3, null), row(4, 'c'), row(5, 'd')]
    const told = closedAs(rows, failures).map(({ rows: own, fields }) => [own.map(({ number }) => number), fields])
    const completed = { state: 'completed', cause: null, code: null, step: null, place: null, message: null }
    const fields = { state: 'failed', code: 'broken', place: '/items/*', message: 'No. must be there' }
    expect(told).toMatchObject([
      [[1, 3], completed],
      [[2, 4], { ...fields, step: 'validate' }],
      [[5], { ...fields, step: 'compose' }],
    ])
  })

  test('failed for the first of their executions that did, and for the first thing that is wrong with it', () => {
    const issues = [{ message: 'first' }, { path: '/x', message: 'last' }]
    const failures = [failed('a', 'validate', issues), failed('a', 'render')]
    expect(closedAs([row(1, 'a')], failures)[0]?.fields).toMatchObject({
      step: 'validate',
      place: '',
      message: 'No. first',
    })
    expect(closedAs([row(1, 'a')], failures.slice(1))[0]?.fields).toMatchObject({ step: 'render', message: 'No.' })
    const long = 'x'.repeat(limits.batchMessageChars + 1)
    expect(closedAs([row(1, 'a')], [failed('a', 'x', [], long)])[0]?.fields.message).toHaveLength(
      limits.batchMessageChars,
    )
    expect(closedAs([], failures)).toEqual([])
  })
})
