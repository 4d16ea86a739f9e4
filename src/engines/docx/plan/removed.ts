/** Rows and paragraphs that only carry tags of blocks, and go with them. */
import type { XmlElement } from '../../ooxml/xml.ts'
import type { Paragraph } from '../scan/paragraphs.ts'
import { isBlockTag, isSilentTag, type LocatedTag, type TaggedText } from '../scan/tags.ts'
import type { Block, BlockPlan } from './blocks.ts'
import type { Item } from './items.ts'
import { isLastParagraph } from './paragraph-holders.ts'
import { hasSectionBreak } from './properties.ts'
import { cutExceptMarks } from './range-marks.ts'

export interface Removed {
  rows: ReadonlySet<XmlElement>
  paragraphs: ReadonlySet<XmlElement>
  items: Item[]
}

export function findRemoved(text: TaggedText, plan: BlockPlan, source: string): Removed {
  const rows = removedRows(text, plan)
  const paragraphs = removedParagraphs(plan)
  const items = [...rows, ...paragraphs].flatMap((element) => cutExceptMarks(element, source))
  return { rows, paragraphs, items }
}

/** Rows that hold nothing but the tags of loops over rows. */
function removedRows(text: TaggedText, plan: BlockPlan): Set<XmlElement> {
  const rows = new Set<XmlElement>()
  for (const { level, common, open, middles, end } of plan.blocks) {
    if (level !== 'row' || common.name === 'w:tr') continue
    for (const { child } of [open, ...middles, end]) if (child.name === 'w:tr') rows.add(child)
  }
  if (rows.size === 0) return rows
  for (const paragraph of text.paragraphs) {
    for (const ancestor of paragraph.ancestors) {
      if (rows.has(ancestor) && !plan.holdsOnly(paragraph, (block) => isInTableOf(block, ancestor))) {
        rows.delete(ancestor)
      }
    }
  }
  return rows
}

function isInTableOf({ level, open, middles, end }: Block, row: XmlElement): boolean {
  return level === 'row' && [open, ...middles, end].some(({ child }) => child === row)
}

/** Paragraphs that hold nothing but the tags of blocks over paragraphs or rows. */
function removedParagraphs(plan: BlockPlan): Set<XmlElement> {
  const candidates: Paragraph[] = []
  for (const [paragraph, tags] of plan.tagsOf) {
    if (
      paragraph.form.kind !== 'run' ||
      !tags.some(isSilentTag) ||
      !mayRemove(paragraph, tags) ||
      hasSectionBreak(paragraph.element)
    )
      continue
    if (plan.holdsOnly(paragraph, (block) => block.level !== 'inline')) candidates.push(paragraph)
  }
  const elements = new Set(candidates.map(({ element }) => element))
  const keeping = new Map<XmlElement, boolean>()
  const keepsOne = (holder: XmlElement) => {
    const known = keeping.get(holder)
    if (known !== undefined) return known
    const keeps = holder.children.some(
      (child) => child.kind === 'element' && child.name === 'w:p' && !elements.has(child),
    )
    keeping.set(holder, keeps)
    return keeps
  }
  const isRemoved = (paragraph: Paragraph) => {
    const [cell] = paragraph.ancestors
    // A cell that only holds a tag of a row's loop keeps its paragraph, and with it its formatting.
    if (cell?.name !== 'w:tc' || keepsOne(cell)) return true
    // A comment beside it is no text either.
    const own = (plan.tagsOf.get(paragraph) ?? []).filter(isBlockTag)
    return own.length === 0 || !own.every((tag) => isInCells(plan.blockOfTag.get(tag)))
  }
  return new Set(candidates.filter(isRemoved).map(({ element }) => element))
}

function isInCells(block: Block | undefined): boolean {
  return block?.level === 'row' || block?.level === 'column'
}

/** A cell, header or text box keeps its last paragraph, even if that holds nothing but a comment. */
function mayRemove({ element, ancestors: [holder] }: Paragraph, tags: readonly LocatedTag[]): boolean {
  return tags.some(isBlockTag) || holder === undefined || !isLastParagraph(element, holder)
}
