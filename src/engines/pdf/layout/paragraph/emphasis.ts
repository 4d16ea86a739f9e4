import { ARTIFACT, glyphsOf, type PathFrame, type TextFrame } from '../../frame/frame.ts'
import { Pen } from '../../frame/pen.ts'
import type { TextStyle } from '../../style/cascade.ts'

/** Sizes as shares of the room that the marks have; those of LibreOffice. */
const DOT = 0.55
const LARGE = 0.8
const RIM = 0.15

/** Emphasis marks (17.3.2.12) over or under each non-blank character, in the middle of the room kept for them. */
export function emphasisMarks(text: TextFrame, style: TextStyle, baseline: number): PathFrame[] {
  const { emphasis, emphasisRoom: room, look } = style
  const unit = look.size * look.scale
  const size = room * (emphasis === 'dot' || emphasis === 'underDot' ? DOT : LARGE)
  const letters = text.units ?? [...text.text]
  // The room is part of the run's measured height: it follows a stated position, but not a superscript.
  const own = baseline - style.position
  const top = emphasis === 'underDot' ? own + style.descent - (room + size) / 2 : own - style.ascent + (room - size) / 2
  const marks: PathFrame[] = []
  let x = text.x
  for (const [index, glyph] of glyphsOf(text).entries()) {
    const natural = look.font.face.advance(glyph) * unit
    if (/\S/u.test(letters[index] ?? '')) marks.push(markOf(emphasis, x + natural / 2, top, size, look.color))
    x += natural + (text.shifts?.[index] ?? 0)
  }
  return marks
}

function markOf(emphasis: TextStyle['emphasis'], middle: number, top: number, size: number, color: string): PathFrame {
  const pen = new Pen()
  const radius = size / 2
  if (emphasis === 'comma') {
    // A drop that leans to the right: from its tip at the upper left to the round end.
    pen.move(0, 0)
    pen.curve(size * 0.6, size * 0.12, size, size * 0.5, size, size * 0.78)
    pen.curve(size, size * 0.96, size * 0.76, size, size * 0.68, size * 0.86)
    pen.curve(size * 0.5, size * 0.5, size * 0.25, size * 0.22, 0, 0)
    pen.close()
  } else {
    pen.ellipse(radius, radius, radius, radius)
    if (emphasis === 'circle') pen.ellipse(radius, radius, radius - size * RIM, radius - size * RIM)
  }
  return {
    kind: 'path',
    x: middle - radius,
    y: top,
    outline: pen.outline,
    evenOdd: true,
    fill: { kind: 'solid', color, opacity: 1 },
    node: ARTIFACT,
  }
}
