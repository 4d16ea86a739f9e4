import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { readJpeg } from '../../../../src/engines/pdf/render/jpeg.ts'

const segment = (type: number, ...data: number[]) => [
  0xff,
  type,
  (data.length + 2) >> 8,
  (data.length + 2) & 0xff,
  ...data,
]
/** The frame header of a picture, 500 wide and 300 high. */
const frame = (
  components: number,
  type = 0xc0,
  [depth, high, wide]: readonly [number, number, number] = [8, 300, 500],
) =>
  segment(type, depth, high >> 8, high & 0xff, wide >> 8, wide & 0xff, components, ...new Array(components * 3).fill(0))
const tables = [...segment(0xdb, 1, 2, 3), ...segment(0xc4, 1), ...segment(0xcc, 1), ...segment(0xc8, 1)]
const adobe = segment(0xee, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 2)
const jpeg = (...parts: number[]) => Uint8Array.from([0xff, 0xd8, ...parts, 0xff, 0xd9])

describe('A JPEG', () => {
  test('goes into the file as it is, with the size and colours of its frame', () => {
    const bytes = jpeg(...tables, ...frame(3))
    expect(readJpeg(bytes)).toEqual({
      width: 500,
      height: 300,
      entries: '/Width 500/Height 300/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode',
      data: bytes,
      inks: false,
    })
    expect(readJpeg(jpeg(...frame(1)))?.entries).toContain('/ColorSpace/DeviceGray/')
  })

  test('of four inks leaves the colour space open, and says when Photoshop inverted them', () => {
    const plain = readJpeg(jpeg(...frame(4)))
    expect(plain).toMatchObject({ inks: true, entries: '/Width 500/Height 300/BitsPerComponent 8/Filter/DCTDecode' })
    expect(readJpeg(jpeg(...adobe, ...frame(4)))?.entries).toBe(
      '/Width 500/Height 300/BitsPerComponent 8/Decode[1 0 1 0 1 0 1 0]/Filter/DCTDecode',
    )
    expect(readJpeg(jpeg(...segment(0xee, ...Buffer.from('Adobf')), ...frame(4)))?.entries).toBe(plain?.entries)
    expect(readJpeg(jpeg(...segment(0xed, ...Buffer.from('Adobe')), ...frame(4)))?.entries).toBe(plain?.entries)
    expect(readJpeg(jpeg(...adobe, ...frame(3)))?.entries).not.toContain('/Decode')
  })

  test('is read whatever its process, and behind fill bytes and markers without data', () => {
    for (const type of [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcf])
      expect(readJpeg(jpeg(...frame(3, type)))?.width).toBe(500)
    for (const alone of [0x01, 0xd0, 0xd7, 0xd8]) expect(readJpeg(jpeg(0xff, alone, ...frame(3)))?.width).toBe(500)
    expect(readJpeg(jpeg(0xff, 0xff, ...frame(3)))?.width).toBe(500)
  })

  test('is read behind as many markers as the limit allows, and no more', () => {
    const alone = (count: number) => new Array(count).fill([0xff, 0x01]).flat()
    expect(readJpeg(jpeg(...alone(limits.jpegMarkers - 1), ...frame(3)))).toBeDefined()
    expect(readJpeg(jpeg(...alone(limits.jpegMarkers), ...frame(3)))).toBeUndefined()
  })
})

describe('A JPEG is refused', () => {
  test('when it does not begin like one, or something else follows a segment', () => {
    expect(readJpeg(Uint8Array.from([0xff, 0xd7, ...frame(3)]))).toBeUndefined()
    expect(readJpeg(Uint8Array.from([0xfe, 0xd8, ...frame(3)]))).toBeUndefined()
    expect(readJpeg(jpeg(0x12, ...frame(3)))).toBeUndefined()
    expect(readJpeg(new Uint8Array(0))).toBeUndefined()
  })

  test('when its data or its end come before a frame, or a segment is shorter than its own length', () => {
    expect(readJpeg(jpeg(...segment(0xda, 1, 2), ...frame(3)))).toBeUndefined()
    expect(readJpeg(jpeg(...segment(0xd9, 1, 2), ...frame(3)))).toBeUndefined()
    expect(readJpeg(jpeg(0xff, 0xdb, 0, 1, ...frame(3)))).toBeUndefined()
    expect(readJpeg(jpeg(0xff, 0xdb, 0, 2, ...frame(3)))).toBeDefined()
  })

  test('when its frame is cut off', () => {
    const whole = Uint8Array.from([0xff, 0xd8, ...tables, ...frame(1)])
    // Behind its sixth byte the frame only says how the components are sampled.
    const needed = whole.length - 3
    for (let length = 0; length < needed; length++) expect(readJpeg(whole.subarray(0, length))).toBeUndefined()
    expect(readJpeg(whole.subarray(0, needed))).toBeDefined()
  })

  test('when it has no pixels, more than the limit, another depth than 8 bits, or two components', () => {
    expect(readJpeg(jpeg(...frame(3, 0xc0, [8, 0, 500])))).toBeUndefined()
    expect(readJpeg(jpeg(...frame(3, 0xc0, [8, 300, 0])))).toBeUndefined()
    expect(readJpeg(jpeg(...frame(3, 0xc0, [8, 8_000, 8_000])))).toBeDefined()
    expect(readJpeg(jpeg(...frame(3, 0xc0, [8, 8_000, 8_001])))).toBeUndefined()
    expect(readJpeg(jpeg(...frame(3, 0xc0, [12, 300, 500])))).toBeUndefined()
    for (const components of [0, 2, 5]) expect(readJpeg(jpeg(...frame(components)))).toBeUndefined()
  })
})
