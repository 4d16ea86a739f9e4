import { hasMarks, splitMarks } from '../../../core/marks.ts'
import type { Frame } from '../frame/frame.ts'
import { boundsOf, placeOf } from '../frame/matrix.ts'
import type { Block, DocumentModel, Inline } from '../model/document.ts'
import { storiesOf } from '../model/stories.ts'

/** Where one marked value is on a page, in points from its top left; a value over several lines has several. */
export interface PlacedMark {
  mark: number
  x: number
  y: number
  width: number
  height: number
}

const prefix = 'quire-mark-'

/**
 * Turns marked text into links, since links are the only parts of a line whose places the layout reports. The marks
 * themselves are removed.
 */
export function linkMarks(model: DocumentModel): void {
  const stories = [model.body, ...model.stories.values(), ...model.footnotes.values(), ...model.endnotes.values()]
  for (const blocks of stories) linkIn(blocks)
}

/** Nesting is bounded by the reader, which refuses what is too deep. */
function linkIn(blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'table') {
      for (const { cells } of block.rows) for (const cell of cells) linkIn(cell.blocks)
      continue
    }
    block.content = block.content.flatMap(linked)
    for (const inline of block.content) for (const story of storiesOf(inline)) linkIn(story)
  }
}

function linked(inline: Inline): Inline[] {
  if (inline.kind !== 'text' || !hasMarks(inline.text)) return [inline]
  return splitMarks(inline.text).map(({ text, mark }) =>
    mark === undefined
      ? { ...inline, text }
      : { ...inline, text, link: { kind: 'internal', bookmark: `${prefix}${mark}` } },
  )
}

/**
 * The marks among the frames of a page.
 *
 * @param pictures marks by package part, for values shown by a picture
 */
export function placedMarks(frames: readonly Frame[], pictures: ReadonlyMap<string, number>): PlacedMark[] {
  return frames.flatMap((frame) => {
    if (frame.kind === 'clip') return placedMarks(frame.frames, pictures)
    if (frame.kind === 'group') {
      const matrix = placeOf(frame)
      const { part, width = 0, height = 0 } = frame.figure ?? {}
      const own = part === undefined ? undefined : pictures.get(part)
      const marks = own === undefined ? placedMarks(frame.frames, pictures) : [{ mark: own, x: 0, y: 0, width, height }]
      return marks.map(({ mark, x, y, width, height }) => ({
        mark,
        ...boundsOf(matrix, x, y, width, height),
      }))
    }
    const mark =
      frame.kind === 'image'
        ? pictures.get(frame.part)
        : frame.kind === 'link' && frame.link.kind === 'internal' && frame.link.bookmark.startsWith(prefix)
          ? Number(frame.link.bookmark.slice(prefix.length))
          : undefined
    if (mark === undefined || (frame.kind !== 'image' && frame.kind !== 'link')) return []
    const { x, y, width, height } = frame
    return [{ mark, x, y, width, height }]
  })
}
