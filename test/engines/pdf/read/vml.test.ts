import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import type { ShapePath } from '../../../../src/engines/pdf/model/geometry.ts'
import type { DrawingSource } from '../../../../src/engines/pdf/read/drawing/graphic.ts'
import { readVml } from '../../../../src/engines/pdf/read/drawing/vml.ts'
import { type VmlShape, vmlForm } from '../../../../src/engines/pdf/read/drawing/vml-form.ts'
import { readVmlFill, readVmlLine } from '../../../../src/engines/pdf/read/drawing/vml-paint.ts'
import { evaluateFormulas, readVmlPath } from '../../../../src/engines/pdf/read/drawing/vml-path.ts'
import {
  isVmlOff,
  readVmlAnchor,
  readVmlAngle,
  readVmlColor,
  readVmlPair,
  readVmlShare,
  readVmlStyle,
} from '../../../../src/engines/pdf/read/drawing/vml-style.ts'
import { element } from './elements.ts'

const source: DrawingSource = {
  theme: { fonts: new Map(), colors: new Map(), fills: [], backgrounds: [], lines: [] },
  partOf: (id) => (id === 'r1' ? 'media/1.png' : undefined),
  readStory: () => [],
  readPart: () => undefined,
  unsupported: () => {},
}
const round = (value: number) => Math.round(value * 10) / 10 + 0
const scope = { adjustments: [5, 7], width: 200, height: 100 }
const flat = ({ outline, fill, stroke }: ShapePath) =>
  `${outline.ops} ${outline.points.map(round).join(' ')}${fill === 'none' ? ' nf' : ''}${stroke ? '' : ' ns'}`
const shapeOf = (own: string, type?: string, width = 200, height = 100): VmlShape => ({
  ...{ element: element(own), type: type === undefined ? undefined : element(type), width, height },
})
const form = (own: string, type?: string): string | string[] => {
  const found = vmlForm(shapeOf(own, type))
  return found.kind === 'paths' ? found.paths.map(flat) : found.kind
}

describe('A value of VML', () => {
  test('is a style of properties by their small names', () => {
    expect(Object.fromEntries(readVmlStyle(' Width : 3pt ;height:4pt;;:x;y; z-index:-1'))).toEqual({
      ...{ width: '3pt', height: '4pt', 'z-index': '-1' },
    })
    expect(readVmlStyle(undefined).size).toBe(0)
    expect(readVmlStyle(`${'x'.repeat(limits.renderVmlStyleChars)};a:1`).size).toBe(0)
  })

  test('is a list of numbers, a share, an angle or off', () => {
    expect([readVmlPair('1,-2.5'), readVmlPair('x,3'), readVmlPair(','), readVmlPair(undefined)]).toEqual([
      ...[[1, -2.5], [0, 3], [0, 0], []],
    ])
    expect(['0.5', '50%', '32768f', 'x', undefined].map(readVmlShare)).toEqual([0.5, 0.5, 0.5, undefined, undefined])
    expect(['90', '-90', '450', '5898240fd', 'x', undefined].map(readVmlAngle)).toEqual([90, -90, 90, 90, 0, 0])
    expect(['f', 'false', 'False', '0', 't', '1', undefined].map(isVmlOff)).toEqual([
      ...[true, true, true, true, false, false, false],
    ])
  })

  test('is a colour in hexadecimal, by channels, by name or of the system', () => {
    const colors = {
      ...{ '#ff8000': 'FF8000', '#f80': 'FF8800', 'rgb(255, 8,300)': 'FF08FF', navy: '000080', Red: 'FF0000' },
      ...{ '#ff0000 [3204]': 'FF0000', window: 'FFFFFF', infoBackground: 'FFFFFF', buttonHighlight: 'FFFFFF' },
      ...{ windowText: '000000', buttontext: '000000', captiontext: '000000', infotext: '000000' },
      ...{ buttonFace: 'F0F0F0', threedface: 'F0F0F0', menu: 'F0F0F0', inactiveborder: 'F0F0F0' },
    }
    for (const [text, color] of Object.entries(colors)) expect([text, readVmlColor(text)]).toEqual([text, color])
    for (const text of ['#ff', 'none', '', '#ff80000', undefined]) expect(readVmlColor(text)).toBeUndefined()
  })
})

