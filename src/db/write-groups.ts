import { limits } from '../core/limits.ts'
import { othersTurn } from '../core/turns.ts'
import { MustWait } from './database.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** How a database carries out what writers bring. */
export interface GroupPorts<Work> {
  /**
   * One transaction with nothing else in it, tried again where that helps.
   * @throws MustWait from a work that has to wait for another transaction and may not
   */
  alone(work: Work, whenHeldUp: 'wait' | 'give up'): Promise<unknown>
  /**
   * All of it in one transaction, at the same time; gives what each came to. What throws before anything was written keeps nothing
   * else from being committed; where one fails otherwise all of it is rolled back.
   */
  together(works: readonly Work[]): Promise<PromiseSettledResult<unknown>[]>
}

interface Writer<Work> {
  work: Work
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Group commit: writers that come in the same turn, or while a transaction is under way, share the next one, its round trips
 * and its commit. They have to touch different rows, since nothing within a transaction holds them apart
 * (docs/decisions/0002). Only one is under way at a time, so that groups don't wait for each other's locks. Each writer is
 * answered after the commit. Where one of a group fails after something was written nothing of it is kept, and each is carried out
 * alone, a few at a time: a lost fence or a lost race is its own affair. What has to wait for a transaction of another instance does so
 * beside all others.
 */
export class WriteGroups<Work> {
  readonly #ports: GroupPorts<Work>
  #waiting: Writer<Work>[] = []
  #isUnderWay = false

  readonly #alone = new Slots(limits.databaseAloneWriters)
  readonly #patient = new Slots(limits.databasePatientWriters)
  readonly #isInTheWay: () => boolean

  /** @param isInTheWay while it says so, others get as much time between two groups as the first one took */
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
      // Whether it was committed may be unknown, and then its writers have to find out, each by its fence.
      if (isDatabaseUnavailable(error)) for (const { reject } of group) reject(error)
      else await this.#eachAlone(group)
    }
  }

  #refuse(writer: Writer<Work>, error: unknown): void {
    if (!(error instanceof MustWait)) writer.reject(error)
    else void this.#patient.run(() => this.#ports.alone(writer.work, 'wait').then(writer.resolve, writer.reject))
  }

  /** Awaited for a while only: the next group need not wait for what one of this waits for. */
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

/** Lets so many go on at a time, in the order in which they came. */
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
 * Turns of the event loop let writers gather before a commit: one, and more while they bring more writers. All of these would wait for
 * the next commit otherwise.
 */
export async function gather(waiting: () => number, turn: () => Promise<void> = othersTurn): Promise<void> {
  for (let turns = 0; turns < limits.databaseGatherTurns; turns++) {
    const before = waiting()
    await turn()
    if (waiting() === before) return
  }
}
