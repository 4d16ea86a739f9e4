import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { readAxis } from '../../../../src/engines/pdf/read/chart/axis.ts'
import { chartColors } from '../../../../src/engines/pdf/read/chart/colors.ts'
import { readJoin, readSecond, readUpDown } from '../../../../src/engines/pdf/read/chart/joins.ts'
import { readLabels } from '../../../../src/engines/pdf/read/chart/labels.ts'
import { mayHaveTable, readLegend, readTable } from '../../../../src/engines/pdf/read/chart/legend.ts'
import { readPlace } from '../../../../src/engines/pdf/read/chart/place.ts'
import { readPlot } from '../../../../src/engines/pdf/read/chart/plot.ts'
import type { ChartReading } from '../../../../src/engines/pdf/read/chart/source.ts'
import { readTitleText } from '../../../../src/engines/pdf/read/chart/title.ts'
import { readErrors, readTrends } from '../../../../src/engines/pdf/read/chart/trends.ts'
import type { PaintSource } from '../../../../src/engines/pdf/read/drawing/paint.ts'
import { element } from './elements.ts'

const source: PaintSource = {
  theme: { fonts: new Map(), colors: new Map(), fills: [], backgrounds: [], lines: [] },
  partOf: () => undefined,
}
const base = { size: 10 }
const reading = (): ChartReading => ({
  ...{ source, base, style: undefined, colors: chartColors(undefined, 3, source) },
  budget: { series: 10, points: 100 },
  firstDay: 0,
})
const value = (name: string, val: string | number) => `<c:${name} val="${val}"/>`
const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
const redLook = `<c:spPr>${red}<a:ln w="25400">${red}</a:ln></c:spPr>`
const noLook = '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>'
const textOf = (size: number, body = '') =>
  `<c:txPr><a:bodyPr ${body}/><a:p><a:pPr><a:defRPr sz="${size * 100}"/></a:pPr></a:p></c:txPr>`
const line = (color: string, width = 0.75) =>
  ({ color, opacity: 1, width, dash: [], cap: 'butt', join: 'round' }) as const

