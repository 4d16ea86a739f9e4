import { and, eq, type SQL, sql } from 'drizzle-orm'
import { limits } from '../core/limits.ts'
import { systemTimers, type Timers } from '../core/timers.ts'
import type { Connection, Database } from '../db/database.ts'
import { prepareOnce } from '../db/prepared.ts'

export interface LeaseOptions {
  name: string
  owner: string
  leaseMs: number
  /** True if no other process can use the database: a lease found there is left over from a run that has ended. */
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

  /** True while nobody else can hold it for this long from now. */
  isHeldFor(milliseconds: number): boolean {
    return this.#timers.nowMs() + milliseconds < this.#heldUntilMs
  }

  /** Takes or prolongs the role when less than half of its time is left. True when it is held afterwards. */
  async hold(): Promise<boolean> {
    const askedAtMs = this.#timers.nowMs()
    if (this.#heldUntilMs - askedAtMs > this.#leaseMs / 2) return true
    const holders = await this.#database.write((tx) =>
      (this.#isSole ? takingAlone : taking)(tx).execute({
        ...{ name: this.#name, owner: this.#owner },
        ...{ lease: tx.millisecondsFor(this.#leaseMs), most: tx.millisecondsFor(this.#leaseMs + limits.leaseMarginMs) },
      }),
    )
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

/** @param isFree whether the role may be taken from whoever has it */
function take({ q, t: { leases }, clockPlus }: Connection, isFree: SQL) {
  // An end this far ahead means that the clock was set back since. A living holder measures by its own clock.
  const isDisplaced = sql`${leases.expiresAt} > ${clockPlus(sql.placeholder('most'))}`
  const expiresAt = sql`${clockPlus(sql.placeholder('lease'))}`
  return q
    .insert(leases)
    .values({ name: sql.placeholder('name'), owner: sql.placeholder('owner'), expiresAt })
    .onConflictDoUpdate({
      target: leases.name,
      set: { owner: sql`case when ${isFree} then excluded.owner else ${leases.owner} end`, expiresAt },
      setWhere: sql`${isFree} or ${isDisplaced}`,
    })
    .returning({ owner: leases.owner })
    .prepare()
}

const takingAlone = prepareOnce((connection) => take(connection, sql`1 = 1`))
const taking = prepareOnce((connection) => {
  const { leases } = connection.t
  return take(connection, sql`(${leases.owner} = excluded.owner or ${leases.expiresAt} < ${connection.clock})`)
})
