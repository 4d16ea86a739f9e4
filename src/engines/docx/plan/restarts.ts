import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { attributeNames } from '../scan/own-declarations.ts'
import type { Paragraph } from '../scan/paragraphs.ts'
import { attributeSpan } from '../scan/source.ts'
import type { Styles } from '../scan/styles.ts'
import type { Item } from './items.ts'
import { placeFor } from './properties.ts'

/**
 * Plans the numbered paragraphs inside loops that restart their lists (`{{#each /sections restart}}`). A copy's id
 * replaces the list's, one for every turn. A number that comes from the paragraph's style is written out.
 */
export function planRestarts(source: string, items: Item[], paragraphs: Paragraph[], styles: Styles): Item[] {
  const loops = items.filter((item) => item.kind === 'block' && item.test.kind === 'each' && item.test.restarts)
  if (loops.length === 0) return []
  const planned: Item[] = []
  for (const { element, form } of paragraphs) {
    if (form.kind !== 'run' || !loops.some(({ start, end }) => start <= element.start && end >= element.end)) continue
    const item = numberOf(element, source, form.prefix, styles)
    if (item !== undefined) planned.push(item)
  }
  return planned
}

function numberOf(paragraph: XmlElement, source: string, prefix: string, styles: Styles): Item | undefined {
  const properties = childNamed(paragraph, 'w:pPr')
  const numbering = properties === undefined ? undefined : childNamed(properties, 'w:numPr')
  const list = numbering === undefined ? undefined : childNamed(numbering, 'w:numId')
  if (list !== undefined) {
    const numId = list.attributes['w:val'] ?? '0'
    const span = attributeSpan(list, 'w:val', source)
    if (numId === '0' || span === undefined) return undefined
    return { kind: 'number', ...span, numId, before: '', after: '' }
  }
  const style = properties === undefined ? undefined : childNamed(properties, 'w:pStyle')?.attributes['w:val']
  const inherited = styles.numbered.get(style ?? styles.defaultParagraph ?? '')
  if (inherited === undefined || properties === undefined) return undefined
  const { declares, prefix: own } = attributeNames(prefix, paragraph.uri)
  const level = `<${prefix}ilvl${declares} ${own}val="${inherited.level}"/>`
  const before = `<${prefix}numPr>${level}<${prefix}numId${declares} ${own}val="`
  const at = placeFor(properties, 'w:numPr')
  return { kind: 'number', start: at, end: at, numId: inherited.numId, before, after: `"/></${prefix}numPr>` }
}
