import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { readBmp } from '../../../src/engines/pdf/render/bmp.ts'
import { readGif } from '../../../src/engines/pdf/render/gif.ts'
import { readPng } from '../../../src/engines/pdf/render/png.ts'
import { png } from './documents.ts'

/** Four colours: black, red, green, blue. */
const palette = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]

/** LZW codes of three bits, with a clear code after every second pixel so that they never grow. */
function gif(
  width: number,
  height: number,
  pixels: readonly number[],
  options: { interlaced?: boolean; transparent?: number } = {},
) {
  const codes: number[] = []
  for (const [index, pixel] of pixels.entries()) {
    if (index % 2 === 0) codes.push(4)
    codes.push(pixel)
  }
  codes.push(5)
  const data: number[] = []
  let bits = 0
  let held = 0
  for (const code of codes) {
    bits |= code << held
    held += 3
    for (; held >= 8; held -= 8, bits >>= 8) data.push(bits & 0xff)
  }
  data.push(bits & 0xff)
  const control = options.transparent === undefined ? [] : [0x21, 0xf9, 4, 1, 0, 0, options.transparent, 0]
  const screen = [...Buffer.from('GIF89a'), width, 0, height, 0, 0x81, 0, 0]
  const image = [0x2c, 0, 0, 0, 0, width, 0, height, 0, options.interlaced ? 0x40 : 0, 2, data.length, ...data, 0, 0x3b]
  return new Uint8Array([...screen, ...palette, ...control, ...image])
}

const inflated = (data: Uint8Array) => [...inflateSync(data)]

describe('GIF', () => {
  test('is copied as palette indexes, row by row, even if it is interlaced', () => {
    const plain = readGif(gif(2, 2, [0, 1, 2, 3]))!
    expect(inflated(plain.data)).toEqual([0, 1, 2, 3])
    expect(plain.entries).toContain('/Indexed/DeviceRGB 3<000000ff000000ff000000ff>')
    expect(plain.mask).toBeUndefined()
    // The rows of an interlaced picture of four come as 0, 2, 1, 3.
    const interlaced = readGif(gif(1, 4, [0, 2, 1, 3], { interlaced: true }))!
    expect(inflated(interlaced.data)).toEqual([0, 1, 2, 3])
  })

  test('has a mask only if the transparent colour occurs', () => {
    expect(inflated(readGif(gif(2, 2, [0, 1, 2, 1], { transparent: 1 }))!.mask!.data)).toEqual([255, 0, 255, 0])
    expect(readGif(gif(2, 2, [0, 2, 2, 0], { transparent: 1 }))!.mask).toBeUndefined()
  })

  test('that is cut off, empty or claims more pixels than it has is rejected', () => {
    const whole = gif(2, 2, [0, 1, 2, 3])
    for (let length = 0; length < whole.length - 3; length++) expect(readGif(whole.slice(0, length))).toBeUndefined()
    const larger = whole.slice()
    larger[30] = 200
    expect(readGif(larger)).toBeUndefined()
    expect(readGif(gif(0, 2, []))).toBeUndefined()
  })
})

function bmp(width: number, height: number, depth: number, colors: readonly number[], rows: readonly number[]) {
  const bytes = Buffer.alloc(54 + colors.length + rows.length)
  bytes.write('BM')
  bytes.writeUInt32LE(54 + colors.length, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(depth, 28)
  bytes.set(colors, 54)
  bytes.set(rows, 54 + colors.length)
  return new Uint8Array(bytes)
}

describe('BMP', () => {
  test('of 24 bits is read from its top row down, with red before blue', () => {
    const rows = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]
    expect(inflated(readBmp(bmp(2, 2, 24, [], rows))!.data)).toEqual([9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4])
    expect(inflated(readBmp(bmp(2, -2, 24, [], rows))!.data)).toEqual([3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10])
  })

  test('of 1 bit takes its colours from the palette', () => {
    const image = readBmp(bmp(3, 1, 1, [0, 0, 0, 0, 255, 255, 255, 0], [0b01000000, 0, 0, 0]))!
    expect(inflated(image.data)).toEqual([0, 0, 0, 255, 255, 255, 0, 0, 0])
  })

  test('that is shorter than its size says is rejected', () => {
    expect(readBmp(bmp(200, 200, 24, [], [1, 2, 3, 0]))).toBeUndefined()
    expect(readBmp(bmp(-1, 1, 24, [], [1, 2, 3, 0]))).toBeUndefined()
  })
})

describe('PNG', () => {
  test('with an alpha channel that hides nothing has no mask', () => {
    const opaque = readPng(png(1, 1, 6, new Uint8Array([0, 10, 20, 30, 255])))!
    expect(opaque.mask).toBeUndefined()
    expect(inflated(opaque.data)).toEqual([10, 20, 30])
    const half = readPng(png(1, 1, 6, new Uint8Array([0, 10, 20, 30, 128])))!
    expect(inflated(half.mask!.data)).toEqual([128])
  })

  test('rows of each of the five predictions are decoded', () => {
    // Every row shows the pixel (8, 8, 8) twice, written with another filter.
    const rows = [
      [0, 8, 8, 8, 255, 8, 8, 8, 255],
      [1, 8, 8, 8, 255, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 0, 0, 0, 0],
      [3, 4, 4, 4, 128, 0, 0, 0, 0],
      [4, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    const image = readPng(png(2, 5, 6, new Uint8Array(rows.flat())))!
    expect(inflated(image.data)).toEqual(new Array(30).fill(8))
    expect(image.mask).toBeUndefined()
  })

  test('uses the corner as prediction if it lies between its neighbours', () => {
    const gray = (value: number) => [value, value, value, 255]
    // Left 30, above 50, corner 40: Paeth's estimate is 40.
    const rows = [0, ...gray(40), ...gray(50), 4, 246, 246, 246, 0, 5, 5, 5, 0]
    const image = readPng(png(2, 2, 6, new Uint8Array(rows)))!
    expect(inflated(image.data)).toEqual([40, 40, 40, 50, 50, 50, 30, 30, 30, 45, 45, 45])
  })
})
