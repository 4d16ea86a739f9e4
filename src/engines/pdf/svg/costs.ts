/**
 * Estimates the time to read and draw a drawing before resvg does either: resvg has no deadline, and a short text can
 * ask for minutes of work. The figures were measured with resvg 2.6.2 in a worker of a busy machine.
 */
import { limits } from '../../../core/limits.ts'
import { attribute, type Element, elementsOf, referredIn } from './markup.ts'

/** Continues a sentence that begins with what the drawing is. */
export interface TooMuch {
  message: string
  hint: string
}

const simpler = 'Draw it with fewer details, or give a PNG.'
/** What the outline of a letter takes at least, in characters. */
const letterChars = 200
/** Cost of a reference to a paint, mask, clip or filter, relative to the same content in a `use`. */
const referenceShare = 1 / 64
const shapes = new Set(['path', 'line', 'polyline', 'polygon'])

/** Whether a drawing takes too long to read, judged by its repetitions, styles, attributes and entities. */
export function tooMuchToRead(svg: string, elements: Element): TooMuch | undefined {
  return tooManyEntities(svg) ?? new Reading(elements).fault()
}

/** The elements of a drawing by id, and the size of each with everything that it repeats. */
class Reading {
  readonly #byId = new Map<string, Element>()
  readonly #sizes = new Map<Element, number>()
  readonly #styleMarkers: string[] = []
  #elements = 0
  #selectors = 0
  #mostAttributes = 0
  /** All pictures in the drawing. */
  #pixels = 0
  #picture: TooMuch | undefined

