import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { namedColor, readColor } from '../../../../src/engines/pdf/read/drawing/color.ts'
import {
  knownGeometry,
  presetGeometry,
  readAdjustments,
  readCustomGeometry,
} from '../../../../src/engines/pdf/read/drawing/geometry.ts'
import { type PaintSource, readFill, readStyle } from '../../../../src/engines/pdf/read/drawing/paint.ts'
import type { Theme } from '../../../../src/engines/pdf/read/theme.ts'
import { element } from './elements.ts'

const noTheme: Theme = { fonts: new Map(), colors: new Map(), fills: [], backgrounds: [], lines: [] }
const theme: Theme = { ...noTheme, colors: new Map([['accent1', '4F81BD']]) }
const holder = (content: string) => element(`<a:x>${content}</a:x>`)
const color = (content: string) => readColor(holder(content), theme)
const srgb = (value: string, steps = '') => `<a:srgbClr val="${value}">${steps}</a:srgbClr>`
const step = (name: string, value: string | number) => `<a:${name} val="${value}"/>`
const changed = (value: string, ...steps: [string, string | number][]) =>
  color(srgb(value, steps.map(([name, amount]) => step(name, amount)).join('')))

describe('A colour', () => {
  test('is written in one of six ways', () => {
    const ways = {
      '<a:srgbClr val="ff8000"/>': 'FF8000',
      '<a:schemeClr val="accent1"/>': '4F81BD',
      '<a:sysClr val="window" lastClr="0a0b0c"/>': '0A0B0C',
      '<a:sysClr val="window"/>': 'FFFFFF',
      '<a:sysClr val="windowText"/>': '000000',
      '<a:prstClr val="navy"/>': '000080',
      // Half of the light is 188 of 255 in sRGB: 1.055 × 0.5^(1/2.4) − 0.055.
      '<a:scrgbClr r="100000" g="50000" b="50%"/>': 'FFBCBC',
      '<a:scrgbClr r="100000"/>': 'FF0000',
      '<a:hslClr hue="7200000" sat="100000" lum="50000"/>': '00FF00',
      '<a:hslClr hue="14400000" sat="100%" lum="50%"/>': '0000FF',
      '<a:hslClr sat="100%" lum="50%"/>': 'FF0000',
      '<a:hslClr lum="50%"/>': '808080',
      '<a:hslClr sat="100%"/>': '000000',
    }
    for (const [written, expected] of Object.entries(ways))
      expect([written, color(written)]).toEqual([written, { color: expected, opacity: 1 }])
  })

  test('is none where it can’t be read, and the first that can', () => {
    for (const written of [
      '',
      '<a:srgbClr val="red"/>',
      '<a:srgbClr/>',
      '<a:schemeClr val="x"/>',
      '<a:prstClr val="x"/>',
    ])
      expect([written, color(written)]).toEqual([written, undefined])
    expect(readColor(undefined, theme)).toBeUndefined()
    expect(color(`<a:srgbClr val="x"/>${srgb('00FF00')}${srgb('0000FF')}`)?.color).toBe('00FF00')
  })

  test('is that of the shape in place of a theme’s placeholder', () => {
    const placeholder = { color: '123456', opacity: 0.5 }
    expect(readColor(holder('<a:schemeClr val="phClr"/>'), theme, placeholder)).toEqual(placeholder)
    expect(color('<a:schemeClr val="phClr"/>')).toBeUndefined()
  })

  test('is lighter or darker in linear light', () => {
    expect(changed('FF0000', ['tint', 50_000])?.color).toBe('FFBCBC')
    expect(changed('FF0000', ['shade', 50_000])?.color).toBe('BC0000')
    expect(changed('FF0000', ['shade', '50%'])?.color).toBe('BC0000')
  })

  test('has another hue, saturation or lightness', () => {
    const cases: [string, string, string | number, string][] = [
      ['FF0000', 'lumMod', 50_000, '800000'],
      ['FF0000', 'lumMod', 300_000, 'FFFFFF'],
      ['FF0000', 'lumOff', 25_000, 'FF8080'],
      ['FF0000', 'lumOff', -60_000, '000000'],
      ['FF0000', 'satMod', 50_000, 'BF4040'],
      ['FF0000', 'satMod', 200_000, 'FF0000'],
      ['FF0000', 'satOff', -50_000, 'BF4040'],
      ['BF4040', 'satOff', 60_000, 'FF0000'],
      ['00FF00', 'hueMod', 50_000, 'FFFF00'],
      ['00FF00', 'hueMod', 350_000, 'FFFF00'],
      ['FF0000', 'hueOff', 7_200_000, '00FF00'],
      ['FF0000', 'hueOff', -7_200_000, '0000FF'],
      ['0000FF', 'hueOff', 7_200_000, 'FF0000'],
      ['FF0000', 'gamma', 50_000, 'FF0000'],
      ['FF0000', 'lumMod', 'x', 'FF0000'],
    ]
    for (const [from, name, amount, expected] of cases)
      expect([name, amount, changed(from, [name, amount])?.color]).toEqual([name, amount, expected])
    expect(changed('FF0000', ['lumMod', 50_000], ['lumOff', 50_000])?.color).toBe('FF8080')
  })

  test('has an opacity from 0 to 1, set, multiplied or moved in turn', () => {
    const opacity = (...steps: [string, string | number][]) => changed('FF0000', ...steps)?.opacity
    expect(opacity(['alpha', 40_000])).toBe(0.4)
    expect(opacity(['alpha', 80_000], ['alphaMod', 50_000])).toBe(0.4)
    expect(opacity(['alphaOff', -25_000])).toBe(0.75)
    expect(opacity(['alpha', 80_000], ['alpha', '50%'])).toBe(0.5)
    expect([opacity(['alphaMod', 300_000]), opacity(['alphaOff', -300_000])]).toEqual([1, 0])
  })

  test('has one of these names', () => {
    const names =
      'black:000000 white:FFFFFF red:FF0000 lime:00FF00 green:008000 blue:0000FF yellow:FFFF00 cyan:00FFFF aqua:00FFFF magenta:FF00FF ' +
      'fuchsia:FF00FF gray:808080 grey:808080 silver:C0C0C0 maroon:800000 olive:808000 navy:000080 purple:800080 teal:008080 ' +
      'orange:FFA500 gold:FFD700 pink:FFC0CB brown:A52A2A darkBlue:00008B darkRed:8B0000 darkGreen:006400 darkGray:A9A9A9 ' +
      'lightGray:D3D3D3 lightBlue:ADD8E6 steelBlue:4682B4 dkBlue:00008B dkRed:8B0000 dkGreen:006400 dkGray:A9A9A9 ltGray:D3D3D3 ltBlue:ADD8E6'
    for (const [name = '', value = ''] of names.split(' ').map((pair) => pair.split(':')))
      expect([name, namedColor(name)]).toEqual([name, value])
    expect([namedColor('toString'), namedColor('')]).toEqual([undefined, undefined])
  })
})

