import { levelsOfList } from '../../ooxml/numbering.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { Styles } from '../scan/styles.ts'
import type { ContentsContext } from './contents-context.ts'
import { ParagraphNumbers } from './contents-numbers.ts'
import type { Switches, Table } from './contents-table.ts'
import { cut, resultText } from './contents-text.ts'

export interface Heading {
  element: XmlElement
  level: number
  /** Its number, without a blank behind it. */
  number: string
  text: string
}

export function collectHeadings(
  root: XmlElement,
  { switches }: Table,
  tables: readonly Table[],
  { styles, numbering }: ContentsContext,
): Heading[] {
  const found: Heading[] = []
  let numbers: ParagraphNumbers | undefined
  const visit = (paragraph: XmlElement) => {
    const properties = childNamed(paragraph, 'w:pPr')
    const style = value(properties, 'w:pStyle') ?? styles.defaultParagraph
    const list = listOf(properties, style, styles)
    let number = ''
    if (list !== undefined) {
      numbers ??= new ParagraphNumbers(numbering(), styles)
      number = numbers.next(list.numId, list.level)
    }
    const level = levelOf(switches, styles, style, value(properties, 'w:outlineLvl'))
    if (level === undefined || tables.some(({ start, end }) => paragraph.start >= start && paragraph.end <= end)) return
    const text = resultText(paragraph).replace(/\s+/g, ' ').trim()
    if (text !== '') found.push({ element: paragraph, level, number: number.trim(), text: cut(text) })
  }
  const walk = (element: XmlElement) => {
    for (const child of element.children) {
      if (child.kind === 'text' || unlisted.has(child.name)) continue
      if (child.name === 'w:p') visit(child)
      else walk(child)
    }
  }
  walk(root)
  return found
}

/** These hold no headings of the document: the second form of a text box, deleted text, properties. */
const unlisted = new Set([
  'mc:Fallback',
  'w:del',
  'w:moveFrom',
  'w:pPr',
  'w:tblPr',
  'w:tblGrid',
  'w:trPr',
  'w:tcPr',
  'w:sdtPr',
  'w:sectPr',
])

export function value(properties: XmlElement | undefined, name: string): string | undefined {
  return properties === undefined ? undefined : childNamed(properties, name)?.attributes['w:val']
}

function levelOf(
  switches: Switches,
  styles: Styles,
  style: string | undefined,
  outline: string | undefined,
): number | undefined {
  const { builtIn, usesOutline } = switches
  const known = style === undefined ? undefined : styles.paragraphs.get(style)
  const named = known === undefined ? undefined : switches.styles.get(known.name)
  if (named !== undefined) return named
  const heading = Number(/^heading ([1-9])$/.exec(known?.name ?? '')?.[1])
  if (builtIn !== undefined && heading >= builtIn.from && heading <= builtIn.to) return heading
  if (!usesOutline) return undefined
  // Nine means body text.
  const level = Number(outline ?? known?.outlineLevel ?? 9) + 1
  const { from, to } = builtIn ?? { from: 1, to: 9 }
  return level >= from && level <= to ? level : undefined
}

function listOf(properties: XmlElement | undefined, style: string | undefined, styles: Styles) {
  const own = properties === undefined ? undefined : childNamed(properties, 'w:numPr')
  const inherited = style === undefined ? undefined : styles.numbered.get(style)
  const numId = value(own, 'w:numId') ?? inherited?.numId
  if (numId === undefined || numId === '0') return undefined
  const level = Number(value(own, 'w:ilvl') ?? inherited?.level ?? 0) || 0
  return { numId, level: Math.max(0, Math.min(levelsOfList - 1, level)) }
}