describe('A place of VML', () => {
  const place = (style: string, wrap?: string) =>
    readVmlAnchor(readVmlStyle(style), wrap === undefined ? undefined : element(`<w10:wrap ${wrap}/>`))

  test('is in the line unless it is absolute', () => {
    expect([place(''), place('position:relative'), place('position:static')]).toEqual(new Array(3).fill(undefined))
    expect(place('position:absolute')).toEqual({
      ...{ behind: false, wrap: 'none', sides: 'both', margins: { left: 0, top: 0, right: 0, bottom: 0 } },
      ...{ horizontal: { from: 'column', offset: 0 }, vertical: { from: 'paragraph', offset: 0 } },
    })
  })

  test('is behind the text by a negative index', () => {
    expect([place('position:absolute;z-index:-1')?.behind, place('position:absolute;z-index:1')?.behind]).toEqual([
      ...[true, false],
    ])
  })

  test('has text around it by the kind of wrapping, at its sides and distances', () => {
    const kinds = { square: 'square', tight: 'square', through: 'square', topAndBottom: 'topAndBottom', none: 'none' }
    for (const [type, wrap] of Object.entries(kinds))
      expect([type, place('position:absolute', `type="${type}"`)?.wrap]).toEqual([type, wrap as 'none'])
    expect(place('position:absolute', 'type="square"')?.margins).toEqual({ left: 9, top: 0, right: 9, bottom: 0 })
    const distances =
      'mso-wrap-distance-left:1pt;mso-wrap-distance-top:2pt;mso-wrap-distance-right:3pt;mso-wrap-distance-bottom:-4pt'
    expect(place(`position:absolute;${distances}`, 'type="square"')?.margins).toEqual({
      ...{ left: 1, top: 2, right: 3, bottom: 0 },
    })
    expect(place(`position:absolute;${distances}`)?.margins).toMatchObject({ left: 0, right: 0 })
    expect(['left', 'right', 'both'].map((side) => place('position:absolute', `side="${side}"`)?.sides)).toEqual([
      ...(['left', 'right', 'both'] as const),
    ])
    expect(place('position:absolute', 'side="largest"')).not.toHaveProperty('sides')
  })

  test('adds its margins to its sides, from what it says, or aligned to it', () => {
    expect(place('position:absolute;left:3pt;margin-left:4pt;top:5pt;margin-top:-1pt')).toMatchObject({
      ...{ horizontal: { offset: 7 }, vertical: { offset: 4 } },
    })
    // A number without a unit is one of pixels' points, as Word writes it.
    expect(place('position:absolute;left:3;margin-left:4;top:5;margin-top:-1')).toMatchObject({
      ...{ horizontal: { offset: 7 }, vertical: { offset: 4 } },
    })
    const from = (name: string) =>
      place(`position:absolute;mso-position-horizontal-relative:${name};mso-position-vertical-relative:${name}`)
    const names = {
      ...{ page: 'page', margin: 'margin', 'left-margin-area': 'leftMargin', 'inner-margin-area': 'insideMargin' },
      ...{ 'outer-margin-area': 'outsideMargin' },
    }
    for (const [name, expected] of Object.entries(names)) expect(from(name)?.horizontal.from).toBe(expected)
    for (const name of ['text', 'char', 'line'])
      expect(from(name)).toMatchObject({ horizontal: { from: 'column' }, vertical: { from: 'paragraph' } })
    expect(place('position:absolute;mso-position-horizontal:center;mso-position-vertical:bottom')).toMatchObject({
      ...{ horizontal: { align: 'center' }, vertical: { align: 'bottom' } },
    })
    expect(place('position:absolute;mso-position-horizontal:absolute')?.horizontal).not.toHaveProperty('align')
  })
})

describe('A formula of VML', () => {
  const value = (...formulas: string[]) => round(evaluateFormulas(formulas, scope).results.at(-1) ?? Number.NaN)

  test('computes one of these', () => {
    const formulas: Record<string, number> = {
      ...{ 'val 3': 3, 'sum 1 2 4': -1, 'prod 3 4 2': 6, 'product 3 4 2': 6, 'mid 2 6': 4, 'abs -3': 3 },
      ...{ 'min 2 5': 2, 'max 2 5': 5, 'if 1 2 3': 2, 'if 0 2 3': 3, 'if -1 2 3': 3, 'mod 2 3 6': 7, 'sqrt 9': 3 },
      // A quarter of a turn is 90 × 65,536.
      ...{ 'atan2 0 1': 5_898_240, 'sin 10 5898240': 10, 'cos 10 11796480': -10, 'tan 10 2949120': 10 },
      ...{ 'cosatan2 10 3 4': 6, 'sinatan2 10 3 4': 8, 'sumangle 1 2 1': 65_537, 'ellipse 3 5 10': 8 },
      ...{ 'ellipse 6 5 10': 0, 'x 1': 0, 'prod 1 1 0': 0, ' val   4 ': 4, 'val x': 0, val: 0 },
    }
    for (const [formula, expected] of Object.entries(formulas))
      expect([formula, value(formula)]).toEqual([formula, expected])
  })

  test('refers to adjustments, earlier results and the extent', () => {
    expect([value('val #0'), value('val #1'), value('val #2')]).toEqual([5, 7, 0])
    expect([value('val 3', 'val 4', 'sum @0 @1 0'), value('val @0')]).toEqual([7, 0])
    const names = {
      ...{ width: 200, pixelWidth: 200, emuWidth: 200, height: 100, pixelHeight: 100, emuHeight: 100 },
      ...{ xcenter: 100, ycenter: 50 },
    }
    for (const [name, expected] of Object.entries(names)) expect([name, value(`val ${name}`)]).toEqual([name, expected])
    const many = new Array(limits.renderShapeGuides + 1).fill('val 1')
    expect(evaluateFormulas(many, scope).results.length).toBe(limits.renderShapeGuides)
  })
})

