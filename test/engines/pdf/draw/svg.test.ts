import { describe, expect, test } from 'bun:test'
import { placedMarks } from '../../../../src/engines/pdf/draw/marks.ts'
import { isDrawing } from '../../../../src/engines/pdf/draw/page-difference.ts'
import { drawPages } from '../../../../src/engines/pdf/draw/pages.ts'
import { type DrawSources, drawPage } from '../../../../src/engines/pdf/draw/svg.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import type { Font } from '../../../../src/engines/pdf/font/library.ts'
import type { Frame, GroupFrame, ImageFrame, PathFrame, TextFrame } from '../../../../src/engines/pdf/frame/frame.ts'

const page = (frames: Frame[]) => ({ width: 200, height: 100.5, number: 1, label: '1', frames })
const sources = (): DrawSources => ({
  outlines: new Map(),
  picture: (part) => (part === 'a.png' ? 'data:image/png;base64,eA==' : undefined),
})
/** The definitions and the content of a page, without what is around them. */
function drawn(...frames: Frame[]): { defs: string; body: string } {
  const svg = drawPage(page(frames), sources())
  // Whatever the engine draws, the report of a test shows.
  expect(isDrawing(svg)).toBe(true)
  const match = /^<svg [^>]*><defs>(.*)<\/defs><rect [^>]*fill="#fff"\/>(.*)<\/svg>$/.exec(svg)
  return { defs: match?.[1] ?? '', body: match?.[2] ?? svg }
}
const body = (...frames: Frame[]) => drawn(...frames).body
const box = { kind: 'box', x: 1, y: 2, width: 3, height: 4.00049, color: 'FF0000' } as const
const boxed = '<rect x="1" y="2" width="3" height="4" fill="#FF0000"/>'

function fontOf(): Font {
  const font = embeddedFonts().match('Carlito')?.font
  if (!font) throw new Error('Carlito is a built-in font')
  return font
}
const carlito = fontOf()

describe('A drawn page', () => {
  test('has its size in points on a white ground', () => {
    expect(drawPage(page([]), sources())).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100.5"><defs></defs><rect width="100%" height="100%" fill="#fff"/></svg>',
    )
  })

  test('has boxes, clips and nothing for links and destinations', () => {
    expect(body(box)).toBe(boxed)
    expect(body({ ...box, kind: 'clip', frames: [box] } as Frame)).toBe(
      `<svg x="1" y="2" width="3" height="4" viewBox="1 2 3 4">${boxed}</svg>`,
    )
    const link = { kind: 'internal', bookmark: 'b' } as const
    expect(
      body(
        { kind: 'link', x: 1, y: 2, width: 3, height: 4, link, node: 0, text: 't' },
        { kind: 'destination', x: 1, y: 2, name: 'b' },
        box,
      ),
    ).toBe(boxed)
  })

  test('has no text of the document in place of a colour, nor numbers that are none', () => {
    expect(body({ ...box, x: Number.NaN, y: Infinity, color: 'auto' })).toContain('x="0" y="0" width="3"')
    for (const color of ['auto', '"/>', 'FF00000', 'xFF0000', 'FF0000x', ''])
      expect(body({ ...box, color })).toContain('fill="#000000"')
    expect(body({ ...box, color: '0aF9bC' })).toContain('fill="#0aF9bC"')
  })

  test('has lines, solid, dotted, dashed or waved', () => {
    const line = (dash: 'solid' | 'dotted' | 'dashed' | 'wave', x2 = 9) =>
      body({ kind: 'line', x1: 1, y1: 2, x2, y2: 2, width: 0.5, color: '00FF00', dash })
    const look = 'stroke="#00FF00" stroke-width="0.5" fill="none"'
    expect(line('solid')).toBe(`<path d="M1 2L9 2" ${look}/>`)
    expect(line('dotted')).toBe(`<path d="M1 2L9 2" ${look} stroke-dasharray="0.5 0.5"/>`)
    expect(line('dashed')).toBe(`<path d="M1 2L9 2" ${look} stroke-dasharray="2 1.5"/>`)
    expect(line('wave', 8)).toBe(`<path d="M1 2l2 1.2l2 -1.2l2 1.2" ${look}/>`)
    expect(line('wave', 9_999).match(/l2/g)?.length).toBe(2_000)
  })
})