  constructor(private readonly root: Element) {
    const waiting = [root]
    for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
      const { tag, name, children } = element
      this.#elements++
      const id = attribute(tag, 'id')
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element)
      this.#mostAttributes = Math.max(this.#mostAttributes, (tag.match(/"[^"]*"|'[^']*'/g) ?? []).length)
      if (name === 'style') this.#readStyle(element.text)
      if (name === 'image') this.#readImage(attribute(tag, '(?:\\w+:)?href') ?? '')
      waiting.push(...children)
    }
  }

  #readImage(href: string): void {
    const bytes = pictureIn(href)
    if (bytes === undefined) return
    const pixels = pixelsOf(bytes)
    if (pixels === undefined) {
      const message = 'is a drawing with a picture in it that is no PNG, JPEG, GIF or WebP'
      this.#picture ??= {
        message,
        hint: 'Put the shapes of another drawing into this one, and pictures as one of these.',
      }
    }
    this.#pixels += pixels ?? 0
  }

  #readStyle(text: string): void {
    for (const before of text.split('{').slice(0, -1)) this.#selectors += before.split(',').length
    for (const [, id = ''] of text.matchAll(/\bmarker[\w-]{0,20}\s{0,20}:\s{0,20}url\(\s{0,20}["']?#([^"')\s]+)/g)) {
      this.#styleMarkers.push(id)
    }
  }

  fault(): TooMuch | undefined {
    if (this.#picture !== undefined) return this.#picture
    if (this.#pixels > limits.svgPicturePixels) {
      return { message: `is a drawing whose pictures have more than ${limits.svgPicturePixels} pixels`, hint: simpler }
    }
    if (this.#mostAttributes > limits.svgAttributes) {
      return { message: `is a drawing with more than ${limits.svgAttributes} attributes in one tag`, hint: simpler }
    }
    if (this.#elements * this.#selectors > limits.svgStyleMatches) {
      return { message: 'is a drawing with too many elements for its style sheet', hint: 'Write styles as attributes.' }
    }
    if (this.#size(this.root, 0) > limits.svgSimpleChars) {
      const message = `is a drawing whose outlines take more than ${limits.svgSimpleChars} characters, with what it repeats`
      return { message, hint: simpler }
    }
    return undefined
  }

  /** In characters; 0 for circular references, which resvg refuses or leaves out. */
  #size(element: Element, depth: number): number {
    const known = this.#sizes.get(element)
    if (known !== undefined) return known
    if (depth > limits.svgDepth) return Number.POSITIVE_INFINITY
    this.#sizes.set(element, 0)
    const { name, tag, children } = element
    const sizeOf = (id: string | undefined) => {
      const target = id === undefined ? undefined : this.#byId.get(id)
      return target === undefined ? 0 : this.#size(target, depth + 1)
    }
    let size = tag.length + letterChars * element.letters
    for (const child of children) size += this.#size(child, depth + 1)
    if (name === 'use') size += sizeOf(/^\s*#(.*?)\s*$/s.exec(attribute(tag, '(?:\\w+:)?href') ?? '')?.[1])
    const own = tag.includes('marker') ? referredIn(tag) : []
    const markers = shapes.has(name) ? [...own, ...this.#styleMarkers] : []
    if (markers.length > 0) size += verticesOf(tag) * Math.max(...markers.map(sizeOf))
    for (const id of referredIn(tag)) size += sizeOf(id) * referenceShare
    this.#sizes.set(element, size)
    return size
  }
}

/** What a data URI holds. */
function pictureIn(href: string): Buffer | undefined {
  const comma = href.indexOf(',')
  const head = /^\s*data:(.{0,200})$/is.exec(href.slice(0, Math.max(0, comma)))?.[1]
  if (head === undefined) return undefined
  const data = href.slice(comma + 1)
  return Buffer.from(data, /;\s*base64\s*$/i.test(head) ? 'base64' : 'latin1')
}

/** The pixels of a picture, by the head of its file; undefined if it is no bitmap, and 0 if the head is cut. */
function pixelsOf(bytes: Buffer): number | undefined {
  const at = (offset: number, length: 1 | 2 | 3, order: 'BE' | 'LE') => {
    if (bytes.length < offset + length) return 0
    return order === 'BE' ? bytes.readUIntBE(offset, length) : bytes.readUIntLE(offset, length)
  }
  const magic = bytes.toString('latin1', 0, 16)
  // No side of a PNG that is drawn at all needs the first byte of its length.
  if (magic.startsWith('\x89PNG'))
    return bytes[16] || bytes[20] ? Number.POSITIVE_INFINITY : at(17, 3, 'BE') * at(21, 3, 'BE')
  if (magic.startsWith('GIF8')) return at(6, 2, 'LE') * at(8, 2, 'LE')
  if (magic.startsWith('\xff\xd8')) return pixelsOfJpeg(bytes, at)
  if (!magic.startsWith('RIFF') || magic.slice(8, 12) !== 'WEBP') return undefined
  if (magic.endsWith('VP8X')) return (at(24, 3, 'LE') + 1) * (at(27, 3, 'LE') + 1)
  if (magic.endsWith('VP8L')) return ((at(21, 2, 'LE') & 0x3fff) + 1) * (((at(22, 3, 'LE') >> 6) & 0x3fff) + 1)
  return (at(26, 2, 'LE') & 0x3fff) * (at(28, 2, 'LE') & 0x3fff)
}

function pixelsOfJpeg(bytes: Buffer, at: (offset: number, length: 1 | 2, order: 'BE') => number): number {
  for (let marker = 2; marker + 9 <= bytes.length; marker += 2 + at(marker + 2, 2, 'BE')) {
    const kind = at(marker + 1, 1, 'BE')
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc
    if (isFrame) return at(marker + 5, 2, 'BE') * at(marker + 7, 2, 'BE')
  }
  return 0
}

function verticesOf(tag: string): number {
  const points = attribute(tag, 'd') ?? attribute(tag, 'points') ?? ''
  return (points.match(/\d+/g) ?? []).length + 2
}

/** Entities are text only here, and make no more of it than a drawing may have. */
function tooManyEntities(svg: string): TooMuch | undefined {
  const entities = new Map<string, string>()
  for (const [, name = '', quoted = ''] of svg.matchAll(/<!ENTITY\s+([^\s"'%]+)\s+("[^"]*"|'[^']*')/g)) {
    entities.set(name, quoted.slice(1, -1))
  }
  if (entities.size === 0) return undefined
  const plain = 'Save the drawing as plain SVG 1.1.'
  if ([...entities.values()].some((value) => /[<&]/.test(value))) {
    return { message: 'is a drawing whose entities hold tags or other entities', hint: plain }
  }
  let chars = 0
  for (const [, name = ''] of svg.matchAll(/&([^\s;&#]{1,100});/g)) chars += entities.get(name)?.length ?? 0
  if (chars <= limits.svgChars) return undefined
  return { message: `is a drawing whose entities make more than ${limits.svgChars} characters`, hint: plain }
}

/** Nanoseconds per pixel: of the whole picture, and of areas that are filled or first drawn on a layer of their own. */
const pixelNs = { png: 70, fill: 7, shade: 20, stop: 0.6, layer: 50, mask: 60, image: 30 }
/** Nanoseconds per element, per row of pixels that a path's line crosses, per corner of a stroke, and per dash. */
const elementNs = 2_000
const rowNs = 150
const cornerNs = 500
const dashNs = 1_200
/** resvg draws no more of one path. */
const mostDashes = 1_000_000
/** How far layers may reach beyond the picture on each side, in sides of the picture. */
const layersReach = 2

type Matrix = readonly [number, number, number, number, number, number]
interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** Ends the estimate as soon as it is over the budget; stays inside this file. */
class OverBudget extends Error {}

/**
 * Whether simple SVG, as resvg writes it, can be drawn at a size within the time allowed.
 * @param side pixels of the longer side
 */
export function canDraw(
  text: string,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
  side: number,
): boolean {
  const elements = elementsOf(text, limits.svgDepth)
  if (elements === undefined) return false
  const scale = side / Math.max(widthPx, heightPx)
  try {
    new Drawing(elements, widthPx * scale, heightPx * scale).draw(elements, [scale, 0, 0, scale, 0, 0])
    return true
  } catch (error) {
    if (error instanceof OverBudget) return false
    throw error
  }
}

class Drawing {
  readonly #byId = new Map<string, Element>()
  readonly #outlines = new Map<Element, Outline>()
  #ns = 0

  constructor(
    elements: Element,
    private readonly width: number,
    private readonly height: number,
  ) {
    const waiting = [elements]
    for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
      const id = attribute(element.tag, 'id')
      if (id !== undefined) this.#byId.set(id, element)
      waiting.push(...element.children)
    }
    this.#spend(width * height * pixelNs.png)
  }

  #spend(ns: number): void {
    this.#ns += ns
    // NaN counts as over the budget.
    if (!(this.#ns <= limits.svgDrawNs)) throw new OverBudget()
  }

  /** @returns where it draws */
  draw(element: Element, matrix: Matrix, depth = 0): Box | undefined {
    this.#spend(elementNs)
    if (depth > limits.svgDepth) throw new OverBudget()
    const { name, tag, children } = element
    if (name === 'path') return this.#path(element, within(matrix, tag), depth)
    if (name === 'image') return this.#image(tag, within(matrix, tag))
    if (name !== '' && name !== 'svg' && name !== 'g') return undefined
    const inner = name === 'g' ? within(matrix, tag) : matrix
    let box: Box | undefined
    for (const child of children) box = union(box, this.draw(child, inner, depth + 1))
    return name === 'g' ? this.#layer(tag, box, inner, depth) : box
  }

  /** What a group is drawn aside for: opacity, blending, masks, clips and filters. */
  #layer(tag: string, content: Box | undefined, matrix: Matrix, depth: number): Box | undefined {
    const [filters, mask, clip] = ['filter', 'mask', 'clip-path'].map((name) => attribute(tag, name))
    const isAside = attribute(tag, 'opacity') !== undefined || attribute(tag, 'style') !== undefined
    let box = content
    for (const id of referredIn(` filter="${filters ?? ''}"`)) box = this.#filter(this.#byId.get(id), box, matrix)
    if (!isAside && filters === undefined && mask === undefined && clip === undefined) return box
    const pixels = this.#pixels(box)
    this.#spend(pixels * pixelNs.layer)
    for (const reference of [mask, clip]) this.#cut(reference, pixels, matrix, depth)
    return box
  }

  /** A mask or a clip: its content is drawn aside as well, and may have others. */
  #cut(reference: string | undefined, pixels: number, matrix: Matrix, depth: number): void {
    const [id] = reference === undefined ? [] : referredIn(reference)
    const cut = id === undefined ? undefined : this.#byId.get(id)
    if (cut === undefined) return
    this.#spend(pixels * pixelNs.mask + elementNs)
    const inner = within(matrix, cut.tag)
    for (const child of cut.children) this.draw(child, inner, depth + 1)
    if (depth > limits.svgDepth) throw new OverBudget()
    for (const name of ['mask', 'clip-path']) this.#cut(attribute(cut.tag, name), pixels, matrix, depth + 1)
  }

  #filter(filter: Element | undefined, content: Box | undefined, matrix: Matrix): Box | undefined {
    if (filter === undefined) return content
    const isOfContent = attribute(filter.tag, 'filterUnits') !== 'userSpaceOnUse'
    const box = isOfContent ? partOf(content, rectangle(filter.tag)) : boxOf(rectangle(filter.tag), matrix)
    const pixels = this.#pixels(box)
    const [scaleX, scaleY] = scalesOf(matrix)
    this.#spend(pixels * pixelNs.layer)
    for (const { name, tag } of filter.children) {
      this.#spend(elementNs + pixels * effectNs(name, tag, { scaleX, scaleY, width: this.width, height: this.height }))
    }
    return box
  }

  #path(element: Element, matrix: Matrix, depth: number): Box | undefined {
    const { tag } = element
    const outline = this.#outlineOf(element)
    const [fill, stroke] = [attribute(tag, 'fill'), attribute(tag, 'stroke')]
    const isStroked = stroke !== undefined && stroke !== 'none'
    const [a, b, c, d] = matrix
    const rows = Math.min(Math.abs(b) * outline.dx + Math.abs(d) * outline.dy, outline.corners * this.height)
    const widest = number(tag, 'stroke-width', 1) * Math.max(Math.hypot(a, b), Math.hypot(c, d))
    const box = boxOf(outline.box, matrix)
    const grown = isStroked ? widen(box, widest) : box
    const pixels = this.#pixels(grown, 0)
    this.#spend(rows * rowNs + pixels * pixelNs.fill)
    if (isStroked) {
      const dashes = dashesOf(tag, outline)
      this.#spend(2 * rows * rowNs + pixels * pixelNs.fill + outline.corners * cornerNs + dashes * dashNs)
    }
    for (const paint of [fill, stroke]) this.#paint(paint, pixels, matrix, depth)
    return grown
  }

  /** A gradient or a pattern. */
  #paint(paint: string | undefined, pixels: number, matrix: Matrix, depth: number): void {
    const [id] = paint === undefined ? [] : referredIn(paint)
    const server = id === undefined ? undefined : this.#byId.get(id)
    if (server === undefined) return
    const { name, tag, children } = server
    if (name !== 'pattern') {
      this.#spend(pixels * (pixelNs.shade + children.length * pixelNs.stop))
      return
    }
    const tile = within(matrix, tag, 'patternTransform')
    const [scaleX, scaleY] = scalesOf(tile)
    const isOfShape = attribute(tag, 'patternUnits') !== 'userSpaceOnUse'
    const share = number(tag, 'width', 0) * number(tag, 'height', 0)
    const tilePixels = share * (isOfShape ? pixels : scaleX * scaleY)
    this.#spend(pixels * pixelNs.layer + tilePixels * pixelNs.layer + elementNs)
    for (const child of children) this.draw(child, [scaleX, 0, 0, scaleY, 0, 0], depth + 1)
  }

  #image(tag: string, matrix: Matrix): Box | undefined {
    const box = boxOf(rectangle(tag), matrix)
    this.#spend(this.#pixels(box, 0) * pixelNs.image)
    return box
  }

  #outlineOf(element: Element): Outline {
    const known = this.#outlines.get(element)
    if (known !== undefined) return known
    const outline = measure(attribute(element.tag, 'd') ?? '')
    this.#outlines.set(element, outline)
    return outline
  }

  /** Pixels of a box in the picture, or as far beyond it as layers go. */
  #pixels(box: Box | undefined, reach: number = layersReach): number {
    if (box === undefined) return 0
    const across = Math.min(box.right, this.width * (1 + reach)) - Math.max(box.left, -this.width * reach)
    const down = Math.min(box.bottom, this.height * (1 + reach)) - Math.max(box.top, -this.height * reach)
    return Math.max(0, across + 2) * Math.max(0, down + 2)
  }
}

interface Effect {
  scaleX: number
  scaleY: number
  width: number
  height: number
}

/** The cost of a filter's step, for each pixel. */
function effectNs(name: string, tag: string, { scaleX, scaleY, width, height }: Effect): number {
  switch (name) {
    case 'feTurbulence':
      return 100 + 80 * number(tag, 'numOctaves', 1)
    case 'feMorphology': {
      const [x = 0, y = x] = numbers(attribute(tag, 'radius') ?? '')
      return 170 + 2 * Math.min(2 * x * scaleX, width) * Math.min(2 * y * scaleY, height)
    }
    case 'feConvolveMatrix': {
      const [x = 3, y = x] = numbers(attribute(tag, 'order') ?? '')
      return 170 + 5 * x * y
    }
    case 'feDropShadow':
      return 400
    default:
      return 200
  }
}

/** A path's corners and control points, in its own coordinates. */
interface Outline {
  box: Box | undefined
  corners: number
  /** How far all of its lines go across and down. */
  dx: number
  dy: number
}

/** Measures a path as resvg writes it: all coordinates are absolute, and in pairs. */
function measure(d: string): Outline {
  const outline: Outline = { box: undefined, corners: 0, dx: 0, dy: 0 }
  const points = numbers(d)
  let box: Box | undefined
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x = 0, y = 0] = [points[at], points[at + 1]]
    box = union(box, { left: x, top: y, right: x, bottom: y })
    if (at === 0) continue
    outline.dx += Math.abs(x - (points[at - 2] ?? x))
    outline.dy += Math.abs(y - (points[at - 1] ?? y))
  }
  return { ...outline, box, corners: points.length / 2 }
}

