import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/core/finding.ts'
import { decimalOf, type JsonValue, readJson } from '../../src/core/json.ts'

function accepted(source: string | Uint8Array): JsonValue {
  const outcome = readJson(source)
  if (!outcome.ok) throw new Error(`refused: ${outcome.findings[0]?.message}`)
  return outcome.value
}

function refusal(source: string | Uint8Array, options?: { maxDepth?: number }): Finding {
  const outcome = readJson(source, options)
  if (outcome.ok) throw new Error(`accepted: ${JSON.stringify(outcome.value)}`)
  expect(outcome.findings).toHaveLength(1)
  const finding = outcome.findings[0]!
  expect(finding.severity).toBe('error')
  expect(finding.hint).toBeTruthy()
  expect(finding.code).toMatch(/^[a-z][a-z0-9_.:-]{0,63}$/)
  expect(finding.line).toBeGreaterThan(0)
  expect(finding.column).toBeGreaterThan(0)
  return finding
}

describe('the strict JSON reader', () => {
  test('reads every kind of value as JSON.parse does', () => {
    const text =
      ' {"a": [1, -2.5, 1e3, true, false, null, "x\\n\\u00e9\\ud83d\\ude00/\\/"], "": {}, "b": [], "c": [[[]]]} \r\n\t'
    expect(accepted(text)).toEqual(JSON.parse(text))
    expect(accepted(new TextEncoder().encode(text))).toEqual(JSON.parse(text))
  })

  test.each([
    ['', '', 1, 1],
    ['  ', '', 1, 3],
    ['tru', '', 1, 1],
    ['[1,]', '', 1, 4],
    ['[1 2]', '/1', 1, 4],
    ['[1', '/1', 1, 3],
    ['{"a":1,}', '', 1, 8],
    ["{'a':1}", '', 1, 2],
    ['{"a" 1}', '/a', 1, 6],
    ['{"a":1 "b":2}', '/a', 1, 8],
    ['1 2', '', 1, 3],
    ['// note\n1', '', 1, 1],
    ['"abc', '', 1, 5],
    ['"a\nb"', '', 1, 3],
    ['"\\x41"', '', 1, 2],
    ['"\\u12g4"', '', 1, 2],
    ['01', '', 1, 1],
    ['-', '', 1, 1],
    ['1.', '', 1, 1],
    ['1e', '', 1, 1],
    ['.5', '', 1, 1],
    ['+1', '', 1, 1],
    ['NaN', '', 1, 1],
    ['{\n "x": [{"y":\n nul}]}', '/x/0/y', 3, 2],
    [']', '', 1, 1],
  ])('refuses %j at %j, line %i, column %i', (text, path, line, column) => {
    expect(refusal(text)).toMatchObject({ code: 'json.syntax', path, line, column })
  })

  test('refuses a duplicate key, also if one of the two is escaped', () => {
    expect(refusal('{"a":{"b":1,"\\u0062":2}}')).toMatchObject({ code: 'json.duplicate-key', path: '/a/b', column: 13 })
    expect(refusal('{"__proto__":1,"__proto__":2}')).toMatchObject({ code: 'json.duplicate-key' })
    expect(accepted('{"constructor":1,"toString":2}')).toEqual({ constructor: 1, toString: 2 } as never)
  })

  test('keeps __proto__ as an own property and touches no prototype', () => {
    const value = accepted('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(value.polluted).toBeUndefined()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('refuses half surrogate pairs, raw and escaped, in values and keys', () => {
    for (const text of ['"\\ud800"', '"\\udc00\\ud800"', '"\\ud800\\u0041"', '"\ud800"', '{"\\udfff":1}']) {
      expect(refusal(text).code).toBe('json.lone-surrogate')
    }
    expect(accepted('"\\uD83D\\uDE00"')).toBe('😀')
  })

  test('refuses NUL in strings, raw and escaped, and noncharacters', () => {
    expect(refusal('["a\\u0000"]')).toMatchObject({ code: 'json.nul', path: '/0' })
    expect(refusal('["a\0"]')).toMatchObject({ code: 'json.nul', path: '/0' })
    expect(refusal('"\\uffff"').code).toBe('json.noncharacter')
    expect(refusal('"\ufdd0"').code).toBe('json.noncharacter')
    expect(refusal('"\\ud83f\\udffe"').code).toBe('json.noncharacter')
    expect(accepted('"\ufffd"')).toBe('\ufffd')
  })

  test('refuses bytes that are not UTF-8 and names the first wrong one', () => {
    const bytes = (...values: number[]) => new Uint8Array([0x22, ...values, 0x22])
    for (const wrong of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]]) {
      expect(refusal(bytes(...wrong))).toMatchObject({ code: 'json.utf8', line: 1, column: 2 })
    }
    expect(refusal(bytes(0xc3, 0xa9, 0x80)).message).toContain('byte 3 (0x80)')
    expect(accepted(bytes(0xc3, 0xa9))).toBe('é')
  })

  test('refuses a byte order mark', () => {
    expect(refusal('\ufeff{}').code).toBe('json.bom')
    expect(refusal(new Uint8Array([0xef, 0xbb, 0xbf, 0x31])).code).toBe('json.bom')
  })

  test.each([
    '12345678901234567890',
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '333333333.33333329',
    '1.00000000000000000001',
  ])('refuses %s, which a double would change', (text) => {
    expect(refusal(`{"n":[${text}]}`)).toMatchObject({ code: 'json.number', path: '/n/0', column: 7 })
  })

  test.each([
    ['9007199254740992', 9007199254740992],
    ['100000000000000000000000', 1e23],
    ['1e23', 1e23],
    ['0.30000000000000004', 0.30000000000000004],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
    ['1.50000000000000000000000', 1.5],
    ['19.990', 19.99],
    ['0e99999', 0],
    ['-123456789012345', -123456789012345],
  ])('accepts %s, whose double prints as the same decimal', (text, value) => {
    expect(accepted(text)).toBe(value)
  })

  test('reads every escape, and none that JSON does not have', () => {
    expect(accepted('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"')).toBe('"\\/\b\f\n\r\té')
    for (const letter of "acdeghijklmopqsvwxyzBFNRTU0'") expect(refusal(`"\\${letter}"`).code).toBe('json.syntax')
  })

  test('reads minus zero as zero', () => {
    for (const text of ['-0', '-0.0', '-0e5']) expect(Object.is(accepted(text), 0)).toBe(true)
  })

  test('refuses depth beyond the limit, and a million brackets cost no stack', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(accepted(nested(128))).toBeArray()
    expect(refusal(nested(129))).toMatchObject({ code: 'json.depth', column: 129 })
    expect(refusal('['.repeat(1_000_000)).code).toBe('json.depth')
    expect(refusal('{"a":[0]}', { maxDepth: 1 })).toMatchObject({ code: 'json.depth', path: '/a' })
    expect(readJson(nested(50_000), { maxDepth: 50_000 }).ok).toBe(true)
  })

  test('escapes keys in pointers', () => {
    expect(refusal('{"a/b~c":[tru]}').path).toBe('/a~1b~0c/0')
  })

  test('never disagrees with JSON.parse on what it accepts', () => {
    // A fixed sequence replaces randomness, so that a failure can be seen again.
    let state = 12_345
    const next = (bound: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state % bound
    }
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '"\\u0041"',
      '1',
      '-2.5e-3',
      'true',
      'null',
      ' ',
      '0',
      '"',
      '\\',
    ]
    let acceptedCount = 0
    for (let round = 0; round < 20_000; round++) {
      let text = ''
      for (let length = 1 + next(7); length > 0; length--) text += pieces[next(pieces.length)]!
      const outcome = readJson(text)
      if (!outcome.ok) continue
      acceptedCount++
      expect(outcome.value).toEqual(JSON.parse(text))
    }
    expect(acceptedCount).toBeGreaterThan(500)
  })
})

