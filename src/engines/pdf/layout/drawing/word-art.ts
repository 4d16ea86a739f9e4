import { limits } from '../../../../core/limits.ts'
import { mixColors } from '../../frame/color.ts'
import { type Frame, type GroupFrame, moveFrames } from '../../frame/frame.ts'
import type { GraphicContent } from '../../model/shape.ts'
import type { Canvas } from './canvas.ts'
import { labelStyle, setText } from './lettering.ts'

/** The size that text is set in before it is stretched to its box; any would do. */
const SIZE = 36

/** Text stretched to fill a box, as watermarks are; it stays text. Its path is taken to be straight. */
export function layoutWordArt(canvas: Canvas, content: Extract<GraphicContent, { kind: 'word-art' }>): Frame[] {
  const { context, width, height, node } = canvas
  const { fill, line } = content
  const paint = fill?.kind === 'gradient' ? { color: fill.stops[0].color, opacity: fill.opacity } : fill
  const painted = paint && 'color' in paint ? paint : line
  if (!painted || width <= 0 || height <= 0) return []
  const style = labelStyle(context, {
    fonts: { ascii: content.font, highAnsi: content.font },
    size: SIZE,
    bold: content.bold,
    italic: content.italic,
    // Only the page lies under a watermark, so a lighter colour looks the same as transparency.
    color: mixColors('FFFFFF', painted.color, painted.opacity),
  })
  const lines = content.text.split(/\r\n|\r|\n/).slice(0, limits.renderWordArtLines)
  const set = lines.map((text) => setText(context, text, style, node))
  const widest = Math.max(...set.map((entry) => entry.width))
  if (widest <= 0) return []
  const pitch = style.ascent + style.descent
  const frames: Frame[] = []
  for (const [index, entry] of set.entries()) {
    moveFrames(entry.frames, (widest - entry.width) / 2, index * pitch + style.ascent)
    frames.push(...entry.frames)
  }
  const [acrossScale, downScale] = [width / widest, height / (pitch * lines.length)]
  if (paint && 'color' in paint && line) {
    const outline = { color: line.color, width: line.width / Math.sqrt(acrossScale * downScale) }
    for (const frame of frames) if (frame.kind === 'text') frame.outline = outline
  }
  const matrix: GroupFrame['matrix'] = [acrossScale, 0, 0, downScale, 0, 0]
  return [{ kind: 'group', x: 0, y: 0, matrix, frames }]
}
