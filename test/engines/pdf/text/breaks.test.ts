import { describe, expect, test } from 'bun:test'
import { isSpace, mayBreakBehindSlash, mayBreakBetween } from '../../../../src/engines/pdf/text/breaks.ts'
import { rangesOf } from './code-ranges.ts'

const ideograph = 0x65e5
const letter = 0x41

/** The characters, in order, that no line may begin with, or end with, beside an ideograph; ASCII as it is. */
describe('Beside an ideograph', () => {
  test('no line begins with a closing sign, a blank, a hyphen, a quotation mark or a unit', () => {
    expect(rangesOf((code) => !mayBreakBetween(ideograph, ideograph, code))).toBe(
      '20-22 25 27 29 2c-2f 3a-3b 3f 5d 7d a0 a2 ab ad b0 bb 2000-200b 2010-2013 2019 201b 201d 201f 2024-2026 202f-2037 2060 ' +
        '3000-3002 3005 3009 300b 300d 300f 3011 3015 3017 3019 301b 301e-301f 303b 309b-309e 30fb 30fd-30ff ' +
        'fe30-fe34 fe36 fe38 fe3a fe3c fe3e fe40 fe42 fe44-fe58 fe5a fe5c fe5e-fe6b feff ' +
        'ff01 ff05 ff09 ff0c ff0e ff1a-ff1b ff1f ff3d ff5d ff60-ff61 ff63-ff65 ff9e-ff9f ffe0',
    )
  })

  test('no line ends with an opening sign, a quotation mark, a currency or what glues', () => {
    expect(rangesOf((code) => !mayBreakBetween(letter, code, ideograph))).toBe(
      '22 24 27-28 2b 2f 5b-5c 7b a0-a1 a3 a5 ab bb bf 2007 2011 2018 201a-201c 201e-201f 202f 2060 20ac ' +
        '3008 300a 300c 300e 3010 3014 3016 3018 301a 301d fe35 fe37 fe39 fe3b fe3d fe3f fe41 fe43 fe59 fe5b fe5d feff ' +
        'ff04 ff08 ff3b ff5b ff5f ff62 ffe1 ffe5',
    )
  })

  test('lines break after a closing quotation mark and before an opening one, and nowhere else at quotation marks', () => {
    const shown = (text: string) => {
      const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
      return codes.flatMap((code, at) =>
        at > 0 && mayBreakBetween(codes[at - 2] ?? 0, codes[at - 1] ?? 0, code) ? [at] : [],
      )
    }
    expect(shown('日“日”日')).toEqual([1, 4])
    expect(shown('日‘日’日')).toEqual([1, 4])
    expect(shown('，“日”（')).toEqual([1, 4])
    expect(shown('日"日"日')).toEqual([])
    expect(shown('a“a”a')).toEqual([])
    expect(shown('”日')).toEqual([1])
    expect(shown('“日')).toEqual([])
    expect(shown('日”')).toEqual([])
  })
})

describe('Beside a Latin letter', () => {
  test('lines begin with ideographs and their opening signs only', () => {
    expect(rangesOf((code) => mayBreakBetween(0, letter, code))).toBe(
      '2e80-2fff 3003-3004 3006-3008 300a 300c 300e 3010 3012-3014 3016 3018 301a 301c-301d 3020-303a 303c-309a 309f-30fa 30fc ' +
        '3100-9fff ac00-d7a3 f900-faff fe35 fe37 fe39 fe3b fe3d fe3f fe41 fe43 fe59 fe5b fe5d ' +
        'ff00 ff02-ff03 ff06-ff08 ff0a-ff0b ff0d ff0f-ff19 ff1c-ff1e ff20-ff3c ff3e-ff5c ff5e-ff5f ff62 ff66-ff9d ' +
        'ffa0-ffdf ffe2-ffe4 ffe6-ffef 1f300-1faff 20000-3ffff',
    )
  })

  test('lines end with blanks, hyphens, dashes, ideographs and their closing signs only', () => {
    expect(rangesOf((code) => mayBreakBetween(letter, code, letter))).toBe(
      '20 2d ad 2000-2006 2008-200b 2010 2012-2014 2e80-3004 3006-3007 3009 300b 300d 300f 3011-3013 3015 3017 3019 301b-301c ' +
        '301e-303a 303c-309a 309f-30fa 30fc 3100-9fff ac00-d7a3 f900-faff fe30-fe34 fe36 fe38 fe3a fe3c fe3e fe40 fe42 ' +
        'fe44-fe58 fe5a fe5c fe5e-fe6b ff00-ff03 ff06-ff07 ff09-ff3a ff3c-ff5a ff5c-ff5e ff60-ff61 ff63-ffdf ffe2-ffe4 ' +
        'ffe6-ffef 1f300-1faff 20000-3ffff',
    )
  })
})

