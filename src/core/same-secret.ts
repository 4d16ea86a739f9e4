import { timingSafeEqual } from 'node:crypto'

/** Compares hashes in constant time, so that neither the position of a difference nor the length leaks. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
