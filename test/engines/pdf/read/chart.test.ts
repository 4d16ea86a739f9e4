import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { tinted } from '../../../../src/engines/pdf/frame/color.ts'
import { readChart } from '../../../../src/engines/pdf/read/chart/chart.ts'
import { chartColors, chartGrounds } from '../../../../src/engines/pdf/read/chart/colors.ts'
import { Report } from '../../../../src/engines/pdf/report.ts'
import { element } from './elements.ts'

const theme = { fonts: new Map(), colors: new Map(), fills: [], backgrounds: [], lines: [] }
const value = (name: string, val: string | number) => `<c:${name} val="${val}"/>`
const series = (index: number, count = 1) =>
  `<c:ser>${value('idx', index)}<c:val><c:numLit>${Array.from({ length: count }, (_, at) => `<c:pt idx="${at}"><c:v>1</c:v></c:pt>`).join('')}</c:numLit></c:val></c:ser>`
const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
const redLook = `<c:spPr>${red}<a:ln w="25400">${red}</a:ln></c:spPr>`
const noLook = '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>'
const solid = (color: string) => ({ kind: 'solid', color, opacity: 1 }) as const
const line = (color: string, width = 0.75) =>
  ({ color, opacity: 1, width, dash: [], cap: 'butt', join: 'round' }) as const

interface Parts {
  /** In the chart space, before and after the chart. */
  space?: string
  /** In the chart, beside its plot area. */
  chart?: string
  /** In the plot area, beside its plot. */
  area?: string
  plot?: string
}
function read({ space = '', chart = '', area = '', plot = `<c:barChart>${series(0)}</c:barChart>` }: Parts = {}) {
  const report = new Report()
  const root = element(
    `<c:chartSpace>${space}<c:chart>${chart}<c:plotArea>${plot}${area}</c:plotArea></c:chart></c:chartSpace>`,
  )
  return { chart: readChart(root, 'chart1.xml', { theme, report }), findings: report.findings }
}
const told = (parts: Parts) => read(parts).findings.map(({ code, message }) => [code, message])

