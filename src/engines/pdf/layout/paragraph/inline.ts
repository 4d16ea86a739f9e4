import { limits } from '../../../../core/limits.ts'
import { BULLET, symbolCharacter } from '../../font/symbols.ts'
import { ARTIFACT, type Link } from '../../frame/frame.ts'
import type { AbsoluteTab, Inline, NumberingLevel, Paragraph } from '../../model/document.ts'
import type { RunProps } from '../../model/properties.ts'
import { mergeRun, type TextStyle } from '../../style/cascade.ts'
import {
  isCombining,
  isComplex,
  isEastAsian,
  isRightToLeft,
  isTextControl,
  LATIN_SAMPLE,
  type Slot,
  sampleOf,
  scriptName,
  slotOf,
} from '../../text/script.ts'
import { addNode, type Context, type TextPlace } from '../context.ts'
import { combinedAt, layoutCombined } from './combine.ts'
import { spaceScripts } from './ideographs.ts'
import { layoutBulletPicture, layoutObject } from './object.ts'
import { type InlineObject, Kind, type Mark, type Plan, replaceGlyph } from './plan.ts'
import { layoutRuby } from './ruby.ts'
import { shapePlan } from './shaping.ts'

const noProps: RunProps = {}

const labelProps = new WeakMap<NumberingLevel, Map<RunProps, RunProps>>()

/** Flattens a paragraph: resolves styles, fonts and glyphs, and replaces fields by their values. */
export function collectInlines(context: Context, paragraph: Paragraph, place: TextPlace): Plan {
  const { cell, background, node, labelNode, width } = place
  const base = context.cascade.runBase(paragraph, cell)
  const paragraphStyle = context.cascade.paragraph(paragraph, cell)
  const { kinds, codes, advances, spanOf } = context.lists.take()
  const plan: Plan = {
    kinds,
    codes,
    advances,
    spanOf,
    spans: [],
    glyphs: undefined,
    objects: undefined,
    marks: undefined,
    markStyle: context.cascade.text(base, paragraph.markProps, background),
    ownStyle: undefined,
    labelLength: 0,
    labelAlign: 'left',
    text: '',
    characters: '',
    bidi: paragraphStyle.bidi,
    rightToLeft: false,
    complex: false,
    eastAsian: false,
    adjusted: false,
    spaced: false,
    kinsoku: paragraphStyle.kinsoku,
  }
  const writer = new PlanWriter(context, plan)
  const label = context.labels.get(paragraph)
  if (label) {
    const picture = layoutBulletPicture(context, label.level, labelNode)
    // The size of the label's text says nothing about a picture.
    const style = picture
      ? plan.markStyle
      : context.cascade.text(base, propsOfLabel(label.level, paragraph.markProps), background)
    if (picture) {
      writer.object(picture, style, undefined, labelNode)
    } else writer.text(label.text, style, undefined, labelNode)
    if (label.level.suffix === 'tab') writer.put(Kind.tab, 9, 0, style, undefined, labelNode)
    else if (label.level.suffix === 'space') writer.text(' ', style, undefined, labelNode)
    plan.labelLength = plan.kinds.length
    plan.labelAlign = label.level.align
  }
  const bullets = plan.objects?.size ?? 0
  let linkNodes: Map<Link, number> | undefined
  const { content } = paragraph
  for (let at = 0; at < content.length; at++) {
    const inline = content[at]!
    const style = context.cascade.text(base, inline.props, background)
    if (style.hidden && inline.kind !== 'bookmark') continue
    let target = node
    if (inline.link && node !== ARTIFACT) {
      linkNodes ??= new Map()
      target = linkNodes.get(inline.link) ?? addNode(context, { type: 'Link', parent: node })
      linkNodes.set(inline.link, target)
    }
    if (inline.props.combine && inline.kind === 'text') {
      const { open, close } = inline.props.combine
      const runs = combinedAt(content, at)
      const object = layoutCombined(context, paragraph, runs, innerPlace(place, target))
      writer.text(open, style, inline.link, target)
      writer.object(object, style, inline.link, target)
      writer.text(close, style, inline.link, target)
      at += runs.length - 1
      continue
    }
    if (inline.kind === 'ruby') {
      const object = layoutRuby(context, paragraph, inline.ruby, innerPlace(place, target))
      writer.object(object, style, inline.link, target)
      continue
    }
    writeInline(context, writer, inline, style, target, node, width, cell !== undefined)
    if ((plan.objects?.size ?? 0) > bullets) plan.ownStyle ??= context.cascade.text(base, noProps, background)
    if (plan.kinds.length > limits.renderParagraphChars) {
      context.report.add(
        'render.paragraph_long',
        'A paragraph is longer than two million characters; the rest is left out.',
        undefined,
        'Split the paragraph.',
      )
      break
    }
  }
  if (plan.complex || plan.rightToLeft || plan.bidi) shapePlan(plan)
  if (plan.eastAsian) spaceScripts(plan, paragraphStyle)
  return plan
}

