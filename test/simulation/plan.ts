import { type RetainedPart, retainedParts } from '../../src/core/retained-parts.ts'
import type { BrokerFault } from './broker.ts'
import type { DatabaseFault } from './database.ts'
import type { DiskFault } from './disk.ts'
import type { PassedPoint } from './instance.ts'
import type { StoreFault } from './objects.ts'
import type { Random } from './random.ts'
import type { ReceiverFault } from './receivers.ts'

/** What goes wrong in a history, when and for how long. */
export type PlannedFault = { atMs: number; forMs: number } & (
  | { on: 'process'; what: 'killed' | 'power cut' | 'stopped' | 'restarted'; instance: number; moment?: Moment }
  | { on: 'database'; what: DatabaseFault | 'gone' }
  | { on: 'object store'; what: StoreFault | DiskFault }
  | { on: 'broker'; what: BrokerFault }
  | { on: 'workers'; what: 'crash' }
  | { on: 'clock'; what: 'set'; byMs: number }
  | { on: 'receiver'; what: ReceiverFault; receiver: string }
  | { on: 'ledger'; what: 'away' }
  /** Some messages to the database and from it: others commit between two statements of whoever waits. */
  | { on: 'messages'; what: 'late' }
)

/** A fault waits for the process to be in the middle of something, for the n-th time from then on. */
export interface Moment {
  in: PassedPoint | 'disk change' | 'commit'
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
  /** Sent so long after days have passed for the first time. */
  afterLeapMs?: number
  /** Sent earlier where the removal of one of its files is on its way, which takes a while then. */
  atRemoval?: boolean
}

/** A file of rows, each of which is an input of the model. */
export interface PlannedBatch {
  atMs: number
  key: string
  rows: readonly PlannedSubmission[]
  /** Somebody pauses it so long after it was taken in, and resumes it later; or cancels it, then or while it is paused. */
  pause: { afterMs: number; forMs: number } | undefined
  cancelAfterMs: number | undefined
}

export interface PlannedReceiver {
  name: string
  atMs: number
  /**
   * Registered while the answer to the n-th reading of all receivers from then on is late, of those for whom events wait: whoever
   * has read them does not know of this one, and goes on.
   */
  atReading?: number | undefined
  /** Types of CloudEvents; undefined for all. */
  types: readonly string[] | undefined
  removedAtMs: number | undefined
}

/** What the policies say, and how far the calendar goes on: the machines sleep for days. */
export interface PlannedRetention {
  atMs: number
  keepDays: number
  parts: Partial<Record<RetainedPart, number>>
  /** A hold on the object of the first submission, and whether it is released once the days have passed. */
  hold: { isReleased: boolean } | undefined
  /** One after the other, when all that came before is done. */
  leapDays: readonly number[]
  /** Clients send what they sent before once more, under the same keys: at once after these days, or when what has expired was swept. */
  repeatAfterMs: number | undefined
}

export interface Plan {
  mode: 'embedded' | 'shared'
  instances: number
  /** By how much the machine of each instance has a wrong clock. */
  clocksAheadMs: number[]
  submissions: PlannedSubmission[]
  faults: PlannedFault[]
  batch?: PlannedBatch | undefined
  receivers?: readonly PlannedReceiver[]
  /** Every n-th event is refused so many times by each receiver. */
  poison?: { every: number; times: number } | undefined
  retention?: PlannedRetention | undefined
}

const HOUR_MS = 3_600_000

/** How many of them a history has, each as likely as it is often here. */
const SUBMISSIONS = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3]
const FAULTS = [0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5]

const stepPoints = ['claimed', 'computed', 'object-stored', 'before-record', 'recorded'] as const
const batchPoints = [
  // Whoever is stopped here finds the batch moved on by somebody else.
  ...(['rows-read', 'rows-read', 'rows-read'] as const),
  ...(['place-moved', 'rows-submitted', 'rows-noted', 'committed', 'rows-closed'] as const),
]
const removalPoints = [
  ...(['sorted', 'part-taken', 'recorded', 'committed'] as const),
  ...(['noted', 'object-removed', 'objects-removed', 'files-scrubbed', 'completed'] as const),
]

