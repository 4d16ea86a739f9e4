import { limits } from '../core/limits.ts'
/** Comparing texts as a reader would: by their words, line by line. */

/** Blanks of every kind as one, none at the ends of lines, and no blank lines. */
export function comparableText(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
  return lines.filter((line) => line !== '').join('\n')
}

/** Why a text was not found: the lines most like it, then the text from its top. */
export function notFoundMessage(text: string, wanted: string | RegExp): string {
  const lines = text.split('\n')
  const named = wanted instanceof RegExp ? String(wanted) : wanted
  const near = wanted instanceof RegExp ? [] : linesLike(lines, comparableText(wanted))
  const nearest = near.length === 0 ? [] : ['', 'Most like it:', ...near]
  const numbered = lines.slice(0, limits.testingLinesShown).map(numberedLine)
  const rest =
    lines.length > limits.testingLinesShown ? [`  … ${lines.length - limits.testingLinesShown} more lines`] : []
  return ['The document does not contain:', indented(named), ...nearest, '', 'Its text:', ...numbered, ...rest].join(
    '\n',
  )
}

export function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}

function numberedLine(line: string, index: number): string {
  return `${String(index + 1).padStart(4)}  ${line}`
}

/** Up to three lines that share most of the wanted words. */
function linesLike(lines: readonly string[], wanted: string): string[] {
  const words = wordsOf(wanted)
  const scored = lines.map((line, index) => {
    const own = wordsOf(line)
    const shared = [...words].filter((word) => own.has(word)).length
    return { line: numberedLine(line, index), score: shared / (words.size + own.size - shared) }
  })
  return scored
    .filter(({ score }) => score > 0.2)
    .sort((one, other) => other.score - one.score)
    .slice(0, 3)
    .map(({ line }) => line)
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}
