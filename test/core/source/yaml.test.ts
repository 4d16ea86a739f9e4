import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { readAnyYaml } from '../../../src/core/source/read.ts'
import type { SourceNode } from '../../../src/core/source/tree.ts'
import { readPlainYaml } from '../../../src/core/source/yaml.ts'
import { pick as pickOne, seeded } from '../../engines/declarative/seeded.ts'

const remedies = { alias: '', anchor: '', merge: '', deep: '', long: '', empty: '' }

/** Everything that a tree says, with exact numbers as text. */
function picture(node: SourceNode): unknown {
  if (node.kind === 'list') return ['list', node.offset, node.key, node.items.map(picture)]
  if (node.kind === 'map') {
    const entries = node.entries.map(({ key, keyOffset, value }) => [key, keyOffset, picture(value)])
    return ['map', node.offset, node.key, [...node.byKey.keys()], entries]
  }
  const isExact = typeof node.value === 'object' && node.value !== null
  return ['scalar', node.offset, node.key, node.text, isExact ? `decimal ${node.value}` : node.value]
}

/** How the plain reader took a text, after the library has agreed with what it made. */
function compare(text: string): 'read' | 'unread' | 'refused' {
  let refusals = 0
  const plain = readPlainYaml(text, limits.transformSourceNodes, {
    onDuplicateKey: () => refusals++,
    onMark: () => refusals++,
  })
  if (plain.kind !== 'read') return 'unread'
  const library = readAnyYaml(text, { offset: 0, isDeep: true }, remedies)
  if (refusals > 0) {
    expect([text, library.ok]).toEqual([text, false])
    return 'refused'
  }
  if (!library.ok) throw new Error(`${JSON.stringify(text)} was read, but ${library.findings[0]!.message}`)
  expect([text, picture(plain.root)]).toEqual([text, picture(library.value)])
  return 'read'
}

