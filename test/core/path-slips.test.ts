import { describe, expect, test } from 'bun:test'
import { pathSlip, pointerMeant } from '../../src/core/path-slips.ts'

describe('a path of another language', () => {
  test.each([
    ['customer.name', '/customer/name'],
    ['$.lines[0].text', '/lines/0/text'],
    ['$$.total', '/total'],
    ['@.total', '/total'],
    ['$/total', '/total'],
    ['.total', '/total'],
    ['/total', '/total'],
    ['customer/name', '/customer/name'],
    ['lines.[12]', '/lines/12'],
    ['lines/3/text', '/lines/3/text'],
    ['a-b_c', '/a-b_c'],
  ])('%s means the pointer %s', (written, pointer) => {
    expect(pointerMeant(written)).toBe(pointer)
  })

  test.each(['', '$', '1total', 'a b', 'a..b', 'a.', 'a[x]', 'a[-1]', '$$$.a', 'a[0', '..a', 'a.b!'])(
    '"%s" means none',
    (written) => {
      expect(pointerMeant(written)).toBeUndefined()
    },
  )
})

describe('what is written in the place of a name', () => {
  test.each([
    ['', { kind: 'nothing' }],
    ['*', { kind: 'all' }],
    ['lines[]', { kind: 'all' }],
    ['lines[*]', { kind: 'all' }],
    ['lines.length', { kind: 'length' }],
    ['lines.size()', { kind: 'length' }],
    ['lines.count', { kind: 'length' }],
    ['total > 3', { kind: 'comparison', left: 'total', sign: '>', right: '3' }],
    ['total>=3', { kind: 'comparison', left: 'total', sign: '>=', right: '3' }],
    ['total < 3', { kind: 'comparison', left: 'total', sign: '<', right: '3' }],
    ['total <= 3 or so', { kind: 'comparison', left: 'total', sign: '<=', right: '3 or so' }],
    ['paid = true', { kind: 'comparison', left: 'paid', sign: '=', right: 'true' }],
    ['paid == true', { kind: 'comparison', left: 'paid', sign: '=', right: 'true' }],
    ['paid === true', { kind: 'comparison', left: 'paid', sign: '=', right: 'true' }],
    ['paid != true', { kind: 'comparison', left: 'paid', sign: '!=', right: 'true' }],
    ['paid !== true', { kind: 'comparison', left: 'paid', sign: '!=', right: 'true' }],
    ['total * 1.19', { kind: 'formula' }],
    ['total*2', { kind: 'formula' }],
    ['20%', { kind: 'formula' }],
    ['a + b', { kind: 'formula' }],
    ['a - b', { kind: 'formula' }],
    ['a / b', { kind: 'formula' }],
    ['customer.name', { kind: 'member', pointer: '/customer/name' }],
    ['lines[0]', { kind: 'member', pointer: '/lines/0' }],
  ] as const)('"%s" is taken for what it is elsewhere', (name, slip) => {
    expect(pathSlip(name)).toEqual(slip)
  })

  test.each(['name', 'a-b', 'a+b', 'length', 'e.g.', 'total >', '= 3', 'first name', 'v1.0 beta', '**bold'.slice(2)])(
    '"%s" looks like a name',
    (name) => {
      expect(pathSlip(name)).toBeUndefined()
    },
  )
})
