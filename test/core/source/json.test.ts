import { expect, test } from 'bun:test'
import { formatPointer } from '../../../src/core/pointer.ts'
import { LineIndex, locatePointers } from '../../../src/core/positions.ts'
import { readJsonTree } from '../../../src/core/source/json.ts'
import { pathOf, type SourceNode } from '../../../src/core/source/tree.ts'
import { pick, type Random, seeded } from '../../engines/declarative/seeded.ts'

/** The value of a tree, its numbers as doubles. */
function plainOf(node: SourceNode): unknown {
  if (node.kind === 'list') return node.items.map(plainOf)
  if (node.kind === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]))
  return typeof node.value === 'object' && node.value !== null ? Number(node.value.toString()) : node.value
}

function everyNode(node: SourceNode): SourceNode[] {
  if (node.kind === 'list') return [node, ...node.items.flatMap(everyNode)]
  if (node.kind === 'map') return [node, ...node.entries.flatMap(({ value }) => everyNode(value))]
  return [node]
}

/** JSON with blanks of every kind between its tokens. */
function someJson(random: Random, depth = 0): string {
  const gap = () => pick(random, ['', '', ' ', '\t', '\n  ', '\r\n'])
  const kind = random(depth > 3 ? 5 : 8)
  if (kind < 5) {
    return pick(random, [
      '0',
      '-1.50',
      '2e3',
      '1.5E-2',
      'true',
      'false',
      'null',
      '""',
      '"a, b: {c}]"',
      '"\\"\\\\"',
      '"ü\\u00e9😀"',
    ])
  }
  const count = random(4)
  const items = Array.from({ length: count }, (_, index) => {
    const value = `${gap()}${someJson(random, depth + 1)}${gap()}`
    return kind === 5 ? value : `${gap()}"k${index}${pick(random, ['', '\\n', '/', '~', ' \\" '])}"${gap()}:${value}`
  })
  const inner = count === 0 ? gap() : items.join(',')
  return kind === 5 ? `[${inner}]` : `{${inner}}`
}

test('the tree of a JSON text says what the text says, and where each value begins', () => {
  const random = seeded(21)
  for (let round = 0; round < 400; round++) {
    const text = `${pick(random, ['', ' ', '\n'])}${someJson(random)}${pick(random, ['', '\n'])}`
    const tree = readJsonTree(text)
    expect([text, plainOf(tree)]).toEqual([text, JSON.parse(text)])
    const nodes = everyNode(tree)
    const lines = new LineIndex(text)
    const places = Object.fromEntries(locatePointers(text, nodes.map(pathOf)))
    expect(places).toEqual(Object.fromEntries(nodes.map((node) => [pathOf(node), lines.positionOf(node.offset)])))
  }
})

test('a key is known with its place and by its name, in the order of the text', () => {
  const text = '{ "b" : 1,\n "a/~": [ true ] , "": {} }'
  const tree = readJsonTree(text)
  if (tree.kind !== 'map') throw new Error('it is an object')
  expect(tree.entries.map(({ key, keyOffset }) => [key, text.slice(keyOffset, keyOffset + 3)])).toEqual([
    ['b', '"b"'],
    ['a/~', '"a/'],
    ['', '"":'],
  ])
  expect([...tree.byKey.keys()]).toEqual(['b', 'a/~', ''])
  for (const entry of tree.entries) expect(tree.byKey.get(entry.key)).toBe(entry)
  const list = tree.byKey.get('a/~')!.value
  expect([list.key, list.parent]).toEqual(['a/~', tree])
  expect(everyNode(tree).map(pathOf)).toEqual(['', '/b', '/a~1~0', formatPointer(['a/~', 0]), '/'])
})

test('a scalar keeps the text it is written with, and a number all of its digits', () => {
  const tree = readJsonTree('["x\\ny", 12345678901234567890.10, true, null, -0.5e-3]')
  const scalars = everyNode(tree).flatMap((node) => (node.kind === 'scalar' ? [node] : []))
  expect(scalars.map(({ text }) => text)).toEqual(['x\ny', '12345678901234567890.10', 'true', 'null', '-0.5e-3'])
  expect(scalars.map(({ value }) => String(value))).toEqual([
    'x\ny',
    '12345678901234567890.10',
    'true',
    'null',
    '-0.0005',
  ])
})
