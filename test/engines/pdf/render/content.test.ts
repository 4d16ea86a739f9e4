import { describe, expect, test } from 'bun:test'
import { createRenderCache } from '../../../../src/engines/pdf/cache.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import type { Font } from '../../../../src/engines/pdf/font/library.ts'
import {
  ARTIFACT,
  type Frame,
  type Outline,
  type Paint,
  type PathFrame,
  type Stroke,
  type StructureNode,
  type TextFrame,
  type TextLook,
} from '../../../../src/engines/pdf/frame/frame.ts'
import { ContentWriter } from '../../../../src/engines/pdf/render/content.ts'
import { FontSet } from '../../../../src/engines/pdf/render/fonts.ts'
import { ImageSet } from '../../../../src/engines/pdf/render/images.ts'
import { Operators } from '../../../../src/engines/pdf/render/operators.ts'
import { PaintSet } from '../../../../src/engines/pdf/render/paint.ts'
import { StructureTree } from '../../../../src/engines/pdf/render/structure.ts'
import { PdfFile } from '../../../../src/engines/pdf/render/write.ts'
import { Report } from '../../../../src/engines/pdf/report.ts'
import { png } from '../documents.ts'
import { opened } from './opened.ts'

const match = embeddedFonts().match('Arial')
if (!match) throw new Error('The font of the tests is missing')
const { font } = match
const { face } = font

const nodes: StructureNode[] = ['P', 'Figure', 'Lbl', 'Span'].map((type) => ({ type, parent: -1 }))

/** What a page of 1000 pt height draws: its operators, one an entry, and what it refers to. */
function draw(frames: readonly Frame[], language = 'en') {
  const file = new PdfFile()
  const report = new Report()
  const cache = createRenderCache({ maxBytes: 1_000_000 })
  const out = new Operators()
  const fonts = new FontSet(file, cache)
  const pixel = png(1, 1, 2, Uint8Array.of(0, 1, 2, 3))
  const images = new ImageSet(
    file,
    { read: (part) => (part === 'there.png' ? pixel : undefined), drawn: new Map() },
    cache,
    report,
  )
  const paints = new PaintSet(file)
  const tree = new StructureTree(file, nodes)
  const writer = new ContentWriter({ ref: 1, height: 1_000 }, { out, fonts, images, paints, tree, language })
  writer.write(frames)
  writer.finish()
  const lines = Buffer.from(out.take()).toString('latin1').split('\n').slice(0, -1)
  return { lines, file, tree, report, paints, fonts, images, nodesById: writer.nodesById }
}

/** The same without the marks of content that is no part of the document's structure. */
const drawn = (...frames: Frame[]) => draw(frames).lines.filter((line) => line !== '/Artifact BMC' && line !== 'EMC')

const look = (more: Partial<TextLook> = {}): TextLook => ({
  font,
  size: 10,
  color: '000000',
  scale: 1,
  language: '',
  ...more,
})
const text = (content: string, more: Partial<TextFrame> = {}): TextFrame => ({
  kind: 'text',
  x: 50,
  y: 100,
  width: 20,
  text: content,
  glyphs: undefined,
  shifts: undefined,
  look: look(),
  node: ARTIFACT,
  ...more,
})
const square: Outline = { ops: 'MLCZ', points: [0, 0, 10, 0, 1, 2, 3, 4, 5, 6] }
const path = (more: Partial<PathFrame>): PathFrame => ({
  kind: 'path',
  x: 100,
  y: 200,
  outline: square,
  evenOdd: false,
  node: ARTIFACT,
  ...more,
})
const outlined = ['100 800 m', '110 800 l', '101 798 103 796 105 794 c', 'h']

