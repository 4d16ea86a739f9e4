/**
 * Checks what the audit chain covers: each resource is in the state that its newest record covers, no resource lacks a record,
 * and the chain reaches as far as its signed heads. docs/decisions/0017 says why nothing can be changed without one of these
 * checks failing.
 */
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { keyIdOf, type SigningKey } from '../../core/signing-key.ts'
import { unlessUnreadable } from '../../core/unreadable.ts'
import { type AuditRow, attestedAnswer } from '../../db/audit-log.ts'
import { readTime } from '../../db/clock.ts'
import type { Connection } from '../../db/database.ts'
import type { ErasedKind } from '../../db/schema.ts'
import {
  listErasedItems,
  type StateAfter,
  statesAfterRemoval,
  wrongTombstones,
} from '../tombstones/tombstones.reads.ts'
import {
  type AnswerRow,
  answersAfter,
  brokenOrders,
  countUncovered,
  headsAfter,
  newestRecords,
  ownerlessRows,
  recordKey,
  statusesInOrder,
  wronglyCancelled,
} from './audit.coverage.reads.ts'
import { isGenuine } from './audit.heads.ts'
import { coversSinceLater, digestOfState, isCovered, isFinal, readStates, type State } from './audit.states.reads.ts'
import {
  headPosition,
  listByAction,
  listSealed,
  listUnsealed,
  misplacedRecords,
  nextSealedPosition,
} from './audit.store.ts'
import {
  COVERAGE_BEGAN,
  checkTag,
  introducedKeys,
  introductions,
  isInChain,
  knownKeys,
  unattested,
} from './audit.unsealed.ts'

export interface Checking {
  connection: Connection
  /**
   * Runs work over one snapshot. Rows that must agree are read in one snapshot, a page at a time, so that the store can be served
   * meanwhile and no snapshot is held for long.
   */
  inOneState?: InOneState
  /** Reports a problem: one sentence without a full stop. */
  report(problem: string): void
  /** The store's key, where it is at hand: without it, tags can't be checked. */
  key?: SigningKey
}

export type InOneState = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

const oneStateOf = ({ connection, inOneState }: Checking): InOneState => inOneState ?? ((work) => work(connection))

export interface Coverage {
  /** How many resources are in the state that the chain covers. */
  covered: number
  /** By kind, how many rows versions before 0.34 wrote that nothing has changed since. */
  uncovered: Record<string, number>
  /** Since when every row is covered; undefined for a store that only versions before 0.34 have served. */
  since?: Instant
  /** How many rows have a tag of a key that the store no longer has. */
  ofOtherKey: number
  /** Other keys that records of the chain introduce: only people can say whether they were the store's. */
  otherKeys: { id: string; position: number; at: Instant }[]
}

export async function verifyCoverage(checking: Checking): Promise<Coverage> {
  const trail = 'records of the audit trail'
  const readable = <T>(what: string, work: () => Promise<T>) => unlessUnreadable(checking, what, work)
  for (const id of await misplacedRecords(checking.connection))
    checking.report(`the audit record ${id} is at a place that the audit trail does not have`)
  await readable(trail, () => verifyHeads(checking))
  const covered = (await readable(trail, () => verifyStates(checking))) ?? 0
  const began = await readable(trail, () => findBeginning(checking))
  const unsealed = (await readable(trail, () => verifyUnsealed(checking, began))) ?? 0
  const ofOtherKey = unsealed + ((await readable('answers', () => verifyAnswers(checking))) ?? 0)
  const uncovered = (await readable(trail, () => verifyUncovered(checking, began))) ?? {}
  // Before the beginning nothing is covered, owned or not.
  if (began !== undefined) {
    for await (const name of ownerlessRows(checking.connection))
      checking.report(`${name} belongs to nothing that is there`)
  }
  await verifyActivations(checking)
  await verifyErased(checking)
  const otherKeys = (await readable(trail, () => findOtherKeys(checking))) ?? []
  return { covered, uncovered, ofOtherKey, otherKeys, ...(began === undefined ? {} : { since: began.at }) }
}

