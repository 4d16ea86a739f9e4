import { limits } from '../../../../core/limits.ts'
import type { Axis } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box } from './box.ts'
import { type Caption, caption, lineHeight, widthOf } from './caption.ts'
import type { Ruler } from './pairs.ts'

/** Labels of the axes: broken, turned or left out, so that none covers its neighbour. */

/** The share of the distance between two ticks that a name below them may take. */
const NAME_SHARE = 0.95
/** Labels that cover each other when they are level are turned by half a right angle. */
const AUTOMATIC_TURN = -45

export interface SetLabel {
  /** The place of its tick. */
  share: number
  text: Caption
}

export interface LabelSet {
  labels: readonly SetLabel[]
  /** Degrees clockwise. */
  rotation: number
  /** Every nth label is shown; 1 shows all. */
  step: number
}

const none: LabelSet = { labels: [], rotation: 0, step: 1 }

/**
 * The labels for a first guess of an axis's room, unlimited and in one line: the first three values, or the longest
 * name and the two beside it.
 */
export function draftLabels(canvas: Canvas, { axis, labels }: Ruler): LabelSet {
  if (axis.labels === 'none') return none
  let from = 0
  if (axis.kind === 'category') {
    const longest = longestOf(labels)
    from = longest >= labels.length - 2 ? 0 : Math.max(0, longest - 1)
  }
  const rotation = axis.labelRotation ?? 0
  return { labels: labels.slice(from, from + 3).map(setIn(canvas, axis, undefined, rotation)), rotation, step: 1 }
}

/** The index of the first of the longest labels. */
function longestOf(labels: readonly { text: string }[]): number {
  let [longest, length] = [0, -1]
  for (const [at, { text }] of labels.entries()) if (text.length > length) [longest, length] = [at, text.length]
  return longest
}

/** The input for setting labels. */
export interface LabelWish {
  /** The document states the plot's box, so names beside it may reach out of it. */
  isFixed: boolean
  /** The labels when the plot had another size: what was turned stays turned. */
  before?: LabelSet | undefined
}

/** The labels that an axis shows beside a plot. */
export function setLabels(canvas: Canvas, ruler: Ruler, box: Box, { isFixed, before }: LabelWish): LabelSet {
  const { axis, isVertical, labels } = ruler
  if (axis.labels === 'none' || labels.length === 0) return none
  const length = isVertical ? box.height : box.width
  const [first, second] = labels
  const distance = first && second ? Math.abs(second.share - first.share) * length : length
  const rotation = before?.rotation ?? axis.labelRotation ?? 0
  const wish: Turn = {
    rotation,
    spacing: Math.max(0.1, distance),
    least: Math.max(before?.step ?? 1, axis.kind === 'category' ? (axis.labelSkip ?? 1) : 1),
  }
  if (!isVertical) return labelsBelow(canvas, ruler, box, wish)
  const width = axis.kind === 'category' && !isFixed && rotation === 0 ? box.x : undefined
  const step = Math.max(wish.least, Math.ceil((lineHeight(canvas.context, axis.look) * 0.95) / wish.spacing))
  return { labels: every(labels, step).map(setIn(canvas, axis, width, rotation)), rotation, step }
}

/** One way to set labels: their rotation, the distance of their ticks, and the smallest step between shown ones. */
interface Turn {
  rotation: number
  spacing: number
  least: number
}

function labelsBelow(canvas: Canvas, ruler: Ruler, box: Box, wish: Turn): LabelSet {
  const { axis, labels } = ruler
  const { rotation, spacing, least } = wish
  if (rotation === 0 && axis.kind === 'category' && labels.length <= limits.chartBrokenLabels) {
    const shown = every(labels, least)
    const width = spacing * least * NAME_SHARE
    // Names that have to stay level are also broken within words; others are turned instead.
    const fits = (word: string) => widthOf(canvas.context, word, axis.look) <= width
    const isWhole = ({ text }: { text: string }) => text.split(' ').every(fits)
    if (axis.labelRotation === 0 || shown.slice(1).every(isWhole))
      return { labels: shown.map(setIn(canvas, axis, width, 0)), rotation, step: least }
  }
  if (rotation !== 0) return setTurned(canvas, ruler, box, wish)
  const step = stepOf(canvas, ruler, wish)
  if (step > least && axis.labelRotation === undefined)
    return setTurned(canvas, ruler, box, { spacing, rotation: AUTOMATIC_TURN, least: axis.labelSkip ?? 1 })
  return { labels: every(labels, step).map(setIn(canvas, axis, undefined, 0)), rotation, step }
}

function setTurned(canvas: Canvas, ruler: Ruler, box: Box, wish: Turn): LabelSet {
  const { rotation } = wish
  const step = stepOf(canvas, ruler, wish)
  const width = Math.abs(rotation) === 90 ? box.height : undefined
  return { labels: every(ruler.labels, step).map(setIn(canvas, ruler.axis, width, rotation)), rotation, step }
}

function setIn(canvas: Canvas, { look }: Axis, maxWidth: number | undefined, rotation: number) {
  return ({ share, text }: { share: number; text: string }): SetLabel => ({
    share,
    text: caption(canvas, text, look, { maxWidth, rotation }),
  })
}

/** The smallest step at which no shown label covers the next one, all turned in the same way. */
function stepOf({ context }: Canvas, { axis, labels }: Ruler, { spacing, rotation, least }: Turn): number {
  const height = lineHeight(context, axis.look)
  const widths = labels.slice(0, limits.chartMeasuredLabels).map(({ text }) => widthOf(context, text, axis.look))
  const turn = (Math.abs(rotation) / 180) * Math.PI
  const covers = (at: number, step: number) => {
    const [own = 0, next = 0] = [widths[at], widths[at + step]]
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
 * How far to the left of its tick a label begins: a horizontal label is centred on the tick; a turned one touches it
 * with the middle of its nearer end.
 */
export function leadOf({ text }: SetLabel, rotation: number, lineHeight: number, side: 'above' | 'below'): number {
  if (rotation === 0 || Math.abs(rotation) === 90) return text.width / 2
  const half = (lineHeight * Math.sin((Math.abs(rotation) / 180) * Math.PI)) / 2
  return rotation < 0 !== (side === 'above') ? text.width - half : half
}
