import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { limits } from '../../../src/core/limits.ts'
import { splitMarks } from '../../../src/core/marks.ts'
import { encodeWhole, isSafeAddress } from '../../../src/engines/docx/compose/addresses.ts'
import { barcodeImage, qrImage } from '../../../src/engines/docx/compose/barcodes.ts'
import { drawingXml, sizeOnPaper } from '../../../src/engines/docx/compose/drawing.ts'
import { FreshIds } from '../../../src/engines/docx/compose/fresh-ids.ts'
import { Marking } from '../../../src/engines/docx/compose/marking.ts'
import { PictureStore } from '../../../src/engines/docx/compose/picture-store.ts'
import { loadPicture, mediaPart } from '../../../src/engines/docx/compose/pictures.ts'
import { RichTexts } from '../../../src/engines/docx/compose/rich-texts.ts'
import { withLastSection } from '../../../src/engines/docx/compose/sections.ts'
import { placeFor, writeProperties } from '../../../src/engines/docx/plan/properties.ts'
import { parseXml } from '../../../src/engines/ooxml/xml-parser.ts'

const base64 = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64')

describe('an address', () => {
  test.each([
    'https://x.org',
    'HTTP://x.org',
    'mailto:a@x.org',
    'tel:+49',
    'sms:1',
    'ftp://x',
    'ftps://x',
    'page.html',
    '/a:b',
    '?a:b',
    '#a:b',
    '',
  ])('%p is allowed as a link', (address) => {
    expect(isSafeAddress(address)).toBe(true)
  })

  test.each(['javascript:x', ' JavaScript:x', 'file:///x', 'data:text/html,x', '\\\\server\\x', '//server/x', ':x'])(
    '%p is refused as a link',
    (address) => {
      expect(isSafeAddress(address)).toBe(false)
    },
  )

  test('is encoded if needed, and not encoded twice', () => {
    expect(encodeWhole('https://x.org/ä b?c=%20%zz')).toBe('https://x.org/%C3%A4%20b?c=%20%25zz')
  })
})

describe('fresh ids', () => {
  const fresh = () => new FreshIds({ drawing: 4, bookmark: 7, footnote: 2, endnote: 9 })

  test('continue above the template’s ids, separately for each kind', () => {
    const ids = fresh()
    expect([ids.drawing(), ids.drawing(), ids.note('footnote'), ids.note('endnote'), ids.note('footnote')]).toEqual([
      5, 6, 3, 10, 4,
    ])
    expect(ids.text('drawing', '1', '1')).toBe('7')
  })

  test('of a bookmark have the same number at both ends, even if bookmarks cross', () => {
    const ids = fresh()
    expect(ids.text('bookmark', 'a', '1')).toBe('8')
    expect(ids.text('bookmark', 'b', '2')).toBe('9')
    expect(ids.text('bookmarkEnd', 'a', '1')).toBe('8')
    expect(ids.text('bookmarkEnd', 'b', '2')).toBe('9')
    expect(ids.text('bookmark', 'a', '1')).toBe('10')
    expect(ids.text('bookmarkEnd', 'a', '1')).toBe('10')
    expect(ids.text('bookmarkEnd', 'c', '3')).toBe('c')
  })

  test('limit the names of copied bookmarks to 40 characters, and keep the first name', () => {
    const ids = fresh()
    const name = 'n'.repeat(40)
    const names = Array.from({ length: 3 }, () => ids.text('bookmarkName', '1', name))
    expect(names).toEqual([name, `${'n'.repeat(32)}_2`, `${'n'.repeat(32)}_3`])
    expect(ids.text('bookmarkName', '2', 'a&b')).toBe('a&amp;b')
    expect(ids.text('bookmarkName', '2', 'a&b')).toBe('a&amp;b_2')
    let last = ''
    for (let copy = 4; copy <= 10_000; copy++) last = ids.text('bookmarkName', '1', name)
    expect(last).toBe(`${'n'.repeat(32)}_10000`)
  })
})

