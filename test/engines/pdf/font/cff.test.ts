import { describe, expect, test } from 'bun:test'
import { cffPath, subsetCff } from '../../../../src/engines/pdf/font/cff.ts'
import { pathOfCharstring } from '../../../../src/engines/pdf/font/charstring.ts'
import { ByteReader } from '../../../../src/engines/pdf/font/sfnt.ts'
import { type CffPlan, cff, code, dictNumber, draw, index } from './made-cff.ts'
import { u16, u32 } from './made-fonts.ts'

const subsetOf = (plan: CffPlan, glyphs: readonly number[]) => subsetCff(cff(plan), glyphs) ?? expect.unreachable()
const pathsOf = (bytes: Uint8Array, ...glyphs: number[]) => glyphs.map((glyph) => cffPath(ByteReader.of(bytes), glyph))
const times = (bytes: Uint8Array, part: readonly number[]) => {
  let count = 0
  for (let at = 0; at <= bytes.length - part.length; at++)
    if (part.every((byte, index) => bytes[at + index] === byte)) count++
  return count
}
const matrix = [
  ...dictNumber(5),
  ...dictNumber(0),
  ...dictNumber(0),
  ...dictNumber(5),
  ...dictNumber(0),
  ...dictNumber(0),
  12,
  7,
]
const call = (subr: number) => draw(`${subr - 107} callsubr endchar`)

