import type { Plot, Series } from '../../model/chart.ts'
import type { Fill, Line } from '../../model/paint.ts'

/** The fill of a point: its own, else the series', whose colours vary with the point if the plot says so. */
export function pointFill(plot: Pick<Plot, 'varyColors' | 'palette'>, series: Series, at: number): Fill | undefined {
  const own = series.points.get(at)?.fill
  if (own === 'none') return undefined
  if (own) return own
  return plot.varyColors ? (plot.palette[at % plot.palette.length] ?? series.fill) : series.fill
}

export function pointLine(series: Series, at: number): Line | undefined {
  const own = series.points.get(at)?.line
  return own === 'none' ? undefined : (own ?? series.line)
}
