import { formatNumber } from '../../../ooxml/numerals.ts'
import { ARTIFACT, type Frame, moveFrames } from '../../frame/frame.ts'
import type { DocumentModel, NoteNumbering, Section } from '../../model/document.ts'
import type { Cascade } from '../../style/cascade.ts'
import { numberParagraphs } from '../../style/labels.ts'
import { roomOf, settleAnchored } from '../anchored.ts'
import { addNode, asArtifact, type Context, forFootnote, type NoteReference } from '../context.ts'
import type { Slice, Stack } from '../slice.ts'
import { layoutStack } from '../stack.ts'
import { noteArea, noteRoom, openArea, sameColumns } from './note-bands.ts'
import { columnOf, type NoteArea, type OpenPage } from './open-page.ts'
import { type Column, columnAt } from './sheet.ts'

/** Space above the first footnote of a document without a separator paragraph, and the rule's distance from the note; in points. */
const SEPARATION = 10
const RULE_ABOVE = 5

type NoteKind = 'footnote' | 'endnote'

/** Numbers notes in the order of their references, and collects footnotes for the foot of their page. */
export class Notes {
  /** Endnotes that were referred to, in order; they are set after the last section. */
  readonly endnotes: string[] = []
  private readonly numbers = new Map<string, string>()
  private readonly counts: Record<NoteKind, number | undefined> = { footnote: undefined, endnote: undefined }
  /** The section or page of the last number, for numbering that restarts with each. */
  private readonly units: Record<NoteKind, unknown> = { footnote: undefined, endnote: undefined }
  /** The page that each footnote begins on. */
  readonly pages = new Map<string, OpenPage>()
  /** Numbers begin again on each page, which only the finished layout tells. */
  private isPageWise = false

  constructor(
    private readonly model: DocumentModel,
    private readonly cascade: Cascade,
    private readonly knownPages: ReadonlyMap<string, number> | undefined,
  ) {}

  numberOf({ note, id, custom }: NoteReference, section: Section): string {
    const key = `${note} ${id}`
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = custom ? '' : this.next(note, id, section)
      this.numbers.set(key, number)
      if (note === 'endnote' && this.model.endnotes.has(id)) this.endnotes.push(id)
    }
    return number
  }

  /** True when notes are on other pages than those by which they were numbered. */
  isNumberedOtherwise(pages: ReadonlyMap<string, number>): boolean {
    if (!this.isPageWise) return false
    for (const [id, page] of pages) if (this.knownPages?.get(id) !== page) return true
    return false
  }

  /** The number that was given to a note. */
  mark(note: NoteKind, id: string): string {
    return this.numbers.get(`${note} ${id}`) ?? ''
  }

  private next(note: NoteKind, id: string, section: Section): string {
    const { settings } = this.model
    const rule: NoteNumbering =
      note === 'footnote'
        ? { ...settings.footnotes, ...section.footnotes }
        : { ...settings.endnotes, ...section.endnotes }
    let unit: unknown
    if (rule.restart === 'eachSect') unit = section
    else if (rule.restart === 'eachPage' && note === 'footnote') {
      this.isPageWise = true
      unit = this.knownPages?.get(id)
    }
    const last = this.counts[note]
    const count = last === undefined || unit !== this.units[note] ? rule.start : last + 1
    this.counts[note] = count
    this.units[note] = unit
    return formatNumber(count, rule.format, this.cascade.language)
  }

  private readonly stacks = new Map<string, Note>()
  private readonly placed = new Set<string>()

  private stack(context: Context, id: string, page: OpenPage) {
    const { width } = columnOf(page)
    let stack = this.stacks.get(id)
    if (stack?.width !== width) {
      const blocks = this.model.footnotes.get(id) ?? []
      const node = addNode(context, { type: 'Note', parent: -1 })
      const own = forFootnote(context, this.mark('footnote', id), numberParagraphs(blocks, this.cascade))
      const laid = layoutStack(own, blocks, { width, parent: node, room: roomOf(width) })
      if (laid.slices.some((slice) => slice.notes))
        context.report.unsupported('word/footnotes.xml', 'w:footnoteReference', 'the note of a note is left out')
      stack = noteOf(settleAnchored(laid, width), width)
      this.stacks.set(id, stack)
    }
    return stack
  }

  /**
   * The height that notes still need at the foot of the page for their references to fit. Of the last note only the
   * first piece counts; its rest may follow on the next page.
   */
  height(context: Context, ids: readonly string[], page: OpenPage): number {
    const open = ids.filter((id) => !this.placed.has(id) && this.model.footnotes.has(id))
    if (open.length === 0) return 0
    const area = noteArea(page)
    let height = area ? 0 : this.separation(context, columnOf(page).width)
    let tail = area?.tail ?? noTail
    for (const [index, id] of open.entries()) {
      const note = this.stack(context, id, page)
      const whole = index < open.length - 1 || !mayPart(page, note)
      height += gapBelow(tail, note.slices)
      height += heightOf(whole ? note.slices : note.slices.slice(0, pieceEnd(note.slices, 0)))
      tail = note.tail
    }
    return height
  }

  private separations = new Map<number, number>()

  /** The rule is in a paragraph of its own, with the height of that paragraph's style. */
  private separation(context: Context, width: number): number {
    const blocks = this.model.footnoteSeparator
    if (!blocks) return SEPARATION
    let height = this.separations.get(width)
    if (height === undefined) {
      height = Math.max(RULE_ABOVE, layoutStack(asArtifact(context), blocks, { width, parent: ARTIFACT }).height)
      this.separations.set(width, height)
    }
    return height
  }

  /** Slices that did not fit the column of their reference, in order, and the columns that they were laid out for. */
  private rest: Slice[] = []
  private restTail: Tail = noTail
  private restColumns: readonly Column[] = []
  private restColumn = 0

  /** True while part of a note waits for a column. */
  get unfinished(): boolean {
    return this.rest.length > 0
  }

  /** Puts a note at the foot of its reference's column, using the `slack` of the text above, too; keeps what does not fit. */
  place(context: Context, id: string, page: OpenPage, slack: number): void {
    if (this.placed.has(id) || !this.model.footnotes.has(id)) return
    const note = this.stack(context, id, page)
    this.placed.add(id)
    this.pages.set(id, page)
    if (this.rest.length > 0) {
      this.rest.push(...note.slices)
      this.restTail = note.tail
      return
    }
    this.restColumns = page.region.columns
    this.restColumn = page.region.column
    const room = mayPart(page, note) ? noteRoom(page) + slack : Number.POSITIVE_INFINITY
    this.put(context, note, page, page.region.column, room)
  }

  /** Continues notes that did not fit the previous column; where the columns differ, in a band of their own. */
  resume(context: Context, page: OpenPage): void {
    if (this.rest.length === 0) return
    const { columns, column: current } = page.region
    if (sameColumns(columns, this.restColumns) && !areEqual(columns) && current !== this.restColumn) return
    const column = sameColumns(columns, this.restColumns) ? current : 0
    const first = this.rest[0]
    if (first) first.before = 0
    this.put(context, { slices: this.rest, tail: this.restTail }, page, column, noteRoom(page))
  }

  /** Adds notes to an area that begins at y = 0; `placedNotes` moves it to the foot of the page. */
  private put(
    context: Context,
    { slices, tail }: Pick<Note, 'slices' | 'tail'>,
    page: OpenPage,
    index: number,
    room: number,
  ): void {
    const column = columnAt(this.restColumns, index)
    const area = openArea(page, this.restColumns, index)
    if (area.height === 0) {
      const separation = this.separation(context, column.width)
      area.frames.push(noteRule(column, separation))
      area.height += separation
    }
    let y = area.height + gapBelow(area.tail, slices)
    const count = fitting(slices, room - y + ROUNDING)
    for (const slice of slices.slice(0, count)) {
      y += slice.before
      moveFrames(slice.frames, column.x, y)
      area.frames.push(...slice.frames)
      y += slice.height
    }
    const slack = slices[count - 1]?.slack ?? 0
    area.height = y - slack
    area.tail = count < slices.length ? { slack, after: 0 } : tail
    this.rest = slices.slice(count)
    this.restTail = tail
  }
}

