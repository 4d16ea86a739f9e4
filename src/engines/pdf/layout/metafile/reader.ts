/** Little-endian numbers of a record; what lies beyond its end reads as 0, so that a lying size does no harm. */
export class RecordReader {
  private readonly view: DataView

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get length(): number {
    return this.bytes.length
  }

  u8(at: number): number {
    return at >= 0 && at < this.length ? this.view.getUint8(at) : 0
  }

  i16(at: number): number {
    return at >= 0 && at + 2 <= this.length ? this.view.getInt16(at, true) : 0
  }

  u16(at: number): number {
    return at >= 0 && at + 2 <= this.length ? this.view.getUint16(at, true) : 0
  }

  i32(at: number): number {
    return at >= 0 && at + 4 <= this.length ? this.view.getInt32(at, true) : 0
  }

  u32(at: number): number {
    return at >= 0 && at + 4 <= this.length ? this.view.getUint32(at, true) : 0
  }

  f32(at: number): number {
    const value = at >= 0 && at + 4 <= this.length ? this.view.getFloat32(at, true) : 0
    return Number.isFinite(value) ? value : 0
  }

  slice(from: number, length: number): Uint8Array {
    const start = Math.max(0, Math.min(this.length, from))
    return this.bytes.subarray(start, Math.max(start, Math.min(this.length, start + Math.max(0, length))))
  }

  /** A colour reference: red in its lowest byte. */
  color(at: number): string {
    return [this.u8(at), this.u8(at + 1), this.u8(at + 2)]
      .map((value) => value.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()
  }
}
