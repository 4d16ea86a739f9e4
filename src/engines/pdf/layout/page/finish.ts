/** Finishes a pass: collects facts about its pages and, once all numbers are known, draws what surrounds their text. */

import { type Frame, type Layout, moveFrames } from '../../frame/frame.ts'
import { type Context, type FieldValues, within } from '../context.ts'
import { fieldsOn, type Known, knownOf, valueFrom } from './fields.ts'
import { allNotesHeight, placedNotes } from './note-bands.ts'
import type { OpenPage } from './open-page.ts'
import type { Pass } from './pass.ts'
import { pageBorders, paper } from './sheet.ts'
import { closeColumn, runningVariant } from './turn.ts'
import { turnedPage } from './vertical.ts'

/** The facts of the finished pages. */
export function factsOf({ context, pages, bookmarks, notes }: Pass): Known {
  return knownOf(pages, bookmarks, notes.pages, context.cascade.language)
}

/** True if the layout depends on a value given to a field or note that the finished pages contradict. */
export function guessedWrong(pass: Pass, facts: Known): boolean {
  const { context, guesses, notes, running } = pass
  if (guesses.body.wereWrong(facts) || notes.isNumberedOtherwise(facts.notePages)) return true
  if (!guesses.running.wereWrong(facts)) return false
  // The values in headers and footers don't move the text unless they make these higher or lower.
  if (guesses.running.isQuoting) return true
  return running.measuresOtherwise(context, (page) => finalFields(pass, facts, page))
}

/** The layout with everything on its pages. */
export function finish(pass: Pass, facts: Known): Layout {
  closeColumn(pass.work.page)
  for (const open of pass.pages) {
    pass.context.held.reach(open.index + 1)
    finishPage(pass, facts, open)
  }
  return { pages: pass.pages.map(({ page }) => page), structure: pass.structure, outline: pass.outline }
}

function finishPage(pass: Pass, facts: Known, open: OpenPage): void {
  const { page, section, body } = open
  if (open.isBlank) {
    page.frames = paper(section.sheet ?? section, pass.context.model.background)
    return
  }
  const context = within(pass.context, section)
  alignBody(open)
  const { beneathText } = context.model.settings.footnotes
  const notes = placedNotes(open, beneathText ? open.region.bottom : undefined)
  const sheet = section.sheet ?? section
  const onSheet = { ...open, section: sheet }
  const variant = runningVariant(context, open)
  const fields = finalFields(pass, facts, open)
  const header = pass.running.place(context, { area: 'header', variant }, onSheet, fields)
  const footer = pass.running.place(context, { area: 'footer', variant }, onSheet, fields)
  const text = [...open.behind, ...body, ...notes, ...open.front]
  page.frames = [
    ...paper(sheet, context.model.background),
    ...header.behind,
    ...footer.behind,
    ...header.frames,
    ...footer.frames,
    ...(section.sheet ? [lyingText(context, text, sheet.width)] : text),
    ...pageBorders(sheet),
  ]
}

/** Moves the text of a page that is aligned to its middle or foot. */
function alignBody(open: OpenPage): void {
  const { section, body } = open
  const free = open.bottom - allNotesHeight(open) - open.region.bottom
  if (section.vertical !== 'top' && free > 0) moveFrames(body, 0, section.vertical === 'bottom' ? free : free / 2)
}

/** The text of a page that was laid out on its side. */
function lyingText({ report }: Context, text: readonly Frame[], width: number): Frame {
  if (text.some(({ kind }) => kind === 'image' || kind === 'group'))
    report.unsupported('word/document.xml', 'w:textDirection', 'pictures lie on their side, like the text')
  return turnedPage(text, width)
}

/** The values of fields in a page's headers and footers once all pages exist. */
function finalFields({ context, heads }: Pass, facts: Known, page: OpenPage): FieldValues {
  return fieldsOn(() => page, context.cascade.language, {
    quote: (style, switches) => heads.shown(style, switches, page.index),
    ahead: (asked) => valueFrom(facts, asked),
  })
}
