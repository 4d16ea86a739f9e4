import { describe, expect, test } from 'bun:test'
import { nearest } from '../../../src/core/nearest.ts'
import { codePointLength, identityOf, isMultipleOf } from '../../../src/engines/schema/compare.ts'
import { resolveUri } from '../../../src/engines/schema/uri.ts'

describe('equality', () => {
  test('ignores the order of keys and the form of numbers, and nothing else', () => {
    expect(identityOf({ a: 1, b: [2, { c: null }] })).toBe(identityOf({ b: [2.0, { c: null }], a: 1 }))
    expect(identityOf(-0)).toBe(identityOf(0))
    const different = [0, '0', false, null, '', [], {}, [0], { a: 0 }, { a: null }, 'null', [[]], ['a', 'b'], ['a,b']]
    expect(new Set(different.map(identityOf)).size).toBe(different.length)
  })
})

describe('multiples', () => {
  const rows: [value: number, divisor: number, isMultiple: boolean][] = [
    [6, 3, true],
    [7, 3, false],
    [0, 0.7, true],
    [-6, 3, true],
    [19.99, 0.01, true],
    [19.999, 0.01, false],
    [0.3, 0.1, true],
    [1.1, 0.0001, true],
    [0.000001, 0.000001, true],
    [0.0000015, 0.000001, false],
    [0.0000001, 0.0000001, true],
    [0.00000015, 0.0000001, false],
    [1e22, 3, false],
    [3e22, 3, true],
    [1e300, 1e-300, true],
    [1.5e-300, 1e-300, false],
    [1e16, 0.3, false],
    [3e15, 0.3, true],
    [4.5, 1.5, true],
    [4.5, 2, false],
    [123456789.123, 0.001, true],
  ]
  test.each(rows)('%d of %d: %p', (value, divisor, isMultiple) => {
    expect(isMultipleOf(value, divisor)).toBe(isMultiple)
  })
})

describe('the length of a text', () => {
  test('counts code points, and a lone surrogate as one', () => {
    const lengths: [string, number][] = [
      ['', 0],
      ['a', 1],
      ['😀', 1],
      ['a😀b', 3],
      ['😀😀', 2],
      ['\ud83d', 1],
      ['\ude00\ud83d', 2],
      ['\ud83d\ud83d\ude00', 2],
      ['\ud83da', 2],
      ['\udbff\udfff\ud800\udc00', 2],
      ['\ud7ff\ue000', 2],
    ]
    for (const [text, length] of lengths) expect([text, codePointLength(text)]).toEqual([text, length])
  })
})

describe('the nearest word', () => {
  test('is within a third of the length in edits, whatever the case', () => {
    expect(nearest('minimun', ['maximum', 'minimum'])).toBe('minimum')
    expect(nearest('MINIMUN', ['minimum'])).toBe('minimum')
    expect(nearest('abc', ['abd'])).toBe('abd')
    expect(nearest('abc', ['axd'])).toBeUndefined()
    expect(nearest('abcdef', ['abxxef'])).toBe('abxxef')
    expect(nearest('abcdef', ['abxxxf'])).toBeUndefined()
    expect(nearest('ab', ['ac'])).toBeUndefined()
    expect(nearest('abc', ['abcd', 'ab'])).toBe('abcd')
    expect(nearest('abcdef', ['abcdxx', 'abcdex'])).toBe('abcdex')
  })

  test('is looked for up to sixty-four characters', () => {
    const long = 'x'.repeat(64)
    expect(nearest(long, [`${long}y`])).toBe(`${long}y`)
    expect(nearest(`${long}x`, [long])).toBeUndefined()
  })
})

describe('a URI reference', () => {
  /** Base, reference, the URI it leads to (RFC 3986, 5.4, and what an empty base allows). */
  const rows: [base: string, reference: string, uri: string, fragment?: string][] = [
    ['http://a/b/c/d;p?q', 'g:h', 'g:h'],
    ['http://a/b/c/d;p?q', 'g', 'http://a/b/c/g'],
    ['http://a/b/c/d;p?q', './g', 'http://a/b/c/g'],
    ['http://a/b/c/d;p?q', 'g/', 'http://a/b/c/g/'],
    ['http://a/b/c/d;p?q', '/g', 'http://a/g'],
    ['http://a/b/c/d;p?q', '//g', 'http://g'],
    ['http://a/b/c/d;p?q', '?y', 'http://a/b/c/d;p?y'],
    ['http://a/b/c/d;p?q', 'g?y', 'http://a/b/c/g?y'],
    ['http://a/b/c/d;p?q', '#s', 'http://a/b/c/d;p?q', 's'],
    ['http://a/b/c/d;p?q', 'g?y#s', 'http://a/b/c/g?y', 's'],
    ['http://a/b/c/d;p?q', '', 'http://a/b/c/d;p?q'],
    ['http://a/b/c/d;p?q', '.', 'http://a/b/c/'],
    ['http://a/b/c/d;p?q', '..', 'http://a/b/'],
    ['http://a/b/c/d;p?q', '../g', 'http://a/b/g'],
    ['http://a/b/c/d;p?q', '../..', 'http://a/'],
    ['http://a/b/c/d;p?q', '../../g', 'http://a/g'],
    ['http://a/b/c/d;p?q', '../../../g', 'http://a/g'],
    ['http://a/b/c/d;p?q', '/./g', 'http://a/g'],
    ['http://a/b/c/d;p?q', '/../g', 'http://a/g'],
    ['http://a/b/c/d;p?q', 'g.', 'http://a/b/c/g.'],
    ['http://a/b/c/d;p?q', './g/.', 'http://a/b/c/g/'],
    ['http://a/b/c/d;p?q', 'g/../h', 'http://a/b/c/h'],
    ['http://a/b/c/d;p?q', 'http://x/../y', 'http://x/y'],
    ['http://a', 'g', 'http://a/g'],
    ['', 'other.json', 'other.json'],
    ['', '#/a/b', '', '/a/b'],
    ['urn:example:root', '#x', 'urn:example:root', 'x'],
  ]
  test.each(rows)('from %s, %s leads to %s', (...[base, reference, uri, fragment]) => {
    expect(resolveUri(base, reference)).toEqual({ uri, fragment: fragment ?? '' })
  })
})
