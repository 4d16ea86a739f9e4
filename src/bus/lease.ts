import { and, eq, sql } from 'drizzle-orm'
import { limits } from '../core/limits.ts'
import { systemTimers, type Timers } from '../core/timers.ts'
import type { Database } from '../db/database.ts'

export interface LeaseOptions {
  name: string
  owner: string
  leaseMs: number
  /** True if no other process can use the database: a lease found there is then one of a run that has ended. */
  isSoleInstance?: boolean
  timers?: Timers
}

/**
 * A role that one instance at a time holds. The database's clock decides when it is free; the holder measures the same
 * time with its own monotonic clock, from before it asked, so it always gives the role up before another may take it.
 */
export class Lease {
  readonly #isSole: boolean
  readonly #database: Database
  readonly #name: string
  readonly #owner: string
  readonly #leaseMs: number
  readonly #timers: Timers
  #heldUntilMs = 0

  constructor(database: Database, options: LeaseOptions) {
    this.#database = database
    this.#name = options.name
    this.#owner = options.owner
    this.#leaseMs = options.leaseMs
    this.#isSole = options.isSoleInstance ?? false
    this.#timers = options.timers ?? systemTimers
  }

  /** True only while nobody else can hold it; doesn't ask the database. */
  get isHeld(): boolean {
    return this.#timers.nowMs() < this.#heldUntilMs
  }

  /** True while nobody else can hold it for so long from now on. */
  isHeldFor(milliseconds: number): boolean {
    return this.#timers.nowMs() + milliseconds < this.#heldUntilMs
  }

  /** Takes or prolongs the role when less than half of its time is left. True when it is held afterwards. */
  async hold(): Promise<boolean> {
    const askedAtMs = this.#timers.nowMs()
    if (this.#heldUntilMs - askedAtMs > this.#leaseMs / 2) return true
    const holders = await this.#database.write(async (tx) => {
      const { leases } = tx.t
      const isFree = this.#isSole
        ? sql`1 = 1`
        : sql`(${leases}.owner = excluded.owner or ${leases}.expires_at < ${tx.clock})`
      // Only a clock that was set back since puts an end so far ahead. Its holder, if it lives, counts by its own clock.
      const isDisplaced = sql`${leases}.expires_at > ${tx.clockPlus(this.#leaseMs + limits.leaseMarginMs)}`
      const expiresAt = sql`${tx.clockPlus(this.#leaseMs)}`
      return tx.rows<{ owner: string }>(sql`
        insert into ${leases} (name, owner, expires_at) values (${this.#name}, ${this.#owner}, ${expiresAt})
        on conflict (name) do update set
          owner = case when ${isFree} then excluded.owner else ${leases}.owner end,
          expires_at = ${expiresAt}
        where ${isFree} or ${isDisplaced}
        returning owner`)
    })
    const isWon = holders[0]?.owner === this.#owner
    this.#heldUntilMs = isWon ? askedAtMs + this.#leaseMs : 0
    return isWon
  }

  /** Lets the next instance start at once. */
  async release(): Promise<void> {
    if (this.#heldUntilMs === 0) return
    this.#heldUntilMs = 0
    await this.#database.write(async (tx) => {
      const { leases } = tx.t
      await tx.q.delete(leases).where(and(eq(leases.name, this.#name), eq(leases.owner, this.#owner)))
    })
  }
}
