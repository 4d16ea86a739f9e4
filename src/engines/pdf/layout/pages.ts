import { limits } from '../../../core/limits.ts'
import { formatNumber } from '../../ooxml/numerals.ts'
import { type Frame, type Layout, moveFrames, type OutlineEntry, type StructureNode } from '../frame/frame.ts'
import type { Block, DocumentModel, HeaderKind, Section } from '../model/document.ts'
import type { Report } from '../report.ts'
import type { Cascade } from '../style/cascade.ts'
import { numberParagraphs } from '../style/labels.ts'
import { asArtifact, type Context, type FieldValues, forEndnote, within } from './context.ts'
import { Held } from './held.ts'
import { type AskedField, FieldGuesses, fieldsOn, type Known, knownOf, valueFrom } from './page/fields.ts'
import { drawFloats, isMovedByOwn, keepFree, runsOff, wayAround } from './page/floats.ts'
import { LineCounter } from './page/line-numbers.ts'
import { allNotesHeight, noteFrames, notesHeight, placedNotes } from './page/note-bands.ts'
import { Notes, noteRule } from './page/notes.ts'
import { fitToGrid, type OpenPage } from './page/open-page.ts'
import { type Running, RunningMatter } from './page/running.ts'
import { RunningHeads } from './page/running-heads.ts'
import {
  type Column,
  columnRules,
  columnsOf,
  pageBorders,
  paper,
  sectionMark,
  splitSections,
  structuredCopy,
} from './page/sheet.ts'
import { sectionForText, turnedPage } from './page/vertical.ts'
import { collectInlines } from './paragraph/inline.ts'
import { ListPool } from './paragraph/plan.ts'
import type { BlockBox, Gap, Slice } from './slice.ts'
import { BlockSequence, layoutStack, type SequenceMark, type StackPlace } from './stack.ts'

/** Page fields depend on the page count and the other way round; two more passes settle all but paradoxes. */
const PASSES = 3

/**
 * Lays the whole document out into pages (sections, columns, headers, notes); stops at `limits.renderPages`, and throws
 * `OverBudget` where the pages hold more than `maxBytes`.
 */
export function layoutDocument(model: DocumentModel, cascade: Cascade, report: Report, maxBytes: number): Layout {
  const labels = numberParagraphs(model.body, cascade)
  let known: Known | undefined
  let paginator = new Paginator(model, cascade, report, labels, known, maxBytes)
  paginator.run()
  for (let pass = 1; pass < PASSES && paginator.guessedWrong(); pass++) {
    known = paginator.found()
    paginator = new Paginator(model, cascade, report, labels, known, maxBytes)
    paginator.run()
  }
  return paginator.finish()
}

/** A place that the paginator goes back to, to lay out for another page what is to stand beside floating objects. */
interface Restart {
  mark: SequenceMark
  page: OpenPage | undefined
  exclusions: number
  held: number
  /** Something floats beside what has been laid out from here on. */
  floats: boolean
}

/** Where a slice comes from, so that it can be laid out once more: the block before which the sequence stood. */
interface Origin {
  mark: SequenceMark
  /** Which of the block's slices it is, and the entry that it begins with where it is a line. */
  index: number
  entry: number | undefined
  /** Of the column that it was laid out for. */
  width: number
}

class Paginator {
  private readonly pages: OpenPage[] = []
  private readonly base: Context
  /** Of the section being filled. */
  private context: Context
  private current: OpenPage | undefined
  private sectionIndex = -1
  private pendingBreak: 'page' | 'column' | undefined
  private truncated = false
  /** The slices that are waiting for their place, in sections whose slices may have to be laid out once more. */
  private origins: Map<Slice, Origin> | undefined
  /** While a section is tried out for balancing: what its last page begins with. */
  private lastStart: { page: OpenPage; saved: ReturnType<Paginator['save']>; origin: Origin } | undefined
  /** The column that the slices to be placed were laid out for. */
  private laidFor: { page: OpenPage; column: number } | undefined
  /** The block that the current section's first one follows on the same page. */
  private above: BlockBox | undefined
  private lastBox: BlockBox | undefined
  private readonly outline: OutlineEntry[] = []
  private readonly structure: StructureNode[] = []
  private readonly bookmarks = new Map<string, string>()
  /** What fields of the body were given, and those of headers and footers while these were measured. */
  private readonly guesses: FieldGuesses
  private readonly runningGuesses: FieldGuesses
  /** A header or footer was measured with what it quotes of the pages before it. */
  private quotes = false
  private known: Known | undefined
  private readonly notes: Notes
  private readonly running: RunningMatter
  private readonly heads: RunningHeads
  private readonly lines = new LineCounter()

