import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { withDrawing } from '../../../../src/engines/pdf/svg/resvg.ts'

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">${content}</svg>`
const blurred = svg(
  '<filter id="f"><feGaussianBlur stdDeviation="9"/></filter><g filter="url(#f)"><rect width="800" height="800"/></g>',
)
const widthOf = (text: string, side: number): number =>
  withDrawing(text, { fitTo: { mode: 'width', value: side } }, (drawing) => {
    const image = drawing.render()
    try {
      return image.width
    } finally {
      image.free()
    }
  })

/** In a turn of its own: a collector keeps what an address on the stack, even a stale one, seems to name. */
async function heldBytes(): Promise<number> {
  await Bun.sleep(0)
  Bun.gc(true)
  return heapStats().extraMemorySize
}

test('what a large drawing took is given back when it is drawn, not with the next drawing', async () => {
  const before = await heldBytes()
  expect(widthOf(blurred, 2_400)).toBe(2_400)
  expect((await heldBytes()) - before).toBeLessThan(limits.svgHeldBytes)
})

test('a drawing that fails in the middle leaves the next one as it would be', () => {
  const plain = svg('<rect width="9" height="9"/>')
  const fail = () => {
    throw new Error('planted')
  }
  expect(() => withDrawing(plain, {}, fail)).toThrow('planted')
  expect(widthOf(plain, 30)).toBe(30)
})
