import { seal, unseal } from '../../http/sealed.ts'
import type { Keys } from '../../http/tokens.ts'

/**
 * Secrets of receivers. Both sides need one as it is, so the database keeps it sealed: whoever has only the database or a
 * backup can't sign.
 */
const PREFIX = 'whsec_'

/** A new one in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
}

export function sealSecret(keys: Keys, webhookId: string, secret: string): Promise<string> {
  return seal(keys, new TextEncoder().encode(secret), webhookId)
}

export interface OpenedSecret {
  secret: string
  /** False if it was sealed with the key before the current one, and should be sealed again. */
  isCurrent: boolean
}

/** Undefined if none of the keys opens it: it was sealed under another QUIRE_SECRET. */
export async function openSecret(keys: Keys, webhookId: string, sealed: string): Promise<OpenedSecret | undefined> {
  const opened = await unseal(keys, sealed, webhookId)
  return opened && { secret: new TextDecoder().decode(opened.bytes), isCurrent: opened.isCurrent }
}

/** What the receiver checks, as Standard Webhooks 1.0 has it. */
export interface SignedMessage {
  /** The event's: the same in every delivery of it. */
  id: string
  /** When it is sent, in seconds of the epoch. */
  timestamp: number
  body: string
}

/** The header `webhook-signature`: HMAC-SHA256 over id, time and body by each secret, between spaces. */
export function signaturesOf(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${new Bun.CryptoHasher('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return signatures.join(' ')
}