describe('An axis', () => {
  const axis = (content: string, name = 'valAx') => readAxis(element(`<c:${name}>${content}</c:${name}>`), reading())

  test('that says nothing is on the left, automatic and with marks outwards', () => {
    expect(axis('')).toEqual({
      ...{ id: '', crossesId: '', kind: 'value', position: 'l', isDeleted: false, isReversed: false, min: undefined },
      ...{ max: undefined, majorUnit: undefined, logBase: undefined, format: undefined, labels: 'nextTo', look: base },
      ...{ labelRotation: undefined, labelSkip: undefined, majorTick: 'out', line: line('878787'), grid: undefined },
      ...{ title: undefined, crosses: 'autoZero', between: true },
    })
  })

  test('has its scale, its numbers and what it crosses', () => {
    const scaling = `<c:scaling>${value('orientation', 'maxMin')}${value('min', -1)}${value('max', 9)}${value('logBase', 10)}</c:scaling>`
    expect(
      axis(
        `${scaling}${value('axId', 1)}${value('crossAx', 2)}${value('delete', 1)}${value('majorUnit', 3)}${value('crosses', 'max')}${value('crossBetween', 'midCat')}`,
      ),
    ).toMatchObject({
      ...{ id: '1', crossesId: '2', isDeleted: true, isReversed: true, min: -1, max: 9, logBase: 10, majorUnit: 3 },
      ...{ crosses: 'max', between: false },
    })
    expect(axis(value('crossesAt', 4) + value('crosses', 'max')).crosses).toBe('4')
    expect(['valAx', 'serAx', 'catAx', 'dateAx'].map((name) => axis('', name).kind)).toEqual([
      ...(['value', 'series', 'category', 'category'] as const),
    ])
    const format = (linked: string) => axis(`<c:numFmt formatCode="0.0" ${linked}/>`).format
    expect([format(''), format('sourceLinked="0"'), format('sourceLinked="1"')]).toEqual(['0.0', '0.0', undefined])
  })

  test('has its side, the place of its labels and its marks', () => {
    expect(['l', 'r', 't', 'b', 'x'].map((it) => axis(value('axPos', it)).position)).toEqual([
      ...(['l', 'r', 't', 'b', 'l'] as const),
    ])
    expect(['low', 'high', 'none', 'nextTo', 'x'].map((it) => axis(value('tickLblPos', it)).labels)).toEqual([
      ...(['low', 'high', 'none', 'nextTo', 'nextTo'] as const),
    ])
    expect(['none', 'in', 'cross', 'out', 'x'].map((it) => axis(value('majorTickMark', it)).majorTick)).toEqual([
      ...(['none', 'in', 'cross', 'out', 'out'] as const),
    ])
    expect(['0', '2.4', '99999'].map((it) => axis(value('tickLblSkip', it)).labelSkip)).toEqual([1, 2, 10_000])
    const rotation = (degrees: number) => axis(textOf(10, `rot="${degrees * 60_000}"`)).labelRotation
    expect([rotation(-90), rotation(90), rotation(91), rotation(0)]).toEqual([-90, 90, undefined, 0])
    expect(axis(textOf(12)).look).toEqual({ size: 12 })
  })

  test('has its line and its grid, which may be none', () => {
    expect([axis(redLook).line, axis(noLook).line]).toEqual([line('FF0000', 2), undefined])
    const grid = (content: string) => axis(`<c:majorGridlines>${content}</c:majorGridlines>`).grid
    expect([grid(''), grid(redLook), grid(noLook)]).toEqual([line('878787'), line('FF0000', 2), undefined])
  })

  test('has a bold title that reads upwards at the sides', () => {
    const title = (side: string, body = '') => axis(`${value('axPos', side)}<c:title>${body}</c:title>`).title
    expect(title('l')).toEqual({ text: 'Axis Title', look: { size: 10, bold: true }, rotation: -90, place: undefined })
    expect([title('r')?.rotation, title('b')?.rotation, title('t')?.rotation]).toEqual([-90, 0, 0])
    expect(title('l', textOf(12, 'rot="0"'))).toMatchObject({ rotation: 0, look: { size: 12, bold: true } })
  })
})

describe('A title', () => {
  const title = (content: string) => readTitleText(element(`<c:title>${content}</c:title>`), reading(), 'Automatic')
  const rich = (body: string) =>
    title(`<c:tx><c:rich><a:bodyPr ${body}/><a:p><a:r><a:t>x</a:t></a:r></a:p></c:rich></c:tx>`)

  test('has its own text, that of its cells, or an automatic one', () => {
    expect(title('')).toEqual({ text: 'Automatic', look: base, rotation: undefined })
    expect(rich('').text).toBe('x')
    const cells = '<c:strCache><c:pt><c:v>a</c:v></c:pt><c:pt/><c:pt><c:v>b</c:v></c:pt></c:strCache>'
    expect(title(`<c:tx><c:strRef>${cells}</c:strRef></c:tx>`).text).toBe('a  b')
    const runs = '<a:p><a:r><a:t>a</a:t></a:r><a:br/><a:fld><a:t>b</a:t></a:fld><a:x><a:t>c</a:t></a:x></a:p><a:p/>'
    expect(title(`<c:tx><c:rich>${runs}</c:rich></c:tx>`).text).toBe('a\nb\n')
  })

  test('is turned by degrees and by its direction', () => {
    expect(
      ['rot="-5400000"', 'rot="5400000"', 'rot="5460000"', 'vert="vert"', 'vert="vert270"', 'vert="horz"', ''].map(
        (it) => rich(it).rotation,
      ),
    ).toEqual([-90, 90, undefined, 90, -90, 0, undefined])
    expect(rich('rot="600000" vert="vert"').rotation).toBe(100)
  })
})

