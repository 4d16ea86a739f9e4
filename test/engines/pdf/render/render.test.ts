import { describe, expect, test } from 'bun:test'
import { createRenderCache } from '../../../../src/engines/pdf/cache.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import type { Face } from '../../../../src/engines/pdf/font/face.ts'
import {
  ARTIFACT,
  type Frame,
  type Layout,
  type LinkFrame,
  type TextFrame,
} from '../../../../src/engines/pdf/frame/frame.ts'
import { UsedFont } from '../../../../src/engines/pdf/render/fonts.ts'
import { renderLayout } from '../../../../src/engines/pdf/render/render.ts'
import type { PdfForm } from '../../../../src/engines/pdf/render/write.ts'
import { Report } from '../../../../src/engines/pdf/report.ts'
import { type Opened, opened } from './opened.ts'

const match = embeddedFonts().match('Arial')
if (!match) throw new Error('The font of the tests is missing')
const { font } = match

const text = (content: string, more: Partial<TextFrame> = {}): TextFrame => ({
  ...{ kind: 'text', x: 10, y: 20, width: 30, text: content, glyphs: undefined, shifts: undefined, node: ARTIFACT },
  look: { font, size: 10, color: '000000', scale: 1, language: '' },
  ...more,
})
const info = { title: '', author: '', subject: '', language: '' }

/** The file of a layout whose pages hold these frames, 500 by 1000 pt each. */
async function rendered(
  pages: readonly Frame[][],
  more: Partial<Layout> = {},
  about: Partial<typeof info> = {},
  form?: PdfForm,
) {
  const layout: Layout = {
    pages: pages.map((frames, index) => ({
      width: 500,
      height: 1_000,
      number: index + 1,
      label: `${index + 1}`,
      frames,
    })),
    structure: [],
    outline: [],
    ...more,
  }
  const report = new Report()
  const collected: number[] = []
  const pdf = renderLayout(
    layout,
    { ...info, ...about },
    {
      readMedia: () => undefined,
      cache: createRenderCache({ maxBytes: 1_000_000 }),
      report,
      form,
      collect: () => collected.push(layout.pages.filter(({ frames }) => frames.length === 0).length),
    },
  )
  const file = await opened(pdf)
  return { pdf, file, report, collected, layout, catalog: `${file.objects.get(numberOf(`${file.trailer.Root}`))}` }
}

const numberOf = (ref: string) => Number(/^(\d+) 0 R/.exec(ref)?.[1])
const entry = (syntax: string, name: string) => new RegExp(`/${name} (\\d+ 0 R|\\([^)]*\\)|\\S+)`).exec(syntax)?.[1]
const all = ({ objects }: Opened, kind: string) => [...objects].filter(([, syntax]) => syntax.includes(kind))
/** Pages in their order. */
const pagesOf = (file: Opened) => all(file, '/Type /Page ')

