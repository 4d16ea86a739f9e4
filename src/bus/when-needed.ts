import { type Bus, BusUnavailable, type MessageHandler } from './message-bus.ts'

/**
 * A bus that is opened by its first use. The broker inside the process and its client take 10 MB and as long to load as
 * the rest of the program; with no port of its own nobody else can reach it, so an idle Quire does without. Earlier
 * subscriptions are made as soon as it opens, so no message is missed.
 */
export function openWhenNeeded(open: () => Promise<Bus>): Bus {
  const subscriptions: { filter: string; handler: MessageHandler }[] = []
  const listeners: (() => void)[] = []
  let opening: Promise<Bus> | undefined
  let isClosed = false

  function opened(): Promise<Bus> {
    if (isClosed) return Promise.reject(new BusUnavailable('the bus is closed'))
    opening ??= open().then(async (bus) => {
      for (const listener of listeners) {
        bus.onConnected(listener)
        // The connection inside the process already exists.
        listener()
      }
      for (const { filter, handler } of subscriptions) await bus.subscribe(filter, handler)
      return bus
    })
    return opening
  }

  return {
    publish: async (topic, payload, options) => (await opened()).publish(topic, payload, options),
    async subscribe(filter, handler) {
      if (opening === undefined) subscriptions.push({ filter, handler })
      else await (await opening).subscribe(filter, handler)
    },
    onConnected(listener) {
      if (opening === undefined) listeners.push(listener)
      else void opening.then((bus) => bus.onConnected(listener))
    },
    // Who only asks whether it can be reached, as container platforms do all the time, doesn't need it.
    probe: async () => {
      if (isClosed || opening !== undefined) await (await opened()).probe()
    },
    async close() {
      isClosed = true
      await (await opening)?.close()
    },
  }
}
