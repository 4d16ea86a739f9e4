import { describe, expect, test } from 'bun:test'
import type { Frame, Outline } from '../../../src/engines/pdf/frame/frame.ts'
import { arrowFrames } from '../../../src/engines/pdf/layout/drawing/arrows.ts'
import { evaluateGeometry } from '../../../src/engines/pdf/layout/drawing/geometry.ts'
import { evaluateGuides } from '../../../src/engines/pdf/layout/drawing/guides.ts'
import { fillPaint, strokeOf } from '../../../src/engines/pdf/layout/drawing/paint.ts'
import type { ArrowHead, GradientFill, Line } from '../../../src/engines/pdf/model/paint.ts'
import { plainPng } from './documents.ts'
import { emf, record } from './metafile-files.ts'
import { dumpPaths, dumpShapes, dumpTexts, layoutOf, p, picture, textFrames, wordDocument } from './word.ts'

describe('the names in a shape’s formulas', () => {
  const values = evaluateGuides(9_600, 4_800, [], new Map())

  test('are its sides, its middles, its shares and the parts of a circle', () => {
    const shares = [2, 3, 4, 5, 6, 8, 10, 12, 16, 32].flatMap((share) => [
      [`wd${share}`, 9_600 / share],
      [`hd${share}`, 4_800 / share],
      [`ssd${share}`, 4_800 / share],
    ])
    const eighth = 2_700_000
    expect(Object.fromEntries(values)).toEqual({
      ...{ w: 9_600, h: 4_800, l: 0, t: 0, r: 9_600, b: 4_800, hc: 4_800, vc: 2_400, ss: 4_800, ls: 9_600 },
      ...{ cd8: eighth, cd4: 2 * eighth, cd2: 4 * eighth },
      ...{ '3cd8': 3 * eighth, '3cd4': 6 * eighth, '5cd8': 5 * eighth, '7cd8': 7 * eighth },
      ...Object.fromEntries(shares),
    })
    const high = evaluateGuides(4_800, 9_600, [], new Map())
    expect([high.get('ss'), high.get('ls'), high.get('ssd6')]).toEqual([4_800, 9_600, 800])
  })

  test.each<[string, number]>([
    ['val 7', 7],
    ['*/ 6 5 4', 7.5],
    ['+- 6 5 4', 7],
    ['+/ 6 5 4', 2.75],
    ['?: 1 5 4', 5],
    ['?: 0 5 4', 4],
    ['?: -1 5 4', 4],
    ['abs -6', 6],
    // The angle of (x, y) from the horizontal.
    ['at2 1 0', 0],
    ['at2 0 1', 5_400_000],
    ['at2 -1 0', 10_800_000],
    ['cat2 10 3 4', 6],
    ['sat2 10 3 4', 8],
    ['cos 10 3600000', 5],
    ['sin 10 1800000', 5],
    ['tan 10 2700000', 10],
    ['max 5 4', 5],
    ['max 4 5', 5],
    ['min 5 4', 4],
    ['min 4 5', 4],
    ['mod 2 3 6', 7],
    ['pin 3 2 5', 3],
    ['pin 3 4 5', 4],
    ['pin 3 6 5', 5],
    ['sqrt 49', 7],
  ])('%s is %d', (formula, expected) => {
    const found = evaluateGuides(1, 1, [{ name: 'x', formula: formula.split(' ') }], new Map()).get('x')
    expect(found).toBeCloseTo(expected, 6)
  })
})

test('a geometry’s arc begins at the pen and turns by its angle, on its path’s own grid', () => {
  const arc = (angles: [number, number], grid?: [number, number]) => {
    const steps = [
      { op: 'M', args: ['100', '0'] },
      { op: 'A', args: ['100', '50', `${angles[0] * 60_000}`, `${angles[1] * 60_000}`] },
    ]
    const path = { width: grid?.[0], height: grid?.[1], fill: 'norm' as const, stroke: true, steps }
    const geometry = { adjustments: [], guides: [], rectangle: ['l', 't', 'r', 'b'], paths: [path] }
    const { outline } = evaluateGeometry(geometry, 400, 200, new Map()).paths[0]!
    return outline.points.slice(-2).map((value) => Math.round(value * 1_000) / 1_000 || 0)
  }
  // From the right of an ellipse whose radii are 100 and 50, to its lower end; the grid makes it twice as wide.
  expect(arc([0, 90], [200, 200])).toEqual([0, 50])
  expect(arc([0, 180], [200, 200])).toEqual([-200, 0])
  expect(arc([270, 90], [200, 100])).toEqual([400, 100])
  expect(arc([0, 360], [200, 200])).toEqual([200, 0])
  // Without a grid, lengths are in EMU.
  expect(arc([0, 90])).toEqual([0, Math.round((50 / 12_700) * 1_000) / 1_000])
})

