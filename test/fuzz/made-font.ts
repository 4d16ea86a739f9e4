/**
 * Fonts whose directory, checksums and tables are in order, with values as they are in real fonts and, now and then, ones that
 * would never be: glyphs of glyphs of themselves, places on top of one another, machines that don't end. Changing bytes
 * blindly seldom gets past the directory.
 */
import { readTables } from '../../src/engines/pdf/font/sfnt.ts'
import type { Random } from '../../src/engines/schema/generate/random.ts'
import { cff, draw } from '../engines/pdf/font/made-cff.ts'
import {
  cmapOf,
  collectionFile,
  fontFile,
  os2,
  subtable4,
  subtable12,
  u16,
  u32,
} from '../engines/pdf/font/made-fonts.ts'
import { anyGlyph, type Layout, madeGdef, madeGpos, madeGsub, madeKern, madeMorx, stated } from './made-font-layout.ts'
import { mutate } from './mutate.ts'

type Tables = Record<string, ArrayLike<number>>

const OPENTYPE = 0x4f54544f
const TRUETYPE = 0x00010000
const edges = [0, 1, 0x7f, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff]

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))

/** The usual value, and seldom another. */
function mostly(random: Random, usual: number, percent = 97): number {
  return random.chance(percent) ? usual : random.pick([...edges, usual + 1, usual - 1]) & 0xffff
}

export function madeFont(random: Random): Uint8Array {
  if (random.chance(88)) {
    const tables = madeTables(random)
    return fontFile(tables, 'CFF ' in tables ? OPENTYPE : TRUETYPE)
  }
  const fonts = many(1 + random.below(3), () => madeTables(random))
  const [first = {}, second] = fonts
  // Fonts of a collection share tables, also such as don't fit them.
  if (second && random.chance(50)) fonts.push({ ...first, ...second })
  return collectionFile(fonts)
}

/**
 * A font with changes in some of its tables, whose directory fits them again; a quarter are changed as they are, directory included.
 */
export function changedFont(
  source: Uint8Array,
  other: Uint8Array,
  words: readonly string[],
  random: Random,
  maxBytes: number,
): Uint8Array {
  const tables = random.chance(75) ? tablesOf(source) : undefined
  if (tables === undefined) return mutate(source, other, words, random, maxBytes)
  const others = tablesOf(other) ?? {}
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const name = random.pick(Object.keys(tables))
    const bytes = Uint8Array.from(tables[name] ?? [])
    const kind = random.below(10)
    if (kind === 0 && !needed.has(name)) delete tables[name]
    else if (kind === 1) tables[name] = others[name] ?? bytes
    else if (kind < 7) tables[name] = sprinkled(bytes, random)
    else tables[name] = mutate(bytes, Uint8Array.from(others[name] ?? []), words, random, maxBytes)
  }
  const made = fontFile(tables, 'CFF ' in tables ? OPENTYPE : TRUETYPE)
  return made.length > maxBytes ? made.slice(0, maxBytes) : made
}

const needed = new Set(['head', 'hhea', 'hmtx', 'maxp', 'cmap', 'glyf', 'loca', 'CFF '])

function tablesOf(bytes: Uint8Array): Tables | undefined {
  const tables = readTables(bytes)
  return tables && Object.fromEntries([...tables].map(([name, table]) => [name, table.slice(0, table.length)]))
}

/** Other values in some fields of a table: most are of two bytes and begin at even places. */
function sprinkled(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length < 2) return bytes
  const made = bytes.slice()
  const view = new DataView(made.buffer)
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const at = random.below(bytes.length >> 1) * 2
    const before = view.getUint16(at)
    const after = random.pick([random.pick(edges), before + 1, before - 1, before * 2, random.below(64), bytes.length])
    view.setUint16(at, after & 0xffff)
  }
  return made
}

