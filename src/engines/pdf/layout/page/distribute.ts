import { moveFrames } from '../../frame/frame.ts'
import type { Block } from '../../model/document.ts'
import { showsPage } from '../../model/stories.ts'
import type { Context } from '../context.ts'
import type { BlockBox, Slice } from '../slice.ts'
import { BlockSequence } from '../stack.ts'
import {
  besideFloats,
  drawBeside,
  keepBesideOwn,
  neededHeight,
  nextRoom,
  placeNotes,
  repeatedRows,
  roomOn,
  spaceAbove,
} from './compose.ts'
import { numberOfLine } from './line-numbers.ts'
import { notesHeight } from './note-bands.ts'
import { columnOf, type OpenPage } from './open-page.ts'
import type { Pass } from './pass.ts'
import { columnsOf, structuredCopy } from './sheet.ts'
import { advance, breakPage, isUntouched, takeBreak } from './turn.ts'
import { type Checkpoint, checkpoint, type Origin, type Origins, type Remainder, restore } from './work.ts'

/** Slices that keep together, laid out for the current column and not yet placed. */
interface Waiting {
  slices: Slice[]
  height: number
  /** Checkpoint from which to lay them out for another page; undefined once some of them are placed. */
  from: Checkpoint | undefined
  /** They are valid for this page only: something floats beside them, or they show its number. */
  ofOnePage: boolean
}

const nothing = (): Waiting => ({ slices: [], height: 0, from: undefined, ofOnePage: false })

/** Distributes blocks over columns and pages: lays out one after another, and places slices once their group is complete. */
export class Distribution {
  /** Where the text of the current page begins, in sections of several columns. */
  pageStart: Checkpoint | undefined
  private readonly sequence: BlockSequence
  private resume: Remainder['resume']
  private waiting = nothing()
  /** For slices that are valid only for columns of one width, or for one page. */
  private readonly origins: Origins = new Map()
  private readonly hasColumns: boolean
  /** Where repeated rows were placed: their copies start from there. */
  private readonly placedAt = new Map<Slice, { x: number; y: number }>()

  constructor(
    private readonly pass: Pass,
    private readonly context: Context,
    private readonly blocks: readonly Block[],
  ) {
    const { above, last } = pass.work
    this.sequence = new BlockSequence(context, blocks, above, last)
    this.hasColumns = columnsOf(context.section).length > 1
  }

  /** Goes on until no block is left. */
  run(): void {
    const { pass, context, sequence } = this
    const { work } = pass
    for (;;) {
      if (work.pendingBreak && this.waiting.slices.length === 0 && sequence.more) takeBreak(pass, context)
      if (work.truncated) return
      const here = this.checkpoint()
      const box = this.layOutNext()
      if (!box) break
      this.take(box, here)
      if (work.truncated) return
    }
    this.placeWaiting()
    work.last = sequence.last
  }

  checkpoint(): Checkpoint {
    const { pass, resume } = this
    return checkpoint(pass, pass.work, { left: this.sequence.left, resume })
  }

  restore(saved: Checkpoint): void {
    restore(this.pass, this.pass.work, saved)
    this.resumeAt(saved)
  }

  private resumeAt({ left, resume }: Remainder): void {
    this.sequence.left = left
    this.resume = resume
    this.waiting = nothing()
  }

  /** The next block, laid out around the floating objects of the current page. */
  private layOutNext(): BlockBox | undefined {
    const { work } = this.pass
    const { page } = work
    const { width } = columnOf(page)
    const waiting = this.waiting.slices.length > 0 ? this.waiting.height : undefined
    const beside = besideFloats(work, waiting, this.context.model.settings.compatibility)
    const box = this.sequence.next({ width, parent: -1, ...beside, from: this.resume?.entry })
    work.laidFor = { page, column: page.region.column }
    return box
  }

