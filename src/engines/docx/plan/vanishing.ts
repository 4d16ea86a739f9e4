/** What is removed, or must be restored, if the blocks in it produce nothing. */
import type { XmlElement } from '../../ooxml/xml.ts'
import type { Paragraph } from '../scan/paragraphs.ts'
import { lastIndexFrom } from '../scan/source.ts'
import { chainOf, type LocatedTag } from '../scan/tags.ts'
import type { Block, BlockPlan } from './blocks.ts'
import type { Item } from './items.ts'
import { isLastParagraph, lastElement, paragraphHolders } from './paragraph-holders.ts'
import { hasSectionBreak } from './properties.ts'
import { isRangeMark } from './range-marks.ts'
import type { Removed } from './removed.ts'
import { testsOf } from './tests.ts'

interface Range {
  start: number
  end: number
}

/** `blocks` are the ranges of the blocks over whole paragraphs and rows. */
export function planVanishing(plan: BlockPlan, removed: Removed, blocks: readonly Range[]): Item[] {
  const paragraphs: (Item & Range)[] = []
  /** Elements from which a paragraph goes, or may go. */
  const losing = new Set<XmlElement>()
  for (const [paragraph, tags] of plan.tagsOf) {
    const isRemoved = removed.paragraphs.has(paragraph.element)
    const item = isRemoved ? undefined : vanishingParagraph(plan, paragraph, tags)
    if (item !== undefined) paragraphs.push(item)
    const [holder] = paragraph.ancestors
    if (holder !== undefined && (isRemoved || item !== undefined)) losing.add(holder)
  }
  const covered = outermost([...blocks, ...paragraphs])
  /** Whether a block that may print nothing holds the element. */
  const isConditional = (element: XmlElement) => {
    if (plan.isRepeated(element)) return true
    const range = covered[lastIndexFrom(covered, ({ start }) => start, element.start)]
    return range !== undefined && range.end >= element.end
  }
  const mayGo = (element: XmlElement) =>
    removed.paragraphs.has(element) || removed.rows.has(element) || isConditional(element)
  return [...paragraphs, ...planHolders(plan, losing, mayGo), ...planTables(plan, mayGo)]
}

/** Removes a paragraph whose whole content is inside blocks, if none of them produces anything. */
function vanishingParagraph(plan: BlockPlan, paragraph: Paragraph, tags: LocatedTag[]): Item | undefined {
  if (paragraph.form.kind !== 'run') return undefined
  const outer = new Set<Block>()
  let at = 0
  for (const tag of tags) {
    const block = plan.blockOfTag.get(tag)
    if (block === undefined || block.level !== 'inline' || block.open.tag !== tag || tag.from < at) continue
    if (hasElse(block) || plan.isVisible(paragraph, at, tag.from)) return undefined
    outer.add(block)
    at = block.end.tag.to
  }
  if (outer.size === 0 || plan.isVisible(paragraph, at, paragraph.text.length)) return undefined
  const { element, ancestors } = paragraph
  const [holder] = ancestors
  if (hasSectionBreak(element)) return undefined
  if (holder !== undefined && isLastParagraph(element, holder)) return undefined
  const tests = [...outer].flatMap(testsOf)
  return { kind: 'any', start: element.start, end: element.end, tests }
}

/** Whether one of its parts always appears. */
function hasElse({ middles }: Block): boolean {
  return middles[middles.length - 1]?.tag.syntax.kind === 'else'
}

/** Cells and the like must keep a paragraph for any data. */
function planHolders(
  plan: BlockPlan,
  losing: ReadonlySet<XmlElement>,
  mayGo: (element: XmlElement) => boolean,
): Item[] {
  const holders = new Set<XmlElement>()
  for (const { level, common } of plan.blocks) if (level === 'paragraph') holders.add(common)
  const keepsLast = (holder: XmlElement) => {
    const last = lastElement(holder)
    return last?.name === 'w:p' && !mayGo(last)
  }
  const all = [...holders].filter((holder) => !keepsLast(holder))
  all.push(...[...losing].filter((holder) => !holders.has(holder) && !endsWithKept(holder, mayGo)))
  return all.flatMap((holder): Item[] => {
    if (!paragraphHolders.has(holder.name)) return []
    const prefix = holder.written.includes(':') ? `${holder.written.split(':')[0]}:` : ''
    return [{ kind: 'tail', start: holder.closeStart, end: holder.closeStart, text: `<${prefix}p/>` }]
  })
}

/** Whether the last element that stays is a paragraph, ignoring range marks such as ends of bookmarks. */
function endsWithKept(holder: XmlElement, mayGo: (element: XmlElement) => boolean): boolean {
  const end = holder.children.findLast(
    (child) => child.kind === 'element' && !isRangeMark(child) && !(child.name === 'w:p' && mayGo(child)),
  )
  return end?.kind === 'element' && end.name === 'w:p'
}

/** Tables whose rows may all be removed. */
function planTables(plan: BlockPlan, mayGo: (element: XmlElement) => boolean): Item[] {
  const tables = new Set<XmlElement>()
  for (const { level, open } of plan.blocks) {
    if (level !== 'row') continue
    const table = chainOf(open.tag).find(({ name, start }) => name === 'w:tbl' && start <= open.child.start)
    if (table !== undefined) tables.add(table)
  }
  return [...tables].flatMap((table): Item[] => {
    const keepsRow = table.children.some((child) => child.kind === 'element' && child.name === 'w:tr' && !mayGo(child))
    return keepsRow ? [] : [{ kind: 'table', start: table.start, end: table.end }]
  })
}

function outermost(ranges: readonly Range[]): Range[] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const found: Range[] = []
  for (const range of sorted) if (range.end > (found[found.length - 1]?.end ?? -1)) found.push(range)
  return found
}