describe('A chart', () => {
  test('that says nothing more than its values is white in a gray frame', () => {
    const { chart, findings } = read()
    expect(chart).toMatchObject({
      ...{ title: undefined, legend: undefined, table: undefined, axes: [], place: undefined },
      ...{ fill: solid('FFFFFF'), line: line('D9D9D9'), plotFill: undefined, plotLine: undefined },
      walls: {
        ...{ back: [undefined, undefined], side: [undefined, undefined], floor: [undefined, undefined] },
      },
      view: { rotX: undefined, rotY: undefined, depth: 1 },
    })
    expect(findings).toEqual([])
  })

  test('needs a plot area and a series', () => {
    const report = new Report()
    for (const content of ['', '<c:chart/>', '<c:plotArea/>'])
      expect(readChart(element(`<c:chartSpace>${content}</c:chartSpace>`), 'p', { theme, report })).toBeUndefined()
    expect(read({ plot: '<c:barChart/>' }).chart).toBeUndefined()
    expect(read({ plot: `<c:barChart/><c:lineChart>${series(0)}</c:lineChart>` }).chart?.plots).toHaveLength(2)
  })

  test('has its own fills and lines, or none where it says so', () => {
    const wall = (name: string, look: string) => `<c:${name}>${look}</c:${name}>`
    const own = read({
      ...{ space: redLook, area: redLook },
      chart: wall('backWall', redLook) + wall('sideWall', noLook) + wall('floor', redLook),
    }).chart
    expect(own).toMatchObject({
      ...{ fill: solid('FF0000'), line: line('FF0000', 2), plotFill: solid('FF0000'), plotLine: line('FF0000', 2) },
      walls: {
        back: [solid('FF0000'), line('FF0000', 2)],
        side: [undefined, undefined],
        floor: [solid('FF0000'), line('FF0000', 2)],
      },
    })
    const none = read({ space: noLook, area: noLook }).chart
    expect([none?.fill, none?.line, none?.plotFill, none?.plotLine]).toEqual(new Array(4).fill(undefined))
  })

  test('takes from its style the grounds that it doesn’t state', () => {
    const { chart } = read({ space: value('style', 42) })
    const ground = solid(tinted('000000', 0.95))
    expect(chart).toMatchObject({ fill: solid('000000'), plotFill: ground })
    expect(chart?.walls).toEqual({ back: [ground, undefined], side: [ground, undefined], floor: [ground, undefined] })
    const fallback = (content: string) =>
      `<mc:AlternateContent><mc:Choice Requires="c14">${value('style', 3)}</mc:Choice>${content}</mc:AlternateContent>`
    const older = `<mc:Fallback>${value('style', 42)}</mc:Fallback>`
    expect(read({ space: fallback(older) }).chart?.fill).toEqual(solid('000000'))
    expect(read({ space: value('style', 2) + fallback(older) }).chart?.fill).toEqual(solid('FFFFFF'))
    expect(read({ space: fallback('') }).chart?.fill).toEqual(solid('FFFFFF'))
  })

  test('is seen from angles and in a depth within their bounds', () => {
    const view = (rotX: number, rotY: number, depth: number) =>
      read({
        chart: `<c:view3D>${value('rotX', rotX)}${value('rotY', rotY)}${value('depthPercent', depth)}</c:view3D>`,
      }).chart?.view
    expect(view(15, 20, 150)).toEqual({ rotX: 15, rotY: 20, depth: 1.5 })
    expect(view(-90, 0, 20)).toEqual({ rotX: -90, rotY: 0, depth: 0.2 })
    expect(view(-91, -1, 19)).toEqual({ rotX: -90, rotY: 0, depth: 0.2 })
    expect(view(91, 361, 2_001)).toEqual({ rotX: 90, rotY: 360, depth: 20 })
  })

  test('has a bounded number of axes, of the four kinds', () => {
    const axes = ['catAx', 'valAx', 'dateAx', 'serAx'].map((name) => `<c:${name}>${value('axId', name)}</c:${name}>`)
    expect(read({ area: axes.join('') }).chart?.axes.map(({ id }) => id)).toEqual(['catAx', 'valAx', 'dateAx', 'serAx'])
    const many = read({ area: '<c:valAx/>'.repeat(limits.chartAxes + 1) }).chart
    expect(many?.axes).toHaveLength(limits.chartAxes)
  })

  test('has the colours that its highest series needs', () => {
    const colorOf = (index: number) => {
      const [found] = read({ plot: `<c:barChart>${series(index)}</c:barChart>` }).chart?.plots[0]?.series ?? []
      return found?.fill
    }
    const source = { theme, partOf: () => undefined }
    expect([colorOf(0), colorOf(5), colorOf(6), colorOf(12)]).toEqual(
      [0, 5, 6, 12].map((index) => solid(chartColors(undefined, index + 1, source).color(index))),
    )
  })

  test('is labelled by its title, which is in a fifth more than the size of its text, or by its only series', () => {
    const text = (size: number) =>
      `<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="${size * 100}"/></a:pPr></a:p></c:txPr>`
    const titled = (parts: Parts) => read({ ...parts, chart: `<c:title/>${parts.chart ?? ''}` }).chart?.title
    expect(titled({})).toMatchObject({ text: 'Chart Title', look: { size: 18, bold: true }, overlay: false })
    expect(titled({ space: text(20) })?.look.size).toBe(24)
    const named = series(0).replace('<c:val>', '<c:tx><c:v>Sales</c:v></c:tx><c:val>')
    expect(titled({ plot: `<c:barChart>${named}</c:barChart>` })?.text).toBe('Sales')
    expect(titled({ plot: `<c:barChart>${named}${named}</c:barChart>` })?.text).toBe('Chart Title')
    expect(titled({ chart: value('autoTitleDeleted', 1) })).toBeUndefined()
    expect(read({ chart: `<c:title>${value('overlay', 1)}</c:title>` }).chart?.title?.overlay).toBe(true)
  })

  test('has a table of its data below upright plots only, and says where it has none', () => {
    const table = '<c:dTable><c:showKeys val="1"/></c:dTable>'
    expect(read({ area: table }).chart?.table).toMatchObject({ keys: true })
    const pie: Parts = { area: table, plot: `<c:pieChart>${series(0)}</c:pieChart>` }
    expect([read(pie).chart?.table, read(pie).findings.length]).toEqual([undefined, 1])
    expect(told(pie)[0]?.join(' ')).toContain('the table of the data is left out')
  })

  test('names what it is drawn without or as something else', () => {
    const plots = (name: string) => told({ plot: `<c:${name}>${series(0)}</c:${name}>` }).map(([, message]) => message)
    const [unknown] = told({ plot: `<c:strangeChart/><c:barChart>${series(0)}</c:barChart>` })
    expect(unknown?.[1]).toContain('this kind of chart is left out')
    for (const name of ['area3DChart', 'line3DChart'])
      expect(plots(name).join()).toContain('it is drawn as its plain twin')
    for (const name of ['surfaceChart', 'surface3DChart'])
      expect(plots(name).join()).toContain('columns are drawn in place of the surface')
    for (const name of ['barChart', 'bar3DChart', 'pie3DChart', 'areaChart', 'lineChart', 'stockChart', 'radarChart'])
      expect([name, plots(name)]).toEqual([name, []])
  })

  test('has no more series than the bound, and says so', () => {
    const of = (count: number): Parts => ({ plot: `<c:barChart>${series(0).repeat(count)}</c:barChart>` })
    expect([read(of(limits.renderChartSeries)).findings, told(of(limits.renderChartSeries + 1))]).toMatchObject([
      [],
      [['render.chart_points', expect.stringContaining(`${limits.renderChartSeries} series`)]],
    ])
    expect(read(of(limits.renderChartSeries + 1)).chart?.plots[0]?.series).toHaveLength(limits.renderChartSeries)
  })
})