describe('A fill', () => {
  const source: PaintSource = { theme, partOf: (id) => (id === 'r1' ? 'media/1.png' : undefined) }
  const fill = (content: string) => readFill(holder(content), source)
  const stop = (at: string, value: string, steps = '') => `<a:gs pos="${at}">${srgb(value, steps)}</a:gs>`
  const gradient = (stops: string, rest = '') => fill(`<a:gradFill><a:gsLst>${stops}</a:gsLst>${rest}</a:gradFill>`)
  const redToBlue = stop('0', 'FF0000') + stop('100000', '0000FF')
  const red = { kind: 'solid', color: 'FF0000', opacity: 1 } as const

  test('is none, a colour or a picture, and the first that can be read', () => {
    expect(fill('<a:noFill/>')).toBe('none')
    expect(fill(`<a:solidFill>${srgb('FF0000', step('alpha', 50_000))}</a:solidFill>`)).toEqual({
      ...red,
      opacity: 0.5,
    })
    expect(fill('<a:blipFill><a:blip r:embed="r1"/></a:blipFill>')).toEqual({ kind: 'picture', part: 'media/1.png' })
    expect([fill('<a:blipFill><a:blip r:embed="r2"/></a:blipFill>'), fill('<a:blipFill/>'), fill('<a:ln/>')]).toEqual([
      ...[undefined, undefined, undefined],
    ])
    expect([fill('<a:solidFill/>'), readFill(undefined, source)]).toEqual([undefined, undefined])
    expect(fill(`<a:ln/><a:solidFill/><a:noFill/><a:solidFill>${srgb('FF0000')}</a:solidFill>`)).toBe('none')
  })

  test('is a mix of a pattern’s two colours', () => {
    const pattern = (
      preset: string,
      colors = `<a:fgClr>${srgb('000000')}</a:fgClr><a:bgClr>${srgb('FFFFFF')}</a:bgClr>`,
    ) => fill(`<a:pattFill prst="${preset}">${colors}</a:pattFill>`)
    const shares = {
      pct20: 'CCCCCC',
      pct5: 'F2F2F2',
      ltHorz: 'BFBFBF',
      dkHorz: '808080',
      cross: 'A6A6A6',
      xpct20: 'A6A6A6',
    }
    for (const [preset, expected] of Object.entries(shares))
      expect([preset, pattern(preset)]).toEqual([preset, { kind: 'solid', color: expected, opacity: 1 }])
    const clear = `<a:bgClr>${srgb('FFFFFF', step('alpha', 25_000))}</a:bgClr>`
    expect(pattern('pct20', `<a:fgClr>${srgb('000000')}</a:fgClr>${clear}`)).toMatchObject({ opacity: 0.25 })
    expect(pattern('pct20', `<a:fgClr>${srgb('FF0000')}</a:fgClr>`)).toEqual(red)
    expect(pattern('pct20', clear)).toBeUndefined()
  })

  test('is a gradient by angle whose stops are sorted, bounded and reach from end to end', () => {
    expect(gradient(redToBlue)).toEqual({
      ...{ kind: 'gradient', opacity: 1, angle: 0 },
      stops: [
        { at: 0, color: 'FF0000' },
        { at: 1, color: '0000FF' },
      ],
    })
    expect(gradient(redToBlue, '<a:lin ang="5400000"/>')).toMatchObject({ angle: 90 })
    expect(gradient(stop('75%', '0000FF') + stop('25000', 'FF0000'))).toMatchObject({
      stops: [
        { at: 0, color: 'FF0000' },
        { at: 0.25, color: 'FF0000' },
        { at: 0.75, color: '0000FF' },
        { at: 1, color: '0000FF' },
      ],
    })
    expect(gradient(stop('-5', 'FF0000') + stop('200000', '0000FF'))).toMatchObject({
      stops: [{ at: 0 }, { at: 1 }],
    })
    const fading = stop('0', 'FF0000', step('alpha', 50_000)) + stop('100000', '0000FF')
    expect(gradient(fading)).toMatchObject({ opacity: 0.75 })
    expect(gradient(`<a:gs pos="0"/>${fading}`)).toMatchObject({ opacity: 0.75 })
  })

  test('of one stop is its colour, of none is none, and of too many has the first of them', () => {
    expect(gradient(stop('50000', 'FF0000', step('alpha', 50_000)))).toEqual({ ...red, opacity: 0.5 })
    expect([gradient(''), fill('<a:gradFill/>')]).toEqual([undefined, undefined])
    const many = Array.from({ length: limits.renderGradientStops }, () => stop('0', 'FF0000')).join('')
    expect(gradient(many + stop('100000', '0000FF'))).toMatchObject({
      stops: [{ color: 'FF0000' }, { color: 'FF0000' }],
    })
  })

  test('along a path begins in the middle of the rectangle that it fills to', () => {
    const path = (rectangle: string) =>
      gradient(redToBlue, `<a:lin ang="5400000"/><a:path path="circle"><a:fillToRect ${rectangle}/></a:path>`)
    expect(path('l="50000" t="50000" r="50000" b="50000"')).toMatchObject({ angle: 0, focus: { x: 0.5, y: 0.5 } })
    expect(path('r="100000" b="100000"')).toMatchObject({ focus: { x: 0, y: 0 } })
    expect(path('l="100000" b="100%"')).toMatchObject({ focus: { x: 1, y: 0 } })
    expect(path('l="20000" r="40000" t="60000"')).toMatchObject({ focus: { x: 0.4, y: 0.8 } })
    expect(path('l="300000" r="-300000" b="300000"')).toMatchObject({ focus: { x: 1, y: 0 } })
    expect(path('')).toMatchObject({ focus: { x: 0.5, y: 0.5 } })
  })
})

