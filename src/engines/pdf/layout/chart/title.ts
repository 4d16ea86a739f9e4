import type { Frame } from '../../frame/frame.ts'
import type { Axis, Chart, ManualPlace } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box, Taken } from './box.ts'
import { type Caption, caption } from './caption.ts'

/** The free space around the plot and beside the titles of its axes, as a share of the chart's extent. */
export const MARGIN = 0.02
/** Above a title, besides that share; below and beside the titles of the first axes, instead of it (4.2 and 4.5 mm). */
const TITLE_GAP = 3.83
const BELOW_TITLE = 11.91
const BESIDE_TITLE = 12.76
/** The frame around a title's text, in font sizes. */
const TITLE_PADDING = { x: 0.18, y: 0.3 }
/** The largest share of the chart that a title takes across, and that a horizontal title of a vertical axis takes. */
const TITLE_WIDTH = 0.8
const SIDE_TITLE_WIDTH = 0.2

/** Draws the chart's title; it takes its room from the top of `space`. */
export function placeTitle(canvas: Canvas, title: NonNullable<Chart['title']>, space: Box): Taken {
  const { width, height } = canvas
  const size = title.look.size ?? 18
  const [padX, padY] = [size * TITLE_PADDING.x, size * TITLE_PADDING.y]
  const text = caption(canvas, title.text, title.look, { maxWidth: width * TITLE_WIDTH - 2 * padX })
  const gap = height * MARGIN + TITLE_GAP
  const { place } = title
  const frames =
    place?.x !== undefined && place.y !== undefined
      ? text.at(place.x * width + padX, place.y * height + padY)
      : text.at((width - text.width) / 2, space.y + gap + padY)
  if (title.overlay) return { frames, space }
  // A title that the document has moved keeps its room above the plot.
  const taken = text.height + 2 * padY + gap
  return { frames, space: { ...space, y: space.y + taken, height: space.height - taken } }
}

/** The title of an axis with its frame, before the plot's place is known. */
export interface SetTitle {
  position: Axis['position']
  place: ManualPlace | undefined
  text: Caption
  width: number
  height: number
}

/** Sets the titles of the axes; each takes its room from its side of `space`. */
export function axisTitles(canvas: Canvas, chart: Chart, space: Box): { titles: SetTitle[]; space: Box } {
  const titles: SetTitle[] = []
  let left = space
  for (const axis of chart.axes) {
    const title = axis.isDeleted ? undefined : setAxisTitle(canvas, axis)
    if (!title) continue
    titles.push(title)
    left = spaceBeside(canvas, title, left)
  }
  return { titles, space: left }
}

function setAxisTitle(canvas: Canvas, { title, position }: Axis): SetTitle | undefined {
  if (!title) return undefined
  const size = title.look.size ?? 10
  const isUpright = Math.abs(title.rotation) === 90
  const room = isUpright
    ? canvas.height * TITLE_WIDTH
    : canvas.width * (isSide(position) ? SIDE_TITLE_WIDTH : TITLE_WIDTH)
  const maxWidth = Math.max(size, room - 2 * size * TITLE_PADDING.x)
  const text = caption(canvas, title.text, title.look, { maxWidth, rotation: title.rotation })
  const [padX, padY] = isUpright ? [TITLE_PADDING.y, TITLE_PADDING.x] : [TITLE_PADDING.x, TITLE_PADDING.y]
  const [width, height] = [text.width + 2 * padX * size, text.height + 2 * padY * size]
  return { position, place: title.place, text, width, height }
}

function isSide(position: Axis['position']): boolean {
  return position === 'l' || position === 'r'
}

function spaceBeside(canvas: Canvas, { position, width, height }: SetTitle, space: Box): Box {
  if (isSide(position)) {
    const taken = width + (position === 'l' ? BESIDE_TITLE : canvas.width * MARGIN)
    return { ...space, x: position === 'l' ? space.x + taken : space.x, width: space.width - taken }
  }
  const taken = height + (position === 'b' ? BELOW_TITLE : canvas.height * MARGIN)
  return { ...space, y: position === 't' ? space.y + taken : space.y, height: space.height - taken }
}

/** A title at the document's place, or centred beside the plot and its labels, but never outside the chart. */
export function besideAxis(canvas: Canvas, title: SetTitle, plot: Box): Frame[] {
  const { place, text } = title
  const [x, y] =
    place?.x !== undefined && place.y !== undefined
      ? [place.x * canvas.width, place.y * canvas.height]
      : besidePlot(canvas, title, plot)
  const within = (at: number, extent: number, whole: number) => Math.max(0, Math.min(whole - extent, at))
  return text.at(
    within(x, title.width, canvas.width) + (title.width - text.width) / 2,
    within(y, title.height, canvas.height) + (title.height - text.height) / 2,
  )
}

function besidePlot(canvas: Canvas, { position, width, height }: SetTitle, plot: Box): [x: number, y: number] {
  const middleX = plot.x + (plot.width - width) / 2
  const middleY = plot.y + (plot.height - height) / 2
  const [gapX, gapY] = [canvas.width * MARGIN, canvas.height * MARGIN]
  switch (position) {
    case 'l':
      return [plot.x - width - gapX, middleY]
    case 'r':
      return [plot.x + plot.width + gapX, middleY]
    case 't':
      return [middleX, plot.y - height - gapY]
    case 'b':
      return [middleX, plot.y + plot.height + gapY]
  }
}
