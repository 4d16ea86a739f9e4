/** The packets whose body is an identifier of two bytes (MQTT 3.1.1, 3.4 to 3.7): PUBACK, PUBREC, PUBREL and PUBCOMP. */
const isAcknowledgement = (kind: number) => kind >= 4 && kind <= 7

/**
 * Follows the packets in a stream of MQTT by their fixed headers (MQTT 3.1.1, 2.2), and reports one that is too long.
 * An acknowledgement without its identifier counts as too short: the broker would answer it with a packet without one.
 */
export class PacketBound {
  readonly #maxBytes: number
  /** What is left of the packet under way, behind its fixed header. */
  #left = 0
  /** The length that is being read, and its next digit's weight; 0 before the first byte of a packet. */
  #length = 0
  #weight = 0
  /** The kind of the packet whose length is being read. */
  #kind = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Whether all packets so far are within the bound, this chunk's included. */
  accepts(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at)
        this.#left -= skipped
        at += skipped
        continue
      }
      const byte = chunk[at++] ?? 0
      if (this.#weight === 0) {
        this.#weight = 1
        this.#length = 0
        this.#kind = byte >> 4
        continue
      }
      this.#length += (byte & 0x7f) * this.#weight
      this.#weight *= 128
      if (this.#length > this.#maxBytes) return false
      if ((byte & 0x80) !== 0) continue
      if (isAcknowledgement(this.#kind) && this.#length < 2) return false
      this.#left = this.#length
      this.#weight = 0
    }
    return true
  }
}
