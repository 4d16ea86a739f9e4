import { limits } from '../../../../core/limits.ts'
import { symbolCharacter } from '../../font/symbols.ts'
import type { TextFrame } from '../../frame/frame.ts'
import type { Paragraph } from '../../model/document.ts'
import type { RunProps } from '../../model/properties.ts'
import type { TextStyle } from '../../style/cascade.ts'
import type { Context } from '../context.ts'

/** Text on its own, without line breaking: the labels of charts, metafiles and boxes. */

const plain: Paragraph = { kind: 'paragraph', props: {}, markProps: {}, content: [], number: 0 }
const untouched: RunProps = {
  bold: false,
  italic: false,
  caps: false,
  smallCaps: false,
  strike: false,
  doubleStrike: false,
  hidden: false,
  underline: 'none',
  spacing: 0,
  scale: 1,
  position: 0,
  kernFrom: 0,
}

/** The look of a label; nothing but the font family comes from the document's styles. */
export function labelStyle(context: Context, props: RunProps): TextStyle {
  return context.cascade.text(context.cascade.runBase(plain), { ...untouched, ...props }, undefined)
}

export interface Lettering {
  width: number
  /** Frames with the text's left at 0 and its baseline at 0. */
  frames: TextFrame[]
}

/** Sets a text in one line; characters that the font lacks come from another. */
export function setText(context: Context, text: string, style: TextStyle, node: number): Lettering {
  const frames: TextFrame[] = []
  let current: TextFrame | undefined
  let x = 0
  if (text !== '') context.cascade.noteDrawn(style)
  for (const character of text.slice(0, limits.renderLetteringChars)) {
    const stated = character.codePointAt(0) ?? 0
    if (stated < 0x20) continue
    const code = style.symbolic ? symbolCharacter(style.family, stated) : stated
    let used = style
    let glyph = style.look.font.face.glyph(code)
    if (glyph === 0) {
      const font = context.cascade.fallbackFont(code, style)
      if (font) {
        used = context.cascade.variant(style, font, 1)
        glyph = font.face.glyph(code)
      }
    }
    const { look } = used
    const advance = look.font.face.advance(glyph) * look.size * look.scale
    if (!current || current.look !== look) {
      current = { kind: 'text', x, y: 0, width: 0, text: '', glyphs: undefined, shifts: undefined, look, node }
      frames.push(current)
    }
    current.text += character.isWellFormed() ? String.fromCodePoint(code) : '\ufffd'
    current.width += advance
    x += advance
  }
  return { width: x, frames }
}
