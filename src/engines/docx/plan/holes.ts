/** Takes the text of tags out of their runs, and leaves holes for values. */
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { FieldForm } from '../scan/fields.ts'
import { ownDeclaration, prefixOf } from '../scan/own-declarations.ts'
import { type Chain, type Paragraph, pieceAt, type TextForm } from '../scan/paragraphs.ts'
import { lastIndexFrom } from '../scan/source.ts'
import { isSilentTag, isTableTag, type LocatedTag } from '../scan/tags.ts'
import type { BlockPlan } from './blocks.ts'
import { aroundIn, reopened, spacedText } from './boundaries.ts'
import { signInText } from './check-boxes.ts'
import type { CheckTag, HoleTag, Item, Replacement, RichForm, RichParagraphPlace, RichTag } from './items.ts'
import { mayDivide } from './joints.ts'
import { chartHint, indivisible, indivisibleHint } from './misplaced.ts'
import { readProperties } from './properties.ts'
import { cutExceptLoneMarks, cutExceptMarks, isRangeMark } from './range-marks.ts'
import { cut, segmentsOf } from './segments.ts'

/** Properties that make Word show something other than a content control's text. */
const bindingProperties = new Set(['w:dataBinding', 'w15:dataBinding', 'w:showingPlcHdr'])

/** In these, Word allows no link. */
const linkless = new Set(['w:hyperlink', 'w:ins', 'w:moveTo'])

export class HolePlanner {
  private readonly items: Item[] = []

  constructor(
    private readonly blocks: BlockPlan,
    private readonly source: string,
    /** How the values of tags in field codes are written. */
    private readonly forms: ReadonlyMap<LocatedTag, FieldForm>,
  ) {}

  plan(tags: readonly LocatedTag[]): Item[] {
    for (const tag of tags) {
      if (isRich(tag)) this.planRichText(tag)
      else if (isCheck(tag)) this.takeOut(tag, (range) => signInText(tag, range))
      else if (tag.syntax.kind === 'chart')
        this.blocks.report(tag, 'docx.misplaced', `${tag.raw} is in no chart.`, chartHint)
      else if (isTableTag(tag)) this.takeOut(tag, ({ start, end }) => ({ kind: 'cellChange', start, end, tag }))
      else if (tag.syntax.kind === 'comment') this.planComment(tag)
      else if (isHole(tag)) {
        const form = this.forms.get(tag) ?? this.formOf(tag)
        this.takeOut(tag, ({ start, end }) => ({ kind: 'hole', start, end, tag, form }))
      } else this.takeOut(tag)
    }
    return this.items
  }

  /** Takes the tag's text out of its runs. A value leaves `hole` in the place of the first brace. */
  private takeOut(tag: LocatedTag, hole: (range: { start: number; end: number }) => Item = cut): void {
    const segments = segmentsOf(tag, this.source)
    this.unbind(segments[0].piece.chain, tag.paragraph)
    for (const [index, segment] of segments.entries()) {
      this.items.push(index === 0 ? hole(segment) : cut(segment))
      const [text] = segment.piece.chain
      if (tag.paragraph.form.kind === 'run' && text.name === 'w:t') this.keepSpaces(segment.piece.chain, tag.paragraph)
    }
  }

  /** The form of the tag's paragraph, with the prefix of the tag's own text where it differs. */
  private formOf({ paragraph, from }: LocatedTag): TextForm {
    const { form } = paragraph
    const chain = paragraph.pieces[pieceAt(paragraph, from)]?.chain
    if (form.kind !== 'run' || chain?.[0].name !== 'w:t') return form
    const [text] = chain
    const declares = ownDeclaration(text, aroundIn(chain, paragraph, text))
    if (declares === '' && text.written === `${form.prefix}t`) return form
    return { kind: 'run', prefix: prefixOf(text.written), ...(declares === '' ? {} : { declares }) }
  }

  /** A comment goes with all that it holds. If that is more than text, its runs are closed before it and opened behind. */
  private planComment(tag: LocatedTag): void {
    const { paragraph } = tag
    const next = paragraph.objects[lastIndexFrom(paragraph.objects, (at) => at, tag.from) + 1]
    if (next === undefined || next >= tag.to) {
      this.takeOut(tag)
      return
    }
    const segments = segmentsOf(tag, this.source)
    const last = segments[segments.length - 1] ?? segments[0]
    const { element } = paragraph
    if (!mayDivide(tag, element) || !mayDivide({ ...tag, from: tag.to - 1 }, element)) {
      this.blocks.report(tag, 'docx.misplaced', `${tag.raw} ${indivisible}`, indivisibleHint)
      return
    }
    const [{ start }, { end }] = [segments[0], last]
    const [before, behind] = [segments[0].piece.chain, last.piece.chain].map((chain) =>
      chain.slice(0, chain.indexOf(element)),
    )
    const close = (before ?? []).map(({ written }) => `</${written}>`).join('')
    const open = (behind ?? [])
      .toReversed()
      .map((each) => reopened(each, this.source, aroundIn(last.piece.chain, paragraph, each)))
      .join('')
    const cuts = cutExceptLoneMarks(element, { start, end }, this.source, { close, open })
    this.items.push(...cuts.map((item) => ({ ...item, comment: tag })))
    for (const { chain } of [segments[0].piece, last.piece])
      if (chain[0].name === 'w:t') this.keepSpaces(chain, paragraph)
  }

