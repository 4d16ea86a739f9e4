/**
 * Patterns that are a sequence of characters and classes, each with a counter: most of what people write, and all that
 * use large counters. RE2 expands counters, so `[a-z]{6,3000}` takes it 3,000 steps a character; here a class takes one
 * step, whatever its counter.
 */
import { limits } from '../limits.ts'
import { linearPatterns } from './library.ts'
import { lastPoint, type Range } from './sets.ts'

/** One class with its counter. */
interface Run {
  /** As RE2 writes it. */
  set: string
  least: number
  most: number
}

export interface Runs {
  list: readonly Run[]
  isFixedAtStart: boolean
  isFixedAtEnd: boolean
}

/** What `compilePattern` writes, one piece at a time. */
const piece =
  /(\\A)|(\\z)|(\(\?:)|(\))|((?:\\x\{[0-9A-Fa-f]+\}|\\[pP]\{[^}]*\}|\[(?:\\[xpP]\{[^}]*\}|[-^])*\]))(?:(\*|\+|\?)|\{(\d+)(,?)(\d*)\})?/y

/** The runs of a pattern in RE2's syntax; undefined if it has choices, repeated groups, or anchors inside. */
export function readRuns(re2: string): Runs | undefined {
  const list: Run[] = []
  let isFixedAtStart = false
  let isFixedAtEnd = false
  for (let at = 0; at < re2.length; at = piece.lastIndex) {
    piece.lastIndex = at
    const found = piece.exec(re2)
    if (found === null) return undefined
    const [, start, end, open, close, set, sign] = found
    if (isFixedAtEnd && close === undefined) return undefined
    if (start !== undefined) {
      if (list.length > 0) return undefined
      isFixedAtStart = true
    } else if (end !== undefined) isFixedAtEnd = true
    else if (close !== undefined && /^[*+?{]/.test(re2.slice(piece.lastIndex, piece.lastIndex + 1))) return undefined
    else if (set !== undefined) addRun(list, { set, ...countsOf(sign, found[7], found[8], found[9]) })
    else if (open === undefined && close === undefined) return undefined
  }
  return { list, isFixedAtStart, isFixedAtEnd }
}

function countsOf(sign: string | undefined, least?: string, comma?: string, most?: string) {
  if (sign === '*') return { least: 0, most: Number.POSITIVE_INFINITY }
  if (sign === '+') return { least: 1, most: Number.POSITIVE_INFINITY }
  if (sign === '?') return { least: 0, most: 1 }
  if (least === undefined) return { least: 1, most: 1 }
  const from = Number(least)
  if (comma === '') return { least: from, most: from }
  return { least: from, most: most === '' ? Number.POSITIVE_INFINITY : Number(most) }
}

/** The translation splits a large counter into several runs of one class, since RE2 counts only to 1,000. */
function addRun(list: Run[], run: Run): void {
  const last = list.at(-1)
  if (last?.set !== run.set) {
    list.push(run)
    return
  }
  last.least += run.least
  last.most += run.most
}

/** The characters whose membership is a table. */
const asciiPoints = 128

/**
 * A matcher that reads the text once; undefined unless each character can belong to only one class. A class that repeats must be
 * disjoint from all that may follow it, so that greedy matching is exact.
 */
export function singlePassOf({ list, isFixedAtStart, isFixedAtEnd }: Runs): ((text: string) => boolean) | undefined {
  if (!isFixedAtStart || list.length > limits.schemaPatternSinglePassRuns) return undefined
  const runs: (Run & { ranges: readonly Range[]; ascii: Uint8Array; has: (point: number) => boolean })[] = []
  for (const run of list) {
    const ranges = rangesOf(run.set)
    if (ranges === undefined || ranges.length > limits.schemaPatternSinglePassRanges) return undefined
    const has = (point: number) => ranges.some(([from, to]) => point >= from && point <= to)
    const ascii = Uint8Array.from({ length: asciiPoints }, (_, point) => (has(point) ? 1 : 0))
    runs.push({ ...run, ranges, ascii, has })
  }
  const isCertain = runs.every(({ least, most, ranges }, index) => {
    if (least === most) return true
    const after = runs.slice(index + 1)
    const needed = after.findIndex((run) => run.least > 0)
    return after.slice(0, needed === -1 ? after.length : needed + 1).every((run) => areDisjoint(ranges, run.ranges))
  })
  if (!isCertain) return undefined
  const matches = (text: string): boolean => {
    let at = 0
    for (let index = 0; index < runs.length; index++) {
      const { ascii, has, least, most } = runs[index] as (typeof runs)[number]
      let count = 0
      for (; count < most && at < text.length; count++) {
        const unit = text.charCodeAt(at)
        if (unit < asciiPoints) {
          if (ascii[unit] === 0) break
          at++
          continue
        }
        const point = text.codePointAt(at) ?? unit
        if (!has(point)) break
        at += point > 0xffff ? 2 : 1
      }
      if (count < least) return false
    }
    return !isFixedAtEnd || at === text.length
  }
  const isOfOneLength = isFixedAtEnd && runs.every(({ least, most }) => least === most)
  return isOfOneLength ? placesTest(runs, matches) : matches
}

/**
 * The same for fixed-length texts, with one class per position, as one table. `otherwise` handles texts that aren't
 * ASCII.
 */
function placesTest(
  runs: readonly { ascii: Uint8Array; least: number }[],
  otherwise: (text: string) => boolean,
): (text: string) => boolean {
  const length = runs.reduce((sum, { least }) => sum + least, 0)
  if (length > limits.schemaPatternPlaces) return otherwise
  const table = new Uint8Array(length * asciiPoints)
  let place = 0
  for (const { ascii, least } of runs) {
    for (let count = 0; count < least; count++) table.set(ascii, asciiPoints * place++)
  }
  return (text) => {
    if (text.length < length) return false
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at)
      if (unit >= asciiPoints) return otherwise(text)
      if (table[at * asciiPoints + unit] === 0) return false
    }
    return text.length === length
  }
}

