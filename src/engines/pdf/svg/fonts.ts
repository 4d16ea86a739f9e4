import type { CustomFontsOptions } from '@resvg/resvg-wasm'
import { embeddedFonts } from '../font/embedded.ts'
import type { Face } from '../font/face.ts'
import { piecesOf } from './markup.ts'

/** The families for the words that CSS has for kinds of fonts. */
const generic = {
  serif: 'Tinos',
  'sans-serif': 'Arimo',
  monospace: 'Cousine',
  cursive: 'Carlito',
  fantasy: 'Carlito',
  'system-ui': 'Arimo',
  'ui-serif': 'Tinos',
  'ui-sans-serif': 'Arimo',
  'ui-monospace': 'Cousine',
}
type GenericFamily = keyof typeof generic
const withoutFamily = 'Tinos'

/** An attribute's or a property's list of families, behind the sign that ends its name. */
const familyLists = /(font-family\s*[:=]\s*)("[^"]*"|(?:'[^']*'|&quot;|[^;}"'<>])+)/g
/** The property that has style, size and families in one, which resvg doesn't know. */
const shorthand = /\bfont\s*:\s*([^;}<>]*)/g
/** What comes before the families; longer texts aren't a font. */
const beforeFamilies = /^([^"]*?)(\d[\d.]*(?:px|pt|pc|em|rem|ex|%|mm|cm|in))(?:\s*\/\s*[\w.%]+)?\s+/
const beforeFamiliesChars = 200
/** No font has a longer name, and comparing names takes the square of their length. */
const familyChars = 200

export interface OwnFonts {
  svg: string
  /** What resvg needs to set the text; undefined if there is none. */
  font: CustomFontsOptions | undefined
  /** The characters that no font has. */
  missing: string
}

/** Replaces a drawing's font families by embedded ones, so that its text looks the same on every machine. */
export function withOwnFonts(svg: string): OwnFonts {
  const read = textOf(svg)
  const characters = charactersOf(read.shown)
  if (characters.size === 0) return { svg, font: undefined, missing: '' }
  const families = new Set([withoutFamily])
  const known = new Map<string, string>()
  const rename = (_: string, before: string, list: string) => {
    const family = known.get(list) ?? familyFor(list)
    known.set(list, family)
    families.add(family)
    const quote = /^["']/.exec(list)?.[0] ?? ''
    return before + quote + family + quote
  }
  const renamed = read.pieces
    .map(({ text, mayName }) => (mayName ? text.replace(shorthand, inFull).replace(familyLists, rename) : text))
    .join('')
  const { faces, missing } = facesFor(families, characters)
  const font = {
    fontBuffers: faces.map(({ bytes }) => bytes),
    loadSystemFonts: false,
    defaultFontFamily: withoutFamily,
    serifFamily: generic.serif,
    sansSerifFamily: generic['sans-serif'],
    monospaceFamily: generic.monospace,
    cursiveFamily: generic.cursive,
    fantasyFamily: generic.fantasy,
  }
  return { svg: renamed, font, missing }
}

interface ReadText {
  /** All that texts show, with references. */
  shown: string
  /** The whole drawing; families can be named in style sheets and in tags, and never in text. */
  pieces: { text: string; mayName: boolean }[]
}

function textOf(svg: string): ReadText {
  const read: ReadText = { shown: '', pieces: [] }
  let texts = 0
  let styles = 0
  for (const piece of piecesOf(svg)) {
    const text = svg.slice(piece.from, piece.to)
    read.pieces.push({ text, mayName: piece.kind === 'tag' || (piece.kind === 'text' && styles > 0) })
    if (piece.kind === 'text' && texts > 0) read.shown += text
    if (piece.kind !== 'tag' || piece.isEmpty) continue
    const step = piece.isEnd ? -1 : 1
    if (piece.name === 'text') texts = Math.max(0, texts + step)
    if (piece.name === 'style') styles = Math.max(0, styles + step)
  }
  return read
}

/** Writes the properties of the shorthand one by one. */
function inFull(whole: string, value: string): string {
  const head = beforeFamilies.exec(value.slice(0, beforeFamiliesChars))
  if (head === null) return whole
  const [all, looks = '', size = ''] = head
  const style = /\b(?:italic|oblique)\b/.exec(looks)?.[0] ?? 'normal'
  const weight = /\b(?:bold|bolder|lighter|[1-9]00)\b/.exec(looks)?.[0] ?? 'normal'
  return `font-style:${style};font-weight:${weight};font-size:${size};font-family:${value.slice(all.length)}`
}

/** All styles of the families, and a face for each character that these lack. */
function facesFor(families: ReadonlySet<string>, characters: ReadonlySet<string>): { faces: Face[]; missing: string } {
  const styles = [false, true].flatMap((bold) => [false, true].map((italic) => ({ bold, italic })))
  const faces = [...families].flatMap((family) =>
    styles.flatMap((style) => embeddedFonts().match(family, style)?.font.face ?? []),
  )
  let missing = ''
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0
    if (faces.some((face) => face.glyph(code) !== 0)) continue
    const face = embeddedFonts().fallback(code)?.face
    if (face === undefined) missing += character
    else faces.push(face)
  }
  return { faces, missing }
}

/** The first family of a list that is embedded or has an embedded twin, as browsers choose; else the nearest to the first one. */
function familyFor(list: string): string {
  const names = list
    .replaceAll('&quot;', '"')
    .split(',')
    .map((name) => name.replace(/["']/g, '').trim())
    .filter((name) => name !== '' && name.length <= familyChars)
  for (const name of names) {
    const kind = Object.hasOwn(generic, name.toLowerCase()) ? generic[name.toLowerCase() as GenericFamily] : undefined
    if (kind !== undefined) return kind
    const match = embeddedFonts().match(name)
    if (match?.by === 'family' || match?.by === 'twin') return match.font.face.family
  }
  return embeddedFonts().match(names[0] ?? withoutFamily)?.font.face.family ?? withoutFamily
}

/** The characters that leave something on the page. */
function charactersOf(shown: string): Set<string> {
  const resolved = shown.replace(/&#x?[0-9a-f]{1,8};|&\w{1,32};/gi, (reference) => {
    const code = /^&#x/i.test(reference) ? Number.parseInt(reference.slice(3), 16) : Number(reference.slice(2, -1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  return new Set([...resolved].filter((character) => !/[\p{C}\p{Z}]/u.test(character)))
}
