import { createHmac } from 'node:crypto'
import { LATE_MS } from './database.ts'
import type { EndState } from './model.ts'
import type { Arrival } from './receivers.ts'

/** A receiver whose registration was answered. */
export interface Registered {
  id: string
  url: string
  secret: string
  /** Events that were there when it was asked for: none of them is sent. */
  earlier: ReadonlySet<string>
  /** Events that were there when it was answered: all later ones are. */
  before: ReadonlySet<string>
  /** When its removal was answered, by the simulation's time. */
  removedAtMs: number | undefined
}

/** What a receiver gets, as it is told of it. */
interface Message {
  id: string
  type: string
  source: string
  subject: string
  sequence: number
}

/** Tries of an event that is refused: the first, and one after each wait. */
const TRIES = 10
/** Waits after each of them, in seconds; each may be a tenth shorter. */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** What was read before a removal may still be sent: for so long, and as long as the rest of a round waits for its answers. */
const AFTER_REMOVAL_MS = 2_000
const ANSWERS_OF_A_ROUND = 40
/** Where a fault makes some messages late, so many of a round's. */
const LATE_OF_A_ROUND = 10
/** Answers are noted so soon. */
const NOTED_MS = 2_000
/** A request is given up after so long. */
const REQUEST_MS = 15_000
const DISABLED_AFTER_MS = 5 * 86_400_000

/** Deliveries come at least once, signed, in order of each aggregate, none is lost, and none comes to a receiver that was removed. */
export function webhookProblems(end: EndState): string[] {
  if ((end.plan.receivers ?? []).length === 0) return []
  const problems: string[] = []
  const rows = end.memory.all<{ id: string; url: string; status: string; types: string | null }>(
    'select id, url, status, event_types as types from webhooks',
  )
  const { faults } = end.plan
  const lateMs = faults.some(({ on }) => on === 'messages') ? LATE_OF_A_ROUND * LATE_MS[1] : 0
  // What a process had read when it was stopped it sends when it goes on.
  const stops = faults.flatMap(({ on, what, forMs }) => (on === 'process' && what === 'stopped' ? [forMs] : []))
  const afterRemovalMs = AFTER_REMOVAL_MS + ANSWERS_OF_A_ROUND * end.slowestAnswerMs + lateMs + Math.max(0, ...stops)
  const byUrl = Map.groupBy(end.arrivals, ({ url }) => url)
  for (const [url, arrivals] of byUrl) {
    problems.push(...orderProblems(end, url, arrivals), ...waitProblems(end, url, arrivals))
    const known = end.registered.find((one) => one.url === url)
    if (known === undefined) continue
    for (const arrival of arrivals)
      if (!isSigned(known.secret, arrival)) problems.push(`${url}: a request was not signed`)
    const { removedAtMs = Number.POSITIVE_INFINITY } = known
    if (arrivals.some(({ atMs }) => atMs > removedAtMs + afterRemovalMs))
      problems.push(`${url} got a request after its removal`)
  }
  for (const { id, url, removedAtMs } of end.registered) {
    const row = rows.find((one) => one.id === id)
    if (removedAtMs !== undefined && row !== undefined) problems.push(`${url} was removed, and is there`)
    if (removedAtMs === undefined && row === undefined) problems.push(`${url} was registered, and is not there`)
  }
  for (const row of rows) {
    // Whose registration was never answered asks for nothing.
    const known = end.registered.find(({ id }) => id === row.id)
    if (known !== undefined) problems.push(...lossProblems(end, { ...row, ...known }, byUrl.get(row.url) ?? []))
  }
  return problems
}

function messageOf({ body }: Arrival): Message {
  const { id, type, source, subject, sequence } = JSON.parse(body)
  return { id, type, source, subject, sequence: Number(sequence) }
}

function isTaken({ status, isInTime }: Arrival): boolean {
  return isInTime && status !== undefined && status >= 200 && status <= 299
}

function isSigned(secret: string, { headers, body }: Arrival): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const own = createHmac('sha256', key).update(signed).digest('base64')
  return headers['webhook-signature']?.split(' ').includes(`v1,${own}`) === true
}

/**
 * How often an event counts as refused, at most: by an answer that says so, or by none where the receiver has taken others since
 * the try before, also while this one was awaited.
 */
function refusalsOf(tries: readonly Arrival[], arrivals: readonly Arrival[]): number {
  return tries.filter((one, index) => {
    if (isTaken(one)) return false
    if (one.isInTime && one.status !== 503) return true
    const before = tries[index - 1]
    if (before === undefined) return false
    // Which of two answers was noted first, only the sender knows.
    const untilMs = one.atMs + REQUEST_MS + NOTED_MS
    return arrivals.some((other) => isTaken(other) && other.atMs > before.atMs - NOTED_MS && other.atMs < untilMs)
  }).length
}

/**
 * Of one aggregate the next event comes once the one before was taken, or was refused as often as it may be. What a process had in
 * hand when it was stopped, or lost its lease, may come once more after another has sent it.
 */
