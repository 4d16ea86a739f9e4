import type { Context } from '../layout/context.ts'
import type { Frame } from '../layout/frame.ts'
import { rectangleOutline } from '../shape/pen.ts'
import { drawGrid } from './axes.ts'
import { type Box, caption } from './caption.ts'
import { placeLegend } from './legend.ts'
import { paintedBox } from './marks.ts'
import type { Axis, Chart, ManualPlace } from './model.ts'
import { drawPie } from './plot-pie.ts'
import { drawRadar } from './plot-radar.ts'

/** What is left free around everything in a chart, as a share of its extent. */
const MARGIN = 0.02
/** The frame around a title's text, in font sizes. */
const TITLE_PADDING = { x: 0.18, y: 0.3 }

/**
 * Draws a chart into its box, from the outside to the inside: title, legend and axis titles take their room from the
 * edges, and the plot with its axes gets what is left.
 */
export function layoutChart(context: Context, chart: Chart, width: number, height: number, node: number): Frame[] {
  if (width <= 0 || height <= 0) return []
  const frames = paintedBox(0, 0, width, height, chart.fill, chart.line, node)
  const space: Box = {
    x: width * MARGIN,
    y: height * MARGIN,
    width: width * (1 - 2 * MARGIN),
    height: height * (1 - 2 * MARGIN),
  }
  const inside: Frame[] = []
  if (chart.title) inside.push(...placeTitle(context, chart.title, space, width, height, node))
  if (chart.legend) inside.push(...placeLegend(context, chart, chart.legend, space, width, height, node))
  for (const axis of chart.axes)
    if (!axis.isDeleted) inside.push(...placeAxisTitle(context, axis, space, width, height, node))
  if (chart.title && !chart.title.overlay && !chart.title.place) {
    // The plot keeps its distance from the title; a legend between them need not.
    space.y += height * MARGIN
    space.height -= height * MARGIN
  }
  space.width = Math.max(1, space.width)
  space.height = Math.max(1, space.height)
  const box = chart.place ? statedBox(chart.place, space, width, height) : space
  const isInner = chart.place?.inner === true && chart.place.width !== undefined && chart.place.height !== undefined
  const [first] = chart.plots
  if (first && (first.kind === 'pie' || first.kind === 'doughnut')) inside.push(...drawPie(context, first, box, node))
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
  const text = caption(context, title.text, title.look, node, width * 0.9)
  const padY = size * TITLE_PADDING.y
  if (title.place?.x !== undefined && title.place.y !== undefined)
    return text.at(title.place.x * width + size * TITLE_PADDING.x, title.place.y * height + padY)
  const gap = height * MARGIN
  const frames = text.at((width - text.width) / 2, space.y + gap + padY)
  if (!title.overlay) {
    const taken = text.height + 2 * padY + gap
    space.y += taken
    space.height -= taken
  }
  return frames
}

function placeAxisTitle(
  context: Context,
  axis: Axis,
  space: Box,
  width: number,
  height: number,
  node: number,
): Frame[] {
  if (!axis.title) return []
  const { text, look, rotation } = axis.title
  const size = look.size ?? 10
  const isUpright = Math.abs(rotation) === 90
  const set = caption(context, text, look, node, isUpright ? space.height : space.width / 2, rotation)
  const [padX, padY] = isUpright
    ? [size * TITLE_PADDING.y, size * TITLE_PADDING.x]
    : [size * TITLE_PADDING.x, size * TITLE_PADDING.y]
  const middleX = space.x + (space.width - set.width) / 2
  const middleY = space.y + (space.height - set.height) / 2
  const [gapX, gapY] = [width * MARGIN, height * MARGIN]
  const isSide = axis.position === 'l' || axis.position === 'r'
  const taken = isSide ? set.width + 2 * padX + 2 * gapX : set.height + 2 * padY + 2 * gapY
  const frames =
    axis.position === 'l'
      ? set.at(space.x + gapX + padX, middleY)
      : axis.position === 'r'
        ? set.at(space.x + space.width - gapX - padX - set.width, middleY)
        : axis.position === 't'
          ? set.at(middleX, space.y + gapY + padY)
          : set.at(middleX, space.y + space.height - gapY - padY - set.height)
  if (isSide) space.width -= taken
  else space.height -= taken
  if (axis.position === 'l') space.x += taken
  if (axis.position === 't') space.y += taken
  return frames
}
