import { describe, expect, test } from 'bun:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { limits } from '../../../../src/core/limits.ts'
import { decodedBytes, readPng, shrunkSize } from '../../../../src/engines/pdf/render/png.ts'

/** Writes PNG files of every kind, so that what is read can be compared with what was meant. */
interface Picture {
  width: number
  height: number
  depth: number
  color: number
  /** The samples of a pixel, as the file stores them. */
  sample(x: number, y: number): readonly number[]
  /** The prediction of each row in turn; 0 throughout when left out. */
  filters?: readonly number[]
  isInterlaced?: boolean
  palette?: readonly number[]
  transparency?: readonly number[]
  /** How many pieces the compressed rows come in. */
  pieces?: number
}

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4)
  return Buffer.concat([head, data, Buffer.alloc(4)])
}

function packed(samples: readonly number[], depth: number): number[] {
  const bits = samples.map((sample) => sample.toString(2).padStart(depth, '0')).join('')
  return (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const nearest = Math.min(...[left, up, corner].map((value) => Math.abs(estimate - value)))
  return [left, up, corner].find((value) => Math.abs(estimate - value) === nearest) ?? 0
}

function filtered(kind: number, row: readonly number[], above: readonly number[], step: number): number[] {
  const coded = row.map((value, at) => {
    const [left, up, corner] = [row[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0]
    return value - ([0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0)
  })
  return [kind, ...coded.map((value) => value & 0xff)]
}

function rowsOf(picture: Picture): number[] {
  const { width, height, depth, filters = [0] } = picture
  const bytes: number[] = []
  let count = 0
  for (const [x0, y0, dx, dy] of picture.isInterlaced ? adam7 : ([[0, 0, 1, 1]] as const)) {
    let above: number[] = []
    for (let y = y0; y < height; y += dy) {
      const samples: number[] = []
      for (let x = x0; x < width; x += dx) samples.push(...picture.sample(x, y))
      if (samples.length === 0) continue
      const row = packed(samples, depth)
      const step = Math.max(1, (picture.sample(0, 0).length * depth) >> 3)
      bytes.push(...filtered(filters[count++ % filters.length] ?? 0, row, above, step))
      above = row
    }
  }
  return bytes
}

function png(picture: Picture, rows = Uint8Array.from(rowsOf(picture))): Uint8Array {
  const { width, height, depth, color, palette, transparency, pieces = 1 } = picture
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, picture.isInterlaced ? 1 : 0], 8)
  const data = deflateSync(rows)
  const length = Math.ceil(data.length / pieces)
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      ...(palette ? [chunk('PLTE', Uint8Array.from(palette))] : []),
      ...(transparency ? [chunk('tRNS', Uint8Array.from(transparency))] : []),
      ...Array.from({ length: pieces }, (_, at) => chunk('IDAT', data.subarray(at * length, (at + 1) * length))),
      chunk('IEND', new Uint8Array(0)),
    ]),
  )
}

/** The picture as it is read: its colours, and its mask where it has one. */
function read(bytes: Uint8Array) {
  const image = readPng(bytes)
  if (!image) return undefined
  const { entries, data, mask } = image
  return { entries, colors: [...inflateSync(data)], mask: mask && [...inflateSync(mask.data)] }
}

const every = <T>({ width, height }: { width: number; height: number }, value: (x: number, y: number) => T): T[] =>
  Array.from({ length: width * height }, (_, at) => value(at % width, Math.floor(at / width)))

/** A value that differs from those of all pixels around. */
const mixed = (x: number, y: number, channel: number, depth: number) =>
  (x * 37 + y * 101 + channel * 59 + x * y * 13) % 2 ** Math.min(depth, 16)

const size = { width: 11, height: 9 }
const filters = [4, 1, 2, 3, 0]
const high = (value: number) => value >> 8