describe('A path of VML', () => {
  const formulas = evaluateFormulas(['val 9', 'val 8'], scope)
  const path = (text: string) => readVmlPath(text, formulas).map(flat)

  test('has lines and curves, from where they are or from the origin, in groups', () => {
    const paths = {
      ...{ 'm1,2l3,4,5,6xe': 'MLLZ 1 2 3 4 5 6', 'm1 2r3,4,1,1': 'MLL 1 2 4 6 5 7', 'm1,2t3,4l0,0': 'MML 1 2 4 6 0 0' },
      ...{ 'm0,0c1,2,3,4,5,6': 'MC 0 0 1 2 3 4 5 6', 'm1,1v1,2,3,4,5,6': 'MC 1 1 2 3 4 5 6 7' },
      ...{
        'm0,0qb3,3,6,0': 'MC 0 0 2 2 4 2 6 0',
        'm,l,5': 'ML 0 0 0 5',
        ml5: 'ML 0 0 5 0',
        'm 1 , 2 l 3  4': 'ML 1 2 3 4',
      },
      ...{
        'm@0@1l#0#1': 'ML 9 8 5 7',
        'm@0,1l2@1': 'ML 9 1 2 8',
        'm1,2ha3,4l5,6': 'ML 1 2 5 6',
        'm@7,1l1,1': 'ML 0 1 1 1',
      },
    }
    for (const [text, expected] of Object.entries(paths)) expect([text, path(text)]).toEqual([text, [expected]])
    expect([path(''), path('e'), path('x')]).toEqual([[], [], []])
  })

  test('has parts, each with its own fill and stroke', () => {
    expect(path('m0,0l1,1nfem2,2l3,3nsem4,4l5,5e')).toEqual(['ML 0 0 1 1 nf', 'ML 2 2 3 3 ns', 'ML 4 4 5 5'])
    expect(path('nfnsm0,0l1,1')).toEqual(['ML 0 0 1 1 nf ns'])
  })

  test('has arcs by angles, against the clock, after a line or a new start', () => {
    // From the right end of the circle a quarter against the clock: to its top.
    expect(path('m0,0ae10,10,10,10,0,5898240')).toEqual(['MLC 0 0 20 10 20 4.5 15.5 0 10 0'])
    expect(path('m0,0al10,20,10,20,5898240,5898240')).toEqual(['MMC 0 0 10 0 4.5 0 0 9 0 20'])
    expect(path('ae10,10,10,10,0,-5898240')).toEqual(['MC 20 10 20 15.5 15.5 20 10 20'])
    // Six numbers an arc, as many arcs as there are.
    const quarter = '10,10,10,10,0,5898240'
    expect(path(`m0,0al${quarter},${quarter}`)).toEqual(['MMCMC 0 0 20 10 20 4.5 15.5 0 10 0 20 10 20 4.5 15.5 0 10 0'])
    expect(path('m0,0ar0,0,20,10,20,5,10,-9,0,0,20,10,20,5,10,-9')).toEqual([
      'MMCMC 0 0 20 5 20 2.2 15.5 0 10 0 20 5 20 2.2 15.5 0 10 0',
    ])
    expect(path('m0,0qb3,3,6,0,3,3,0,0')).toEqual(['MCC 0 0 2 2 4 2 6 0 4 2 2 2 0 0'])
    expect(path('m0,0c1,2,3,4,5,6,1,2,3,4,5,6')).toEqual(['MCC 0 0 1 2 3 4 5 6 1 2 3 4 5 6'])
    expect(path('m0,0v1,2,3,4,5,6,1,2,3,4,5,6')).toEqual(['MCC 0 0 1 2 3 4 5 6 6 8 8 10 10 12'])
  })

  test('has arcs of the ellipse in a box between two rays, with or against the clock', () => {
    const arc = (op: string, rays = '20,5,10,20') => path(`m0,0${op}0,0,20,10,${rays}`)
    const withClock = '20 5 20 7.8 15.5 10 10 10'
    expect(arc('wa')).toEqual([`MLC 0 0 ${withClock}`])
    expect(arc('wr')).toEqual([`MMC 0 0 ${withClock}`])
    expect(arc('at')?.[0]?.slice(0, 23)).toBe('MLCCC 0 0 20 5 20 2.2 1')
    expect(arc('ar')?.[0]?.slice(0, 5)).toBe('MMCCC')
    expect(arc('wa', '20,5,20,5')?.[0]?.slice(0, 6)).toBe('MLCCCC')
    expect(arc('at', '20,5,20,5')?.[0]?.slice(0, 6)).toBe('MLCCCC')
    expect(arc('at', '20,5,10,-9')).toEqual(['MLC 0 0 20 5 20 2.2 15.5 0 10 0'])
    expect(path('m1,1wa0,0,0,10,1,1,2,2')).toEqual(['M 1 1'])
    expect(path('m1,1wa0,4,9,4,1,1,2,2')).toEqual(['M 1 1'])
    expect(path('m0,0wa20,10,0,0,20,5,10,20')).toEqual([`MLC 0 0 ${withClock}`])
    expect(path('m0,0wa100,100,120,110,120,105,110,120')).toEqual(['MLC 0 0 120 105 120 107.8 115.5 110 110 110'])
  })

  test('has quarters of ellipses along one axis and the other in turn', () => {
    expect(path('m0,0qx10,20')).toEqual(['MC 0 0 5.5 0 10 9 10 20'])
    expect(path('m0,0qy10,20')).toEqual(['MC 0 0 0 11 4.5 20 10 20'])
    expect(path('m0,0qx10,10,20,20')).toEqual(['MCC 0 0 5.5 0 10 4.5 10 10 10 15.5 14.5 20 20 20'])
    expect(path('m0,0qx10')).toEqual(['M 0 0'])
  })

  test('stops at the limit of its steps', () => {
    const [first] = readVmlPath(`m0,0${'r1,1'.repeat(limits.renderPathSteps)}`, formulas)
    expect(first?.outline.ops.length).toBe(limits.renderPathSteps)
  })
})

