/**
 * A token's text: `qr_`, 40 random characters (238 bits) and a checksum of 6. Scanners for leaked secrets recognise tokens by
 * this form, and tell them from look-alikes by the checksum. docs/api.md has the rule.
 */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN = /^qr_[0-9A-Za-z]{46}$/
const random = { digits: 40, checksum: 6 } as const

export function newTokenText(): string {
  const chosen: string[] = []
  while (chosen.length < random.digits) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      // 248 is the greatest multiple of 62 in a byte; greater values are dropped, so that all digits are equally likely.
      if (byte < 248 && chosen.length < random.digits) chosen.push(DIGITS.charAt(byte % 62))
    }
  }
  const body = `qr_${chosen.join('')}`
  return body + checksumOf(body)
}

/** Whether a text has a token's form and checksum; such a token need not exist. */
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
