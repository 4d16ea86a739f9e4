import type { Carry, Seat, Transaction } from './database.ts'

/** A function whose calls by several writers of one transaction share a statement. A lone writer runs a statement of its own. */
export function gathered<Values, Result>(carry: Carry<Values, Result>) {
  return async (tx: Transaction, values: Values): Promise<Result> => {
    if (tx.seat !== undefined) return (await tx.seat.call(carry as Carry<unknown, unknown>, tx, values)) as Result
    const [result] = await carry(tx, [values])
    return result as Result
  }
}

interface Call {
  tx: Transaction
  values: unknown
  seat: { calls: number; isLeft: boolean }
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Keeps the writers of one transaction in step. Calls are held until every running writer waits for one. Then all of them run,
 * calls of the same statement together. So a transaction takes only as many round trips as its longest writer needs.
 */
export class Gathering {
  /** How many writers don't wait for a call. */
  #busy: number
  #calls = new Map<Carry<unknown, unknown>, Call[]>()
  #isUnderWay = false

  readonly #giveTurn: (() => Promise<void>) | undefined

  /** @param giveTurn is awaited before each round trip, because many writers together may hold their thread for long */
  constructor(writers: number, giveTurn?: () => Promise<void>) {
    this.#busy = writers
    this.#giveTurn = giveTurn
  }

  async join<T>(work: (seat: Seat) => Promise<T>): Promise<T> {
    const seat = { calls: 0, isLeft: false }
    try {
      return await work({ call: (carry, tx, values) => this.#call(carry, { seat, tx, values }) })
    } finally {
      seat.isLeft = true
      if (seat.calls === 0) this.#busy--
      this.#goOn()
    }
  }

  #call(carry: Carry<unknown, unknown>, call: Pick<Call, 'seat' | 'tx' | 'values'>): Promise<unknown> {
    if (call.seat.calls++ === 0) this.#busy--
    return new Promise((resolve, reject) => {
      const calls = this.#calls.get(carry)
      if (calls === undefined) this.#calls.set(carry, [{ ...call, resolve, reject }])
      else calls.push({ ...call, resolve, reject })
      // A writer may make several calls at once.
      queueMicrotask(() => this.#goOn())
    })
  }

  #goOn(): void {
    if (this.#busy === 0 && !this.#isUnderWay && this.#calls.size > 0) void this.#carryOut()
  }

  async #carryOut(): Promise<void> {
    this.#isUnderWay = true
    await this.#giveTurn?.()
    const calls = [...this.#calls]
    this.#calls = new Map()
    const outcomes = await Promise.all(calls.map(([carry, some]) => outcomeOf(carry, some)))
    this.#isUnderWay = false
    for (const [index, [, some]] of calls.entries()) {
      const outcome = outcomes[index]
      for (const [place, { seat, resolve, reject }] of some.entries()) {
        if (--seat.calls === 0 && !seat.isLeft) this.#busy++
        if (outcome?.results === undefined) reject(outcome?.error)
        else resolve(outcome.results[place])
      }
    }
    this.#goOn()
  }
}

async function outcomeOf(
  carry: Carry<unknown, unknown>,
  calls: readonly Call[],
): Promise<{ results?: readonly unknown[]; error?: unknown }> {
  const [first] = calls
  if (first === undefined) return { results: [] }
  try {
    return {
      results: await carry(
        first.tx,
        calls.map(({ values }) => values),
      ),
    }
  } catch (error) {
    return { error }
  }
}
