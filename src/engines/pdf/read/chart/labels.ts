import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { DataLabels, SeriesLabels } from '../../model/chart.ts'
import type { PaintSource } from '../drawing/paint.ts'
import {
  type ChartReading,
  flagOfChild,
  looksOf,
  numberOfChild,
  paragraphLook,
  plainText,
  richText,
  statedFlag,
  textLook,
  valueOfChild,
} from './source.ts'

/** The contents of the labels of points (21.2.2.49); undefined if none are shown. */
export function readLabels(
  element: XmlElement | undefined,
  { source, base }: ChartReading,
  inherited?: SeriesLabels,
): SeriesLabels | undefined {
  if (!element || flagOfChild(element, 'c:delete')) return undefined
  const labels = readLabel(element, source, inherited ?? { ...bare, look: base })
  const hidden = new Set<number>()
  const points = new Map<number, DataLabels>()
  for (const own of childElements(element, 'c:dLbl').slice(0, limits.renderChartPoints)) {
    const at = numberOfChild(own, 'c:idx') ?? -1
    if (flagOfChild(own, 'c:delete')) hidden.add(at)
    else points.set(at, readLabel(own, source, labels))
  }
  const any = labels.showValue || labels.showPercent || labels.showCategory || labels.showSeries
  return any || points.size > 0 ? { ...labels, hidden, points } : undefined
}

const bare: Omit<DataLabels, 'look'> = {
  showValue: false,
  showPercent: false,
  showCategory: false,
  showSeries: false,
  position: undefined,
  separator: ' ',
  format: undefined,
  text: undefined,
  fill: undefined,
  line: undefined,
}

function readLabel(element: XmlElement, source: PaintSource, inherited: DataLabels): DataLabels {
  const separator = childNamed(element, 'c:separator')
  const format = childNamed(element, 'c:numFmt')?.attributes
  const { fill = inherited.fill, line = inherited.line } = looksOf(element, source)
  const words = childNamed(element, 'c:tx')
  const rich = words && childNamed(words, 'c:rich')
  return {
    showValue: statedFlag(element, 'c:showVal') ?? inherited.showValue,
    showPercent: statedFlag(element, 'c:showPercent') ?? inherited.showPercent,
    showCategory: statedFlag(element, 'c:showCatName') ?? inherited.showCategory,
    showSeries: statedFlag(element, 'c:showSerName') ?? inherited.showSeries,
    position: valueOfChild(element, 'c:dLblPos') ?? inherited.position,
    separator: separator ? plainText(separator) : inherited.separator,
    format: format && format.sourceLinked !== '1' ? format.formatCode : inherited.format,
    look: { ...textLook(element, source, inherited.look), ...(rich ? paragraphLook(rich, source) : {}) },
    text: rich && !hasField(rich) ? richText(rich) : undefined,
    fill: fill === 'none' ? undefined : fill,
    line: line === 'none' ? undefined : line,
  }
}

/** True for text with fields, which is rebuilt from the label's settings. */
function hasField(rich: XmlElement): boolean {
  return childElements(rich, 'a:p').some((paragraph) => childNamed(paragraph, 'a:fld'))
}
