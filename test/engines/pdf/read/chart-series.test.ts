import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import type { PlotKind } from '../../../../src/engines/pdf/model/chart.ts'
import { chartColors } from '../../../../src/engines/pdf/read/chart/colors.ts'
import { readSeries } from '../../../../src/engines/pdf/read/chart/series.ts'
import type { PaintSource } from '../../../../src/engines/pdf/read/drawing/paint.ts'
import { element } from './elements.ts'

const source: PaintSource = {
  theme: { fonts: new Map(), colors: new Map(), fills: [], backgrounds: [], lines: [] },
  partOf: () => undefined,
}
const value = (name: string, val: string | number) => `<c:${name} val="${val}"/>`
const points = (...values: (string | number)[]) =>
  values.map((it, at) => `<c:pt idx="${at}"><c:v>${it}</c:v></c:pt>`).join('')
const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
const redLook = `<c:spPr>${red}<a:ln w="25400">${red}</a:ln></c:spPr>`
const noLook = '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>'
/** The first of Office's own accents, which is the colour of the first series. */
const first = '4F81BD'

function series(content: string, kind: PlotKind = 'bar', plot = '', budget = { series: 10, points: 100 }) {
  const place = { element: element(`<c:plot>${plot}</c:plot>`), kind, labels: undefined }
  const colors = chartColors(undefined, 1, source)
  const reading = { source, base: {}, style: undefined, colors, budget, firstDay: 0 }
  return readSeries(element(`<c:ser>${content}</c:ser>`), place, reading)
}