describe('marking', () => {
  const parts = (xml: string) => splitMarks(xml.replace(/<[^>]*>/g, '')).map(({ text, mark }) => [text, mark])

  test('marks the text of a value, and does not change its mark-up', () => {
    const marking = new Marking()
    const xml = marking.value('a</w:t><w:br/><w:t xml:space="preserve">b', 'p#1:0')
    expect(parts(xml)).toEqual([
      ['a', 0],
      ['b', 0],
    ])
    expect(xml).toContain('</w:t><w:br/><w:t xml:space="preserve">')
  })

  test('marks only the text of whole runs, and gives every place one number', () => {
    const marking = new Marking()
    marking.value('x', 'p#1:0')
    const xml = marking.runs('<w:p>\n<w:r><w:t>a</w:t><w:tab/><w:t/>c<t>d</t></w:r></w:p>', 'p#2:0')
    expect(parts(xml)).toEqual([
      ['\n', undefined],
      ['a', 1],
      ['c', undefined],
      ['d', 1],
    ])
    expect(parts(marking.value('y', 'p#1:0'))).toEqual([['y', 0]])
    expect(marking.marked.map(({ place }) => place)).toEqual(['p#1:0', 'p#2:0'])
    expect(parts(marking.value('z', 'p#1:0', '/lines/1'))).toEqual([['z', 2]])
    expect(marking.marked[2]).toEqual({ place: 'p#1:0', pointer: '/lines/1' })
  })

  test('keeps the first place of a picture', () => {
    const marking = new Marking()
    marking.picture('word/media/a.png', 'p#1:0')
    marking.picture('word/media/a.png', 'p#2:0')
    marking.picture('word/media/b.png', 'p#2:0')
    expect([...marking.pictures]).toEqual([
      ['word/media/a.png', 0],
      ['word/media/b.png', 1],
    ])
  })
})

const bareUri = 'xmlns="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const wordUri = bareUri.replace('xmlns', 'xmlns:w')

describe('the last section', () => {
  const section = (width: number) => `<w:sectPr><w:pgSz w:w="${width}"/></w:sectPr>`
  const ending = (id: number, text = '') => `<w:p><w:pPr><w:jc/>${section(id)}</w:pPr>${text}</w:p>`
  const body = (content: string) => `<w:document ${wordUri}><w:body>${content}</w:body></w:document>`
  const last = (content: string) => withLastSection(body(content))

  test('takes the properties of the one before it if its text is gone', () => {
    expect(last(`<w:p>a</w:p>${ending(1, 'b')}${section(2)}`)).toBe(
      body(`<w:p>a</w:p><w:p><w:pPr><w:jc/></w:pPr>b</w:p>${section(1)}`),
    )
    expect(last(`${ending(1).replace('<w:p>', '<w:p w:rsidR="1">')} \n${section(2)}`)).toBe(
      body(`<w:p w:rsidR="1"><w:pPr><w:jc/></w:pPr></w:p>${section(1)}`),
    )
    expect(last(`<w:p><w:pPr><w:sectPr/></w:pPr></w:p>${section(2)}`)).toBe(
      body('<w:p><w:pPr></w:pPr></w:p><w:sectPr/>'),
    )
  })

  test.each([
    ['text is left in it', `${ending(1)}<w:p>a</w:p>${section(2)}`],
    ['no section is before it', `<w:p><w:pPr><w:jc/></w:pPr></w:p>${section(2)}`],
    ['a table is before it', `${ending(1)}<w:tbl/>${section(2)}`],
    ['its properties are tracked', `${ending(1)}<w:sectPr><w:sectPrChange><w:sectPr/></w:sectPrChange></w:sectPr>`],
    ['those before are tracked', `<w:p><w:pPr><w:sectPr><w:sectPrChange/></w:sectPr></w:pPr></w:p>${section(2)}`],
    ['the body has none', ending(1)],
    ['something follows it', `${ending(1)}${section(2)}<w:p/>`],
  ])('stays when %s', (_, content) => {
    expect(last(content)).toBe(body(content))
  })

  test('is found under any prefix, and takes along what its own is declared by', () => {
    const others = (text: string, prefix: string) => text.replaceAll(/(<\/?)w:/g, `$1${prefix}`)
    const whole = `<w:p><w:pPr><w:jc/></w:pPr></w:p>${section(1)}`
    const named = (text: string) => others(text, 'x:').replaceAll(' w:', ' x:').replace('xmlns:w', 'xmlns:x')
    expect(withLastSection(named(body(ending(1) + section(2))))).toBe(named(body(whole)))
    const unnamed = (text: string) => others(body(text), '').replace('<document', `<document ${bareUri}`)
    expect(withLastSection(unnamed(ending(1) + section(2)))).toBe(unnamed(whole))
    for (const [prefix, declared] of [
      ['x:', wordUri.replace(':w', ':x')],
      ['', bareUri],
    ] as const) {
      const own = (text: string) => others(text, prefix).replace(/p>/, `p ${declared}>`)
      const moved = others(section(1), prefix).replace('sectPr', `sectPr ${declared}`)
      expect(last(own(ending(1)) + section(2))).toBe(body(own('<w:p><w:pPr><w:jc/></w:pPr></w:p>') + moved))
    }
  })
})

