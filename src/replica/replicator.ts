import { open } from 'node:fs/promises'
import { sha256Hex } from '../core/hash.ts'
import { newId } from '../core/ids.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import type { Database, FollowedLog, HeldFile } from '../db/database.ts'
import { LogBroken, type LogPart } from '../db/log-reader.ts'
import { findStoreId } from '../db/store-id.ts'
import { ObjectDamaged, type ObjectStore } from '../objects/object-store.ts'
import { claimReplica } from './claim.ts'
import { idAfter, idsOf, noteName, REPLICA_FORMAT, writeBase, writeLog } from './format.ts'
import { prune } from './prune.ts'

export interface ReplicatorPorts {
  /** The embedded database. */
  database: Database
  /** The artifacts' objects. */
  objects: ObjectStore
  /** The place of the replica. */
  target: ObjectStore
  log: Log
  keepDays: number
  /** For tests. */
  everyMs?: number
  baseMs?: number
}

export interface Replicator {
  /** Call it for every object that is stored: the replica must have the object before the log that names it. */
  noticeObject(hash: string): void
  /** Age of the oldest commit that may not be in the replica, in seconds; undefined until the first copy is complete. */
  lagSeconds(): number | undefined
  /** How many tries have failed since the start. */
  readonly failures: number
  /** Brings the replica up to date a last time, if that is possible before the deadline, and ends. */
  stop(deadlineMs?: number): Promise<void>
}

/** A part of the log with its id, which stays the same however often it is written. */
type Waiting = LogPart & { id: string }

/**
 * Keeps a replica: the embedded database's log part by part, within seconds of the commits, and the database's file at the start
 * and once a day. While the replica can't be written, parts wait in memory, and the log keeps what doesn't fit there. Beyond a
 * bound the log is released, and the replica starts over.
 */
export function startReplicator(ports: ReplicatorPorts): Replicator {
  return new LogReplicator(ports)
}

class LogReplicator implements Replicator {
  readonly #ports: ReplicatorPorts
  readonly #log: Log
  readonly #newObjects = new Set<string>()
  readonly #running: Promise<void>
  failures = 0
  #followed: FollowedLog | undefined
  #run = newId()
  /** The last id of a part or a copy, which sort by their ids. */
  #lastId = ''
  #waiting: Waiting[] = []
  /** The epoch of the part taken last, and the id of that epoch's first part, which may not be written yet. */
  #taken: { epoch: number; since: string } | undefined
  #upToDateMs: number | undefined
  #isClaimed = false
  #hasBase = false
  #baseDueMs = 0
  #copying: Promise<void> | undefined
  #isStopping = false
  #wake: (() => void) | undefined

  constructor(ports: ReplicatorPorts) {
    this.#ports = ports
    this.#log = ports.log.with({ component: 'replica' })
    this.#running = this.#loop()
  }

  noticeObject(hash: string): void {
    this.#newObjects.add(hash)
  }

  lagSeconds(): number | undefined {
    if (!this.#hasBase || this.#upToDateMs === undefined) return undefined
    return (performance.now() - this.#upToDateMs) / 1_000
  }

  async stop(deadlineMs: number = limits.replicaStopMs): Promise<void> {
    this.#isStopping = true
    this.#wake?.()
    const isOver = Promise.withResolvers<void>()
    const timer = setTimeout(isOver.resolve, deadlineMs)
    await Promise.race([this.#running.then(() => this.#copying), isOver.promise])
    clearTimeout(timer)
    await this.#followed?.end().catch(() => {})
  }

  async #loop(): Promise<void> {
    const { everyMs = limits.replicaEveryMs } = this.#ports
    for (let failed = 0; ; ) {
      const isLast = this.#isStopping
      try {
        await this.#round()
        if (failed > 0) this.#log.info('the replica is written again', { failed })
        failed = 0
      } catch (error) {
        this.failures++
        if (failed++ === 0) this.#log.error('the replica can not be written; what is new waits', { error })
        await this.#letGoIfTooLong()
      }
      if (isLast) return
      const backoffMs = Math.min(limits.replicaBackoffMaxMs, everyMs * 2 ** Math.min(failed, 10))
      await this.#pause(failed === 0 ? everyMs : backoffMs)
    }
  }

  #pause(milliseconds: number): Promise<void> {
    if (this.#isStopping) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #round(): Promise<void> {
    const takenMs = performance.now()
    const isAllTaken = await this.#take()
    await this.#claim()
    await this.#copyNewObjects()
    for (let part = this.#waiting[0]; part !== undefined; part = this.#waiting[0]) {
      await this.#ports.target.notes.put(noteName('log', part.id), writeLog(this.#run, part))
      this.#waiting.shift()
    }
    if (isAllTaken) this.#upToDateMs = takenMs
    if (this.#copying === undefined && !this.#isStopping && performance.now() >= this.#baseDueMs) {
      this.#copying = this.#copyBase().finally(() => {
        this.#copying = undefined
      })
    }
  }

  async #claim(): Promise<void> {
    if (this.#isClaimed) return
    const { database, target } = this.#ports
    const storeId = await findStoreId(database.read)
    if (storeId !== undefined) await claimReplica(target, storeId)
    this.#isClaimed = true
  }

  /** False if more waits in the log than fits in memory. */
  async #take(): Promise<boolean> {
    const { database } = this.#ports
    if (database.followLog === undefined) throw new Error('only an embedded database has a log that can be followed')
    this.#followed ??= await database.followLog()
    const bytes = this.#waiting.reduce((sum, part) => sum + part.bytes.length, 0)
    if (bytes > limits.replicaWaitingBytes) return false
    try {
      const parts = await this.#followed.take()
      for (const taken of parts) {
        const part = { ...taken, id: this.#nextId() }
        this.#waiting.push(part)
        if (part.from === 0) this.#taken = { epoch: part.epoch, since: part.id }
      }
      return true
    } catch (error) {
      if (error instanceof LogBroken) await this.#beginAnew()
      throw error
    }
  }

  /**
   * Copies objects before the log, so that a log in the replica never names a missing one. An object that no longer exists was
   * erased or swept. Objects that come meanwhile are left for the next round; otherwise this might never end.
   */
  async #copyNewObjects(): Promise<void> {
    const hashes = [...this.#newObjects].values()
    await severalAtOnce(async () => {
      for (const hash of hashes) {
        await this.#copyObject(hash)
        this.#newObjects.delete(hash)
      }
    })
  }

  async #copyObject(hash: string): Promise<void> {
    const { objects, target } = this.#ports
    const bytes = await objects.get(hash).catch((error: unknown) => {
      // It can't be copied, but the rest is still worth replicating.
      if (!(error instanceof ObjectDamaged)) throw error
      this.#log.error('an object is damaged, and not copied to the replica; see quire verify', { hash })
    })
    if (bytes !== undefined) await target.put(hash, bytes)
  }

