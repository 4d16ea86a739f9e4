import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { limits } from '../../../../src/core/limits.ts'
import { readGif } from '../../../../src/engines/pdf/render/gif.ts'
import { cpuMsOf } from '../../../support/cpu.ts'

/** The codes of a picture as an encoder writes them that learns every string, with the width of each. */
function lzw(pixels: readonly number[], minimum: number): number[] {
  const bytes: number[] = []
  let buffer = 0
  let held = 0
  const put = (code: number, bits: number) => {
    buffer |= code << held
    for (held += bits; held >= 8; held -= 8, buffer >>>= 8) bytes.push(buffer & 0xff)
  }
  const clear = 1 << minimum
  let known = new Map<string, number>()
  let next = 0
  let bits = 0
  const reset = () => {
    known = new Map(Array.from({ length: clear }, (_, value) => [`${value}`, value]))
    next = clear + 2
    bits = minimum + 1
  }
  reset()
  put(clear, bits)
  let text = ''
  for (const pixel of pixels) {
    const longer = text === '' ? `${pixel}` : `${text},${pixel}`
    if (known.has(longer)) {
      text = longer
      continue
    }
    put(known.get(text) ?? 0, bits)
    if (next === 4_096) {
      put(clear, bits)
      reset()
    } else {
      if (next === 1 << bits) bits++
      known.set(longer, next++)
    }
    text = `${pixel}`
  }
  put(known.get(text) ?? 0, bits)
  put(clear + 1, next === 1 << bits && bits < 12 ? bits + 1 : bits)
  if (held > 0) bytes.push(buffer & 0xff)
  return bytes
}

interface Picture {
  width: number
  height: number
  pixels: readonly number[]
  /** Bits of an index; the global palette has as many colours, unless the picture has its own. */
  bits: number
  isLocal?: boolean
  isInterlaced?: boolean
  /** Extension blocks before the picture. */
  before?: readonly number[]
  /** The compressed data in place of the right one. */
  codes?: readonly number[]
}

const colors = (bits: number, from: number) => Array.from({ length: 3 << bits }, (_, at) => (from + at * 7) & 0xff)

function gif(picture: Picture): Uint8Array {
  const { width, height, pixels, bits, isLocal = false, isInterlaced = false, before = [] } = picture
  const minimum = Math.max(2, bits)
  const codes = picture.codes ?? lzw(pixels, minimum)
  const blocks: number[] = []
  for (let at = 0; at < codes.length; at += 255) {
    const block = codes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  const low = (value: number) => [value & 0xff, value >> 8]
  const flags = (isLocal ? 0x80 | (bits - 1) : 0) | (isInterlaced ? 0x40 : 0)
  return Uint8Array.from([
    ...Buffer.from('GIF89a'),
    ...[9, 9, 9, 9, isLocal ? 0 : 0x80 | (bits - 1), 0, 0],
    ...(isLocal ? [] : colors(bits, 1)),
    ...before,
    ...[0x2c, 5, 0, 6, 0, ...low(width), ...low(height), flags],
    ...(isLocal ? colors(bits, 100) : []),
    ...[minimum, ...blocks, 0, 0x3b],
  ])
}

const control = (flags: number, transparent: number) => [0x21, 0xf9, 4, flags, 0, 0, transparent, 0]
const comment = [0x21, 0xfe, 3, 65, 66, 67, 2, 68, 69, 0]

function read(bytes: Uint8Array) {
  const image = readGif(bytes)
  return (
    image && { ...image, indexes: [...inflateSync(image.data)], mask: image.mask && [...inflateSync(image.mask.data)] }
  )
}

/** Pixels that repeat in no simple way, so that the strings of the table grow long and many. */
function noise(count: number, values: number): number[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state >> 16) % values
  })
}

