import type { AbsoluteTab } from '../../model/document.ts'
import type { TabStop } from '../../model/properties.ts'
import type { ParagraphStyle } from '../../style/cascade.ts'
import { Kind, type Plan } from './plan.ts'
import type { ParagraphText, Room } from './set-line.ts'

export interface TabTarget {
  to: number
  leader: TabStop['leader']
  /** The stop itself lies beyond the right edge, so the tab wraps. */
  beyond: boolean
  /** A right, centre or decimal stop beyond the right edge lets the rest of the line reach as far. */
  reach: number
  /** Width of the gap before a right, centre or decimal stop: how far the text behind could move left; 0 at other stops. */
  pulled: number
}

/** Where the tab of the entry `at` leads, given what follows it; `x` is where the text before it ends. */
export function tabTarget(text: ParagraphText, at: number, { x, left, right }: Room & { x: number }): TabTarget {
  const { plan, style } = text
  const absolute = plan.absoluteTabs?.get(at)
  const stop = absolute ? absoluteStop(absolute, right, style) : nextStop(text, x, left)
  if (stop.kind === 'left' || stop.kind === 'bar')
    return {
      to: Math.max(x, stop.position),
      leader: stop.leader,
      beyond: stop.position > right,
      reach: right,
      pulled: 0,
    }
  let width = 0
  let beforePoint = -1
  for (let next = at + 1; next < plan.length; next++) {
    if (endsStretch(plan.kind(next))) break
    if (beforePoint < 0 && isPoint(plan, next)) beforePoint = width
    width += plan.advance(next)
  }
  const shift =
    stop.kind === 'right' ? width : stop.kind === 'center' ? width / 2 : lastPoint(plan, at, width, beforePoint)
  // A centred or right stop at the margin still keeps its text inside it.
  let to = stop.position - shift
  if (to + width > right && stop.position <= right + 1) to = Math.min(to, right - width)
  to = Math.max(x, to)
  return { to, leader: stop.leader, beyond: false, reach: Math.max(right, stop.position), pulled: to - x }
}

/** Width before the decimal point: the last separator followed by digits; earlier ones separate thousands. */
function lastPoint(plan: Plan, at: number, width: number, first: number): number {
  if (first < 0) return width
  let run = 0
  let found = first
  for (let next = at + 1; next < plan.length; next++) {
    if (endsStretch(plan.kind(next))) break
    if (isPoint(plan, next)) found = run
    run += plan.advance(next)
  }
  return found
}

function endsStretch(kind: number): boolean {
  return kind === Kind.tab || kind === Kind.line || kind === Kind.page || kind === Kind.column
}

/** A decimal point or comma: digits follow it. */
function isPoint(plan: Plan, at: number): boolean {
  const code = plan.code(at)
  if (code !== 0x2e && code !== 0x2c) return false
  const next = plan.code(at + 1)
  return next >= 0x30 && next <= 0x39
}

function absoluteStop({ align, from, leader }: AbsoluteTab, right: number, style: ParagraphStyle): TabStop {
  const start = from === 'indent' ? style.left : 0
  const end = from === 'indent' ? right : right + style.right
  const position = align === 'left' ? start : align === 'right' ? end : (start + end) / 2
  return { position, kind: align, leader }
}

function nextStop({ style, settings }: ParagraphText, x: number, left: number): TabStop {
  const beyond = x + 0.1
  let candidate: TabStop | undefined
  for (const stop of style.tabs) {
    if (stop.kind !== 'bar' && stop.position > beyond) {
      candidate = stop
      break
    }
  }
  // The indent of the following lines is a stop of its own for a hanging first line.
  if (left < style.left && style.left > beyond && (!candidate || candidate.position > style.left)) {
    return { position: style.left, kind: 'left', leader: 'none' }
  }
  if (candidate) return candidate
  const position = (Math.floor(beyond / settings.defaultTab) + 1) * settings.defaultTab
  return { position, kind: 'left', leader: 'none' }
}
