import { describe, expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { compilePattern, isEcmaPattern } from '../../../src/core/pattern/pattern.ts'
import { leastCpuMsOf } from '../../support/cpu.ts'

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

  test.each(['a{22222222222222221,3}', '(?:a{99999999999,1}b)*', 'a{4294967295,2}?'])(
    'counts in the wrong order are refused at once, however large: %j',
    (source) => {
      const result = compilePattern(source)
      expect([result.ok, !result.ok && result.fault.message]).toEqual([false, expect.stringContaining('wrong order')])
      expect(leastCpuMsOf(() => compilePattern(source))).toBeLessThan(500)
    },
  )

  test('fifty thousand parentheses are refused without a stack overflow', () => {
    expect(compilePattern('('.repeat(50_000))).toMatchObject({ ok: false, fault: { kind: 'syntax' } })
  })
})

describe('the form for RE2', () => {
  /** Pattern, what RE2 reads, and how many instructions that takes, about. */
  const translations: [source: string, re2: string, weight: number][] = [
    ['', '', 1],
    ['a', '\\x{61}', 2],
    ['abc', '\\x{61}\\x{62}\\x{63}', 4],
    ['a|b', '\\x{61}|\\x{62}', 4],
    ['a|b|', '\\x{61}|\\x{62}|', 5],
    ['.', '[^\\x{A}\\x{D}\\x{2028}\\x{2029}]', 2],
    ['^a$', '\\A\\x{61}\\z', 4],
    ['\\d', '[\\x{30}-\\x{39}]', 2],
    ['\\D', '[\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}]', 2],
    ['\\w', '[\\x{30}-\\x{39}\\x{41}-\\x{5a}\\x{5f}\\x{61}-\\x{7a}]', 2],
    ['\\W', '[\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{10ffff}]', 2],
    ['[^a]', '[^\\x{61}]', 2],
    ['[a-c-]', '[\\x{61}-\\x{63}\\x{2d}]', 2],
    ['[]', '[^\\x{0}-\\x{10ffff}]', 2],
    ['[^]', '[\\x{0}-\\x{10ffff}]', 2],
    ['[^\\d]', '[^\\x{30}-\\x{39}]', 2],
    ['a*', '\\x{61}*', 2],
    ['a+', '\\x{61}+', 3],
    ['a?', '\\x{61}{0,1}', 2],
    ['a{2}', '\\x{61}{2,2}', 3],
    ['a{2,}', '\\x{61}{2,}', 4],
    ['a{2,3}', '\\x{61}{2,3}', 4],
    ['a{0}', '\\x{61}{0,0}', 1],
    ['a{1000}', '\\x{61}{1000,1000}', 1001],
    ['a{1001}', '(?:\\x{61}{1000}\\x{61}{1})', 1002],
    ['a{1001,}', '(?:\\x{61}{1000}\\x{61}{1}\\x{61}*)', 1003],
    ['a{1000,2500}', '(?:\\x{61}{1000}\\x{61}{0,1000}\\x{61}{0,500})', 2501],
    ['a{0,1500}', '(?:\\x{61}{0,1000}\\x{61}{0,500})', 1501],
    ['a*?', '\\x{61}*', 2],
    ['(a)', '(?:\\x{61})', 3],
    ['(?:a|bc)+', '(?:\\x{61}|\\x{62}\\x{63})+', 11],
    ['(?<n>a)', '(?:\\x{61})', 3],
    ['((a))', '(?:(?:\\x{61}))', 4],
    ['\\bx\\B', '\\b\\x{78}\\B', 4],
    ['\\t\\n\\v\\f\\r', '\\x{9}\\x{a}\\x{b}\\x{c}\\x{d}', 6],
    ['\\cJ', '\\x{a}', 2],
    ['\\0', '\\x{0}', 2],
    ['\\x41', '\\x{41}', 2],
    ['\\u0041', '\\x{41}', 2],
    ['\\u{1f600}', '\\x{1f600}', 2],
    ['\\ud83d\\ude00', '\\x{1f600}', 2],
    ['\\ud83d', '\\x{d83d}', 2],
    ['\\ud83d\\u0041', '\\x{d83d}\\x{41}', 3],
    ['\\ud83d\\u{41}', '\\x{d83d}\\x{41}', 3],
    ['[\\b]', '[\\x{8}]', 2],
    ['\\p{L}', '[\\p{L}]', 2],
    ['\\P{Lu}', '[\\P{Lu}]', 2],
    ['\\p{Letter}', '[\\p{L}]', 2],
    ['\\p{Script=Greek}', '[\\p{Greek}]', 2],
    ['\\p{gc=Lu}', '[\\p{Lu}]', 2],
    ['\\p{Any}', '[\\x{0}-\\x{10ffff}]', 2],
    ['\\p{ASCII}', '[\\x{0}-\\x{7f}]', 2],
    ['\\P{ASCII}', '[\\x{80}-\\x{10ffff}]', 2],
    ['[\\p{L}\\d]', '[\\p{L}\\x{30}-\\x{39}]', 2],
    ['a{', '\\x{61}\\x{7b}', 3],
    ['a{,2}', '\\x{61}\\x{7b}\\x{2c}\\x{32}\\x{7d}', 6],
    ['a{x}', '\\x{61}\\x{7b}\\x{78}\\x{7d}', 5],
    ['{', '\\x{7b}', 2],
    ['}', '\\x{7d}', 2],
    [']', '\\x{5d}', 2],
    ['\\-', '\\x{2d}', 2],
    ['[\\-]', '[\\x{2d}]', 2],
    ['[a\\-z]', '[\\x{61}\\x{2d}\\x{7a}]', 2],
    ['[+--]', '[\\x{2b}-\\x{2d}]', 2],
    ['\\/', '\\x{2f}', 2],
    ['😀', '\\x{1f600}', 2],
    ['(a{3}){4}', '(?:\\x{61}{3,3}){4,4}', 17],
    ['(a+b?){2,5}c', '(?:\\x{61}+\\x{62}{0,1}){2,5}\\x{63}', 22],
    ['.{3}', '[^\\x{A}\\x{D}\\x{2028}\\x{2029}]{3,3}', 4],
  ]
  test.each(translations)('of %j is %j, with a weight of %d', (source, re2, weight) => {
    const result = compilePattern(source)
    expect(result).toMatchObject({ ok: true, value: { source, re2, weight } })
  })

  test('may weigh as much as the limit, and no more', () => {
    const most = limits.schemaPatternInstructions
    expect(compilePattern(`a{${most - 1}}`).ok).toBe(true)
    expect(compilePattern(`a{${most}}`)).toMatchObject({ ok: false, fault: { kind: 'unsupported' } })
    expect(compilePattern(`(a{${most / 2}}){3}`)).toMatchObject({ ok: false, fault: { kind: 'unsupported' } })
  })

  test('has groups a hundred levels deep, and no deeper', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}a${')'.repeat(levels)}`
    expect(compilePattern(nested(100)).ok).toBe(true)
    expect(compilePattern(nested(101))).toMatchObject({ ok: false, fault: { kind: 'syntax' } })
    // Groups that were left don't count.
    expect(compilePattern('(a)'.repeat(150)).ok).toBe(true)
  })

  test('counts the groups that a back-reference may name', () => {
    expect(isEcmaPattern('(a)\\1')).toBe(true)
    expect(isEcmaPattern('(a)\\2')).toBe(false)
    expect(isEcmaPattern('(?:a)\\1')).toBe(false)
    expect(isEcmaPattern('(?<n>a)\\1')).toBe(true)
    expect(isEcmaPattern('(a)(?<n>b)\\2')).toBe(true)
    expect(isEcmaPattern('\\k<n>(?<n>a)')).toBe(true)
  })
})

test('every general category answers as the native engine does, by its long and its short name', () => {
  const names =
    'Letter Cased_Letter Uppercase_Letter Lowercase_Letter Titlecase_Letter Modifier_Letter Other_Letter Mark Combining_Mark Nonspacing_Mark Spacing_Mark Enclosing_Mark Number Decimal_Number digit Letter_Number Other_Number Punctuation punct Connector_Punctuation Dash_Punctuation Open_Punctuation Close_Punctuation Initial_Punctuation Final_Punctuation Other_Punctuation Symbol Math_Symbol Currency_Symbol Modifier_Symbol Other_Symbol Separator Space_Separator Line_Separator Paragraph_Separator Other Control cntrl Format Private_Use L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co'
  // At least one character of each category.
  const samples = 'Aaǅʰא\u0301\u0903\u20dd5Ⅷ½_-([)]«»!+$^©\u00a0\u2028\u2029\u0007\u00ad\ue000'
  for (const name of names.split(' ')) {
    const source = `^\\p{${name}}$`
    const native = new RegExp(source, 'u')
    const held = Array.from(samples).filter((character) => native.test(character))
    expect([name, held.length > 0]).toEqual([name, true])
    expect([name, Array.from(samples).filter((character) => matches(source, character))]).toEqual([name, held])
  }
})
