import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import { type LocatedTag, type Paragraph, pieceAt, placeOf, type ScannedPart } from '../scan/scan.ts'
import type { Test } from './items.ts'

/** What a block repeats: text, paragraphs (and all between them), or table rows. */
export type Level = 'inline' | 'paragraph' | 'row'

export interface Block {
  open: LocatedTag
  middle?: LocatedTag
  end: LocatedTag
  level: Level
  /** The element that contains the whole block, and its children that hold the tags. */
  common: XmlElement
  openChild: XmlElement
  middleChild?: XmlElement
  endChild: XmlElement
}

export function isBlockTag(tag: LocatedTag): boolean {
  const { kind } = tag.syntax
  return kind === 'each' || kind === 'if' || kind === 'else' || kind === 'end'
}

/** The blocks of one part: pairs of tags, outer before inner, each with the level it works on. */
export class BlockPlan {
  readonly blocks: Block[] = []
  readonly blockOfTag = new Map<LocatedTag, Block>()
  readonly tagsOf = new Map<Paragraph, LocatedTag[]>()

  constructor(
    private readonly scanned: ScannedPart,
    private readonly findings: Finding[],
  ) {
    for (const tag of scanned.tags) {
      const list = this.tagsOf.get(tag.paragraph)
      if (list === undefined) this.tagsOf.set(tag.paragraph, [tag])
      else list.push(tag)
    }
    this.pairBlocks()
    for (const block of this.blocks) this.lift(block)
    // Of two blocks with the same extent the one that opens first is the outer one.
    const order = new Map(scanned.tags.map((tag, index) => [tag, index]))
    this.blocks.sort((a, b) => order.get(a.open)! - order.get(b.open)!)
  }

  report(tag: LocatedTag, code: string, message: string, hint: string): void {
    const path = placeOf(this.scanned.part, tag.paragraph, tag.from)
    this.findings.push({ code, severity: 'error', message, hint, path })
  }

  private pairBlocks(): void {
    const open: { open: LocatedTag; middle?: LocatedTag }[] = []
    for (const tag of this.scanned.tags) {
      const { kind } = tag.syntax
      const top = open[open.length - 1]
      if (kind === 'each' || kind === 'if') {
        open.push({ open: tag })
        if (open.length === limits.templateBlockDepth + 1) {
          const message = `Blocks are nested more than ${limits.templateBlockDepth} deep.`
          this.report(tag, 'docx.too_deep', message, 'Prepare the data so that fewer levels do.')
          this.blocks.length = 0
          return
        }
      } else if (kind === 'else') {
        if (top === undefined) this.report(tag, 'docx.unbalanced', '{{#else}} stands outside of a block.', openHint)
        else if (top.middle) this.report(tag, 'docx.unbalanced', 'The block has a second {{#else}}.', 'Remove one.')
        else top.middle = tag
      } else if (kind === 'end') {
        if (top === undefined) this.report(tag, 'docx.unbalanced', '{{#end}} closes nothing.', openHint)
        else this.addBlock({ ...open.pop()!, end: tag })
      }
    }
    for (const { open: tag } of open) {
      this.report(tag, 'docx.unbalanced', `${tag.raw} is never closed.`, 'Add {{#end}} where the block ends.')
    }
  }

  private addBlock(tags: { open: LocatedTag; middle?: LocatedTag; end: LocatedTag }): void {
    const openChain = fullChain(tags.open)
    const endChain = fullChain(tags.end)
    const middleChain = tags.middle === undefined ? endChain : fullChain(tags.middle)
    let depth = 1
    const at = (chain: XmlElement[], level: number) => chain[chain.length - level]
    while (
      at(openChain, depth + 1) !== undefined &&
      at(openChain, depth + 1) === at(endChain, depth + 1) &&
      at(openChain, depth + 1) === at(middleChain, depth + 1)
    ) {
      depth++
    }
    const common = at(openChain, depth)!
    const openChild = at(openChain, depth + 1) ?? common
    const endChild = at(endChain, depth + 1) ?? common
    const middleChild = at(middleChain, depth + 1) ?? common
    const children = tags.middle === undefined ? [openChild, endChild] : [openChild, middleChild, endChild]
    const level = levelOf(tags.open, tags.end, tags.middle, common, children)
    if (level === undefined) {
      this.report(
        tags.open,
        'docx.misplaced',
        `${tags.open.raw} starts in one place of the page's structure and ends in another.`,
        'Put both tags of a block in the same cell, in cells of the same table, or both outside of it.',
      )
      return
    }
    const block: Block = { ...tags, level, common, openChild, endChild }
    if (tags.middle !== undefined) block.middleChild = middleChild
    this.blocks.push(block)
    for (const tag of [tags.open, tags.middle, tags.end]) if (tag !== undefined) this.blockOfTag.set(tag, block)
  }

