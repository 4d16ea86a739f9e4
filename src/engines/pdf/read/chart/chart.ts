import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Axis, AxisTitle, Chart, DataTable, Legend, ManualPlace, Plot, PlotKind, View } from '../../model/chart.ts'
import type { Fill, SolidFill } from '../../model/paint.ts'
import type { RunProps } from '../../model/properties.ts'
import type { Report } from '../../report.ts'
import type { PaintSource } from '../drawing/paint.ts'
import type { Theme } from '../theme.ts'
import { type ChartColors, chartColors, chartGrounds } from './colors.ts'
import { readJoin, readSecond, readUpDown } from './joins.ts'
import { type PointBudget, readLabels, readSeries } from './series.ts'
import {
  defaultLook,
  flagOfChild,
  hairline,
  looksOf,
  numberOfChild,
  paragraphLook,
  richText,
  textLook,
  valueOfChild,
} from './source.ts'

/** What reading a chart needs of the document around it. */
export interface ChartPlace {
  theme: Theme
  report: Report
}

/** Kinds of plot by their element, and what they are drawn as. */
const kinds: Readonly<Record<string, PlotKind>> = {
  'c:barChart': 'bar',
  'c:bar3DChart': 'bar',
  'c:lineChart': 'line',
  'c:line3DChart': 'line',
  'c:stockChart': 'line',
  'c:areaChart': 'area',
  'c:area3DChart': 'area',
  'c:pieChart': 'pie',
  'c:pie3DChart': 'pie',
  'c:ofPieChart': 'pie',
  'c:doughnutChart': 'doughnut',
  'c:scatterChart': 'scatter',
  'c:bubbleChart': 'bubble',
  'c:radarChart': 'radar',
  'c:surfaceChart': 'bar',
  'c:surface3DChart': 'bar',
}

const MAX_AXES = 8
/** Cells of a table of the data; more would be too small to be read. */
const MAX_TABLE_CELLS = 2_000
/** The colour of axes and of the lines of a table. */
const AXIS_COLOR = '878787'
/** Colours of points before they begin anew. */
const MAX_PALETTE = 256

