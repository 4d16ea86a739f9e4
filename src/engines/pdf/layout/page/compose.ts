/** Composes a column: the room that floating objects, notes and repeated rows leave to the text. */

import type { Compatibility } from '../../model/compatibility.ts'
import type { Context } from '../context.ts'
import type { Gap, Slice } from '../slice.ts'
import type { StackPlace } from '../stack.ts'
import { drawFloats, isMovedByOwn, keepFree, landingOf, wayAround } from './floats.ts'
import { notesHeight } from './note-bands.ts'
import type { OpenPage } from './open-page.ts'
import type { Pass } from './pass.ts'
import type { Work } from './work.ts'

/** How the next block flows around floating objects; `waiting` is the height of the slices still to be placed above it. */
export function besideFloats(
  { page, pendingBreak }: Work,
  waiting: number | undefined,
  compatibility: Compatibility,
): Pick<StackPlace, 'wrap' | 'float' | 'landing'> {
  const { region } = page
  const ahead = ({ below, atTop }: Gap) => {
    if (waiting !== undefined) return waiting + below
    return region.fresh ? (region.natural ? 0 : atTop) : below
  }
  const top = (gap: Gap) => region.y + ahead(gap)
  return {
    wrap: (gap) => (pendingBreak ? undefined : wayAround(page, top(gap))),
    float: (objects, gap) => !pendingBreak && keepFree(page, objects, top(gap)),
    landing: (object, gap) => landingOf(page, object, top(gap), compatibility),
  }
}

/** The height that is left for text in the current column. */
export function roomOn(page: OpenPage): number {
  const { column, limit, y } = page.region
  return Math.min(page.bottom - notesHeight(page, column), limit) - y
}

/** The height that the next column has for text. */
export function nextRoom(page: OpenPage): number {
  const { columns, column, limit, top } = page.region
  return column + 1 < columns.length
    ? Math.min(page.bottom - notesHeight(page, column + 1), limit) - top
    : page.bottom - page.top
}

/** The height that slices take when they are placed now, with the notes that they bring along. */
export function neededHeight(pass: Pass, context: Context, slices: readonly Slice[]): number {
  let height = 0
  const notes: string[] = []
  for (const slice of slices) {
    height += slice === slices[0] ? spaceAbove(pass.work, slice) : slice.before
    height += slice.height
    if (slice.notes) notes.push(...slice.notes)
  }
  if (notes.length > 0) height += pass.notes.height(context, notes, pass.work.page)
  const last = slices.at(-1)
  return height - (last?.slack ?? 0) + (last?.foot ?? 0)
}

/**
 * The space above a slice placed now. In an empty column it is the height of repeated rows if the text ran over to it,
 * or the requested space after a break.
 */
export function spaceAbove(work: Work, slice: Slice): number {
  const { fresh, natural } = work.page.region
  if (!fresh) return slice.before
  return natural ? heightOf(repeatedRows(work.page, slice)) + leadOf(work, slice) : (slice.beforeAtTop ?? slice.before)
}

/** How far a slice moves down for floating objects; 0 in any column but the one that it was laid out for. */
export function leadOf({ page, laidFor }: Work, slice: Slice): number {
  return laidFor?.page === page && laidFor.column === page.region.column ? (slice.lead ?? 0) : 0
}

/** The header rows that a row brings along to a new page; none when they would take half of it. */
export function repeatedRows({ top, bottom }: OpenPage, slice: Slice): readonly Slice[] {
  if (!slice.repeat || slice.isRepeated) return []
  return heightOf(slice.repeat) > (bottom - top) / 2 ? [] : slice.repeat
}

function heightOf(rows: readonly Slice[]): number {
  return rows.reduce((sum, { height }) => sum + height, 0)
}

/**
 * Keeps a paragraph that holds only floating objects on the page of these objects, even if they leave no room for its
 * own line below them: objects may fill a page.
 *
 * @param own index of the paragraph's first exclusion among the page's
 */
export function keepBesideOwn(pass: Pass, context: Context, slice: Slice, own: number): void {
  const { work } = pass
  const { page } = work
  if (!slice.anchors || slice.frames.some(({ kind }) => kind !== 'destination')) return
  const lead = leadOf(work, slice)
  const needed = neededHeight(pass, context, [slice])
  const room = roomOn(page)
  if (needed <= room || needed - lead > room) return
  const top = page.region.y + spaceAbove(work, slice) - lead
  if (!isMovedByOwn(page, own, top, slice.height)) return
  slice.before -= lead
  if (slice.beforeAtTop !== undefined) slice.beforeAtTop -= lead
  slice.lead = 0
}

/** Draws what floats beside a slice whose top is at the region's `y`. */
export function drawBeside(work: Work, slice: Slice): void {
  // A line that moved below its own object is not where its paragraph began.
  if (slice.anchors) drawFloats(work.page, slice.anchors, work.page.region.y - leadOf(work, slice))
}

/** Puts the notes of a slice just placed at the foot of its column. */
export function placeNotes({ notes, work }: Pass, context: Context, slice: Slice): void {
  if (slice.notes) for (const id of slice.notes) notes.place(context, id, work.page, slice.slack ?? 0)
}