describe('A font with PostScript outlines', () => {
  test('is read whatever number of bytes its places have', () => {
    // Glyphs of some length push what follows them from one byte to two, and to three.
    for (const filling of [0, 30, 120, 400, 1_500]) {
      const plan: CffPlan = {
        glyphs: [
          draw('endchar'),
          call(0),
          call(1),
          draw(new Array(filling).fill('1 1 rlineto').join(' ') || 'endchar'),
        ],
        fonts: [[draw('5 6 rlineto'), draw('7 8 rlineto')]],
        offsetSize: 2,
        isShort: true,
      }
      expect([filling, ...pathsOf(cff(plan).bytes, 1, 2)]).toEqual([filling, 'L5 6', 'L7 8'])
      expect([filling, ...pathsOf(subsetOf(plan, [0, 2, 1]), 1, 2)]).toEqual([filling, 'L7 8', 'L5 6'])
      // The private part begins behind other entries, among them fractions, whose digits look like operators.
      const others = {
        ...plan,
        privates: [[...dictNumber(500), 20, 30, 0x15, 0x12, 0xff, 21, ...dictNumber(-700), 10]],
      }
      expect([filling, ...pathsOf(cff(others).bytes, 1, 2)]).toEqual([filling, 'L5 6', 'L7 8'])
    }
  })

  test('is read past numbers of every form, whose later bytes look like operators', () => {
    // 19 is the operator of subroutines: who takes such a byte for one looks for them in the wrong place.
    const numbers = [[32], [246], [247, 19], [250, 19], [251, 19], [254, 19], [28, 19, 19], [29, 19, 19, 19, 19]]
    const fractions = [
      [30, 0x0a, 0x13, 0xff],
      [30, 0x13, 0x1f],
      [30, 0xf1],
      // A number before it that ends as a fraction does.
      [0x8f, 30, 0x13, 0xa1, 0x3f],
    ]
    for (const number of [...numbers, ...fractions]) {
      const plan: CffPlan = {
        ...{ glyphs: [draw('endchar'), call(0), call(1)], privates: [[...number, 20, ...number, 12, 9]] },
        fonts: [[draw('5 6 rlineto'), draw('7 8 rlineto')]],
      }
      expect([number, ...pathsOf(cff(plan).bytes, 1, 2)]).toEqual([number, 'L5 6', 'L7 8'])
      expect(times(subsetOf(plan, [0, 1]), [...number, 20, ...number, 12, 9])).toBe(1)
    }
  })

  test('has no subset that is longer than itself, though its parts overlap', () => {
    const [count, length] = [2_000, 20_000]
    const ends = [...Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 1 : length)), length + 1]
    const overlapping = [...u16(count), 4, ...ends.flatMap((end) => u32(end)), ...new Array<number>(length).fill(11)]
    const font = (globals: readonly number[], glyphs: readonly number[]) => {
      const head = [1, 0, 4, 4, ...index([[65]])]
      const before = (at: number) => [...head, ...index([[29, ...u32(at), 17]]), ...index([]), ...globals]
      return ByteReader.of(Uint8Array.from([...before(before(0).length), ...glyphs]))
    }
    // A call of nothing keeps all subroutines, since the glyph can't be followed.
    const broken = font(overlapping, index([draw('endchar'), draw('9000 callsubr')]))
    expect(subsetCff(broken, [0, 1])?.length).toBeLessThan(1_000)
    const all = Array.from({ length: count }, (_, glyph) => glyph)
    expect(subsetCff(font(index([]), overlapping), all)).toBeUndefined()
    // Dictionaries that have one private part with one INDEX of subroutines.
    const dicts = 200
    const subrs = [draw('1 2 rlineto'), ...new Array<number[]>(2_000).fill(draw('5 6 rlineto'))]
    const plan: CffPlan = {
      ...{ glyphs: [draw('endchar'), draw('9000 callsubr')], fonts: new Array(dicts).fill([]), select: [0, 0, 0] },
      ...{ offsetSize: 4, privates: [] },
    }
    const table = cff({ ...plan, fonts: [subrs, ...new Array(dicts - 1).fill([])] })
    const bytes = table.bytes.slice()
    const view = new DataView(bytes.buffer)
    // Entries of the font dictionaries: a size, a place (five bytes each) and the operator.
    const entries = [...bytes.keys()].filter((at) => bytes[at] === 18 && bytes[at - 5] === 29 && bytes[at - 10] === 29)
    const [first = 0] = entries
    for (const at of entries) {
      view.setUint32(at - 9, view.getUint32(first - 9))
      view.setUint32(at - 4, view.getUint32(first - 4))
    }
    expect(entries.length).toBe(dicts)
    expect(subsetCff(ByteReader.of(bytes), [0, 1])).toBeUndefined()
  })

  test('is read of its dictionaries up to the limit of their length', () => {
    const filling = new Array<number[]>(1_000).fill([139, 20])
    const within = cff({
      glyphs: [draw('endchar'), call(0)],
      fonts: [[draw('5 6 rlineto')]],
      privates: [filling.flat()],
    })
    expect(cffPath(within, 1)).toBe('L5 6')
    const beyond = [...filling, ...filling, ...filling].flat()
    const table = cff({ glyphs: [draw('endchar'), call(0)], fonts: [[draw('5 6 rlineto')]], privates: [beyond] })
    expect(cffPath(table, 1)).toBe('')
  })

  test('has no outline where its places are fractions or negative', () => {
    const table = (places: readonly number[]) => {
      const bytes = cff({ glyphs: [draw('endchar'), draw('1 2 rlineto')], isShort: true }).bytes.slice()
      // What is before the operator of the outlines is their place.
      bytes.set(places, bytes.indexOf(17) - places.length)
      return bytes
    }
    expect(pathsOf(table([]), 1)).toEqual(['L1 2'])
    expect(pathsOf(table([138]), 1)).toEqual([''])
    expect(subsetCff(ByteReader.of(table([138])), [0])).toBeUndefined()
  })

  test('calls a subroutine by the last number, and leaves the others to it', () => {
    const subrs = { local: (index: number) => (index === 5 ? code('rmoveto') : undefined), global: () => undefined }
    expect(pathOfCharstring(code('10 20 5 callsubr 1 2 rlineto'), subrs)).toBe('M10 20L11 22Z')
  })

  test('has zero for each number that an operator lacks', () => {
    const path = (source: string) => pathOfCharstring(code(source), { local: () => undefined, global: () => undefined })
    expect(path('5 hflex')).toBe('C5 0 5 0 5 0C5 0 5 0 5 0')
    expect(path('5 6 flex')).toBe('C5 6 5 6 5 6C5 6 5 6 5 6')
    expect(path('5 hlineto 7')).toBe('L5 0')
    // Each operator takes all that was there.
    expect(path('1 2 3 4 5 6 7 hflex 1 2 rlineto')).toBe('C1 0 3 3 7 3C12 3 18 0 25 0L26 2')
    expect(path('9 9 9 9 hstem 1 2 rlineto')).toBe('L1 2')
  })
})

