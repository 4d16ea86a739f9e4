import { describe, expect, test } from 'bun:test'
import { causesOf, detailOf } from '../../src/core/error-cause.ts'

describe('causes of an error', () => {
  test('come outermost first, and end at what is no error', () => {
    const inner = new Error('inner', { cause: 'text' })
    const outer = new Error('outer', { cause: inner })
    expect([...causesOf(outer)]).toEqual([outer, inner])
    expect([...causesOf('text')]).toEqual([])
  })

  test('end after five, also when errors wrap each other in a circle', () => {
    const circle = new Error('circle')
    circle.cause = circle
    expect([...causesOf(circle)]).toHaveLength(5)
  })
})

describe('a detail of an error', () => {
  test('is its code as text, or another member by name', () => {
    expect(detailOf(Object.assign(new Error(), { code: 'ENOSPC' }))).toBe('ENOSPC')
    expect(detailOf({ code: 2 })).toBe('2')
    expect(detailOf({ code: 'x', constraint_name: 'events_sequence' }, 'constraint_name')).toBe('events_sequence')
  })

  test('is undefined if there is no cause, or none that can be read as text', () => {
    for (const error of [undefined, null, 'ENOSPC', {}, { code: {} }, { code: null }])
      expect(detailOf(error)).toBeUndefined()
  })
})
