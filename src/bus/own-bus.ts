import { matchesFilter } from './filter.ts'
import { type Bus, BusUnavailable, type MessageHandler } from './message-bus.ts'

/**
 * A bus within this process, which nobody else can reach: messages go to the handlers at once. A broker and its client would
 * take 10 MB, as long to load as the rest of the program, and a fifth of a document's time on the thread that answers requests.
 */
export function openOwnBus(): Bus {
  const subscriptions: { filter: string; handler: MessageHandler }[] = []
  let isClosed = false
  const requireOpen = () => {
    if (isClosed) throw new BusUnavailable('the bus is closed')
  }
  return {
    async publish(topic, payload) {
      requireOpen()
      const heard = subscriptions.filter(({ filter }) => matchesFilter(filter, topic))
      if (heard.length === 0) return
      const bytes = new TextEncoder().encode(payload)
      for (const { handler } of heard) handler(topic, bytes)
    },
    async subscribe(filter, handler) {
      requireOpen()
      subscriptions.push({ filter, handler })
    },
    // There is nothing that could be connected anew.
    onConnected() {},
    probe: async () => requireOpen(),
    async close() {
      isClosed = true
    },
  }
}
