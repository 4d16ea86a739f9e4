import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Marker, PlotKind, PointLook, Series, SeriesLabels } from '../../model/chart.ts'
import { formatNumber, isDateFormat } from '../../model/number-format.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { PaintSource } from '../drawing/paint.ts'
import { readLabels } from './labels.ts'
import {
  type ChartReading,
  looksOf,
  numberOfChild,
  type PointBudget,
  plainText,
  statedFlag,
  valueOfChild,
} from './source.ts'
import { readErrors, readTrends } from './trends.ts'

/** The signs of points by the number of their series. */
const symbols = ['diamond', 'square', 'triangle', 'x', 'star', 'circle', 'plus', 'dot', 'dash'] as const

/** The plot that a series belongs to. */
export interface PlotReading {
  element: XmlElement
  kind: PlotKind
  labels: SeriesLabels | undefined
}

export function readSeries(element: XmlElement, plot: PlotReading, reading: ChartReading): Series {
  const { kind } = plot
  const { source, colors, budget } = reading
  const index = Math.max(0, Math.min(10_000, numberOfChild(element, 'c:idx') ?? 0))
  const color = colors.color(index)
  const { fill, line } = looksOf(element, source)
  const isFilledRadar = kind === 'radar' && valueOfChild(plot.element, 'c:radarStyle') === 'filled'
  const hasLine = kind === 'line' || kind === 'scatter' || (kind === 'radar' && !isFilledRadar)
  const solid: Fill = { kind: 'solid', color, opacity: 1 }
  const stroke: Line = { color, opacity: 1, width: colors.lineWidth, dash: [], cap: 'round', join: 'round' }
  const style = valueOfChild(plot.element, 'c:scatterStyle')
  const isScattered = kind === 'scatter' || kind === 'bubble'
  const numbers = (name: string) => readNumbers(childNamed(element, name), budget)
  const { values, format } = numbers(isScattered ? 'c:yVal' : 'c:val')
  const name = readName(childNamed(element, 'c:tx'))
  return {
    name,
    index,
    categories: readCategories(childNamed(element, 'c:cat'), reading.firstDay),
    values,
    x: isScattered ? numbers('c:xVal').values : [],
    sizes: kind === 'bubble' ? numbers('c:bubbleSize').values : [],
    valueFormat: format,
    fill: fill === 'none' ? undefined : (fill ?? solid),
    line: line === 'none' ? undefined : (line ?? (hasLine ? stroke : undefined)),
    marker: hasLine ? readMarker(element, plot, { index, color }, source) : undefined,
    points: readPoints(element, source),
    labels: readLabels(childNamed(element, 'c:dLbls'), reading, plot.labels) ?? plot.labels,
    smooth: statedFlag(element, 'c:smooth') ?? (style === 'smoothMarker' || style === 'smooth'),
    explosion: Math.max(0, Math.min(400, numberOfChild(element, 'c:explosion') ?? 0)),
    trends: readTrends(element, name, source, reading.base),
    errors: readErrors(element, kind, source, (holder) => readNumbers(holder, budget).values),
  }
}

function readName(element: XmlElement | undefined): string {
  if (!element) return ''
  const direct = childNamed(element, 'c:v')
  if (direct) return plainText(direct)
  const reference = childNamed(element, 'c:strRef')
  const cache = reference && childNamed(reference, 'c:strCache')
  return (cache ? childElements(cache, 'c:pt') : [])
    .slice(0, 8)
    .map((point) => plainText(childNamed(point, 'c:v')))
    .join(' ')
}

/** The cache of a reference or the literal itself (21.2.2.120, 21.2.2.199). */
function cacheOf(element: XmlElement | undefined): XmlElement | undefined {
  if (!element) return undefined
  for (const child of childElements(element)) {
    if (child.name === 'c:numLit' || child.name === 'c:strLit') return child
    if (child.name === 'c:numRef') return childNamed(child, 'c:numCache')
    if (child.name === 'c:strRef') return childNamed(child, 'c:strCache')
    if (child.name === 'c:multiLvlStrRef') {
      const cache = childNamed(child, 'c:multiLvlStrCache')
      return cache && childNamed(cache, 'c:lvl')
    }
  }
  return undefined
}

