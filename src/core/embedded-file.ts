import { readFileSync } from 'node:fs'

/**
 * Reads a file that the program carries with it, named by an import `with { type: 'file' }`. The executable carries
 * some of them compressed (RFC 8878, recognised by its magic number); from source none is. The one place of core and
 * engines that touches files: they are part of the program, and the same wherever it runs.
 */
export function readEmbedded(path: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(readFileSync(path))
  if (bytes.length < 4) return bytes
  const isCompressed = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true) === 0xfd2fb528
  return isCompressed ? new Uint8Array(Bun.zstdDecompressSync(bytes)) : bytes
}
