/** Texts in quotes, straight or as Word writes them in its many languages. */

/** What ends a text, by the mark that begins it. */
const closers: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”“‟"'],
  ['”', '”"'],
  ['„', '“”‟"'],
  ['‟', '”"'],
  ['«', '»"'],
  ['»', '«"'],
  ["'", "'"],
  ['‘', "’‘'"],
  ['’', "’'"],
  ['‚', "‘’'"],
  ['‛', "’'"],
  ['‹', "›'"],
  ['›', "‹'"],
])

export function isQuote(character: string): boolean {
  return closers.has(character)
}

/** The quoted text whose opening mark is at `at`, and the offset after its closing mark; undefined if there is none. */
export function quotedAt(source: string, at: number): { text: string; end: number } | undefined {
  const close = closeOf(source, at)
  return close === undefined ? undefined : { text: source.slice(at + 1, close), end: close + 1 }
}

function closeOf(source: string, at: number): number | undefined {
  const mark = source.charAt(at)
  // Word may have changed only the second of two straight marks.
  if (mark === '"') return closeOfStraight(source, at + 1) ?? firstOf('”“‟', source, at + 1)
  return firstOf(closers.get(mark) ?? '', source, at + 1) ?? (mark === "'" ? firstOf('’‘', source, at + 1) : undefined)
}

function firstOf(marks: string, source: string, from: number): number | undefined {
  for (let at = from; at < source.length; at++) if (marks.includes(source.charAt(at))) return at
  return undefined
}

/** A straight mark, or a curly one that closes nothing inside of the text. */
function closeOfStraight(source: string, from: number): number | undefined {
  let inner = ''
  for (let at = from; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '"') return at
    if (inner !== '' && closers.get(inner)?.includes(character)) inner = ''
    else if (character === '”' && inner === '') return at
    else if (inner === '' && '“„«'.includes(character)) inner = character
  }
  return undefined
}

const singleMarks = "'‘’‚‛‹›"

/** Whether a mark begins a text there; in the middle of a word a single one is an apostrophe. */
export function opensQuote(source: string, at: number): boolean {
  const mark = source.charAt(at)
  if (!isQuote(mark)) return false
  return !singleMarks.includes(mark) || at === 0 || /[\s([,=<>!|/]/.test(source.charAt(at - 1))
}