describe('A form of VML', () => {
  test('is a box, an oval, a rounded box or an arc', () => {
    expect([form('<v:rect/>'), form('<v:image/>'), form('<v:shape/>')]).toEqual([
      ...['geometry', 'geometry', ['MLLLZ 0 0 200 0 200 100 0 100']],
    ])
    expect(form('<v:oval/>')).toEqual([
      'MCCCCZ 200 50 200 77.6 155.2 100 100 100 44.8 100 0 77.6 0 50 0 22.4 44.8 0 100 0 155.2 0 200 22.4 200 50',
    ])
    const corner = (attributes: string) => form(`<v:roundrect ${attributes}/>`)[0]?.split(' ').slice(0, 3).join(' ')
    expect(['', 'arcsize="0.5"', 'arcsize="9"', 'arcsize="6554f"', 'arcsize="-1"'].map(corner)).toEqual([
      ...['MCLCLCLCZ 0 20', 'MCLCLCLCZ 0 50', 'MCLCLCLCZ 0 50', 'MCLCLCLCZ 0 10', 'MCLCLCLCZ 0 0'],
    ])
    expect(form('<v:roundrect arcsize="0.1"/>')).toEqual([
      'MCLCLCLCZ 0 10 0 4.5 4.5 0 10 0 190 0 195.5 0 200 4.5 200 10 200 90 200 95.5 195.5 100 190 100 10 100 4.5 100 0 95.5 0 90',
    ])
    expect(form('<v:arc/>')).toEqual(['MC 100 0 155.2 0 200 22.4 200 50'])
    expect(form('<v:arc startangle="90" endangle="180"/>')).toEqual(['MC 200 50 200 77.6 155.2 100 100 100'])
    expect(form('<v:arc startangle="0" endangle="-90"/>')[0]?.slice(0, 4)).toBe('MCCC')
    expect(form('<v:arc startangle="0" endangle="0"/>')[0]?.slice(0, 5)).toBe('MCCCC')
  })

  test('is a line between two corners of its box', () => {
    const line = (from: string, to: string) => form(`<v:line from="${from}" to="${to}"/>`)
    expect(line('0,0', '9pt,9pt')).toEqual(['ML 0 0 200 100 nf'])
    expect(line('9pt,0', '0,9pt')).toEqual(['ML 200 0 0 100 nf'])
    expect(line('0,9pt', '9pt,0')).toEqual(['ML 0 100 200 0 nf'])
    expect(line('1in,1in', '9pt,9pt')).toEqual(['ML 200 100 0 0 nf'])
    expect(form('<v:line/>')).toEqual(['ML 0 0 200 100 nf'])
  })

  test('is a polyline, stretched to its box', () => {
    const polyline = (points: string) => form(`<v:polyline points="${points}"/>`)
    expect(polyline('10pt,10pt 20pt,10pt,20pt,30pt')).toEqual(['MLL 0 0 200 0 200 100'])
    expect(polyline('5pt,5pt,5pt,9pt,7')).toEqual(['ML 0 0 0 100'])
    expect(polyline('5pt,5pt,9pt,5pt')).toEqual(['ML 0 0 200 0'])
    const thin = shapeOf('<v:polyline points="0,0 4pt,4pt"/>', undefined, 0.5, 0.5)
    expect(vmlForm(thin)).toMatchObject({ paths: [{ outline: { points: [0, 0, 0.5, 0.5] } }] })
    const flatBox = shapeOf('<v:polyline points="0,0 0.5pt,0.5pt"/>', undefined, 10, 10)
    expect(vmlForm(flatBox)).toMatchObject({ paths: [{ outline: { points: [0, 0, 10, 10] } }] })
    expect(polyline('1,2,3')).toEqual(['MLLLZ 0 0 200 0 200 100 0 100'])
    expect(polyline('')).toEqual(['MLLLZ 0 0 200 0 200 100 0 100'])
  })

  test('is a path in its own units, its own or that of its type', () => {
    expect(form('<v:shape path="m0,0l1000,500e"/>')).toEqual(['ML 0 0 200 50'])
    expect(form('<v:shape coordsize="100,50" coordorigin="10,20" path="m10,20l110,70e"/>')).toEqual(['ML 0 0 200 100'])
    expect(form('<v:shape/>', '<v:shapetype coordsize="10,10" path="m0,0l5,5e"/>')).toEqual(['ML 0 0 100 50'])
    expect(form('<v:shape coordsize="0,0" path="m0,0l1,1e"/>')).toEqual(['ML 0 0 200 100'])
    expect(form('<v:shape path="e"/>')).toEqual(['MLLLZ 0 0 200 0 200 100 0 100'])
  })

  test('is that of a type that nobody defines: a rectangle or a line', () => {
    const boxed = ['MLLLZ 0 0 200 0 200 100 0 100']
    for (const type of [0, 1, 75, 109, 202])
      expect(form(`<v:shape o:spt="${type}"/>`, '<v:shapetype path="m0,0l5,5e"/>')).toEqual(boxed)
    expect(form('<v:shape type="#_x0000_t202"/>', '<v:shapetype path="m0,0l5,5e"/>')).toEqual(boxed)
    expect(form('<v:shape o:spt="202" path="m0,0l1000,1000e"/>')).toEqual(['ML 0 0 200 100'])
    for (const type of [20, 32]) expect(form(`<v:shape type="#_x0000_t${type}"/>`)).toEqual(['ML 0 0 200 100 nf'])
    expect(form('<v:shape type="#_x0000_t21"/>')).toEqual(boxed)
  })

  test('takes each adjustment from the shape, or from its type where the shape leaves it empty', () => {
    const path =
      '<v:shapetype coordsize="200,100" adj="3,4,5" path="m@0,@1l@2,@3e"><v:formulas><v:f eqn="val #0"/><v:f eqn="val #1"/><v:f eqn="val #2"/><v:f eqn="val #3"/></v:formulas></v:shapetype>'
    expect(form('<v:shape adj="7, ,x,8"/>', path)).toEqual(['ML 7 4 0 8'])
    expect(form('<v:shape/>', path)).toEqual(['ML 3 4 5 0'])
    expect(form('<v:shape adj="7"/>', path)).toEqual(['ML 7 4 5 0'])
  })

  test('has room for text where its type says, in its own units', () => {
    const text = (rectangle: string, attributes = 'coordsize="100,50" coordorigin="10,20"') => {
      const found = vmlForm(
        shapeOf(
          `<v:shape ${attributes} path="m0,0l1,1e"><v:formulas><v:f eqn="val 60"/></v:formulas><v:path textboxrect="${rectangle}"/></v:shape>`,
        ),
      )
      return found.kind === 'paths' ? found.text : undefined
    }
    expect(text('10,20,@0,45;0,0,1,1')).toEqual({ left: 0, top: 0, right: 100, bottom: 50 })
    expect(text('20,30,x,@9')).toEqual({ left: 20, top: 20, right: -20, bottom: -40 })
    expect([text('1,2,3'), text('')]).toEqual([undefined, undefined])
  })
})