describe('The style of a chart', () => {
  const source = { theme, partOf: () => undefined }
  const accents = ['4F81BD', 'C0504D', '9BBB59', '8064A2', '4BACC6', 'F79646']
  const colors = (style: number, count: number) => {
    const { color } = chartColors(style, count, source)
    return Array.from({ length: count }, (_, at) => color(at))
  }

  test('gives grays in the first place of each row, the accents in the second, one accent in the others', () => {
    const grays = [0.885, 0.55, 0.78, 0.925, 0.7, 0.3].map((share) => tinted('000000', share))
    const light = [0.05, 0.55, 0.78, 0.15, 0.7, 0.3].map((share) => tinted('000000', share))
    for (let row = 0; row < 6; row++) {
      expect([row, colors(row * 8 + 1, 6)]).toEqual([row, row === 5 ? light : grays])
      expect([row, colors(row * 8 + 2, 6)]).toEqual([row, accents])
      const single = accents.map((_, at) => colors(row * 8 + 3 + at, 1)[0] ?? '')
      expect([row, single]).toEqual([row, accents])
    }
  })

  test('lets each round through its colours be lighter than the one before', () => {
    const light = (color: string) =>
      [0, 2, 4].reduce((sum, at) => sum + Number.parseInt(color.slice(at, at + 2), 16), 0)
    const rounds = colors(3, 5).map(light)
    expect(rounds).toEqual(rounds.toSorted((a, b) => a - b))
    expect(new Set(rounds).size).toBe(5)
    // The middle of an odd number of rounds is the colour itself.
    expect([colors(3, 3)[1], colors(3, 5)[2]]).toEqual(['4F81BD', '4F81BD'])
    const beyond = chartColors(3, 2, source)
    expect(beyond.color(7)).toBe(beyond.color(1))
  })

  test('tints the ground of the fifth row in its own colour, and makes the last dark', () => {
    const plot = (style: number) => chartGrounds(style, source).plot
    expect([33, 34, 35, 40].map(plot)).toEqual([
      ...[tinted('000000', 0.2), tinted('000000', 0.2), tinted('4F81BD', 0.2), tinted('F79646', 0.2)],
    ])
    expect([41, 48].map((style) => chartGrounds(style, source))).toEqual(
      new Array(2).fill({ text: 'FFFFFF', area: '000000', plot: tinted('000000', 0.95) }),
    )
    expect([1, 32].map((style) => chartGrounds(style, source))).toEqual(
      new Array(2).fill({ text: '000000', area: 'FFFFFF', plot: undefined }),
    )
  })
})

describe('What a chart has and is not drawn', () => {
  test('is named in the report', () => {
    const levels = (count: number) =>
      `<c:barChart><c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>${'<c:lvl><c:pt idx="0"><c:v>a</c:v></c:pt></c:lvl>'.repeat(count)}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>1</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart>`
    const words = (parts: Parts) => read(parts).findings.map(({ message }) => message.replace(' is not supported', ''))
    expect(words({ plot: levels(1) })).toEqual([])
    expect(words({ plot: levels(2) })).toEqual(['c:multiLvlStrCache; categories have their innermost names alone.'])
    expect(words({ area: '<c:valAx><c:dispUnits><c:builtInUnit val="thousands"/></c:dispUnits></c:valAx>' })).toEqual([
      'c:dispUnits; the values of the axis are written in full, without their unit.',
    ])
    expect(words({ space: '<c:userShapes r:id="r1"/>' })).toEqual([
      'c:userShapes; what is drawn over the chart is left out.',
    ])
    const label = (type: string) => ({
      chart: `<c:title><c:tx><c:rich><a:p><a:fld type="${type}"><a:t>x</a:t></a:fld></a:p></c:rich></c:tx></c:title>`,
    })
    expect(words(label('CELLRANGE'))).toEqual(['a:fld; a label from cells shows the value of its point.'])
    expect(words(label('VALUE'))).toEqual([])
  })
})

test('dates of categories count from 1904 where the chart says so, and numbers stay as they are', () => {
  const names = (space: string, format: string) =>
    read({
      space,
      plot: `<c:barChart><c:ser><c:cat><c:numRef><c:numCache><c:formatCode>${format}</c:formatCode><c:pt idx="0"><c:v>40000</c:v></c:pt></c:numCache></c:numRef></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>1</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart>`,
    }).chart?.plots[0]?.series[0]?.categories
  const date = 'yyyy\\-mm\\-dd;@'
  expect(names('', date)).toEqual(['2009-07-06'])
  expect(names('<c:date1904 val="0"/>', date)).toEqual(['2009-07-06'])
  expect(names('<c:date1904 val="1"/>', date)).toEqual(['2013-07-07'])
  expect(names('<c:date1904/>', '[$-409]d/m/yy')).toEqual(['7/7/13'])
  expect(names('<c:date1904 val="1"/>', '#,##0')).toEqual(['40,000'])
  expect(names('<c:date1904 val="1"/>', 'General')).toEqual(['40000'])
})
