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

  /** What a note still takes at the foot of the page; nothing once it stands somewhere. */
  height(id: string, page: OpenPage): number {
    if (this.placed.has(id) || !this.model.footnotes.has(id)) return 0
    return this.stack(id, page).height + (page.notes.length === 0 ? this.separation(page) : 0)
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

  /** Notes are collected from the top of an area that `finish` moves to the foot of the page. */
  place(id: string, page: OpenPage): void {
    if (this.placed.has(id) || !this.model.footnotes.has(id)) return
    const column = page.columns[0]!
    const stack = this.stack(id, page)
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
    let y = page.notesHeight
    for (const slice of stack.slices) {
      y += slice.before
      moveFrames(slice.frames, column.x, y)
      page.notes.push(...slice.frames)
      y += slice.height
    }
    page.notesHeight += stack.height
    this.placed.add(id)
  }
}
