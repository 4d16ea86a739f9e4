import { zlibSync } from 'fflate'

/** Pixels per side; drawn at 12 mm, that is more than 500 per inch. */
const sizePx = 256
/** Each pixel is the mean of this number squared of samples, which smooths the edges. */
const samplesPerSide = 4

const brand = [15, 76, 92] as const
const light = [127, 191, 201] as const
const white = [255, 255, 255] as const

/** The demo company's mark, two waves in a disc, as a PNG with transparent surroundings. */
export function drawLogo(): Uint8Array {
  const rows = new Uint8Array(sizePx * (1 + sizePx * 4))
  for (let y = 0; y < sizePx; y++) {
    for (let x = 0; x < sizePx; x++) rows.set(pixel(x, y), y * (1 + sizePx * 4) + 1 + x * 4)
  }
  return png(rows)
}

/** Red, green, blue and opacity of one pixel. */
function pixel(x: number, y: number): [number, number, number, number] {
  let red = 0
  let green = 0
  let blue = 0
  let covered = 0
  for (let sample = 0; sample < samplesPerSide ** 2; sample++) {
    const u = (x + ((sample % samplesPerSide) + 0.5) / samplesPerSide) / sizePx
    const v = (y + (Math.floor(sample / samplesPerSide) + 0.5) / samplesPerSide) / sizePx
    const colour = colourAt(u, v)
    if (colour === undefined) continue
    red += colour[0]
    green += colour[1]
    blue += colour[2]
    covered++
  }
  if (covered === 0) return [0, 0, 0, 0]
  return [red / covered, green / covered, blue / covered, (covered / samplesPerSide ** 2) * 255].map(Math.round) as [
    number,
    number,
    number,
    number,
  ]
}

/** The picture itself, on a square of side 1 with its origin top left; undefined is transparent. */
function colourAt(u: number, v: number): readonly [number, number, number] | undefined {
  if (Math.hypot(u - 0.5, v - 0.5) > 0.5) return undefined
  const crest = 0.055 * wave(u)
  const upper = v - (0.46 + crest)
  const lower = v - (0.66 + crest)
  if (upper > -0.035 && upper < 0.035) return white
  if (lower > -0.035 && lower < 0.035) return light
  return brand
}

/** One and a half smooth waves from piecewise parabolas: no trigonometry, whose last bits differ between machines. */
function wave(u: number): number {
  const phase = (u * 1.5 + 0.125) % 1
  const half = phase < 0.5 ? phase * 2 : (phase - 0.5) * 2
  const arch = 4 * half * (1 - half)
  return phase < 0.5 ? -arch : arch
}

/** A PNG file from filtered rows of RGBA samples (each row starts with its filter, 0 for none). */
function png(rows: Uint8Array): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, sizePx)
  view.setUint32(4, sizePx)
  // Eight bits per sample, colour type 6 (RGBA).
  header.set([8, 6], 8)
  const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', zlibSync(rows, { level: 9 })), chunk('IEND', new Uint8Array())]
  return Buffer.concat([signature, ...chunks])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, Bun.hash.crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}
