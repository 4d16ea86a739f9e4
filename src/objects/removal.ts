import { limits } from '../core/limits.ts'
import { systemTimers, type Timers } from '../core/timers.ts'
import type { ObjectStore } from './object-store.ts'
import type { RemovalTurn, RemovalTurns } from './removal-turns.ts'
import { withPut } from './with-put.ts'

export interface Removal {
  objects: ObjectStore
  /** Which of these content hashes a row names. */
  named: (hashes: readonly string[]) => Promise<Set<string>>
  /**
   * Objects stored since this instant, by the store's clock, are kept. Called again for each object, because clocks may be set
   * meanwhile.
   */
  since: () => number
  timers?: Timers
  /** How long it waits for turns in total; the remaining objects are kept. */
  patienceMs?: number
  /** Once true, the remaining objects are kept. */
  isStopping?: () => boolean
}

export type Removed = 'removed' | 'missing' | 'kept' | 'named'

/**
 * Removes objects that no row names and that were not stored recently. After a failure the turn is left to expire: the last
 * request to the store may still take effect.
 */
export async function removeObjects(
  removal: Removal,
  hashes: readonly string[],
  onOutcome: (hash: string, outcome: Removed) => void,
): Promise<void> {
  const { objects, isStopping = () => false } = removal
  const turns = objects.turns && new Turns(objects.turns, removal)
  for (const hash of hashes) onOutcome(hash, isStopping() ? 'kept' : await removeOne(removal, hash, turns))
  await turns?.end()
}

async function removeOne({ objects, named, since }: Removal, hash: string, turns?: Turns): Promise<Removed> {
  for (;;) {
    // Age is checked last: a process that stores the object again renews its age before a row names it.
    if ((await named([hash])).size > 0) return 'named'
    const sinceMs = since()
    // False if the clock was set back in between: objects stored meanwhile may then have an earlier time.
    const isStill = () => since() >= sinceMs
    if (turns === undefined) return objects.deleteUnlessSince(hash, sinceMs, isStill)
    // Keep turns few: each of them makes others store again.
    const outcome = await objects.deleteUnlessSince(hash, sinceMs, () => turns.mayRemove && isStill())
    if (outcome !== 'kept' || turns.mayRemove) return outcome
    const modifiedAtMs = await objects.modifiedAtMs(hash)
    if ((modifiedAtMs !== undefined && modifiedAtMs > sinceMs) || !(await turns.next())) return 'kept'
  }
}

/** The turns of one round. */
class Turns {
  readonly #turns: RemovalTurns
  readonly #timers: Timers
  readonly #isStopping: () => boolean
  #turn: RemovalTurn | undefined
  /** How long the round may still wait for a turn. */
  #patienceMs: number

  constructor(turns: RemovalTurns, { timers = systemTimers, isStopping = () => false, patienceMs }: Removal) {
    this.#turns = turns
    this.#patienceMs = patienceMs ?? limits.objectTurnPatienceMs
    this.#timers = timers
    this.#isStopping = isStopping
  }

  get mayRemove(): boolean {
    return this.#turn?.mayRemove() === true
  }

  /** Ends the turn, and waits for another. False if the round has waited for long enough. */
  async next(): Promise<boolean> {
    const hadOne = this.#turn !== undefined
    await this.end()
    // After a turn of its own, let others go first.
    if (hadOne) await this.#timers.sleep(3 * limits.objectTurnPollMs)
    while (!this.#isStopping()) {
      this.#turn = await this.#turns.take()
      if (this.#turn !== undefined) return true
      if (this.#patienceMs <= 0) return false
      this.#patienceMs -= limits.objectTurnPollMs
      await this.#timers.sleep(limits.objectTurnPollMs)
    }
    return false
  }

  async end(): Promise<void> {
    const turn = this.#turn
    this.#turn = undefined
    await turn?.end()
  }
}

/** A store that other processes use as well. An object stored through it stays long enough for a row to name it. */
export function shared(store: ObjectStore, turns: RemovalTurns, timers: Timers = systemTimers): ObjectStore {
  const put = async (hash: string, bytes: Uint8Array) => {
    let beganAtMs = timers.nowMs()
    let outcome = await store.put(hash, bytes)
    if (outcome === 'new') return outcome
    while (!(await turns.noneSince(beganAtMs))) {
      const againAtMs = timers.nowMs()
      outcome = await store.put(hash, bytes)
      // A removal that began after the first put has found the object young.
      if (againAtMs - beganAtMs < limits.objectRenewMs) return outcome
      beganAtMs = againAtMs
    }
    return outcome
  }
  return { ...withPut(store, put), turns }
}
