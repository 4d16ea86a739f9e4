import type { Block, DocumentModel, Section } from '../read/model.ts'
import type { Cascade } from '../style/cascade.ts'
import { type Label, numberParagraphs } from '../style/labels.ts'
import { placeAnchored } from './anchors.ts'
import { type Context, reportUnwrapped } from './context.ts'
import { ARTIFACT, type Frame, moveFrames } from './frame.ts'
import { geometryOf, type OpenPage } from './open-page.ts'
import { textWidth } from './sheet.ts'
import { layoutStack } from './stack.ts'

/** Headers and footers: how much of a page they take, and what they draw once all numbers are known. */
export class RunningMatter {
  private readonly heights = new Map<string, number>()
  private readonly labels = new Map<string, Map<unknown, Label>>()

  constructor(
    private readonly model: DocumentModel,
    private readonly cascade: Cascade,
    private readonly context: Context,
  ) {}

  height(part: string | undefined, section: Section): number {
    const blocks = part === undefined ? undefined : this.model.stories.get(part)
    if (part === undefined || !blocks) return 0
    const width = textWidth(section)
    const key = `${part} ${width}`
    let height = this.heights.get(key)
    if (height === undefined) {
      height = this.layout(part, blocks, width).height
      this.heights.set(key, height)
    }
    return height
  }

  private layout(part: string, blocks: readonly Block[], width: number) {
    const { context } = this
    const { labels, gridPitch } = context
    let own = this.labels.get(part)
    if (!own) {
      own = numberParagraphs(blocks, this.cascade) as Map<unknown, Label>
      this.labels.set(part, own)
    }
    context.labels = own as Context['labels']
    context.artifact = true
    context.gridPitch = 0
    const stack = layoutStack(context, blocks, width, ARTIFACT)
    context.artifact = false
    context.labels = labels
    context.gridPitch = gridPitch
    return stack
  }

  place(part: string | undefined, open: OpenPage, frames: Frame[], behind: Frame[], header: boolean): void {
    const blocks = part === undefined ? undefined : this.model.stories.get(part)
    if (part === undefined || !blocks) return
    const { section } = open
    const stack = this.layout(part, blocks, textWidth(section))
    const x = section.margins.left + section.margins.gutter
    let y = header ? section.margins.header : section.height - section.margins.footer - stack.height
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
