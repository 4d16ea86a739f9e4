import { limits } from '../../../core/limits.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, emptied, textOf, type XmlElement } from '../../ooxml/xml.ts'
import type { Link } from '../frame/frame.ts'
import type {
  Anchor,
  Block,
  Cell,
  ImageRef,
  Inline,
  Paragraph,
  Row,
  Section,
  Styles,
  Table,
} from '../model/document.ts'
import type { CellProps, ParagraphProps, RunProps, TableProps } from '../model/properties.ts'
import type { Graphic, GraphicContent } from '../model/shape.ts'
import type { Report } from '../report.ts'
import { type Drawing, readDrawing } from './drawing/drawing.ts'
import { type DrawingSource, isRectangle } from './drawing/graphic.ts'
import { readDrawingPart } from './drawing/part.ts'
import { readVml, type VmlTypes } from './drawing/vml.ts'
import { FieldReader, simpleField } from './fields.ts'
import { frameAttributes, readFloatingTable, readFrame } from './floats.ts'
import { readCheckBox, readChoice } from './form.ts'
import { mathText } from './math.ts'
import {
  readAbsoluteTab,
  readCellProps,
  readParagraphProps,
  readRowProps,
  readRunProps,
  readTableProps,
} from './properties.ts'
import { readRuby } from './ruby.ts'
import { readSection } from './section.ts'
import type { Theme } from './theme.ts'
import { integer, isOn, toggle, twips } from './values.ts'

/** Of check boxes in runs that leave their size to a style, in points. */
const DEFAULT_SIZE = 11

const transparent = new Set(['w:smartTag', 'w:customXml', 'w:ins', 'w:moveTo', 'w:dir', 'w:bdo'])
/** Elements that show nothing by themselves, or whose content is meant to be gone in the final text. */
const silent = new Set([
  'w:pPr',
  'w:rPr',
  'w:del',
  'w:moveFrom',
  'w:bookmarkEnd',
  'w:proofErr',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:lastRenderedPageBreak',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
  'w:customXmlInsRangeStart',
  'w:customXmlInsRangeEnd',
  'w:customXmlDelRangeStart',
  'w:customXmlDelRangeEnd',
  'w:sdtPr',
  'w:sdtEndPr',
  'w:tblPr',
  'w:tblGrid',
  'w:trPr',
  'w:tcPr',
  'w:tblPrEx',
  'w:annotationRef',
  'w:commentReference',
  'w:delText',
  'w:delInstrText',
  'w:fldData',
  'w:softHyphen',
  'w:smartTagPr',
  'w:customXmlPr',
  'w:sectPr',
  'w:subDoc',
  'mc:AlternateContent',
])

/** Extensions whose content is understood, or may be left out without harm. */
const supported = new Set(['wps', 'wpg', 'wpc', 'wp14', 'w14', 'w15', 'a14', 'c14', 'v'])

/** Properties of runs whose text is drawn as though they were not there. */
const plainLooks: ReadonlySet<string> = new Set([
  'w:outline',
  'w:shadow',
  'w:emboss',
  'w:imprint',
  'w:fitText',
  'w14:glow',
  'w14:shadow',
  'w14:reflection',
  'w14:textOutline',
  'w14:textFill',
  'w14:scene3d',
  'w14:props3d',
])

/** Reads one story (body, header, footnote …) of a part into blocks. */
export class StoryReader {
  private readonly fields = new FieldReader()
  private readonly runProps = new Map<string, RunProps>()
  private readonly looks = new Map<string, RunProps>()
  private readonly unlinked = new Map<RunProps, RunProps>()
  private readonly paragraphProps = new Map<string, ParagraphProps>()
  private readonly cellProps = new Map<string, CellProps>()
  private readonly tableProps = new Map<string, TableProps>()
  private readonly links = new Map<string, Link>()
  private paragraphs = 0
  /** Cells that are being read, one inside the other. */
  private cells = 0
  /** Framed paragraphs and floating tables, by what stands for them until the paragraph they are anchored in is read. */
  private readonly floats = new Map<Block, Float>()
  /** The last paragraph, when its mark is a tracked deletion: in the final text the next one goes on with it. */
  private unended: Paragraph | undefined
  lastSection: Section | undefined

