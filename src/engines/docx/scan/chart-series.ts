/** The series of a chart, and the cells that they are from. */
import { childElements, childNamed, textOf, type XmlElement } from '../../ooxml/xml.ts'

/** A range of cells in one column, as formulas of charts write it: `Sheet1!$B$2:$B$5`. */
export interface ColumnOfCells {
  /** As written, with its sign: `Sheet1!`; empty without a sheet. */
  sheet: string
  column: string
  from: number
  to: number
}

export interface ChartSeries {
  /** The references or literals of its name, its categories and its values. */
  name: XmlElement | undefined
  category: XmlElement | undefined
  values: XmlElement | undefined
}

/** The series of all plots of a chart, in the order of their numbers. */
export function seriesOf(root: XmlElement): ChartSeries[] {
  const chart = childNamed(root, 'c:chart')
  const area = chart === undefined ? undefined : childNamed(chart, 'c:plotArea')
  const found = (area === undefined ? [] : childElements(area)).flatMap((plot) => childElements(plot, 'c:ser'))
  const order = (series: XmlElement) => Number(childNamed(series, 'c:order')?.attributes.val) || 0
  return found
    .toSorted((a, b) => order(a) - order(b))
    .map((series) => ({
      name: dataIn(series, 'c:tx', ['c:strRef']),
      category: dataIn(series, 'c:cat', ['c:strRef', 'c:numRef', 'c:strLit', 'c:numLit']),
      values: dataIn(series, 'c:val', ['c:numRef', 'c:numLit']),
    }))
}

function dataIn(series: XmlElement, name: string, kinds: readonly string[]): XmlElement | undefined {
  const holder = childNamed(series, name)
  return holder === undefined ? undefined : childElements(holder).find((child) => kinds.includes(child.name))
}

/** The cell range that a reference names; undefined for literals, and for anything but a range in one column. */
export function rangeOf(reference: XmlElement | undefined): ColumnOfCells | undefined {
  const formula = reference === undefined ? undefined : childNamed(reference, 'c:f')
  const written = formula === undefined ? '' : textOf(formula).trim()
  const [, sheet = '', column, from = '', last = column, to = from] =
    /^(.*!)?\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/.exec(written) ?? []
  if (column === undefined || last !== column) return undefined
  return { sheet, column, from: Number(from), to: Number(to) }
}
