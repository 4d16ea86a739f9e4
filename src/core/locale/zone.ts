/** Time zones as tables that are submitted: from which instant on which offset from UTC holds. */
import { addSeconds, type CivilDateTime, parseDateTime, toEpochSeconds } from './calendar.ts'

/** The key of the row that says where a table ends. */
export const zoneEnd = 'until'

export type ZoneRows = Iterable<readonly [key: string, value: unknown]>

/** A zone, or what is wrong with its rows. */
export type ReadZone = { ok: true; zone: Zone } | { ok: false; problem: string }

export class Zone {
  /** @param starts in order, seconds since 1970 and offset in minutes; @param end the first second after the table */
  constructor(
    private readonly starts: readonly (readonly [start: number, offset: number])[],
    private readonly end: number,
  ) {}

  /** Minutes from UTC at an instant; undefined outside of the table. */
  offsetAt(seconds: number): number | undefined {
    if (seconds >= this.end) return undefined
    let low = 0
    let high = this.starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.starts[middle]?.[0] ?? 0) <= seconds) low = middle + 1
      else high = middle
    }
    return this.starts[low - 1]?.[1]
  }
}

/** Reads rows such as `2026-03-29T01:00:00Z: "+02:00"`, in any order, and `until` with the instant at which they end. */
export function readZone(rows: ZoneRows): ReadZone {
  const starts: (readonly [number, number])[] = []
  let end: number | undefined
  for (const [key, value] of rows) {
    const start = instantOf(key === zoneEnd ? value : key)
    if (start === undefined) {
      const shown = String(key === zoneEnd ? value : key).slice(0, 60)
      return { ok: false, problem: `has "${shown}", which is no instant such as 2026-03-29T01:00:00Z` }
    }
    if (key === zoneEnd) {
      end = start
      continue
    }
    const offset = offsetOf(value)
    if (offset === undefined) {
      return { ok: false, problem: `has no offset such as "+02:00" at ${key}` }
    }
    starts.push([start, offset])
  }
  if (starts.length === 0) return { ok: false, problem: 'has no offset' }
  if (end === undefined) return { ok: false, problem: `has no row "${zoneEnd}", which says where it ends` }
  starts.sort(([left], [right]) => left - right)
  return { ok: true, zone: new Zone(starts, end) }
}

function instantOf(value: unknown): number | undefined {
  const read = typeof value === 'string' ? parseDateTime(value) : undefined
  return read?.offsetMinutes === undefined ? undefined : toEpochSeconds(read)
}

function offsetOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDateTime(`2000-01-01T00:00:00${value}`)?.offsetMinutes : undefined
}

/** The local time in a zone at the instant of a date with time; undefined outside of its table. */
export function inZone(value: CivilDateTime & { offsetMinutes: number }, zone: Zone): CivilDateTime | undefined {
  const offset = zone.offsetAt(toEpochSeconds(value))
  if (offset === undefined) return undefined
  return addSeconds({ ...value, offsetMinutes: offset }, (offset - value.offsetMinutes) * 60)
}
