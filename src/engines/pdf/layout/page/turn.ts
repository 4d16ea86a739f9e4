/** Turns to the next column, page or section. */

import { limits } from '../../../../core/limits.ts'
import { formatNumber } from '../../../ooxml/numerals.ts'
import { moveFrames } from '../../frame/frame.ts'
import type { HeaderKind, Section } from '../../model/document.ts'
import type { Context } from '../context.ts'
import { fieldsOn } from './fields.ts'
import type { OpenPage, Region } from './open-page.ts'
import type { Collected, Pass } from './pass.ts'
import type { Running } from './running.ts'
import { type Column, columnRules, columnsOf } from './sheet.ts'

/** The purpose of a new page. */
interface PageOrder {
  readonly index: number
  readonly sectionIndex: number
  readonly firstOfSection: boolean
  readonly number: number
}

/** The first page of a document. */
export function firstPage(collected: Collected, context: Context): OpenPage {
  const number = context.section.pageNumberStart ?? 1
  return openPage(collected, context, { index: 0, sectionIndex: 0, firstOfSection: true, number })
}

/** Begins a section: below the one before it, or on a page of its own. */
export function openSection(pass: Pass, context: Context): void {
  const { work } = pass
  const { section } = context
  const { page } = work
  if (section.lineNumbers?.restart === 'newSection') work.lines = 0
  const hard = work.pendingBreak === 'page'
  work.pendingBreak = undefined
  work.sectionIndex++
  if (!hard && isSameSheet(page.section, section) && (section.type === 'continuous' || section.type === 'nextColumn')) {
    openRegion(pass, section)
    return
  }
  work.above = undefined
  newPage(pass, context, 'section')
  if (!work.truncated && isOnWrongSide(context, page.number, work.page.number)) {
    work.page.isBlank = true
    newPage(pass, context, 'section')
  }
  // Nothing of a blank page is drawn, so notes go on behind it.
  if (!work.truncated) pass.notes.resume(context, work.page)
}

/**
 * Whether a section can't begin with page `number` after page `before`: its type asks for the other side of the sheet,
 * or its numbering restarts on the same side as `before` in a document with different headers on odd and even pages.
 */
function isOnWrongSide({ model, section }: Context, before: number, number: number): boolean {
  const isOdd = number % 2 === 1
  if (section.type === (isOdd ? 'evenPage' : 'oddPage')) return true
  return model.settings.evenAndOddHeaders && section.pageNumberStart !== undefined && isOdd === (before % 2 === 1)
}

function isSameSheet(a: Section, b: Section): boolean {
  return a.width === b.width && a.height === b.height && a.linesRunDown === b.linesRunDown
}

/** Goes on below a continuous section break. */
function openRegion({ work }: Pass, section: Section): void {
  const { page } = work
  closeColumn(page)
  const { region } = page
  const columns = columnsOf(section)
  let top = Math.max(region.y, region.bottom)
  work.above = region.columns.length > 1 ? undefined : work.last
  // All columns, not only the first, begin below the space that the paragraph above asks for.
  if (work.above && columns.length > 1) {
    top += work.above.after
    work.above = { ...work.above, spent: work.above.after }
  }
  const fresh = page.body.length === 0
  page.region = { ...newRegion(columns, top), bottom: region.bottom, fresh }
}

/** Ends a section: draws the rules between its columns. */
export function closeSection({ work }: Pass, section: Section): void {
  const { columns, top, bottom } = work.page.region
  if (section.columnLine) work.page.front.push(...columnRules(columns, top, bottom))
}

/** The next column, or the next page after the last one. */
export function advance(pass: Pass, context: Context, reached: 'by running over' | 'by a break'): void {
  const { page } = pass.work
  const { region } = page
  const natural = reached === 'by running over' || context.model.settings.compatibility.dropsSpaceAtBreak
  if (region.column + 1 < region.columns.length) {
    closeColumn(page)
    region.column++
    region.y = region.top
    region.fresh = true
    region.natural = natural
    pass.notes.resume(context, page)
    return
  }
  newPage(pass, context, 'text')
  pass.work.page.region.natural = natural
}

/** Goes on where a break has sent the text. */
export function takeBreak(pass: Pass, context: Context): void {
  const { work } = pass
  const kind = work.pendingBreak
  work.pendingBreak = undefined
  if (kind === 'page') newPage(pass, context, 'text')
  else if (kind === 'column') advance(pass, context, 'by a break')
}

