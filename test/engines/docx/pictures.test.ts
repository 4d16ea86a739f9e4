import { expect, test } from 'bun:test'
import { barcodeImage, qrImage } from '../../../src/engines/docx/compose/barcodes.ts'
import { relationshipType } from '../../../src/engines/ooxml/namespaces.ts'
import { compileCodes, composeCodes, composedPackage, p, partText, wordPackage, wordPart } from './word-package.ts'

/** One white pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
/** Start of image, JFIF at 300 dpi, a frame of 600 × 300 pixels. */
const jpeg = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 1, 1, 0x2c, 1, 0x2c, 0, 0, 0xff, 0xc0, 0, 11, 8, 1,
  0x2c, 2, 0x58, 1, 1, 0x11, 0, 0xff, 0xd9,
]).toString('base64')

test('a picture is in the package once, with relationship, content type and its own drawing id', () => {
  const body = p('a {{image /logo width=3cm}} b') + p('{{image /logo height=10mm}}')
  const opened = composedPackage(wordPackage(body), { logo: `data:image/png;base64,${png}` })
  const media = opened.parts.filter((part) => part.startsWith('word/media/'))
  expect(media).toHaveLength(1)
  expect(opened.contentType(media[0]!)).toBe('image/png')
  expect(opened.relationships('word/document.xml')).toEqual([
    { id: 'rIdQuire1', type: relationshipType('image'), target: media[0]!, external: false },
  ])
  const source = partText(opened, 'word/document.xml')
  expect(source.match(/r:embed="rIdQuire1"/g)).toHaveLength(2)
  expect([...source.matchAll(/<wp:docPr id="(\d+)"/g)].map((match) => match[1])).toEqual(['1', '2'])
  expect(source).toContain('<wp:extent cx="1080000" cy="1080000"/>')
  expect(source).toContain('<wp:extent cx="360000" cy="360000"/>')
})

test('a picture of a type the template already has needs no second content type', () => {
  const typesOf = (more: string) => {
    const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${more}<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
    const bytes = wordPackage(p('{{image /a}}'), { '[Content_Types].xml': types })
    return partText(composedPackage(bytes, { a: png }), '[Content_Types].xml')
  }
  expect(typesOf('<Default Extension="PNG" ContentType="image/png"/>').match(/image\/png/g)).toHaveLength(1)
  // Defaults come before overrides.
  expect(typesOf('')).toMatch(/^<Types [^>]*><Default [^>]*Extension="png" ContentType="image\/png"\/><Default Ext/)
})

test('a picture without a size has the size its resolution gives', () => {
  const source = partText(composedPackage(wordPackage(p('{{image /a}}')), { a: jpeg }), 'word/document.xml')
  expect(source).toContain('<wp:extent cx="1828800" cy="914400"/>')
})

test('pictures in a header belong to the header', () => {
  const bytes = wordPackage(p('x'), { 'word/header1.xml': wordPart('hdr', p('{{image /logo}}')) })
  const opened = composedPackage(bytes, { logo: png })
  expect(opened.relationships('word/header1.xml')).toHaveLength(1)
  expect(opened.relationships('word/document.xml')).toHaveLength(0)
})

test('a placeholder picture keeps its box and shows the new image', () => {
  const drawing = (descr: string) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="5" cy="6"/><wp:docPr id="3" name="n" descr="${descr}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const source = partText(composedPackage(wordPackage(drawing('{{image /logo}}')), { logo: png }), 'word/document.xml')
  expect(source).toContain(drawing('').replace('rId9', 'rIdQuire1'))
})

test('a value that is not a picture is a located finding', () => {
  const places = (data: string) => composeCodes(p('x {{image /a}}'), { a: data })
  for (const bad of ['not base64!', 'aGVsbG8gd29ybGQ=', 'data:image/svg+xml,<svg/>', png.slice(0, 24)]) {
    expect(places(bad)).toEqual(['docx.bad_picture word/document.xml#1:2'])
  }
  expect(composeCodes(p('{{image /a}}'), {})).toEqual(['docx.missing_value word/document.xml#1:0'])
  expect(compileCodes(wordPackage(p('{{image /a width=3}}')))).toEqual(['docx.bad_option word/document.xml#1:0'])
})

test('QR codes and barcodes are drawn as PNG, and refuse what they cannot hold', () => {
  const opened = composedPackage(wordPackage(p('{{qr /a size=2cm}}{{barcode /b type=ean13}}')), {
    a: 'https://example.org/ü',
    b: '4006381333931',
  })
  expect(opened.parts.filter((part) => part.endsWith('.png'))).toHaveLength(2)
  expect(partText(opened, 'word/document.xml')).toContain('<wp:extent cx="720000" cy="720000"/>')
  expect(barcodeImage('4006381333932', 'ean13').ok).toBe(false)
  expect(barcodeImage('', 'code128').ok).toBe(false)
  expect(qrImage('x'.repeat(3_000)).ok).toBe(false)
  expect(qrImage('same')).toEqual(qrImage('same'))
})

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48"><circle r="20" fill="#ff0000"/></svg>'

