import type { AbsoluteTab } from '../../model/document.ts'
import type { TabStop } from '../../model/properties.ts'
import type { ParagraphStyle } from '../../style/cascade.ts'
import type { LineSettings } from './line.ts'
import { Kind, type Plan } from './plan.ts'

/** A tab on a set line: where the gap begins and ends. */
export interface TabPlace {
  at: number
  from: number
  to: number
  leader: TabStop['leader']
}

export interface TabTarget {
  to: number
  leader: TabStop['leader']
  /** The stop itself lies beyond the right edge, so the tab wraps. */
  beyond: boolean
  /** A right, centre or decimal stop beyond the right edge lets the rest of the line reach as far. */
  reach: number
  /** How far the text behind the tab could still move to the left: a right, centre or decimal stop drew it there. */
  pulled: number
}

/** Where a tab at position `at` leads, given what follows it. */
export function tabTarget(
  plan: Plan,
  at: number,
  x: number,
  left: number,
  right: number,
  style: ParagraphStyle,
  settings: LineSettings,
): TabTarget {
  const absolute = plan.absoluteTabs?.get(at)
  const stop = absolute ? absoluteStop(absolute, right, style) : nextStop(x, left, style, settings)
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
  for (let next = at + 1; next < plan.kinds.length; next++) {
    const kind = plan.kinds[next]!
    if (kind === Kind.tab || kind === Kind.line || kind === Kind.page || kind === Kind.column) break
    const code = plan.codes[next]
    if (beforePoint < 0 && (code === 0x2e || code === 0x2c) && isDigit(plan.codes[next + 1])) beforePoint = width
    width += plan.advances[next]!
  }
  const shift =
    stop.kind === 'right' ? width : stop.kind === 'center' ? width / 2 : lastPoint(plan, at, width, beforePoint)
  // A centred or right stop at the margin still keeps its text inside of it.
  let to = stop.position - shift
  if (to + width > right && stop.position <= right + 1) to = Math.min(to, right - width)
  to = Math.max(x, to)
  return { to, leader: stop.leader, beyond: false, reach: Math.max(right, stop.position), pulled: to - x }
}

/** Width before the decimal point: the last separator that is followed by digits decides, thousands come before it. */
function lastPoint(plan: Plan, at: number, width: number, first: number): number {
  if (first < 0) return width
  let run = 0
  let found = first
  for (let next = at + 1; next < plan.kinds.length; next++) {
    const kind = plan.kinds[next]!
    if (kind === Kind.tab || kind === Kind.line || kind === Kind.page || kind === Kind.column) break
    const code = plan.codes[next]
    if ((code === 0x2e || code === 0x2c) && isDigit(plan.codes[next + 1])) found = run
    run += plan.advances[next]!
  }
  return found
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39
}

function absoluteStop({ align, from, leader }: AbsoluteTab, right: number, style: ParagraphStyle): TabStop {
  const start = from === 'indent' ? style.left : 0
  const end = from === 'indent' ? right : right + style.right
  const position = align === 'left' ? start : align === 'right' ? end : (start + end) / 2
  return { position, kind: align, leader }
}

function nextStop(x: number, left: number, style: ParagraphStyle, settings: LineSettings): TabStop {
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