  /** Adds a block's slices to the waiting ones, and places each group that is complete. */
  private take(box: BlockBox, here: Checkpoint): void {
    const { work } = this.pass
    const { page } = work
    const { slice: index, entry } = this.resume ?? fromTheTop
    const slices = entry === undefined ? box.slices.slice(index) : box.slices
    this.resume = undefined
    const block = this.blocks[here.left.at]
    const hasPageNumber = block !== undefined && showsPage(block)
    this.noteOrigins(slices, here, { index, hasPageNumber })
    const ofOnePage = hasPageNumber || floatsIn(box)
    if (slices[0]?.pageBreakBefore) {
      if (this.breakBefore(ofOnePage ? here : undefined) === 'laid out anew') return
    } else if (this.waiting.slices.length === 0) this.waiting = { slices: [], height: 0, from: here, ofOnePage }
    else this.waiting.ofOnePage ||= ofOnePage
    for (const slice of slices) {
      if (work.truncated) return
      const { waiting } = this
      waiting.slices.push(slice)
      waiting.height += slice.before + slice.height
      // A chain of keep-next longer than a page cannot be kept together; it breaks anywhere.
      const tooLong = waiting.height > page.bottom - page.top
      if (slice.stick && !tooLong) continue
      if (waiting.slices.length === 1 && slices.length === 1)
        keepBesideOwn(this.pass, this.context, slice, here.exclusions)
      if (this.placeWhole() === 'laid out anew') return
    }
  }

  private noteOrigins(
    slices: readonly Slice[],
    { left }: Checkpoint,
    { index, hasPageNumber }: { index: number; hasPageNumber: boolean },
  ): void {
    if (!this.hasColumns && !hasPageNumber) return
    const { page } = this.pass.work
    const laidFor = { width: columnOf(page).width, page: hasPageNumber ? page : undefined }
    for (const [at, slice] of slices.entries())
      this.origins.set(slice, { left, resume: { slice: index + at, entry: slice.entry }, ...laidFor })
  }

  /**
   * Breaks the page before a paragraph that begins a new one; nothing keeps together across this break.
   *
   * @param ofOnePage checkpoint to return to if the paragraph's lines are valid only for the page before: something
   * floats beside them, or they show the number of their page
   */
  private breakBefore(ofOnePage: Checkpoint | undefined): Fate {
    const { pass, context } = this
    const leaves = this.waiting.slices.length > 0 || !isUntouched(pass.work.page)
    const anew = leaves ? ofOnePage : undefined
    if (anew) restore(pass, pass.work, anew)
    this.placeWaiting()
    if (!pass.work.truncated) breakPage(pass, context)
    if (!anew) return 'placed'
    this.resumeAt(anew)
    return 'laid out anew'
  }

  private placeWaiting(): void {
    const { slices } = this.waiting
    this.waiting = nothing()
    if (slices.length > 0) this.placeGroup(slices)
  }

  /** Places what waits, unless it has to be laid out for another page or column first. */
  private placeWhole(): Fate {
    const { slices, from, ofOnePage } = this.waiting
    if (from && ofOnePage && this.movesOn(slices)) {
      this.restore(from)
      advance(this.pass, this.context, 'by running over')
      return 'laid out anew'
    }
    this.waiting = nothing()
    const turned = this.placeGroup(slices, this.origins)
    if (!turned) return 'placed'
    this.resumeAt(turned)
    return 'laid out anew'
  }

  /** True if slices that must keep together leave the page that they were laid out for. */
  private movesOn(group: readonly Slice[]): boolean {
    const { page } = this.pass.work
    if (page.region.fresh) return false
    const whole = neededHeight(this.pass, this.context, group)
    const room = roomOn(page)
    if (group.length === 1) return whole > room + ROUNDING && group[0]?.split === undefined
    return whole > room && whole <= nextRoom(page)
  }

  /**
   * Places slices that belong together, on the next page if need be.
   *
   * @param origins origins of slices that may have to be laid out again for another column or page
   * @returns where to resume when the rest goes to a column or page that it was not laid out for
   */
  private placeGroup(group: readonly Slice[], origins?: Origins): Origin | undefined {
    const { pass, context } = this
    const { work } = pass
    takeBreak(pass, context)
    if (!work.truncated && group.length > 1 && this.movesOn(group)) advance(pass, context, 'by running over')
    for (const slice of group) {
      let left: Slice | undefined = slice
      while (left) {
        if (work.truncated) return undefined
        const turned = originElsewhere(work.page, origins?.get(left))
        if (turned) return turned
        left = this.placeOrTurn(left)
      }
    }
    return undefined
  }

