import { limits } from '../../../core/limits.ts'
import type { Block, DocumentModel, FieldKind, HeaderKind, Section } from '../read/model.ts'
import type { Report } from '../report.ts'
import type { Cascade } from '../style/cascade.ts'
import { numberParagraphs } from '../style/labels.ts'
import { formatNumber } from '../style/numerals.ts'
import { placeAnchored } from './anchors.ts'
import type { AnchoredObject, BlockBox, Context, Slice } from './context.ts'
import { type Frame, type Layout, moveFrames, type OutlineEntry } from './frame.ts'
import { Held } from './held.ts'
import { LineCounter } from './line-numbers.ts'
import { Notes } from './notes.ts'
import { geometryOf, type OpenPage } from './open-page.ts'
import { RunningMatter } from './running.ts'
import {
  type Column,
  columnRules,
  columnsOf,
  pageBorders,
  sectionMark,
  splitSections,
  structuredCopy,
} from './sheet.ts'
import { BlockSequence } from './stack.ts'
import { giveWay } from './wrap.ts'

/** Page fields depend on the page count and the other way round; two more passes settle all but paradoxes. */
const PASSES = 3

/** What an earlier pass found out, for fields that look ahead. */
interface Known {
  total: number
  sectionPages: number[]
  bookmarks: Map<string, string>
}

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

class Paginator {
  private readonly pages: OpenPage[] = []
  private readonly context: Context
  private current: OpenPage | undefined
  private sectionIndex = -1
  private pendingBreak: 'page' | 'column' | undefined
  private truncated = false
  /** The block that the current section's first one follows on the same page. */
  private above: BlockBox | undefined
  private lastBox: BlockBox | undefined
  private readonly outline: OutlineEntry[] = []
  private readonly bookmarks = new Map<string, string>()
  /** Values that fields of the body were given, to be compared with the truth. */
  private readonly guesses = new Map<
    string,
    { kind: FieldKind; argument: string; section: number; format: string; value: string | undefined }
  >()
  private readonly notes: Notes
  private readonly running: RunningMatter
  private readonly lines = new LineCounter()
  /** The page whose running matter is being laid out; fields then have their final values. */
  private finishing: OpenPage | undefined

  constructor(
    private readonly model: DocumentModel,
    private readonly cascade: Cascade,
    private readonly report: Report,
    private readonly labels: Context['labels'],
    private readonly known: Known | undefined,
    maxBytes: number,
  ) {
    this.context = {
      model,
      cascade,
      report,
      held: new Held(maxBytes),
      labels,
      structure: [],
      artifact: false,
      section: model.lastSection,
      gridPitch: 0,
      sectionMark: undefined,
      field: (kind, argument, format) => this.field(kind, argument, format),
      noteNumber: (note, id) => this.notes.number(note, id),
      noteMark: '',
      depth: 0,
    }
    this.notes = new Notes(model, cascade, this.context)
    this.running = new RunningMatter(model, cascade, this.context)
  }

  run(): void {
    const sections = splitSections(this.model)
    for (const [index, { section, blocks }] of sections.entries()) {
      this.sectionIndex++
      this.context.section = section
      this.context.gridPitch = section.gridPitch
      this.context.sectionMark = sectionMark(blocks)
      this.openSection(section)
      if (sections[index + 1]?.section.type === 'continuous' && columnsOf(section).length > 1) this.flowBalanced(blocks)
      else this.flow(blocks)
      if (this.truncated) return
      this.closeColumns(section)
    }
    for (const id of this.notes.endnotes) this.flowEndnote(id)
    while (this.notes.unfinished && !this.truncated) this.newPage(this.context.section, false)
    if (!this.current) this.openSection(this.model.lastSection)
  }

