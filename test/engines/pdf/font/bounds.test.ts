import { expect, test } from 'bun:test'
import { verticalBounds } from '../../../../src/engines/pdf/font/bounds.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import { readFace } from '../../../../src/engines/pdf/font/face.ts'
import { os2, trueType, u16 } from './made-fonts.ts'

/** A glyph with its box, and as much else as makes it one. */
const boxed = (bottom: number, top: number) => u16(1, 5, bottom & 0xffff, 95, top & 0xffff, 0)
const none: [number, number] = [500, 0]

test('The ink of a glyph reaches from its lowest to its highest point, in shares of the em', () => {
  for (const isLong of [false, true]) {
    const outlines = [boxed(0, 700), boxed(-250, 500), [], boxed(100, 300)]
    const face =
      readFace(trueType({ unitsPerEm: 2000, isLong, outlines, widths: [none, none, none, none] })) ??
      expect.unreachable()
    expect([0, 1, 3].map((glyph) => verticalBounds(face, glyph))).toEqual([
      [0, 0.35],
      [-0.125, 0.25],
      [0.05, 0.15],
    ])
    // A blank has no ink.
    expect(verticalBounds(face, 2)).toEqual([0, 0])
  }
})

test('The height of capitals stands for a glyph without a box, or that the font does not have', () => {
  const face =
    readFace(
      trueType({ outlines: [boxed(0, 700), boxed(0, 100)], widths: [none, none], os2: os2({ capHeight: 640 }) }),
    ) ?? expect.unreachable()
  expect([-1, 2, 99].map((glyph) => verticalBounds(face, glyph))).toEqual([
    [0, 0.64],
    [0, 0.64],
    [0, 0.64],
  ])
  expect(verticalBounds({ ...face, isCff: true }, 1)).toEqual([0, 0.64])
})

test('Letters of a real font reach as high and as low as they look', () => {
  const face = embeddedFonts().match('Arial')?.font.face ?? expect.unreachable()
  const of = (letter: string) => verticalBounds(face, face.glyph(letter.codePointAt(0) ?? 0))
  expect(of('x')[1]).toBeCloseTo(face.xHeight, 1)
  expect(of('H')).toEqual([0, expect.closeTo(face.capHeight, 1)])
  expect(of('p')[0]).toBeLessThan(-0.15)
  expect(of(' ')).toEqual([0, 0])
})