describe('A style of a shape', () => {
  const colored = '<a:schemeClr val="phClr"/>'
  const scheme = (content: string) => holder(content).children.filter((child) => child.kind === 'element')
  const source: PaintSource = {
    theme: {
      ...theme,
      fills: scheme(`<a:solidFill>${colored}</a:solidFill><a:noFill/><a:blipFill/>`),
      backgrounds: scheme(`<a:solidFill>${srgb('00FF00')}</a:solidFill>`),
      lines: scheme(`<a:ln w="25400"><a:solidFill>${colored}</a:solidFill></a:ln><a:ln><a:noFill/></a:ln><a:ln/>`),
    },
    partOf: () => undefined,
  }
  const style = (content: string) => readStyle(element(`<wps:style>${content}</wps:style>`), source)
  const fill = (index: string, value = srgb('FF0000')) => style(`<a:fillRef idx="${index}">${value}</a:fillRef>`).fill
  const line = (index: string, value = srgb('FF0000')) => style(`<a:lnRef idx="${index}">${value}</a:lnRef>`).line
  const red = { kind: 'solid', color: 'FF0000', opacity: 1 } as const

  test('fills from the theme by number, from its backgrounds above 1,000', () => {
    expect([fill('1'), fill('2'), fill('3'), fill('9'), fill('0')]).toEqual([red, undefined, red, red, undefined])
    expect([fill('1001'), fill('1000'), fill('1002')]).toEqual([{ ...red, color: '00FF00' }, red, red])
    expect([fill('1', ''), fill('3', '')]).toEqual([undefined, undefined])
  })

  test('draws lines from the theme by number in its colour', () => {
    const plain = { color: 'FF0000', opacity: 1, width: 0.75, dash: [], cap: 'butt', join: 'round' } as const
    expect([line('1'), line('2'), line('3'), line('4'), line('0')]).toEqual([
      ...[{ ...plain, width: 2 }, undefined, plain, plain, undefined],
    ])
    expect([line('1', ''), line('4', '')]).toEqual([undefined, undefined])
  })

  test('has a colour of text, and nothing where there is no style', () => {
    expect(style(`<a:fontRef idx="minor">${srgb('FF0000')}</a:fontRef>`)).toEqual({
      ...{ fill: undefined, line: undefined, text: { color: 'FF0000', opacity: 1 } },
    })
    expect(readStyle(undefined, source)).toEqual({ fill: undefined, line: undefined, text: undefined })
  })
})

