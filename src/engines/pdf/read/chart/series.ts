import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { DataLabels, Marker, PlotKind, PointLook, Series, SeriesLabels } from '../../model/chart.ts'
import { formatNumber } from '../../model/number-format.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { RunProps } from '../../model/properties.ts'
import type { PaintSource } from '../drawing/paint.ts'
import type { ChartColors } from './colors.ts'
import {
  flagOfChild,
  looksOf,
  numberOfChild,
  paragraphLook,
  plainText,
  richText,
  textLook,
  valueOfChild,
} from './source.ts'
import { readErrors, readTrends } from './trends.ts'

/** Series and points that may still be read, over all of a chart. */
export interface PointBudget {
  series: number
  points: number
}

const symbols = ['diamond', 'square', 'triangle', 'x', 'star', 'circle', 'plus', 'dot', 'dash']

export function readSeries(
  element: XmlElement,
  kind: PlotKind,
  plot: XmlElement,
  source: PaintSource,
  base: RunProps,
  plotLabels: SeriesLabels | undefined,
  colors: ChartColors,
  budget: PointBudget,
): Series {
  const index = Math.max(0, Math.min(10_000, numberOfChild(element, 'c:idx') ?? 0))
  const color = colors.color(index)
  const { fill, line } = looksOf(element, source)
  const hasLine = kind === 'line' || kind === 'scatter' || kind === 'radar'
  const solid: Fill = { kind: 'solid', color, opacity: 1 }
  const stroke: Line = { color, opacity: 1, width: colors.lineWidth, dash: [], cap: 'round', join: 'round' }
  const style = valueOfChild(plot, 'c:scatterStyle')
  const values = readNumbers(childNamed(element, kind === 'scatter' || kind === 'bubble' ? 'c:yVal' : 'c:val'), budget)
  const x = kind === 'scatter' || kind === 'bubble' ? readNumbers(childNamed(element, 'c:xVal'), budget).values : []
  const isFilledRadar = kind === 'radar' && valueOfChild(plot, 'c:radarStyle') === 'filled'
  const name = readName(childNamed(element, 'c:tx'))
  return {
    name,
    index,
    categories: readCategories(childNamed(element, 'c:cat')),
    values: values.values,
    x,
    sizes: kind === 'bubble' ? readNumbers(childNamed(element, 'c:bubbleSize'), budget).values : [],
    valueFormat: values.format,
    fill: fill === 'none' ? undefined : (fill ?? solid),
    line: line === 'none' ? undefined : (line ?? (hasLine && !isFilledRadar ? stroke : undefined)),
    marker: hasLine && !isFilledRadar ? readMarker(element, plot, kind, index, color, source) : undefined,
    points: readPoints(element, source),
    labels: readLabels(childNamed(element, 'c:dLbls'), source, base, plotLabels) ?? plotLabels,
    smooth: flagOfChild(element, 'c:smooth', style === 'smoothMarker' || style === 'smooth'),
    explosion: Math.max(0, Math.min(400, numberOfChild(element, 'c:explosion') ?? 0)),
    trends: readTrends(element, name, source, base),
    errors: readErrors(
      element,
      source,
      kind === 'scatter' || kind === 'bubble',
      (numbers) => readNumbers(numbers, budget).values,
    ),
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

/** The cache of a reference or the literal itself (21.2.2.24, 21.2.2.120). */
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

function readCategories(element: XmlElement | undefined): string[] {
  const cache = cacheOf(element)
  const format = cache && childNamed(cache, 'c:formatCode')
  const isNumeric = cache?.name === 'c:numCache' || cache?.name === 'c:numLit'
  const names: string[] = []
  for (const point of cache ? childElements(cache, 'c:pt').slice(0, limits.renderChartPoints) : []) {
    const at = Number(point.attributes.idx)
    if (!Number.isInteger(at) || at < 0 || at >= limits.renderChartPoints) continue
    while (names.length < at) names.push('')
    const text = plainText(childNamed(point, 'c:v'))
    names[at] =
      isNumeric && Number.isFinite(Number(text)) ? formatNumber(Number(text), format && plainText(format)) : text
  }
  return names
}

function readMarker(
  element: XmlElement,
  plot: XmlElement,
  kind: PlotKind,
  index: number,
  color: string,
  source: PaintSource,
): Marker | undefined {
  const marker = childNamed(element, 'c:marker')
  const symbol = valueOfChild(marker, 'c:symbol')
  const style = valueOfChild(plot, kind === 'radar' ? 'c:radarStyle' : 'c:scatterStyle')
  const wanted =
    kind === 'line'
      ? flagOfChild(plot, 'c:marker', true)
      : kind === 'radar'
        ? style === 'marker'
        : style !== 'line' && style !== 'smooth'
  if (symbol === 'none' || (!wanted && symbol === undefined)) return undefined
  const { fill, line } = looksOf(marker, source)
  const solid: Fill = { kind: 'solid', color, opacity: 1 }
  return {
    symbol: symbol === undefined || symbol === 'auto' ? symbols[index % symbols.length]! : symbol,
    size: Math.max(2, Math.min(72, numberOfChild(marker, 'c:size') ?? 7)),
    fill: fill === 'none' ? undefined : (fill ?? solid),
    line: line === 'none' || line === undefined ? undefined : line,
  }
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

/** What labels of points show (21.2.2.49); undefined where none are shown. */
export function readLabels(
  element: XmlElement | undefined,
  source: PaintSource,
  base: RunProps,
  inherited: SeriesLabels | undefined,
): SeriesLabels | undefined {
  if (!element || flagOfChild(element, 'c:delete', false)) return undefined
  const labels = readLabel(element, source, inherited ?? { ...bare, look: base })
  const hidden = new Set<number>()
  const points = new Map<number, DataLabels>()
  for (const own of childElements(element, 'c:dLbl').slice(0, limits.renderChartPoints)) {
    const at = numberOfChild(own, 'c:idx') ?? -1
    if (flagOfChild(own, 'c:delete', false)) hidden.add(at)
    else points.set(at, readLabel(own, source, labels))
  }
  const any = labels.showValue || labels.showPercent || labels.showCategory || labels.showSeries
  return any || points.size > 0 ? { ...labels, hidden, points } : undefined
}

const bare: Omit<DataLabels, 'look'> = {
  showValue: false,
  showPercent: false,
  showCategory: false,
  showSeries: false,
  position: undefined,
  separator: ' ',
  format: undefined,
  text: undefined,
  fill: undefined,
  line: undefined,
}

function readLabel(element: XmlElement, source: PaintSource, inherited: DataLabels): DataLabels {
  const separator = childNamed(element, 'c:separator')
  const format = childNamed(element, 'c:numFmt')?.attributes
  const { fill = inherited.fill, line = inherited.line } = looksOf(element, source)
  const words = childNamed(element, 'c:tx')
  const rich = words && childNamed(words, 'c:rich')
  return {
    showValue: flagOfChild(element, 'c:showVal', inherited.showValue),
    showPercent: flagOfChild(element, 'c:showPercent', inherited.showPercent),
    showCategory: flagOfChild(element, 'c:showCatName', inherited.showCategory),
    showSeries: flagOfChild(element, 'c:showSerName', inherited.showSeries),
    position: valueOfChild(element, 'c:dLblPos') ?? inherited.position,
    separator: separator ? plainText(separator) : inherited.separator,
    format: format && format.sourceLinked !== '1' ? format.formatCode : inherited.format,
    look: { ...textLook(element, source, inherited.look), ...(rich ? paragraphLook(rich, source) : {}) },
    text: rich && !hasField(rich) ? richText(rich) : undefined,
    fill: fill === 'none' ? undefined : fill,
    line: line === 'none' ? undefined : line,
  }
}

/** Text with fields in it is made anew, from what the label shows. */
function hasField(rich: XmlElement): boolean {
  return childElements(rich, 'a:p').some((paragraph) => childNamed(paragraph, 'a:fld'))
}
