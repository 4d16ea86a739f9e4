/** The lines that differ between two texts, as in a unified diff, with what differs inside of a line marked. */

import type { Change } from '../../core/line-difference.ts'
import { t } from '../language.ts'
import { Blocks } from './blocks.tsx'

type Sign = '+' | '-' | ' '

interface Line {
  key: string
  sign: Sign
  /** Line numbers in the older and in the newer text. */
  numbers: readonly [older: number | undefined, newer: number | undefined]
  /** The line before, in and behind the part that differs from its counterpart. */
  parts: readonly [start: string, changed: string, end: string]
  isFirst: boolean
}

const linePx = 22

export function LineDifference({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
    <section class="diff" aria-label={label} tabIndex={0}>
      <Blocks rows={linesOf(changes)} class="diff-lines" rowPx={linePx} draw={(line) => <DiffLine {...line} />} />
    </section>
  )
}

const spoken = { '+': t`Added: `, '-': t`Removed: `, ' ': '' }

function DiffLine({ sign, numbers, parts, isFirst }: Omit<Line, 'key'>) {
  const [start, changed, end] = parts
  return (
    <li class="diff-line" data-sign={sign} data-first={isFirst}>
      <span class="diff-number" aria-hidden="true">
        {numbers[0]}
      </span>
      <span class="diff-number" aria-hidden="true">
        {numbers[1]}
      </span>
      <span class="diff-sign" aria-hidden="true">
        {sign === '-' ? '−' : sign}
      </span>
      <code>
        {spoken[sign] !== '' && <span class="offscreen">{spoken[sign]}</span>}
        {start}
        {changed !== '' && <mark>{changed}</mark>}
        {end}
      </code>
    </li>
  )
}

/** The changes as a server tells them: `@@ line 3 @@`, then lines with their signs. */
export function changesIn(difference: string): Change[] {
  const changes: { line: number; lines: string[] }[] = []
  for (const line of difference.replace(/\n$/, '').split('\n')) {
    const begin = /^@@ line (\d+) @@$/.exec(line)?.[1]
    if (begin !== undefined) changes.push({ line: Number(begin), lines: [] })
    else changes.at(-1)?.lines.push(line)
  }
  return changes
}

export function countsOf(changes: readonly Change[]): { added: number; removed: number } {
  const lines = changes.flatMap((change) => change.lines)
  const count = (sign: Sign) => lines.filter((line) => line.startsWith(sign)).length
  return { added: count('+'), removed: count('-') }
}

function linesOf(changes: readonly Change[]): Line[] {
  const lines: Line[] = []
  /** How many more lines the newer text has so far. */
  let shift = 0
  for (const { line, lines: own } of changes) {
    const others = counterparts(own)
    let [older, newer] = [line, line + shift]
    for (const [index, text] of own.entries()) {
      const sign = text[0] === '+' || text[0] === '-' ? text[0] : ' '
      // "No newline at end of file" is no line.
      if (text[0] === '\\') continue
      lines.push({
        key: `${line} ${index}`,
        sign,
        numbers: [sign === '+' ? undefined : older, sign === '-' ? undefined : newer],
        parts: partsOf(text.slice(1), others.get(index)),
        isFirst: index === 0,
      })
      if (sign !== '+') older++
      if (sign !== '-') newer++
    }
    shift += newer - line - shift - (older - line)
  }
  return lines
}

/** Pairs each removed line with the added one in its place, in both directions: first with first, as far as both go. */
function counterparts(lines: readonly string[]): Map<number, string> {
  const found = new Map<number, string>()
  for (let from = 0; from < lines.length; ) {
    if (lines[from]?.[0] !== '-') {
      from++
      continue
    }
    let middle = from
    while (lines[middle]?.[0] === '-') middle++
    let to = middle
    while (lines[to]?.[0] === '+') to++
    for (let at = 0; at < Math.min(middle - from, to - middle); at++) {
      found.set(from + at, lines[middle + at]?.slice(1) ?? '')
      found.set(middle + at, lines[from + at]?.slice(1) ?? '')
    }
    from = to
  }
  return found
}

/** With less than this share in common, the whole line counts as different. */
const minCommon = 0.3

function partsOf(text: string, other: string | undefined): Line['parts'] {
  if (other === undefined || other === text) return [text, '', '']
  const most = Math.min(text.length, other.length)
  let start = 0
  while (start < most && text[start] === other[start]) start++
  let end = 0
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++
  if (text.slice(0, start).trim().length + end < minCommon * Math.max(text.length, other.length)) return [text, '', '']
  return [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)]
}