/**
 * Anybody with write access to the database can introduce a key of their own and continue with it, so all others are reported.
 */
async function findOtherKeys({ connection, key }: Checking): Promise<Coverage['otherKeys']> {
  const keys = [...(await introductions(connection))]
  const own = key?.id ?? keys[0]?.[0]
  return keys.flatMap(([id, { position, at }]) => (id === own ? [] : [{ id, position, at }]))
}

/** The record from which everything is covered. */
async function findBeginning({ connection, report }: Checking): Promise<AuditRow | undefined> {
  // Read the end first: the beginning may be sealed meanwhile, but never after a record that has a content hash.
  const last = await headPosition(connection)
  const [record] = last === 0 ? [] : await listSealed(connection, last, last + 1)
  const [began] = (await listByAction(connection, COVERAGE_BEGAN)).filter(({ position }) => isInChain(position))
  if (began === undefined && typeof record?.contentHash === 'string') {
    report('the audit trail has lost the record from which on it covers everything')
  }
  return began
}

/** Checks that the chain reaches its newest head and has each head's hash at the head's position. */
async function verifyHeads(checking: Checking): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last
    last = await oneStateOf(checking)((connection) => verifyHeadsAfter({ ...checking, connection }, after))
  }
}

/** @returns the last head's position if there may be more to check */
async function verifyHeadsAfter({ connection, report }: Checking, after: number): Promise<number | undefined> {
  const introduced = await introducedKeys(connection)
  const heads = await headsAfter(connection, after)
  for (const head of heads) {
    const { position } = head
    const id = keyIdOf(head.publicKey)
    if (!isGenuine(head))
      report(`the head of the audit trail at position ${position} does not have its key's signature`)
    else if (introduced.get(id) !== head.publicKey) {
      report(
        `the head of the audit trail at position ${position} is signed with ${id}, which is not a key of this store`,
      )
    }
    if (head.chainHash === null)
      report(`the audit trail was cut: the record of its head at position ${position} is missing`)
    else if (head.chainHash !== head.hash)
      report(`the audit trail was rewritten before its head at position ${position}`)
  }
  const last = heads.at(-1)?.position ?? after
  if (heads.length === limits.tablePageRows) return last
  const end = await headPosition(connection)
  // From the batch that introduces the store's first key, every batch ends in a head. If there is none, it was removed.
  const isSigned = last > 0 || introduced.size > 0
  if (isSigned && end > last) report(`the records of the audit trail after position ${last} have no signed head`)
  return undefined
}

/**
 * Walks the chain, and compares each resource with the newest record about it. Records that were sealed during the walk get one
 * second lap, and only one: writers that are faster than this must not keep it from ending.
 */
async function verifyStates(checking: Checking): Promise<number> {
  let covered = 0
  let from = 1
  for (let lap = 1; lap <= 2; lap++) {
    const end = await headPosition(checking.connection)
    while (from <= end) {
      await oneStateOf(checking)(async (connection) => {
        const untilMs = performance.now() + limits.verifyStateMs
        do {
          const to = Math.min(from + limits.auditSealBatch, end + 1)
          const checked = await verifyStatesOf({ ...checking, connection }, from, to)
          covered += checked.covered
          // Skip holes: anybody with write access to the database can put a record behind a hole of any size.
          from = checked.records > 0 ? to : ((await nextSealedPosition(connection, to)) ?? end + 1)
          await new Promise((resolve) => setImmediate(resolve))
        } while (from <= end && performance.now() < untilMs)
      })
    }
  }
  return covered
}

