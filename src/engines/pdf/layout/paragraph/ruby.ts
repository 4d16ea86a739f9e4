import { moveFrames } from '../../frame/frame.ts'
import type { Inline, Paragraph, Ruby } from '../../model/document.ts'
import type { ParagraphStyle } from '../../style/cascade.ts'
import type { Context, TextPlace } from '../context.ts'
import { breakLines } from './line.ts'
import type { InlineObject, Plan } from './plan.ts'
import type { Line } from './set-line.ts'

/** A line width in points far beyond any page: keeps the text on one line whatever its letter spacing. */
const ONE_LINE = 1e6

/** A text at its natural width, with the number of letters to spread it between. */
interface Extent {
  plan: Plan
  letters: number
  width: number
}

/**
 * A phonetic guide: the base sits on the line like text, the guide's baseline is raised above the base's. The shorter
 * one is aligned within the longer as the guide states.
 */
export function layoutRuby(
  context: Context,
  paragraph: Paragraph,
  { base, guide, raise, align }: Ruby,
  textPlace: TextPlace,
): InlineObject {
  const { cell, background } = textPlace
  const runBase = context.cascade.runBase(paragraph, cell)
  const style: ParagraphStyle = {
    ...context.cascade.paragraph(paragraph, cell),
    ...{ align: 'left', left: 0, right: 0, firstLine: 0, tabs: [], lineRule: 'auto', line: 1 },
    ...{ snapToGrid: false, suppressHyphens: true, bidi: false },
  }
  const planOf = (content: Inline[]): Plan => context.inner.plan(context, { ...paragraph, content }, textPlace)
  const measure = (content: Inline[]): Extent => {
    const plan = planOf(content)
    const { advances } = plan
    return { plan, letters: advances.length, width: advances.reduce((sum, advance) => sum + advance, 0) }
  }
  const extents = { base: measure(base), guide: measure(guide) }
  const width = Math.max(extents.base.width, extents.guide.width)

  const place = (content: Inline[], extent: Extent): Line | undefined => {
    const spare = width - extent.width
    const gap = gapOf(align, spare, extent.letters)
    const spread = (inline: Inline): Inline => {
      const { spacing } = context.cascade.text(runBase, inline.props, background)
      return { ...inline, props: { ...inline.props, spacing: spacing + gap } }
    }
    const { defaultTab } = context.model.settings
    const settings = { width: ONE_LINE, defaultTab, gridPitch: 0, expandBrokenLines: false, squeezeBlanks: false }
    const plan = gap === 0 ? extent.plan : planOf(content.map(spread))
    const line = breakLines({ plan, style, settings })[0]
    const start = startOf(align, spare, gap)
    // A line from right to left begins at its right end.
    if (line) moveFrames(line.frames, plan.bidi ? width - ONE_LINE - start : start, 0)
    return line
  }
  const lower = place(base, extents.base)
  const upper = place(guide, extents.guide)
  if (!lower || !upper) return { width, height: 0, descent: 0, frames: [] }
  const above = raise > 0 ? raise + upper.baseline : lower.baseline + upper.height
  const ascent = Math.max(lower.baseline, above)
  const descent = lower.height - lower.baseline
  moveFrames(lower.frames, 0, ascent - lower.baseline)
  moveFrames(upper.frames, 0, ascent - above)
  const anchored = [lower, upper].flatMap((line) => line.anchors ?? [])
  const notes = [lower, upper].flatMap((line) => line.notes ?? [])
  return {
    ...{ width, height: ascent + descent, descent, frames: [...lower.frames, ...upper.frames] },
    ...(notes.length > 0 ? { notes } : {}),
    ...(anchored.length > 0 ? { anchored } : {}),
  }
}

/** The text below a guide. */
export function baseText({ base }: Ruby): string {
  return base.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
}

/** The space added behind each letter. */
function gapOf(align: Ruby['align'], spare: number, letters: number): number {
  if (align === 'aroundLetters' && letters > 0) return spare / letters
  return align === 'betweenLetters' && letters > 1 ? spare / (letters - 1) : 0
}

function startOf(align: Ruby['align'], spare: number, gap: number): number {
  if (align === 'right') return spare
  if (align === 'left' || (align === 'betweenLetters' && gap > 0)) return 0
  return gap > 0 ? gap / 2 : spare / 2
}
