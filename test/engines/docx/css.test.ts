import { describe, expect, test } from 'bun:test'
import {
  clampSize,
  type FontSize,
  readColor,
  readDeclarations,
  readLegacySize,
  readSize,
} from '../../../src/engines/docx/compose/rich/css.ts'

describe('a colour', () => {
  test.each<[string, string | undefined]>([
    ['#abc', 'AABBCC'],
    ['#abcd', 'AABBCC'],
    ['#a1b2c3', 'A1B2C3'],
    ['#a1b2c3d4', 'A1B2C3'],
    ['#ab', undefined],
    ['#abcde', undefined],
    ['#abcdef0', undefined],
    ['#ggg', undefined],
    [' Red ', 'FF0000'],
    ['whitesmoke', 'F5F5F5'],
    ['aliceblue', 'F0F8FF'],
    ['yellowgreen', '9ACD32'],
    ['currentcolor', undefined],
    ['rgb(1, 2, 3)', '010203'],
    ['rgba(255 255 255 / 0.5)', 'FFFFFF'],
    ['rgb(300, -5, 127.6)', 'FF0080'],
    ['rgb(100%, 0%, 50%)', 'FF0080'],
    ['rgb(1, 2)', undefined],
    ['rgb(a, b, c)', undefined],
    ['rgb()', undefined],
    ['hsl(0, 100%, 50%)', 'FF0000'],
    ['hsl(60, 100%, 50%)', 'FFFF00'],
    ['hsl(240deg 100% 50%)', '0000FF'],
    ['hsl(-120, 100%, 50%)', '0000FF'],
    ['hsl(480, 100%, 50%)', '00FF00'],
    ['hsl(0, 0%, 50%)', '808080'],
    ['hsl(30, 50%, 75%)', 'DFBF9F'],
    ['hsla(0, 200%, 50%, 1)', 'FF0000'],
    ['hsv(0, 100%, 50%)', undefined],
  ])('%s is %p', (written, color) => {
    expect(readColor(written)).toBe(color as string)
  })
})

describe('a size', () => {
  test.each<[string, FontSize | undefined]>([
    ['12pt', { halfPoints: 24 }],
    ['10.5pt', { halfPoints: 21 }],
    ['16px', { halfPoints: 24 }],
    ['1pc', { halfPoints: 24 }],
    ['1in', { halfPoints: 144 }],
    ['2.54cm', { halfPoints: 144 }],
    ['25.4mm', { halfPoints: 144 }],
    ['.5in', { halfPoints: 72 }],
    ['2em', { factor: 2 }],
    ['.5rem', { factor: 0.5 }],
    ['150%', { factor: 1.5 }],
    ['smaller', { factor: 5 / 6 }],
    ['larger', { factor: 1.2 }],
    ['xx-small', { halfPoints: 14 }],
    ['x-small', { halfPoints: 15 }],
    ['small', { halfPoints: 20 }],
    ['medium', { halfPoints: 24 }],
    ['large', { halfPoints: 27 }],
    ['x-large', { halfPoints: 36 }],
    ['xx-large', { halfPoints: 48 }],
    ['0pt', undefined],
    ['12', undefined],
    ['-1pt', undefined],
    ['1vw', undefined],
    ['constructor', undefined],
    ['100000pt', undefined],
    ['0.1pt', { halfPoints: 2 }],
    ['99999pt', { halfPoints: 3_276 }],
  ])('%s is %p', (written, size) => {
    expect(readSize(written)).toEqual(size as FontSize)
  })

  test('of <font> counts from 1 to 7, or in steps from 3', () => {
    const sizes = ['1', '2', '3', '4', '5', '6', '7'].map((step) => readLegacySize(step))
    expect(sizes).toEqual([15, 20, 24, 27, 36, 48, 72].map((halfPoints) => ({ halfPoints })))
    expect(readLegacySize('+2')).toEqual({ halfPoints: 36 })
    expect(readLegacySize('-1')).toEqual({ halfPoints: 20 })
    expect(readLegacySize('+7')).toEqual({ halfPoints: 72 })
    expect(readLegacySize(' -7 ')).toEqual({ halfPoints: 15 })
    for (const bad of ['0', '8', '10', 'x', '']) expect([bad, readLegacySize(bad)]).toEqual([bad, undefined])
  })

  test('stays between 1 and 1,638 points, and is a whole number of half points', () => {
    expect([0, 1.4, 2, 2.5, 3_276, 3_277].map(clampSize)).toEqual([2, 2, 2, 3, 3_276, 3_276])
  })
})

describe('a style attribute', () => {
  test.each<[string, object]>([
    ['font-weight: bold', { isBold: true }],
    ['font-weight: bolder', { isBold: true }],
    ['font-weight: normal', { isBold: false }],
    ['font-weight: lighter', { isBold: false }],
    ['font-weight: 600', { isBold: true }],
    ['font-weight: 599', { isBold: false }],
    ['font-weight: heavy', {}],
    ['font-style: italic', { isItalic: true }],
    ['font-style: oblique 10deg', { isItalic: true }],
    ['font-style: normal', { isItalic: false }],
    ['font-style: x', {}],
    ['text-decoration: underline', { lines: { underline: true, strike: false } }],
    ['text-decoration-line: line-through', { lines: { underline: false, strike: true } }],
    ['text-decoration: none', { lines: { underline: false, strike: false } }],
    ['vertical-align: super', { raised: 'superscript' }],
    ['vertical-align: sub', { raised: 'subscript' }],
    ['vertical-align: baseline', { raised: 'baseline' }],
    ['vertical-align: top', {}],
    ['text-align: Center', { align: 'center' }],
    ['background: #123', { background: '112233' }],
    ['background-color: rgb(1,2,3)', { background: '010203' }],
    ['background: url(a.png) red', { background: 'FF0000' }],
    ['background-color: url(a.png) red', {}],
    ['color:red!important', { color: 'FF0000' }],
    ['color: red ! IMPORTANT ; ;x; color', { color: 'FF0000' }],
    ['color: red; color: none', { color: 'FF0000' }],
    ['font-size: 10pt; font-size: huge', { size: { halfPoints: 20 } }],
    ['font-weight: bold; font-weight: x', { isBold: true }],
  ])('%s is read as far as Word can show it', (style, declarations) => {
    const found = Object.entries(readDeclarations(style)).filter(([, value]) => value !== undefined)
    expect(Object.fromEntries(found)).toEqual(declarations)
  })

  test('is read up to 2,000 characters', () => {
    const padding = 'x:y;'.repeat(500)
    expect(readDeclarations(`${padding.slice(16)}color:red;`).color).toBe('FF0000')
    expect(readDeclarations(`${padding}color:red`).color).toBeUndefined()
  })
})