describe('A file', () => {
  test('in its quick form has the same objects and content, not compressed', async () => {
    const pages = () => [Array.from({ length: 2000 }, (_, index) => text('a', { y: index }))]
    const [small, quick] = [await rendered(pages()), await rendered(pages(), {}, {}, 'quick')]
    expect(quick.file.objects).toEqual(small.file.objects)
    const contents = ({ file }: { file: Opened }) => [...file.streams].map(([number, { data }]) => [number, `${data}`])
    expect(contents(quick)).toEqual(contents(small))
    expect(quick.pdf.length).toBeGreaterThan(small.pdf.length * 2)
  })

  test('has its pages in order, with their size, content and entry of the structure', async () => {
    const { file, layout, catalog } = await rendered([[text('a')], [text('b')]])
    const pages = pagesOf(file)
    expect(file.objects.get(numberOf(entry(catalog, 'Pages') ?? ''))).toBe(
      `<< /Type /Pages /Count 2 /Kids [ ${pages.map(([number]) => `${number} 0 R`).join(' ')} ] >>`,
    )
    for (const [index, [, syntax]] of pages.entries()) {
      expect(syntax).toContain('/MediaBox [ 0 0 500 1000 ]')
      expect(entry(syntax, 'StructParents')).toBe(`${index}`)
      expect(file.streams.get(numberOf(entry(syntax, 'Contents') ?? ''))?.data.toString('latin1')).toContain(
        '10 980 Td',
      )
      expect(syntax).not.toContain('/Annots')
    }
    expect(layout.pages.map(({ frames }) => frames)).toEqual([[], []])
  })

  test('lets the garbage of each three hundred pages be collected', async () => {
    const pages = (count: number) => Array.from({ length: count }, () => [text('a')])
    expect((await rendered(pages(299))).collected).toEqual([])
    expect((await rendered(pages(300))).collected).toEqual([300])
    expect((await rendered(pages(650))).collected).toEqual([300, 600])
  })

  test('says what the document is called, by whom and about what, if it says so', async () => {
    const plain = await rendered([[text('a')]])
    const about = (made: typeof plain) => made.file.objects.get(numberOf(`${made.file.trailer.Info}`))
    expect(about(plain)).toBe('<< /Title (Document) /Producer (Quire) >>')
    const full = await rendered([[text('a')]], {}, { title: 'T', author: 'A', subject: 'S', language: 'de' })
    expect(about(full)).toBe('<< /Title (T) /Producer (Quire) /Author (A) /Subject (S) >>')
    expect(entry(full.catalog, 'Lang')).toBe('(de)')
    expect(plain.catalog).not.toContain('/Lang')
  })

  test('claims to be accessible only with a title, a language and descriptions', async () => {
    const claims = async (
      about: Partial<typeof info>,
      frames: Frame[] = [text('a')],
      structure: Layout['structure'] = [],
    ) => {
      const { file, catalog } = await rendered([frames], { structure }, about)
      return file.streams.get(numberOf(entry(catalog, 'Metadata') ?? ''))?.data.includes('pdfuaid:part')
    }
    expect(await claims({ title: 'T', language: 'en' })).toBe(true)
    expect(await claims({ title: 'T' })).toBe(false)
    expect(await claims({ language: 'en' })).toBe(false)
    expect(
      await claims({ title: 'T', language: 'en' }, [text('a', { node: 0 })], [{ type: 'Figure', parent: -1 }]),
    ).toBe(false)
  })

  test('names its colours, and shows its title', async () => {
    const { file, catalog } = await rendered([[text('a')]])
    expect(catalog).toContain('/MarkInfo << /Marked true >>')
    expect(catalog).toContain('/ViewerPreferences << /DisplayDocTitle true >>')
    const intent = file.objects.get(numberOf(/\/OutputIntents \[ (\d+ 0 R) \]/.exec(catalog)?.[1] ?? '')) ?? ''
    expect(intent).toContain('/S /GTS_PDFA1 /OutputConditionIdentifier (sRGB)')
    expect(file.streams.get(numberOf(entry(intent, 'DestOutputProfile') ?? ''))?.dictionary).toContain('/N 3')
  })
})

describe('The outline', () => {
  const outlined = async (...levels: number[]) => {
    const outline = levels.map((level, index) => ({ title: `${index}`, level, page: index % 2, y: index * 10 }))
    const made = await rendered([[text('a')], [text('b')]], { outline })
    const items = all(made.file, '/XYZ').map(([number, syntax]) => ({
      number,
      syntax,
      title: entry(syntax, 'Title') ?? '',
    }))
    const titleOf = (ref: string | undefined) => items.find(({ number }) => number === numberOf(ref ?? ''))?.title
    const root = made.file.objects.get(numberOf(entry(made.catalog, 'Outlines') ?? '')) ?? ''
    const shown = (syntax: string) =>
      ['Parent', 'Prev', 'Next', 'First', 'Last']
        .map((name) => titleOf(entry(syntax, name))?.replace(/[()]/g, '') ?? '-')
        .join('')
    return {
      ...{ ...made, items, root: `${shown(root)} ${entry(root, 'Count')}` },
      lines: items
        .toSorted((a, b) => a.title.localeCompare(b.title))
        .map(({ syntax }) => `${shown(syntax)} ${entry(syntax, 'Count') ?? 0}`),
    }
  }

  test('nests its entries by their levels, each with its neighbours and how many are below', async () => {
    const { root, lines } = await outlined(1, 2, 3, 2, 1)
    expect(root).toBe('---04 5')
    expect(lines).toEqual(['--413 3', '0-322 1', '1---- 0', '01--- 0', '-0--- 0'])
  })

  test('takes a first entry of any level for one of the first', async () => {
    const { root, lines } = await outlined(3, 1, 2)
    expect(root).toBe('---01 3')
    expect(lines).toEqual(['--1-- 0', '-0-22 1', '1---- 0'])
  })

  test('leads to the place on its page', async () => {
    const { file, items, catalog } = await outlined(1, 1)
    const pages = pagesOf(file).map(([number]) => number)
    expect(items.map(({ syntax }) => /\/Dest \[[^\]]*\]/.exec(syntax)?.[0])).toEqual([
      `/Dest [ ${pages[0]} 0 R /XYZ 0 1000 null ]`,
      `/Dest [ ${pages[1]} 0 R /XYZ 0 990 null ]`,
    ])
    expect(catalog).toContain('/PageMode /UseOutlines')
    expect((await outlined()).catalog).not.toContain('Outlines')
  })

  test('shortens its titles to 500 characters', async () => {
    const { file } = await rendered([[]], { outline: [{ title: 'x'.repeat(501), level: 1, page: 0, y: 0 }] })
    expect(entry(all(file, '/XYZ')[0]?.[1] ?? '', 'Title')).toBe(`(${'x'.repeat(500)})`)
  })
})

