import { limits } from '../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { RunProps } from '../read/model.ts'
import type { Theme } from '../read/theme.ts'
import type { Report } from '../report.ts'
import type { Fill, Line } from '../shape/model.ts'
import type { PaintSource } from '../shape/paint.ts'
import type { Axis, AxisTitle, Chart, Legend, ManualPlace, Plot, PlotKind } from './model.ts'
import { automaticColor, type PointBudget, readLabels, readSeries } from './read-series.ts'
import {
  defaultLook,
  flagOfChild,
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
}

/** What series may have besides their points. */
const leftOut = [
  ['c:trendline', 'the trend line is left out'],
  ['c:errBars', 'the error bars are left out'],
] as const

function hasSeriesChild(area: XmlElement, name: string): boolean {
  return childElements(area).some((plot) =>
    childElements(plot, 'c:ser').some((series) => childNamed(series, name) !== undefined),
  )
}

const MAX_AXES = 8
/** Colours of points before they begin anew. */
const PALETTE = 24

/** Reads a chart part; undefined when it has nothing that can be drawn. */
export function readChart(root: XmlElement, part: string, place: ChartPlace): Chart | undefined {
  const chart = childNamed(root, 'c:chart')
  const area = chart && childNamed(chart, 'c:plotArea')
  if (!chart || !area) return undefined
  const source: PaintSource = { theme: place.theme, partOf: () => undefined }
  const base = textLook(root, source, defaultLook(source))
  const budget: PointBudget = { series: limits.renderChartSeries, points: limits.renderChartPoints }
  const plots: Plot[] = []
  for (const element of childElements(area)) {
    const kind = kinds[element.name]
    if (kind) plots.push(readPlot(element, kind, source, base, budget))
    else if (element.name.endsWith('Chart'))
      place.report.unsupported(part, element.name, 'this kind of chart is left out')
    if (/3DChart$|ofPieChart$|stockChart$/.test(element.name))
      place.report.unsupported(part, element.name, 'it is drawn as its plain twin')
  }
  for (const [name, what] of leftOut) {
    if (hasSeriesChild(area, name)) place.report.unsupported(part, name, what)
  }
  if (childNamed(area, 'c:dTable')) place.report.unsupported(part, 'c:dTable', 'the table of the data is left out')
  if (budget.points < 0 || budget.series < 0) {
    place.report.add(
      'render.chart_points',
      `The chart has more than ${limits.renderChartSeries} series or ${limits.renderChartPoints} points; the rest is left out.`,
      part,
      'Draw fewer points.',
    )
  }
  if (!plots.some((plot) => plot.series.length > 0)) return undefined
  const title = readTitle(chart, source, base, plots)
  const own = looksOf(root, source)
  const plotLooks = looksOf(area, source)
  const white: Fill = { kind: 'solid', color: place.theme.colors.get('bg1') ?? 'FFFFFF', opacity: 1 }
  return {
    summary: summaryOf(plots, title?.text),
    title,
    legend: readLegend(childNamed(chart, 'c:legend'), source, base),
    plots,
    axes: childElements(area)
      .filter((element) => /^c:(cat|val|date|ser)Ax$/.test(element.name))
      .slice(0, MAX_AXES)
      .map((element) => readAxis(element, source, base)),
    place: readPlace(area),
    fill: own.fill === 'none' ? undefined : (own.fill ?? white),
    line: own.line === 'none' ? undefined : (own.line ?? hairline('D9D9D9')),
    plotFill: plotLooks.fill === 'none' ? undefined : plotLooks.fill,
    plotLine: plotLooks.line === 'none' ? undefined : plotLooks.line,
  }
}

export function hairline(color: string): Line {
  return { color, opacity: 1, width: 0.75, dash: [], cap: 'butt', join: 'round' }
}

function readPlot(element: XmlElement, kind: PlotKind, source: PaintSource, base: RunProps, budget: PointBudget): Plot {
  const grouping = valueOfChild(element, 'c:grouping') ?? ''
  const labels = readLabels(childNamed(element, 'c:dLbls'), source, base, undefined)
  const series = childElements(element, 'c:ser')
  const list = series
    .filter(() => --budget.series >= 0)
    .map((entry) => readSeries(entry, kind, element, source, base, labels, budget))
  return {
    kind,
    horizontal: valueOfChild(element, 'c:barDir') === 'bar',
    stacking: grouping === 'percentStacked' ? 'percent' : grouping === 'stacked' ? 'stacked' : 'none',
    gapWidth: Math.max(0, Math.min(500, numberOfChild(element, 'c:gapWidth') ?? 150)),
    overlap: Math.max(-100, Math.min(100, numberOfChild(element, 'c:overlap') ?? (/tacked/.test(grouping) ? 100 : 0))),
    varyColors: flagOfChild(element, 'c:varyColors', kind === 'pie' || kind === 'doughnut'),
    filled: valueOfChild(element, 'c:radarStyle') === 'filled',
    firstAngle: numberOfChild(element, 'c:firstSliceAng') ?? 0,
    hole: Math.max(1, Math.min(90, numberOfChild(element, 'c:holeSize') ?? 50)),
    series: list,
    palette: Array.from({ length: PALETTE }, (_, index) => ({
      kind: 'solid' as const,
      color: automaticColor(index, source),
      opacity: 1,
    })),
    axisIds: childElements(element, 'c:axId').map((id) => id.attributes.val ?? ''),
  }
}

function readTitle(chart: XmlElement, source: PaintSource, base: RunProps, plots: readonly Plot[]): Chart['title'] {
  const element = childNamed(chart, 'c:title')
  if (!element || flagOfChild(chart, 'c:autoTitleDeleted', false)) return undefined
  const series = plots.flatMap((plot) => plot.series)
  const automatic = series.length === 1 && series[0]!.name !== '' ? series[0]!.name : 'Chart Title'
  const read = readTitleText(element, source, { ...base, size: (base.size ?? 10) * 1.8, bold: true }, automatic)
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
  const automatic = hairline('878787')
  return {
    id: valueOfChild(element, 'c:axId') ?? '',
    crossesId: valueOfChild(element, 'c:crossAx') ?? '',
    kind: element.name === 'c:valAx' ? 'value' : 'category',
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
  return { text, look, rotation: rotation ?? (side === 'l' || side === 'r' ? -90 : 0) }
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
