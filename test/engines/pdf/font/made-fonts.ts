/** Writes font files table by table, so that a test knows every value in them. */

export const u16 = (...values: number[]) => values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff])
export const u32 = (...values: number[]) =>
  values.flatMap((value) => [...u16(Math.floor(value / 65_536)), ...u16(value % 65_536)])
const text = (value: string) => [...Buffer.from(value, 'latin1')]

/** A font file of these tables as the format wants it: sorted by their tags, with checksums and what a search begins with. */
export function fontFile(tables: Readonly<Record<string, ArrayLike<number>>>, version = 0x00010000): Uint8Array {
  return collected([tables], version, false)
}

/** A collection of fonts, each with tables of its own. */
export function collectionFile(fonts: readonly Readonly<Record<string, ArrayLike<number>>>[]): Uint8Array {
  return collected(fonts, 0x00010000, true)
}

function collected(
  fonts: readonly Readonly<Record<string, ArrayLike<number>>>[],
  version: number,
  isCollection: boolean,
): Uint8Array {
  const entries = fonts.map((tables) => Object.entries(tables).sort(([one], [other]) => (one < other ? -1 : 1)))
  const header = isCollection ? 12 + fonts.length * 4 : 0
  const starts: number[] = []
  let at = header
  for (const tables of entries) {
    starts.push(at)
    at += 12 + tables.length * 16
  }
  const data = at
  for (const [, bytes] of entries.flat()) at += (bytes.length + 3) & ~3
  const file = new Uint8Array(at)
  const view = new DataView(file.buffer)
  if (isCollection) file.set([...text('ttcf'), ...u32(0x10000, fonts.length, ...starts)])
  at = data
  for (const [font, tables] of entries.entries()) {
    const start = starts[font] ?? 0
    const power = 2 ** Math.floor(Math.log2(Math.max(1, tables.length)))
    const search = [power * 16, Math.log2(power), (tables.length - power) * 16]
    file.set([...u32(version), ...u16(tables.length, ...search.map((value) => value & 0xffff))], start)
    let headAt: number | undefined
    for (const [index, [tag, bytes]] of tables.entries()) {
      const length = (bytes.length + 3) & ~3
      file.set(bytes, at)
      if (tag === 'head' && bytes.length >= 12) {
        headAt = at
        view.setUint32(at + 8, 0)
      }
      file.set([...text(tag), ...u32(sumOf(view, at, length), at, bytes.length)], start + 12 + index * 16)
      at += length
    }
    if (headAt !== undefined && !isCollection) view.setUint32(headAt + 8, 0xb1b0afba - sumOf(view, 0, file.length))
  }
  return file
}

/** A checksum as OpenType has it (1.9, "Calculating checksums"). */
function sumOf(view: DataView, start: number, length: number): number {
  let sum = 0
  for (let at = start; at < start + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
  return sum
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
