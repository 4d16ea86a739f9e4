import { expect, test } from 'bun:test'
import type { Frame } from '../../../../src/engines/pdf/frame/frame.ts'
import { drawSvg } from '../../../../src/engines/pdf/layout/drawing/svg.ts'
import { dumpPaths } from '../word.ts'

const rect = '<rect width="10" height="5"/>'

/** A drawing of 100 × 50 in a box of 200 × 100 points. */
function framesOf(content: string, attributes = 'width="100" height="50"'): Frame[] | undefined {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`
  return drawSvg(new TextEncoder().encode(text), { width: 200, height: 100, node: 7 })
}

function pathsOf(content: string, attributes?: string): string[] {
  return dumpPaths(framesOf(content, attributes) ?? [])
}

/** The one path of a drawing. */
function pathOf(content: string) {
  const inner = (frames: readonly Frame[]): Frame[] =>
    frames.flatMap((frame) => (frame.kind === 'group' ? inner(frame.frames) : [frame]))
  const [frame, ...others] = inner(framesOf(content) ?? [])
  if (frame?.kind !== 'path' || others.length > 0) throw new Error('not one path')
  return frame
}

test('fills the box, also where its view box begins elsewhere and has other proportions', () => {
  const drawn = ['M0,0 L20,0 L20,10 L0,10 Z fill 000000']
  expect(pathsOf(rect)).toEqual(drawn)
  expect(
    pathsOf('<rect x="30" y="-4" width="2" height="1"/>', 'width="100" height="50" viewBox="30 -4 20 10"'),
  ).toEqual(drawn)
  // A view box that is twice as high leaves room at both sides, or at one, or is stretched.
  const high = (aspect: string) => pathsOf(rect, `width="100" height="50" viewBox="0 0 100 100" ${aspect}`)
  expect(high('')).toEqual(['M50,0 L60,0 L60,5 L50,5 Z fill 000000'])
  expect(high('preserveAspectRatio="xMaxYMid meet"')).toEqual(['M100,0 L110,0 L110,5 L100,5 Z fill 000000'])
  expect(high('preserveAspectRatio="xMidYMax slice"')).toEqual(['M0,-100 L20,-100 L20,-90 L0,-90 Z fill 000000'])
  expect(high('preserveAspectRatio="none"')).toEqual(['M0,0 L20,0 L20,5 L0,5 Z fill 000000'])
})

test('writes points of the page for drawings in tiny units, since frames have thousandths of a point', () => {
  const { outline } = pathOf('<g transform="scale(.001)"><rect width="1234.56" height="50000"/></g>')
  expect(outline.points[2]).toBeCloseTo(2.46912, 4)
})

test('has fills by both rules, opacities and lines as they are stated', () => {
  expect(pathOf('<path d="M0 0L9 0L0 9Z" fill-rule="evenodd" fill="#12ab34" fill-opacity=".5"/>')).toMatchObject({
    evenOdd: true,
    fill: { kind: 'solid', color: '12AB34', opacity: 0.5 },
    node: 7,
  })
  const line = 'd="M0 0L9 0L0 9" fill="none" stroke="red" stroke-width="3"'
  expect(pathOf(`<path ${line} stroke-dasharray="4 1" stroke-linecap="round" stroke-opacity=".25"/>`).stroke).toEqual({
    ...{ color: 'FF0000', opacity: 0.25, width: 6, dash: [8, 2], cap: 'round', join: 'miter', miterLimit: 4 },
  })
  expect(pathOf(`<path ${line} stroke-miterlimit="7"/>`).stroke?.miterLimit).toBe(7)
  expect(pathOf(`<path ${line} stroke-linejoin="bevel"/>`).stroke).toMatchObject({ join: 'bevel' })
  const both = '<rect width="9" height="5" stroke="red" paint-order="ORDER"/>'
  expect(pathsOf(both.replace('ORDER', 'fill')).map((path) => / (fill|stroke) /.exec(path)?.[1])).toEqual([
    'fill',
    'stroke',
  ])
  expect(pathsOf(both.replace('ORDER', 'stroke')).map((path) => / (fill|stroke) /.exec(path)?.[1])).toEqual([
    'stroke',
    'fill',
  ])
})

test('squeezes lines with what they surround, and turns them', () => {
  const [frame] =
    framesOf('<g transform="scale(4 1)"><path d="M0 0L9 0" fill="none" stroke="#000" stroke-width="2"/></g>') ?? []
  expect(frame).toMatchObject({ kind: 'group', matrix: [2, 0, 0, 0.5, 0, 0], frames: [{ stroke: { width: 8 } }] })
})

test('places gradients by the shape or by the drawing, turned where they say so', () => {
  const stops = '<stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/>'
  const shape = '<path id="a" d="M10 10L30 10L30 20L10 20Z" fill="url(#g)"/>'
  const placed = (gradient: string) => {
    const [group] = framesOf(gradient + shape) ?? []
    if (group?.kind !== 'group') throw new Error('no group')
    const [path] = group.frames
    if (path?.kind !== 'path' || path.fill?.kind === 'solid' || path.fill === undefined) throw new Error('no gradient')
    const { kind, x1, y1, x2, y2 } = path.fill
    const [a, b, c, d, e, f] = group.matrix
    const place = (x: number, y: number) =>
      [a * x + c * y + e, b * x + d * y + f].map((value) => Math.round(value * 100) / 100 + 0)
    expect(dumpPaths([group])[0]).toStartWith('M20,20 L60,20 L60,40 L20,40 Z')
    return [kind, ...place(x1, y1), ...place(x2, y2)]
  }
  expect(placed(`<linearGradient id="g">${stops}</linearGradient>`)).toEqual(['linear', 20, 20, 60, 20])
  const inDrawing = `<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="5" x2="25" y2="10">${stops}</linearGradient>`
  expect(placed(inDrawing)).toEqual(['linear', 10, 0, 50, 20])
  // Rings around (x2, y2), up to the one through (x1, y1): an ellipse in a shape that is wider than it is high.
  expect(placed(`<radialGradient id="g">${stops}</radialGradient>`)).toEqual(['radial', 60, 30, 40, 30])
  expect(placed(`<linearGradient id="g" gradientTransform="rotate(90)">${stops}</linearGradient>`)).toEqual([
    'linear',
    20,
    20,
    20,
    40,
  ])
  expect(placed(`<linearGradient id="g">${stops.replaceAll('/>', ' stop-opacity=".5"/>')}</linearGradient>`)[0]).toBe(
    'linear',
  )
})

test('is as wide as its curves, not as their control points, where a gradient fills it', () => {
  const gradient = '<linearGradient id="g"><stop offset="0"/><stop offset="1" stop-color="#fff"/></linearGradient>'
  const [group] = framesOf(`${gradient}<path d="M0 0C0 40 30 40 30 0Z" fill="url(#g)"/>`) ?? []
  // 30 high at the control points' 40: three quarters, twice as large on the page.
  expect(group).toMatchObject({ kind: 'group' })
  const [a, , , d] = group?.kind === 'group' ? group.matrix : []
  expect(d! / a!).toBeCloseTo(1, 6)
})

test('cuts at an outline, moved with its content', () => {
  const [group] =
    framesOf(
      '<clipPath id="c"><path d="M1 1L9 1L9 9Z"/></clipPath><g transform="translate(10 0)" clip-path="url(#c)"><rect width="50" height="50"/></g>',
    ) ?? []
  expect(group).toMatchObject({ kind: 'group', clip: { ops: 'MLLZ', points: [22, 2, 38, 2, 38, 18] } })
})

const half = '<g opacity=".5">CONTENT</g>'
test('hands the opacity of a group down to a single figure', () => {
  expect(pathOf(half.replace('CONTENT', `<g>${rect}</g>`)).fill).toMatchObject({ opacity: 0.5 })
})

test.each([
  ['a group that is blended as one', half.replace('CONTENT', rect + rect)],
  [
    'a figure with fill and line that is blended as one',
    half.replace('CONTENT', '<rect width="9" height="5" stroke="red"/>'),
  ],
  ['a mask', `<mask id="m"><rect width="5" height="5" fill="#fff"/></mask><g mask="url(#m)">${rect}</g>`],
  ['a filter', `<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#f)">${rect}</g>`],
  [
    'a pattern',
    '<pattern id="p" width=".1" height=".1"><rect width="1" height="1"/></pattern><rect width="50" height="50" fill="url(#p)"/>',
  ],
  [
    'a gradient whose opacity changes',
    '<linearGradient id="g"><stop offset="0" stop-opacity="0"/><stop offset="1"/></linearGradient><rect width="50" height="50" fill="url(#g)"/>',
  ],
  [
    'a gradient that is repeated',
    '<linearGradient id="g" x2=".1" spreadMethod="repeat"><stop offset="0"/><stop offset="1" stop-color="red"/></linearGradient><rect width="50" height="50" fill="url(#g)"/>',
  ],
  [
    'rings around another middle',
    '<radialGradient id="g" fx=".2"><stop offset="0"/><stop offset="1" stop-color="red"/></radialGradient><rect width="50" height="50" fill="url(#g)"/>',
  ],
  [
    'a line in a gradient',
    '<linearGradient id="g"><stop offset="0"/><stop offset="1" stop-color="red"/></linearGradient><path d="M0 0L9 9" stroke="url(#g)"/>',
  ],
  ['dashes that begin in a gap', '<path d="M0 0L9 9" stroke="red" stroke-dasharray="3" stroke-dashoffset="1"/>'],
  [
    'a clip of two outlines',
    `<clipPath id="c">${rect}<rect x="20" width="5" height="5"/></clipPath><g clip-path="url(#c)"><rect width="50" height="50"/></g>`,
  ],
  ['blending', `<g style="mix-blend-mode:multiply">${rect}</g>`],
  [
    'a picture',
    '<image href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==" width="9" height="9"/>',
  ],
  ['text that no font has', '<text>漢</text>'],
])('leaves to pixels what outlines do not show: %s', (_, content) => {
  expect(framesOf(rect)).toHaveLength(1)
  expect(framesOf(content)).toBeUndefined()
})

test('leaves out what has no area or is missing', () => {
  expect(framesOf('')).toEqual([])
  expect(framesOf('<path d="M0 0L9 0" fill="none"/><rect width="0" height="5"/>')).toEqual([])
})
