import type { Client } from '@libsql/client'
import type { Answer, Asked, MemoryDatabase } from './sqlite.ts'
import type { Process, World } from './world.ts'

/** What may be wrong with a database's disk, or with the way to a server. */
export type DatabaseFault =
  /** Embedded. */
  | 'reads'
  | 'writes'
  | 'full'
  /** A server. */
  | 'refused'
  | 'silent'
  | 'unanswered'

/** How long a late message to a server or from it is on its way. */
export const LATE_MS = [50, 400] as const

class Failed extends Error {
  constructor(
    readonly code: string,
    what: string,
  ) {
    super(`simulated: ${what}`)
  }
}

interface Held {
  process: Process
  /** A commit that is on its way happens or not when its process dies; everything else is undone then. */
  isCommitting: boolean
  isSynced: boolean
}

/**
 * A database with its disk: one transaction at a time, as SQLite has it. A reading that comes while one is open has its
 * answer afterwards; as no statement of it counts before the commit, that is as if the reading had come earlier or later.
 */
export class SimulatedDatabase {
  readonly memory: MemoryDatabase
  fault: DatabaseFault | undefined
  /** Its file was taken away, or another store is behind its address. */
  isGone = false
  /** Commits that changed something while it was gone. */
  commitsWhileGone = 0
  commitMs: readonly [number, number] = [0.2, 4]
  answerMs: readonly [number, number] = [0.1, 1.5]
  /** Every twentieth message to a server or from it is late. */
  areSomeLate = false
  /** Told when a server has read the receivers outside of a transaction; says by how much the answer is late, if it is. */
  onReceiversRead: (() => number | undefined) | undefined
  /** Told when an embedded commit is on its way to the disk. */
  onCommit: (process: Process) => void = () => {}
  #held: Held | undefined
  readonly #waiting: { action: () => void; process: Process | undefined }[] = []
  /** Images of the states before commits that nobody has made durable. */
  readonly #unsynced: Uint8Array[] = []

