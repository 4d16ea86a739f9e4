import type { Frame } from '../../frame/frame.ts'
import { identity } from '../../frame/matrix.ts'
import { rectangleOutline } from '../../frame/pen.ts'
import type { Chart, ManualPlace } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import { drawGrid, outerBox } from './axes.ts'
import type { Box, Taken } from './box.ts'
import { placeLegend } from './legend.ts'
import { paintedBox } from './marks.ts'
import { drawPie } from './plot-pie.ts'
import { drawRadar } from './plot-radar.ts'
import { axisTitles, besideAxis, MARGIN, placeTitle } from './title.ts'

/** The free space around pies, in points (3.5 mm). */
const PIE_MARGIN = 9.92

/**
 * Draws a chart into its box, from the outside to the inside: title, legend and axis titles take their room from the
 * edges, and the plot with its axes gets what is left.
 */
export function layoutChart(canvas: Canvas, chart: Chart): Frame[] {
  const { width, height, node } = canvas
  if (width <= 0 || height <= 0) return []
  const whole: Box = { x: 0, y: 0, width, height }
  const title = chart.title ? placeTitle(canvas, chart.title, whole) : nothing(whole)
  const legend = chart.legend ? placeLegend(canvas, chart, chart.legend, title.space) : nothing(title.space)
  const { titles, space } = axisTitles(canvas, chart, legend.space)
  const [first] = chart.plots
  const round = first?.kind === 'pie' || first?.kind === 'doughnut' ? first : undefined
  const radar = first?.kind === 'radar' ? first : undefined
  const margins = round ? { x: PIE_MARGIN, y: PIE_MARGIN } : { x: width * MARGIN, y: height * MARGIN }
  const inside = insideMargins(space, margins)
  const box = chart.place ? statedBox(canvas, chart.place, inside) : inside
  const isInner = chart.place?.inner === true && chart.place.width !== undefined && chart.place.height !== undefined
  const outer = isInner && !round && !radar ? outerBox(canvas, chart, box) : box
  const frames = [
    ...title.frames,
    ...legend.frames,
    ...titles.flatMap((one) => besideAxis(canvas, one, outer)),
    ...(round
      ? drawPie(canvas, round, chart.view, box)
      : radar
        ? drawRadar(canvas, chart, radar, box)
        : drawGrid(canvas, chart, { box, isFixed: isInner })),
  ]
  const clip = rectangleOutline(0, 0, width, height)
  return [
    ...paintedBox(whole, { fill: chart.fill, line: chart.line }, node),
    { kind: 'group', x: 0, y: 0, matrix: identity, clip, frames },
  ]
}

function nothing(space: Box): Taken {
  return { frames: [], space }
}

/** A space without the margins that a plot keeps. */
function insideMargins(space: Box, margins: { x: number; y: number }): Box {
  return {
    x: space.x + margins.x,
    y: space.y + margins.y,
    width: Math.max(1, space.width - 2 * margins.x),
    height: Math.max(1, space.height - 2 * margins.y),
  }
}

function statedBox({ width, height }: Canvas, place: ManualPlace, space: Box): Box {
  return {
    x: place.x === undefined ? space.x : place.x * width,
    y: place.y === undefined ? space.y : place.y * height,
    width: Math.max(1, place.width === undefined ? space.width : place.width * width),
    height: Math.max(1, place.height === undefined ? space.height : place.height * height),
  }
}
