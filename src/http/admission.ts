import { Fault } from '../core/faults.ts'
import { limits } from '../core/limits.ts'
import { isMutation, type Operation } from './operation.ts'

/**
 * Bounds how many requests are worked on at once. Arrivals (whose session is looked up), reads, changes and trials (which check, compile or
 * draw content) have separate rooms, so that none starves the others. Requests to a full room wait a little, users in turn; beyond that
 * they get 503 with `Retry-After`. One user gets at most a share of a room.
 */
export type RoomName = 'arrivals' | 'reads' | 'changes' | 'trials'

export interface RoomSize {
  /** At work at once, in all and for one user. */
  atOnce: number
  atOncePerUser: number
  /** Waiting for that, in all and for one user. */
  waiting: number
  waitingPerUser: number
  waitMs: number
}

export type Rooms = Readonly<Record<RoomName, Room>>

const requests = sizeOf(limits.requestUserPercent, { waiting: limits.requestsWaiting, waitMs: limits.requestWaitMs })
const trials = sizeOf(limits.trialUserPercent, { waiting: limits.trialsWaiting, waitMs: limits.trialWaitMs })
const usualSizes: Readonly<Record<RoomName, RoomSize>> = {
  arrivals: requests(limits.arrivalsAtOnce),
  reads: requests(limits.readsAtOnce),
  changes: requests(limits.changesAtOnce),
  trials: trials(limits.trialsAtOnce),
}

function sizeOf(userPercent: number, { waiting, waitMs }: Pick<RoomSize, 'waiting' | 'waitMs'>) {
  return (atOnce: number): RoomSize => ({
    ...{ atOnce, waiting, waitMs },
    atOncePerUser: Math.ceil((atOnce * userPercent) / 100),
    waitingPerUser: Math.ceil((waiting * userPercent) / 100),
  })
}

export function openRooms(sizes = usualSizes): Rooms {
  const { arrivals, reads, changes, trials } = sizes
  return { arrivals: new Room(arrivals), reads: new Room(reads), changes: new Room(changes), trials: new Room(trials) }
}

/** The room in which an operation is carried out. */
export function roomOf({ method, isTrial }: Pick<Operation, 'method' | 'isTrial'>): RoomName {
  if (isTrial) return 'trials'
  return isMutation(method) ? 'changes' : 'reads'
}

interface Guest {
  letIn: () => void
  sendAway: () => void
}

export class Room {
  readonly #size: RoomSize
  #atWork = 0
  #waiting = 0
  readonly #atWorkOf = new Map<string, number>()
  /** Waiting requests by user, in the order of the users' turns. */
  readonly #queues = new Map<string, Guest[]>()

  constructor(size: RoomSize) {
    this.#size = size
  }

  /** Runs `work` once there is room. @throws Fault dependency_unavailable when there is none, or not in time */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    if (!this.#takeSeat(user)) await this.#wait(user)
    try {
      return await work()
    } finally {
      this.#leave(user)
    }
  }

  #takeSeat(user: string): boolean {
    const own = this.#atWorkOf.get(user) ?? 0
    if (this.#atWork >= this.#size.atOnce || own >= this.#size.atOncePerUser) return false
    this.#atWork++
    this.#atWorkOf.set(user, own + 1)
    return true
  }

  #wait(user: string): Promise<void> {
    const queue = this.#queues.get(user) ?? []
    if (queue.length >= this.#size.waitingPerUser) throw busy(`You have ${this.#atWorkOf.get(user)} requests at work`)
    if (this.#waiting >= this.#size.waiting) throw busy('Too many requests are at work')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => guest.sendAway(), this.#size.waitMs)
      const guest: Guest = {
        letIn: () => {
          clearTimeout(timer)
          // Deferred: statements of an embedded database block the thread, and other work must run between them.
          setImmediate(resolve)
        },
        sendAway: () => {
          this.#remove(user, guest)
          reject(busy('Too many requests are at work'))
        },
      }
      queue.push(guest)
      this.#queues.set(user, queue)
      this.#waiting++
    })
  }

  #remove(user: string, guest: Guest): void {
    const queue = this.#queues.get(user) ?? []
    queue.splice(queue.indexOf(guest), 1)
    if (queue.length === 0) this.#queues.delete(user)
    this.#waiting--
  }

  #leave(user: string): void {
    this.#atWork--
    const own = (this.#atWorkOf.get(user) ?? 1) - 1
    if (own === 0) this.#atWorkOf.delete(user)
    else this.#atWorkOf.set(user, own)
    for (const [next, queue] of this.#queues) {
      const [guest] = queue
      if (guest === undefined || !this.#takeSeat(next)) continue
      this.#remove(next, guest)
      // The user's next turn comes after everybody else's.
      if (queue.length > 0) {
        this.#queues.delete(next)
        this.#queues.set(next, queue)
      }
      guest.letIn()
      return
    }
  }
}

