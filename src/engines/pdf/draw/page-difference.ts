/**
 * Comparing two drawings of a page. A drawing is the SVG that the engine makes: definitions of outlines and pictures, then
 * one element for each run of text, rule, shape and picture. Two elements are equal when they draw the same and none of
 * their lengths differs by more than the tolerance.
 */

/** An element that only one of the two drawings has. */
export interface PageElement {
  svg: string
  /** Index among the drawing's elements. */
  index: number
}

export interface PageDifference {
  /** In the expected drawing only, and in the actual one only. */
  missing: readonly PageElement[]
  added: readonly PageElement[]
  /** The size of the page differs, or the order in which equal elements are drawn. */
  isRearranged: boolean
}

interface DrawnElement extends PageElement {
  /** What it draws, without its lengths. */
  shape: string
  lengths: readonly number[]
}

/**
 * @param tolerance points
 * @returns undefined if the drawings are equal
 */
export function comparePages(expected: string, actual: string, tolerance: number): PageDifference | undefined {
  if (expected === actual) return undefined
  const before = elementsOf(expected)
  const after = elementsOf(actual)
  const unmatched = Map.groupBy(before, ({ shape }) => shape)
  const added: DrawnElement[] = []
  const matched: number[] = []
  for (const element of after) {
    const candidates = unmatched.get(element.shape) ?? []
    const at = candidates.findIndex((candidate) => areNear(candidate.lengths, element.lengths, tolerance))
    const [found] = at === -1 ? [] : candidates.splice(at, 1)
    if (found === undefined) added.push(element)
    else matched.push(found.index)
  }
  const missing = [...unmatched.values()].flat().sort((one, other) => one.index - other.index)
  const isOrdered = matched.every((index, at) => at === 0 || (matched[at - 1] ?? 0) < index)
  const isRearranged = sizeOf(expected) !== sizeOf(actual) || !isOrdered
  return missing.length + added.length === 0 && !isRearranged ? undefined : { missing, added, isRearranged }
}

/** Attributes that are lengths on the page. The `viewBox` of a cropped picture holds shares of it, and must be equal. */
const pageLengths =
  /(?<=<(?!use )[^>]* (?:x|y|x1|y1|x2|y2|width|height|d)=")[^"]*|(?<= viewBox=")[^"]*(?="(?! preserveAspectRatio))/g

/** The drawing's elements below the root, in the order in which they are drawn; the first is the page's background. */
function elementsOf(svg: string): DrawnElement[] {
  const { definitions, body } = partsOf(svg)
  return split(body).map((element, index) => {
    const lengths: number[] = []
    // Glyphs are placed in units of their font, which the matrix of their run scales to points.
    const scale = Math.abs(Number(/^<g [^>]*matrix\(([-\d.]+)/.exec(element)?.[1] ?? 1))
    const take = (text: string, unit: number) =>
      text.replace(/-?\d+(?:\.\d+)?/g, (number) => {
        lengths.push(Number(number) * unit)
        return '#'
      })
    const shape = element
      .replace(/(?<=<use [^>]*[xy]=")[^"]*/g, (text) => take(text, scale))
      .replace(pageLengths, (text) => take(text, 1))
      .replace(/(matrix\((?:[-\d.]+ ){4})([^)]*)/g, (_whole, start, place) => start + take(place, 1))
      .replace(/#(g\d+)/g, (whole, id) => definitions.get(id) ?? whole)
    return { svg: element, index, shape, lengths }
  })
}

/** The same drawing, with a class on some of its elements. */
export function withClass(svg: string, indexes: ReadonlySet<number>, name: string): string {
  const { body } = partsOf(svg)
  const marked = split(body)
    .map((element, index) => (indexes.has(index) ? `<g class="${name}">${element}</g>` : element))
    .join('')
  return `${svg.slice(0, svg.length - body.length - '</svg>'.length)}${marked}</svg>`
}

const drawnTag =
  /<(?:\/(?:svg|defs|g|path|rect|use|image|stop|linearGradient|radialGradient|clipPath)|(?:svg|defs|g|path|rect|use|image|stop|linearGradient|radialGradient|clipPath)((?: [A-Za-z][\w:-]*="[^"<>&]*")*)(\/?))>/g

/** Attributes that run code, link elsewhere or load anything. */
const actingAttribute =
  / (?:on|style=|(?:xlink:)?href="(?!#g\d+"|data:image\/[\w.+-]+;base64,)|[\w:-]+="[^"]*url\((?!#g\d+\)))/i

/** Whether a page can safely show a text: it has only the tags and attributes of drawings. A file may hold anything. */
export function isDrawing(svg: string): boolean {
  const markup = svg.trim()
  let depth = 0
  let at = 0
  for (const { 0: tag, 1: attributes = '', 2: end, index } of markup.matchAll(drawnTag)) {
    if (index !== at || (at > 0 && depth === 0) || actingAttribute.test(attributes)) return false
    if (tag.startsWith('</')) depth -= 1
    else if (end !== '/') depth += 1
    at += tag.length
  }
  return at > 0 && at === markup.length && depth === 0 && markup.startsWith('<svg ')
}

export function sizeOf(svg: string): string {
  return /viewBox="([^"]*)"/.exec(svg)?.[1] ?? ''
}

/** The definitions by id, and everything behind them. */
export function partsOf(svg: string): { definitions: Map<string, string>; body: string } {
  const [, defs = '', body = ''] = /^<svg [^>]*><defs>(.*?)<\/defs>(.*)<\/svg>$/s.exec(svg.trimEnd()) ?? []
  const definitions = new Map<string, string>()
  for (const definition of split(defs)) {
    const id = / id="(g\d+)"/.exec(definition)?.[1]
    if (id !== undefined) definitions.set(id, definition.replace(` id="${id}"`, ''))
  }
  return { definitions, body }
}

/** The elements of the outermost level. */
export function split(markup: string): string[] {
  const elements: string[] = []
  let depth = 0
  let start = 0
  for (const tag of markup.matchAll(/<(\/?)[^>]*?(\/?)>/g)) {
    if (depth === 0) start = tag.index
    if (tag[1] === '/') depth -= 1
    else if (tag[2] !== '/') depth += 1
    if (depth === 0) elements.push(markup.slice(start, tag.index + tag[0].length))
  }
  return elements
}

function areNear(one: readonly number[], other: readonly number[], tolerance: number): boolean {
  return one.length === other.length && one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= tolerance)
}
