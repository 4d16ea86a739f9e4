import { childElements, childNamed, textOf, type XmlElement } from '../../../ooxml/xml.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { RunProps } from '../../model/properties.ts'
import { type PaintSource, readFill, readLine } from '../drawing/paint.ts'
import { readRun, themeFont } from '../drawing/text.ts'
import { isOn } from '../values.ts'
import type { ChartColors } from './colors.ts'

/** Small readings that all parts of a chart share. */

/** Series and points that may still be read, over all of a chart. */
export interface PointBudget {
  series: number
  points: number
}

/** What reading any part of a chart needs. */
export interface ChartReading {
  readonly source: PaintSource
  /** The look of text that states none. */
  readonly base: RunProps
  /** The number of the chart's style (21.2.2.202). */
  readonly style: number | undefined
  readonly colors: ChartColors
  readonly budget: PointBudget
  /** Days that are added to the dates of categories. */
  readonly firstDay: number
}

/** The colour of axes and of the lines of a table. */
export const AXIS_COLOR = '878787'

/** The text of an element that holds nothing else. */
export function plainText(element: XmlElement | undefined): string {
  const child = element?.children[0]
  return child?.kind === 'text' ? child.text.slice(0, 1_000) : ''
}

/** The `val` of a child; undefined without the child. */
export function valueOfChild(element: XmlElement | undefined, name: string): string | undefined {
  return element && childNamed(element, name)?.attributes.val
}

export function numberOfChild(element: XmlElement | undefined, name: string): number | undefined {
  const text = valueOfChild(element, name)
  const value = text === undefined ? Number.NaN : Number(text.replace('%', ''))
  return Number.isFinite(value) ? value : undefined
}

/** An on/off child, which is on without a value; undefined if it is missing. */
export function statedFlag(element: XmlElement | undefined, name: string): boolean | undefined {
  const child = element && childNamed(element, name)
  return child && isOn(child.attributes.val)
}

/** The same of a child that is off where it is missing. */
export function flagOfChild(element: XmlElement | undefined, name: string): boolean {
  return statedFlag(element, name) ?? false
}

/** Fill and outline of an element's own `c:spPr`; `'none'` where it says so. */
export function looksOf(
  element: XmlElement | undefined,
  source: PaintSource,
): { fill: Fill | 'none' | undefined; line: Line | 'none' | undefined } {
  const properties = element && childNamed(element, 'c:spPr')
  return {
    fill: readFill(properties, source),
    line: readLine(properties && childNamed(properties, 'a:ln'), source, undefined),
  }
}

export function hairline(color: string): Line {
  return { color, opacity: 1, width: 0.75, dash: [], cap: 'butt', join: 'round' }
}

/** The text properties of an element (`c:txPr` or the first paragraph of `c:tx`) over those around it. */
export function textLook(element: XmlElement | undefined, source: PaintSource, base: RunProps): RunProps {
  const holder = element && childNamed(element, 'c:txPr')
  return holder ? { ...base, ...paragraphLook(holder, source) } : base
}

export function paragraphLook(body: XmlElement, source: PaintSource): RunProps {
  const paragraph = childNamed(body, 'a:p')
  const properties = paragraph && childNamed(paragraph, 'a:pPr')
  const run = paragraph && childElements(paragraph, 'a:r')[0]
  return {
    ...readRun(properties && childNamed(properties, 'a:defRPr'), source.theme),
    ...readRun(run && childNamed(run, 'a:rPr'), source.theme),
  }
}

/** The default look of text in charts: ten points of the theme's text font, in black. */
export function defaultLook(source: PaintSource): RunProps {
  const font = themeFont('+mn-lt', source.theme) ?? 'Calibri'
  return { size: 10, color: source.theme.colors.get('tx1') ?? '000000', fonts: { ascii: font, highAnsi: font } }
}

/** The text of a rich text body, a line for each paragraph. */
export function richText(body: XmlElement): string {
  return childElements(body, 'a:p')
    .slice(0, 50)
    .map((paragraph) =>
      childElements(paragraph)
        .map((run) => (run.name === 'a:br' ? '\n' : run.name === 'a:r' || run.name === 'a:fld' ? runText(run) : ''))
        .join(''),
    )
    .join('\n')
    .slice(0, 4_000)
}

function runText(run: XmlElement): string {
  const text = childNamed(run, 'a:t')
  return text ? textOf(text) : ''
}
