import type { Random } from '../../src/engines/schema/generate/random.ts'
import { words } from '../engines/pdf/metafile-files.ts'

/** A bitmap without a file header, as BMP files and metafiles have them. */
export interface MadeBitmap {
  header: Uint8Array
  pixels: Uint8Array
}

const depths = [1, 4, 8, 16, 24, 32] as const
/** By the length of their header: that of OS/2, the usual one, with masks, and the two with colour spaces. */
export const headers = [12, 40, 52, 56, 108, 124] as const

/** A bitmap of a depth, header, palette, direction and compression that occur; now and then too short or too large. */
export function madeBitmap(random: Random): MadeBitmap {
  const depth = random.chance(95) ? random.pick(depths) : random.below(64)
  const length = random.chance(60) ? 40 : random.pick(headers)
  const width = sizeOf(random)
  const height = random.chance(30) ? -sizeOf(random) : sizeOf(random)
  const compression = depth === 16 || depth === 32 ? random.pick([0, 3]) : random.chance(90) ? 0 : random.below(6)
  const used = random.chance(70) ? 0 : random.pick([1, 2, 16, 256, 257, 0xffffffff])
  const fields = words(length, width, height, 1 | (depth << 16), compression, 0, 0, 0, used, 0)
  const masks = depth === 16 && random.chance(50) ? [0xf800, 0x7e0, 0x1f] : [0xff0000, 0xff00, 0xff]
  const rest = words(...masks, random.pick([0, 0xff000000, 0x7f]))
  const described = [...fields, ...rest, ...new Array<number>(80).fill(0)].slice(0, length)
  const bare = length === 40 && compression === 3 ? words(...masks) : []
  const colors = depth <= 8 ? palette(random, random.chance(90) ? 1 << depth : random.below(300)) : []
  const stride = Math.ceil((Math.abs(width) * depth) / 32) * 4
  // More than a few rows of a large one would only take time.
  const full = Math.min(stride * Math.abs(height), 20_000)
  const pixels = new Uint8Array(random.chance(90) ? full : random.below(full + 1))
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % 7 === 0 ? random.below(256) : at
  return { header: Uint8Array.from([...described, ...bare, ...colors]), pixels }
}

function sizeOf(random: Random): number {
  return random.chance(90) ? 1 + random.below(40) : random.pick([0, 1_000, 0x7fff, 0x10000, 0x7fffffff])
}

function palette(random: Random, colors: number): number[] {
  return Array.from({ length: colors * 4 }, () => random.below(256))
}
