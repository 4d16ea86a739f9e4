import { limits } from '../../../core/limits.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, emptied, textOf, type XmlElement } from '../../ooxml/xml.ts'
import type { Link } from '../frame/frame.ts'
import type { Block, Cell, ImageRef, Inline, Paragraph, Row, Ruby, Section, Styles, Table } from '../model/document.ts'
import type { Equation } from '../model/equation.ts'
import type { RunProps } from '../model/properties.ts'
import type { Graphic, GraphicContent } from '../model/shape.ts'
import type { Report } from '../report.ts'
import { anchorFloats, type Float, isPlaced } from './anchor-floats.ts'
import { type Drawing, readDrawing } from './drawing/drawing.ts'
import { type DrawingSource, isRectangle } from './drawing/graphic.ts'
import { readDrawingPart } from './drawing/part.ts'
import { readVml, type VmlTypes } from './drawing/vml.ts'
import { placeOfContent, placeOfEquations, readEquation } from './equation.ts'
import { FieldReader, simpleField, simpleLink } from './fields.ts'
import { frameAttributes, readFloatingTable, readFrame } from './floats.ts'
import { readCheckBox, readChoice } from './form.ts'
import { type LookSource, Looks } from './looks.ts'
import { contentOf, ForeignContent, inlines, runText, silent, transparent } from './markup.ts'
import { mathText } from './math.ts'
import { startOnNewPage, startTableOnNewPage } from './page-starts.ts'
import { readAbsoluteTab } from './properties.ts'
import { readRuby } from './ruby.ts'
import { readSection } from './section.ts'
import { beginMerges, readRowProps, readTableProps } from './table-properties.ts'
import type { Theme } from './theme.ts'
import { integer, isOn, toggle, twips } from './values.ts'

/** For check boxes in runs that leave their size to a style, in points. */
const DEFAULT_SIZE = 11

/** Where a story comes from. */
export interface StorySource extends LookSource {
  readonly container: OoxmlPackage
  /** Shapes that VML defines for others, shared by the stories inside each other. */
  readonly vmlTypes?: VmlTypes
}

/** Reads one story (body, header, footnote …) of a part into blocks. */
export class StoryReader {
  private readonly fields = new FieldReader()
  private readonly looks: Looks
  private readonly links = new Map<string, Link>()
  private paragraphs = 0
  /** Phonetic guides that are being read, one inside the other. */
  private guides = 0
  /** Cells that are being read, one inside the other. */
  private cells = 0
  /** Framed paragraphs and floating tables, by the block that holds their place until the paragraph that anchors them is read. */
  private readonly floats = new Map<Block, Float>()
  /** The last paragraph, when its mark is a tracked deletion: in the final text the next one continues it. */
  private unended: Paragraph | undefined
  /** Bookmarks that begin between paragraphs; they belong to the next one. */
  private readonly bookmarks: Inline[] = []
  /** The paragraph made for text between paragraphs. */
  private stray: Paragraph | undefined
  lastSection: Section | undefined

  private readonly container: OoxmlPackage
  private readonly part: string
  private readonly theme: Theme
  private readonly report: Report
  private readonly vmlTypes: VmlTypes
  private readonly styles: Styles | undefined
  private foreignContent: ForeignContent | undefined

  constructor(private readonly from: StorySource) {
    const { container, part, theme, report, vmlTypes = new Map(), styles } = from
    this.container = container
    this.part = part
    this.theme = theme
    this.report = report
    this.vmlTypes = vmlTypes
    this.styles = styles
    this.looks = new Looks(from)
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
    return this.cells === 0 ? this.endBlocks(blocks) : anchorFloats(blocks, this.floats)
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
    if (this.fields.endStory()) {
      this.report.add(
        'render.field_open',
        'A field never ends: the text behind its beginning is shown as it is written.',
        `${this.part}#w:fldChar`,
        'Insert the field again in Word.',
      )
    }
    return anchorFloats(blocks, this.floats)
  }

