import { limits } from '../../../../core/limits.ts'
import type { Axis, Chart, DataTable, Plot } from '../../model/chart.ts'
import { formatNumber } from '../../model/number-format.ts'
import { MOST_INTERVALS, type Range, type Scale, scaleFor, shareOf, ticksOf, tickValue } from './scale.ts'
import { countOf, rangeOf } from './stacks.ts'

/** Plots with their axes, and what those axes show. */

/** An axis with its labels, before its place is known. */
export interface Ruler {
  axis: Axis
  /** The pair that it belongs to; the first one where pairs share an axis. */
  pair: Pair
  isVertical: boolean
  /** Undefined if it has categories. */
  scale: Scale | undefined
  /** Places of the ticks, as shares of the axis. */
  ticks: number[]
  labels: { share: number; text: string }[]
}

export interface Pair {
  plots: readonly [Plot, ...Plot[]]
  category: Axis | undefined
  value: Axis | undefined
  scale: Scale
  /** For scatter charts, whose category axis has values. */
  xScale: Scale | undefined
  count: number
  between: boolean
  swapped: boolean
  /** The table below them, which has the names of the categories. */
  table: DataTable | undefined
}

/** The number of intervals that each axis has room for; an axis that is not listed may have the maximum. */
export type Intervals = ReadonlyMap<Axis, number>

/** The plots, grouped by their axes. */
export function pairsOf(chart: Chart, intervals: Intervals): Pair[] {
  const byAxes = new Map<string, [Plot, ...Plot[]]>()
  for (const plot of chart.plots) {
    if (plot.kind === 'pie' || plot.kind === 'doughnut' || plot.kind === 'radar') continue
    const key = plot.axisIds.slice(0, 2).join(' ')
    const others = byAxes.get(key)
    if (others) others.push(plot)
    else byAxes.set(key, [plot])
  }
  return [...byAxes.values()].map((plots) => pairOf(chart, plots, intervals))
}

function pairOf(chart: Chart, plots: Pair['plots'], intervals: Intervals): Pair {
  const [first] = plots
  const axes = first.axisIds.map((id) => chart.axes.find((axis) => axis.id === id)).filter((axis) => axis !== undefined)
  const isScatter = first.kind === 'scatter' || first.kind === 'bubble'
  const isAcross = (axis: Axis) => axis.position === 'b' || axis.position === 't'
  const category = isScatter ? axes.find(isAcross) : axes.find((axis) => axis.kind === 'category')
  const value = axes.find((axis) => axis !== category && axis.kind === 'value')
  const count = Math.max(1, ...plots.map(countOf))
  const intervalsOf = (axis: Axis | undefined) => (axis && intervals.get(axis)) ?? MOST_INTERVALS
  const ranges = plots.map((plot) => rangeOf(plot, count))
  const range = {
    min: Math.min(...ranges.map((entry) => entry.min)),
    max: Math.max(...ranges.map((entry) => entry.max)),
  }
  const wish = {
    intervals: intervalsOf(value),
    fromZero: true,
    clear: !first.isDeep,
    isPercent: first.stacking === 'percent',
  }
  const xWish = { intervals: intervalsOf(category), fromZero: false, clear: true, isPercent: false }
  return {
    plots,
    category,
    value,
    scale: scaleFor(range, value, wish),
    xScale: isScatter ? scaleFor(xRange(plots), category, xWish) : undefined,
    count,
    table: chart.table,
    between: chart.table !== undefined || (value?.between ?? true) || plots.some((plot) => plot.kind === 'bar'),
    swapped: first.horizontal && first.kind === 'bar',
  }
}

function xRange(plots: readonly Plot[]): Range {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const plot of plots) {
    for (const series of plot.series) {
      for (let at = 0; at < series.values.length; at++) {
        const x = series.x[at] ?? at + 1
        min = Math.min(min, x)
        max = Math.max(max, x)
      }
    }
  }
  return { min, max }
}

/** The axes of the pairs, each once: of a pair the value axis first. */
export function rulersOf(pairs: readonly Pair[]): Ruler[] {
  const rulers = new Map<Axis, Ruler>()
  for (const pair of pairs) {
    for (const ruler of [valueRuler(pair), categoryRuler(pair)])
      if (ruler && !rulers.has(ruler.axis)) rulers.set(ruler.axis, { ...ruler, pair })
  }
  return [...rulers.values()]
}

