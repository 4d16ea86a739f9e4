/**
 * A token as its user holds it: `qr_`, 40 random characters (238 bits) and a checksum of 6, so that scanners for leaked
 * secrets find tokens by their form, and know a token from what only looks like one. docs/api.md gives the rule.
 */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN = /^qr_[0-9A-Za-z]{46}$/
const random = { digits: 40, checksum: 6 } as const

export function newTokenText(): string {
  const chosen: string[] = []
  while (chosen.length < random.digits) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 is the greatest multiple of 62: without the rest every digit is as likely as any other.
      if (byte < 248 && chosen.length < random.digits) chosen.push(DIGITS.charAt(byte % 62))
    }
  }
  const body = `qr_${chosen.join('')}`
  return body + checksumOf(body)
}

/** True for a text with a token's form and checksum; whether such a token exists is another question. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text) && text.endsWith(checksumOf(text.slice(0, -random.checksum)))
}

/** The CRC-32 of the text before it, as six digits of base 62. */
function checksumOf(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let place = 0; place < random.checksum; place++) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
