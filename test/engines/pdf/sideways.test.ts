import { describe, expect, test } from 'bun:test'
import { dumpTexts, layoutOf, p, wordDocument } from './word.ts'

const cell = (text: string, properties = '', width = 1000, paragraph = '') =>
  `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${properties}</w:tcPr>${text
    .split('|')
    .map((line) => p(line, paragraph))
    .join('')}</w:tc>`
const table = (cells: readonly string[], row = '') =>
  `<w:tbl><w:tblPr><w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid>${cells.map(() => '<w:gridCol w:w="1000"/>').join('')}</w:tblGrid><w:tr><w:trPr>${row}</w:trPr>${cells.join('')}</w:tr></w:tbl>${p('after')}`
const up = '<w:textDirection w:val="btLr"/>'
const down = '<w:textDirection w:val="tbRl"/>'

/** Where each text begins on the page. */
function places(body: string): Record<string, [x: number, y: number]> {
  const texts = dumpTexts(layoutOf(wordDocument(body)).pages[0]!.frames)
  return Object.fromEntries(
    texts.map((line) => {
      const [, x, y, text] = /^(-?[\d.]+),(-?[\d.]+) (.*)$/.exec(line)!
      return [text!, [Number(x), Number(y)]]
    }),
  )
}

describe('cells with turned text', () => {
  test('make their row as high as their longest line', () => {
    const { after } = places(table([cell('a heading from below', up), cell('x')]))
    const { after: level } = places(table([cell('x'), cell('x')]))
    expect(after![1] - level![1]).toBeGreaterThan(60)
  })

  test('start at the bottom of the cell and read upwards, or start at its top and read downwards', () => {
    const height = '<w:trHeight w:val="2000" w:hRule="exact"/>'
    const rising = places(table([cell('first|second', up)], height))
    // The cell's box: x 50 to 100, y 50 to 150; margins of 5 pt beside the text.
    expect(rising.first![1]).toBeCloseTo(150, 0)
    expect(rising.first![0]).toBeCloseTo(55 + 9.4, 0)
    expect(rising.second![0]).toBeCloseTo(55 + 9.4 + 11.5, 0)
    const falling = places(table([cell('first|second', down)], height))
    expect(falling.first![1]).toBeCloseTo(50, 0)
    expect(falling.first![0]).toBeCloseTo(95 - 9.4, 0)
    expect(falling.second![0]).toBeCloseTo(95 - 9.4 - 11.5, 0)
  })

  test('break their lines at the height of the row if it is fixed, and align along it', () => {
    const height = '<w:trHeight w:val="1000" w:hRule="exact"/>'
    const broken = Object.keys(places(table([cell('several words here', up)], height)))
    expect(broken.length).toBeGreaterThan(2)
    const ended = places(table([cell('ab', down, 1000, '<w:jc w:val="right"/>')], height))
    expect(ended.ab![1]).toBeGreaterThan(85)
  })

  test('are centred or on the far side if the cell says so', () => {
    const x = (align: string) => places(table([cell('one', `${up}<w:vAlign w:val="${align}"/>`, 1000)])).one![0]
    expect(x('center')).toBeCloseTo(x('top') + (40 - 11.5) / 2, 0)
    expect(x('bottom')).toBeCloseTo(x('top') + 40 - 11.5, 0)
  })

  test('that reads downwards are so from the other side', () => {
    const x = (align: string) => places(table([cell('one', `${down}<w:vAlign w:val="${align}"/>`)])).one![0]
    expect(x('center')).toBeCloseTo(x('top') - (40 - 11.5) / 2, 0)
    expect(x('bottom')).toBeCloseTo(x('top') - (40 - 11.5), 0)
  })

  test('have the space between their paragraphs', () => {
    const { first, second } = places(table([cell('first|second', up, 1000, '<w:spacing w:before="100"/>')]))
    expect(second![0] - first![0]).toBeCloseTo(11.5 + 5, 1)
  })

  test('are as high as the other cells if those are higher', () => {
    const { one } = places(table([cell('one', up), cell('a|b|c|d|e|f|g|h')]))
    expect(one![1]).toBeCloseTo(50 + 8 * 11.5, 0)
  })

  test('take only the width of their lines side by side in an automatic table', () => {
    const automatic = (direction: string) =>
      table([cell('uninterruptedly', direction), cell('x '.repeat(300))])
        .replace(/<w:tblLayout[^>]*>/, '')
        .replace(/<w:tcW[^>]*>/g, '')
        .replace(/<w:gridCol[^>]*>/g, '<w:gridCol w:w="0"/>')
    const beside = (direction: string) =>
      Math.min(
        ...Object.entries(places(automatic(direction))).flatMap(([text, [x]]) => (text.startsWith('x') ? [x] : [])),
      )
    expect(beside(up)).toBeLessThan(85)
    expect(beside('')).toBeGreaterThan(110)
  })

  test('longer than a page are broken and never run off it', () => {
    const long = layoutOf(wordDocument(table([cell('word '.repeat(100), up)]))).pages.flatMap(({ frames }) =>
      dumpTexts(frames).map((line) => Number(/,(-?[\d.]+) word/.exec(line)?.[1])),
    )
    const lines = long.filter((y) => !Number.isNaN(y))
    expect(lines.length).toBeGreaterThan(7)
    for (const y of lines) expect(y).toBeWithin(250, 351)
  })
})
