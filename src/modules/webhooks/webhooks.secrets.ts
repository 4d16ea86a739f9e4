import { seal, unseal } from '../../http/sealed.ts'
import type { Keys } from '../../http/tokens.ts'

/**
 * Secrets of receivers. Both sides need the plain secret, so the database has it encrypted: with only the database or a backup,
 * nobody can sign.
 */
const PREFIX = 'whsec_'

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
}

export function sealSecret(keys: Keys, webhookId: string, secret: string): Promise<string> {
  return seal(keys, new TextEncoder().encode(secret), webhookId)
}

export interface OpenedSecret {
  secret: string
  /** False if it was encrypted with the previous key, and should be encrypted again. */
  isCurrent: boolean
}

/** Undefined if no key opens it: it was encrypted under another QUIRE_SECRET. */
export async function openSecret(keys: Keys, webhookId: string, sealed: string): Promise<OpenedSecret | undefined> {
  const opened = await unseal(keys, sealed, webhookId)
  return opened && { secret: new TextDecoder().decode(opened.bytes), isCurrent: opened.isCurrent }
}

/** What the receiver verifies (Standard Webhooks 1.0). */
export interface SignedMessage {
  /** The event's id: the same in all its deliveries. */
  id: string
  /** When it is sent, in Unix seconds. */
  timestamp: number
  body: string
}

/** The header `webhook-signature`: HMAC-SHA256 over id, time and body with each secret, separated by spaces. */
export function signaturesOf(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${new Bun.CryptoHasher('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return signatures.join(' ')
}