describe('Labels of points', () => {
  const labels = (content: string) => readLabels(element(`<c:dLbls>${content}</c:dLbls>`), reading())

  test('are none unless they show something', () => {
    expect([labels(''), labels(value('delete', 1) + value('showVal', 1)), readLabels(undefined, reading())]).toEqual([
      ...[undefined, undefined, undefined],
    ])
    const shown = {
      showVal: 'showValue',
      showPercent: 'showPercent',
      showCatName: 'showCategory',
      showSerName: 'showSeries',
    }
    const none = { showValue: false, showPercent: false, showCategory: false, showSeries: false }
    for (const [name, property] of Object.entries(shown))
      expect(labels(value(name, 1))).toMatchObject({ ...none, [property]: true })
  })

  test('have a place, a separator, a format and a look', () => {
    expect(labels(value('showVal', 1))).toEqual({
      ...{ showValue: true, showPercent: false, showCategory: false, showSeries: false, position: undefined },
      ...{ separator: ' ', format: undefined, look: base, text: undefined, fill: undefined, line: undefined },
      ...{ hidden: new Set(), points: new Map() },
    })
    const all = `${value('showVal', 1)}${value('dLblPos', 'ctr')}<c:separator>; </c:separator><c:numFmt formatCode="0.0"/>${redLook}${textOf(12)}`
    expect(labels(all)).toMatchObject({
      ...{ position: 'ctr', separator: '; ', format: '0.0', look: { size: 12 } },
      ...{ fill: { color: 'FF0000' }, line: { color: 'FF0000', width: 2 } },
    })
    expect(labels(`${value('showVal', 1)}<c:numFmt formatCode="0.0" sourceLinked="1"/>${noLook}`)).toMatchObject({
      ...{ format: undefined, fill: undefined, line: undefined },
    })
  })

  test('may differ by point, in text too, unless it has fields', () => {
    const own = (at: number, content: string) => `<c:dLbl>${value('idx', at)}${content}</c:dLbl>`
    const words = (content: string) =>
      `<c:tx><c:rich><a:p><a:r><a:rPr sz="900"/><a:t>x</a:t></a:r>${content}</a:p></c:rich></c:tx>`
    const found = labels(
      own(0, value('delete', 1)) +
        own(1, words('')) +
        own(2, words('<a:fld/>')) +
        own(3, value('showVal', 0)) +
        value('showVal', 1),
    )
    expect([...(found?.hidden ?? [])]).toEqual([0])
    expect([...(found?.points ?? [])].map(([at, one]) => [at, one.text, one.showValue, one.look.size])).toEqual([
      ...[
        [1, 'x', true, 9],
        [2, undefined, true, 9],
        [3, undefined, false, 10],
      ],
    ])
    expect(labels(own(1, ''))?.points.size).toBe(1)
    expect(labels(own(1, value('delete', 1)))).toBeUndefined()
  })
})

