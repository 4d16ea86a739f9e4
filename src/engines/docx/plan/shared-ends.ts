/** Blocks whose `{{#else}}` shares a paragraph or row with their `{{#end}}`. */
import type { Finding } from '../../../core/finding.ts'
import type { Reading } from '../../../core/reading.ts'
import { placeOf } from '../scan/paragraphs.ts'
import { earlierHint, earlierReading } from '../scan/tags.ts'
import type { BlockItem, Item, Middle } from './items.ts'

/**
 * A paragraph or row that vanishes with both tags ends after its block does, so the block’s last part ends at the block’s
 * end. Versions frozen before the third rules skipped the removal, and print the two tags.
 */
export function endWithBlocks(part: string, items: readonly Item[], reading: Reading, findings: Finding[]): Item[] {
  return items.map((item) => {
    if (item.kind !== 'block' || item.middles.every(({ end }) => end <= item.end)) return item
    const [{ tag } = item] = item.middles
    if (reading >= 3 || isYounger(item)) {
      return { ...item, middles: item.middles.map((middle) => ({ ...middle, end: Math.min(middle.end, item.end) })) }
    }
    findings.push({
      code: earlierReading,
      severity: 'warning',
      message: `${tag.raw} is printed, as it was when this version was frozen; by today’s rules its paragraph or row goes.`,
      hint: earlierHint,
      path: placeOf(part, tag.paragraph, tag.from),
    })
    return item
  })
}

/** Whether the block has something that came together with the third rules. */
function isYounger({ tag, middles }: BlockItem): boolean {
  const isElse = ({ tag: { syntax } }: Middle) => syntax.kind === 'else'
  return tag.syntax.kind === 'with' || !middles.every(isElse)
}