  constructor(
    private readonly model: DocumentModel,
    private readonly cascade: Cascade,
    private readonly report: Report,
    labels: Context['labels'],
    known: Known | undefined,
    maxBytes: number,
  ) {
    this.guesses = new FieldGuesses(known)
    this.runningGuesses = new FieldGuesses(known)
    this.notes = new Notes(model, cascade, known?.notePages)
    this.running = new RunningMatter(model, cascade)
    this.base = {
      model,
      cascade,
      report,
      held: Held.upTo(maxBytes),
      labels,
      structure: { add: (node) => this.structure.push(node) - 1 },
      lists: new ListPool(),
      landed: new Set(),
      artifact: false,
      section: model.lastSection,
      gridPitch: 0,
      sectionMark: undefined,
      fields: fieldsOn(() => this.current, cascade.language, { ahead: (asked) => this.guesses.value(asked) }),
      notes: this.notes,
      noteMark: '',
      depth: 0,
      inner: { stack: layoutStack, plan: collectInlines },
    }
    this.context = this.base
    this.heads = new RunningHeads(model, labels)
  }

  run(): void {
    const sections = splitSections(this.model).map(({ section, blocks }) => ({
      section: sectionForText(section),
      blocks,
    }))
    for (const [index, { section, blocks }] of sections.entries()) {
      this.sectionIndex++
      this.context = within(this.base, section, sectionMark(blocks))
      this.openSection(section)
      if (sections[index + 1]?.section.type === 'continuous' && columnsOf(section).length > 1) this.flowBalanced(blocks)
      else this.flow(blocks)
      if (this.truncated) return
      if (this.model.settings.endnotes.atSectionEnd) this.flowEndnotes()
      this.closeColumns(section)
    }
    this.flowEndnotes()
    while (this.notes.unfinished && !this.truncated) this.advance(true)
    if (!this.current) this.openSection(this.model.lastSection)
  }

  /**
   * Columns that end in a continuous break come out equally long: the section, or what of it stands on its last page,
   * is set again with a lower and lower end, as long as it still stays on its page.
   */
  private flowBalanced(blocks: readonly Block[]): void {
    let page = this.current!
    let saved = this.save(page)
    this.lastStart = undefined
    this.flow(blocks)
    const from = this.lastStart as Paginator['lastStart']
    if (this.current !== page && from && from.page === this.current) {
      page = from.page
      saved = from.saved
    }
    if (this.current !== page || noteFrames(page) !== saved.notes) return
    const again = () => this.flow(blocks, from?.page === page ? from.origin : undefined)
    let low = page.regionTop
    let high = page.bottom
    for (let step = 0; step < BALANCE_STEPS; step++) {
      this.restore(page, saved)
      page.columnLimit = (low + high) / 2
      again()
      if (this.current === page) high = page.columnLimit
      else low = page.columnLimit
    }
    this.restore(page, saved)
    page.columnLimit = high
    again()
    page.columnLimit = Number.POSITIVE_INFINITY
  }

  private save(page: OpenPage) {
    const { column, y, fresh, natural, regionBottom, closing } = page
    const lengths = {
      body: page.body.length,
      front: page.front.length,
      behind: page.behind.length,
      exclusions: page.exclusions.length,
    }
    const state = { column, y, fresh, natural, regionBottom, closing }
    return {
      state,
      lengths,
      notes: noteFrames(page),
      pages: this.pages.length,
      outline: this.outline.length,
      pendingBreak: this.pendingBreak,
      lines: this.lines.count,
      held: this.context.held.bytes,
    }
  }

  private restore(page: OpenPage, saved: ReturnType<Paginator['save']>): void {
    Object.assign(page, saved.state)
    for (const name of ['body', 'front', 'behind', 'exclusions'] as const) page[name].length = saved.lengths[name]
    this.pages.length = saved.pages
    this.outline.length = saved.outline
    this.pendingBreak = saved.pendingBreak
    this.lines.count = saved.lines
    this.context.held.backTo(saved.held)
    this.current = page
    this.truncated = false
  }