/** @returns how many records have `from` ≤ position < `to`, and how many of their resources are in the state that they cover */
async function verifyStatesOf(
  checking: Checking,
  from: number,
  to: number,
): Promise<{ records: number; covered: number }> {
  const { connection } = checking
  let covered = 0
  const records = await listSealed(connection, from, to)
  const about = records.filter(({ resourceKind, resourceId }) => resourceId !== null && isCovered(resourceKind))
  const newest = await newestRecords(connection, [...new Set(about.map(({ resourceId }) => resourceId ?? ''))])
  for (const [kind, own] of Map.groupBy(about, ({ resourceKind }) => resourceKind)) {
    const last = own.filter(
      ({ resourceId, position }) => newest.get(recordKey(kind, resourceId ?? ''))?.position === position,
    )
    const ids = last.map(({ resourceId }) => resourceId ?? '')
    const { states, unreadable } = await statesOf(checking, kind, ids)
    const gone = last.flatMap(({ resourceId }) => (states.has(resourceId ?? '') ? [] : [resourceId ?? '']))
    const erased = await erasedOf(connection, kind, gone)
    const after = kind === 'execution' ? await statesAfterRemoval(connection, [...states.keys()]) : undefined
    for (const record of last) {
      if (erased.has(record.resourceId ?? '') || unreadable.has(record.resourceId ?? '')) continue
      const state = states.get(record.resourceId ?? '')
      const hasUnsealed = newest.get(recordKey(kind, record.resourceId ?? ''))?.hasUnsealed === true
      covered += checkState(checking, withRemoval(record, after?.get(record.resourceId ?? '')), state, hasUnsealed)
    }
  }
  return { records: records.length, covered }
}

/** If one value can't be read, reads each resource by itself: the unreadable one is named and the others are still checked. */
async function statesOf(
  { connection, report }: Checking,
  kind: string,
  ids: readonly string[],
): Promise<{ states: Map<string, State>; unreadable: Set<string> }> {
  const read = (some: readonly string[], tell: Checking['report']) =>
    unlessUnreadable({ report: tell }, `${kind} ${some[0]}, or what belongs to it`, () =>
      readStates(connection, kind, some),
    )
  const unreadable = new Set<string>()
  const all = await read(ids, () => {})
  if (all !== undefined) return { states: all, unreadable }
  const states = new Map<string, State>()
  for (const id of ids) {
    const own = await read([id], report)
    if (own === undefined) unreadable.add(id)
    for (const [name, state] of own ?? []) states.set(name, state)
  }
  return { states, unreadable }
}

/** Those of the ids that an erasure deleted. Which they are is covered by the erasure's own record. */
async function erasedOf(connection: Connection, kind: string, ids: readonly string[]): Promise<Set<string>> {
  if (kind !== 'submission' && kind !== 'execution') return new Set()
  const items = await listErasedItems(connection, kind satisfies ErasedKind, ids)
  return new Set(items.map(({ itemId }) => itemId))
}

/** The record as it counts after parts were removed: with the digest in the tombstone, which the erasure's record covers. */
export function withRemoval<Record extends Pick<AuditRow, 'position' | 'digest'>>(
  record: Record,
  after: StateAfter | undefined,
): Record {
  if (after === undefined || after.position < (record.position ?? Number.POSITIVE_INFINITY)) return record
  return { ...record, digest: after.digest }
}

/** Erased rows must not come back as copies, and deleted rows must not pass for erased ones. */
async function verifyErased({ connection, report }: Checking): Promise<void> {
  for await (const { name, wrong } of wrongTombstones(connection)) {
    if (wrong === 'there') report(`${name} was erased, and is there again`)
    else report(`${name} is said to be erased, by an erasure that is not there`)
  }
}

const belongings: Readonly<Record<string, string>> = {
  submission: 'its executions or their steps are',
  execution: 'its steps, artifacts or events are',
  case: 'its payload is',
  user: 'its events are',
  api_token: 'its scopes are',
  activation: 'its events are',
  erasure: 'its tombstones are',
  hold: 'its release is',
  retention: 'its policies are',
  release: 'its events are',
}

