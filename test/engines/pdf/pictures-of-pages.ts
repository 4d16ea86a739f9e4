import { png } from './documents.ts'

/** Pages as grey pixels, and how two files differ in them. */

const DPI = 96
/** Two drawings of one curve may differ by the rounding of their smoothing; a change that is seen differs by more. */
const TOLERANCE = 24

interface Picture {
  width: number
  height: number
  data: Uint8Array
}

/** @returns how many pixels differ, and the first page that does: before, now, and both with the difference in red */
export async function comparePages(before: string, now: string): Promise<{ differing: number; picture: Uint8Array }> {
  const [old, fresh] = await Promise.all([picturesOf(before), picturesOf(now)])
  let differing = 0
  let picture: Uint8Array = new Uint8Array()
  for (let index = 0; index < Math.max(old.length, fresh.length); index++) {
    const [a, b] = [old[index] ?? blank, fresh[index] ?? blank]
    const { count, sheet } = sideBySide(a, b)
    if (count > 0 && differing === 0) picture = sheet
    differing += count
  }
  return { differing, picture }
}

const blank: Picture = { width: 1, height: 1, data: new Uint8Array([255]) }

function sideBySide(a: Picture, b: Picture): { count: number; sheet: Uint8Array } {
  const width = Math.max(a.width, b.width)
  const height = Math.max(a.height, b.height)
  const stride = width * 3 * 3 + 1
  const rows = new Uint8Array(height * stride)
  const at = (picture: Picture, x: number, y: number) =>
    x < picture.width && y < picture.height ? picture.data[y * picture.width + x]! : 255
  let count = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [p, q] = [at(a, x, y), at(b, x, y)]
      const differs = Math.abs(p - q) > TOLERANCE
      if (differs) count++
      const both = Math.min(p, q)
      const start = y * stride + 1
      rows.fill(p, start + x * 3, start + x * 3 + 3)
      rows.fill(q, start + (width + x) * 3, start + (width + x) * 3 + 3)
      rows.set(differs ? [255, 0, 0] : [both, both, both], start + (2 * width + x) * 3)
    }
  }
  const sameSize = a.width === b.width && a.height === b.height
  return { count: sameSize ? count : Math.max(1, count), sheet: png(width * 3, height, 2, rows) }
}

async function picturesOf(pdf: string): Promise<Picture[]> {
  const child = Bun.spawn(['pdftoppm', '-gray', '-r', `${DPI}`, pdf], { stderr: 'ignore' })
  const bytes = new Uint8Array(await new Response(child.stdout).arrayBuffer())
  const pictures: Picture[] = []
  for (let at = 0; at < bytes.length; ) {
    const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(at, at + 40)).toString('latin1'))
    if (!head) break
    const [width, height] = [Number(head[1]), Number(head[2])]
    at += head[0].length
    pictures.push({ width, height, data: bytes.subarray(at, at + width * height) })
    at += width * height
  }
  return pictures
}
