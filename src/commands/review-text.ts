/** The texts beside templates, `letter.docx.md`, which reviews read: compared with the template, and rewritten. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Finding } from '../core/finding.ts'
import { projectLayout, reviewPathOf } from '../core/project-layout.ts'
import { reviewTextOf } from '../engines/ooxml/document-markdown.ts'
import { withUnixLines } from '../project/folder.ts'
import { readInput, writeOutput } from './files.ts'

/** Whether a file is the text of a template, by its name. */
export function isReviewText(path: string): boolean {
  return /\.(?:docx|dotx)\.md$/i.test(path)
}

/** What is wrong with a text: nothing where it says what the template beside it says. */
export function checkReviewText(path: string, text: Uint8Array): Finding[] {
  const template = path.slice(0, -reviewPathOf('').length)
  if (!existsSync(template)) return [stale(`It is the text of ${template}, which is not there.`, 'Remove it.')]
  if (reviewTextOf(basename(template), readInput(template)) === new TextDecoder().decode(withUnixLines(text))) return []
  return [stale(`It is not what ${template} says.`, `Write it anew: quire check --fix ${template}`)]
}

function stale(message: string, hint: string): Finding {
  return { code: 'check.stale_text', severity: 'warning', message, hint }
}

/** Writes the text of a template where there is one already, or where the template is in a project's folder. */
export function writeReviewText(template: string, bytes: Uint8Array, say: (text: string) => void): void {
  const path = reviewPathOf(template)
  const isKept = existsSync(path)
  if (!isKept && !template.split(/[\\/]/).slice(0, -1).includes(projectLayout.template.folder)) return
  const text = reviewTextOf(basename(template), bytes)
  if (isKept && new TextDecoder().decode(readInput(path)) === text) return
  writeOutput(path, text)
  say(`${path}: written anew\n`)
}
