import { readFileSync } from 'node:fs'
import awesome from 'font-awesome/fonts/FontAwesome.otf' with { type: 'file' }
import { outlineOf } from '../../src/engines/pdf/draw/outline.ts'
import { verticalBounds } from '../../src/engines/pdf/font/bounds.ts'
import { subsetCff } from '../../src/engines/pdf/font/cff.ts'
import { createFontLibrary, fontSourcesOf } from '../../src/engines/pdf/font/library.ts'
import { subsetFont } from '../../src/engines/pdf/font/subset.ts'
import { shapeWord } from '../../src/engines/pdf/text/shaper.ts'
import { os2, trueType } from '../engines/pdf/font/made-fonts.ts'
import type { Target } from './target.ts'

const names = [{ id: 1, value: 'Made' }]
const plain = { rightToLeft: false, kern: true, before: '', after: '', language: 'en' }

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
  run(bytes) {
    const sources = fontSourcesOf(bytes)
    const library = createFontLibrary(sources)
    const outcomes = sources.slice(0, 4).map(({ family }) => {
      const font = library.match(family)?.font
      if (font === undefined) return `${library.trouble(family)}`
      const { face } = font
      const glyphs = [0x41, 0xf015, 0x66].map((code) => face.glyph(code))
      const shaped = shapeWord(face, 'ffA\uf015', plain)
      const drawn = [0, ...glyphs].filter((glyph) => glyph >= 0 && glyph < face.glyphCount)
      const lengths = drawn.map((glyph) => outlineOf(face, glyph).length > 0 && verticalBounds(face, glyph)[1] > 0)
      const outlines = face.tables.get('CFF ')
      const embedded = outlines ? subsetCff(outlines, [0, ...drawn]) : subsetFont(face, [0, ...drawn])
      return `${face.isCff} ${shaped?.length} ${lengths} ${(embedded?.length ?? 0) > 0}`
    })
    return `${sources.length} ${outcomes}`
  },
}
