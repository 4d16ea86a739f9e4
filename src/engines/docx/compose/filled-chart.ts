import type { ChartForm } from '../scan/charts.ts'

/** A chart's data: a category for each item, and for each series a number for each item, where there is one. */
export interface FilledChart {
  form: ChartForm
  categories: (string | number)[]
  series: (number | undefined)[][]
}
