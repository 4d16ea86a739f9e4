/** What differs between two texts, so that an editor changes that and nothing else. Pure. */

export interface TextChange {
  from: number
  to: number
  insert: string
}

/** How many lines after a difference are searched for a place where the texts agree again, and how many equal lines that takes. */
const reach = 40
const alike = 3
/** The rest of texts that differ at more places is one change. */
const maxChanges = 100

/** The parts that differ, in order: what is around them keeps its place, its folds and its colours. */
export function changesBetween(before: string, after: string): TextChange[] {
  const changes: TextChange[] = []
  let [at, to] = [0, 0]
  for (;;) {
    const same = alikeFrom(before, at, after, to)
    at += same
    to += same
    if (at === before.length && to === after.length) return changes
    const next = (changes.length < maxChanges - 1 ? meeting(before, at, after, to) : undefined) ?? {
      at: before.length,
      to: after.length,
    }
    const kept = alikeBefore(before.slice(at, next.at), after.slice(to, next.to))
    changes.push({ from: at, to: next.at - kept, insert: after.slice(to, next.to - kept) })
    ;[at, to] = [next.at, next.to]
  }
}

/** Blocks are compared by the engine itself, letters one by one. */
const block = 4096

/** How many letters are alike from two offsets on. */
function alikeFrom(before: string, at: number, after: string, to: number): number {
  const most = Math.min(before.length - at, after.length - to)
  let same = 0
  const isSameBlock = () => before.slice(at + same, at + same + block) === after.slice(to + same, to + same + block)
  while (same + block <= most && isSameBlock()) same += block
  while (same < most && before.charCodeAt(at + same) === after.charCodeAt(to + same)) same++
  return same
}

/** How many letters are alike at the ends. */
function alikeBefore(before: string, after: string): number {
  const most = Math.min(before.length, after.length)
  let same = 0
  const partOf = (text: string) => text.slice(text.length - same - block, text.length - same)
  while (same + block <= most && partOf(before) === partOf(after)) same += block
  while (same < most && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same))
    same++
  return same
}

/** The nearest place after a difference from which on some lines are alike. */
function meeting(before: string, at: number, after: string, to: number): { at: number; to: number } | undefined {
  const places = new Map<string, number>()
  const made = linesAfter(after, to)
  for (const [index, { text }] of made.entries()) if (!places.has(text)) places.set(text, index)
  let nearest: { at: number; to: number; lines: number } | undefined
  for (const [index, { start, text }] of linesAfter(before, at).entries()) {
    const other = places.get(text)
    if (other === undefined || (nearest !== undefined && index + other >= nearest.lines)) continue
    nearest = { at: start, to: made[other]?.start ?? 0, lines: index + other }
  }
  return nearest
}

/** The next lines that begin after an offset, each with those that follow it. */
function linesAfter(text: string, offset: number): { start: number; text: string }[] {
  const starts: number[] = []
  for (let at = text.indexOf('\n', offset); at >= 0 && starts.length < reach + alike; at = text.indexOf('\n', at + 1))
    starts.push(at + 1)
  return starts.slice(0, -alike).map((start, index) => ({ start, text: text.slice(start, starts[index + alike]) }))
}

/** As editors have it: the end of a line is one letter. */
export function withOneLineEnd(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}
