import { describe, expect, test } from 'bun:test'
import { chartDocument, chartSpace, dumpPaths, dumpTexts, layoutOf, renderingOf, textFrames } from '../../word.ts'

/*
 * Where the parts of a chart are: 200 by 120 pt from (50, 50), labels of Arial 10 pt. These are 13 dots of a screen with
 * 96 to the inch, so a line is 12 and 3 dots high (9 and 2.25 pt), and text as wide as at 9.75 pt.
 */
const cache = (kind: 'str' | 'num', values: readonly (string | number)[]) =>
  `<c:${kind}Ref><c:${kind}Cache><c:ptCount val="${values.length}"/>${values
    .map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)
    .join('')}</c:${kind}Cache></c:${kind}Ref>`
const series = (at: number, values: readonly number[]) =>
  `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx>${cache('str', [`S${at}`])}</c:tx><c:cat>${cache(
    'str',
    values.map((_, index) => `C${index}`),
  )}</c:cat><c:val>${cache('num', values)}</c:val></c:ser>`
const axis = (kind: string, id: number, position: string, inside = '') =>
  `<c:${kind}><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:axPos val="${position}"/>${inside}<c:majorTickMark val="none"/><c:crossAx val="${3 - id}"/></c:${kind}>`
const bars = (direction: string, ...lists: number[][]) =>
  `<c:barChart><c:barDir val="${direction}"/><c:grouping val="clustered"/>${lists.map((list, at) => series(at + 1, list)).join('')}<c:axId val="1"/><c:axId val="2"/></c:barChart>`
const columns = (values: number[]) => bars('col', values) + axis('catAx', 1, 'b') + axis('valAx', 2, 'l')
const text =
  '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1000" b="0"><a:latin typeface="Arial"/></a:defRPr></a:pPr></a:p></c:txPr>'
const title = `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr sz="1000" b="0"/><a:t>A title</a:t></a:r></a:p></c:rich></c:tx></c:title>`

function documentOf(plot: string, before = '', after = ''): Uint8Array {
  return chartDocument(
    chartSpace(`<c:chart>${before}<c:plotArea><c:layout/>${plot}</c:plotArea>${after}</c:chart>${text}`),
  )
}

const pageOf = (plot: string, before = '', after = '') => layoutOf(documentOf(plot, before, after)).pages[0]!
const textsOf = (plot: string, before = '', after = '') => dumpTexts(pageOf(plot, before, after).frames)
const legend = (position: string) => `<c:legend><c:legendPos val="${position}"/></c:legend>`
const placeOf = (texts: readonly string[], label: string) =>
  texts
    .find((line) => line.endsWith(` ${label}`))!
    .split(' ')[0]!
    .split(',')
    .map(Number) as [number, number]

describe('the labels of a chart', () => {
  test('are measured at a size of whole dots, and drawn at their own size', () => {
    const frame = textFrames(pageOf(columns([1, 2]), '', legend('r'))).find(({ text }) => text === 'S1')!
    expect(frame.look.size).toBe(10)
    expect(frame.width).toBeCloseTo((0.667 + 0.556) * 9.75, 1)
  })

  test('of the title are a little more than a fiftieth of the height below the edge', () => {
    expect(placeOf(textsOf(columns([1, 2]), title), 'title')[1]).toBeCloseTo(50 + 2.4 + 3.83 + 3 + 9, 1)
  })

  test('of a legend below touch the edge, and the plot keeps its distance', () => {
    const texts = textsOf(columns([1, 2]), '', legend('b'))
    expect(placeOf(texts, 'S1')[1]).toBeCloseTo(170 - 0.85 - 2.835 - 2.25, 1)
    expect(placeOf(texts, 'C1')[1]).toBeCloseTo(170 - 5.24 - 2 * 2.835 - 11.25 - 2.4 - 2.25, 0)
  })

  test('of bars side by side are listed from the top, in the order of the bars', () => {
    const lying = bars('bar', [1, 2], [3, 4]) + axis('catAx', 1, 'l') + axis('valAx', 2, 'b')
    for (const position of ['b', 'r']) {
      const listed = textsOf(lying, '', legend(position)).filter((line) => / S\d$/.test(line))
      expect(listed.map((line) => line.split(' ')[1])).toEqual(['S2', 'S1'])
    }
    const standing = textsOf(columns([1, 2]).replace('</c:ser>', `</c:ser>${series(2, [3, 4])}`), '', legend('b'))
    expect(standing.filter((line) => / S\d$/.test(line)).map((line) => line.split(' ')[1])).toEqual(['S1', 'S2'])
  })

  test('of a vertical axis are as many as fit below each other', () => {
    const values = (texts: readonly string[]) => texts.map((line) => Number(line.split(' ')[1])).filter((at) => at >= 0)
    expect(Math.max(...values(textsOf(columns([3, 14.4]))))).toBe(16)
    expect(values(textsOf(columns([3, 14.4])))).toContain(2)
    expect(values(textsOf(columns([3, 14.4]), title))).toEqual([0, 5, 10, 15, 20])
  })

  test('of an axis have its title centred beside the plot and all its labels', () => {
    const level = title.replace('<a:bodyPr/>', '<a:bodyPr rot="0"/>')
    const plot = bars('col', [1, 2]) + axis('catAx', 1, 'b') + axis('valAx', 2, 'l', level)
    const [x, y] = placeOf(textsOf(plot), 'title')
    expect(x).toBeCloseTo(50 + 12.76 + 1.8, 1)
    expect(y).toBeCloseTo(50 + 60 - 11.25 / 2 + 9, 1)
  })
})