describe('Text', () => {
  test('is set at its place, whose y counts upwards, with codes in the order of their first use', () => {
    expect(drawn(text('aba'))).toEqual(['0 0 0 rg', '/F1 10 Tf', 'BT 50 900 Td (\0\u0001\0\u0002\0\u0001)Tj ET'])
  })

  test('names font, size, scale and colour again only where they change', () => {
    const red = { ...text('a'), look: look({ color: 'FF0000', size: 12 }) }
    const wide = { ...text('a'), look: look({ scale: 1.5 }) }
    expect(drawn(text('a'), text('a'), red, red, wide, text('a')).filter((line) => !line.startsWith('BT'))).toEqual([
      ...['0 0 0 rg', '/F1 10 Tf', '1 0 0 rg', '/F1 12 Tf', '0 0 0 rg', '/F1 10 Tf', '150 Tz', '100 Tz'],
    ])
  })

  test('has its shifts between the glyphs, in thousandths of its size, narrowed with its scale', () => {
    expect(drawn(text('abc', { shifts: [1, 0, 5] })).at(-1)).toBe(
      'BT 50 900 Td [(\0\u0001)-100(\0\u0002\0\u0003)]TJ ET',
    )
    const narrow = text('ab', { shifts: [-0.5, 0], look: look({ scale: 0.5, size: 20 }) })
    expect(drawn(narrow).at(-1)).toBe('BT 50 900 Td [(\0\u0001)50(\0\u0002)]TJ ET')
    expect(drawn(text('ab', { shifts: [0.123456, 0] })).at(-1)).toContain(')-12.35(')
  })

  test('shows the glyphs that it names', () => {
    const glyphs = [face.glyph(0x78), face.glyph(0x79)]
    const { file, fonts } = draw([text('ab', { glyphs })])
    const used = fonts.use(font, 'ab')
    expect(used.glyphs).toEqual([0, ...glyphs])
    expect(used.unicode).toEqual(['', 'a', 'b'])
    expect(file).toBeDefined()
  })

  test('has a code for each character beyond the first plane', () => {
    expect(drawn(text('😀a')).at(-1)).toBe('BT 50 900 Td (\0\u0001\0\u0002)Tj ET')
  })

  test('is parted where a string would be too long', () => {
    const long = drawn(text('a'.repeat(16_384))).at(-1) ?? ''
    expect(long.split(')Tj (').map((part) => part.length)).toEqual([
      'BT 50 900 Td ('.length + 16_383 * 2,
      2 + ')Tj ET'.length,
    ])
    const shifted = drawn(text('a'.repeat(16_384), { shifts: new Array(16_384).fill(0) })).at(-1) ?? ''
    expect(shifted.split(')(').map((part) => part.length)).toEqual([
      'BT 50 900 Td [('.length + 16_383 * 2,
      2 + ')]TJ ET'.length,
    ])
  })

  test('is slanted and drawn with an edge where the family has no such face', () => {
    const synthetic: Font = { ...font, syntheticBold: true, syntheticItalic: true }
    expect(drawn(text('a', { look: look({ font: synthetic, color: '0000FF' }) }))).toEqual([
      ...['0 0 1 rg', '/F1 10 Tf', '0 0 1 RG', '0.3 w', '2 Tr'],
      'BT 1 0 0.21 1 50 900 Tm (\0\u0001)Tj ET',
      '0 Tr',
    ])
  })

  test('has the edge that it states', () => {
    expect(drawn(text('a', { outline: { color: '00FF00', width: 2 } })).slice(2, 5)).toEqual([
      '0 1 0 RG',
      '2 w',
      '2 Tr',
    ])
  })

  test('without characters draws nothing', () => {
    expect(drawn(text(''))).toEqual([])
    expect(drawn(text('', { glyphs: [] }))).toEqual([])
  })

  test('of characters that only the font knows says so, as a bullet in labels', () => {
    const { lines, tree } = draw([text('a\ue001', { node: 2 })])
    expect(lines).toContain('/Span<</ActualText<FEFF00612022>>>BDC')
    expect(tree.undescribed).toBe(false)
    const other = draw([text('\uf8ff', { node: 0 })])
    expect(other.lines).toContain('/Span<</ActualText<FEFFFFFD>>>BDC')
    expect(other.tree.undescribed).toBe(true)
    expect(draw([text('\ue000')]).tree.undescribed).toBe(false)
    expect(draw([text('\u{f0000}', { node: 0 })]).tree.undescribed).toBe(true)
  })
})

