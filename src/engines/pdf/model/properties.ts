/** Formatting as the document's parts state it, before any inheritance: every property is optional. */

export type Underline = 'none' | 'single' | 'double' | 'thick' | 'dotted' | 'dash' | 'wave' | 'words'

/** The mark over each character, or under it (17.3.2.12). */
export type EmphasisMark = 'none' | 'dot' | 'comma' | 'circle' | 'underDot'

export interface FontNames {
  ascii?: string
  highAnsi?: string
  eastAsia?: string
  complex?: string
  /** Characters that belong to several slots take the East Asian one (17.3.2.26), so quotation marks are full-width. */
  eastAsiaHint?: boolean
}

export interface RunProps {
  style?: string
  fonts?: FontNames
  bold?: boolean
  italic?: boolean
  /** Size and weight of complex-script text (`w:szCs`, `w:bCs`, `w:iCs`). */
  complexSize?: number
  complexBold?: boolean
  complexItalic?: boolean
  /** The run reads from right to left (`w:rtl`); all of its characters take the complex-script font. */
  rtl?: boolean
  /** All characters of the run take the complex-script font (`w:cs`). */
  complex?: boolean
  caps?: boolean
  smallCaps?: boolean
  strike?: boolean
  doubleStrike?: boolean
  hidden?: boolean
  underline?: Underline
  underlineColor?: string
  emphasis?: EmphasisMark
  color?: string
  size?: number
  highlight?: string
  shading?: string
  position?: number
  vertical?: 'baseline' | 'superscript' | 'subscript'
  spacing?: number
  /** Horizontal scale as a fraction; 1 is none. */
  scale?: number
  /** Smallest size in points that Word kerns; 0 turns kerning off. */
  kernFrom?: number
  language?: string
  languageEastAsia?: string
  languageComplex?: string
  border?: Border
  /** Two lines in one (`w:eastAsianLayout`), by the id that its runs share, and the brackets around it. */
  combine?: { id: string; open: string; close: string }
}

export interface Border {
  style: string
  /** Width in points of one line of the border. */
  width: number
  color: string
  space: number
}

export type Edge = 'top' | 'bottom' | 'left' | 'right'

export type Borders = Partial<Record<Edge | 'between' | 'insideH' | 'insideV', Border>>

export interface TabStop {
  position: number
  kind: 'left' | 'right' | 'center' | 'decimal' | 'bar' | 'clear'
  leader: 'none' | 'dot' | 'hyphen' | 'underscore' | 'middleDot'
}

export type Indents = Pick<ParagraphProps, 'indentLeft' | 'indentRight' | 'firstLine'>

export interface ParagraphProps {
  style?: string
  align?: 'left' | 'right' | 'center' | 'justify'
  /** Justified up to and with the last line; counts with the alignment of the same layer only. */
  lastLineToo?: boolean
  indentLeft?: number
  indentRight?: number
  /** Positive for a first-line indent, negative for a hanging one. */
  firstLine?: number
  before?: number
  after?: number
  beforeAuto?: boolean
  afterAuto?: boolean
  /** Points for `exact` and `atLeast`, a factor for `auto`. */
  line?: number
  lineRule?: 'auto' | 'exact' | 'atLeast'
  contextual?: boolean
  keepNext?: boolean
  keepLines?: boolean
  pageBreakBefore?: boolean
  widowControl?: boolean
  snapToGrid?: boolean
  /** Reads from right to left: `left` and `first line` are then measured from the right. */
  bidi?: boolean
  /** Rules on which characters may begin and end a line (`w:kinsoku`). */
  kinsoku?: boolean
  /** Punctuation may hang outside the right edge (`w:overflowPunct`). */
  overflowPunctuation?: boolean
  /** Space between Latin letters, or digits, and ideographs (`w:autoSpaceDE`, `w:autoSpaceDN`). */
  autoSpaceLatin?: boolean
  autoSpaceDigits?: boolean
  suppressHyphens?: boolean
  suppressLineNumbers?: boolean
  tabs?: TabStop[]
  numberingId?: string
  numberingLevel?: number
  /** The indents that apply where a layer takes the numbering away again. */
  unnumbered?: Indents
  borders?: Borders
  shading?: string
  /** 0 for the first heading level; 9 is body text. */
  outline?: number
}

export interface Measure {
  type: 'auto' | 'points' | 'fraction'
  value: number
}

export interface TableProps {
  style?: string
  /** It floats at a distance from the text or the margin instead of being aligned. */
  placed?: boolean
  width?: Measure
  indent?: number
  align?: 'left' | 'center' | 'right'
  fixed?: boolean
  /** Columns run from right to left (`w:bidiVisual`). */
  bidi?: boolean
  borders?: Borders
  shading?: string
  cellMargins?: Partial<Record<Edge, number>>
  cellSpacing?: number
  rowBand?: number
  columnBand?: number
  look?: TableLook
}

export interface TableLook {
  firstRow: boolean
  lastRow: boolean
  firstColumn: boolean
  lastColumn: boolean
  rowBands: boolean
  columnBands: boolean
}

export interface CellProps {
  width?: Measure
  span?: number
  merge?: 'start' | 'continue'
  borders?: Borders
  shading?: string
  margins?: Partial<Record<Edge, number>>
  vertical?: 'top' | 'center' | 'bottom'
  /** The direction of lines that do not run from side to side. */
  direction?: 'down' | 'up'
  noWrap?: boolean
}

export interface RowProps {
  height?: number
  heightRule?: 'atLeast' | 'exact'
  cantSplit?: boolean
  header?: boolean
  before?: number
  after?: number
}
