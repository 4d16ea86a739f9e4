import type { Frame } from '../../frame/frame.ts'
import type { Axis, Chart, Plot } from '../../model/chart.ts'
import type { Line } from '../../model/paint.ts'
import type { Canvas } from '../drawing/canvas.ts'
import { draftLabels, type LabelSet, leadOf, setLabels } from './axis-labels.ts'
import type { Box } from './box.ts'
import { lineHeight } from './caption.ts'
import { setTable } from './data-table.ts'
import { type Depth, depthOf, flat, levelGridLine, uprightGridLine, wallFrames } from './depth.ts'
import { gridOf } from './grid.ts'
import { framesOf, joinLayers, type Layers } from './layers.ts'
import { paintedBox, paintedPath, straight } from './marks.ts'
import { crossingShare, type Intervals, type Pair, pairsOf, type Ruler, rulersOf, sideOf } from './pairs.ts'
import { drawErrors, drawTrends } from './plot-trends.ts'
import { drawPlot } from './plot-xy.ts'
import { intervalsWithin } from './scale.ts'
import { seriesNames } from './series-axis.ts'

/** Length of a tick, and from it to its label, in points (1.5 and 1 mm). */
const TICK = 4.25
const LABEL_GAP = 2.835

/** A plot gets at least this share of its room, whatever its labels need. */
const LEAST_SHARE = 1 / 3

/** Where a plot goes. */
export interface PlotSpace {
  box: Box
  /** The box is the plot's own, without its labels. */
  isFixed: boolean
}

/** The pairs of axes of a chart, on its canvas. */
interface Plotting {
  canvas: Canvas
  chart: Chart
  pairs: readonly Pair[]
  rulers: readonly Ruler[]
}

/** The labels of all axes that are shown. */
type Labels = ReadonlyMap<Ruler, LabelSet>

function plottingOf(canvas: Canvas, chart: Chart, intervals: Intervals): Plotting {
  const pairs = pairsOf(chart, intervals)
  return { canvas, chart, pairs, rulers: rulersOf(pairs) }
}

/** Draws axes, grid and plots. */
export function drawGrid(canvas: Canvas, chart: Chart, space: PlotSpace): Frame[] {
  const first = plottingOf(canvas, chart, new Map())
  const draft = space.isFixed ? frontBox(first, space.box) : draftBox(first, space.box)
  const plotting = plottingOf(canvas, chart, intervalsIn(first, draft))
  const { pairs, rulers } = plotting
  const [main] = pairs
  if (!main) return []
  const { box, sets } = settle(plotting, space, draft)
  const depth = depthIn(plotting, box)
  const { node } = canvas
  const look = { fill: chart.plotFill, line: chart.plotLine }
  return [
    ...(depth === flat ? paintedBox(box, look, node) : wallFrames(chart, box, depth, node)),
    ...rulers.flatMap((ruler) => gridFrames(ruler, box, depth, node)),
    ...[...sets].flatMap(([ruler, set]) => [
      ...lineFrames(ruler, box, node),
      ...labelFrames(ruler, set, box, lineHeight(canvas.context, ruler.axis.look)),
    ]),
    ...(seriesNames(canvas, chart, main, depth)?.beside(box) ?? []),
    ...(setTable(canvas, main, box.width)?.below(box) ?? []),
    ...framesOf(joinLayers(pairs.flatMap((pair) => plotLayers(canvas, pair, box, depth)))),
  ]
}

/**
 * The plot's box and the labels beside it. Labels break or turn by the plot's size, which depends on the labels' room:
 * they are set twice, and then kept.
 */
function settle(plotting: Plotting, { box: space, isFixed }: PlotSpace, draft: Box): { box: Box; sets: Labels } {
  const first = labelsBeside(plotting, { box: draft, isFixed })
  if (isFixed) return { box: draft, sets: first }
  const second = innerBox(plotting, first, space, draft)
  const sets = labelsBeside(plotting, { box: second, isFixed }, first)
  return { box: innerBox(plotting, sets, space, second), sets }
}

/** Areas are painted below bars, bars below lines. */
const paintingOrder: Readonly<Record<Plot['kind'], number>> = {
  area: 0,
  bar: 1,
  line: 2,
  scatter: 3,
  bubble: 3,
  pie: 4,
  doughnut: 4,
  radar: 4,
}

function plotLayers(canvas: Canvas, pair: Pair, box: Box, depth: Depth): Layers[] {
  const grid = gridOf(canvas, pair, box, depth)
  return [...pair.plots]
    .sort((a, b) => paintingOrder[a.kind] - paintingOrder[b.kind])
    .flatMap((plot) => [drawPlot(plot, grid), drawTrends(plot, grid), { marks: drawErrors(plot, grid), labels: [] }])
}

