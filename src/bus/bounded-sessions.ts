import type { Aedes, AedesPublishPacket } from 'aedes'
import { limits } from '../core/limits.ts'

/** What is held for one subscriber: the bytes of each message, in the order in which they came. */
interface Held {
  sizes: number[]
  bytes: number
}

interface Named {
  id: string
}

/** What is used of the broker's store, which it keeps in memory and types as anything. */
interface Store {
  addSubscriptions(client: Named, subscriptions: readonly unknown[]): Promise<void>
  cleanSubscriptions(client: Named): Promise<void>
  outgoingEnqueue(to: { clientId: string }, packet: AedesPublishPacket): Promise<void>
  outgoingEnqueueCombi(to: readonly { clientId: string }[], packet: AedesPublishPacket): Promise<void>
  outgoingClearMessageId(client: Named, packet: { messageId?: number | undefined }): Promise<unknown>
  outgoingStream(client: Named): AsyncIterable<{ messageId?: number }>
}

interface WithClients {
  persistence: Store
  clients: Record<string, { close(): void } | undefined>
}

/**
 * Bounds what an embedded broker keeps for subscribers that sleep or never acknowledge: bytes per session, bytes in all, and the
 * number of sessions. A session over its bound ends, and what was kept for it is dropped. Too many bytes in all end the session with
 * most; too many sessions end the oldest one that sleeps, else the newest. The client learns of it when it reconnects and finds no
 * session.
 */
export function boundSessions(broker: Aedes): void {
  const { persistence: store, clients } = broker as unknown as WithClients
  const held = new Map<string, Held>()
  const sessions = new Set<string>()
  let allBytes = 0
  const inner = {
    add: store.addSubscriptions.bind(store),
    clean: store.cleanSubscriptions.bind(store),
    enqueue: store.outgoingEnqueueCombi.bind(store),
    clear: store.outgoingClearMessageId.bind(store),
  }

  function forget(id: string): void {
    allBytes -= held.get(id)?.bytes ?? 0
    held.delete(id)
  }

  async function end(id: string): Promise<void> {
    sessions.delete(id)
    forget(id)
    clients[id]?.close()
    await inner.clean({ id })
    for await (const { messageId } of store.outgoingStream({ id })) await inner.clear({ id }, { messageId })
  }

  async function enqueue(to: readonly { clientId: string }[], packet: AedesPublishPacket): Promise<void> {
    const bytes = packet.payload.length + packet.topic.length + limits.brokerMessageOverheadBytes
    await inner.enqueue(to, packet)
    for (const { clientId } of to) {
      const kept = held.get(clientId) ?? { sizes: [], bytes: 0 }
      held.set(clientId, kept)
      kept.sizes.push(bytes)
      kept.bytes += bytes
      allBytes += bytes
      if (kept.bytes > limits.brokerHeldBytes) await end(clientId)
    }
    while (allBytes > limits.brokerAllHeldBytes) {
      const [most] = [...held].toSorted(([, one], [, other]) => other.bytes - one.bytes)
      if (most === undefined) return
      await end(most[0])
    }
  }

  Object.assign(store, {
    async addSubscriptions(client: Named, subscriptions: readonly unknown[]) {
      sessions.add(client.id)
      if (sessions.size > limits.brokerSessions) {
        const oldest = [...sessions].find((id) => clients[id] === undefined) ?? client.id
        await end(oldest)
        if (oldest === client.id) return
      }
      await inner.add(client, subscriptions)
    },
    async cleanSubscriptions(client: Named) {
      sessions.delete(client.id)
      await inner.clean(client)
    },
    outgoingEnqueue: (to: { clientId: string }, packet: AedesPublishPacket) => enqueue([to], packet),
    outgoingEnqueueCombi: enqueue,
    async outgoingClearMessageId(client: Named, packet: { messageId?: number }) {
      const cleared = await inner.clear(client, packet)
      const kept = held.get(client.id)
      const bytes = cleared === undefined ? undefined : kept?.sizes.shift()
      if (kept === undefined || bytes === undefined) return cleared
      kept.bytes -= bytes
      allBytes -= bytes
      if (kept.sizes.length === 0) forget(client.id)
      return cleared
    },
  } satisfies Partial<Store>)
}
