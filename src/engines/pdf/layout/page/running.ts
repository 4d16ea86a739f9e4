import { ARTIFACT, type Frame, moveFrames } from '../../frame/frame.ts'
import type { Block, DocumentModel, HeaderKind, Section } from '../../model/document.ts'
import type { Cascade } from '../../style/cascade.ts'
import { type Label, numberParagraphs } from '../../style/labels.ts'
import { type Context, reportUnwrapped } from '../context.ts'
import { layoutStack } from '../stack.ts'
import { placeAnchored } from './anchors.ts'
import { geometryOf, type OpenPage } from './open-page.ts'
import { textWidth } from './sheet.ts'

/** A header or footer as it was measured, for the first page that shows it. */
interface Measured {
  part: string
  blocks: readonly Block[]
  width: number
  page: OpenPage
  height: number
}

/** Headers and footers: how much of a page they take, and what they draw once all numbers are known. */
export class RunningMatter {
  /** True while something is laid out for its height alone. */
  measuring = false
  /** Something was measured with what it quotes of the pages before, which nothing but these pages tells. */
  quotes = false
  private readonly measured = new Map<string, Measured>()
  private readonly labels = new Map<string, Map<unknown, Label>>()

  constructor(
    private readonly model: DocumentModel,
    private readonly cascade: Cascade,
    private readonly context: Context,
  ) {}

  /** What a page shows above or below its text; where only other pages of the section have something, an empty line. */
  private story(area: 'header' | 'footer', variant: HeaderKind, section: Section) {
    const parts = area === 'header' ? section.headers : section.footers
    const part = parts[variant]
    const blocks = part === undefined ? undefined : this.model.stories.get(part)
    if (part !== undefined && blocks) return { part, blocks }
    const { evenAndOddHeaders } = this.model.settings
    const shown = [parts.default, section.titlePage && parts.first, evenAndOddHeaders && parts.even]
    if (!shown.some((name) => typeof name === 'string' && this.model.stories.has(name))) return undefined
    let style: string | undefined
    for (const candidate of this.model.styles.byId.values()) {
      if (candidate.type === 'paragraph' && candidate.name.toLowerCase() === area) style = candidate.id
    }
    const empty: Block = {
      kind: 'paragraph',
      props: style === undefined ? {} : { style },
      markProps: {},
      content: [],
      number: 0,
    }
    return { part: `empty ${area}`, blocks: [empty] }
  }

  height(area: 'header' | 'footer', variant: HeaderKind, page: OpenPage): number {
    const story = this.story(area, variant, page.section)
    if (!story) return 0
    const { part, blocks } = story
    const width = textWidth(page.section)
    const key = `${part} ${width}`
    let measured = this.measured.get(key)
    if (!measured) {
      measured = { part, blocks, width, page, height: this.measure(part, blocks, width) }
      this.measured.set(key, measured)
    }
    return measured.height
  }

  /**
   * Measures once more all that was measured; true where something comes out higher or lower, or might.
   *
   * @param stand has fields show what they do on the page that something was measured for
   */
  measuresOtherwise(stand: (page: OpenPage) => void): boolean {
    if (this.quotes) return true
    const { held } = this.context
    const { bytes } = held
    for (const { part, blocks, width, page, height } of this.measured.values()) {
      stand(page)
      if (this.measure(part, blocks, width) !== height) return true
    }
    held.bytes = bytes
    return false
  }

  private measure(part: string, blocks: readonly Block[], width: number): number {
    this.measuring = true
    const { height } = this.layout(part, blocks, width)
    this.measuring = false
    return height
  }

  private layout(part: string, blocks: readonly Block[], width: number) {
    const { context } = this
    const { labels, gridPitch, held } = context
    const from = held.part
    held.part = part
    let own = this.labels.get(part)
    if (!own) {
      own = numberParagraphs(blocks, this.cascade) as Map<unknown, Label>
      this.labels.set(part, own)
    }
    context.labels = own as Context['labels']
    context.artifact = true
    context.gridPitch = 0
    const stack = layoutStack(context, blocks, { width, parent: ARTIFACT })
    held.part = from
    context.artifact = false
    context.labels = labels
    context.gridPitch = gridPitch
    return stack
  }

  place(area: 'header' | 'footer', variant: HeaderKind, open: OpenPage, frames: Frame[], behind: Frame[]): void {
    const { section } = open
    const story = this.story(area, variant, section)
    if (!story) return
    const stack = this.layout(story.part, story.blocks, textWidth(section))
    const x = section.margins.left + section.margins.gutter
    let y = area === 'header' ? section.margins.header : section.height - section.margins.footer - stack.height
    for (const slice of stack.slices) {
      y += slice.before
      moveFrames(slice.frames, x, y)
      frames.push(...slice.frames)
      for (const object of slice.anchors ?? []) {
        if (object.anchor.wrap !== 'none') reportUnwrapped(this.context)
        const at = placeAnchored(object, geometryOf(open, { x, width: textWidth(section) }, y))
        moveFrames(object.frames, at.x, at.y)
        const target = object.anchor.behind ? behind : frames
        target.push(...object.frames)
      }
      y += slice.height
    }
  }
}
