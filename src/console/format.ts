/** Formats figures for people. */
import { locale, t } from './language.ts'

/** 12,345; with two digits behind the point 12,345.60. */
export function formatNumber(value: number, digits = 0): string {
  return value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** 7 ms, 820 ms, 1.24 s, 2 min 5 s. The unit is that of the rounded figure: no 60 s beside a minute. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1000) return t`${Math.round(ms)} ms`
  if (ms < 59_950) return `${formatNumber(ms / 1000, ms < 9_995 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1000)
  return t`${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** 812 B, 14.2 KB, 3.1 MB, 57.8 GB, in thousands. The unit is that of the rounded figure. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_950) return `${formatNumber(bytes / 1000, 1)} KB`
  if (bytes < 999_950_000) return `${formatNumber(bytes / 1_000_000, 1)} MB`
  return `${formatNumber(bytes / 1_000_000_000, 1)} GB`
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** `3 minutes ago`, seen from the given instant; what rounds to 60 minutes is an hour. */
export function formatRelative(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime()
  for (const [index, [unit, size]] of steps.entries()) {
    const [, smaller = 0] = steps[index + 1] ?? []
    if (Math.abs(ms) >= size - smaller / 2) return relative.format(Math.round(ms / size), unit)
  }
  return t`just now`
}

const absolute = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** `23 Nov 2026, 03:58 CET`, in the zone of the person. */
export function formatInstant(at: Date | number): string {
  return absolute.format(at)
}

/** Milliseconds since the epoch of a timestamp on the wire. */
export function instantMs(timestamp: string): number {
  return new Date(timestamp).getTime()
}