/** Whether a line may end at the bar of `before|after`. */
function breaksAt(text: string): boolean {
  const [before = '', after = ''] = text.split('|')
  const codes = [...before].map((character) => character.codePointAt(0) ?? 0)
  return mayBreakBetween(codes.at(-2) ?? 0, codes.at(-1) ?? 0, after.codePointAt(0) ?? 0)
}

describe('A line', () => {
  test('ends after a hyphen that has something before it', () => {
    expect(breaksAt('a-|b')).toBe(true)
    expect(breaksAt('1-|2')).toBe(true)
    expect(breaksAt('-|b')).toBe(false)
    expect(breaksAt(' -|b')).toBe(false)
    expect(breaksAt('(-|b')).toBe(false)
    expect(breaksAt('a-|-')).toBe(false)
  })

  test('ends before a blank never, after one always, unless more blanks follow', () => {
    expect(breaksAt('a| ')).toBe(false)
    expect(breaksAt(' |a')).toBe(true)
    expect(breaksAt(' | ')).toBe(false)
    expect(breaksAt(' |)')).toBe(true)
    expect(breaksAt('\u200b|,')).toBe(true)
  })

  test('keeps two dashes together, and a currency with an ideograph', () => {
    expect(breaksAt('a—|—')).toBe(false)
    expect(breaksAt('a—|a')).toBe(true)
    expect(breaksAt('a—|1')).toBe(true)
    expect(breaksAt('$|日')).toBe(false)
    expect(breaksAt('日|$')).toBe(true)
    expect(breaksAt('日|%')).toBe(false)
  })

  test('ends after a Latin closing bracket only before an ideograph', () => {
    expect(breaksAt(')|a')).toBe(false)
    expect(breaksAt(')|日')).toBe(true)
    expect(breaksAt('」|a')).toBe(true)
    expect(breaksAt('a|(')).toBe(false)
    expect(breaksAt('日|(')).toBe(true)
    expect(breaksAt('a|（')).toBe(true)
  })
})

describe('Behind a slash', () => {
  const behind = (text: string) => {
    const [before = '', after = ''] = text.split('|')
    return mayBreakBehindSlash(
      [...before, ...after].map((character) => character.codePointAt(0) ?? 0),
      [...before].length,
    )
  }

  test('a long word may end a line before letters, opening signs, dashes and ideographs', () => {
    for (const after of 'ab(¡$%°日—') expect([after, behind(`and/|${after}`)]).toEqual([after, true])
    for (const after of ' -/).,"\u00a0\u00ad') expect([after, behind(`and/|${after}`)]).toEqual([after, false])
    expect(behind('and|/or')).toBe(false)
  })

  test('a number is never parted, whatever separates its digits', () => {
    expect(behind('1/|2')).toBe(false)
    expect(behind('1.,:;/|2')).toBe(false)
    expect(behind('1//|2')).toBe(false)
    expect(behind('a/|2')).toBe(true)
    expect(behind('1a/|2')).toBe(true)
    expect(behind('/|2')).toBe(true)
    expect(behind('.../|2')).toBe(true)
  })
})

test('No line ends beside characters beyond the planes of ideographs', () => {
  for (const code of [0x1f2ff, 0x1fb00, 0x1ffff, 0x40000, 0x7ffff, 0x10ffff])
    expect([mayBreakBetween(0, letter, code), mayBreakBetween(0, code, letter)]).toEqual([false, false])
})

test('Blanks are the space and the ideographic one', () => {
  expect(rangesOf(isSpace)).toBe('20 3000')
})

/** The text with a bar wherever a line may end. */
function breaks(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0)!)
  let shown = ''
  for (const [index, code] of codes.entries()) {
    if (index > 0 && mayBreakBetween(codes[index - 2] ?? 0, codes[index - 1]!, code)) shown += '|'
    shown += String.fromCodePoint(code)
  }
  return shown
}

test('lines end after spaces and hyphens, not before closing punctuation or after a minus sign', () => {
  expect(breaks('a b  c')).toBe('a |b  |c')
  expect(breaks('well-known 10-12 -5')).toBe('well-|known |10-|12 |-5')
  expect(breaks('(a) "b", c! 1,234.50')).toBe('(a) |"b", |c! |1,234.50')
})

test('no-break characters prevent a break, and zero-width spaces and dashes allow one', () => {
  expect(breaks('10\u00a0kg a\u2011b')).toBe('10\u00a0kg |a\u2011b')
  expect(breaks('a\u200bb 1\u20132 x\u2014y')).toBe('a\u200b|b |1\u2013|2 |x\u2014|y')
})

test('slashes and web addresses stay whole, as in Word', () => {
  expect(breaks('and/or https://example.com/a')).toBe('and/or |https://example.com/a')
})

test('lines break between ideographs, but not before their full stop', () => {
  expect(breaks('日本語。文')).toBe('日|本|語。|文')
  expect(breaks('（日）')).toBe('（日）')
  expect(breaks('Latin（日）9（日）')).toBe('Latin|（日）|9|（日）')
  expect(breaks('f(x)')).toBe('f(x)')
})
