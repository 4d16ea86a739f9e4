import type { Context } from '../layout/context.ts'
import type { Frame } from '../layout/frame.ts'
import { type Box, type Caption, caption, lineHeight, widthOf } from './caption.ts'
import { paintedBox, straight } from './marks.ts'
import type { Axis, Chart, Plot } from './model.ts'
import { formatNumber } from './number-format.ts'
import { drawPlot } from './plot-xy.ts'
import { type Scale, scaleFor, shareOf, ticksOf, tickValue } from './scale.ts'
import { countOf, rangeOf } from './stacks.ts'

/** Length of a tick, and from it to its label, in points (1.5 and 1 mm). */
const TICK = 4.25
const LABEL_GAP = 2.835
const MAX_CATEGORY_TICKS = 1_000

/** Two axes and the plots between them. */
export interface Grid {
  box: Box
  /** True where categories run along y: lying bars. */
  swapped: boolean
  /** Where category `at` has its middle, as a share of the axis. */
  category(at: number): number
  /** The share of the axis that one category takes. */
  categoryWidth: number
  /** Where a value of the category axis stands that has a scale of its own (scatter charts). */
  xShare(value: number): number
  valueShare(value: number): number
  /** From shares of both axes to the chart's coordinates. */
  at(category: number, value: number): [x: number, y: number]
}

/** An axis with its labels, before it knows where it stands. */
interface Ruler {
  axis: Axis
  isVertical: boolean
  /** Where ticks stand, as shares of the axis. */
  ticks: number[]
  labels: { share: number; text: string }[]
}

interface Pair {
  plots: Plot[]
  category: Axis | undefined
  value: Axis | undefined
  scale: Scale
  xScale: Scale | undefined
  count: number
  between: boolean
  swapped: boolean
}

/** Draws axes, grid and plots; `isInner` says that the box is the plot's own, without its labels. */
export function drawGrid(context: Context, chart: Chart, space: Box, isInner: boolean, node: number): Frame[] {
  const pairs = pairsOf(chart)
  if (pairs.length === 0) return []
  const rulers = pairs.flatMap((pair) => rulersOf(pair))
  const box = isInner ? space : innerBox(context, pairs, rulers, space)
  const frames = paintedBox(box.x, box.y, box.width, box.height, chart.plotFill, chart.plotLine, node)
  for (const ruler of rulers) frames.push(...gridFrames(ruler, box, node))
  const lines: Frame[] = []
  for (const pair of pairs) {
    for (const ruler of rulersOf(pair)) {
      if (!ruler.axis.isDeleted) lines.push(...axisFrames(context, ruler, pair, box, node))
    }
  }
  frames.push(...lines)
  const labels: Frame[] = []
  // Areas lie below bars, bars below lines.
  const order = { area: 0, bar: 1, line: 2, scatter: 3, bubble: 3, pie: 4, doughnut: 4, radar: 4 }
  for (const pair of pairs) {
    const grid = gridOf(pair, box)
    for (const plot of [...pair.plots].sort((a, b) => order[a.kind] - order[b.kind]))
      frames.push(...drawPlot(context, plot, grid, pair.count, labels, node))
  }
  return [...frames, ...labels]
}

/** The plots by the axes that they stand on. */
function pairsOf(chart: Chart): Pair[] {
  const byAxes = new Map<string, Plot[]>()
  for (const plot of chart.plots) {
    if (plot.kind === 'pie' || plot.kind === 'doughnut' || plot.kind === 'radar') continue
    const key = plot.axisIds.slice(0, 2).join(' ')
    byAxes.set(key, [...(byAxes.get(key) ?? []), plot])
  }
  return [...byAxes.values()].map((plots) => pairOf(chart, plots))
}