  /** Draws the rules between the columns of a section that ends here. */
  private closeColumns(section: Section): void {
    const page = this.current
    if (!page || !section.columnLine) return
    page.front.push(...columnRules(page.columns, page.regionTop, page.regionBottom))
  }

  private openSection(section: Section): void {
    const page = this.current
    this.lines.restart(section.lineNumbers, 'newSection')
    const hard = this.pendingBreak === 'page'
    this.pendingBreak = undefined
    const sameSheet =
      page &&
      page.section.width === section.width &&
      page.section.height === section.height &&
      page.section.linesRunDown === section.linesRunDown
    if (page && sameSheet && !hard && (section.type === 'continuous' || section.type === 'nextColumn')) {
      this.closeColumn()
      this.above = page.columns.length > 1 ? undefined : this.lastBox
      page.regionTop = Math.max(page.y, page.regionBottom)
      page.columns = columnsOf(section)
      // All columns begin below the space that the paragraph above them asks for, not the first one alone.
      if (this.above && page.columns.length > 1) {
        page.regionTop += this.above.after
        this.above = { ...this.above, spent: this.above.after }
      }
      page.y = page.regionTop
      page.column = 0
      page.fresh = page.body.length === 0
      page.natural = false
      return
    }
    this.above = undefined
    this.newPage(section, true)
    const number = this.current!.number
    const wrongSide =
      (section.type === 'evenPage' && number % 2 === 1) || (section.type === 'oddPage' && number % 2 === 0)
    if (page && wrongSide) this.newPage(section, true)
  }

  private newPage(section: Section, firstOfSection: boolean): void {
    this.closeColumn()
    if (!firstOfSection) this.closeColumns(section)
    if (this.pages.length >= limits.renderPages) {
      this.truncated = true
      this.report.add(
        'render.pages_limit',
        `The document has more than ${limits.renderPages} pages; the rest is left out.`,
        undefined,
        'Split the document.',
      )
      return
    }
    const previous = this.current?.number ?? 0
    const number = firstOfSection && section.pageNumberStart !== undefined ? section.pageNumberStart : previous + 1
    const open: OpenPage = {
      page: {
        width: (section.sheet ?? section).width,
        height: (section.sheet ?? section).height,
        number,
        label: formatNumber(number, section.pageNumberFormat, this.cascade.language),
        frames: [],
      },
      section,
      sectionIndex: this.sectionIndex,
      firstOfSection,
      top: 0,
      bottom: 0,
      columns: columnsOf(section),
      column: 0,
      regionTop: 0,
      regionBottom: 0,
      y: 0,
      fresh: true,
      natural: !firstOfSection,
      behind: [],
      body: [],
      front: [],
      notes: [],
      closing: undefined,
      number,
      exclusions: [],
      columnLimit: Number.POSITIVE_INFINITY,
      gridShift: 0,
      gridRest: 0,
    }
    this.current = open
    const { margins } = section
    // The text of a page lying on its side begins beside the header, not below it.
    const grows = section.sheet === undefined
    const variant = this.variant(open)
    const headerHeight = grows ? this.measure({ area: 'header', variant }, open) : 0
    const footerHeight = grows ? this.measure({ area: 'footer', variant }, open) : 0
    open.top =
      margins.top < 0 ? -margins.top : Math.max(margins.top, headerHeight > 0 ? margins.header + headerHeight : 0)
    const lower =
      margins.bottom < 0
        ? -margins.bottom
        : Math.max(margins.bottom, footerHeight > 0 ? margins.footer + footerHeight : 0)
    open.bottom = Math.max(open.top + 24, section.height - lower)
    if (section.gridPitch > 0) fitToGrid(open, section.gridPitch)
    open.y = open.top
    open.regionTop = open.top
    open.regionBottom = open.top
    this.context.held.reach(this.pages.push(open))
    this.notes.resume(this.context, open)
    this.lines.restart(section.lineNumbers, 'newPage')
  }

  /** How high a header or footer is, on a page that comes after those that there are. */
  private measure(running: Running, open: OpenPage): number {
    const quote = (style: string, switches: string) => {
      this.quotes = true
      return this.heads.shown(style, switches, this.pages.length - 1)
    }
    const ahead = (asked: AskedField) => this.runningGuesses.value(asked)
    const fields = fieldsOn(() => open, this.cascade.language, { quote, ahead })
    return this.running.height(this.context, running, open, fields)
  }

