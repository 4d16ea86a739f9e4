/** The executable carries some files compressed (RFC 8878, by its magic number); from source they are what they are. */
export function inflated(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  if (bytes.length < 4) return bytes
  const compressed = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true) === 0xfd2fb528
  return compressed ? Bun.zstdDecompressSync(bytes) : bytes
}
