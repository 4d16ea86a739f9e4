/** What composing needs to know of a template's chart to give it other data. */
import { limits } from '../../../core/limits.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { type ChartSeries, type ColumnOfCells, rangeOf, seriesOf } from './chart-series.ts'
import { readWorkbook, type WorkbookForm } from './workbook.ts'

export interface ChartForm {
  part: string
  source: string
  series: number
  /** What its categories are: texts, or numbers and dates. */
  categories: 'text' | 'number'
  /** Whether days count from 1904. */
  isFrom1904: boolean
  workbook: WorkbookForm | undefined
}

export type ChartResult = { ok: true; form: ChartForm } | { ok: false; message: string; hint: string }

/** Reads a chart; `message` goes on with a sentence about it. */
export function readChart(opened: OoxmlPackage, part: string): ChartResult {
  const document = opened.readXmlDocument(part)
  if (!document.ok) return refused('can’t be read', 'Insert the chart anew.')
  const { root, source } = document.value
  const series = seriesOf(root)
  const [first] = series
  if (first === undefined || series.length > limits.renderChartSeries) {
    return refused('has no series', 'Insert a bar, line, area or pie chart.')
  }
  for (const one of series) {
    if (one.category === undefined || one.values === undefined) {
      return refused('has series without categories and values', 'Insert a bar, line, area or pie chart.')
    }
  }
  const [ranges, areRanges] = [
    series.flatMap(rangesOf),
    series.flatMap(({ category, values }) => [category, values]).every(isInColumn),
  ]
  const rows = new Set(ranges.map(({ sheet, from }) => `${sheet}${from}`))
  const columns = new Set(series.flatMap(({ category }) => rangeOf(category)?.column ?? []))
  const kinds = new Set(series.map(({ category }) => category?.name.slice(0, 5)))
  if (!areRanges || kinds.size > 1 || rows.size > 1 || columns.size > 1) {
    return refused(
      'doesn’t take each series from a column of its own',
      'Arrange its data as Word does: categories in the first column, a series in each other.',
    )
  }
  const workbook = readWorkbook(opened, part, root, series)
  if (workbook !== undefined && !workbook.ok) return workbook
  const form: ChartForm = {
    part,
    source,
    series: series.length,
    categories: first.category?.name.startsWith('c:num') === true ? 'number' : 'text',
    isFrom1904: isOn(childNamed(root, 'c:date1904')),
    workbook: workbook?.form,
  }
  return { ok: true, form }
}

function refused(message: string, hint: string): { ok: false; message: string; hint: string } {
  return { ok: false, message, hint }
}

function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && element.attributes.val !== '0' && element.attributes.val !== 'false'
}

function rangesOf({ category, values }: ChartSeries): ColumnOfCells[] {
  return [category, values].flatMap((reference) => rangeOf(reference) ?? [])
}

function isInColumn(reference: XmlElement | undefined): boolean {
  return reference === undefined || !reference.name.endsWith('Ref') || rangeOf(reference) !== undefined
}
