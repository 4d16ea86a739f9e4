import type { Executor } from '../../src/db/built-statement.ts'
import { type Handle, handleSource } from '../../src/db/libsql-connection.ts'

/**
 * Builders of statements that one history after the other uses: building them anew for each process and transaction took a
 * seventh of a history's time. Within a history no two connections share one.
 */
export class Handles {
  readonly #lanes: { handle: Handle; to: Executor }[] = []
  readonly #make = handleSource.over
  #used = 0

  over(executor: Executor): Handle {
    let lane = this.#lanes[this.#used++]
    if (lane === undefined) {
      const switched = {
        to: executor,
        execute: (statement: Parameters<Executor['execute']>[0]) => switched.to.execute(statement),
      }
      lane = Object.assign(switched, { handle: this.#make(switched) })
      this.#lanes.push(lane)
    }
    lane.to = executor
    return lane.handle
  }

  /** Runs a history with these in place of new ones. */
  during<T>(work: () => T): T {
    const { over } = handleSource
    handleSource.over = (executor) => this.over(executor)
    this.#used = 0
    try {
      return work()
    } finally {
      handleSource.over = over
    }
  }
}
