import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Inline, Paragraph } from '../../model/document.ts'
import type { ParagraphStyle } from '../../style/cascade.ts'
import type { Context, TextPlace } from '../context.ts'
import { mayBreakAt } from './fill.ts'
import { breakLines } from './line.ts'
import { type InlineObject, Kind, type Plan } from './plan.ts'
import type { Line } from './set-line.ts'

export type CombinedText = Extract<Inline, { kind: 'text' }>

/** Halvings of the text's width that find the narrowest one within a twip or so. */
const STEPS = 14

/** The runs from `at` that are set as two lines in one: adjacent ones with the same id. */
export function combinedAt(content: readonly Inline[], at: number): CombinedText[] {
  const id = content[at]?.props.combine?.id
  const runs: CombinedText[] = []
  for (const inline of id === undefined ? [] : content.slice(at)) {
    if (inline.kind !== 'text' || inline.props.combine?.id !== id) break
    runs.push(inline)
  }
  return runs
}

/**
 * Two lines in one (`w:combine`, 17.3.2.10): the text at half its size on two lines as narrow as possible, the shorter
 * one stretched to the longer. It sits on its line like text of the full size.
 */
export function layoutCombined(
  context: Context,
  paragraph: Paragraph,
  runs: readonly CombinedText[],
  place: TextPlace,
): InlineObject {
  const { cell, background } = place
  const base = context.cascade.runBase(paragraph, cell)
  const content = runs.map(({ text, props: { combine, ...props } }): Inline => {
    const { size } = context.cascade.text(base, props, background).look
    return { kind: 'text', text, props: { ...props, size: size / 2, complexSize: size / 2 } }
  })
  const plan = context.inner.plan(context, { ...paragraph, content }, place)
  const style: ParagraphStyle = {
    ...context.cascade.paragraph(paragraph, cell),
    align: 'justify',
    lastLineToo: true,
    left: 0,
    right: 0,
    firstLine: 0,
    tabs: [],
    lineRule: 'auto',
    line: 1,
    snapToGrid: false,
    suppressHyphens: true,
    bidi: false,
  }
  const linesAt = (width: number): Line[] => {
    const { defaultTab } = context.model.settings
    const settings = { width, defaultTab, gridPitch: 0, expandBrokenLines: false, squeezeBlanks: false }
    return breakLines({ plan, style, settings })
  }
  let high = 1
  for (const advance of plan.advances) high += advance
  let low = longestPiece(plan)
  for (let step = 0; step < STEPS; step++) {
    const width = (low + high) / 2
    if (linesAt(width).length > 2) low = width
    else high = width
  }
  const frames: Frame[] = []
  let height = 0
  let ascent = 0
  for (const line of linesAt(high)) {
    moveFrames(line.frames, 0, height)
    frames.push(...line.frames)
    height += line.height
    ascent += line.baseline
  }
  return { width: high, height, descent: height - ascent, frames }
}

/** The widest stretch of text in which no line may end. */
function longestPiece(plan: Plan): number {
  let longest = 0
  let piece = 0
  for (let at = 0; at < plan.length; at++) {
    const isBlank = plan.kind(at) === Kind.space
    if (isBlank || (at > 0 && mayBreakAt(plan, at))) piece = 0
    if (!isBlank) piece += plan.advance(at)
    longest = Math.max(longest, piece)
  }
  return longest
}
