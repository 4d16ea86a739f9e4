import type { DocumentModel } from '../read/model.ts'
import type { Cascade } from '../style/cascade.ts'
import { numberParagraphs } from '../style/labels.ts'
import { formatNumber } from '../style/numerals.ts'
import { addNode, type Context, type Slice } from './context.ts'
import { ARTIFACT, moveFrames } from './frame.ts'
import type { OpenPage } from './open-page.ts'
import { layoutStack } from './stack.ts'

/** Space above the first footnote where the document has no paragraph for it, and the rule's distance from the note. */
const SEPARATION = 10
const RULE_ABOVE = 5

/** Numbers notes in the order of their references, and collects footnotes for the foot of their page. */
export class Notes {
  /** Endnotes that were referred to, in order; they are set after the last section. */
  readonly endnotes: string[] = []
  private readonly numbers = new Map<string, string>()
  private readonly counts = { footnote: 0, endnote: 0 }

  constructor(
    private readonly model: DocumentModel,
    private readonly cascade: Cascade,
    private readonly context: Context,
  ) {}

  number(note: 'footnote' | 'endnote', id: string): string {
    const key = `${note} ${id}`
    let number = this.numbers.get(key)
    if (number === undefined) {
      const count = ++this.counts[note]
      number = formatNumber(count, note === 'endnote' ? 'lowerRoman' : 'decimal')
      this.numbers.set(key, number)
      if (note === 'endnote' && this.model.endnotes.has(id)) this.endnotes.push(id)
    }
    return number
  }

  private readonly stacks = new Map<string, { slices: Slice[]; height: number }>()
  private readonly placed = new Set<string>()

  private stack(id: string, page: OpenPage) {
    let stack = this.stacks.get(id)
    if (!stack) {
      const blocks = this.model.footnotes.get(id) ?? []
      const column = page.columns[0]!
      const { context } = this
      const node = addNode(context, { type: 'Note', parent: -1 })
      const { labels, gridPitch } = context
      context.gridPitch = 0
      context.labels = numberParagraphs(blocks, this.cascade)
      context.noteMark = this.number('footnote', id)
      stack = layoutStack(context, blocks, column.width, node)
      context.labels = labels
      context.gridPitch = gridPitch
      this.stacks.set(id, stack)
    }
    return stack
  }

  /**
   * What notes still need at the foot of the page, so that their references may stand on it: the last one only what it
   * begins with, for the rest of it may follow on the next page.
   */
  height(ids: readonly string[], page: OpenPage): number {
    const open = ids.filter((id) => !this.placed.has(id) && this.model.footnotes.has(id))
    if (open.length === 0) return 0
    let height = page.notes.length === 0 ? this.separation(page) : 0
    for (const [index, id] of open.entries()) {
      const stack = this.stack(id, page)
      const whole = index < open.length - 1 || page.columns.length > 1
      height += whole
        ? stack.height
        : Math.min(stack.height, heightOf(stack.slices.slice(0, pieceEnd(stack.slices, 0))))
    }
    return height
  }

  private separations = new Map<number, number>()

  /** The rule stands in a paragraph of its own, which is as high as its style says. */
  private separation(page: OpenPage): number {
    const blocks = this.model.footnoteSeparator
    if (!blocks) return SEPARATION
    const { width } = page.columns[0]!
    let height = this.separations.get(width)
    if (height === undefined) {
      const { context } = this
      const { artifact } = context
      context.artifact = true
      height = Math.max(RULE_ABOVE, layoutStack(context, blocks, width, ARTIFACT).height)
      context.artifact = artifact
      this.separations.set(width, height)
    }
    return height
  }

  /** What did not fit the page of its reference, in order. */
  private rest: Slice[] = []

  /** True while part of a note waits for a page. */
  get unfinished(): boolean {
    return this.rest.length > 0
  }

  /** Puts a note at the foot of the page, which has so much room below its text; what does not fit is kept for the next. */
  place(id: string, page: OpenPage, room: number): void {
    if (this.placed.has(id) || !this.model.footnotes.has(id)) return
    const stack = this.stack(id, page)
    this.placed.add(id)
    if (this.rest.length > 0) this.rest.push(...stack.slices)
    else
      this.rest = this.put(stack.slices, stack.height, page, page.columns.length > 1 ? Number.POSITIVE_INFINITY : room)
  }

  /** Goes on with what the page before had no room for. */
  resume(page: OpenPage): void {
    if (this.rest.length === 0) return
    this.rest[0]!.before = 0
    this.rest = this.put(this.rest, heightOf(this.rest), page, page.bottom - page.top)
  }

  /** Notes are collected from the top of an area that `finish` moves to the foot of the page. */
  private put(slices: readonly Slice[], height: number, page: OpenPage, room: number): Slice[] {
    const column = page.columns[0]!
    if (page.notes.length === 0) {
      const width = Math.min(144, column.width)
      const separation = this.separation(page)
      page.notes.push({
        kind: 'line',
        x1: column.x,
        y1: separation - RULE_ABOVE,
        x2: column.x + width,
        y2: separation - RULE_ABOVE,
        width: 0.5,
        color: '000000',
        dash: 'solid',
      })
      page.notesHeight += separation
    }
    const free = room - page.notesHeight
    const count = height <= free + ROUNDING ? slices.length : fitting(slices, free + ROUNDING)
    let y = page.notesHeight
    for (const slice of slices.slice(0, count)) {
      y += slice.before
      moveFrames(slice.frames, column.x, y)
      page.notes.push(...slice.frames)
      y += slice.height
    }
    page.notesHeight = count < slices.length ? y : page.notesHeight + height
    return slices.slice(count)
  }
}

/** Sums of heights differ by so much from each other. */
const ROUNDING = 0.02

function heightOf(slices: readonly Slice[]): number {
  let height = 0
  for (const slice of slices) height += slice.before + slice.height
  return height
}

/** Where the slices end that a page may not part from each other. */
function pieceEnd(slices: readonly Slice[], from: number): number {
  let end = from
  while (end < slices.length && slices[end]!.stick) end++
  return Math.min(slices.length, end + 1)
}

/** How many of the slices fit; one piece goes somewhere in any case, so that notes come to an end. */
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
