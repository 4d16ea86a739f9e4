import { inflatePieces } from './inflate.ts'

/** The rows of a PNG, one after the other: only two of them are held. */
export interface Header {
  width: number
  height: number
  depth: number
  color: number
  /** Samples a pixel, which follow from the colour type. */
  channels: number
  interlaced: boolean
}

const channelsByColor: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])

export function readHeader(data: Uint8Array): Header | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth, color] = [view.getUint8(8), view.getUint8(9)]
  const channels = channelsByColor.get(color)
  if (channels === undefined || !depthsOf(color).includes(depth)) return undefined
  return { width, height, depth, color, channels, interlaced: view.getUint8(12) === 1 }
}

/** Bits of a sample, by the colour type (PNG, 11.2.2). */
function depthsOf(color: number): readonly number[] {
  if (color === 0) return [1, 2, 4, 8, 16]
  return color === 3 ? [1, 2, 4, 8] : [8, 16]
}

/** Adam7: where each pass starts and how far apart its pixels are. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

export function rowBytes(header: Header, width: number): number {
  return Math.ceil((width * header.channels * header.depth) / 8)
}

export function rawLength(header: Header): number {
  if (!header.interlaced) return (rowBytes(header, header.width) + 1) * header.height
  let length = 0
  for (const [x, y, dx, dy] of passes) {
    const width = Math.ceil((header.width - x) / dx)
    const height = Math.ceil((header.height - y) / dy)
    if (width > 0 && height > 0) length += (rowBytes(header, width) + 1) * height
  }
  return length
}

/** Some encoders append a little; a file with more beyond its announced size lies about it. */
const EXCESS_BYTES = 65_536

/** A row of a pass: its pixels lie at `x0`, `x0 + dx` and so on of line `y`. */
export interface Row {
  bytes: Uint8Array
  columns: number
  x0: number
  dx: number
  y: number
}

/**
 * Calls `visit` with each row after undoing its prediction; a row is valid until the next one.
 * @returns false if the data is damaged, or isn't as long as announced
 */
export function readRows(header: Header, compressed: Uint8Array, visit: (row: Row) => void): boolean {
  const reader = new PieceReader(inflatePieces(compressed))
  try {
    for (const [x0, y0, dx, dy] of header.interlaced ? passes : whole) {
      const columns = Math.ceil((header.width - x0) / dx)
      if (columns <= 0) continue
      const step = Math.max(1, (header.channels * header.depth) >> 3)
      let row = new Uint8Array(rowBytes(header, columns) + 1)
      let above = new Uint8Array(row.length)
      for (let y = y0; y < header.height; y += dy) {
        if (!reader.fill(row)) return false
        const bytes = row.subarray(1)
        unfilter(row[0] ?? 0, bytes, above.subarray(1), step)
        visit({ bytes, columns, x0, dx, y })
        ;[row, above] = [above, row]
      }
    }
    return reader.countRest(EXCESS_BYTES) <= EXCESS_BYTES
  } catch {
    return false
  }
}

/** Whether the data is whole and as long as announced; nothing of it is kept. */
export function isWhole(header: Header, compressed: Uint8Array): boolean {
  const announced = rawLength(header)
  try {
    const length = new PieceReader(inflatePieces(compressed)).countRest(announced + EXCESS_BYTES)
    return length >= announced && length <= announced + EXCESS_BYTES
  } catch {
    return false
  }
}

/** One pass over all rows, where there is no interlacing. */
const whole = [[0, 0, 1, 1]] as const

/** Reads from pieces of any length. */
class PieceReader {
  private piece: Uint8Array = new Uint8Array(0)

  constructor(private readonly pieces: Iterator<Uint8Array>) {}

  /** False when the data ends before. */
  fill(target: Uint8Array): boolean {
    for (let filled = 0; filled < target.length; ) {
      if (this.piece.length === 0 && !this.next()) return false
      const part = this.piece.subarray(0, target.length - filled)
      target.set(part, filled)
      filled += part.length
      this.piece = this.piece.subarray(part.length)
    }
    return true
  }

  /** How many bytes are left; stops counting beyond `most`. */
  countRest(most: number): number {
    let count = this.piece.length
    while (count <= most && this.next()) count += this.piece.length
    return count
  }

  private next(): boolean {
    const { done, value } = this.pieces.next()
    if (done) return false
    this.piece = value
    return true
  }
}

/** Undoes a row's prediction in place (PNG, 9.2). */
function unfilter(kind: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const { length } = row
  if (kind === 1) for (let at = step; at < length; at++) row[at] = (row[at] ?? 0) + (row[at - step] ?? 0)
  else if (kind === 2) for (let at = 0; at < length; at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0)
  else if (kind === 3)
    for (let at = 0; at < length; at++)
      row[at] = (row[at] ?? 0) + (((at < step ? 0 : (row[at - step] ?? 0)) + (above[at] ?? 0)) >> 1)
  else if (kind === 4) {
    for (let at = 0; at < length; at++) {
      const left = at < step ? 0 : (row[at - step] ?? 0)
      const up = above[at] ?? 0
      const corner = at < step ? 0 : (above[at - step] ?? 0)
      const a = Math.abs(up - corner)
      const b = Math.abs(left - corner)
      const c = Math.abs(left + up - 2 * corner)
      row[at] = (row[at] ?? 0) + (a <= b && a <= c ? left : b <= c ? up : corner)
    }
  }
}