function readNumbers(
  element: XmlElement | undefined,
  budget: PointBudget,
): { values: (number | undefined)[]; format: string } {
  const cache = cacheOf(element)
  const values: (number | undefined)[] = []
  for (const point of cache ? childElements(cache, 'c:pt') : []) {
    const at = Number(point.attributes.idx)
    const number = Number(plainText(childNamed(point, 'c:v')))
    if (!Number.isInteger(at) || at < 0 || !Number.isFinite(number)) continue
    if (at >= limits.renderChartPoints) budget.points = 0
    if (--budget.points < 0) break
    while (values.length < at) values.push(undefined)
    values[at] = number
  }
  const format = cache && childNamed(cache, 'c:formatCode')
  return { values, format: format ? plainText(format) : 'General' }
}

/** @param firstDay added to what is a date */
function readCategories(element: XmlElement | undefined, firstDay: number): string[] {
  const cache = cacheOf(element)
  const code = cache && childNamed(cache, 'c:formatCode')
  const format = code && plainText(code)
  const shift = isDateFormat(format) ? firstDay : 0
  const isNumeric = cache?.name === 'c:numCache' || cache?.name === 'c:numLit'
  const names: string[] = []
  for (const point of cache ? childElements(cache, 'c:pt').slice(0, limits.renderChartPoints) : []) {
    const at = Number(point.attributes.idx)
    if (!Number.isInteger(at) || at < 0 || at >= limits.renderChartPoints) continue
    while (names.length < at) names.push('')
    const text = plainText(childNamed(point, 'c:v'))
    names[at] = isNumeric && Number.isFinite(Number(text)) ? formatNumber(Number(text) + shift, format) : text
  }
  return names
}

/** The sign of a series' points; undefined if it has none. */
function readMarker(
  element: XmlElement,
  plot: PlotReading,
  { index, color }: Pick<Series, 'index'> & { color: string },
  source: PaintSource,
): Marker | undefined {
  const marker = childNamed(element, 'c:marker')
  const symbol = valueOfChild(marker, 'c:symbol')
  if (symbol === 'none' || (symbol === undefined && !hasMarkers(plot))) return undefined
  const { fill, line } = looksOf(marker, source)
  const solid: Fill = { kind: 'solid', color, opacity: 1 }
  return {
    symbol: symbol === undefined || symbol === 'auto' ? (symbols[index % symbols.length] ?? symbols[0]) : symbol,
    size: Math.max(2, Math.min(72, numberOfChild(marker, 'c:size') ?? 7)),
    fill: fill === 'none' ? undefined : (fill ?? solid),
    line: line === 'none' || line === undefined ? undefined : line,
  }
}

/** True for a plot whose series have markers by default. */
function hasMarkers({ element, kind }: PlotReading): boolean {
  if (kind === 'line') return statedFlag(element, 'c:marker') ?? true
  if (kind === 'radar') return valueOfChild(element, 'c:radarStyle') === 'marker'
  const style = valueOfChild(element, 'c:scatterStyle')
  return style !== 'line' && style !== 'smooth'
}

function readPoints(element: XmlElement, source: PaintSource): Map<number, PointLook> {
  const points = new Map<number, PointLook>()
  for (const point of childElements(element, 'c:dPt').slice(0, limits.renderChartPoints)) {
    const { fill, line } = looksOf(point, source)
    const explosion = numberOfChild(point, 'c:explosion')
    points.set(numberOfChild(point, 'c:idx') ?? -1, {
      ...(fill ? { fill } : {}),
      ...(line ? { line } : {}),
      ...(explosion === undefined ? {} : { explosion: Math.max(0, Math.min(400, explosion)) }),
    })
  }
  return points
}
