import type { CustomFontsOptions } from '@resvg/resvg-wasm'
import { embeddedFonts } from '../font/embedded.ts'
import type { Face } from '../font/face.ts'

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

/** Where families can be named: in style sheets and in tags, and never in text. */
const markup = /<(?:\w+:)?style\b[\s\S]*?<\/(?:\w+:)?style\s*>|<(?:[^<>"']|"[^"]*"|'[^']*')*>/g
/** An attribute's or a property's list of families, behind the sign that ends its name. */
const familyLists = /(font-family\s*[:=]\s*)("[^"]*"|(?:'[^']*'|&quot;|[^;}"'<>])+)/g
/** The property that has style, size and families in one, which resvg doesn't know. */
const shorthand =
  /\bfont\s*:\s*([^;}"<>]*?)(\d[\d.]*(?:px|pt|pc|em|rem|ex|%|mm|cm|in))(?:\s*\/\s*[\w.%]+)?\s+([^;}<>]+)/g
const texts = /<(?:\w+:)?text\b[\s\S]*?<\/(?:\w+:)?text\s*>/g
const tagsAndComments = /<!--[\s\S]*?-->|<(?:[^<>"']|"[^"]*"|'[^']*')*>/g

export interface OwnFonts {
  svg: string
  /** What resvg needs to set the text; undefined if there is none. */
  font: CustomFontsOptions | undefined
  /** The characters that no font has. */
  missing: string
}

/** The drawing with families that are in the program, so that its text looks the same on every machine. */
export function withOwnFonts(svg: string): OwnFonts {
  const characters = charactersOf(svg)
  if (characters.size === 0) return { svg, font: undefined, missing: '' }
  const families = new Set([withoutFamily])
  const rename = (_: string, before: string, list: string) => {
    const family = familyFor(list)
    families.add(family)
    const quote = /^["']/.exec(list)?.[0] ?? ''
    return before + quote + family + quote
  }
  const renamed = svg.replace(markup, (piece) => piece.replace(shorthand, inFull).replace(familyLists, rename))
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

/** Writes the properties of the shorthand one by one. */
function inFull(_: string, looks: string, size: string, families: string): string {
  const style = /\b(?:italic|oblique)\b/.exec(looks)?.[0] ?? 'normal'
  const weight = /\b(?:bold|bolder|lighter|[1-9]00)\b/.exec(looks)?.[0] ?? 'normal'
  return `font-style:${style};font-weight:${weight};font-size:${size};font-family:${families}`
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

/** The first family of a list that is in the program or has a twin there, as browsers choose; else what is nearest to the first. */
function familyFor(list: string): string {
  const names = list
    .replaceAll('&quot;', '"')
    .split(',')
    .map((name) => name.replace(/["']/g, '').trim())
    .filter((name) => name !== '')
  for (const name of names) {
    const kind = Object.hasOwn(generic, name.toLowerCase()) ? generic[name.toLowerCase() as GenericFamily] : undefined
    if (kind !== undefined) return kind
    const match = embeddedFonts().match(name)
    if (match?.by === 'family' || match?.by === 'twin') return match.font.face.family
  }
  return embeddedFonts().match(names[0] ?? withoutFamily)?.font.face.family ?? withoutFamily
}

/** The characters of all texts that leave something on the page. */
function charactersOf(svg: string): Set<string> {
  const written = (svg.match(texts) ?? []).join('').replace(tagsAndComments, '')
  const resolved = written.replace(/&#x?[0-9a-f]+;|&\w+;/gi, (reference) => {
    const code = /^&#x/i.test(reference) ? Number.parseInt(reference.slice(3), 16) : Number(reference.slice(2, -1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  return new Set([...resolved].filter((character) => !/[\p{C}\p{Z}]/u.test(character)))
}