describe('arrow heads', () => {
  const line: Line = { color: '102030', opacity: 0.5, width: 4, dash: [], cap: 'butt', join: 'miter' }
  const right: Outline = { ops: 'ML', points: [0, 10, 100, 10] }
  const arrow = (type: ArrowHead['type']): ArrowHead => ({ type, width: 3, length: 5 })
  const tailed = (type: ArrowHead['type'], changes: Partial<Line> = {}, outline = right) =>
    dumpPaths(arrowFrames(outline, { ...line, tail: arrow(type), ...changes }, 1))

  test('point along the line from its end; it stops inside of them, and its colour is theirs', () => {
    // 20 pt long and 12 pt wide; the line leaves nine tenths of a triangle, six of a notched one, one of an open one.
    expect(tailed('triangle')).toEqual(['M0,10 L82,10 stroke 102030 4', 'M100,10 L80,16 L80,4 Z fill 102030'])
    expect(tailed('stealth')).toEqual(['M0,10 L88,10 stroke 102030 4', 'M100,10 L80,16 L88,10 L80,4 Z fill 102030'])
    expect(tailed('arrow')).toEqual(['M0,10 L98,10 stroke 102030 4', 'M80,16 L100,10 L80,4 stroke 102030 4'])
    expect(tailed('diamond')).toEqual(['M0,10 L100,10 stroke 102030 4', 'M110,10 L100,16 L90,10 L100,4 Z fill 102030'])
    const [drawn, oval] = tailed('oval')
    expect(drawn).toBe('M0,10 L100,10 stroke 102030 4')
    expect(oval).toMatch(/^M110,10 C.*100,20 C.*90,10 C.*100,0 C.*110,10/)
  })

  test('are at the beginning of the line as well, and point back there', () => {
    const both = { ...line, head: arrow('triangle'), tail: arrow('triangle') }
    expect(dumpPaths(arrowFrames(right, both, 1))).toEqual([
      'M18,10 L82,10 stroke 102030 4',
      'M0,10 L20,4 L20,16 Z fill 102030',
      'M100,10 L80,16 L80,4 Z fill 102030',
    ])
    const headed = dumpPaths(arrowFrames(right, { ...line, head: arrow('triangle') }, 1))
    expect(headed).toEqual(['M18,10 L100,10 stroke 102030 4', 'M0,10 L20,4 L20,16 Z fill 102030'])
  })

  test('of lines thinner than 2 pt are as large as those of 2 pt', () => {
    expect(tailed('triangle', { width: 1 })[1]).toBe('M100,10 L90,13 L90,7 Z fill 102030')
    expect(tailed('triangle', { width: 2 })[1]).toBe('M100,10 L90,13 L90,7 Z fill 102030')
    expect(tailed('triangle', { width: 3 })[1]).toBe('M100,10 L85,14.5 L85,5.5 Z fill 102030')
  })

  test('follow the last part of the line that has a direction, along both axes', () => {
    const bent: Outline = { ops: 'MLLL', points: [0, 0, 60, 20, 60, 100, 60, 100] }
    expect(tailed('triangle', {}, bent)[1]).toBe('M60,100 L54,80 L66,80 Z fill 102030')
    const slanted: Outline = { ops: 'ML', points: [0, 0, 60, 80] }
    // Three fifths across and four down: 20 pt back, and 6 pt to either side.
    expect(tailed('triangle', {}, slanted)).toEqual([
      'M0,0 L49.2,65.6 stroke 102030 4',
      'M60,80 L43.2,67.6 L52.8,60.4 Z fill 102030',
    ])
    const nowhere: Outline = { ops: 'ML', points: [30, 30, 30, 30] }
    expect(tailed('triangle', {}, nowhere)[1]).toBe('M30,30 L10,36 L10,24 Z fill 102030')
    expect(tailed('triangle', {}, { ops: 'M', points: [1, 1] })).toEqual([])
  })

  test('that are open are drawn without the dashes of their line', () => {
    const frames = arrowFrames(right, { ...line, dash: [4, 2], tail: arrow('arrow') }, 1)
    const dashes = frames.map((frame) => (frame.kind === 'path' ? frame.stroke?.dash : undefined))
    expect(dashes).toEqual([[16, 8], []])
    const [, filled] = arrowFrames(right, { ...line, tail: arrow('stealth') }, 7)
    expect(filled).toMatchObject({ kind: 'path', node: 7, fill: { color: '102030', opacity: 0.5 } })
  })
})