describe('Shaped text', () => {
  const glyph = (letter: string) => face.glyph(letter.codePointAt(0) ?? 0)
  const shaped = (units: (string | undefined)[], more: Partial<TextFrame> = {}) =>
    drawn(text('abc', { glyphs: [...'abc'].map(glyph), units, ...more })).at(-1) ?? ''

  test('is written glyph by glyph, with the gaps between', () => {
    expect(shaped(['a', 'b', 'c'])).toBe('BT 50 900 Td [(\0\u0001\0\u0002\0\u0003)]TJ ET')
    expect(shaped(['a', 'b', 'c'], { shifts: [2, 0, 9] })).toBe('BT 50 900 Td [(\0\u0001)-200(\0\u0002\0\u0003)]TJ ET')
  })

  test('has the text of a cluster around all of its glyphs', () => {
    expect(shaped(['xy', '', 'c'])).toBe(
      'BT 50 900 Td /Span<</ActualText(xy)>>BDC [(\0\u0001\0\u0002)]TJ EMC [(\0\u0003)]TJ ET',
    )
    expect(shaped(['a', 'yz', ''])).toBe(
      'BT 50 900 Td [(\0\u0001)]TJ /Span<</ActualText(yz)>>BDC [(\0\u0002\0\u0003)]TJ EMC ET',
    )
  })

  test('is raised and lowered between its glyphs, and comes back to its baseline', () => {
    expect(shaped(['a', 'b', 'c'], { rises: [0, 3, 3] })).toBe(
      'BT 50 900 Td [(\0\u0001)]TJ 3 Ts [(\0\u0002\0\u0003)]TJ 0 Ts ET',
    )
    expect(shaped(['a', 'b', 'c'], { rises: [-1, 0, 0] })).toBe(
      'BT 50 900 Td -1 Ts [(\0\u0001)]TJ 0 Ts [(\0\u0002\0\u0003)]TJ ET',
    )
  })

  test('has its marks behind all letters, each at its place from the one before', () => {
    const advance = face.advance(glyph('a')) * 10
    const line = shaped(['a', undefined, 'c'], { rises: [0, 2, 0], shifts: [1, -3, 0] })
    const b = face.advance(glyph('b')) * 10
    const gap = Math.round((advance + 1 - advance + b - 3) * -100 * 100) / 100
    expect(line).toBe(
      `BT 50 900 Td [(\0\u0001)${gap}(\0\u0002)]TJ /Span<</ActualText()>>BDC ${Math.round((advance + 1) * 1_000) / 1_000} 2 Td (\0\u0003)Tj EMC ET`,
    )
    const two = shaped(['a', undefined, undefined], { rises: [0, 2, 5] })
    const [, first = '', second = ''] = /BDC (\S+ 2 Td) .*Tj (\S+ 3 Td)/.exec(two) ?? []
    const thousandths = (value: number) => Math.round(value * 1_000) / 1_000
    expect(first).toBe(`${thousandths(advance)} 2 Td`)
    // Relative to the place before as it was rounded, so that errors don't add up.
    expect(second).toBe(`${thousandths(advance + b - thousandths(advance))} 3 Td`)
  })
})

describe('Marked content', () => {
  const word = (content: string, language: string, node = 0) => text(content, { node, look: look({ language }) })
  const marks = (...frames: Frame[]) => draw(frames).lines.filter((line) => /BDC|BMC|EMC/.test(line))

  test('opens for each node, stays open while the node goes on, and is closed at the end', () => {
    const { lines, nodesById } = draw([
      text('a', { node: 0 }),
      text('b', { node: 0 }),
      text('c', { node: 3 }),
      text('d'),
    ])
    expect(lines.filter((line) => /BDC|BMC|EMC/.test(line))).toEqual([
      ...['/P<</MCID 0>>BDC', 'EMC', '/Span<</MCID 1>>BDC', 'EMC', '/Artifact BMC', 'EMC'],
    ])
    expect(nodesById).toEqual([0, 3])
  })

  test('says where the language is another than that of the document', () => {
    const all = marks(word('one', 'en'), word('deux', 'fr'), word('2', 'de'), word('trois', 'fr'), word('four', ''))
    expect(all).toEqual(['/P<</MCID 0>>BDC', '/Span<</Lang(fr)>>BDC', 'EMC', 'EMC'])
    expect(marks(word('un', 'fr'), word('zwei', 'de'))).toEqual([
      ...['/P<</MCID 0>>BDC', '/Span<</Lang(fr)>>BDC', 'EMC', '/Span<</Lang(de)>>BDC', 'EMC', 'EMC'],
    ])
    expect(marks(word('un', 'fr'), word('one', 'en'))).toEqual([
      '/P<</MCID 0>>BDC',
      '/Span<</Lang(fr)>>BDC',
      'EMC',
      'EMC',
    ])
    expect(marks(word('un', 'x-none'))).toEqual(['/P<</MCID 0>>BDC', 'EMC'])
    expect(marks(word('un', 'fr', ARTIFACT))).toEqual(['/Artifact BMC', 'EMC'])
    expect(marks(word('un', 'fr'), word('deux', 'fr', 3))).toEqual([
      ...[
        '/P<</MCID 0>>BDC',
        '/Span<</Lang(fr)>>BDC',
        'EMC',
        'EMC',
        '/Span<</MCID 1>>BDC',
        '/Span<</Lang(fr)>>BDC',
        'EMC',
        'EMC',
      ],
    ])
  })

  test('does not reach into a clipped area or a group, nor out of it', () => {
    const clip: Frame = { kind: 'clip', x: 10, y: 20, width: 30, height: 40, frames: [text('b', { node: 0 })] }
    expect(
      draw([text('a', { node: 0 }), clip, text('c', { node: 0 })]).lines.filter((line) => !line.startsWith('BT')),
    ).toEqual([
      ...[
        '/P<</MCID 0>>BDC',
        '0 0 0 rg',
        '/F1 10 Tf',
        'EMC',
        'q',
        '10 940 30 40 re W n',
        '/P<</MCID 1>>BDC',
        'EMC',
        'Q',
      ],
      ...['/P<</MCID 2>>BDC', 'EMC'],
    ])
  })
})

