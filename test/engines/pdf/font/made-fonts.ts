/** Writes font files table by table, so that a test knows every value in them. */

export const u16 = (...values: number[]) => values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff])
export const u32 = (...values: number[]) =>
  values.flatMap((value) => [...u16(Math.floor(value / 65_536)), ...u16(value % 65_536)])
const text = (value: string) => [...Buffer.from(value, 'latin1')]

export function fontFile(tables: Readonly<Record<string, readonly number[]>>, version = 0x00010000): Uint8Array {
  const entries = Object.entries(tables)
  let at = 12 + entries.length * 16
  const directory: number[] = [...u32(version), ...u16(entries.length, 0, 0, 0)]
  const data: number[] = []
  for (const [tag, bytes] of entries) {
    directory.push(...text(tag), ...u32(0, at, bytes.length))
    const padded = [...bytes, ...new Array<number>((4 - (bytes.length % 4)) % 4).fill(0)]
    data.push(...padded)
    at += padded.length
  }
  return Uint8Array.from([...directory, ...data])
}

export interface FontPlan {
  unitsPerEm?: number
  macStyle?: number
  bbox?: readonly [number, number, number, number]
  ascent?: number
  descent?: number
  gap?: number
  /** Advance and left bearing of each glyph; the last `shared` ones have only a bearing, and the advance before them. */
  widths?: readonly (readonly [advance: number, bearing: number])[]
  shared?: number
  /** The outline of each glyph as stored. */
  outlines?: readonly (readonly number[])[]
  /** Whether `loca` has four bytes each. */
  isLong?: boolean
  cmap?: readonly number[]
  names?: readonly NameRecord[]
  os2?: readonly number[]
  post?: readonly number[]
  others?: Readonly<Record<string, readonly number[]>>
}

export interface NameRecord {
  id: number
  value: string
  platform?: number
}

/** A TrueType font, by default of four glyphs, the second to fourth for `A` to `C`. */
export function trueType(plan: FontPlan = {}): Uint8Array {
  const { unitsPerEm = 1000, macStyle = 0, bbox = [-10, -20, 30, 40], ascent = 800, descent = -200, gap = 90 } = plan
  const { shared = 0, isLong = false, cmap = format4([[0x41, 0x43, 1]]) } = plan
  const widths = plan.widths ?? [0, 1, 2, 3].map((glyph): [number, number] => [500 + glyph, glyph * 7])
  const outlines = plan.outlines ?? widths.map(() => [])
  const starts = [0]
  for (const outline of outlines) starts.push((starts.at(-1) ?? 0) + outline.length)
  const long = widths.length - shared
  const metrics = widths.flatMap(([advance, bearing], glyph) => (glyph < long ? u16(advance, bearing) : u16(bearing)))
  return fontFile({
    head: [
      ...u32(0x10000, 0, 0, 0x5f0f3cf5),
      ...u16(0, unitsPerEm),
      ...u32(0, 0, 0, 0),
      ...u16(...bbox, macStyle, 0, 0, isLong ? 1 : 0, 0),
    ],
    hhea: [...u32(0x10000), ...u16(ascent, descent, gap), ...new Array<number>(24).fill(0), ...u16(long)],
    maxp: [...u32(0x10000), ...u16(widths.length), ...new Array<number>(26).fill(9)],
    hmtx: metrics,
    cmap: [...cmap],
    loca: starts.flatMap((start) => (isLong ? u32(start) : u16(start / 2))),
    // A table at the end of the file that is empty would begin behind it.
    glyf: [...outlines.flat(), 0, 0, 0, 0],
    ...(plan.names ? { name: nameTable(plan.names) } : {}),
    ...(plan.os2 ? { 'OS/2': plan.os2 } : {}),
    ...(plan.post ? { post: plan.post } : {}),
    ...plan.others,
  })
}

function nameTable(names: readonly NameRecord[]): number[] {
  const storage: number[] = []
  const records = names.flatMap(({ id, value, platform = 3 }) => {
    const bytes = [...value].flatMap((letter) => u16(letter.charCodeAt(0)))
    const at = storage.length
    storage.push(...bytes)
    return u16(platform, 1, 0x409, id, bytes.length, at)
  })
  return [...u16(0, names.length, 6 + records.length), ...records, ...storage]
}

/** A cmap of the given subtables: platform, encoding and bytes. */
export function cmapOf(
  ...subtables: readonly (readonly [platform: number, encoding: number, bytes: readonly number[]])[]
): number[] {
  let at = 4 + subtables.length * 8
  const records: number[] = []
  for (const [platform, encoding, bytes] of subtables) {
    records.push(...u16(platform, encoding), ...u32(at))
    at += bytes.length
  }
  return [...u16(0, subtables.length), ...records, ...subtables.flatMap(([, , bytes]) => [...bytes])]
}

/** Ranges of codes with the glyph of the first, by difference. */
export function subtable4(ranges: readonly (readonly [first: number, last: number, glyph: number])[]): number[] {
  const all = [...ranges, [0xffff, 0xffff, 0] as const]
  return [
    ...u16(4, 0, 0, all.length * 2, 0, 0, 0),
    ...all.flatMap(([, last]) => u16(last)),
    ...u16(0),
    ...all.flatMap(([first]) => u16(first)),
    ...all.flatMap(([first, , glyph]) => u16((glyph - first) & 0xffff)),
    ...all.flatMap(() => u16(0)),
  ]
}

export function subtable12(ranges: readonly (readonly [first: number, last: number, glyph: number])[]): number[] {
  return [...u16(12, 0), ...u32(0, 0, ranges.length), ...ranges.flatMap((range) => u32(...range))]
}

export function format4(ranges: readonly (readonly [first: number, last: number, glyph: number])[]): number[] {
  return cmapOf([3, 1, subtable4(ranges)])
}

export interface OsPlan {
  version?: number
  fsType?: number
  strikePosition?: number
  selection?: number
  xHeight?: number
  capHeight?: number
}

export function os2({
  version = 4,
  fsType = 0,
  strikePosition = 0,
  selection = 0,
  xHeight = 0,
  capHeight = 0,
}: OsPlan): number[] {
  const words = new Array<number>(48).fill(0)
  words[0] = version
  words[4] = fsType
  words[14] = strikePosition
  words[31] = selection
  words[43] = xHeight
  words[44] = capHeight
  return u16(...words)
}
