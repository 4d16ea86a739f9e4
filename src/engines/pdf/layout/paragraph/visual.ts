import { visualRuns } from '../../text/bidi.ts'
import { Kind, type Plan } from './plan.ts'

/** Entries that are drawn together, up to `to`; `reversed` ones read from right to left. */
export interface Piece {
  from: number
  to: number
  reversed: boolean
}

/**
 * The pieces of a line in the order in which they are set: from left to right, or from right to left in a paragraph
 * that is laid out from its right edge.
 *
 * @param trimmed where the line's trailing blanks begin
 */
export function piecesOf(plan: Plan, start: number, end: number, trimmed: number): Piece[] {
  const base = plan.bidi ? 1 : 0
  const levels = plan.levels ? plan.levels.slice(start, end) : new Uint8Array(end - start)
  // Blanks at the end and before tabs, and the tabs, have the paragraph's own level (UAX 9, L1).
  let isTrailing = true
  for (let at = end - 1; at >= start; at--) {
    const kind = plan.kind(at)
    if (kind === Kind.tab) isTrailing = true
    if (at >= trimmed || (isTrailing && kind !== Kind.text && kind !== Kind.object)) levels[at - start] = base
    else isTrailing = false
  }
  const pieces: Piece[] = []
  for (const run of visualRuns(levels, start)) {
    const reversed = run.level % 2 === 1
    const split = piecesOfRun(plan, { ...run, reversed })
    pieces.push(...(reversed ? split.reverse() : split))
  }
  return plan.bidi ? pieces.reverse() : pieces
}

function piecesOfRun(plan: Plan, { from, to, reversed }: Piece): Piece[] {
  const pieces: Piece[] = []
  for (let at = from; at < to; ) {
    let next = at + 1
    if (isGlyph(plan, at)) while (next < to && isGlyph(plan, next) && plan.spanOf[next] === plan.spanOf[at]) next++
    pieces.push({ from: at, to: next, reversed })
    at = next
  }
  return pieces
}

function isGlyph(plan: Plan, at: number): boolean {
  const kind = plan.kind(at)
  return kind === Kind.text || kind === Kind.space
}
