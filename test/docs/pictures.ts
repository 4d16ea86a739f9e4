/** Pictures on the pages that are made of what the program draws. */
import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { comparePages } from '../../src/engines/pdf/draw/page-difference.ts'
import { root } from './pages.ts'

/** What a picture shows of an A4 page, in points: the upper part, with half of its margins. */
const frame = { left: 35, top: 40, width: 525, height: 450 }
const paper = `<rect x="${frame.left}" y="${frame.top}" width="${frame.width}" height="${frame.height}" fill="#fff"/>`

/** A page as a picture on any ground: the part of it in the frame, on white paper. */
function framed(page: string): string {
  const { left, top, width, height } = frame
  const box = `viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}"`
  const framedPage = page.replace(/viewBox="[^"]*"/, box).replace('</defs>', `</defs>${paper}`)
  expect(framedPage).toContain(paper)
  return framedPage
}

/**
 * Holds a page against a picture of `docs/images`, with the half point that `quire test` allows too. With QUIRE_WRITE_GOLDEN set,
 * the picture is made anew; look at it before keeping it.
 */
export function expectPicture(name: string, page: string): void {
  const path = join(root, 'docs/images', name)
  const picture = framed(page)
  if (process.env.QUIRE_WRITE_GOLDEN !== undefined) writeFileSync(path, `${picture}\n`)
  expect([name, comparePages(readFileSync(path, 'utf8').trimEnd(), picture, 0.5)]).toEqual([name, undefined])
}
