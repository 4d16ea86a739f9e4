/**
 * Merges three texts of one origin by lines. What only one side changed is taken; what both changed differently is a
 * collision that somebody must decide. Pure.
 */

/** What became of some lines of the base. `alike`: both sides made the same change. */
type Verdict = 'same' | 'theirs' | 'mine' | 'alike' | 'collision'

export interface Region {
  verdict: Verdict
  base: Lines
  theirs: Lines
  mine: Lines
}

export interface Lines {
  /** The line of the first one, from 1; if there is none, of the one that would follow. */
  line: number
  texts: readonly string[]
}

/** How a collision is decided; `both` puts theirs before mine. */
export type Choice = 'theirs' | 'mine' | 'both'

/** All lines in order. Changes that touch each other collide, as a comma may belong to either. */
export function mergeTexts(base: string, theirs: string, mine: string): Region[] {
  const [origin, left, right] = [base.split('\n'), theirs.split('\n'), mine.split('\n')]
  const changes = [
    ...changesOf(origin, left).map((change) => ({ ...change, isTheirs: true })),
    ...changesOf(origin, right).map((change) => ({ ...change, isTheirs: false })),
  ].sort((one, other) => one.from - other.from)
  const regions: Region[] = []
  let at = { base: 0, theirs: 0, mine: 0 }
  const add = (verdict: Verdict | undefined, to: typeof at) => {
    const [old, first, second] = [
      origin.slice(at.base, to.base),
      left.slice(at.theirs, to.theirs),
      right.slice(at.mine, to.mine),
    ]
    if (old.length + first.length + second.length > 0) {
      regions.push({
        verdict: verdict ?? (isSame(first, second) ? 'alike' : 'collision'),
        base: { line: at.base + 1, texts: old },
        theirs: { line: at.theirs + 1, texts: first },
        mine: { line: at.mine + 1, texts: second },
      })
    }
    at = to
  }
  const skip = (lines: number) => ({ base: at.base + lines, theirs: at.theirs + lines, mine: at.mine + lines })
  for (let index = 0; index < changes.length; ) {
    const group = touching(changes, index)
    index += group.length
    const from = group[0]?.from ?? 0
    const to = Math.max(...group.map((change) => change.to))
    add('same', skip(from - at.base))
    const end = skip(to - from)
    for (const { isTheirs, from: start, to: stop, length } of group) {
      end[isTheirs ? 'theirs' : 'mine'] += length - (stop - start)
    }
    const sides = new Set(group.map(({ isTheirs }) => isTheirs))
    add(sides.size === 2 ? undefined : sides.has(true) ? 'theirs' : 'mine', end)
  }
  add('same', skip(origin.length - at.base))
  return regions
}

/** The merged text; undefined while a collision has no choice. */
export function mergedText(regions: readonly Region[], choices: ReadonlyMap<Region, Choice>): string | undefined {
  const lines: string[] = []
  for (const region of regions) {
    const choice = region.verdict === 'collision' ? choices.get(region) : region.verdict
    if (choice === undefined) return undefined
    if (choice !== 'mine') lines.push(...region.theirs.texts)
    if (choice === 'mine' || choice === 'both') lines.push(...region.mine.texts)
  }
  return lines.join('\n')
}

/** Lines `from` to `to` of the base (not included) became `length` lines. */
interface Change {
  from: number
  to: number
  length: number
}

/** The changes from an index on that overlap or adjoin each other; ordered by their start. */
function touching<C extends Change>(changes: readonly C[], first: number): C[] {
  const group: C[] = []
  let end = Number.NEGATIVE_INFINITY
  for (let index = first; index < changes.length; index++) {
    const change = changes[index]
    if (change === undefined || (group.length > 0 && change.from > end)) break
    group.push(change)
    end = Math.max(end, change.to)
  }
  return group
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index])
}

/** What has to be done to the lines of `a` for those of `b`, from the first to the last. */
function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = []
  let [done, made] = [0, 0]
  for (const [from, at] of [...pairsOf(a, b), [a.length, b.length] as const]) {
    if (from > done || at > made) changes.push({ from: done, to: from, length: at - made })
    ;[done, made] = [from + 1, at + 1]
  }
  return changes
}

type Pair = readonly [a: number, b: number]

interface Span {
  a: Pair
  b: Pair
}

/** Beyond this many comparisons, lines between two anchors count as replaced. */
const maxComparisons = 1_000_000

/**
 * Lines that stay, in ascending order: equal ends, then lines that each text has once ("patience"), and between these
 * the longest common subsequence.
 */
function pairsOf(a: readonly string[], b: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  const open: Span[] = [{ a: [0, a.length], b: [0, b.length] }]
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    let [[aFrom, aTo], [bFrom, bTo]] = [span.a, span.b]
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) pairs.push([aFrom++, bFrom++])
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) pairs.push([--aTo, --bTo])
    if (aFrom === aTo || bFrom === bTo) continue
    const anchors = anchorsOf(a, b, { a: [aFrom, aTo], b: [bFrom, bTo] })
    if (anchors.length === 0) {
      pairs.push(...longestCommon(a, b, { a: [aFrom, aTo], b: [bFrom, bTo] }))
      continue
    }
    pairs.push(...anchors)
    for (const [aAt, bAt] of [...anchors, [aTo, bTo] as const]) {
      open.push({ a: [aFrom, aAt], b: [bFrom, bAt] })
      ;[aFrom, bFrom] = [aAt + 1, bAt + 1]
    }
  }
  return pairs.sort(([one], [other]) => one - other)
}

/** Lines that both spans have exactly once: as many of them as are in the same order. */
function anchorsOf(a: readonly string[], b: readonly string[], span: Span): Pair[] {
  const inA = placesOf(a, span.a)
  const inB = placesOf(b, span.b)
  const shared = [...inA].flatMap(([line, place]): Pair[] => {
    const other = inB.get(line)
    return place === undefined || other === undefined ? [] : [[place, other]]
  })
  return longestAscending(shared)
}

/** Where each line is; undefined if it is there more than once. */
function placesOf(lines: readonly string[], [from, to]: Pair): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>()
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? ''
    places.set(line, places.has(line) ? undefined : at)
  }
  return places
}

interface Chain {
  pair: Pair
  rest: Chain | undefined
}

/** The longest series of pairs, ascending in `a`, that also ascends in `b`. */
function longestAscending(pairs: readonly Pair[]): Pair[] {
  /** For each length, the chain whose last pair is the lowest in `b`. */
  const ends: Chain[] = []
  for (const pair of pairs) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1
      else high = middle
    }
    ends[low] = { pair, rest: ends[low - 1] }
  }
  const longest: Pair[] = []
  for (let end = ends.at(-1); end !== undefined; end = end.rest) longest.push(end.pair)
  return longest.reverse()
}

function longestCommon(a: readonly string[], b: readonly string[], { a: [aFrom, aTo], b: [bFrom, bTo] }: Span): Pair[] {
  const [rows, columns] = [aTo - aFrom, bTo - bFrom]
  if (rows * columns > maxComparisons) return []
  const width = columns + 1
  /** Length of the longest common rest from here on. */
  const lengths = new Uint32Array((rows + 1) * width)
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      lengths[row * width + column] =
        a[aFrom + row] === b[bFrom + column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
    }
  }
  const pairs: Pair[] = []
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (a[aFrom + row] === b[bFrom + column]) pairs.push([aFrom + row++, bFrom + column++])
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++
    else column++
  }
  return pairs
}
