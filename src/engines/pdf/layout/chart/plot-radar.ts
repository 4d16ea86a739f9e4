import type { Frame } from '../../frame/frame.ts'
import { polyline } from '../../frame/pen.ts'
import type { Chart, Plot } from '../../model/chart.ts'
import { formatNumber } from '../../model/number-format.ts'
import type { Context } from '../context.ts'
import { type Box, caption, lineHeight } from './caption.ts'
import { markerFrames, paintedPath, straight } from './marks.ts'
import { intervalsWithin, scaleFor, shareOf, ticksOf, tickValue } from './scale.ts'
import { countOf, rangeOf } from './stacks.ts'

/** A net: a spoke for each category, the values outwards on it. */
export function drawRadar(context: Context, chart: Chart, plot: Plot, space: Box, node: number): Frame[] {
  const count = Math.max(3, countOf(plot))
  const value = chart.axes.find((axis) => axis.kind === 'value')
  const category = chart.axes.find((axis) => axis.kind === 'category')
  const names = plot.series.find((series) => series.categories.length > 0)?.categories
  const look = category?.look ?? { size: 10 }
  const captions = Array.from({ length: count }, (_, at) => caption(context, names?.[at] ?? `${at + 1}`, look, node))
  const tallest = Math.max(...captions.map((label) => label.height))
  const widest = Math.max(...captions.map((label) => label.width))
  const radius = Math.max(4, Math.min(space.height / 2 - tallest - 3, space.width / 2 - widest - 3))
  const [x, y] = [space.x + space.width / 2, space.y + space.height / 2]
  const scale = scaleFor(rangeOf(plot, count), value, {
    intervals: intervalsWithin(radius / lineHeight(context, value?.look ?? look)),
    fromZero: true,
    clear: false,
    isPercent: false,
  })
  const at = (index: number, share: number): [number, number] => {
    const angle = (index / count) * 2 * Math.PI - Math.PI / 2
    return [x + Math.cos(angle) * share * radius, y + Math.sin(angle) * share * radius]
  }
  const ring = (share: number) => polyline(Array.from({ length: count }, (_, index) => at(index, share)).flat(), true)
  const frames: Frame[] = []
  const ticks = ticksOf(scale)
  if (value?.grid)
    for (const tick of ticks)
      frames.push(...paintedPath(ring(shareOf(tickValue(tick, scale), scale)), undefined, value.grid, node))
  const spoke = value?.line ?? value?.grid
  if (spoke) for (let index = 0; index < count; index++) frames.push(...straight(x, y, ...at(index, 1), spoke, node))
  for (const series of plot.series) {
    const places = Array.from({ length: count }, (_, index) =>
      at(index, Math.max(0, Math.min(1, shareOf(series.values[index] ?? scale.min, scale)))),
    )
    const outline = polyline(places.flat(), true)
    frames.push(...paintedPath(outline, plot.filled ? series.fill : undefined, series.line, node, space))
    if (series.marker) for (const place of places) frames.push(...markerFrames(series.marker, ...place, node))
  }
  for (const [index, label] of captions.entries()) {
    const angle = (index / count) * 2 * Math.PI - Math.PI / 2
    const [px, py] = at(index, 1)
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)]
    frames.push(
      ...label.at(
        px + dx * (label.width / 2 + 3) - label.width / 2,
        py + dy * (label.height / 2 + 3) - label.height / 2,
      ),
    )
  }
  if (value && !value.isDeleted && value.labels !== 'none') {
    for (const tick of ticks) {
      const share = shareOf(tickValue(tick, scale), scale)
      const text = caption(
        context,
        formatNumber(tickValue(tick, scale), value.format ?? plot.series[0]?.valueFormat),
        value.look,
        node,
      )
      frames.push(...text.at(x - text.width - 3, y - share * radius - text.height / 2))
    }
  }
  return frames
}