function madeTables(random: Random): Tables {
  const glyphs = random.chance(97) ? 3 + random.below(6) : random.pick([1, 2, 20, 200])
  const layout = { random, glyphs }
  const isCff = random.chance(35)
  const shared = random.chance(80) ? 0 : random.below(glyphs)
  const isLong = random.chance(50)
  const metrics = many(glyphs, (glyph) =>
    glyph < glyphs - shared ? u16(mostly(random, 500), random.below(50)) : u16(random.below(50)),
  )
  // Values that only a few fonts may have, or none would be read further.
  const unitsPerEm = random.chance(99) ? random.pick([1_000, 2_048, 16, 16_384]) : random.pick([0, 15, 16_385, 0xffff])
  const claimed = random.chance(95) ? glyphs : random.pick([1, glyphs + 1, 5_000, 0xffff])
  const tables: Tables = {
    head: [
      ...u32(0x10000, 0, 0, 0x5f0f3cf5),
      ...u16(0, unitsPerEm),
      ...u32(0, 0, 0, 0),
      ...u16(mostly(random, 0), mostly(random, 0), mostly(random, 900), mostly(random, 900), random.below(4), 0, 0),
      ...u16(isLong ? 1 : 0, 0),
    ],
    hhea: [
      ...u32(0x10000),
      ...u16(mostly(random, 800), mostly(random, 0xff38), mostly(random, 90)),
      ...new Array<number>(24).fill(0),
      ...u16(mostly(random, glyphs - shared)),
    ],
    maxp: [...u32(0x10000), ...u16(claimed), ...new Array<number>(26).fill(0)],
    hmtx: metrics.flat(),
    cmap: madeCmap(layout),
    name: madeNames(random),
    ...(isCff ? { 'CFF ': madeCff(layout) } : madeOutlines(layout, isLong)),
  }
  const optional: Readonly<Record<string, () => ArrayLike<number>>> = {
    'OS/2': () =>
      os2({
        fsType: random.chance(97) ? 0 : random.pick([2, 0x100, 0x200, 4]),
        xHeight: mostly(random, 480),
        version: 4,
      }),
    post: () => [
      ...u32(0x30000),
      ...u16(0, mostly(random, 0), mostly(random, 0xff9c), mostly(random, 50)),
      ...u32(random.below(2), 0, 0, 0, 0),
    ],
    GSUB: () => madeGsub(layout),
    GPOS: () => madeGpos(layout),
    GDEF: () => madeGdef(layout),
    kern: () => madeKern(layout),
    morx: () => madeMorx(layout),
    fvar: () => madeVariation(random),
  }
  for (const [name, make] of Object.entries(optional))
    if (random.chance(name === 'fvar' ? 10 : 35)) tables[name] = make()
  if (random.chance(40)) {
    const name = random.pick(Object.keys(tables).filter((one) => one !== 'head' && one !== 'name'))
    tables[name] = sprinkled(Uint8Array.from(tables[name] ?? []), random)
  }
  return tables
}

/** An axis of weight, from which a font without a chosen instance is drawn at its default. */
function madeVariation(random: Random): number[] {
  const axis = [...Buffer.from('wght'), ...u32(100 * 65_536, 400 * 65_536, 900 * 65_536), ...u16(0, 256)]
  return [...u16(1, 0, 16, 2, mostly(random, 1), 20, mostly(random, 0), 8), ...axis]
}

function madeNames(random: Random): number[] {
  const names = [
    { id: 1, value: `Made ${random.below(5)}` },
    ...many(random.below(4), () => ({
      id: random.pick([1, 2, 4, 6, 16, 17]),
      value: random.pick(['Regular', 'Bold', '', 'Arial', 'Zoë \u05d0', '\ud800', '__proto__']),
    })),
  ]
  // One long text under hundreds of names costs its reader its length each time.
  const isVast = random.below(400) === 0
  const records = isVast ? many(512, (index) => ({ id: 1, at: index * 2, length: 60_000 })) : []
  const storage: number[] = []
  for (const { id, value } of names) {
    const bytes = u16(...Array.from({ length: value.length }, (_, at) => value.charCodeAt(at)))
    records.push({ id, at: mostly(random, storage.length, 99), length: mostly(random, bytes.length, 99) })
    storage.push(...bytes)
  }
  if (isVast) storage.push(...many(62_000, (at) => (at * 7) % 251))
  const fields = records.flatMap(({ id, at, length }) => u16(random.chance(95) ? 3 : 1, 1, 0x409, id, length, at))
  return [...u16(0, mostly(random, records.length, 99), 6 + records.length * 12), ...fields, ...storage]
}

function madeCmap(layout: Layout): number[] {
  const { random } = layout
  const codes = random.shuffled([0x20, 0x41, 0x66, 0x69, 0x301, 0x5d0, 0x627, 0xf015]).slice(0, 2 + random.below(7))
  const ranges = codes
    .toSorted((one, other) => one - other)
    .map((code) => [code, code + random.below(2), anyGlyph(layout)] as const)
  const plain = many(0x100, () => random.below(layout.glyphs) & 0xff)
  const wide = [...ranges, [0x1f600, mostly(random, 0) === 0 ? 0x1f640 : 0x10ffff, 1] as const]
  const subtables = many(1 + random.below(3), () => {
    const format = random.pick([4, 4, 12, 12, 0, 6, 13])
    const [platform, encoding] = random.pick([
      [3, 1],
      [3, 10],
      [0, 3],
      [3, 0],
      [1, 0],
    ])
    if (format === 4) return [platform, encoding, subtable4(ranges)] as const
    if (format === 0) return [platform, encoding, [...u16(0, 262, 0), ...plain]] as const
    if (format === 6) return [platform, encoding, u16(6, 0, 0, 0x41, stated(random, 4), 1, 2, 3, 4)] as const
    const bytes = subtable12(wide)
    bytes[1] = format
    return [platform, encoding, bytes] as const
  })
  return cmapOf(...subtables)
}