describe('A PNG without alpha and interlacing', () => {
  test('goes into the file as it is compressed, with the predictors of its rows', () => {
    const picture: Picture = { ...size, depth: 8, color: 2, filters, sample: (x, y) => [x, y, 7], pieces: 3 }
    const image = readPng(png(picture))
    expect(image?.entries).toBe(
      '/Width 11/Height 9/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode' +
        '/DecodeParms<</Predictor 15/Colors 3/BitsPerComponent 8/Columns 11>>',
    )
    expect([...inflateSync(image?.data ?? new Uint8Array(0))]).toEqual(rowsOf(picture))
    expect(image?.mask).toBeUndefined()
  })

  test('of 16 bits or of gray keeps its depth and its one channel', () => {
    const image = readPng(png({ ...size, depth: 16, color: 0, sample: (x, y) => [x * 256 + y] }))
    expect(image?.entries).toContain('/BitsPerComponent 16/ColorSpace/DeviceGray')
    expect(image?.entries).toContain('/Colors 1/BitsPerComponent 16/')
  })

  test('of a palette names its colours, at most 256 of them', () => {
    const picture: Picture = {
      ...size,
      depth: 2,
      color: 3,
      sample: (x) => [x % 2],
      palette: [1, 2, 3, 0xa0, 0xb0, 0xc0],
    }
    expect(readPng(png(picture))?.entries).toContain('/ColorSpace[/Indexed/DeviceRGB 1<010203a0b0c0>]')
    const crowded = readPng(png({ ...picture, palette: new Array(900).fill(5) }))
    expect(crowded?.entries).toContain(`/Indexed/DeviceRGB 255<${'05'.repeat(768)}>`)
  })
})