  constructor(
    private readonly container: OoxmlPackage,
    private readonly part: string,
    private readonly source: string,
    private readonly theme: Theme,
    private readonly report: Report,
    private readonly vmlTypes: VmlTypes = new Map(),
    private readonly styles?: Styles,
  ) {
    for (const relation of container.relationships(part)) {
      if (relation.external && relation.type.endsWith('/hyperlink'))
        this.links.set(relation.id, { kind: 'uri', uri: relation.target })
    }
  }

  /** The package part behind a relationship id; undefined for external and missing ones. */
  readonly partOf = (id: string): string | undefined => {
    const relation = this.container.relationships(this.part).find((candidate) => candidate.id === id)
    return relation && !relation.external ? relation.target : undefined
  }

  readBlocks(element: XmlElement, depth = 0): Block[] {
    const blocks: Block[] = []
    this.collectBlocks(element, blocks, depth)
    return anchorFloats(blocks, this.floats)
  }

  private tooDeep(element: XmlElement, depth: number): boolean {
    if (depth <= limits.renderNesting) return false
    this.report.add(
      'render.nesting',
      `Content nested more than ${limits.renderNesting} levels deep is left out.`,
      `${this.part}#${element.name}`,
      'Flatten the nested tables.',
    )
    return true
  }

  /** Adds one child of a story that comes child by child; `endBlocks` ends it. */
  addBlock(child: XmlElement, blocks: Block[]): void {
    this.collectBlock(child, blocks, 0)
  }

  endBlocks(blocks: Block[]): Block[] {
    return anchorFloats(blocks, this.floats)
  }