  #nextId(): string {
    this.#lastId = idAfter(this.#lastId, newId())
    return this.#lastId
  }

  async #letGoIfTooLong(): Promise<void> {
    if ((this.#followed?.waitingBytes ?? 0) < limits.replicaLogMaxBytes) return
    this.#log.error('the log has grown too long; the replica begins anew once it can be written')
    await this.#beginAnew()
  }

  async #beginAnew(): Promise<void> {
    const followed = this.#followed
    this.#followed = undefined
    this.#run = newId()
    this.#waiting = []
    this.#taken = undefined
    this.#hasBase = false
    this.#baseDueMs = 0
    await followed?.end().catch(() => {})
  }

  /** Copies the database's file, whose pages don't change meanwhile. A failure counts as the replica's, and is retried. */
  async #copyBase(): Promise<void> {
    const { target, objects, keepDays, baseMs = limits.replicaBaseMs } = this.#ports
    const run = this.#run
    const startedMs = performance.now()
    try {
      if (!this.#hasBase) await this.#copyAllObjects()
      // A restore takes the newest copy, so one from a clock that was ahead must not stay the newest. Nobody else makes copies.
      const newest = idsOf('base', await target.notes.names()).at(-1) ?? ''
      // Made before the hold: parts that are taken afterwards have later ids.
      const beforeHold = this.#nextId()
      const held = await this.#followed?.hold()
      if (held === undefined) return
      try {
        const since = this.#taken?.epoch === held.epoch ? this.#taken.since : beforeHold
        const { pieces, bytes } = await this.#copyFile(held)
        if (this.#isStopping || run !== this.#run) return
        const { epoch, position } = held
        const content = { run, epoch, position, since, pieces, byte_size: bytes }
        await target.notes.put(
          noteName('base', idAfter(newest, this.#nextId())),
          writeBase({ format: REPLICA_FORMAT, product_version: PRODUCT_VERSION, ...content }),
        )
        this.#log.info('the database was copied to the replica', {
          bytes,
          ms: Math.round(performance.now() - startedMs),
        })
      } finally {
        held.release()
      }
      // If another run began meanwhile, its log doesn't continue from this copy.
      if (run !== this.#run) return
      this.#hasBase = true
      this.#baseDueMs = performance.now() + baseMs
      await prune({ target, objects, keepDays })
    } catch (error) {
      this.failures++
      this.#baseDueMs = performance.now() + limits.replicaBackoffMaxMs
      this.#log.error('the database could not be copied to the replica; it is tried again', { error })
    }
  }

  async #copyAllObjects(): Promise<void> {
    const { objects, target } = this.#ports
    // One shared walk, from which each worker takes the next object.
    const walk = objects.list()[Symbol.asyncIterator]()
    const listed = { [Symbol.asyncIterator]: () => walk }
    await severalAtOnce(async () => {
      for await (const { hash } of listed) {
        if (this.#isStopping) return
        if ((await target.size(hash)) === undefined) await this.#copyObject(hash)
      }
    })
  }

  /** Copies the file in pieces that are stored by their content, so that little is written if the file has changed little. */
  async #copyFile({ path }: HeldFile): Promise<{ pieces: string[]; bytes: number }> {
    const { target } = this.#ports
    const pieces: string[] = []
    let bytes = 0
    const file = await open(path, 'r')
    try {
      for (;;) {
        const piece = new Uint8Array(limits.replicaPieceBytes)
        const { bytesRead } = await file.read(piece, 0, piece.length, bytes)
        if (bytesRead === 0 || this.#isStopping) return { pieces, bytes }
        const content = piece.subarray(0, bytesRead)
        const hash = sha256Hex(content)
        if ((await target.size(hash)) !== bytesRead) await target.put(hash, content)
        pieces.push(hash)
        bytes += bytesRead
      }
    } finally {
      await file.close()
    }
  }
}

/** Runs several workers over one list. @throws the error of the first that failed, once all have ended */
async function severalAtOnce(copySome: () => Promise<void>): Promise<void> {
  const copies = await Promise.allSettled(Array.from({ length: limits.replicaObjectsAtOnce }, copySome))
  for (const copy of copies) if (copy.status === 'rejected') throw copy.reason
}
