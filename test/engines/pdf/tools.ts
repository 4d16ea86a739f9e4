import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/database.ts'

/** The tools that look at finished files: poppler and qpdf. */

const inCi = process.env.CI === 'true'

/** Skipped with the tool's name where it is missing, never in CI. */
export function needs(tool: string): boolean {
  if (inCi || Bun.which(tool)) return true
  process.stderr.write(`SKIPPED: ${tool} is not installed, so its tests of the PDF engine do not run.\n`)
  return false
}

let folder = ''

export function save(name: string, bytes: Uint8Array): string {
  // A worker keeps this module, and its folder goes with each file of tests.
  if (!existsSync(folder)) folder = temporaryFolder('quire-pdf-tools-')
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** The text of a file as pdftotext reads it, without the marks of direction that it puts around. */
export function textOf(name: string, bytes: Uint8Array): string {
  const result = Bun.spawnSync(['pdftotext', save(name, bytes), '-'], { stdout: 'pipe' })
  return result.stdout.toString().replace(/[\u202a-\u202e\u200e\u200f\f]/g, '')
}

export function qpdfCheck(name: string, bytes: Uint8Array): number {
  return Bun.spawnSync(['qpdf', '--check', save(name, bytes)], { stdout: 'ignore', stderr: 'ignore' }).exitCode
}

/** Share of dark pixels of the first page in a rectangle given in points. */
export function inkOf(name: string, bytes: Uint8Array): (x: number, y: number, w: number, h: number) => number {
  const dpi = 144
  const result = Bun.spawnSync(['pdftoppm', '-gray', '-r', `${dpi}`, '-l', '1', save(name, bytes)], { stdout: 'pipe' })
  const image = new Uint8Array(result.stdout)
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(image.subarray(0, 40)).toString('latin1'))!
  const width = Number(head[1])
  const data = image.subarray(head[0].length)
  return (x, y, w, h) => {
    const scale = dpi / 72
    let dark = 0
    let count = 0
    for (let row = Math.floor(y * scale); row < (y + h) * scale; row++) {
      for (let column = Math.floor(x * scale); column < (x + w) * scale; column++) {
        count++
        if (data[row * width + column]! < 128) dark++
      }
    }
    return dark / count
  }
}