describe('A drawn path', () => {
  const outline = { ops: 'MLCZ', points: [0, 0, 1, 2, 3, 4, 5, 6, 7, 8] }
  const path: PathFrame = { kind: 'path', x: 10, y: 20, outline, evenOdd: false, node: 0 }
  const steps = 'M10 20 L11 22 C13 24 15 26 17 28 Z'
  const stroke = { color: '00FF00', opacity: 1, width: 2, dash: [], cap: 'butt', join: 'miter' } as const

  test('has its steps where it is, and a rule of filling', () => {
    expect(body(path)).toBe(`<path d="${steps}" fill="none"/>`)
    expect(body({ ...path, evenOdd: true })).toBe(`<path d="${steps}" fill-rule="evenodd" fill="none"/>`)
    expect(body({ ...path, outline: { ops: '', points: [] } })).toBe('')
    expect(body({ ...path, outline: { ops: 'ML', points: [1] } })).toContain('d="M11 20 L10 20 "')
  })

  test('has a fill and a stroke, which may be clear or dashed', () => {
    const fill = { kind: 'solid', color: 'FF0000', opacity: 1 } as const
    expect(body({ ...path, fill })).toBe(`<path d="${steps}" fill="#FF0000"/>`)
    expect(body({ ...path, fill: { ...fill, opacity: 0.5 } })).toContain('fill="#FF0000" fill-opacity="0.5"')
    expect(body({ ...path, stroke: { ...stroke, dash: [] } })).toContain(
      'fill="none" stroke="#00FF00" stroke-width="2" stroke-linecap="butt" stroke-linejoin="miter"/>',
    )
    expect(body({ ...path, stroke: { ...stroke, opacity: 0.25, dash: [3, 1.5] } })).toContain(
      'stroke-linejoin="miter" stroke-opacity="0.25" stroke-dasharray="3 1.5"/>',
    )
  })

  test('has gradients along a line or around a point, in the page’s coordinates', () => {
    const stops = [
      { at: 0, color: 'FF0000' },
      { at: 1, color: '0000FF' },
    ]
    const gradient = { stops, x1: 1, y1: 2, x2: 4, y2: 6, opacity: 1 }
    const drawnStops = '<stop offset="0" stop-color="#FF0000"/><stop offset="1" stop-color="#0000FF"/>'
    const linear = drawn({ ...path, fill: { ...gradient, kind: 'linear' } })
    expect(linear.body).toContain('fill="url(#g0)"/>')
    expect(linear.defs).toBe(
      `<linearGradient id="g0" gradientUnits="userSpaceOnUse" x1="11" y1="22" x2="14" y2="26">${drawnStops}</linearGradient>`,
    )
    const radial = drawn({ ...path, fill: { ...gradient, kind: 'radial', opacity: 0.5 } })
    expect(radial.body).toContain('fill="url(#g0)" fill-opacity="0.5"/>')
    expect(radial.defs).toContain('<radialGradient id="g0" gradientUnits="userSpaceOnUse" cx="14" cy="26" r="5">')
  })

  test('in a group is turned, moved and cut with it', () => {
    const group: GroupFrame = { kind: 'group', x: 5, y: 6, matrix: [0, 1, -1, 0, 1, 2], frames: [box] }
    expect(body(group)).toBe(`<g transform="matrix(0 1 -1 0 6 8)">${boxed}</g>`)
    const cut = drawn({ ...group, clip: outline })
    expect(cut.body).toBe(`<g transform="matrix(0 1 -1 0 6 8)" clip-path="url(#g0)">${boxed}</g>`)
    expect(cut.defs).toBe('<clipPath id="g0"><path d="M0 0 L1 2 C3 4 5 6 7 8 Z"/></clipPath>')
    expect(body({ ...group, matrix: [1 / 3, 0, 0, Number.NaN, 0, 0] })).toContain('matrix(0.333333 0 0 0 5 6)')
  })
})

