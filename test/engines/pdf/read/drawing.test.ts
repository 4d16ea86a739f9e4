import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { tinted } from '../../../../src/engines/pdf/frame/color.ts'
import type { PlotKind } from '../../../../src/engines/pdf/model/chart.ts'
import { chartColors, chartGrounds } from '../../../../src/engines/pdf/read/chart/colors.ts'
import { summaryOf } from '../../../../src/engines/pdf/read/chart/summary.ts'
import { distinct, type PaintSource, readLine } from '../../../../src/engines/pdf/read/drawing/paint.ts'
import { mathText } from '../../../../src/engines/pdf/read/math.ts'
import { readTheme, themeColor } from '../../../../src/engines/pdf/read/theme.ts'
import { element } from './elements.ts'

const accents = ['111111', '222222', '333333', '444444', '555555', '666666']
const theme = readTheme(
  element(
    '<a:theme><a:themeElements><a:clrScheme name="x"><a:dk1><a:sysClr val="windowText" lastClr="0A0A0A"/></a:dk1><a:lt1><a:srgbClr val="fafafa"/></a:lt1>' +
      `${accents.map((color, at) => `<a:accent${at + 1}><a:srgbClr val="${color}"/></a:accent${at + 1}>`).join('')}<a:dk2><a:srgbClr val="red"/></a:dk2></a:clrScheme>` +
      '<a:fontScheme name="x"><a:majorFont><a:latin typeface="M"/><a:ea typeface=""/><a:cs typeface="C"/><a:font script="Jpan" typeface="J"/></a:majorFont>' +
      '<a:minorFont><a:latin typeface="N"/><a:font script="Arab" typeface="A"/></a:minorFont></a:fontScheme>' +
      '<a:fmtScheme name="x"><a:fillStyleLst><a:noFill/></a:fillStyleLst><a:lnStyleLst><a:ln/><a:ln/></a:lnStyleLst><a:bgFillStyleLst/></a:fmtScheme>' +
      '</a:themeElements></a:theme>',
  ),
  { eastAsia: 'ja-JP', complex: 'ar-SA' },
)
const source: PaintSource = { theme, partOf: () => undefined }
const bare: PaintSource = { theme: readTheme(undefined), partOf: () => undefined }

describe('A theme', () => {
  test('has its fonts by size and script, of which those of the document’s languages are listed', () => {
    expect(Object.fromEntries(theme.fonts)).toEqual({
      ...{
        majorHAnsi: 'M',
        majorAscii: 'M',
        majorEastAsia: 'J',
        majorBidi: 'C',
        minorHAnsi: 'N',
        minorAscii: 'N',
        minorBidi: 'A',
      },
    })
  })

  test('has its colours by all of their names, without those that are none', () => {
    expect(
      ['dk1', 'dark1', 'text1', 'tx1', 'lt1', 'light1', 'background1', 'bg1', 'accent6', 'dk2'].map((name) =>
        theme.colors.get(name),
      ),
    ).toEqual([
      ...['0A0A0A', '0A0A0A', '0A0A0A', '0A0A0A', 'FAFAFA', 'FAFAFA', 'FAFAFA', 'FAFAFA', '666666', undefined],
    ])
    expect([theme.fills.length, theme.lines.length, theme.backgrounds.length]).toEqual([1, 2, 0])
  })

  test('gives a colour lighter by a tint, darker by a shade, and unchanged by neither', () => {
    expect([
      themeColor(theme, 'accent5'),
      themeColor(theme, 'accent5', 'FF'),
      themeColor(theme, 'accent5', 'x'),
    ]).toEqual(['555555', '555555', '555555'])
    expect([themeColor(theme, 'accent5', '80'), themeColor(theme, 'accent5', undefined, '80')]).toEqual([
      'AAAAAA',
      '2B2B2B',
    ])
    expect([themeColor(theme, undefined), themeColor(theme, 'none')]).toEqual([undefined, undefined])
  })
})

