import { loadPicture } from '../../src/engines/docx/compose/pictures.ts'
import { drawSvg } from '../../src/engines/pdf/layout/drawing/svg.ts'
import { simplifySvg } from '../../src/engines/pdf/svg/simplify.ts'
import type { Target } from './target.ts'

const svg = (content: string, attributes = 'width="60" height="40"') =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`)

/** Drawings as values of templates, and as parts of documents. */
export const svgTarget: Target = {
  name: 'svg',
  shortRound: 200,
  leastOutcomes: 4,
  words:
    '<g opacity=".5"> <use href="#a"/> <clipPath id="c"> <mask id="m"> <filter id="f"> <pattern <text> <tspan <image <switch> <foreignObject> url(#a) transform="scale(1e9)" matrix( NaN 1e38 -1e-38 <!ENTITY &a; <![CDATA[ viewBox="0 0 0 0" stroke-dasharray="0" font-family= 1e6mm'.split(
      ' ',
    ),
  maxBytes: 20_000,
  seeds: () => [
    svg(
      '<path id="a" d="M1 2C3 4 5 6 7 8A9 9 0 1 0 3 3Q1 1 2 2T5 5H9V3Z" stroke="#123456" fill="none" stroke-dasharray="2 1"/>',
    ),
    svg(
      '<defs><linearGradient id="a"><stop offset="0"/><stop offset="1" stop-color="red"/></linearGradient></defs><rect width="30" height="20" rx="4" fill="url(#a)"/>',
    ),
    svg(
      '<style>.b{font:bold 12px Calibri;fill:#00f}</style><text class="b" x="2" y="20">Größe<tspan dx="3">b</tspan></text>',
    ),
    svg(
      '<clipPath id="a"><circle r="9"/></clipPath><g clip-path="url(#a)" opacity=".5"><use href="#b"/></g><rect id="b" width="9" height="9"/>',
      'viewBox="0 0 60 40"',
    ),
    svg('<mask id="a"><rect width="9" height="9" fill="#fff"/></mask><g mask="url(#a)"><ellipse rx="9" ry="4"/></g>'),
  ],
  run(bytes) {
    const text = new TextDecoder().decode(bytes)
    const simple = simplifySvg(text)
    const loaded = loadPicture({ kind: 'image' }, text)
    const drawn = drawSvg(bytes, { width: 100, height: 50, node: 0 })
    if (/\b(?:NaN|null)\b/.test(JSON.stringify(drawn ?? []))) throw new Error('a frame without a place')
    const said = simple.ok ? 'simple' : simple.message.replace(/\(.*|:.*|refers to.*|\d+/gs, '')
    return `${said} ${loaded.ok} ${drawn === undefined ? 'pixels' : `${Math.min(drawn.length, 3)} frames`}`
  },
}
