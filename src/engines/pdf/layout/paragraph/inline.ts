import { limits } from '../../../../core/limits.ts'
import { ARTIFACT, type Link } from '../../frame/frame.ts'
import type { Anchor, Inline, NumberingLevel, Paragraph } from '../../model/document.ts'
import type { Equation } from '../../model/equation.ts'
import type { RunProps } from '../../model/properties.ts'
import { mergeRun, type TextStyle } from '../../style/cascade.ts'
import { withinStory } from '../anchored.ts'
import { addNode, type Context, type TextPlace } from '../context.ts'
import { layoutEquation } from '../math/equation.ts'
import type { AnchoredObject } from '../slice.ts'
import { combinedAt, layoutCombined } from './combine.ts'
import { spaceOnGrid, spaceScripts } from './ideographs.ts'
import { layoutBulletPicture, layoutObject } from './object.ts'
import { type InlineObject, Kind, Plan, type Span } from './plan.ts'
import { PlanWriter } from './plan-writer.ts'
import { layoutRuby } from './ruby.ts'
import { shapePlan } from './shaping.ts'

const noProps: RunProps = {}

/** Flattens a paragraph: resolves styles, fonts and glyphs, and replaces fields by their values. */
export function collectInlines(context: Context, paragraph: Paragraph, place: TextPlace): Plan {
  const { cell } = place
  const style = context.cascade.paragraph(paragraph, cell)
  const collector = new Collector(context, paragraph, place)
  collector.collect()
  const { plan } = collector
  if (plan.complex || plan.rightToLeft || plan.bidi) shapePlan(plan)
  if (plan.eastAsian) {
    spaceScripts(plan, style)
    const isOnGrid = style.snapToGrid && (context.gridPitch > 0 || cell !== undefined)
    const { gridSpace } = context.section
    if (isOnGrid && gridSpace !== 0) spaceOnGrid(plan, gridSpace)
  }
  return plan
}

class Collector {
  readonly plan: Plan
  private readonly writer: PlanWriter
  private readonly base: ReturnType<Context['cascade']['runBase']>
  /** The structure node of each link of the paragraph. */
  private linkNodes: Map<Link, number> | undefined

  constructor(
    private readonly context: Context,
    private readonly paragraph: Paragraph,
    private readonly place: TextPlace,
  ) {
    const { cascade } = context
    const { bidi, kinsoku } = cascade.paragraph(paragraph, place.cell)
    this.base = cascade.runBase(paragraph, place.cell)
    this.plan = new Plan(context.lists.take(), { markStyle: this.styleOf(paragraph.markProps), bidi, kinsoku })
    this.writer = new PlanWriter(context, this.plan)
  }

  collect(): void {
    this.label()
    const { context, plan, paragraph } = this
    const { content } = paragraph
    for (let at = 0; at < content.length; ) {
      at += this.inlineAt(at)
      if (plan.length > limits.renderParagraphChars) {
        context.report.add(
          'render.paragraph_long',
          'A paragraph is longer than two million characters; the rest is left out.',
          undefined,
          'Split the paragraph.',
        )
        break
      }
    }
  }

  private styleOf(props: RunProps): TextStyle {
    return this.context.cascade.text(this.base, props, this.place.background)
  }

  private label(): void {
    const { context, paragraph, plan, writer } = this
    const label = context.labels.get(paragraph)
    if (!label) return
    const { level, text } = label
    const node = this.place.labelNode
    const picture = layoutBulletPicture(context, level, node)
    // The size of the label's text says nothing about a picture.
    const style = picture ? plan.markStyle : this.styleOf(propsOfLabel(level, paragraph.markProps))
    const span: Span = { style, link: undefined, node }
    if (picture) writer.object(picture, span)
    else writer.text(text, span)
    if (level.suffix === 'tab') writer.tab(span)
    else if (level.suffix === 'space') writer.text(' ', span)
    plan.labelLength = plan.length
    plan.labelAlign = level.align
  }

