/** The tables by which HarfBuzz substitutes and places glyphs, for fonts of the fuzzer: each right in its form, hostile in its values. */
import type { Random } from '../../src/engines/schema/generate/random.ts'
import { u16, u32 } from '../engines/pdf/font/made-fonts.ts'

/** A value of two bytes, or another table, which is put behind with its place in its stead: in two bytes, or in four. */
type Field = number | readonly Field[] | { far: readonly Field[] }

/** The bytes of a table, and of those that it leads to. */
function table(fields: readonly Field[]): number[] {
  let at = fields.reduce<number>((sum, field) => sum + (typeof field === 'object' && 'far' in field ? 4 : 2), 0)
  const own: number[] = []
  const others: number[][] = []
  for (const field of fields) {
    if (typeof field === 'number') {
      own.push(...u16(field & 0xffff))
      continue
    }
    const bytes = table('far' in field ? field.far : field)
    own.push(...('far' in field ? u32(at) : u16(at & 0xffff)))
    others.push(bytes)
    at += bytes.length
  }
  return [...own, ...others.flat()]
}

/** What a table is made from: how many glyphs there are, and where values come from. */
export interface Layout {
  random: Random
  glyphs: number
}

/** One of the font's glyphs, and now and then none. */
export function anyGlyph({ random, glyphs }: Layout): number {
  return random.chance(96) ? random.below(glyphs) : random.pick([glyphs, 0x7fff, 0xffff])
}

/** How many things follow, or rather not. */
export function stated(random: Random, count: number): number {
  return random.chance(97) ? count : random.pick([0, count + 1, count * 2, 0x7fff, 0xffff])
}

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))
const small = (random: Random) => random.below(200) - 100

function glyphList(layout: Layout): Field[] {
  const list = many(1 + layout.random.below(4), () => anyGlyph(layout))
  return layout.random.chance(95) ? list.toSorted((one, other) => Number(one) - Number(other)) : list
}

/** A Coverage: a list of glyphs, or ranges; mostly of all glyphs, since a subtable does nothing for others. */
function coverage(layout: Layout): Field[] {
  const { random, glyphs } = layout
  if (random.chance(60)) return [2, 1, 0, stated(random, glyphs - 1), 0]
  const list = glyphList(layout)
  return [1, stated(random, list.length), ...list]
}

function classes(layout: Layout): Field[] {
  const { random, glyphs } = layout
  if (random.chance(50)) return [1, 0, stated(random, glyphs), ...many(glyphs, () => random.below(4))]
  return [2, stated(random, 2), 0, 1, random.below(4), 2, glyphs, random.below(4)]
}

/** Actions of a context: which lookup applies where, itself included. */
const actions = ({ random }: Layout): Field[] =>
  many(1 + random.below(3), () => [random.below(3), random.below(5)]).flat()

function context(layout: Layout): Field[] {
  const { random } = layout
  const done = actions(layout)
  const input = many(random.below(3), () => anyGlyph(layout))
  const rule = [stated(random, input.length + 1), stated(random, done.length / 2), ...input, ...done]
  const sets = many(1 + random.below(3), () => [1, rule])
  switch (random.below(3)) {
    case 0:
      return [1, coverage(layout), stated(random, sets.length), ...sets]
    case 1:
      return [2, coverage(layout), classes(layout), stated(random, sets.length), ...sets]
    default:
      return [3, stated(random, 2), done.length / 2, coverage(layout), coverage(layout), ...done]
  }
}

function chained(layout: Layout): Field[] {
  const { random } = layout
  const done = actions(layout)
  const covers = (count: number): Field[] => [stated(random, count), ...many(count, () => coverage(layout))]
  if (random.chance(50))
    return [
      3,
      ...covers(random.below(2)),
      ...covers(1 + random.below(2)),
      ...covers(random.below(2)),
      done.length / 2,
      ...done,
    ]
  const rule = [random.below(2) * 0, 1, 0, stated(random, done.length / 2), ...done]
  const sets = many(3, () => [1, rule])
  return random.chance(50)
    ? [1, coverage(layout), sets.length, ...sets]
    : [2, coverage(layout), classes(layout), classes(layout), classes(layout), sets.length, ...sets]
}

