/** Figures in words. */

import { formatDuration, formatNumber } from '../../format.ts'
import { t } from '../../language.ts'

export const unknown = t`Not known`

/** `12`, `10,000+`. */
export function countText({ count, is_exact }: { count: number; is_exact: boolean }): string {
  return `${formatNumber(count)}${is_exact ? '' : '+'}`
}

/** `4 s`, `7 min 5 s`, `3 h 20 min`, `2 days`. */
export function durationText(seconds: number): string {
  if (seconds < 1) return t`less than 1 s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return formatDuration(whole * 1_000)
  const minutes = Math.round(seconds / 60)
  if (minutes < 2_880) return t`${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return t`${Math.floor(minutes / 1_440)} days`
}