describe('A legend and a table', () => {
  test('are where and how they say', () => {
    const legend = (content: string) => readLegend(element(`<c:legend>${content}</c:legend>`), reading())
    expect(legend('')).toEqual({
      ...{ position: 'r', overlay: false, look: base, fill: undefined, line: undefined, place: undefined },
      hidden: new Set(),
    })
    expect(['l', 't', 'b', 'tr', 'r', 'x'].map((it) => legend(value('legendPos', it))?.position)).toEqual([
      ...(['l', 't', 'b', 'tr', 'r', 'r'] as const),
    ])
    const entry = (at: number, isOff: number) =>
      `<c:legendEntry>${value('idx', at)}${value('delete', isOff)}</c:legendEntry>`
    expect(legend(`${value('overlay', 1)}${entry(1, 1)}${entry(2, 0)}${redLook}`)).toMatchObject({
      ...{ overlay: true, hidden: new Set([1]), fill: { color: 'FF0000' }, line: { width: 2 } },
    })
    expect(legend(noLook)).toMatchObject({ fill: undefined, line: undefined })
    expect(readLegend(undefined, reading())).toBeUndefined()
  })

  test('have borders and keys of their own', () => {
    const table = (content: string) => readTable(element(`<c:dTable>${content}</c:dTable>`), reading())
    const none = { horizontal: false, vertical: false, outline: false, keys: false }
    expect(table('')).toEqual({ ...none, look: base, line: line('878787') })
    const names = { showHorzBorder: 'horizontal', showVertBorder: 'vertical', showOutline: 'outline', showKeys: 'keys' }
    for (const [name, property] of Object.entries(names))
      expect(table(value(name, 1))).toMatchObject({ ...none, [property]: true })
    expect([table(redLook)?.line, table(noLook)?.line, readTable(undefined, reading())]).toEqual([
      ...[line('FF0000', 2), undefined, undefined],
    ])
  })

  test('have a place in shares of the chart', () => {
    const place = (content: string) =>
      readPlace(element(`<c:x><c:layout><c:manualLayout>${content}</c:manualLayout></c:layout></c:x>`))
    const edges = value('xMode', 'edge') + value('yMode', 'edge')
    expect(place(edges + value('x', 0.1) + value('y', 2) + value('w', 0.5) + value('h', -1))).toEqual({
      ...{ x: 0.1, y: 1, width: 0.5, height: 0, inner: false },
    })
    expect(
      place(value('x', 0.1) + value('yMode', 'factor') + value('y', 0.2) + value('layoutTarget', 'inner')),
    ).toEqual({
      ...{ x: undefined, y: undefined, width: undefined, height: undefined, inner: true },
    })
    expect([readPlace(element('<c:x/>')), readPlace(element('<c:x><c:layout/></c:x>'))]).toEqual([undefined, undefined])
  })
})

