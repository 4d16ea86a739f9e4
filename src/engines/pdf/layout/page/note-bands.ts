import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { NoteArea, NoteBand, OpenPage } from './open-page.ts'
import type { Column } from './sheet.ts'

/** The band of notes that those of the columns now being filled join. */
function currentBand({ notes, region: { columns } }: OpenPage): NoteBand | undefined {
  const band = notes.at(-1)
  return band && sameColumns(band.columns, columns) ? band : undefined
}

/** The notes at the foot of the column that is being filled, where there are any. */
export function noteArea(page: OpenPage): NoteArea | undefined {
  const area = currentBand(page)?.areas[page.region.column]
  return area && area.height > 0 ? area : undefined
}

/** Where notes at the foot of one of this many columns go. */
export function openArea(page: OpenPage, columns: readonly Column[], column: number): NoteArea {
  let band = page.notes.at(-1)
  if (!band || !sameColumns(band.columns, columns)) {
    band = { columns, areas: columns.map(() => ({ frames: [], height: 0, tail: { slack: 0, after: 0 } })) }
    page.notes.push(band)
  }
  const area = band.areas[column]
  if (!area) throw new Error(`there are no notes of column ${column} among ${columns.length}`)
  return area
}

/** The height that footnotes take of a column of the page. */
export function notesHeight(page: OpenPage, column: number): number {
  return (currentBand(page)?.areas[column]?.height ?? 0) + otherNotesHeight(page)
}

/** The room that the notes of the current column share with text that is to come. */
export function noteRoom(page: OpenPage): number {
  return page.bottom - otherNotesHeight(page) - page.region.y
}

function otherNotesHeight(page: OpenPage): number {
  const own = currentBand(page)
  return page.notes.reduce((height, band) => (band === own ? height : height + bandHeight(band)), 0)
}

function bandHeight({ areas }: NoteBand): number {
  return Math.max(...areas.map(({ height }) => height))
}

/** The height that footnotes take at the foot of the whole page. */
export function allNotesHeight({ notes }: OpenPage): number {
  return notes.reduce((height, band) => height + bandHeight(band), 0)
}

/** A count that changes whenever a note comes to the page. */
export function noteFrames({ notes }: OpenPage): number {
  let count = 0
  for (const { areas } of notes) for (const { frames } of areas) count += frames.length
  return count
}

/** The notes of a page in place: the lowest band ends at the page's bottom or, given `top`, the highest begins there. */
export function placedNotes(page: OpenPage, top: number | undefined): Frame[] {
  const frames: Frame[] = []
  let y = top ?? page.bottom - allNotesHeight(page)
  for (const band of page.notes) {
    const height = bandHeight(band)
    for (const area of band.areas) {
      moveFrames(area.frames, 0, top === undefined ? y + height - area.height : y)
      frames.push(...area.frames)
    }
    y += height
  }
  return frames
}

/** Whether columns are in the same places. */
export function sameColumns(a: readonly Column[], b: readonly Column[]): boolean {
  return a.length === b.length && a.every(({ x, width }, index) => x === b[index]?.x && width === b[index]?.width)
}