  private collectBlocks(element: XmlElement, blocks: Block[], depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of childElements(element)) this.collectBlock(child, blocks, depth)
  }

  private collectBlock(child: XmlElement, blocks: Block[], depth: number): void {
    if (child.name === 'w:p') {
      const paragraph = this.readParagraph(child, depth)
      const properties = childNamed(child, 'w:pPr')
      const before = blocks.at(-1)
      if (before && before === this.unended) {
        paragraph.content.unshift(...this.unended.content)
        blocks.pop()
      }
      this.unended = !paragraph.section && isDeleted(properties) ? paragraph : undefined
      const frame = properties && childNamed(properties, 'w:framePr')
      const styled = this.styles?.frames.get(paragraph.props.style ?? '')
      if ((frame || styled) && !paragraph.section && this.cells === 0) {
        const attributes = frameAttributes(styled, frame?.attributes)
        const key = JSON.stringify(attributes)
        this.floats.set(paragraph, { key, box: (content) => readFrame({ attributes }, content) })
      }
      blocks.push(paragraph)
    } else if (child.name === 'w:tbl') {
      const table = this.readTable(child, depth)
      if (this.cells === 0) startTableOnNewPage(table, blocks.at(-1))
      blocks.push(table)
    } else if (child.name === 'w:sdt') {
      const content = childNamed(child, 'w:sdtContent')
      if (content) this.collectBlocks(content, blocks, depth + 1)
    } else if (transparent.has(child.name)) this.collectBlocks(child, blocks, depth + 1)
    else if (child.name === 'mc:AlternateContent') this.collectBlocks(this.chooseAlternative(child), blocks, depth + 1)
    else if (child.name === 'w:sectPr') this.lastSection = readSection(child, this.lastSection, this.theme, this.partOf)
    else if (child.name === 'w:altChunk')
      this.report.unsupported(this.part, 'w:altChunk', 'the imported content is left out')
  }

  private readParagraph(element: XmlElement, depth: number): Paragraph {
    const properties = childNamed(element, 'w:pPr')
    const paragraph: Paragraph = {
      kind: 'paragraph',
      props: this.internParagraph(properties),
      markProps: this.internRun(properties && childNamed(properties, 'w:rPr')),
      content: [],
      number: ++this.paragraphs,
    }
    const { marks } = this.fields
    this.collectInlines(element, paragraph.content, undefined, depth)
    if (this.fields.marks > marks) paragraph.fieldMark = true
    if (this.cells === 0) startOnNewPage(paragraph)
    const section = properties && childNamed(properties, 'w:sectPr')
    if (section) {
      this.lastSection = readSection(section, this.lastSection, this.theme, this.partOf)
      paragraph.section = this.lastSection
    }
    return paragraph
  }

  /**
   * Runs of the same look share one object, which makes resolving styles a lookup and their text one stretch. They may
   * be written differently: editors part runs by hints and by marks for proofing that nothing is drawn by.
   */
  private internRun(element: XmlElement | undefined): RunProps {
    const key = element ? this.source.slice(element.openEnd, element.closeStart) : ''
    let props = this.runProps.get(key)
    if (!props) {
      props = readRunProps(element, this.theme)
      const look = JSON.stringify(props)
      const same = this.looks.get(look)
      if (same) props = same
      else this.looks.set(look, props)
      this.reportPlain(element)
      this.runProps.set(key, props)
    }
    return props
  }

  /** The look of a run where it stands: Word shows nothing of the style of links in a table of contents. */
  private readLook(run: XmlElement): RunProps {
    const props = this.internRun(childNamed(run, 'w:rPr'))
    if (props.style === undefined || !this.fields.inContents()) return props
    if (this.styles?.byId.get(props.style)?.name.toLowerCase() !== 'hyperlink') return props
    let plain = this.unlinked.get(props)
    if (!plain) {
      const { style, ...own } = props
      plain = own
      this.unlinked.set(props, plain)
    }
    return plain
  }

  /** Names the looks of text that have no counterpart here. */
  private reportPlain(element: XmlElement | undefined): void {
    for (const child of element ? childElements(element) : []) {
      if (plainLooks.has(child.name) && isOn(child.attributes['w:val']))
        this.report.unsupported(this.part, child.name, 'the text is drawn without it')
    }
  }

  private internParagraph(element: XmlElement | undefined): ParagraphProps {
    const key = element ? this.source.slice(element.openEnd, element.closeStart) : ''
    let props = this.paragraphProps.get(key)
    if (!props) {
      props = readParagraphProps(element, this.theme)
      this.paragraphProps.set(key, props)
    }
    return props
  }

  private internTable(element: XmlElement | undefined): TableProps {
    const key = element ? this.source.slice(element.openEnd, element.closeStart) : ''
    let props = this.tableProps.get(key)
    if (!props) {
      props = readTableProps(element, this.theme)
      this.tableProps.set(key, props)
    }
    return props
  }

  private internCell(element: XmlElement | undefined): CellProps {
    const key = element ? this.source.slice(element.openEnd, element.closeStart) : ''
    let props = this.cellProps.get(key)
    if (!props) {
      props = readCellProps(element, this.theme)
      this.cellProps.set(key, props)
    }
    return props
  }

  private collectInlines(element: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of childElements(element)) {
      switch (child.name) {
        case 'w:r':
          this.collectRun(child, content, link, depth)
          break
        case 'w:hyperlink':
          this.collectInlines(child, content, this.readLink(child) ?? link, depth + 1)
          break
        case 'w:fldSimple':
          this.collectSimpleField(child, content, link, depth)
          break
        case 'w:sdt': {
          const inner = childNamed(child, 'w:sdtContent')
          if (inner) this.collectInlines(inner, content, link, depth + 1)
          break
        }
        case 'w:bookmarkStart':
          content.push({ kind: 'bookmark', name: child.attributes['w:name'] ?? '', props: {} })
          break
        case 'm:oMath':
        case 'm:oMathPara':
          this.report.unsupported(this.part, child.name, 'the equation is shown as linear text')
          this.pushText(content, mathText(child), {}, link)
          break
        case 'mc:AlternateContent':
          this.collectInlines(this.chooseAlternative(child), content, link, depth + 1)
          break
        default:
          if (transparent.has(child.name)) this.collectInlines(child, content, link, depth + 1)
          else if (!silent.has(child.name)) this.report.unsupported(this.part, child.name, 'it is left out')
      }
    }
  }

  private readLink(element: XmlElement): Link | undefined {
    const anchor = element.attributes['w:anchor']
    const target = this.links.get(element.attributes['r:id'] ?? '')
    if (target?.kind === 'uri') return anchor ? { kind: 'uri', uri: `${target.uri}#${anchor}` } : target
    return anchor ? { kind: 'internal', bookmark: anchor } : undefined
  }

  private collectSimpleField(element: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
    const run = childNamed(element, 'w:r')
    const props = this.internRun(run && childNamed(run, 'w:rPr'))
    const stored = textOf(element).slice(0, 64)
    const inline = simpleField(element.attributes['w:instr'] ?? '', stored, props)
    if (inline) content.push(link ? { ...inline, link } : inline)
    else this.collectInlines(element, content, link, depth + 1)
  }

  private collectRun(run: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
    const props = this.readLook(run)
    for (const child of childElements(run)) {
      const target = link ?? this.fields.link()
      switch (child.name) {
        case 'w:t':
          this.pushText(content, runText(child), props, link)
          break
        case 'w:tab':
        case 'w:ptab':
          if (!this.fields.swallows('\t', props)) {
            const absolute = child.name === 'w:ptab' ? { absolute: readAbsoluteTab(child) } : {}
            content.push({ kind: 'tab', ...absolute, props, ...(target ? { link: target } : {}) })
          }
          break
        case 'w:br':
          this.pushBreak(content, child.attributes['w:type'], props)
          break
        case 'w:cr':
          this.pushBreak(content, undefined, props)
          break
        case 'w:noBreakHyphen':
          this.pushText(content, '\u2011', props, link)
          break
        case 'w:softHyphen':
          this.pushText(content, '\u00ad', props, link)
          break
        case 'w:sym':
          this.pushSymbol(content, child, props, link)
          break
        case 'w:fldChar': {
          const type = child.attributes['w:fldCharType']
          if (type === 'begin') {
            const box = readCheckBox(child, props.size ?? DEFAULT_SIZE)
            if (box && !this.fields.swallows('', props)) content.push({ kind: 'graphic', graphic: box, props })
            this.fields.begin(props, readChoice(child))
          } else if (type === 'separate') this.fields.separate()
          else if (type === 'end') {
            const inline = this.fields.end()
            if (inline && !this.fields.swallows('', props))
              content.push(link && !inline.link ? { ...inline, link } : inline)
          }
          break
        }
        case 'w:instrText':
          this.fields.instruction(textOf(child))
          break
        case 'w:drawing':
          this.pushDrawing(content, readDrawing(child, this.drawingSource(depth)), props, target)
          break
        case 'w:pict':
        case 'w:object':
          this.pushDrawing(content, this.readVmlDrawing(child, depth), props, target)
          break
        case 'w:ruby':
          if (!this.fields.swallows('', props)) {
            const ruby = readRuby(child, (element) => {
              const runs: Inline[] = []
              this.collectInlines(element, runs, link, depth + 1)
              return runs
            })
            content.push({ kind: 'ruby', ruby, props, ...(target ? { link: target } : {}) })
          }
          break
        case 'w:footnoteReference':
        case 'w:endnoteReference':
          content.push({
            kind: 'note',
            note: child.name === 'w:footnoteReference' ? 'footnote' : 'endnote',
            id: child.attributes['w:id'] ?? '',
            custom: isOn(child.attributes['w:customMarkFollows'] ?? '0'),
            props,
          })
          break
        case 'w:footnoteRef':
        case 'w:endnoteRef':
          content.push({ kind: 'noteMark', props })
          break
        case 'mc:AlternateContent':
          this.collectRun(this.chooseAlternative(child), content, link, depth + 1)
          break
        case 'w:separator':
        case 'w:continuationSeparator':
        case 'w:pgNum':
        case 'w:dayShort':
          break
        default:
          if (!silent.has(child.name)) this.report.unsupported(this.part, child.name, 'it is left out')
      }
    }
  }

  private pushText(content: Inline[], text: string, props: RunProps, link: Link | undefined): void {
    if (text === '' || this.fields.swallows(text, props)) return
    const target = link ?? this.fields.link()
    content.push({ kind: 'text', text, props, ...(target ? { link: target } : {}) })
  }

  private pushBreak(content: Inline[], type: string | undefined, props: RunProps): void {
    if (this.fields.swallows(' ', props)) return
    content.push({ kind: 'break', type: type === 'page' || type === 'column' ? type : 'line', props })
  }

  private pushSymbol(content: Inline[], element: XmlElement, props: RunProps, link: Link | undefined): void {
    const code = Number.parseInt(element.attributes['w:char'] ?? '', 16)
    if (!Number.isInteger(code) || code < 0x20 || code > 0xffff) return
    const font = element.attributes['w:font']
    const own = font === undefined ? props : { ...props, fonts: { ascii: font, highAnsi: font } }
    this.pushText(content, String.fromCharCode(code), own, link)
  }

  private drawingSource(depth: number): DrawingSource {
    const { container, part, source, theme, report, vmlTypes, partOf } = this
    return {
      theme,
      partOf,
      readStory: (content) =>
        new StoryReader(container, part, source, theme, report, vmlTypes, this.styles).readBlocks(content, depth + 1),
      readPart: (data, width, height) =>
        readDrawingPart(data, width, height, { container, part, theme, report, partOf }),
      unsupported: (element, shown) => report.unsupported(part, element, shown),
    }
  }

  private readVmlDrawing(element: XmlElement, depth: number): Drawing | undefined {
    const drawing = readVml(element, this.drawingSource(depth), this.vmlTypes)
    if (!drawing) {
      const control = childElements(element).find((child) => child.name.startsWith('w:control'))
      if (control) this.report.unsupported(this.part, control.name, 'the form control is left out')
    }
    return drawing
  }

  private pushDrawing(content: Inline[], drawing: Drawing | undefined, props: RunProps, link: Link | undefined): void {
    if (!drawing || this.fields.swallows('', props)) return
    const { graphic, anchor, relative, room } = drawing
    const shared = { props, ...(link ? { link } : {}), ...(anchor ? { anchor } : {}), ...(room ? { room } : {}) }
    this.reportMissing(graphic.content, graphic.alt)
    const image = relative ? undefined : plainImage(graphic)
    if (image) content.push({ kind: 'image', image, ...shared })
    else content.push({ kind: 'graphic', graphic, ...(relative ? { relative } : {}), ...shared })
  }

  private reportMissing(content: GraphicContent, alt: string): void {
    if (content.kind === 'group') for (const child of content.children) this.reportMissing(child.content, child.alt)
    if (content.kind !== 'picture' || content.part !== undefined) return
    this.report.add(
      'render.image_unreadable',
      'A picture is linked or missing; a gray box stands in its place.',
      `${this.part}#${alt || 'picture'}`,
      'Embed the picture in the document.',
    )
  }

  /** The first alternative whose requirements we know, else the fallback (ECMA-376 part 3, 9.3). */
  private chooseAlternative(element: XmlElement): XmlElement {
    for (const choice of childElements(element, 'mc:Choice')) {
      const required = (choice.attributes.Requires ?? '').split(/\s+/)
      if (required.every((prefix) => supported.has(prefix))) return choice
    }
    return childNamed(element, 'mc:Fallback') ?? emptied(element)
  }

  private readTable(element: XmlElement, depth: number): Table {
    const grid = childNamed(element, 'w:tblGrid')
    const table: Table = {
      kind: 'table',
      props: this.internTable(childNamed(element, 'w:tblPr')),
      grid: grid
        ? childElements(grid, 'w:gridCol').map((column) => Math.max(0, twips(column.attributes['w:w']) ?? 0))
        : [],
      rows: [],
    }
    this.collectRows(element, table, depth + 1)
    const properties = childNamed(element, 'w:tblPr')
    const position = properties && childNamed(properties, 'w:tblpPr')
    // Text flows around what floats in the body and its cells only; elsewhere the table would cover it.
    const inBody = this.part === this.container.mainPart
    const box = position && inBody ? readFloatingTable(position, table, this.cells > 0) : undefined
    if (box?.anchor) table.props.placed = isPlaced(box.anchor)
    if (box) this.floats.set(table, { key: '', box: () => box })
    else if (position) this.report.unsupported(this.part, 'w:tblpPr', 'the floating table stands in the text flow')
    return table
  }

  private collectRows(element: XmlElement, table: Table, depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of childElements(element)) {
      if (child.name === 'w:tr') {
        const properties = childNamed(child, 'w:trPr')
        if (properties && childNamed(properties, 'w:del')) continue
        const row: Row = { props: readRowProps(properties), cells: [] }
        const exceptions = childNamed(child, 'w:tblPrEx')
        if (exceptions) row.exceptions = readTableProps(exceptions, this.theme)
        this.collectCells(child, row, depth)
        if (!(properties && toggle(properties, 'w:hidden') && isHidden(row))) table.rows.push(row)
      } else if (child.name === 'w:sdt') {
        const content = childNamed(child, 'w:sdtContent')
        if (content) this.collectRows(content, table, depth + 1)
      } else if (transparent.has(child.name)) this.collectRows(child, table, depth + 1)
    }
  }

  private collectCells(element: XmlElement, row: Row, depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of childElements(element)) {
      if (child.name === 'w:tc') {
        this.cells++
        const cell: Cell = {
          props: this.internCell(childNamed(child, 'w:tcPr')),
          blocks: this.readBlocks(child, depth + 1),
        }
        this.cells--
        row.cells.push(cell)
      } else if (child.name === 'w:sdt') {
        const content = childNamed(child, 'w:sdtContent')
        if (content) this.collectCells(content, row, depth + 1)
      } else if (transparent.has(child.name)) this.collectCells(child, row, depth + 1)
    }
  }
}

