/**
 * Compression by libdeflate, in the version inside of the executable's Bun. It gives the same bytes on every processor,
 * is five to seven times as fast as compressors in JavaScript, and makes files that are no larger.
 */
export type DeflateLevel = 0 | 4 | 6

/** A raw deflate stream (RFC 1951), as archives hold it. */
export function deflate(data: Uint8Array, level: DeflateLevel): Uint8Array {
  return Bun.deflateSync(data as Uint8Array<ArrayBuffer>, { level, library: 'libdeflate' })
}

/** A zlib stream (RFC 1950), as PDF and PNG hold it. */
export function zlibStream(data: Uint8Array, level: DeflateLevel): Uint8Array {
  const deflated = deflate(data, level)
  const stream = new Uint8Array(deflated.length + 6)
  stream[0] = 0x78
  stream[1] = 0x5e
  stream.set(deflated, 2)
  new DataView(stream.buffer).setUint32(deflated.length + 2, Bun.hash.adler32(data))
  return stream
}
