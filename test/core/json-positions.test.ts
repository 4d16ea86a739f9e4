import { expect, test } from 'bun:test'
import { locatePointers, positionAt } from '../../src/core/positions.ts'

const text = `{
  "name": "a \\"quoted\\", [text]",
  "list": [1, {"x/y": true},
    "z"],
  "__proto__": {"deep": [[], [null]]}
}`

test('every pointer leads to where its value begins', () => {
  const places = locatePointers(text, ['', '/name', '/list', '/list/1/x~1y', '/list/2', '/__proto__/deep/1/0'])
  expect(Object.fromEntries(places)).toEqual({
    '': { line: 1, column: 1 },
    '/name': { line: 2, column: 11 },
    '/list': { line: 3, column: 11 },
    '/list/1/x~1y': { line: 3, column: 23 },
    '/list/2': { line: 4, column: 5 },
    '/__proto__/deep/1/0': { line: 5, column: 31 },
  })
})

test('a pointer that leads to nothing has no place', () => {
  expect(locatePointers(text, ['/list/9', '/nothing', '/name/0', 'no pointer']).size).toBe(0)
})

test('columns count from the last line feed', () => {
  expect(positionAt('ab\r\ncd', 5)).toEqual({ line: 2, column: 2 })
})
