import { describe, expect, test } from 'bun:test'
import { dump, layoutOf, p, smallSection, type WordParts, wordDocument } from '../../word.ts'

/* The small page: 300 × 400 pt with margins of 50 pt. Arial 10 pt: a line is 11.5 pt high, its baseline 9.4 pt down. */
const lines = (count: number, properties = '') =>
  Array.from({ length: count }, (_, index) => p(`l${index}`, properties)).join('')
/** The lines of the text on each page, without headers and footers. */
const textsOf = (body: string, parts: WordParts) =>
  layoutOf(wordDocument(body, parts)).pages.map((page) => dump(page).filter((line) => / l\d+$/.test(line)))
const distances = (header: number, footer: number) =>
  smallSection
    .replace('w:header="400"', `w:header="${header * 20}"`)
    .replace('w:footer="400"', `w:footer="${footer * 20}"`)
const shows = (area: 'header' | 'footer', type: string) => `<w:${area}Reference w:type="${type}" r:id="r"/>`

describe('the margins of a page', () => {
  test('hold where there is no header or footer, however far from the edge one would be', () => {
    const [page] = textsOf(lines(30), { section: distances(100, 100) })
    expect([page![0], page!.length]).toEqual(['50.0,59.4 l0', 26])
  })

  test('give way to a header or footer that reaches into the text, however little that is', () => {
    // A line of 11.5 pt from 40 pt on ends at 51.5; 25 lines of the 298.5 pt that are left are 287.5.
    const above = textsOf(lines(30), {
      section: `${shows('header', 'default')}${distances(40, 20)}`,
      headers: { r: p('head') },
    })
    expect([above[0]![0], above[0]!.length]).toEqual(['50.0,60.9 l0', 25])
    const below = textsOf(lines(30), {
      section: `${shows('footer', 'default')}${distances(20, 40)}`,
      footers: { r: p('foot') },
    })
    expect([below[0]![0], below[0]!.length]).toEqual(['50.0,59.4 l0', 25])
    const thin = p('', '<w:spacing w:line="20" w:lineRule="exact"/>')
    const heads = textsOf(lines(30), {
      section: `${shows('header', 'default')}${distances(100, 20)}`,
      headers: { r: thin },
    })
    expect(heads[0]![0]).toBe('50.0,110.4 l0')
    const feet = textsOf(lines(30), {
      section: `${shows('footer', 'default')}${distances(20, 60)}`,
      footers: { r: thin },
    })
    expect(feet[0]!.length).toBe(25)
  })

  test('leave 24 points to the text in any case', () => {
    const high = {
      section: `${shows('header', 'default')}${smallSection}`,
      headers: { r: Array.from({ length: 40 }, () => p('head')).join('') },
    }
    const exact = (points: number) => `<w:spacing w:line="${points * 20}" w:lineRule="exact"/>`
    expect(textsOf(lines(4, exact(12)), high).map((page) => page.length)).toEqual([2, 2])
    expect(textsOf(lines(4, exact(12.25)), high).map((page) => page.length)).toEqual([1, 1, 1, 1])
  })
})

/** The top of the text on each page, when the only header is of this type. */
describe('a page without a header of its own in a section that has one', () => {
  const tops = (type: string, more: string, parts: WordParts = {}) =>
    textsOf(lines(60), {
      section: `${shows('header', type)}${distances(45, 20)}${more}`,
      headers: { r: p('head') },
      ...parts,
    }).map((page) => page[0]!.split(/[, ]/)[1])
  const evenAndOdd = { settings: '<w:evenAndOddHeaders/>' }

  test('leaves room for an empty line of it', () => {
    // 45 pt and a line of 11.5 pt: the text begins 6.5 pt lower.
    expect(tops('first', '<w:titlePg/>')).toEqual(['65.9', '65.9', '65.9'])
    expect(tops('even', '', evenAndOdd)).toEqual(['65.9', '65.9', '65.9'])
    expect(tops('default', '<w:titlePg/>')).toEqual(['65.9', '65.9', '65.9'])
  })

  test('leaves none for one that the section never shows', () => {
    expect(tops('first', '')).toEqual(['59.4', '59.4', '59.4'])
    expect(tops('even', '')).toEqual(['59.4', '59.4', '59.4'])
  })

  test('has that line in the style of headers', () => {
    const style = (name: string, type = 'paragraph') =>
      `<w:style w:type="${type}" w:styleId="h"><w:name w:val="${name}"/><w:rPr><w:sz w:val="40"/></w:rPr></w:style>`
    // A line of 20 pt is 23 pt high.
    expect(tops('first', '<w:titlePg/>', { styles: style('Header') })).toEqual(['65.9', '77.4', '77.4'])
    expect(tops('first', '<w:titlePg/>', { styles: style('footer') })).toEqual(['65.9', '65.9', '65.9'])
    expect(tops('first', '<w:titlePg/>', { styles: style('header', 'character') })).toEqual(['65.9', '65.9', '65.9'])
  })
})
