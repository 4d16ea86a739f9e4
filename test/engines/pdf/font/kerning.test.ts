import { describe, expect, test } from 'bun:test'
import { readFace } from '../../../../src/engines/pdf/font/face.ts'
import { trueType, u16, u32 } from './made-fonts.ts'

describe('Kerning', () => {
  /** A GPOS table with one feature of pairs, whose lookups hold these subtables. */
  function gpos(lookups: readonly (readonly { type?: number; bytes: readonly number[] }[])[], tag = 'kern'): number[] {
    const made = lookups.map((subtables) => {
      let at = 6 + subtables.length * 2
      const offsets = subtables.map(({ bytes }) => {
        const start = at
        at += bytes.length
        return start
      })
      return [
        ...u16(subtables[0]?.type ?? 2, 0, subtables.length, ...offsets),
        ...subtables.flatMap(({ bytes }) => [...bytes]),
      ]
    })
    const feature = u16(0, lookups.length, ...lookups.map((_, index) => index))
    const features = [...u16(1), ...Buffer.from(tag), ...u16(8), ...feature]
    let at = 2 + made.length * 2
    const offsets = made.map((bytes) => {
      const start = at
      at += bytes.length
      return start
    })
    return [
      ...u32(0x10000),
      ...u16(0, 10, 10 + features.length),
      ...features,
      ...u16(made.length, ...offsets),
      ...made.flat(),
    ]
  }
  const covered = (...glyphs: number[]) => u16(1, glyphs.length, ...glyphs)
  /** Pairs of one first glyph with each second one: the advance of the first changes. */
  const pairs = (first: number, ...seconds: (readonly [glyph: number, value: number])[]) => ({
    bytes: [...u16(1, 12, 4, 0, 1, 18), ...covered(first), ...u16(seconds.length, ...seconds.flat())],
  })
  const kern = (table: readonly number[]) => {
    const face = readFace(trueType({ others: { GPOS: table } })) ?? expect.unreachable()
    return (left: number, right: number) => Math.round(face.kern(left, right) * 1_000) + 0
  }

  test('is found pair by pair, and 0 for others', () => {
    const found = kern(gpos([[pairs(1, [1, 10], [2, -20], [3, 30])]]))
    expect([found(1, 1), found(1, 2), found(1, 3), found(1, 0), found(2, 2), found(0, 2)]).toEqual([
      10, -20, 30, 0, 0, 0,
    ])
    expect([found(1, 2), found(4, 2), found(1, 9)]).toEqual([-20, 0, 0])
  })

  test('is looked up in as many subtables as the limit says', () => {
    // Each lookup has the same subtable 200 times; an adjustment of each lookup is added.
    const lookup = new Array(200).fill({ bytes: u16(1, 8, 4, 0, 0, 0, 0) })
    const one = pairs(1, [2, 10])
    const within = kern(gpos([...new Array(4).fill(lookup), [one]]))
    expect(within(1, 2)).toBe(10)
    const beyond = kern(gpos([...new Array(6).fill(lookup), [one]]))
    expect(beyond(1, 2)).toBe(0)
  })

  test('is found by the place of the first glyph among ranges of them', () => {
    // Glyph 1, then glyphs 2 and 3: a list of second glyphs for each, in that order.
    const ranges = u16(2, 2, 1, 1, 0, 2, 3, 1)
    const lists = [u16(1, 3, 10), u16(1, 3, 20), u16(1, 3, 30)]
    const from = 16 + ranges.length
    const bytes = [...u16(1, 16, 4, 0, 3, from, from + 6, from + 12), ...ranges, ...lists.flat()]
    const found = kern(gpos([[{ bytes }]]))
    expect([found(1, 3), found(2, 3), found(3, 3), found(0, 3), found(2, 1)]).toEqual([10, 20, 30, 0, 0])
  })

  test('is found class by class', () => {
    // First glyphs 1 to 3 are covered; 2 and 3 are of class 1. Second glyphs: 1 of class 1, 2 and 3 of class 2.
    const coverage = u16(2, 1, 1, 3, 0)
    const first = u16(1, 2, 2, 1, 1)
    const second = u16(2, 2, 1, 1, 1, 2, 3, 2)
    const values = u16(0, 1, 2, 3, 4, 5)
    const at = 16 + values.length
    const bytes = [...u16(2, at, 4, 0, at + 10, at + 20, 2, 3), ...values, ...coverage, ...first, ...second]
    const found = kern(gpos([[{ bytes }]]))
    expect([found(1, 1), found(1, 2), found(1, 0)]).toEqual([1, 2, 0])
    expect([found(2, 0), found(2, 1), found(2, 2), found(3, 3), found(0, 1)]).toEqual([3, 4, 5, 5, 0])
  })

  test('adds up over lookups, of each of which the first match counts', () => {
    expect(kern(gpos([[pairs(1, [2, 5]), pairs(1, [2, 50])], [pairs(1, [2, 7])]]))(1, 2)).toBe(12)
    expect(kern(gpos([[pairs(2, [2, 5]), pairs(1, [2, 50])]]))(1, 2)).toBe(50)
  })

  test('is read where the place of a table is stored in four bytes', () => {
    const { bytes } = pairs(1, [2, 5])
    expect(kern(gpos([[{ type: 9, bytes: [...u16(1, 2), ...u32(8), ...bytes] }]]))(1, 2)).toBe(5)
    expect(kern(gpos([[{ type: 9, bytes: [...u16(1, 3), ...u32(8), ...bytes] }]]))(1, 2)).toBe(0)
    expect(kern(gpos([[{ type: 1, bytes }]]))(1, 2)).toBe(0)
  })

  test('is read past the other values of a pair', () => {
    // The first value has a placement before its advance, the second glyph a value of its own.
    const both = (second: number) => [
      ...u16(1, 12, 5, 4, 1, 18),
      ...covered(1),
      ...u16(2, 2, 77, -20, 99, 3, 77, second, 99),
    ]
    const found = kern(gpos([[{ bytes: both(44) }]]))
    expect([found(1, 2), found(1, 3)]).toEqual([-20, 44])
    const without = [...u16(1, 12, 1, 0, 1, 18), ...covered(1), ...u16(1, 2, 77)]
    expect(kern(gpos([[{ bytes: without }]]))(1, 2)).toBe(0)
  })

  test('is that of the feature for it alone', () => {
    expect(kern(gpos([[pairs(1, [2, 5])]], 'palt'))(1, 2)).toBe(0)
    expect(readFace(trueType())?.kern(1, 2)).toBe(0)
  })

  test('is none for a glyph that the font does not have, whatever its tables say', () => {
    const found = kern(gpos([[pairs(1, [3, 30], [4, 40])]]))
    expect([found(1, 3), found(1, 4)]).toEqual([30, 0])
    const left = u16(1, 12, 4, 0, 1, 18)
    const beyond = kern(gpos([[{ bytes: [...left, ...covered(4), ...u16(1, 1, 50)] }]]))
    expect(beyond(4, 1)).toBe(0)
  })

  test('is found in whichever of the features it is', () => {
    const table = [...u16(2, 0, 1, 8), ...pairs(1, [2, 5]).bytes]
    const feature = (...lookups: number[]) => u16(0, lookups.length, ...lookups)
    const features = [
      ...u16(3),
      ...[...Buffer.from('aalt'), ...u16(20)],
      ...[...Buffer.from('kern'), ...u16(24)],
      ...[...Buffer.from('mark'), ...u16(30)],
      ...feature(),
      ...feature(0),
      ...feature(),
    ]
    const bytes = [...u32(0x10000), ...u16(0, 10, 10 + features.length), ...features, ...u16(1, 4), ...table]
    expect(kern(bytes)(1, 2)).toBe(5)
  })

  test('of classes leaves out those that the table has no row or column for', () => {
    // The first glyph is of class 1 of 1, the second of class 2 of 2: neither has a value of its own.
    const classes = (firstClass: number, secondClass: number) => {
      const values = u16(7, 8)
      const at = 16 + values.length
      return kern(
        gpos([
          [
            {
              bytes: [
                ...[...u16(2, at, 4, 0, at + 6, at + 14, 1, 2), ...values, ...covered(1)],
                ...[...u16(1, 1, 1, firstClass), ...u16(1, 2, 1, secondClass)],
              ],
            },
            pairs(1, [2, 50]),
          ],
        ]),
      )(1, 2)
    }
    expect([classes(0, 0), classes(0, 1)]).toEqual([7, 8])
    // The next subtable is asked then.
    expect([classes(1, 0), classes(0, 2), classes(1, 2)]).toEqual([50, 50, 50])
  })

  test('of classes is the one for others where no range names the second glyph', () => {
    const values = u16(1, 2, 3, 4)
    const at = 16 + values.length
    // Ranges are for glyphs 2 and 3; what follows them would be one for glyph 1, but does not count.
    const second = [...u16(2, 1, 2, 3, 1), ...u16(1, 1, 1)]
    const bytes = [...u16(2, at, 4, 0, at + 6, at + 14, 2, 2), ...values, ...covered(1), ...u16(1, 1, 1, 1), ...second]
    const found = kern(gpos([[{ bytes }]]))
    expect([found(1, 1), found(1, 2), found(1, 3)]).toEqual([3, 4, 4])
  })

  test('skips subtables that change no advance, and missing lookups', () => {
    const placement = [...u16(1, 12, 1, 0, 1, 18), ...covered(1), ...u16(1, 2, 77)]
    expect(kern(gpos([[{ bytes: placement }, pairs(1, [2, 5])]]))(1, 2)).toBe(5)
    const table = gpos([[pairs(1, [2, 5])]])
    // The feature names lookup 9 of one.
    table.splice(23, 1, 9)
    expect(kern(table)(1, 2)).toBe(0)
    // It names lookup 1 of one, whose place would be behind the list.
    const feature = [...u16(1), ...Buffer.from('kern'), ...u16(8), ...u16(0, 1, 1)]
    const lookup = [...u16(2, 0, 1, 8), ...pairs(1, [2, 5]).bytes]
    const beyond = (count: number) => [
      ...[...u32(0x10000), ...u16(0, 10, 10 + feature.length), ...feature],
      ...[...u16(count, 6, 6), ...lookup],
    ]
    expect([kern(beyond(2))(1, 2), kern(beyond(1))(1, 2)]).toEqual([5, 0])
  })
})
