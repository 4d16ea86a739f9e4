import { expect, test } from 'bun:test'
import type { Frame, ImageFrame, Layout } from '../../../../src/engines/pdf/frame/frame.ts'
import { drawnSizes } from '../../../../src/engines/pdf/render/drawn-sizes.ts'

const image = (part: string, width: number, height: number, crop: Partial<ImageFrame['crop']> = {}): ImageFrame => ({
  ...{ kind: 'image', x: 5, y: 7, width, height, part, rotation: 30, node: -1 },
  crop: { left: 0, top: 0, right: 0, bottom: 0, ...crop },
})
const group = (matrix: [number, number, number, number, number, number], ...frames: Frame[]): Frame => ({
  ...{ kind: 'group', x: 1, y: 2, matrix, frames },
})
const sizes = (...pages: Frame[][]) =>
  Object.fromEntries(
    drawnSizes({ pages: pages.map((frames) => ({ width: 1, height: 1, frames })) } as unknown as Layout),
  )

test('the largest place of a picture counts, on whichever page and however deep', () => {
  const clip: Frame = { kind: 'clip', x: 0, y: 0, width: 1, height: 1, frames: [image('a', 30, 90)] }
  expect(sizes([image('a', 40, 20), image('b', 1, 2)], [clip])).toEqual({
    a: { width: 40, height: 90 },
    b: { width: 1, height: 2 },
  })
})

test('groups scale what is in them, turned or not', () => {
  const nested = group([2, 0, 0, 3, 9, 9], group([0, 2, -2, 0, 0, 0], image('a', 10, 10)))
  expect(sizes([nested])).toEqual({ a: { width: 40, height: 60 } })
})

test('a cropped picture counts as large as its whole would be', () => {
  expect(sizes([image('a', 30, 40, { left: 0.25, right: 0.25, bottom: 0.2 })])).toEqual({
    a: { width: 60, height: 50 },
  })
  expect(sizes([image('a', 1, 1, { left: 1 })]).a?.width).toBeFinite()
})
