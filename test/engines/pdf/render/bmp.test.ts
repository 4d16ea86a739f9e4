import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { limits } from '../../../../src/core/limits.ts'
import { readBmp } from '../../../../src/engines/pdf/render/bmp.ts'

interface Picture {
  width: number
  height: number
  depth: number
  /** From the lowest row to the highest, each padded to four bytes by the caller. */
  rows: readonly number[]
  palette?: readonly number[]
  /** 0 is none, 3 says that masks name the channels. */
  compression?: number
  /** Masks of red, green, blue and opacity; the header is as long as they need. */
  masks?: readonly number[]
  header?: number
}

function bmp(picture: Picture): Uint8Array {
  const { width, height, depth, rows, palette = [], compression = 0, masks = [] } = picture
  const header = picture.header ?? 40 + masks.length * 4
  const start = 14 + Math.max(40, header) + palette.length
  const bytes = Buffer.alloc(start + rows.length)
  bytes.write('BM')
  bytes.writeUInt32LE(start, 10)
  bytes.writeUInt32LE(header, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(depth, 28)
  bytes.writeUInt32LE(compression, 30)
  for (const [at, mask] of masks.entries()) bytes.writeUInt32LE(mask, 54 + at * 4)
  bytes.set(palette, 14 + header)
  bytes.set(rows, start)
  return new Uint8Array(bytes)
}

function read(picture: Picture) {
  const image = readBmp(bmp(picture))
  return image && { colors: [...inflateSync(image.data)], mask: image.mask && [...inflateSync(image.mask.data)] }
}

/** Little endian, as the pixels of 16 bits are stored. */
const words = (...values: number[]) => values.flatMap((value) => [value & 0xff, value >> 8])

describe('A BMP', () => {
  const palette = Array.from({ length: 16 }, (_, at) => [at, at + 20, at + 40, 0]).flat()
  const shown = (...indexes: number[]) => indexes.flatMap((index) => [index + 40, index + 20, index])

  test('of 1, 4 or 8 bits takes each pixel from its palette', () => {
    expect(
      read({ width: 9, height: 1, depth: 1, palette: palette.slice(0, 8), rows: [0b10010110, 0x80, 0, 0] }),
    ).toEqual({
      colors: shown(1, 0, 0, 1, 0, 1, 1, 0, 1),
      mask: undefined,
    })
    expect(
      read({ width: 3, height: 2, depth: 4, palette, rows: [0x12, 0x30, 0, 0, 0xfe, 0xd0, 0, 0] })?.colors,
    ).toEqual(shown(15, 14, 13, 1, 2, 3))
    expect(read({ width: 2, height: 1, depth: 8, palette, rows: [9, 10, 0, 0] })?.colors).toEqual(shown(9, 10))
  })

  test('of 16 bits has five bits a channel, or six of green where its masks say so', () => {
    const rows = words(0x7c00, 0x03e0, 0x001f, 0x4210)
    expect(read({ width: 4, height: 1, depth: 16, rows })?.colors).toEqual([
      ...[255, 0, 0, 0, 255, 0, 0, 0, 255],
      ...[131, 131, 131],
    ])
    const wide = words(0xf800, 0x07e0, 0x001f, 0x8410)
    const masks = [0xf800, 0x07e0, 0x001f]
    expect(read({ width: 4, height: 1, depth: 16, rows: wide, compression: 3, masks })?.colors).toEqual([
      ...[255, 0, 0, 0, 255, 0, 0, 0, 255],
      ...[131, 129, 131],
    ])
    expect(
      read({ width: 4, height: 1, depth: 16, rows, compression: 3, masks: [0x7c00, 0x3e0, 0x1f] })?.colors,
    ).toEqual(read({ width: 4, height: 1, depth: 16, rows })?.colors)
  })

  test('of 32 bits is opaque, unless its header has a mask for the opacity', () => {
    const rows = [1, 2, 3, 4, 5, 6, 7, 8]
    const colors = [3, 2, 1, 7, 6, 5]
    const masks = [0xff0000, 0xff00, 0xff]
    expect(read({ width: 2, height: 1, depth: 32, rows })).toEqual({ colors, mask: undefined })
    expect(read({ width: 2, height: 1, depth: 32, rows, compression: 3, masks })).toEqual({ colors, mask: undefined })
    expect(read({ width: 2, height: 1, depth: 32, rows, compression: 3, masks: [...masks, 0] })?.mask).toBeUndefined()
    expect(read({ width: 2, height: 1, depth: 32, rows, masks: [...masks, 0xff000000] })?.mask).toBeUndefined()
    const clear = { width: 2, height: 1, depth: 32, rows, compression: 3, masks: [...masks, 0xff000000] }
    expect(read(clear)).toEqual({ colors, mask: [4, 8] })
    expect(readBmp(bmp(clear))?.entries).toBe(
      '/Width 2/Height 1/BitsPerComponent 8/Filter/FlateDecode/ColorSpace/DeviceRGB',
    )
    expect(readBmp(bmp(clear))?.mask?.entries).toEndWith('/ColorSpace/DeviceGray')
  })

  test('has its highest row last, or first where its height is negative', () => {
    const rows = [1, 1, 1, 0, 2, 2, 2, 0, 3, 3, 3, 0]
    expect(read({ width: 1, height: 3, depth: 24, rows })?.colors).toEqual([3, 3, 3, 2, 2, 2, 1, 1, 1])
    expect(read({ width: 1, height: -3, depth: 24, rows })?.colors).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
    expect(readBmp(bmp({ width: 1, height: -3, depth: 24, rows }))).toMatchObject({ width: 1, height: 3 })
  })
})

describe('A BMP is refused', () => {
  const picture: Picture = { width: 1, height: 1, depth: 24, rows: [1, 2, 3, 0] }

  test('when it is no BMP, or its header is older than Windows 3', () => {
    expect(readBmp(bmp(picture))).toBeDefined()
    for (const at of [0, 1]) {
      const other = bmp(picture)
      other[at] = 0x20
      expect(readBmp(other)).toBeUndefined()
    }
    expect(readBmp(bmp({ ...picture, header: 39 }))).toBeUndefined()
    expect(readBmp(bmp(picture).subarray(0, 53))).toBeUndefined()
  })

  test('when it is compressed, or has masks or a depth that are not read', () => {
    for (const compression of [1, 2, 4]) expect(readBmp(bmp({ ...picture, compression }))).toBeUndefined()
    expect(readBmp(bmp({ ...picture, compression: 3 }))).toBeUndefined()
    for (const depth of [0, 2, 12]) expect(readBmp(bmp({ ...picture, depth }))).toBeUndefined()
  })

  test('when it has no pixels, more than the limit, or a byte less than they take', () => {
    expect(readBmp(bmp({ ...picture, width: 0 }))).toBeUndefined()
    expect(readBmp(bmp({ ...picture, width: -1 }))).toBeUndefined()
    expect(readBmp(bmp({ ...picture, height: 0 }))).toBeUndefined()
    expect(readBmp(bmp({ ...picture, width: limits.renderImagePixels + 1 }))).toBeUndefined()
    expect(readBmp(bmp({ ...picture, rows: [1, 2, 3] }))).toBeUndefined()
  })
})