  /** Rich text that fills its paragraph is replaced by paragraphs of its own; elsewhere it ends the run around it. */
  private planRichText(tag: RichTag): void {
    const { paragraph } = tag
    const [{ piece }] = segmentsOf(tag, this.source)
    const [text, run] = piece.chain
    if (paragraph.form.kind !== 'run' || text.name !== 'w:t' || run?.name !== 'w:r') {
      this.blocks.report(tag, 'docx.misplaced', `${tag.raw} is in a place where formatted text cannot be.`, richHint)
      return
    }
    const { element, ancestors } = paragraph
    const isWhole = this.blocks.isRichParagraph(paragraph)
    // What replaces the paragraph has nothing of what it declares.
    const isLeft = isWhole && ownDeclaration(element, ancestors) !== ''
    const left = isWhole ? piece.chain.slice(1) : [run]
    const around = isWhole ? ancestors : aroundIn(piece.chain, paragraph, run)
    const runProperties = childNamed(run, 'w:rPr')
    const place = {
      uri: element.uri,
      isPrefixW: element.written === 'w:p' && !isLeft,
      run: readProperties(runProperties, this.source, { left, around }),
      isInLink: piece.chain.some(({ name }) => linkless.has(name)),
    }
    const close = `</${text.written}></${run.written}>`
    if (isWhole) {
      this.unbind(piece.chain, paragraph)
      const whole = richParagraphPlace(paragraph, this.source)
      this.replaceParagraph(tag, { place: { ...place, paragraph: whole }, close, open: '' })
    } else {
      const open = [run, text].map((each) => reopened(each, this.source, aroundIn(piece.chain, paragraph, each)))
      const form = { place, close, open: open.join('') }
      this.takeOut(tag, ({ start, end }) => ({ kind: 'rich', start, end, tag, form }))
    }
  }

  /** Removes the paragraph, except marks that pair up across paragraphs, which stay behind the text. */
  private replaceParagraph(tag: RichTag, form: RichForm): void {
    const rich = (range: { start: number; end: number }): Replacement => ({ kind: 'rich', ...range, tag, form })
    this.items.push(...cutExceptMarks(tag.paragraph.element, this.source, rich))
  }

  private readonly unbound = new Set<XmlElement>()

  /** Word would overwrite a content control's text with the data it is bound to, or show it as a prompt to type. */
  private unbind(chain: Chain, paragraph: Paragraph): void {
    for (const element of [...chain, ...paragraph.ancestors]) {
      if (element.name !== 'w:sdt' || this.unbound.has(element)) continue
      this.unbound.add(element)
      for (const properties of element.children) {
        if (properties.kind === 'text' || properties.name !== 'w:sdtPr') continue
        for (const child of properties.children) {
          if (child.kind === 'element' && bindingProperties.has(child.name)) this.items.push(cut(child))
        }
      }
    }
  }

  private readonly spaced = new Set<XmlElement>()

  /** A `w:t` that was cut into may begin or end with a space now, which Word drops unless told to keep it. */
  private keepSpaces(chain: Chain, paragraph: Paragraph): void {
    const [text] = chain
    if (text.attributes['xml:space'] === 'preserve' || this.spaced.has(text)) return
    this.spaced.add(text)
    const spaced = spacedText(text, aroundIn(chain, paragraph, text))
    this.items.push({ kind: 'cut', start: text.start, end: text.openEnd, text: spaced })
  }
}

function isRich(tag: LocatedTag): tag is RichTag {
  return tag.syntax.kind === 'rich'
}

function isCheck(tag: LocatedTag): tag is CheckTag {
  return tag.syntax.kind === 'check'
}

function isHole(tag: LocatedTag): tag is HoleTag {
  return !isRich(tag) && !isCheck(tag) && !isTableTag(tag) && tag.syntax.kind !== 'chart' && !isSilentTag(tag)
}

const richHint = 'Put it into a paragraph of the text, a cell, a header or a note.'

function richParagraphPlace({ element, ancestors }: Paragraph, source: string): RichParagraphPlace {
  const [holder] = ancestors
  const after = holder === undefined ? undefined : neighbour(holder, element)
  return {
    properties: readProperties(childNamed(element, 'w:pPr'), source, { left: [element], around: ancestors }),
    isLast: after === undefined || after.name === 'w:sectPr',
    isBeforeTable: after?.name === 'w:tbl',
  }
}

/** The next sibling that is more than a mark. */
function neighbour(holder: XmlElement, element: XmlElement): XmlElement | undefined {
  for (const child of holder.children) {
    if (child.kind === 'element' && child.start >= element.end && !isRangeMark(child)) return child
  }
  return undefined
}
