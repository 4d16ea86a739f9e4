import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { type CompileContext, type ScannedPart, textsOf } from '../scan/scan.ts'
import { planChart } from './charts.ts'
import { reportDividedFields } from './divided-fields.ts'
import { planFreshIds } from './ids.ts'
import type { Item } from './items.ts'
import { listItemsOf } from './list-items.ts'
import { commentedNotes, planNotes } from './notes.ts'
import { placeTags } from './place.ts'
import { planLinks, planStripping } from './relationships.ts'
import { planRestarts } from './restarts.ts'
import { cutTags } from './segments.ts'
import { endWithBlocks } from './shared-ends.ts'
import { planSingle } from './singles.ts'

/** Every change that composing makes to the source of a part. */
export interface PartPlan {
  items: Item[]
  /** Whether the text of the last section may vanish, which leaves two section properties side by side. */
  mayLoseSection: boolean
}

/** Plans a part; undefined when nothing in it changes, so that its compressed bytes can stay. */
export function planPart(scanned: ScannedPart, context: CompileContext): PartPlan | undefined {
  const { part, root, source, text, external } = scanned
  const { copiedNotes } = context
  const isMain = part === context.opened.mainPart
  const items = planTags(scanned, context)
  items.push(
    ...planLinks(scanned),
    ...planStripping(scanned),
    ...planNotes(scanned, copiedNotes, context.commentedNotes),
  )
  if (isMain) for (const note of commentedNotes(root, items)) context.commentedNotes.add(note)
  const hasTags = textsOf(scanned).some(({ tags }) => tags.length > 0)
  if (items.length === 0 && external.size === 0 && !hasTags) return undefined
  items.push(...planRestarts(source, items, text.paragraphs, context.styles))
  const copyable = new Set(isMain ? context.notes.flatMap(({ ids }) => [...ids]) : [])
  const ids = planFreshIds(root, source, items, copyable)
  items.push(...ids.planned)
  for (const note of ids.copiedNotes) copiedNotes.add(note)
  return { items, mayLoseSection: isMain && endsInBlock(root, items) }
}

function planTags(scanned: ScannedPart, context: CompileContext): Item[] {
  const { findings, styles, reading } = context
  const { part, root, source, text, contentsTags, fields, singles } = scanned
  const lists = listItemsOf(styles, reading)
  const placed = endWithBlocks(part, placeTags(text, source, findings, lists), reading, findings)
  const items = [...cutTags(contentsTags, source), ...placed]
  for (const { text: code, forms } of fields) items.push(...placeTags(code, source, findings, lists, forms))
  reportDividedFields(part, root, items, findings)
  for (const single of singles) {
    if (single.tags.length === 0) continue
    items.push(...(planChart(single, source, context) ?? planSingle(single, source, findings)))
  }
  return items
}

/** Whether all text after the last section break inside the body is in blocks, and so may vanish. */
function endsInBlock(root: XmlElement, items: Item[]): boolean {
  const body = childNamed(root, 'w:body')
  const section = body === undefined ? undefined : childNamed(body, 'w:sectPr')
  if (body === undefined || section === undefined) return false
  const last = body.children.findLast((child) => child.kind === 'element' && child.end <= section.start)
  if (last === undefined) return false
  return items.some(
    ({ kind, start, end }) =>
      (kind === 'block' || kind === 'any' || kind === 'cut') && end >= last.start && start <= last.end,
  )
}
