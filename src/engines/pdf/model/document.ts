import type { ListLevel, Lists } from '../../ooxml/numbering.ts'
import type { FontSource } from '../font/library.ts'
import type { Link } from '../frame/frame.ts'
import type { Compatibility } from './compatibility.ts'
import type { Equation } from './equation.ts'
import type { Borders, CellProps, ParagraphProps, RowProps, RunProps, TableProps, TabStop } from './properties.ts'
import type { Graphic } from './shape.ts'

/**
 * The document as its parts state it, before any inheritance. Lengths are in points, colours are `RRGGBB` or `auto`.
 * Nothing here knows about pages.
 */

export interface ImageRef {
  /** Package path of the picture part, or undefined when the relationship leads nowhere. */
  part: string | undefined
  width: number
  height: number
  alt: string
  crop: { left: number; top: number; right: number; bottom: number }
  rotation: number
  /** Package path of the same picture as an SVG drawing, where the document has one. */
  drawing?: string
}

export interface AxisPosition {
  from: string
  offset: number
  /** The offset as a share of the area, in place of a length. */
  share?: number
  align?: string
}

export interface Anchor {
  behind: boolean
  wrap: 'none' | 'square' | 'topAndBottom'
  /** The sides that have text; only the wider one if it states none. */
  sides?: 'both' | 'left' | 'right'
  horizontal: AxisPosition
  vertical: AxisPosition
  margins: { left: number; top: number; right: number; bottom: number }
}

/**
 * Extra room on the line around an object's own box, for shadows, thick lines and turned corners; may be negative if
 * the object is turned.
 */
export interface Room {
  left: number
  top: number
  right: number
  bottom: number
}

/** An extent as a share of the page, of the space between its margins or of the column. */
export interface RelativeExtent {
  width?: { share: number; from: string }
  height?: { share: number; from: string }
}

/** A tab to a place of the line itself, whatever stops there are (17.3.3.23). */
export interface AbsoluteTab {
  align: 'left' | 'center' | 'right'
  /** Between the margins of the column, or between the paragraph's indents. */
  from: 'margin' | 'indent'
  leader: TabStop['leader']
}

export type Inline = { props: RunProps; link?: Link } & (
  | { kind: 'text'; text: string }
  | { kind: 'tab'; absolute?: AbsoluteTab }
  | { kind: 'break'; type: 'line' | 'page' | 'column' }
  | { kind: 'field'; field: FieldKind; argument: string; stored: string; format: string }
  | { kind: 'image'; image: ImageRef; anchor?: Anchor; room?: Room }
  /** A frame or a floating table: text at a place of its own. */
  | {
      kind: 'textbox'
      blocks: Block[]
      /** 0 is as wide as the text. */
      width: number
      /** For a table whose width is a percentage: its share of the text's width. `width` then has no meaning. */
      share?: number
      height: number
      autoHeight: boolean
      anchor?: Anchor
    }
  | { kind: 'graphic'; graphic: Graphic; anchor?: Anchor; relative?: RelativeExtent; room?: Room }
  /** `custom` if the author's own mark follows instead of a number. */
  | { kind: 'note'; note: 'footnote' | 'endnote'; id: string; custom: boolean }
  | { kind: 'noteMark' }
  | { kind: 'ruby'; ruby: Ruby }
  | { kind: 'equation'; equation: Equation }
  | { kind: 'bookmark'; name: string }
)

/** Text with small text over it that says how it is read (17.3.3.25). */
export interface Ruby {
  base: Inline[]
  guide: Inline[]
  /** The guide's baseline above that of the base, in points; 0 sets it right above the base. */
  raise: number
  align: 'left' | 'center' | 'right' | 'betweenLetters' | 'aroundLetters'
}

/** Fields whose value the layout knows better than the stored result. */
export type FieldKind = 'PAGE' | 'NUMPAGES' | 'SECTIONPAGES' | 'PAGEREF' | 'STYLEREF'

export interface Paragraph {
  kind: 'paragraph'
  props: ParagraphProps
  markProps: RunProps
  content: Inline[]
  /** Set on the last paragraph of a section. */
  section?: Section
  /** A field begins or ends in it, so that it is a line of its own even where it shows nothing. */
  fieldMark?: true
  /** 1-based position among the part's paragraphs, for findings. */
  number: number
}

export interface Cell {
  props: CellProps
  blocks: Block[]
}

export interface Row {
  props: RowProps
  /** The table's properties as they are for this row alone (17.4.61). */
  exceptions?: Pick<TableProps, 'borders' | 'cellMargins' | 'shading'>
  cells: Cell[]
}

export interface Table {
  kind: 'table'
  props: TableProps
  grid: number[]
  rows: Row[]
}

export type Block = Paragraph | Table

export type HeaderKind = 'default' | 'first' | 'even'

/** Numbers beside the lines of the body. */
export interface LineNumbers {
  /** Lines whose number is a multiple of it are numbered. */
  countBy: number
  /** The number of the first line. */
  start: number
  /** Distance from the text in points; 0 is automatic. */
  distance: number
  restart: 'newPage' | 'newSection' | 'continuous'
}