/** Most faults are over soon, and a few last longer than a lease or all attempts of a step. */
function duration(random: Random): number {
  const kind = random.next()
  if (kind < 0.7) return random.between(20, 3_000)
  return kind < 0.9 ? random.between(3_000, 12_000) : random.between(16_000, 40_000)
}

export function planHistory(random: Random): Plan {
  const mode = random.chance(0.55) ? 'embedded' : 'shared'
  const instances = mode === 'embedded' ? 1 : random.pick([1, 1, 2, 2, 2, 3])
  // What finds most in a second of processor time: few submissions, since each costs much, and several faults, which cost little.
  const batch = random.chance(0.06) ? planBatch(random) : undefined
  const receivers = random.chance(0.08) ? planReceivers(random, mode) : []
  // What a policy makes of a batch that is at work is another matter: test/modules/batches/removed.test.ts.
  // Receivers have to get what a policy removes.
  const retention =
    batch === undefined && random.chance(receivers.length > 0 ? 0.35 : 0.06) ? planRetention(random) : undefined
  // Events that are to go while a receiver still waits for them.
  if (retention !== undefined && receivers.length > 0 && retention.keepDays > 2)
    retention.parts.events = random.pick([1, 4])
  const count = batch === undefined ? random.pick(SUBMISSIONS) : random.whole(0, 1)
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
  const [first] = submissions
  // What is made again of the same bytes, while others remove them.
  const twin = retention !== undefined && first !== undefined && random.chance(mode === 'shared' ? 0.8 : 0.5)
  if (twin) {
    const atRemoval = mode === 'shared' && random.chance(0.6)
    const afterLeapMs = random.between(0, atRemoval ? 12_000 : 4_000)
    if (atRemoval) {
      Object.assign(first, { path: 'letter', rawInput: '{"number":0}', refused: undefined })
      retention.parts.artifacts = 1
      retention.hold = undefined
    }
    submissions.push({ ...first, key: 'twin', isDoubled: false, afterLeapMs, atRemoval })
  }
  const points = batch !== undefined ? batchPoints : retention !== undefined ? removalPoints : stepPoints
  const faults = Array.from({ length: random.pick(FAULTS) }, () => planFault(random, { mode, instances, points }))
  // Where days pass, things go wrong while parts are removed, too.
  if (retention !== undefined) for (const fault of faults) if (random.chance(0.6)) fault.atMs += 2_500
  if (twin && random.chance(0.5))
    faults.push({
      atMs: random.between(2_000, 5_000),
      forMs: random.between(4_000, 15_000),
      on: 'object store',
      what: 'slow',
    })
  // What a clock that was set back leaves behind matters to whoever comes after its holder.
  const isSetBack = faults.some((fault) => fault.on === 'clock' && fault.byMs <= -HOUR_MS)
  if (mode === 'shared' && isSetBack && random.chance(0.7)) {
    const instance = random.whole(0, instances - 1)
    faults.push({
      atMs: random.between(0, 4_000),
      forMs: random.between(20, 3_000),
      on: 'process',
      what: 'killed',
      instance,
    })
  }
  const isPoisoned = receivers.length > 0 && random.chance(0.4)
  // Each try takes the history a while, days as it may be for the receiver.
  const poison = isPoisoned ? { every: random.pick([3, 7, 11]), times: random.pick([1, 1, 2, 3, 12]) } : undefined
  for (const { name } of receivers) if (random.chance(0.6)) faults.push(planReceiverFault(random, name))
  // What a receiver gets depends on what is committed between two readings.
  if (mode === 'shared' && random.chance(receivers.length > 0 ? 0.6 : 0.15))
    faults.push({ atMs: random.between(0, 1_000), forMs: random.between(1_000, 15_000), on: 'messages', what: 'late' })
  if (retention !== undefined && random.chance(0.35))
    faults.push({ atMs: random.between(0, 6_000), forMs: duration(random), on: 'ledger', what: 'away' })
  const clocksAheadMs = Array.from({ length: instances }, () =>
    mode === 'shared' && random.chance(0.5) ? random.between(-2, 2) * HOUR_MS : 0,
  )
  return { mode, instances, clocksAheadMs, submissions, faults, batch, receivers, poison, retention }
}

