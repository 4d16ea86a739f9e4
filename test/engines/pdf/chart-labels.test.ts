import { describe, expect, test } from 'bun:test'
import { columnChart, dumpTexts, layoutOf } from './word.ts'

/* Names below the axis of a chart of 200 by 120 pt, in Arial 10 pt; about 180 pt of them are the plot's. */
const textsOf = (names: readonly string[], axis = '', title = '', valueAxis = '') =>
  dumpTexts(layoutOf(columnChart(names, { axis, title, valueAxis })).pages[0]!.frames)
const has = (texts: readonly string[], text: string) => texts.some((line) => line.endsWith(` ${text}`))
const placeOf = (texts: readonly string[], text: string) =>
  texts
    .find((line) => line.endsWith(` ${text}`))!
    .split(' ')[0]!
    .split(',')
    .map(Number) as [number, number]
const level = '<c:txPr><a:bodyPr rot="0"/><a:p/></c:txPr>'
const title = (place: string) =>
  `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr sz="1000" b="0"/><a:t>Top</a:t></a:r></a:p></c:rich></c:tx>${place}</c:title>`
const at = (x: number, y: number) =>
  `<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="${x}"/><c:y val="${y}"/></c:manualLayout></c:layout>`

describe('the names of categories', () => {
  test('are broken between words where they are wider than the room between two ticks', () => {
    const texts = textsOf(['Green apples', 'Yellow pears', 'Red cherries'])
    expect(has(texts, 'Green')).toBe(true)
    expect(placeOf(texts, 'apples')[1] - placeOf(texts, 'Green')[1]).toBeCloseTo(11.25, 0)
  })

  test('are turned where a word is too wide, so that all are shown', () => {
    const names = Array.from({ length: 9 }, (_, index) => `Category${index}`)
    const texts = textsOf(names)
    const places = names.map((name) => placeOf(texts, name))
    const [dx, dy] = [places[1]![0] - places[0]![0], places[1]![1] - places[0]![1]]
    expect(dy).toBeCloseTo(0, 1)
    expect(dx).toBeLessThan(25)
    expect(texts.filter((line) => line.includes('Category'))).toHaveLength(9)
  })

  test('stay level where the document says so, and are broken within words', () => {
    const names = Array.from({ length: 9 }, (_, index) => `Category${index}`)
    const texts = textsOf(names, level)
    expect(texts.some((line) => line.includes('Category'))).toBe(false)
    expect(texts.filter((line) => line.endsWith(' Cat'))).toHaveLength(9)
  })

  test('are left out as the document says', () => {
    const texts = textsOf(['A', 'B', 'C', 'D', 'E'], '<c:tickLblSkip val="2"/>')
    expect(['A', 'B', 'C', 'D', 'E'].filter((name) => has(texts, name))).toEqual(['A', 'C', 'E'])
  })
})

describe('titles that the document has moved', () => {
  test('stand where it has them, and the plot leaves their room above it', () => {
    const texts = textsOf(['A', 'B'], '', title(at(0.5, 0.5)))
    const [x, y] = placeOf(texts, 'Top')
    expect(x).toBeCloseTo(50 + 100 + 1.8, 1)
    expect(y).toBeCloseTo(50 + 60 + 3 + 9, 1)
    const values = (lines: readonly string[]) => lines.filter((line) => / \d+(\.\d+)?$/.test(line))
    expect(values(texts)).toEqual(values(textsOf(['A', 'B'], '', title(''))))
  })

  test('do so at axes, too', () => {
    const [x, y] = placeOf(
      textsOf(['A', 'B'], '', '', title(at(0.25, 0.5)).replace('<a:bodyPr/>', '<a:bodyPr rot="0"/>')),
      'Top',
    )
    expect(x).toBeCloseTo(50 + 50 + 1.8, 1)
    expect(y).toBeCloseTo(50 + 60 + 3 + 9, 1)
  })
})
