/**
 * Brings what a table of contents shows (ECMA-376 part 1, 17.16.5.68) in line with the headings of the composed document:
 * loops make headings that the template could not list. Entries look like those the template has. Their page numbers are
 * PAGEREF fields, which the PDF engine computes; Word computes them when it updates fields, which it is asked to do.
 */
import { limits } from '../../../core/limits.ts'
import { withoutMarks } from '../../../core/marks.ts'
import { type FieldCode, fieldKeyword, findFields } from '../../ooxml/fields.ts'
import { levelsOfList } from '../../ooxml/numbering.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { parseXmlDocument } from '../../ooxml/xml-parser.ts'
import { escapeAttribute, escapeText } from '../../ooxml/xml-write.ts'
import { idOf } from '../scan/ids.ts'
import type { Styles } from '../scan/styles.ts'
import { ParagraphNumbers } from './contents-numbers.ts'

export interface ContentsContext {
  styles: Styles
  /** What the document writes before WordprocessingML names: `w:`. */
  prefix: string
  /** The numbering part of the composed document. */
  numbering(): string
}

interface Heading {
  element: XmlElement
  level: number
  /** Its number, without a blank behind it. */
  number: string
  text: string
}

interface Change {
  start: number
  end: number
  text: string
}

/** The main document with its tables of contents rebuilt where they list other headings than there are. */
export function withContents(text: string, context: ContentsContext): string {
  // Attributes need a prefix, even where elements have none.
  if (context.prefix === '') return text
  const parsed = parseXmlDocument(text)
  if (!parsed.ok) return text
  const { root, source } = parsed.value
  const tables: Table[] = []
  for (const field of findFields(root).filter(isContents).slice(0, limits.contentsTables)) {
    const table = tableOf(field, root, source)
    if (table !== undefined) tables.push(table)
  }
  if (tables.length === 0) return source
  const bookmarks = new Bookmarks(root, context.prefix)
  const changes: Change[] = []
  let allowed = limits.contentsEntries
  for (const table of tables) {
    const headings = collectHeadings(root, table, tables, context)
    if (headings.length === 0 || headings.length > allowed || listsThem(table, headings)) continue
    allowed -= headings.length
    const writer = new EntryWriter(table, root, source, context)
    const entries = writer.paragraphs(headings, bookmarks)
    if (entries !== undefined) changes.push({ start: table.start, end: table.end, text: entries })
  }
  if (changes.length === 0) return source
  changes.push(...bookmarks.added)
  changes.sort((a, b) => a.start - b.start || a.end - b.end)
  let result = ''
  let at = 0
  for (const { start, end, text: changed } of changes) {
    if (start < at) continue
    result += source.slice(at, start) + changed
    at = end
  }
  return result + source.slice(at)
}

function isContents({ code, element, end, paragraph }: FieldCode): boolean {
  return fieldKeyword(code) === 'TOC' && element.name === 'w:fldChar' && end !== undefined && paragraph !== undefined
}

/** A field TOC whose marks are in paragraphs of one parent, as Word and others write it. */
interface Table {
  switches: Switches
  /** Source range of the paragraphs with the entries. */
  start: number
  end: number
  entries: XmlElement[]
  /** The runs up to the mark that separates the instruction from the result. */
  head: string
  /** The run with the end mark, if that is in the last entry. */
  tail: string
}

interface Switches {
  /** Levels of built-in headings; undefined if they are not asked for. */
  builtIn: { from: number; to: number } | undefined
  usesOutline: boolean
  /** Levels by the lower-cased name of the style. */
  styles: ReadonlyMap<string, number>
  isLinked: boolean
  /** Levels without page numbers. */
  withoutPages: { from: number; to: number } | undefined
  separator: string | undefined
}

