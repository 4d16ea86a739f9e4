import { expect, test } from 'bun:test'
import { changedRegions, pairPages } from '../../../../src/engines/pdf/draw/page-regions.ts'

/** A drawing as the engine makes it: a square outline of 1000 units, and elements that use it. */
function page(body: string): string {
  const defs = '<path id="g0" d="M0 0L1000 0L1000 1000L0 1000Z"/>'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 200"><defs>${defs}</defs><rect width="100%" height="100%" fill="#fff"/>${body}</svg>`
}

function text(x: number, y: number, color = '#000000'): string {
  return `<g fill="${color}" transform="matrix(0.01 0 0 -0.01 ${x} ${y})"><use href="#g0" x="0"/><use href="#g0" x="1000"/></g>`
}

test('pairs pages by how they look: one that was put in moves none of the others', () => {
  const shown = (before: string[], after: string[]) =>
    pairPages(before, after).map((pair) => `${pair.before ?? '-'}${pair.isSame ? '=' : '/'}${pair.after ?? '-'}`)
  expect(shown(['a', 'b', 'c'], ['a', 'x', 'b', 'c'])).toEqual(['0=0', '-/1', '1=2', '2=3'])
  expect(shown(['a', 'b', 'c'], ['a', 'B', 'c'])).toEqual(['0=0', '1/1', '2=2'])
  expect(shown(['a', 'b', 'c'], ['c'])).toEqual(['0/-', '1/-', '2=0'])
  expect(shown([], ['a'])).toEqual(['-/0'])
})

test('marks a run of letters where it is drawn, on the side that has it', () => {
  const [before, after] = [page(text(10, 50)), page(text(10, 50) + text(10, 120))]
  expect(changedRegions(before, after)).toEqual({ before: [], after: [{ x: 10, y: 110, width: 20, height: 10 }] })
  expect(changedRegions(page(text(10, 50)), page(text(10, 50, '#ff0000')))).toEqual({
    before: [{ x: 10, y: 40, width: 20, height: 10 }],
    after: [{ x: 10, y: 40, width: 20, height: 10 }],
  })
  expect(changedRegions(before, before)).toEqual({ before: [], after: [] })
})

test('marks boxes, lines, pictures, turned and grouped drawings where they are, and joins what is near', () => {
  const only = (body: string) => changedRegions(page(''), page(body)).after
  expect(only('<rect x="5" y="6" width="7" height="8" fill="#000000"/>')).toEqual([{ x: 5, y: 6, width: 7, height: 8 }])
  expect(only('<path d="M10 20L60 20" stroke="#000000" stroke-width="1" fill="none"/>')).toEqual([
    { x: 10, y: 20, width: 50, height: 0 },
  ])
  expect(only('<path d="M10 20l2 1.2l2 -1.2" fill="none"/>')).toEqual([{ x: 10, y: 20, width: 4, height: 1.2 }])
  const picture =
    '<svg x="10" y="20" width="30" height="10" viewBox="0 0 1 1" preserveAspectRatio="none"><use href="#g0"/></svg>'
  expect(only(picture)).toEqual([{ x: 10, y: 20, width: 30, height: 10 }])
  expect(only(`<g transform="rotate(90 25 25)">${picture}</g>`)).toEqual([{ x: 20, y: 10, width: 10, height: 30 }])
  const rect = '<rect x="0" y="0" width="10" height="10" fill="#000000"/>'
  expect(only(`<g transform="matrix(2 0 0 2 10 10)"><g transform="matrix(1 0 0 1 5 0)">${rect}</g></g>`)).toEqual([
    { x: 20, y: 10, width: 20, height: 20 },
  ])
  expect(only(text(10, 50) + text(33, 50))).toEqual([{ x: 10, y: 40, width: 43, height: 10 }])
  // What the page cuts off is not marked beyond its edge.
  expect(only('<rect x="90" y="190" width="50" height="50" fill="#000000"/>')).toEqual([
    { x: 90, y: 190, width: 10, height: 10 },
  ])
})
