import { limits } from '../../../core/limits.ts'
import { ARTIFACT, type StructureNode } from '../frame/frame.ts'
import type { Block, DocumentModel, Inline, Paragraph, Section } from '../model/document.ts'
import type { Report } from '../report.ts'
import type { Cascade } from '../style/cascade.ts'
import type { Label } from '../style/labels.ts'
import type { CellInheritance } from '../style/table-format.ts'
import type { Held } from './held.ts'
import type { ListPool, Plan } from './paragraph/plan.ts'
import type { CellRoom, FloatingTable, Landing, Stack } from './slice.ts'

/**
 * What every phase of layout reads. A context is immutable: nested content gets its own, derived by the functions
 * below. `held`, `structure`, `report`, `landed` and `lists` collect what layout finds on the way.
 */
export interface Context {
  readonly model: DocumentModel
  readonly cascade: Cascade
  readonly report: Report
  /** Counts the bytes of the part that the content comes from. */
  readonly held: Held
  readonly structure: Structure
  readonly lists: ListPool
  readonly landed: LandedTables
  readonly labels: Labels
  /** True for what is no part of the content: running matter, and the rule above notes. */
  readonly artifact: boolean
  readonly section: Section
  /** Line pitch of the document grid for text of the body, in points; 0 without a grid and outside the body. */
  readonly gridPitch: number
  /** An empty paragraph that only ends the current section, which takes no line of its own. */
  readonly sectionMark: Paragraph | undefined
  readonly fields: FieldValues
  readonly notes: NoteNumbers
  /** The number that a note's own text shows. */
  readonly noteMark: string
  /** How many text boxes and shapes surround the content; bounded. */
  readonly depth: number
  /** True in a story whose place on its page is not known yet: a text box, a turned cell or a footnote. */
  readonly isApart: boolean
  readonly inner: InnerLayout
}

/** The labels of numbered paragraphs. */
export interface Labels {
  get(paragraph: Paragraph): Label | undefined
}

/** The structure tree as it grows: `add` returns the new node's index. */
export interface Structure {
  add(node: StructureNode): number
}

/** Floating tables that are in the text flow, because they would run off their page. */
export interface LandedTables {
  readonly size: number
  has(table: FloatingTable): boolean
  get(table: FloatingTable): Landing | undefined
  set(table: FloatingTable, landing: Landing): void
}

export type Field = Extract<Inline, { kind: 'field' }>
export type NoteReference = Extract<Inline, { kind: 'note' }>

/** Values of fields, by the page of the content; undefined if the stored result is shown. */
export interface FieldValues {
  valueOf(field: Field): string | undefined
}

/** The numbers of notes, given out in order of reference; a note with a mark of its own takes none. */
export interface NoteNumbers {
  numberOf(reference: NoteReference, section: Section): string
}

/**
 * Layout of nested content: cells, text boxes and notes hold blocks; two lines in one and phonetic guides hold text.
 * Passed as functions so that no file imports its own caller.
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
  /** How the story lies in its cell; its text then flows around floating objects there. */
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

/** For the body of a section, which `sectionMark` ends. */
export function within(context: Context, section: Section, sectionMark?: Paragraph): Context {
  return { ...context, section, gridPitch: section.gridPitch, sectionMark }
}

/** For the cells of a table. */
export function inTable(context: Context): Context {
  const keepsGrid = context.gridPitch === 0 || context.model.settings.gridInTables
  if (keepsGrid && !context.isApart) return context
  return { ...context, gridPitch: keepsGrid ? context.gridPitch : 0, isApart: false }
}

/** For a cell whose text is turned. */
export function inTurnedCell(context: Context): Context {
  return { ...context, isApart: true }
}

/** For the text of a frame or a floating table. */
export function inFrame(context: Context): Context {
  return { ...context, gridPitch: 0, depth: context.depth + 1 }
}

/** For the text of a shape or text box. */
export function inTextBox(context: Context): Context {
  return { ...inFrame(context), isApart: true }
}

/** For a footnote, whose text shows `noteMark`. */
export function forFootnote(context: Context, noteMark: string, labels: Labels): Context {
  return { ...context, gridPitch: 0, noteMark, labels, isApart: true }
}

/** For an endnote, which keeps to the grid as the body does. */
export function forEndnote(context: Context, noteMark: string, labels: Labels): Context {
  return { ...context, noteMark, labels }
}

/** For what is drawn around the content and is no part of it. */
export function asArtifact(context: Context): Context {
  return { ...context, artifact: true }
}

/** A header or footer: the package part that it comes from, and what its fields show. */
export interface RunningStory {
  readonly part: string
  readonly labels: Labels
  readonly fields: FieldValues
}

export function forRunningMatter(context: Context, { part, labels, fields }: RunningStory): Context {
  return { ...context, artifact: true, gridPitch: 0, held: context.held.of(part), labels, fields }
}

/** For blocks in which some paragraphs are copies with labels of their own. */
export function withLabels(context: Context, own: ReadonlyMap<Paragraph, Label>): Context {
  const { labels } = context
  return { ...context, labels: { get: (paragraph) => own.get(paragraph) ?? labels.get(paragraph) } }
}

export function addNode(context: Context, node: StructureNode): number {
  if (context.artifact) return ARTIFACT
  context.held.node()
  return context.structure.add(node)
}

/** Reports text boxes nested too deeply, which are left out: each level may lay out its content several times. */
export function reportBoxDepth(context: Context): void {
  context.report.add(
    'render.nesting',
    `Text boxes nested more than ${limits.renderBoxDepth} levels deep are left out.`,
    `${context.held.part}#w:txbxContent`,
    'Take the inner text boxes out of the outer ones.',
  )
}

/** The code of reports about cut-off content. A repeated pass forgets them, since it may cut off something else. */
export const CUT_OFF = 'render.cut_off'

/** What text and pictures are cut off by. */
const bounds = {
  box: { what: 'a text box', element: 'w:txbxContent' },
  frame: { what: 'a frame', element: 'w:framePr' },
  row: { what: 'a row of exact height', element: 'w:trHeight' },
} as const

/** Reports lines and pictures that are left out, as in Word, because they would begin below their box, frame or row. */
export function reportCutOff(context: Context, by: keyof typeof bounds): void {
  const { what, element } = bounds[by]
  context.report.add(
    CUT_OFF,
    `What would begin below ${what} is left out, as in Word.`,
    `${context.held.part}#${element}`,
    by === 'row' ? 'Set the height of the row to "at least".' : 'Make it larger, or let it grow with its content.',
  )
}

/** Reports floating objects that may cover text: text flows around them only in the body and its cells. */
export function reportUnwrapped(context: Context, part: string): void {
  context.report.add(
    'render.wrap',
    'In headers and footers text does not flow around a floating object; it may lie over text.',
    `${part}#wp:anchor`,
    'Set the object in line with the text.',
  )
}