describe('A PNG with alpha', () => {
  for (const depth of [8, 16]) {
    for (const isInterlaced of [false, true]) {
      test(`has its colours and its opacity taken apart (${depth} bits${isInterlaced ? ', interlaced' : ''})`, () => {
        const top = (value: number) => (depth === 16 ? high(value) : value)
        const at = (channel: number) => (x: number, y: number) => mixed(x, y, channel, depth)
        const rgb = read(
          png({
            ...size,
            depth,
            color: 6,
            filters,
            isInterlaced,
            sample: (x, y) => [0, 1, 2, 3].map((c) => at(c)(x, y)),
          }),
        )
        expect(rgb?.colors).toEqual(every(size, (x, y) => [0, 1, 2].map((c) => top(at(c)(x, y)))).flat())
        expect(rgb?.mask).toEqual(every(size, (x, y) => top(at(3)(x, y))))
        expect(rgb?.entries).toBe('/Width 11/Height 9/BitsPerComponent 8/Filter/FlateDecode/ColorSpace/DeviceRGB')
        const gray = read(
          png({ ...size, depth, color: 4, filters, isInterlaced, sample: (x, y) => [at(0)(x, y), at(1)(x, y)] }),
        )
        expect(gray?.colors).toEqual(every(size, (x, y) => top(at(0)(x, y))))
        expect(gray?.mask).toEqual(every(size, (x, y) => top(at(1)(x, y))))
        expect(gray?.entries).toContain('/ColorSpace/DeviceGray')
      })
    }
  }

  test('in its palette has the opacity of each index, and full opacity where none is named', () => {
    const palette = [10, 20, 30, 40, 50, 60, 70, 80, 90]
    for (const depth of [1, 2, 4, 8]) {
      const index = (x: number, y: number) => (x + y) % Math.min(3, 2 ** depth)
      const image = read(
        png({ ...size, depth, color: 3, sample: (x, y) => [index(x, y)], palette, transparency: [7, 9] }),
      )
      expect(image?.colors).toEqual(every(size, (x, y) => palette.slice(index(x, y) * 3, index(x, y) * 3 + 3)).flat())
      expect(image?.mask).toEqual(every(size, (x, y) => [7, 9, 255][index(x, y)] ?? 0))
    }
  })

  test('shows an index beyond its palette in black', () => {
    const picture: Picture = { width: 2, height: 1, depth: 8, color: 3, sample: (x) => [x * 9], palette: [1, 2, 3] }
    expect(read(png({ ...picture, transparency: [128] }))?.colors).toEqual([1, 2, 3, 0, 0, 0])
  })

  test('of one colour hides just the pixels of that colour', () => {
    for (const depth of [1, 2, 4, 8, 16]) {
      const levels = depth === 16 ? 65_535 : 2 ** depth - 1
      const value = (x: number, y: number) => ((x + y) % 2 === 0 ? levels : 0)
      const image = read(
        png({ ...size, depth, color: 0, sample: (x, y) => [value(x, y)], transparency: [high(levels), levels & 0xff] }),
      )
      expect(image?.colors).toEqual(every(size, (x, y) => (value(x, y) === 0 ? 0 : 255)))
      expect(image?.mask).toEqual(every(size, (x, y) => (value(x, y) === 0 ? 255 : 0)))
    }
    const sample = (x: number, y: number) => [5, x % 2, y % 2]
    const rgb = read(png({ ...size, depth: 8, color: 2, sample, transparency: [0, 5, 0, 1, 0, 0] }))
    expect(rgb?.mask).toEqual(every(size, (x, y) => (x % 2 === 1 && y % 2 === 0 ? 0 : 255)))
    expect(rgb?.colors).toEqual(every(size, sample).flat())
  })

  test('of 16 bits hides no pixel that differs from the transparent colour in low bytes only', () => {
    const gray = (x: number) => [[0x1234, 0x1235, 0x1134, 0x1200][x] ?? 0]
    const picture: Picture = { width: 4, height: 1, depth: 16, color: 0, sample: gray }
    expect(read(png({ ...picture, transparency: [0x12, 0x34] }))?.mask).toEqual([0, 255, 255, 255])
    const rgb = (x: number) => [0x0102, [0x0304, 0x0305, 0x0204][x] ?? 0, 0x0506]
    const image = read(
      png({ ...picture, width: 3, color: 2, sample: rgb, transparency: [0x01, 0x02, 0x03, 0x04, 0x05, 0x06] }),
    )
    expect(image).toMatchObject({ colors: [1, 3, 5, 1, 3, 5, 1, 2, 5], mask: [0, 255, 255] })
  })

  test('in shades of gray below 8 bits is spread over all of black to white', () => {
    const picture: Picture = { width: 4, height: 1, depth: 2, color: 0, sample: (x) => [x], transparency: [0, 1] }
    expect(read(png(picture))).toMatchObject({ colors: [0, 85, 170, 255], mask: [255, 0, 255, 255] })
  })
})

test('An interlaced PNG without alpha is put in order and has no mask', () => {
  for (const [width, height] of [
    [1, 1],
    [2, 3],
    [5, 1],
    [9, 8],
  ] as const) {
    for (const depth of [1, 4, 8]) {
      const area = { width, height }
      const value = (x: number, y: number) => mixed(x, y, 0, depth)
      const image = read(
        png({ ...area, depth, color: 0, filters, isInterlaced: true, sample: (x, y) => [value(x, y)] }),
      )
      expect(image?.colors).toEqual(every(area, (x, y) => Math.round((value(x, y) * 255) / (2 ** depth - 1))))
      expect(image?.mask).toBeUndefined()
    }
  }
})

