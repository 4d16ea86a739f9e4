import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Chart, Plot } from '../../model/chart.ts'
import type { RunProps } from '../../model/properties.ts'
import { readPlace } from './place.ts'
import { type ChartReading, flagOfChild, paragraphLook, richText, textLook } from './source.ts'

/** Titles are bold, in 18 points or, if the chart states a size for all of its text, a fifth larger than that. */
function titleLook(root: XmlElement, { source, base }: ChartReading): RunProps {
  const { size } = textLook(root, source, {})
  return { ...base, size: size === undefined ? 18 : size * 1.2, bold: true }
}

/** The title of a chart; one without text of its own has the name of the only series. */
export function readTitle(
  root: XmlElement,
  chart: XmlElement,
  reading: ChartReading,
  plots: readonly Plot[],
): Chart['title'] {
  const element = childNamed(chart, 'c:title')
  if (!element || flagOfChild(chart, 'c:autoTitleDeleted')) return undefined
  const [only, ...others] = plots.flatMap((plot) => plot.series)
  const automatic = only && others.length === 0 && only.name !== '' ? only.name : 'Chart Title'
  const read = readTitleText(element, { ...reading, base: titleLook(root, reading) }, automatic)
  return { ...read, overlay: flagOfChild(element, 'c:overlay'), place: readPlace(element) }
}

interface TitleText {
  text: string
  look: RunProps
  /** Degrees clockwise; undefined if the document states none. */
  rotation: number | undefined
}

/** The text of a title: its own, that of the cells it refers to, or an automatic one. */
export function readTitleText(element: XmlElement, { source, base }: ChartReading, automatic: string): TitleText {
  const holder = childNamed(element, 'c:tx')
  const rich = holder && childNamed(holder, 'c:rich')
  const reference = holder && childNamed(holder, 'c:strRef')
  const cache = reference && childNamed(reference, 'c:strCache')
  const cached =
    cache &&
    childElements(cache, 'c:pt')
      .map((point) => richCache(point))
      .join(' ')
  const body = rich ?? childNamed(element, 'c:txPr')
  return {
    text: rich ? richText(rich) : (cached ?? automatic),
    look: body ? { ...base, ...paragraphLook(body, source) } : base,
    rotation: rotationOf(body && childNamed(body, 'a:bodyPr')),
  }
}

function rotationOf(properties: XmlElement | undefined): number | undefined {
  const { rot, vert } = properties?.attributes ?? {}
  const turn = vert === 'vert270' ? -90 : vert === 'vert' ? 90 : 0
  const stated = rot === undefined ? Number.NaN : Number(rot) / 60_000
  if (Math.abs(stated) <= 90) return stated + turn
  return vert === undefined ? undefined : turn
}

function richCache(point: XmlElement): string {
  const value = childNamed(point, 'c:v')?.children[0]
  return value?.kind === 'text' ? value.text.slice(0, 2_000) : ''
}