/** GSUB: one glyph for one, for several, alternatives, ligatures, contexts, and backwards. */
function substitution(layout: Layout, type: number): Field[] {
  const { random, glyphs } = layout
  const list = (count: number) => many(count, () => anyGlyph(layout))
  switch (type) {
    case 1:
      return random.chance(50)
        ? [1, coverage(layout), small(random) & 3]
        : [2, coverage(layout), stated(random, glyphs), ...list(glyphs)]
    case 2:
    case 3: {
      const sets = many(glyphs, () => {
        // What grows with every lookup shows whether growth ends.
        const some = list(random.chance(90) ? random.below(4) : 60)
        return [stated(random, some.length), ...some]
      })
      return [1, coverage(layout), sets.length, ...sets]
    }
    case 4: {
      const sets = many(glyphs, () => {
        const parts = list(random.below(3))
        return [1, [anyGlyph(layout), stated(random, parts.length + 1), ...parts]]
      })
      return [1, coverage(layout), sets.length, ...sets]
    }
    case 5:
      return context(layout)
    case 6:
      return chained(layout)
    default:
      return [1, coverage(layout), 1, coverage(layout), 0, stated(random, glyphs), ...list(glyphs)]
  }
}

const anchor = (random: Random): Field[] =>
  random.chance(80) ? [1, small(random), small(random)] : [2, small(random), small(random), random.below(12)]

/** GPOS: one glyph, pairs, joined letters, marks on letters, on ligatures and on marks, and contexts. */
function positioning(layout: Layout, type: number): Field[] {
  const { random, glyphs } = layout
  const bit = (mask: number) =>
    mask === 0 ? [] : many([...mask.toString(2)].filter((one) => one === '1').length, () => small(random))
  const [first, second] = [random.pick([4, 4, 4, 5, 15, 0]), random.pick([0, 0, 0, 4, 3])]
  switch (type) {
    case 1:
      return [1, coverage(layout), first, ...bit(first)]
    case 2: {
      if (random.chance(50)) {
        const sets = many(glyphs, () => {
          const pairs = many(random.below(4), (index) => [index + random.below(2), ...bit(first), ...bit(second)])
          return [stated(random, pairs.length), ...pairs.flat()]
        })
        return [1, coverage(layout), first, second, stated(random, sets.length), ...sets]
      }
      const [lefts, rights] = [1 + random.below(4), 1 + random.below(4)]
      const values = many(lefts * rights, () => [...bit(first), ...bit(second)]).flat()
      return [
        2,
        coverage(layout),
        first,
        second,
        classes(layout),
        classes(layout),
        stated(random, lefts),
        stated(random, rights),
        ...values,
      ]
    }
    case 3: {
      const ends = many(glyphs * 2, () => anchor(random))
      return [1, coverage(layout), stated(random, glyphs), ...ends]
    }
    case 4:
    case 6: {
      const marks = [glyphs, ...many(glyphs, () => [random.below(2), anchor(random)]).flat()]
      const bases = [glyphs, ...many(glyphs * 2, () => anchor(random))]
      return [1, coverage(layout), coverage(layout), stated(random, 2), marks, bases]
    }
    case 5: {
      const marks = [glyphs, ...many(glyphs, () => [random.below(2), anchor(random)]).flat()]
      const parts = many(glyphs, () => [2, ...many(4, () => anchor(random))])
      return [1, coverage(layout), coverage(layout), 2, marks, [glyphs, ...parts]]
    }
    case 7:
      return context(layout)
    default:
      return chained(layout)
  }
}

const tag = (name: string): number[] => {
  const bytes = Buffer.from(name, 'latin1')
  return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)]
}

function layoutTable(
  layout: Layout,
  features: readonly string[],
  types: number,
  extension: number,
  subtable: (layout: Layout, type: number) => Field[],
): number[] {
  const { random } = layout
  const lookups = many(1 + random.below(3), () => {
    const type = 1 + random.below(types)
    const isFar = random.chance(15)
    const tables = many(1 + random.below(2), (): Field[] => {
      const made = subtable(layout, type)
      return isFar ? [1, type, { far: made }] : made
    })
    return [isFar ? extension : type, random.pick([0, 0, 0, 2, 8, 0x10]), stated(random, tables.length), ...tables]
  })
  const named = many(1 + random.below(3), (): [string, Field[]] => {
    const used = many(1 + random.below(lookups.length), () => random.below(lookups.length))
    return [random.pick(features), [0, stated(random, used.length), ...used]]
  }).sort(([one], [other]) => (one < other ? -1 : 1))
  const language = [0, random.chance(90) ? 0xffff : 0, stated(random, named.length), ...named.map((_, index) => index)]
  const script: Field[] = [language, 0]
  return table([
    ...[1, 0],
    [2, ...tag('DFLT'), script, ...tag('latn'), script],
    [stated(random, named.length), ...named.flatMap(([name, feature]) => [...tag(name), feature])],
    [stated(random, lookups.length), ...lookups],
  ])
}

