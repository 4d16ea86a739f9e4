import { isEastAsian } from '../../font/scripts.ts'
import type { ParagraphStyle } from '../../style/cascade.ts'
import { mayBreakBetween } from '../../text/breaks.ts'
import { isHangul, isWide } from '../../text/script.ts'
import { Kind, type Plan } from './plan.ts'

/** The space between ideographs and Latin letters or digits, as a share of the size. */
const SPACE_BETWEEN_SCRIPTS = 0.25

/** Widens the last character before each change between ideographs and Latin text (17.3.1.2, 17.3.1.3). */
export function spaceScripts(plan: Plan, style: ParagraphStyle): void {
  if (!style.autoSpaceLatin && !style.autoSpaceDigits) return
  let previous = -1
  for (let at = plan.labelLength; at < plan.length; at++) {
    const kind = plan.kind(at)
    if (kind === Kind.mark) continue
    if (kind === Kind.text && previous >= 0 && meets(plan.code(previous), plan.code(at), style)) {
      const gap = plan.style(previous).look.size * SPACE_BETWEEN_SCRIPTS
      plan.widen(previous, gap)
      plan.gaps ??= new Map()
      plan.gaps.set(previous, gap)
      plan.adjusted = true
    }
    previous = kind === Kind.text ? at : -1
  }
}

/** Widens the characters of text with ideographs by what a grid of characters adds to each. */
export function spaceOnGrid(plan: Plan, space: number): void {
  for (let at = plan.labelLength; at < plan.length; at++) {
    const kind = plan.kind(at)
    if (kind === Kind.text || kind === Kind.space) plan.widen(at, isWide(plan.code(at)) ? space : space / 2)
  }
  plan.adjusted = true
}

function meets(before: number, after: number, style: ParagraphStyle): boolean {
  const other = isIdeograph(before) ? after : isIdeograph(after) ? before : 0
  if (other === 0 || isEastAsian(other)) return false
  if (other >= 0x30 && other <= 0x39) return style.autoSpaceDigits
  return style.autoSpaceLatin && isLatinLetter(other)
}

/** Letters of East Asian scripts; punctuation among them has its own space inside. */
function isIdeograph(code: number): boolean {
  return (
    (code >= 0x3041 && code <= 0x30ff && code !== 0x30fb) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x20000 && code <= 0x3ffff) ||
    code === 0x3005
  )
}

function isLatinLetter(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0xc0 && code <= 0x52f && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x1e00 && code <= 0x1fff)
  )
}

/**
 * Whether a justified line may be widened after an entry: at blanks, and at every ideograph but the last. Hangul keeps
 * its widths because blanks separate its words.
 */
export function stretchesAfter(plan: Plan, at: number, trimmed: number): boolean {
  const kind = plan.kind(at)
  if (kind === Kind.space) return true
  return plan.eastAsian && kind === Kind.text && at < trimmed - 1 && isSpread(plan.code(at))
}

function isSpread(code: number): boolean {
  return isEastAsian(code) && !isHangul(code)
}

/** Signs that may hang, by language: Japanese sets only commas and full stops outside the edge. */
const hangingSigns = new Set('!,.:;?\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f')
const hangingStops = new Set('\u3001\u3002\uff0c\uff0e')

/**
 * Whether an entry is punctuation that may hang outside the right edge (17.3.1.21): the text before it is East Asian,
 * and what follows may begin a line.
 */
export function mayHang(plan: Plan, at: number, style: ParagraphStyle): boolean {
  if (!plan.eastAsian || !style.overflowPunctuation || plan.kind(at) !== Kind.text) return false
  const code = plan.code(at)
  if (!hangingSigns.has(String.fromCharCode(code))) return false
  const language = languageBefore(plan, at)
  if (language === undefined) return false
  if (language.startsWith('ja') && !hangingStops.has(String.fromCharCode(code))) return false
  const next = plan.kind(at + 1) === Kind.text ? plan.code(at + 1) : 0
  return next === 0 || mayBreakBetween(plan.code(at - 1), code, next)
}

/** The language of the text that punctuation belongs to; undefined if the last letter or digit is not East Asian. */
function languageBefore(plan: Plan, at: number): string | undefined {
  for (let entry = at - 1; entry >= 0; entry--) {
    const code = plan.code(entry)
    if (plan.kind(entry) !== Kind.text || !isLetterOrDigit(code)) continue
    return isEastAsian(code) ? plan.style(entry).look.language : undefined
  }
  return isEastAsian(plan.code(at)) ? plan.style(at).look.language : undefined
}

function isLetterOrDigit(code: number): boolean {
  return isIdeograph(code) || (code >= 0x30 && code <= 0x39) || isLatinLetter(code)
}