/** What a set holds; undefined if it names categories of characters. */
function rangesOf(set: string): Range[] | undefined {
  if (/\\p/i.test(set)) return undefined
  const ranges = [...set.matchAll(/\\x\{([^}]*)\}(?:-\\x\{([^}]*)\})?/g)].map(([, from = '', to = from]): Range => {
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })
  return set.startsWith('[^') ? complementOf(ranges) : ranges
}

function complementOf(ranges: readonly Range[]): Range[] {
  const left: Range[] = []
  let next = 0
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from > next) left.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= lastPoint) left.push([next, lastPoint])
  return left
}

function areDisjoint(some: readonly Range[], others: readonly Range[]): boolean {
  return some.every(([from, to]) => others.every(([first, last]) => to < first || last < from))
}

/** A matcher that takes one step for each character and run. */
export function matcherOf({ list, isFixedAtStart, isFixedAtEnd }: Runs): (text: string) => boolean {
  const runs = list.map((run) => ({ ...run, has: memberOf(run.set) }))
  return (text) => {
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
    // At which places of the text the runs so far can end.
    let ends = new Uint8Array(points.length + 1)
    if (isFixedAtStart) ends[0] = 1
    else ends.fill(1)
    for (const { has, least, most } of runs) {
      const next = new Uint8Array(points.length + 1)
      // How many of the ends lie before each place.
      const before = new Uint32Array(points.length + 2)
      for (let at = 0; at <= points.length; at++) before[at + 1] = (before[at] ?? 0) + (ends[at] ?? 0)
      let first = 0
      for (let at = 0; at <= points.length; at++) {
        if (at > 0 && !has(points[at - 1] ?? 0)) first = at
        const from = Math.max(first, at - most)
        const to = at - least
        if (to >= from && (before[to + 1] ?? 0) > (before[from] ?? 0)) next[at] = 1
      }
      ends = next
    }
    return isFixedAtEnd ? ends[points.length] === 1 : ends.includes(1)
  }
}

/** Whether a class has a character; RE2 itself says so, once for each character. */
function memberOf(set: string): (point: number) => boolean {
  const compiled = linearPatterns().compile(`\\A${set}\\z`)
  const known = new Map<number, boolean>()
  return (point) => {
    let isMember = known.get(point)
    if (isMember === undefined) {
      if (known.size >= limits.schemaPatternKnownPoints) known.clear()
      isMember = compiled.test(String.fromCodePoint(point))
      known.set(point, isMember)
    }
    return isMember
  }
}
