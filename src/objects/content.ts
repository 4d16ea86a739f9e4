import { sha256Hex } from '../core/hash.ts'
import { ObjectDamaged } from './object-store.ts'

const HASH = /^[0-9a-f]{64}$/

/** Refuses anything but a content hash, so that a key can't contain a path. */
export function requireHash(hash: string): void {
  if (!HASH.test(hash)) throw new TypeError('an object is named by 64 lower-case hexadecimal digits')
}

export function isHash(text: string): boolean {
  return HASH.test(text)
}

/** Refuses to store bytes under another hash than theirs. */
export function requireContent(hash: string, bytes: Uint8Array): void {
  requireHash(hash)
  if (sha256Hex(bytes) !== hash) throw new TypeError(`these bytes are not those of ${hash}`)
}

/** Passes chunks on, one behind, and throws instead of passing the last one if the hash is wrong. */
export async function* verified(
  hash: string,
  size: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hasher = new Bun.CryptoHasher('sha256')
  let held: Uint8Array | undefined
  let seen = 0
  for await (const chunk of chunks) {
    hasher.update(chunk)
    seen += chunk.length
    if (seen > size) throw new ObjectDamaged(hash)
    if (held !== undefined) yield held
    held = chunk
  }
  if (seen !== size || hasher.digest('hex') !== hash) throw new ObjectDamaged(hash)
  if (held !== undefined) yield held
}

/** A web stream that pulls chunks as it is read, and closes the generator when it is cancelled. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      } catch (error) {
        controller.error(error)
      }
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
