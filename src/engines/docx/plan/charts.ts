/** Charts whose alternative text is a tag. */
import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import { readChart } from '../scan/charts.ts'
import { placeOf } from '../scan/paragraphs.ts'
import type { CompileContext } from '../scan/scan.ts'
import type { TaggedText } from '../scan/tags.ts'
import type { ChartTag, Item } from './items.ts'
import { chartHint } from './misplaced.ts'
import { segmentsOf } from './segments.ts'

/** The plan for such a text; undefined for all others. A chart without its data is a finding. */
export function planChart(
  { part, tags }: TaggedText,
  source: string,
  { opened, findings }: Pick<CompileContext, 'opened' | 'findings'>,
): Item[] | undefined {
  const tag = tags.find((one): one is ChartTag => one.syntax.kind === 'chart')
  if (tag === undefined) return undefined
  const report = (message: string, hint: string) => {
    findings.push({
      code: 'docx.bad_chart',
      severity: 'error',
      message,
      hint,
      path: placeOf(part, tag.paragraph, tag.from),
    })
    return []
  }
  const id = chartId(tag)
  const node = segmentsOf(tag, source)[0].piece.node
  const isAlone = tags.length === 1 && tag.raw === tag.paragraph.text.trim()
  const target = opened.relationships(part).find((relation) => relation.id === id && !relation.external)?.target
  if (id === undefined || target === undefined || node === undefined || !isAlone) {
    return report(`${tag.raw} is not alone in the alternative text of a chart.`, chartHint)
  }
  const chart = readChart(opened, target)
  if (!chart.ok) return report(`The chart ${chart.message}.`, chart.hint)
  const { form } = chart
  const count = tag.syntax.values.length
  if (count !== form.series) {
    const message = `The tag shows ${count === 1 ? '1 value' : `${count} values`}, and the chart has ${form.series} series.`
    return report(message, 'Write a value for each series of the chart, in their order.')
  }
  return [{ kind: 'chart', start: node.start, end: node.end, tag, form }]
}

/** The relationship of the chart in the drawing whose text holds the tag. */
function chartId({ paragraph: { ancestors } }: ChartTag): string | undefined {
  const holder = ancestors.find(({ name }) => name === 'wp:inline' || name === 'wp:anchor')
  return holder === undefined ? undefined : idIn(holder)
}

function idIn(element: XmlElement): string | undefined {
  if (element.name === 'c:chart') return element.attributes['r:id']
  for (const child of childElements(element)) {
    const found = idIn(child)
    if (found !== undefined) return found
  }
  return undefined
}