  private collectBlocks(element: XmlElement, blocks: Block[], depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of contentOf(element)) this.collectBlock(child, blocks, depth)
  }

  private collectBlock(child: XmlElement, blocks: Block[], depth: number): void {
    const before = this.report.findings.length
    this.readBlock(child, blocks, depth)
    if (this.report.findings.length > before) this.tellWords(before, child)
  }

  private tellWords(before: number, block: XmlElement): void {
    this.report.readNear(before, () => wordsIn(block))
  }

  private readBlock(child: XmlElement, blocks: Block[], depth: number): void {
    if (child.name === 'w:p') {
      const { swallowed } = this.fields
      const paragraph = this.readParagraph(child, depth)
      const properties = childNamed(child, 'w:pPr')
      const before = blocks.at(-1)
      if (before && before === this.unended) {
        // Appends to the earlier content: moving that instead would take quadratic time in a long row of such marks.
        const { content } = this.unended
        this.fields.joins(content, paragraph.content, swallowed)
        for (const inline of paragraph.content) content.push(inline)
        paragraph.content = content
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
    } else if (child.name === 'w:bookmarkStart') this.bookmarks.push(bookmark(child))
    else if (inlines.has(child.name)) this.collectStray(child, blocks, depth)
    else if (this.isTransparent(child)) this.collectBlocks(child, blocks, depth + 1)
    else if (child.name === 'mc:AlternateContent') {
      for (const chosen of contentOf({ ...emptied(child), children: [child] }))
        this.collectBlock(chosen, blocks, depth + 1)
    } else if (child.name === 'w:sectPr')
      this.lastSection = readSection(child, this.lastSection, this.theme, this.partOf)
    else if (child.name === 'w:altChunk')
      this.report.unsupported(this.part, 'w:altChunk', 'the imported content is left out')
  }

  /** Read when first needed: nearly no document has such elements. */
  private get foreign(): ForeignContent {
    this.foreignContent ??= new ForeignContent(this.from.source)
    return this.foreignContent
  }

  private isTransparent({ name }: XmlElement): boolean {
    return transparent.has(name) || this.foreign.isTransparent(name)
  }

  /** Puts text between paragraphs into a paragraph of its own; more such text directly after it continues that paragraph. */
  private collectStray(child: XmlElement, blocks: Block[], depth: number): void {
    let last = blocks.at(-1)
    if (!last || last !== this.stray) {
      last = {
        kind: 'paragraph',
        props: this.looks.paragraph(undefined),
        markProps: this.looks.run(undefined),
        content: [],
        number: ++this.paragraphs,
      }
      blocks.push(last)
      this.stray = last
    }
    this.collectInline(child, this.stray.content, undefined, depth)
  }

  private readParagraph(element: XmlElement, depth: number): Paragraph {
    const properties = childNamed(element, 'w:pPr')
    const paragraph: Paragraph = {
      kind: 'paragraph',
      props: this.looks.paragraph(properties),
      markProps: this.looks.run(properties && childNamed(properties, 'w:rPr')),
      content: this.bookmarks.splice(0),
      number: ++this.paragraphs,
    }
    const { marks } = this.fields
    this.collectInlines(element, paragraph.content, undefined, depth)
    if (this.fields.marks > marks) paragraph.fieldMark = true
    const place = placeOfContent(paragraph.content)
    if (place) paragraph.props = { ...paragraph.props, align: place }
    if (this.cells === 0) startOnNewPage(paragraph)
    const section = properties && childNamed(properties, 'w:sectPr')
    if (section) {
      this.lastSection = readSection(section, this.lastSection, this.theme, this.partOf)
      paragraph.section = this.lastSection
    }
    return paragraph
  }

  private lookOf(run: XmlElement): RunProps {
    const props = this.looks.run(childNamed(run, 'w:rPr'))
    return this.fields.inContents() ? this.looks.inContents(props) : props
  }

  private collectInlines(element: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of contentOf(element)) this.collectInline(child, content, link, depth)
  }

  private collectInline(child: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
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
      case 'w:dir':
      case 'w:bdo':
        this.collectTurned(child, content, link, depth)
        break
      case 'w:bookmarkStart':
        content.push(bookmark(child))
        break
      case 'm:oMath':
        this.collectEquation(child, content, link)
        break
      case 'm:oMathPara':
        for (const [index, equation] of childElements(child, 'm:oMath').entries()) {
          if (index > 0) this.pushBreak(content, undefined, {})
          this.collectEquation(equation, content, link, placeOfEquations(child))
        }
        break
      default:
        if (this.isTransparent(child)) this.collectInlines(child, content, link, depth + 1)
        else if (!this.collectCharacters(child, content, this.looks.run(undefined), link)) this.leaveOut(child)
    }
  }

  /** Text with a direction of its own (17.3.2.8) or with overridden character directions (17.3.2.3), between Unicode's controls. */
  private collectTurned(element: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
    const [ltr, rtl] = element.name === 'w:dir' ? ['\u202a', '\u202b'] : ['\u202d', '\u202e']
    const target = link ?? this.fields.link()
    const mark = (text: string, props: RunProps): Inline => ({
      ...{ kind: 'text', text, props },
      ...(target ? { link: target } : {}),
    })
    const props = this.looks.run(undefined)
    // Fields swallow neither mark: a field may begin or end between them, and everything after it would be turned, too.
    const open = mark(element.attributes['w:val'] === 'rtl' ? rtl : ltr, props)
    const at = content.push(open)
    const { swallowed } = this.fields
    this.collectInlines(element, content, link, depth + 1)
    const [first, ...others] = content.slice(at).filter(({ kind }) => kind !== 'bookmark')
    if (first === undefined && this.fields.swallowed === swallowed) {
      content.splice(at - 1, 1)
      return
    }
    // Where all is hidden, nothing of it may take a line.
    if (first && [first, ...others].every((inline) => inline.props.hidden)) open.props = first.props
    content.push(mark('\u202c', open.props))
  }

  private collectEquation(
    element: XmlElement,
    content: Inline[],
    link: Link | undefined,
    display?: Equation['display'],
  ): void {
    const equation = readEquation(element, display, (properties) => this.looks.run(properties))
    if (equation) {
      const props = this.looks.run(undefined)
      this.fields.show(content, { kind: 'equation', equation, props, ...(link ? { link } : {}) })
      return
    }
    this.report.unsupported(this.part, element.name, 'the equation is too long or too deep and shown as linear text')
    this.pushText(content, mathText(element), {}, link)
  }

  private leaveOut({ name }: XmlElement): void {
    if (!silent.has(name) && !this.foreign.isIgnored(name)) this.report.unsupported(this.part, name, 'it is left out')
  }

  private readLink(element: XmlElement): Link | undefined {
    const anchor = element.attributes['w:anchor']
    const target = this.links.get(element.attributes['r:id'] ?? '')
    // A new object for each link: two links to one target in a paragraph are read aloud as two, each in its place.
    if (target?.kind === 'uri') return { kind: 'uri', uri: anchor ? `${target.uri}#${anchor}` : target.uri }
    return anchor ? { kind: 'internal', bookmark: anchor } : undefined
  }

  private collectSimpleField(element: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
    const run = childNamed(element, 'w:r')
    const props = this.looks.run(run && childNamed(run, 'w:rPr'))
    const stored = textOf(element).slice(0, 64)
    const instruction = element.attributes['w:instr'] ?? ''
    const inline = simpleField(instruction, stored, props)
    const target = link ?? simpleLink(instruction)
    if (inline) this.fields.show(content, target ? { ...inline, link: target } : inline)
    else this.collectInlines(element, content, target, depth + 1)
  }

  private collectRun(run: XmlElement, content: Inline[], link: Link | undefined, depth: number): void {
    if (this.tooDeep(run, depth)) return
    const props = this.lookOf(run)
    for (const child of contentOf(run)) {
      if (this.collectCharacters(child, content, props, link)) continue
      const target = link ?? this.fields.link()
      switch (child.name) {
        case 'w:fldChar':
          this.turnField(content, child, props, link)
          break
        case 'w:instrText':
          this.fields.instruction(textOf(child))
          break
        case 'w:drawing':
          this.pushDrawing(content, readDrawing(child, this.drawingSource(depth)), props, target)
          break
        case 'w:pict':
        case 'w:object':
          for (const drawing of this.readPictures(child, depth)) this.pushDrawing(content, drawing, props, target)
          break
        case 'w:ruby':
          this.pushGuided(content, this.readGuided(child, link, depth), { props, ...(target ? { link: target } : {}) })
          break
        case 'w:footnoteReference':
        case 'w:endnoteReference':
          this.fields.show(content, noteReference(child, props))
          break
        case 'w:footnoteRef':
        case 'w:endnoteRef':
          content.push({ kind: 'noteMark', props })
          break
        case 'w:separator':
        case 'w:continuationSeparator':
          break
        case 'w:pgNum':
          this.fields.show(content, { kind: 'field', field: 'PAGE', argument: '', stored: '', format: '', props })
          break
        default:
          if (inlines.has(child.name) || child.name === 'w:sdt' || this.isTransparent(child))
            this.collectInline(child, content, link, depth + 1)
          else this.leaveOut(child)
      }
    }
  }

  private readGuided(element: XmlElement, link: Link | undefined, depth: number): Ruby {
    this.guides++
    const ruby = readRuby(element, (inside) => {
      const runs: Inline[] = []
      this.collectInlines(inside, runs, link, depth + 1)
      return runs
    })
    this.guides--
    return ruby
  }

  /** Word has no nested guides; laying them out would double the time with each level. */
  private pushGuided(content: Inline[], ruby: Ruby, shared: { props: RunProps; link?: Link }): void {
    if (this.guides === 0) {
      this.fields.show(content, { kind: 'ruby', ruby, ...shared })
      return
    }
    this.report.unsupported(this.part, 'w:ruby', 'a guide inside of another is drawn behind its text')
    for (const inline of [...ruby.base, ...ruby.guide]) this.fields.show(content, inline)
  }

  /** Reads a run's element that is text, a single character, a tab or a break; false for any other. */
  private collectCharacters(child: XmlElement, content: Inline[], props: RunProps, link: Link | undefined): boolean {
    switch (child.name) {
      case 'w:t':
        this.pushText(content, runText(child), props, link)
        return true
      case 'w:tab':
      case 'w:ptab':
        this.pushTab(content, child, props, link ?? this.fields.link())
        return true
      case 'w:br':
        this.pushBreak(content, child.attributes['w:type'], props)
        return true
      case 'w:cr':
        this.pushBreak(content, undefined, props)
        return true
      case 'w:noBreakHyphen':
        this.pushText(content, '\u2011', props, link)
        return true
      case 'w:softHyphen':
        this.pushText(content, '\u00ad', props, link)
        return true
      case 'w:sym':
        this.pushSymbol(content, child, props, link)
        return true
      default:
        return false
    }
  }

  private pushTab(content: Inline[], element: XmlElement, props: RunProps, link: Link | undefined): void {
    const absolute = element.name === 'w:ptab' ? { absolute: readAbsoluteTab(element) } : {}
    this.fields.show(content, { kind: 'tab', ...absolute, props, ...(link ? { link } : {}) })
  }

  /** Begins, parts or ends a field. */
  private turnField(content: Inline[], element: XmlElement, props: RunProps, link: Link | undefined): void {
    const type = element.attributes['w:fldCharType']
    if (type === 'begin') {
      const box = readCheckBox(element, props.size ?? DEFAULT_SIZE)
      if (box) this.fields.show(content, { kind: 'graphic', graphic: box, props })
      this.fields.begin(props, readChoice(element))
    } else if (type === 'separate') this.fields.separate()
    else if (type === 'end') {
      const inline = this.fields.end()
      if (inline) this.fields.show(content, link && !inline.link ? { ...inline, link } : inline)
    }
  }

  private pushText(content: Inline[], text: string, props: RunProps, link: Link | undefined): void {
    if (text === '') return
    const target = link ?? this.fields.link()
    this.fields.show(content, target ? { kind: 'text', text, props, link: target } : { kind: 'text', text, props })
  }

  private pushBreak(content: Inline[], type: string | undefined, props: RunProps): void {
    this.fields.show(content, { kind: 'break', type: type === 'page' || type === 'column' ? type : 'line', props })
  }

  private pushSymbol(content: Inline[], element: XmlElement, props: RunProps, link: Link | undefined): void {
    const code = Number.parseInt(element.attributes['w:char'] ?? '', 16)
    if (!Number.isInteger(code) || code < 0x20 || code > 0xffff) return
    const font = element.attributes['w:font']
    const own = font === undefined ? props : { ...props, fonts: { ascii: font, highAnsi: font } }
    this.pushText(content, String.fromCharCode(code), own, link)
  }

  private drawingSource(depth: number): DrawingSource {
    const { container, part, theme, report, vmlTypes, partOf } = this
    return {
      theme,
      partOf,
      readStory: (content) => new StoryReader({ ...this.from, vmlTypes }).readBlocks(content, depth + 1),
      readPart: (data, width, height) =>
        readDrawingPart(data, width, height, { container, part, theme, report, partOf }),
      unsupported: (element, shown) => report.unsupported(part, element, shown),
    }
  }

  /** The drawings in a `w:pict`, or the picture that was stored for an embedded object or a control (17.3.3.19). */
  private readPictures(element: XmlElement, depth: number): Drawing[] {
    const source = this.drawingSource(depth)
    const picture = childNamed(element, 'w:drawing')
    const drawing = picture && readDrawing(picture, source)
    const drawings = picture ? (drawing ? [drawing] : []) : readVml(element, source, this.vmlTypes)
    if (drawings.length === 0) {
      const control = childElements(element).find((child) => child.name.startsWith('w:control'))
      if (control) this.report.unsupported(this.part, control.name, 'the form control is left out')
    }
    return drawings
  }

  private pushDrawing(content: Inline[], drawing: Drawing | undefined, props: RunProps, link: Link | undefined): void {
    if (!drawing) return
    const { graphic, anchor, relative, room } = drawing
    const shared = { props, ...(link ? { link } : {}), ...(anchor ? { anchor } : {}), ...(room ? { room } : {}) }
    this.reportMissing(graphic.content, graphic.alt)
    const image = relative ? undefined : plainImage(graphic)
    if (image) this.fields.show(content, { kind: 'image', image, ...shared })
    else this.fields.show(content, { kind: 'graphic', graphic, ...(relative ? { relative } : {}), ...shared })
  }

  private reportMissing(content: GraphicContent, alt: string): void {
    if (content.kind === 'group') for (const child of content.children) this.reportMissing(child.content, child.alt)
    if (content.kind !== 'picture' || content.part !== undefined) return
    this.report.add(
      'render.image_unreadable',
      'A picture is linked or missing; a gray box replaces it.',
      `${this.part}#${alt || 'picture'}`,
      'Embed the picture in the document.',
    )
  }

  private readTable(element: XmlElement, depth: number): Table {
    const grid = childNamed(element, 'w:tblGrid')
    const table: Table = {
      kind: 'table',
      props: this.looks.table(childNamed(element, 'w:tblPr')),
      grid: grid
        ? childElements(grid, 'w:gridCol').map((column) => Math.max(0, twips(column.attributes['w:w']) ?? 0))
        : [],
      rows: [],
    }
    this.collectRows(element, table, depth + 1)
    beginMerges(table.rows)
    const properties = childNamed(element, 'w:tblPr')
    const position = properties && childNamed(properties, 'w:tblpPr')
    // Text flows around floats only in the body and its cells; elsewhere the table would cover it.
    const inBody = this.part === this.container.mainPart
    const box = position && inBody ? readFloatingTable(position, table, this.cells > 0 ? 'cell' : 'body') : undefined
    if (box?.anchor) table.props.placed = isPlaced(box.anchor)
    if (box) this.floats.set(table, { key: '', box: () => box })
    else if (position) this.report.unsupported(this.part, 'w:tblpPr', 'the floating table is placed in the text flow')
    return table
  }

  private collectRows(element: XmlElement, table: Table, depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of contentOf(element)) {
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
      } else if (child.name === 'w:bookmarkStart') this.bookmarks.push(bookmark(child))
      else if (this.isTransparent(child)) this.collectRows(child, table, depth + 1)
    }
  }

  private collectCells(element: XmlElement, row: Row, depth: number): void {
    if (this.tooDeep(element, depth)) return
    for (const child of contentOf(element)) {
      if (child.name === 'w:tc') {
        this.cells++
        const cell: Cell = {
          props: this.looks.cell(childNamed(child, 'w:tcPr')),
          blocks: this.readBlocks(child, depth + 1),
        }
        this.cells--
        row.cells.push(cell)
      } else if (child.name === 'w:sdt') {
        const content = childNamed(child, 'w:sdtContent')
        if (content) this.collectCells(content, row, depth + 1)
      } else if (child.name === 'w:bookmarkStart') this.bookmarks.push(bookmark(child))
      else if (this.isTransparent(child)) this.collectCells(child, row, depth + 1)
    }
  }
}

