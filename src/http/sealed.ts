import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Keys } from './tokens.ts'

/**
 * Encrypts secrets that the database keeps and Quire has to read again: AES-256-GCM under a key derived from
 * QUIRE_SECRET. The text `about` is authenticated with the secret, so that one row's sealed secret opens in no other
 * row.
 */

/** Fixed by AES-GCM: 96 bits (NIST SP 800-38D). */
const IV_BYTES = 12
/** Fixed by AES-GCM: the whole tag, at the end of the ciphertext. */
const TAG_BYTES = 16

/** `iv.ciphertext`, base64url, under the current key. */
export async function seal(keys: Keys, bytes: Uint8Array, about: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const cipher = createCipheriv('aes-256-gcm', keyOf(keys[0]), iv).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  return `${Buffer.from(iv).toString('base64url')}.${sealed.toString('base64url')}`
}

/** What was sealed, and whether under the current key; undefined if none of the keys opens it. */
export async function unseal(
  keys: Keys,
  sealed: string,
  about: string,
): Promise<{ bytes: Uint8Array; isCurrent: boolean } | undefined> {
  const [ivText = '', sealedText = ''] = sealed.split('.')
  const iv = Buffer.from(ivText, 'base64url')
  const ciphertext = Buffer.from(sealedText, 'base64url')
  if (iv.length !== IV_BYTES || ciphertext.length < TAG_BYTES) return undefined
  const end = ciphertext.length - TAG_BYTES
  for (const [index, key] of keys.entries()) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(key), iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(about)).setAuthTag(ciphertext.subarray(end))
      const bytes = Buffer.concat([decipher.update(ciphertext.subarray(0, end)), decipher.final()])
      return { bytes: new Uint8Array(bytes), isCurrent: index === 0 }
    } catch {
      // Sealed with another key, or changed.
    }
  }
  return undefined
}

/** Keys are derived for their purpose already: 256 bits as base64url text. */
function keyOf(key: string): Uint8Array {
  return Buffer.from(key, 'base64url')
}