  private variant(open: OpenPage): HeaderKind {
    if (open.firstOfSection && open.section.titlePage) return 'first'
    return this.model.settings.evenAndOddHeaders && open.number % 2 === 0 ? 'even' : 'default'
  }

  /** @param from where to begin inside of the blocks; what stands before it is on its pages already */
  private flow(blocks: readonly Block[], from?: Origin): void {
    const sequence = new BlockSequence(this.context, blocks, this.above, this.lastBox)
    const { section } = this.context
    this.origins = columnsOf(section).length > 1 ? new Map() : undefined
    let next = from
    if (from) sequence.rewind(from.mark)
    let group: Slice[] = []
    let groupHeight = 0
    /** Where the group begins with a block's first slice, and may so be laid out for another page. */
    let start: Restart | undefined
    for (;;) {
      if (this.pendingBreak && group.length === 0 && sequence.more) this.takeBreak()
      const page = this.current
      if (!page || this.truncated) return
      const column = page.columns[page.column]!
      const ahead = ({ below, atTop }: Gap) =>
        group.length > 0 || !page.fresh ? groupHeight + below : page.natural ? 0 : atTop
      const top = (gap: Gap) => page.y + ahead(gap)
      const beside: Pick<StackPlace, 'wrap' | 'float' | 'runsOff'> = {
        wrap: (gap) => (this.pendingBreak ? undefined : wayAround(page, column, top(gap))),
        float: (objects, gap) => !this.pendingBreak && keepFree(page, column, objects, top(gap)),
        runsOff: (object, gap) => runsOff(page, column, object, top(gap)),
      }
      const here = this.restartAt(sequence)
      const { index = 0, entry } = next ?? {}
      next = undefined
      const box = sequence.next({ width: column.width, parent: -1, ...beside, from: entry })
      if (!box) break
      const slices = entry === undefined && index > 0 ? box.slices.slice(index) : box.slices
      if (this.origins) {
        const { width } = column
        for (const [at, slice] of slices.entries())
          this.origins.set(slice, { mark: here.mark, index: index + at, entry: slice.entry, width })
      }
      const floats = index === 0 && floatsIn(box)
      this.laidFor = { page, column: page.column }
      if (group.length === 0) start = { ...here, floats }
      else if (start) start.floats ||= floats
      for (const slice of slices) {
        if (slice.pageBreakBefore) {
          // Nothing keeps with a paragraph that asks for a page of its own.
          if (group.length > 0) this.placeGroup(group, false)
          group = []
          groupHeight = 0
          start = undefined
          this.breakPage()
          if (this.truncated) return
          if (floats && this.current !== page) {
            this.goBack(sequence, here)
            break
          }
        }
        group.push(slice)
        groupHeight += slice.before + slice.height
        // A chain of keep-next longer than a page cannot be kept; it is set as it comes.
        const tooLong = groupHeight > page.bottom - page.top
        if (slice.stick && !tooLong) continue
        if (group.length === 1 && slices.length === 1) this.keepBesideOwn(slice, here.exclusions)
        const again = start?.floats && this.movesOn(group) ? start : undefined
        if (again) {
          this.goBack(sequence, again)
          this.advance(true)
        } else next = this.placeGroup(group)
        group = []
        groupHeight = 0
        start = undefined
        if (this.truncated) return
        if (next) sequence.rewind(next.mark)
        if (again || next) break
      }
    }
    if (group.length > 0) this.placeGroup(group, false)
    this.lastBox = sequence.last
  }

  /** What it takes to lay out the blocks from here on once more, on another page. */
  private restartAt(sequence: BlockSequence): Restart {
    const { current: page, context } = this
    const exclusions = page?.exclusions.length ?? 0
    return { mark: sequence.mark(), page, exclusions, held: context.held.bytes, floats: false }
  }

  private goBack(sequence: BlockSequence, { mark, page, exclusions, held }: Restart): void {
    sequence.rewind(mark)
    this.context.held.backTo(held)
    if (page) page.exclusions.length = exclusions
  }

