import type { Frame } from '../../frame/frame.ts'
import type { Plot, SecondPlot, Series } from '../../model/chart.ts'
import type { Context } from '../context.ts'
import type { Box } from './caption.ts'
import { pointLabel } from './labels.ts'
import { paintedBox, straight } from './marks.ts'
import { drawSlices, explosionOf, type Slice, sliceFill, sliceLine } from './plot-pie.ts'

/**
 * A pie, one of whose slices is a pie or a bar of its own beside it (21.2.2.126). That slice points to the right, and the
 * others follow it clockwise.
 */
export function drawPieOfPie(context: Context, plot: Plot, second: SecondPlot, box: Box, node: number): Frame[] {
  const [stated] = plot.series
  if (!stated) return []
  const values = stated.values.map((value) => Math.abs(value ?? 0))
  const all = values.map((value, at): Slice => ({ at, value }))
  const beside = all.filter(({ at }) => second.points.has(at))
  const other = sumOf(beside)
  const whole = sumOf(all)
  if (!(whole > 0)) return []
  const series: Series = {
    ...stated,
    values: [...stated.values, other],
    categories: [...values.map((_, at) => stated.categories[at] ?? `${at + 1}`), 'Other'],
  }
  const slices = [...all.filter(({ at }) => !second.points.has(at)), { at: values.length, value: other }]
  const size = second.size / 100
  const gapShare = (second.gapWidth / 100) * size
  // Slices that are pulled out make both wider.
  const spread = 1 + Math.max(0, ...slices.map(({ at }) => explosionOf(series, at))) / 100
  const secondWidth = second.kind === 'pie' ? 2 * size * spread : size
  // The whole is as wide as both and the gap between them, and as high as the larger.
  const across = 2 * spread + gapShare + secondWidth
  const down = 2 * Math.max(spread, second.kind === 'pie' ? size * spread : size)
  const radius = Math.max(1, Math.min(box.height / down, box.width / across))
  const x = box.x + (box.width - radius * across) / 2 + radius * spread
  const y = box.y + box.height / 2
  const half = (other / whole) * Math.PI
  const [below, above]: [Frame[], Frame[]] = [[], []]
  const pie = { plot, series, whole, node }
  drawSlices(context, pie, slices, { x, y, inner: 0, outer: radius }, half, below, above)
  if (other <= 0) return [...below, ...above]
  const left = x + radius * (spread + gapShare)
  const reach = radius * size
  const nearest = second.kind === 'pie' ? left + reach * spread : left
  if (second.line) {
    for (const side of [-1, 1]) {
      const from = [x + Math.cos(half) * radius, y + side * Math.sin(half) * radius] as const
      below.unshift(...straight(...from, nearest, y + side * reach, second.line, node))
    }
  }
  if (second.kind === 'pie') {
    const ring = { x: nearest, y, inner: 0, outer: reach }
    drawSlices(context, { ...pie, share: other }, beside, ring, -Math.PI / 2, below, above)
    return [...below, ...above]
  }
  let top = y - reach
  for (const { at, value } of beside) {
    const height = (value / other) * 2 * reach
    below.push(...paintedBox(left, top, reach, height, sliceFill(plot, series, at), sliceLine(series, at), node))
    const label = pointLabel(context, series, at, value / whole, node)
    if (label) above.push(...label.at(left + (reach - label.width) / 2, top + (height - label.height) / 2))
    top += height
  }
  return [...below, ...above]
}

function sumOf(slices: readonly Slice[]): number {
  return slices.reduce((sum, { value }) => sum + value, 0)
}
