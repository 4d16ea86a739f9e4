import { readFileSync } from 'node:fs'

/**
 * Reads a file embedded in the program, named by an import `with { type: 'file' }`. Some are compressed in the
 * executable (RFC 8878, recognised by its magic number); none is when running from source. Only here may core and
 * engines touch files: these are part of the program, and the same everywhere.
 *
 * @param beside the file that served as compression dictionary
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
