import { constantTimeEqual } from 'oslo/crypto'
import { base32, base64url } from 'oslo/encoding'
import { createTOTPKeyURI, generateHOTP } from 'oslo/otp'
import { verifyRequestOrigin } from 'oslo/request'
import { sha256Hex } from '../core/hash.ts'

/**
 * The one place that uses oslo: random tokens, comparison in constant time, one-time codes, and the comparison of an origin with a
 * host. Hashes are Bun's, which are synchronous: every request needs three, and each of Web Crypto's takes a turn of the event loop.
 */

const utf8 = new TextEncoder()

/** 256 random bits as base64url text (43 characters). */
export function randomToken(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)), { includePadding: false })
}

/** What the database keeps of a token: its SHA-256 in lower-case hexadecimal. */
export async function hashToken(token: string): Promise<string> {
  return sha256Hex(token)
}

/** Secrets, or keys made of them: the first signs, and all of them verify, so that one can be replaced in use. */
export type Keys = readonly [current: string, ...previous: string[]]

type Purpose = 'cookie' | 'csrf' | 'cursor' | 'device' | 'factor' | 'oidc' | 'passkey' | 'webhook'

/** A key of its own for each purpose, from each configured secret; base64url text. */
export async function deriveKeys([current, ...previous]: Keys, purpose: Purpose): Promise<Keys> {
  const keyOf = (secret: string) => sign(secret, `quire ${purpose} key`)
  return [await keyOf(current), ...(await Promise.all(previous.map(keyOf)))]
}

/** HMAC-SHA256 as base64url text (43 characters). */
export async function sign(key: string, message: string): Promise<string> {
  return new Bun.CryptoHasher('sha256', key).update(message).digest('base64url')
}

/** Compares in constant time, so that the time of a refusal reveals nothing about the right value. */
export async function isSigned(keys: Keys, message: string, signature: string): Promise<boolean> {
  return (await signingKeyOf(keys, message, signature)) !== undefined
}

/** The key that signed the message; undefined if none of them did. Compares in constant time, too. */
export async function signingKeyOf(keys: Keys, message: string, signature: string): Promise<string | undefined> {
  const given = utf8.encode(signature)
  for (const key of keys) if (constantTimeEqual(utf8.encode(await sign(key, message)), given)) return key
  return undefined
}

/** True when the origin's host and port are the request's Host, read with the origin's own default port. */
export function isOriginOfHost(origin: string, host: string): boolean {
  return verifyRequestOrigin(origin, [`${origin.slice(0, origin.indexOf(':'))}://${host}`])
}

/** The code of six digits that an authenticator app shows in this step (RFC 4226). */
export function codeOf(key: Uint8Array, step: number): Promise<string> {
  return generateHOTP(key, step)
}

/** What authenticator apps take: as a QR code, and to be typed. */
export function appKeyTexts(key: Uint8Array, username: string): { uri: string; typed: string } {
  const typed = base32.encode(key, { includePadding: false })
  return { uri: createTOTPKeyURI('Quire', username, key), typed }
}