describe('properties', () => {
  const written = (kind: 'paragraph' | 'run', names: string[]) =>
    [...writeProperties(kind, new Map(names.map((name) => [name, `<${name}/>`]))).matchAll(/<([\w:]+)\/>/g)].map(
      ([, name]) => name,
    )

  test('are written in the order of the schema, with unknown ones last', () => {
    expect(written('paragraph', ['w14:x', 'w:rPr', 'w:jc', 'w:numPr', 'w:keepNext', 'w:pStyle', 'w:sectPr'])).toEqual([
      'w:pStyle',
      'w:keepNext',
      'w:numPr',
      'w:jc',
      'w:rPr',
      'w:sectPr',
      'w14:x',
    ])
    expect(written('run', ['w14:y', 'w:lang', 'w:sz', 'w:color', 'w:b', 'w:rFonts', 'w:rStyle'])).toEqual([
      'w:rStyle',
      'w:rFonts',
      'w:b',
      'w:color',
      'w:sz',
      'w:lang',
      'w14:y',
    ])
    expect(writeProperties('run', new Map())).toBe('')
    expect(writeProperties('run', new Map([['w:b', '<w:b/>']]))).toBe('<w:rPr><w:b/></w:rPr>')
    expect(writeProperties('paragraph', new Map([['w:jc', '<w:jc/>']]))).toBe('<w:pPr><w:jc/></w:pPr>')
  })

  test('insert a new one before the first that follows it in the schema', () => {
    const at = (content: string) => {
      const source = `<w:pPr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${content}</w:pPr>`
      const parsed = parseXml(source)
      if (!parsed.ok) throw new Error('not read')
      return source.slice(placeFor(parsed.value, 'w:numPr'))
    }
    expect(at('<w:pStyle/><w:keepNext/><w:jc/><w:rPr/>')).toBe('<w:jc/><w:rPr/></w:pPr>')
    expect(at('<w:pStyle/>')).toBe('</w:pPr>')
    expect(at('')).toBe('</w:pPr>')
    expect(at('<w:numPr/><w:unknown/>')).toBe('<w:unknown/></w:pPr>')
  })
})

