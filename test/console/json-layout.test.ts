import { describe, expect, test } from 'bun:test'
import { isPackedJson, layOutJson } from '../../src/console/json-layout.ts'

describe('a JSON text laid out for reading', () => {
  test('has a member a line, and empty lists and objects on one', () => {
    expect(layOutJson('{"a":[1,{"b":null}],"c":{},"d":[]}').text).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    )
  })

  test('keeps every token as it was: digits of numbers, escapes, signs inside strings', () => {
    const source = '{"n":[1.00,1e400,-0],"s":"a\\"{,:}[] \\u00e9","s":"twice"}'
    expect(layOutJson(source).text.replace(/\n\s*|(?<=:) /g, '')).toBe(source)
  })

  test('shows all of a text that breaks off or isn’t JSON, and where each character went', () => {
    const source = '{"a":[1,2,oops "x'
    const { text, offsetOf } = layOutJson(source)
    expect(text).toBe('{\n  "a": [\n    1,\n    2,\n    oops"x')
    for (const token of ['"a"', '2', 'oops', '"x']) expect(offsetOf(source.indexOf(token))).toBe(text.indexOf(token))
  })

  test('does not grow by the square where brackets are nested', () => {
    const depth = 20_000
    expect(layOutJson('['.repeat(depth)).text.length).toBeLessThan(depth * 100)
  })

  test('is asked for only where JSON has lines that nobody can read', () => {
    const long = JSON.stringify({ a: 'x'.repeat(300) })
    expect(isPackedJson(long)).toBe(true)
    expect(isPackedJson(`  ${long}\n`)).toBe(true)
    expect(isPackedJson('{"a":1}')).toBe(false)
    expect(isPackedJson(`{\n  "a": 1\n}\n`.repeat(50))).toBe(false)
    expect(isPackedJson('<a/>'.repeat(100))).toBe(false)
  })

  test('is asked for from a line of 201 characters on, wherever it is', () => {
    const line = (chars: number) => `[${'1'.repeat(chars - 2)}]`
    expect([isPackedJson(line(200)), isPackedJson(line(201))]).toEqual([false, true])
    expect([isPackedJson(`[\n${'1'.repeat(200)}\n]`), isPackedJson(`[\n${'1'.repeat(201)}\n]`)]).toEqual([false, true])
    expect([isPackedJson(`[1\n,${'1'.repeat(199)}`), isPackedJson(`[1\n,${'1'.repeat(200)}`)]).toEqual([false, true])
    expect([isPackedJson(`  ${line(300)}`), isPackedJson(`"${'a'.repeat(300)}"`), isPackedJson('')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