describe('Links', () => {
  const link = (target: LinkFrame['link'], more: Partial<LinkFrame> = {}): LinkFrame => ({
    ...{ kind: 'link', x: 10, y: 20, width: 30, height: 40, link: target, text: ' there ', node: -1 },
    ...more,
  })
  const place = (name: string, x: number, y: number): Frame => ({ kind: 'destination', name, x, y })
  const uri = (address: string) => link({ kind: 'uri', uri: address })
  const annotations = (file: Opened) => all(file, '/Type /Annot ').map(([, syntax]) => syntax)

  test('cover their place, and say what they are', async () => {
    const { file } = await rendered([
      [uri('https://example.com/a(b)'), link({ kind: 'uri', uri: 'mailto:a@b.c' }, { text: ' ' })],
    ])
    const [first, second] = annotations(file)
    expect(first).toBe(
      '<< /Type /Annot /Subtype /Link /Rect [ 10 940 40 980 ] /Border [ 0 0 0 ] /F 4 /StructParent 0 /Contents (there) ' +
        '/A << /S /URI /URI (https://example.com/a\\(b\\)) >> >>',
    )
    expect(second).toContain('/Contents (Link)')
    const refs = all(file, '/Type /Annot ').map(([number]) => `${number} 0 R`)
    expect(pagesOf(file)[0]?.[1]).toContain(`/Annots [ ${refs.join(' ')} ]`)
  })

  test('lead to the first place of their name, on any page', async () => {
    const to = (bookmark: string) => link({ kind: 'internal', bookmark })
    const { file } = await rendered([
      [to('later'), to('nowhere')],
      [place('later', 5, 100), place('later', 6, 200)],
    ])
    const [, second] = pagesOf(file).map(([number]) => number)
    expect(annotations(file).map((syntax) => /\/Dest \[[^\]]*\]/.exec(syntax)?.[0])).toEqual([
      `/Dest [ ${second} 0 R /XYZ 5 900 null ]`,
    ])
  })

  test('and their places are where their group is', async () => {
    const group: Frame = {
      ...{ kind: 'group', x: 100, y: 200, matrix: [0, 1, -1, 0, 0, 0] },
      frames: [uri('http://a.b'), place('turned', 10, 20)],
    }
    const clip: Frame = {
      kind: 'clip',
      x: 0,
      y: 0,
      width: 9,
      height: 9,
      frames: [group, link({ kind: 'internal', bookmark: 'turned' })],
    }
    const [turned = '', plain = ''] = annotations((await rendered([[clip]])).file)
    expect(turned).toContain('/Rect [ 40 760 80 790 ]')
    expect(plain).toContain('/Rect [ 10 940 40 980 ]')
    expect(plain).toContain('/XYZ 80 790 null')
  })

  test('of other kinds than web, mail and phone are left out with a remark', async () => {
    for (const kept of ['http://a', 'HTTPS://a', 'mailto:a', 'tel:1', 'ftp://a', 'sip:a'])
      expect(annotations((await rendered([[uri(kept)]])).file).length).toBe(1)
    for (const dropped of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'xhttps://a', 'https']) {
      const { file, report } = await rendered([[uri(dropped)]])
      expect(annotations(file)).toEqual([])
      expect(report.findings.map(({ code }) => code)).toEqual(['render.link_dropped'])
    }
    const long = (await rendered([[uri(`x:${'y'.repeat(200)}`)]])).report.findings[0]?.message
    expect(long).toContain(`The link to x:${'y'.repeat(78)} is left out`)
  })

  test('are written in ASCII, and no longer than 2000 characters', async () => {
    const address = async (from: string) =>
      /\/URI \/URI \((.*)\) >> >>$/.exec(annotations((await rendered([[uri(from)]])).file)[0] ?? '')?.[1]
    expect(await address('https://a/ü ~!b')).toBe('https://a/%C3%BC%20~!b')
    expect(await address('https://a/\ud800b')).toBe('https://a/b')
    expect((await address(`https://${'a'.repeat(3_000)}`))?.length).toBe(2_000)
  })

  test('join the structure where they belong to it', async () => {
    const { file } = await rendered([[link({ kind: 'uri', uri: 'http://a' }, { node: 0 })]], {
      structure: [{ type: 'Link', parent: -1 }],
    })
    expect(entry(annotations(file)[0] ?? '', 'StructParent')).toBe('0')
    expect(entry(pagesOf(file)[0]?.[1] ?? '', 'StructParents')).toBe('1')
  })
})

