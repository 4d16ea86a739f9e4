import { isEastAsian } from '../../font/scripts.ts'
import { BULLET, isFullWidth, plainForm, SYMBOL_BULLET, symbolCharacter } from '../../font/symbols.ts'
import type { AbsoluteTab } from '../../model/document.ts'
import type { TextStyle } from '../../style/cascade.ts'
import {
  isCombining,
  isComplex,
  isRightToLeft,
  isTextControl,
  isWide,
  LATIN_SAMPLE,
  type Slot,
  sampleOf,
  scriptName,
  slotOf,
} from '../../text/script.ts'
import type { Context } from '../context.ts'
import { type InlineObject, Kind, type Mark, type Plan, type Span } from './plan.ts'

/** How much of a paragraph's text an outline can show. */
const OUTLINE_LENGTH = 1_000

/** The glyph of a character, and the style whose font has it. */
interface Drawn {
  glyph: number
  style: TextStyle
}

/** The glyph before the one being written, which the two are kerned with. */
interface Previous {
  glyph: number
  style: TextStyle
}

/** Writes text and objects into a plan, entry by entry. */
export class PlanWriter {
  private last: Span | undefined
  /** The span of text in a font other than its own, as for characters that its own lacks. */
  private other: { of: Span; span: Span } | undefined
  private slotted: { of: TextStyle; slot: Slot; sample: number; style: TextStyle } | undefined

  constructor(
    private readonly context: Context,
    private readonly plan: Plan,
  ) {}

  /** Records the target of the tab written next: a fixed place on the line instead of a stop. */
  placeTab(tab: AbsoluteTab): void {
    this.plan.absoluteTabs ??= new Map()
    this.plan.absoluteTabs.set(this.plan.length, tab)
  }

  put(kind: number, code: number, advance: number, span: Span): void {
    const { plan } = this
    const index = this.open(span)
    plan.kinds.push(kind)
    plan.codes.push(code)
    plan.advances.push(advance)
    plan.spanOf.push(index)
    plan.characters += String.fromCodePoint(code)
  }

  tab(span: Span): void {
    this.put(Kind.tab, 9, 0, span)
  }

  object(object: InlineObject, span: Span): void {
    this.plan.objects ??= new Map()
    this.plan.objects.set(this.plan.length, object)
    this.put(Kind.object, 0xfffc, object.width, span)
  }

  mark(mark: Mark, { style, node }: Span): void {
    this.plan.marks ??= new Map()
    this.plan.marks.set(this.plan.length, mark)
    // In the span of the text around it, whose letters still join.
    this.put(Kind.mark, 0, 0, this.last ?? { style, link: undefined, node })
  }

  text(text: string, span: Span): void {
    const { plan } = this
    const { style } = span
    if (text !== '') this.context.cascade.noteDrawn(style)
    if (plan.text.length < OUTLINE_LENGTH) plan.text += text
    const shown = style.caps ? text.toUpperCase() : text
    const simple = !style.smallCaps && !style.symbolic && !style.kern && style.spacing === 0 && !style.complex
    if (style.rtl) plan.rightToLeft = true
    if (style.spacing !== 0) plan.spaced = true
    this.slotted = undefined
    let previous: Previous | undefined
    for (let at = 0; at < shown.length; at++) {
      if (simple) {
        at = this.simpleText(shown, at, span)
        if (at >= shown.length) break
      }
      let code = shown.charCodeAt(at)
      if (code >= 0xd800 && code <= 0xdbff && at + 1 < shown.length) code = shown.codePointAt(at++) ?? code
      if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd
      if (isTextControl(code)) this.control(code, span)
      else if (code >= 0x20 && !isInvisible(code)) previous = this.character(code, span, previous)
    }
  }

  /** Returns the index of a span among those of the plan. */
  private open(span: Span): number {
    const { last } = this
    const { spans } = this.plan
    if (!last || span.style !== last.style || span.link !== last.link || span.node !== last.node) {
      spans.push(span)
      this.last = span
    }
    return spans.length - 1
  }

