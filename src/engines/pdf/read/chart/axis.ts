import { childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Axis, AxisTitle } from '../../model/chart.ts'
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
import { readTitleText } from './title.ts'

/** Reads a category, date, value or series axis (21.2.2.25, .39, .226, .175). */
export function readAxis(element: XmlElement, reading: ChartReading): Axis {
  const { source, base } = reading
  const scaling = childNamed(element, 'c:scaling')
  const position = valueOfChild(element, 'c:axPos')
  const side = position === 'r' || position === 't' || position === 'b' ? position : 'l'
  const labels = valueOfChild(element, 'c:tickLblPos')
  const tick = valueOfChild(element, 'c:majorTickMark')
  const grid = childNamed(element, 'c:majorGridlines')
  const { line } = looksOf(element, source)
  const gridLine = looksOf(grid, source).line
  const format = childNamed(element, 'c:numFmt')?.attributes
  const body = childNamed(element, 'c:txPr')
  const rotation = Number((body && childNamed(body, 'a:bodyPr'))?.attributes.rot ?? Number.NaN) / 60_000
  const automatic = hairline(AXIS_COLOR)
  const skip = numberOfChild(element, 'c:tickLblSkip')
  return {
    id: valueOfChild(element, 'c:axId') ?? '',
    crossesId: valueOfChild(element, 'c:crossAx') ?? '',
    kind: element.name === 'c:valAx' ? 'value' : element.name === 'c:serAx' ? 'series' : 'category',
    position: side,
    isDeleted: flagOfChild(element, 'c:delete'),
    isReversed: valueOfChild(scaling, 'c:orientation') === 'maxMin',
    min: numberOfChild(scaling, 'c:min'),
    max: numberOfChild(scaling, 'c:max'),
    majorUnit: numberOfChild(element, 'c:majorUnit'),
    logBase: numberOfChild(scaling, 'c:logBase'),
    format: format?.sourceLinked === '1' ? undefined : format?.formatCode,
    labels: labels === 'low' || labels === 'high' || labels === 'none' ? labels : 'nextTo',
    look: textLook(element, source, base),
    labelRotation: Math.abs(rotation) <= 90 ? rotation : undefined,
    labelSkip: skip === undefined ? undefined : Math.max(1, Math.min(10_000, Math.round(skip))),
    majorTick: tick === 'none' || tick === 'in' || tick === 'cross' ? tick : 'out',
    line: line === 'none' ? undefined : (line ?? automatic),
    grid: grid && gridLine !== 'none' ? (gridLine ?? automatic) : undefined,
    title: readAxisTitle(childNamed(element, 'c:title'), reading, side),
    crosses: valueOfChild(element, 'c:crossesAt') ?? valueOfChild(element, 'c:crosses') ?? 'autoZero',
    between: valueOfChild(element, 'c:crossBetween') !== 'midCat',
  }
}

function readAxisTitle(
  element: XmlElement | undefined,
  reading: ChartReading,
  side: Axis['position'],
): AxisTitle | undefined {
  if (!element) return undefined
  const bold: ChartReading = { ...reading, base: { ...reading.base, bold: true } }
  const { text, look, rotation } = readTitleText(element, bold, 'Axis Title')
  const upright = side === 'l' || side === 'r' ? -90 : 0
  return { text, look, rotation: rotation ?? upright, place: readPlace(element) }
}
