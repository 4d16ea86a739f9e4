/**
 * Splits a drawing into several that are laid over each other and look like the whole. Browsers read, style and lay out
 * a picture in one task; a page of text has an element for each letter, which takes them too long. Here a run of
 * letters becomes one path, and a page as many pictures as its text needs.
 */
import { partsOf, split } from './page-difference.ts'

/** Tuned: what a browser reads in some 10 ms. */
const layerChars = 120_000

/** A drawing's layers, from the lowest up. */
export function layersOf(svg: string): string[] {
  const root = /^<svg [^>]*>/.exec(svg)?.[0] ?? '<svg>'
  const { definitions, body } = partsOf(svg)
  const glyphs = new Map<string, Glyph | undefined>()
  const glyphOf = (id: string) => {
    if (!glyphs.has(id)) glyphs.set(id, glyphIn(definitions.get(id)))
    return glyphs.get(id)
  }
  const layers: string[] = []
  let drawn = ''
  const close = () => {
    if (drawn === '') return
    layers.push(`${root}<defs>${definitionsFor(drawn, definitions)}</defs>${drawn}</svg>`)
    drawn = ''
  }
  for (const element of split(body)) {
    const simpler = element.replace(runOfGlyphs, (run, look, uses) => joined(look, uses, glyphOf) ?? run)
    if (drawn.length + simpler.length > layerChars) close()
    drawn += simpler
  }
  close()
  return layers.length === 0 ? [svg] : layers
}

function definitionsFor(drawn: string, definitions: ReadonlyMap<string, string>): string {
  const used = new Set([...drawn.matchAll(/#(g\d+)[")]/g)].map(([, id = '']) => id))
  return [...used].map((id) => definitions.get(id)?.replace(/^<\w+/, `$& id="${id}"`) ?? '').join('')
}

const runOfGlyphs = /<g([^>]*)>((?:<use href="#g\d+" x="-?\d+"(?: y="-?\d+")?\/>)+)<\/g>/g

/** An outline whose steps are relative, so that they are the same wherever it begins. */
interface Glyph {
  startX: number
  startY: number
  /** Behind the first point. */
  steps: string
}

/** One path for a run; undefined if fill and stroke differ, since the order of letters that overlap would show. */
function joined(look: string, uses: string, glyphOf: (id: string) => Glyph | undefined): string | undefined {
  const [, fill, stroke = fill] = / fill="([^"]*)"(?: stroke="([^"]*)")?/.exec(look) ?? []
  if (fill === undefined || stroke !== fill) return undefined
  let path = ''
  for (const [, id = '', x, y = 0] of uses.matchAll(/href="#(g\d+)" x="(-?\d+)"(?: y="(-?\d+)")?/g)) {
    const glyph = glyphOf(id)
    if (glyph === undefined) return undefined
    path += `M${glyph.startX + Number(x)} ${glyph.startY + Number(y)}${glyph.steps}`
  }
  return `<path${look} d="${path}"/>`
}

/** Reads path data with absolute, whole points, as outlines of letters have them. */
function glyphIn(definition = ''): Glyph | undefined {
  const read = /^<path d="M(-?\d+) (-?\d+)([\dMLQCZ -]*)"\/>$/.exec(definition)
  if (read === null) return undefined
  const [startX, startY] = [Number(read[1]), Number(read[2])]
  let steps = ''
  let [beginX, beginY] = [startX, startY]
  let [x, y] = [startX, startY]
  for (const [, letter = '', text = ''] of (read[3] ?? '').matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const points = letter === 'Z' ? [beginX, beginY] : text.split(' ').map(Number)
    const moves = letter === 'Z' ? [] : points.map((value, at) => value - (at % 2 === 0 ? x : y))
    steps += letter.toLowerCase() + moves.join(' ').replaceAll(' -', '-')
    ;[x = 0, y = 0] = points.slice(-2)
    if (letter === 'M') [beginX, beginY] = [x, y]
  }
  return { startX, startY, steps }
}