describe('A geometry', () => {
  const custom = (content: string) => readCustomGeometry(element(`<a:custGeom>${content}</a:custGeom>`))
  const path = (attributes: string, content = '') => {
    const [first] = custom(`<a:pathLst><a:path ${attributes}>${content}</a:path></a:pathLst>`).paths
    return first
  }
  const guide = (name: string, formula: string) => `<a:gd name="${name}" fmla="${formula}"/>`

  test('has guides, whose formulas are words', () => {
    const { adjustments, guides } = custom(
      `<a:avLst>${guide('adj', 'val 7')}</a:avLst><a:gdLst>${guide('x', ' */  w 1 2 ')}<a:gd/></a:gdLst>`,
    )
    expect(adjustments).toEqual([{ name: 'adj', formula: ['val', '7'] }])
    expect(guides).toEqual([
      { name: 'x', formula: ['*/', 'w', '1', '2'] },
      { name: '', formula: [''] },
    ])
    const many = custom(`<a:gdLst>${guide('x', 'val 1').repeat(limits.renderShapeGuides + 1)}</a:gdLst>`)
    expect(many.guides.length).toBe(limits.renderShapeGuides)
    expect(custom('')).toEqual({ adjustments: [], guides: [], rectangle: ['l', 't', 'r', 'b'], paths: [] })
  })

  test('has a rectangle for text, by default its box', () => {
    expect(custom('<a:rect l="a" t="b" r="c" b="d"/>').rectangle).toEqual(['a', 'b', 'c', 'd'])
    expect(custom('<a:rect t="b"/>').rectangle).toEqual(['l', 'b', 'r', 'b'])
  })

  test('has paths of six steps', () => {
    const point = (x: string, y: string) => `<a:pt x="${x}" y="${y}"/>`
    expect(
      path(
        '',
        `<a:moveTo>${point('1', 'h')}</a:moveTo><a:lnTo><a:pt/></a:lnTo><a:cubicBezTo>${point('1', '2')}${point('3', '4')}${point('5', '6')}</a:cubicBezTo>` +
          `<a:quadBezTo>${point('1', '2')}${point('3', '4')}</a:quadBezTo><a:arcTo wR="1" hR="2" stAng="3" swAng="4"/><a:arcTo/><a:close/><a:x/>`,
      )?.steps,
    ).toEqual([
      { op: 'M', args: ['1', 'h'] },
      { op: 'L', args: ['0', '0'] },
      { op: 'C', args: ['1', '2', '3', '4', '5', '6'] },
      { op: 'Q', args: ['1', '2', '3', '4'] },
      { op: 'A', args: ['1', '2', '3', '4'] },
      { op: 'A', args: ['0', '0', '0', '0'] },
      { op: 'Z', args: [] },
      { op: '', args: [] },
    ])
  })

  test('has paths with an extent, a fill and a stroke', () => {
    expect(path('')).toMatchObject({ fill: 'norm', stroke: true })
    expect([path('w="20" h="30"'), path('w="0" h="-1"')]).toMatchObject([
      { width: 20, height: 30 },
      { width: undefined, height: undefined },
    ])
    expect(
      ['none', 'norm', 'lighten', 'lightenLess', 'darken', 'darkenLess', 'x'].map((it) => path(`fill="${it}"`)?.fill),
    ).toEqual([...(['none', 'norm', 'lighten', 'lightenLess', 'darken', 'darkenLess', 'norm'] as const)])
    expect(['0', 'false', '1', 'true'].map((it) => path(`stroke="${it}"`)?.stroke)).toEqual([false, false, true, true])
  })

  test('has no more steps than the limit, over all of its paths', () => {
    const steps = (count: number) => `<a:path>${'<a:close/>'.repeat(count)}</a:path>`
    const { paths } = custom(`<a:pathLst>${steps(limits.renderPathSteps - 2)}${steps(3)}${steps(1)}</a:pathLst>`)
    expect(paths.map((one) => one.steps.length)).toEqual([limits.renderPathSteps - 2, 2, 0])
  })

  test('has adjustments that are constants', () => {
    const adjustments = (content: string) =>
      Object.fromEntries(readAdjustments(element(`<a:avLst>${content}</a:avLst>`)))
    expect(
      adjustments(
        `${guide('a', ' val  -25000 ')}${guide('b', 'val 1.5')}${guide('c', '*/ w 1 2')}${guide('d', 'val x')}<a:gd/>`,
      ),
    ).toEqual({ a: -25_000, b: 1.5 })
    expect(adjustments('<a:gd fmla="val 3"/>')).toEqual({ '': 3 })
    const many = Array.from({ length: limits.renderShapeGuides + 1 }, (_, at) => guide(`n${at}`, 'val 1')).join('')
    expect(Object.keys(adjustments(many)).length).toBe(limits.renderShapeGuides)
    expect(readAdjustments(undefined).size).toBe(0)
  })

  test('is found by its name in the standard, and by no other', () => {
    expect(presetGeometry('rect')).toMatchObject({
      ...{ adjustments: [], rectangle: ['l', 't', 'r', 'b'] },
      paths: [{ width: undefined, height: undefined, fill: 'norm', stroke: true }],
    })
    expect(
      presetGeometry('rect')
        ?.paths[0]?.steps.map(({ op }) => op)
        .join(''),
    ).toBe('MLLLZ')
    expect(knownGeometry('roundRect')).toBe(presetGeometry('roundRect') as never)
    expect(knownGeometry('roundRect').adjustments).toEqual([{ name: 'adj', formula: ['val', '16667'] }])
    expect(['nothing', 'rect|', '', 'x'.repeat(41)].map(presetGeometry)).toEqual(new Array(4).fill(undefined))
  })

  test('of several paths has their fills, strokes and extents', () => {
    const can = presetGeometry('can')
    expect(can?.paths.map(({ fill, stroke }) => `${fill} ${stroke}`)).toEqual([
      'norm false',
      'lighten false',
      'none true',
    ])
    expect(presetGeometry('flowChartProcess')?.paths[0]).toMatchObject({ width: 1, height: 1 })
    expect(can?.paths.map(({ steps }) => steps.map(({ op }) => op).join(''))).toEqual(['MALAZ', 'MAAZ', 'MAALAL'])
    expect(can?.paths[0]?.steps[1]?.args).toEqual(['wd2', 'y1', 'cd2', '-10800000'])
  })
})