/** The number of intervals for which each axis' labels have room beside each other. */
function intervalsIn({ canvas, rulers }: Plotting, box: Box): Intervals {
  const intervals = new Map<Axis, number>()
  for (const ruler of rulers) {
    const { axis, scale, labels, isVertical } = ruler
    if (!scale || axis.isDeleted || axis.labels === 'none' || labels.length === 0) continue
    const captions = draftLabels(canvas, ruler).labels.map(({ text }) => text)
    const widest = Math.max(...captions.map((label) => label.width))
    const tallest = Math.max(...captions.map((label) => label.height))
    const most = isVertical ? box.height / tallest : box.width / widest
    // Ticks whose rounded labels are the same would mean nothing.
    const run = longestRun(labels)
    intervals.set(axis, intervalsWithin(run > 1 ? Math.min(most, labels.length / run) : most))
  }
  return intervals
}

/** The length of the longest run of equal labels. */
function longestRun(labels: Ruler['labels']): number {
  let [longest, run] = [0, 0]
  let before: string | undefined
  for (const { text } of labels) {
    run = text === before ? run + 1 : 1
    before = text
    longest = Math.max(longest, run)
  }
  return longest
}

function labelsBeside({ canvas, rulers }: Plotting, { box, isFixed }: PlotSpace, before?: Labels): Labels {
  const shown = rulers.filter(({ axis }) => !axis.isDeleted)
  return new Map(shown.map((ruler) => [ruler, setLabels(canvas, ruler, box, { isFixed, before: before?.get(ruler) })]))
}

/** The box of the plot itself: what is left beside labels that were set for the plot box `from`. */
function innerBox(plotting: Plotting, sets: Labels, space: Box, from: Box): Box {
  const { canvas, chart, pairs } = plotting
  const room = roomFor(plotting, sets, from)
  const depth = depthIn(plotting, from)
  const names = pairs[0] && seriesNames(canvas, chart, pairs[0], depth)
  const right = Math.max(room.right, depth.x, names?.room ?? 0)
  const top = Math.max(room.top, depth.y)
  const width = Math.max(space.width * LEAST_SHARE, space.width - room.left - right)
  const height = Math.max(space.height * LEAST_SHARE, space.height - top - room.bottom)
  return { x: space.x + room.left, y: space.y + top, width, height }
}

function depthIn({ chart, pairs }: Plotting, box: Box): Depth {
  const [pair, ...others] = pairs
  return pair && others.length === 0 ? depthOf(pair.plots, chart.view, pair.count, box) : flat
}

/** The front of a plot whose stated box includes its depth. */
function frontBox(plotting: Plotting, box: Box): Box {
  let inner = box
  for (let pass = 0; pass < 3; pass++) {
    const depth = depthIn(plotting, inner)
    inner = { x: box.x, y: box.y + depth.y, width: box.width - depth.x, height: box.height - depth.y }
  }
  return inner
}

/** A first box of the plot, beside labels without limits. */
function draftBox(plotting: Plotting, space: Box): Box {
  const shown = plotting.rulers.filter(({ axis }) => !axis.isDeleted)
  const sets = new Map(shown.map((ruler) => [ruler, draftLabels(plotting.canvas, ruler)]))
  let box = space
  for (let pass = 0; pass < 3; pass++) box = innerBox(plotting, sets, space, box)
  return box
}

/** The box of a plot with its labels, given the plot's own box. */
export function outerBox(canvas: Canvas, chart: Chart, box: Box): Box {
  const plotting = plottingOf(canvas, chart, new Map())
  const { left, right, top, bottom } = roomFor(plotting, labelsBeside(plotting, { box, isFixed: true }), box)
  return { x: box.x - left, y: box.y - top, width: box.width + left + right, height: box.height + top + bottom }
}

/** What labels take at each side of a plot. */
interface Room {
  left: number
  right: number
  top: number
  bottom: number
}

