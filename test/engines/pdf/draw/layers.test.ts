import { describe, expect, test } from 'bun:test'
import { layersOf } from '../../../../src/engines/pdf/draw/layers.ts'

const square = '<path id="g0" d="M0 0L1000 0L1000 1000L0 1000Z"/>'
const ring =
  '<path id="g1" d="M10 20Q30 -40 50 60C1 2 3 4 5 6ZM-7 8L9 -10Z"/><clipPath id="g2"><path d="M0 0L9 9Z"/></clipPath>'
const ground = '<rect width="100%" height="100%" fill="#fff"/>'
const around = (defs: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 200"><defs>${defs}</defs>${body}</svg>`
const page = (body: string) => around(square + ring, ground + body)
const uses = '<use href="#g0" x="0"/><use href="#g1" x="-1000" y="50"/>'
const run = (look: string) => `<g ${look} transform="matrix(0.01 0 0 -0.01 5 6)">${uses}</g>`

describe('the layers of a drawn page', () => {
  test('have a run of letters as one path, each letter where it was', () => {
    expect(layersOf(page(run('fill="#000000"')))).toEqual([
      around(
        '',
        `${ground}<path fill="#000000" transform="matrix(0.01 0 0 -0.01 5 6)" d="${[
          'M0 0l1000 0l0 1000l-1000 0z',
          'M-990 70q20-60 40 40c-49-58-47-56-45-54zm-17-12l16-18z',
        ].join('')}"/>`,
      ),
    ])
  })

  test('leave letters apart whose edges have another colour: the next one covers them', () => {
    const [layer = ''] = layersOf(page(run('fill="#000000" stroke="#FF0000" stroke-width="9"')))
    expect(layer).toContain(uses)
    expect(layer).toContain(square)
    expect(layersOf(page(run('fill="#000000" stroke="#000000" stroke-width="9"')))[0]).not.toContain('<use')
  })

  test('have what they use of the definitions, and no other', () => {
    const cut = '<g transform="matrix(1 0 0 1 0 0)" clip-path="url(#g2)"><rect x="0" y="0" width="1" height="1"/></g>'
    expect(layersOf(page(cut))).toEqual([
      around('<clipPath id="g2"><path d="M0 0L9 9Z"/></clipPath>', `${ground}${cut}`),
    ])
  })

  test('are as many as the page is long, with every element once and in order', () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `<path d="M0 ${at}L${'9'.repeat(80)} 1" fill="none"/>`)
    const layers = layersOf(page(lines.join('')))
    expect(layers.length).toBeWithin(3, 6)
    for (const layer of layers) expect(layer.length).toBeLessThan(121_000)
    const bodies = layers.map((layer) => /<\/defs>(.*)<\/svg>$/.exec(layer)?.[1] ?? '')
    expect(bodies.join('')).toBe(ground + lines.join(''))
  })

  test('are the drawing itself where it is none of the engine’s', () => {
    expect(layersOf('<svg/>')).toEqual(['<svg/>'])
  })
})
