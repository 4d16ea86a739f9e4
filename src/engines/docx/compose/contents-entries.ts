import { limits } from '../../../core/limits.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { escapeAttribute, escapeText } from '../../ooxml/xml-write.ts'
import { idOf } from '../scan/ids.ts'
import type { Change, ContentsContext } from './contents-context.ts'
import { type Heading, value } from './contents-headings.ts'
import { holdsText, type Table } from './contents-table.ts'
import { resultText } from './contents-text.ts'

/** Bookmarks that entries lead to: those that headings have, or new ones. */
export class Bookmarks {
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
export class EntryWriter {
  private readonly models = new Map<number, XmlElement>()
  /** What the template shows for entries, by the bookmarks that they lead to. */
  private readonly pages = new Map<string, string>()
  private page = '1'

  constructor(
    private readonly table: Table,
    private readonly root: XmlElement,
    source: string,
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
    return look === undefined ? '' : (this.carried(look) ?? '')
  }

  private readonly known = new Map<XmlElement, string | undefined>()

  /** Properties of an entry as another one takes them; undefined for those that are too long. */
  private carried(properties: XmlElement): string | undefined {
    if (!this.known.has(properties)) {
      const isLong = properties.end - properties.start > limits.contentsPropertiesChars
      this.known.set(properties, isLong ? undefined : this.table.carried(properties))
    }
    return this.known.get(properties)
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
    const properties = model === undefined ? undefined : childNamed(model, 'w:pPr')
    const own = properties === undefined ? undefined : this.carried(properties)
    if (own !== undefined) return own
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
