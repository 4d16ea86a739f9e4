import { Lease } from '../../bus/lease.ts'
import { type Actor, systemAuthor } from '../../core/actor.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { SigningKey } from '../../core/signing-key.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { AuditRow } from '../../db/audit-log.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { findStoreId } from '../../db/store-id.ts'
import { type Announcer, createAnnouncer } from './audit.announcer.ts'
import { countUncovered } from './audit.coverage.reads.ts'
import { isGenuine, signHead } from './audit.heads.ts'
import { auditHashOf, CHAIN_START, recordAudit } from './audit.service.ts'
import { digestOfState, isCovered, isFinal, readStates } from './audit.states.reads.ts'
import {
  findHead,
  headPosition,
  insertHead,
  listByAction,
  listSealed,
  listUnsealed,
  type Seal,
  unsealedIds,
  writeSeals,
} from './audit.store.ts'
import {
  type Checked,
  COVERAGE_BEGAN,
  isOfStore,
  KEY_INTRODUCED,
  type KnownKeys,
  knownKeys,
  saidIn,
  unattested,
} from './audit.unsealed.ts'

/**
 * Adds committed audit records to the chain in batches, so that writers never wait for each other's hash. Each record gets the
 * digest of its resource's state, and each batch ends in a signed head. One sealer per database works at a time, by lease. It
 * looks twice a second, with one indexed read.
 */
export interface Sealer {
  /** Seals all waiting records, then stops for good. */
  drain(): Promise<void>
}

export interface SealerDependencies {
  database: Database
  log: Log
  /** Names this instance. */
  owner: string
  /** Signs the heads, and tells this store's records from forged ones. */
  key?: SigningKey
  clock?: Clock
  /** True if no other process can use the database. */
  isSoleInstance?: boolean
  /** Absolute path of a file that heads are appended to. */
  headsFile?: string
  timers?: Timers
}

export function startSealer(dependencies: SealerDependencies): Sealer {
  const { database, log, owner, key, clock = systemClock, isSoleInstance = false, headsFile } = dependencies
  const timers = dependencies.timers ?? systemTimers
  const leaseMs = limits.auditLeaseMs
  const lease = new Lease(database, { name: 'audit-sealer', owner, leaseMs, isSoleInstance, timers })
  const file = headsFile === undefined ? {} : { file: headsFile }
  const announcer: Announcer = createAnnouncer({ database, clock, timers, log, ...file })
  const stopping = Promise.withResolvers<void>()
  const refused = new Set<string>()
  const memory: Memory = { introductions: new Map(), upTo: 0 }
  /** The last message logged about an unsigned end. */
  let unsigned: string | undefined
  /**
   * Whether the last round met an unsigned end. One round proves nothing: if this process slept, another sealer may have been
   * faster.
   */
  let isDoubted = false
  let isBegun = key === undefined
  let isStopping = false

  async function run(): Promise<void> {
    while (!isStopping) {
      await round()
      await Promise.race([timers.sleep(limits.auditSealMs), stopping.promise])
    }
    await round()
    if (lease.isHeld) await announcer.announce().catch(() => {})
    await lease.release().catch(() => {})
  }

  async function round(): Promise<void> {
    const wasDoubted = isDoubted
    isDoubted = false
    try {
      // The lease is asked for only when there is something to seal: an idle service writes nothing.
      const waiting = await unsealedIds(database.read, refused.size + 1)
      const isNothingNew = waiting.every((id) => refused.has(id))
      if ((isBegun && isNothingNew && !announcer.isDue()) || !(await lease.hold())) return
      if (key !== undefined && !isBegun) await begin(database, { key, clock })
      isBegun = true
      const onRefused = (row: AuditRow, why: string) => {
        if (refused.size < limits.auditRefusedKept && !refused.has(row.id)) {
          refused.add(row.id)
          log.error('an audit record is not sealed: Quire did not write it', { record_id: row.id, why })
        }
      }
      const sealing = { clock, onRefused, memory, ...(key === undefined ? {} : { key }) }
      for (let sealed: number = limits.auditSealBatch; lease.isHeld && sealed >= limits.auditSealBatch; ) {
        sealed = await sealBatch(database, sealing)
        if (sealed > 0) announcer.expect()
      }
      if (lease.isHeld && announcer.isDue()) await announcer.announce()
    } catch (error) {
      isDoubted = error instanceof UnsignedEnd
      if (!(error instanceof UnsignedEnd)) {
        log.warn('audit records could not be sealed; the next round tries again', { cause: error })
      } else if (wasDoubted && error.message !== unsigned) {
        unsigned = error.message
        const remedy = 'see quire verify, and restore a backup from before that: quire restore --replace'
        log.error('no audit record is sealed any more: somebody else changed the end of the trail', {
          why: unsigned,
          remedy,
        })
      }
    }
  }

  const running = run()
  return {
    async drain() {
      isStopping = true
      stopping.resolve()
      await running
    },
  }
}

