import { readFileSync } from 'node:fs'
import awesome from 'font-awesome/fonts/FontAwesome.otf' with { type: 'file' }
import { outlineOf } from '../../src/engines/pdf/draw/outline.ts'
import { verticalBounds } from '../../src/engines/pdf/font/bounds.ts'
import { subsetCff } from '../../src/engines/pdf/font/cff.ts'
import { createFontLibrary, fontSourcesOf } from '../../src/engines/pdf/font/library.ts'
import { subsetFont } from '../../src/engines/pdf/font/subset.ts'
import { shapeWord } from '../../src/engines/pdf/text/shaper.ts'
import { os2, trueType } from '../engines/pdf/font/made-fonts.ts'
import { changedFont, madeFont } from './made-font.ts'
import type { Target } from './target.ts'

const names = [{ id: 1, value: 'Made' }]
/** Words that join, stack marks and run from the right; the last character is one of a symbol font. */
const texts = [
  ['ffiA\uf015', false],
  ['A\u0301\u0301i', false],
  ['\u05d0\u0627\u0301', true],
] as const
const plain = { kern: true, before: '', after: '', language: 'en' }

/** A font as a document brings it: found, matched, measured, shaped with, drawn and embedded. */
export const fontTarget: Target = {
  name: 'font',
  shortRound: 400,
  words: ['OTTO', 'ttcf', 'true', 'cmap', 'glyf', 'CFF ', 'GPOS', 'name'],
  maxBytes: 120_000,
  seeds: () => [
    trueType({ names, os2: os2({}) }),
    trueType({ names, isLong: true, outlines: [[], [0, 1, 0, 0, 0, 0, 0, 9, 0, 9, 0, 2, 0, 0, 1, 1, 1, 0]] }),
    new Uint8Array(readFileSync(awesome)),
  ],
  made: madeFont,
  change: changedFont,
  isUsable: (outcome) => outcome.includes('drawn'),
  leastUsable: 0.5,
  run(bytes) {
    const sources = fontSourcesOf(bytes)
    const library = createFontLibrary(sources)
    const outcomes = sources.slice(0, 4).map(({ family }) => {
      const font = library.match(family)?.font
      if (font === undefined) return `${library.trouble(family)}`
      const { face } = font
      const found = texts.flatMap(([text]) => [...text].map((letter) => face.glyph(letter.codePointAt(0) ?? 0)))
      const drawn = [...new Set([0, 1, 2, ...found])].filter((glyph) => glyph >= 0 && glyph < face.glyphCount)
      const shaped = texts.map(([text, rightToLeft]) => shapeWord(face, text, { ...plain, rightToLeft })?.length)
      const kerned = drawn.some((left) => face.kern(left, drawn.at(-1) ?? 0) !== 0)
      const lengths = drawn.map((glyph) => outlineOf(face, glyph).length > 0 && verticalBounds(face, glyph)[1] > 0)
      const outlines = face.tables.get('CFF ')
      const embedded = outlines ? subsetCff(outlines, drawn) : subsetFont(face, drawn)
      return `drawn ${face.isCff} ${shaped} ${kerned} ${lengths} ${(embedded?.length ?? 0) > 0}`
    })
    return `${sources.length} ${outcomes}`
  },
}