function orderProblems({ plan }: EndState, url: string, arrivals: readonly Arrival[]): string[] {
  const problems: string[] = []
  // Where the database's clock jumps ahead, another takes the lease over while its holder still counts on it.
  const mayRepeat = plan.faults.some((fault) =>
    fault.on === 'clock' ? fault.byMs > 0 : fault.on === 'process' && fault.what === 'stopped',
  )
  const wasTaken = ({ headers }: Arrival, before: number) =>
    arrivals.slice(0, before).some((one) => one.headers['webhook-id'] === headers['webhook-id'] && isTaken(one))
  const lastOf = new Map<string, { sequence: number; isTaken: boolean; tries: Arrival[] }>()
  for (const [place, arrival] of arrivals.entries()) {
    const { source, subject, sequence } = messageOf(arrival)
    const aggregate = `${source} ${subject}`
    const last = lastOf.get(aggregate)
    const took = isTaken(arrival)
    if (last === undefined || sequence > last.sequence) {
      if (last !== undefined && !last.isTaken && refusalsOf(last.tries, arrivals) < TRIES)
        problems.push(`${url}: event ${sequence} of ${aggregate} came before ${last.sequence} was taken`)
      lastOf.set(aggregate, { sequence, isTaken: took, tries: [arrival] })
    } else if (sequence === last.sequence) {
      last.isTaken ||= took
      last.tries.push(arrival)
    } else if (!mayRepeat || !wasTaken(arrival, place))
      problems.push(`${url}: event ${sequence} of ${aggregate} came after ${last.sequence}`)
  }
  return problems
}

/** Tries of a refused event are as far apart as they should be, where nothing has kept a try from being counted. */
function waitProblems(end: EndState, url: string, arrivals: readonly Arrival[]): string[] {
  const isCalm = end.plan.faults.every(({ on }) => on === 'receiver' || on === 'broker' || on === 'workers')
  if (!isCalm) return []
  const problems: string[] = []
  for (const tries of Map.groupBy(arrivals, ({ headers }) => headers['webhook-id'] ?? '').values()) {
    // One that was taken by a receiver nobody heard is sent again.
    if (tries.slice(0, -1).some(isTaken)) problems.push(`${url}: ${tries[0]?.headers['webhook-id']} came again`)
    const refused = tries.filter(({ status, isInTime }) => status === 422 && isInTime)
    for (const [index, one] of refused.entries()) {
      const next = tries[tries.indexOf(one) + 1]
      const leastMs = (WAITS[index] ?? 0) * 900 - 50
      // Others of its kind may have failed before: then its waits have grown already, and are longer still.
      if (next !== undefined && next.epochMs - one.epochMs < leastMs)
        problems.push(`${url}: try ${index + 2} came ${next.epochMs - one.epochMs} ms after the one before`)
    }
  }
  return problems
}

/** Everything that happened since its registration was taken, or refused as often as it may be; nothing else came. */
function lossProblems(
  { memory, taken, removed, epochMs }: EndState,
  { url, status, types, earlier, before }: Registered & { status: string; types: string | null },
  arrivals: readonly Arrival[],
): string[] {
  const problems: string[] = []
  const wanted = types === null ? undefined : (JSON.parse(types) as string[])
  const got = Map.groupBy(arrivals, ({ headers }) => headers['webhook-id'] ?? '')
  for (const [id, tries] of got) {
    const [first] = tries
    const type = first === undefined ? '' : messageOf(first).type
    if (earlier.has(id)) problems.push(`${url} got ${type}, which was there before it was registered`)
    if (wanted !== undefined && !wanted.includes(type)) problems.push(`${url} got ${type}, which it did not ask for`)
  }
  if (status !== 'active') {
    const lastMs = arrivals.findLast((one) => !isTaken(one))?.atMs ?? 0
    // What was taken or refused at nearly the same time may have been noted in the other order.
    const takenMs = arrivals.findLast((one) => isTaken(one) && one.atMs < lastMs - NOTED_MS)?.atMs ?? 0
    const failing = arrivals.filter((one) => !isTaken(one) && one.atMs > takenMs - NOTED_MS)
    // Of a clock that was set back the first may not have the earliest time.
    const sinceFirstMs = epochMs - Math.min(epochMs, ...failing.map((one) => one.epochMs))
    if (status !== 'disabled' || sinceFirstMs < DISABLED_AFTER_MS - 1_000)
      problems.push(`${url} was stopped as ${status}`)
    return problems
  }
  const left = memory.all<{ n: number }>(
    "select count(*) as n from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.url = ? and d.status = 'pending'",
    url,
  )
  if ((left[0]?.n ?? 0) > 0) problems.push(`${left[0]?.n} deliveries to ${url} are left`)
  for (const { id, type, subject } of happenedOf(taken)) {
    if (before.has(id)) continue
    if (wanted !== undefined && !wanted.includes(type)) continue
    // What was erased isn't sent.
    if (removed.has(subject)) continue
    const tries = got.get(id) ?? []
    if (!tries.some(isTaken) && refusalsOf(tries, arrivals) < TRIES)
      problems.push(`${url} never took ${type} of ${subject} (${id})`)
  }
  return problems
}

/** Every event that was committed: the broker has had them all. */
function happenedOf(taken: EndState['taken']) {
  const known = new Map<string, { id: string; type: string; subject: string }>()
  for (const { payload } of taken) {
    const { id, type, subject } = JSON.parse(payload)
    known.set(id, { id, type, subject })
  }
  return known.values()
}
