import { limits } from '../../../../core/limits.ts'
import type { Plot, PlotKind, Series } from '../../model/chart.ts'

const kindNames: Readonly<Record<PlotKind, string>> = {
  bar: 'Bar chart',
  line: 'Line chart',
  area: 'Area chart',
  pie: 'Pie chart',
  doughnut: 'Doughnut chart',
  scatter: 'Scatter chart',
  bubble: 'Bubble chart',
  radar: 'Radar chart',
}

/** What a plot is described by. */
type Described = Pick<Plot, 'kind' | 'horizontal'> & { series: readonly Pick<Series, 'name'>[] }

/** A description of a chart for people who can't see it: its kind, its title and its series. */
export function summaryOf(plots: readonly Described[], title: string | undefined): string {
  const names = [
    ...new Set(plots.map((plot) => (plot.kind === 'bar' && !plot.horizontal ? 'Column chart' : kindNames[plot.kind]))),
  ]
  const series = plots.flatMap((plot) => plot.series.map((entry) => entry.name)).filter((name) => name !== '')
  const about = title ? `: ${title.replace(/\n/g, ' ')}` : ''
  return `${names.join(' and ')}${about}${series.length > 0 ? ` (${series.slice(0, limits.chartSummarySeries).join(', ')})` : ''}`.slice(
    0,
    limits.chartSummaryChars,
  )
}
