import type { Plot } from '../../model/chart.ts'

/** From where to where a point reaches on the value axis; undefined where it has no value. */
export interface Reach {
  from: number
  to: number
}

/** The reach of every point of a plot, series by series: from 0, or from the top of what it stands on. */
export function reachesOf(plot: Plot, count: number): (Reach | undefined)[][] {
  const stacked = plot.stacking !== 'none'
  const sums = Array.from({ length: count }, (_, at) =>
    plot.series.reduce((sum, series) => sum + Math.abs(series.values[at] ?? 0), 0),
  )
  const up = new Array<number>(count).fill(0)
  const down = new Array<number>(count).fill(0)
  return plot.series.map((series) =>
    Array.from({ length: count }, (_, at) => {
      const stated = series.values[at]
      if (stated === undefined) return undefined
      if (!stacked) return { from: 0, to: stated }
      const value = plot.stacking === 'percent' ? (sums[at]! > 0 ? stated / sums[at]! : 0) : stated
      // Bars below zero grow downwards; lines and areas simply add up.
      const pile = value < 0 && plot.kind === 'bar' ? down : up
      const from = pile[at]!
      pile[at] = from + value
      return { from, to: from + value }
    }),
  )
}

/** The least and greatest value that a value axis has to show for a plot. */
export function rangeOf(plot: Plot, count: number): { min: number; max: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const take = (value: number) => {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  const standsOnZero = plot.kind === 'bar' || plot.kind === 'area' || plot.stacking !== 'none'
  for (const series of reachesOf(plot, count)) {
    for (const reach of series) {
      if (!reach) continue
      take(reach.to)
      if (standsOnZero && plot.kind !== 'line') take(reach.from)
    }
  }
  return { min, max }
}

/** How many categories a plot has. */
export function countOf(plot: Plot): number {
  return Math.max(0, ...plot.series.map((series) => Math.max(series.values.length, series.categories.length)))
}