/**
 * Bounds the bytes of request bodies in memory at once, in all and for one user. Bodies are read before their requests wait
 * for a room, and a slow sender holds what has arrived. A body beyond the bound is refused rather than queued: the server
 * would go on receiving it.
 */
export class BodyRoom {
  #bytes = 0
  readonly #bytesOf = new Map<string, number>()

  constructor(
    private readonly most: number = limits.bodiesAtOnceBytes,
    private readonly userPercent: number = limits.requestUserPercent,
  ) {}

  /** A place for one body, without bytes yet. */
  placeFor(user: string): BodyPlace {
    let held = 0
    return {
      hold: (bytes) => {
        this.#requireRoom(user, held, bytes)
        this.#add(user, bytes)
        held += bytes
      },
      leave: () => {
        this.#add(user, -held)
        held = 0
      },
    }
  }

  #requireRoom(user: string, held: number, more: number): void {
    const own = this.#bytesOf.get(user) ?? 0
    // A user with no other body may send one of any size.
    if (own > held && (own + more) * 100 > this.most * this.userPercent)
      throw busy('You have many large bodies at work')
    if (this.#bytes > held && this.#bytes + more > this.most) throw busy('Many large bodies are at work')
  }

  #add(user: string, bytes: number): void {
    this.#bytes += bytes
    const own = (this.#bytesOf.get(user) ?? 0) + bytes
    if (own === 0) this.#bytesOf.delete(user)
    else this.#bytesOf.set(user, own)
  }
}

/** One body's share of the room: the bytes received so far, since a declared length may never arrive. */
export interface BodyPlace {
  /** @throws Fault dependency_unavailable if there is no room for so many more bytes */
  hold(bytes: number): void
  leave(): void
}

/** An answer that is being sent. */
export interface Sent {
  user: string
  bytes: number
  /** Whether the client has all of it, or has gone. */
  isTaken: () => boolean
}

/**
 * Bounds the bytes of answers that wait for their clients, in all and for one user: a client that requests a large file again
 * and again and reads nothing would fill the memory. Whether earlier answers were taken is checked only when the next large
 * one is to be sent.
 */
export class AnswerRoom {
  #sent: Sent[] = []

  constructor(
    private readonly most: number = limits.answersAtOnceBytes,
    private readonly least: number = limits.heldAnswerBytes,
    private readonly userPercent: number = limits.requestUserPercent,
  ) {}

  /**
   * @param mayRefuse false for the answer to a change, which is always sent
   * @throws Fault dependency_unavailable where there is no room
   */
  send(answer: Sent, mayRefuse: boolean): void {
    if (answer.bytes < this.least) return
    this.#sent = this.#sent.filter(({ isTaken }) => !isTaken())
    if (mayRefuse) this.#requireRoom(answer)
    this.#sent.push(answer)
  }

  #requireRoom({ user, bytes }: Sent): void {
    const own = this.#sent.filter((each) => each.user === user)
    const sum = (sent: readonly Sent[]) => sent.reduce((all, each) => all + each.bytes, 0)
    // A user who waits for no other answer may have one of any size.
    if (own.length > 0 && (sum(own) + bytes) * 100 > this.most * this.userPercent) {
      throw busy('You have many large answers under way that are not taken')
    }
    if (this.#sent.length > 0 && sum(this.#sent) + bytes > this.most) throw busy('Many large answers are under way')
  }
}

function busy(what: string): Fault {
  return new Fault('dependency_unavailable', `${what}. Nothing was changed. Send the request again shortly.`, {
    retryAfterSeconds: limits.busyRetrySeconds,
    isTurnedAway: true,
  })
}
