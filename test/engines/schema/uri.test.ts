import { describe, expect, test } from 'bun:test'
import { resolveUri } from '../../../src/engines/schema/uri.ts'

const resolved = (base: string, reference: string) => {
  const { uri, fragment } = resolveUri(base, reference)
  return `${uri}${fragment === '' ? '' : `#${fragment}`}`
}

describe('a reference is resolved as RFC 3986 shows it (5.4), its fragment apart', () => {
  const base = 'http://a/b/c/d;p?q'
  test.each([
    ...[
      ['g:h', 'g:h'],
      ['g', 'http://a/b/c/g'],
      ['./g', 'http://a/b/c/g'],
      ['g/', 'http://a/b/c/g/'],
    ],
    ...[
      ['/g', 'http://a/g'],
      ['//g', 'http://g'],
      ['?y', 'http://a/b/c/d;p?y'],
      ['g?y', 'http://a/b/c/g?y'],
    ],
    ...[
      ['#s', 'http://a/b/c/d;p?q#s'],
      ['g#s', 'http://a/b/c/g#s'],
      ['g?y#s', 'http://a/b/c/g?y#s'],
    ],
    ...[
      [';x', 'http://a/b/c/;x'],
      ['g;x', 'http://a/b/c/g;x'],
      ['g;x?y#s', 'http://a/b/c/g;x?y#s'],
    ],
    ...[
      ['', 'http://a/b/c/d;p?q'],
      ['.', 'http://a/b/c/'],
      ['./', 'http://a/b/c/'],
      ['..', 'http://a/b/'],
    ],
    ...[
      ['../', 'http://a/b/'],
      ['../g', 'http://a/b/g'],
      ['../..', 'http://a/'],
      ['../../', 'http://a/'],
    ],
    ...[
      ['../../g', 'http://a/g'],
      ['../../../g', 'http://a/g'],
      ['../../../../g', 'http://a/g'],
    ],
    ...[
      ['/./g', 'http://a/g'],
      ['/../g', 'http://a/g'],
      ['g.', 'http://a/b/c/g.'],
      ['.g', 'http://a/b/c/.g'],
    ],
    ...[
      ['g..', 'http://a/b/c/g..'],
      ['..g', 'http://a/b/c/..g'],
      ['./../g', 'http://a/b/g'],
      ['./g/.', 'http://a/b/c/g/'],
    ],
    ...[
      ['g/./h', 'http://a/b/c/g/h'],
      ['g/../h', 'http://a/b/c/h'],
      ['g;x=1/./y', 'http://a/b/c/g;x=1/y'],
    ],
    ...[
      ['g;x=1/../y', 'http://a/b/c/y'],
      ['g?y/./x', 'http://a/b/c/g?y/./x'],
      ['g?y/../x', 'http://a/b/c/g?y/../x'],
    ],
    ...[
      ['g#s/./x', 'http://a/b/c/g#s/./x'],
      ['g#s/../x', 'http://a/b/c/g#s/../x'],
      ['http:g', 'http:g'],
    ],
  ] as [string, string][])('%p is %s', (reference, uri) => {
    expect(resolved(base, reference)).toBe(uri)
  })

  test('also from a base of its own kind: none, a URN, one without a path, and a path alone', () => {
    expect(resolved('', 'tree')).toBe('tree')
    expect(resolved('', '#/a')).toBe('#/a')
    expect(resolved('', 'a/../b')).toBe('b')
    expect(resolved('', '../a')).toBe('a')
    expect(resolved('urn:x:y', '#a')).toBe('urn:x:y#a')
    expect(resolved('http://a', 'b')).toBe('http://a/b')
    expect(resolved('http://a?q', '?r')).toBe('http://a?r')
    expect(resolved('schemas/one', 'two')).toBe('schemas/two')
    expect(resolved('http://a/b', 'http://c/d/../e')).toBe('http://c/e')
    expect(resolved('http://a/b', '//c/./d')).toBe('http://c/d')
    expect(resolveUri('http://a/b#old', '#new#er')).toEqual({ uri: 'http://a/b', fragment: 'new#er' })
    expect(resolveUri('http://a/b', 'c')).toEqual({ uri: 'http://a/c', fragment: '' })
  })
})