describe('A fill of VML', () => {
  const fill = (attributes: string, color?: string) => readVmlFill(element(`<v:fill ${attributes}/>`), color, source)
  const stops = (attributes: string) => {
    const found = fill(`type="gradient" color="red" color2="blue" ${attributes}`)
    return found?.kind === 'gradient' ? found.stops.map(({ at, color }) => `${at} ${color}`) : undefined
  }

  test('is a colour, its own, the shape’s or white', () => {
    expect(readVmlFill(undefined, undefined, source)).toEqual({ kind: 'solid', color: 'FFFFFF', opacity: 1 })
    expect([fill('color="red"', 'blue'), fill('', 'blue')]).toMatchObject([{ color: 'FF0000' }, { color: '0000FF' }])
    expect(['0.5', '32768f', '9', '-1'].map((opacity) => fill(`opacity="${opacity}"`))).toMatchObject([
      ...[{ opacity: 0.5 }, { opacity: 0.5 }, { opacity: 1 }, { opacity: 0 }],
    ])
    expect([fill('on="f"'), fill('on="t"')]).toMatchObject([undefined as never, { kind: 'solid' }])
  })

  test('is a picture if there is one', () => {
    const picture = { kind: 'picture', part: 'media/1.png' } as const
    expect([fill('type="frame" r:id="r1"'), fill('type="tile" r:id="r1"')]).toEqual([picture, picture])
    for (const other of ['type="frame" r:id="r2"', 'type="frame"', 'type="solid" r:id="r1"'])
      expect(fill(other)).toMatchObject({ kind: 'solid' })
  })

  test('is a gradient upwards, turned round or mirrored by its focus', () => {
    expect(stops('')).toEqual(['0 0000FF', '1 FF0000'])
    expect([stops('focus="100%"'), stops('focus="-100"')]).toEqual([
      ['0 FF0000', '1 0000FF'],
      ['0 FF0000', '1 0000FF'],
    ])
    expect([stops('focus="50%"'), stops('focus="-25%"')]).toEqual([
      ['0 0000FF', '0.5 FF0000', '1 0000FF'],
      ['0 0000FF', '0.25 FF0000', '1 0000FF'],
    ])
    expect([fill('type="gradient"'), fill('type="gradient" angle="-90" opacity="0.5"')]).toMatchObject([
      { angle: 90, opacity: 1 },
      { angle: 180, opacity: 0.5 },
    ])
    expect(fill('type="gradientRadial" color="red" color2="blue" opacity="0.5" focus="100%"')).toEqual({
      ...{ kind: 'gradient', opacity: 0.5, angle: 0, focus: { x: 0.5, y: 0.5 } },
      stops: [
        { at: 0, color: '0000FF' },
        { at: 1, color: 'FF0000' },
      ],
    })
  })

  test('has a second colour that may be the first, darker or lighter', () => {
    const second = (color2: string) => {
      const found = fill(`type="gradient" color="#804020" ${color2}`)
      return found?.kind === 'gradient' ? found.stops[0].color : undefined
    }
    // A share of 51 of 255 is a fifth of the first colour: 128, 64 and 32 become 25.6, 12.8 and 6.4.
    expect(second('color2="fill darken(51)"')).toBe('1A0D06')
    expect(second('color2="fill lighten(51)"')).toBe('E6D9D2')
    expect(second('color2="fill darken(300)"')).toBe('804020')
    expect([second('color2="blue"'), second('')]).toEqual(['0000FF', 'FFFFFF'])
  })
})