/**
 * Writes two records: once, that records cover state from now on, with counts of the rows that existed before; and once for each
 * key, that it signs from now on.
 */
async function begin(database: Database, { key, clock }: { key: SigningKey; clock: Clock }): Promise<void> {
  const began = await listByAction(database.read, COVERAGE_BEGAN)
  // A key that comes back is introduced again, which makes the other keys the earlier ones.
  const isKnown = (await knownKeys(database.read)).newest?.id === key.id
  if (began.length > 0 && isKnown) return
  // Seal the records of versions before 0.34 first: they have no tag, and no more of them are written. All others wait until the
  // beginning is recorded. If they were sealed first and the process was killed, the chain would seem to have lost that record.
  const isOfVersionBefore = ({ contentHash }: AuditRow) => contentHash === null
  if (began.length === 0)
    while ((await sealBatch(database, { isWanted: isOfVersionBefore })) === limits.auditSealBatch) {}
  const uncovered = await countUncovered(database.read)
  const actor: Actor = { ...systemAuthor(), at: clock.now() }
  await database.write(async (tx) => {
    if (began.length === 0) {
      const detail = { uncovered }
      await recordAudit(tx, actor, { action: COVERAGE_BEGAN, resourceKind: 'audit_trail', detail })
    }
    if (!isKnown) {
      const detail = { public_key: key.publicKey }
      await recordAudit(tx, actor, { action: KEY_INTRODUCED, resourceKind: 'signing_key', resourceId: key.id, detail })
    }
  })
}

interface Sealing {
  /** Without a key, every record is accepted and no head is signed. */
  key?: SigningKey
  clock?: Clock
  onRefused?: ((row: AuditRow, why: string) => void) | undefined
  /** Records for which this is false are left for a later batch. */
  isWanted?: (row: AuditRow) => boolean
  memory?: Memory
}

/**
 * The introductions that this instance has seen in the chain, which only ever grows. They expose an attacker who changes the
 * chain just while a batch is sealed, to get records accepted under a fake key of the store, and then restores it.
 */
interface Memory {
  introductions: ReadonlyMap<number, string>
  /** End of the chain when this was noted. */
  upTo: number
}

/** Appends the oldest unsealed records to the chain, in one transaction. @returns how many */
export async function sealBatch(
  database: Database,
  { key, clock, onRefused, isWanted = () => true, memory }: Sealing = {},
): Promise<number> {
  const upTo = await headPosition(database.read)
  const keys = key === undefined ? undefined : await knownKeys(database.read)
  if (memory !== undefined && keys !== undefined) remember(memory, keys, upTo)
  const now = (clock ?? systemClock).now()
  const checking = keys === undefined ? undefined : { key, keys, now, onRefused }
  const rows = await nextBatch(database.read, checking, isWanted)
  if (rows.length === 0) return 0
  // Reading before the transaction is safe: a later change of a state writes its own record, which is sealed later.
  const digests = await digestsFor(database.read, rows)
  const store = (await findStoreId(database.read)) ?? ''
  const { end, seals } = await database.write(async (tx) => {
    const end = await headPosition(tx)
    let position = end
    let previousHash = (await listSealed(tx, position, position + 1))[0]?.hash ?? CHAIN_START
    if (keys !== undefined) await requireSignedEnd(tx, { position, hash: previousHash }, { key, keys })
    const seals: Seal[] = rows.map((row) => {
      position++
      const digest = digests.get(row.id) ?? null
      const hash = auditHashOf({ ...row, digest }, position, previousHash)
      const seal = { id: row.id, contentHash: row.contentHash, digest, position, previousHash, hash }
      previousHash = hash
      return seal
    })
    await writeSeals(tx, seals)
    if (key !== undefined) {
      const at = (clock ?? systemClock).now()
      await insertHead(tx, signHead({ store, position, hash: previousHash, at }, key))
    }
    return { end, seals }
  })
  // If another instance has sealed in between, the next batch checks what it sealed.
  if (memory !== undefined && end === upTo) {
    const own = saidIn(rows.map((row, index) => ({ ...row, position: end + 1 + index })))
    Object.assign(memory, { introductions: new Map([...memory.introductions, ...own]), upTo: end + seals.length })
  }
  return seals.length
}