/** A page of its own, as a paragraph asks for; a page that is still empty will do. */
export function breakPage(pass: Pass, context: Context): void {
  const { work } = pass
  if (isUntouched(work.page) && !work.pendingBreak) {
    const { region } = work.page
    if (region.natural) region.natural = context.model.settings.compatibility.dropsSpaceAtBreak
    return
  }
  work.pendingBreak = undefined
  newPage(pass, context, 'text')
  work.page.region.natural = context.model.settings.compatibility.dropsSpaceAtBreak
}

export function isUntouched({ region, body }: OpenPage): boolean {
  return region.fresh && region.column === 0 && body.length === 0
}

/** @param opener what begins the page: a new section, or text of the current one */
function newPage(pass: Pass, context: Context, opener: 'section' | 'text'): void {
  const { work, pages } = pass
  const { section } = context
  closeColumn(work.page)
  if (opener === 'text') closeSection(pass, section)
  if (pages.length >= limits.renderPages) {
    work.truncated = true
    context.report.add(
      'render.pages_limit',
      `The document has more than ${limits.renderPages} pages; the rest is left out.`,
      undefined,
      'Split the document.',
    )
    return
  }
  const firstOfSection = opener === 'section'
  const next = work.page.number + 1
  const number = firstOfSection ? (section.pageNumberStart ?? next) : next
  const { sectionIndex } = work
  work.page = openPage(pass, context, { index: pages.length, sectionIndex, firstOfSection, number })
  if (opener === 'text') pass.notes.resume(context, work.page)
  if (section.lineNumbers?.restart === 'newPage') work.lines = 0
}

function openPage(collected: Collected, context: Context, order: PageOrder): OpenPage {
  const { section } = context
  const { index, sectionIndex, firstOfSection, number } = order
  const { width, height } = section.sheet ?? section
  const label = formatNumber(number, section.pageNumberFormat, context.cascade.language)
  const open: OpenPage = {
    page: { width, height, number, label, frames: [] },
    index,
    section,
    sectionIndex,
    firstOfSection,
    number,
    isBlank: false,
    top: 0,
    bottom: 0,
    region: { ...newRegion(columnsOf(section), 0), natural: !firstOfSection },
    behind: [],
    body: [],
    front: [],
    notes: [],
    exclusions: [],
  }
  setMargins(collected, context, open)
  const { region, top } = open
  region.y = top
  region.top = top
  region.bottom = top
  context.held.reach(collected.pages.push(open))
  return open
}

function newRegion(columns: readonly Column[], top: number): Region {
  return {
    columns,
    column: 0,
    top,
    bottom: top,
    limit: Number.POSITIVE_INFINITY,
    y: top,
    fresh: true,
    natural: false,
    closing: undefined,
  }
}

/** Text begins below the header and ends above the footer, however high these are. */
function setMargins(collected: Collected, context: Context, open: OpenPage): void {
  const { section } = context
  const { margins } = section
  // The text of a page lying on its side begins beside the header, not below it.
  const grows = section.sheet === undefined
  const variant = runningVariant(context, open)
  const headerHeight = grows ? measure(collected, context, { area: 'header', variant }, open) : 0
  const footerHeight = grows ? measure(collected, context, { area: 'footer', variant }, open) : 0
  open.top =
    margins.top < 0 ? -margins.top : Math.max(margins.top, headerHeight > 0 ? margins.header + headerHeight : 0)
  const lower =
    margins.bottom < 0
      ? -margins.bottom
      : Math.max(margins.bottom, footerHeight > 0 ? margins.footer + footerHeight : 0)
  open.bottom = Math.max(open.top + LEAST_TEXT_HEIGHT, section.height - lower)
}

/** A page has at least a third of an inch for text, however high its header and footer. */
const LEAST_TEXT_HEIGHT = 24

/** The height of a header or footer, with field values as far as they are known before all pages exist. */
function measure(collected: Collected, context: Context, running: Running, open: OpenPage): number {
  const { guesses, heads, pages } = collected
  const fields = fieldsOn(() => open, context.cascade.language, {
    quote: (style, switches) => {
      guesses.running.isQuoting = true
      return heads.shown(style, switches, pages.length - 1)
    },
    ahead: (asked) => guesses.running.value(asked),
  })
  return collected.running.height(context, running, open, fields)
}

/** The kind of header and footer that a page shows. */
export function runningVariant({ model }: Context, { firstOfSection, section, number }: OpenPage): HeaderKind {
  if (firstOfSection && section.titlePage) return 'first'
  return model.settings.evenAndOddHeaders && number % 2 === 0 ? 'even' : 'default'
}

/** Draws the closing frames that a column keeps back until it ends. */
export function closeColumn({ region, body }: OpenPage): void {
  if (!region.closing) return
  const { frames, x, y } = region.closing
  moveFrames(frames, x, y)
  body.push(...frames)
  region.closing = undefined
}