/** Outlines of TrueType and their places, which now and then lie on top of one another. */
function madeOutlines(layout: Layout, isLong: boolean): Tables {
  const { random, glyphs } = layout
  const outlines = many(glyphs, (glyph) => {
    const kind = random.below(10)
    const bytes = glyph === 0 || kind === 0 ? [] : kind < 7 ? simpleGlyph(random) : composite(layout)
    return bytes.length % 2 === 0 ? bytes : [...bytes, 0]
  })
  const places = [0]
  for (const bytes of outlines) places.push((places.at(-1) ?? 0) + bytes.length)
  const end = places.at(-1) ?? 0
  const isOverlapping = random.chance(3)
  const stored = places.map((place, index) => (isOverlapping ? (index % 2 === 0 ? 0 : end) : mostly(random, place, 99)))
  return {
    loca: stored.flatMap((place) => (isLong ? u32(place) : u16(Math.floor(place / 2)))),
    glyf: [...outlines.flat(), 0, 0, 0, 0],
  }
}

function simpleGlyph(random: Random): number[] {
  const contours = random.chance(99) ? 1 + random.below(3) : random.pick([0, 200, 2_000])
  const points = many(contours, () => (random.chance(99) ? 1 + random.below(5) : 2_000))
  let last = -1
  const ends = points.map((count) => {
    last += count
    return mostly(random, last & 0xffff, 99)
  })
  const code = many(random.below(3), () => random.below(256))
  // Repeated flags make many points of few bytes.
  const flags = points.flatMap((count) =>
    count > 100
      ? many(Math.ceil(count / 256), () => [0x39, 255]).flat()
      : many(count, () => random.pick([0x01, 0x00, 0x37, 0x31, 0x12])),
  )
  const places = many(Math.min(300, (last + 1) * 3), () => random.below(256))
  const box = u16(mostly(random, 0), mostly(random, 0), mostly(random, 700), mostly(random, 700))
  return [
    ...u16(stated(random, contours)),
    ...box,
    ...u16(...ends, stated(random, code.length)),
    ...code,
    ...flags,
    ...places,
  ]
}

/** A composite glyph; its parts may be composite, too. */
function composite(layout: Layout): number[] {
  const { random } = layout
  const count = random.chance(90) ? 1 + random.below(4) : random.pick([20, 64, 500])
  const isOfOne = random.chance(30)
  const one = anyGlyph(layout)
  const parts = many(count, (index) => {
    const kind = random.pick([0, 1, 2, 3, 8, 0x42, 0x80, 0x102])
    const scales = (kind & 8) !== 0 ? 1 : (kind & 0x40) !== 0 ? 2 : (kind & 0x80) !== 0 ? 4 : 0
    const flags = kind | (index === count - 1 && random.chance(97) ? 0 : 0x20)
    const data = [
      ...many((kind & 1) !== 0 ? 4 : 2, () => random.below(256)),
      ...u16(...many(scales, () => random.pick([0x4000, 0x2000, 0xc000, 0x7fff]))),
    ]
    return [...u16(flags, isOfOne ? one : anyGlyph(layout)), ...data]
  })
  return [...u16(0xffff, 0, 0, 700, 700), ...parts.flat()]
}

/** Outlines of PostScript, whose subroutines may call one another. */
function madeCff(layout: Layout): Uint8Array {
  const { random, glyphs } = layout
  const fonts = random.chance(70) ? 1 : 2 + random.below(2)
  const subrs = () => many(random.below(4), () => routine(random, 'return'))
  const table = cff({
    glyphs: many(glyphs, () => routine(random, 'endchar')),
    globals: subrs(),
    fonts: many(fonts, subrs),
    ...(fonts === 1
      ? {}
      : {
          select: random.chance(50)
            ? [0, ...many(glyphs, () => random.below(fonts))]
            : [3, ...u16(1, 0), 0, ...u16(glyphs)],
        }),
    offsetSize: glyphs > 20 ? 3 : 2,
    isShort: random.chance(50),
  })
  const bytes = table.slice(0, table.length)
  return random.chance(85) ? bytes : sprinkled(bytes, random)
}

function routine(random: Random, end: string): number[] {
  const n = () => random.pick([random.below(200) - 100, random.below(200) - 100, 0.5, 2_000, -32_000])
  const numbers = (count: number) => many(count, n).join(' ')
  const steps = many(1 + random.below(4), () => {
    const [count, operator] = random.pick([
      [2, 'rmoveto'],
      [1, 'hmoveto'],
      [1, 'vmoveto'],
      [4, 'rlineto'],
      [3, 'hlineto'],
      [6, 'rrcurveto'],
      [8, 'rcurveline'],
      [8, 'rlinecurve'],
      [5, 'vvcurveto'],
      [5, 'hhcurveto'],
      [9, 'vhcurveto'],
      [8, 'hvcurveto'],
      [7, 'hflex'],
      [13, 'flex'],
      [9, 'hflex1'],
      [11, 'flex1'],
      [4, 'hstemhm'],
    ] as const)
    return `${numbers(random.chance(95) ? count : random.below(60))} ${operator}`.trim()
  })
  for (let calls = random.below(3); calls > 0; calls--) {
    const call = `${random.below(3) - 107} ${random.pick(['callsubr', 'callgsubr'])}`
    // Routines that call one another several times take time beyond all measure if nobody counts.
    steps.splice(random.below(steps.length), 0, ...many(random.chance(90) ? 1 : 40, () => call))
  }
  return draw([...steps, end].join(' '))
}
