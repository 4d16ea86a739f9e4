import type { Keys } from './tokens.ts'

/**
 * Secrets that the database keeps and Quire has to read again: AES-256-GCM under a key made of QUIRE_SECRET. What a seal
 * is about is sealed with it, so that a row's secret opens nothing in another row.
 */

/** Fixed by AES-GCM: 96 bits (NIST SP 800-38D). */
const IV_BYTES = 12

/** `iv.ciphertext`, base64url, under the current key. */
export async function seal(keys: Keys, bytes: Uint8Array, about: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt(parametersOf(iv, about), await keyOf(keys[0]), bytes as BufferSource)
  return `${base64url(iv)}.${base64url(new Uint8Array(sealed))}`
}

/** What was sealed, and whether under the current key; undefined if none of the keys opens it. */
export async function unseal(
  keys: Keys,
  sealed: string,
  about: string,
): Promise<{ bytes: Uint8Array; isCurrent: boolean } | undefined> {
  const [iv = '', ciphertext = ''] = sealed.split('.')
  for (const [index, key] of keys.entries()) {
    try {
      const parameters = parametersOf(Buffer.from(iv, 'base64url'), about)
      const bytes = await crypto.subtle.decrypt(parameters, await keyOf(key), Buffer.from(ciphertext, 'base64url'))
      return { bytes: new Uint8Array(bytes), isCurrent: index === 0 }
    } catch {
      // Of another key, or changed.
    }
  }
  return undefined
}

function parametersOf(iv: Uint8Array, about: string): AesGcmParams {
  return { name: 'AES-GCM', iv: iv as BufferSource, additionalData: new TextEncoder().encode(about) }
}

/** Keys are derived for their purpose already: 256 bits as base64url text. */
function keyOf(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', Buffer.from(key, 'base64url'), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
