import { describe, expect, test } from 'bun:test'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import { ARTIFACT, type Frame, type TextFrame } from '../../../../src/engines/pdf/frame/frame.ts'
import { inkSpace } from '../../../../src/engines/pdf/render/inks.ts'
import { languageTag, mainLanguage } from '../../../../src/engines/pdf/render/language.ts'
import { srgbProfile, xmpPacket } from '../../../../src/engines/pdf/render/metadata.ts'
import { PaintSet, rgb } from '../../../../src/engines/pdf/render/paint.ts'
import { PdfFile } from '../../../../src/engines/pdf/render/write.ts'
import { opened } from './opened.ts'

describe('The profile of sRGB', () => {
  const profile = Buffer.from(srgbProfile())
  const tags = new Map(
    Array.from({ length: profile.readUInt32BE(128) }, (_, index) => {
      const at = 132 + index * 12
      const start = profile.readUInt32BE(at + 4)
      return [
        profile.toString('latin1', at, at + 4),
        profile.subarray(start, start + profile.readUInt32BE(at + 8)),
      ] as const
    }),
  )

  test('says what it is in its header', () => {
    expect(profile.readUInt32BE(0)).toBe(profile.length)
    expect(profile.readUInt32BE(8)).toBe(0x02400000)
    expect([12, 16, 20, 36].map((at) => profile.toString('latin1', at, at + 4))).toEqual([
      'mntr',
      'RGB ',
      'XYZ ',
      'acsp',
    ])
    expect([24, 26, 28, 30, 32, 34].map((at) => profile.readUInt16BE(at))).toEqual([2000, 1, 1, 0, 0, 0])
    expect([68, 72, 76].map((at) => profile.readInt32BE(at) / 65_536)).toEqual(
      [63_190, 65_536, 54_061].map((one) => one / 65_536),
    )
  })

  test('has the tags of a matrix profile, each within the file, at a multiple of four', () => {
    expect([...tags.keys()]).toEqual(['desc', 'cprt', 'wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'])
    for (let index = 0; index < 9; index++) {
      const at = 132 + index * 12
      expect(profile.readUInt32BE(at + 4) % 4).toBe(0)
      expect(profile.readUInt32BE(at + 4)).toBeGreaterThanOrEqual(132 + 9 * 12)
      expect(profile.readUInt32BE(at + 4) + profile.readUInt32BE(at + 8)).toBeLessThanOrEqual(profile.length)
    }
    expect(tags.get('desc')?.toString('latin1')).toBe(`desc\0\0\0\0\0\0\0\u0005sRGB${'\0'.repeat(80)}`)
    expect(tags.get('cprt')?.toString('latin1')).toBe('text\0\0\0\0No copyright, use freely\0')
  })

  test('has primaries that add up to its white', () => {
    const xyz = (tag: string) => [8, 12, 16].map((at) => (tags.get(tag)?.readInt32BE(at) ?? 0) / 65_536)
    const sum = ['rXYZ', 'gXYZ', 'bXYZ']
      .map(xyz)
      .reduce((total, one) => total.map((value, at) => value + (one[at] ?? 0)))
    for (const [at, value] of xyz('wtpt').entries()) expect(sum[at]).toBeCloseTo(value, 3)
    expect(xyz('rXYZ')).toEqual([0.4361, 0.2225, 0.0139].map((value) => Math.round(value * 65_536) / 65_536))
    expect(tags.get('wtpt')?.toString('latin1', 0, 8)).toBe('XYZ \0\0\0\0')
  })

  test('has the curve of sRGB for each channel', () => {
    const curve = tags.get('rTRC') ?? Buffer.alloc(0)
    expect(curve.toString('latin1', 0, 8)).toBe('curv\0\0\0\0')
    expect([curve.readUInt32BE(8), curve.length]).toEqual([1_024, 12 + 2_048])
    const at = (index: number) => curve.readUInt16BE(12 + index * 2)
    expect([at(0), at(1_023)]).toEqual([0, 65_535])
    // Half of the signal is a fifth of the light; near black the curve is straight.
    expect(at(512) / 65_535).toBeCloseTo(0.2145, 3)
    expect(at(40)).toBe(Math.round((40 / 1_023 / 12.92) * 65_535))
    expect(at(42)).toBe(Math.round(((42 / 1_023 + 0.055) / 1.055) ** 2.4 * 65_535))
    expect(tags.get('gTRC')?.equals(curve)).toBe(true)
    expect(tags.get('bTRC')?.equals(curve)).toBe(true)
  })
})

describe('The metadata', () => {
  const info = { title: 'A & "B" <C>', author: '', subject: '', language: '' }

  test('escapes what the document says, and leaves out what it does not say', () => {
    const packet = xmpPacket(info, 'PDF/A')
    expect(packet).toContain('>A &amp; &quot;B&quot; &lt;C&gt;</rdf:li>')
    expect(packet).not.toContain('dc:creator')
    expect(packet).not.toContain('dc:description')
    expect(packet).not.toContain('pdfuaid')
    expect(packet).toContain('<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>')
    expect(packet).toContain('<pdf:Producer>Quire</pdf:Producer>')
    expect(packet).toStartWith('<?xpacket begin="\ufeff"')
    expect(packet).toEndWith('<?xpacket end="w"?>')
  })

  test('names author and subject, and the second standard where it is claimed', () => {
    const packet = xmpPacket({ ...info, author: 'A>B', subject: 'C&D' }, 'PDF/A and PDF/UA')
    expect(packet).toContain('<dc:creator><rdf:Seq><rdf:li>A&gt;B</rdf:li></rdf:Seq></dc:creator>')
    expect(packet).toContain('<rdf:li xml:lang="x-default">C&amp;D</rdf:li></rdf:Alt></dc:description>')
    expect(packet).toContain('<pdfuaid:part>1</pdfuaid:part>')
    expect(packet).toContain('<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>')
  })
})