describe('the data table', () => {
  const table = (flags: string) => `<c:dTable>${flags}</c:dTable>`
  const all = '<c:showHorzBorder val="1"/><c:showVertBorder val="1"/><c:showOutline val="1"/><c:showKeys val="1"/>'
  const lists = bars('col', [1.25, 2.25], [3.25, 4.75])
  const upright = lists + axis('catAx', 1, 'b') + axis('valAx', 2, 'l')

  test('has a column below each category, and a row for each series beside its name', () => {
    const texts = textsOf(upright + table(all))
    // Rows of a line and 3 pt above and below, 17.25 pt each, end a fiftieth of the height above the edge.
    const rows = ['C0', '1.25', '3.25'].map((text) => placeOf(texts, text)[1])
    expect(rows.map((y) => y - rows[0]!)).toEqual([0, 17.3, 34.5].map((y) => expect.closeTo(y, 0)))
    expect(rows[2]).toBeCloseTo(170 - 2.4 - 3 - 2.25, 0)
    expect(placeOf(texts, 'S1')[1]).toBe(rows[1]!)
    expect(placeOf(texts, 'S1')[0]).toBeLessThan(placeOf(texts, '1.25')[0])
    expect(placeOf(texts, '2.25')[0]).toBeGreaterThan(placeOf(texts, '1.25')[0])
    expect(placeOf(texts, '4.75')[0]).toBe(placeOf(texts, '2.25')[0])
    // The names of the categories are in it, and not at their axis too.
    expect(texts.filter((line) => line.endsWith(' C0'))).toHaveLength(1)
  })

  test('has the lines and keys that the chart asks for', () => {
    const count = (flags: string) => dumpPaths(pageOf(upright + table(flags)).frames).length
    const none = count('')
    expect(count('<c:showKeys val="1"/>')).toBe(none + 2)
    expect(count('<c:showHorzBorder val="1"/>')).toBe(none + 1)
    expect(count('<c:showVertBorder val="1"/>')).toBe(none + 1)
    expect(count('<c:showOutline val="1"/>')).toBe(none + 6)
  })

  test('is left out, and reported, if categories do not run from left to right', () => {
    const lying = lists.replace('"col"', '"bar"') + axis('catAx', 1, 'l') + axis('valAx', 2, 'b')
    expect(textsOf(lying + table(all)).filter((line) => line.endsWith(' 4.75'))).toHaveLength(0)
    const findings = renderingOf(documentOf(lying + table(all))).report
    expect(findings.some(({ path }) => path?.endsWith('c:dTable'))).toBe(true)
    const fine = renderingOf(documentOf(upright + table(all))).report
    expect(fine.some(({ path }) => path?.endsWith('c:dTable'))).toBe(false)
  })
})
