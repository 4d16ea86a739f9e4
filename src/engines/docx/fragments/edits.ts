/** Changes to stretches of a source. */

export interface Edit {
  start: number
  end: number
  text: string
}

/** A stretch of the source with the changes inside it; they come in any order and don't overlap. */
export function edited(source: string, { start, end }: { start: number; end: number }, edits: readonly Edit[]): string {
  const sorted = edits.filter((edit) => edit.start >= start && edit.end <= end).sort((a, b) => a.start - b.start)
  let text = ''
  let at = start
  for (const edit of sorted) {
    text += source.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + source.slice(at, end)
}