describe('A line of VML', () => {
  const line = (stroke: string, own = '', type?: string) =>
    readVmlLine(shapeOf(`<v:shape ${own}/>`, type), element(`<v:stroke ${stroke}/>`))

  test('is black, 0.75 points wide and has corners and ends of its kind', () => {
    expect(readVmlLine(shapeOf('<v:shape/>'), undefined)).toEqual({
      ...{ color: '000000', opacity: 1, width: 0.75, dash: [], cap: 'butt', join: 'miter' },
    })
    expect([line('on="f"'), line('on="t"')?.width]).toEqual([undefined, 0.75])
    expect(['round', 'square', 'flat'].map((cap) => line(`endcap="${cap}"`)?.cap)).toEqual([
      ...(['round', 'square', 'butt'] as const),
    ])
    expect(['round', 'bevel', 'miter'].map((join) => line(`joinstyle="${join}"`)?.join)).toEqual([
      ...(['round', 'bevel', 'miter'] as const),
    ])
    expect(['0.5', '9', '-1'].map((opacity) => line(`opacity="${opacity}"`)?.opacity)).toEqual([0.5, 1, 0])
  })

  test('has its colour and weight from the shape, the stroke or the type', () => {
    expect(line('color="red"', 'strokecolor="blue"')?.color).toBe('0000FF')
    expect(line('color="red"', '', '<v:shapetype strokecolor="blue"/>')?.color).toBe('FF0000')
    expect(line('', '', '<v:shapetype strokecolor="blue"/>')?.color).toBe('0000FF')
    expect(line('weight="2pt"', 'strokeweight="3pt"')?.width).toBe(2)
    expect([line('', 'strokeweight="3pt"')?.width, line('weight="-1pt"')?.width]).toEqual([3, 0])
  })

  test('has dashes in line widths', () => {
    const dashes = {
      ...{ dot: [1, 3], shortDot: [1, 1], '1 1': [1, 1], dash: [4, 3], shortDash: [3, 1], '3 1': [3, 1] },
      ...{ longDash: [8, 3], dashDot: [4, 3, 1, 3], shortDashDot: [3, 1, 1, 1], longDashDot: [8, 3, 1, 3] },
      ...{ longDashDotDot: [8, 3, 1, 3, 1, 3], solid: [] },
    }
    for (const [name, dash] of Object.entries(dashes))
      expect([name, line(`dashstyle="${name}"`)?.dash]).toEqual([name, dash])
  })

  test('has heads of three sizes', () => {
    const types = { block: 'triangle', classic: 'stealth', open: 'arrow', diamond: 'diamond', oval: 'oval' }
    for (const [name, type] of Object.entries(types))
      expect(line(`startarrow="${name}"`)).toMatchObject({ head: { type: type as 'oval', width: 3, length: 3 } })
    expect(line('endarrow="block" endarrowwidth="narrow" endarrowlength="long" startarrow="none"')).toMatchObject({
      tail: { type: 'triangle', width: 2, length: 5 },
    })
    expect(
      line('startarrow="oval" startarrowwidth="wide" startarrowlength="short" endarrowwidth="wide"'),
    ).toMatchObject({ head: { type: 'oval', width: 5, length: 2 } })
    expect(line('startarrow="none"')).not.toHaveProperty('head')
    expect(line('startarrow="oval"')).not.toHaveProperty('tail')
  })
})

