import type { Axis } from '../../model/chart.ts'
import type { Context } from '../context.ts'
import { type Box, type Caption, caption, lineHeight, widthOf } from './caption.ts'
import type { Ruler } from './pairs.ts'

/** Labels of the axes: broken, turned or left out, so that none covers its neighbour. */

/** Labels belong to the figure that the chart is; the node is known only when they are drawn. */
export const axisNode = -1
/** The share of the distance between two ticks that a name below them may take. */
const NAME_SHARE = 0.95
/** More names than this are not broken into lines. */
const MAX_BROKEN = 100
/** Labels that cover each other when they are level are turned by half a right angle. */
const AUTOMATIC_TURN = -45
/** Labels whose widths are looked at. */
const MAX_MEASURED = 500

export interface SetLabel {
  /** Where its tick stands. */
  share: number
  text: Caption
}

export interface LabelSet {
  labels: readonly SetLabel[]
  /** Degrees clockwise. */
  rotation: number
  /** Every so manieth label is shown. */
  step: number
}

const none: LabelSet = { labels: [], rotation: 0, step: 1 }

/**
 * The labels of an axis as they are when nothing limits them: in one line, as far as they are looked at to guess how
 * much room the axis takes. Of values these are the first three, of names the longest and those beside it.
 */
export function draftLabels(context: Context, { axis, labels }: Ruler): LabelSet {
  if (axis.labels === 'none') return none
  let from = 0
  if (axis.kind === 'category') {
    const longest = labels.reduce((best, { text }, at) => (text.length > labels[best]!.text.length ? at : best), 0)
    from = longest >= labels.length - 2 ? 0 : Math.max(0, longest - 1)
  }
  const rotation = axis.labelRotation ?? 0
  return { labels: labels.slice(from, from + 3).map(setIn(context, axis, undefined, rotation)), rotation, step: 1 }
}

/**
 * The labels that an axis shows beside a plot. What it found out `before`, when the plot had another size, stays: labels
 * that were turned are not turned back.
 */
export function setLabels(context: Context, ruler: Ruler, box: Box, isFixed: boolean, before?: LabelSet): LabelSet {
  const { axis, isVertical } = ruler
  const least = Math.max(before?.step ?? 1, axis.kind === 'category' ? (axis.labelSkip ?? 1) : 1)
  if (axis.labels === 'none' || ruler.labels.length === 0) return none
  const length = isVertical ? box.height : box.width
  const [first, second] = ruler.labels
  const spacing = Math.max(0.1, second ? Math.abs(second.share - first!.share) * length : length)
  const rotation = before?.rotation ?? axis.labelRotation ?? 0
  if (isVertical) {
    const width = axis.kind === 'category' && !isFixed && rotation === 0 ? box.x : undefined
    const step = Math.max(least, Math.ceil((lineHeight(context, axis.look) * 0.95) / spacing))
    return { labels: every(ruler.labels, step).map(setIn(context, axis, width, rotation)), rotation, step }
  }
  if (rotation === 0 && axis.kind === 'category' && ruler.labels.length <= MAX_BROKEN) {
    const shown = every(ruler.labels, least)
    const width = spacing * least * NAME_SHARE
    // Names that have to stay level are broken within words too; others are rather turned.
    const isWhole = ({ text }: { text: string }) => text.split(' ').every((word) => fits(context, word, axis, width))
    if (axis.labelRotation === 0 || shown.slice(1).every(isWhole))
      return { labels: shown.map(setIn(context, axis, width, 0)), rotation, step: least }
  }
  const free = stepOf(context, ruler, spacing, rotation, least)
  if (rotation === 0 && free > least && axis.labelRotation === undefined)
    return setTurned(context, ruler, box, spacing, AUTOMATIC_TURN, axis.labelSkip ?? 1)
  return rotation === 0
    ? { labels: every(ruler.labels, free).map(setIn(context, axis, undefined, 0)), rotation, step: free }
    : setTurned(context, ruler, box, spacing, rotation, least)
}

function setTurned(
  context: Context,
  ruler: Ruler,
  box: Box,
  spacing: number,
  rotation: number,
  least: number,
): LabelSet {
  const step = stepOf(context, ruler, spacing, rotation, least)
  const width = Math.abs(rotation) === 90 ? box.height : undefined
  return { labels: every(ruler.labels, step).map(setIn(context, ruler.axis, width, rotation)), rotation, step }
}

function setIn(context: Context, { look }: Axis, width: number | undefined, rotation: number) {
  return ({ share, text }: { share: number; text: string }): SetLabel => ({
    share,
    text: caption(context, text, look, axisNode, width, rotation),
  })
}

function fits(context: Context, word: string, { look }: Axis, width: number): boolean {
  return widthOf(context, word, look) <= width
}

/** Of how many labels one is shown, so that none covers the next, all turned in the same way. */
function stepOf(context: Context, { axis, labels }: Ruler, spacing: number, rotation: number, least: number): number {
  const height = lineHeight(context, axis.look)
  const widths = labels.slice(0, MAX_MEASURED).map(({ text }) => widthOf(context, text, axis.look))
  const turn = (Math.abs(rotation) / 180) * Math.PI
  const covers = (at: number, step: number) => {
    const [own, next] = [widths[at]!, widths[at + step]!]
    const along = rotation === 0 ? (own + next) / 2 : next
    return along > spacing * step * Math.cos(turn) && height > spacing * step * Math.sin(turn)
  }
  let step = least
  while (step < widths.length) {
    let at = 0
    while (at + step < widths.length && !covers(at, step)) at += step
    if (at + step >= widths.length) return step
    step++
  }
  return step
}

function every<T>(list: readonly T[], step: number): readonly T[] {
  return step === 1 ? list : list.filter((_, index) => index % step === 0)
}

/**
 * How far to the left of its tick a label begins: level ones have it in their middle, turned ones reach it with the
 * middle of that end which is nearer to the axis.
 */
export function leadOf({ text }: SetLabel, rotation: number, lineHeight: number, isAbove: boolean): number {
  if (rotation === 0 || Math.abs(rotation) === 90) return text.width / 2
  const half = (lineHeight * Math.sin((Math.abs(rotation) / 180) * Math.PI)) / 2
  return rotation < 0 !== isAbove ? text.width - half : half
}
