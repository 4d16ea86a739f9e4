/** Two documents page by page: which pages belong together, and where on them something differs, as boxes to mark. */
import { diffArrays } from 'diff'
import { comparePages, type PageElement, partsOf, sizeOf } from './page-difference.ts'

/** Two pages side by side; the index is undefined for a document that lacks the page. */
export interface PagePair {
  before: number | undefined
  after: number | undefined
  isSame: boolean
}

/** Pairs the pages of two documents by how they look, so that an inserted page shifts none of the others. */
export function pairPages(before: readonly string[], after: readonly string[]): PagePair[] {
  const pairs: PagePair[] = []
  let [left, right] = [0, 0]
  let [gone, made] = [0, 0]
  const settle = () => {
    for (let at = 0; at < Math.max(gone, made); at++) {
      pairs.push({
        before: at < gone ? left + at : undefined,
        after: at < made ? right + at : undefined,
        isSame: false,
      })
    }
    left += gone
    right += made
    gone = 0
    made = 0
  }
  for (const { added, removed, count } of diffArrays([...before], [...after])) {
    if (removed) gone += count
    else if (added) made += count
    else {
      settle()
      for (let at = 0; at < count; at++) pairs.push({ before: left + at, after: right + at, isSame: true })
      left += count
      right += count
    }
  }
  settle()
  return pairs
}

/** Points from the page's top left. */
export interface Region {
  x: number
  y: number
  width: number
  height: number
}

/** What differs between two drawings of a page, as boxes to mark on each of them; many small ones become few. */
export function changedRegions(before: string, after: string): { before: Region[]; after: Region[] } {
  const found = comparePages(before, after, regionTolerancePt)
  return { before: regionsIn(before, found?.missing ?? []), after: regionsIn(after, found?.added ?? []) }
}

/** Points by which something may move before it counts as changed. */
const regionTolerancePt = 0.5

/** Boxes closer to each other than this are marked as one. */
const joinPt = 6

/** Tuned: more boxes than these help nobody; beyond them, one box is around all. */
const maxRegions = 60

function regionsIn(svg: string, elements: readonly PageElement[]): Region[] {
  const [, , pageWidth = 0, pageHeight = 0] = sizeOf(svg).split(' ').map(Number)
  const { definitions } = partsOf(svg)
  const outlines = new Map<string, Extent | undefined>()
  const outlineOf = (id: string) => {
    const known = outlines.get(id)
    if (known !== undefined) return known
    const extent = extentOfPath(/ d="([^"]*)"/.exec(definitions.get(id) ?? '')?.[1] ?? '')
    outlines.set(id, extent)
    return extent
  }
  const page: Extent = [0, 0, pageWidth, pageHeight]
  const boxes = elements.flatMap(({ svg: element, index }) => {
    // The first element is the page's background, which never says where something is.
    const extent = index === 0 ? undefined : extentOf(element, outlineOf)
    const shown = extent && overlapOf(extent, page)
    return shown === undefined ? [] : [shown]
  })
  const joined = join(boxes)
  const kept = joined.length > maxRegions ? [joined.reduce(around)] : joined
  return kept.map(([left, top, right, bottom]) => ({
    x: rounded(left),
    y: rounded(top),
    width: rounded(right - left),
    height: rounded(bottom - top),
  }))
}

