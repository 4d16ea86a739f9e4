import type { Finding } from '../../../core/finding.ts'
import type { FieldForm } from '../scan/fields.ts'
import type { LocatedTag, TaggedText } from '../scan/tags.ts'
import { type Block, BlockPlan } from './blocks.ts'
import { Boundaries } from './boundaries.ts'
import { warnOfGluedItems } from './glued.ts'
import { planGrids } from './grids.ts'
import { HolePlanner } from './holes.ts'
import type { BlockItem, Item } from './items.ts'
import { cutJoints } from './joints.ts'
import type { ListItems } from './list-items.ts'
import { indivisible, indivisibleHint } from './misplaced.ts'
import { cutExceptLoneMarks } from './range-marks.ts'
import { findRemoved } from './removed.ts'
import { testOf } from './tests.ts'
import { planVanishing } from './vanishing.ts'

/**
 * Pairs the block tags of a text, decides what each pair repeats, and plans every change to the source. A pair works on
 * the largest whole units between its tags: table rows if the tags are in different cells, paragraphs if they are in
 * different paragraphs, runs otherwise. `forms` says how values of tags in field codes are written.
 */
export function placeTags(
  text: TaggedText,
  source: string,
  findings: Finding[],
  lists: ListItems,
  forms: ReadonlyMap<LocatedTag, FieldForm> = noForms,
): Item[] {
  const plan = new BlockPlan(text, findings, lists)
  findings.push(...warnOfGluedItems(plan, text.part, lists))
  const removed = findRemoved(text, plan, source)
  const holes = new HolePlanner(plan, source, forms).plan(text.tags)
  const boundaries = new Boundaries(plan, removed, source)
  const placed = plan.blocks.map((block) => {
    const items =
      block.open.tag.syntax.kind === 'commentbegin'
        ? placeComment(block, boundaries, plan, source)
        : placeBlock(block, boundaries, plan)
    return { block, items }
  })
  const whole = placed.flatMap(({ block, items: [first, ...others] }) => {
    if (block.level === 'inline' || first === undefined) return []
    return [{ start: first.start, end: (others.at(-1) ?? first).end }]
  })
  const joints = cutJoints(plan.joints, source)
  return [
    ...removed.items,
    ...joints,
    ...holes,
    ...placed.flatMap(({ items }) => items),
    ...planVanishing(plan, removed, whole),
    ...planGrids(text, plan, removed, source),
  ]
}

const noForms: ReadonlyMap<LocatedTag, FieldForm> = new Map()

function placeBlock(block: Block, boundaries: Boundaries, plan: BlockPlan): BlockItem[] {
  const { tag } = block.open
  const opening = boundaries.opening(block)
  const closing = boundaries.closing(block)
  const middles = boundaries.middles(block)
  if (opening === undefined || closing === undefined || middles === undefined) {
    plan.report(tag, 'docx.misplaced', `${tag.raw} ${indivisible}`, indivisibleHint)
    return []
  }
  const item: BlockItem = {
    kind: 'block',
    start: opening.end,
    end: closing.start,
    test: testOf(block),
    tag,
    opening,
    closing,
    middles,
  }
  // Empty blocks would conflict with items that begin at the same place. A block that loses its only paragraph ends before it begins.
  return item.start >= item.end && middles.length === 0 ? [] : [item]
}

/** A comment over paragraphs or rows goes, with all between its ends. */
function placeComment(block: Block, boundaries: Boundaries, plan: BlockPlan, source: string): Item[] {
  const { tag } = block.open
  const [opening, closing] = [boundaries.opening(block), boundaries.closing(block)]
  if (opening === undefined || closing === undefined || !plan.isAloneInRows(block)) {
    const message = `${tag.raw.slice(0, 40).toWellFormed()} ${indivisible}`
    plan.report(tag, 'docx.misplaced', message, `${indivisibleHint} Rows go whole: nothing else may be in theirs.`)
    return []
  }
  const [start, end] = [opening.end, closing.start]
  const seam = { close: opening.close, open: closing.open }
  return cutExceptLoneMarks(block.common, { start, end }, source, seam).map((item) => ({ ...item, comment: tag }))
}
