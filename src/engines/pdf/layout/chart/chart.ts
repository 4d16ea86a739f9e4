import type { Frame } from '../../frame/frame.ts'
import { rectangleOutline } from '../../frame/pen.ts'
import type { Axis, Chart, ManualPlace } from '../../model/chart.ts'
import type { Context } from '../context.ts'
import { drawGrid, outerBox } from './axes.ts'
import { type Box, type Caption, caption } from './caption.ts'
import { placeLegend } from './legend.ts'
import { paintedBox } from './marks.ts'
import { drawPie } from './plot-pie.ts'
import { drawRadar } from './plot-radar.ts'

/** What is left free around the plot and beside the titles of its axes, as a share of the chart's extent. */
const MARGIN = 0.02
/** What is left free around pies, in points (3.5 mm). */
const PIE_MARGIN = 9.92
/** Above a title, besides that share; below and beside the titles of the first axes, instead of it (4.2 and 4.5 mm). */
const TITLE_GAP = 3.83
const BELOW_TITLE = 11.91
const BESIDE_TITLE = 12.76
/** The frame around a title's text, in font sizes. */
const TITLE_PADDING = { x: 0.18, y: 0.3 }
/** How much of the chart a title may take across, and the title of an upright axis that is written level. */
const TITLE_WIDTH = 0.8
const SIDE_TITLE_WIDTH = 0.2

/**
 * Draws a chart into its box, from the outside to the inside: title, legend and axis titles take their room from the
 * edges, and the plot with its axes gets what is left.
 */
export function layoutChart(context: Context, chart: Chart, width: number, height: number, node: number): Frame[] {
  if (width <= 0 || height <= 0) return []
  const frames = paintedBox(0, 0, width, height, chart.fill, chart.line, node)
  const space: Box = { x: 0, y: 0, width, height }
  const inside: Frame[] = []
  if (chart.title) inside.push(...placeTitle(context, chart.title, space, width, height, node))
  if (chart.legend) inside.push(...placeLegend(context, chart, chart.legend, space, width, height, node))
  const titles = axisTitles(context, chart, space, width, height, node)
  const [first] = chart.plots
  const isRound = first?.kind === 'pie' || first?.kind === 'doughnut'
  const [besides, above] = isRound ? [PIE_MARGIN, PIE_MARGIN] : [width * MARGIN, height * MARGIN]
  space.x += besides
  space.y += above
  space.width = Math.max(1, space.width - 2 * besides)
  space.height = Math.max(1, space.height - 2 * above)
  const box = chart.place ? statedBox(chart.place, space, width, height) : space
  const isInner = chart.place?.inner === true && chart.place.width !== undefined && chart.place.height !== undefined
  const outer = isInner && !isRound && first?.kind !== 'radar' ? outerBox(context, chart, box) : box
  for (const title of titles) inside.push(...besideAxis(title, outer, width, height))
  if (isRound) inside.push(...drawPie(context, first, chart.view, box, node))
  else if (first?.kind === 'radar') inside.push(...drawRadar(context, chart, first, box, node))
  else inside.push(...drawGrid(context, chart, box, isInner, node))
  const clip = rectangleOutline(0, 0, width, height)
  frames.push({ kind: 'group', x: 0, y: 0, matrix: [1, 0, 0, 1, 0, 0], clip, frames: inside })
  return frames
}

function statedBox(place: ManualPlace, space: Box, width: number, height: number): Box {
  return {
    x: place.x === undefined ? space.x : place.x * width,
    y: place.y === undefined ? space.y : place.y * height,
    width: Math.max(1, place.width === undefined ? space.width : place.width * width),
    height: Math.max(1, place.height === undefined ? space.height : place.height * height),
  }
}

function placeTitle(
  context: Context,
  title: NonNullable<Chart['title']>,
  space: Box,
  width: number,
  height: number,
  node: number,
): Frame[] {
  const size = title.look.size ?? 18
  const [padX, padY] = [size * TITLE_PADDING.x, size * TITLE_PADDING.y]
  const text = caption(context, title.text, title.look, node, width * TITLE_WIDTH - 2 * padX)
  const gap = height * MARGIN + TITLE_GAP
  const frames =
    title.place?.x !== undefined && title.place.y !== undefined
      ? text.at(title.place.x * width + padX, title.place.y * height + padY)
      : text.at((width - text.width) / 2, space.y + gap + padY)
  // A title that the document has moved keeps its room above the plot.
  if (!title.overlay) {
    const taken = text.height + 2 * padY + gap
    space.y += taken
    space.height -= taken
  }
  return frames
}

/** The title of an axis with its frame, before the plot's place is known. */
interface SetTitle {
  position: Axis['position']
  place: ManualPlace | undefined
  text: Caption
  width: number
  height: number
}

/** Sets the titles of the axes and takes their room from `space`. */
function axisTitles(
  context: Context,
  chart: Chart,
  space: Box,
  width: number,
  height: number,
  node: number,
): SetTitle[] {
  const titles: SetTitle[] = []
  for (const { title, position, isDeleted } of chart.axes) {
    if (!title || isDeleted) continue
    const size = title.look.size ?? 10
    const isUpright = Math.abs(title.rotation) === 90
    const isSide = position === 'l' || position === 'r'
    const room = isUpright ? height * TITLE_WIDTH : width * (isSide ? SIDE_TITLE_WIDTH : TITLE_WIDTH)
    const long = room - 2 * size * TITLE_PADDING.x
    const text = caption(context, title.text, title.look, node, Math.max(size, long), title.rotation)
    const [padX, padY] = isUpright ? [TITLE_PADDING.y, TITLE_PADDING.x] : [TITLE_PADDING.x, TITLE_PADDING.y]
    const set = {
      position,
      place: title.place,
      text,
      width: text.width + 2 * padX * size,
      height: text.height + 2 * padY * size,
    }
    titles.push(set)
    if (isSide) {
      const taken = set.width + (position === 'l' ? BESIDE_TITLE : width * MARGIN)
      space.width -= taken
      if (position === 'l') space.x += taken
    } else {
      const taken = set.height + (position === 'b' ? BELOW_TITLE : height * MARGIN)
      space.height -= taken
      if (position === 't') space.y += taken
    }
  }
  return titles
}

/** A title where the document has it, or in the middle beside the plot and its labels, but not outside of the chart. */
function besideAxis({ position, place, text, ...title }: SetTitle, plot: Box, width: number, height: number): Frame[] {
  const middleX = plot.x + (plot.width - title.width) / 2
  const middleY = plot.y + (plot.height - title.height) / 2
  const [gapX, gapY] = [width * MARGIN, height * MARGIN]
  const [x, y] =
    place?.x !== undefined && place.y !== undefined
      ? [place.x * width, place.y * height]
      : position === 'l'
        ? [plot.x - title.width - gapX, middleY]
        : position === 'r'
          ? [plot.x + plot.width + gapX, middleY]
          : position === 't'
            ? [middleX, plot.y - title.height - gapY]
            : [middleX, plot.y + plot.height + gapY]
  const within = (at: number, extent: number, whole: number) => Math.max(0, Math.min(whole - extent, at))
  return text.at(
    within(x, title.width, width) + (title.width - text.width) / 2,
    within(y, title.height, height) + (title.height - text.height) / 2,
  )
}