/** Left, top, right, bottom. */
type Extent = readonly [left: number, top: number, right: number, bottom: number]
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** The box around what an element draws. An inner drawing counts whole, since it clips its content. */
function extentOf(element: string, outlineOf: (id: string) => Extent | undefined): Extent | undefined {
  const matrices: Matrix[] = [[1, 0, 0, 1, 0, 0]]
  let whole: Extent | undefined
  /** Nesting depth within an inner drawing, whose own box counts. */
  let inside = 0
  const add = (extent: Extent | undefined) => {
    if (extent === undefined) return
    const placed = placedBy(matrices.at(-1) ?? [1, 0, 0, 1, 0, 0], extent)
    whole = whole === undefined ? placed : around(whole, placed)
  }
  for (const [tag, isEnd, name] of element.matchAll(/<(\/?)([a-z]+)[^>]*?(?:\/?)>/gi)) {
    const isClosed = tag.endsWith('/>')
    if (name === 'svg' && !isClosed) {
      if (isEnd === '' && inside === 0) add(boxIn(tag))
      inside += isEnd === '' ? 1 : -1
    }
    if (inside > 0 || name === 'svg') continue
    if (name === 'g') {
      if (isEnd !== '') matrices.pop()
      else if (!isClosed) matrices.push(multiplied(matrices.at(-1) ?? [1, 0, 0, 1, 0, 0], matrixIn(tag)))
    } else if (name === 'rect') add(boxIn(tag))
    else if (name === 'path') add(extentOfPath(/ d="([^"]*)"/.exec(tag)?.[1] ?? ''))
    else if (name === 'use') {
      const outline = outlineOf(/ href="#([^"]*)"/.exec(tag)?.[1] ?? '')
      const [x, y] = [numberIn(tag, 'x'), numberIn(tag, 'y')]
      add(outline && [outline[0] + x, outline[1] + y, outline[2] + x, outline[3] + y])
    }
  }
  return whole
}

function numberIn(tag: string, name: string): number {
  return Number(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? 0)
}

function boxIn(tag: string): Extent {
  const [x, y] = [numberIn(tag, 'x'), numberIn(tag, 'y')]
  return [x, y, x + numberIn(tag, 'width'), y + numberIn(tag, 'height')]
}

function matrixIn(tag: string): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(/ transform="matrix\(([^)]*)\)/.exec(tag)?.[1] ?? '')
  const turn = numbersOf(/ transform="rotate\(([^)]*)\)/.exec(tag)?.[1] ?? '')
  if (turn.length === 0) return [a, b, c, d, e, f]
  const [degrees = 0, x = 0, y = 0] = turn
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos]
}

function numbersOf(text: string): number[] {
  return (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
}

function multiplied([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + c * B, b * A + d * B, a * C + c * D, b * C + d * D, a * E + c * F + e, b * E + d * F + f]
}

function placedBy([a, b, c, d, e, f]: Matrix, [left, top, right, bottom]: Extent): Extent {
  const corners = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const)
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Reads path data as the engine writes it: absolute points, and the steps of waves, which are relative. */
function extentOfPath(data: string): Extent | undefined {
  let whole: Extent | undefined
  let [x, y] = [0, 0]
  for (const [, letter, text = ''] of data.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = numbersOf(text)
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const [dx = 0, dy = 0] = [numbers[at], numbers[at + 1]]
      ;[x, y] = letter === 'l' ? [x + dx, y + dy] : [dx, dy]
      whole = whole === undefined ? [x, y, x, y] : around(whole, [x, y, x, y])
    }
  }
  return whole
}

function around(one: Extent, other: Extent): Extent {
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ]
}

function overlapOf(one: Extent, other: Extent): Extent | undefined {
  const both: Extent = [
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ]
  return both[0] <= both[2] && both[1] <= both[3] ? both : undefined
}

/** Merges boxes that are near each other until none are; each box is compared with those kept so far. */
function join(boxes: readonly Extent[]): Extent[] {
  const kept: Extent[] = []
  for (const box of boxes) {
    let whole = box
    for (let at = kept.length - 1; at >= 0; at--) {
      const other = kept[at]
      if (other === undefined || !areClose(other, whole)) continue
      whole = around(other, whole)
      kept.splice(at, 1)
      // The grown box may now be near one that was passed already.
      at = kept.length
    }
    kept.push(whole)
  }
  return kept
}

function areClose(one: Extent, other: Extent): boolean {
  return (
    one[0] - joinPt <= other[2] &&
    other[0] - joinPt <= one[2] &&
    one[1] - joinPt <= other[3] &&
    other[1] - joinPt <= one[3]
  )
}

function rounded(points: number): number {
  return Math.round(points * 10) / 10
}