describe('A plot', () => {
  const plot = (content: string, name = 'barChart', kind: 'bar' | 'line' | 'pie' = 'bar') =>
    readPlot(element(`<c:${name}>${content}</c:${name}>`), kind, reading())

  test('has its direction, its stacking and its gaps within bounds', () => {
    expect(plot('')).toMatchObject({
      ...{
        isDeep: false,
        horizontal: false,
        stacking: 'none',
        gapWidth: 150,
        overlap: 0,
        gapDepth: 150,
        inRows: false,
      },
      ...{
        varyColors: false,
        highLow: undefined,
        drop: undefined,
        upDown: undefined,
        second: undefined,
        firstAngle: 0,
      },
    })
    expect(plot(value('barDir', 'bar') + value('grouping', 'stacked'))).toMatchObject({
      ...{ horizontal: true, stacking: 'stacked', overlap: 100 },
    })
    expect(plot(value('grouping', 'percentStacked') + value('overlap', 20))).toMatchObject({
      ...{ stacking: 'percent', overlap: 20 },
    })
    expect(plot(value('gapWidth', -1) + value('overlap', -101) + value('gapDepth', 501))).toMatchObject({
      ...{ gapWidth: 0, overlap: -100, gapDepth: 500 },
    })
    expect(plot(value('gapWidth', 501) + value('overlap', 101) + value('gapDepth', -1))).toMatchObject({
      ...{ gapWidth: 500, overlap: 100, gapDepth: 0 },
    })
  })

  test('may have a table below it where its categories run from left to right, with a bounded number of cells', () => {
    const [column, bars] = [plot(''), plot(value('barDir', 'bar'))]
    const [lines, pie] = [plot('', 'lineChart', 'line'), plot('', 'pieChart', 'pie')]
    expect([[column, lines], [lines], [bars], [pie], [lines, pie]].map(mayHaveTable)).toEqual([
      ...[true, true, false, false, false],
    ])
    const [series] = plot('<c:ser/>').series
    const sized = (cells: number) =>
      series && [{ ...column, series: [{ ...series, values: new Array(cells).fill(1) }] }]
    expect(
      [limits.chartTableCells, limits.chartTableCells + 1].map((cells) => mayHaveTable(sized(cells) ?? [])),
    ).toEqual([...[true, false]])
  })

  test('is deep in three dimensions, in rows where it stands behind itself', () => {
    const standard = value('grouping', 'standard')
    expect(plot(standard, 'bar3DChart')).toMatchObject({ isDeep: true, inRows: true })
    expect(plot(standard)).toMatchObject({ isDeep: false, inRows: false })
    expect(plot('', 'bar3DChart')).toMatchObject({ isDeep: true, inRows: false })
    expect(plot('', 'surfaceChart')).toMatchObject({ isDeep: true, inRows: true })
  })

  test('varies the colours of a pie, and of others if they say so', () => {
    expect([
      plot('', 'pieChart', 'pie'),
      plot(value('varyColors', 0), 'pieChart', 'pie'),
      plot(value('varyColors', 1)),
    ]).toMatchObject([{ varyColors: true }, { varyColors: false }, { varyColors: true }])
  })

  test('has joins that are black unless they say otherwise', () => {
    const join = (content: string) => readJoin(element(`<c:lineChart>${content}</c:lineChart>`), 'c:dropLines', source)
    expect([
      ...[join(''), join('<c:dropLines/>'), join(`<c:dropLines>${redLook}</c:dropLines>`)],
      join(`<c:dropLines>${noLook}</c:dropLines>`),
    ]).toEqual([undefined, line('000000'), line('FF0000', 2), undefined])
    const bars = (content: string) => readUpDown(element(`<c:upDownBars>${content}</c:upDownBars>`), source)
    const solid = (color: string) => ({ kind: 'solid', color, opacity: 1 }) as const
    expect(bars('')).toEqual({
      ...{ gapWidth: 150, up: { fill: solid('FFFFFF'), line: line('000000') } },
      down: { fill: solid('000000'), line: line('000000') },
    })
    expect(bars(`${value('gapWidth', 501)}<c:upBars>${redLook}</c:upBars><c:downBars>${noLook}</c:downBars>`)).toEqual({
      ...{ gapWidth: 500, up: { fill: solid('FF0000'), line: line('FF0000', 2) } },
      down: { fill: undefined, line: undefined },
    })
    expect([bars(value('gapWidth', -1))?.gapWidth, readUpDown(undefined, source)]).toEqual([0, undefined])
  })

  test('beside a pie shows the last points, small ones or listed ones', () => {
    const points = [40, 30, -20, 5, 3, 2].map((it, at) => `<c:pt idx="${at}"><c:v>${it}</c:v></c:pt>`).join('')
    const [series] = plot(`<c:ser><c:val><c:numLit>${points}</c:numLit></c:val></c:ser>`, 'pieChart', 'pie').series
    const second = (content: string) => readSecond(element(`<c:ofPieChart>${content}</c:ofPieChart>`), series, source)
    const split = (type: string, at?: number) => [
      ...second(value('splitType', type) + (at === undefined ? '' : value('splitPos', at))).points,
    ]
    expect([split('auto'), split('pos', 3), split('pos')]).toEqual([
      [4, 5],
      [3, 4, 5],
      [4, 5],
    ])
    expect([split('val', 5), split('val'), split('percent', 5), split('percent')]).toEqual([
      ...[[4, 5], [], [4, 5], [3, 4, 5]],
    ])
    const listed = '<c:custSplit><c:secondPiePt val="1"/><c:secondPiePt val="4"/></c:custSplit>'
    expect([...second(value('splitType', 'cust') + listed).points]).toEqual([1, 4])
    expect(second('')).toMatchObject({ kind: 'pie', size: 75, gapWidth: 100, line: undefined })
    expect(
      second(`${value('ofPieType', 'bar')}${value('secondPieSize', 4)}${value('gapWidth', 501)}<c:serLines/>`),
    ).toMatchObject({
      ...{ kind: 'bar', size: 5, gapWidth: 500, line: line('000000') },
    })
    expect(second(value('secondPieSize', 201) + value('gapWidth', -1))).toMatchObject({ size: 200, gapWidth: 0 })
  })
})

