/** Loops in list items that repeat text where an item of each was probably meant. */
import type { Finding } from '../../../core/finding.ts'
import { placeOf } from '../scan/paragraphs.ts'
import type { Block, BlockPlan } from './blocks.ts'
import type { ListItems } from './list-items.ts'

/**
 * Punctuation beside a loop, as in `{{#each /names}}{{.}}{{#end}};`, makes the loop repeat text within one item. If
 * nothing separates the turns either, they print as one word.
 */
export function warnOfGluedItems(plan: BlockPlan, part: string, lists: ListItems): Finding[] {
  return plan.blocks.flatMap((block): Finding[] => {
    const { tag } = block.open
    const sign = signBeside(block, lists)
    if (sign === undefined) return []
    return [
      {
        code: 'docx.glued_items',
        severity: 'warning',
        message: `${tag.raw} repeats text within one list item, with nothing in between, because “${sign}” is beside it.`,
        hint: `Write “${sign}” inside the loop to make an item of each, or what is to be between them.`,
        path: placeOf(part, tag.paragraph, tag.from),
      },
    ]
  })
}

function signBeside({ open: { tag }, end: { tag: end }, level, middles }: Block, lists: ListItems): string | undefined {
  const { paragraph } = tag
  if (tag.syntax.kind !== 'each' || level !== 'inline' || middles.length > 0 || end.paragraph !== paragraph)
    return undefined
  const { text } = paragraph
  const sign = (text.slice(0, tag.from) + text.slice(end.to)).trim()
  if (sign === '' || sign.length > 3 || /[\p{L}\p{N}{]/u.test(sign)) return undefined
  const body = text.slice(tag.to, end.from)
  const isGlued = /^[\p{L}\p{N}{]/u.test(body) && /[\p{L}\p{N}}]$/u.test(body) && !/\{\{\s*[#@]/.test(body)
  return isGlued && lists.isItem(paragraph.element) ? sign : undefined
}