  /** Places a slice, or the part of it that fits. If a rest remains, turns to the next column or page and returns the rest. */
  private placeOrTurn(slice: Slice): Slice | undefined {
    const { pass, context } = this
    const { page } = pass.work
    const room = roomOn(page)
    if (neededHeight(pass, context, [slice]) <= room + ROUNDING) {
      this.place(slice)
      return undefined
    }
    // A continued note may fill the column; the next one has more room.
    const hasAllRoom = page.region.fresh && notesHeight(page, page.region.column) === 0
    const parts = slice.split?.(room - spaceAbove(pass.work, slice), hasAllRoom ? 'anywhere' : 'where allowed')
    if (parts) {
      const [upper, lower] = parts
      upper.before = slice.before
      if (slice.beforeAtTop !== undefined) upper.beforeAtTop = slice.beforeAtTop
      this.place(upper)
      advance(pass, context, 'by running over')
      return lower
    }
    if (!hasAllRoom) {
      advance(pass, context, 'by running over')
      return slice
    }
    this.place(slice)
    return undefined
  }

  private place(slice: Slice): void {
    const { pass, context } = this
    const { work } = pass
    const { page } = work
    const { region } = page
    const origin = region.fresh && region.column === 0 ? this.origins.get(slice) : undefined
    if (origin) this.pageStart = checkpoint(pass, work, origin)
    const { x } = columnOf(page)
    const repeated = region.fresh && region.natural ? repeatedRows(page, slice) : []
    if (repeated.length > 0) this.repeat(repeated, page)
    else region.y += spaceAbove(work, slice)
    const { y } = region
    moveFrames(slice.frames, x, y)
    for (const frame of slice.frames) page.body.push(frame)
    if (slice.isRepeated) this.placedAt.set(slice, { x, y })
    this.numberLine(slice, page)
    noteWhatBegins(pass, slice)
    drawBeside(work, slice)
    region.closing = slice.closing ? { frames: slice.closing, x, y } : undefined
    region.y += slice.height
    region.bottom = Math.max(region.bottom, region.y)
    region.fresh = false
    placeNotes(pass, context, slice)
    if (slice.breakAfter) work.pendingBreak = slice.breakAfter
  }

  private numberLine(slice: Slice, page: OpenPage): void {
    const settings = this.context.section.lineNumbers
    if (!settings || slice.baseline === undefined) return
    const { work } = this.pass
    const place = { left: columnOf(page).x, baseline: page.region.y + slice.baseline }
    const number = numberOfLine(this.context, settings, work.lines++, place)
    if (number) page.body.push(number)
  }

  /** Copies the header rows of a table to the top of a page. */
  private repeat(rows: readonly Slice[], page: OpenPage): void {
    const { region } = page
    const { x } = columnOf(page)
    for (const slice of rows) {
      // The originals were moved to where they are drawn; the copies start from there.
      const original = this.placedAt.get(slice)
      if (!original) continue
      const copies = structuredCopy(slice.frames)
      this.context.held.frames(copies)
      moveFrames(copies, x - original.x, region.y - original.y)
      page.body.push(...copies)
      region.y += slice.height
    }
  }
}

/** Whether slices were placed, or the blocks from some point on have to be laid out for another place first. */
type Fate = 'placed' | 'laid out anew'

const fromTheTop = { slice: 0, entry: undefined }

/** Rounding error in sums of heights. */
const ROUNDING = 0.01

/** True when a block's lines depend on its place: something floats beside them. */
function floatsIn(box: BlockBox): boolean {
  if (box.gaveWay) return true
  return box.slices.some((slice) => slice.anchors?.some(({ anchor }) => anchor.wrap !== 'none'))
}

/** Where to resume if a slice comes first in a column of another width, or on another page, than it was laid out for. */
function originElsewhere(page: OpenPage, origin: Origin | undefined): Origin | undefined {
  if (!origin?.resume || !page.region.fresh) return undefined
  const { slice, entry } = origin.resume
  // A row after the first cannot be laid out without its table.
  if (entry === undefined && slice > 0) return undefined
  const isAsWide = Math.abs(origin.width - columnOf(page).width) < 0.01
  return isAsWide && (origin.page === undefined || origin.page === page) ? undefined : origin
}

/** Records headings, running heads and bookmarks that begin in a slice, for the outline and for fields. */
function noteWhatBegins({ work, outline, heads, bookmarks }: Pass, { frames, begins, heading }: Slice): void {
  const { page } = work
  for (const frame of frames) {
    if (frame.kind === 'destination' && !bookmarks.has(frame.name)) bookmarks.set(frame.name, page.page.label)
  }
  if (begins) heads.note(begins.paragraph, begins.style, page.index)
  if (heading) outline.push({ title: heading.title, level: heading.level, page: page.index, y: page.region.y })
}