describe('a picture', () => {
  const chunk = (type: string, ...data: number[]) => [
    0,
    0,
    0,
    data.length,
    ...[...type].map((letter) => letter.charCodeAt(0)),
    ...data,
    0,
    0,
    0,
    0,
  ]
  const be = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]
  const png = (width: number, height: number, ...more: number[]) =>
    base64([137, 80, 78, 71, 13, 10, 26, 10, ...chunk('IHDR', ...be(width), ...be(height), 8, 2, 0, 0, 0), ...more])
  const loaded = (value: string) => {
    const result = loadPicture({ kind: 'image' }, value)
    if (!result.ok) return result.message
    const { widthEmu, heightEmu, extension } = result.picture
    return [extension, widthEmu, heightEmu]
  }

  test('of PNG has the size its resolution gives, and 96 pixels an inch without one', () => {
    expect(loaded(png(96, 48))).toEqual(['png', 914_400, 457_200])
    expect(loaded(png(300, 150, ...chunk('pHYs', ...be(11_811), ...be(11_811), 1)))).toEqual(['png', 914_402, 457_201])
    // Unit 0 says only how wide a pixel is to its height.
    expect(loaded(png(96, 48, ...chunk('pHYs', ...be(11_811), ...be(11_811), 0)))).toEqual(['png', 914_400, 457_200])
    // Behind the picture's data nothing is looked at.
    const late = [...chunk('IDAT', 1), ...chunk('pHYs', ...be(11_811), ...be(11_811), 1)]
    expect(loaded(png(96, 48, ...late))).toEqual(['png', 914_400, 457_200])
    const before = [...chunk('tEXt', 1, 2), ...chunk('pHYs', ...be(11_811), ...be(11_811), 1)]
    expect(loaded(png(300, 150, ...before))).toEqual(['png', 914_402, 457_201])
  })

  test.each([
    [19, 96],
    [20, 20],
    [4_800, 4_800],
    [4_801, 96],
  ])('with %d pixels an inch counts as one with %d, because other values are mistakes', (stated, meant) => {
    const jfif = [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 1, stated >> 8, stated & 255, 0, 0, 0, 0]
    const jpeg = base64([0xff, 0xd8, ...jfif, 0xff, 0xc0, 0, 11, 8, 0, 48, 0, 96, 1, 1, 0x11, 0])
    expect(loaded(jpeg)).toEqual(['jpeg', Math.round((96 * 914_400) / meant), Math.round((48 * 914_400) / meant)])
  })

  test('of JPEG can count its pixels per centimetre, and has its size in any kind of frame', () => {
    const jfif = (unit: number) => [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, unit, 0, 100, 0, 0, 0, 0]
    const jpeg = (head: number[], marker: number) =>
      base64([0xff, 0xd8, ...head, 0xff, marker, 0, 11, 8, 0, 48, 0, 96, 1, 1, 0x11, 0])
    expect(loaded(jpeg(jfif(2), 0xc0))).toEqual(['jpeg', 345_600, 172_800])
    expect(loaded(jpeg(jfif(0), 0xc0))).toEqual(['jpeg', 914_400, 457_200])
    expect(loaded(jpeg([], 0xcf))).toEqual(['jpeg', 914_400, 457_200])
    expect(loaded(jpeg([0xff, 0xff], 0xc2))).toEqual(['jpeg', 914_400, 457_200])
    for (const table of [0xc4, 0xc8, 0xcc, 0xd0]) {
      expect(loaded(jpeg([], table))).toBe('is neither a PNG nor a JPEG nor an SVG picture')
    }
    const other = [0xff, 0xc4, 0, 4, 1, 2]
    expect(loaded(jpeg(other, 0xc1))).toEqual(['jpeg', 914_400, 457_200])
  })

  test('can have sides of 1 to 20,000 pixels', () => {
    expect(loaded(png(20_000, 1))).toEqual(['png', 190_500_000, 9_525])
    for (const [width, height] of [
      [20_001, 1],
      [1, 20_001],
      [0, 1],
      [1, 0],
    ] as const) {
      expect(loaded(png(width, height))).toBe(`is ${width} × ${height} pixels large`)
    }
  })

  test('is base64 text or a data URI, also over several lines and in the URL alphabet', () => {
    const bytes = png(1, 1)
    for (const written of [bytes, `data:image/png;base64,${bytes}`, `${bytes.slice(0, 9)}\n ${bytes.slice(9)}`]) {
      expect(loaded(written)).toEqual(['png', 9_525, 9_525])
    }
    expect(loaded(bytes.replaceAll('+', '-').replaceAll('/', '_'))).toEqual(['png', 9_525, 9_525])
    expect(loaded('data:image/png,abc')).toBe('is a data URI that is not base64')
    expect(loaded('a*b')).toBe('is not base64 text')
    expect(loaded('')).toBe('is not base64 text')
    expect(loaded('QUJD=')).toBe('is neither a PNG nor a JPEG nor an SVG picture')
    expect(loadPicture({ kind: 'image' }, ['x'])).toMatchObject({ message: 'is not a single value' })
    const most = Math.ceil((limits.pictureBytes * 4) / 3 + 4)
    expect(loaded('A'.repeat(most + 1))).toBe(`is a picture of more than ${limits.pictureBytes} bytes`)
  })

  test('has the size in its tag, and keeps its proportions if the tag gives one side', () => {
    const picture = {
      bytes: new Uint8Array(),
      extension: 'png' as const,
      hash: 'a'.repeat(64),
      widthEmu: 200,
      heightEmu: 100,
    }
    expect(sizeOnPaper(picture, {})).toEqual({ widthEmu: 200, heightEmu: 100 })
    expect(sizeOnPaper(picture, { widthEmu: 50 })).toEqual({ widthEmu: 50, heightEmu: 25 })
    expect(sizeOnPaper(picture, { heightEmu: 50 })).toEqual({ widthEmu: 100, heightEmu: 50 })
    expect(sizeOnPaper(picture, { widthEmu: 7, heightEmu: 9 })).toEqual({ widthEmu: 7, heightEmu: 9 })
    expect(sizeOnPaper({ ...picture, heightEmu: 1 }, { widthEmu: 1 })).toEqual({ widthEmu: 1, heightEmu: 1 })
    expect(sizeOnPaper({ ...picture, widthEmu: 1 }, { heightEmu: 1 })).toEqual({ widthEmu: 1, heightEmu: 1 })
    expect(mediaPart(picture)).toBe(`word/media/quire-${'a'.repeat(32)}.png`)
  })

  test('is drawn in the namespaces of its document, with its alternative text', () => {
    const picture = { bytes: new Uint8Array(), extension: 'png' as const, hash: '', widthEmu: 2, heightEmu: 1 }
    const place = { relationshipId: 'r7', drawingId: 5, prefix: 'x:', alternative: 'a "b"' }
    const strict = drawingXml(picture, {}, { ...place, conformance: 'strict' })
    const transitional = drawingXml(picture, {}, { ...place, conformance: 'transitional' })
    expect(strict.match(/http:\/\/(?:[\w.]+\/\w+)/g)?.every((uri) => uri === 'http://purl.oclc.org/ooxml')).toBe(true)
    expect(new Set(transitional.match(/http:\/\/[\w.]+/g))).toEqual(new Set(['http://schemas.openxmlformats.org']))
    expect(strict).toMatch(/^<x:drawing>.*<\/x:drawing>$/)
    expect(strict.match(/id="5" name="Picture 5" descr="a &quot;b&quot;"/g)).toHaveLength(2)
    expect(strict).toContain('r:embed="r7"')
    expect(strict.match(/cx="2" cy="1"/g)).toHaveLength(2)
    expect(drawingXml(picture, {}, { ...place, alternative: '', conformance: 'strict' })).not.toContain('descr')
  })

  test('of a code is drawn once, and all codes of a document stay within a limit', () => {
    const store = new PictureStore()
    expect(store.load({ kind: 'qr' }, 'same')).toBe(store.load({ kind: 'qr' }, 'same'))
    expect(store.load({ kind: 'barcode', symbology: 'code39' }, 'A')).not.toBe(
      store.load({ kind: 'barcode', symbology: 'code128' }, 'A'),
    )
    const full = new PictureStore()
    for (let count = 0; count < limits.composeCodeChars / 60; count++) {
      expect(full.load({ kind: 'barcode', symbology: 'code128' }, `${count}`).ok).toBe(true)
    }
    expect(full.load({ kind: 'barcode', symbology: 'code128' }, 'more')).toMatchObject({
      ok: false,
      message: 'is one code too many for a document',
    })
    expect(full.load({ kind: 'barcode', symbology: 'code128' }, '1').ok).toBe(true)
    const long = new PictureStore()
    for (let count = 0; count < limits.composeCodeChars / 120; count++) {
      long.load({ kind: 'barcode', symbology: 'code128' }, `${count}`.padStart(120, 'a'))
    }
    expect(long.load({ kind: 'barcode', symbology: 'code128' }, 'a').ok).toBe(false)
  })
})

