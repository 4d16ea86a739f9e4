import { describe, expect, test } from 'bun:test'
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFHexString, PDFRawStream, PDFString } from 'pdf-lib'
import { plainPng } from './documents.ts'
import { needs, save } from './tools.ts'
import { p, picture, renderingOf, smallSection, type WordParts, wordDocument } from './word.ts'

/**
 * Rules of ISO 19005-2 (PDF/A-2b) and ISO 14289-1 (PDF/UA-1) that documents can lead into breaking, looked for in the
 * finished file. docs/rendering.md says which validator was run over it as a whole.
 */

const poppler = needs('pdftoppm')

/** 8 × 8 pixels of pure cyan as Photoshop stores them, in four inverted inks. */
const cyanJpeg = new Uint8Array(
  Buffer.from(
    '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwDzCvTq9Or06v/Z',
    'base64',
  ),
)

interface Opened {
  /** Every string of every dictionary and array, by its length in bytes. */
  strings: number[]
  /** Content streams and XMP, decoded. */
  streams: string[]
  /** Dictionaries as they are written. */
  dictionaries: string[]
}

async function open(pdf: Uint8Array): Promise<Opened> {
  const { context } = await PDFDocument.load(pdf, { updateMetadata: false })
  const opened: Opened = { strings: [], streams: [], dictionaries: [] }
  const visit = (object: unknown) => {
    if (object instanceof PDFString || object instanceof PDFHexString) opened.strings.push(object.asBytes().length)
    else if (object instanceof PDFArray) for (const item of object.asArray()) visit(item)
    else if (object instanceof PDFDict) for (const value of object.values()) visit(value)
  }
  for (const [, object] of context.enumerateIndirectObjects()) {
    visit(object)
    if (object instanceof PDFDict) opened.dictionaries.push(object.toString())
    if (!(object instanceof PDFRawStream)) continue
    visit(object.dict)
    opened.dictionaries.push(object.dict.toString())
    if (/DCTDecode|FontFile|Length1|CIDFontType0C/.test(object.dict.toString())) continue
    opened.streams.push(Buffer.from(decodePDFRawStream(object).decode()).toString('latin1'))
  }
  return opened
}

/** The strings that a content stream shows, by their length in bytes. */
function shownLengths(content: string): number[] {
  return [...content.matchAll(/\(((?:\\.|[^\\()])*)\)/gs)].map(([, text]) => text!.replace(/\\./gs, 'x').length)
}

const catalog = ({ dictionaries }: Opened) => dictionaries.find((entry) => entry.includes('/Catalog')) ?? ''
const xmp = ({ streams }: Opened) => streams.find((entry) => entry.includes('<?xpacket')) ?? ''
const content = ({ streams }: Opened) => streams.filter((entry) => / Tf\n/.test(entry)).join('')

const heading = (level: number, text: string) => p(text, `<w:outlineLvl w:val="${level - 1}"/>`)
const inLine = (drawing: string) => `<w:p><w:r>${drawing}</w:r></w:p>`
const cell = (text: string, span = 1) => `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>${p(text)}</w:tc>`