test.each([
  ['as it is', drawing],
  ['as base64 text', btoa(drawing)],
  ['as a data URI', `data:image/svg+xml;base64,${btoa(drawing)}`],
])('an SVG drawing %s is in the package in its simple form, with a picture for readers that show pixels', (_, logo) => {
  const opened = composedPackage(wordPackage(p('{{image /logo}} {{image /logo width=1cm}}')), { logo })
  const [png, svg, ...others] = opened.parts.filter((part) => part.startsWith('word/media/')).toSorted()
  expect(others).toEqual([])
  expect([png, svg].map((part) => opened.contentType(part!)).toSorted()).toEqual(['image/png', 'image/svg+xml'])
  const drawn = [png!, svg!].find((part) => part.endsWith('.svg'))!
  expect(partText(opened, drawn)).toContain('<path fill="#ff0000"')
  const source = partText(opened, 'word/document.xml')
  expect(
    source.match(
      /<a:blip [^>]*r:embed="rIdQuire1"><a:extLst xmlns:a="[^"]*"><a:ext [^>]*uri="\{96DAC541-7B7A-43D3-8B79-37D633B846F1\}"><asvg:svgBlip [^>]*r:embed="rIdQuireSvg1"\/><\/a:ext><\/a:extLst><\/a:blip>/g,
    ),
  ).toHaveLength(2)
  expect(source).toContain('<wp:extent cx="914400" cy="457200"/>')
  const targets = new Map(opened.relationships('word/document.xml').map(({ id, target }) => [id, target]))
  expect(targets.get('rIdQuireSvg1')).toBe(drawn)
})

/** A placeholder whose `a:blip` is as given. */
const placeholder = (blip: string) =>
  p('').replace(
    '</w:p>',
    `<w:r><w:drawing><wp:inline><wp:extent cx="5" cy="6"/><wp:docPr id="3" name="n" descr="{{image /logo}}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>${blip}</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
  )
const blipOf = (blip: string, logo: string) =>
  /<a:blip.*<\/pic:blipFill>/
    .exec(partText(composedPackage(wordPackage(placeholder(blip)), { logo }), 'word/document.xml'))![0]
    .replace('</pic:blipFill>', '')

const own =
  '<a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="rId8"/></a:ext>'
const other = '<a:ext uri="{28A0092B-C50C-407E-A947-70E740481C1C}"/>'

test('a placeholder that is a drawing itself, or linked to a file, shows the new picture and nothing of its own', () => {
  expect(blipOf(`<a:blip r:embed="rId9"><a:extLst>${other}${own}</a:extLst></a:blip>`, png)).toBe(
    `<a:blip r:embed="rIdQuire1"><a:extLst>${other}</a:extLst></a:blip>`,
  )
  expect(blipOf('<a:blip r:embed="rId9" cstate="print" r:link="rId7"/>', png)).toBe(
    '<a:blip r:embed="rIdQuire1" cstate="print" />',
  )
})

test('a drawing is among the extensions of its placeholder, whatever these are', () => {
  const drawn = /<a:ext xmlns:a="[^"]*" uri="\{96DAC541[^>]*><asvg:svgBlip [^>]*r:embed="rIdQuireSvg1"\/><\/a:ext>/
  const shown = (blip: string) =>
    blipOf(blip, drawing)
      .replace(drawn, 'SVG')
      .replace(/<a:extLst xmlns:a="[^"]*">/, '<a:extLst>')
  const list = '<a:blip r:embed="rIdQuire1"><a:extLst>SVG</a:extLst></a:blip>'
  expect(shown('<a:blip r:embed="rId9"/>')).toBe(list)
  expect(shown('<a:blip r:embed="rId9"></a:blip>')).toBe(list)
  expect(shown('<a:blip r:embed="rId9"><a:extLst/></a:blip>')).toBe(list)
  expect(shown(`<a:blip r:embed="rId9"><a:extLst>${own}</a:extLst></a:blip>`)).toBe(list)
  expect(shown(`<a:blip r:embed="rId9"><a:lum bright="1"/><a:extLst>${other}</a:extLst></a:blip>`)).toBe(
    list.replace('><a:extLst>', `><a:lum bright="1"/><a:extLst>${other}`),
  )
})

test('a drawing that would lose something says what, at its tag', () => {
  const codes = (a: string) => composeCodes(p('x {{image /a}}'), { a })
  expect(codes(drawing)).toEqual([])
  expect(codes(drawing.replace('<circle r="20" fill="#ff0000"/>', '<image href="a.png"/>'))).toEqual([
    'docx.bad_picture word/document.xml#1:2',
  ])
})
