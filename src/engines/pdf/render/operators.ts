/** Smaller numbers are written digit by digit: their thousandths fit 31 bits. */
const LARGE = 1_000_000

/**
 * A content stream under construction (7.8.2): operands, then their operator, one operator a line. It is bytes from the
 * start: a page has thousands of numbers, and joining as many strings takes longer than writing their digits.
 */
export class Operators {
  private bytes = new Uint8Array(65_536)
  private length = 0

  /** How many bytes were written since they were last taken. */
  get size(): number {
    return this.length
  }

  /** What was written since the last call; valid until something is written again. */
  take(): Uint8Array {
    const written = this.bytes.subarray(0, this.length)
    this.length = 0
    return written
  }

  private room(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count))
    larger.set(this.bytes)
    this.bytes = larger
  }

  /** Text in ASCII as it is. */
  text(ascii: string): this {
    this.room(ascii.length)
    const { bytes } = this
    let at = this.length
    for (let index = 0; index < ascii.length; index++) bytes[at++] = ascii.charCodeAt(index)
    this.length = at
    return this
  }

  /** What another one has written. */
  append(bytes: Uint8Array): this {
    this.room(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
    return this
  }

  /** An operator behind its operands. */
  write(operator: string, ...operands: number[]): this {
    for (const operand of operands) this.number(operand)
    return this.text(operator).text('\n')
  }

  /** A number as `num` writes it, and a blank. */
  number(value: number): this {
    this.digits(value)
    this.bytes[this.length++] = 0x20
    return this
  }

  /** A number as `num` writes it. */
  digits(value: number): this {
    this.room(16)
    if (!(value < LARGE && value > -LARGE)) return this.text(num(value))
    let thousandths = Math.round(value * 1000)
    if (thousandths < 0) {
      this.bytes[this.length++] = 0x2d
      thousandths = -thousandths
    }
    const whole = (thousandths / 1000) | 0
    this.whole(whole)
    const part = thousandths - whole * 1000
    if (part === 0) return this
    const { bytes } = this
    let at = this.length
    const tenths = (part / 100) | 0
    const hundredths = (part / 10) | 0
    bytes[at++] = 0x2e
    bytes[at++] = 0x30 + tenths
    if (part !== tenths * 100) bytes[at++] = 0x30 + hundredths - tenths * 10
    if (part !== hundredths * 10) bytes[at++] = 0x30 + part - hundredths * 10
    this.length = at
    return this
  }

  /** A number without decimals that is not negative, of 31 bits. */
  whole(value: number): this {
    this.room(10)
    const { bytes } = this
    let length = 1
    for (let unit = 10; unit <= value; unit *= 10) length++
    let rest = value
    for (let at = this.length + length - 1; at >= this.length; at--) {
      const tenth = (rest / 10) | 0
      bytes[at] = 0x30 + rest - tenth * 10
      rest = tenth
    }
    this.length += length
    return this
  }

  /** A reference to an object (7.3.10). */
  reference(object: number): this {
    return this.whole(object).text(' 0 R')
  }

  /**
   * A code of two bytes within a literal string. Escapes parentheses, backslashes and carriage returns; PDF readers
   * would turn the latter into line feeds (7.3.4.2).
   */
  code(code: number): void {
    this.room(4)
    this.byte(code >> 8)
    this.byte(code & 0xff)
  }

  private byte(byte: number): void {
    if (byte === 0x28 || byte === 0x29 || byte === 0x5c || byte === 0x0d) this.bytes[this.length++] = 0x5c
    this.bytes[this.length++] = byte === 0x0d ? 0x72 : byte
  }
}

/** Fixed by ISO 32000-1, annex C: the largest integer that every reader takes. PDF lacks the exponents of larger numbers. */
const LARGEST = 2_147_483_647

/** A number with at most three decimals and nothing superfluous. */
export function num(value: number): string {
  if (!Number.isFinite(value)) return '0'
  const rounded = Math.round(Math.max(-LARGEST, Math.min(LARGEST, value)) * 1000) / 1000
  return Object.is(rounded, -0) ? '0' : `${rounded}`
}