function planBatch(random: Random): PlannedBatch {
  const rows = Array.from({ length: random.whole(1, 5) }, (_, number): PlannedSubmission => {
    const key = `row-${number + 1}`
    // Most end with their first step, which is all that the feeder needs.
    const refused = random.chance(0.6) ? 'validate' : undefined
    const note = refused === undefined ? {} : { note: `refuse ${refused}` }
    const rawInput = JSON.stringify({ object: key, ...note })
    return { atMs: 0, key, path: 'model', rawInput, refused, isDoubled: false }
  })
  const pause = random.chance(0.4) ? { afterMs: random.between(0, 800), forMs: random.between(500, 5_000) } : undefined
  const cancelAfterMs = random.chance(0.2) ? random.between(0, 2_000) : undefined
  return { atMs: random.between(0, 1_000), key: 'batch', rows, pause, cancelAfterMs }
}

function planReceivers(random: Random, mode: Plan['mode']): PlannedReceiver[] {
  return Array.from({ length: random.pick(mode === 'shared' ? [2] : [1, 2, 2]) }, (_, number) => ({
    name: `receiver-${number}`,
    atMs: random.chance(0.7) ? 0 : random.between(0, 1_500),
    // The first is read by whoever makes deliveries for it.
    atReading: mode === 'shared' && number > 0 ? random.whole(1, 4) : undefined,
    types: random.chance(0.5) ? ['quire.execution.completed', 'quire.execution.failed'] : undefined,
    removedAtMs: random.chance(0.2) ? random.between(500, 20_000) : undefined,
  }))
}

function planReceiverFault(random: Random, receiver: string): PlannedFault {
  const what = random.pick(['away', 'hanging', 'late', 'overloaded', 'failing', 'failing'] as const)
  const forMs = random.chance(0.7) ? random.between(100, 8_000) : random.between(15_000, 60_000)
  return { atMs: random.between(0, 3_000), forMs, on: 'receiver', what, receiver }
}

function planRetention(random: Random): PlannedRetention {
  const keepDays = random.pick([2, 20, 20, 40])
  const parts: PlannedRetention['parts'] = {}
  for (const part of retainedParts) if (random.chance(0.5)) parts[part] = random.pick([1, 4, 9, 15])
  for (const part of retainedParts) if ((parts[part] ?? 0) >= keepDays) delete parts[part]
  return {
    ...{ atMs: random.between(0, 2_000), keepDays, parts },
    hold: random.chance(0.4) ? { isReleased: random.chance(0.5) } : undefined,
    leapDays: random.pick([[2.5], [5.5], [10.5], [30.5], [5.5, 5], [2.5, 20]] as const),
    repeatAfterMs: random.chance(0.5) ? random.pick([0, 4_000]) : undefined,
  }
}

interface Among {
  mode: Plan['mode']
  instances: number
  /** At which a fault of a process may wait. */
  points: readonly PassedPoint[]
}

function planFault(random: Random, { mode, instances, points }: Among): PlannedFault {
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
    const moment = what === 'restarted' || random.chance(0.3) ? undefined : planMoment(random, isEmbedded, points)
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
  if (among < 0.85) return { ...when, on: 'broker', what: random.pick(['away', 'unanswered', 'slow'] as const) }
  if (among < 0.9) return { ...when, on: 'workers', what: 'crash' }
  const byMs = random.pick([-2 * HOUR_MS, -HOUR_MS, -20_000, 3_000, HOUR_MS])
  return { ...when, on: 'clock', what: 'set', byMs }
}

function planMoment(random: Random, isEmbedded: boolean, points: readonly PassedPoint[]): Moment {
  if (isEmbedded && random.chance(0.3)) return { in: 'disk change', nth: random.whole(1, 20) }
  if (isEmbedded && random.chance(0.3)) return { in: 'commit', nth: random.whole(1, 8) }
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