describe('A drawing of VML', () => {
  const read = (content: string, from = source) => readVml(element(`<w:pict>${content}</w:pict>`), from, new Map())[0]
  const graphic = (content: string) => read(content)?.graphic

  test('has a box, a turn, flips and a description', () => {
    expect(graphic('<v:rect alt="A" style="width:1in;height:20pt;rotation:90;flip:x y"/>')).toMatchObject({
      ...{ x: 0, y: 0, width: 72, height: 20, rotation: 90, flipH: true, flipV: true, alt: 'A' },
    })
    expect(graphic('<v:rect style="width:-1pt;flip:y"/>')).toMatchObject({
      ...{ width: 0, height: 0, rotation: 0, flipH: false, flipV: true, alt: '' },
    })
    expect([graphic(''), graphic('<v:rect style="visibility:hidden"/>'), graphic('<v:shapetype id="x"/>')]).toEqual([
      ...[undefined, undefined, undefined],
    ])
  })

  test('places the children of a group by its grid', () => {
    const group = graphic(
      '<v:group style="width:100pt;height:50pt" coordsize="200,200" coordorigin="20,40"><v:rect style="left:40;top:80;width:60;height:20"/>' +
        '<v:rect style="left:40pt;width:10pt"/><v:line from="20,40" to="220,240"/><w:x/></v:group>',
    )
    expect(group?.content).toMatchObject({
      ...{ kind: 'group', x: 0, y: 0, width: 100, height: 50 },
      children: [
        { x: 10, y: 10, width: 30, height: 5 },
        { x: 30, y: -10, width: 10, height: 0 },
        { x: 0, y: 0, width: 100, height: 50 },
      ],
    })
  })

  test('has a thousand units each way in a group that names none, and nothing larger for units of zero', () => {
    const child = (attributes: string) => {
      const content = graphic(
        `<v:group style="width:100pt;height:50pt" ${attributes}><v:rect style="left:100;top:100;width:500;height:500"/></v:group>`,
      )?.content
      const [first] = content?.kind === 'group' ? content.children : []
      return first && [first.x, first.y, first.width, first.height]
    }
    expect(child('')).toEqual([10, 5, 50, 25])
    expect(child('coordsize="0,0"')).toEqual([10_000, 5_000, 50_000, 25_000])
  })

  test('takes the place of a line from its ends, unless its style has one', () => {
    const line = (style: string) => read(`<v:line from="30pt,40pt" to="10pt,5pt" style="position:absolute;${style}"/>`)
    expect(line('')).toMatchObject({
      ...{ graphic: { x: 0, y: 0, width: 20, height: 35 } },
      anchor: { horizontal: { offset: 10 }, vertical: { offset: 5 } },
    })
    for (const style of ['left:3pt', 'margin-left:3pt'])
      expect(line(style)?.anchor).toMatchObject({ horizontal: { offset: 3 }, vertical: { offset: 0 } })
    expect(graphic('<v:line/>')).toMatchObject({ width: 10, height: 10 })
  })

  test('may be a rule across its column, or a share of it', () => {
    const rule = (attributes: string) => read(`<v:rect ${attributes}/>`)?.relative
    expect(rule('o:hr="t"')).toEqual({ width: { share: 1, from: 'column' } })
    expect(rule('o:hr="t" o:hrpct="500"')).toEqual({ width: { share: 0.5, from: 'column' } })
    expect(rule('o:hr="t" o:hrpct="1000"')).toEqual({ width: { share: 1, from: 'column' } })
    expect(rule('o:hr="t" style="width:9pt"')).toBeUndefined()
    expect(rule('o:hr="t" o:hrpct="1001" style="width:9pt"')).toBeUndefined()
    expect([rule('o:hr="f"'), rule('')]).toEqual([undefined, undefined])
  })

  test('is no deeper than the limit, and says so', () => {
    const told: string[] = []
    const from = { ...source, unsupported: (name: string) => told.push(name) }
    const nested = (depth: number) => `${'<v:group>'.repeat(depth)}<v:rect/>${'</v:group>'.repeat(depth)}`
    read(nested(limits.renderDrawingDepth), from)
    expect(told).toEqual([])
    read(nested(limits.renderDrawingDepth + 1), from)
    expect(told).toEqual(['v:rect'])
  })

  test('shows pictures, with a line only where the shape asks for one', () => {
    const picture = (attributes: string, data = '') =>
      graphic(`<v:shape ${attributes}><v:imagedata r:id="r1" ${data}/></v:shape>`)?.content
    expect(picture('', 'cropleft="6554f" croptop="0.25" cropright="9" cropbottom="-9"')).toMatchObject({
      ...{ kind: 'picture', part: 'media/1.png', crop: { top: 0.25, right: 0.99, bottom: -1 } },
    })
    expect(picture('')).toEqual({
      ...{ kind: 'picture', part: 'media/1.png', crop: { left: 0, top: 0, right: 0, bottom: 0 } },
    })
    expect([picture('stroked="t"'), picture('stroked="f"')].map((it) => it !== undefined && 'line' in it)).toEqual([
      ...[true, false],
    ])
    expect(graphic('<v:shape><v:imagedata r:pict="r1"/></v:shape>')?.content).toMatchObject({ part: 'media/1.png' })
  })

  test('shows lettering in its font', () => {
    const lettering = (style: string, shape = '') =>
      graphic(`<v:shape ${shape}><v:textpath string="Hi" style="${style}"/></v:shape>`)?.content
    expect(lettering('', 'filled="f" stroked="f"')).toEqual({
      ...{ kind: 'word-art', text: 'Hi', font: 'Arial', bold: false, italic: false },
    })
    expect(lettering("font-family:'Lato';font-weight:bold;font-style:italic")).toMatchObject({
      ...{ font: 'Lato', bold: true, italic: true, fill: { color: 'FFFFFF' }, line: { color: '000000' } },
    })
    expect(graphic('<v:shape><v:textpath string=""/></v:shape>')?.content.kind).toBe('shape')
  })

  test('has text with insets, a place and a direction', () => {
    const text = (box = '', shape = '') => {
      const content = graphic(
        `<v:shape style="${shape}"><v:textbox ${box}><w:txbxContent/></v:textbox></v:shape>`,
      )?.content
      return content?.kind === 'shape' ? content.text : undefined
    }
    expect(text()).toEqual({
      ...{ blocks: [], insets: { left: 7.2, top: 3.6, right: 7.2, bottom: 3.6 }, vertical: 'top', centered: false },
      ...{ autoHeight: false, wrap: true, turn: 0 },
    })
    expect(text('inset="1pt,,3pt,4pt"')?.insets).toEqual({ left: 1, top: 3.6, right: 3, bottom: 4 })
    expect(
      ['middle', 'bottom', 'top', 'middle-center', 'bottom-center', 'top-center'].map((anchor) => {
        const found = text('', `v-text-anchor:${anchor}`)
        return `${found?.vertical} ${found?.centered}`
      }),
    ).toEqual([...['center false', 'bottom false', 'top false', 'center true', 'bottom true', 'top true']])
    expect(['t', 'true', 'f'].map((it) => text(`style="mso-fit-shape-to-text:${it}"`)?.autoHeight)).toEqual([
      ...[true, true, false],
    ])
    expect([text('', 'mso-wrap-style:none')?.wrap, text('', 'mso-wrap-style:square')?.wrap]).toEqual([false, true])
    expect(text('style="layout-flow:vertical"')?.turn).toBe(90)
    expect(text('style="layout-flow:vertical;mso-layout-flow-alt:bottom-to-top"')?.turn).toBe(270)
    expect(text('style="mso-layout-flow-alt:bottom-to-top"')?.turn).toBe(0)
  })

  test('is filled and drawn unless it says otherwise, and a line is never filled', () => {
    const parts = (content: string) => Object.keys(graphic(content)?.content ?? {}).join()
    expect(parts('<v:rect/>')).toBe('kind,form,fill,line')
    expect(parts('<v:rect filled="f" stroked="f"/>')).toBe('kind,form')
    expect(parts('<v:line/>')).toBe('kind,form,line')
  })
})
