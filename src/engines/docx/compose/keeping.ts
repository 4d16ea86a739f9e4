/** What `{{#keep}}` makes Word do: keep paragraphs whole and with the next, and rows undivided by pages. */
import { limits } from '../../../core/limits.ts'

/**
 * Keeps paragraphs and rows on one page (ECMA-376 part 1, 17.3.1.14 keepLines, 17.3.1.15 keepNext, 17.4.6 cantSplit).
 * The last paragraph or row is not kept with what follows. Text over `limits.keptChars` stays unchanged: it fits on no
 * page.
 * @param xml whole paragraphs, tables or rows
 * @param prefix of names of WordprocessingML
 */
export function keptTogether(xml: string, prefix: string): string {
  return xml.length > limits.keptChars ? xml : new Keeper(xml, prefix).text()
}

interface Tag {
  name: string
  kind: 'open' | 'close' | 'empty'
  start: number
  end: number
}

class Keeper {
  private readonly tags = /<!--[\s\S]*?-->|<(\/?)([^\s"'<>/]+)(?:[^"'<>]|"[^"]*"|'[^']*')*>/g
  private readonly parts: string[] = []
  /** Up to where the source is in the parts. */
  private written = 0
  /** The last paragraph, or those of the last row: their indexes in `parts`, and their text if nothing follows. */
  private last: { index: number; text: string }[] = []
  private rows = 0
  private boxes = 0

  private readonly names: Record<'style' | 'keepNext' | 'keepLines', string>

  constructor(
    private readonly xml: string,
    private readonly prefix: string,
  ) {
    this.names = { style: `${prefix}pStyle`, keepNext: `${prefix}keepNext`, keepLines: `${prefix}keepLines` }
  }

  text(): string {
    for (let tag = this.next(); tag !== undefined; tag = this.next()) this.see(tag)
    for (const { index, text } of this.last) this.parts[index] = text
    return this.parts.join('') + this.xml.slice(this.written)
  }

  private see(tag: Tag): void {
    const { name, kind } = tag
    if (name === `${this.prefix}txbxContent` && kind !== 'empty') this.boxes += kind === 'open' ? 1 : -1
    // A text box is on the page of its paragraph.
    if (this.boxes > 0) return
    if (name === `${this.prefix}p` && kind !== 'close') {
      if (this.rows === 0) this.last = []
      this.keepParagraph(tag)
    } else if (name === `${this.prefix}tr` && kind !== 'empty') {
      if (kind === 'open' && this.rows === 0) this.last = []
      this.rows += kind === 'open' ? 1 : -1
      if (kind === 'open') this.keepRow(tag)
    }
  }

  private keepParagraph(tag: Tag): void {
    const { prefix, xml } = this
    const { style, keepNext, keepLines } = this.names
    const isEmpty = tag.kind === 'empty'
    const found = isEmpty ? undefined : this.childAt(tag.end, `${prefix}pPr`)
    const { start, end, children } = found ?? { start: isEmpty ? tag.start : tag.end, end: tag.end, children: [] }
    const own = (name: string) => this.textOf(children.filter((child) => child.name === name))
    const rest = this.textOf(children.filter(({ name }) => name !== style && name !== keepNext && name !== keepLines))
    const opened = isEmpty ? `${xml.slice(start, end).replace(/\s*\/>$/, '')}>` : ''
    const before = `${opened}<${prefix}pPr>${own(style)}`
    const behind = `<${keepLines}/>${rest}</${prefix}pPr>${isEmpty ? `</${prefix}p>` : ''}`
    this.replace({ start, end }, `${before}<${keepNext}/>${behind}`)
    this.last.push({ index: this.parts.length - 1, text: before + own(keepNext) + behind })
  }

  private keepRow(tag: Tag): void {
    const { prefix } = this
    const exceptions = this.childAt(tag.end, `${prefix}tblPrEx`)
    const from = exceptions?.end ?? tag.end
    const { start, end, children } = this.childAt(from, `${prefix}trPr`) ?? { start: from, end: from, children: [] }
    const rest = this.textOf(children.filter(({ name }) => name !== `${prefix}cantSplit`))
    this.replace({ start, end }, `<${prefix}trPr><${prefix}cantSplit/>${rest}</${prefix}trPr>`)
  }

  private replace({ start, end }: Edge, text: string): void {
    this.parts.push(this.xml.slice(this.written, start), text)
    this.written = end
  }

  private textOf(children: readonly Child[]): string {
    return children.length === 0 ? '' : children.map(({ start, end }) => this.xml.slice(start, end)).join('')
  }

  /** The element of that name with its children, if it comes next; nothing is read otherwise. */
  private childAt(from: number, name: string): (Edge & { children: Child[] }) | undefined {
    const { tags } = this
    tags.lastIndex = from
    const open = this.next()
    if (open?.name !== name || open.kind === 'close' || this.xml.slice(from, open.start).trim() !== '') {
      tags.lastIndex = from
      return undefined
    }
    const children: Child[] = []
    if (open.kind === 'empty') return { start: open.start, end: open.end, children }
    let depth = 0
    let start = 0
    for (let tag = this.next(); tag !== undefined; tag = this.next()) {
      if (tag.kind === 'close' && depth === 0) return { start: open.start, end: tag.end, children }
      if (depth === 0) start = tag.start
      if (tag.kind !== 'empty') depth += tag.kind === 'open' ? 1 : -1
      if (depth === 0) children.push({ name: tag.name, start, end: tag.end })
    }
    return undefined
  }

  private next(): Tag | undefined {
    for (let match = this.tags.exec(this.xml); match !== null; match = this.tags.exec(this.xml)) {
      const [written, slash, name] = match
      // A comment has no name.
      if (name === undefined || name.startsWith('!')) continue
      const kind = slash === '/' ? 'close' : written.endsWith('/>') ? 'empty' : 'open'
      return { name, kind, start: match.index, end: this.tags.lastIndex }
    }
    return undefined
  }
}

interface Edge {
  start: number
  end: number
}

type Child = Edge & { name: string }