export interface Section {
  type: 'nextPage' | 'continuous' | 'evenPage' | 'oddPage' | 'nextColumn'
  width: number
  height: number
  margins: { top: number; right: number; bottom: number; left: number; header: number; footer: number; gutter: number }
  titlePage: boolean
  headers: Partial<Record<HeaderKind, string>>
  footers: Partial<Record<HeaderKind, string>>
  pageNumberStart?: number
  pageNumberFormat: string
  columns: { width: number; space: number }[] | { count: number; space: number }
  columnLine: boolean
  vertical: 'top' | 'center' | 'bottom' | 'both'
  /** Line pitch of the document grid in points; 0 without one. */
  gridPitch: number
  /** What the grid adds to each ideograph in points, half of it to other characters; 0 if it has lines only. */
  gridSpace: number
  borders?: Borders
  borderOffset: 'text' | 'page'
  lineNumbers?: LineNumbers
  /** Settings of the section that differ from the document's. */
  footnotes: Partial<NoteNumbering>
  endnotes: Partial<NoteNumbering>
  /** Lines run from top to bottom, the first at the right side of the page (17.6.20). */
  linesRunDown: boolean
  /** The real, upright page of a section that is laid out on a page lying on its side. */
  sheet?: Section
}

export interface StyleDefinition {
  id: string
  name: string
  type: 'paragraph' | 'character' | 'table' | 'numbering'
  basedOn?: string
  isDefault: boolean
  paragraph: ParagraphProps
  run: RunProps
  table: TableProps
  cell: CellProps
  row: RowProps
  /** Conditional formats of a table style, by their `w:type`. */
  conditions: Map<
    string,
    { paragraph: ParagraphProps; run: RunProps; table: TableProps; cell: CellProps; row: RowProps }
  >
}

/** The attributes of a `w:framePr` as written. */
export type FrameAttributes = Readonly<Record<string, string>>

export interface Styles {
  /** Set where the document has no styles part. */
  isMissing?: true
  byId: Map<string, StyleDefinition>
  defaultParagraph?: string
  defaultCharacter?: string
  defaultTable?: string
  /** Frames of styles (`w:framePr`), by style, inheritance included; few documents have any. */
  frames: Map<string, FrameAttributes>
  docParagraph: ParagraphProps
  docRun: RunProps
}

export interface NumberingLevel extends ListLevel {
  suffix: 'tab' | 'space' | 'nothing'
  align: 'left' | 'center' | 'right'
  paragraph: ParagraphProps
  run: RunProps
  /** Replaces the text. */
  picture?: BulletPicture
}

/** A picture as the bullet of a list. Documents share their numbering, but each resolves `relation` to a part of its own. */
export interface BulletPicture {
  relation: string
  /** Width by height. */
  aspect: number
}

export interface Numbering {
  /** Lists by their ids. */
  instances: Lists<NumberingLevel>
}

/**
 * How notes are counted (17.11): a format as `formatNumber` takes it, the first number, and where counting restarts.
 */
export interface NoteNumbering {
  format: string
  start: number
  restart: 'continuous' | 'eachSect' | 'eachPage'
}

export interface Settings {
  evenAndOddHeaders: boolean
  defaultTab: number
  compatibility: Compatibility
  /** The document names the version of Word that it is laid out for. */
  namesVersion: boolean
  /**
   * `w:doNotUseHTMLParagraphAutoSpacing`: the spaces between paragraphs add up (otherwise the larger one counts), and
   * automatic spacing is fixed.
   */
  addSpacing: boolean
  doNotExpandShiftReturn: boolean
  /** Lines in tables keep to the document grid. */
  gridInTables: boolean
  /**
   * Unless `overrideTableStyleFontSizeAndJustification` says otherwise: in a table with a style, the default paragraph
   * style's size of 11 or 12 points is replaced by that of the table style or of the document's defaults.
   */
  tableStyleSize: boolean
  mirrorMargins: boolean
  /** `w:characterSpacingControl`: East Asian punctuation gives way at the end of a line. */
  compressesPunctuation: boolean
  footnotes: NoteNumbering & { beneathText: boolean }
  endnotes: NoteNumbering & { atSectionEnd: boolean }
  /** Set where the document is hyphenated: the zone in points, and how many lines in a row may end in a hyphen (0 any). */
  hyphens?: { zone: number; limit: number; keepCapitals: boolean }
}

export interface DocumentModel {
  /** Colour of the paper. */
  background?: string
  body: Block[]
  /** Section of the blocks after the last paragraph that carries one. */
  lastSection: Section
  styles: Styles
  numbering: Numbering
  settings: Settings
  /** Headers and footers by package path. */
  stories: Map<string, Block[]>
  footnotes: Map<string, Block[]>
  /** The paragraph between text and footnotes, whose place the rule takes. */
  footnoteSeparator: Block[] | undefined
  endnotes: Map<string, Block[]>
  /** The same between text and endnotes. */
  endnoteSeparator: Block[] | undefined
  /** SVG and metafiles by package path, which are drawn rather than embedded, and the bitmaps that were found in metafiles. */
  media: Map<string, Uint8Array>
  /** Picture parts of bullets, by relationship id of the numbering part. */
  bulletParts: Map<string, string>
  /** The fonts embedded in the document. */
  fonts: FontSource[]
  title: string
  author: string
  subject: string
  language: string
}
