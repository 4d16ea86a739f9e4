import { matchesFilter } from '../../src/bus/filter.ts'
import { type Bus, BusUnavailable, type MessageHandler } from '../../src/bus/message-bus.ts'
import type { Process, World } from './world.ts'

export type BrokerFault = 'away' | 'unanswered' | 'slow'

/** What the broker took, as a subscriber to everything sees it. */
export interface Delivery {
  topic: string
  payload: string
}

/** A message broker that several instances share. */
export class SimulatedBroker {
  readonly taken: Delivery[] = []
  fault: BrokerFault | undefined
  /** Told when an instance sends a message while another of the same subject is on its way from it. */
  onOverlap: (topic: string) => void = () => {}
  readonly #subscribers = new Set<{ process: Process; filter: string; handler: MessageHandler }>()
  readonly #connected = new Set<{ process: Process; listener: () => void }>()

  constructor(readonly world: World) {}

  /** The fault is over, and the clients connect again. */
  recover(): void {
    this.fault = undefined
    for (const { process, listener } of this.#connected) {
      this.world.after(this.world.random.between(1, 200), listener, process)
    }
  }

  portOf(process: Process): Bus {
    const underWay = new Set<string>()
    return {
      publish: (topic, payload, { deadlineMs }) => {
        const subject = topic.slice(0, topic.lastIndexOf('/'))
        if (underWay.has(subject)) this.onOverlap(topic)
        underWay.add(subject)
        return this.#send(process, topic, payload, deadlineMs).finally(() => underWay.delete(subject))
      },
      subscribe: async (filter, handler) => {
        this.#subscribers.add({ process, filter, handler })
      },
      onConnected: (listener) => {
        this.#connected.add({ process, listener })
      },
      probe: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
  }

  #send(process: Process, topic: string, payload: string, deadlineMs: number): Promise<void> {
    const { world } = this
    const { random } = world
    return new Promise((resolve, reject) => {
      const fail = (what: string) => reject(new BusUnavailable(`simulated: ${what}`))
      if (this.fault === 'away') return void world.after(1, () => fail('there is no connection'), process)
      world.after(this.fault === 'slow' ? random.between(100, 3_000) : random.between(0.1, 2), () => {
        if (this.fault === 'away') return void world.after(1, () => fail('the connection broke'), process)
        world.note(() => `broker: ${topic}`)
        this.taken.push({ topic, payload })
        this.#deliver(topic)
        if (this.fault === 'unanswered' && random.chance(0.5)) {
          return void world.after(deadlineMs, () => fail('no acknowledgement came'), process)
        }
        world.after(random.between(0.1, 2), resolve, process)
      })
    })
  }

  #deliver(topic: string): void {
    for (const { process, filter, handler } of this.#subscribers) {
      if (!process.isAlive) continue
      if (matchesFilter(filter, topic)) {
        this.world.after(this.world.random.between(0.1, 2), () => handler(topic, new Uint8Array()), process)
      }
    }
  }
}