/** A picture without anything around it, which needs no more than its place. */
function plainImage({ content, width, height, alt, rotation, flipH, flipV }: Graphic): ImageRef | undefined {
  if (content.kind !== 'picture' || content.fill || content.line || flipH || flipV) return undefined
  if (content.form && !isRectangle(content.form)) return undefined
  return { part: content.part, width, height, alt, crop: content.crop, rotation }
}

/** True when nothing in a row is to be seen; the row itself then says whether it is (17.4.20). */
function isHidden({ cells }: Row): boolean {
  const isHiddenBlock = (block: Block): boolean =>
    block.kind === 'table'
      ? block.rows.every(isHidden)
      : block.markProps.hidden === true && block.content.every(({ props }) => props.hidden === true)
  return cells.every(({ blocks }) => blocks.every(isHiddenBlock))
}

/** True when the paragraph's mark was deleted or moved away with changes being tracked (17.13.5.15, 17.13.5.21). */
function isDeleted(properties: XmlElement | undefined): boolean {
  const mark = properties && childNamed(properties, 'w:rPr')
  return mark !== undefined && (childNamed(mark, 'w:del') ?? childNamed(mark, 'w:moveFrom')) !== undefined
}

/**
 * A page break that a paragraph begins with breaks before it, so that nothing of it stays on the page above; its space
 * above went with the break.
 */
