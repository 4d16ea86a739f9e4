import type { Series } from './model.ts'
import { formatNumber } from './number-format.ts'

/** What the label of a point says; undefined when it has none. `share` is the point's part of the whole. */
export function labelText(series: Series, at: number, share: number | undefined): string | undefined {
  const { labels } = series
  const value = series.values[at]
  if (!labels || labels.hidden.has(at) || value === undefined) return undefined
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