function bookmark(element: XmlElement): Inline {
  return { kind: 'bookmark', name: element.attributes['w:name'] ?? '', props: {} }
}

function noteReference(element: XmlElement, props: RunProps): Inline {
  return {
    kind: 'note',
    note: element.name === 'w:footnoteReference' ? 'footnote' : 'endnote',
    id: element.attributes['w:id'] ?? '',
    custom: isOn(element.attributes['w:customMarkFollows'] ?? '0'),
    props,
  }
}

/** A picture without anything around it, which needs no more than its place. */
function plainImage({ content, width, height, alt, rotation, flipH, flipV }: Graphic): ImageRef | undefined {
  if (content.kind !== 'picture' || content.fill || content.line || flipH || flipV) return undefined
  if (content.form && !isRectangle(content.form)) return undefined
  const { part, crop, drawing } = content
  // A frame of pixels turns by itself; a drawing needs a group around it.
  if (drawing !== undefined && rotation !== 0) return undefined
  return { part, width, height, alt, crop, rotation, ...(drawing === undefined ? {} : { drawing }) }
}

/** True if nothing in a row is visible; the row's own property then decides (17.4.20). */
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

/** The id of a note element, when it holds a note and not a separator. */
export function noteId(element: XmlElement): string | undefined {
  const type = element.attributes['w:type']
  if (type !== undefined && type !== 'normal') return undefined
  return integer(element.attributes['w:id']) === undefined ? undefined : element.attributes['w:id']
}

/** The first words of a paragraph or table, for those who look for it. */
function wordsIn(element: XmlElement): string {
  let words = ''
  const collect = (inside: XmlElement): void => {
    for (const child of contentOf(inside)) {
      if (words.length > limits.findingWords) return
      if (child.name === 'w:t') words += runText(child)
      else if (child.name === 'w:p' && words !== '') words += ' '
      if (child.name !== 'w:t' && child.name !== 'w:del') collect(child)
    }
  }
  collect(element)
  const told = words.trim()
  return told.length > limits.findingWords ? `${told.slice(0, limits.findingWords).trim().toWellFormed()}…` : told
}