  /**
   * Columns that end in a continuous break come out equally long: the section is set again with a lower and lower
   * end, as long as it still stays on its page.
   */
  private flowBalanced(blocks: readonly Block[]): void {
    const page = this.current!
    const saved = this.save(page)
    this.flow(blocks)
    if (this.current !== page || page.notes.length !== saved.notes) return
    let low = page.regionTop
    let high = page.bottom
    for (let step = 0; step < BALANCE_STEPS; step++) {
      this.restore(page, saved)
      page.columnLimit = (low + high) / 2
      this.flow(blocks)
      if (this.current === page) high = page.columnLimit
      else low = page.columnLimit
    }
    this.restore(page, saved)
    page.columnLimit = high
    this.flow(blocks)
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
      notes: page.notes.length,
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
    this.context.held.bytes = saved.held
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
    const sameSheet = page && page.section.width === section.width && page.section.height === section.height
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
        width: section.width,
        height: section.height,
        number,
        label: formatNumber(number, section.pageNumberFormat),
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
      notesHeight: 0,
      closing: undefined,
      number,
      exclusions: [],
      columnLimit: Number.POSITIVE_INFINITY,
      gridShift: 0,
    }
    this.current = open
    const { margins } = section
    const headerHeight = this.running.height('header', this.variant(open), section)
    const footerHeight = this.running.height('footer', this.variant(open), section)
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
    this.context.held.page = this.pages.push(open)
    this.notes.resume(open)
    this.lines.restart(section.lineNumbers, 'newPage')
  }

  private variant(open: OpenPage): HeaderKind {
    if (open.firstOfSection && open.section.titlePage) return 'first'
    return this.model.settings.evenAndOddHeaders && open.number % 2 === 0 ? 'even' : 'default'
  }

  private flow(blocks: readonly Block[]): void {
    const sequence = new BlockSequence(this.context, blocks, this.above)
    let group: Slice[] = []
    let groupHeight = 0
    for (;;) {
      const page = this.current
      if (!page || this.truncated) return
      const column = page.columns[page.column]!
      const wrap = (gap: number) => this.wrapAt(page, column, groupHeight + gap)
      const float = (objects: readonly AnchoredObject[], gap: number) =>
        this.floatAt(page, column, objects, groupHeight + gap)
      const box = sequence.next({ width: column.width, parent: -1, wrap, float })
      if (!box) break
      for (const slice of box.slices) {
        if (slice.pageBreakBefore && group.length === 0) this.breakPage()
        group.push(slice)
        groupHeight += slice.before + slice.height
        // A chain of keep-next longer than a page cannot be kept; it is set as it comes.
        const tooLong = groupHeight > page.bottom - page.top
        if (slice.stick && !tooLong) continue
        this.placeGroup(group)
        if (this.truncated) return
        group = []
        groupHeight = 0
      }
    }
    if (group.length > 0) this.placeGroup(group)
    this.lastBox = sequence.last
  }

  /** Where the next paragraph's lines meet what floats on the page, when it comes to stand where it is expected. */
  private wrapAt(page: OpenPage, column: Column, ahead: number) {
    if (page.exclusions.length === 0 || this.pendingBreak) return undefined
    const top = page.y + ahead
    return (offset: number, height: number) =>
      giveWay(page.exclusions, column.x, column.x + column.width, top + offset, height)
  }

  private floatAt(page: OpenPage, column: Column, objects: readonly AnchoredObject[], ahead: number): boolean {
    let found = false
    for (const object of objects) {
      const { wrap, margins } = object.anchor
      if (wrap === 'none' || this.pendingBreak) continue
      const at = placeAnchored(object, geometryOf(page, column, page.y + ahead))
      page.exclusions.push({
        left: at.x - margins.left,
        right: at.x + object.width + margins.right,
        top: at.y - margins.top,
        bottom: at.y + object.height + margins.bottom,
        whole: wrap === 'topAndBottom',
      })
      found = true
    }
    return found
  }

  private breakPage(): void {
    const page = this.current
    if (!page || (page.fresh && page.column === 0 && page.body.length === 0 && !this.pendingBreak)) return
    this.pendingBreak = undefined
    this.newPage(this.context.section, false)
    // Word keeps the space above a paragraph that asks for a new page, until the mode of 2013.
    if (this.current) this.current.natural = this.model.settings.compatibility >= 15
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
      return
    }
    this.newPage(this.context.section, false)
    if (this.current) this.current.natural = natural
  }

  private placeGroup(group: readonly Slice[]): void {
    if (this.pendingBreak) {
      const kind = this.pendingBreak
      this.pendingBreak = undefined
      if (kind === 'page') this.newPage(this.context.section, false)
      else this.advance(true)
      if (this.truncated) return
    }
    const queue = [...group]
    const whole = this.neededHeight(queue)
    if (whole > this.room() && queue.length > 1 && !this.current!.fresh && whole <= this.freshRoom()) {
      this.advance(true)
      if (this.truncated) return
    }
    while (queue.length > 0) {
      const slice = queue[0]!
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
      if (this.truncated) return
    }
  }

  private room(): number {
    const page = this.current!
    return Math.min(page.bottom - page.notesHeight, page.columnLimit) - page.y
  }

  private freshRoom(): number {
    const page = this.current!
    return page.column + 1 < page.columns.length
      ? Math.min(page.bottom, page.columnLimit) - page.regionTop
      : page.bottom - page.top
  }

  private neededHeight(slices: readonly Slice[]): number {
    let height = 0
    for (const [index, slice] of slices.entries()) {
      height += index > 0 ? slice.before : this.spaceAbove(slice)
      height += slice.height
    }
    const notes = slices.flatMap((slice) => slice.notes ?? [])
    if (notes.length > 0) height += this.notes.height(notes, this.current!)
    return height - (slices.at(-1)?.slack ?? 0)
  }

  private place(slice: Slice): void {
    const page = this.current!
    const column = page.columns[page.column]!
    if (page.fresh && page.natural && this.repeatedHeight(slice) > 0) this.repeatHeader(slice.repeat!, column)
    else page.y += this.spaceAbove(slice)
    const { y } = page
    moveFrames(slice.frames, column.x, y)
    for (const frame of slice.frames) page.body.push(frame)
    if (slice.isRepeated) this.placedAt.set(slice, { x: column.x, y })
    this.numberLine(slice, page, column)
    this.collectBookmarks(slice.frames, page)
    if (slice.anchors) this.placeAnchors(slice, column)
    if (slice.heading) {
      this.outline.push({ title: slice.heading.title, level: slice.heading.level, page: this.pages.length - 1, y })
    }
    page.closing = slice.closing ? { frames: slice.closing, x: column.x, y: page.y } : undefined
    page.y += slice.height
    page.regionBottom = Math.max(page.regionBottom, page.y)
    page.fresh = false
    if (slice.notes) for (const id of slice.notes) this.notes.place(id, page, page.bottom - page.y + (slice.slack ?? 0))
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
    return page.natural ? this.repeatedHeight(slice) : (slice.beforeAtTop ?? slice.before)
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

  private placeAnchors(slice: Slice, column: Column): void {
    const page = this.current!
    // A line that moved below its own object is not where its paragraph began.
    const top = page.y - (slice.before > 0 && page.exclusions.length > 0 ? slice.before : 0)
    for (const object of slice.anchors!) {
      const floating = page.exclusions.length > 0 && object.anchor.wrap === 'topAndBottom'
      const { x, y } = placeAnchored(object, geometryOf(page, column, floating ? top : page.y))
      moveFrames(object.frames, x, y)
      const target = object.anchor.behind ? page.behind : page.front
      target.push(...object.frames)
    }
  }

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

  private flowEndnote(id: string): void {
    this.context.noteMark = this.notes.number('endnote', id)
    const labels = this.context.labels
    const blocks = this.model.endnotes.get(id) ?? []
    this.context.labels = numberParagraphs(blocks, this.cascade)
    this.above = this.lastBox
    this.flow(blocks)
    this.context.labels = labels
  }

  private field(kind: FieldKind, argument: string, format: string): string | undefined {
    const page = this.finishing ?? this.current
    const shown = format === '' ? (page?.section.pageNumberFormat ?? 'decimal') : format
    if (kind === 'PAGE') return page ? formatNumber(page.number, shown) : undefined
    const section = page?.sectionIndex ?? 0
    if (this.finishing) return this.truth(kind, argument, section, format)
    const value = this.known === undefined ? undefined : valueFrom(this.known, kind, argument, section, format)
    this.guesses.set(`${kind} ${argument} ${section} ${format}`, { kind, argument, section, format, value })
    return value
  }

  private truth(kind: FieldKind, argument: string, section: number, format: string): string | undefined {
    return valueFrom(this.found(), kind, argument, section, format)
  }

  /** True when a field in the body was given (or kept) a value that the finished layout contradicts. */
  guessedWrong(): boolean {
    for (const guess of this.guesses.values()) {
      if (guess.value !== this.truth(guess.kind, guess.argument, guess.section, guess.format)) return true
    }
    return false
  }

  found(): Known {
    const sectionPages: number[] = []
    for (const page of this.pages) sectionPages[page.sectionIndex] = (sectionPages[page.sectionIndex] ?? 0) + 1
    return { total: this.pages.length, sectionPages, bookmarks: this.bookmarks }
  }

  /** Adds what stands on every page around the body, now that all numbers are known. */
  finish(): Layout {
    this.closeColumn()
    for (const [index, open] of this.pages.entries()) {
      this.finishing = open
      this.context.held.page = index + 1
      this.context.section = open.section
      const { page, section } = open
      const free = open.bottom - open.notesHeight - open.regionBottom
      if (section.vertical !== 'top' && free > 0)
        moveFrames(open.body, 0, section.vertical === 'bottom' ? free : free / 2)
      // A page with footnotes has its grid begin at the margin.
      if (open.notesHeight > 0 && open.gridShift > 0) moveFrames(open.body, 0, -open.gridShift)
      moveFrames(open.notes, 0, open.bottom - open.notesHeight)
      const running: Frame[] = []
      const behind: Frame[] = []
      const variant = this.variant(open)
      this.running.place('header', variant, open, running, behind)
      this.running.place('footer', variant, open, running, behind)
      page.frames = [
        ...behind,
        ...running,
        ...open.behind,
        ...open.body,
        ...open.notes,
        ...open.front,
        ...pageBorders(section),
      ]
    }
    this.finishing = undefined
    return { pages: this.pages.map((open) => open.page), structure: this.context.structure, outline: this.outline }
  }
}

/** The lines of a document grid stand in the middle of the page's text area, which holds whole lines only. */
function fitToGrid(open: OpenPage, pitch: number): void {
  const height = Math.round((open.bottom - open.top) * 20)
  const lines = Math.floor(height / Math.round(pitch * 20))
  if (lines < 1) return
  const rest = height - lines * Math.round(pitch * 20)
  open.gridShift = Math.floor(rest / 2) / 20
  open.top += open.gridShift
  open.bottom = open.top + (height - rest) / 20
}

/** Halvings of a page's height that bring balanced columns within a point of each other. */
const BALANCE_STEPS = 9

function valueFrom(
  known: Known,
  kind: FieldKind,
  argument: string,
  section: number,
  format: string,
): string | undefined {
  const shown = format === '' ? 'decimal' : format
  if (kind === 'NUMPAGES') return formatNumber(known.total, shown)
  if (kind === 'SECTIONPAGES') return formatNumber(known.sectionPages[section] ?? 1, shown)
  return known.bookmarks.get(argument)
}
