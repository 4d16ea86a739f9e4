import type { Frame } from '../../frame/frame.ts'
import type { Axis, Chart } from '../../model/chart.ts'
import type { Context } from '../context.ts'
import { axisNode, draftLabels, type LabelSet, leadOf, setLabels } from './axis-labels.ts'
import { type Box, lineHeight } from './caption.ts'
import { setTable } from './data-table.ts'
import { type Depth, deepGridLine, depthOf, flat, wallFrames } from './depth.ts'
import { paintedBox, straight } from './marks.ts'
import {
  categoryShare,
  crossingShare,
  type Intervals,
  type Pair,
  pairsOf,
  type Ruler,
  rulersOf,
  sideOf,
} from './pairs.ts'
import { drawErrors, drawTrends } from './plot-trends.ts'
import { drawPlot } from './plot-xy.ts'
import { intervalsWithin, shareOf } from './scale.ts'
import { seriesNames } from './series-axis.ts'

/** Length of a tick, and from it to its label, in points (1.5 and 1 mm). */
const TICK = 4.25
const LABEL_GAP = 2.835

/** Two axes and the plots between them. */
export interface Grid {
  box: Box
  depth: Depth
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

/** Draws axes, grid and plots; `isInner` says that the box is the plot's own, without its labels. */
export function drawGrid(context: Context, chart: Chart, space: Box, isInner: boolean, node: number): Frame[] {
  const first = pairsOf(chart, new Map())
  if (first.length === 0) return []
  const draft = isInner ? front(chart, first, space) : draftBox(context, chart, first, space)
  const pairs = pairsOf(chart, intervalsIn(context, first, draft))
  const rulers = pairs.flatMap((pair) => rulersOf(pair))
  let box = draft
  let sets = labelsBeside(context, rulers, box, isInner)
  if (!isInner) {
    // How labels break or turn follows from the plot's size, which follows from theirs: they are set twice, and then stay.
    box = innerBox(context, chart, pairs, sets, space, box)
    sets = labelsBeside(context, rulers, box, isInner, sets)
    box = innerBox(context, chart, pairs, sets, space, box)
  }
  const depth = depthIn(chart, pairs, box)
  const frames =
    depth === flat
      ? paintedBox(box.x, box.y, box.width, box.height, chart.plotFill, chart.plotLine, node)
      : wallFrames(chart, box, depth, node)
  for (const ruler of rulers) frames.push(...gridFrames(ruler, box, depth, node))
  const lines: Frame[] = []
  for (const [ruler, set] of sets) lines.push(...axisFrames(context, ruler, set, pairOf(ruler, pairs), box, node))
  frames.push(...lines)
  frames.push(...(seriesNames(context, chart, pairs[0]!, depth)?.beside(box, node) ?? []))
  for (const pair of pairs.slice(0, 1)) frames.push(...(setTable(context, pair, box.width, node)?.below(box) ?? []))
  const labels: Frame[] = []
  // Areas lie below bars, bars below lines.
  const order = { area: 0, bar: 1, line: 2, scatter: 3, bubble: 3, pie: 4, doughnut: 4, radar: 4 }
  for (const pair of pairs) {
    const grid = gridOf(pair, box, depth)
    for (const plot of [...pair.plots].sort((a, b) => order[a.kind] - order[b.kind]))
      frames.push(
        ...drawPlot(context, plot, grid, pair.count, labels, node),
        ...drawTrends(context, plot, grid, labels, node),
        ...drawErrors(plot, grid, pair.count, node),
      )
  }
  return [...frames, ...labels]
}

/** As many as the labels of each axis find room beside each other, when it has the most intervals. */
function intervalsIn(context: Context, pairs: readonly Pair[], box: Box): Intervals {
  const intervals = new Map<Axis, number>()
  for (const pair of pairs) {
    for (const ruler of rulersOf(pair)) {
      const { axis, labels, isVertical } = ruler
      const scale = axis === pair.value ? pair.scale : pair.xScale
      if (!scale || axis.isDeleted || axis.labels === 'none' || labels.length === 0) continue
      const captions = draftLabels(context, ruler).labels.map(({ text }) => text)
      const widest = Math.max(...captions.map((label) => label.width))
      const tallest = Math.max(...captions.map((label) => label.height))
      let most = isVertical ? box.height / tallest : box.width / widest
      // Labels that say the same, rounded, would be ticks of nothing.
      let [same, run] = [0, 0]
      for (const [at, { text }] of labels.entries()) {
        run = at > 0 && text === labels[at - 1]!.text ? run + 1 : 0
        same = Math.max(same, run)
      }
      if (same > 0) most = Math.min(most, labels.length / (same + 1))
      intervals.set(axis, intervalsWithin(most))
    }
  }
  return intervals
}

function gridOf(pair: Pair, box: Box, depth: Depth): Grid {
  const { scale, xScale, count, between, swapped, category, value } = pair
  const flip = (axis: Axis | undefined, share: number) => (axis?.isReversed ? 1 - share : share)
  return {
    box,
    depth,
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

/** What labels take at each side of a plot. */
interface Room {
  left: number
  right: number
  top: number
  bottom: number
}

/** A plot never gets less of the room for it than this share, whatever its labels need. */
const LEAST_SHARE = 1 / 3

/** The labels of all axes that are shown. */
type Labels = ReadonlyMap<Ruler, LabelSet>

function labelsBeside(context: Context, rulers: readonly Ruler[], box: Box, isFixed: boolean, before?: Labels): Labels {
  const shown = rulers.filter(({ axis }) => !axis.isDeleted)
  return new Map(shown.map((ruler) => [ruler, setLabels(context, ruler, box, isFixed, before?.get(ruler))]))
}

/** The box of the plot itself: what is left when the labels, set beside a plot `from` before, have their room. */
function innerBox(context: Context, chart: Chart, pairs: readonly Pair[], sets: Labels, space: Box, from: Box): Box {
  const room = roomFor(context, pairs, sets, from)
  const depth = depthIn(chart, pairs, from)
  const names = pairs[0] && seriesNames(context, chart, pairs[0], depth)
  room.right = Math.max(room.right, depth.x, names?.room ?? 0)
  room.top = Math.max(room.top, depth.y)
  const width = Math.max(space.width * LEAST_SHARE, space.width - room.left - room.right)
  const height = Math.max(space.height * LEAST_SHARE, space.height - room.top - room.bottom)
  return { x: space.x + room.left, y: space.y + room.top, width, height }
}

function depthIn(chart: Chart, pairs: readonly Pair[], box: Box): Depth {
  const [pair] = pairs
  return pair && pairs.length === 1 ? depthOf(pair.plots, chart.view, pair.count, box) : flat
}

/** The front of a plot that has a stated box with its depth. */
function front(chart: Chart, pairs: readonly Pair[], box: Box): Box {
  let inner = box
  for (let pass = 0; pass < 3; pass++) {
    const depth = depthIn(chart, pairs, inner)
    inner = { x: box.x, y: box.y + depth.y, width: box.width - depth.x, height: box.height - depth.y }
  }
  return inner
}

/** The box of the plot with labels that nothing limits yet. */
function draftBox(context: Context, chart: Chart, pairs: readonly Pair[], space: Box): Box {
  const rulers = pairs.flatMap((pair) => rulersOf(pair)).filter(({ axis }) => !axis.isDeleted)
  const sets = new Map(rulers.map((ruler) => [ruler, draftLabels(context, ruler)]))
  let box = space
  for (let pass = 0; pass < 3; pass++) box = innerBox(context, chart, pairs, sets, space, box)
  return box
}

/** The box of a plot, whose own is stated, with its labels. */
export function outerBox(context: Context, chart: Chart, box: Box): Box {
  const pairs = pairsOf(chart, new Map())
  const rulers = pairs.flatMap((pair) => rulersOf(pair))
  const { left, right, top, bottom } = roomFor(context, pairs, labelsBeside(context, rulers, box, true), box)
  return { x: box.x - left, y: box.y - top, width: box.width + left + right, height: box.height + top + bottom }
}

function pairOf(ruler: Ruler, pairs: readonly Pair[]): Pair {
  return pairs.find((entry) => entry.category === ruler.axis || entry.value === ruler.axis)!
}

function roomFor(context: Context, pairs: readonly Pair[], sets: Labels, box: Box): Room {
  const room = { left: 0, right: 0, top: 0, bottom: 0 }
  const need = (side: keyof typeof room, amount: number) => {
    room[side] = Math.max(room[side], amount)
  }
  for (const [ruler, { labels, rotation }] of sets) {
    const { atEnd, depth } = sideOf(ruler, pairOf(ruler, pairs))
    const half = (ruler.axis.line?.width ?? 0) / 2
    const along = ruler.isVertical ? box.width : box.height
    const gap = tickLength(ruler.axis) + LABEL_GAP
    const thickness = Math.max(0, ...labels.map(({ text }) => (ruler.isVertical ? text.width : text.height)))
    const outside = labels.length === 0 ? tickLength(ruler.axis) : thickness + gap
    const side = ruler.isVertical ? (atEnd ? 'right' : 'left') : atEnd ? 'top' : 'bottom'
    need(side, Math.max(0, outside - depth * along) + half)
    for (const label of labels) {
      const { share, text } = label
      if (ruler.isVertical) {
        need('bottom', text.height / 2 - share * box.height + half)
        need('top', text.height / 2 - (1 - share) * box.height + half)
      } else {
        const lead = leadOf(label, rotation, lineHeight(context, ruler.axis.look), atEnd)
        need('left', lead - share * box.width + half)
        need('right', text.width - lead - (1 - share) * box.width + half)
      }
    }
  }
  const table = pairs[0] && setTable(context, pairs[0], box.width, axisNode)
  need('left', table?.names ?? 0)
  need('bottom', table?.height ?? 0)
  return room
}

function tickLength(axis: Axis): number {
  return axis.majorTick === 'out' || axis.majorTick === 'cross' ? TICK : 0
}

function gridFrames({ axis, isVertical, ticks }: Ruler, box: Box, depth: Depth, node: number): Frame[] {
  const { grid } = axis
  if (!grid) return []
  return ticks.flatMap((share) => {
    const at = isVertical ? box.y + (1 - share) * box.height : box.x + share * box.width
    if (depth !== flat) return deepGridLine(at, isVertical, box, depth, grid, node)
    return isVertical
      ? straight(box.x, at, box.x + box.width, at, grid, node)
      : straight(at, box.y, at, box.y + box.height, grid, node)
  })
}

function axisFrames(context: Context, ruler: Ruler, set: LabelSet, pair: Pair, box: Box, node: number): Frame[] {
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
  for (const label of set.labels) {
    const { share, text } = label
    const lead = leadOf(label, set.rotation, lineHeight(context, axis.look), direction < 0)
    const [x, y] = isVertical
      ? [direction < 0 ? edge - gap - text.width : edge + gap, box.y + (1 - share) * box.height - text.height / 2]
      : [box.x + share * box.width - lead, direction > 0 ? edge + gap : edge - gap - text.height]
    frames.push(...withNode(text.at(x, y), node))
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
