import { escapeText } from '../../../ooxml/xml-write.ts'
import type { RichParagraphPlace, RichPlace } from '../../plan/items.ts'
import { type Properties, writeProperties } from '../../plan/properties.ts'
import type { Styles } from '../../scan/styles.ts'
import { listIndentTwips, type NumberingGains } from '../numbering.ts'
import { layOutCells, type PlacedCell } from './cells.ts'
import { clampSize, type FontSize } from './css.ts'
import type { Marks, RichBlock, RichInline, RichList, RichParagraph, RichTable } from './model.ts'

/** What writing needs of the composition around it. */
export interface RichSink {
  styles: Styles
  numbering: NumberingGains
  /** Start tag of a link to the address; undefined (and reported) when it isn't safe. */
  openLink(address: string): string | undefined
  /** A drawing; undefined (and reported) if the picture can't be used. */
  drawing(image: RichImage): string | undefined
}

export type RichImage = Extract<RichInline, { kind: 'image' }>

/** A place where rich text is whole paragraphs. */
export interface RichBlocksPlace extends RichPlace {
  paragraph: RichParagraphPlace
  isAfterTable: boolean
}

/** Runs only, for a place in the middle of a line; undefined when the text is more than one paragraph of plain runs. */
export function writeRichRuns(blocks: RichBlock[], place: RichPlace, sink: RichSink): string | undefined {
  const [block, ...rest] = blocks
  if (block === undefined) return ''
  if (rest.length > 0 || block.kind === 'table' || block.style !== 'body' || block.item !== undefined) return undefined
  return new Writer(place, sink).runs(block.content, {})
}

/** Whole paragraphs and tables, in place of the paragraph that held the tag. */
export function writeRichBlocks(blocks: RichBlock[], place: RichBlocksPlace, sink: RichSink): string {
  const { paragraph, isAfterTable } = place
  const writer = new Writer(place, sink)
  const section = paragraph.properties.get('w:sectPr')
  const base = new Map(paragraph.properties)
  base.delete('w:sectPr')
  let out = writer.blocks(blocks, base)
  const first = blocks[0]
  const last = blocks[blocks.length - 1]
  // Two tables that touch are one to Word, and a cell must not end with one.
  if (first?.kind === 'table' && isAfterTable) out = writer.separator() + out
  if (section !== undefined) return out + writer.paragraph('', new Map([['w:sectPr', section]]))
  if (last === undefined ? paragraph.isLast : last.kind === 'table' && (paragraph.isLast || paragraph.isBeforeTable)) {
    out += last === undefined ? writer.paragraph('', base) : writer.separator()
  }
  return out
}

/** Sizes of the headings 1 to 6 where the template has no style for them, in half points. */
const headingHalfPoints = [32, 28, 26, 24, 22, 22]

/** The text width of an A4 page with Word's usual margins; Word stretches columns to the actual width. */
const tableTwips = 9_026

class Writer {
  private readonly lists = new Map<RichList, string>()
  private readonly declaration: string

  constructor(
    private readonly place: RichPlace,
    private readonly sink: RichSink,
  ) {
    this.declaration = place.isPrefixW ? '' : ` xmlns:w="${place.uri}"`
    this.styleHalfPoints = sink.styles.halfPointsOf(undefined)
  }

  blocks(blocks: RichBlock[], base: Properties): string {
    let out = ''
    let numbered = base
    for (const [index, block] of blocks.entries()) {
      if (block.kind === 'table') {
        if (blocks[index - 1]?.kind === 'table') out += this.separator()
        out += this.table(block, base)
      } else out += this.richParagraph(block, numbered)
      // The tag's own number, if its paragraph has one, belongs to the first paragraph only.
      if (index === 0 && base.has('w:numPr')) numbered = withoutNumber(base)
    }
    return out
  }

  /** An empty paragraph one twentieth of a line high, which keeps tables apart. */
  separator(): string {
    const spacing = '<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>'
    return this.paragraph('', new Map([['w:spacing', spacing]]))
  }

  paragraph(content: string, properties: Properties): string {
    return `<w:p${this.declaration}>${writeProperties('paragraph', properties)}${content}</w:p>`
  }