function tableOf(field: FieldCode, root: XmlElement, source: string): Table | undefined {
  const { element, end, paragraph } = field
  if (end === undefined || paragraph === undefined) return undefined
  const switches = readSwitches(field.code)
  const parent = switches === undefined ? undefined : parentOf(root, paragraph)
  if (switches === undefined || parent === undefined) return undefined
  const siblings = parent.children.filter((child) => child.kind === 'element')
  const first = siblings.indexOf(paragraph)
  const last = siblings.findIndex((one) => one.start < end && one.end >= end)
  if (first < 0 || last < first || siblings.slice(first, last + 1).some(({ name }) => name !== 'w:p')) return undefined
  const separate = runWith(
    paragraph,
    (mark) => mark.attributes['w:fldCharType'] === 'separate' && mark.start > element.start,
  )
  const closing = siblings[last]
  const endRun = closing && runWith(closing, (mark) => mark.end === end)
  if (separate === undefined || closing === undefined || endRun === undefined || holdsText(separate)) return undefined
  const opening = paragraph.children.find((child) => child.kind === 'element' && child.name !== 'w:pPr') ?? separate
  const entries = siblings.slice(first, last + 1)
  const isEndAlone = last > first && !holdsText(closing)
  if (isEndAlone) entries.pop()
  return {
    switches,
    start: paragraph.start,
    end: entries.at(-1)?.end ?? paragraph.end,
    entries: entries.filter((entry) => resultText(entry, separate).trim() !== ''),
    head: source.slice(opening.start, separate.end),
    tail: isEndAlone ? '' : source.slice(endRun.start, endRun.end),
  }
}

function parentOf(root: XmlElement, element: XmlElement): XmlElement | undefined {
  for (const child of root.children) {
    if (child === element) return root
    if (child.kind === 'element' && child.start < element.start && child.end >= element.end)
      return parentOf(child, element)
  }
  return undefined
}

/** The run, directly in the paragraph, that holds the mark. */
function runWith(paragraph: XmlElement, isIt: (mark: XmlElement) => boolean): XmlElement | undefined {
  for (const run of paragraph.children) {
    if (run.kind === 'text' || run.name !== 'w:r') continue
    if (run.children.some((mark) => mark.kind === 'element' && mark.name === 'w:fldChar' && isIt(mark))) return run
  }
  return undefined
}

function holdsText(element: XmlElement): boolean {
  return element.children.some((child) => child.kind === 'element' && (child.name === 'w:t' || holdsText(child)))
}

/** Undefined for tables that this does not build: of figures, of marked entries, of a part of the document. */
function readSwitches(code: string): Switches | undefined {
  const switches = new Map<string, string>()
  for (const [, name = '', quoted, plain] of code
    .slice(0, limits.contentsPropertiesChars)
    .matchAll(/\\([a-z])(?:\s*"([^"]*)"|\s+([^\s\\"]+))?/gi)) {
    switches.set(name.toLowerCase(), quoted ?? plain ?? '')
  }
  if (['a', 'b', 'c', 'f', 'l'].some((name) => switches.has(name))) return undefined
  const styles = new Map<string, number>()
  const words = (switches.get('t') ?? '').split(/[,;]/)
  for (let name = words.shift(), level = words.shift(); name !== undefined && level !== undefined; ) {
    if (/^\s*[1-9]\s*$/.test(level)) styles.set(name.trim().toLowerCase(), Number(level))
    name = words.shift()
    level = words.shift()
  }
  const usesOutline = switches.has('u')
  const levels = switches.get('o')
  const unpaged = switches.get('n')
  const isPlain = levels === undefined && !usesOutline && styles.size === 0
  return {
    builtIn: levels === undefined ? (isPlain ? { from: 1, to: 9 } : undefined) : rangeOf(levels),
    usesOutline,
    styles,
    isLinked: switches.has('h'),
    withoutPages: unpaged === undefined ? undefined : rangeOf(unpaged),
    separator: switches.get('p'),
  }
}

function rangeOf(text: string): { from: number; to: number } {
  const match = /^\s*([1-9])\s*-\s*([1-9])\s*$/.exec(text)
  return match === null ? { from: 1, to: 9 } : { from: Number(match[1]), to: Number(match[2]) }
}