describe('rich texts of one document', () => {
  test('are read once, and each use counts', () => {
    const texts = new RichTexts()
    const first = texts.read('<p>a</p>', 'html')
    expect(texts.read('<p>a</p>', 'html')).toBe(first)
    expect(texts.read('<p>a</p>', 'markdown')).not.toEqual(first)
    expect(texts.read('<p>a</p>', undefined)).toEqual(first)
  })

  test('are limited to the elements and characters that a document may have', () => {
    const refused = { ok: false, message: 'is more rich text than a document takes' }
    const many = new RichTexts()
    const html = '<b>a</b>'.repeat(9_000)
    const uses = Array.from({ length: 5 }, () => many.read(html, 'html').ok)
    expect(uses.slice(0, 3)).toEqual([true, true, true])
    expect(many.read(html, 'html')).toMatchObject(refused)
    const long = new RichTexts()
    const text = 'a'.repeat(limits.richTextChars)
    for (let count = 0; count < limits.composeRichTextChars / limits.richTextChars; count++) {
      expect(long.read(text, 'html').ok).toBe(true)
    }
    expect(long.read('a', 'html')).toMatchObject(refused)
  })
})

describe('codes', () => {
  /** Rows of a one-bit PNG as text, a character a module. */
  function modules(bytes: Uint8Array): string[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const [width, height] = [view.getUint32(16), view.getUint32(20)]
    const length = view.getUint32(33)
    const pixels = inflateSync(bytes.subarray(41, 41 + length))
    const stride = 1 + width / 8
    return Array.from({ length: height / 8 }, (_, row) => {
      const line = pixels.subarray(row * 8 * stride, (row * 8 + 1) * stride)
      return [...line.subarray(1)].map((byte) => (byte === 0 ? '#' : '.')).join('')
    })
  }
  const drawn = (code: ReturnType<typeof qrImage>) => {
    if (!code.ok) throw new Error(code.message)
    return code
  }

  test('of QR have their finder patterns inside a quiet zone of four modules, at 2 cm', () => {
    const code = drawn(qrImage('x'))
    const rows = modules(code.bytes)
    expect(rows).toHaveLength(29)
    expect(rows.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => '.'.repeat(29)))
    expect(rows.slice(-4)).toEqual(Array.from({ length: 4 }, () => '.'.repeat(29)))
    expect(rows[4]).toMatch(/^\.{4}#{7}\..*\.#{7}\.{4}$/)
    expect(rows[5]).toMatch(/^\.{4}#\.{5}#\..*\.#\.{5}#\.{4}$/)
    expect([code.widthEmu, code.heightEmu]).toEqual([720_000, 720_000])
  })

  test('of QR hold up to 2,331 bytes of UTF-8', () => {
    expect(qrImage('x'.repeat(2_331)).ok).toBe(true)
    expect(qrImage('x'.repeat(2_332))).toMatchObject({ message: 'has 2332 bytes, too many for a QR code' })
    expect(qrImage('é'.repeat(1_166)).ok).toBe(false)
  })

  test('of bars are one module high with ten quiet modules on each side, 15 mm high on paper', () => {
    const code = drawn(barcodeImage('A', 'code39'))
    const [row = '', ...rest] = modules(code.bytes)
    expect(rest).toEqual([])
    expect(row).toMatch(/^\.{10}#\.\.\.#.*#\.{11}$/)
    expect([code.widthEmu, code.heightEmu]).toEqual([row.length * 12_700, 540_000])
  })

  test.each([
    ['code128', 'aB1', 'ü'],
    ['code39', 'AB-1', 'a_b'],
    ['ean13', '4006381333931', '4006381333932'],
    ['ean8', '96385074', '96385075'],
    ['upc', '036000291452', '036000291453'],
    ['itf', '123456', '12345'],
    ['itf14', '10012345678902', '10012345678903'],
    ['codabar', 'A1234B', '12?4'],
  ] as const)('of type %s accept %s and refuse %s', (type, good, bad) => {
    expect(barcodeImage(good, type).ok).toBe(true)
    expect(barcodeImage(bad, type)).toMatchObject({ message: `cannot be written as a ${type} barcode` })
  })

  test('of bars hold up to 128 characters', () => {
    expect(barcodeImage('1'.repeat(128), 'code128').ok).toBe(true)
    expect(barcodeImage('1'.repeat(129), 'code128').ok).toBe(false)
  })
})
