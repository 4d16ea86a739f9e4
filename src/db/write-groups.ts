import { limits } from '../core/limits.ts'
import { othersTurn } from '../core/turns.ts'
import { MustWait } from './database.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** How a database runs the work of writers. */
export interface GroupPorts<Work> {
  /**
   * Runs one work in a transaction of its own, and again where that helps.
   * @throws MustWait from a work that must wait for another transaction and may not
   */
  alone(work: Work, whenHeldUp: 'wait' | 'give up'): Promise<unknown>
  /**
   * Runs all works concurrently in one transaction, and returns each one's result. A work that throws before anything was written
   * doesn't prevent the commit; any other failure rolls everything back.
   */
  together(works: readonly Work[]): Promise<PromiseSettledResult<unknown>[]>
}

interface Writer<Work> {
  work: Work
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: writers that come in the same turn, or while a transaction runs, share the next one, with its round trips and its
 * commit. They must touch different rows, since nothing isolates them within a transaction (docs/decisions/0002). Only one group
 * runs at a time, so that groups don't wait for each other's locks. Each writer is answered after the commit. If one of a group
 * fails after something was written, everything is rolled back and each runs alone, a few at a time, so that a lost fence or race
 * affects only itself. A writer that must wait for another instance's transaction does so apart from all others.
 */
export class WriteGroups<Work> {
  readonly #ports: GroupPorts<Work>
  #waiting: Writer<Work>[] = []
  #isUnderWay = false

  readonly #alone = new Slots(limits.databaseAloneWriters)
  readonly #patient = new Slots(limits.databasePatientWriters)
  readonly #isInTheWay: () => boolean

  /** @param isInTheWay while true, other writers get as much time between two groups as the first group took */
  constructor(ports: GroupPorts<Work>, isInTheWay: () => boolean = () => false) {
    this.#ports = ports
    this.#isInTheWay = isInTheWay
  }

  write(work: Work): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      if (!this.#isUnderWay) void this.#carryOut()
    })
  }

  async #carryOut(): Promise<void> {
    this.#isUnderWay = true
    while (this.#waiting.length > 0) {
      await gather(() => this.#waiting.length)
      const group = this.#waiting.splice(0, limits.databaseGroupWriters)
      const startedMs = performance.now()
      if (group.length === 1) await this.#eachAlone(group)
      else await this.#together(group)
      if (this.#waiting.length > 0 && this.#isInTheWay()) await Bun.sleep(performance.now() - startedMs)
    }
    this.#isUnderWay = false
  }

  async #together(group: readonly Writer<Work>[]): Promise<void> {
    try {
      const outcomes = await this.#ports.together(group.map(({ work }) => work))
      for (const [index, writer] of group.entries()) {
        const outcome = outcomes[index]
        if (outcome?.status === 'rejected') this.#refuse(writer, outcome.reason)
        else writer.resolve(outcome?.value)
      }
    } catch (error) {
      // It may be unknown whether the commit took place; the writers then find out by their fences.
      if (isDatabaseUnavailable(error)) for (const { reject } of group) reject(error)
      else await this.#eachAlone(group)
    }
  }

  #refuse(writer: Writer<Work>, error: unknown): void {
    if (!(error instanceof MustWait)) writer.reject(error)
    else void this.#patient.run(() => this.#ports.alone(writer.work, 'wait').then(writer.resolve, writer.reject))
  }

  /** Resolves after a bounded time: the next group need not wait for a lock that one of this group waits for. */
  async #eachAlone(group: readonly Writer<Work>[]): Promise<void> {
    const all = group.map((writer) =>
      this.#alone.run(() =>
        this.#ports.alone(writer.work, 'give up').then(writer.resolve, (error: unknown) => this.#refuse(writer, error)),
      ),
    )
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const timer = setTimeout(end, limits.databaseGroupWaitMs)
    await Promise.race([Promise.all(all), isOver])
    clearTimeout(timer)
  }
}

/** Lets a fixed number run at a time, first come, first served. */
export class Slots {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(most: number) {
    this.#free = most
  }

  async run(work: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await work()
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}

/**
 * Lets writers gather before a commit: waits one turn of the event loop, and another as long as turns bring more writers. These
 * would otherwise wait for the next commit.
 */
export async function gather(waiting: () => number, turn: () => Promise<void> = othersTurn): Promise<void> {
  for (let turns = 0; turns < limits.databaseGatherTurns; turns++) {
    const before = waiting()
    await turn()
    if (waiting() === before) return
  }
}
