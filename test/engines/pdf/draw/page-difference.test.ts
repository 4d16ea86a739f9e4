import { expect, test } from 'bun:test'
import { comparePages, withClass } from '../../../../src/engines/pdf/draw/page-difference.ts'

/** A drawing as the engine makes it: two outlines, and elements that use them. */
function page(
  body: string,
  { size = '100 200', defs = '<path id="g0" d="M0 0L9 9Z"/><path id="g1" d="M1 1L5 5Z"/>' } = {},
) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}"><defs>${defs}</defs><rect width="100%" height="100%" fill="#fff"/>${body}</svg>`
}

function text(x: number, glyphs = '<use href="#g0" x="0"/><use href="#g1" x="500"/>', scale = '0.01') {
  return `<g fill="#000000" transform="matrix(${scale} 0 0 -${scale} ${x} 50)">${glyphs}</g>`
}

function compare(expected: string, actual: string, tolerance = 0.5) {
  const found = comparePages(expected, actual, tolerance)
  if (found === undefined) return 'equal'
  const { missing, added, isRearranged } = found
  return `${missing.map(({ index }) => index)}|${added.map(({ index }) => index)}|${isRearranged ? 'rearranged' : ''}`
}

test('takes what is moved by no more than the tolerance as equal', () => {
  expect(compare(page(text(10)), page(text(10.5)))).toBe('equal')
  expect(compare(page(text(10)), page(text(10.51)))).toBe('1|1|')
  expect(compare(page(text(10)), page(text(10.3)), 0.2)).toBe('1|1|')
})

test('measures glyphs in points, whatever the units of their font', () => {
  const moved = (x: number) => text(10, `<use href="#g0" x="0"/><use href="#g1" x="${x}"/>`)
  expect(compare(page(text(10)), page(moved(550)))).toBe('equal')
  expect(compare(page(text(10)), page(moved(560)))).toBe('1|1|')
})

test('finds another letter, colour, size and number of letters, however near', () => {
  const other = text(10, '<use href="#g1" x="0"/><use href="#g1" x="500"/>')
  for (const changed of [
    other,
    text(10).replace('#000000', '#000001'),
    text(10, undefined, '0.0101'),
    text(10, '<use href="#g0" x="0"/>'),
  ]) {
    expect(compare(page(text(10)), page(changed))).toBe('1|1|')
  }
})

test('knows outlines and pictures by what they draw, not by their names', () => {
  const swapped = page(text(10, '<use href="#g1" x="0"/><use href="#g0" x="500"/>'), {
    defs: '<path id="g0" d="M1 1L5 5Z"/><path id="g1" d="M0 0L9 9Z"/>',
  })
  expect(compare(page(text(10)), swapped)).toBe('equal')
  const image = (bytes: string) => ({
    defs: `<image id="g0" width="1" height="1" href="data:image/png;base64,${bytes}"/>`,
  })
  const shown =
    '<svg x="1" y="1" width="5" height="5" viewBox="0 0 1 1" preserveAspectRatio="none"><use href="#g0"/></svg>'
  expect(compare(page(shown, image('AA')), page(shown, image('AA')))).toBe('equal')
  expect(compare(page(shown, image('AA')), page(shown, image('AB')))).toBe('1|1|')
  expect(compare(page(shown, image('AA')), page(shown.replace('0 0 1 1', '0.1 0 0.9 1'), image('AA')))).toBe('1|1|')
})

test('takes rules, boxes, shapes and cut-outs that are moved a little as equal', () => {
  for (const [one, other] of [
    [
      '<rect x="1" y="2" width="30" height="4" fill="#FF0000"/>',
      '<rect x="1.4" y="2" width="30" height="4.3" fill="#FF0000"/>',
    ],
    [
      '<path d="M1 2L3 4" stroke="#000000" stroke-width="1" fill="none"/>',
      '<path d="M1.2 2L3 4.4" stroke="#000000" stroke-width="1" fill="none"/>',
    ],
    [
      '<svg x="1" y="2" width="30" height="4" viewBox="1 2 30 4"></svg>',
      '<svg x="1.1" y="2" width="30" height="4" viewBox="1.1 2 30 4"></svg>',
    ],
  ] as const) {
    expect(compare(page(one), page(other))).toBe('equal')
    expect(compare(page(one), page(other), 0.05)).toBe('1|1|')
  }
  const rule = '<path d="M1 2L3 4" stroke="#000000" stroke-width="1" fill="none"/>'
  expect(compare(page(rule), page(rule.replace('stroke-width="1"', 'stroke-width="1.4"')))).toBe('1|1|')
})

test('says which elements are gone and which are new, in the order of the page', () => {
  const before = page(text(10) + text(20) + text(30))
  const after = page(text(5) + text(20) + text(30) + text(40))
  expect(compare(before, after)).toBe('1|1,4|')
  expect(compare(after, before)).toBe('1,4|1|')
})

test('pairs every element once: one of two equal ones that is gone is missed', () => {
  expect(compare(page(text(10) + text(10)), page(text(10)))).toBe('2||')
})

test('sees that equal elements are drawn in another order, and that the page has another size', () => {
  const box = '<rect x="1" y="2" width="30" height="4" fill="#FF0000"/>'
  expect(compare(page(box + text(10)), page(text(10) + box))).toBe('||rearranged')
  expect(compare(page(text(10)), page(text(10), { size: '100 201' }))).toBe('||rearranged')
})

test('marks elements of a drawing, and leaves all else as it is', () => {
  const drawing = page(text(10) + text(20))
  const marked = withClass(drawing, new Set([2]), 'new')
  expect(marked).toBe(page(`${text(10)}<g class="new">${text(20)}</g>`))
  expect(withClass(drawing, new Set(), 'new')).toBe(drawing)
})