  /**
   * A loop around the whole text of a list item repeats the item, not the text in it; a block around nothing but rich
   * text takes the paragraph, because that text brings its own.
   */
  private lift(block: Block): void {
    const { open, end, level } = block
    const { element, ancestors } = open.paragraph
    if (level !== 'inline' || block.middle !== undefined || ancestors[0] === undefined) return
    if (!this.isRichParagraph(open.paragraph)) {
      if (open.syntax.kind !== 'each' || !isNumbered(element)) return
      const tags = this.tagsOf.get(open.paragraph)!
      if (tags[0] !== open || tags[tags.length - 1] !== end) return
      if (this.isVisibleBefore(open) || this.isVisibleAfter(end)) return
    }
    block.level = 'paragraph'
    block.common = ancestors[0]
    block.openChild = element
    block.endChild = element
  }

  private readonly richParagraphs = new Map<Paragraph, boolean>()

  /** Whether one tag of rich text, and blocks around it that begin and end here, are all there is in the paragraph. */
  isRichParagraph(paragraph: Paragraph): boolean {
    let isRich = this.richParagraphs.get(paragraph)
    if (isRich === undefined) {
      const tags = this.tagsOf.get(paragraph) ?? []
      const values = tags.filter((tag) => !isBlockTag(tag))
      const [rich] = values
      isRich =
        paragraph.form.kind === 'run' &&
        rich?.syntax.kind === 'rich' &&
        values.length === 1 &&
        !this.isVisible(paragraph, 0, rich.from) &&
        !this.isVisible(paragraph, rich.to, paragraph.text.length) &&
        tags.every((tag) => this.blockOfTag.get(tag)?.middle?.paragraph !== paragraph) &&
        tags.every((tag) => {
          const block = this.blockOfTag.get(tag)
          return block?.level !== 'inline' || (block.open.to <= rich.from && block.end.from >= rich.to)
        })
      this.richParagraphs.set(paragraph, isRich)
    }
    return isRich
  }

  /** Whether nothing is seen in the paragraph but tags of blocks that `belongs` accepts. */
  holdsOnly(paragraph: Paragraph, belongs: (block: Block) => boolean): boolean {
    if (this.isVisible(paragraph, 0, paragraph.text.length)) return false
    for (const tag of this.tagsOf.get(paragraph) ?? []) {
      const block = this.blockOfTag.get(tag)
      if (block === undefined || !belongs(block)) return false
    }
    return true
  }

  private readonly seen = new Map<Paragraph, Int32Array>()

  /** Whether there is more than white space and block tags between two text positions. */
  isVisible(paragraph: Paragraph, from: number, to: number): boolean {
    if (paragraph.objects.some((at) => at >= from && at <= to)) return true
    let counts = this.seen.get(paragraph)
    if (counts === undefined) {
      counts = this.countVisible(paragraph)
      this.seen.set(paragraph, counts)
    }
    return counts[to]! > counts[from]!
  }

  /** How many characters before each position are seen: no white space and no part of a block tag. */
  private countVisible(paragraph: Paragraph): Int32Array {
    const { text } = paragraph
    const counts = new Int32Array(text.length + 1)
    const tags = (this.tagsOf.get(paragraph) ?? []).filter(isBlockTag)
    let next = 0
    for (let at = 0; at < text.length; at++) {
      while (next < tags.length && tags[next]!.to <= at) next++
      const isInTag = next < tags.length && tags[next]!.from <= at
      counts[at + 1] = counts[at]! + (isInTag || text[at]!.trim() === '' ? 0 : 1)
    }
    return counts
  }

  isVisibleBefore(tag: LocatedTag): boolean {
    return this.isVisible(tag.paragraph, 0, tag.from)
  }

  isVisibleAfter(tag: LocatedTag): boolean {
    return this.isVisible(tag.paragraph, tag.to, tag.paragraph.text.length)
  }
}

const openHint = 'Open a block with {{#each /list}} or {{#if /flag}} before it.'

/** Ancestors of the place where a tag begins, innermost first: text, run, paragraph, …, root of the part. */
export function fullChain(tag: LocatedTag): XmlElement[] {
  const piece = tag.paragraph.pieces[pieceAt(tag.paragraph, tag.from)]!
  return [...piece.chain, ...tag.paragraph.ancestors]
}

function levelOf(
  open: LocatedTag,
  end: LocatedTag,
  middle: LocatedTag | undefined,
  common: XmlElement,
  children: XmlElement[],
): Level | undefined {
  if (open.paragraph === end.paragraph && (middle === undefined || middle.paragraph === open.paragraph)) return 'inline'
  if (common.name === 'w:tr') return 'row'
  if (common.name === 'w:tbl' || children.every((child) => child.name === 'w:tr')) return 'row'
  return children.every((child) => child.name === 'w:p') ? 'paragraph' : undefined
}

function isNumbered(paragraph: XmlElement): boolean {
  const properties = paragraph.children.find((child) => child.kind === 'element' && child.name === 'w:pPr')
  if (properties?.kind !== 'element') return false
  return properties.children.some((child) => child.kind === 'element' && child.name === 'w:numPr')
}

export function testOf(tag: LocatedTag): Test {
  const { syntax } = tag
  if (syntax.kind === 'each') return { kind: 'each', list: syntax.value, restarts: syntax.restarts }
  if (syntax.kind === 'if') return { kind: 'if', condition: syntax.condition }
  throw new Error(`${tag.raw} opens no block`)
}
