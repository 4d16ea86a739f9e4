import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../../src/core/hash.ts'
import type { Frame, Page } from '../../../src/engines/pdf/frame/frame.ts'
import { chartExhibits } from './gallery/charts.ts'
import { drawingExhibits } from './gallery/drawings.ts'
import { equationExhibits } from './gallery/equations.ts'
import { metafileExhibits } from './gallery/metafiles.ts'
import { pageExhibits } from './gallery/pages.ts'
import { shapeExhibits } from './gallery/shapes.ts'
import { tableExhibits } from './gallery/tables.ts'
import { textExhibits } from './gallery/text.ts'
import { comparePages } from './pictures-of-pages.ts'
import { needs, save } from './tools.ts'
import { layoutOf, renderingOf } from './word.ts'

const folder = join(import.meta.dir, 'golden')
const exhibits = [
  ...textExhibits,
  ...equationExhibits,
  ...tableExhibits,
  ...pageExhibits,
  ...drawingExhibits,
  ...metafileExhibits,
  ...chartExhibits,
  ...shapeExhibits,
]
const names = exhibits.map(({ name }) => name)

/** With QUIRE_WRITE_GOLDEN set, the goldens are written anew; look at the pages that changed before keeping them. */
const isWriting = process.env.QUIRE_WRITE_GOLDEN !== undefined
const poppler = needs('pdftoppm')

function golden(file: string, content: string | Uint8Array): Buffer {
  const path = join(folder, file)
  if (isWriting) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, content)
  }
  if (!existsSync(path)) throw new Error(`${path} is missing; write it with QUIRE_WRITE_GOLDEN=1`)
  return readFileSync(path)
}

const rounded = (value: number) => `${Math.round(value * 100) / 100 || 0}`
const place = (...values: number[]) => values.map(rounded).join(' ')

/** A line for every frame: where it is, how large it is and what decides its look. */
function linesOf(frames: readonly Frame[], indent = '  '): string[] {
  return frames.flatMap((frame) => linesOfOne(frame, indent))
}

function linesOfOne(frame: Frame, indent: string): string[] {
  const own = (...words: string[]) => `${indent}${frame.kind} ${words.join(' ')}`
  switch (frame.kind) {
    case 'text': {
      const { font, size, color } = frame.look
      const { family, bold, italic } = font.face
      const look = `${family}${bold ? ' bold' : ''}${italic ? ' italic' : ''} ${rounded(size)} ${color}`
      return [own(place(frame.x, frame.y, frame.width), JSON.stringify(frame.text), look)]
    }
    case 'box':
      return [own(place(frame.x, frame.y, frame.width, frame.height), frame.color)]
    case 'line':
      return [own(place(frame.x1, frame.y1, frame.x2, frame.y2), rounded(frame.width), frame.color, frame.dash)]
    case 'image': {
      const { left, top, right, bottom } = frame.crop
      const crop = place(left, top, right, bottom)
      return [own(place(frame.x, frame.y, frame.width, frame.height), frame.part, crop, rounded(frame.rotation))]
    }
    case 'link':
      return [own(place(frame.x, frame.y, frame.width, frame.height), JSON.stringify(frame.link))]
    case 'destination':
      return [own(place(frame.x, frame.y), frame.name)]
    case 'path': {
      const { ops, points } = frame.outline
      // Outlines of presets are long; their own tests look at them.
      const outline = sha256Hex(`${ops} ${place(...points)}`).slice(0, 12)
      const paint = JSON.stringify([frame.fill, frame.stroke], (_, value) =>
        typeof value === 'number' ? Number(rounded(value)) : value,
      )
      return [own(place(frame.x, frame.y), `${ops.length} steps`, outline, paint)]
    }
    case 'clip':
      return [own(place(frame.x, frame.y, frame.width, frame.height)), ...linesOf(frame.frames, `${indent}  `)]
    case 'group':
      return [own(place(frame.x, frame.y), place(...frame.matrix)), ...linesOf(frame.frames, `${indent}  `)]
  }
}

function dumpOf(pages: readonly Page[]): string {
  const lines = pages.flatMap((page) => [
    `page ${page.label} ${place(page.width, page.height)}`,
    ...linesOf(page.frames),
  ])
  return `${lines.join('\n')}\n`
}

describe('the gallery', () => {
  test.each(names)('%s: every frame keeps its place', (name) => {
    const dump = dumpOf(layoutOf(exhibits.find((one) => one.name === name)!.docx).pages)
    expect(dump).toBe(golden(`${name}.txt`, dump).toString())
  })

  test.each(names)('%s: the pages look the same as before', async (name) => {
    const { pdf } = renderingOf(exhibits.find((one) => one.name === name)!.docx)
    const kept = golden(`${name}.pdf`, pdf)
    // The bytes may change where the look does not: only then are the pages drawn.
    if (Buffer.from(pdf).equals(kept) || !poppler) return
    const { differing, picture } = await comparePages(save(`${name}.golden.pdf`, kept), save(`${name}.pdf`, pdf))
    if (differing === 0) return
    const file = save(`${name}.png`, picture)
    throw new Error(`${differing} pixels differ. Before, now, and both over each other: ${file}`)
  })

  test('has a name for each exhibit, and no golden without one', () => {
    expect(new Set(names).size).toBe(names.length)
    const expected = names.flatMap((name) => [`${name}.pdf`, `${name}.txt`])
    expect(readdirSync(folder).sort()).toEqual(expected.sort())
  })
})
