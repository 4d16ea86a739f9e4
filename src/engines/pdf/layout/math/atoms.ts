import { verticalBounds } from '../../font/bounds.ts'
import type { Frame, TextFrame } from '../../frame/frame.ts'
import type { FormulaText } from '../../model/equation.ts'
import type { RunProps } from '../../model/properties.ts'
import type { TextStyle } from '../../style/cascade.ts'
import { type AtomClass, factorOf, Level, type MathBox, type Setting } from './box.ts'
import { classOf, isSlanted, styled } from './letters.ts'

/** The font of what is no ordinary text. */
const mathFonts = { ascii: 'Cambria Math', highAnsi: 'Cambria Math' }

/** How much further a superscript keeps from a slanted letter, in ems of the letter: the mean of what Word adds. */
const SLANT = 0.03

/** The look of signs in an equation. */
export function mathStyle(setting: Pick<Setting, 'context' | 'base' | 'background'>, props: RunProps): TextStyle {
  const { context, base, background } = setting
  return context.cascade.text(
    base,
    { ...props, fonts: mathFonts, bold: false, italic: false, caps: false, smallCaps: false, spacing: 0 },
    background,
  )
}

/** The atoms of a run: each sign on its own, since signs keep their distance; ordinary text is one. */
export function textAtoms(text: FormulaText, setting: Setting): MathBox[] {
  const { context, base, background, level } = setting
  const { cascade } = context
  if (text.ordinary) {
    const own = cascade.text(base, text.props, background)
    const style = cascade.variant(own, undefined, factorOf(level))
    return [joined([...text.text].map((character) => atom(character.codePointAt(0) ?? 0, style, setting)))]
  }
  const style = cascade.variant(mathStyle(setting, text.props), undefined, factorOf(level))
  const atoms: MathBox[] = []
  for (const character of text.text) {
    if (character === ' ' || character < ' ') {
      // A blank that was typed is a space of its own.
      if (character === ' ')
        atoms.push({ width: style.look.size * 0.22, ascent: 0, descent: 0, frames: [], kind: 'ordinary' })
      continue
    }
    const stated = character.codePointAt(0) ?? 0
    const made = atom(styled(stated, text), style, setting)
    atoms.push({ ...made, kind: classOf(stated === 0x2d ? 0x2212 : stated) })
  }
  return atoms
}

/** One character in a style, or from a fallback font if its font lacks it; `drawn` is the code point of the form drawn. */
export function atom(code: number, style: TextStyle, { context, node }: Setting, drawn = code): MathBox {
  const { cascade } = context
  let used = style
  if (style.look.font.face.glyph(code) === 0) {
    const font = cascade.fallbackFont(code, style)
    if (font) used = cascade.variant(style, font, 1)
  }
  const { look } = used
  const { face } = look.font
  const glyph = face.glyph(drawn)
  const unit = look.size
  const [bottom, top] = verticalBounds(face, glyph)
  const width = face.advance(glyph) * unit * look.scale
  const frame: TextFrame = {
    kind: 'text',
    ...{ x: 0, y: 0, width, text: String.fromCodePoint(code), shifts: undefined },
    glyphs: drawn === code ? undefined : [glyph],
    look,
    node,
  }
  return {
    width,
    ascent: Math.max(0, top * unit),
    descent: Math.max(0, -bottom * unit),
    frames: [frame],
    kind: 'ordinary',
    slant: isSlanted(code) ? SLANT * unit : 0,
  }
}

/** Distances in eighteenths of the em, as TeX has them and Word measures the same. */
const THIN = 3 / 18
const MEDIUM = 4 / 18
const THICK = 5 / 18

/**
 * Puts atoms in a row with the space between them. A binary sign that lacks an operand counts as ordinary.
 *
 * @param from the kind of the preceding atom, if the atoms continue a row
 */
export function inRow(atoms: readonly MathBox[], setting: Setting, from?: AtomClass): MathBox {
  const em = setting.size * factorOf(setting.level)
  const isTight = setting.level >= Level.script
  const spaced: MathBox[] = []
  let before = from
  for (const [index, one] of atoms.entries()) {
    if (one.align !== undefined && one.width === 0) {
      spaced.push(one)
      continue
    }
    let { kind } = one
    const after = atoms[index + 1]?.kind
    if (kind === 'binary' && (!takesOperator(before) || after === undefined || after === 'relation')) kind = 'ordinary'
    const gap = before === undefined ? 0 : spaceBetween(before, kind, isTight) * em
    spaced.push(gap > 0 ? shifted(one, gap) : one)
    before = kind
  }
  return joined(spaced)
}

function takesOperator(before: AtomClass | undefined): boolean {
  return before === 'ordinary' || before === 'close'
}

function spaceBetween(before: AtomClass, after: AtomClass, isTight: boolean): number {
  if (before === 'open' || after === 'close') return 0
  const isRelated = before === 'relation' || after === 'relation'
  if (isRelated && before !== after && !isTight) return THICK
  if (before === 'operator' || after === 'operator') return isRelated ? 0 : THIN
  if (isTight || isRelated) return 0
  if (before === 'binary' || after === 'binary') return MEDIUM
  return before === 'punctuation' ? THIN : 0
}

/** The same box with room before it. */
function shifted(box: MathBox, gap: number): MathBox {
  for (const frame of box.frames) {
    if (frame.kind === 'line') {
      frame.x1 += gap
      frame.x2 += gap
    } else frame.x += gap
  }
  return { ...box, width: box.width + gap, ...(box.align === undefined ? {} : { align: box.align + gap }) }
}

/** Boxes one behind the other; letters of one look become one frame. */
export function joined(boxes: readonly MathBox[]): MathBox {
  const frames: Frame[] = []
  let width = 0
  let ascent = 0
  let descent = 0
  let align: number | undefined
  for (const box of boxes) {
    if (box.align !== undefined) align ??= width + box.align
    shifted(box, width)
    for (const frame of box.frames) {
      const last = frames.at(-1)
      if (last?.kind === 'text' && frame.kind === 'text' && continues(last, frame)) {
        last.text += frame.text
        last.width += frame.width
      } else frames.push(frame)
    }
    width += box.width
    ascent = Math.max(ascent, box.ascent)
    descent = Math.max(descent, box.descent)
  }
  const only = boxes.length === 1 ? boxes[0] : undefined
  return { width, ascent, descent, frames, kind: only?.kind ?? 'ordinary', align, slant: boxes.at(-1)?.slant ?? 0 }
}

function continues(last: TextFrame, frame: TextFrame): boolean {
  if (last.glyphs || frame.glyphs) return false
  return last.look === frame.look && last.y === frame.y && Math.abs(last.x + last.width - frame.x) < 0.001
}
