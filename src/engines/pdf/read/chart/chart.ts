import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Chart, Plot, View } from '../../model/chart.ts'
import type { Fill } from '../../model/paint.ts'
import type { Report } from '../../report.ts'
import type { PaintSource } from '../drawing/paint.ts'
import type { Theme } from '../theme.ts'
import { readAxis } from './axis.ts'
import { chartColors, chartGrounds } from './colors.ts'
import { mayHaveTable, readLegend, readTable } from './legend.ts'
import { readPlace } from './place.ts'
import { isSurface, plotKinds, readPlot } from './plot.ts'
import { type ChartReading, defaultLook, flagOfChild, hairline, looksOf, numberOfChild, textLook } from './source.ts'
import { summaryOf } from './summary.ts'
import { readTitle } from './title.ts'

/** What reading a chart needs of the document around it. */
export interface ChartPlace {
  theme: Theme
  report: Report
}

/** Fixed by 18.17.4.1: how many days later than usual the days of a chart are counted from. */
const DAYS_TO_1904 = 1_462

/** Reads a chart part; undefined when it has nothing that can be drawn. */
export function readChart(root: XmlElement, part: string, place: ChartPlace): Chart | undefined {
  const chart = childNamed(root, 'c:chart')
  const area = chart && childNamed(chart, 'c:plotArea')
  if (!chart || !area) return undefined
  const source: PaintSource = { theme: place.theme, partOf: () => undefined }
  const style = readStyle(root)
  const grounds = chartGrounds(style, source)
  const reading: ChartReading = {
    source,
    style,
    base: textLook(root, source, { ...defaultLook(source), color: grounds.text }),
    colors: chartColors(style, seriesIn(area), source),
    budget: { series: limits.renderChartSeries, points: limits.renderChartPoints },
    firstDay: flagOfChild(root, 'c:date1904') ? DAYS_TO_1904 : 0,
  }
  const say = (element: string, what: string) => place.report.unsupported(part, element, what)
  const plots = readPlots(area, reading, say)
  tellLeftOut(root, say)
  reportLimits(reading, part, place.report)
  if (!plots.some((plot) => plot.series.length > 0)) return undefined
  const table = readTable(childNamed(area, 'c:dTable'), reading)
  const hasTable = table !== undefined && mayHaveTable(plots)
  if (table && !hasTable) place.report.unsupported(part, 'c:dTable', 'the table of the data is left out')
  const title = readTitle(root, chart, reading, plots)
  return {
    summary: summaryOf(plots, title?.text),
    title,
    legend: readLegend(childNamed(chart, 'c:legend'), reading),
    table: hasTable ? table : undefined,
    plots,
    axes: childElements(area)
      .filter((element) => /^c:(cat|val|date|ser)Ax$/.test(element.name))
      .slice(0, limits.chartAxes)
      .map((element) => readAxis(element, reading)),
    place: readPlace(area),
    view: readView(childNamed(chart, 'c:view3D')),
    ...readGrounds(root, chart, area, grounds, source),
  }
}

/** Reports words and shapes of a chart that are not drawn, wherever they are in it. */
function tellLeftOut(element: XmlElement, say: (element: string, what: string) => void): void {
  for (const child of childElements(element)) {
    const what = leftOutOf(child)
    if (what !== undefined) say(child.name, what)
    tellLeftOut(child, say)
  }
}

function leftOutOf(element: XmlElement): string | undefined {
  switch (element.name) {
    case 'c:multiLvlStrCache':
      return childElements(element, 'c:lvl').length > 1 ? 'categories have their innermost names alone' : undefined
    case 'c:dispUnits':
      return 'the values of the axis are written in full, without their unit'
    case 'c:userShapes':
      return 'what is drawn over the chart is left out'
    case 'a:fld':
      return element.attributes.type === 'CELLRANGE' ? 'a label from cells shows the value of its point' : undefined
    default:
      return undefined
  }
}

/** Reads the plots of an area; reports what is drawn differently from the document. */
function readPlots(area: XmlElement, reading: ChartReading, say: (element: string, what: string) => void): Plot[] {
  const plots: Plot[] = []
  for (const element of childElements(area)) {
    const kind = plotKinds[element.name]
    if (kind) plots.push(readPlot(element, kind, reading))
    else if (element.name.endsWith('Chart')) say(element.name, 'this kind of chart is left out')
    if (/^c:(area|line)3DChart$/.test(element.name)) say(element.name, 'it is drawn as its plain twin')
    if (isSurface(element)) say(element.name, 'columns are drawn in place of the surface')
  }
  return plots
}

function reportLimits({ budget }: ChartReading, part: string, report: Report): void {
  if (budget.points >= 0 && budget.series >= 0) return
  report.add(
    'render.chart_points',
    `The chart has more than ${limits.renderChartSeries} series or ${limits.renderChartPoints} points; the rest is left out.`,
    part,
    'Draw fewer points.',
  )
}

type Grounds = ReturnType<typeof chartGrounds>

/** The fills of the chart, its plot and its walls: their own, else those of the chart's style. */
function readGrounds(
  root: XmlElement,
  chart: XmlElement,
  area: XmlElement,
  grounds: Grounds,
  source: PaintSource,
): Pick<Chart, 'fill' | 'line' | 'plotFill' | 'plotLine' | 'walls'> {
  const own = looksOf(root, source)
  const plot = looksOf(area, source)
  const ground = (color: string): Fill => ({ kind: 'solid', color, opacity: 1 })
  const plotGround = grounds.plot === undefined ? undefined : ground(grounds.plot)
  return {
    fill: own.fill === 'none' ? undefined : (own.fill ?? ground(grounds.area)),
    line: own.line === 'none' ? undefined : (own.line ?? hairline('D9D9D9')),
    plotFill: plot.fill === 'none' ? undefined : (plot.fill ?? plotGround),
    plotLine: plot.line === 'none' ? undefined : plot.line,
    walls: {
      back: readWall(childNamed(chart, 'c:backWall'), plotGround, source),
      side: readWall(childNamed(chart, 'c:sideWall'), plotGround, source),
      floor: readWall(childNamed(chart, 'c:floor'), plotGround, source),
    },
  }
}

function readView(element: XmlElement | undefined): View {
  const within = (name: string, least: number, most: number) => {
    const value = numberOfChild(element, name)
    return value === undefined ? undefined : Math.max(least, Math.min(most, value))
  }
  return {
    rotX: within('c:rotX', -90, 90),
    rotY: within('c:rotY', 0, 360),
    depth: (within('c:depthPercent', 20, 2_000) ?? 100) / 100,
  }
}

function readWall(
  element: XmlElement | undefined,
  ground: Fill | undefined,
  source: PaintSource,
): Chart['walls']['back'] {
  const { fill = ground, line } = looksOf(element, source)
  return [fill === 'none' ? undefined : fill, line === 'none' ? undefined : line]
}

/** The style number of a chart; newer documents state it in a fallback, beside an extended style. */
function readStyle(root: XmlElement): number | undefined {
  const choice = childNamed(root, 'mc:AlternateContent')
  return numberOfChild(root, 'c:style') ?? numberOfChild(choice && childNamed(choice, 'mc:Fallback'), 'c:style')
}

/** How many colours the series of a chart need; a series takes the colour of its own number. */
function seriesIn(area: XmlElement): number {
  const numbers = childElements(area).flatMap((plot) =>
    childElements(plot, 'c:ser').map((series) => numberOfChild(series, 'c:idx') ?? 0),
  )
  return Math.min(limits.renderChartSeries, numbers.reduce((most, number) => Math.max(most, number), 0) + 1)
}
