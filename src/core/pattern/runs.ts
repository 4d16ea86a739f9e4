/**
 * Patterns that are a sequence of characters and classes, each with its counter: most of what people write, and all of
 * what has large counters. RE2 writes counters out, so `[a-z]{6,3000}` takes it 3,000 steps a character; here a class
 * takes one, whatever its counter.
 */
import { limits } from '../limits.ts'
import { linearPatterns } from './library.ts'

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

/** The translation writes a large counter as several runs of one class, since RE2 counts to 1,000 only. */
function addRun(list: Run[], run: Run): void {
  const last = list.at(-1)
  if (last?.set !== run.set) {
    list.push(run)
    return
  }
  last.least += run.least
  last.most += run.most
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
