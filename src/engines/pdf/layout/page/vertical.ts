import { isEastAsian } from '../../font/scripts.ts'
import { type Frame, glyphsOf, type Matrix, type TextFrame } from '../../frame/frame.ts'
import type { Section } from '../../model/document.ts'

// Sections whose lines run down the page, from its right side to its left, are laid out on a page turned on its side;
// the finished page is then turned clockwise, and ideographs are turned back.

/** The section as its text is laid out: with the sides of its page exchanged if its lines run down. */
export function sectionForText(section: Section): Section {
  if (!section.linesRunDown) return section
  const { width, height, margins } = section
  const { left, right, gutter } = margins
  const top = Math.abs(margins.top)
  const bottom = Math.abs(margins.bottom)
  return {
    ...section,
    width: height,
    height: width,
    margins: { top: right, right: bottom, bottom: left + gutter, left: top, header: 0, footer: 0, gutter: 0 },
    sheet: section,
  }
}

/** Turns a page that was laid out on its side upright; `width` is that of the upright page, in points. */
export function turnedPage(frames: readonly Frame[], width: number): Frame {
  return { kind: 'group', x: 0, y: 0, matrix: [0, 1, -1, 0, width, 0], frames: frames.flatMap(standing) }
}

/** A frame with the ideographs in it turned against the page. */
function standing(frame: Frame): Frame[] {
  if (frame.kind === 'clip') return [{ ...frame, frames: frame.frames.flatMap(standing) }]
  return frame.kind === 'text' && frame.units === undefined ? standingText(frame) : [frame]
}

/** How far the box of an ideograph reaches above the baseline, as a share of its size; the rest is below. */
const BOX_ASCENT = 0.88

function standingText(frame: TextFrame): Frame[] {
  const characters = [...frame.text]
  if (!characters.some(stands)) return [frame]
  const glyphs = glyphsOf(frame)
  const { look } = frame
  const { face } = look.font
  const unit = look.size * look.scale
  const middle = ((face.ascent - face.descent) / 2) * look.size
  const frames: Frame[] = []
  let from = 0
  let x = frame.x
  let start = x
  const lying = (to: number) => {
    if (to > from) frames.push(part(frame, { from, to }, { x: start, y: frame.y, width: x - start }))
  }
  for (const [at, character] of characters.entries()) {
    const advance = face.advance(glyphs[at] ?? 0) * unit
    if (stands(character)) {
      lying(at)
      const matrix: Matrix = [0, -1, 1, 0, x + BOX_ASCENT * look.size, frame.y - middle + advance / 2]
      const raised = inUpperCorner.has(character) ? advance / 2 : 0
      const text = part(frame, { from: at, to: at + 1 }, { x: raised, y: -raised, width: advance })
      frames.push({ kind: 'group', x: 0, y: 0, matrix, frames: [{ ...text, shifts: undefined }] })
    }
    x += advance + (frame.shifts?.[at] ?? 0)
    if (stands(character)) {
      from = at + 1
      start = x
    }
  }
  lying(characters.length)
  return frames
}

/** Some characters of a text, at a place of their own. */
function part(
  frame: TextFrame,
  { from, to }: { from: number; to: number },
  place: Pick<TextFrame, 'x' | 'y' | 'width'>,
): TextFrame {
  return {
    ...frame,
    ...place,
    text: [...frame.text].slice(from, to).join(''),
    glyphs: frame.glyphs?.slice(from, to),
    shifts: frame.shifts?.slice(from, to),
  }
}

/** Commas and full stops, which are in the other corner of their box than on a lying line. */
const inUpperCorner = new Set('、。，．')

/** Brackets, dashes and long vowels follow the line (UAX 50); all other East Asian characters are upright. */
function stands(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (!isEastAsian(code)) return false
  if (code >= 0x3008 && code <= 0x301f) return code === 0x3012 || code === 0x3013
  return !followsLine.has(character)
}

const followsLine = new Set('（）［］｛｝｟｠＿～－＝｜＜＞：；ー〜〰゠')