function dashesOf(tag: string, { dx, dy }: Outline): number {
  const pattern = numbers(attribute(tag, 'stroke-dasharray') ?? '')
  const period = pattern.reduce((sum, length) => sum + length, 0)
  return period > 0 ? Math.min(mostDashes, ((dx + dy) / period) * pattern.length) : 0
}

function rectangle(tag: string): Box {
  const [left, top] = [number(tag, 'x', 0), number(tag, 'y', 0)]
  return { left, top, right: left + number(tag, 'width', 0), bottom: top + number(tag, 'height', 0) }
}

/** The second is in shares of the first one's sides. */
function partOf(box: Box | undefined, { left, top, right, bottom }: Box): Box | undefined {
  if (box === undefined) return undefined
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  return {
    left: box.left + left * width,
    top: box.top + top * height,
    right: box.left + right * width,
    bottom: box.top + bottom * height,
  }
}

function number(tag: string, name: string, otherwise: number): number {
  return numbers(attribute(tag, name) ?? '')[0] ?? otherwise
}

function numbers(text: string): number[] {
  return (text.match(/[-+]?(?:\d+\.?|\.\d)\d*(?:e[-+]?\d+)?/gi) ?? []).map(Number)
}

function within(matrix: Matrix, tag: string, name = 'transform'): Matrix {
  const written = attribute(tag, name)
  if (written === undefined) return matrix
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(written)
  const [p, q, r, s, t, u] = matrix
  return [p * a + r * b, q * a + s * b, p * c + r * d, q * c + s * d, p * e + r * f + t, q * e + s * f + u]
}

function scalesOf([a, b, c, d]: Matrix): [number, number] {
  return [Math.hypot(a, b), Math.hypot(c, d)]
}

function boxOf(box: Box | undefined, [a, b, c, d, e, f]: Matrix): Box | undefined {
  if (box === undefined) return undefined
  const [xs, ys] = [
    [box.left, box.right],
    [box.top, box.bottom],
  ]
  const across = xs.flatMap((x) => ys.map((y) => a * x + c * y + e))
  const down = xs.flatMap((x) => ys.map((y) => b * x + d * y + f))
  return { left: Math.min(...across), top: Math.min(...down), right: Math.max(...across), bottom: Math.max(...down) }
}

function widen(box: Box | undefined, by: number): Box | undefined {
  return box && { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by }
}

function union(one: Box | undefined, other: Box | undefined): Box | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  }
}
