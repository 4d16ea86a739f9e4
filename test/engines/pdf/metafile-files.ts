/** Makes metafiles from their records, so that a test shows exactly what it is about. */

/** 32-bit words, little-endian. */
export const words = (...values: number[]): number[] => {
  const bytes = new Uint8Array(values.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of values.entries()) view.setInt32(index * 4, value | 0, true)
  return [...bytes]
}
export const floats = (...values: number[]): number[] => [...new Uint8Array(new Float32Array(values).buffer)]
export const shorts = (...values: number[]): number[] => values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff])
const padded = (bytes: readonly number[], unit: number): number[] => [
  ...bytes,
  ...new Array<number>((unit - (bytes.length % unit)) % unit).fill(0),
]

/** A record of an EMF, by its type and the bytes after its size. */
export const emfRecord = (type: number, bytes: readonly number[]): number[] => {
  const body = padded(bytes, 4)
  return [...words(type, 8 + body.length), ...body]
}
export const record = (type: number, ...values: number[]): number[] => emfRecord(type, words(...values))

/** An EMF of 1,000 × 500 device units (a tenth of a millimetre each), so that 100 × 50 pt make 10 units a point. */
export function emf(...records: number[][]): Uint8Array {
  const header = [
    ...words(1, 88, 0, 0, 999, 499, 0, 0, 10_000, 5_000, 0x464d4520, 0x10000, 0, records.length + 2),
    ...shorts(2, 0),
    ...words(0, 0, 0, 2_000, 1_000, 200, 100),
  ]
  return new Uint8Array([...header, ...records.flat(), ...record(14, 0, 0, 20)])
}

/** A record of a WMF, by its type and the bytes of its parameters. */
export const wmfBytes = (type: number, bytes: readonly number[]): number[] => {
  const body = padded(bytes, 2)
  return [...words(3 + body.length / 2), ...shorts(type), ...body]
}
export const wmfRecord = (type: number, ...values: number[]): number[] => wmfBytes(type, shorts(...values))

/** A WMF of 1,000 × 500 units whose placeable header says so. */
export function wmf(...records: number[][]): Uint8Array {
  const key = [...words(0x9ac6cdd7 | 0), ...shorts(0, 0, 0, 1_000, 500, 1_440, 0, 0, 0)]
  return new Uint8Array([...key, ...shorts(1, 9, 0x300, 0, 0, 4, 0, 0, 0), ...records.flat(), ...wmfRecord(0)])
}

/** A WMF that begins with its own header, and states its extent by the first window that it sets. */
export function bareWmf(...records: number[][]): Uint8Array {
  return new Uint8Array([...shorts(1, 9, 0x300, 0, 0, 4, 0, 0, 0), ...records.flat(), ...wmfRecord(0)])
}

/** A bitmap of 24 bits a pixel; rows of colours from the top, each as red, green and blue. */
export function bitmap24(rows: readonly (readonly (readonly [number, number, number])[])[]): {
  header: number[]
  pixels: number[]
} {
  const width = rows[0]?.length ?? 0
  const pixels = rows.toReversed().flatMap((row) =>
    padded(
      row.flatMap(([red, green, blue]) => [blue, green, red]),
      4,
    ),
  )
  return {
    header: [...words(40, width, rows.length), ...shorts(1, 24), ...words(0, pixels.length, 0, 0, 0, 0)],
    pixels,
  }
}