describe('A PNG is refused', () => {
  const plain: Picture = { width: 4, height: 3, depth: 8, color: 2, sample: (x, y) => [x, y, 0] }

  test('when it is cut off anywhere before its last row ends', () => {
    const whole = png(plain)
    // The end chunk has 12 bytes, the checksums of the data and its chunk have 8.
    for (let length = 0; length < whole.length - 20; length++)
      expect(readPng(whole.subarray(0, length))).toBeUndefined()
    expect(readPng(whole.subarray(0, whole.length - 12))).toBeDefined()
  })

  test('when it has fewer rows than it announces, or far more', () => {
    const rows = Uint8Array.from(rowsOf(plain))
    expect(readPng(png(plain, rows.subarray(0, -1)))).toBeUndefined()
    expect(readPng(png(plain, new Uint8Array(rows.length + 65_536)))).toBeDefined()
    expect(readPng(png(plain, new Uint8Array(rows.length + 65_537)))).toBeUndefined()
  })

  test('when it has no pixels, more than the limit, or another kind or depth than the format knows', () => {
    expect(readPng(png({ ...plain, width: 0 }))).toBeUndefined()
    expect(readPng(png({ ...plain, height: 0 }))).toBeUndefined()
    const tall = limits.renderImagePixels / 4
    const bits: Picture = { width: 4, height: tall, depth: 1, color: 0, sample: () => [0] }
    expect(readPng(png(bits, new Uint8Array(tall * 2)))).toBeDefined()
    expect(readPng(png({ ...bits, height: tall + 1 }, new Uint8Array(tall * 2 + 2)))).toBeUndefined()
    for (const color of [1, 5, 7]) expect(readPng(png({ ...plain, color }))).toBeUndefined()
    expect(readPng(png({ ...plain, depth: 3 }))).toBeUndefined()
    for (const [color, depth] of [
      [2, 4],
      [3, 16],
      [4, 2],
      [6, 1],
    ] as const) {
      const sample = () => [0, 0, 0, 0].slice(0, [1, 1, 3, 1, 2, 1, 4][color])
      expect([color, depth, readPng(png({ width: 1, height: 1, depth, color, sample, palette: [1, 2, 3] }))]).toEqual([
        ...[color, depth, undefined],
      ])
    }
  })

  test('when a row is longer than the limit, however few rows there are', () => {
    const wide = limits.renderImageRowPixels
    const line: Picture = { width: wide, height: 1, depth: 1, color: 0, sample: () => [0] }
    expect(readPng(png(line, new Uint8Array(wide / 8 + 1)), { width: 10, height: 1 })).toBeDefined()
    const longer = png({ ...line, width: wide + 1 }, new Uint8Array(wide / 8 + 2))
    expect([readPng(longer), readPng(longer, { width: 10, height: 1 }), decodedBytes(longer)]).toEqual([
      ...[undefined, undefined, 0],
    ])
  })

  test('when it needs a palette and has none, or is no PNG at all', () => {
    const indexed: Picture = { width: 2, height: 1, depth: 8, color: 3, sample: (x) => [x] }
    expect(readPng(png(indexed))).toBeUndefined()
    expect(readPng(png({ ...indexed, palette: [1, 2, 3, 4, 5, 6] }))).toBeDefined()
    for (const palette of [[], [1, 2]]) expect(readPng(png({ ...indexed, palette }))).toBeUndefined()
    const other = png(plain)
    other[1] = 0x51
    expect(readPng(other)).toBeUndefined()
  })
})