  /** Writes the content that begins at an inline; returns how many inlines that is. */
  private inlineAt(at: number): number {
    const { context, paragraph, writer } = this
    const inline = paragraph.content[at]
    if (!inline) return 1
    const style = this.styleOf(inline.props)
    if (style.hidden && inline.kind !== 'bookmark') return 1
    const { link } = inline
    const span: Span = { style, link, node: this.nodeOf(link) }
    if (inline.props.combine && inline.kind === 'text') {
      const { open, close } = inline.props.combine
      const runs = combinedAt(paragraph.content, at)
      const object = layoutCombined(context, paragraph, runs, this.inside(span))
      writer.text(open, span)
      writer.object(object, span)
      writer.text(close, span)
      return runs.length
    }
    if (inline.kind === 'ruby') this.onLine(layoutRuby(context, paragraph, inline.ruby, this.inside(span)), span)
    else if (inline.kind === 'equation') this.equation(inline.equation, span)
    else this.inline(inline, span)
    return 1
  }

  private equation(equation: Equation, span: Span): void {
    const { context, paragraph, writer } = this
    for (const object of layoutEquation(context, paragraph, equation, this.inside(span))) writer.object(object, span)
  }

  /** The structure node of what a link surrounds, or of the text itself. */
  private nodeOf(link: Link | undefined): number {
    const { node } = this.place
    if (!link || node === ARTIFACT) return node
    this.linkNodes ??= new Map()
    const target = this.linkNodes.get(link) ?? addNode(this.context, { type: 'Link', parent: node })
    this.linkNodes.set(link, target)
    return target
  }

  /** The place of text within the paragraph's text, which has no room of its own. */
  private inside({ node }: Span): TextPlace {
    const { cell, background } = this.place
    return { cell, background, node, labelNode: node, width: 0 }
  }

  private inline(inline: Exclude<Inline, { kind: 'ruby' | 'equation' }>, span: Span): void {
    const { context, writer } = this
    switch (inline.kind) {
      case 'text':
        writer.text(inline.text, span)
        break
      case 'tab':
        if (inline.absolute) writer.placeTab(inline.absolute)
        writer.tab(span)
        break
      case 'break':
        writer.put(Kind[inline.type], 10, 0, unlinked(span))
        break
      case 'field':
        writer.text(context.fields.valueOf(inline) ?? inline.stored, span)
        break
      case 'bookmark':
        writer.mark({ bookmark: inline.name }, span)
        break
      case 'note': {
        if (inline.note === 'footnote') writer.mark({ note: inline.id }, span)
        const number = context.notes.numberOf(inline, context.section)
        if (!inline.custom) writer.text(number, unlinked(span))
        break
      }
      case 'noteMark':
        writer.text(context.noteMark, unlinked(span))
        break
      default:
        this.object(inline, span)
    }
  }

  private object(inline: Extract<Inline, { kind: 'image' | 'textbox' | 'graphic' }>, span: Span): void {
    const { context, place, plan } = this
    if (inline.kind === 'textbox' && context.landed.has(inline)) return
    const { node: parent, width, cell } = place
    const object = layoutObject(context, inline, { parent, width, surroundings: cell ? 'cell' : 'page' })
    if (!object) return
    if (inline.anchor) {
      const table = inline.kind === 'textbox' && inline.blocks[0]?.kind === 'table' ? { table: inline } : {}
      const { anchored, ...own } = object
      const anchor = this.anchorOf(inline.anchor)
      this.beside([{ anchor, ...own, ...table }, ...(anchored ?? [])], span)
    } else {
      this.onLine(object, span)
      plan.ownStyle ??= this.styleOf(noProps)
    }
  }

  private onLine(object: InlineObject, span: Span): void {
    this.beside(object.anchored ?? [], span)
    for (const note of object.notes ?? []) this.writer.mark({ note }, span)
    this.writer.object(object, span)
  }

  private beside(objects: readonly AnchoredObject[], span: Span): void {
    for (const anchored of objects) this.writer.mark({ anchored }, span)
  }

  private anchorOf(anchor: Anchor): Anchor {
    const { context } = this
    const own = context.isApart ? withinStory(anchor) : anchor
    if (own !== anchor)
      context.report.unsupported(context.held.part, 'wp:anchor', 'in a text box or note the object is beside its line')
    return own
  }
}

function unlinked({ style, node }: Span): Span {
  return { style, link: undefined, node }
}

const labelProps = new WeakMap<NumberingLevel, Map<RunProps, RunProps>>()

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