describe('Boxes and lines', () => {
  test('are filled and stroked at their places', () => {
    expect(drawn({ kind: 'box', x: 1, y: 2, width: 3, height: 4, color: '00FF00' })).toEqual([
      '0 1 0 rg',
      '1 994 3 4 re f',
    ])
    const line = { kind: 'line', x1: 10, y1: 20, x2: 30, y2: 40, width: 2, color: 'FF0000', dash: 'solid' } as const
    expect(drawn(line, line)).toEqual(['1 0 0 RG', '2 w', '10 980 m 30 960 l S', '10 980 m 30 960 l S'])
    expect(drawn({ ...line, dash: 'dotted' }).slice(2)).toEqual(['[2 2]0 d', '10 980 m 30 960 l S', '[]0 d'])
    expect(drawn({ ...line, dash: 'dashed' }).slice(2)).toEqual(['[8 6]0 d', '10 980 m 30 960 l S', '[]0 d'])
  })

  test('wave every two points', () => {
    const wave = { kind: 'line', x1: 10, y1: 20, x2: 17, y2: 20, width: 1, color: '000000', dash: 'wave' } as const
    expect(drawn(wave).slice(2)).toEqual(['10 980 m', '12 978.8 l', '14 980 l', '16 978.8 l', 'S'])
    expect(drawn({ ...wave, x2: 1e9 }).length).toBe(2 + 1 + 2_000 + 1)
  })
})

describe('Pictures', () => {
  const image = (more: object = {}): Frame => ({
    ...{ kind: 'image', x: 10, y: 20, width: 30, height: 40, part: 'there.png', rotation: 0, node: ARTIFACT },
    crop: { left: 0, top: 0, right: 0, bottom: 0 },
    ...more,
  })

  test('fill their place, and are one object however often they are drawn', () => {
    expect(drawn(image(), image({ x: 100 }))).toEqual([
      ...['q', '30 0 0 40 10 940 cm', '/I1 Do Q', 'q', '30 0 0 40 100 940 cm', '/I1 Do Q'],
    ])
  })

  test('that are cropped are larger than their place, which cuts them', () => {
    const crop = { left: 0.25, top: 0.1, right: 0.25, bottom: 0.4 }
    expect(drawn(image({ crop }))).toEqual(['q', '10 940 30 40 re W n', '60 0 0 80 -5 908 cm', '/I1 Do Q'])
    for (const side of ['left', 'top', 'right', 'bottom'] as const)
      expect(drawn(image({ crop: { left: 0, top: 0, right: 0, bottom: 0, [side]: -0.5 } }))[1]).toBe(
        '10 940 30 40 re W n',
      )
    // Where nothing would be left of it, the picture is drawn whole.
    expect(drawn(image({ crop: { left: 0.5, top: 0, right: 0.5, bottom: 0 } }))[1]).toBe('30 0 0 40 10 940 cm')
    expect(drawn(image({ crop: { left: 0, top: 0.6, right: 0, bottom: 0.6 } }))[1]).toBe('30 0 0 40 10 940 cm')
  })

  test('are turned clockwise about their middle', () => {
    expect(drawn(image({ rotation: 90 })).slice(1, 3)).toEqual(['0 -1 1 0 -935 985 cm', '30 0 0 40 10 940 cm'])
  })

  test('that cannot be shown leave a gray box and a remark', () => {
    const { lines, report, images } = draw([image({ part: 'missing.png' }), image({ part: 'missing.png' })])
    expect(lines.slice(1, -1)).toEqual([
      ...['0.949 0.949 0.949 rg', '0.651 0.651 0.651 RG', '0.5 w', '10 940 30 40 re B', '10 940 30 40 re B'],
    ])
    expect(report.findings.map(({ code, path }) => [code, path])).toEqual([['render.image_unreadable', 'missing.png']])
    expect(images.resources()).toBe('')
  })

  test('state their extent on the page where they are content', async () => {
    const { tree, file } = draw([image({ node: 1 })])
    const root = tree.write()
    const { objects } = await opened(file.write(root, root))
    expect([...objects.values()].join('\n')).toContain('/BBox [ 10 940 40 980 ]')
  })
})

