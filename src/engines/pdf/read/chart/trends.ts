import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { ErrorBars, PlotKind, Trend, TrendKind } from '../../model/chart.ts'
import type { Line } from '../../model/paint.ts'
import type { RunProps } from '../../model/properties.ts'
import type { PaintSource } from '../drawing/paint.ts'
import { flagOfChild, looksOf, numberOfChild, plainText, textLook, valueOfChild } from './source.ts'

const kinds: readonly TrendKind[] = ['linear', 'exp', 'log', 'power', 'poly', 'movingAvg']
const kindNames: Readonly<Record<TrendKind, string>> = {
  linear: 'Linear',
  exp: 'Expon.',
  log: 'Log.',
  power: 'Power',
  poly: 'Poly.',
  movingAvg: 'Moving average',
}

/** The trend lines of a series (21.2.2.211). */
export function readTrends(series: XmlElement, name: string, source: PaintSource, base: RunProps): Trend[] {
  return childElements(series, 'c:trendline')
    .slice(0, limits.chartTrends)
    .map((element) => {
      const stated = valueOfChild(element, 'c:trendlineType')
      const kind = kinds.find((candidate) => candidate === stated) ?? 'linear'
      const label = childNamed(element, 'c:trendlineLbl')
      const beyond = (child: string) =>
        Math.max(0, Math.min(limits.chartTrendReach, numberOfChild(element, child) ?? 0))
      const own = childNamed(element, 'c:name')
      return {
        kind,
        name: own ? plainText(own) : `${kindNames[kind]} (${name})`,
        order: Math.round(numberOfChild(element, 'c:order') ?? 2),
        period: Math.round(numberOfChild(element, 'c:period') ?? 2),
        forward: beyond('c:forward'),
        backward: beyond('c:backward'),
        intercept: numberOfChild(element, 'c:intercept'),
        line: lineOf(element, source),
        showsEquation: flagOfChild(element, 'c:dispEq'),
        showsDetermination: flagOfChild(element, 'c:dispRSqr'),
        look: textLook(label, source, base),
      }
    })
}

/** The error bars of a series (21.2.2.55); `numbers` reads the values that custom ones refer to. */
export function readErrors(
  series: XmlElement,
  plot: PlotKind,
  source: PaintSource,
  numbers: (element: XmlElement | undefined) => readonly (number | undefined)[],
): ErrorBars[] {
  return childElements(series, 'c:errBars')
    .slice(0, limits.chartErrorBars)
    .map((element) => {
      const ends = valueOfChild(element, 'c:errBarType')
      const kind = valueOfChild(element, 'c:errValType')
      const direction = valueOfChild(element, 'c:errDir')
      return {
        isAcross: (plot === 'scatter' || plot === 'bubble') && direction === 'x',
        hasUpper: ends !== 'minus',
        hasLower: ends !== 'plus',
        hasCaps: !flagOfChild(element, 'c:noEndCap'),
        kind:
          kind === 'percentage' || kind === 'stdDev' || kind === 'stdErr' || kind === 'cust'
            ? kind
            : ('fixedVal' as const),
        value: numberOfChild(element, 'c:val') ?? 1,
        upper: numbers(childNamed(element, 'c:plus')),
        lower: numbers(childNamed(element, 'c:minus')),
        line: lineOf(element, source),
      }
    })
}

function lineOf(element: XmlElement, source: PaintSource): Line | undefined {
  const { line } = looksOf(element, source)
  const plain: Line = { color: '000000', opacity: 1, width: 0.75, dash: [], cap: 'butt', join: 'round' }
  return line === 'none' ? undefined : (line ?? plain)
}