describe('YAML read from events', () => {
  // biome-ignore format: one line reads better than sixty
  const bits = ['a', 'b: ', 'c:', '- ', '-', '\n', '\n', '\n  ', '\n    ', ' ', '  ', '"x"', "'y'", '"k": ', "''", '[', '] ', ']', '{', '}', ', ', ',', '# c', '|\n', '>-\n', '1', '-1', '1.5', '007', 'true', '~', 'null', 'x y', 'a#b', 'a:b', ':', '?', '$each: /l', '*a', '&b ', '!c ', '|2\n', '>\n', '"a\n  b"', '? ', '"\\x41\\/"', '"\\ud83d\\ude00"', '%', '\\n', '"\\u00e9\\n"', '\r\n', 'é', '0x1', '.5', '1e3', '2024-01-01', 'k1: v', '\n- ', '\n  - ', '\n  k: ', '|+\n', 'text', '/a/b', '"a":1', '"', "'", '<<: x', '@', '`', '\t', '---']

  test('is the same tree, or left to the library, whatever characters follow each other', () => {
    const random = seeded(11)
    let read = 0
    for (let round = 0; round < 8_000; round++) {
      let text = random(2) === 0 ? 'a: ' : ''
      for (let length = 1 + random(12); length > 0; length--) text += bits[random(bits.length)]
      if (compare(text) === 'read') read++
    }
    expect(read).toBeGreaterThan(200)
  }, 60_000)

  test('is the same tree where blocks, flows, scalars, comments and indentations are nested at random', () => {
    const random = seeded(12)
    const pick = (choices: readonly string[]) => pickOne(random, choices)
    // biome-ignore format: one line reads better than thirty
    const scalars = ['x', '/a/b', '$v/p', '"q\\n"', "'it''s'", '1', '-2.50', 'true', 'null', '~', 'a b c', 'a:b', 'x#y', '"a: b"', '"#"', '2024-01-01', '""', '{s} {n}'.slice(1), 'é ü', '-x', '?y', ':z', '1.', '+1', '1e3', 'a  # c', '😀']
    const keys = ['$each', 'as', 'k1', '"q k"', "'k 3'", 'a b', 'x/y', '1', 'true', '"é"']

    function flow(depth: number): string {
      const gap = () => pick(['', ' ', '  ', '\n            '])
      const kind = random(depth > 2 ? 1 : 3)
      if (kind === 0) return pick(['x', '/a/b', '"q\\n"', "'it''s'", '1', '-2.50', 'a b c', 'a:b', '"a: b, c"', 'é'])
      const members = Array.from({ length: random(4) }, (_, index) =>
        kind === 1
          ? flow(depth + 1)
          : `${pick(['a', '$e', 'b c'])}${index}:${pick([' ', '\n           '])}${flow(depth + 1)}`,
      )
      const inner = members.join(`${gap()},${gap()}`)
      const comma = members.length > 0 ? pick(['', ',']) : ''
      return kind === 1 ? `[${gap()}${inner}${gap()}${comma}]` : `{${gap()}${inner}${gap()}${comma}}`
    }

    /** What follows a key's colon, to the end of its last line. */
    function block(indent: number, depth: number): string {
      const pad = ' '.repeat(indent)
      const kind = random(depth > 3 ? 3 : 6)
      if (kind < 2) return ` ${pick(scalars)}\n`
      if (kind === 2) return ` ${flow(0)}${pick(['', ' # c'])}\n`
      if (kind === 3) {
        const more = random(2) === 0 ? `${pad}  more: [\n\n` : ''
        return `${pick([' |', ' >-', ' |+', ' >'])}\n${pad}text\n${more}${random(3) === 0 ? `${pad}end\n\n` : ''}`
      }
      const comment = random(5) === 0 ? `${pad}# comment\n\n` : ''
      const members = Array.from({ length: 1 + random(3) }, (_, index) => {
        if (kind === 4) return `${pad}n${index} ${pick(keys).replaceAll(/["']/g, '')}:${block(indent + 2, depth + 1)}`
        const style = random(3)
        if (style === 0) return `${pad}- ${pick(scalars)}\n`
        if (style === 1) return `${pad}- k: 1\n${pad}  m:${block(indent + 4, depth + 1)}`
        return `${pad}- ${pick(keys)}:${block(indent + 3, depth + 1)}`
      })
      return `\n${comment}${members.join('')}`
    }

    let read = 0
    for (let round = 0; round < 1_500; round++) {
      let text = `a:${block(1 + random(3), 0)}b:${block(random(3), 0)}`
      if (random(8) === 0) text = text.replaceAll('\n', '\r\n')
      if (random(10) === 0) text = text.trimEnd()
      if (compare(text) === 'read') read++
    }
    expect(read).toBeGreaterThan(500)
  }, 60_000)

  test('covers what transformers are written in', () => {
    // biome-ignore format: one line reads better than twenty
    for (const text of ['transform: declarative-v1\noutput:\n- a\n- { b: 1, "c":2 }\n', 'a: |\n  x\n  y\nb: >-\n  z\n', '{"transform": "declarative-v1",\n "output": [1, null]}\n', 'a: # why\n  - - 1\n    - 2\n  -\n    b: \'c\'\n', 'a:\r\n  $text: "{n} x"\r\n  n: /n # c\r\n']) {
      expect([text, compare(text)]).toEqual([text, 'read'])
    }
  })

  test('is read here too where a block has blank lines alone, unless it ends the text', () => {
    for (const header of ['|', '|-', '|+', '>', '>-', '>+']) {
      for (const blank of ['', '\n', '    \n', '\n      \n']) {
        expect(compare(`m:\n  a: ${header}\n${blank}  b: 1\n`)).toBe('read')
        expect(compare(`m:\n  b: 1\n  a: ${header}\n${blank}`)).toBe('unread')
      }
    }
  })

  test('leaves to the library what follows a quoted text on its line', () => {
    for (const text of ['a:\n- "x"k: v\n', "a:\n- 'y' k: v\n", 'a:\n- [b] k: v\n']) {
      expect([text, compare(text)]).toEqual([text, 'unread'])
    }
  })

  test('reads past duplicate keys, aliases, anchors and tags, and reports each once, with its place', () => {
    const told: string[] = []
    const reading = readPlainYaml('a: *x\na: { b: 1, b: &y 2 }\nc: [!t 3, *z]\n', limits.transformSourceNodes, {
      onDuplicateKey: (key, offset) => told.push(`${key} ${offset}`),
      onMark: (mark, offset) => told.push(`${mark} ${offset}`),
    })
    expect(reading.kind).toBe('read')
    expect(told).toEqual(['* 3', 'a 6', '& 20', '! 31', '* 37'])
  })

  test('takes a word, a text or nothing for a key, and refuses a list or a mapping at its place', () => {
    const read = (text: string) => readAnyYaml(text, { offset: 0, isDeep: true }, remedies)
    const keysOf = (text: string) => {
      const { value } = read(text) as { value: SourceNode }
      return value.kind === 'map' ? value.entries.map(({ key, keyOffset }) => [key, keyOffset]) : undefined
    }
    expect(keysOf('a: 1\n"b c": 2\n3: 3\n')).toEqual([
      ['a', 0],
      ['b c', 5],
      ['3', 14],
    ])
    expect(keysOf(': 1\n')).toEqual([['', 0]])
    const told = (text: string) => read(text).findings.map(({ code, line, column, hint }) => [code, line, column, hint])
    expect(told('a: 1\n? [b]\n: 2\n')).toEqual([['yaml', 2, 3, 'Quote it if it should be text.']])
    expect(told('a: {{ /name }}\n')).toEqual([['yaml', 1, 5, 'Write /name alone: double braces belong to templates.']])
  })

  test('stops at a bound on values, and never nests deeper than the stack bears', () => {
    const none = { onDuplicateKey: () => {}, onMark: () => {} }
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: v`).join('\n')
    expect(readPlainYaml(lines(limits.transformSourceNodes - 1), limits.transformSourceNodes, none).kind).toBe('read')
    expect(readPlainYaml(lines(limits.transformSourceNodes), limits.transformSourceNodes, none).kind).toBe('too-many')
    for (const deep of ['[', '{a: ', '- ', '& ', '&a '])
      expect(readPlainYaml(`a: ${deep.repeat(60_000)}`, limits.transformSourceNodes, none).kind).toBe('unread')
    expect(readPlainYaml('- '.repeat(100_000), limits.transformSourceNodes, none).kind).toBe('unread')
  })
})