describe('An equation', () => {
  const math = (content: string) => mathText(element(`<m:oMath>${content}</m:oMath>`))
  const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
  const e = (text: string) => `<m:e>${t(text)}</m:e>`
  const sub = (text: string) => `<m:sub>${t(text)}</m:sub>`
  const sup = (text: string) => `<m:sup>${t(text)}</m:sup>`

  test('has its powers, indexes and fractions, with brackets around more than one letter, sign or number', () => {
    expect(math(`<m:sSup>${e('x')}${sup('2')}</m:sSup>`)).toBe('x^2')
    expect(math(`<m:sSub>${e('x')}${sub('i+1')}</m:sSub>`)).toBe('x_(i+1)')
    expect(math(`<m:sSubSup>${e('x')}${sub('i')}${sup('12.5')}</m:sSubSup>`)).toBe('x_i^12.5')
    expect(math(`<m:sPre>${sub('a')}${sup('b')}${e('c')}</m:sPre>`)).toBe('_a^bc')
    expect(math(`<m:f><m:num>${t('a+b')}</m:num><m:den>${t('2')}</m:den></m:f>`)).toBe('(a+b)/2')
    expect(
      math(`<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>${t('n')}</m:num><m:den>${t('k')}</m:den></m:f>`),
    ).toBe('n¦k')
    expect(math(`<m:sSup>${e('x')}<m:sup/></m:sSup>`)).toBe('x')
    expect(math(`<m:sSup>${e('x')}${sup('+')}</m:sSup>`)).toBe('x^+')
  })

  test('has its roots, sums, limits and accents', () => {
    const root = (degree: string) => math(`<m:rad><m:deg>${degree === '' ? '' : t(degree)}</m:deg>${e('x')}</m:rad>`)
    expect(['', '2', '3', '4', 'n'].map(root)).toEqual(['√(x)', '√(x)', '∛(x)', '∜(x)', 'n√(x)'])
    expect(math(`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${sub('i=1')}${sup('n')}${e('i')}</m:nary>`)).toBe(
      '∑_(i=1)^n i',
    )
    expect(math(`<m:nary>${e('x')}</m:nary>`)).toBe('∫ x')
    expect(math(`<m:func><m:fName>${t('sin')}</m:fName>${e('x')}</m:func>`)).toBe('sin x')
    expect(math(`<m:limLow>${e('lim')}<m:lim>${t('n→∞')}</m:lim></m:limLow>`)).toBe('lim_(n→∞)')
    expect(math(`<m:limUpp>${e('x')}<m:lim>${t('y')}</m:lim></m:limUpp>`)).toBe('x^y')
    expect(math(`<m:acc>${e('x')}</m:acc>`)).toBe('x\u0302')
    expect(math(`<m:acc><m:accPr><m:chr m:val="̃"/></m:accPr>${e('x')}</m:acc>`)).toBe('x\u0303')
  })

  test('has its brackets, matrices and rows', () => {
    expect(math(`<m:d>${e('a')}${e('b')}</m:d>`)).toBe('(a|b)')
    const own = '<m:dPr><m:begChr m:val="["/><m:sepChr m:val=";"/><m:endChr m:val="}"/></m:dPr>'
    expect(math(`<m:d>${own}${e('a')}${e('b')}</m:d>`)).toBe('[a;b}')
    expect(math(`<m:d><m:dPr><m:begChr m:val=""/><m:endChr m:val=""/></m:dPr>${e('a')}</m:d>`)).toBe('a')
    expect(math(`<m:m><m:mr>${e('a')}${e('b')}</m:mr><m:mr>${e('c')}${e('d')}</m:mr></m:m>`)).toBe('[a, b; c, d]')
    expect(math(`<m:eqArr>${e('a')}${e('b')}</m:eqArr>`)).toBe('a; b')
    expect(math(t('x'.repeat(limits.renderMathChars + 1))).length).toBe(limits.renderMathChars)
  })
})

