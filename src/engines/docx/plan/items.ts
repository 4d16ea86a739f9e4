import type { ChartForm } from '../scan/charts.ts'
import type { Condition } from '../scan/condition.ts'
import type { Expression } from '../scan/expression.ts'
import type { FieldForm } from '../scan/fields.ts'
import type { LinkTemplate } from '../scan/links.ts'
import type { NoteKind } from '../scan/notes.ts'
import type { AttributeNames } from '../scan/own-declarations.ts'
import type { TextForm } from '../scan/paragraphs.ts'
import type { TagSyntax } from '../scan/syntax.ts'
import type { DividingTag, LocatedTag, OpeningTag, TableTag } from '../scan/tags.ts'
import type { Properties } from './properties.ts'

/** What decides whether, and how often, a block's content appears. */
export type Test =
  | { kind: 'each'; list: Expression; restarts: boolean }
  | { kind: 'if'; condition: Condition }
  /** `isOptional` where the template says what comes in the place of an object that is missing. */
  | { kind: 'with'; value: Expression; isOptional: boolean }
  /** The content always appears, on one page. `prefix` is that of its names. */
  | { kind: 'keep'; prefix: string }

/** A change to the source of a part. Ranges are source offsets; they nest or follow each other, and never cross. */
export type Item =
  /** `text` replaces the range; anything else planned inside it is void. `comment` is the author's, if it is one. */
  | { kind: 'cut'; start: number; end: number; text: string; comment?: LocatedTag; of?: Stretch }
  | { kind: 'hole'; start: number; end: number; tag: HoleTag; form: HoleForm }
  | { kind: 'rich'; start: number; end: number; tag: RichTag; form: RichForm; of?: Stretch }
  | CheckItem
  /** The alternative text of a chart that gets other data. */
  | { kind: 'chart'; start: number; end: number; tag: ChartTag; form: ChartForm }
  /** A tag that changes the cell around it. */
  | { kind: 'cellChange'; start: number; end: number; tag: TableTag }
  /** A table whose cells depend on each other, its columns, its rows, and its cells; `from` is where a cell's content begins. */
  | { kind: 'grid'; start: number; end: number; form: GridForm }
  | { kind: 'columns'; start: number; end: number }
  | { kind: 'row'; start: number; end: number; form: RowForm }
  | { kind: 'cell'; start: number; end: number; from: number; form: CellForm }
  | BlockItem
  /** Content that stays only if one of the blocks in it produces something: a paragraph made of nothing but blocks. */
  | { kind: 'any'; start: number; end: number; tests: Test[] }
  /** A table all of whose rows may vanish; Word can't read one without rows. */
  | { kind: 'table'; start: number; end: number }
  /** The end of a cell, header or text box that must not end up without a paragraph. */
  | { kind: 'tail'; start: number; end: number; text: string }
  /** The id of a relationship, which leads to the filled address. */
  | { kind: 'link'; start: number; end: number; template: LinkTemplate }
  /** Something that a document may have only once, such as the anchor of a comment. */
  | { kind: 'once'; start: number; end: number; text: string }
  /** A value that must differ in every copy. */
  | { kind: 'fresh'; start: number; end: number; counter: FreshCounter; slot: string; text: string }
  /** The id in a reference to a note; every copy gets its own. */
  | { kind: 'note'; start: number; end: number; note: string }
  /** A note that loops copy: it leaves its place and becomes a program of its own. */
  | { kind: 'extract'; start: number; end: number; note: string }
  /** The id of such a note. */
  | { kind: 'noteId'; start: number; end: number }
  /** The place in the part where the copies of its notes go. */
  | { kind: 'notes'; start: number; end: number; noteKind: NoteKind }
  /** The id of a list that restarts in every turn, with the XML before and behind it. */
  | { kind: 'number'; start: number; end: number; numId: string; before: string; after: string }

/** What takes the place of a stretch, or of a piece of one. */
export type Replacement = Extract<Item, { kind: 'cut' | 'rich' }>