/** @throws UnsignedEnd if a key's introduction was added, changed or removed before the end seen last */
function remember(memory: Memory, { at: introductions }: KnownKeys, upTo: number): void {
  for (const position of new Set([...memory.introductions.keys(), ...introductions.keys()])) {
    const isKnown = memory.introductions.has(position) || position <= memory.upTo
    if (isKnown && memory.introductions.get(position) !== introductions.get(position))
      throw new UnsignedEnd(`the record at position ${position} introduces another key than it did, or none any more`)
  }
  Object.assign(memory, { introductions, upTo: Math.max(upTo, memory.upTo) })
}

/** The chain doesn't end at its newest head, or no key of this store signed that head. */
class UnsignedEnd extends Error {}

/**
 * Refuses to seal after an end that the store didn't sign. Hashes need no key, so anybody with write access to the database can
 * lengthen the chain; they can't sign its end. The next head would cover what they wrote. `quire verify` reports such an end,
 * too.
 *
 * @throws UnsignedEnd
 */
async function requireSignedEnd(
  tx: Transaction,
  end: { position: number; hash: string },
  { key, keys: { introduced } }: Checked,
): Promise<void> {
  const head = await findHead(tx)
  // Nothing was signed before the first key was introduced.
  if (head === undefined && introduced.size === 0) return
  if (head === undefined || head.position !== end.position || head.hash !== end.hash) {
    throw new UnsignedEnd(`the trail ends at position ${end.position}, and its last head is of ${head?.position ?? 0}`)
  }
  const isOwn = head.publicKey === key?.publicKey && isGenuine(head)
  if (!isOwn && !isOfStore(head, introduced))
    throw new UnsignedEnd(`no key of this store signed the head of ${head.position}`)
}

/** The oldest records that may be sealed: all except those that Quire did not write. */
async function nextBatch(
  connection: Connection,
  checking: (Checked & { now: Instant; onRefused: Sealing['onRefused'] }) | undefined,
  isWanted: (row: AuditRow) => boolean,
): Promise<AuditRow[]> {
  const first = checking === undefined ? [] : await introducing(connection, checking)
  const ids = new Set(first.map(({ id }) => id))
  const accepted: AuditRow[] = []
  // Before the first head, tags of any key are accepted. Take all such records now: after it, those of another key are refused
  // for good.
  const most = checking?.keys.introduced.size === 0 ? Number.POSITIVE_INFINITY : limits.auditSealBatch
  for (let last: AuditRow | undefined; ; ) {
    const wanted = Math.min(limits.auditSealBatch, most - accepted.length)
    const rows = await listUnsealed(connection, wanted, last)
    for (const row of rows.filter(isWanted)) {
      const why = checking === undefined ? undefined : unattested(row, checking.now, checking).problem
      if (why === undefined) accepted.push(row)
      else checking?.onRefused?.(row, why)
    }
    last = rows.at(-1)
    if (rows.length < wanted || accepted.length === most) break
  }
  const others = accepted.filter(({ id }) => !ids.has(id))
  if (accepted.length === others.length + first.length) return accepted
  return [...others.slice(0, limits.auditSealBatch - first.length), ...first]
}

/**
 * The records that the key's first batch must have, even if many older ones wait: its head is then signed by a key that the chain
 * knows, even if no batch follows.
 */
async function introducing(connection: Connection, checking: Checked & { now: Instant }): Promise<AuditRow[]> {
  const { key, keys } = checking
  if (key === undefined || keys.introduced.has(key.id)) return []
  const began = await listByAction(connection, COVERAGE_BEGAN)
  const own = (await listByAction(connection, KEY_INTRODUCED)).filter(({ resourceId }) => resourceId === key.id)
  const waiting = [...began.slice(-1), ...own.slice(-1)].filter(({ position }) => position === null)
  return waiting.filter((row) => unattested(row, checking.now, checking).problem === undefined)
}

/** Tuned: states that are read at once, so that other work runs in between. */
const STATES_AT_ONCE = 64

/** Digests of the resources' states, by the records' ids. A record that came with a digest keeps it. */
async function digestsFor(connection: Connection, rows: readonly AuditRow[]): Promise<Map<string, string>> {
  const digests = new Map(rows.flatMap(({ id, digest }) => (digest === null ? [] : [[id, digest] as const])))
  const open = rows.filter((row) => row.contentHash !== null && row.digest === null && isCovered(row.resourceKind))
  for (const [kind, records] of Map.groupBy(open, ({ resourceKind }) => resourceKind)) {
    for (let from = 0; from < records.length; from += STATES_AT_ONCE) {
      const some = records.slice(from, from + STATES_AT_ONCE)
      const ids = new Set(some.flatMap(({ resourceId }) => (resourceId === null ? [] : [resourceId])))
      const states = await readStates(connection, kind, [...ids])
      for (const { id, resourceId } of some) {
        const state = states.get(resourceId ?? '')
        if (state !== undefined && isFinal(state)) digests.set(id, digestOfState(state))
      }
    }
  }
  return digests
}
