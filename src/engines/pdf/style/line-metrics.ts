import type { Font } from '../font/library.ts'
import type { RunProps } from '../model/properties.ts'

interface LineMetrics {
  ascent: number
  descent: number
}

/**
 * Dots per point of the device that text is measured with: six per twip, so that any size in half points is whole. It
 * also serves documents that ask for their printer's dots (`w:usePrinterMetrics`), since there is no printer.
 */
const DOTS_PER_POINT = 120

/**
 * How far a line of a font reaches above and below its baseline. Lines are whole twips high, and a fraction lost on
 * each adds up over a page, so this rounds where LibreOffice does: the font's metrics to dots of the device, then the
 * text's height, the gap and the ascent to twips.
 */
export function lineMetrics(font: Pick<Font, 'ascent' | 'descent' | 'gap'>, size: number): LineMetrics {
  const dots = Math.max(1, Math.round(size * DOTS_PER_POINT))
  const twips = 20 / DOTS_PER_POINT
  const above = Math.round(font.ascent * dots)
  const gap = Math.round(Math.round(font.gap * dots) * twips)
  const height = Math.round((above + Math.round(font.descent * dots)) * twips) + gap
  const ascent = Math.round(above * twips) + gap
  return { ascent: ascent / 20, descent: (height - ascent) / 20 }
}

/** Size of superscripts and subscripts in percent of the text’s. */
const RAISED_PERCENT = 58

/** Superscripts end where the tallest letters around them end, subscripts where the deepest do. */
export function raised(
  font: Font,
  size: number,
  full: LineMetrics,
  vertical: RunProps['vertical'],
): { size: number; shift: number } {
  if (vertical !== 'superscript' && vertical !== 'subscript') return { size, shift: 0 }
  const small = Math.floor((size * 20 * RAISED_PERCENT) / 100) / 20
  const own = lineMetrics(font, small)
  return { size: small, shift: vertical === 'superscript' ? full.ascent - own.ascent : own.descent - full.descent }
}

/** Raised or lowered text moves by a whole percentage of its line height: the stated distance as a share of the font size. */
export function positionOf(points: number, size: number, { ascent, descent }: LineMetrics): number {
  if (points === 0 || size <= 0) return 0
  const percent = Math.round((points / size) * 100)
  return Math.trunc((Math.round((ascent + descent) * 20) * percent) / 100) / 20
}