/** A range cut in pieces around marks that stay. Anything else planned inside it is void, except within these marks. */
export interface Stretch {
  start: number
  end: number
}

/** XML that depends on a condition: a check box, or its sign in text. */
export interface CheckItem {
  kind: 'check'
  start: number
  end: number
  tag: CheckTag
  ticked: string
  empty: string
  /** Whether the XML is inside a `w:t`. */
  isInText: boolean
}

/** Columns of a template's table, by number from 0; `to` is behind the last. */
export interface ColumnRange {
  from: number
  to: number
}

export interface GridForm {
  /** The prefix of the table's names: `w:`. */
  prefix: string
  attributes: AttributeNames
  /** Widths of the columns, in twentieths of a point. */
  columns: number[]
  /** What loops repeat, from left to right. */
  loops: ColumnRange[]
}

export interface RowForm {
  /** Columns before its first cell. */
  skipped: number
  /** The outermost loops over columns of this row. */
  loops: (ColumnRange & { place: string })[]
}

export interface CellForm {
  /** The name as the part has it. */
  written: string
  attributes: AttributeNames
  /** The start tag alone, and with the properties. */
  tag: string
  head: string
  properties: Properties
  /** Its first column, and how many it takes. */
  column: number
  span: number
  width?: { value: number; type: string }
}

/** `bookmark` numbers and `bookmarkName` names go in pairs, by slot. */
export type FreshCounter = 'drawing' | 'bookmark' | 'bookmarkEnd' | 'bookmarkName'

/** Where a block is divided. */
export type Middle = Opening & { tag: DividingTag; start: number; end: number }

export interface BlockItem {
  kind: 'block'
  start: number
  end: number
  test: Test
  tag: OpeningTag
  /** Every `#else if`, and the `#else`: the part before it ends at `start`, the one behind it begins at `end`. */
  middles: readonly Middle[]
  opening: Opening
  closing: Seam
}

/** Tags that close the open elements before a boundary and reopen them after it. Empty between whole elements. */
export interface Seam {
  close: string
  open: string
}

/** A seam that a part of a block begins with, and what closes all that it opens. */
export type Opening = Seam & { shut: string }

/** Tags of values that leave text, a picture or a break. */
export type HoleTag = LocatedTag<Extract<TagSyntax, { kind: 'text' | 'image' | 'qr' | 'barcode' | 'pagebreak' }>>
export type ChartTag = LocatedTag<Extract<TagSyntax, { kind: 'chart' }>>
export type CheckTag = LocatedTag<Extract<TagSyntax, { kind: 'check' }>>
export type RichTag = LocatedTag<Extract<TagSyntax, { kind: 'rich' }>>

/** How a value is written in the place of its tag. */
export type HoleForm =
  | TextForm
  | FieldForm
  /** In the `r:embed` of a placeholder picture: the id of the new relationship, and the rest of the element. */
  | { kind: 'embed'; rest?: BlipRest }

/** What follows the reference of an `a:blip`, without the SVG drawing of the placeholder itself. */
export interface BlipRest {
  /** All of it. */
  plain: string
  /** Before and after an inserted drawing: within the element's list of extensions, or where that list would be. */
  opening: string
  closing: string
  isList: boolean
}

/** Where rich text goes. In a line, `close` and `open` end and resume the run around it. */
export interface RichForm {
  place: RichPlace
  close: string
  open: string
}

/** What the runs and paragraphs of rich text inherit from the tag. */
export interface RichPlace {
  /** Namespace of the part's WordprocessingML. */
  uri: string
  /** Whether `w` means that namespace where the tag is; otherwise every piece declares it. */
  isPrefixW: boolean
  run: Properties
  /** A link takes no other link. */
  isInLink: boolean
  /** Present if the tag fills its paragraph, which is then replaced by the text's own. */
  paragraph?: RichParagraphPlace
}

export interface RichParagraphPlace {
  properties: Properties
  /** Whether the cell, header or text box around it must end with a paragraph, and this is the last. */
  isLast: boolean
  isBeforeTable: boolean
}