  constructor(
    readonly world: World,
    memory: MemoryDatabase,
  ) {
    this.memory = memory
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  run(asked: Asked): Answer {
    const { world } = this
    const answer = this.memory.run(asked, world.epochMs)
    world.mix(answer.rows.length)
    if (world.keepsTrace) {
      const text = (typeof asked === 'string' ? asked : asked.sql).replaceAll(/\s+/g, ' ').trim()
      if (!/^(PRAGMA|SAVEPOINT|RELEASE)/.test(text)) world.note(() => `  ${text.slice(0, 100)} → ${answer.rows.length}`)
    }
    return answer
  }

  /** @param isSynced whether its commit will be on the disk, and not only on its way there */
  begin(process: Process, isSynced: boolean): void {
    if (!isSynced) this.#unsynced.push(this.memory.image())
    this.memory.exec('BEGIN IMMEDIATE')
    this.#held = { process, isCommitting: false, isSynced }
  }

  committing(): void {
    if (this.#held !== undefined) this.#held.isCommitting = true
  }

  commit(): void {
    if (this.#held?.isSynced === true) this.#unsynced.length = 0
    this.memory.exec('COMMIT')
    if (this.isGone) this.commitsWhileGone++
    this.world.note(() => 'commit')
    this.#release()
  }

  rollback(): void {
    if (this.#held === undefined) return
    // Some faults have undone everything by themselves.
    try {
      this.memory.exec('ROLLBACK')
    } catch {}
    this.#release()
  }

  holds(process: Process): boolean {
    return this.#held?.process === process
  }

  /** Runs it now, or as soon as no transaction is open. */
  whenFree(action: () => void, process?: Process): void {
    if (this.#held === undefined) action()
    else this.#waiting.push({ action, process })
  }

  /** What the death of a process leaves: its transaction is undone, or its commit was just made. */
  onDeath(process: Process): void {
    if (this.#held?.process !== process) return
    if (this.#held.isCommitting && this.world.random.chance(0.5)) this.commit()
    else this.rollback()
  }

  /** The power fails: of what was not synced, the last part is lost, or all of it where the worst is asked for. */
  cutPower(worst = false): void {
    const { random } = this.world
    const kept = this.#unsynced[worst ? 0 : random.whole(0, this.#unsynced.length)]
    this.#unsynced.length = 0
    if (kept === undefined) return
    this.memory.become(kept)
    this.world.note(() => 'the power cut takes commits along that were not on the disk')
  }

  #release(): void {
    this.#held = undefined
    for (const { action, process } of this.#waiting.splice(0)) {
      this.world.after(0, () => this.whenFree(action, process), process)
    }
  }
}

/** A connection inside the process, as `@libsql/client` has one to a file: statements take no time, a commit takes a sync. */
export function embeddedClient(database: SimulatedDatabase, process: Process): Client {
  const { world } = database
  let isSynced = false
  let isSpoilt = false
  const fail = (when: 'read' | 'statement' | 'commit') => {
    const { fault } = database
    // Once a page could not be read, nobody knows what the connection holds; SQLite's own stays so until it is opened anew.
    if (isSpoilt) throw new Failed('SQLITE_NOTADB', 'the connection holds what is no page')
    if (fault === 'reads' && when !== 'commit') {
      isSpoilt = true
      throw new Failed('SQLITE_IOERR_READ', 'the disk gave no page')
    }
    if (fault === 'writes' && when === 'commit') throw new Failed('SQLITE_IOERR_WRITE', 'the disk took no page')
    if (fault === 'full' && when === 'commit') throw new Failed('SQLITE_FULL', 'the disk is full')
  }
  const pragma = (text: string): Answer | undefined => {
    if (!/^PRAGMA /i.test(text)) return undefined
    const level = /synchronous=(\w+)/i.exec(text)?.[1]
    if (level !== undefined) isSynced = level.toUpperCase() === 'FULL'
    return { columns: ['busy'], rows: [{ busy: 0 }], rowsAffected: 0 }
  }
  const client = {
    execute(asked: Asked): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const told = pragma(typeof asked === 'string' ? asked : asked.sql)
        if (told !== undefined) return resolve(told)
        const read = () => {
          try {
            fail('read')
            resolve(database.run(asked))
          } catch (error) {
            reject(error)
          }
        }
        database.whenFree(read, process)
      })
    },
    async transaction() {
      fail('read')
      await new Promise<void>((resolve) => {
        database.whenFree(() => {
          database.begin(process, isSynced)
          resolve()
        }, process)
      })
      return {
        async execute(asked: Asked) {
          try {
            fail('statement')
          } catch (error) {
            database.rollback()
            throw error
          }
          return database.run(asked)
        },
        async commit() {
          database.committing()
          database.onCommit(process)
          await new Promise(
            (resolve) =>
              void world.after(world.random.between(...database.commitMs), () => resolve(undefined), process),
          )
          try {
            fail('commit')
          } catch (error) {
            database.rollback()
            throw error
          }
          database.commit()
        },
        async rollback() {
          database.rollback()
        },
        close() {
          if (database.holds(process)) database.rollback()
        },
      }
    },
    close() {},
  }
  return client as unknown as Client
}

type Answers<T> = (value: T, lateMs?: number) => void

const RECEIVERS = / from "webhooks" order by /

/** How long a server keeps a transaction of which it hears nothing. */
const FORGOTTEN_MS = 5_000

/** A connection to a server that several instances share: each statement goes there and back. */
export function remoteClient(database: SimulatedDatabase, process: Process): Client {
  const { world } = database
  const { random } = world
  const wayMs = () => {
    const { areSomeLate, answerMs } = database
    return random.between(...(areSomeLate && random.chance(0.05) ? LATE_MS : answerMs))
  }

  /** Sends a request; what it does there happens even if the process dies meanwhile. */
  function ask<T>(effect: (answer: Answers<T>, refuse: (error: unknown) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const back = (action: () => void, lateMs = 0) => void world.after(wayMs() + lateMs, action, process)
      const { fault } = database
      if (fault === 'refused')
        return back(() => reject(new Failed('ECONNREFUSED', 'the server refuses the connection')))
      if (fault === 'silent') {
        world.after(10_000, () => reject(new Failed('ETIMEDOUT', 'the server says nothing')), process)
        return
      }
      world.after(wayMs(), () => {
        const isUnanswered = database.fault === 'unanswered' && random.chance(0.5)
        const answered = isUnanswered
          ? () => back(() => reject(new Failed('ECONNRESET', 'the connection broke before the answer')))
          : (value: T, lateMs?: number) => back(() => resolve(value), lateMs)
        effect(answered, (error) => back(() => reject(error)))
      })
    })
  }

  function attempt<T>(work: () => T, answer: (value: T) => void, refuse: (error: unknown) => void): void {
    try {
      answer(work())
    } catch (error) {
      refuse(error)
    }
  }

  const client = {
    execute: (asked: Asked) =>
      ask<Answer>((answer, refuse) =>
        database.whenFree(() => {
          const { onReceiversRead } = database
          const isOfReceivers =
            onReceiversRead !== undefined && RECEIVERS.test(typeof asked === 'string' ? asked : asked.sql)
          const told = isOfReceivers ? (value: Answer) => answer(value, onReceiversRead()) : answer
          attempt(() => database.run(asked), told, refuse)
        }),
      ),
    async transaction() {
      let isOpen = false
      let heardAtMs = 0
      const end = (how: () => void) => () => {
        isOpen = false
        process.atDeath.delete(close)
        how()
      }
      // The connection is gone, and the server undoes what was not committed.
      const close = () => {
        const undo = () => isOpen && end(() => database.rollback())()
        if (isOpen) world.after(random.between(1, 10), undo)
      }
      const lookAfter = () => {
        if (!isOpen) return
        const waitsMs = heardAtMs + FORGOTTEN_MS - world.nowMs
        if (waitsMs > 0) return void world.after(waitsMs, lookAfter)
        end(() => database.rollback())()
      }
      await ask<void>((answer) =>
        database.whenFree(() => {
          if (!process.isAlive) return
          database.begin(process, true)
          isOpen = true
          heardAtMs = world.nowMs
          world.after(FORGOTTEN_MS, lookAfter)
          process.atDeath.add(close)
          answer()
        }),
      )
      const within = <T>(work: () => T) =>
        ask<T>((answer, refuse) => {
          if (!isOpen) return refuse(new Failed('HRANA_STREAM_EXPIRED', 'the server has forgotten the transaction'))
          heardAtMs = world.nowMs
          attempt(work, answer, refuse)
        })
      return {
        execute: (asked: Asked) => within(() => database.run(asked)),
        commit: () => within(end(() => database.commit())),
        rollback: () => within(end(() => database.rollback())),
        close,
      }
    },
    close() {},
  }
  return client as unknown as Client
}
