import type { InParts } from './turns.ts'

/** Lower-case hexadecimal SHA-256 of bytes, or of a string's UTF-8 bytes (64 characters). */
export function sha256Hex(data: Uint8Array | string): string {
  return Bun.CryptoHasher.hash('sha256', data, 'hex')
}

const hashes = new WeakMap<Uint8Array, string>()

/** The same for bytes that are never modified: computed once and cached. */
export function contentHashOf(content: Uint8Array): string {
  const known = hashes.get(content) ?? sha256Hex(content)
  hashes.set(content, known)
  return known
}

/** Tuned: bytes that are hashed before others may have a turn, some .8 ms. */
const partBytes = 1_048_576

/** The same of many megabytes, on a thread that others wait for. */
export function* contentHashInParts(content: Uint8Array): InParts<string> {
  const hasher = sha256Hasher()
  for (let at = 0; at < content.length; at += partBytes) {
    if (at > 0) yield
    hasher.update(content.subarray(at, at + partBytes))
  }
  const hash = hasher.digest('hex')
  hashes.set(content, hash)
  return hash
}

/** For what comes piece by piece; no piece may end within a character. */
export function sha256Hasher(): Bun.CryptoHasher {
  return new Bun.CryptoHasher('sha256')
}