  /**
   * A paragraph of nothing but floating objects stays on the page that they end on, though its own line has no room
   * below them: so a page can be filled with objects.
   *
   * @param own from where on the page's exclusions are those of the paragraph
   */
  private keepBesideOwn(slice: Slice, own: number): void {
    const lead = this.leadOf(slice)
    if (lead <= 0 || !slice.anchors || slice.frames.some(({ kind }) => kind !== 'destination')) return
    const needed = this.neededHeight([slice])
    if (needed <= this.room() || needed - lead > this.room()) return
    const page = this.current!
    const top = page.y + this.spaceAbove(slice) - lead
    if (!isMovedByOwn(page, own, top, slice.height)) return
    slice.before -= lead
    if (slice.beforeAtTop !== undefined) slice.beforeAtTop -= lead
    slice.lead = 0
  }

  /** True when slices that must stay together leave the page that they were laid out for. */
  private movesOn(group: readonly Slice[]): boolean {
    if (this.current!.fresh) return false
    const whole = this.neededHeight(group)
    if (group.length === 1) return whole > this.room() + 0.01 && group[0]!.split === undefined
    return whole > this.room() && whole <= this.freshRoom()
  }

  private breakPage(): void {
    const page = this.current
    if (!page || (page.fresh && page.column === 0 && page.body.length === 0 && !this.pendingBreak)) {
      if (page?.natural) page.natural = this.dropsSpaceAtBreak
      return
    }
    this.pendingBreak = undefined
    this.newPage(this.context.section, false)
    if (this.current) this.current.natural = this.dropsSpaceAtBreak
  }

  /** Word keeps the space above a paragraph that asks for a new page or column, until the mode of 2013. */
  private get dropsSpaceAtBreak(): boolean {
    return this.model.settings.compatibility >= 15
  }

  /** The next column, or the next page after the last one. */
  private advance(natural: boolean): void {
    const page = this.current!
    if (page.column + 1 < page.columns.length) {
      this.closeColumn()
      page.column++
      page.y = page.regionTop
      page.fresh = true
      page.natural = natural
      this.notes.resume(this.context, page)
      return
    }
    this.newPage(this.context.section, false)
    if (this.current) this.current.natural = natural
  }

  /** Goes on where a break has sent the text. */
  private takeBreak(): void {
    const kind = this.pendingBreak
    this.pendingBreak = undefined
    if (kind === 'page') this.newPage(this.context.section, false)
    else if (kind === 'column') this.advance(this.dropsSpaceAtBreak)
  }

  /**
   * Places slices that belong together, on the next page where need be.
   *
   * @returns where to go on when the rest comes to stand in a column of another width, for which it has to be laid out
   */
  private placeGroup(group: readonly Slice[], mayTurn = true): Origin | undefined {
    this.takeBreak()
    if (this.truncated) return undefined
    const queue = [...group]
    if (queue.length > 1 && this.movesOn(queue)) {
      this.advance(true)
      if (this.truncated) return undefined
    }
    while (queue.length > 0) {
      const slice = queue[0]!
      const turned = mayTurn ? this.turnAt(slice) : undefined
      if (turned) return turned
      const needed = this.neededHeight([slice])
      if (needed <= this.room() + 0.01) {
        this.place(slice)
        queue.shift()
      } else {
        const parts = slice.split?.(this.room() - this.spaceAbove(slice), this.current!.fresh)
        if (parts) {
          parts[0].before = slice.before
          if (slice.beforeAtTop !== undefined) parts[0].beforeAtTop = slice.beforeAtTop
          this.place(parts[0])
          queue[0] = parts[1]
          this.advance(true)
        } else if (this.current!.fresh) {
          this.place(slice)
          queue.shift()
        } else this.advance(true)
      }
      if (this.truncated) return undefined
    }
    return undefined
  }

  /** Where to go on with a slice that comes first in a column of another width than it was laid out for. */
  private turnAt(slice: Slice): Origin | undefined {
    const page = this.current!
    const origin = page.fresh ? this.origins?.get(slice) : undefined
    if (!origin) return undefined
    const { width } = page.columns[page.column]!
    const isPart = origin.entry === undefined && origin.index > 0
    return isPart || Math.abs(origin.width - width) < 0.01 ? undefined : origin
  }

  private room(): number {
    const page = this.current!
    return Math.min(page.bottom - notesHeight(page, page.column), page.columnLimit) - page.y
  }

  private freshRoom(): number {
    const page = this.current!
    return page.column + 1 < page.columns.length
      ? Math.min(page.bottom - notesHeight(page, page.column + 1), page.columnLimit) - page.regionTop
      : page.bottom - page.top
  }

