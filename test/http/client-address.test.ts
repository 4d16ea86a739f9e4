import { describe, expect, test } from 'bun:test'
import { createLog } from '../../src/core/log.ts'
import { createClientAddress } from '../../src/http/client-address.ts'
import { cpuMsOf } from '../support/cpu.ts'

const trusted = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8']

function ask(peer: string, headers: Record<string, string>, ranges: readonly string[] = trusted) {
  const lines: string[] = []
  const log = createLog({ level: 'info', readable: false, write: (line) => lines.push(line) })
  const addressOf = createClientAddress(ranges, log)
  return { address: addressOf(new Headers(headers), peer), again: () => addressOf(new Headers(headers), peer), lines }
}

describe('the address of a client', () => {
  test.each<[what: string, peer: string, headers: Record<string, string>, address: string]>([
    ['the connection without a header', '10.0.0.1', {}, '10.0.0.1'],
    [
      'the connection for a peer that is no proxy',
      '198.51.100.1',
      { 'x-forwarded-for': '203.0.113.5' },
      '198.51.100.1',
    ],
    ['what the proxy saw', '10.0.0.1', { 'x-forwarded-for': '203.0.113.5' }, '203.0.113.5'],
    ['never what the client says it is', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 203.0.113.5' }, '203.0.113.5'],
    [
      'what the outermost of several saw',
      '10.0.0.1',
      { 'x-forwarded-for': '1.1.1.1, 203.0.113.5 ,10.9.9.9,192.0.2.1' },
      '203.0.113.5',
    ],
    ['the outermost proxy if all are trusted', '10.0.0.1', { 'x-forwarded-for': '10.1.1.1, 10.2.2.2' }, '10.1.1.1'],
    [
      'the proxy before a hop that is no address',
      '10.0.0.1',
      { 'x-forwarded-for': '203.0.113.5, unknown, 10.2.2.2' },
      '10.2.2.2',
    ],
    ['the proxy for an empty header', '10.0.0.1', { 'x-forwarded-for': '' }, '10.0.0.1'],
    ['an address with a port', '10.0.0.1', { 'x-forwarded-for': '203.0.113.5:4711' }, '203.0.113.5'],
    ['an IPv6 address in brackets', 'fd00::1', { 'x-forwarded-for': '[2001:db8::7]:4711' }, '2001:db8::7'],
    ['an IPv6 address', 'fd00::1', { 'x-forwarded-for': '2001:db8::7' }, '2001:db8::7'],
    [
      'an IPv4 proxy on a socket of both families',
      '::ffff:10.0.0.1',
      { 'x-forwarded-for': '::ffff:203.0.113.5' },
      '203.0.113.5',
    ],
    ['the connection in one spelling', '::ffff:198.51.100.1', {}, '198.51.100.1'],
    ['a proxy whose address has a zone', 'fd00::1%eth0', { 'x-forwarded-for': '203.0.113.5' }, '203.0.113.5'],
    ['what Forwarded says', '10.0.0.1', { forwarded: 'for=203.0.113.5;proto=https;by=10.0.0.1' }, '203.0.113.5'],
    [
      'the right of Forwarded',
      '10.0.0.1',
      { forwarded: 'for=1.1.1.1, By=10.3.3.3 ;FOR="[2001:db8::7]:4711", for=10.2.2.2' },
      '2001:db8::7',
    ],
    [
      'the proxy before a hidden hop',
      '10.0.0.1',
      { forwarded: 'for=203.0.113.5, for=_hidden, for=10.2.2.2' },
      '10.2.2.2',
    ],
    [
      'the proxy for an element without an address',
      '10.0.0.1',
      { forwarded: 'for=203.0.113.5, proto=http' },
      '10.0.0.1',
    ],
    [
      'no address that a quoted text holds',
      '10.0.0.1',
      { forwarded: 'for=203.0.113.5;host="a, for=1.1.1.1"' },
      '203.0.113.5',
    ],
    [
      'both headers if they agree',
      '10.0.0.1',
      { forwarded: 'for=203.0.113.5', 'x-forwarded-for': '203.0.113.5' },
      '203.0.113.5',
    ],
    [
      'the proxy if they differ, since a client can send the one that its proxy does not write',
      '10.0.0.1',
      { forwarded: 'for=1.1.1.1', 'x-forwarded-for': '203.0.113.5' },
      '10.0.0.1',
    ],
  ])('is %s', (_, peer, headers, address) => {
    expect(ask(peer, headers).address).toBe(address)
  })

  test('takes no proxy on trust', () => {
    expect(ask('127.0.0.1', { 'x-forwarded-for': '203.0.113.5' }, []).address).toBe('127.0.0.1')
  })

  test('is warned of once where a sender that is no proxy names another, and only there', () => {
    const { again, lines } = ask('198.51.100.1', { 'x-forwarded-for': '203.0.113.5' })
    again()
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        sender: '198.51.100.1',
        message: expect.stringContaining('QUIRE_TRUSTED_PROXIES'),
      }),
    ])
    expect(ask('10.0.0.1', { 'x-forwarded-for': '203.0.113.5' }).lines).toEqual([])
    expect(ask('198.51.100.1', {}).lines).toEqual([])
  })

  test('costs no time in a header made to be slow', () => {
    const ms = cpuMsOf(() => {
      for (const text of [
        '"'.repeat(16_383),
        ','.repeat(16_000),
        'for='.repeat(4_000),
        ' '.repeat(16_000),
        ';'.repeat(16_000),
      ]) {
        ask('10.0.0.1', { forwarded: text })
        ask('10.0.0.1', { 'x-forwarded-for': text })
      }
    })
    expect(ms).toBeLessThan(1_000)
  })
})
