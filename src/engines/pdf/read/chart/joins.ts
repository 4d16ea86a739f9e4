import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { SecondPlot, Series, UpDownBars } from '../../model/chart.ts'
import type { Line } from '../../model/paint.ts'
import type { PaintSource } from '../drawing/paint.ts'
import { hairline, looksOf, numberOfChild, valueOfChild } from './source.ts'

/** Lines between series or down to the axis; undefined if there are none. */
export function readJoin(element: XmlElement, name: string, source: PaintSource): Line | undefined {
  const child = childNamed(element, name)
  const { line } = looksOf(child, source)
  return child && line !== 'none' ? (line ?? hairline('000000')) : undefined
}

/** The plot beside a pie, and the points that it shows: the last ones, small ones, or listed ones. */
export function readSecond(element: XmlElement, series: Series | undefined, source: PaintSource): SecondPlot {
  const values = (series?.values ?? []).map((value) => Math.abs(value ?? 0))
  const whole = values.reduce((sum, value) => sum + value, 0)
  const split = valueOfChild(element, 'c:splitType')
  const at = numberOfChild(element, 'c:splitPos')
  const named = childNamed(element, 'c:custSplit')
  const listed = new Set(
    (named ? childElements(named, 'c:secondPiePt') : []).map((point) => Number(point.attributes.val)),
  )
  // By default, Word moves a third of the points there.
  const last = values.length - (split === 'pos' && at !== undefined ? at : Math.ceil(values.length / 3))
  const isBeside = (value: number, index: number) =>
    split === 'cust'
      ? listed.has(index)
      : split === 'val'
        ? value < (at ?? 0)
        : split === 'percent'
          ? value < ((at ?? 10) / 100) * whole
          : index >= last
  return {
    kind: valueOfChild(element, 'c:ofPieType') === 'bar' ? 'bar' : 'pie',
    points: new Set(values.flatMap((value, index) => (isBeside(value, index) ? [index] : []))),
    size: Math.max(5, Math.min(200, numberOfChild(element, 'c:secondPieSize') ?? 75)),
    gapWidth: Math.max(0, Math.min(500, numberOfChild(element, 'c:gapWidth') ?? 100)),
    line: readJoin(element, 'c:serLines', source),
  }
}

export function readUpDown(element: XmlElement | undefined, source: PaintSource): UpDownBars | undefined {
  if (!element) return undefined
  const bars = (name: string, color: string) => {
    const { fill, line } = looksOf(childNamed(element, name), source)
    return {
      fill: fill === 'none' ? undefined : (fill ?? { kind: 'solid' as const, color, opacity: 1 }),
      line: line === 'none' ? undefined : (line ?? hairline('000000')),
    }
  }
  const gapWidth = Math.max(0, Math.min(500, numberOfChild(element, 'c:gapWidth') ?? 150))
  return { gapWidth, up: bars('c:upBars', 'FFFFFF'), down: bars('c:downBars', '000000') }
}
