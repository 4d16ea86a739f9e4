import { describe, expect, test } from 'bun:test'
import { compilePattern, isEcmaPattern } from '../../../src/engines/schema/pattern.ts'

function matches(source: string, text: string): boolean {
  const result = compilePattern(source)
  if (!result.ok) throw new Error(result.fault.message)
  return result.value.test(text)
}

describe('patterns', () => {
  test.each([
    '^abc$',
    'a|b|',
    '^(?:ab|c(?<name>d))+?$',
    '^[^a-c]$',
    '^[\\d\\-x]+$',
    '^[a\\]^-]$',
    '^.$',
    '^\\s$',
    '^\\S$',
    '^[\\s]$',
    '^[^\\S]$',
    '^\\w+$',
    '^\\W$',
    '^\\D$',
    '\\bab\\b',
    '\\Ba',
    '^\\cJ$',
    '^\\x41\\u0042\\u{43}$',
    '^\\ud83d\\ude00$',
    '^[\\u{1f600}-\\u{1f64f}]$',
    '^\\p{Lu}\\P{Lu}$',
    '^\\p{Letter}$',
    '^\\p{Script=Greek}$',
    '^[\\p{L}\\d]$',
    '^a{2,3}$',
    '^a{2}$',
    '^a{2,}$',
    '^a{0}$',
    '^[]$',
    '^[^]$',
    '^\\/$',
    '^\\0$',
    '\\$\\^\\.\\*\\(\\)\\{\\}\\|\\\\',
    '',
  ])('%j answers as the native engine does', (source) => {
    const native = new RegExp(source, 'u')
    const texts = [
      '',
      'a',
      'b',
      'ab',
      'abc',
      'aa',
      'aaa',
      'aaaa',
      'cd',
      ' a ',
      'A',
      'ABC',
      'Ab',
      '9',
      '-',
      ']',
      '^',
      '/',
      '\\',
      '\0',
    ]
    const special = [
      '\n',
      '\r',
      '\u2028',
      '\t',
      '\v',
      '\ufeff',
      '\u00a0',
      '\u1680',
      '\u180e',
      '😀',
      'é',
      'É',
      'ß',
      'α',
      'Ω',
      '٣',
      'x'.repeat(70),
      '$^.*(){}|\\',
    ]
    for (const text of [...texts, ...special]) expect([text, matches(source, text)]).toEqual([text, native.test(text)])
  })

  test('long counters match exactly as far as they say', () => {
    expect(matches('^a{0,1100}$', 'a'.repeat(1_100))).toBe(true)
    expect(matches('^a{0,1100}$', '')).toBe(true)
    expect(matches('^a{0,1100}$', 'a'.repeat(1_101))).toBe(false)
    expect(matches('^a{1050}$', 'a'.repeat(1_049))).toBe(false)
    expect(matches('^a{1050,}$', 'a'.repeat(3_000))).toBe(true)
  })

  test.each([
    ['(?=a)', 'look-ahead'],
    ['(?!a)', 'look-ahead'],
    ['(?<=a)', 'look-behind'],
    ['(?<!a)', 'look-behind'],
    ['(a)\\1', 'back-reference'],
    ['(?<n>a)\\k<n>', 'back-reference'],
    ['a{20001}', 'steps'],
    ['\\p{scx=Greek}', 'Script_Extensions'],
  ])('%s is refused as what cannot run in linear time, though it is a pattern', (source, construct) => {
    const result = compilePattern(source)
    expect(result).toMatchObject({ ok: false, fault: { kind: 'unsupported' } })
    expect(result.ok ? '' : result.fault.message).toContain(construct)
    expect(isEcmaPattern(source)).toBe(true)
  })

  test.each([
    '(',
    ')',
    '[',
    '[z-a]',
    '[\\d-z]',
    'a**',
    '*a',
    '+',
    '^*',
    '(?=a)*',
    'a{2,1}',
    '\\',
    '\\a',
    '\\1',
    '\\k<n>',
    '\\c1',
    '\\01',
    '\\x4',
    '\\u12',
    '\\u{110000}',
    '\\p{Nothing}',
    '\\pL',
    '(?i)a',
    '(?P<n>a)',
    '(?<n>a)(?<n>b)',
    '(?<1>a)',
  ])('%s is no pattern of ECMA-262', (source) => {
    expect(isEcmaPattern(source)).toBe(false)
    expect(compilePattern(source)).toMatchObject({ ok: false, fault: { kind: 'syntax' } })
  })

  test('fifty thousand parentheses are refused without a stack overflow', () => {
    expect(compilePattern('('.repeat(50_000))).toMatchObject({ ok: false, fault: { kind: 'syntax' } })
  })
})
