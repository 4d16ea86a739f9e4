import { limits } from '../../../core/limits.ts'
import { type Lists, levelOfStyle, readLists } from '../../ooxml/numbering.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { relatedPart } from './parts.ts'

/** What rich text and numbering need to know of a template's styles. */
export interface Styles {
  /** Style ids of the headings 1 to 6; undefined if the template has none. */
  headings: readonly (string | undefined)[]
  hyperlink: string | undefined
  tableGrid: string | undefined
  /** The list and level that a paragraph style has, its own or inherited from its base style. */
  numbered: ReadonlyMap<string, { numId: string; level: number }>
  /** The list that a style of any type names itself, which definitions of lists refer to. */
  listOf(style: string): string | undefined
  /** The template's lists by their ids. */
  lists: Lists
  /** The language of text that names none, as a BCP 47 tag. */
  language: string
  defaultParagraph: string | undefined
  /** Names, in lower case, and outline levels (0 to 9) of paragraph styles, by id. */
  paragraphs: ReadonlyMap<string, { name: string; outlineLevel: number | undefined }>
  /** Style ids of the levels 1 to 9 of a table of contents; undefined if the template has none. */
  contents: readonly (string | undefined)[]
  /** The default text size of a paragraph in that style, or in none, in half points. */
  halfPointsOf(style: string | undefined): number
}

/** ECMA-376 part 1, 17.3.2.38: text without any size is 10 points. */
const halfPointsOfNone = 20

export const noStyles: Styles = {
  headings: [],
  hyperlink: undefined,
  tableGrid: undefined,
  numbered: new Map(),
  listOf: () => undefined,
  lists: new Map(),
  language: 'en',
  defaultParagraph: undefined,
  paragraphs: new Map(),
  contents: [],
  halfPointsOf: () => halfPointsOfNone,
}

export function readStyles(opened: OoxmlPackage): Styles {
  const part = relatedPart(opened, 'styles')
  const root = part === undefined ? undefined : opened.readXml(part)
  if (root === undefined || !root.ok) return { ...noStyles, lists: listsOf(opened, noStyles.listOf) }
  const byName = new Map<string, string>()
  const listOf = new Map<string, string | undefined>()
  const paragraphs: ParagraphStyles = new Map()
  let defaultParagraph: string | undefined
  for (const style of childElements(root.value, 'w:style')) {
    const id = style.attributes['w:styleId'] ?? ''
    const type = style.attributes['w:type'] ?? 'paragraph'
    // Word matches built-in names without regard to case, whatever id a localised version gave them.
    byName.set(`${type} ${valOf(style, 'w:name')?.toLowerCase()}`, id)
    listOf.set(id, valOf(numberingOf(style), 'w:numId'))
    if (type !== 'paragraph') continue
    paragraphs.set(id, style)
    if (/^(1|true|on)$/.test(style.attributes['w:default'] ?? '')) defaultParagraph = id
  }
  const lists = listsOf(opened, (style) => listOf.get(style))
  const defaults = child(child(root.value, 'w:docDefaults'), 'w:rPrDefault')
  return {
    headings: [1, 2, 3, 4, 5, 6].map((level) => byName.get(`paragraph heading ${level}`)),
    hyperlink: byName.get('character hyperlink'),
    tableGrid: byName.get('table table grid'),
    numbered: numberedStyles(paragraphs, lists),
    listOf: (style) => listOf.get(style),
    lists,
    language: valOf(child(defaults, 'w:rPr'), 'w:lang') ?? noStyles.language,
    defaultParagraph,
    paragraphs: namesAndOutlines(paragraphs),
    contents: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => byName.get(`paragraph toc ${level}`)),
    halfPointsOf: sizes(paragraphs, defaults, defaultParagraph),
  }
}

function listsOf(opened: OoxmlPackage, listOf: Styles['listOf']): Lists {
  const part = relatedPart(opened, 'numbering')
  const root = part === undefined ? undefined : opened.readXml(part)
  return root?.ok ? readLists(root.value, listOf, (level) => level) : new Map()
}

/** Paragraph styles by their ids. */
type ParagraphStyles = Map<string, XmlElement>

/** A style and those it is based on, the style itself first. */
function chainOf(id: string, styles: ParagraphStyles): XmlElement[] {
  const chain: XmlElement[] = []
  let at = styles.get(id)
  while (at !== undefined && chain.length < limits.styleBasedOnDepth) {
    chain.push(at)
    at = styles.get(valOf(at, 'w:basedOn') ?? '')
  }
  return chain
}

function namesAndOutlines(styles: ParagraphStyles): Styles['paragraphs'] {
  const found = new Map<string, { name: string; outlineLevel: number | undefined }>()
  for (const [id, style] of styles) {
    const levels = chainOf(id, styles).map((one) => valOf(child(one, 'w:pPr'), 'w:outlineLvl'))
    const level = levels.find((one) => one !== undefined)
    const outlineLevel = level === undefined ? undefined : Number(level) || 0
    found.set(id, { name: valOf(style, 'w:name')?.toLowerCase() ?? '', outlineLevel })
  }
  return found
}

function sizes(
  styles: ParagraphStyles,
  defaults: XmlElement | undefined,
  defaultParagraph: string | undefined,
): Styles['halfPointsOf'] {
  const sizeIn = (holder: XmlElement | undefined) => {
    const size = Number(valOf(child(holder, 'w:rPr'), 'w:sz'))
    return size > 0 && size <= mostHalfPoints ? size : undefined
  }
  const size = sizeIn(defaults) ?? halfPointsOfNone
  const byStyle = new Map<string, number>()
  for (const id of styles.keys()) {
    const own = chainOf(id, styles).map(sizeIn)
    byStyle.set(id, own.find((one) => one !== undefined) ?? size)
  }
  return (style) => byStyle.get(style ?? defaultParagraph ?? '') ?? size
}

/** Fixed by Word, which takes up to 1,638 points. */
const mostHalfPoints = 3_276

/** Starting at the base, each style may name a list or a level, or be named by a level of the list (17.9.23). */
function numberedStyles(styles: ParagraphStyles, lists: Lists): Styles['numbered'] {
  const found = new Map<string, { numId: string; level: number }>()
  for (const id of styles.keys()) {
    let numId: string | undefined
    let level = 0
    for (const style of chainOf(id, styles).reverse()) {
      const numbering = numberingOf(style)
      if (numbering === undefined) continue
      numId = valOf(numbering, 'w:numId') ?? numId
      const stated = valOf(numbering, 'w:ilvl')
      const list = lists.get(numId ?? '')
      level = stated === undefined ? levelOfStyle(list, style.attributes['w:styleId'] ?? '') : Number(stated) || 0
    }
    if (numId !== undefined && numId !== '0') found.set(id, { numId, level })
  }
  return found
}

function numberingOf(style: XmlElement): XmlElement | undefined {
  return child(child(style, 'w:pPr'), 'w:numPr')
}

function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element === undefined ? undefined : childNamed(element, name)
}

function valOf(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.attributes['w:val']
}
