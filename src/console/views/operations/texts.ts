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
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3_600) return formatDuration(Math.round(seconds) * 1_000)
  if (seconds < 172_800) return t`${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`
  return t`${Math.floor(seconds / 86_400)} days`
}