describe('Outlines', () => {
  const fill = { kind: 'solid', color: 'FF0000', opacity: 1 } as const
  const stroke: Stroke = { color: '0000FF', opacity: 1, width: 2, dash: [], cap: 'butt', join: 'miter' }

  test('are filled, stroked or both, in one operator where both are equally opaque', () => {
    expect(drawn(path({ fill }))).toEqual(['1 0 0 rg', ...outlined, 'f'])
    expect(drawn(path({ fill, evenOdd: true })).at(-1)).toBe('f*')
    expect(drawn(path({ stroke }))).toEqual(['0 0 1 RG', '2 w', ...outlined, 'S'])
    expect(drawn(path({ fill, stroke }))).toEqual(['1 0 0 rg', '0 0 1 RG', '2 w', ...outlined, 'B'])
    expect(drawn(path({ fill, stroke, evenOdd: true })).at(-1)).toBe('B*')
    expect(drawn(path({}))).toEqual([])
    expect(drawn(path({ fill, outline: { ops: '', points: [] } }))).toEqual([])
  })

  test('are transparent by a graphics state that ends with them', () => {
    const { lines, paints } = draw([path({ fill: { ...fill, opacity: 0.5 }, stroke })])
    expect(lines.slice(1, -1)).toEqual([
      ...['/G1 gs', '1 0 0 rg', ...outlined, 'f', '/G2 gs', '0 0 1 RG', '2 w', ...outlined, 'S'],
    ])
    expect(paints.resources()).toMatch(/^\/ExtGState<<\/G1 \d+ 0 R\/G2 \d+ 0 R>>$/)
    const both = drawn(path({ fill: { ...fill, opacity: 0.5 }, stroke: { ...stroke, opacity: 0.5 } }))
    expect(both).toEqual(['/G1 gs', '1 0 0 rg', '0 0 1 RG', '2 w', ...outlined, 'B', '/G2 gs'])
  })

  test('have the ends, corners and dashes of their line, which are undone behind them', () => {
    const line = (more: object) => drawn(path({ stroke: { ...stroke, ...more } })).slice(2)
    expect(line({ cap: 'round', join: 'bevel' })).toEqual([
      `1 J 2 j ${outlined[0]}`,
      ...outlined.slice(1),
      'S',
      '0 J 0 j ',
    ])
    expect(line({ cap: 'square', join: 'round' })[0]).toBe(`2 J 1 j ${outlined[0]}`)
    expect(line({ miterLimit: 4 })).toEqual([`4 M ${outlined[0]}`, ...outlined.slice(1), 'S', '10 M '])
    expect(line({ miterLimit: 10 })[0]).toBe(outlined[0]!)
    expect(line({ miterLimit: 4, join: 'round' })[0]).toBe(`1 j ${outlined[0]}`)
    expect(line({ dash: [3, 1.5] })).toEqual([`[3 1.5]0 d ${outlined[0]}`, ...outlined.slice(1), 'S', '[]0 d '])
  })

  test('are filled with a gradient that they cut', async () => {
    const stops = [
      { at: 0, color: 'FF0000' },
      { at: 0.25, color: '00FF00' },
      { at: 1, color: '0000FF' },
    ]
    const gradient: Paint = { kind: 'linear', stops, x1: 0, y1: 1, x2: 10, y2: 21, opacity: 1 }
    const { lines, paints, file } = draw([
      path({ fill: gradient }),
      path({ fill: { ...gradient, kind: 'radial', stops: stops.slice(1) } }),
      path({ fill: gradient, evenOdd: true }),
    ])
    expect(lines.slice(1, 8)).toEqual(['q', ...outlined, 'W n', '/S1 sh Q'])
    expect(lines.slice(8, 15)).toEqual(['q', ...outlined, 'W n', '/S2 sh Q'])
    expect(lines.slice(19, 22)).toEqual(['h', 'W* n', '/S1 sh Q'].slice(0, 3))
    const [, first, second] = /^\/Shading<<\/S1 (\d+) 0 R\/S2 (\d+) 0 R>>$/.exec(paints.resources()) ?? []
    const { objects } = await opened(file.write(1, 1))
    const piece = (from: string, to: string) =>
      `<< /FunctionType 2 /Domain [ 0 1 ] /C0 [ ${from} ] /C1 [ ${to} ] /N 1 >>`
    const head = (type: number, coordinates: string) =>
      `<< /ShadingType ${type} /ColorSpace /DeviceRGB /Coords [ ${coordinates} ] /Extend [ true true ] /Function`
    expect(objects.get(Number(first))).toBe(
      `${head(2, '100 799 110 779')} << /FunctionType 3 /Domain [ 0 1 ] /Functions [ ${piece('1 0 0', '0 1 0')} ${piece('0 1 0', '0 0 1')} ]` +
        ' /Bounds [ 0.25 ] /Encode [ 0 1 0 1 ] >> >>',
    )
    expect(objects.get(Number(second))).toBe(`${head(3, '110 779 0 110 779 22.361')} ${piece('0 1 0', '0 0 1')} >>`)
  })
})

