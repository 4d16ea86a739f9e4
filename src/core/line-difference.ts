import { structuredPatch } from 'diff'

/** A stretch of lines that differs, with the equal lines around it as a unified diff has them. */
export interface Change {
  /** 1-based line of the expected text at which the stretch begins. */
  line: number
  /** Each line with its sign: `-` expected only, `+` made only, a blank in both. */
  lines: readonly string[]
}

/** How much of the equal lines is shown around a difference. */
const context = 2

/** Where two texts differ, line by line. */
export function changedLines(expected: string, actual: string): Change[] {
  const patch = structuredPatch('expected', 'actual', expected, actual, '', '', { context })
  return patch.hunks.map(({ oldStart, lines }) => ({ line: oldStart, lines }))
}
