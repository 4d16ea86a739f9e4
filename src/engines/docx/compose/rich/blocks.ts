import { Parser } from 'htmlparser2'
import MarkdownIt from 'markdown-it'
import { limits } from '../../../../core/limits.ts'
import type { RichFormat } from '../../scan/syntax.ts'
import { layOutCells } from './cells.ts'
import { largerSize, smallerSize } from './css.ts'
import { addMarks, alignOf, declarationsOf, noDeclarations, styled } from './declared.ts'
import { isElement, unclosedTag } from './elements.ts'
import type { Marks, RichAlign, RichBlock, RichCell, RichInline, RichList, RichParagraph, RichTable } from './model.ts'

/** `elements` is the cost: paragraphs, runs and cells. `lost` is text that looks like an element but isn't, and is not shown. */
export type RichResult =
  | { ok: true; blocks: RichBlock[]; elements: number; lost?: string }
  | { ok: false; message: string; hint: string }

const markdown = new MarkdownIt('default', { html: false, linkify: false, typographer: false })

/**
 * Reads rich text: a safe subset of HTML, or Markdown (CommonMark with tables and ~~strike~~; HTML in it is plain
 * text). Without a format, text that begins with `<` is HTML. Elements that only arrange content are ignored and their
 * content kept; elements that run, load or ask something are refused. `message` continues a sentence about the value.
 */
export function readRichText(text: string, format?: RichFormat): RichResult {
  if (text.length > limits.richTextChars) {
    return {
      ok: false,
      message: `is longer than ${limits.richTextChars} characters`,
      hint: 'Divide it over several tags.',
    }
  }
  const isHtml = format === undefined ? text.trimStart().startsWith('<') : format === 'html'
  const reader = new Reader()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (data) => reader.text(data),
      onclosetag: (name) => reader.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(isHtml ? text : markdown.render(text))
  return reader.result(isHtml ? unclosedTag(text) : undefined)
}

/** Elements that would have to run, load or ask something, which a document can't. */
const refused = new Set(
  'script style iframe frame frameset object embed applet form input button select textarea svg math video audio canvas base link meta'.split(
    ' ',
  ),
)

const markOf: Record<string, Marks> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  dfn: { italic: true },
  var: { italic: true },
  u: { underline: true },
  ins: { underline: true },
  s: { strike: true },
  strike: { strike: true },
  del: { strike: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
  mark: { highlight: true },
  sup: { raised: 'superscript' },
  sub: { raised: 'subscript' },
}

const smaller: Marks = { size: smallerSize }

const larger: Marks = { size: largerSize }

const dividing = new Set(
  'p div section article header footer main aside nav figure figcaption address center dl dt dd details summary caption body html'.split(
    ' ',
  ),
)

interface Open {
  name: string
  marks: Marks
  align: RichAlign | undefined
  /** Behind the paragraphs or cells in it. */
  background?: string
  list?: RichList
  /** Present inside a list item; `isFresh` until the paragraph that carries its number. */
  item?: { isFresh: boolean }
  table?: RichTable
  cell?: RichCell
}

class Reader {
  private readonly root: RichBlock[] = []
  private readonly stack: Open[] = []
  private current: RichParagraph | undefined
  private elements = 0
  private pieces = 0
  /** The first tag that isn't HTML's. */
  private unknown: string | undefined
  private fault: { message: string; hint: string } | undefined

