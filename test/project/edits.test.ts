import { describe, expect, test } from 'bun:test'
import type { ScalarNode } from '../../src/core/source/tree.ts'
import { spanOf, written } from '../../src/project/mutation/edits.ts'

/** What of a source is the scalar that begins at the first place of `from`, with its quote. */
function found(source: string, from: string, text = ''): [written: string, quote: string] | undefined {
  const offset = source.indexOf(from)
  const span = spanOf(source, { kind: 'scalar', offset, text } as ScalarNode)
  return span && [source.slice(span.start, span.end), span.quote]
}

describe('Where a scalar is written', () => {
  test('ends at its closing quote', () => {
    expect(found(`a: "x" # "y"`, '"')).toEqual(['"x"', '"'])
    expect(found(`a: 'x' # 'y'`, "'")).toEqual(["'x'", "'"])
    expect(found(`a: ''`, "'")).toEqual(["''", "'"])
    expect(found(`["", "b"]`, '"')).toEqual(['""', '"'])
  })

  test('goes over a quote that belongs to the text', () => {
    expect(found(`a: 'it''s' # 'y'`, "'")).toEqual(["'it''s'", "'"])
    expect(found(`a: '''' # 'y'`, "'")).toEqual(["''''", "'"])
    expect(found(String.raw`a: "x\"y\\" # "y"`, '"')).toEqual([String.raw`"x\"y\\"`, '"'])
    // Two double quotes are an end and a beginning, and single quotes have no escapes.
    expect(found(`"x""y"`, '"')).toEqual(['"x"', '"'])
    expect(found(String.raw`a: 'x\' # 'y'`, "'")).toEqual([String.raw`'x\'`, "'"])
  })

  test('is unknown where the text goes on in another line or has no end', () => {
    expect(found('a: "x\n  y"', '"')).toBeUndefined()
    expect(found("a: 'x\n  y'", "'")).toBeUndefined()
    expect(found('a: "x', '"')).toBeUndefined()
  })

  test('is the text itself where it has no quotes and stands in the source as it is', () => {
    expect(found('a: x y # z', 'x', 'x y')).toEqual(['x y', ''])
    expect(found('a: |\n  x', '|', 'x')).toBeUndefined()
    expect(found('a: ', ' ')).toBeUndefined()
  })
})

test('A text is written in quotes wherever it had some or could be taken for something else', () => {
  expect(written('Ada Lovelace-2.b_c', '')).toBe('Ada Lovelace-2.b_c')
  for (const text of ['true', 'No', 'NULL', 'yes', 'False', '1', '', '-x', 'a: b', 'x ', "it's", '"'])
    expect(written(text, '')).toBe(JSON.stringify(text))
  expect(written('trueness', '')).toBe('trueness')
  for (const quote of ['"', "'"]) expect(written('x', quote)).toBe('"x"')
})