describe('A series', () => {
  test('has a number within bounds and a name, directly or from its cells', () => {
    expect(['-1', '3', '10001'].map((it) => series(value('idx', it)).index)).toEqual([0, 3, 10_000])
    const name = (content: string) => series(`<c:tx>${content}</c:tx>`).name
    expect([name('<c:v>A</c:v>'), name(''), series('').name]).toEqual(['A', '', ''])
    expect(name(`<c:strRef><c:strCache>${points('A', 'B')}</c:strCache></c:strRef>`)).toBe('A B')
    expect(name(`<c:strRef><c:strCache>${points(1, 2, 3, 4, 5, 6, 7, 8, 9)}</c:strCache></c:strRef>`)).toBe(
      '1 2 3 4 5 6 7 8',
    )
  })

  test('has values by their places, with gaps for those that are missing or no numbers', () => {
    const values = (content: string) => series(`<c:val><c:numLit>${content}</c:numLit></c:val>`).values
    expect(values(points(1, 'x', -2.5))).toEqual([1, undefined, -2.5])
    expect(values('<c:pt idx="2"><c:v>7</c:v></c:pt>')).toEqual([undefined, undefined, 7])
    expect(
      values('<c:pt idx="-1"><c:v>7</c:v></c:pt><c:pt idx="0.5"><c:v>7</c:v></c:pt><c:pt><c:v>7</c:v></c:pt>'),
    ).toEqual([])
    expect(series('').values).toEqual([])
    expect(series(`<c:val><c:numRef><c:numCache>${points(3)}</c:numCache></c:numRef></c:val>`).values).toEqual([3])
  })

  test('has no more values than may be read', () => {
    const budget = { series: 1, points: 2 }
    expect(series(`<c:val><c:numLit>${points(1, 2, 3)}</c:numLit></c:val>`, 'bar', '', budget).values).toEqual([1, 2])
    const far = `<c:pt idx="${limits.renderChartPoints}"><c:v>7</c:v></c:pt>`
    expect(series(`<c:val><c:numLit>${far}</c:numLit></c:val>`).values).toEqual([])
    expect(budget.points).toBe(-1)
  })

  test('has a format of its values, and categories in the format of theirs', () => {
    const format = '<c:formatCode>0.00</c:formatCode>'
    expect(series(`<c:val><c:numLit>${format}</c:numLit></c:val>`).valueFormat).toBe('0.00')
    expect(series('').valueFormat).toBe('General')
    const categories = (content: string) => series(`<c:cat>${content}</c:cat>`).categories
    expect(categories(`<c:strLit>${points('a', '1')}</c:strLit>`)).toEqual(['a', '1'])
    expect(categories(`<c:numLit>${format}${points(1, 'a')}</c:numLit>`)).toEqual(['1.00', 'a'])
    expect(categories(`<c:numRef><c:numCache>${format}${points(2)}</c:numCache></c:numRef>`)).toEqual(['2.00'])
    expect(categories('<c:strLit><c:pt idx="2"><c:v>c</c:v></c:pt><c:pt idx="-1"/></c:strLit>')).toEqual(['', '', 'c'])
    const levels = `<c:multiLvlStrCache><c:lvl>${points('x')}</c:lvl><c:lvl>${points('y')}</c:lvl></c:multiLvlStrCache>`
    expect(categories(`<c:multiLvlStrRef>${levels}</c:multiLvlStrRef>`)).toEqual(['x'])
  })

  test('has places of its own in scatter charts, and sizes in bubble charts', () => {
    const number = (name: string, at: number) => `<c:${name}><c:numLit>${points(at)}</c:numLit></c:${name}>`
    const all = number('val', 1) + number('xVal', 2) + number('yVal', 3) + number('bubbleSize', 4)
    const read = (kind: PlotKind) => {
      const { values, x, sizes } = series(all, kind)
      return [values, x, sizes]
    }
    expect([read('bar'), read('scatter'), read('bubble')]).toEqual([
      ...[
        [[1], [], []],
        [[3], [2], []],
        [[3], [2], [4]],
      ],
    ])
  })

  test('has a fill and, where its kind is one of lines, a line in its colour', () => {
    const look = (kind: PlotKind, content = '', plot = '') => {
      const { fill, line } = series(content, kind, plot)
      return [fill?.kind === 'solid' && fill.color, line?.color, line?.width, line?.cap]
    }
    expect([look('bar'), look('area'), look('bubble')]).toEqual(
      new Array(3).fill([first, undefined, undefined, undefined]),
    )
    for (const kind of ['line', 'scatter', 'radar'] as const)
      expect(look(kind)).toEqual([first, first, chartColors(undefined, 1, source).lineWidth, 'round'])
    expect(look('radar', '', value('radarStyle', 'filled'))[1]).toBeUndefined()
    expect([look('bar', redLook), look('line', noLook)]).toEqual([
      ['FF0000', 'FF0000', 2, 'butt'],
      [false, undefined, undefined, undefined],
    ])
  })

  test('has markers by its number, where its plot has them or it says so', () => {
    const marker = (content = '', kind: PlotKind = 'line', plot = '') => series(content, kind, plot).marker
    expect(marker()).toEqual({
      ...{ symbol: 'diamond', size: 7, fill: { kind: 'solid', color: first, opacity: 1 }, line: undefined },
    })
    const symbols = ['diamond', 'square', 'triangle', 'x', 'star', 'circle', 'plus', 'dot', 'dash', 'diamond']
    expect(symbols.map((_, at) => marker(value('idx', at))?.symbol)).toEqual(symbols)
    const own = (content: string) => marker(`<c:marker>${content}</c:marker>`, 'line', value('marker', 0))
    expect([own(''), own(value('symbol', 'none')), own(value('symbol', 'auto'))?.symbol]).toEqual([
      ...[undefined, undefined, 'diamond'],
    ])
    expect(own(value('symbol', 'dash'))?.symbol).toBe('dash')
    expect(['1', '73'].map((size) => own(value('symbol', 'x') + value('size', size))?.size)).toEqual([2, 72])
    expect(own(value('symbol', 'x') + redLook)).toMatchObject({ fill: { color: 'FF0000' }, line: { width: 2 } })
    expect(own(value('symbol', 'x') + noLook)).toMatchObject({ fill: undefined, line: undefined })
    expect([marker('', 'bar'), marker('', 'radar'), marker('', 'radar', value('radarStyle', 'filled'))]).toEqual([
      ...[undefined, undefined, undefined],
    ])
    expect(marker('', 'radar', value('radarStyle', 'marker'))?.symbol).toBe('diamond')
    expect(
      ['line', 'smooth', 'lineMarker', 'marker'].map((it) => marker('', 'scatter', value('scatterStyle', it))?.symbol),
    ).toEqual([undefined, undefined, 'diamond', 'diamond'])
  })

  test('is smooth if it or its plot says so, and its slices are apart by a bounded share', () => {
    const smooth = (content: string, style: string) => series(content, 'scatter', value('scatterStyle', style)).smooth
    expect([smooth('', 'smooth'), smooth('', 'smoothMarker'), smooth('', 'line'), series('').smooth]).toEqual([
      ...[true, true, false, false],
    ])
    expect([smooth(value('smooth', 0), 'smooth'), smooth('<c:smooth/>', 'line')]).toEqual([false, true])
    expect(['-1', '25', '401'].map((it) => series(value('explosion', it)).explosion)).toEqual([0, 25, 400])
  })

  test('has points with looks of their own', () => {
    const point = (at: number, content: string) => `<c:dPt>${value('idx', at)}${content}</c:dPt>`
    const read = series(
      point(0, redLook) +
        point(1, noLook) +
        point(2, value('explosion', 401)) +
        point(3, value('explosion', -1)) +
        point(4, ''),
    )
    expect(read.points.get(0)).toMatchObject({ fill: { color: 'FF0000' }, line: { width: 2 } })
    expect([1, 2, 3, 4].map((at) => read.points.get(at))).toEqual([
      ...[{ fill: 'none', line: 'none' } as const, { explosion: 400 }, { explosion: 0 }, {}],
    ])
  })
})