/** The rule between text and notes that begin at `y`. */
export function noteRule({ x, width }: Column, y: number): Frame {
  const ends = { x1: x, y1: y - RULE_ABOVE, x2: x + Math.min(144, width), y2: y - RULE_ABOVE }
  return { kind: 'line', ...ends, width: 0.5, color: '000000', dash: 'solid' }
}

/** Whether a note may continue in the next column: columns are equally wide, or the note is higher than a page. */
function mayPart({ region: { columns }, top, bottom }: OpenPage, { slices }: Note): boolean {
  return areEqual(columns) || heightOf(slices) > bottom - top
}

function areEqual(columns: readonly Column[]): boolean {
  const { width } = columnAt(columns, 0)
  return columns.every((column) => Math.abs(column.width - width) < 0.01)
}

/** A footnote's lines, and the space that it asks for below them if another one follows. */
interface Note {
  slices: Slice[]
  /** The width of the column that they were laid out for. */
  width: number
  tail: Tail
}

type Tail = NoteArea['tail']
const noTail: Tail = { slack: 0, after: 0 }

function noteOf({ slices, height }: Stack, width: number): Note {
  const slack = slices.at(-1)?.slack ?? 0
  return { slices, width, tail: { slack, after: height - heightOf(slices) - slack } }
}

/** The space to add between two notes to the lower one's own: as between paragraphs, the larger of both spaces counts. */
function gapBelow(tail: Tail, slices: readonly Slice[]): number {
  return tail.slack + Math.max(0, tail.after - (slices[0]?.before ?? 0))
}

/** Rounding error in sums of heights. */
const ROUNDING = 0.02

/** The height up to the foot of the last line's text. */
function heightOf(slices: readonly Slice[]): number {
  let height = 0
  for (const slice of slices) height += slice.before + slice.height
  return height - (slices.at(-1)?.slack ?? 0)
}

/** Where the first group of slices that keep together ends (exclusive). */
function pieceEnd(slices: readonly Slice[], from: number): number {
  let end = from
  while (slices[end]?.stick) end++
  return Math.min(slices.length, end + 1)
}

/** How many of the slices fit; at least one piece is placed, so that notes come to an end. */
function fitting(slices: readonly Slice[], room: number): number {
  let count = pieceEnd(slices, 0)
  let height = heightOf(slices.slice(0, count))
  while (count < slices.length) {
    const end = pieceEnd(slices, count)
    height += heightOf(slices.slice(count, end))
    if (height > room) break
    count = end
  }
  return count
}
