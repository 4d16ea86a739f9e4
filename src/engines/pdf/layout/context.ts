import { ARTIFACT, type Frame, type StructureNode } from '../frame/frame.ts'
import type { Anchor, Block, DocumentModel, FieldKind, Inline, Paragraph, Section } from '../model/document.ts'
import type { Report } from '../report.ts'
import type { Cascade } from '../style/cascade.ts'
import type { Label } from '../style/labels.ts'
import type { Held } from './held.ts'
import type { PlanLists } from './paragraph/inline.ts'

/** What every phase of layout reads, and the structure tree it writes. */
export interface Context {
  readonly model: DocumentModel
  readonly cascade: Cascade
  readonly report: Report
  readonly held: Held
  labels: Map<Paragraph, Label>
  structure: StructureNode[]
  /** See `release` of plans. */
  readonly spareLists: PlanLists[]
  /** True while laying out running matter, which is no part of the content. */
  artifact: boolean
  /** The section being laid out. */
  section: Section
  /** Line pitch of the document grid that text of the body keeps to; 0 without one, and in what stands around the body. */
  gridPitch: number
  /** An empty paragraph that only ends the current section, which takes no line of its own. */
  sectionMark: Paragraph | undefined
  /** Floating tables that stand in the text flow, because they would run off their page. */
  readonly landed: Set<FloatingTable>
  /** The value of a page field where layout stands now; undefined shows what the document stored. */
  field(kind: FieldKind, argument: string, format: string): string | undefined
  /** The number of a note, given out in order of reference; one with a mark of its own takes none. */
  noteNumber(note: 'footnote' | 'endnote', id: string, custom: boolean): string
  /** The number that a note's own text shows. */
  noteMark: string
  /** Nesting of stories in stories (text boxes, notes), bounded. */
  depth: number
}

export function addNode(context: Context, node: StructureNode): number {
  if (context.artifact) return ARTIFACT
  context.held.node()
  return context.structure.push(node) - 1
}

/** Text gives way to floating objects in the body and in its cells only; elsewhere they may lie over it. */
export function reportUnwrapped(context: Context): void {
  context.report.add(
    'render.wrap',
    'In headers and footers text does not flow around a floating object; it may lie over text.',
    'word/document.xml#wp:anchor',
    'Set the object in line with the text.',
  )
}

/** A table that floats, in its box. */
export type FloatingTable = Extract<Inline, { kind: 'textbox' }>

/** A picture or text box that stands at a place of its own; its frames are relative to its top left. */
export interface AnchoredObject {
  anchor: Anchor
  width: number
  height: number
  frames: Frame[]
  notes?: readonly string[]
  /** What it is, of a table: one that would run off its page stands in the text flow instead. */
  table?: FloatingTable
}

/**
 * The unit of pagination: one line of a paragraph or one row of a table, which stays whole unless it can split itself.
 * Frames are relative to the column's left and the slice's top.
 */
export interface Slice {
  /** Space above, dropped where the slice comes first on a page or column that the text ran over to. */
  before: number
  /** The space above by the block's own properties that is left where a break put it at the top of a page. */
  beforeAtTop?: number
  /** The part of the space above by which a line moved below a floating object. */
  lead?: number
  height: number
  /** The entry of the paragraph that a line begins with. */
  entry?: number
  /** The part of the height below the text that may run over the foot of the page: line spacing beyond single. */
  slack?: number
  frames: Frame[]
  /** Must stand on the same page as the next slice (keep-next, keep-lines, widows and orphans). */
  stick: boolean
  pageBreakBefore?: boolean
  breakAfter?: 'page' | 'column'
  anchors?: AnchoredObject[]
  /** The baseline of a line that is counted where lines are numbered. */
  baseline?: number
  /** Footnotes referred to in the slice. */
  notes?: string[]
  /** The repeated rows of the table this row belongs to. */
  repeat?: Slice[]
  isRepeated?: boolean
  /** Frames to add when the next slice is on another page, or none follows: a table's lower edge. */
  closing?: Frame[]
  /** Room that those frames need below the slice. */
  foot?: number
  /**
   * Cuts the slice at a height; undefined when nothing would stay above or nothing would be left. By force also where
   * the document forbids it: what is taller than a page would otherwise run off it.
   */
  split?(available: number, force?: boolean): [Slice, Slice] | undefined
  /** The paragraph that begins with the slice, and its style: what running heads may quote. */
  begins?: { paragraph: Paragraph; style: string | undefined }
  /** A heading, for the outline. */
  heading?: { title: string; level: number }
}

/** A laid-out block and what decides the space around it. */
export interface BlockBox {
  slices: Slice[]
  before: number
  after: number
  styleId: string | undefined
  contextual: boolean
  /** The list whose item it is: between two items of one list automatic spacing vanishes. */
  listId?: string | undefined
  /** Space that comes from automatic spacing vanishes at the edge of cells and documents. */
  beforeAuto: boolean
  afterAuto: boolean
  /** How much of the space after it has been left already, above columns that begin below it. */
  spent?: number
  /** Floating objects have changed its lines: they hold for one place on one page. */
  gaveWay?: boolean
  /** Takes no room: the blocks around it are neighbours. */
  collapsed?: boolean
}

export interface Stack {
  slices: Slice[]
  height: number
}

export type LayoutBlocks = (context: Context, blocks: readonly Block[], width: number, parent: number) => Stack