describe('lines and fills', () => {
  const line: Line = { color: '000000', opacity: 1, width: 2, dash: [3, 1], cap: 'butt', join: 'miter' }

  test('a line is at least a tenth of a point wide, and its dashes count in its width', () => {
    expect(strokeOf(line)).toMatchObject({ width: 2, dash: [6, 2] })
    expect(strokeOf({ ...line, width: 0.02 })).toMatchObject({ width: 0.1, dash: [3 * 0.1, 0.1] })
  })

  test('round and square ends lengthen each dash, and shorten the gap as much', () => {
    expect(strokeOf({ ...line, cap: 'round' }).dash).toEqual([4, 4])
    expect(strokeOf({ ...line, cap: 'square', dash: [1, 3] }).dash).toEqual([0.02, 8])
  })

  const gradient: GradientFill = {
    kind: 'gradient',
    stops: [
      { at: 0, color: 'FF0000' },
      { at: 1, color: '0000FF' },
    ],
    opacity: 0.7,
    angle: 0,
  }
  test('a gradient reaches from the first corner of its box to the last as seen along it', () => {
    const along = (angle: number) => fillPaint({ ...gradient, angle }, 'norm', 100, 40)
    expect(along(0)).toEqual({
      kind: 'linear',
      stops: [...gradient.stops],
      x1: 0,
      y1: 20,
      x2: 100,
      y2: 20,
      opacity: 0.7,
    })
    expect(along(90)).toMatchObject({ x1: 50, y1: 0, x2: 50, y2: 40 })
    expect(along(180)).toMatchObject({ x1: 100, y1: 20, x2: 0, y2: 20 })
    const slanted = along(45)
    const half = ((100 + 40) * Math.SQRT1_2) / 2
    expect(slanted?.kind === 'linear' && slanted.x2 - 50).toBeCloseTo(half * Math.SQRT1_2, 3)
    expect(slanted?.kind === 'linear' && slanted.y2 - 20).toBeCloseTo(half * Math.SQRT1_2, 3)
  })

  test('a gradient around a point reaches its farthest corner', () => {
    expect(fillPaint({ ...gradient, focus: { x: 0.25, y: 0.5 } }, 'norm', 100, 40)).toEqual({
      ...{ kind: 'radial', stops: [...gradient.stops], opacity: 0.7 },
      ...{ x1: 25 + Math.hypot(75, 20), y1: 20, x2: 25, y2: 20 },
    })
    const low = fillPaint({ ...gradient, focus: { x: 1, y: 0 } }, 'norm', 100, 40)
    expect(low).toMatchObject({ x1: 100 + Math.hypot(100, 40), y1: 0, x2: 100, y2: 0 })
  })

  test('faces of a shape are lighter or darker than its fill, in gradients too', () => {
    const solid = { kind: 'solid' as const, color: '808080', opacity: 0.3 }
    const colors = (['norm', 'lighten', 'lightenLess', 'darken', 'darkenLess'] as const).map((face) => {
      const paint = fillPaint(solid, face, 1, 1)
      return paint?.kind === 'solid' ? [paint.color, paint.opacity] : []
    })
    expect(colors).toEqual([
      ['808080', 0.3],
      ['B3B3B3', 0.3],
      ['999999', 0.3],
      ['4D4D4D', 0.3],
      ['666666', 0.3],
    ])
    expect(fillPaint(gradient, 'darken', 1, 1)).toMatchObject({ stops: [{ color: '990000' }, { color: '000099' }] })
    expect(fillPaint({ kind: 'picture', part: 'a.png' }, 'norm', 1, 1)).toBeUndefined()
  })
})