describe('A PNG that is made smaller', () => {
  /** The pixels of what is made, with its opacity where it has any. */
  function shrunk(picture: Picture, width: number, height: number) {
    const image = readPng(png(picture), { width, height })
    if (!image) return undefined
    expect(image.entries).toStartWith(`/Width ${width}/Height ${height}/BitsPerComponent 8/`)
    return { colors: [...inflateSync(image.data)], mask: image.mask && [...inflateSync(image.mask.data)] }
  }
  const plain = { width: 4, height: 4, filters }

  test('has the means of the pixels that share a place', () => {
    const picture: Picture = { ...plain, depth: 8, color: 0, sample: (x, y) => [x * 10 + y] }
    expect(shrunk(picture, 2, 2)).toEqual({ colors: [6, 26, 8, 28], mask: undefined })
    const uneven = shrunk({ ...picture, width: 3, height: 1, sample: (x) => [x * 30] }, 2, 1)
    expect(uneven?.colors).toEqual([15, 60])
  })

  test('counts colours by their opacity, and forgets those of clear pixels', () => {
    const sample = (x: number) => (x % 2 === 0 ? [200, 100, 50, 255] : [0, 0, 0, 0])
    expect(shrunk({ ...plain, depth: 8, color: 6, sample }, 2, 1)).toEqual({
      colors: [200, 100, 50, 200, 100, 50],
      mask: [128, 128],
    })
    const clear: Picture = { ...plain, depth: 8, color: 6, sample: () => [9, 9, 9, 0] }
    expect(shrunk(clear, 1, 1)).toEqual({ colors: [0, 0, 0], mask: [0] })
  })

  test.each([
    [16, 2, [0x1234, 0xabcd, 0xff00], [0x12, 0xab, 0xff]],
    [16, 4, [0x8080, 0xffff], [0x80]],
    [1, 0, [1], [255]],
  ])('has 8 bits where the file has %d, of colour type %d', (depth, color, samples, colors) => {
    expect(shrunk({ ...plain, depth, color, sample: () => samples }, 1, 1)?.colors).toEqual(colors)
  })

  test('of a palette has the means of its colours', () => {
    const picture: Picture = { ...plain, depth: 2, color: 3, palette: [0, 0, 0, 100, 50, 20], sample: (x) => [x % 2] }
    expect(shrunk(picture, 1, 2)?.colors).toEqual([50, 25, 10, 50, 25, 10])
  })

  test('takes one of the pixels that share a place where it is interlaced', () => {
    const picture: Picture = {
      ...plain,
      depth: 8,
      color: 0,
      isInterlaced: true,
      sample: (x, y) => [x < 2 ? 10 : 20 + y],
    }
    const colors = shrunk(picture, 2, 2)?.colors ?? []
    expect([colors[0], colors[2]]).toEqual([10, 10])
    expect(colors[1]).toBeOneOf([20, 21])
    expect(colors[3]).toBeOneOf([22, 23])
  })

  test('is refused where its data ends early', () => {
    const picture: Picture = { ...plain, depth: 8, color: 0, sample: () => [1] }
    expect(readPng(png(picture, new Uint8Array(19)), { width: 2, height: 2 })).toBeUndefined()
  })
})

describe('The size of a PNG in a PDF', () => {
  const file = (width: number, height: number, depth = 8, color = 2) => {
    const bytes = png({ width, height, depth, color, sample: () => [] }, new Uint8Array(0))
    return bytes
  }
  const inch = { width: 72, height: 144 }

  test('stays where few bytes are decoded, however small its place', () => {
    expect(decodedBytes(file(1_000, 1_000))).toBe(3_001_000)
    expect(shrunkSize(file(1_000, 1_000), inch)).toBeUndefined()
    expect(shrunkSize(Uint8Array.of(1, 2, 3), inch)).toBeUndefined()
  })

  test('has at most 300 pixels an inch of the place, each way by itself', () => {
    expect(shrunkSize(file(3_000, 2_000), inch)).toEqual({ width: 300, height: 600 })
    expect(shrunkSize(file(3_000, 2_000), { width: 72, height: 1_000 })).toEqual({ width: 300, height: 2_000 })
    expect(shrunkSize(file(3_000, 2_000), { width: 720, height: 480 })).toBeUndefined()
    expect(shrunkSize(file(3_000, 2_000), { width: 0, height: 0 })).toEqual({ width: 1, height: 1 })
  })

  test('is that of the file for 16 bits, of which 8 are kept', () => {
    expect(shrunkSize(file(3_000, 2_000, 16), undefined)).toEqual({ width: 3_000, height: 2_000 })
  })

  test('is bounded where the place is enormous or unknown', () => {
    for (const place of [undefined, { width: 100_000, height: 100_000 }]) {
      const { width = 0, height = 0 } = shrunkSize(file(8_000, 8_000), place) ?? {}
      expect(width).toBe(height)
      expect(width * height).toBeLessThanOrEqual(limits.renderImageMadePixels)
      expect(width * height).toBeGreaterThan(limits.renderImageMadePixels * 0.99)
    }
  })
})
