import { ByteReader } from '../../../../src/engines/pdf/font/sfnt.ts'
import { u16, u32 } from './made-fonts.ts'

/* Writes charstrings and fonts with PostScript outlines, so that a test knows every value in them. */

/** A number as a charstring has it, in as few bytes as it needs. */
function number(value: number): number[] {
  if (!Number.isInteger(value)) return [255, ...u32(Math.round(value * 65_536) >>> 0)]
  if (Math.abs(value) <= 107) return [value + 139]
  if (Math.abs(value) > 1_131) return [28, ...u16(value & 0xffff)]
  const rest = Math.abs(value) - 108
  return [(value > 0 ? 247 : 251) + (rest >> 8), rest & 0xff]
}

const operators = {
  ...{
    hstem: 1,
    vstem: 3,
    vmoveto: 4,
    rlineto: 5,
    hlineto: 6,
    vlineto: 7,
    rrcurveto: 8,
    callsubr: 10,
    return: 11,
    endchar: 14,
  },
  ...{ hstemhm: 18, hintmask: 19, cntrmask: 20, rmoveto: 21, hmoveto: 22, vstemhm: 23, rcurveline: 24, rlinecurve: 25 },
  ...{ vvcurveto: 26, hhcurveto: 27, callgsubr: 29, vhcurveto: 30, hvcurveto: 31 },
} as const
const flexes: Readonly<Record<string, number>> = { hflex: 34, flex: 35, hflex1: 36, flex1: 37 }

/** `10 20 rmoveto` as bytes. */
export function code(source: string): Uint8Array {
  return Uint8Array.from(
    source.split(' ').flatMap((word) => {
      if (word in flexes) return [12, flexes[word] ?? 0]
      if (word in operators) return [operators[word as keyof typeof operators]]
      return word.startsWith('#') ? [Number.parseInt(word.slice(1), 16)] : number(Number(word))
    }),
  )
}

/** Numbers of a DICT in their shortest form. */
export function dictNumber(value: number): number[] {
  if (Math.abs(value) <= 1_131) return number(value)
  return value >= -32_768 && value <= 32_767 ? [28, ...u16(value & 0xffff)] : [29, ...u32(value >>> 0)]
}

export const index = (items: readonly (readonly number[])[], size = 1): number[] => {
  if (items.length === 0) return [0, 0]
  let at = 1
  const offsets = [1, ...items.map((item) => (at += item.length))]
  const bytes = (value: number) => u32(value).slice(4 - size)
  return [...u16(items.length), size, ...offsets.flatMap(bytes), ...items.flat()]
}

export interface CffPlan {
  glyphs: readonly (readonly number[])[]
  globals?: readonly (readonly number[])[]
  /** The local subroutines of each font dictionary; more than one makes the font CID-keyed. */
  fonts?: readonly (readonly (readonly number[])[])[]
  /** The FDSelect table. */
  select?: readonly number[]
  /** Entries of the top DICT beside those that lead to tables. */
  top?: readonly number[]
  /** Entries of each font dictionary, and of its private one, beside those that lead to tables. */
  dicts?: readonly (readonly number[])[]
  privates?: readonly (readonly number[])[]
  offsetSize?: number
  /** Places are written in as few bytes as they need, not in five each. */
  isShort?: boolean
}

export function cff(plan: CffPlan): ByteReader {
  const { glyphs, globals = [], fonts = [[]], select = [], top = [], dicts = [], privates = [], offsetSize = 1 } = plan
  const isCid = select.length > 0
  const five = (value: number) => (plan.isShort ? dictNumber(value) : [29, ...u32(value)])
  const outlines = index(glyphs, offsetSize)
  const head = [1, 0, 4, 4, ...index([[65]])]
  const globalIndex = index(globals, offsetSize)
  const build = (at: { outlines: number; select: number; array: number; privates: readonly number[] }) => {
    const own = fonts.map((subrs, font) => {
      const entries = privates[font] ?? []
      const length = entries.length + five(entries.length).length + 1
      return subrs.length === 0 ? entries : [...entries, ...five(length), 19]
    })
    const privateEntry = (font: number) => [...five(own[font]?.length ?? 0), ...five(at.privates[font] ?? 0), 18]
    const ros = [...dictNumber(391), ...dictNumber(392), ...dictNumber(0), 12, 30]
    const dict = isCid
      ? [...ros, ...top, ...five(at.outlines), 17, ...five(at.array), 12, 36, ...five(at.select), 12, 37]
      : [...top, ...five(at.outlines), 17, ...privateEntry(0)]
    const array = isCid ? index(fonts.map((_, font) => [...(dicts[font] ?? []), ...privateEntry(font)])) : []
    const strings = index(isCid ? [[...Buffer.from('Adobe')], [...Buffer.from('Identity')]] : [])
    const before = [...head, ...index([dict]), ...strings, ...globalIndex]
    const places = { outlines: before.length, select: 0, array: 0, privates: [] as number[] }
    places.select = places.outlines + outlines.length
    places.array = places.select + select.length
    let next = places.array + array.length
    const ends = fonts.map((subrs, font) => {
      places.privates.push(next)
      const bytes = [...(own[font] ?? []), ...(subrs.length === 0 ? [] : index(subrs, offsetSize))]
      next += bytes.length
      return bytes
    })
    return { places, bytes: [...before, ...outlines, ...select, ...array, ...ends.flat()] }
  }
  let { places, bytes } = build({ outlines: 0, select: 0, array: 0, privates: [] })
  // Places of few bytes move what they lead to.
  for (let round = 0; round < 4; round++) ({ places, bytes } = build(places))
  return new ByteReader(Uint8Array.from(bytes), 0, bytes.length)
}

export const draw = (source: string) => [...code(source)]