describe('The language', () => {
  const match = embeddedFonts().match('Arial')
  const said = (text: string, language: string, node = 0): TextFrame => ({
    ...{ kind: 'text', x: 0, y: 0, width: 0, text, glyphs: undefined, shifts: undefined, node },
    look: { font: match?.font ?? expect.unreachable(), size: 10, color: '000000', scale: 1, language },
  })
  const main = (stated: string, ...frames: Frame[]) =>
    mainLanguage(
      { pages: [{ width: 1, height: 1, number: 1, label: '1', frames }], structure: [], outline: [] },
      stated,
    )

  test('is a tag of BCP 47, without what Word adds for sorting', () => {
    const tags = ['en', 'en-GB', 'zh-Hans-CN', 'es-419', 'de-1996', 'sr-Latn', 'yue']
    expect(tags.map(languageTag)).toEqual(tags)
    expect(languageTag('es-ES_tradnl')).toBe('es-ES')
    expect(languageTag(' de ')).toBe('de')
    expect(['x-none', '', 'english', 'en-', 'e', '-', 'en_'].map(languageTag)).toEqual(['', '', '', '', '', '', 'en'])
  })

  test('is that of most of the content, else the one that is stated', () => {
    expect(main('fr', said('abc', 'en'), said('abcd', 'de'))).toBe('de')
    expect(main('fr', said('abc', 'en'), said('abcd', 'de'), said('de', 'en'))).toBe('en')
    expect(main('fr', said('abc', 'en'), said('abc', 'de'))).toBe('en')
    expect(main('fr', said('abc', 'x-none'))).toBe('fr')
    expect(main('fr', said('abc', 'en', ARTIFACT))).toBe('fr')
    expect(main('x-none')).toBe('')
    const clip: Frame = { kind: 'clip', x: 0, y: 0, width: 1, height: 1, frames: [said('abcd', 'it')] }
    const group: Frame = { kind: 'group', x: 0, y: 0, matrix: [1, 0, 0, 1, 0, 0], frames: [clip] }
    expect(main('fr', said('abc', 'en'), group)).toBe('it')
  })
})

describe('Paints', () => {
  test('are one resource for each opacity, from 0 to 1', async () => {
    const file = new PdfFile()
    const paints = new PaintSet(file)
    expect([0.5, 0.25, 0.5, -1, 2, 0].map((value) => paints.opacity(value))).toEqual([
      '/G1',
      '/G2',
      '/G1',
      '/G3',
      '/G4',
      '/G3',
    ])
    const numbers = [...paints.resources().matchAll(/\/G\d (\d+) 0 R/g)].map(([, number]) => Number(number))
    const { objects } = await opened(file.write(1, 1))
    expect(numbers.map((number) => objects.get(number))).toEqual(
      ['0.5', '0.25', '0', '1'].map((value) => `<< /Type /ExtGState /ca ${value} /CA ${value} >>`),
    )
    expect(new PaintSet(file).resources()).toBe('')
  })

  test('are written as shares of red, green and blue', () => {
    expect(rgb('FF8000')).toBe('1 0.502 0')
    expect(rgb('auto')).toBe('0.039 0 0')
  })
})

test('Four inks look like their overprints on coated paper', async () => {
  const file = new PdfFile()
  const space = inkSpace(file)
  const { objects, streams } = await opened(file.write(space, space))
  const [, look] =
    /^\[ \/DeviceN \[ \/Cyan \/Magenta \/Yellow \/Black \] \/DeviceRGB (\d+) 0 R \]$/.exec(objects.get(space) ?? '') ??
    []
  const { dictionary = '', data = Buffer.alloc(0) } = streams.get(Number(look)) ?? {}
  expect(dictionary).toContain(
    '/FunctionType 0 /Domain [ 0 1 0 1 0 1 0 1 ] /Range [ 0 1 0 1 0 1 ] /Size [ 2 2 2 2 ] /BitsPerSample 8',
  )
  const at = (cyan: number, magenta: number, yellow: number, black: number) => {
    const index = (cyan + 2 * magenta + 4 * yellow + 8 * black) * 3
    return data.toString('hex', index, index + 3)
  }
  expect(data.length).toBe(16 * 3)
  expect([at(0, 0, 0, 0), at(1, 0, 0, 0), at(0, 1, 0, 0), at(0, 0, 1, 0), at(0, 0, 0, 1)]).toEqual([
    ...['ffffff', '00adef', 'ec008c', 'fff200', '231f20'],
  ])
  expect([at(1, 1, 0, 0), at(1, 0, 1, 0), at(0, 1, 1, 0), at(1, 1, 1, 0)]).toEqual([
    '2e3192',
    '00a650',
    'ed1c24',
    '363639',
  ])
  expect([at(1, 0, 0, 1), at(0, 1, 0, 1), at(1, 1, 0, 1), at(0, 0, 1, 1)]).toEqual([
    '000f24',
    '240000',
    '000002',
    '1c1a00',
  ])
  expect([at(1, 0, 1, 1), at(0, 1, 1, 1), at(1, 1, 1, 1)]).toEqual(['001300', '220000', '000000'])
})
