import { describe, expect, test } from 'bun:test'
import { countOf, isMoving, mediaTypeOf, partsOf, shareDone } from '../../src/console/views/batch/words.ts'

const none = { waiting: 0, at_work: 0, completed: 0, failed: 0, refused: 0, erased: 0, dropped: 0 }

describe('the words of a batch', () => {
  test('name the parts that have rows, in the order of the bar', () => {
    expect(partsOf({ counts: { ...none, waiting: 3, completed: 5, refused: 1 } })).toEqual([
      { name: 'completed', rows: 5, tone: 'success' },
      { name: 'refused', rows: 1, tone: 'danger' },
      { name: 'waiting', rows: 3, tone: 'muted' },
    ])
    expect(partsOf({ counts: none })).toEqual([])
  })

  test('say 100 % once nothing is left, and not before', () => {
    const of = (counts: object) => shareDone({ rows: 1000, counts: { ...none, ...counts } })
    expect(of({ waiting: 1000 })).toBe(0)
    expect(of({ at_work: 1, completed: 999 })).toBe(99)
    expect(of({ completed: 990, failed: 10 })).toBe(100)
    expect(shareDone({ rows: 0, counts: none })).toBe(100)
  })

  test('count rows in groups, and one row as one', () => {
    expect([0, 1, 12_345].map(countOf)).toEqual(['0 rows', '1 row', '12,345 rows'])
  })

  test('know whether it changes by itself', () => {
    const is = (status: 'running' | 'paused' | 'completed', at_work = 0) =>
      isMoving({ status, counts: { ...none, at_work } })
    expect([is('running'), is('paused', 1), is('paused'), is('completed')]).toEqual([true, true, false, false])
  })

  test('tell the format by the end of the file’s name', () => {
    expect(['a.csv', 'A.CSV', 'a.ndjson', 'a.jsonl', 'csv'].map(mediaTypeOf)).toEqual([
      ...['text/csv', 'text/csv', 'application/x-ndjson', 'application/x-ndjson', 'application/x-ndjson'],
    ])
  })
})