describe('Trends and errors', () => {
  const trends = (content: string) => readTrends(element(`<c:ser>${content}</c:ser>`), 'S', source, base)
  const trend = (content: string) => trends(`<c:trendline>${content}</c:trendline>`)[0]
  const errors = (content: string, plot: 'bar' | 'scatter' | 'bubble' = 'scatter') =>
    readErrors(element(`<c:ser><c:errBars>${content}</c:errBars></c:ser>`), plot, source, (it) => [it ? 1 : 0])[0]

  test('have a kind, a name and a reach', () => {
    expect(trend('')).toEqual({
      ...{ kind: 'linear', name: 'Linear (S)', order: 2, period: 2, forward: 0, backward: 0, intercept: undefined },
      ...{ line: line('000000'), showsEquation: false, showsDetermination: false, look: base },
    })
    const names = {
      linear: 'Linear',
      exp: 'Expon.',
      log: 'Log.',
      power: 'Power',
      poly: 'Poly.',
      movingAvg: 'Moving average',
    }
    for (const [kind, name] of Object.entries(names))
      expect(trend(value('trendlineType', kind))).toMatchObject({ kind: kind as 'log', name: `${name} (S)` })
    expect(
      trend(
        `<c:name>N</c:name>${value('order', 3.4)}${value('period', 4)}${value('forward', 1.5)}${value('backward', -1)}${value('intercept', 0)}${value('dispEq', 1)}${value('dispRSqr', 1)}${redLook}<c:trendlineLbl>${textOf(12)}</c:trendlineLbl>`,
      ),
    ).toMatchObject({
      ...{ name: 'N', order: 3, period: 4, forward: 1.5, backward: 0, intercept: 0, showsEquation: true },
      ...{ showsDetermination: true, line: line('FF0000', 2), look: { size: 12 } },
    })
    expect(trend(value('forward', limits.chartTrendReach + 1))?.forward).toBe(limits.chartTrendReach)
    expect(trend(noLook)?.line).toBeUndefined()
    expect(trends('<c:trendline/>'.repeat(limits.chartTrends + 1))).toHaveLength(limits.chartTrends)
  })

  test('have ends, caps and a direction', () => {
    expect(errors('')).toEqual({
      ...{ isAcross: false, hasUpper: true, hasLower: true, hasCaps: true, kind: 'fixedVal', value: 1 },
      ...{ upper: [0], lower: [0], line: line('000000') },
    })
    expect(errors(`${value('errBarType', 'minus')}<c:plus/>`)).toMatchObject({
      hasUpper: false,
      hasLower: true,
      upper: [1],
    })
    expect(errors(`${value('errBarType', 'plus')}<c:minus/>`)).toMatchObject({
      hasUpper: true,
      hasLower: false,
      lower: [1],
    })
    expect(errors(`${value('noEndCap', 1)}${value('val', 2.5)}${noLook}`)).toMatchObject({
      ...{ hasCaps: false, value: 2.5, line: undefined },
    })
    for (const kind of ['percentage', 'stdDev', 'stdErr', 'cust', 'fixedVal'])
      expect(errors(value('errValType', kind))?.kind).toBe(kind as 'cust')
    const across = value('errDir', 'x')
    expect([
      errors(across),
      errors(across, 'bubble'),
      errors(across, 'bar'),
      errors(value('errDir', 'y')),
    ]).toMatchObject([...[{ isAcross: true }, { isAcross: true }, { isAcross: false }, { isAcross: false }]])
  })
})
