import { limits } from '../../../core/limits.ts'
import type { Layout } from '../frame/frame.ts'
import { type PlacedMark, placedMarks } from './marks.ts'
import { type DrawSources, drawPage } from './svg.ts'

export interface DrawnPage {
  /** Points. */
  width: number
  height: number
  svg: string
  marks: PlacedMark[]
}

export interface Drawing {
  /** The first ones; a document may have more than anybody looks at. */
  pages: DrawnPage[]
  totalPages: number
}

/** Draws the pages of a layout, up to the limits on their number and their total size. */
export function drawPages(
  layout: Layout,
  readMedia: (part: string) => Uint8Array | undefined,
  pictures: ReadonlyMap<string, number>,
): Drawing {
  const known = new Map<string, string | undefined>()
  const sources: DrawSources = {
    outlines: new Map(),
    picture(part) {
      if (!known.has(part)) known.set(part, addressOf(readMedia(part)))
      return known.get(part)
    },
  }
  const pages: DrawnPage[] = []
  let chars = 0
  for (const page of layout.pages.slice(0, limits.drawnPages)) {
    const svg = drawPage(page, sources)
    chars += svg.length
    if (chars > limits.drawnChars) break
    pages.push({ width: page.width, height: page.height, svg, marks: placedMarks(page.frames, pictures) })
  }
  return { pages, totalPages: layout.pages.length }
}

const signatures: readonly (readonly [type: string, start: string])[] = [
  ['image/png', '\x89PNG'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/bmp', 'BM'],
]

/** A picture that browsers show, as a `data:` address. */
function addressOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  const type = signatures.find(([, signature]) => start.startsWith(signature))?.[0]
  return type === undefined ? undefined : `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}
