import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import awesome from 'font-awesome/fonts/FontAwesome.otf' with { type: 'file' }
import { outlineOf } from '../../../src/engines/pdf/draw/outline.ts'
import { cffPath, subsetCff } from '../../../src/engines/pdf/font/cff.ts'
import { pathOfCharstring } from '../../../src/engines/pdf/font/charstring.ts'
import { embeddedFonts, embeddedSources } from '../../../src/engines/pdf/font/embedded.ts'
import { readFace } from '../../../src/engines/pdf/font/face.ts'
import { createFontLibrary, type FontLibrary, fontSourcesOf } from '../../../src/engines/pdf/font/library.ts'
import { ByteReader } from '../../../src/engines/pdf/font/sfnt.ts'
import { type Rendering, renderPdf } from '../../../src/engines/pdf/pdf.ts'
import { shapeWord } from '../../../src/engines/pdf/text/shaper.ts'
import { cpuMsOf } from '../../support/cpu.ts'
import { inkOf, needs, qpdfCheck } from './tools.ts'
import { p, wordDocument } from './word.ts'

const otf = new Uint8Array(readFileSync(awesome))
const ttf = new Uint8Array(readFileSync(naskh))
const withOtf = createFontLibrary([...fontSourcesOf(otf), ...embeddedSources()])
const tools = needs('pdftoppm') && needs('qpdf')

