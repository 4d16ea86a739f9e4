import { describe, expect, test } from 'bun:test'
import { rowsOf } from '../../src/console/source-rows.ts'

describe('the rows of a text', () => {
  test('a line too long for the box goes on in rows without a number', () => {
    expect(rowsOf('abcdefgh\n\nij', [], 3)).toEqual([
      { line: 1, text: 'abc', isLit: false },
      { text: 'def', isLit: false },
      { text: 'gh', isLit: false },
      { line: 2, text: '', isLit: false },
      { line: 3, text: 'ij', isLit: false },
    ])
  })

  test('no row ends within a character', () => {
    expect(rowsOf('ab😀cd', [], 3).map(({ text }) => text)).toEqual(['ab', '😀c', 'd'])
  })

  test('a mark lights all rows of its line, underlines what is at its place, and has its message below', () => {
    expect(rowsOf('{\n  "a": "b"\n}', [{ line: 2, column: 8, message: 'wrong' }], 80)).toEqual([
      { line: 1, text: '{', isLit: false },
      { line: 2, text: '  "a": "b"', isLit: true, marked: [7, 10] },
      { text: 'wrong', isLit: true, noteAt: 7 },
      { line: 3, text: '}', isLit: false },
    ])
  })

  test('two marks of a line both have their message, and a mark without a place lights the line alone', () => {
    const marks = [{ line: 1, column: 1, message: 'one' }, { line: 1, message: 'two' }, { line: 2 }]
    expect(rowsOf('a b\nc', marks, 80)).toEqual([
      { line: 1, text: 'a b', isLit: true, marked: [0, 1] },
      { text: 'one', isLit: true, noteAt: 0 },
      { text: 'two', isLit: true, noteAt: 0 },
      { line: 2, text: 'c', isLit: true },
    ])
  })

  test('a mark in a later row of a long line is in that row', () => {
    const rows = rowsOf('aaaa bbbb', [{ line: 1, column: 6, message: 'b' }], 5)
    expect(rows.map(({ marked }) => marked)).toEqual([undefined, [0, 4], undefined])
  })

  test('a mark on a sign of its own, or at the end of a line, is one character wide', () => {
    const marked = (column: number) => rowsOf('a: {', [{ line: 1, column, message: 'm' }], 80)[0]?.marked
    expect([marked(1), marked(2), marked(4), marked(5)]).toEqual([[0, 1], [1, 2], [3, 4], undefined])
  })

  test('a message is below its place, but not in the right two thirds of a narrow box', () => {
    const noteAt = (column: number | undefined, columns: number) =>
      rowsOf('a'.repeat(100), [{ line: 1, ...(column === undefined ? {} : { column }), message: 'm' }], columns).at(-1)
        ?.noteAt
    expect([noteAt(1, 10), noteAt(3, 10), noteAt(4, 10), noteAt(5, 10), noteAt(10, 10)]).toEqual([0, 2, 3, 3, 3])
    // In a later row it is counted from that row's beginning.
    expect([noteAt(11, 10), noteAt(13, 10), noteAt(undefined, 10)]).toEqual([0, 2, 0])
    expect([noteAt(5, 11), noteAt(5, 12)]).toEqual([3, 4])
  })

  test('a mark is as wide as the string, number or word at its place, in the row that it begins in', () => {
    const marked = (line: string, column: number) => rowsOf(line, [{ line: 1, column }], 80)[0]?.marked
    expect(marked('"a\\"b" c', 1)).toEqual([0, 6])
    expect(marked('x: -1.5e+3,', 4)).toEqual([3, 10])
    expect(marked('some word', 6)).toEqual([5, 9])
    expect(marked('"open', 1)).toEqual([0, 1])
    expect(rowsOf('abcdefgh', [{ line: 1, column: 2 }], 4).map(({ marked: place }) => place)).toEqual([
      [1, 4],
      undefined,
    ])
  })

  test('a line that just fits is one row, and its last half of a character is not parted', () => {
    expect(rowsOf('abcd', [], 4).map(({ text }) => text)).toEqual(['abcd'])
    expect(rowsOf('abcde', [], 4).map(({ text }) => text)).toEqual(['abcd', 'e'])
    expect(rowsOf('abc😀', [], 5).map(({ text }) => text)).toEqual(['abc😀'])
  })
})