function roomFor({ canvas, pairs }: Plotting, sets: Labels, box: Box): Room {
  const room = { left: 0, right: 0, top: 0, bottom: 0 }
  const need = (side: keyof Room, amount: number) => {
    room[side] = Math.max(room[side], amount)
  }
  for (const [ruler, set] of sets) {
    const { atEnd, depth } = sideOf(ruler)
    const { isVertical, axis } = ruler
    const half = (axis.line?.width ?? 0) / 2
    const along = isVertical ? box.width : box.height
    const thickness = Math.max(0, ...set.labels.map(({ text }) => (isVertical ? text.width : text.height)))
    const outside = set.labels.length === 0 ? outerTick(axis) : thickness + (outerTick(axis) + LABEL_GAP)
    const side = isVertical ? (atEnd ? 'right' : 'left') : atEnd ? 'top' : 'bottom'
    need(side, Math.max(0, outside - depth * along) + half)
    for (const label of set.labels) {
      const { share, text } = label
      if (isVertical) {
        need('bottom', text.height / 2 - share * box.height + half)
        need('top', text.height / 2 - (1 - share) * box.height + half)
      } else {
        const lead = leadOf(label, set.rotation, lineHeight(canvas.context, axis.look), atEnd ? 'above' : 'below')
        need('left', lead - share * box.width + half)
        need('right', text.width - lead - (1 - share) * box.width + half)
      }
    }
  }
  const table = pairs[0] && setTable(canvas, pairs[0], box.width)
  need('left', table?.names ?? 0)
  need('bottom', table?.height ?? 0)
  return room
}

/** How far ticks reach outwards, and inwards. */
function outerTick({ majorTick }: Axis): number {
  return majorTick === 'out' || majorTick === 'cross' ? TICK : 0
}

function innerTick({ majorTick }: Axis): number {
  return majorTick === 'in' || majorTick === 'cross' ? TICK : 0
}

function gridFrames({ axis: { grid }, isVertical, ticks }: Ruler, box: Box, depth: Depth, node: number): Frame[] {
  if (!grid) return []
  return ticks.flatMap((share) => {
    const at = isVertical ? box.y + (1 - share) * box.height : box.x + share * box.width
    if (depth === flat) return isVertical ? levelLine(box, at, grid, node) : uprightLine(box, at, grid, node)
    const outline = isVertical ? levelGridLine(at, box, depth) : uprightGridLine(at, box, depth)
    return paintedPath(outline, { line: grid }, node)
  })
}

function levelLine(box: Box, y: number, line: Line, node: number): Frame[] {
  return straight([box.x, y], [box.x + box.width, y], line, node)
}

function uprightLine(box: Box, x: number, line: Line, node: number): Frame[] {
  return straight([x, box.y], [x, box.y + box.height], line, node)
}

/** The line of an axis with its ticks. */
function lineFrames(ruler: Ruler, box: Box, node: number): Frame[] {
  const { axis, isVertical } = ruler
  const { line } = axis
  if (!line) return []
  const crossing = crossingShare(ruler)
  const place = placeOn(ruler, box)
  // Outwards is to the left and down, or the other way if the axis is at the far end.
  const isFar = crossing >= 1 - 1e-9 && crossing > 0.5
  const outwards = (isVertical ? -1 : 1) * (isFar ? -1 : 1)
  const [outer, inner] = [outerTick(axis), innerTick(axis)]
  const ticks = (outer + inner > 0 ? ruler.ticks : []).flatMap((share) => {
    const [from, to] = [place - outwards * inner, place + outwards * outer]
    if (isVertical) {
      const y = box.y + (1 - share) * box.height
      return straight([from, y], [to, y], line, node)
    }
    const x = box.x + share * box.width
    return straight([x, from], [x, to], line, node)
  })
  return [...ticks, ...(isVertical ? uprightLine(box, place, line, node) : levelLine(box, place, line, node))]
}

/** Where an axis crosses the other one, in the chart's coordinates. */
function placeOn(ruler: Ruler, box: Box): number {
  const crossing = crossingShare(ruler)
  return ruler.isVertical ? box.x + crossing * box.width : box.y + (1 - crossing) * box.height
}

/** The labels of an axis: beside its line, or at an edge of the plot. */
function labelFrames(ruler: Ruler, set: LabelSet, box: Box, lineHeight: number): Frame[] {
  const { axis, isVertical } = ruler
  const { atEnd } = sideOf(ruler)
  const far = isVertical ? box.x + (atEnd ? box.width : 0) : box.y + (atEnd ? 0 : box.height)
  const edge = axis.labels === 'low' || axis.labels === 'high' ? far : placeOn(ruler, box)
  // Labels of a vertical axis are to its left, of a horizontal one below it, unless they are at the far end.
  const isBefore = isVertical !== atEnd
  const gap = outerTick(axis) + LABEL_GAP
  return set.labels.flatMap((label) => {
    const { share, text } = label
    if (isVertical) {
      const x = isBefore ? edge - gap - text.width : edge + gap
      return text.at(x, box.y + (1 - share) * box.height - text.height / 2)
    }
    const lead = leadOf(label, set.rotation, lineHeight, isBefore ? 'above' : 'below')
    return text.at(box.x + share * box.width - lead, isBefore ? edge - gap - text.height : edge + gap)
  })
}