describe('A chart', () => {
  const plot = (kind: PlotKind, names: string[] = [], horizontal = false) => ({
    ...{ kind, horizontal },
    series: names.map((name) => ({ name })),
  })

  test('is described by its kind, its title and its series', () => {
    const kinds: readonly PlotKind[] = ['bar', 'line', 'area', 'pie', 'doughnut', 'scatter', 'bubble', 'radar']
    expect(kinds.map((kind) => summaryOf([plot(kind)], undefined))).toEqual(
      ['Column', 'Line', 'Area', 'Pie', 'Doughnut', 'Scatter', 'Bubble', 'Radar'].map((name) => `${name} chart`),
    )
    expect(summaryOf([plot('bar', ['A', '', 'B'], true), plot('line', ['C']), plot('line')], 'On\ntwo lines')).toBe(
      'Bar chart and Line chart: On two lines (A, B, C)',
    )
    const many = Array.from({ length: limits.chartSummarySeries + 1 }, (_, at) => `${at}`)
    expect(summaryOf([plot('pie', many)], '').match(/,/g)?.length).toBe(limits.chartSummarySeries - 1)
    expect(summaryOf([plot('pie')], 'x'.repeat(5_000)).length).toBe(limits.chartSummaryChars)
  })

  test('has the colours of its style: grays, accents in turn, or shades of one accent', () => {
    const colors = (style: number | undefined, count: number, from = source) => {
      const { color } = chartColors(style, count, from)
      return Array.from({ length: count }, (_, at) => color(at))
    }
    expect(colors(2, 6)).toEqual(accents)
    expect([colors(undefined, 6), colors(0, 6), colors(49, 6), colors(10, 6), colors(2.9, 6)]).toEqual(
      new Array(5).fill(accents),
    )
    expect(colors(2, 6, bare)).toEqual(['4F81BD', 'C0504D', '9BBB59', '8064A2', '4BACC6', 'F79646'])
    expect([colors(3, 1), colors(8, 1), colors(11, 1)]).toEqual([['111111'], ['666666'], ['111111']])
    // Two rounds: the first is darker, the second lighter.
    const [first = '', second = ''] = colors(7, 2)
    expect([first < '555555', second > '555555']).toEqual([true, true])
    expect(new Set(colors(2, 12)).size).toBe(12)
    // Tints of the dark colour: the larger the share of it, the darker.
    const shares = [0.885, 0.55, 0.78, 0.925, 0.7, 0.3]
    expect(colors(1, 6, bare)).toEqual(shares.map((share) => tinted('000000', share)))
    expect(colors(41, 4, bare)).toEqual([0.05, 0.55, 0.78, 0.15].map((share) => tinted('000000', share)))
  })

  test('has lines and grounds by the row of its style', () => {
    expect([1, 9, 17, 25, 33, 41].map((style) => chartColors(style, 1, source).lineWidth)).toEqual([
      2.25, 3.75, 3.75, 5.25, 3.75, 3.75,
    ])
    expect(chartGrounds(2, source)).toEqual({ text: '0A0A0A', area: 'FAFAFA', plot: undefined })
    expect([32, 33, 40, 41].map((style) => chartGrounds(style, source).plot !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(chartGrounds(48, source)).toMatchObject({ text: 'FAFAFA', area: '0A0A0A' })
    expect(chartGrounds(35, source).plot).not.toBe(chartGrounds(36, source).plot ?? '')
    expect(chartGrounds(1, bare)).toEqual({ text: '000000', area: 'FFFFFF', plot: undefined })
  })
})

describe('A line', () => {
  const fill = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
  const line = (attributes: string, content = '') =>
    readLine(element(`<a:ln ${attributes}>${fill}${content}</a:ln>`), source, undefined)

  test('has its colour, width, ends and corners', () => {
    expect(line('w="25400"')).toEqual({ color: 'FF0000', opacity: 1, width: 2, dash: [], cap: 'butt', join: 'round' })
    expect(line('')).toMatchObject({ width: 0.75 })
    expect([line('cap="rnd"'), line('cap="sq"'), line('cap="flat"')].map((one) => one !== 'none' && one?.cap)).toEqual([
      'round',
      'square',
      'butt',
    ])
    expect(['round', 'bevel', 'miter'].map((join) => line('', `<a:${join}/>`))).toMatchObject([
      { join: 'round' },
      { join: 'bevel' },
      { join: 'miter' },
    ])
  })

  test('has dashes in line widths', () => {
    const dashes = {
      ...{
        solid: [],
        dot: [1, 3],
        sysDot: [1, 1],
        dash: [4, 3],
        sysDash: [3, 1],
        lgDash: [8, 3],
        dashDot: [4, 3, 1, 3],
      },
      ...{
        sysDashDot: [3, 1, 1, 1],
        lgDashDot: [8, 3, 1, 3],
        lgDashDotDot: [8, 3, 1, 3, 1, 3],
        sysDashDotDot: [3, 1, 1, 1, 1, 1],
      },
    }
    for (const [name, dash] of Object.entries(dashes))
      expect(line('', `<a:prstDash val="${name}"/>`)).toMatchObject({ dash })
  })

  test('has heads of three sizes', () => {
    expect(line('', '<a:headEnd type="oval" w="sm" len="lg"/><a:tailEnd type="triangle"/>')).toMatchObject({
      ...{ head: { type: 'oval', width: 2, length: 5 }, tail: { type: 'triangle', width: 3, length: 3 } },
    })
    for (const type of ['arrow', 'stealth', 'diamond'])
      expect(line('', `<a:tailEnd type="${type}"/>`)).toMatchObject({ tail: { type } })
    expect(line('', '<a:headEnd type="none"/>')).not.toHaveProperty('head')
  })

  test('takes what it leaves out from the style, and is none where it says so', () => {
    const head = { type: 'oval', width: 2, length: 2 } as const
    const styled = {
      color: '00FF00',
      opacity: 0.5,
      width: 3,
      dash: [9],
      cap: 'round',
      join: 'bevel',
      head,
      tail: head,
    } as const
    expect(readLine(element('<a:ln/>'), source, styled)).toEqual({ ...styled, cap: 'butt' })
    expect(readLine(undefined, source, styled)).toBe(styled)
    expect(readLine(element('<a:ln><a:noFill/></a:ln>'), source, styled)).toBe('none')
    expect(readLine(element('<a:ln/>'), source, undefined)).toBeUndefined()
  })
})

test('Stops of a gradient that change nothing are left out', () => {
  const stop = (at: number, color = 'FF0000') => ({ at, color })
  expect(distinct([stop(0), stop(0.5), stop(1)])).toEqual([stop(0), stop(0.5), stop(1)])
  expect(distinct([stop(0), stop(0.5), stop(0.5, '00FF00'), stop(0.5), stop(1)])).toEqual([
    stop(0),
    stop(0.5),
    stop(0.5),
    stop(1),
  ])
  expect(distinct([stop(0, '00FF00'), stop(0), stop(1)])).toEqual([stop(0), stop(1)])
  expect(distinct([stop(0), stop(1), stop(1)])).toEqual([stop(0), stop(1)])
  expect(distinct([stop(0), stop(1), stop(1, '00FF00')])).toEqual([stop(0), stop(1), stop(1, '00FF00')])
})
