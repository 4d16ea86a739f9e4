import { expect, test } from 'bun:test'
import { LineIndex, locatePointers, positionAt } from '../../src/core/positions.ts'

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

test('an index of lines and a walk through the text give the same place for every offset', () => {
  for (const source of ['', 'a', '\n', 'ab\r\ncd\n\ne', '\n\n\n', 'x'.repeat(20), Array(40).fill('line').join('\n')]) {
    const index = new LineIndex(source)
    for (let offset = 0; offset <= source.length; offset++)
      expect([source, offset, index.positionOf(offset)]).toEqual([source, offset, positionAt(source, offset)])
  }
  expect(new LineIndex('ab\ncd').positionOf(3)).toEqual({ line: 2, column: 1 })
  expect(new LineIndex('ab\ncd').positionOf(2)).toEqual({ line: 1, column: 3 })
})

test('values are found whatever surrounds them', () => {
  const compact = '{"a":[{"b":"x,y:\\"}"},[],[1,[2,3]]],"c":{"a":1},"d":-1.5e3}'
  const found = locatePointers(compact, ['/a/0/b', '/a/1', '/a/2/1/1', '/c/a', '/d', '/a/2/0'])
  expect(
    [...found].map(([pointer, { line, column }]) => [pointer, line, compact.slice(column - 1, column + 1)]),
  ).toEqual([
    ['/a/0/b', 1, '"x'],
    ['/a/1', 1, '[]'],
    ['/a/2/0', 1, '1,'],
    ['/a/2/1/1', 1, '3]'],
    ['/c/a', 1, '1}'],
    ['/d', 1, '-1'],
  ])
  // A string value that equals a key is no key.
  expect(locatePointers('{"a" : "b", "b":"a"}', ['/b', '/a']).get('/b')).toEqual({ line: 1, column: 17 })
})

test('places count each kind of line and every character before them', () => {
  const lines = '[\r\n\t"é",\n\n   "😀", {"k":"v"}]'
  const places = locatePointers(lines, ['/0', '/1', '/2', '/2/k', ''])
  expect(Object.fromEntries(places)).toEqual({
    '': { line: 1, column: 1 },
    '/0': { line: 2, column: 2 },
    '/1': { line: 4, column: 4 },
    '/2': { line: 4, column: 10 },
    '/2/k': { line: 4, column: 15 },
  })
  expect([positionAt(lines, 0), positionAt('\n', 1), positionAt('', 0)]).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 1 },
    { line: 1, column: 1 },
  ])
})

test('a value is found by its own pointer, and not by that of its neighbours or its parent', () => {
  const nested = '{"a":{"b":[{"c":1},{"c":2}],"a":{"a":"deep"}},"b":{"c":3},"":[[]]}'
  const at = (pointer: string) => {
    const place = locatePointers(nested, [pointer]).get(pointer)
    return place === undefined ? undefined : nested.slice(place.column - 1, place.column + 2)
  }
  expect(['/a/b/0/c', '/a/b/1/c', '/b/c', '/a/a', '/a/a/a', '//0', '/a/b/1'].map(at)).toEqual([
    ...['1},', '2}]', '3},', '{"a', '"de', '[]]', '{"c'],
  ])
  expect(['/b/b', '/a/b/2', '/a/b/c', '/c', '/a/b/01', '/a/a/a/a', '//1'].map(at)).toEqual(Array(7).fill(undefined))
})

test('strings that hold brackets, commas, quotes or backslashes shift nothing after them', () => {
  for (const odd of ['"]"', '"}"', '"{["', '",,"', '":"', '"\\\\"', '"\\""', '"\\\\\\""', '""']) {
    const list = `[${odd} , {${odd}:0, "b" : ${odd}} , 9]`
    const places = locatePointers(list, ['/2', '/1/b', '/1'])
    expect([odd, list[places.get('/2')!.column - 1]]).toEqual([odd, '9'])
    expect(list.slice(places.get('/1/b')!.column - 1)).toStartWith(odd)
    expect(list[places.get('/1')!.column - 1]).toBe('{')
  }
})
