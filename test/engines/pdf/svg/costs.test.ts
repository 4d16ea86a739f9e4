import { expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { loadPicture } from '../../../../src/engines/docx/compose/pictures.ts'
import { canDraw } from '../../../../src/engines/pdf/svg/costs.ts'
import { elementsOf, piecesOf } from '../../../../src/engines/pdf/svg/markup.ts'
import { isSvg, simplifySvg } from '../../../../src/engines/pdf/svg/simplify.ts'

const svg = (content: string, sides = 'width="600" height="600"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${sides}>${content}</svg>`
const times = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => one(i)).join('')
const whole = '<rect width="600" height="600"/>'
const filtered = (steps: string) =>
  svg(`<filter id="f">${steps}</filter><rect width="600" height="600" filter="url(#f)"/>`)
const doubled = (count: number, innermost: string) =>
  `<defs><g id="u0">${innermost}</g>${times(count, (i) => `<g id="u${i + 1}"><use href="#u${i}"/><use href="#u${i}"/></g>`)}</defs><use href="#u${count}"/>`

/** Milliseconds of the processor: others have it, too. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1_000
}

// Each took from seconds to hours, by how often it is repeated; reading them takes time by their length.
test.each<[string, string]>([
  ['texts without an end', svg('<text '.repeat(300_000))],
  ['texts in texts', svg('<text>'.repeat(300_000))],
  ['comments without an end', svg('<!--'.repeat(500_000))],
  ['comments before the root', `${'<!---->'.repeat(9_000)}<p/>`],
  ['quotes without an end', svg('<a "'.repeat(500_000))],
  ['a tag without an end', svg(`<a ${' '.repeat(2_000_000)}`)],
  ['properties in each other', svg(`<text style="${'font: '.repeat(300_000)}">a</text>`)],
  ['a size without an end', svg(`<text style="font:${'1'.repeat(2_000_000)}">a</text>`)],
  ['families without an end', svg(`<style>${'font-family:'.repeat(30_000)}</style><text>a</text>`)],
  ['a side without an end', `<svg viewBox="0 0 9 9" width="${'1'.repeat(60_000)}x">${whole}</svg>`],
  ['attributes of one tag', svg(`<g ${times(200_000, (i) => `a${i}="1" `)}/>`)],
])('a drawing is read in a time by its length: %s', (_, text) => {
  expect(cpuMs(() => isSvg(text) && simplifySvg(text))).toBeLessThan(2_000)
})

test.each<[string, string, RegExp]>([
  ['uses of uses', svg(doubled(40, whole)), /with what it repeats/],
  ['text in uses of uses', svg(doubled(12, '<text>Some letters</text>')), /with what it repeats/],
  ['too much text', svg(`<text>${'Some letters. '.repeat(20_000)}</text>`), /outlines take more than/],
  [
    'markers on the lines of markers',
    svg(
      `<marker id="k0"><path d="M0 0L1 1"/></marker>${times(9, (i) => `<marker id="k${i + 1}"><path marker-mid="url(#k${i})" d="M0 0L1 1L2 2L3 3"/></marker>`)}<path marker-mid="url(#k9)" d="M0 0L1 1L2 2"/>`,
    ),
    /with what it repeats/,
  ],
  [
    'markers that a style sheet sets',
    svg(
      `<style>path{marker-mid:url(#k)}</style><marker id="k"><g>${whole.repeat(500)}</g></marker><path d="M0 0${'L1 1'.repeat(9_000)}"/>`,
    ),
    /with what it repeats/,
  ],
  [
    'patterns of many shapes',
    svg(`<pattern id="p">${whole.repeat(9_000)}</pattern>${'<rect fill="url(#p)"/>'.repeat(9_000)}`),
    /with what it repeats/,
  ],
  [
    'many selectors',
    svg(`<style>${times(20_000, (i) => `.a${i} .b {fill:red}`)}</style>${'<g/>'.repeat(20_000)}`),
    /style sheet/,
  ],
  ['many attributes', svg(`<g ${times(limits.svgAttributes + 1, (i) => `a${i}="1" `)}/>`), /1000 attributes/],
  ['deep groups', svg('<g>'.repeat(limits.svgDepth + 1) + whole + '</g>'.repeat(limits.svgDepth + 1)), /512 deep/],
  [
    'long entities',
    `<!DOCTYPE svg [<!ENTITY a "${'b'.repeat(100_000)}">]>${svg(`<text>${'&a;'.repeat(200)}</text>`)}`,
    /entities make more/,
  ],
  ['tags in entities', `<!DOCTYPE svg [<!ENTITY a "<image href='x'/>">]>${svg('&a;')}`, /entities hold tags/],
])('a drawing that takes too long to read is refused before it is read: %s', (_, text, message) => {
  let refusal = ''
  const ms = cpuMs(() => {
    const outcome = simplifySvg(text)
    refusal = outcome.ok ? 'taken' : outcome.message
  })
  expect(refusal).toMatch(message)
  expect(ms).toBeLessThan(2_000)
})

const heavy: [string, string][] = [
  ['translucent groups', svg(`<g opacity=".5">${whole}<rect width="5" height="5"/></g>`.repeat(400))],
  [
    'translucent groups in each other',
    svg(`<g opacity=".9"><rect width="5" height="5"/>`.repeat(300) + whole + '</g>'.repeat(300)),
  ],
  ['blurs', filtered('<feGaussianBlur stdDeviation="200"/>'.repeat(100))],
  ['noise', filtered('<feTurbulence baseFrequency=".05" numOctaves="1000"/>')],
  ['a wide pen', filtered('<feMorphology operator="dilate" radius="300"/>')],
  ['a large matrix', filtered(`<feConvolveMatrix order="100" kernelMatrix="${'1 '.repeat(10_000)}"/>`)],
  [
    'a filter of many shapes',
    svg(
      `<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>${'<rect width="600" height="600" filter="url(#f)"/>'.repeat(300)}`,
    ),
  ],
  [
    'masks',
    svg(
      `<mask id="m">${whole.replace('/>', ' fill="#fff"/>')}</mask>${'<rect mask="url(#m)" width="600" height="600"/>'.repeat(300)}`,
    ),
  ],
  [
    'clips in clips',
    svg(
      `${times(40, (i) => `<clipPath id="c${i}"${i > 0 ? ` clip-path="url(#c${i - 1})"` : ''}>${whole}</clipPath>`)}${'<rect clip-path="url(#c39)" width="600" height="600"/>'.repeat(40)}`,
    ),
  ],
  [
    'patterns in patterns',
    svg(
      `${times(12, (i) => `<pattern id="p${i}" width=".5" height=".5">${times(2, (n) => `<rect width="${200 + n}" height="300" fill="${i > 0 ? `url(#p${i - 1})` : 'red'}"/>`)}</pattern>`)}<rect fill="url(#p11)" width="600" height="600"/>`,
    ),
  ],
  [
    'gradients of many colours',
    svg(
      `<radialGradient id="g">${times(2_000, (i) => `<stop offset="${i / 2_000}"/>`)}</radialGradient>${'<rect fill="url(#g)" width="600" height="600"/>'.repeat(100)}`,
    ),
  ],
  ['short dashes', svg('<path d="M0 0H600" stroke="#000" stroke-dasharray=".01"/>'.repeat(2_000))],
  ['lines across', svg(`<path d="M0 0${times(100_000, (i) => `L${(i * 7_919) % 600} ${(i * 104_729) % 600}`)}"/>`)],
]

test.each(heavy)('a drawing that takes too long to draw is refused before it is drawn: %s', (_, text) => {
  let loaded: ReturnType<typeof loadPicture> | undefined
  const ms = cpuMs(() => {
    loaded = loadPicture({ kind: 'image' }, text)
  })
  expect(loaded).toMatchObject({ ok: false, message: 'is a drawing that takes too long to draw' })
  expect(ms).toBeLessThan(2_000)
})

test('pictures in a drawing are pixels, and no more of them than can be decoded', () => {
  const picture = (bytes: Uint8Array, type = 'image/png') => {
    const href = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
    const outcome = simplifySvg(svg(`<image width="9" height="9" href="${href}"/>`))
    return outcome.ok ? 'taken' : outcome.message
  }
  const text = (chars: string) => new TextEncoder().encode(chars)
  const bytes = (chars: string) => Uint8Array.from(chars, (char) => char.charCodeAt(0))
  // resvg takes drawings of any declared type, compressed ones as well, and draws them with no estimate of ours.
  const inner = svg(whole)
  for (const type of ['image/svg+xml', 'image/svg+xml;charset=utf-8', 'text/plain', '', 'image/png']) {
    expect(picture(text(inner), type)).toContain('no PNG, JPEG, GIF or WebP')
    expect(picture(Bun.gzipSync(inner), type)).toContain('no PNG, JPEG, GIF or WebP')
  }
  const escaped = svg(`<image width="9" height="9" href="data:image/svg+xml,${encodeURIComponent(inner)}"/>`)
  expect(simplifySvg(escaped)).toMatchObject({ ok: false })
  const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
  for (const [large, small] of [
    [`${png}\0\0\x20\0\0\0\x20\0`, `${png}\0\0\0\x20\0\0\0\x20`],
    [`${png}\x01\0\0\0\0\0\0\x01`, `${png}\0\0\0\x20\0\0\0\x20`],
    ['GIF89a\xff\xff\xff\xff', 'GIF89a\x09\0\x09\0'],
    ['\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01', '\xff\xd8\xff\xc2\0\x0b\x08\0\x09\0\x09\x01'],
    [
      'RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\0\xff\xff\0',
      'RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x09\0\0\x09\0\0',
    ],
    ['RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xff\xff\xff\x0f', 'RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x09\x40\x02\0'],
    [
      'RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\xff\x3f\xff\x3f',
      'RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x09\0\x09\0',
    ],
  ] as const) {
    expect([large.slice(0, 4), picture(bytes(large))]).toEqual([
      large.slice(0, 4),
      expect.stringContaining('40000000 pixels'),
    ])
    expect([small.slice(0, 4), picture(bytes(small))]).toEqual([
      small.slice(0, 4),
      expect.not.stringContaining('pixels'),
    ])
  }
})

test('ordinary drawings are far within the budget, and heavier ones are drawn with fewer pixels', () => {
  const simpleOf = (text: string) => {
    const outcome = simplifySvg(text)
    if (!outcome.ok) throw new Error(outcome.message)
    return outcome.simple
  }
  const logo = simpleOf(
    svg(
      `<filter id="f"><feDropShadow dx="2" dy="2" stdDeviation="3"/></filter><linearGradient id="g"><stop offset="0"/><stop offset="1"/></linearGradient>
      ${times(20, (i) => `<g opacity=".5"><rect x="${i * 9}" width="60" height="40" fill="url(#g)" filter="url(#f)"/><circle r="9"/></g>`)}`,
    ),
  )
  expect(canDraw(logo.text, logo, 1_800)).toBe(true)
  const map = simpleOf(svg(times(9_000, (i) => `<path d="M${i % 600} ${i % 77}l3 3l-3 0z" stroke="#123"/>`)))
  expect(canDraw(map.text, map, limits.svgMostSidePx)).toBe(true)
  const shades = simpleOf(svg(`<g opacity=".5">${whole}<rect width="5" height="5"/></g>`.repeat(5)))
  const sides = [1, 0.75, 0.5].map((share) => canDraw(shades.text, shades, limits.svgMostSidePx * share))
  expect(sides).toEqual([false, true, true])
})

test('tags are read with their quotes, and comments, CDATA and instructions are none', () => {
  const text = '<?a <b>?><!-- <c> --><d e=">" f=\'"\'><![CDATA[<g>]]>h<i:j/></d>'
  const shown = [...piecesOf(text)].map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)
  expect(shown).toEqual([
    ...['other <?a <b>?>', 'other <!-- <c> -->', 'tag <d e=">" f=\'"\'>', 'text <![CDATA[<g>]]>', 'text h'],
    ...['tag <i:j/>', 'tag </d>'],
  ])
  expect(elementsOf(text, 2)?.children).toMatchObject([{ name: 'd', children: [{ name: 'j', children: [] }] }])
  expect(elementsOf('<a><b><c/></b></a>', 1)).toBeUndefined()
})

test('the shortest instruction, section and comment end where they say', () => {
  for (const short of ['<?a?>', '<![CDATA[]]>', '<!---->']) {
    const pieces = [...piecesOf(`<d>${short}<e/>${short}</d>`)]
    expect(pieces.map(({ from, to }) => to - from)).toEqual([3, short.length, 4, short.length, 4])
  }
})
