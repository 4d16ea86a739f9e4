import { ARTIFACT, type Frame, moveFrames } from '../../frame/frame.ts'
import type { Block, DocumentModel, HeaderKind, Section } from '../../model/document.ts'
import type { Cascade } from '../../style/cascade.ts'
import { numberParagraphs } from '../../style/labels.ts'
import {
  type Context,
  CUT_OFF,
  type FieldValues,
  forRunningMatter,
  type Labels,
  reportUnwrapped,
  within,
} from '../context.ts'
import type { Stack } from '../slice.ts'
import { layoutStack } from '../stack.ts'
import { placeAnchored } from './anchors.ts'
import { geometryOf, type OpenPage } from './open-page.ts'
import { textWidth } from './sheet.ts'

/** A header or footer as it was measured, for the first page that shows it. */
interface Measured extends Story {
  page: OpenPage
  height: number
}

interface Story {
  part: string
  blocks: readonly Block[]
}

/** Which header or footer of a section. */
export interface Running {
  readonly area: 'header' | 'footer'
  readonly variant: HeaderKind
}

/** Where the frames of a header or footer are on a page. */
interface Placed {
  frames: Frame[]
  /** Behind the text of the page. */
  behind: Frame[]
}

/** Headers and footers: how much of a page they take, and what they draw once all numbers are known. */
export class RunningMatter {
  private readonly measured = new Map<string, Measured>()
  private readonly labels = new Map<string, Labels>()
  /** What is the same on all pages of a section, by area and part. */
  private readonly placed = new Map<Section, Map<string, Placed & { bytes: number }>>()

  constructor(
    private readonly model: DocumentModel,
    private readonly cascade: Cascade,
  ) {}

  /** The header or footer of a page; an empty line if only other pages of the section have one. */
  private story({ area, variant }: Running, section: Section): Story | undefined {
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

  /** @param fields what fields show on the page, for the time being */
  height(context: Context, running: Running, page: OpenPage, fields: FieldValues): number {
    const story = this.story(running, page.section)
    if (!story) return 0
    const key = `${story.part} ${textWidth(page.section)}`
    let measured = this.measured.get(key)
    if (!measured) {
      const { height } = this.measure(context, story, page, fields)
      measured = { ...story, page, height }
      this.measured.set(key, measured)
    }
    return measured.height
  }

  /**
   * Measures again everything measured so far; true if a height has changed.
   *
   * @param fieldsOf what fields show on a page, now that all pages are known
   */
  measuresOtherwise(context: Context, fieldsOf: (page: OpenPage) => FieldValues): boolean {
    const { held } = context
    const { bytes } = held
    for (const { part, blocks, page, height } of this.measured.values()) {
      const now = this.measure(within(context, page.section), { part, blocks }, page, fieldsOf(page))
      if (now.height !== height) return true
    }
    held.backTo(bytes)
    return false
  }

  /** Drops reports of cut-off content: the final fields may change what is cut off, and the pages report it then. */
  private measure(context: Context, story: Story, { section }: OpenPage, fields: FieldValues): Stack {
    const stack = this.layout(context, story, textWidth(section), fields)
    context.report.forget(CUT_OFF, story.part)
    return stack
  }

  private layout(context: Context, { part, blocks }: Story, width: number, fields: FieldValues): Stack {
    let labels = this.labels.get(part)
    if (!labels) {
      labels = numberParagraphs(blocks, this.cascade)
      this.labels.set(part, labels)
    }
    const own = forRunningMatter(context, { part, labels, fields })
    const stack = layoutStack(own, blocks, { width, parent: ARTIFACT })
    if (stack.slices.some((slice) => slice.notes))
      context.report.unsupported(part, 'w:footnoteReference', 'the note of a header or footer is left out')
    return stack
  }

  /** The frames of a header or footer at their place. Pages of a section share them if nothing in them depends on the page. */
  place(context: Context, running: Running, open: OpenPage, fields: FieldValues): Placed {
    const { section } = open
    const frames: Frame[] = []
    const behind: Frame[] = []
    const story = this.story(running, section)
    if (!story) return { frames, behind }
    const known = this.placed.get(section) ?? new Map<string, Placed & { bytes: number }>()
    const key = `${running.area} ${story.part}`
    const same = known.get(key)
    if (same) {
      context.held.of(story.part).again(same.bytes)
      return same
    }
    const { bytes } = context.held
    let isOwn = false
    const watched: FieldValues = {
      valueOf(field) {
        isOwn = true
        return fields.valueOf(field)
      },
    }
    const stack = this.layout(context, story, textWidth(section), watched)
    const x = section.margins.left + section.margins.gutter
    let y = running.area === 'header' ? section.margins.header : section.height - section.margins.footer - stack.height
    for (const slice of stack.slices) {
      y += slice.before
      moveFrames(slice.frames, x, y)
      frames.push(...slice.frames)
      for (const object of slice.anchors ?? []) {
        isOwn = true
        if (object.anchor.wrap !== 'none') reportUnwrapped(context, story.part)
        const at = placeAnchored(object, geometryOf(open, { x, width: textWidth(section) }, y))
        moveFrames(object.frames, at.x, at.y)
        const target = object.anchor.behind ? behind : frames
        target.push(...object.frames)
      }
      y += slice.height
    }
    if (!isOwn) this.placed.set(section, known.set(key, { frames, behind, bytes: context.held.bytes - bytes }))
    return { frames, behind }
  }
}