/** @returns 1 for a state that is covered, else 0 */
function checkState(
  { report }: Checking,
  { resourceKind, resourceId, contentHash, digest, position }: AuditRow,
  state: State | undefined,
  hasUnsealed: boolean,
): number {
  const name = `${resourceKind} ${resourceId}`
  if (state === undefined) {
    report(`${name} is missing; the audit trail records it at position ${position}`)
    return 0
  }
  // A record of a version before 0.34 covers no state. If an unsealed record exists, the next seal covers the state.
  if (contentHash === null || hasUnsealed) return 0
  if (digest === null) {
    if (isFinal(state) && !coversSinceLater(resourceKind))
      report(`${name} is in a state that the audit trail at position ${position} does not tell of`)
    return 0
  }
  if (digestOfState(state) === digest) return 1
  report(
    `${name}, or ${belongings[resourceKind] ?? 'its versions or events are'} not what the audit trail covers at position ${position}`,
  )
  return 0
}

/** Checks that unsealed records have a tag of the store's key. @returns how many have the tag of another key */
async function verifyUnsealed({ connection, report, key }: Checking, began: AuditRow | undefined): Promise<number> {
  let ofOtherKey = 0
  for (let last: AuditRow | undefined; ; ) {
    const rows = await listUnsealed(connection, limits.auditSealBatch, last)
    // Read the keys after the rows: a key is introduced before anything is written under it.
    const keys = await knownKeys(connection)
    const now = await readTime(connection)
    for (const row of rows) {
      // Left by a version before 0.34 that was killed; the next start seals it.
      if (row.contentHash === null && began === undefined) continue
      const { problem, isOfOtherKey } = unattested(row, now, { key, keys })
      if (isOfOtherKey === true || (key === undefined && row.attestation !== null)) ofOtherKey++
      else if (problem !== undefined) report(`the unsealed audit record ${row.id} is not Quire's: ${problem}`)
    }
    last = rows.at(-1)
    if (rows.length < limits.auditSealBatch) return ofOtherKey
  }
}

/** Answers under an Idempotency-Key live only for days, so a tag covers them instead of the chain. */
async function verifyAnswers({ connection, report, key }: Checking): Promise<number> {
  let ofOtherKey = 0
  for (let last: Pick<AnswerRow, 'actorId' | 'key'> = { actorId: '', key: '' }; ; ) {
    const rows = await answersAfter(connection, last)
    const keys = await knownKeys(connection)
    for (const row of rows) {
      const tagged = { tag: row.attestation, text: attestedAnswer(row), at: row.createdAt }
      const { problem, isOfOtherKey } = checkTag(tagged, { key, keys })
      if (isOfOtherKey === true || key === undefined) ofOtherKey++
      else if (problem !== undefined) {
        report(`the answer under the Idempotency-Key ${row.key} is not what was answered: ${problem}`)
      }
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tablePageRows) return ofOtherKey
    last = end
  }
}

/** Counts rows that no record covers, and reports those that did not exist before the beginning. */
async function verifyUncovered(
  { connection, report }: Checking,
  began: AuditRow | undefined,
): Promise<Record<string, number>> {
  const counts = await countUncovered(connection, ({ what, name, madeAt }) => {
    if (began === undefined || madeAt < began.at) return true
    report(`${what} ${name} has no record in the audit trail`)
    return false
  })
  if (began === undefined) return counts
  const before = (began.detail.uncovered ?? {}) as Record<string, number>
  for (const [what, count] of Object.entries(counts)) {
    const known = before[what] ?? 0
    if (count <= known) continue
    const times = formatInstant(began.at)
    report(`${count} of the kind ${what} have no record in the audit trail, where ${known} were there at ${times}`)
  }
  return counts
}

/**
 * Checks the statuses of activations, which no record covers because time changes them. Sorted by when they come into force, a
 * family's activations are superseded ones, then one active, then scheduled ones.
 */
async function verifyActivations({ connection, report }: Checking): Promise<void> {
  for await (const { id, status } of wronglyCancelled(connection))
    report(`activation ${id} is ${status}, and ${status === 'cancelled' ? 'nobody cancelled it' : 'was cancelled'}`)
  for await (const id of brokenOrders(connection)) {
    const statuses = await statusesInOrder(connection, id)
    report(`the activations of family ${id} do not follow each other: ${statuses.join(', ')}`)
  }
}
