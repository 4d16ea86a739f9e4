import { expect, test } from 'bun:test'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import { type Frame, glyphsOf, moveFrames, type TextFrame } from '../../../../src/engines/pdf/frame/frame.ts'

const match = embeddedFonts().match('Arial')
if (!match) throw new Error('The font of the tests is missing')
const { font } = match
const text: TextFrame = {
  kind: 'text',
  x: 1,
  y: 2,
  width: 3,
  text: 'a😀b',
  glyphs: undefined,
  shifts: undefined,
  look: { font, size: 10, color: '000000', scale: 1, language: '' },
  node: 0,
}

test('A text without glyphs of its own shows those of its characters, one for each', () => {
  expect(glyphsOf(text)).toEqual([font.face.glyph(0x61), 0, font.face.glyph(0x62)])
  expect(glyphsOf({ ...text, glyphs: [7, 8, 9] })).toEqual([7, 8, 9])
})

test('Frames move with what they hold, except for what has coordinates of its own', () => {
  const line = { kind: 'line', x1: 1, y1: 2, x2: 3, y2: 4, width: 1, color: '000000', dash: 'solid' } as const
  const box = { kind: 'box', x: 1, y: 2, width: 3, height: 4, color: '000000' } as const
  const frames: Frame[] = [
    { ...text },
    { ...line },
    { ...box },
    { kind: 'clip', x: 5, y: 6, width: 7, height: 8, frames: [{ ...box }] },
    { kind: 'group', x: 5, y: 6, matrix: [1, 0, 0, 1, 0, 0], frames: [{ ...box }] },
  ]
  moveFrames(frames, 10, 200)
  expect(frames).toEqual([
    { ...text, x: 11, y: 202 },
    { ...line, x1: 11, y1: 202, x2: 13, y2: 204 },
    { ...box, x: 11, y: 202 },
    { kind: 'clip', x: 15, y: 206, width: 7, height: 8, frames: [{ ...box, x: 11, y: 202 }] },
    { kind: 'group', x: 15, y: 206, matrix: [1, 0, 0, 1, 0, 0], frames: [box] },
  ])
})
