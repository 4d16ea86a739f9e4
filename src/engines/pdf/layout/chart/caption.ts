import { limits } from '../../../../core/limits.ts'
import { type Frame, type GroupFrame, moveFrames } from '../../frame/frame.ts'
import { boundsOf, turned } from '../../frame/matrix.ts'
import type { RunProps } from '../../model/properties.ts'
import type { TextStyle } from '../../style/cascade.ts'
import type { Context } from '../context.ts'
import type { Canvas } from '../drawing/canvas.ts'
import { labelStyle, setText } from '../drawing/lettering.ts'

/**
 * Labels are measured for a screen of 96 dots per inch: font sizes, ascents and descents are whole dots. This puts
 * titles, legends and labels where LibreOffice has them.
 */
const DOT = 0.75

/** How a look comes out in dots. */
interface Measure {
  style: TextStyle
  ascent: number
  pitch: number
}

function measureOf(context: Context, look: RunProps): Measure {
  const style = labelStyle(context, look)
  const { font, size, scale } = style.look
  const dots = Math.max(1, Math.round(size / DOT))
  const ascent = Math.round((font.ascent + font.gap) * dots) * DOT
  const descent = Math.round(font.descent * dots) * DOT
  const widened = size > 0 ? (scale * dots * DOT) / size : scale
  return { style: { ...style, look: { ...style.look, scale: widened } }, ascent, pitch: ascent + descent }
}

/** A label that knows its size before it is placed. */
export interface Caption {
  /** The extent on the page, turned as it is. */
  width: number
  height: number
  /** Frames with the upper left of that extent at (x, y). */
  at(x: number, y: number): Frame[]
}

/** How a text is set. */
export interface Setting {
  /** The width that lines are broken at. */
  maxWidth?: number | undefined
  /** Degrees clockwise. */
  rotation?: number
  align?: 'left' | 'center'
}

/** Sets a text in as many lines as it has or needs. */
export function caption(canvas: Canvas, text: string, look: RunProps, setting: Setting = {}): Caption {
  const { maxWidth, rotation = 0, align = 'center' } = setting
  const { context, node } = canvas
  const { style, ascent, pitch } = measureOf(context, look)
  const lines = brokenLines(context, text, look, maxWidth).map((line) => setText(context, line, style, node))
  const width = Math.max(0, ...lines.map((line) => line.width))
  const height = pitch * lines.length
  const frames = () => {
    const all: Frame[] = []
    for (const [index, line] of lines.entries()) {
      // A caption may be placed more than once, so each placing gets frames of its own.
      const copies = line.frames.map((frame) => ({ ...frame }))
      moveFrames(copies, align === 'left' ? 0 : (width - line.width) / 2, index * pitch + ascent)
      all.push(...copies)
    }
    return all
  }
  return rotation === 0 ? levelCaption(frames, width, height) : turnedCaption(frames, width, height, rotation)
}

function levelCaption(frames: () => Frame[], width: number, height: number): Caption {
  return {
    width,
    height,
    at(x, y) {
      const placed = frames()
      moveFrames(placed, x, y)
      return placed
    },
  }
}

function turnedCaption(frames: () => Frame[], width: number, height: number, rotation: number): Caption {
  const matrix = turned(width, height, rotation)
  const bounds = boundsOf(matrix, 0, 0, width, height)
  return {
    width: bounds.width,
    height: bounds.height,
    at(x, y) {
      const group: GroupFrame = { kind: 'group', x: x - bounds.x, y: y - bounds.y, matrix, frames: frames() }
      return [group]
    },
  }
}

function brokenLines(context: Context, text: string, look: RunProps, maxWidth: number | undefined): string[] {
  const stated = text.split('\n').slice(0, limits.chartTextLines)
  if (maxWidth === undefined) return stated
  return stated.flatMap((line) => breakLine(context, line, look, maxWidth)).slice(0, limits.chartTextLines)
}

function breakLine(context: Context, text: string, look: RunProps, maxWidth: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const tried = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(context, tried, look) > maxWidth) {
      lines.push(line)
      line = word
    } else line = tried
    // A word that is wider than its line is broken where it has to be.
    while (line.length > 1 && lines.length < limits.chartTextLines && widthOf(context, line, look) > maxWidth) {
      let end = line.length - 1
      while (end > 1 && widthOf(context, line.slice(0, end), look) > maxWidth) end--
      lines.push(line.slice(0, end))
      line = line.slice(end)
    }
  }
  lines.push(line)
  return lines
}

export function widthOf(context: Context, text: string, look: RunProps): number {
  const { font, size, scale } = measureOf(context, look).style.look
  let width = 0
  for (const character of text.slice(0, limits.chartTextChars))
    width += font.face.advance(font.face.glyph(character.codePointAt(0) ?? 0))
  return width * size * scale
}

/** The height of one line of a look. */
export function lineHeight(context: Context, look: RunProps): number {
  return measureOf(context, look).pitch
}
