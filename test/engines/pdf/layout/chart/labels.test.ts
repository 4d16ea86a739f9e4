import { describe, expect, test } from 'bun:test'
import { columnChart, dumpPaths, dumpTexts, layoutOf, textFrames } from '../../word.ts'

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
  test('wrap between words if they are wider than the space between two ticks', () => {
    const texts = textsOf(['Green apples', 'Yellow pears', 'Red cherries'])
    expect(has(texts, 'Green')).toBe(true)
    expect(placeOf(texts, 'apples')[1] - placeOf(texts, 'Green')[1]).toBeCloseTo(11.25, 0)
  })

  test('are turned if a word is too wide, so that all are shown', () => {
    const names = Array.from({ length: 9 }, (_, index) => `Category${index}`)
    const texts = textsOf(names)
    const places = names.map((name) => placeOf(texts, name))
    const [dx, dy] = [places[1]![0] - places[0]![0], places[1]![1] - places[0]![1]]
    expect(dy).toBeCloseTo(0, 1)
    expect(dx).toBeLessThan(25)
    expect(texts.filter((line) => line.includes('Category'))).toHaveLength(9)
  })

  test('stay level if the document says so, and wrap within words', () => {
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

describe('titles that the document moves', () => {
  test('appear at their own place, and the plot leaves room above it', () => {
    const texts = textsOf(['A', 'B'], '', title(at(0.5, 0.5)))
    const [x, y] = placeOf(texts, 'Top')
    expect(x).toBeCloseTo(50 + 100 + 1.8, 1)
    expect(y).toBeCloseTo(50 + 60 + 3 + 9, 1)
    const values = (lines: readonly string[]) => lines.filter((line) => / \d+(\.\d+)?$/.test(line))
    expect(values(texts)).toEqual(values(textsOf(['A', 'B'], '', title(''))))
  })

  test('of axes also appear at their own place', () => {
    const [x, y] = placeOf(
      textsOf(['A', 'B'], '', '', title(at(0.25, 0.5)).replace('<a:bodyPr/>', '<a:bodyPr rot="0"/>')),
      'Top',
    )
    expect(x).toBeCloseTo(50 + 50 + 1.8, 1)
    expect(y).toBeCloseTo(50 + 60 + 3 + 9, 1)
  })
})

describe('labels of points', () => {
  const labels = (own: string, after = '') => `<c:dLbls>${own}<c:showVal val="1"/>${after}</c:dLbls>`
  const page = (given: string) => layoutOf(columnChart(['A', 'B'], { labels: given })).pages[0]!
  const says = (given: string) => textFrames(page(given)).map(({ text }) => text)

  test('show their own text, their own format, or nothing, if the document says so', () => {
    const words = '<c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Record</a:t></a:r></a:p></c:rich></c:tx>'
    expect(says(labels(`<c:dLbl><c:idx val="1"/>${words}</c:dLbl>`))).toContain('Record')
    const format = '<c:numFmt formatCode="0.00" sourceLinked="0"/>'
    expect(says(labels(`<c:dLbl><c:idx val="1"/>${format}</c:dLbl>`))).toContain('2.00')
    expect(says(labels('<c:dLbl><c:idx val="1"/><c:delete val="1"/></c:dLbl>')).length).toBe(
      says(labels('')).length - 1,
    )
  })

  test('are computed again from the data if their text is a field', () => {
    const field = '<c:tx><c:rich><a:bodyPr/><a:p><a:fld type="VALUE"><a:t>[VALUE]</a:t></a:fld></a:p></c:rich></c:tx>'
    expect(says(labels(`<c:dLbl><c:idx val="1"/>${field}</c:dLbl>`))).toEqual(says(labels('')))
  })

  test('can be shown for single points of a series without labels', () => {
    const own = '<c:dLbls><c:dLbl><c:idx val="0"/><c:numFmt formatCode="0.00"/><c:showVal val="1"/></c:dLbl></c:dLbls>'
    expect(says(own).filter((text) => text.includes('.00'))).toEqual(['1.00'])
  })

  test('have boxes of their own', () => {
    const box = '<c:spPr><a:solidFill><a:srgbClr val="123456"/></a:solidFill></c:spPr>'
    expect(dumpPaths(page(labels(box)).frames).filter((line) => line.includes('123456'))).toHaveLength(2)
  })
})

describe('the style of a chart', () => {
  test('can ask for bright text on a dark background', () => {
    const page = layoutOf(columnChart(['A', 'B'], { style: '<c:style val="42"/>' })).pages[0]!
    expect(textFrames(page).every(({ look }) => look.color === 'FFFFFF')).toBe(true)
    expect(dumpPaths(page.frames)[0]).toContain('000000')
    const plain = layoutOf(columnChart(['A', 'B'])).pages[0]!
    expect(textFrames(plain).every(({ look }) => look.color === '000000')).toBe(true)
    expect(dumpPaths(plain.frames)[0]).toContain('FFFFFF')
  })
})