describe('PDF/A-2b', () => {
  test('no string exceeds 32,767 bytes, however long a description, a title or a line is', async () => {
    const long = 'ä😀'.repeat(12_000)
    const small = '<w:sz w:val="2"/><w:w w:val="1"/>'
    const body = inLine(picture('logo', 20, 20, long)) + heading(1, long) + p('i'.repeat(30_000), '', small)
    const file = await open(renderingOf(wordDocument(body, { media: { 'logo.png': plainPng(2, 2, [0, 0, 0]) } })).pdf)
    expect(Math.max(...file.strings)).toBeLessThanOrEqual(32_767)
    // The description is cut, not left out, and ends with a whole character.
    expect(Math.max(...file.strings)).toBeGreaterThan(32_000)
    expect(file.dictionaries.find((entry) => entry.includes('/Alt'))).toMatch(/(?:00E4|D83DDE00)>/)
    const shown = shownLengths(content(file))
    expect(Math.max(...shown)).toBeLessThanOrEqual(32_767)
    expect(shown.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(60_000)
  })

  test('a picture in CMYK carries its own profile and needs no output intent for print', async () => {
    const { pdf } = renderingOf(wordDocument(inLine(picture('ink', 60, 60)), { media: { 'ink.jpeg': cyanJpeg } }))
    const file = await open(pdf)
    expect(file.dictionaries.join()).not.toContain('DeviceCMYK')
    const { context } = await PDFDocument.load(pdf, { updateMetadata: false })
    const spaces = context.enumerateIndirectObjects().filter(([, object]) => `${object}`.includes('/DeviceN'))
    expect(spaces).toHaveLength(1)
    expect(`${spaces[0]![1]}`).toContain('[ /Cyan /Magenta /Yellow /Black ]')
    expect(file.dictionaries.join()).toContain('/FunctionType 0')
  })

  test.skipIf(!poppler)('cyan ink looks cyan, not its opposite', () => {
    const { pdf } = renderingOf(wordDocument(inLine(picture('ink', 60, 60)), { media: { 'ink.jpeg': cyanJpeg } }))
    const image = Bun.spawnSync(['pdftoppm', '-r', '36', save('ink.pdf', pdf)]).stdout
    const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(image.subarray(0, 40).toString('latin1'))!
    // The middle of the picture: 80 pt from the left and the top, at half a pixel a point.
    const at = head[0].length + (40 * Number(head[1]) + 40) * 3
    const [red, green, blue] = image.subarray(at, at + 3)
    expect(red).toBeLessThan(40)
    expect(green).toBeGreaterThan(140)
    expect(blue).toBeGreaterThan(200)
  })
})

describe('PDF/UA-1', () => {
  test('heading levels start at 1 and skip none, even if the document does', async () => {
    const body = [3, 2, 4, 4, 3, 1, 9].map((level) => heading(level, `level ${level}`)).join('')
    const file = await open(renderingOf(wordDocument(body)).pdf)
    const levels = [...content(file).matchAll(/\/H(\d)<</g)].map(([, level]) => Number(level))
    expect(levels).toEqual([1, 1, 2, 2, 2, 1, 2])
    // The tree says the same as the content.
    const types = file.dictionaries.flatMap((entry) => /\/S \/H(\d)/.exec(entry)?.[1] ?? [])
    expect(types.map(Number)).toEqual(levels)
  })

  test('rows with cells skipped at either end are as long as the others for screen readers', async () => {
    const rows =
      `<w:tr>${cell('a')}${cell('b')}${cell('c')}${cell('d')}</w:tr>` +
      `<w:tr><w:trPr><w:gridBefore w:val="1"/><w:gridAfter w:val="2"/></w:trPr>${cell('e')}</w:tr>`
    const grid = '<w:gridCol w:w="900"/>'.repeat(4)
    const table = `<w:tbl><w:tblPr/><w:tblGrid>${grid}</w:tblGrid>${rows}</w:tbl>${p('end')}`
    const { dictionaries } = await open(renderingOf(wordDocument(table)).pdf)
    const cells = dictionaries.filter((entry) => entry.includes('/S /TD'))
    const columns = cells.reduce((sum, entry) => sum + Number(/\/ColSpan (\d+)/.exec(entry)?.[1] ?? 1), 0)
    expect(columns).toBe(8)
  })

  test('the document has the language of most of its text, and text in other languages is marked', async () => {
    const german = '<w:lang w:val="de-DE"/>'
    const body =
      p('Guten Tag, hier ist Ihr Vertrag.', '', german) + p('Best regards') + p('12 345') + p('Ende', '', german)
    const file = await open(renderingOf(wordDocument(body)).pdf)
    expect(catalog(file)).toContain('/Lang (de-DE)')
    const spans = [...content(file).matchAll(/\/Span<<\/Lang\(([^)]*)\)>>BDC/g)].map(([, language]) => language)
    expect(spans).toEqual(['en-GB'])
    const opened = [...content(file).matchAll(/B[DM]C\n/g)].length
    expect([...content(file).matchAll(/EMC\n/g)].length).toBe(opened)
  })

  test('an invalid language is never written as a tag, and Word’s private tags are cut to what readers know', async () => {
    const stated = async (language: string) =>
      catalog(await open(renderingOf(wordDocument(p('Hola', '', `<w:lang w:val="${language}"/>`))).pdf))
    expect(await stated('es-ES_tradnl')).toContain('/Lang (es-ES)')
    for (const none of ['x-none', 'no such language', '(', '']) {
      // The document's default counts.
      expect(await stated(none)).toContain('/Lang (en-GB)')
    }
    const file = await open(renderingOf(wordDocument(p('Hola'), { defaults: '' })).pdf)
    expect(catalog(file)).not.toContain('/Lang')
  })

  test('every code maps to a character, and a glyph only its font knows says what it means', async () => {
    const file = await open(renderingOf(wordDocument(p('क्षत्रिय נִקּוּד') + p('a\ue123b'))).pdf)
    const maps = file.streams.filter((entry) => entry.includes('begincmap'))
    expect(maps.length).toBeGreaterThan(1)
    for (const map of maps) {
      const codes = [...map.slice(map.indexOf('beginbfchar')).matchAll(/^<([\dA-F]{4})> <([\dA-F]*)>$/gm)]
      expect(codes.map(([, code]) => Number.parseInt(code!, 16))).toEqual(codes.map((_, index) => index + 1))
      for (const [, , text] of codes) expect(text).toMatch(/^(?!0000|FEFF|FFFE)[\dA-F]{4,}$/)
    }
    // U+FFFD between the two letters.
    expect(content(file)).toContain('/Span<</ActualText<FEFF0061FFFD0062>>>BDC')
    const header = {
      headers: { h1: p('x\ue123') },
      section: `<w:headerReference w:type="default" r:id="h1"/>${smallSection}`,
    }
    expect(content(await open(renderingOf(wordDocument(p('a'), header)).pdf))).toContain('<FEFF0078FFFD>')
  })

  test('is claimed only if there are a title, a language and descriptions of all pictures', async () => {
    const image = (alt: string) => inLine(picture('logo', 20, 20, alt))
    const states = async (body: string, parts: WordParts = {}) => {
      const { pdf } = renderingOf(wordDocument(body, { ...parts, media: { 'logo.png': plainPng(2, 2, [0, 0, 0]) } }))
      const packet = xmp(await open(pdf))
      expect(packet).toContain('<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>')
      // PDF/A allows the statement only with a description of its property.
      expect(packet.includes('<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>')).toBe(
        packet.includes('<pdfuaid:part>1<'),
      )
      return packet.includes('<pdfuaid:part>1</pdfuaid:part>')
    }
    const title = heading(1, 'Your policy')
    expect(await states(title + image('The logo of Example Mutual'))).toBe(true)
    expect(await states(title + image(''))).toBe(false)
    expect(await states(image('The logo of Example Mutual'))).toBe(false)
    expect(await states(title + p('\ue123'))).toBe(false)
    expect(await states(title, { defaults: '' })).toBe(false)
  })
})
