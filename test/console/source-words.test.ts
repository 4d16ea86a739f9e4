import { describe, expect, test } from 'bun:test'
import { lineOfPointer } from '../../src/console/views/configuration/source-lines.ts'
import { checkedText, sourceCompletions } from '../../src/console/views/transformer/source-words.ts'
import { linesInContract } from '../../src/console/views/workspace/contract-lines.ts'
import type { BrokenLink } from '../../src/console/views/workspace/links.ts'

describe('the line of a pointer', () => {
  const yaml = 'first: 1\nlist:\n  - a\n  - b:\n      c/d: 2\n'
  const json = '{\n  "list": [\n    "a",\n    {"b":\n      {"c/d": 2}}\n  ]\n}'

  test('is that of the value that it leads to, in YAML as in JSON', () => {
    for (const [source, lines] of [
      [yaml, [1, 3, 3, 5, 5]],
      [json, [undefined, 2, 3, 5, 5]],
    ] as const) {
      const pointers = ['/first', '/list', '/list/0', '/list/1/b', '/list/1/b/c~1d']
      expect(pointers.map((pointer) => lineOfPointer(source, pointer))).toEqual([...lines])
    }
  })

  test('is that of the last that is there, and none for the whole or for no pointer', () => {
    expect(lineOfPointer(yaml, '/list/1/none/x')).toBe(4)
    expect(lineOfPointer(yaml, '/first/x')).toBe(1)
    expect(lineOfPointer(yaml, '/list/9')).toBe(3)
    for (const pointer of ['', undefined, '/none', 'none']) expect(lineOfPointer(yaml, pointer)).toBeUndefined()
  })
})

describe('a transformer in the editor', () => {
  test('is completed with what the contract declares, operators and the names of the source, each once', () => {
    const source = 'transform:\n  name: $a\n  other_1: 2\n    inner: 3\nlet:\n  name: 4\n'
    const completions = sourceCompletions([{ pointer: '/a', type: 'string' }], source)
    expect(completions[0]).toEqual({ label: '/a', detail: 'string', type: 'property' })
    expect(completions.filter(({ type }) => type === 'variable').map(({ label }) => label)).toEqual([
      '$name',
      '$other_1',
    ])
    expect(completions.some(({ label }) => label === '$concat')).toBe(true)
  })

  test('without mistakes is told with what it reads and how many steps it takes at most', () => {
    expect(checkedText({ reads: ['/a'], costBound: 12_345 })).toBe('Checked: reads one place, at most 12,345 steps')
    expect(checkedText({ reads: ['/a', '/b'], costBound: 1 })).toBe('Checked: reads 2 places, at most 1 steps')
    expect([checkedText({ reads: [], costBound: 0 }), checkedText(undefined)]).toEqual(
      Array(2).fill('Checked: reads 0 places, at most 0 steps'),
    )
  })
})

describe('a contract beside a transformer', () => {
  const text =
    '{\n  "properties": {\n    "a": {"type": "string"},\n    "list": {\n      "items": {\n        "properties": {"b": {}}\n      }\n    }\n  }\n}'
  const link = (more: Partial<BrokenLink>): BrokenLink => ({
    ...{ kind: 'undeclared', severity: 'error', pointer: '/c', lines: [], bindings: [] },
    ...more,
  })

  test('has the lines lit that declare what is read, each once', () => {
    const lit = (...inputs: string[]) => linesInContract({ text, inputs, undeclared: [] }).lit
    expect(lit('/a', '/list/*/b', '/list/0/b', '/a')).toEqual([3, 6])
    expect(lit()).toEqual([])
  })

  test('says at its place what is read and not declared, and nothing of other links', () => {
    const undeclared = [
      link({ contractPlace: '/properties' }),
      link({ kind: 'unused', pointer: '/a' }),
      link({ pointer: '/d' }),
    ]
    const message = (pointer: string) => `The transformer reads ${pointer}, which isn’t declared here.`
    expect(linesInContract({ text, inputs: [], undeclared }).findings).toMatchObject([
      { code: 'undeclared', severity: 'error', line: 2, message: message('/c') },
      { code: 'undeclared', severity: 'error', line: 1, message: message('/d') },
    ])
  })

  test('says nothing while it is no JSON', () => {
    expect(linesInContract({ text: '{', inputs: ['/a'], undeclared: [link({})] })).toEqual({ lit: [], findings: [] })
  })
})
