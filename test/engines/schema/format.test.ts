import { describe, expect, test } from 'bun:test'
import { formatTest } from '../../../src/engines/schema/format.ts'
import { Random } from '../../../src/engines/schema/generate/random.ts'

const rows: [format: string, good: string[], bad: string[]][] = [
  [
    'date',
    ['2024-02-29', '0000-01-01'],
    ['2023-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '2024-04-31', '२०२४-01-01', '2024-01-01\n', ''],
  ],
  [
    'time',
    ['08:30:06Z', '08:30:06.283185+05:30', '23:59:60Z', '01:29:60+01:30'],
    ['24:00:00Z', '08:30:06', '08:60:00Z', '22:59:60Z', '08:30:06+24:00', '8:30:06Z'],
  ],
  [
    'date-time',
    ['2026-01-31T09:30:00Z', '1998-12-31t23:59:60z'],
    ['2026-01-31 09:30:00Z', '2026-01-31T09:30:00', '2026-02-30T00:00:00Z', '2026-01-31'],
  ],
  [
    'duration',
    ['P4DT12H30M5S', 'P2W', 'PT0S', 'P1Y2M'],
    ['P', 'PT', 'P1Y2W', 'P1YT', 'P1Y2D', 'PT0.5S', 'P1', '1D', '-P1D'],
  ],
  [
    'email',
    ['a.b+c@example.com', '"a b"@example.com', 'a@[127.0.0.1]', 'a@[IPv6:::1]'],
    ['a', '@b', 'a@', '.a@b', 'a..b@c', 'a b@c', 'a@b_c', 'a@[1.2.3.999]', 'é@example.com'],
  ],
  ['idn-email', ['실례@실례.테스트', 'é@example.com', 'a@cafe\u0301.com'], ['2962', '@b']],
  [
    'hostname',
    ['example.com', 'a--b.com', 'xn--nxasmm1c', '1host'],
    ['', '.', 'a.', '-a', 'a-', 'a_b', 'é.com', 'xn--X', `${'a'.repeat(64)}.com`, `${'a.'.repeat(127)}aa`],
  ],
  [
    'idn-hostname',
    ['실례.테스트', 'l·l', 'א׳ב', 'クー・ア', 'example.com'],
    ['a·l', '〮실례', 'ab--é', '-é', 'aא', 'A׳ב', 'x\u200dy', 'a..b'],
  ],
  ['ipv4', ['0.0.0.0', '255.255.255.255'], ['256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4.', '١.2.3.4']],
  [
    'ipv6',
    ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:192.168.0.1', '1::8', 'fe80::1:2'],
    [
      '',
      ':',
      ':::',
      '1:2:3:4:5:6:7',
      '1::2::3',
      '12345::',
      '::1%eth0',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7::8',
      '::1.2.3',
      '[::1]',
      '1.2.3.4::',
    ],
  ],
  [
    'uri',
    ['https://example.com/a?b#c', 'urn:isbn:1', 'mailto:a@b', 'ldap://[2001:db8::7]/c=GB'],
    ['/a', '//a', 'http://a b', 'http://a/%zz', 'http://[::1', 'http://é/', '1a:b', 'http://a:b/'],
  ],
  ['uri-reference', ['', '/a', '#b', '//a/b', './a:b', '?q'], ['\\a', 'a"b', '1:b', '/%2', '#a#b']],
  ['iri', ['http://é/ü?ö#ß', 'http://[::1]'], ['/é', 'http://é/\\', 'http://a/\ue000']],
  ['iri-reference', ['/é', 'é'], ['é\\']],
  ['uri-template', ['http://a/{b:3}/{c*}{?d,e}', ''], ['{', '}', '{}', '{a,,b}', '{a:0}', 'a b']],
  [
    'uuid',
    ['2EB8AA08-aa98-11ea-B4AA-73B441D16380'],
    ['2eb8aa08aa9811eab4aa73b441d16380', 'g'.repeat(36), '{2eb8aa08-aa98-11ea-b4aa-73b441d16380}'],
  ],
  ['json-pointer', ['', '/', '/a~0b~1c', '/é'], ['a', '#', '/~2', '/~']],
  ['relative-json-pointer', ['0', '1/a', '0#', '120/b'], ['', '-1', '01', '/a', '0##', '0/~']],
  ['regex', ['^a+$', '(?=a)', '(?<n>a)\\k<n>'], ['(', '\\a', '[z-a]']],
]

describe('formats', () => {
  test.each(rows)('%s accepts what its standard allows and nothing else', (format, good, bad) => {
    const accepts = formatTest(format)!
    expect(good.filter((text) => !accepts(text))).toEqual([])
    expect(bad.filter((text) => accepts(text))).toEqual([])
  })

  test('an undefined format is unknown', () => {
    expect(formatTest('dates')).toBeUndefined()
    expect(formatTest('toString')).toBeUndefined()
  })

  test('addresses and host names are those that the grammar writes', () => {
    const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
    const local = new RegExp(`^${atom}(?:\\.${atom})*$`)
    const host = new RegExp(`^${label}(?:\\.${label})*$`)
    const [isEmail, isHostname] = [formatTest('email')!, formatTest('hostname')!]
    const random = new Random(7, 0)
    const pieces = ['a', 'Z9', '.', '-', '+', '_', '@', 'é', '\n', 'b'.repeat(61), 'c'.repeat(63), 'd'.repeat(90)]
    const answers = { good: 0, bad: 0 }
    for (let round = 0; round < 30_000; round++) {
      const text = Array.from({ length: 1 + random.below(7) }, () => random.pick(pieces)).join('')
      const at = text.lastIndexOf('@')
      const isName = (name: string) => name.length <= 253 && host.test(name)
      const isAddress = at >= 1 && at <= 64 && local.test(text.slice(0, at)) && isName(text.slice(at + 1))
      expect([text, isEmail(text), isHostname(text)]).toEqual([text, isAddress, isName(text)])
      answers[isAddress ? 'good' : 'bad']++
    }
    expect(answers.good).toBeGreaterThan(100)
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`
    expect([isHostname(long), isHostname(`${long}d`), isEmail(`x@${long}`), isEmail(`x@${long}d`)]).toEqual([
      ...[true, false, true, false],
    ])
  })

  test('no format takes more than linear time', () => {
    // What backtracks would need hours for these lengths, and end in the time-out.
    for (const [format] of rows) {
      for (const piece of ['a', '1', 'a.', 'xn--a.', '%41', '/~0', '{a}', '(', '::', 'P1Y', '@', 'é']) {
        expect(formatTest(format)!(piece.repeat(30_000))).toBeBoolean()
      }
    }
  })
})