  result(unclosed: string | undefined): RichResult {
    if (this.fault !== undefined) return { ok: false, ...this.fault }
    const lost = this.unknown ?? unclosed
    const read = { ok: true, blocks: this.root, elements: this.elements + this.pieces } as const
    return lost === undefined ? read : { ...read, lost }
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.fault !== undefined) return
    if (refused.has(name)) {
      this.refuse(`holds <${name}>`, 'Hand in text, lists, tables, links and pictures only.')
      return
    }
    if (++this.elements > limits.richTextElements || this.stack.length >= limits.richTextDepth) {
      this.refuse('has too many elements', `At most ${limits.richTextDepth} may be inside of each other.`)
      return
    }
    if (this.unknown === undefined && !isElement(name)) this.unknown = `<${name}>`
    const outer = this.stack[this.stack.length - 1]
    const declared = declarationsOf(name, attributes)
    const entry: Open = { name, marks: outer?.marks ?? {}, align: alignOf(declared, attributes) ?? outer?.align }
    const mark =
      name === 'small' ? smaller : name === 'big' ? larger : Object.hasOwn(markOf, name) ? markOf[name] : undefined
    if (mark !== undefined) entry.marks = addMarks(entry.marks, mark)
    if (isBlock(name) && declared.background !== undefined) {
      entry.background = declared.background
      delete declared.background
    }
    if (declared !== noDeclarations) entry.marks = styled(entry.marks, declared)
    if (name === 'a' && attributes.href !== undefined) {
      entry.marks = { ...entry.marks, link: attributes.href.trim() }
    } else if (mark === undefined) this.openBlock(name, attributes, entry)
    this.stack.push(entry)
  }

  private openBlock(name: string, attributes: Record<string, string>, entry: Open): void {
    if (name === 'br') this.inline({ kind: 'break' })
    else if (name === 'img') this.image(attributes)
    else if (name === 'hr') {
      this.paragraph().style = 'rule'
      this.endParagraph()
    } else if (name === 'ul' || name === 'ol') {
      this.endParagraph()
      const start = Number(attributes.start ?? 1)
      entry.list = {
        isOrdered: name === 'ol',
        start: Number.isInteger(start) && start >= 0 && start < 32_768 ? start : 1,
      }
    } else if (name === 'li') {
      this.endParagraph()
      entry.item = { isFresh: true }
    } else if (name === 'table') {
      this.endParagraph()
      entry.table = { kind: 'table', rows: [] }
      this.target().push(entry.table)
    } else if (name === 'tr') this.innermostTable()?.rows.push([])
    else if (name === 'td' || name === 'th') this.openCell(name, attributes, entry)
    else if (name === 'pre' || name === 'blockquote' || /^h[1-6]$/.test(name) || dividing.has(name)) {
      this.endParagraph()
    }
  }

  private openCell(name: string, attributes: Record<string, string>, entry: Open): void {
    const table = this.innermostTable()
    if (table === undefined) return
    const row = table.rows.at(-1) ?? []
    if (table.rows.length === 0) table.rows.push(row)
    const cell: RichCell = {
      isHeader: name === 'th',
      columns: spanOf(attributes.colspan, limits.richTextColumns),
      rows: spanOf(attributes.rowspan, 1_000),
      blocks: [],
    }
    const background = entry.background ?? this.backgroundOfTable()
    if (background !== undefined) cell.background = background
    row.push(cell)
    entry.cell = cell
    this.endParagraph()
  }

  close(name: string): void {
    const entry = this.stack[this.stack.length - 1]
    if (this.fault !== undefined || entry === undefined || entry.name !== name) return
    this.stack.pop()
    if (name === 'li' && entry.item?.isFresh) {
      this.stack.push(entry)
      this.paragraph()
      this.stack.pop()
    }
    if (entry.table !== undefined) this.checkColumns(entry.table)
    const isBlock = entry.list ?? entry.item ?? entry.table ?? entry.cell
    if (isBlock || name === 'pre' || name === 'blockquote' || /^h[1-6]$/.test(name) || dividing.has(name)) {
      this.endParagraph()
    }
  }

  text(data: string): void {
    if (this.fault !== undefined) return
    const isPreformatted = this.stack.some(({ name }) => name === 'pre')
    const marks = this.stack[this.stack.length - 1]?.marks ?? {}
    if (isPreformatted) {
      const lines = data.replace(/\r\n?/g, '\n').split('\n')
      for (const [index, line] of lines.entries()) {
        if (index > 0) this.inline({ kind: 'break' })
        if (line !== '') this.inline({ kind: 'text', text: line, marks })
      }
      return
    }
    let text = data.replace(/[ \t\r\n\f]+/g, ' ')
    const last = this.current?.content[this.current.content.length - 1]
    const isAtStart = last === undefined || last.kind === 'break' || (last.kind === 'text' && last.text.endsWith(' '))
    if (isAtStart) text = text.replace(/^ /, '')
    if (text === '' || (this.isBetweenRows() && text.trim() === '')) return
    this.inline({ kind: 'text', text, marks })
  }

  private isBetweenRows(): boolean {
    const { name } = this.stack[this.stack.length - 1] ?? { name: '' }
    return ['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol'].includes(name)
  }

  private image(attributes: Record<string, string>): void {
    const source = attributes.src ?? ''
    if (!source.startsWith('data:')) {
      this.refuse('holds a picture that is not in the text itself', 'Give it as a data URI (data:image/png;base64,…).')
      return
    }
    const image: RichInline = { kind: 'image', source, alternative: attributes.alt ?? '' }
    const width = Number(attributes.width)
    const height = Number(attributes.height)
    if (width >= 1 && width <= 2_000) image.widthPx = width
    if (height >= 1 && height <= 2_000) image.heightPx = height
    this.inline(image)
  }

  private inline(item: RichInline): void {
    this.pieces++
    this.paragraph().content.push(item)
  }

  /** The background of the row, else of its group, else of the table. */
  private backgroundOfTable(): string | undefined {
    for (const { background, table, cell } of this.stack.toReversed()) {
      if (cell !== undefined) return undefined
      if (background !== undefined || table !== undefined) return background
    }
    return undefined
  }

  /** The paragraph that text goes to now; a new one starts if there is none. */
  private paragraph(): RichParagraph {
    if (this.current !== undefined) return this.current
    const paragraph: RichParagraph = { kind: 'paragraph', style: 'body', heading: 0, quotes: 0, content: [] }
    let depth = -1
    let list: RichList | undefined
    let item: { isFresh: boolean } | undefined
    for (const entry of this.stack) {
      if (entry.name === 'blockquote') paragraph.quotes++
      if (entry.name === 'pre') paragraph.style = 'preformatted'
      const heading = /^h([1-6])$/.exec(entry.name)
      if (heading !== null) {
        paragraph.style = 'heading'
        paragraph.heading = Number(heading[1])
      }
      if (entry.background !== undefined) paragraph.background = entry.background
      if (entry.cell !== undefined) {
        depth = -1
        list = undefined
        item = undefined
        // The cell's background fills its paragraphs already.
        delete paragraph.background
      }
      if (entry.list !== undefined) {
        depth++
        list = entry.list
        item = undefined
      }
      if (entry.item !== undefined) item = entry.item
    }
    if (list !== undefined && item !== undefined) {
      paragraph.item = { list, level: Math.min(depth, 8), isFirst: item.isFresh }
      item.isFresh = false
    }
    const align = this.stack[this.stack.length - 1]?.align
    if (align !== undefined) paragraph.align = align
    this.target().push(paragraph)
    this.current = paragraph
    return paragraph
  }

  private checkColumns(table: RichTable): void {
    let cells = 0
    for (const row of layOutCells(table)) {
      cells += row.length
      if (cells > limits.richTextElements) {
        this.refuse('has a table of too many cells', 'Divide the table.')
        return
      }
      const columns = row.reduce((sum, { cell }) => sum + cell.columns, 0)
      if (columns <= limits.richTextColumns) continue
      this.refuse(`has a table of more than ${limits.richTextColumns} columns`, 'Word allows no more.')
      return
    }
  }

  private endParagraph(): void {
    this.trimEnd()
    this.current = undefined
  }

  private trimEnd(): void {
    if (this.current === undefined) return
    const { content, style } = this.current
    const last = content.at(-1)
    if (style === 'preformatted') {
      if (last?.kind === 'break') content.pop()
    } else if (last?.kind === 'text') last.text = last.text.trimEnd()
  }

  private target(): RichBlock[] {
    return this.stack.findLast(({ cell }) => cell !== undefined)?.cell?.blocks ?? this.root
  }

  private innermostTable(): RichTable | undefined {
    return this.stack.findLast(({ table }) => table !== undefined)?.table
  }

  private refuse(message: string, hint: string): void {
    this.fault ??= { message, hint }
  }
}

/** Whether the element's background fills whole paragraphs or cells, rather than only its text. */
function isBlock(name: string): boolean {
  return dividing.has(name) || blockNames.has(name)
}

const blockNames = new Set('h1 h2 h3 h4 h5 h6 pre blockquote ul ol li table thead tbody tfoot tr td th'.split(' '))

function spanOf(written: string | undefined, most: number): number {
  const span = Number(written ?? 1)
  return Number.isInteger(span) && span >= 1 && span <= most ? span : 1
}
