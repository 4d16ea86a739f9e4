/** Writes the data of charts: what they show, and the workbook in which Word edits it. */
import { childElements, childNamed, textOf, type XmlElement } from '../../ooxml/xml.ts'
import { parseXmlDocument } from '../../ooxml/xml-parser.ts'
import { escapeText } from '../../ooxml/xml-write.ts'
import { rangeOf, seriesOf } from '../scan/chart-series.ts'
import type { Composition } from './composition.ts'
import type { FilledChart } from './filled-chart.ts'
import { filledWorkbook, type NamedCell } from './workbook.ts'

const decoder = new TextDecoder()

/** A composed part; `text` is undefined if only relationships are added. */
interface ComposedPart {
  part: string
  text: string | undefined
}

/** The composed parts with the data of charts; parts of charts without other tags are added. */
export function withCharts(composed: readonly ComposedPart[], { charts }: Composition): ComposedPart[] {
  if (charts.size === 0) return [...composed]
  const parts = composed.map((one) => {
    const chart = charts.get(one.part)
    return chart === undefined ? one : { ...one, text: chartXml(one.text ?? chart.form.source, chart) }
  })
  const known = new Set(composed.map(({ part }) => part))
  const added = [...charts.values()].filter(({ form }) => !known.has(form.part))
  return [...parts, ...added.map((chart) => ({ part: chart.form.part, text: chartXml(chart.form.source, chart) }))]
}

/** The workbooks of charts; names of series are those that the composed charts show. */
export function chartWorkbooks(
  { charts }: Composition,
  parts: ReadonlyMap<string, Uint8Array>,
): [string, Uint8Array][] {
  return [...charts.values()].flatMap((chart): [string, Uint8Array][] => {
    const { part, workbook } = chart.form
    if (workbook === undefined) return []
    const text = parts.get(part)
    return [[workbook.part, filledWorkbook(workbook, chart, namesIn(text === undefined ? '' : decoder.decode(text)))]]
  })
}

/** The names of series that are in cells. */
function namesIn(xml: string): NamedCell[] {
  const document = parseXmlDocument(xml)
  return document.ok
    ? seriesOf(document.value.root).flatMap(({ name }): NamedCell[] => {
        const range = rangeOf(name)
        const cache = name === undefined ? undefined : childNamed(name, 'c:strCache')
        const [point] = cache === undefined ? [] : childElements(cache, 'c:pt')
        return range === undefined || point === undefined
          ? []
          : [{ column: range.column, row: range.from, text: textOf(point) }]
      })
    : []
}

interface Change {
  element: XmlElement
  text: string
}

/** The chart with other categories and values (ECMA-376 part 1, 21.2.2.24, 21.2.2.224). */
function chartXml(source: string, { categories, series }: FilledChart): string {
  const document = parseXmlDocument(source)
  if (!document.ok) throw new Error(`a chart that was read cannot be read again: ${document.findings[0]?.message}`)
  const changes: Change[] = []
  for (const [index, { category, values }] of seriesOf(document.value.root).entries()) {
    if (category !== undefined)
      changes.push({ element: category, text: dataXml(category, categories, document.value.source) })
    if (values !== undefined)
      changes.push({ element: values, text: dataXml(values, series[index] ?? [], document.value.source) })
  }
  let text = ''
  let at = 0
  for (const { element, text: replacement } of changes.sort((a, b) => a.element.start - b.element.start)) {
    text += document.value.source.slice(at, element.start) + replacement
    at = element.end
  }
  return text + document.value.source.slice(at)
}

/** A reference with its cache, or a literal, with other points; the formats of numbers stay. */
function dataXml(element: XmlElement, points: readonly (string | number | undefined)[], source: string): string {
  const prefix = element.written.slice(0, element.written.indexOf(':') + 1)
  const isReference = element.name.endsWith('Ref')
  const isNumber = element.name.startsWith('c:num')
  const holder = isReference ? childElements(element).find(({ name }) => name.endsWith('Cache')) : element
  const format = holder === undefined ? undefined : childNamed(holder, 'c:formatCode')
  const kept = isNumber && format !== undefined ? source.slice(format.start, format.end) : ''
  const written = points.flatMap((point, index) =>
    point === undefined
      ? []
      : [`<${prefix}pt idx="${index}"><${prefix}v>${escapeText(String(point))}</${prefix}v></${prefix}pt>`],
  )
  const data = `${kept}<${prefix}ptCount val="${points.length}"/>${written.join('')}`
  if (!isReference) return `<${element.written}>${data}</${element.written}>`
  const range = rangeOf(element)
  const cache = `${prefix}${isNumber ? 'num' : 'str'}Cache`
  const formula =
    range === undefined
      ? ''
      : `<${prefix}f>${escapeText(range.sheet)}$${range.column}$${range.from}:$${range.column}$${range.from + Math.max(0, points.length - 1)}</${prefix}f>`
  return `<${element.written}>${formula}<${cache}>${data}</${cache}></${element.written}>`
}
