import { limits } from '../../../../core/limits.ts'
import type { Bounds, Point, Size } from './figures.ts'

/**
 * Reads the little-endian values of a record. Values beyond its end are 0, so that a wrong size does no harm. Composite
 * values have the names of [MS-WMF] 2.2.2, which [MS-EMF] shares: L for members of 32 bits, S for 16.
 */
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

  pointL(at: number): Point {
    return { x: this.i32(at), y: this.i32(at + 4) }
  }

  sizeL(at: number): Size {
    return { width: this.i32(at), height: this.i32(at + 4) }
  }

  rectL(at: number): Bounds {
    return { left: this.i32(at), top: this.i32(at + 4), right: this.i32(at + 8), bottom: this.i32(at + 12) }
  }

  rectS(at: number): Bounds {
    return { left: this.i16(at), top: this.i16(at + 2), right: this.i16(at + 4), bottom: this.i16(at + 6) }
  }

  /** The coordinates of as many points as the record has room for, x and y in turn. */
  pointsL(at: number, count: number): number[] {
    return Array.from({ length: 2 * this.fitting(at, count, 8) }, (_, index) => this.i32(at + index * 4))
  }

  pointsS(at: number, count: number): number[] {
    return Array.from({ length: 2 * this.fitting(at, count, 4) }, (_, index) => this.i16(at + index * 2))
  }

  private fitting(at: number, count: number, size: number): number {
    return Math.max(0, Math.min(count, Math.floor((this.length - at) / size), limits.renderPathSteps))
  }
}
