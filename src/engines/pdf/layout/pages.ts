import type { Layout, StructureNode } from '../frame/frame.ts'
import type { DocumentModel } from '../model/document.ts'
import type { Report } from '../report.ts'
import type { Cascade } from '../style/cascade.ts'
import { numberParagraphs } from '../style/labels.ts'
import { type Context, CUT_OFF, type Labels, within } from './context.ts'
import { Held } from './held.ts'
import { distributeBalanced } from './page/balance.ts'
import { Distribution } from './page/distribute.ts'
import { distributeEndnotes } from './page/endnotes.ts'
import { FieldGuesses, fieldsOn, type Known } from './page/fields.ts'
import { factsOf, finish, guessedWrong } from './page/finish.ts'
import { Notes } from './page/notes.ts'
import type { Collected, Pass } from './page/pass.ts'
import { RunningMatter } from './page/running.ts'
import { RunningHeads } from './page/running-heads.ts'
import { columnsOf, type SectionBlocks, sectionMark, splitSections } from './page/sheet.ts'
import { advance, closeSection, firstPage, openSection } from './page/turn.ts'
import { startOn } from './page/work.ts'
import { collectInlines } from './paragraph/inline.ts'
import { ListPool } from './paragraph/plan.ts'
import { layoutStack } from './stack.ts'

/** Most passes: page fields and the page count depend on each other, and two more passes settle all but contradictions. */
const PASSES = 3

/** The document to lay out, and how. */
export interface LayoutTask {
  readonly model: DocumentModel
  readonly cascade: Cascade
  readonly report: Report
  /** The memory that the layout may hold, by its own estimate. */
  readonly maxBytes: number
}

/**
 * Lays the whole document out into pages (sections, columns, headers, notes); stops at `limits.renderPages`, and throws
 * `OverBudget` if the pages hold more than `maxBytes`.
 */
export function layoutDocument(task: LayoutTask): Layout {
  const labels = numberParagraphs(task.model.body, task.cascade)
  let known: Known | undefined
  for (let count = 1; ; count++) {
    const pass = layoutPass(task, labels, known)
    const facts = factsOf(pass)
    if (count === PASSES || !guessedWrong(pass, facts)) return finish(pass, facts)
    known = facts
    task.report.forget(CUT_OFF)
  }
}

/** Fills pages with the text, section by section; `known` is what an earlier pass found out. */
function layoutPass(task: LayoutTask, labels: Labels, known: Known | undefined): Pass {
  const [first, ...others] = splitSections(task.model)
  const pass = beginPass(task, labels, known, first)
  let context = contextOf(pass, first)
  fillSection(pass, context, first, others[0])
  for (const [index, section] of others.entries()) {
    if (pass.work.truncated) return pass
    context = contextOf(pass, section)
    openSection(pass, context)
    fillSection(pass, context, section, others[index + 1])
  }
  if (!pass.work.truncated) distributeEndnotes(pass, context)
  while (pass.notes.unfinished && !pass.work.truncated) advance(pass, context, 'by running over')
  return pass
}

/** Places a section's blocks. Its columns are balanced if a continuous break ends them. */
function fillSection(pass: Pass, context: Context, { section, blocks }: SectionBlocks, next?: SectionBlocks): void {
  if (next?.section.type === 'continuous' && columnsOf(section).length > 1) distributeBalanced(pass, context, blocks)
  else new Distribution(pass, context, blocks).run()
  if (pass.work.truncated) return
  if (context.model.settings.endnotes.atSectionEnd) distributeEndnotes(pass, context)
  closeSection(pass, section)
}

function contextOf({ context }: Collected, { section, blocks }: SectionBlocks): Context {
  return within(context, section, sectionMark(blocks))
}

/** A pass with the first page open. */
function beginPass(task: LayoutTask, labels: Labels, known: Known | undefined, first: SectionBlocks): Pass {
  const { model, cascade, report, maxBytes } = task
  const guesses = { body: new FieldGuesses(known), running: new FieldGuesses(known) }
  const notes = new Notes(model, cascade, known?.notePages)
  const structure: StructureNode[] = []
  const context: Context = {
    model,
    cascade,
    report,
    held: Held.upTo(maxBytes),
    labels,
    structure: { add: (node) => structure.push(node) - 1 },
    lists: new ListPool(),
    landed: new Map(),
    artifact: false,
    section: model.lastSection,
    gridPitch: 0,
    sectionMark: undefined,
    fields: fieldsOn(() => work.page, cascade.language, { ahead: (asked) => guesses.body.value(asked) }),
    notes,
    noteMark: '',
    depth: 0,
    isApart: false,
    inner: { stack: layoutStack, plan: collectInlines },
  }
  const collected: Collected = {
    context,
    pages: [],
    outline: [],
    bookmarks: new Map(),
    structure,
    notes,
    running: new RunningMatter(model, cascade),
    heads: new RunningHeads(model, labels),
    guesses,
  }
  const work = startOn(firstPage(collected, contextOf(collected, first)))
  return { ...collected, work }
}