  private neededHeight(slices: readonly Slice[]): number {
    let height = 0
    const notes: string[] = []
    for (const slice of slices) {
      height += slice === slices[0] ? this.spaceAbove(slice) : slice.before
      height += slice.height
      if (slice.notes) notes.push(...slice.notes)
    }
    if (notes.length > 0) height += this.notes.height(this.context, notes, this.current!)
    const last = slices.at(-1)
    return height - (last?.slack ?? 0) + (last?.foot ?? 0)
  }

  private place(slice: Slice): void {
    const page = this.current!
    const origin = page.fresh && page.column === 0 ? this.origins?.get(slice) : undefined
    if (origin) this.lastStart = { page, saved: this.save(page), origin }
    const column = page.columns[page.column]!
    if (page.fresh && page.natural && this.repeatedHeight(slice) > 0) this.repeatHeader(slice.repeat!, column)
    else page.y += this.spaceAbove(slice)
    const { y } = page
    moveFrames(slice.frames, column.x, y)
    for (const frame of slice.frames) page.body.push(frame)
    if (slice.isRepeated) this.placedAt.set(slice, { x: column.x, y })
    this.numberLine(slice, page, column)
    this.collectBookmarks(slice.frames, page)
    // A line that moved below its own object is not where its paragraph began.
    if (slice.anchors) drawFloats(page, column, slice.anchors, page.y - this.leadOf(slice))
    if (slice.begins) this.heads.note(slice.begins.paragraph, slice.begins.style, this.pages.length - 1)
    if (slice.heading) {
      this.outline.push({ title: slice.heading.title, level: slice.heading.level, page: this.pages.length - 1, y })
    }
    page.closing = slice.closing ? { frames: slice.closing, x: column.x, y: page.y } : undefined
    page.y += slice.height
    page.regionBottom = Math.max(page.regionBottom, page.y)
    page.fresh = false
    if (slice.notes) for (const id of slice.notes) this.notes.place(this.context, id, page, slice.slack ?? 0)
    if (slice.breakAfter) this.pendingBreak = slice.breakAfter
  }

  private numberLine(slice: Slice, page: OpenPage, column: Column): void {
    const settings = this.context.section.lineNumbers
    if (!settings || slice.baseline === undefined) return
    const number = this.lines.next(this.context, settings, column.x, page.y + slice.baseline)
    if (number) page.body.push(number)
  }

  /** What goes before a slice where the page stands now: at a page's top the repeated rows, or what was asked for. */
  private spaceAbove(slice: Slice): number {
    const page = this.current!
    if (!page.fresh) return slice.before
    return page.natural ? this.repeatedHeight(slice) + this.leadOf(slice) : (slice.beforeAtTop ?? slice.before)
  }

  /** How far the slice gives way where the page stands now, which it only does where it was laid out for. */
  private leadOf(slice: Slice): number {
    const page = this.current!
    const { laidFor } = this
    return laidFor?.page === page && laidFor.column === page.column ? (slice.lead ?? 0) : 0
  }

  /** Height of the header rows that a row brings along to a new page; none when they would take half of it. */
  private repeatedHeight(slice: Slice): number {
    if (!slice.repeat || slice.isRepeated) return 0
    let height = 0
    for (const row of slice.repeat) height += row.height
    const page = this.current!
    return height > (page.bottom - page.top) / 2 ? 0 : height
  }

  private repeatHeader(repeat: readonly Slice[], column: Column): void {
    const page = this.current!
    for (const slice of repeat) {
      // The originals were moved to where they stand; the copies start from there.
      const original = this.placedAt.get(slice)
      if (!original) continue
      const copies = structuredCopy(slice.frames)
      this.context.held.frames(copies)
      moveFrames(copies, column.x - original.x, page.y - original.y)
      page.body.push(...copies)
      page.y += slice.height
    }
    page.fresh = false
    page.natural = false
  }

  private readonly placedAt = new Map<Slice, { x: number; y: number }>()

  private collectBookmarks(frames: readonly Frame[], page: OpenPage): void {
    for (const frame of frames) {
      if (frame.kind === 'destination' && !this.bookmarks.has(frame.name))
        this.bookmarks.set(frame.name, page.page.label)
    }
  }

  private closeColumn(): void {
    const page = this.current
    if (!page?.closing) return
    const { frames, x, y } = page.closing
    moveFrames(frames, x, y)
    page.body.push(...frames)
    page.closing = undefined
  }

