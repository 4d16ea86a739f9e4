import { describe, expect, test } from 'bun:test'
import { addressIn, networkOf, networksOf, privateNetworks } from '../../src/core/networks.ts'

describe('networks', () => {
  test.each([
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.6', '192.0.2.8', '::ffff:192.0.2.7']],
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
    ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::1']],
    ['192.0.2.7/32', ['192.0.2.7'], ['192.0.2.8']],
    ['::1', ['::1'], ['::2', '0.0.0.1', '127.0.0.1']],
    ['fd00::/8', ['fd00::', 'fdff:ffff::1'], ['fc00::1', 'fe00::1']],
    ['2001:db8::1/128', ['2001:db8::1'], ['2001:db8::2']],
  ])('%s has its first and last address and none beside them', (range, inside, outside) => {
    const { has, isEmpty } = networksOf([range])
    expect(isEmpty).toBe(false)
    expect(inside.filter((address) => !has(address))).toEqual([])
    expect(outside.filter(has)).toEqual([])
  })

  test('several are joined, and none is empty', () => {
    const both = networksOf(['192.0.2.0/24', 'fd00::/8'])
    expect([both.has('192.0.2.200'), both.has('fd00::9'), both.has('192.0.3.0')]).toEqual([true, true, false])
    const none = networksOf([])
    expect([none.isEmpty, none.has('192.0.2.1')]).toEqual([true, false])
  })

  test('what is no address is in none of them', () => {
    expect(['', 'localhost', '192.0.2', '192.0.2.7:80', '[::1]'].filter(networksOf(['0.0.0.0/0', '::/0']).has)).toEqual(
      [],
    )
  })

  test.each(['', '192.0.2', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/1000', '/8'])(
    '"%s" is refused by its text',
    (range) => {
      expect(() => networksOf(['10.0.0.0/8', range])).toThrow(new RangeError(range))
    },
  )
})

describe('the address in a text', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:0:1', '::ffff:0:1'],
  ])('of %s is %s', (text, address) => {
    expect(addressIn(text)).toBe(address)
  })

  test.each([
    '',
    'unknown',
    '192.0.2.7:',
    '192.0.2.7:x',
    '[192.0.2',
    '[]',
    '256.0.0.1',
    'host:80',
    '192.0.2.7, 10.0.0.1',
  ])('is none in "%s"', (text) => {
    expect(addressIn(text)).toBeUndefined()
  })
})

test.each([
  ['0.255.255.255', '1.0.0.0'],
  ['10.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.63.255.255'],
  ['100.127.255.255', '100.128.0.0'],
  ['127.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.253.255.255'],
  ['172.16.0.0', '172.15.255.255'],
  ['172.31.255.255', '172.32.0.0'],
  ['192.0.0.255', '192.0.1.0'],
  ['192.168.255.255', '192.169.0.0'],
  ['198.19.255.255', '198.20.0.0'],
  ['224.0.0.0', '223.255.255.255'],
  ['255.255.255.255', '8.8.8.8'],
  ['::', '1::'],
  ['::1', '0:1::1'],
  ['::ffff:8.8.8.8', '2606:4700::1'],
  ['64:ff9b::8.8.8.8', '64:ff9c::1'],
  ['::ffff:0:10.0.0.1', '::fffe:0:10.0.0.1'],
  ['192.88.99.255', '192.88.98.255'],
  ['64:ff9b:1:ffff::', '64:ff9b:2::'],
  ['100::1', '100:0:0:1::'],
  ['2001:0:ffff::', '2001:1::'],
  ['2002:ffff::', '2003::'],
  ['fdff::1', 'fbff::1'],
  ['febf::1', 'fe7f::1'],
  ['feff::1', '3fff::1'],
  ['ff02::1', '2a00::1'],
])('%s is inside of a private network, and %s outside of them', (inside, outside) => {
  expect([privateNetworks.has(inside), privateNetworks.has(outside)]).toEqual([true, false])
})

test('an IPv6 client is its /64, an IPv4 client its address', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:ffff:1:2:3'))
  expect(networkOf('2001:0db8::1')).toBe(networkOf('2001:db8::2'))
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8:0:2::1'))
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})