/** The place of text within a paragraph's text, which has no room of its own. */
function innerPlace({ cell, background }: TextPlace, node: number): TextPlace {
  return { cell, background, node, labelNode: node, width: 0 }
}

function propsOfLabel(level: NumberingLevel, mark: RunProps): RunProps {
  let byMark = labelProps.get(level)
  if (!byMark) {
    byMark = new Map()
    labelProps.set(level, byMark)
  }
  let props = byMark.get(mark)
  if (!props) {
    // The label follows the paragraph mark, except that underlining the text does not underline the number.
    props = { ...mark, underline: 'none' }
    delete props.style
    mergeRun(props, level.run)
    byMark.set(mark, props)
  }
  return props
}

function writeInline(
  context: Context,
  writer: PlanWriter,
  inline: Inline,
  style: TextStyle,
  node: number,
  paragraphNode: number,
  width: number,
  inCell: boolean,
): void {
  switch (inline.kind) {
    case 'text':
      writer.text(inline.text, style, inline.link, node)
      break
    case 'tab':
      if (inline.absolute) writer.placeTab(inline.absolute)
      writer.put(Kind.tab, 9, 0, style, inline.link, node)
      break
    case 'break':
      writer.put(
        inline.type === 'line' ? Kind.line : inline.type === 'page' ? Kind.page : Kind.column,
        10,
        0,
        style,
        undefined,
        node,
      )
      break
    case 'field':
      writer.text(context.fields.valueOf(inline) ?? inline.stored, style, inline.link, node)
      break
    case 'bookmark':
      writer.mark({ bookmark: inline.name }, style, node)
      break
    case 'note': {
      if (inline.note === 'footnote') writer.mark({ note: inline.id }, style, node)
      const number = context.notes.numberOf(inline, context.section)
      if (!inline.custom) writer.text(number, style, undefined, node)
      break
    }
    case 'noteMark':
      writer.text(context.noteMark, style, undefined, node)
      break
    case 'image':
    case 'textbox':
    case 'graphic': {
      if (inline.kind === 'textbox' && context.landed.has(inline)) break
      const object = layoutObject(context, inline, paragraphNode, width, inCell)
      if (!object) break
      if (inline.anchor) {
        const table = inline.kind === 'textbox' && inline.blocks[0]?.kind === 'table' ? { table: inline } : {}
        writer.mark({ anchored: { anchor: inline.anchor, ...object, ...table } }, style, node)
        break
      }
      writer.object(object, style, inline.link, node)
    }
  }
}

class PlanWriter {
  private lastStyle: TextStyle | undefined
  private lastLink: Link | undefined
  private lastNode = -2

  constructor(
    private readonly context: Context,
    private readonly plan: Plan,
  ) {}