export const madeGsub = (layout: Layout): number[] =>
  layoutTable(layout, ['ccmp', 'rlig', 'calt', 'liga', 'clig', 'locl'], 8, 7, (own, type) =>
    // The seventh kind is that of subtables far away.
    substitution(own, type === 7 ? 4 : type),
  )

export const madeGpos = (layout: Layout): number[] =>
  layoutTable(layout, ['kern', 'kern', 'mark', 'mkmk', 'curs', 'dist'], 8, 9, positioning)

/** Which glyphs are letters, ligatures, marks and parts of others. */
export function madeGdef(layout: Layout): number[] {
  const { random, glyphs } = layout
  const carets = [coverage(layout), 1, [1, [1, small(random)]]]
  return table([1, 0, [1, 0, glyphs, ...many(glyphs, () => 1 + random.below(4))], 0, carets, classes(layout)])
}

/** Pairs as Windows had them before GPOS. */
export function madeKern(layout: Layout): number[] {
  const { random } = layout
  const pairs = many(random.below(6), () => [anyGlyph(layout), anyGlyph(layout), small(random)])
  const length = 14 + pairs.length * 6
  return table([0, 1, 0, stated(random, length), 1, stated(random, pairs.length), 0, 0, 0, ...pairs.flat()])
}

/** Apple's state machines: rearranging, contextual, ligatures, plain and inserting. They may stay where they are for ever. */
export function madeMorx(layout: Layout): number[] {
  const { random } = layout
  const subtables = many(1 + random.below(3), () => {
    const type = random.pick([0, 1, 2, 4, 5])
    const bytes = type === 4 ? lookup(layout) : machine(layout, type)
    return [...u32(stated(random, bytes.length + 12), random.pick([0, 0x20000000, 0x40000000]) + type, 1), ...bytes]
  })
  const chain = [...u32(1, 16 + subtables.flat().length, 0, stated(random, subtables.length)), ...subtables.flat()]
  return [...u16(2, 0), ...u32(1), ...chain]
}

/** A value for each glyph. */
function lookup(layout: Layout): number[] {
  const { random, glyphs } = layout
  if (random.chance(50)) return u16(0, ...many(glyphs, () => anyGlyph(layout)))
  const ranges = many(2, (index) => [index * 2 + 1, index * 2, anyGlyph(layout)])
  return u16(2, 6, stated(random, 2), 12, 1, 0, ...ranges.flat(), 0xffff, 0xffff, 0)
}

function machine(layout: Layout, type: number): number[] {
  const { random, glyphs } = layout
  const [states, kinds] = [3, 6]
  const classesOf = u16(0, ...many(glyphs, () => random.below(kinds + 1)))
  const rows = u16(...many(states * kinds, () => stated(random, random.below(4))))
  // What an entry has after its next state and its flags, which may say "don't advance".
  const extra = type === 0 ? 0 : type === 2 ? 1 : 2
  const flags = () => random.pick([0, 0x8000, 0x4000, 0xc000, 0x2000, 0xa000, 0x8001, 0x842, 0x8c21])
  const entries = many(4, () =>
    u16(stated(random, random.below(states)), flags(), ...many(extra, () => random.pick([0xffff, 0, 1]))),
  ).flat()
  const lists = u32(...many(6, () => (random.bits() & 0xc0000007) >>> 0))
  const header = type === 0 ? 16 : type === 2 ? 28 : 20
  const at = [header, header + classesOf.length, header + classesOf.length + rows.length]
  const end = (at[2] ?? 0) + entries.length
  const further = type === 0 ? [] : type === 2 ? [end, end + 8, end + 16] : [end]
  return [...u32(kinds, ...at, ...further), ...classesOf, ...rows, ...entries, ...lists]
}
