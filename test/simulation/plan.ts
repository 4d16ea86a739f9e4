import type { Point } from '../../src/runner/dependencies.ts'
import type { BrokerFault } from './broker.ts'
import type { DatabaseFault } from './database.ts'
import type { DiskFault } from './disk.ts'
import type { StoreFault } from './objects.ts'
import type { Random } from './random.ts'

/** What goes wrong in a history, when and for how long. */
export type PlannedFault = { atMs: number; forMs: number } & (
  | { on: 'process'; what: 'killed' | 'power cut' | 'stopped' | 'restarted'; instance: number; moment?: Moment }
  | { on: 'database'; what: DatabaseFault | 'gone' }
  | { on: 'object store'; what: StoreFault | DiskFault }
  | { on: 'broker'; what: BrokerFault }
  | { on: 'workers'; what: 'crash' }
  | { on: 'clock'; what: 'set'; byMs: number }
)

/** A fault waits for the process to be in the middle of something, for the n-th time from then on. */
export interface Moment {
  in: Point | 'disk change' | 'commit'
  nth: number
}

export interface PlannedSubmission {
  atMs: number
  key: string
  /**
   * A release makes one letter, or one summary of data, which has no file; the model makes a letter, and a summary of the
   * letter's data.
   */
  path: 'letter' | 'summary' | 'model'
  rawInput: string
  /** Which step the engine refuses to make. */
  refused: 'validate' | 'transform.declarative' | undefined
  /** Sent twice at one moment. */
  isDoubled: boolean
}

export interface Plan {
  mode: 'embedded' | 'shared'
  instances: number
  /** By how much the machine of each instance has a wrong clock. */
  clocksAheadMs: number[]
  submissions: PlannedSubmission[]
  faults: PlannedFault[]
}

const HOUR_MS = 3_600_000

/** Most faults are over soon, and a few last longer than a lease or all attempts of a step. */
function duration(random: Random): number {
  const kind = random.next()
  if (kind < 0.7) return random.between(20, 3_000)
  return kind < 0.9 ? random.between(3_000, 12_000) : random.between(16_000, 40_000)
}

export function planHistory(random: Random): Plan {
  const mode = random.chance(0.55) ? 'embedded' : 'shared'
  const instances = mode === 'embedded' ? 1 : random.whole(1, 3)
  // Most mistakes show with one or two; more take more time than they find.
  const count = random.pick([1, 1, 1, 2, 2, 3])
  const submissions = Array.from({ length: count }, (_, number): PlannedSubmission => {
    const refused = random.chance(0.25) ? random.pick(['validate', 'transform.declarative'] as const) : undefined
    return {
      atMs: random.between(0, 1_000),
      key: `submission-${number}`,
      path: random.pick(['letter', 'letter', 'model', 'summary'] as const),
      rawInput: JSON.stringify({ number, ...(refused === undefined ? {} : { note: `refuse ${refused}` }) }),
      refused,
      isDoubled: random.chance(0.2),
    }
  })
  const faults = Array.from({ length: random.whole(0, 3) }, () => planFault(random, mode, instances))
  const clocksAheadMs = Array.from({ length: instances }, () =>
    mode === 'shared' && random.chance(0.5) ? random.between(-2, 2) * HOUR_MS : 0,
  )
  return { mode, instances, clocksAheadMs, submissions, faults }
}

function planFault(random: Random, mode: Plan['mode'], instances: number): PlannedFault {
  const when = { atMs: random.between(0, 2_000), forMs: duration(random) }
  const instance = random.whole(0, instances - 1)
  const isEmbedded = mode === 'embedded'
  const among = random.next()
  if (among < 0.4) {
    const what = random.pick(
      isEmbedded
        ? (['killed', 'killed', 'restarted', 'power cut'] as const)
        : (['killed', 'restarted', 'stopped', 'stopped'] as const),
    )
    // A process that is stopped matters once its leases have run out.
    const forMs =
      what !== 'stopped' ? random.between(20, 3_000) : random.chance(0.8) ? random.between(16_000, 30_000) : when.forMs
    const moment = what === 'restarted' || random.chance(0.3) ? undefined : planMoment(random, isEmbedded)
    const atMs = moment === undefined ? when.atMs : random.between(0, 1_000)
    return { atMs, forMs, on: 'process', what, instance, ...(moment === undefined ? {} : { moment }) }
  }
  if (among < 0.58) {
    const what = random.pick(
      isEmbedded
        ? (['reads', 'writes', 'full', 'gone'] as const)
        : (['refused', 'silent', 'unanswered', 'gone'] as const),
    )
    // An answer that is lost may cost an attempt; more than a few in a row would use them up, which is as it should be.
    return { ...when, forMs: what === 'unanswered' ? Math.min(when.forMs, 4_000) : when.forMs, on: 'database', what }
  }
  if (among < 0.75) {
    const what = random.pick(
      isEmbedded
        ? (['away', 'full', 'refused', 'slow', 'gone'] as const)
        : (['away', 'full', 'refused', 'slow', 'unanswered'] as const),
    )
    return { ...when, on: 'object store', what }
  }
  if (among < 0.87) return { ...when, on: 'broker', what: random.pick(['away', 'unanswered', 'slow'] as const) }
  if (among < 0.93) return { ...when, on: 'workers', what: 'crash' }
  const byMs = random.pick([-2 * HOUR_MS, -HOUR_MS, -20_000, 3_000, HOUR_MS])
  return { ...when, on: 'clock', what: 'set', byMs }
}

function planMoment(random: Random, isEmbedded: boolean): Moment {
  if (isEmbedded && random.chance(0.3)) return { in: 'disk change', nth: random.whole(1, 20) }
  if (isEmbedded && random.chance(0.3)) return { in: 'commit', nth: random.whole(1, 8) }
  const points = ['claimed', 'computed', 'object-stored', 'before-record', 'recorded'] as const
  return { in: random.pick(points), nth: random.whole(1, 4) }
}

export function inWords(fault: PlannedFault): string {
  const { atMs, forMs, on, what } = fault
  const more =
    fault.on === 'process'
      ? ` (i${fault.instance}${fault.moment === undefined ? '' : `, at ${fault.moment.in} ${fault.moment.nth}`})`
      : fault.on === 'clock'
        ? ` by ${fault.byMs / 1_000} s`
        : ''
  return `${on} ${what}${more} at ${(atMs / 1_000).toFixed(2)} s for ${(forMs / 1_000).toFixed(2)} s`
}