test('a decimal is its digits and the power of ten of the last one', () => {
  expect(decimalOf('19.990')).toEqual(['1999', -2])
  expect(decimalOf('-1.5e+3')).toEqual(['15', 2])
  expect(decimalOf('0.000')).toEqual(['', 0])
})

describe('a refusal says exactly what is written down', () => {
  /** json-refusals.txt: a text as a JSON string, and below it, indented, its value or its finding. */
  const blocks = readFileSync(join(import.meta.dir, 'json-refusals.txt'), 'utf8')
    .trimEnd()
    .split(/\n(?! )/)
    .map((block) => block.split('\n'))

  test.each(blocks)('about %s', (text = '', ...expected) => {
    const outcome = readJson(JSON.parse(text) as string)
    const told = outcome.ok
      ? [`  is ${JSON.stringify(outcome.value)}`]
      : outcome.findings.map(
          ({ code, path, line, column, message, hint }) =>
            `  ${code} at "${path}" ${line}:${column}: ${message} (${hint})`,
        )
    expect(told).toEqual(expected)
  })
})

describe('UTF-8', () => {
  const inString = (...bytes: number[]) => readJson(new Uint8Array([0x22, ...bytes, 0x22]))

  test('is taken at both ends of every length', () => {
    const edges = [
      0x20, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd7ff, 0xe000, 0xfffd, 0x10000, 0x3fffd, 0x100000,
      0x10fffd,
    ]
    for (const point of edges) {
      const text = String.fromCodePoint(point)
      expect(inString(...new TextEncoder().encode(text))).toMatchObject({ ok: true, value: text })
    }
  })

  test('holds the first and the last character of each length, and of each range that its first byte narrows', () => {
    const three = [0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xfffd]
    const four = [0x1_0000, 0x3_fffd, 0x4_0000, 0xf_fffd, 0x10_0000, 0x10_fffd]
    for (const code of [0x80, 0x7ff, ...three, ...four]) {
      const bytes = Buffer.from(String.fromCodePoint(code))
      expect([code, inString(...bytes).findings]).toEqual([code, []])
      const wrong = `byte ${bytes.length + 1} (0xff)`
      expect([code, inString(...bytes, 0xff).findings[0]?.message]).toEqual([code, expect.stringContaining(wrong)])
    }
  })

  test('is refused at the first byte that continues no character', () => {
    const wrong: [bytes: number[], at: number][] = [
      [[0x80], 1],
      [[0xc1, 0xbf], 1],
      [[0xc2, 0x41], 1],
      [[0xc2, 0xc0], 1],
      [[0xe0, 0x9f, 0x80], 1],
      [[0xe1, 0x80, 0x41], 1],
      [[0xed, 0xa0, 0x80], 1],
      [[0xef, 0xbf], 1],
      [[0xf0, 0x8f, 0x80, 0x80], 1],
      [[0xf4, 0x90, 0x80, 0x80], 1],
      [[0xf5, 0x80, 0x80, 0x80], 1],
      [[0x61, 0xc3, 0xa9, 0xff], 4],
      [[0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xe2], 8],
    ]
    for (const [bytes, at] of wrong) {
      const byte = bytes[at - 1]?.toString(16)
      expect(inString(...bytes).findings[0]?.message).toBe(
        `The bytes are not UTF-8: byte ${at} (0x${byte}) does not continue a character.`,
      )
    }
  })
})
