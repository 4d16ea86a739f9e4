import { describe, expect, test } from 'bun:test'
import { canonicalHash, canonicalJson } from '../../src/core/canonical.ts'
import { type JsonValue, readJson } from '../../src/core/json.ts'

function doubleOf(hexadecimal: string): number {
  return new DataView(Uint8Array.fromHex(hexadecimal).buffer).getFloat64(0)
}

describe('canonical JSON (RFC 8785)', () => {
  test('writes the example of section 3.2.2 as the RFC does', () => {
    const value = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`) as JsonValue
    expect(canonicalJson(value)).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    )
  })

  test.each<[what: string, value: JsonValue]>([
    ['keys out of order at every depth', { b: [{ d: 1, c: { z: null, a: [] } }], a: 'x' }],
    ['keys in order', { a: 'x', b: [1, 2, { c: true }] }],
    ['keys that are numbers', { b: 1, '10': 2, '9': 3, a: 4 }],
    ['numbers alone as keys', { '9': 1, '10': 2 }],
    ['the name of the prototype', JSON.parse('{"b": {"z": 1, "a": 2}, "__proto__": {"y": 1, "x": 2}}') as JsonValue],
    ['a backslash before what looks like a surrogate', { b: '\\ud800', a: 1 }],
    ['minus zero and exponents', [-0, 1e21, 1e-7, 0.1]],
  ])('writes a small value as it writes it within a large one: %s', (_what, value) => {
    const large = 'x'.repeat(100_000)
    expect(canonicalJson([large, value])).toBe(`["${large}",${canonicalJson(value)}]`)
  })

  test('leaves the value as it was', () => {
    const value = JSON.parse('{"b": [{"d": 1, "c": 2}], "a": 1}') as JsonValue
    canonicalJson(value)
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":1}')
  })

  test('sorts keys by UTF-16 code units, as the example of section 3.2.3 does', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    expect(Array.from(canonicalJson(value).matchAll(/:"([^"]+)"/g), (match) => match[1])).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s of appendix B as %s', (hexadecimal, text) => {
    expect(canonicalJson(doubleOf(hexadecimal))).toBe(text)
  })

  test('refuses what no JSON text can hold', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, undefined]) {
      expect(() => canonicalJson(value as JsonValue)).toThrow(TypeError)
    }
  })

  test('what the reader accepts comes out in one form whatever its writing was', () => {
    const writings = ['{"b":1.0,"a":"\\u0041"}', ' {"a" : "A", "b":1e0 } ', '{"b":0.1e1,"a":"A"}']
    const hashes = writings.map((text) => {
      const outcome = readJson(text)
      if (!outcome.ok) throw new Error('refused')
      expect(canonicalJson(outcome.value)).toBe('{"a":"A","b":1}')
      return canonicalHash(outcome.value)
    })
    expect(new Set(hashes).size).toBe(1)
    expect(hashes[0]).toBe(new Bun.CryptoHasher('sha256').update('{"a":"A","b":1}').digest('hex'))
  })
})