describe('A subset of PostScript outlines', () => {
  const glyphs = [draw('endchar'), call(0), call(1)]
  const subrs = [draw('5 6 rlineto'), draw('7 8 rlineto')]

  test('keeps what the private dictionary says besides its subroutines', () => {
    const widths = [...dictNumber(500), 20, ...dictNumber(600), 21]
    const bytes = subsetOf({ glyphs, fonts: [subrs], privates: [widths] }, [0, 1])
    expect(times(bytes, widths)).toBe(1)
    expect(pathsOf(bytes, 1)).toEqual(['L5 6'])
    // A font dictionary may have entries before the place of its private one.
    const cid = subsetOf(
      { glyphs, fonts: [subrs, subrs], privates: [widths, []], dicts: [[...dictNumber(77), 14]], select: [0, 0, 0, 1] },
      [0, 1, 2],
    )
    expect([times(cid, widths), ...pathsOf(cid, 1, 2)]).toEqual([1, 'L5 6', 'L7 8'])
    // Without subroutines it is the end of the file.
    const bare = subsetOf({ glyphs: [draw('endchar')], privates: [widths] }, [0])
    expect([...bare.subarray(bare.length - widths.length)]).toEqual(widths)
    expect(times(bare, widths)).toBe(1)
  })

  test('has a character set that names each of its glyphs but the first', () => {
    for (const list of [
      [0, 1],
      [0, 1, 2],
      [0, 2, 1, 1, 2],
    ]) {
      const bytes = subsetOf({ glyphs, fonts: [subrs] }, list)
      // The place of the character set is a number of five bytes before operator 15.
      const at = bytes.findIndex((byte, place) => byte === 29 && bytes[place + 5] === 15)
      const place = ByteReader.of(bytes).u32(at + 1)
      expect([...bytes.subarray(place, place + 5)]).toEqual([2, 0, 1, 0, list.length - 2])
    }
  })

  test('has the matrix once: of the whole font, or of a dictionary of one that is keyed by numbers', () => {
    expect(times(subsetOf({ glyphs, fonts: [subrs], top: matrix }, [0, 1]), matrix)).toBe(1)
    expect(
      times(subsetOf({ glyphs, fonts: [subrs, subrs], dicts: [matrix, []], select: [0, 0, 0, 1] }, [0, 1]), matrix),
    ).toBe(1)
  })

  test('keeps the subroutines that its glyphs call, and all of them where a glyph can not be followed', () => {
    const [first, second] = subrs as [number[], number[]]
    const kept = (list: readonly (readonly number[])[], of: readonly number[], fonts = [subrs]) => {
      const bytes = subsetOf({ glyphs: list, fonts, globals: [draw('3 3 rlineto'), draw('4 4 rlineto')] }, of)
      return [first, second, draw('3 3 rlineto'), draw('4 4 rlineto')].map((subr) => times(bytes, subr) > 0)
    }
    expect(kept(glyphs, [0, 1])).toEqual([true, false, false, false])
    expect(kept(glyphs, [0, 2])).toEqual([false, true, false, false])
    expect(kept([...glyphs, draw('-106 callgsubr endchar')], [0, 3])).toEqual([false, false, false, true])
    expect(kept([...glyphs, [...draw('1 2'), 12, 3]], [0, 3])).toEqual([true, true, true, true])
  })

  test('keeps the numbers of subroutines, whatever is added to them to find their place', () => {
    for (const [count, place, bias] of [
      [1_239, 1_238, 107],
      [1_240, 1_239, 1_131],
      [1_300, 3, 1_131],
      [33_900, 20, 32_768],
    ] as const) {
      const many = Array.from({ length: count }, (_, at) => (at === place ? draw('9 9 rlineto') : [11]))
      const plan: CffPlan = {
        glyphs: [draw('endchar'), draw(`${place - bias} callgsubr`)],
        globals: many,
        offsetSize: 3,
      }
      expect([count, ...pathsOf(cff(plan).bytes, 1), ...pathsOf(subsetOf(plan, [0, 1]), 1)]).toEqual([
        count,
        'L9 9',
        'L9 9',
      ])
    }
  })

  test('counts its glyphs in two bytes, in its dictionary and its character set', () => {
    const wanted = Array.from({ length: 600 }, (_, at) => (at === 0 ? 0 : 1))
    const bytes = subsetOf({ glyphs, fonts: [subrs] }, wanted)
    expect(times(bytes, [29, ...u32(600), 12, 34])).toBe(1)
    expect(times(bytes, [2, ...u16(1, 598)])).toBe(1)
    expect(pathsOf(bytes, 599, 600)).toEqual(['L5 6', ''])
  })

  test('has a glyph that draws nothing for each that the font does not have', () => {
    const plan: CffPlan = { glyphs: [draw('endchar'), call(0)], fonts: [subrs] }
    const none = subsetOf(plan, [0, 99])
    for (const glyph of [2, 3, -1]) expect([glyph, ...subsetOf(plan, [0, glyph])]).toEqual([glyph, ...none])
    expect([...subsetOf(plan, [0, 1])]).not.toEqual([...none])
  })

  test('leads to each of its tables', () => {
    const plan: CffPlan = { glyphs, fonts: [subrs, [draw('1 1 rlineto')]], select: [0, 0, 0, 1] }
    const bytes = subsetOf({ ...plan, glyphs: [draw('endchar'), call(1), call(0)] }, [0, 2, 1])
    const place = (operator: readonly number[]) => {
      for (let at = 5; at < bytes.length; at++)
        if (operator.every((byte, index) => bytes[at + index] === byte) && bytes[at - 5] === 29)
          return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at - 4)
      return 0
    }
    // The character set from glyph 1 on; the dictionary of each glyph; three outlines; two dictionaries.
    expect([...bytes.subarray(place([15]), place([15]) + 5)]).toEqual([2, ...u16(1, 1)])
    expect([...bytes.subarray(place([12, 37]), place([12, 37]) + 4)]).toEqual([0, 0, 1, 0])
    expect([...bytes.subarray(place([17]), place([17]) + 2)]).toEqual(u16(3))
    expect([...bytes.subarray(place([12, 36]), place([12, 36]) + 2)]).toEqual(u16(2))
  })
})
