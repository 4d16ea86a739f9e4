/** Business days: Monday to Friday, without the holidays that are submitted. */
import { type CivilDate, dayOfWeek, fromDayNumber, toDayNumber } from './calendar.ts'

/** Holidays from Monday to Friday, as day numbers in order. */
export class Holidays {
  private readonly days: readonly number[]
  private readonly known: ReadonlySet<number>

  constructor(dates: readonly CivilDate[]) {
    this.known = new Set(dates.map(toDayNumber).filter(isWeekday))
    this.days = [...this.known].sort((left, right) => left - right)
  }

  has(day: number): boolean {
    return this.known.has(day)
  }

  /** How many there are up to a day. */
  countUpTo(day: number): number {
    let low = 0
    let high = this.days.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.days[middle] ?? 0) <= day) low = middle + 1
      else high = middle
    }
    return low
  }
}

function isWeekday(day: number): boolean {
  return dayOfWeek(fromDayNumber(day)) <= 5
}

/** Business days after the first date up to the second; negative if the second is earlier. */
export function businessDaysBetween(from: CivilDate, to: CivilDate, holidays: Holidays): number {
  const [start, end] = [toDayNumber(from), toDayNumber(to)]
  return start <= end ? businessDaysIn(start, end, holidays) : 0 - businessDaysIn(end, start, holidays)
}

/** Business days after one day number, up to another. */
function businessDaysIn(after: number, upTo: number, holidays: Holidays): number {
  const weeks = Math.floor((upTo - after) / 7)
  let days = weeks * 5
  for (let day = after + weeks * 7 + 1; day <= upTo; day++) if (isWeekday(day)) days++
  return days - (holidays.countUpTo(upTo) - holidays.countUpTo(after))
}

/** The date this many business days later, or earlier; undefined beyond the years 0000 to 9999. */
export function addBusinessDays(from: CivilDate, count: number, holidays: Holidays): CivilDate | undefined {
  const step = count < 0 ? -1 : 1
  const start = toDayNumber(from)
  // A week has no more than five of them, so whole weeks are passed at once.
  let day = start + step * Math.floor(Math.abs(count) / 5) * 7
  if (!(Math.abs(day) < farDay)) return undefined
  let left =
    Math.abs(count) - (step > 0 ? businessDaysIn(start, day, holidays) : businessDaysIn(day - 1, start - 1, holidays))
  while (left > 0) {
    day += step
    if (isWeekday(day) && !holidays.has(day)) left--
  }
  // Whole weeks may have ended on a day that isn't a business day.
  while (count !== 0 && (!isWeekday(day) || holidays.has(day))) day -= step
  const found = fromDayNumber(day)
  return found.year >= 0 && found.year <= 9999 ? found : undefined
}

/** Further than any date of four digits lies from 1970. */
const farDay = 4_000_000
