/**
 * A point in time with nanosecond precision, as fixed-width UTC text (`2026-11-20T09:30:00.000000000Z`, 30 characters):
 * both databases sort it as text, and no precision is lost.
 */
export type Instant = string & { readonly __instant: unique symbol }

/** Fixed by the definition of an instant, which knows no leap seconds. */
export const hourMs = 3_600_000
/** Fixed by the same. */
export const dayMs = 24 * hourMs

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

/** Reads RFC 3339 with any offset and up to nine fractional digits; undefined for anything else, including leap seconds. */
export function parseInstant(text: string): Instant | undefined {
  const match = RFC3339.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', offset = ''] = match
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const civil = new Date(midnight)
  if (Number(year) < 100) civil.setUTCFullYear(Number(year))
  const isRealDate = civil.getUTCMonth() === Number(month) - 1 && civil.getUTCDate() === Number(day)
  if (!isRealDate || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offsetMinutes = offsetInMinutes(offset)
  if (offsetMinutes === undefined) return undefined
  const epochMs = civil.getTime() + ((Number(hour) * 60 + Number(minute) - offsetMinutes) * 60 + Number(second)) * 1000
  const utc = new Date(epochMs)
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z` as Instant
}

/** The instant of a text that was checked before. @throws RangeError for any other text */
export function instantOf(text: string): Instant {
  const instant = parseInstant(text)
  if (instant === undefined) throw new RangeError(`${text} is no instant`)
  return instant
}

function offsetInMinutes(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4, 6))
  if (hours > 23 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** The wire form: RFC 3339 UTC with the fraction's trailing zeros dropped (RFC3339Nano). */
export function formatInstant(instant: Instant): string {
  const fraction = instant.slice(20, 29).replace(/0+$/, '')
  return fraction === '' ? `${instant.slice(0, 19)}Z` : `${instant.slice(0, 19)}.${fraction}Z`
}

export function instantFromEpochMs(epochMs: number): Instant {
  const whole = Math.floor(epochMs)
  const nanoseconds = Math.floor((epochMs - whole) * 1_000_000)
  const iso = new Date(whole).toISOString()
  return `${iso.slice(0, 23)}${String(nanoseconds).padStart(6, '0')}Z` as Instant
}

/** Milliseconds since 1970 with the sub-millisecond part dropped. */
export function epochMsOf(instant: Instant): number {
  return Date.parse(`${instant.slice(0, 23)}Z`)
}

/** The same instant some milliseconds (whole, possibly negative) later; the nanosecond part is kept. */
export function addMs(instant: Instant, milliseconds: number): Instant {
  const shifted = instantFromEpochMs(epochMsOf(instant) + Math.trunc(milliseconds))
  return `${shifted.slice(0, 23)}${instant.slice(23)}` as Instant
}