  /** The tab that is put next leads to a place of the line itself. */
  placeTab(tab: AbsoluteTab): void {
    this.plan.absoluteTabs ??= new Map()
    this.plan.absoluteTabs.set(this.plan.kinds.length, tab)
  }

  put(kind: number, code: number, advance: number, style: TextStyle, link: Link | undefined, node: number): void {
    const { plan } = this
    const span = this.span(style, link, node)
    plan.kinds.push(kind)
    plan.codes.push(code)
    plan.advances.push(advance)
    plan.spanOf.push(span)
    plan.characters += String.fromCodePoint(code)
  }

  private span(style: TextStyle, link: Link | undefined, node: number): number {
    if (style !== this.lastStyle || link !== this.lastLink || node !== this.lastNode) {
      this.plan.spans.push({ style, link, node })
      this.lastStyle = style
      this.lastLink = link
      this.lastNode = node
    }
    return this.plan.spans.length - 1
  }

  /** The characters from `at` that need no more than a glyph and its width; answers where they end. */
  private simpleText(text: string, at: number, style: TextStyle, link: Link | undefined, node: number): number {
    const { kinds, codes, advances, spanOf } = this.plan
    const { font, size, scale } = style.look
    const { face } = font
    const unit = size * scale
    const isAsciiOnly = style.eastAsiaHint || style.splitLatin
    // A span is opened for characters only: between two of another font it would part their word.
    let span = -1
    let to = at
    for (; to < text.length; to++) {
      const code = text.charCodeAt(to)
      if (code < 0x20 || (code >= 0x7f && (isAsciiOnly || !isSimple(code)))) break
      const width = face.width(code)
      if (width < 0) break
      if (span < 0) span = this.span(style, link, node)
      kinds.push(code === 0x20 ? Kind.space : Kind.text)
      codes.push(code)
      advances.push(width * unit)
      spanOf.push(span)
    }
    if (to > at) this.plan.characters += text.slice(at, to)
    return to
  }

  object(object: InlineObject, style: TextStyle, link: Link | undefined, node: number): void {
    this.plan.objects ??= new Map()
    this.plan.objects.set(this.plan.kinds.length, object)
    this.put(Kind.object, 0xfffc, object.width, style, link, node)
  }

  mark(mark: Mark, style: TextStyle, node: number): void {
    this.plan.marks ??= new Map()
    this.plan.marks.set(this.plan.kinds.length, mark)
    this.put(Kind.mark, 0, 0, style, undefined, node)
  }