describe('A drawn picture', () => {
  const image: ImageFrame = {
    ...{ kind: 'image', x: 10, y: 20, width: 30, height: 40, part: 'a.png', rotation: 0, node: 0 },
    crop: { left: 0, top: 0, right: 0, bottom: 0 },
  }
  const place = 'x="10" y="20" width="30" height="40"'
  const use = (view: string) => `<svg ${place} viewBox="${view}" preserveAspectRatio="none"><use href="#g0"/></svg>`

  test('is in the file once, and fills its box', () => {
    const { defs, body: shown } = drawn(image, image)
    expect(defs).toBe(
      '<image id="g0" width="1" height="1" preserveAspectRatio="none" href="data:image/png;base64,eA=="/>',
    )
    expect(shown).toBe(use('0 0 1 1') + use('0 0 1 1'))
  })

  test('is cropped, unless nothing would be left', () => {
    const crop = (left: number, top: number, right: number, bottom: number) =>
      body({ ...image, crop: { left, top, right, bottom } })
    expect(crop(0.1, 0.2, 0.3, 0.4)).toBe(use('0.1 0.2 0.6 0.4'))
    expect([crop(0.5, 0, 0.5, 0), crop(0, 0.5, 0, 0.5)]).toEqual([use('0 0 1 1'), use('0 0 1 1')])
  })

  test('is turned about its middle', () => {
    expect(body({ ...image, rotation: 90 })).toBe(`<g transform="rotate(90 25 40)">${use('0 0 1 1')}</g>`)
  })

  test('that can’t be shown is a grey box', () => {
    const grey = `<rect ${place} fill="#F2F2F2" stroke="#A6A6A6" stroke-width="0.5"/>`
    const missing = drawn({ ...image, part: 'b.png' }, { ...image, part: 'b.png' })
    expect(missing).toEqual({ defs: '', body: grey + grey })
  })

  test('is shown in the kinds that browsers read, and read once', () => {
    const kinds = {
      ...{ png: [0x89, 0x50, 0x4e, 0x47, 1], jpeg: [0xff, 0xd8, 0xff, 0xe0], gif: [0x47, 0x49, 0x46, 0x38] },
      ...{ bmp: [0x42, 0x4d, 0, 0], none: [1, 2, 3, 4] },
    }
    for (const [kind, bytes] of Object.entries(kinds)) {
      let reads = 0
      const read = () => {
        reads++
        return Uint8Array.from(bytes)
      }
      const layout = { pages: [page([image]), page([image])], structure: [], outline: [] }
      const { pages, totalPages } = drawPages(layout, read, new Map([['a.png', 3]]))
      const address = `href="data:image/${kind};base64,${Buffer.from(bytes).toString('base64')}"`
      expect(pages.map(({ svg }) => svg.includes(address))).toEqual(kind === 'none' ? [false, false] : [true, true])
      expect([reads, totalPages]).toEqual([1, 2])
      expect(pages[0]).toMatchObject({ width: 200, height: 100.5, marks: [{ mark: 3, x: 10, y: 20, width: 30 }] })
    }
  })
})

