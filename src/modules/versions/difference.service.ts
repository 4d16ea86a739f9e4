import { limits } from '../../core/limits.ts'
import { changedLines } from '../../core/line-difference.ts'
import { documentText } from '../../engines/ooxml/document-text.ts'
import type { Content } from './versions.service.ts'

/** The changed lines as in a unified diff, cut at `limits.projectDifferenceChars`; for templates, of their text. */
export function differenceOf({ before, after }: { before: Content; after: Content }): string {
  const changes = changedLines(linesOf(before), linesOf(after))
  const lines = changes.flatMap(({ line, lines: changed }) => [`@@ line ${line} @@`, ...changed])
  const difference = lines.map((line) => `${line}\n`).join('')
  if (difference.length <= limits.projectDifferenceChars) return difference
  return `${difference.slice(0, limits.projectDifferenceChars - 1).toWellFormed()}…`
}

function linesOf(content: Content): string {
  if ('source' in content) return content.source
  const text = documentText(content.bytes)
  return text.ok ? text.value : ''
}
