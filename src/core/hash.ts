/** Lower-case hexadecimal SHA-256 of bytes, or of a string's UTF-8 bytes (64 characters). */
export function sha256Hex(data: Uint8Array | string): string {
  return new Bun.CryptoHasher('sha256').update(data).digest('hex')
}
