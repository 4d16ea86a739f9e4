import { limits } from '../../../../core/limits.ts'
import { childElements, type XmlElement } from '../../../ooxml/xml.ts'
import type { DataTable, Legend, Plot } from '../../model/chart.ts'
import { readPlace } from './place.ts'
import {
  AXIS_COLOR,
  type ChartReading,
  flagOfChild,
  hairline,
  looksOf,
  numberOfChild,
  textLook,
  valueOfChild,
} from './source.ts'

export function readLegend(element: XmlElement | undefined, { source, base }: ChartReading): Legend | undefined {
  if (!element) return undefined
  const position = valueOfChild(element, 'c:legendPos')
  const { fill, line } = looksOf(element, source)
  const hidden = childElements(element, 'c:legendEntry')
    .filter((entry) => flagOfChild(entry, 'c:delete'))
    .map((entry) => numberOfChild(entry, 'c:idx') ?? -1)
  return {
    position: position === 'l' || position === 't' || position === 'b' || position === 'tr' ? position : 'r',
    overlay: flagOfChild(element, 'c:overlay'),
    look: textLook(element, source, base),
    fill: fill === 'none' ? undefined : fill,
    line: line === 'none' ? undefined : line,
    place: readPlace(element),
    hidden: new Set(hidden),
  }
}

export function readTable(element: XmlElement | undefined, { source, base }: ChartReading): DataTable | undefined {
  if (!element) return undefined
  const { line } = looksOf(element, source)
  const shows = (name: string) => flagOfChild(element, name)
  return {
    horizontal: shows('c:showHorzBorder'),
    vertical: shows('c:showVertBorder'),
    outline: shows('c:showOutline'),
    keys: shows('c:showKeys'),
    look: textLook(element, source, base),
    line: line === 'none' ? undefined : (line ?? hairline(AXIS_COLOR)),
  }
}

/** A data table needs categories that run from left to right, and few enough cells to be readable. */
export function mayHaveTable(plots: readonly Plot[]): boolean {
  const cells = plots.flatMap((plot) => plot.series).reduce((sum, { values }) => sum + values.length, 0)
  const isUpright = ({ kind, horizontal }: Plot) =>
    kind === 'line' || kind === 'area' || (kind === 'bar' && !horizontal)
  return plots.every(isUpright) && cells <= limits.chartTableCells
}
