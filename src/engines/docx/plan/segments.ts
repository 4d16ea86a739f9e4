import type { XmlElement } from '../../ooxml/xml.ts'
import { type Piece, pieceAt } from '../scan/paragraphs.ts'
import { sourceOffset } from '../scan/source.ts'
import type { LocatedTag } from '../scan/tags.ts'
import type { Item } from './items.ts'

/** A source range with a part of a tag's text. */
export interface Segment {
  piece: Piece
  start: number
  end: number
}

/** The source ranges of a tag's text, one for each text node (or break) it runs through. */
export function segmentsOf(tag: LocatedTag, source: string): [Segment, ...Segment[]] {
  const segments: Segment[] = []
  const { pieces } = tag.paragraph
  for (let index = pieceAt(tag.paragraph, tag.from); ; index++) {
    const piece = pieces[index]
    if (piece === undefined || piece.from >= tag.to) break
    const from = Math.max(tag.from, piece.from)
    const to = Math.min(tag.to, piece.from + piece.text.length)
    if (from < to) segments.push(segmentOf(piece, from, to, source))
  }
  const [first, ...rest] = segments
  if (first === undefined) throw new Error(`${tag.raw} is in no text of its paragraph`)
  return [first, ...rest]
}

function segmentOf(piece: Piece, from: number, to: number, source: string): Segment {
  const { node, chain } = piece
  if (node === undefined) return { piece, start: chain[0].start, end: chain[0].end }
  const start = sourceOffset(node, from - piece.from, source)
  return { piece, start, end: sourceOffset(node, to - piece.from, source) }
}

/** Takes tags out and leaves nothing in their place. */
export function cutTags(tags: LocatedTag[], source: string): Item[] {
  return tags.flatMap((tag) => segmentsOf(tag, source).map(cut))
}

/** Takes a range out. */
export function cut({ start, end }: Pick<XmlElement, 'start' | 'end'>): Item {
  return { kind: 'cut', start, end, text: '' }
}