  private richParagraph(paragraph: RichParagraph, base: Properties): string {
    const properties = new Map(base)
    const marks: Marks = {}
    let halfPoints: number | undefined
    if (paragraph.style === 'heading') {
      const style = this.sink.styles.headings[paragraph.heading - 1]
      properties.delete('w:numPr')
      if (style !== undefined) properties.set('w:pStyle', `<w:pStyle w:val="${style}"/>`)
      else {
        marks.bold = true
        halfPoints = headingHalfPoints[paragraph.heading - 1]
        properties.set('w:outlineLvl', `<w:outlineLvl w:val="${paragraph.heading - 1}"/>`)
      }
      properties.set('w:keepNext', '<w:keepNext/>')
    }
    if (paragraph.style === 'preformatted') marks.code = true
    if (paragraph.style === 'rule') {
      properties.set('w:pBdr', '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>')
    }
    if (paragraph.background !== undefined) properties.set('w:shd', shading(paragraph.background))
    if (paragraph.item !== undefined) this.setItem(properties, paragraph.item, paragraph.quotes)
    else if (paragraph.quotes > 0) {
      const indent = paragraph.quotes * listIndentTwips
      properties.set('w:ind', `<w:ind w:left="${indent}" w:right="${listIndentTwips}"/>`)
    }
    if (paragraph.align !== undefined) {
      // The strict form calls its sides start and end.
      const isStrict = this.place.uri.startsWith('http://purl.oclc.org/')
      const sides: Partial<Record<string, string>> = isStrict ? { left: 'start', right: 'end' } : {}
      properties.set('w:jc', `<w:jc w:val="${sides[paragraph.align] ?? paragraph.align}"/>`)
    }
    const isHeadingStyle = paragraph.style === 'heading' && halfPoints === undefined
    const style = /w:val="([^"]*)"/.exec(properties.get('w:pStyle') ?? '')?.[1]
    this.styleHalfPoints = this.sink.styles.halfPointsOf(style)
    return this.paragraph(this.runs(paragraph.content, marks, halfPoints, isHeadingStyle), properties)
  }

  private setItem(
    properties: Map<string, string>,
    { list, level, isFirst }: NonNullable<RichParagraph['item']>,
    quotes: number,
  ): void {
    const indent = (level + 1 + quotes) * listIndentTwips
    if (!isFirst) {
      properties.delete('w:numPr')
      properties.set('w:ind', `<w:ind w:left="${indent}"/>`)
      return
    }
    let numId = this.lists.get(list)
    if (numId === undefined) {
      const { numbering } = this.sink
      numId = list.isOrdered ? numbering.numbers(level, list.start) : numbering.bullets()
      this.lists.set(list, numId)
    }
    properties.set('w:numPr', `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`)
    if (quotes > 0) properties.set('w:ind', `<w:ind w:left="${indent}" w:hanging="360"/>`)
    else properties.delete('w:ind')
  }

  /** `isStyled` leaves size and weight to the paragraph's style. */
  runs(content: RichInline[], marks: Marks, halfPoints?: number, isStyled = false): string {
    let out = ''
    let link: string | undefined
    for (const item of content) {
      const address = item.kind === 'text' && !this.place.isInLink ? item.marks.link : undefined
      if (address !== link) {
        if (link !== undefined) out += '</w:hyperlink>'
        const opened = address === undefined ? undefined : this.sink.openLink(address)
        if (opened !== undefined) out += opened.replace(/^<w:hyperlink/, `$&${this.declaration}`)
        link = opened === undefined ? undefined : address
      }
      out += this.run(item, marks, halfPoints, isStyled)
    }
    return link === undefined ? out : `${out}</w:hyperlink>`
  }

  private run(item: RichInline, marks: Marks, halfPoints: number | undefined, isStyled: boolean): string {
    if (item.kind === 'image') {
      const drawing = this.sink.drawing(item)
      return drawing === undefined ? '' : `<w:r${this.declaration}>${drawing}</w:r>`
    }
    const base = isStyled ? withoutSize(this.place.run) : this.place.run
    const own = item.kind === 'text' ? { ...item.marks, ...marks } : marks
    const properties = this.runProperties(base, own, halfPoints)
    if (item.kind === 'break') return `<w:r${this.declaration}>${properties}<w:br/></w:r>`
    const text = escapeText(item.text).replace(/\t/g, '</w:t><w:tab/><w:t xml:space="preserve">')
    return `<w:r${this.declaration}>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`
  }

  private runProperties(base: Properties, marks: Marks, halfPoints: number | undefined): string {
    const properties = new Map(base)
    const set = (name: string, value = '') => properties.set(name, `<${name}${value}/>`)
    if (marks.bold) {
      set('w:b')
      set('w:bCs')
    }
    if (marks.italic) {
      set('w:i')
      set('w:iCs')
    }
    if (marks.strike) set('w:strike')
    if (marks.underline) set('w:u', ' w:val="single"')
    if (marks.highlight) set('w:highlight', ' w:val="yellow"')
    if (marks.raised !== undefined) set('w:vertAlign', ` w:val="${marks.raised}"`)
    if (marks.code) set('w:rFonts', ' w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"')
    if (marks.link !== undefined && !this.place.isInLink) {
      const { hyperlink } = this.sink.styles
      if (hyperlink !== undefined) set('w:rStyle', ` w:val="${hyperlink}"`)
      else {
        set('w:color', ' w:val="0563C1"')
        set('w:u', ' w:val="single"')
      }
    }
    if (marks.color !== undefined) set('w:color', ` w:val="${marks.color}"`)
    if (marks.background !== undefined) properties.set('w:shd', shading(marks.background))
    const size = marks.size === undefined ? halfPoints : this.sizeOf(marks.size, base, halfPoints)
    if (size !== undefined) {
      set('w:sz', ` w:val="${size}"`)
      set('w:szCs', ` w:val="${size}"`)
    }
    return writeProperties('run', properties)
  }

  /** The size of text that states none: the paragraph style's, or the document's. */
  private styleHalfPoints: number

  private sizeOf(size: FontSize, base: Properties, halfPoints: number | undefined): number {
    if ('halfPoints' in size) return size.halfPoints
    const own = Number(/w:val="(\d+)"/.exec(base.get('w:sz') ?? '')?.[1] ?? Number.NaN)
    return clampSize((halfPoints ?? (own > 0 ? own : this.styleHalfPoints)) * size.factor)
  }

  private table(table: RichTable, base: Properties): string {
    const rows = layOutCells(table)
    const columns = Math.max(1, ...rows.map((row) => row.reduce((sum, { cell }) => sum + cell.columns, 0)))
    const width = Math.floor(tableTwips / columns)
    const cellBase = new Map(base)
    for (const name of ['w:ind', 'w:numPr', 'w:pBdr', 'w:framePr', 'w:keepNext']) cellBase.delete(name)
    const { tableGrid } = this.sink.styles
    const edges = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
    const borders = edges.map((edge) => `<w:${edge} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`).join('')
    const style = tableGrid === undefined ? '' : `<w:tblStyle w:val="${tableGrid}"/>`
    const own = tableGrid === undefined ? `<w:tblBorders>${borders}</w:tblBorders>` : ''
    const isStrict = this.place.uri.startsWith('http://purl.oclc.org/')
    const tableWidth = isStrict ? '<w:tblW w:w="100%" w:type="pct"/>' : '<w:tblW w:w="5000" w:type="pct"/>'
    let out = `<w:tbl${this.declaration}><w:tblPr>${style}${tableWidth}${own}</w:tblPr><w:tblGrid>`
    out += `${`<w:gridCol w:w="${width}"/>`.repeat(columns)}</w:tblGrid>`
    for (const row of rows) {
      const isHeader = row.length > 0 && row.every(({ cell, isContinued }) => cell.isHeader && !isContinued)
      out += `<w:tr>${isHeader ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}`
      const used = row.reduce((sum, { cell }) => sum + cell.columns, 0)
      for (const placed of row) out += this.cell(placed, width, cellBase)
      const missing = { isHeader: false, columns: columns - used, rows: 1, blocks: [] }
      if (missing.columns > 0) out += this.cell({ cell: missing, isContinued: false }, width, cellBase)
      out += '</w:tr>'
    }
    return `${out}</w:tbl>`
  }

  private cell({ cell, isContinued }: PlacedCell, width: number, base: Properties): string {
    const span = cell.columns > 1 ? `<w:gridSpan w:val="${cell.columns}"/>` : ''
    const merge = isContinued ? '<w:vMerge/>' : cell.rows > 1 ? '<w:vMerge w:val="restart"/>' : ''
    const fill = cell.background === undefined ? '' : shading(cell.background)
    const open = `<w:tc><w:tcPr><w:tcW w:w="${width * cell.columns}" w:type="dxa"/>${span}${merge}${fill}</w:tcPr>`
    const blocks = isContinued ? [] : cell.blocks
    if (cell.isHeader) for (const block of blocks) embolden(block)
    let content = this.blocks(blocks, base)
    const last = blocks[blocks.length - 1]
    if (last === undefined) content = this.paragraph('', base)
    else if (last.kind === 'table') content += this.separator()
    return `${open}${content}</w:tc>`
  }
}

function shading(color: string): string {
  return `<w:shd w:val="clear" w:color="auto" w:fill="${color}"/>`
}

function withoutNumber(base: Properties): Properties {
  const rest = new Map(base)
  // Zero removes a number that the style would give.
  rest.set('w:numPr', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>')
  return rest
}

function withoutSize(run: Properties): Properties {
  const rest = new Map(run)
  for (const name of ['w:sz', 'w:szCs', 'w:b', 'w:bCs', 'w:rFonts', 'w:color']) rest.delete(name)
  return rest
}

function embolden(block: RichBlock): void {
  if (block.kind === 'table') return
  for (const item of block.content) if (item.kind === 'text') item.marks = { ...item.marks, bold: true }
}