type OwnRuler = Omit<Ruler, 'pair'>

function valueRuler({ value: axis, plots, scale, swapped }: Pair): OwnRuler | undefined {
  if (!axis) return undefined
  const [first] = plots
  const format = axis.format ?? (first.stacking === 'percent' ? '0%' : first.series[0]?.valueFormat)
  return { axis, isVertical: !swapped, scale, ...ticksAlong(axis, scale, format) }
}

function categoryRuler(pair: Pair): OwnRuler | undefined {
  const { category: axis, xScale, count, table, swapped } = pair
  if (!axis) return undefined
  if (xScale) return { axis, isVertical: false, scale: xScale, ...ticksAlong(axis, xScale, axis.format) }
  const name = namesOf(pair)
  const share = (at: number) => categoryShare(at, pair)
  const labels = Array.from({ length: table ? 0 : count }, (_, at) => ({
    share: axis.isReversed ? 1 - share(at) : share(at),
    text: name(at),
  }))
  return { axis, isVertical: swapped, scale: undefined, ticks: categoryTicks(pair), labels }
}

/** Ticks between categories, or on them. */
function categoryTicks({ count, between }: Pair): number[] {
  if (count > limits.chartCategoryTicks) return []
  return between
    ? Array.from({ length: count + 1 }, (_, at) => at / count)
    : Array.from({ length: count }, (_, at) => categoryShare(at, { count, between }))
}

/** The names of a pair's categories; their numbers if nothing names them. */
export function namesOf({ plots }: Pair): (at: number) => string {
  const names = plots.flatMap((plot) => plot.series).find((series) => series.categories.length > 0)?.categories
  return (at) => (names?.[at] ?? (names ? '' : `${at + 1}`)).slice(0, 200)
}

function ticksAlong(axis: Axis, scale: Scale, format: string | undefined): Pick<Ruler, 'ticks' | 'labels'> {
  const labels = ticksOf(scale).map((tick) => {
    const value = tickValue(tick, scale)
    const share = shareOf(value, scale)
    return { share: axis.isReversed ? 1 - share : share, text: formatNumber(value, format) }
  })
  return { ticks: labels.map((label) => label.share), labels }
}

/** Where a category has its middle, as a share of an axis that is not reversed. */
export function categoryShare(at: number, { count, between }: Pick<Pair, 'count' | 'between'>): number {
  if (between) return (at + 0.5) / count
  return count > 1 ? at / (count - 1) : 0.5
}

/** The place on the other axis at which an axis crosses it, as a share of that other axis. */
export function crossingShare({ axis, pair }: Ruler): number {
  const isCategory = axis === pair.category
  const other = isCategory ? pair.value : pair.category
  const scale = isCategory ? pair.scale : pair.xScale
  const flip = (share: number) => (other?.isReversed ? 1 - share : share)
  if (axis.crosses === 'max') return flip(1)
  if (axis.crosses === 'min') return flip(0)
  if (!scale) {
    const at = Number(axis.crosses)
    if (!Number.isFinite(at)) return flip(0)
    // Before the category of that number, or on it.
    return flip(within(pair.between ? (at - 1) / pair.count : categoryShare(at - 1, pair)))
  }
  const stated = axis.crosses === 'autoZero' ? 0 : Number(axis.crosses)
  const value = Number.isFinite(stated) ? stated : 0
  const share = scale.log === undefined || value > 0 ? shareOf(value, scale) : 0
  return flip(within(share))
}

function within(share: number): number {
  return Math.max(0, Math.min(1, share))
}

/** On which side of the plot an axis has its labels, and how far inside that edge it is. */
export function sideOf(ruler: Ruler): { atEnd: boolean; depth: number } {
  const share = crossingShare(ruler)
  const { labels } = ruler.axis
  if (labels === 'low') return { atEnd: false, depth: 0 }
  if (labels === 'high') return { atEnd: true, depth: 0 }
  const atEnd = share > 0.5 && share >= 1 - 1e-9
  return { atEnd, depth: atEnd ? 1 - share : share }
}
