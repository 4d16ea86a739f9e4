import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Plot, PlotKind } from '../../model/chart.ts'
import type { SolidFill } from '../../model/paint.ts'
import { chartColors } from './colors.ts'
import { readJoin, readSecond, readUpDown } from './joins.ts'
import { readLabels } from './labels.ts'
import { readSeries } from './series.ts'
import { type ChartReading, numberOfChild, statedFlag, valueOfChild } from './source.ts'

/** Kinds of plot by their element, and what they are drawn as. */
export const plotKinds: Readonly<Record<string, PlotKind>> = {
  'c:barChart': 'bar',
  'c:bar3DChart': 'bar',
  'c:lineChart': 'line',
  'c:line3DChart': 'line',
  'c:stockChart': 'line',
  'c:areaChart': 'area',
  'c:area3DChart': 'area',
  'c:pieChart': 'pie',
  'c:pie3DChart': 'pie',
  'c:ofPieChart': 'pie',
  'c:doughnutChart': 'doughnut',
  'c:scatterChart': 'scatter',
  'c:bubbleChart': 'bubble',
  'c:radarChart': 'radar',
  'c:surfaceChart': 'bar',
  'c:surface3DChart': 'bar',
}

/** Reads a plot, with the colours that its points have where they vary. */
export function readPlot(element: XmlElement, kind: PlotKind, reading: ChartReading): Plot {
  const plot = readSeriesOf(element, kind, reading)
  return { ...plot, palette: pointColors(plot, reading) }
}

function readSeriesOf(element: XmlElement, kind: PlotKind, reading: ChartReading): Omit<Plot, 'palette'> {
  const { source, budget } = reading
  const grouping = valueOfChild(element, 'c:grouping') ?? ''
  const labels = readLabels(childNamed(element, 'c:dLbls'), reading)
  const list = childElements(element, 'c:ser')
    .filter(() => --budget.series >= 0)
    .map((entry) => readSeries(entry, { element, kind, labels }, reading))
  return {
    kind,
    isDeep: element.name.endsWith('3DChart') || isSurface(element),
    horizontal: valueOfChild(element, 'c:barDir') === 'bar',
    stacking: grouping === 'percentStacked' ? 'percent' : grouping === 'stacked' ? 'stacked' : 'none',
    gapWidth: Math.max(0, Math.min(500, numberOfChild(element, 'c:gapWidth') ?? 150)),
    overlap: Math.max(-100, Math.min(100, numberOfChild(element, 'c:overlap') ?? (/tacked/.test(grouping) ? 100 : 0))),
    gapDepth: Math.max(0, Math.min(500, numberOfChild(element, 'c:gapDepth') ?? 150)),
    inRows: isSurface(element) || (element.name === 'c:bar3DChart' && grouping === 'standard'),
    varyColors: statedFlag(element, 'c:varyColors') ?? (kind === 'pie' || kind === 'doughnut'),
    highLow: readJoin(element, 'c:hiLowLines', source),
    drop: readJoin(element, 'c:dropLines', source),
    upDown: readUpDown(childNamed(element, 'c:upDownBars'), source),
    second: element.name === 'c:ofPieChart' ? readSecond(element, list[0], source) : undefined,
    filled: valueOfChild(element, 'c:radarStyle') === 'filled',
    firstAngle: numberOfChild(element, 'c:firstSliceAng') ?? 0,
    hole: Math.max(1, Math.min(90, numberOfChild(element, 'c:holeSize') ?? 50)),
    series: list,
    axisIds: childElements(element, 'c:axId').map((id) => id.attributes.val ?? ''),
  }
}

export function isSurface({ name }: XmlElement): boolean {
  return name === 'c:surfaceChart' || name === 'c:surface3DChart'
}

/** The colours of points where they vary. */
function pointColors({ series, second }: Omit<Plot, 'palette'>, { style, source }: ChartReading): SolidFill[] {
  // A slice that combines others has a colour of its own.
  const more = second ? 1 : 0
  const points = series.reduce((most, { values }) => Math.max(most, values.length), 1)
  const count = Math.min(limits.chartPalette, points + more)
  const colors = chartColors(style, count, source)
  return Array.from({ length: count }, (_, index) => ({ kind: 'solid', color: colors.color(index), opacity: 1 }))
}
