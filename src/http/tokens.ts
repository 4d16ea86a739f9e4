import { constantTimeEqual, HMAC, sha256 } from 'oslo/crypto'
import { base64url, encodeHex } from 'oslo/encoding'
import { verifyRequestOrigin } from 'oslo/request'

/** The one place that uses oslo: keyed hashes, their text forms, and the comparison of an origin with a host. */

const hmac = new HMAC('SHA-256')
const utf8 = new TextEncoder()

/** 256 random bits as base64url text (43 characters). */
export function randomToken(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)), { includePadding: false })
}

/** What the database keeps of a token: its SHA-256 in lower-case hexadecimal. */
export async function hashToken(token: string): Promise<string> {
  return encodeHex(await sha256(utf8.encode(token)))
}

type Purpose = 'cookie' | 'csrf' | 'cursor' | 'device'

/** A key of its own for each purpose, from one configured secret; base64url text. */
export async function deriveKey(secret: string, purpose: Purpose): Promise<string> {
  return sign(secret, `quire ${purpose} key`)
}

/** Signs for one purpose, and knows its signatures again. */
export interface Signer {
  sign(message: string): Promise<string>
  isSigned(message: string, signature: string): Promise<boolean>
}

/** @param secrets the first signs; all of them verify */
export async function createSigner(secrets: readonly string[], purpose: Purpose): Promise<Signer> {
  const [key, ...previous] = await Promise.all(secrets.map((secret) => deriveKey(secret, purpose)))
  if (key === undefined) throw new RangeError('a signer wants a secret')
  return {
    sign: (message) => sign(key, message),
    async isSigned(message, signature) {
      for (const known of [key, ...previous]) if (await isSigned(known, message, signature)) return true
      return false
    },
  }
}

/** HMAC-SHA256 as base64url text (43 characters). */
export async function sign(key: string, message: string): Promise<string> {
  const signature = await hmac.sign(utf8.encode(key), utf8.encode(message))
  return base64url.encode(new Uint8Array(signature), { includePadding: false })
}

/** Compares in constant time, so that the time of a refusal reveals nothing about the right value. */
export async function isSigned(key: string, message: string, signature: string): Promise<boolean> {
  return constantTimeEqual(utf8.encode(await sign(key, message)), utf8.encode(signature))
}

/** True when the origin's host and port are the request's Host, read with the origin's own default port. */
export function isOriginOfHost(origin: string, host: string): boolean {
  return verifyRequestOrigin(origin, [`${origin.slice(0, origin.indexOf(':'))}://${host}`])
}