function collectHeadings(
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

function cut(text: string): string {
  return text.length <= limits.contentsHeadingChars
    ? text
    : `${text.slice(0, limits.contentsHeadingChars - 1).replace(/[\ud800-\udbff]$/, '')}…`
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

function value(properties: XmlElement | undefined, name: string): string | undefined {
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

/** The text of a paragraph as it reads, without field codes. With `after`, only the text behind that run. */
function resultText(paragraph: XmlElement, after?: XmlElement): string {
  let text = ''
  const walk = (element: XmlElement) => {
    for (const child of element.children) {
      if (child.kind === 'text' || silent.has(child.name)) continue
      if (after !== undefined && child.start >= after.start && child.end <= after.end) {
        text = ''
      } else if (child.name === 'w:t') {
        for (const node of child.children) if (node.kind === 'text') text += node.text
      } else if (child.name === 'w:tab' || child.name === 'w:br' || child.name === 'w:cr') text += ' '
      else if (child.name === 'w:noBreakHyphen') text += '-'
      else walk(child)
    }
  }
  walk(paragraph)
  return withoutMarks(text)
}

const silent = new Set([
  'w:pPr',
  'w:rPr',
  'w:del',
  'w:moveFrom',
  'w:txbxContent',
  'mc:AlternateContent',
  'w:pict',
  'w:drawing',
  'w:instrText',
])

/** Whether the entries already name these headings in this order; Word's own entries then stay. */
function listsThem(table: Table, headings: readonly Heading[]): boolean {
  if (table.entries.length !== headings.length) return false
  return table.entries.every((entry, index) => {
    const heading = headings[index]
    if (heading === undefined) return false
    const { number, text } = heading
    const shown = resultText(entry).replace(/\s+/g, ' ').trim()
    const blank = shown.lastIndexOf(' ')
    const isPage = /^(?:\d{1,6}|[ivxlc]{1,9})$/i.test(shown.slice(blank + 1, blank + 12))
    const listed = cut(isPage && blank > 0 ? shown.slice(0, blank) : shown)
    return listed === text || listed === cut(`${number} ${text}`) || listed === cut(number + text)
  })
}

/** Bookmarks that entries lead to: those that headings have, or new ones. */
class Bookmarks {
  readonly added: Change[] = []
  private readonly names = new Set<string>()
  private readonly known = new Map<XmlElement, string>()
  private greatest = 0
  private count = 0

  constructor(
    root: XmlElement,
    private readonly prefix: string,
  ) {
    const walk = (element: XmlElement) => {
      if (element.name === 'w:bookmarkStart' || element.name === 'w:bookmarkEnd') {
        this.greatest = Math.max(this.greatest, idOf(element.attributes['w:id']))
        const name = element.attributes['w:name']
        if (name !== undefined) this.names.add(name)
      }
      for (const child of element.children) if (child.kind === 'element') walk(child)
    }
    walk(root)
  }

  /** The name of the bookmark around a heading. */
  around(heading: XmlElement): string {
    const known = this.known.get(heading) ?? ownBookmark(heading)
    if (known !== undefined) return known
    let name: string
    do name = `_TocQuire${++this.count}`
    while (this.names.has(name))
    this.known.set(heading, name)
    const { prefix } = this
    const id = ++this.greatest
    const properties = childNamed(heading, 'w:pPr')
    const start = properties?.end ?? heading.openEnd
    const open = `<${prefix}bookmarkStart ${prefix}id="${id}" ${prefix}name="${name}"/>`
    this.added.push({ start, end: start, text: open })
    const close = `<${prefix}bookmarkEnd ${prefix}id="${id}"/>`
    this.added.push({ start: heading.closeStart, end: heading.closeStart, text: close })
    return name
  }
}

function ownBookmark(element: XmlElement): string | undefined {
  for (const child of element.children) {
    if (child.kind === 'text') continue
    const name = child.name === 'w:bookmarkStart' ? child.attributes['w:name'] : ownBookmark(child)
    if (name !== undefined && /^_Toc|^__RefHeading/.test(name)) return name
  }
  return undefined
}

/** Writes entries that look like those of their level in the template. */
class EntryWriter {
  private readonly models = new Map<number, XmlElement>()
  /** What the template shows for entries, by the bookmarks that they lead to. */
  private readonly pages = new Map<string, string>()
  private page = '1'

  constructor(
    private readonly table: Table,
    private readonly root: XmlElement,
    private readonly source: string,
    private readonly context: ContentsContext,
  ) {
    for (const entry of table.entries) {
      const style = value(childNamed(entry, 'w:pPr'), 'w:pStyle')
      const name = style === undefined ? undefined : context.styles.paragraphs.get(style)?.name
      const level = Number(/^toc ([1-9])$/.exec(name ?? '')?.[1] ?? 1)
      if (!this.models.has(level)) this.models.set(level, entry)
      const page = /([\divxlc]{1,9})\s*$/i.exec(resultText(entry).slice(-20))?.[1]
      const bookmark = /PAGEREF\s+([^\s<]+)/.exec(source.slice(entry.start, entry.end))?.[1]
      if (page !== undefined && bookmark !== undefined) this.pages.set(bookmark, page)
    }
  }

  /** The content of one entry. */
  private content({ level, number, text }: Heading, bookmark: string): string {
    const { prefix } = this.context
    const { switches } = this.table
    const model = this.models.get(level) ?? this.models.values().next().value
    const runs = model === undefined ? [] : textRuns(model)
    const [textLook, pageLook] = [this.lookOf(runs[0]), this.lookOf(runs[runs.length - 1])]
    const run = (look: string, inner: string) => `<${prefix}r>${look}${inner}</${prefix}r>`
    const shown = (content: string) => `<${prefix}t xml:space="preserve">${escapeText(content)}</${prefix}t>`
    const mark = (type: string) => run(pageLook, `<${prefix}fldChar ${prefix}fldCharType="${type}"/>`)
    let content = number === '' ? '' : run(textLook, shown(number)) + run(textLook, `<${prefix}tab/>`)
    content += run(textLook, shown(text))
    const { withoutPages } = switches
    if (withoutPages === undefined || level < withoutPages.from || level > withoutPages.to) {
      const separator = switches.separator === undefined ? `<${prefix}tab/>` : shown(switches.separator)
      const code = `<${prefix}instrText xml:space="preserve"> PAGEREF ${bookmark} \\h </${prefix}instrText>`
      content += run(pageLook, separator) + mark('begin') + run(pageLook, code) + mark('separate')
      content += run(pageLook, shown(this.pageOf(bookmark))) + mark('end')
    }
    if (switches.isLinked) {
      const anchor = `${prefix}anchor="${escapeAttribute(bookmark)}" ${prefix}history="1"`
      content = `<${prefix}hyperlink ${anchor}>${content}</${prefix}hyperlink>`
    }
    return content
  }

  /** The paragraphs of the table; undefined if they would be too long. */
  paragraphs(headings: readonly Heading[], bookmarks: Bookmarks): string | undefined {
    const { prefix } = this.context
    const { head, tail } = this.table
    const last = headings.length - 1
    let text = ''
    for (const [index, heading] of headings.entries()) {
      const content = this.content(heading, bookmarks.around(heading.element))
      const inner = (index === 0 ? head : '') + content + (index === last ? tail : '')
      text += `<${prefix}p>${this.propertiesOf(heading.level)}${inner}</${prefix}p>`
      if (text.length > limits.contentsChars) return undefined
    }
    return text
  }

  private lookOf(run: XmlElement | undefined): string {
    const look = run === undefined ? undefined : childNamed(run, 'w:rPr')
    return look === undefined || look.end - look.start > limits.contentsPropertiesChars
      ? ''
      : this.source.slice(look.start, look.end)
  }

  /** The page that the template showed for this heading, or for the one before, until pages are counted. */
  private pageOf(bookmark: string): string {
    const page = this.pages.get(bookmark)
    this.page = page ?? this.page
    return this.page
  }

  private propertiesOf(level: number): string {
    const { prefix, styles } = this.context
    const model = this.models.get(level)
    const own = model === undefined ? undefined : childNamed(model, 'w:pPr')
    if (own !== undefined && own.end - own.start <= limits.contentsPropertiesChars)
      return this.source.slice(own.start, own.end)
    const style = styles.contents[level - 1]
    const named = style === undefined ? '' : `<${prefix}pStyle ${prefix}val="${escapeAttribute(style)}"/>`
    const tab = `<${prefix}tab ${prefix}val="right" ${prefix}leader="dot" ${prefix}pos="${this.textWidth()}"/>`
    const indent = style === undefined && level > 1 ? `<${prefix}ind ${prefix}left="${(level - 1) * 220}"/>` : ''
    return `<${prefix}pPr>${named}<${prefix}tabs>${tab}</${prefix}tabs>${indent}</${prefix}pPr>`
  }

  /** Text width of the table's section, in twips. */
  private textWidth(): number {
    let section: XmlElement | undefined
    const walk = (element: XmlElement) => {
      for (const child of element.children) {
        if (section !== undefined) return
        if (child.kind === 'text' || child.end < this.table.start) continue
        if (child.name === 'w:sectPr') section = child
        else walk(child)
      }
    }
    walk(this.root)
    const size = section === undefined ? undefined : childNamed(section, 'w:pgSz')
    const margins = section === undefined ? undefined : childNamed(section, 'w:pgMar')
    const width = Number(size?.attributes['w:w'] ?? 11_906)
    const beside = Number(margins?.attributes['w:left'] ?? 1_440) + Number(margins?.attributes['w:right'] ?? 1_440)
    return width - beside > 1_000 ? width - beside : 9_026
  }
}

/** Runs of an entry that show something, marks of the fields left out. */
function textRuns(entry: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  const walk = (element: XmlElement) => {
    for (const child of element.children) {
      if (child.kind === 'text' || child.name === 'w:pPr') continue
      if (child.name === 'w:r') {
        if (holdsText(child)) found.push(child)
      } else walk(child)
    }
  }
  walk(entry)
  return found
}