  /** Writes the characters from `at` that need only a glyph and its width; returns where they end. */
  private simpleText(text: string, at: number, span: Span): number {
    const { kinds, codes, advances, spanOf } = this.plan
    const { style } = span
    const { font, size, scale } = style.look
    const { face } = font
    const unit = size * scale
    const isAsciiOnly = style.eastAsiaHint || style.splitLatin
    // The span is opened only for a character: an empty one between two characters of another font would split their
    // word.
    let index = -1
    let to = at
    for (; to < text.length; to++) {
      const code = text.charCodeAt(to)
      if (code < 0x20 || (code >= 0x7f && (isAsciiOnly || !isSimple(code)))) break
      const width = face.width(code)
      if (width < 0) break
      if (index < 0) index = this.open(span)
      kinds.push(code === 0x20 ? Kind.space : Kind.text)
      codes.push(code)
      advances.push(width * unit)
      spanOf.push(index)
    }
    this.plan.characters += text.slice(at, to)
    return to
  }

  private control(code: number, span: Span): void {
    if (isRightToLeft(code)) this.plan.rightToLeft = true
    this.put(Kind.mark, code, 0, this.last ? { ...span, style: this.last.style } : span)
  }

  private character(stated: number, span: Span, previous: Previous | undefined): Previous | undefined {
    const { plan } = this
    const { style } = span
    let code = stated
    let drawn = style.symbolic ? style : this.inSlot(code, style)
    if (code >= 0x300) drawn = this.noteScript(code, drawn, span)
    if (style.smallCaps) {
      const upper = String.fromCodePoint(code).toUpperCase()
      if (upper.length === 1 && upper.charCodeAt(0) !== code) {
        code = upper.charCodeAt(0)
        drawn = this.context.cascade.variant(drawn, undefined, 0.8)
      }
    }
    if (style.symbolic) code = symbolCharacter(style.family, code)
    if (code === 0xad || code === 0x200b) {
      this.put(Kind.softHyphen, code, 0, this.spanIn(drawn, span))
      return previous
    }
    const found = this.glyphFor(code, drawn)
    const { glyph } = found
    const { look } = found.style
    const { face } = look.font
    const advance = face.advance(glyph) * look.size * look.scale + style.spacing
    if (style.kern && previous && previous.glyph !== 0 && found.style === previous.style)
      plan.widen(plan.length - 1, face.kern(previous.glyph, glyph) * look.size * look.scale)
    const kind = code === 0x20 || code === 0x3000 ? Kind.space : Kind.text
    this.put(kind, code, Math.max(0, advance), this.spanIn(found.style, span))
    if (look.font.isSupplement && isFullWidth(found.style.family)) {
      plan.widen(plan.length - 1, Math.max(0, 1 - face.advance(glyph)) * look.size * look.scale)
      plan.adjusted = true
    }
    return { glyph, style: found.style }
  }

  /** A style in the font of a character's script. */
  private inSlot(code: number, style: TextStyle): TextStyle {
    const slot = style.complex ? 'complex' : slotOf(code, style)
    if (slot === 'ascii' || (slot === 'highAnsi' && !style.splitLatin)) return style
    const sample = slot === 'highAnsi' ? 0 : sampleOf(code)
    const { slotted } = this
    if (slotted && slotted.of === style && slotted.slot === slot && slotted.sample === sample) return slotted.style
    const { cascade } = this.context
    this.slotted = { of: style, slot, sample, style: cascade.slot(style, slot, sample) }
    cascade.noteDrawn(this.slotted.style)
    return this.slotted.style
  }

  /**
   * Notes which scripts and directions a character brings to its paragraph. A combining character takes the font of the
   * letter before it.
   */
  private noteScript(code: number, drawn: TextStyle, { node }: Span): TextStyle {
    const { plan, last } = this
    if (isRightToLeft(code)) plan.rightToLeft = true
    if (isCombining(code)) {
      plan.complex = true
      const base = plan.kind(plan.length - 1) === Kind.text && last?.node === node ? last.style : undefined
      if (base && base.look.font.face.glyph(code) !== 0) return base
    } else if (isComplex(code)) plan.complex = true
    else if (isEastAsian(code)) plan.eastAsian = true
    return drawn
  }

