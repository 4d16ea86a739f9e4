/** Formats figures for people. */

/** 7 ms, 820 ms, 1.24 s, 2 min 5 s. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** 812 B, 14.2 KB, 3.1 MB, 57.8 GB, in thousands. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** `3 minutes ago`, seen from the given instant. */
export function formatRelative(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime()
  for (const [unit, size] of steps) {
    if (Math.abs(ms) >= size) return relative.format(Math.round(ms / size), unit)
  }
  return 'just now'
}

const absolute = new Intl.DateTimeFormat('en-GB', {
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
