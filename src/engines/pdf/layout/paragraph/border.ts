import type { Frame } from '../../frame/frame.ts'
import type { Border } from '../../model/properties.ts'

/** The width of a border across its run: all of its strokes and the gaps between them. */
export function extentOf(border: Border): number {
  if (border.style === 'single') return border.width
  let extent = 0
  for (const part of strokesOf(border)) extent += part
  return extent
}

/** The thin stroke and the gap beside the thick one, where they don't grow with its width; in points. */
const HAIR = 0.75

/** How much narrower than its width the thick stroke and the gap of a raised or sunken border are; in points. */
const SUNKEN = 0.35

/** Widths across a border, from above or from the left: stroke, gap, stroke and so on. */
function strokesOf({ style, width }: Border): number[] {
  if (style === 'single') return [width]
  if (/^double|wavyDouble/i.test(style)) return [width, width, width]
  // No source says how wide the two strokes of these are; they are LibreOffice's.
  if (style === 'outset') return [HAIR, Math.max(0, width - SUNKEN), Math.max(0, width - SUNKEN)]
  if (style === 'inset') return [Math.max(0, width - SUNKEN), Math.max(0, width - SUNKEN), HAIR]
  if (/^threeD/.test(style)) return [width / 2, width, width / 2]
  if (/^triple/i.test(style)) return [width, width, width, width, width]
  const [, kind, size] = /^(thinThickThin|thinThick|thickThin)(Small|Medium|Large)Gap$/.exec(style) ?? []
  if (kind === undefined) return [width]
  const gap = size === 'Small' ? HAIR : size === 'Medium' ? width / 2 : 2 * HAIR
  const thin = size === 'Medium' ? width / 2 : HAIR
  if (kind === 'thinThickThin') return [thin, gap, width, gap, thin]
  return kind === 'thinThick' ? [thin, gap, width] : [width, gap, thin]
}

/** A straight line from one point to another, in points. */
interface Line {
  x1: number
  y1: number
  x2: number
  y2: number
}

/** A border as the strokes it consists of, its middle along the given line. */
export function edge(border: Border, line: Line): Frame[] {
  const frames: Frame[] = []
  drawEdge(frames, border, line)
  return frames
}

/** Like `edge`, but adds to `frames`: tables have most of a document's borders. */
export function drawEdge(frames: Frame[], border: Border, { x1, y1, x2, y2 }: Line): void {
  const color = border.color === 'auto' ? '000000' : border.color
  // Checked first: nearly all borders are single, and the other styles need regular expressions to tell apart.
  if (border.style === 'single') {
    frames.push({ kind: 'line', x1, y1, x2, y2, width: border.width, color, dash: 'solid' })
    return
  }
  const dash =
    /dot/i.test(border.style) && !/dash/i.test(border.style)
      ? 'dotted'
      : /dash/i.test(border.style)
        ? 'dashed'
        : 'solid'
  let at = -extentOf(border) / 2
  for (const [index, width] of strokesOf(border).entries()) {
    const middle = at + width / 2
    at += width
    if (index % 2 === 1) continue
    const [dx, dy] = x1 === x2 ? [middle, 0] : [0, middle]
    frames.push({ kind: 'line', x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy, width, color, dash })
  }
}