  text(text: string, style: TextStyle, link: Link | undefined, node: number): void {
    const { plan } = this
    if (text !== '') this.context.cascade.noteDrawn(style)
    if (plan.text.length < 1_000) plan.text += text
    const shown = style.caps ? text.toUpperCase() : text
    let previousGlyph = 0
    let previousStyle: TextStyle | undefined
    const simple = !style.smallCaps && !style.symbolic && !style.kern && style.spacing === 0 && !style.complex
    if (style.rtl) plan.rightToLeft = true
    if (style.spacing !== 0) plan.spaced = true
    let slotted: { slot: Slot; sample: number; style: TextStyle } | undefined
    const inSlot = (code: number): TextStyle => {
      const slot = style.complex ? 'complex' : slotOf(code, style.eastAsiaHint)
      if (slot === 'ascii' || (slot === 'highAnsi' && !style.splitLatin)) return style
      const sample = slot === 'highAnsi' ? 0 : sampleOf(code)
      if (slotted?.slot !== slot || slotted.sample !== sample) {
        slotted = { slot, sample, style: this.context.cascade.slot(style, slot, sample) }
        this.context.cascade.noteDrawn(slotted.style)
      }
      return slotted.style
    }
    for (let at = 0; at < shown.length; at++) {
      if (simple) {
        at = this.simpleText(shown, at, style, link, node)
        if (at >= shown.length) break
      }
      let code = shown.charCodeAt(at)
      if (code >= 0xd800 && code <= 0xdbff && at + 1 < shown.length) code = shown.codePointAt(at++)!
      if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd
      if (isTextControl(code)) {
        if (isRightToLeft(code)) plan.rightToLeft = true
        this.put(Kind.mark, code, 0, this.lastStyle ?? style, link, node)
        continue
      }
      if (code < 0x20 || isInvisible(code)) continue
      let drawn = style.symbolic ? style : inSlot(code)
      if (code >= 0x300) {
        if (isRightToLeft(code)) plan.rightToLeft = true
        const last = plan.kinds.length - 1
        if (isCombining(code)) {
          plan.complex = true
          const base = plan.kinds[last] === Kind.text && this.lastNode === node ? this.lastStyle : undefined
          if (base && base.look.font.face.glyph(code) !== 0) drawn = base
        } else if (isComplex(code)) plan.complex = true
        else if (isEastAsian(code)) plan.eastAsian = true
      }
      if (style.smallCaps) {
        const upper = String.fromCodePoint(code).toUpperCase()
        if (upper.length === 1 && upper.charCodeAt(0) !== code) {
          code = upper.charCodeAt(0)
          drawn = this.context.cascade.variant(drawn, undefined, 0.8)
        }
      }
      if (style.symbolic) code = symbolCharacter(style.family, code)
      if (code === 0xad || code === 0x200b) {
        this.put(Kind.softHyphen, code, 0, drawn, link, node)
        continue
      }
      let glyph = drawn.look.font.face.glyph(code)
      if (glyph === 0 && code !== 0) {
        const replaced = this.replace(code, drawn)
        glyph = replaced.glyph
        drawn = replaced.style
        if (glyph !== drawn.look.font.face.glyph(code)) replaceGlyph(plan, plan.kinds.length, glyph)
      }
      const { look } = drawn
      let advance = look.font.face.advance(glyph) * look.size * look.scale + style.spacing
      if (style.kern && previousGlyph !== 0 && drawn === previousStyle) {
        plan.advances[plan.advances.length - 1]! += look.font.face.kern(previousGlyph, glyph) * look.size * look.scale
      }
      if (advance < 0) advance = 0
      previousGlyph = glyph
      previousStyle = drawn
      this.put(code === 0x20 || code === 0x3000 ? Kind.space : Kind.text, code, advance, drawn, link, node)
    }
  }

  /** A glyph for a character that the style's own face lacks: an equal-looking one first, then any other face's. */
  private replace(code: number, style: TextStyle): { glyph: number; style: TextStyle } {
    const { face } = style.look.font
    const similar = equivalents[code]
    if (similar !== undefined && face.glyph(similar) !== 0) return { glyph: face.glyph(similar), style }
    const font = this.context.cascade.fallbackFont(code, style)
    if (font) return { glyph: font.face.glyph(code), style: this.context.cascade.variant(style, font, 1) }
    const isBullet = style.symbolic && face.glyph(BULLET) !== 0
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    const sample = sampleOf(code)
    const lacksScript = sample !== LATIN_SAMPLE && !this.context.cascade.fallbackFont(sample, style)
    this.context.report.add(
      'render.glyph_missing',
      lacksScript
        ? `No font has ${scriptName(sample)}; empty boxes stand in its place.`
        : `No font has the character ${name}; ${isBullet ? 'a bullet' : 'an empty box'} stands in its place.`,
      `font#${style.family}`,
      'Embed a font that has it in the document, or add one to the folders of QUIRE_FONTS.',
    )
    return { glyph: isBullet ? face.glyph(BULLET) : 0, style }
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

function isInvisible(code: number): boolean {
  if (code < 0x200c) return code === 0x7f
  return (
    code <= 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2064) ||
    code === 0xfeff ||
    (code >= 0xfe00 && code <= 0xfe0f)
  )
}