/** Reads a chart part; undefined when it has nothing that can be drawn. */
export function readChart(root: XmlElement, part: string, place: ChartPlace): Chart | undefined {
  const chart = childNamed(root, 'c:chart')
  const area = chart && childNamed(chart, 'c:plotArea')
  if (!chart || !area) return undefined
  const source: PaintSource = { theme: place.theme, partOf: () => undefined }
  const style = readStyle(root)
  const grounds = chartGrounds(style, source)
  const base = textLook(root, source, { ...defaultLook(source), color: grounds.text })
  const budget: PointBudget = { series: limits.renderChartSeries, points: limits.renderChartPoints }
  const colors = chartColors(style, seriesIn(area), source)
  const plots: Plot[] = []
  for (const element of childElements(area)) {
    const kind = kinds[element.name]
    if (kind) {
      const plot = readPlot(element, kind, source, base, colors, budget)
      plots.push({ ...plot, palette: pointColors(plot, style, source) })
    } else if (element.name.endsWith('Chart'))
      place.report.unsupported(part, element.name, 'this kind of chart is left out')
    if (/^c:(area|line)3DChart$/.test(element.name))
      place.report.unsupported(part, element.name, 'it is drawn as its plain twin')
    if (isSurface(element)) place.report.unsupported(part, element.name, 'columns stand in for the surface')
  }
  if (budget.points < 0 || budget.series < 0) {
    place.report.add(
      'render.chart_points',
      `The chart has more than ${limits.renderChartSeries} series or ${limits.renderChartPoints} points; the rest is left out.`,
      part,
      'Draw fewer points.',
    )
  }
  if (!plots.some((plot) => plot.series.length > 0)) return undefined
  const table = readTable(childNamed(area, 'c:dTable'), source, base)
  const hasTable = table !== undefined && mayHaveTable(plots)
  if (table && !hasTable) place.report.unsupported(part, 'c:dTable', 'the table of the data is left out')
  const title = readTitle(chart, source, titleLook(root, source, base), plots)
  const own = looksOf(root, source)
  const plotLooks = looksOf(area, source)
  const ground = (color: string): Fill => ({ kind: 'solid', color, opacity: 1 })
  const plotGround = grounds.plot === undefined ? undefined : ground(grounds.plot)
  return {
    summary: summaryOf(plots, title?.text),
    title,
    legend: readLegend(childNamed(chart, 'c:legend'), source, base),
    table: hasTable ? table : undefined,
    plots,
    axes: childElements(area)
      .filter((element) => /^c:(cat|val|date|ser)Ax$/.test(element.name))
      .slice(0, MAX_AXES)
      .map((element) => readAxis(element, source, base)),
    place: readPlace(area),
    fill: own.fill === 'none' ? undefined : (own.fill ?? ground(grounds.area)),
    line: own.line === 'none' ? undefined : (own.line ?? hairline('D9D9D9')),
    plotFill: plotLooks.fill === 'none' ? undefined : (plotLooks.fill ?? plotGround),
    plotLine: plotLooks.line === 'none' ? undefined : plotLooks.line,
    view: readView(childNamed(chart, 'c:view3D')),
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

/** The style of a chart, which newer documents state beside one that older readers do not know. */
function readStyle(root: XmlElement): number | undefined {
  const choice = childNamed(root, 'mc:AlternateContent')
  return numberOfChild(root, 'c:style') ?? numberOfChild(choice && childNamed(choice, 'mc:Fallback'), 'c:style')
}

/** How many colours the series of a chart need, which count by their own numbers. */
function seriesIn(area: XmlElement): number {
  const numbers = childElements(area).flatMap((plot) =>
    childElements(plot, 'c:ser').map((series) => numberOfChild(series, 'c:idx') ?? 0),
  )
  return Math.min(limits.renderChartSeries, numbers.reduce((most, number) => Math.max(most, number), 0) + 1)
}

/** The colours of points where they vary. */
function pointColors(
  { series, second }: Pick<Plot, 'series' | 'second'>,
  style: number | undefined,
  source: PaintSource,
): SolidFill[] {
  // A slice that stands for others has a colour of its own.
  const more = second ? 1 : 0
  const points = series.reduce((most, { values }) => Math.max(most, values.length), 1)
  const count = Math.min(MAX_PALETTE, points + more)
  const colors = chartColors(style, count, source)
  return Array.from({ length: count }, (_, index) => ({ kind: 'solid', color: colors.color(index), opacity: 1 }))
}

function isSurface({ name }: XmlElement): boolean {
  return name === 'c:surfaceChart' || name === 'c:surface3DChart'
}

function readPlot(
  element: XmlElement,
  kind: PlotKind,
  source: PaintSource,
  base: RunProps,
  colors: ChartColors,
  budget: PointBudget,
): Omit<Plot, 'palette'> {
  const grouping = valueOfChild(element, 'c:grouping') ?? ''
  const labels = readLabels(childNamed(element, 'c:dLbls'), source, base, undefined)
  const series = childElements(element, 'c:ser')
  const list = series
    .filter(() => --budget.series >= 0)
    .map((entry) => readSeries(entry, kind, element, source, base, labels, colors, budget))
  return {
    kind,
    isDeep: element.name.endsWith('3DChart') || isSurface(element),
    horizontal: valueOfChild(element, 'c:barDir') === 'bar',
    stacking: grouping === 'percentStacked' ? 'percent' : grouping === 'stacked' ? 'stacked' : 'none',
    gapWidth: Math.max(0, Math.min(500, numberOfChild(element, 'c:gapWidth') ?? 150)),
    overlap: Math.max(-100, Math.min(100, numberOfChild(element, 'c:overlap') ?? (/tacked/.test(grouping) ? 100 : 0))),
    gapDepth: Math.max(0, Math.min(500, numberOfChild(element, 'c:gapDepth') ?? 150)),
    inRows: isSurface(element) || (element.name === 'c:bar3DChart' && grouping === 'standard'),
    varyColors: flagOfChild(element, 'c:varyColors', kind === 'pie' || kind === 'doughnut'),
    highLow: readJoin(element, 'c:hiLowLines', source),
    drop: readJoin(element, 'c:dropLines', source),
    upDown: readUpDown(childNamed(element, 'c:upDownBars'), source),
    second: element.name === 'c:ofPieChart' ? readSecond(element, list[0], source) : undefined,
    filled: valueOfChild(element, 'c:radarStyle') === 'filled',
    firstAngle: numberOfChild(element, 'c:firstSliceAng') ?? 0,
    hole: Math.max(1, Math.min(90, numberOfChild(element, 'c:holeSize') ?? 50)),
    series: list,
    axisIds: childElements(element, 'c:axId').map((id) => id.attributes.val ?? ''),
  }
}

/** Titles are bold, of 18 points or a fifth larger than the size that the chart states for all of its text. */
function titleLook(root: XmlElement, source: PaintSource, base: RunProps): RunProps {
  const { size } = textLook(root, source, {})
  return { ...base, size: size === undefined ? 18 : size * 1.2, bold: true }
}

function readTitle(chart: XmlElement, source: PaintSource, base: RunProps, plots: readonly Plot[]): Chart['title'] {
  const element = childNamed(chart, 'c:title')
  if (!element || flagOfChild(chart, 'c:autoTitleDeleted', false)) return undefined
  const series = plots.flatMap((plot) => plot.series)
  const automatic = series.length === 1 && series[0]!.name !== '' ? series[0]!.name : 'Chart Title'
  const read = readTitleText(element, source, base, automatic)
  return { ...read, overlay: flagOfChild(element, 'c:overlay', false), place: readPlace(element) }
}

function readTitleText(
  element: XmlElement,
  source: PaintSource,
  base: RunProps,
  automatic: string,
): { text: string; look: RunProps; rotation: number | undefined } {
  const holder = childNamed(element, 'c:tx')
  const rich = holder && childNamed(holder, 'c:rich')
  const reference = holder && childNamed(holder, 'c:strRef')
  const cache = reference && childNamed(reference, 'c:strCache')
  const cached =
    cache &&
    childElements(cache, 'c:pt')
      .map((point) => richCache(point))
      .join(' ')
  const body = rich ?? childNamed(element, 'c:txPr')
  const properties = body && childNamed(body, 'a:bodyPr')
  const { rot, vert } = properties?.attributes ?? {}
  const turn = vert === 'vert270' ? -90 : vert === 'vert' ? 90 : 0
  const stated = rot === undefined ? Number.NaN : Number(rot) / 60_000
  const look = body ? { ...base, ...paragraphLook(body, source) } : base
  return {
    text: rich ? richText(rich) : (cached ?? automatic),
    look,
    rotation: Math.abs(stated) <= 90 ? stated + turn : vert !== undefined ? turn : undefined,
  }
}

function richCache(point: XmlElement): string {
  const value = childNamed(point, 'c:v')?.children[0]
  return value?.kind === 'text' ? value.text.slice(0, 2_000) : ''
}

function readLegend(element: XmlElement | undefined, source: PaintSource, base: RunProps): Legend | undefined {
  if (!element) return undefined
  const position = valueOfChild(element, 'c:legendPos')
  const { fill, line } = looksOf(element, source)
  const hidden = childElements(element, 'c:legendEntry')
    .filter((entry) => flagOfChild(entry, 'c:delete', false))
    .map((entry) => numberOfChild(entry, 'c:idx') ?? -1)
  return {
    position: position === 'l' || position === 't' || position === 'b' || position === 'tr' ? position : 'r',
    overlay: flagOfChild(element, 'c:overlay', false),
    look: textLook(element, source, base),
    fill: fill === 'none' ? undefined : fill,
    line: line === 'none' ? undefined : line,
    place: readPlace(element),
    hidden: new Set(hidden),
  }
}

function readTable(element: XmlElement | undefined, source: PaintSource, base: RunProps): DataTable | undefined {
  if (!element) return undefined
  const { line } = looksOf(element, source)
  const shows = (name: string) => flagOfChild(element, name, false)
  return {
    horizontal: shows('c:showHorzBorder'),
    vertical: shows('c:showVertBorder'),
    outline: shows('c:showOutline'),
    keys: shows('c:showKeys'),
    look: textLook(element, source, base),
    line: line === 'none' ? undefined : (line ?? hairline(AXIS_COLOR)),
  }
}

/** A table stands below categories that run from left to right, and has no more cells than can be read. */
function mayHaveTable(plots: readonly Plot[]): boolean {
  const cells = plots.flatMap((plot) => plot.series).reduce((sum, { values }) => sum + values.length, 0)
  const isUpright = ({ kind, horizontal }: Plot) =>
    kind === 'line' || kind === 'area' || (kind === 'bar' && !horizontal)
  return plots.every(isUpright) && cells <= MAX_TABLE_CELLS
}

function readAxis(element: XmlElement, source: PaintSource, base: RunProps): Axis {
  const scaling = childNamed(element, 'c:scaling')
  const position = valueOfChild(element, 'c:axPos')
  const side = position === 'r' || position === 't' || position === 'b' ? position : 'l'
  const labels = valueOfChild(element, 'c:tickLblPos')
  const tick = valueOfChild(element, 'c:majorTickMark')
  const grid = childNamed(element, 'c:majorGridlines')
  const { line } = looksOf(element, source)
  const gridLine = looksOf(grid, source).line
  const format = childNamed(element, 'c:numFmt')?.attributes
  const body = childNamed(element, 'c:txPr')
  const rotation = Number((body && childNamed(body, 'a:bodyPr'))?.attributes.rot ?? Number.NaN) / 60_000
  const automatic = hairline(AXIS_COLOR)
  const skip = numberOfChild(element, 'c:tickLblSkip')
  return {
    id: valueOfChild(element, 'c:axId') ?? '',
    crossesId: valueOfChild(element, 'c:crossAx') ?? '',
    kind: element.name === 'c:valAx' ? 'value' : element.name === 'c:serAx' ? 'series' : 'category',
    position: side,
    isDeleted: flagOfChild(element, 'c:delete', false),
    isReversed: valueOfChild(scaling, 'c:orientation') === 'maxMin',
    min: numberOfChild(scaling, 'c:min'),
    max: numberOfChild(scaling, 'c:max'),
    majorUnit: numberOfChild(element, 'c:majorUnit'),
    logBase: numberOfChild(scaling, 'c:logBase'),
    format: format?.sourceLinked === '1' ? undefined : format?.formatCode,
    labels: labels === 'low' || labels === 'high' || labels === 'none' ? labels : 'nextTo',
    look: textLook(element, source, base),
    labelRotation: Math.abs(rotation) <= 90 ? rotation : undefined,
    labelSkip: skip === undefined ? undefined : Math.max(1, Math.min(10_000, Math.round(skip))),
    majorTick: tick === 'none' || tick === 'in' || tick === 'cross' ? tick : 'out',
    line: line === 'none' ? undefined : (line ?? automatic),
    grid: grid && gridLine !== 'none' ? (gridLine ?? automatic) : undefined,
    title: readAxisTitle(childNamed(element, 'c:title'), source, base, side),
    crosses: valueOfChild(element, 'c:crossesAt') ?? valueOfChild(element, 'c:crosses') ?? 'autoZero',
    between: valueOfChild(element, 'c:crossBetween') !== 'midCat',
  }
}

function readAxisTitle(
  element: XmlElement | undefined,
  source: PaintSource,
  base: RunProps,
  side: string,
): AxisTitle | undefined {
  if (!element) return undefined
  const { text, look, rotation } = readTitleText(element, source, { ...base, bold: true }, 'Axis Title')
  const upright = side === 'l' || side === 'r' ? -90 : 0
  return { text, look, rotation: rotation ?? upright, place: readPlace(element) }
}

/** A manual layout (21.2.2.31): positions count from the edge, extents in shares of the chart. */
function readPlace(element: XmlElement): ManualPlace | undefined {
  const layout = childNamed(element, 'c:layout')
  const manual = layout && childNamed(layout, 'c:manualLayout')
  if (!manual) return undefined
  const share = (name: string, mode: string) => {
    const value = numberOfChild(manual, name)
    if (value === undefined || (mode !== '' && valueOfChild(manual, mode) !== 'edge')) return undefined
    return Math.max(0, Math.min(1, value))
  }
  return {
    x: share('c:x', 'c:xMode'),
    y: share('c:y', 'c:yMode'),
    width: share('c:w', ''),
    height: share('c:h', ''),
    inner: valueOfChild(manual, 'c:layoutTarget') === 'inner',
  }
}

const kindNames: Readonly<Record<PlotKind, string>> = {
  bar: 'Bar chart',
  line: 'Line chart',
  area: 'Area chart',
  pie: 'Pie chart',
  doughnut: 'Doughnut chart',
  scatter: 'Scatter chart',
  bubble: 'Bubble chart',
  radar: 'Radar chart',
}

function summaryOf(plots: readonly Plot[], title: string | undefined): string {
  const names = [
    ...new Set(plots.map((plot) => (plot.kind === 'bar' && !plot.horizontal ? 'Column chart' : kindNames[plot.kind]))),
  ]
  const series = plots.flatMap((plot) => plot.series.map((entry) => entry.name)).filter((name) => name !== '')
  const about = title ? `: ${title.replace(/\n/g, ' ')}` : ''
  return `${names.join(' and ')}${about}${series.length > 0 ? ` (${series.slice(0, 12).join(', ')})` : ''}`.slice(
    0,
    500,
  )
}
