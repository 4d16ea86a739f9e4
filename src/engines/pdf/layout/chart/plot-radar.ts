import type { Frame } from '../../frame/frame.ts'
import { polygon } from '../../frame/pen.ts'
import type { Axis, Chart, Plot } from '../../model/chart.ts'
import { formatNumber } from '../../model/number-format.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box, Place } from './box.ts'
import { type Caption, caption, lineHeight } from './caption.ts'
import { markerFrames, paintedPath, straight } from './marks.ts'
import { intervalsWithin, type Scale, scaleFor, shareOf, ticksOf, tickValue } from './scale.ts'
import { countOf, rangeOf } from './stacks.ts'

/** From the net to the names of its spokes, and from its first spoke to the values. */
const LABEL_GAP = 3

/** A net: a spoke for each category, the values outwards on it. */
interface Net {
  canvas: Canvas
  x: number
  y: number
  radius: number
  /** How many spokes there are. */
  count: number
  scale: Scale
}

/** Draws a radar chart. */
export function drawRadar(canvas: Canvas, chart: Chart, plot: Plot, space: Box): Frame[] {
  const count = Math.max(3, countOf(plot))
  const value = chart.axes.find((axis) => axis.kind === 'value')
  const category = chart.axes.find((axis) => axis.kind === 'category')
  const names = plot.series.find((series) => series.categories.length > 0)?.categories
  const look = category?.look ?? { size: 10 }
  const captions = Array.from({ length: count }, (_, at) => caption(canvas, names?.[at] ?? `${at + 1}`, look))
  const tallest = Math.max(...captions.map((label) => label.height))
  const widest = Math.max(...captions.map((label) => label.width))
  const room = Math.min(space.height / 2 - tallest - LABEL_GAP, space.width / 2 - widest - LABEL_GAP)
  const radius = Math.max(4, room)
  const scale = scaleFor(rangeOf(plot, count), value, {
    intervals: intervalsWithin(radius / lineHeight(canvas.context, value?.look ?? look)),
    fromZero: true,
    clear: false,
    isPercent: false,
  })
  const net: Net = { canvas, x: space.x + space.width / 2, y: space.y + space.height / 2, radius, count, scale }
  return [
    ...netFrames(net, value),
    ...seriesFrames(net, plot, space),
    ...captions.flatMap((label, index) => nameFrames(net, label, index)),
    ...(value ? valueFrames(net, value, value.format ?? plot.series[0]?.valueFormat) : []),
  ]
}

function angleOf({ count }: Net, index: number): number {
  return (index / count) * 2 * Math.PI - Math.PI / 2
}

/** The point of a spoke at a share of the radius. */
function pointAt(net: Net, index: number, share: number): Place {
  const angle = angleOf(net, index)
  return [net.x + Math.cos(angle) * share * net.radius, net.y + Math.sin(angle) * share * net.radius]
}

function netFrames(net: Net, value: Axis | undefined): Frame[] {
  const { node } = net.canvas
  const spokes = Array.from({ length: net.count }, (_, index) => index)
  const ring = (share: number) => polygon(spokes.flatMap((index) => pointAt(net, index, share)))
  const grid = value?.grid
  const rings = grid
    ? ticksOf(net.scale).flatMap((tick) => paintedPath(ring(tickShare(net, tick)), { line: grid }, node))
    : []
  const spoke = value?.line ?? grid
  const lines = spoke ? spokes.flatMap((index) => straight([net.x, net.y], pointAt(net, index, 1), spoke, node)) : []
  return [...rings, ...lines]
}

function tickShare({ scale }: Net, tick: number): number {
  return shareOf(tickValue(tick, scale), scale)
}

function seriesFrames(net: Net, plot: Plot, space: Box): Frame[] {
  const {
    canvas: { node },
    count,
    scale,
  } = net
  return plot.series.flatMap((series) => {
    const { marker, line, values } = series
    const places = Array.from({ length: count }, (_, index) =>
      pointAt(net, index, Math.max(0, Math.min(1, shareOf(values[index] ?? scale.min, scale)))),
    )
    const look = { fill: plot.filled ? series.fill : undefined, line }
    const outline = paintedPath(polygon(places.flat()), look, node, space)
    return marker ? [...outline, ...places.flatMap((place) => markerFrames(marker, place, node))] : outline
  })
}

/** The name of a category, beyond the end of its spoke. */
function nameFrames(net: Net, label: Caption, index: number): Frame[] {
  const angle = angleOf(net, index)
  const [x, y] = pointAt(net, index, 1)
  return label.at(
    x + Math.cos(angle) * (label.width / 2 + LABEL_GAP) - label.width / 2,
    y + Math.sin(angle) * (label.height / 2 + LABEL_GAP) - label.height / 2,
  )
}

/** The values of the rings, to the left of the first spoke. */
function valueFrames(net: Net, axis: Axis, format: string | undefined): Frame[] {
  if (axis.isDeleted || axis.labels === 'none') return []
  return ticksOf(net.scale).flatMap((tick) => {
    const text = caption(net.canvas, formatNumber(tickValue(tick, net.scale), format), axis.look)
    return text.at(net.x - text.width - LABEL_GAP, net.y - tickShare(net, tick) * net.radius - text.height / 2)
  })
}
