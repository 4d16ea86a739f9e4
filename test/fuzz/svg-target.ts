import { loadPicture } from '../../src/engines/docx/compose/pictures.ts'
import { drawSvg } from '../../src/engines/pdf/layout/drawing/svg.ts'
import { simplifySvg } from '../../src/engines/pdf/svg/simplify.ts'
import type { Target } from './target.ts'

const svg = (content: string, attributes = 'width="60" height="40"') =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`)

/** What takes long by what it repeats, nests or blurs, or nearly does: a change may bring it over what is allowed, or past it. */
const costly = [
  '<defs><g id="a"><path d="M0 0L9 9"/></g><g id="b"><use href="#a"/><use href="#a"/></g><g id="c"><use href="#b"/><use href="#b"/></g></defs><use href="#c"/>',
  '<filter id="f" x="-1" width="3"><feGaussianBlur stdDeviation="9"/><feMorphology operator="dilate" radius="2"/><feTurbulence baseFrequency=".1" numOctaves="2"/><feConvolveMatrix order="3" kernelMatrix="1 1 1 1 1 1 1 1 1"/></filter><rect width="90" height="90" filter="url(#f)"/>',
  '<pattern id="p" width=".2" height=".2"><circle r="9" fill="url(#q)"/></pattern><pattern id="q" width="3" height="3" patternUnits="userSpaceOnUse"><rect width="2" height="9"/></pattern><rect width="900" height="900" fill="url(#p)"/>',
  '<mask id="m" mask="url(#n)"><rect width="900" height="900" fill="#fff"/></mask><mask id="n"><rect width="800" height="900" fill="#aaa"/></mask><g mask="url(#m)" opacity=".5"><rect width="900" height="900"/></g>',
  '<clipPath id="c" clip-path="url(#d)"><circle r="500"/></clipPath><clipPath id="d"><rect width="500" height="500"/></clipPath><g opacity=".9"><g opacity=".8"><rect clip-path="url(#c)" width="900" height="900"/></g></g>',
  '<path d="M0 0H900V900" fill="none" stroke="#000" stroke-width="90" stroke-dasharray=".5 .1" stroke-linejoin="round"/>',
  '<marker id="k"><path d="M0 0L3 3"/></marker><path marker-mid="url(#k)" d="M0 0L1 1L2 2L3 3"/><style>line{marker-end:url(#k);font:9px/1 Arial}</style><line x2="9"/>',
]

/** Drawings as values of templates, and as parts of documents. */
export const svgTarget: Target = {
  name: 'svg',
  shortRound: 200,
  leastOutcomes: 4,
  words:
    '<g opacity=".5"> <use href="#a"/> <clipPath id="c"> <mask id="m"> <filter id="f"> <pattern <text> <tspan <image <switch> <foreignObject> url(#a) url(#f) url(#m) url(#p) href="#c" <feGaussianBlur <feTurbulence <feMorphology <!-- --> "900" transform="scale(1e9)" matrix( NaN 1e38 -1e-38 <!ENTITY &a; <![CDATA[ viewBox="0 0 0 0" stroke-dasharray="0" font-family= 1e6mm'.split(
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
    ...costly.map((content) => svg(content, 'width="900" height="900"')),
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
