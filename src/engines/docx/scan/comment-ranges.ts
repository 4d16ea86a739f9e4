import { pieceAt } from './paragraphs.ts'
import { sourceOffset } from './source.ts'
import type { LocatedTag, SourceRange } from './tags.ts'

/** Where the comments among the tags of a text are in its source. */
export function commentRanges(tags: readonly LocatedTag[], source: string): SourceRange[] {
  const ranges: SourceRange[] = []
  let start = 0
  for (const tag of tags) {
    const { kind } = tag.syntax
    if (kind === 'comment' || kind === 'commentbegin') start = offsetOf(tag, tag.from, source)
    if (kind === 'comment' || kind === 'commentend') ranges.push({ start, end: offsetOf(tag, tag.to - 1, source) })
  }
  return ranges
}

function offsetOf({ paragraph }: LocatedTag, position: number, source: string): number {
  const piece = paragraph.pieces[pieceAt(paragraph, position)]
  if (piece === undefined) return paragraph.element.start
  return piece.node === undefined ? piece.chain[0].start : sourceOffset(piece.node, position - piece.from, source)
}