/** A drawing of 100 × 40 pt in line with the text, whose box begins at 50, 50. */
const drawing = (content: string, height = 40) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="${height * 12_700}"/><wp:docPr id="1" name="s"/><a:graphic><a:graphicData uri="x">` +
  `${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
const shapeOf = (properties: string, inside: string) => `<wps:wsp><wps:spPr>${properties}</wps:spPr>${inside}</wps:wsp>`
const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
const preset = (name: string) => `<a:prstGeom prst="${name}"><a:avLst/></a:prstGeom>`
const framesOf = (body: string, media: Record<string, Uint8Array> = {}) =>
  layoutOf(wordDocument(body, { media })).pages[0]!.frames
const lines = (count: number) => Array.from({ length: count }, (_, index) => p(`l${index}`)).join('')
const story = (content: string) => `<wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx>`

describe('a shape that is as high as its text', () => {
  const body = (properties: string) => `<wps:bodyPr lIns="0" rIns="0" tIns="63500" bIns="127000"${properties}`

  test('has its insets above and below it, and the text after it makes way', () => {
    const fitted = drawing(shapeOf(preset('rect') + red, `${story(lines(9))}${body('><a:spAutoFit/></wps:bodyPr>')}`))
    // Nine lines of 11.5 pt, and insets of 5 and 10 pt.
    expect(dumpPaths(framesOf(fitted + p('after')))).toEqual(['M50,50 L150,50 L150,168.5 L50,168.5 Z fill FF0000'])
    const texts = dumpTexts(framesOf(fitted + p('after')))
    expect(texts[0]).toBe('50.0,64.4 l0')
    expect(texts.at(-1)).toBe('50.0,177.9 after')
    expect(framesOf(fitted).some(({ kind }) => kind === 'clip')).toBe(false)
  })

  test('is so too where it states no height', () => {
    const flat = drawing(shapeOf(preset('rect') + red, `${story(lines(2))}${body('/>')}`), 0)
    expect(dumpPaths(framesOf(flat))).toEqual(['M50,50 L150,50 L150,88 L50,88 Z fill FF0000'])
    expect(dumpTexts(framesOf(flat))[0]).toBe('50.0,64.4 l0')
  })

  test('ignores the anchor of its text, which has all of the room', () => {
    const low = drawing(
      shapeOf(preset('rect') + red, `${story(lines(1))}${body(' anchor="b"><a:spAutoFit/></wps:bodyPr>')}`),
    )
    expect(dumpTexts(framesOf(low))).toEqual(['50.0,64.4 l0'])
  })
})

describe('the text of a shape', () => {
  const inside = (attributes: string, content = p('ab')) =>
    dumpTexts(framesOf(drawing(shapeOf(preset('rect') + red, `${story(content)}<wps:bodyPr ${attributes}/>`))))
  const insets = 'lIns="25400" tIns="38100" rIns="50800" bIns="63500"'

  test('keeps to each of its insets', () => {
    // 2 pt at the left, 3 above, 4 at the right, 5 below.
    const right = p('ab', '<w:jc w:val="right"/>')
    const [text] = textFrames(
      layoutOf(wordDocument(drawing(shapeOf(preset('rect'), `${story(right)}<wps:bodyPr ${insets}/>`)))).pages[0]!,
    )
    expect(text!.x + text!.width).toBeCloseTo(146, 1)
    expect(inside(insets)).toEqual(['52.0,62.4 ab'])
    expect(inside(`${insets} anchor="b"`)).toEqual([`52.0,${(85 - 2.1).toFixed(1)} ab`])
    expect(inside(`${insets} anchor="ctr"`)).toEqual([`52.0,${(53 + (32 - 11.5) / 2 + 9.4).toFixed(1)} ab`])
  })

  test('turned by a quarter begins at the upper right or at the lower left, inside of the insets', () => {
    expect(inside(`${insets} vert="vert"`)).toEqual([`${(146 - 9.4).toFixed(1)},53.0 ab`])
    expect(inside(`${insets} vert="vert270"`)).toEqual([`${(52 + 9.4).toFixed(1)},85.0 ab`])
    expect(inside(`${insets} vert="vert" anchor="b"`)).toEqual([`${(52 + 11.5 - 9.4).toFixed(1)},53.0 ab`])
    expect(inside(`${insets} vert="vert270" anchor="ctr"`)).toEqual([
      `${(52 + (94 - 11.5) / 2 + 9.4).toFixed(1)},85.0 ab`,
    ])
  })

  test('that does not wrap is one line, centred over the shape', () => {
    const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
    const text = Array.from({ length: 6 }, () => 'abcd').join(' ')
    const [wrapped] = inside('wrap="square" lIns="0" rIns="0"', p(text, '', mono))
    expect(wrapped!.split(' ').slice(1).join(' ')).toBe('abcd abcd abcd')
    const [one, ...none] = inside('wrap="none" lIns="0" rIns="0"', p(text, '', mono))
    expect(none).toEqual([])
    // 29 characters of 6 pt are 174 pt: 37 pt stick out at either side of 100 pt.
    expect(Number(one!.split(',')[0])).toBeCloseTo(13, 0)
  })

  test('is left out from the line on that begins where the shape ends', () => {
    const exact = '<w:spacing w:line="400" w:lineRule="exact"/>'
    const three = ['a', 'b', 'c'].map((text) => p(text, exact)).join('')
    const texts = (height: number) =>
      dumpTexts(
        framesOf(drawing(shapeOf(preset('rect') + red, `${story(three)}<wps:bodyPr tIns="0" bIns="0"/>`), height)),
      )
    expect(texts(40)).toHaveLength(2)
    expect(texts(41)).toHaveLength(3)
  })

  test('is drawn five boxes deep and no deeper', () => {
    const nested = (depth: number): string => (depth === 0 ? p('core') : boxed(nested(depth - 1)))
    const boxed = (content: string) =>
      drawing(shapeOf(preset('rect'), `${story(content)}<wps:bodyPr lIns="0" tIns="0"/>`))
    expect(dumpTexts(framesOf(nested(6)))).toHaveLength(1)
    expect(dumpTexts(framesOf(nested(7)))).toEqual([])
  })
})

describe('a group', () => {
  const grouped = (children: string, frame: string) =>
    `<wpg:wgp><wpg:grpSpPr><a:xfrm>${frame}</a:xfrm></wpg:grpSpPr>${children}</wpg:wgp>`
  const child = (x: number, y: number, w: number, h: number, turn = '') =>
    shapeOf(`<a:xfrm${turn}><a:off x="${x}" y="${y}"/><a:ext cx="${w}" cy="${h}"/></a:xfrm>${preset('rect')}${red}`, '')
  const whole = '<a:off x="0" y="0"/><a:ext cx="1270000" cy="508000"/>'
  const inside = (x: number, y: number, w: number, h: number) =>
    `${whole}<a:chOff x="${x}" y="${y}"/><a:chExt cx="${w}" cy="${h}"/>`

  test('scales its members along each axis, and those turned by a quarter along the other', () => {
    // 200 × 20 units on 100 × 40 pt: half as wide and twice as high.
    const plain = grouped(child(10, 5, 40, 10), inside(0, 0, 200, 20))
    expect(dumpPaths(framesOf(drawing(plain)))).toEqual(['M55,60 L75,60 L75,80 L55,80 Z fill FF0000'])
    // Its middle is at 65, 70; as it lies on its side, it is twice as long and half as high.
    const turned = grouped(child(10, 5, 40, 10, ' rot="5400000"'), inside(0, 0, 200, 20))
    expect(dumpPaths(framesOf(drawing(turned)))).toEqual(['M67.5,30 L67.5,110 L62.5,110 L62.5,30 Z fill FF0000'])
    const half = grouped(child(10, 5, 40, 10, ' rot="10800000"'), inside(0, 0, 200, 20))
    expect(dumpPaths(framesOf(drawing(half)))).toEqual(['M75,80 L55,80 L55,60 L75,60 Z fill FF0000'])
    const moved = grouped(child(10, 5, 40, 10), inside(10, 5, 200, 20))
    expect(dumpPaths(framesOf(drawing(moved)))).toEqual(['M50,50 L70,50 L70,70 L50,70 Z fill FF0000'])
  })
})

describe('a picture', () => {
  const media = { 'image1.emf': emf(record(43, 0, 0, 1_000, 500)) }
  const cropped = (crop: string) =>
    `<w:p><w:r>${picture('image1', 100, 50).replace('<pic:spPr/>', `<a:srcRect ${crop}/><pic:spPr/>`).replace('</pic:blipFill><a:srcRect', '<a:srcRect').replace('/><pic:spPr/>', '/></pic:blipFill><pic:spPr/>')}</w:r></w:p>`
  const outlines = (crop: string) => dumpPaths(framesOf(cropped(crop), media)).map((path) => path.split(' fill')[0])

  test('that is a metafile is larger by what its crop leaves out, and clipped to its box', () => {
    expect(outlines('')).toEqual(['M50,50 L150,50 L150,100 L50,100 Z'])
    // A quarter is cut at the left and above: 133.3 × 66.7 pt begin that much further left and higher up.
    expect(outlines('l="25000" t="25000"')).toEqual(['M16.7,33.3 L150,33.3 L150,100 L16.7,100 Z'])
    expect(outlines('r="50000"')).toEqual(['M50,50 L250,50 L250,100 L50,100 Z'])
    expect(outlines('b="50000"')).toEqual(['M50,50 L150,50 L150,150 L50,150 Z'])
    const [group] = framesOf(cropped('l="25000" t="25000"'), media)
    expect(group?.kind === 'group' && group.clip?.points.map((value) => Math.round(value * 10) / 10)).toEqual([
      33.3, 16.7, 133.3, 16.7, 133.3, 66.7, 33.3, 66.7,
    ])
    // Of nothing that is left, all is shown.
    expect(outlines('l="50000" r="50000"')).toEqual(['M50,50 L150,50 L150,100 L50,100 Z'])
  })

  test('that cannot be read is a gray box with as much of its description as fits one line', () => {
    const damaged = { 'image1.emf': emf().fill(0, 24, 40) }
    const label = (width: number, height: number, alt: string) => {
      const { frames } = layoutOf(
        wordDocument(`<w:p><w:r>${picture('image1', width, height, alt)}</w:r></w:p>`, { media: damaged }),
      ).pages[0]!
      const texts = (all: readonly Frame[]): { x: number; y: number; size: number; text: string; end: number }[] =>
        all.flatMap((frame) => {
          if (frame.kind === 'group' || frame.kind === 'clip') return texts(frame.frames)
          if (frame.kind !== 'text') return []
          return [{ x: frame.x, y: frame.y, size: frame.look.size, text: frame.text, end: frame.x + frame.width }]
        })
      return texts(frames)[0]
    }
    const whole = label(100, 50, 'A seal')
    expect(whole).toMatchObject({ x: 54, y: 61, size: 9, text: 'A seal' })
    const cut = label(100, 50, 'A seal that nobody can read any more today')!
    expect(cut.text.length).toBeLessThan(30)
    expect(cut.end).toBeWithin(140, 146.01)
    // 60 % of the height, where that is less than 9 pt; the line of 11.5 pt has the picture at its bottom.
    expect(label(100, 10, 'A seal')).toMatchObject({ y: 59.5, size: 6 })
    expect(label(100, 50, 'A 国 seal')!.text).toBe('A ')
    expect(label(100, 50, '')).toBeUndefined()
  })

  test('in a form is cut to the form, and its line is drawn around it', () => {
    const form = (name: string) =>
      `<w:p><w:r>${picture('dot', 100, 50).replace('<pic:spPr/>', `<pic:spPr>${preset(name)}<a:ln w="12700">${red}</a:ln></pic:spPr>`)}</w:r></w:p>`
    const png = { 'dot.png': plainPng(4, 4, [0, 0, 255]) }
    const page = (name: string) => layoutOf(wordDocument(form(name), { media: png })).pages[0]!
    const kinds = (frames: readonly Frame[]): string[] =>
      frames.flatMap((frame) =>
        frame.kind === 'group' ? [`${frame.clip ? 'clip' : 'group'}(${kinds(frame.frames).join(' ')})`] : [frame.kind],
      )
    expect(kinds(page('rect').frames)).toEqual(['group(image path)'])
    expect(kinds(page('ellipse').frames)).toEqual(['group(clip(image) path)'])
    expect(dumpShapes(page('rect'))).toEqual([])
  })

  test('is mirrored in a group, each way by itself', () => {
    const directions = (frames: readonly Frame[], x: number, y: number): [number, number][] =>
      frames.flatMap((frame) => {
        if (frame.kind === 'image') return [[x, y] as [number, number]]
        return frame.kind === 'group' ? directions(frame.frames, x * frame.matrix[0], y * frame.matrix[3]) : []
      })
    const mirrored = (flips: string) => {
      const form = `<pic:spPr><a:xfrm${flips}><a:off x="0" y="0"/><a:ext cx="1270000" cy="635000"/></a:xfrm></pic:spPr>`
      const body = `<w:p><w:r>${picture('dot', 100, 50).replace('<pic:spPr/>', form)}</w:r></w:p>`
      const { pages } = layoutOf(wordDocument(body, { media: { 'dot.png': plainPng(4, 4, [0, 0, 255]) } }))
      return directions(pages[0]!.frames, 1, 1)
    }
    expect(mirrored('')).toEqual([[1, 1]])
    expect(mirrored(' flipH="1"')).toEqual([[-1, 1]])
    expect(mirrored(' flipV="1"')).toEqual([[1, -1]])
    expect(mirrored(' flipH="1" flipV="1"')).toEqual([[-1, -1]])
  })
})

test('a picture in a drawing without a description is a figure of its own, and one in a described drawing belongs to it', () => {
  const inside =
    '<pic:pic><pic:nvPicPr><pic:cNvPr id="2" name="q"/></pic:nvPicPr><pic:blipFill><a:blip r:embed="dot"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="635000" cy="508000"/></a:xfrm></pic:spPr></pic:pic>'
  const group = drawing(`<wpg:wgp><wpg:grpSpPr/>${inside}${inside}</wpg:wgp>`)
  const figures = (body: string) =>
    layoutOf(wordDocument(body, { media: { 'dot.png': plainPng(4, 4, [0, 0, 255]) } }))
      .structure.filter(({ type }) => type === 'Figure')
      .map(({ alt }) => alt)
  expect(figures(group)).toEqual(['', ''])
  expect(figures(group.replace('name="s"', 'name="s" descr="Two dots"'))).toEqual(['Two dots'])
})

test('characters that come from another font are in their place in the text', () => {
  const texts = dumpTexts(
    framesOf(
      drawing(
        shapeOf(
          preset('rect'),
          `${story(p('W↗W'))}<wps:bodyPr fromWordArt="1"><a:prstTxWarp prst="textPlain"/></wps:bodyPr>`,
        ),
      ),
    ),
  )
  expect(texts.map((line) => line.split(' ')[1])).toEqual(['W', '↗', 'W'])
  const places = texts.map((line) => Number(line.split(',')[0]))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

describe('lettering that fills its shape', () => {
  const lettering = (texts: string[]) =>
    framesOf(
      drawing(
        shapeOf(
          preset('rect'),
          `${story(texts.map((text) => p(text, '', '<w:color w:val="C0C0C0"/><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>')).join(''))}<wps:bodyPr fromWordArt="1"><a:prstTxWarp prst="textPlain"/></wps:bodyPr>`,
        ),
      ),
    )

  test('has each of its lines in the middle, all of them in the same pitch', () => {
    const placed = dumpTexts(lettering(['aaaa', 'bb'])).map((line) => line.split(/[, ]/))
    expect(placed.map(([x, , text]) => [Number(x), text])).toEqual([
      [50, 'aaaa'],
      // Half as long: a quarter of 100 pt further right.
      [75, 'bb'],
    ])
    expect(Number(placed[1]![1]) - Number(placed[0]![1])).toBeCloseTo(20, 1)
    expect(Number(placed[0]![1])).toBeWithin(60, 70)
  })
})