describe('A font', () => {
  const { face } = font
  const code = (letter: string) => letter.codePointAt(0) ?? 0

  test('has a code for each glyph and the character that it stands for', () => {
    const used = new UsedFont('F1', 1, font)
    const a = face.glyph(code('a'))
    expect([
      used.code(a, code('a')),
      used.plainCode(code('a')),
      used.plainCode(code('b')),
      used.code(a, code('x')),
    ]).toEqual([1, 1, 2, 3])
    expect([used.code(a, code('x')), used.code(a, code('a')), used.plainCode(code('b'))]).toEqual([3, 1, 2])
    expect([used.code(-1, 0x20), used.code(-1, 0x20), used.code(-1, 0x21)]).toEqual([4, 4, 5])
    expect(used.glyphs).toEqual([0, a, face.glyph(code('b')), a, -1, -1])
    expect(used.unicode).toEqual(['', 'a', 'b', 'x', ' ', '!'])
  })

  test('has a code for a glyph of several characters or of none', () => {
    const used = new UsedFont('F1', 1, font)
    expect([used.shapedCode(5, 'ab'), used.shapedCode(5, 'a'), used.shapedCode(5, ''), used.shapedCode(6, '')]).toEqual(
      [1, 2, 3, 4],
    )
    expect([
      used.shapedCode(5, 'ab'),
      used.code(5, code('a')),
      used.shapedCode(5, ''),
      used.shapedCode(6, '😀'),
    ]).toEqual([1, 2, 3, 5])
    expect(used.code(6, 0x1f600)).toBe(5)
  })

  test('shows the missing glyph once its codes are used up', () => {
    const used = new UsedFont('F1', 1, font)
    for (let glyph = 1; glyph <= 0xffff; glyph++) used.code(glyph, 0x41)
    expect(used.code(0xffff, 0x41)).toBe(0xffff)
    expect(used.code(1, 0x42)).toBe(0)
    expect(used.glyphs.length).toBe(0x10000)
  })

  test('is written with its widths, its metrics and the text of its codes', async () => {
    const { file } = await rendered([[text('AW\u{10ffff}é')]])
    const [, type0 = ''] = all(file, '/Subtype /Type0')[0] ?? []
    const [, descendant = ''] = all(file, '/Subtype /CIDFontType2')[0] ?? []
    const [, descriptor = ''] = all(file, '/FontDescriptor /FontName')[0] ?? []
    const thousand = (value: number) => Math.round(value * 1_000)
    const width = (letter: string) => `${Math.round(face.advance(face.glyph(code(letter))) * 1_000_000) / 1_000}`
    const none = `${Math.round(face.advance(0) * 1_000_000) / 1_000}`
    expect(descendant).toContain(
      `/DW 1000 /W [ 0 [ ${none} ${width('A')} ${width('W')} ${none} ${width('é')} ] ] /CIDToGIDMap /Identity`,
    )
    expect(entry(descendant, 'BaseFont')).toMatch(/^\/[A-Z]{6}\+Arimo-Regular$/)
    expect(descriptor).toContain(`/Flags 4 /FontBBox [ ${face.bbox.map(thousand).join(' ')} ]`)
    expect(descriptor).toContain(
      `/ItalicAngle 0 /Ascent ${thousand(face.ascent)} /Descent ${-thousand(face.descent)} /CapHeight ${thousand(face.capHeight)} /XHeight ${thousand(face.xHeight)} /StemV 80`,
    )
    const { dictionary = '', data } = file.streams.get(numberOf(entry(descriptor, 'FontFile2') ?? '')) ?? {}
    expect(entry(dictionary, 'Length1')).toBe(`${data?.length}`)
    const map = file.streams.get(numberOf(entry(type0, 'ToUnicode') ?? ''))?.data.toString()
    expect(map).toContain('4 beginbfchar\n<0001> <0041>\n<0002> <0057>\n<0003> <DBFFDFFF>\n<0004> <00E9>\nendbfchar\n')
  })

  test('says whether it is bold, slanted or of one width', async () => {
    const described = async (family: string, style: { bold: boolean; italic: boolean }) => {
      const found = embeddedFonts().match(family, style)?.font ?? expect.unreachable()
      const { file } = await rendered([[text('a', { look: { ...text('').look, font: found } })]])
      const [, syntax = ''] = all(file, '/FontDescriptor /FontName')[0] ?? []
      return [entry(syntax, 'Flags'), entry(syntax, 'StemV'), entry(syntax, 'ItalicAngle')]
    }
    expect(await described('Courier New', { bold: true, italic: false })).toEqual(['5', '140', '0'])
    expect(await described('Arial', { bold: false, italic: true })).toEqual(['68', '80', '-12'])
  })

  test('has at most a hundred codes in a block of its map', async () => {
    const letters = Array.from({ length: 101 }, (_, index) => String.fromCodePoint(0xa1 + index)).join('')
    const { file } = await rendered([[text(letters)]])
    const maps = [...file.streams.values()]
      .map(({ data }) => data.toString('latin1'))
      .filter((data) => data.includes('beginbfchar'))
    expect(maps[0]?.match(/\d+ beginbfchar/g)).toEqual(['100 beginbfchar', '1 beginbfchar'])
    expect(maps[0]).toContain('1 beginbfchar\n<0065> <0105>\nendbfchar')
  })

  test('that may not be subset is embedded whole, with a map from codes to glyphs', async () => {
    const whole: Face = { ...face, maySubset: false }
    const { file } = await rendered([[text('ab', { look: { ...text('').look, font: { ...font, face: whole } } })]])
    const [, descendant = ''] = all(file, '/Subtype /CIDFontType2')[0] ?? []
    expect(entry(descendant, 'BaseFont')).toBe('/Arimo-Regular')
    const map = file.streams.get(numberOf(entry(descendant, 'CIDToGIDMap') ?? ''))?.data
    expect([0, 2, 4].map((at) => map?.readUInt16BE(at))).toEqual([0, face.glyph(code('a')), face.glyph(code('b'))])
  })

  test('of East Asian text is one of its own, so that readers keep it apart; one that is embedded whole is there once', async () => {
    const page = (more: Partial<TextFrame> = {}) => [text('あ', more), text('0', more), text('一', more)]
    const fonts = ({ file }: Awaited<ReturnType<typeof rendered>>) => all(file, '/Subtype /CIDFontType2').length
    const shown = await rendered([page()])
    expect(fonts(shown)).toBe(2)
    const maps = [...shown.file.streams.values()].map(({ data }) => data.toString('latin1'))
    expect(maps.filter((map) => map.includes('<0001> <3042>\n<0002> <4E00>\n'))).toHaveLength(1)
    expect(maps.filter((map) => map.includes('<0001> <0030>\nendbfchar'))).toHaveLength(1)
    const whole = { ...font, face: { ...face, maySubset: false } }
    expect(fonts(await rendered([page({ look: { ...text('').look, font: whole } })]))).toBe(1)
  })
})
