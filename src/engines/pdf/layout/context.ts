import { ARTIFACT, type StructureNode } from '../frame/frame.ts'
import type { Block, DocumentModel, FieldKind, Paragraph, Section } from '../model/document.ts'
import type { Report } from '../report.ts'
import type { Cascade, CellInheritance } from '../style/cascade.ts'
import type { Label } from '../style/labels.ts'
import type { Held } from './held.ts'
import type { Plan, PlanLists } from './paragraph/plan.ts'
import type { CellRoom, FloatingTable, Stack } from './slice.ts'

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
  readonly inner: InnerLayout
}

/**
 * Content inside content: cells, text boxes and notes hold blocks; two lines in one and phonetic guides hold text. The
 * functions are handed in so that no file imports its own caller.
 */
export interface InnerLayout {
  readonly stack: (context: Context, blocks: readonly Block[], place: StoryPlace) => Stack
  readonly plan: (context: Context, paragraph: Paragraph, place: TextPlace) => Plan
}

/** Where a story is laid out: a cell, header, note or text box. Lengths in points. */
export interface StoryPlace {
  width: number
  /** The structure node of its paragraphs and tables. */
  parent: number
  cell?: CellInheritance | undefined
  background?: string | undefined
  /** How the story lies in its cell; its text then gives way to what floats there. */
  room?: CellRoom | undefined
}

/** Where a paragraph's text belongs. */
export interface TextPlace {
  cell?: CellInheritance | undefined
  /** The colour behind it, which automatic text colours follow. */
  background?: string | undefined
  node: number
  labelNode: number
  /** Room for pictures and text boxes as wide as the text, in points. */
  width: number
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
