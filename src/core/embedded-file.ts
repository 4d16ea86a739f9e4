import { readFileSync } from 'node:fs'

/**
 * Reads a file that the program carries with it, named by an import `with { type: 'file' }`. The executable carries
 * some of them compressed (RFC 8878, recognised by its magic number); from source none is. The one place of core and
 * engines that touches files: they are part of the program, and the same wherever it runs.
 *
 * @param beside the file that this one was compressed beside, as its dictionary
 */
export function readEmbedded(path: string, beside?: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(readFileSync(path))
  if (bytes.length < 4) return bytes
  const isCompressed = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true) === 0xfd2fb528
  if (!isCompressed) return bytes
  return new Uint8Array(
    beside === undefined ? Bun.zstdDecompressSync(bytes) : inflateBeside(bytes, readEmbedded(beside)),
  )
}

function inflateBeside(bytes: Uint8Array, dictionary: Uint8Array): Uint8Array {
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib')
  // The types of Node 22 lack the option.
  return zstdDecompressSync(bytes, { dictionary } as Parameters<typeof zstdDecompressSync>[1])
}
