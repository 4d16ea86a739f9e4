import { Fault } from '../core/faults.ts'
import { limits } from '../core/limits.ts'
import type { Principal } from './access.ts'
import { isMutation, type Operation } from './operation.ts'

/** What requests are counted as, each as one of these. */
export const rateNames = ['reads', 'changes', 'costly'] as const
export type RateName = (typeof rateNames)[number]

/** Requests a minute of one session user, and of one token. */
export type Rates = Readonly<Record<RateName, number>>

export const usualRates: Rates = {
  reads: limits.readsAMinute,
  changes: limits.changesAMinute,
  costly: limits.costlyAMinute,
}

export function rateOf({ method, isTrial, isCostly }: Pick<Operation, 'method' | 'isTrial' | 'isCostly'>): RateName {
  if (isTrial || isCostly) return 'costly'
  return isMutation(method) ? 'changes' : 'reads'
}

const meanings: Readonly<Record<RateName, string>> = {
  reads: 'requests that read',
  changes: 'requests that change something',
  costly: 'costly requests',
}

/**
 * Counts requests by GCRA, a leaky bucket that keeps one time for each caller: when all of its requests would have been
 * due at an even pace. A minute's requests may come at once. A refused request doesn't count. Each instance counts its
 * own.
 */
export class RateCounter {
  readonly #dueMs: Readonly<Record<RateName, Map<string, number>>> = {
    reads: new Map(),
    changes: new Map(),
    costly: new Map(),
  }
  #tidiedAtMs: number

  constructor(
    private readonly rates = usualRates,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#tidiedAtMs = nowMs()
  }

  /** Counts a request. @throws Fault rate_limited when the caller's minute is used up */
  count(name: RateName, { userId, token }: Pick<Principal, 'userId' | 'token'>): void {
    const nowMs = this.nowMs()
    this.#tidy(nowMs)
    const caller = token?.id ?? userId
    const rate = this.rates[name]
    const dueMs = Math.max(nowMs, this.#dueMs[name].get(caller) ?? nowMs) + limits.rateWindowMs / rate
    // Sums of fractions may miss a whole minute by a little.
    const waitMs = dueMs - nowMs - limits.rateWindowMs - 1e-3
    if (waitMs > 0) {
      const who = token === undefined ? 'You' : 'This token'
      const retryAfterSeconds = Math.ceil(waitMs / 1_000)
      throw new Fault(
        'rate_limited',
        `${who} may send ${rate} ${meanings[name]} in a minute. Nothing was changed. Send the request again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      )
    }
    this.#dueMs[name].set(caller, dueMs)
  }

  /** Forgets, once a minute, those who are due nothing: they start over in any case. */
  #tidy(nowMs: number): void {
    if (nowMs - this.#tidiedAtMs < limits.rateWindowMs) return
    this.#tidiedAtMs = nowMs
    for (const callers of Object.values(this.#dueMs)) {
      for (const [caller, dueMs] of callers) if (dueMs <= nowMs) callers.delete(caller)
    }
  }
}
