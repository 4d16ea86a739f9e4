import type { DocumentModel } from '../../model/document.ts'
import { numberParagraphs } from '../../style/labels.ts'
import { asArtifact, type Context, forEndnote } from '../context.ts'
import { Distribution } from './distribute.ts'
import { noteRule } from './notes.ts'
import { columnOf } from './open-page.ts'
import type { Pass } from './pass.ts'

/** Lays out the endnotes that were referred to since the last time, below the text. */
export function distributeEndnotes(pass: Pass, context: Context): void {
  const ids = pass.notes.endnotes.splice(0)
  if (ids.length > 0) distributeRule(pass, context)
  for (const id of ids) {
    const blocks = context.model.endnotes.get(id) ?? []
    const labels = numberParagraphs(blocks, context.cascade)
    distributeBelow(pass, forEndnote(context, pass.notes.mark('endnote', id), labels), blocks)
  }
}

/** Draws the rule above endnotes in a paragraph of its own, with the width and distance of the footnotes' rule. */
function distributeRule(pass: Pass, context: Context): void {
  const { work } = pass
  const { endnoteSeparator } = context.model
  if (!endnoteSeparator) return
  distributeBelow(pass, asArtifact(context), endnoteSeparator)
  if (!work.truncated) work.page.body.push(noteRule(columnOf(work.page), work.page.region.y))
}

function distributeBelow(pass: Pass, context: Context, blocks: DocumentModel['body']): void {
  pass.work.above = pass.work.last
  new Distribution(pass, context, blocks).run()
}