describe('Drawn text', () => {
  const { face } = carlito
  const glyph = face.glyph(0x6c)
  const unit = 20 / face.unitsPerEm
  const text = (change: Partial<TextFrame> = {}, font: Partial<Font> = {}, scale = 1): TextFrame => ({
    ...{ kind: 'text', x: 10, y: 50, width: 40, text: 'll', glyphs: undefined, shifts: undefined, node: 0 },
    look: { font: { ...carlito, ...font }, size: 20, color: '0000FF', scale, language: '' },
    ...change,
  })
  const number = (value: number) => Number(value.toFixed(7))
  const advance = face.advance(glyph) * face.unitsPerEm
  const use = (x: number, y?: number) =>
    `<use href="#g0" x="${Math.round(x)}"${y === undefined ? '' : ` y="${Math.round(y)}"`}/>`

  test('has each outline once, at the advance of the glyphs before it', () => {
    const { defs, body: shown } = drawn(text())
    expect(defs.match(/<path id="g0" d="M[^"]+Z"\/>/g)?.join('')).toBe(defs)
    expect(shown).toBe(
      `<g fill="#0000FF" transform="matrix(${number(unit)} 0 0 ${number(-unit)} 10 50)">${use(0)}${use(advance)}</g>`,
    )
  })

  test('has what the layout shifted and raised', () => {
    expect(body(text({ shifts: [2, 0], rises: [0, 5] }, {}, 1.5))).toBe(
      `<g fill="#0000FF" transform="matrix(${number(unit * 1.5)} 0 0 ${number(-unit)} 10 50)">${use(0)}${use(advance + 2 / (unit * 1.5), 5 / unit)}</g>`,
    )
  })

  test('is slanted or thicker where the font has no such face, or outlined', () => {
    expect(body(text({}, { syntheticItalic: true }))).toContain(
      `matrix(${number(unit)} 0 ${number(0.21 * unit)} ${number(-unit)} 10 50)`,
    )
    expect(body(text({}, { syntheticBold: true }))).toContain(
      `<g fill="#0000FF" stroke="#0000FF" stroke-width="${Math.round(face.unitsPerEm * 0.03)}" transform`,
    )
    expect(body(text({ outline: { color: 'FF0000', width: 2 } }, { syntheticBold: true }))).toContain(
      `<g fill="#0000FF" stroke="#FF0000" stroke-width="${Number((2 / unit).toFixed(3))}" transform`,
    )
  })

  test('of blanks alone is nothing', () => {
    expect(drawn(text({ text: '  ' }))).toEqual({ defs: '', body: '' })
  })

  test('of one page shares its outlines with the next, not their names', () => {
    const shared = sources()
    const first = drawPage(page([text()]), shared)
    expect([...shared.outlines.keys()]).toEqual([`${carlito.id}\n${glyph}`])
    expect(drawPage(page([text()]), shared)).toBe(first)
  })
})

describe('Marks among frames', () => {
  const link = (bookmark: string): Frame => ({
    ...{ kind: 'link', x: 1, y: 2, width: 3, height: 4, node: 0, text: '' },
    link: { kind: 'internal', bookmark },
  })

  test('are links of their own name, and pictures that are asked for', () => {
    const image: ImageFrame = {
      ...{ kind: 'image', x: 5, y: 6, width: 7, height: 8, part: 'a.png', rotation: 0, node: 0 },
      crop: { left: 0, top: 0, right: 0, bottom: 0 },
    }
    const uri: Frame = { ...link(''), kind: 'link', link: { kind: 'uri', uri: 'quire-mark-1' } } as Frame
    const frames = [link('quire-mark-12'), link('other'), uri, image, { ...image, part: 'b.png' }, box]
    expect(placedMarks(frames, new Map([['a.png', 3]]))).toEqual([
      { mark: 12, x: 1, y: 2, width: 3, height: 4 },
      { mark: 3, x: 5, y: 6, width: 7, height: 8 },
    ])
  })

  test('in clips and groups are where the page shows them', () => {
    const clip: Frame = { kind: 'clip', x: 0, y: 0, width: 9, height: 9, frames: [link('quire-mark-1')] }
    const group: Frame = { kind: 'group', x: 10, y: 20, matrix: [0, 1, -1, 0, 0, 0], frames: [clip] }
    expect(placedMarks([clip], new Map())).toEqual([{ mark: 1, x: 1, y: 2, width: 3, height: 4 }])
    // A quarter of a turn takes (1, 2) to (-2, 1), and the far corner (4, 6) to (-6, 4).
    expect(placedMarks([group], new Map())).toEqual([{ mark: 1, x: 4, y: 21, width: 4, height: 3 }])
  })
})