  private spanIn(style: TextStyle, span: Span): Span {
    if (style === span.style) return span
    if (this.other?.of !== span || this.other.span.style !== style) this.other = { of: span, span: { ...span, style } }
    return this.other.span
  }

  /** The glyph of a character in a style, or in what replaces it there. */
  private glyphFor(code: number, style: TextStyle): Drawn {
    const glyph = style.look.font.face.glyph(code)
    if (code === BULLET && isSymbol(style)) {
      const larger = this.borrow(SYMBOL_BULLET, style)
      if (larger) this.plan.replaceGlyph(this.plan.length, larger.glyph)
      if (larger) return larger
    }
    if (glyph !== 0 || code === 0) return { glyph, style }
    const replaced = this.replace(code, style)
    if (replaced.glyph !== replaced.style.look.font.face.glyph(code))
      this.plan.replaceGlyph(this.plan.length, replaced.glyph)
    return replaced
  }

  /** A character in the style's own face, else in any other. */
  private borrow(code: number, style: TextStyle): Drawn | undefined {
    const own = style.look.font.face.glyph(code)
    if (own !== 0) return { glyph: own, style }
    const { cascade } = this.context
    const font = cascade.fallbackFont(code, style)
    return font && { glyph: font.face.glyph(code), style: cascade.variant(style, font, 1) }
  }

  /** The style in which an empty box is as wide as the ideograph that it replaces. */
  private emWide(style: TextStyle): TextStyle {
    const { font } = style.look
    const width = font.face.advance(0)
    return width > 0 ? this.context.cascade.variant(style, { ...font, scale: 1 / width }, 1) : style
  }

  /** Replaces a character that the style's face lacks: by a look-alike of the same face, else by another face's glyph. */
  private replace(code: number, style: TextStyle): Drawn {
    const { face } = style.look.font
    const similar = equivalents[code]
    if (similar !== undefined && face.glyph(similar) !== 0) return { glyph: face.glyph(similar), style }
    const plain = plainForm(code)
    const borrowed = this.borrow(code, style) ?? (plain === undefined ? undefined : this.borrow(plain, style))
    if (borrowed) return borrowed
    const isBullet = style.symbolic && face.glyph(BULLET) !== 0
    const sample = sampleOf(code)
    const { cascade, report } = this.context
    if (sample !== LATIN_SAMPLE && !cascade.fallbackFont(sample, style))
      report.missingScript(code, { script: scriptName(sample), family: style.family })
    else report.missingGlyph(code, { shown: isBullet ? 'a bullet' : 'an empty box', family: style.family })
    if (isBullet) return { glyph: face.glyph(BULLET), style }
    const boxed = this.boxStyle(style)
    return { glyph: 0, style: isWide(code) ? this.emWide(boxed) : boxed }
  }

  /** A font that is embedded whole keeps its glyph 0, which no text may show (ISO 19005-2, 6.2.11.8). */
  private boxStyle(style: TextStyle): TextStyle {
    if (style.look.font.face.maySubset) return style
    const { cascade } = this.context
    const other = cascade.fallbackFont(LATIN_SAMPLE, style)
    return other?.face.maySubset ? cascade.variant(style, other, 1) : style
  }
}

/** Beyond ASCII: characters that are one glyph in the run's own font. */
function isSimple(code: number): boolean {
  if (code < 0x300) return code >= 0xa0 && code !== 0xad
  if (code < 0x590) return code >= 0x370
  return code >= 0x1e00 && code < 0x2e80 && (code < 0x200b || code > 0x2064)
}

const equivalents: Readonly<Record<number, number>> = {
  160: 0x20,
  8209: 0x2d,
  8208: 0x2d,
  8239: 0x20,
  8199: 0x20,
  8201: 0x20,
  9642: 0x25a0,
  9658: 0x2022,
}

/** Characters that draw nothing, apart from text controls. */
function isInvisible(code: number): boolean {
  if (code < 0x2060) return code === 0x7f
  return code <= 0x2064 || code === 0xfeff || (code >= 0xfe00 && code <= 0xfe0f)
}

/** Whether text is in the font Symbol, whose bullet is larger than that of text fonts. */
function isSymbol({ symbolic, family }: TextStyle): boolean {
  return symbolic && family.toLowerCase() === 'symbol'
}
