import { moveFrames } from '../../frame/frame.ts'
import type { DataLabels, Series } from '../../model/chart.ts'
import { formatNumber } from '../../model/number-format.ts'
import type { Context } from '../context.ts'
import { type Caption, caption } from './caption.ts'
import { paintedBox } from './marks.ts'

/** From a label's text to the edge of its box (21.1.2.1.1). */
const PADDING = { x: 3, y: 1.5 }

/** The label of a point, before it is placed. */
export interface PointLabel extends Caption {
  /** Where it stands beside its point; undefined where that follows from the plot. */
  position: string | undefined
}

/** The label of a point, undefined when it has none; `share` is the point's part of the whole. */
export function pointLabel(
  context: Context,
  series: Series,
  at: number,
  share: number | undefined,
  node: number,
): PointLabel | undefined {
  if (!series.labels || series.labels.hidden.has(at)) return undefined
  const labels = series.labels.points.get(at) ?? series.labels
  const says = labelText(labels, series, at, share)
  if (says === undefined) return undefined
  const text = caption(context, says, labels.look, node)
  const { fill, line, position } = labels
  if (!fill && !line) return { ...text, position }
  const [width, height] = [text.width + 2 * PADDING.x, text.height + 2 * PADDING.y]
  return {
    ...text,
    position,
    at(x, y) {
      const box = paintedBox(0, 0, width, height, fill, line, node)
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
