import type { Plot, Series } from '../../model/chart.ts'

/** From where to where a point reaches on the value axis; undefined if it has no value. */
export interface Reach {
  from: number
  to: number
}

/** A series of a plot with the reach of its points. */
export interface StackedSeries {
  series: Series
  /** Its place among the series of the plot. */
  index: number
  reaches: readonly (Reach | undefined)[]
}

/** How far a category is filled above zero and below. */
interface Pile {
  up: number
  down: number
  /** The sum of all values, whatever their sign. */
  readonly sum: number
}

/** The reach of every point of a plot, series by series: from 0, or from the top of the point below it. */
export function stacksOf(plot: Plot, count: number): StackedSeries[] {
  const piles = Array.from({ length: count }, (_, at): Pile => {
    const sum = plot.series.reduce((total, series) => total + Math.abs(series.values[at] ?? 0), 0)
    return { up: 0, down: 0, sum }
  })
  return plot.series.map((series, index) => ({
    series,
    index,
    reaches: piles.map((pile, at) => reachOn(pile, plot, series.values[at])),
  }))
}

function reachOn(pile: Pile, { kind, stacking }: Plot, stated: number | undefined): Reach | undefined {
  if (stated === undefined) return undefined
  if (stacking === 'none') return { from: 0, to: stated }
  const value = stacking === 'percent' ? (pile.sum > 0 ? stated / pile.sum : 0) : stated
  // Bars below zero grow downwards; lines and areas simply add up.
  const side = value < 0 && kind === 'bar' ? 'down' : 'up'
  const from = pile[side]
  pile[side] = from + value
  return { from, to: from + value }
}

/** The least and greatest value that a value axis has to show for a plot. */
export function rangeOf(plot: Plot, count: number): { min: number; max: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const take = (value: number) => {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  const standsOnZero = plot.kind === 'bar' || plot.kind === 'area' || plot.stacking !== 'none'
  for (const { reaches } of stacksOf(plot, count)) {
    for (const reach of reaches) {
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