function pairOf(chart: Chart, plots: Plot[]): Pair {
  const first = plots[0]!
  const axes = first.axisIds.map((id) => chart.axes.find((axis) => axis.id === id)).filter((axis) => axis !== undefined)
  const isScatter = first.kind === 'scatter' || first.kind === 'bubble'
  const isAcross = (axis: Axis) => axis.position === 'b' || axis.position === 't'
  const category = isScatter ? axes.find(isAcross) : axes.find((axis) => axis.kind === 'category')
  const value = axes.find((axis) => axis !== category && axis.kind === 'value')
  const count = Math.max(1, ...plots.map(countOf))
  const ranges = plots.map((plot) => rangeOf(plot, count))
  const range = {
    min: Math.min(...ranges.map((entry) => entry.min)),
    max: Math.max(...ranges.map((entry) => entry.max)),
  }
  return {
    plots,
    category,
    value,
    scale: scaleFor(range, value, first.stacking === 'percent'),
    xScale: isScatter ? scaleFor(xRange(plots), category, false) : undefined,
    count,
    between: (value?.between ?? true) || plots.some((plot) => plot.kind === 'bar'),
    swapped: first.horizontal && first.kind === 'bar',
  }
}

function xRange(plots: readonly Plot[]): { min: number; max: number } {
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

function rulersOf(pair: Pair): Ruler[] {
  const rulers: Ruler[] = []
  const flip = (axis: Axis, share: number) => (axis.isReversed ? 1 - share : share)
  if (pair.value) {
    const axis = pair.value
    const isPercent = pair.plots[0]!.stacking === 'percent'
    const format = axis.format ?? (isPercent ? '0%' : pair.plots[0]!.series[0]?.valueFormat)
    rulers.push(scaleRuler(axis, pair.scale, format, !pair.swapped))
  }
  if (pair.category && pair.xScale) {
    rulers.push(scaleRuler(pair.category, pair.xScale, pair.category.format, false))
  } else if (pair.category) {
    const axis = pair.category
    const names = pair.plots.flatMap((plot) => plot.series).find((series) => series.categories.length > 0)?.categories
    const { count, between } = pair
    const middle = (at: number) => categoryShare(at, count, between)
    rulers.push({
      axis,
      isVertical: pair.swapped,
      // Thousands of ticks would be a black bar.
      ticks:
        count > MAX_CATEGORY_TICKS
          ? []
          : between
            ? Array.from({ length: count + 1 }, (_, at) => at / count)
            : Array.from({ length: count }, (_, at) => middle(at)),
      labels: Array.from({ length: count }, (_, at) => ({
        share: flip(axis, middle(at)),
        text: (names?.[at] ?? (names ? '' : `${at + 1}`)).slice(0, 200),
      })),
    })
  }
  return rulers
}

function scaleRuler(axis: Axis, scale: Scale, format: string | undefined, isVertical: boolean): Ruler {
  const ticks = ticksOf(scale).map((tick) => {
    const value = tickValue(tick, scale)
    const share = shareOf(value, scale)
    return { share: axis.isReversed ? 1 - share : share, text: formatNumber(value, format) }
  })
  return { axis, isVertical, ticks: ticks.map((tick) => tick.share), labels: ticks }
}

function categoryShare(at: number, count: number, between: boolean): number {
  if (between) return (at + 0.5) / count
  return count > 1 ? at / (count - 1) : 0.5
}

function gridOf(pair: Pair, box: Box): Grid {
  const { scale, xScale, count, between, swapped, category, value } = pair
  const flip = (axis: Axis | undefined, share: number) => (axis?.isReversed ? 1 - share : share)
  return {
    box,
    swapped,
    category: (at) => flip(category, categoryShare(at, count, between)),
    categoryWidth: between ? 1 / count : 1 / Math.max(1, count - 1),
    xShare: (x) => flip(category, xScale ? shareOf(x, xScale) : 0),
    valueShare: (number) => flip(value, shareOf(number, scale)),
    at(along, across) {
      const [x, y] = swapped ? [across, along] : [along, across]
      return [box.x + x * box.width, box.y + (1 - y) * box.height]
    },
  }
}

/** Where an axis stands on the one that it crosses, as a share of that one. */
function crossingShare(ruler: Ruler, pair: Pair): number {
  const { axis } = ruler
  const isCategory = axis === pair.category
  const other = isCategory ? pair.value : pair.category
  const scale = isCategory ? pair.scale : pair.xScale
  const flip = (share: number) => (other?.isReversed ? 1 - share : share)
  if (axis.crosses === 'max') return flip(1)
  if (axis.crosses === 'min') return flip(0)
  if (!scale) {
    const at = Number(axis.crosses)
    return Number.isFinite(at) ? flip(Math.max(0, Math.min(1, (at - (pair.between ? 1 : 0)) / pair.count))) : flip(0)
  }
  const stated = axis.crosses === 'autoZero' ? 0 : Number(axis.crosses)
  const value = Number.isFinite(stated) ? stated : 0
  const share = scale.log === undefined || value > 0 ? shareOf(value, scale) : 0
  return flip(Math.max(0, Math.min(1, share)))
}

/** On which side of the plot an axis has its labels, and how far inside of that edge it stands. */
function sideOf(ruler: Ruler, pair: Pair): { atEnd: boolean; depth: number } {
  const share = crossingShare(ruler, pair)
  const { labels } = ruler.axis
  if (labels === 'low') return { atEnd: false, depth: 0 }
  if (labels === 'high') return { atEnd: true, depth: 0 }
  const atEnd = share > 0.5 && share >= 1 - 1e-9
  return { atEnd, depth: atEnd ? 1 - share : share }
}

/** The box of the plot itself: what is left when the labels of all axes have their room. */
function innerBox(context: Context, pairs: readonly Pair[], rulers: readonly Ruler[], space: Box): Box {
  let box = { ...space }
  // Labels of categories break by the width that the plot leaves them, which in turn depends on the other labels.
  for (let pass = 0; pass < 3; pass++) {
    const room = { left: 0, right: 0, top: 0, bottom: 0 }
    const need = (side: keyof typeof room, amount: number) => {
      room[side] = Math.max(room[side], amount)
    }
    for (const ruler of rulers) {
      if (ruler.axis.isDeleted) continue
      const pair = pairs.find((entry) => entry.category === ruler.axis || entry.value === ruler.axis)!
      const { atEnd, depth } = sideOf(ruler, pair)
      const half = (ruler.axis.line?.width ?? 0) / 2
      const set = shownLabels(context, ruler, box)
      const along = ruler.isVertical ? box.width : box.height
      const gap = tickLength(ruler.axis) + LABEL_GAP
      const thickness = Math.max(0, ...set.map((label) => (ruler.isVertical ? label.text.width : label.text.height)))
      const outside = set.length === 0 ? tickLength(ruler.axis) : thickness + gap
      const side = ruler.isVertical ? (atEnd ? 'right' : 'left') : atEnd ? 'top' : 'bottom'
      need(side, Math.max(0, outside - depth * along) + half)
      for (const { share, text } of set) {
        const extent = (ruler.isVertical ? text.height : text.width) / 2
        const [before, after] = ruler.isVertical
          ? [share * box.height, (1 - share) * box.height]
          : [share * box.width, (1 - share) * box.width]
        need(ruler.isVertical ? 'bottom' : 'left', extent - before + half)
        need(ruler.isVertical ? 'top' : 'right', extent - after + half)
      }
    }
    const width = Math.max(4, space.width - room.left - room.right)
    const height = Math.max(4, space.height - room.top - room.bottom)
    box = { x: space.x + room.left, y: space.y + room.top, width, height }
  }
  return box
}

function tickLength(axis: Axis): number {
  return axis.majorTick === 'out' || axis.majorTick === 'cross' ? TICK : 0
}

interface SetLabel {
  share: number
  text: Caption
}

/** Labels of one axis, all or every second, third … of them, so that none covers its neighbour. */
function shownLabels(context: Context, ruler: Ruler, box: Box): SetLabel[] {
  const { axis, labels, isVertical } = ruler
  if (axis.labels === 'none' || labels.length === 0) return []
  const length = isVertical ? box.height : box.width
  const spacing = labels.length > 1 ? Math.abs(labels[1]!.share - labels[0]!.share) * length : length
  if (isVertical) {
    const step = Math.max(1, Math.ceil((lineHeight(axis.look) * 0.95) / Math.max(0.1, spacing)))
    return every(labels, step).map(({ share, text }) => ({ share, text: caption(context, text, axis.look, axisNode) }))
  }
  const rotation = axis.labelRotation ?? 0
  if (rotation !== 0) {
    const step = Math.max(1, Math.ceil(lineHeight(axis.look) / Math.max(0.1, spacing)))
    return every(labels, step).map(({ share, text }) => ({
      share,
      text: caption(context, text, axis.look, axisNode, box.height, rotation),
    }))
  }
  const isNames = axis.kind === 'category'
  const longest = Math.max(0, ...labels.slice(0, 500).map((label) => widthOf(context, label.text, axis.look)))
  const words = labels.slice(0, 500).flatMap((label) => label.text.split(' '))
  const widestWord = Math.max(0, ...words.map((word) => widthOf(context, word, axis.look)))
  const breaks = isNames && longest > spacing && widestWord <= spacing
  const needed = breaks ? spacing : longest + 2
  const step = Math.max(1, Math.ceil(needed / Math.max(0.1, spacing)))
  const maxWidth = breaks ? spacing : Number.POSITIVE_INFINITY
  return every(labels, step).map(({ share, text }) => ({
    share,
    text: caption(context, text, axis.look, axisNode, maxWidth),
  }))
}

/** Labels belong to the figure that the chart is; the node is known only when they are drawn. */
const axisNode = -1

function every<T>(list: readonly T[], step: number): T[] {
  return step === 1 ? [...list] : list.filter((_, index) => index % step === 0)
}

function gridFrames({ axis, isVertical, ticks }: Ruler, box: Box, node: number): Frame[] {
  const { grid } = axis
  if (!grid) return []
  return ticks.flatMap((share) => {
    const at = isVertical ? box.y + (1 - share) * box.height : box.x + share * box.width
    return isVertical
      ? straight(box.x, at, box.x + box.width, at, grid, node)
      : straight(at, box.y, at, box.y + box.height, grid, node)
  })
}

function axisFrames(context: Context, ruler: Ruler, pair: Pair, box: Box, node: number): Frame[] {
  const { axis, isVertical } = ruler
  const crossing = crossingShare(ruler, pair)
  const { atEnd } = sideOf(ruler, pair)
  const place = isVertical ? box.x + crossing * box.width : box.y + (1 - crossing) * box.height
  // Outwards is to the left and down, or the other way where the axis stands at the far end.
  const isFar = crossing >= 1 - 1e-9 && crossing > 0.5
  const outwards = (isVertical ? -1 : 1) * (isFar ? -1 : 1)
  const frames: Frame[] = []
  if (axis.line) {
    const { line } = axis
    const outer = axis.majorTick === 'out' || axis.majorTick === 'cross' ? TICK : 0
    const inner = axis.majorTick === 'in' || axis.majorTick === 'cross' ? TICK : 0
    for (const share of outer + inner > 0 ? ruler.ticks : []) {
      const at = isVertical ? box.y + (1 - share) * box.height : box.x + share * box.width
      const [from, to] = [place - outwards * inner, place + outwards * outer]
      frames.push(...(isVertical ? straight(from, at, to, at, line, node) : straight(at, from, at, to, line, node)))
    }
    frames.push(
      ...(isVertical
        ? straight(place, box.y, place, box.y + box.height, line, node)
        : straight(box.x, place, box.x + box.width, place, line, node)),
    )
  }
  const edge =
    axis.labels === 'low' || axis.labels === 'high'
      ? isVertical
        ? box.x + (atEnd ? box.width : 0)
        : box.y + (atEnd ? 0 : box.height)
      : place
  const direction = (isVertical ? -1 : 1) * (atEnd ? -1 : 1)
  const gap = tickLength(axis) + LABEL_GAP
  for (const { share, text } of shownLabels(context, ruler, box)) {
    const [x, y] = isVertical
      ? [direction < 0 ? edge - gap - text.width : edge + gap, box.y + (1 - share) * box.height - text.height / 2]
      : [box.x + share * box.width - text.width / 2, direction > 0 ? edge + gap : edge - gap - text.height]
    const shift = !isVertical && axis.labelRotation ? Math.sign(axis.labelRotation) * (text.width / 2 - 3) : 0
    frames.push(...withNode(text.at(x + shift, y), node))
  }
  return frames
}

function withNode(frames: Frame[], node: number): Frame[] {
  for (const frame of frames) {
    if (frame.kind === 'text') frame.node = node
    else if (frame.kind === 'group') withNode(frame.frames, node)
  }
  return frames
}
