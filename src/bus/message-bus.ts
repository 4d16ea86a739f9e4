/**
 * The message bus as the rest of Quire sees it. MQTT carries news, never truth: whatever must not be lost is in the
 * database first (see outbox.ts and relay.ts), and nobody waits for a message to find work.
 */
export interface Bus {
  /**
   * QoS 1, not retained. Resolves at the broker's PUBACK.
   * @throws BusUnavailable when there is no connection, it breaks, or `deadlineMs` passes; the message may then have
   *   been delivered all the same, and is not sent again by the bus
   */
  publish(topic: string, payload: string, options: PublishOptions): Promise<void>
  /** Calls the handler for every message that matches, QoS 1; kept over reconnections. */
  subscribe(filter: string, handler: MessageHandler): Promise<void>
  /** Calls back after every connection from now on. */
  onConnected(listener: () => void): void
  /** Resolves when a message to the broker is acknowledged; rejects otherwise. */
  probe(): Promise<void>
  close(): Promise<void>
}

export interface PublishOptions {
  deadlineMs: number
  /** Sent as the MQTT 5 property where the broker speaks it. */
  contentType?: string
}

export type MessageHandler = (topic: string, payload: Uint8Array) => void

/** What the embedded broker serves TLS with; PEM. */
export interface BrokerCertificate {
  cert: string
  key: string
  /** Calls back with every certificate that takes the place of the one before. @returns ends that */
  follow(onNew: (next: { cert: string; key: string }) => void): () => void
}

/** The broker can't be reached, or didn't acknowledge in time. */
export class BusUnavailable extends Error {
  override readonly name = 'BusUnavailable'
}

/** A setting that can't be used; the message says what it should be. */
export class BusUrlInvalid extends Error {
  override readonly name = 'BusUrlInvalid'
}