describe('A GIF', () => {
  test('is decoded with codes of every width, through full tables and new ones', () => {
    for (const [bits, width, height] of [
      [1, 40, 30],
      [2, 160, 120],
      [4, 160, 120],
      [8, 300, 90],
    ] as const) {
      const pixels = noise(width * height, 2 ** bits)
      const image = read(gif({ width, height, pixels, bits }))
      expect(image?.width).toBe(width)
      expect(image?.height).toBe(height)
      expect(image?.indexes).toEqual(pixels)
      expect(image?.entries).toBe(
        `/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode/ColorSpace` +
          `[/Indexed/DeviceRGB ${2 ** bits - 1}<${Buffer.from(colors(bits, 1)).toString('hex')}>]`,
      )
    }
  })

  test('of one colour names strings by codes that are just being defined', () => {
    for (const count of [1, 2, 3, 4, 5, 200, 4_000]) {
      const pixels = new Array<number>(count).fill(3)
      expect(read(gif({ width: count, height: 1, pixels, bits: 2 }))?.indexes).toEqual(pixels)
    }
  })

  test('keeps a full table until the picture ends', () => {
    // Without a clear code after 4096, the codes stay at 12 bits and the table as it is.
    const codes = lzw(noise(20_000, 256), 8)
    const image = read(gif({ width: 100, height: 50, pixels: [], bits: 8, codes }))
    expect(image?.indexes).toEqual(noise(20_000, 256).slice(0, 5_000))
  })

  test('with rows by turns is put in order, whatever its height', () => {
    for (const height of [1, 2, 3, 5, 8, 9, 17]) {
      const order = [
        ...Array.from({ length: height }, (_, row) => row).filter((row) => row % 8 === 0),
        ...Array.from({ length: height }, (_, row) => row).filter((row) => row % 8 === 4),
        ...Array.from({ length: height }, (_, row) => row).filter((row) => row % 4 === 2),
        ...Array.from({ length: height }, (_, row) => row).filter((row) => row % 2 === 1),
      ]
      const pixels = order.flatMap((row) => [row, row + 20, row + 40])
      const image = read(gif({ width: 3, height, pixels, bits: 6, isInterlaced: true }))
      const expected = Array.from({ length: height }, (_, row) => [row, row + 20, row + 40]).flat()
      expect(image?.indexes).toEqual(expected)
    }
  })

  test('takes its colours from its own palette before that of the file', () => {
    const image = read(gif({ width: 2, height: 1, pixels: [0, 3], bits: 2, isLocal: true }))
    expect(image?.entries).toContain(`3<${Buffer.from(colors(2, 100)).toString('hex')}>`)
    expect(image?.indexes).toEqual([0, 3])
  })

  test('shows indexes beyond its palette in the last colour', () => {
    expect(read(gif({ width: 4, height: 1, pixels: [0, 1, 2, 3], bits: 1 }))?.indexes).toEqual([0, 1, 1, 1])
  })

  test('has a mask only where a control block names a transparent colour that occurs', () => {
    const picture: Picture = { width: 2, height: 2, pixels: [0, 1, 2, 1], bits: 2 }
    const maskAfter = (...before: number[]) => read(gif({ ...picture, before }))?.mask
    expect(maskAfter(...comment, ...control(1, 1), ...comment)).toEqual([255, 0, 255, 0])
    expect(maskAfter(...control(5, 0))).toEqual([0, 255, 255, 255])
    expect(maskAfter(...control(4, 1))).toBeUndefined()
    expect(maskAfter(...control(1, 3))).toBeUndefined()
    expect(maskAfter(0x21, 0xff, 4, 1, 0, 0, 1, 0)).toBeUndefined()
    expect(readGif(gif({ ...picture, before: control(1, 2) }))?.mask?.entries).toBe(
      '/Width 2/Height 2/BitsPerComponent 8/Filter/FlateDecode/ColorSpace/DeviceGray',
    )
  })

  test('is read behind as many blocks as the limit allows, and no more', () => {
    const picture: Picture = { width: 1, height: 1, pixels: [1], bits: 1 }
    const blocks = (count: number) => new Array(count).fill([0x21, 0xfe, 0]).flat()
    expect(readGif(gif({ ...picture, before: blocks(limits.gifBlocks - 1) }))).toBeDefined()
    expect(readGif(gif({ ...picture, before: blocks(limits.gifBlocks) }))).toBeUndefined()
  })
})

describe('A GIF is refused', () => {
  const picture: Picture = { width: 2, height: 2, pixels: [0, 1, 2, 3], bits: 2 }
  const packed = (...codes: readonly [code: number, bits: number][]) => {
    const bits = codes.map(([code, width]) => [...code.toString(2).padStart(width, '0')].reverse().join('')).join('')
    return (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt([...byte.padEnd(8, '0')].reverse().join(''), 2))
  }
  const withCodes = (...codes: readonly [code: number, bits: number][]) =>
    readGif(gif({ ...picture, codes: [...packed(...codes), 0, 0] }))

  test('when it is no GIF, or names another block than a picture or an extension', () => {
    for (const at of [0, 1, 2]) {
      const other = gif(picture)
      other[at] = 0x20
      expect(readGif(other)).toBeUndefined()
    }
    expect(readGif(gif({ ...picture, before: [0x3b] }))).toBeUndefined()
    expect(readGif(gif({ ...picture, before: [0x00] }))).toBeUndefined()
  })

  test('when it is cut off before its last pixel', () => {
    const whole = gif(picture)
    // Behind the last pixel come the end code, the empty block and the end of the file.
    for (let length = 0; length < whole.length - 3; length++) expect(readGif(whole.subarray(0, length))).toBeUndefined()
  })

  test('when it has no pixels or more than the limit', () => {
    expect(readGif(gif({ ...picture, width: 0 }))).toBeUndefined()
    expect(readGif(gif({ ...picture, height: 0 }))).toBeUndefined()
    const ms = cpuMsOf(() => {
      expect(readGif(gif({ ...picture, width: 65_535, height: 65_535 }))).toBeUndefined()
    })
    expect(ms).toBeLessThan(1_000)
  })

  test('when it has no palette, or codes of a width that the format does not know', () => {
    const bare = gif({ ...picture, isLocal: true })
    bare[22] = 0
    expect(readGif(bare)).toBeUndefined()
    for (const minimum of [0, 1, 9, 12]) {
      const other = gif(picture)
      other[other.indexOf(0x2c, 25) + 10] = minimum
      expect(readGif(other)).toBeUndefined()
    }
  })

  test('when its codes end early or name strings that are not defined yet', () => {
    expect(withCodes([4, 3], [0, 3], [1, 3], [2, 3], [3, 4])).toBeDefined()
    expect(withCodes([4, 3], [0, 3], [1, 3], [5, 3])).toBeUndefined()
    expect(withCodes([4, 3], [6, 3], [1, 3], [2, 3], [3, 4])).toBeUndefined()
    expect(withCodes([4, 3], [0, 3], [7, 3], [2, 3], [3, 4])).toBeUndefined()
    // The code that is just being defined repeats the string before it, so there has to be one.
    expect(withCodes([4, 3], [0, 3], [6, 3], [1, 3])).toMatchObject({ width: 2 })
    expect(withCodes([6, 3], [0, 3], [1, 3], [1, 3])).toBeUndefined()
    expect(withCodes([4, 3], [0, 3], [1, 3], [4, 3], [6, 3], [0, 3])).toBeUndefined()
  })
})
