import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { DataLabels, Series } from '../../model/chart.ts'
import { formatNumber } from '../../model/number-format.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Place } from './box.ts'
import { type Caption, caption } from './caption.ts'
import { paintedBox } from './marks.ts'

/** From a label's text to the edge of its box (21.1.2.1.1). */
const PADDING = { x: 3, y: 1.5 }

/** From a point or bar to its label. */
export const LABEL_GAP = 2.8

/** The label of a point, before it is placed. */
export interface PointLabel extends Caption {
  /** Its place beside its point; undefined for the plot's default. */
  position: string | undefined
}

/** The point that a label belongs to. */
export interface LabelledPoint {
  series: Series
  at: number
  /** Its part of the whole, where it has one. */
  share?: number
}

/** The label of a point, undefined when it has none. */
export function pointLabel(canvas: Canvas, { series, at, share }: LabelledPoint): PointLabel | undefined {
  if (!series.labels || series.labels.hidden.has(at)) return undefined
  const labels = series.labels.points.get(at) ?? series.labels
  const says = labelText(labels, series, at, share)
  if (says === undefined) return undefined
  const text = caption(canvas, says, labels.look)
  const { fill, line, position } = labels
  if (!fill && !line) return { ...text, position }
  const size = { width: text.width + 2 * PADDING.x, height: text.height + 2 * PADDING.y }
  return {
    ...text,
    position,
    at(x, y) {
      const box = paintedBox({ x: 0, y: 0, ...size }, { fill, line }, canvas.node)
      moveFrames(box, x - PADDING.x, y - PADDING.y)
      return [...box, ...text.at(x, y)]
    },
  }
}

function labelText(labels: DataLabels, series: Series, at: number, share: number | undefined): string | undefined {
  const value = series.values[at]
  if (value === undefined) return undefined
  if (labels.text !== undefined) return labels.text
  const parts: string[] = []
  if (labels.showSeries) parts.push(series.name)
  if (labels.showCategory) parts.push(series.categories[at] ?? `${at + 1}`)
  if (labels.showValue) parts.push(formatNumber(value, labels.format ?? series.valueFormat))
  if (labels.showPercent && share !== undefined) {
    const format = labels.format?.includes('%') ? labels.format : '0%'
    parts.push(formatNumber(share, format))
  }
  const text = parts.filter((part) => part !== '').join(labels.separator)
  return text === '' ? undefined : text
}

/** A label beside a point whose sign has a radius; to the right if nothing is stated. */
export function besidePoint(label: PointLabel, [x, y]: Place, radius: number): Frame[] {
  const gap = radius + LABEL_GAP
  const position = label.position ?? 'r'
  if (position === 't') return label.at(x - label.width / 2, y - gap - label.height)
  if (position === 'b') return label.at(x - label.width / 2, y + gap)
  if (position === 'l') return label.at(x - gap - label.width, y - label.height / 2)
  return position === 'ctr'
    ? label.at(x - label.width / 2, y - label.height / 2)
    : label.at(x + gap, y - label.height / 2)
}
