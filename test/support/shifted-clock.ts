import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './database.ts'

/** libfaketime, which sits between a process and the system's clock; undefined where it isn't installed (never in CI). */
const library = readdirSync('/usr/lib', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) =>
    [...new Bun.Glob('faketime/libfaketimeMT.so.1').scanSync(`/usr/lib/${name}`)].map(
      (found) => `/usr/lib/${name}/${found}`,
    ),
  )
  .at(0)
export const shiftedClockAvailable = library !== undefined
if (!shiftedClockAvailable && process.env.CI === 'true')
  throw new Error('tests of clocks need the package faketime in CI')
if (!shiftedClockAvailable)
  process.stderr.write('SKIPPED: processes whose clock is wrong (install the package faketime)\n')

export interface ShiftedClock {
  /** For a process whose clock this is. */
  environment: Record<string, string>
  /** Sets the clock, as an operator or NTP would: so many hours from the true time. The process sees it within a second. */
  setHours(hours: number): void
}

/** A system clock that is off. Monotonic time and the times of files stay true, as they do on a real machine. */
export function shiftedClock(hours: number): ShiftedClock {
  const file = join(temporaryFolder(), 'offset')
  const setHours = (offset: number) => writeFileSync(file, `${offset < 0 ? '' : '+'}${offset}h`)
  setHours(hours)
  const environment = {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
  return { environment, setHours }
}