function startOnNewPage(paragraph: Paragraph): void {
  const { content } = paragraph
  const first = content.findIndex((inline) => inline.kind !== 'bookmark')
  const inline = content[first]
  if (inline?.kind !== 'break' || inline.type !== 'page') return
  if (content.every((other, at) => at <= first || other.kind === 'bookmark')) return
  content.splice(first, 1)
  paragraph.props = { ...paragraph.props, pageBreakBefore: true, before: 0, beforeAuto: false }
}

/** Behind a page break the space above goes with it, also where a table follows and its first paragraph has that space. */
function startTableOnNewPage({ rows }: Table, before: Block | undefined): void {
  if (before?.kind !== 'paragraph') return
  const last = before.content.findLast((inline) => inline.kind !== 'bookmark')
  const first = rows[0]?.cells[0]?.blocks[0]
  if (last?.kind !== 'break' || last.type !== 'page' || first?.kind !== 'paragraph') return
  first.props = { ...first.props, before: 0, beforeAuto: false }
}

/** The text of a `w:t`; without `xml:space="preserve"` the blanks at its ends are markup, other spaces are not. */
function runText(element: XmlElement): string {
  const text = textOf(element).replace(/[\t\n\r]+/g, ' ')
  if (element.attributes['xml:space'] === 'preserve') return text
  let [from, to] = [0, text.length]
  while (from < to && text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}

/** The id of a note element, when it holds a note and not a separator. */
export function noteId(element: XmlElement): string | undefined {
  const type = element.attributes['w:type']
  if (type !== undefined && type !== 'normal') return undefined
  return integer(element.attributes['w:id']) === undefined ? undefined : element.attributes['w:id']
}

/** True where a float stands at a distance from something else than the page's own edge, over which nothing hangs. */
function isPlaced({ horizontal: { from, offset, align } }: Anchor): boolean {
  return align === undefined && (from !== 'page' || offset > 0)
}

interface Float {
  /** Neighbouring paragraphs with the same key are in one frame. */
  key: string
  box(blocks: Block[]): Extract<Inline, { kind: 'textbox' }>
}

/** Moves what floats into the paragraph that follows it; where none follows, it stays in the text flow. */
function anchorFloats(blocks: Block[], floats: Map<Block, Float>): Block[] {
  if (!blocks.some((block) => floats.has(block))) return blocks
  const kept: Block[] = []
  let waiting: { float: Float; blocks: Block[] }[] = []
  const settle = () => {
    for (const group of waiting) kept.push(...group.blocks)
    waiting = []
  }
  for (const block of blocks) {
    const float = floats.get(block)
    if (float) {
      const last = waiting.at(-1)
      if (last && float.key !== '' && last.float.key === float.key) last.blocks.push(block)
      else waiting.push({ float, blocks: [block] })
      floats.delete(block)
    } else if (block.kind === 'table') {
      settle()
      kept.push(block)
    } else {
      block.content.unshift(...waiting.map((group) => group.float.box(group.blocks)))
      waiting = []
      kept.push(block)
    }
  }
  settle()
  return kept
}