  private flowEndnotes(): void {
    const ids = this.notes.endnotes.splice(0)
    if (ids.length > 0) this.flowEndnoteRule()
    for (const id of ids) this.flowEndnote(id)
  }

  /** The rule stands in a paragraph of its own below the text, as wide and as far from the note as that of footnotes. */
  private flowEndnoteRule(): void {
    const { endnoteSeparator } = this.model
    if (!endnoteSeparator) return
    this.above = this.lastBox
    this.flowWith(asArtifact(this.context), endnoteSeparator)
    const page = this.current!
    if (!this.truncated) page.body.push(noteRule(page.columns[page.column]!, page.y))
  }

  private flowEndnote(id: string): void {
    const blocks = this.model.endnotes.get(id) ?? []
    this.above = this.lastBox
    const labels = numberParagraphs(blocks, this.cascade)
    this.flowWith(forEndnote(this.context, this.notes.mark('endnote', id), labels), blocks)
  }

  private flowWith(context: Context, blocks: readonly Block[]): void {
    const own = this.context
    this.context = context
    this.flow(blocks)
    this.context = own
  }

  /** True when a field was given (or kept) a value that the finished layout contradicts, and the body depends on it. */
  guessedWrong(): boolean {
    const found = () => this.found()
    if (this.guesses.wereWrong(found) || this.notes.isNumberedOtherwise(this.found().notePages)) return true
    if (!this.runningGuesses.wereWrong(found)) return false
    // What headers and footers show leaves the text as it is, unless it makes them higher or lower.
    return this.quotes || this.running.measuresOtherwise(this.base, (page) => this.finalFields(page))
  }

  /** What the fields of a page's running matter show once all pages are there. */
  private finalFields(page: OpenPage, index = this.pages.indexOf(page)): FieldValues {
    return fieldsOn(() => page, this.cascade.language, {
      quote: (style, switches) => this.heads.shown(style, switches, index),
      ahead: (asked) => valueFrom(this.found(), asked),
    })
  }

  /** What the pages tell once all of them are there. */
  found(): Known {
    this.known ??= knownOf(this.pages, this.bookmarks, this.notes.pages, this.cascade.language)
    return this.known
  }

  /** Adds what stands on every page around the body, now that all numbers are known. */
  finish(): Layout {
    this.closeColumn()
    for (const [index, open] of this.pages.entries()) {
      const { page, section } = open
      const context = within(this.base, section)
      const fields = this.finalFields(open, index)
      context.held.reach(index + 1)
      const free = open.bottom - allNotesHeight(open) - open.regionBottom
      if (section.vertical !== 'top' && free > 0)
        moveFrames(open.body, 0, section.vertical === 'bottom' ? free : free / 2)
      // A page with footnotes has its grid begin at the margin.
      if (open.notes.length > 0 && open.gridShift > 0) moveFrames(open.body, 0, -open.gridShift)
      const { beneathText } = this.model.settings.footnotes
      const notes = placedNotes(open, beneathText ? open.regionBottom : undefined)
      const variant = this.variant(open)
      const sheet = section.sheet ?? section
      const onSheet = { ...open, section: sheet }
      const header = this.running.place(context, { area: 'header', variant }, onSheet, fields)
      const footer = this.running.place(context, { area: 'footer', variant }, onSheet, fields)
      const behind = [...header.behind, ...footer.behind]
      const running = [...header.frames, ...footer.frames]
      const text = [...open.behind, ...open.body, ...notes, ...open.front]
      const placed = section.sheet ? [turnedPage(text, sheet.width)] : text
      if (section.sheet && text.some(({ kind }) => kind === 'image' || kind === 'group'))
        this.report.unsupported('word/document.xml', 'w:textDirection', 'pictures lie on their side, like the text')
      page.frames = [...paper(sheet, this.model.background), ...behind, ...running, ...placed, ...pageBorders(sheet)]
    }
    return { pages: this.pages.map((open) => open.page), structure: this.structure, outline: this.outline }
  }
}

/** True when a block's lines depend on where it stands: something floats beside them. */
function floatsIn(box: BlockBox): boolean {
  if (box.gaveWay) return true
  return box.slices.some((slice) => slice.anchors?.some(({ anchor }) => anchor.wrap !== 'none'))
}

/** Halvings of a page's height that bring balanced columns within a point of each other. */
const BALANCE_STEPS = 9