function rendered(docx: Uint8Array, fonts: FontLibrary = embeddedFonts()): Rendering {
  const outcome = renderPdf(docx, { fonts })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

const icons = p('\uf015\uf0f3', '', '<w:rFonts w:ascii="FontAwesome" w:hAnsi="FontAwesome"/><w:sz w:val="80"/>')

/** The CFF table of a font with one dictionary, and these charstrings and local subroutines. */
function cffOf(glyphs: readonly number[][], subrs: readonly number[][]): ByteReader {
  const four = (value: number) => [value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]
  const index = (items: readonly number[][]) => {
    let offset = 1
    const offsets = items.map((item) => {
      offset += item.length
      return four(offset)
    })
    return [items.length >> 8, items.length & 0xff, 4, ...four(1), ...offsets.flat(), ...items.flat()]
  }
  const outlines = index(glyphs)
  const own = [29, ...four(6), 19]
  const top = (at: number) => {
    const ownAt = at + outlines.length
    return index([[29, ...four(at), 17, 29, ...four(own.length), 29, ...four(ownAt), 18]])
  }
  const head = [1, 0, 4, 4, ...index([[84]])]
  const at = head.length + top(0).length + 4
  const bytes = Uint8Array.from([...head, ...top(at), 0, 0, 0, 0, ...outlines, ...own, ...index(subrs)])
  return new ByteReader(bytes, 0, bytes.length)
}

describe('PostScript outlines', () => {
  test.skipIf(!tools)('are embedded as a subset that draws the same glyphs', () => {
    const { pdf, report } = rendered(wordDocument(icons), withOtf)
    expect(report.filter(({ path }) => path === 'font#FontAwesome')).toEqual([])
    expect(qpdfCheck('icons.pdf', pdf)).toBe(0)
    const ink = inkOf('icons.pdf', pdf)
    expect(ink(50, 55, 75, 40)).toBeGreaterThan(0.2)
    expect(ink(50, 120, 200, 100)).toBe(0)
    expect(pdf.length).toBeLessThan(20_000)
  })

  test('of a subset can be subset again, so the subset is complete', () => {
    const face = readFace(otf)!
    const table = face.tables.get('CFF ')!
    const glyphs = [0, face.glyph(0xf015), face.glyph(0xf0f3)]
    const subset = subsetCff(table, glyphs)!
    expect(subset.length).toBeLessThan(table.length / 4)
    const again = subsetCff(new ByteReader(subset, 0, subset.length), [0, 1, 2])!
    expect(again.length).toBe(subset.length)
  })

  test('of a subset draw the same as before, without the subroutines that nothing calls', () => {
    for (const [count, bias] of [
      [50, 107],
      [1_300, 1_131],
      [34_000, 32_768],
    ] as const) {
      const call = (place: number) => [28, ((place - bias) >> 8) & 0xff, (place - bias) & 0xff, 10]
      const line = (length: number) => [139 + length, 139, 5]
      const begin = [149, 149, 21]
      // The fortieth calls the seventh before it draws; of the others each draws a line of its own.
      const subrs = Array.from({ length: count }, (_, at) => [...(at === 40 ? call(7) : []), ...line(at % 100), 11])
      const font = cffOf([[14], [...begin, ...call(5), 14], [...begin, ...call(40), 14], [...begin, 14]], subrs)
      const drawn = ['M10 10L15 10Z', 'M10 10L17 10L57 10Z']
      expect([1, 2].map((glyph) => cffPath(font, glyph))).toEqual(drawn)
      const subset = subsetCff(font, [0, 1, 2])!
      expect([1, 2].map((glyph) => cffPath(new ByteReader(subset, 0, subset.length), glyph))).toEqual(drawn)
      expect(Buffer.from(subset).includes(Uint8Array.from([...line(30), 11]))).toBe(false)
      expect(subsetCff(font, [0, 3])!.length).toBeLessThan(250)
      // A glyph with an operator that isn't followed may call anything.
      const strange = subsetCff(cffOf([[14], [12, 3, ...call(5), 14]], subrs), [0, 1])!
      expect(Buffer.from(strange).includes(Uint8Array.from([...line(30), 11]))).toBe(true)
    }
  })

  test('are drawn as closed paths inside the font’s box', () => {
    const face = readFace(otf)!
    const path = outlineOf(face, face.glyph(0xf015))
    expect(path).toMatch(/^M-?\d+ -?\d+/)
    expect(path.split('M').length).toBe(path.split('Z').length)
    const [left, bottom, right, top] = face.bbox.map((edge) => edge * face.unitsPerEm) as [
      number,
      number,
      number,
      number,
    ]
    const numbers = [...path.matchAll(/(-?\d+) (-?\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
    expect(numbers.length).toBeGreaterThan(10)
    for (const [x, y] of numbers) {
      expect(x >= left - 1 && x <= right + 1 && y >= bottom - 1 && y <= top + 1).toBe(true)
    }
    expect(outlineOf(face, -1)).toBe('')
    expect(outlineOf(face, 60_000)).toBe('')
  })

  test('that call themselves forever are cut off', () => {
    const loop = Uint8Array.of(32, 10)
    expect(pathOfCharstring(loop, { local: () => loop, global: () => loop })).toBe('')
    expect(pathOfCharstring(new Uint8Array(100_000).fill(5), { local: () => undefined, global: () => undefined })).toBe(
      '',
    )
  })

  test('with false tables are refused or subset within a second, and never throw', () => {
    const face = readFace(otf)!
    const ms = cpuMsOf(() => {
      for (let seed = 1; seed <= 60; seed++) {
        const broken = new Uint8Array(otf)
        const start = face.tables.get('CFF ')!.start
        for (let index = 0; index < 40; index++)
          broken[start + ((seed * 7_919 + index * 104_729) % 4_000)] = (seed * 37 + index * 11) & 0xff
        const other = readFace(broken)
        if (other) subsetCff(other.tables.get('CFF ')!, [0, 5, 600])
      }
    })
    expect(ms).toBeLessThan(5_000)
  })
})

/** Two fonts in one file (`ttcf`), whose tables are where they were in their own files, further back. */
function collectionOf(...fonts: Uint8Array[]): Uint8Array {
  const head = 12 + fonts.length * 4
  const starts: number[] = []
  let length = head
  for (const font of fonts) {
    starts.push(length)
    length += (font.length + 3) & ~3
  }
  const file = new Uint8Array(length)
  const view = new DataView(file.buffer)
  file.set(Buffer.from('ttcf'))
  view.setUint32(4, 0x00010000)
  view.setUint32(8, fonts.length)
  for (const [index, font] of fonts.entries()) {
    const start = starts[index]!
    view.setUint32(12 + index * 4, start)
    file.set(font, start)
    for (let table = 0; table < view.getUint16(start + 4); table++) {
      const at = start + 12 + table * 16 + 8
      view.setUint32(at, view.getUint32(at) + start)
    }
  }
  return file
}

describe('collections', () => {
  test('provide each of their fonts under its own name', () => {
    const sources = fontSourcesOf(collectionOf(ttf, otf))
    expect(sources.map(({ family, index }) => [family, index])).toEqual([
      ['Noto Naskh Arabic', 0],
      ['FontAwesome', 1],
    ])
    const library = createFontLibrary(sources)
    expect(library.match('FontAwesome')!.font.face.glyph(0xf015)).toBe(readFace(otf)!.glyph(0xf015))
  })

  test('are shaped with the intended font', () => {
    const [first] = fontSourcesOf(collectionOf(ttf, otf))
    const options = { rightToLeft: true, kern: false, before: '', after: '', language: 'ar' }
    const face = createFontLibrary([first!]).match('Noto Naskh Arabic')!.font.face
    expect(shapeWord(face, 'سلام', options)).toEqual(shapeWord(readFace(ttf)!, 'سلام', options))
  })

  test('that claim a million fonts are read up to the sixty-fourth', () => {
    const file = collectionOf(ttf)
    new DataView(file.buffer).setUint32(8, 1_000_000)
    expect(fontSourcesOf(file).length).toBeLessThanOrEqual(64)
  })
})

const key = '{01234567-89AB-CDEF-0123-456789ABCDEF}'

/** As Word writes it: the key's bytes from the last to the first, laid over the first 32 of the file. */
function obfuscated(font: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(font)
  const mask = Buffer.from(key.replace(/[^0-9A-F]/g, ''), 'hex').reverse()
  for (let at = 0; at < 32; at++) bytes[at]! ^= mask[at % 16]!
  return bytes
}

function carrying(font: Uint8Array, name = 'Carried'): Uint8Array {
  const content = `<w:font w:name="${name}"><w:embedRegular r:id="rF1" w:fontKey="${key}"/></w:font>`
  const body = p('سلام', '<w:bidi/>', `<w:rFonts w:cs="${name}"/><w:rtl/>`)
  return wordDocument(body, { fontTable: { content, files: { rF1: font } } })
}

function withLicence(font: Uint8Array, fsType: number): Uint8Array {
  const bytes = new Uint8Array(font)
  const os2 = readFace(font)!.tables.get('OS/2')!
  new DataView(bytes.buffer).setUint16(os2.start + 8, fsType)
  return bytes
}

describe('fonts that a document carries', () => {
  test('draw its text under the names that the document gives them', () => {
    const { pdf, report } = rendered(carrying(obfuscated(ttf)))
    expect(report.filter(({ path }) => path === 'font#Carried')).toEqual([])
    expect(report.filter(({ code }) => code === 'render.glyph_missing')).toEqual([])
    expect(Buffer.from(pdf).toString('latin1').length).toBeGreaterThan(0)
    expect(rendered(carrying(obfuscated(ttf))).pdf).toEqual(pdf)
  })

  test('are not used, and reported, if their licence forbids embedding', () => {
    const { report } = rendered(carrying(obfuscated(withLicence(ttf, 2))))
    expect(report.map(({ code }) => code)).toContain('render.font_restricted')
    expect(report.map(({ code }) => code)).toContain('render.glyph_missing')
    for (const fsType of [0, 4, 8]) {
      const allowed = rendered(carrying(obfuscated(withLicence(ttf, fsType))))
      expect(allowed.report.map(({ code }) => code)).not.toContain('render.font_restricted')
    }
  })

  test('are embedded whole if their licence forbids subsets', () => {
    const whole = rendered(carrying(obfuscated(withLicence(ttf, 0x100))))
    const subset = rendered(carrying(obfuscated(ttf)))
    expect(whole.report.map(({ code }) => code)).not.toContain('render.font_restricted')
    expect(whole.pdf.length).toBeGreaterThan(subset.pdf.length * 3)
  })

  test('that are damaged, wrongly obfuscated or no fonts at all are reported, and the text is still drawn', () => {
    for (const font of [ttf, new Uint8Array(0), new Uint8Array(100), obfuscated(ttf).subarray(0, 400)]) {
      const { report, pages } = rendered(carrying(new Uint8Array(font)))
      expect(pages).toBe(1)
      expect(report.map(({ code }) => code)).toContain('render.font_unreadable')
    }
  })

  test('with false tables never throw and never keep the renderer busy', () => {
    const face = readFace(ttf)!
    for (const tag of ['GSUB', 'GPOS', 'GDEF', 'cmap', 'glyf', 'loca', 'hmtx', 'maxp']) {
      const table = face.tables.get(tag)!
      const broken = new Uint8Array(ttf)
      for (let index = 0; index < 400; index++)
        broken[table.start + ((index * 7_919) % Math.min(table.length, 4_000))] =
          (index * 89 + tag.charCodeAt(1)) & 0xff
      const ms = cpuMsOf(() => {
        expect(rendered(carrying(obfuscated(broken))).pages).toBe(1)
      })
      expect(ms).toBeLessThan(5_000)
    }
  })
})

describe('a library', () => {
  test('gives the same answers after more questions than it caches', () => {
    const before = withOtf.match('Calibri')!.font.id
    const substitute = withOtf.match('Family')!.font.id
    for (let number = 0; number < 21_000; number++) {
      if (withOtf.match(`Family ${number}`)?.font.id !== substitute) throw new Error(`Family ${number}`)
    }
    for (let code = 0xe000; code < 0xe000 + 500; code++) withOtf.fallback(code)
    expect(withOtf.match('Calibri')!.font.id).toBe(before)
    expect(withOtf.fallback(0xf015)!.face.family).toBe('FontAwesome')
  })
})