describe('Groups', () => {
  test('draw in coordinates of their own, cut at their outline, and leave the page’s as they were', () => {
    const box: Frame = { kind: 'box', x: 1, y: 2, width: 3, height: 4, color: '00FF00' }
    const clip: Outline = { ops: 'MLZ', points: [1, 2, 3, 4] }
    const group: Frame = { kind: 'group', x: 100, y: 200, matrix: [2, 3, 5, 7, 11, 13], clip, frames: [box] }
    expect(drawn(box, group, box)).toEqual([
      ...['0 1 0 rg', '1 994 3 4 re f', 'q', '2 -3 -5 7 111 787 cm', '1 -2 m', '3 -4 l', 'h', 'W n'],
      ...['1 -6 3 4 re f', 'Q', '1 994 3 4 re f'],
    ])
  })

  test('forget the colours that were set inside', () => {
    const box = (color: string): Frame => ({ kind: 'box', x: 0, y: 0, width: 1, height: 1, color })
    const group: Frame = { kind: 'group', x: 0, y: 0, matrix: [1, 0, 0, 1, 0, 0], frames: [box('0000FF')] }
    expect(drawn(box('FF0000'), group, box('FF0000')).filter((line) => line.endsWith('rg'))).toEqual([
      '1 0 0 rg',
      '0 0 1 rg',
    ])
  })

  test('have six decimals in their matrix, and none that is no number', () => {
    const group: Frame = { kind: 'group', x: 0, y: 0, matrix: [1 / 3, Number.NaN, 0, 1e-9, 0, 1_000], frames: [] }
    expect(drawn(group)[1]).toBe('0.333333 0 0 0 0 0 cm')
  })

  test('state the extent of a figure as it lies on the page', async () => {
    const group: Frame = {
      ...{ kind: 'group', x: 100, y: 200, matrix: [0, 1, -1, 0, 0, 0] },
      figure: { node: 1, width: 30, height: 20 },
      frames: [{ ...text('a'), node: 1 }],
    }
    const outer: Frame = { kind: 'group', x: 5, y: 7, matrix: [1, 0, 0, 1, 0, 0], frames: [group] }
    const { tree, file } = draw([outer])
    const root = tree.write()
    const { objects } = await opened(file.write(root, root))
    expect([...objects.values()].join('\n')).toContain('/BBox [ 85 763 105 793 ]')
  })
})
