import { describe, expect, test } from 'bun:test'
import { dump, dumpShapes, layoutOf, p, smallSection, textFrames, type WordParts, wordDocument } from '../../word.ts'

/* The small page: text from 50 to 250 pt across, 300 pt high; a line of Arial 10 pt is 11.5 pt high, 26 fill the page. */
const pagesOf = (body: string, parts: WordParts = {}) => layoutOf(wordDocument(body, parts)).pages
const broken = (count: number, properties: string) =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r>${Array.from({ length: count }, () => '<w:t>x</w:t>').join('<w:br/>')}</w:r></w:p>`

describe('the lines of a paragraph at the foot of a page', () => {
  /** How many of the lines stay on the first page, by how many have room there. */
  const staying = (count: number, properties: string) =>
    Array.from({ length: count + 1 }, (_, room) => {
      const body = Array.from({ length: 26 - room }, () => p('l')).join('') + broken(count, properties)
      return dump(pagesOf(body)[0]!).filter((line) => line.endsWith(' x')).length
    })
  const off = '<w:widowControl w:val="0"/>'

  test('stay as far as they fit where nothing keeps them together', () => {
    expect(staying(5, off)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('leave at least two lines on either page with widow control, which is on where nothing is said', () => {
    for (const properties of ['<w:widowControl/>', '']) {
      expect(staying(5, properties)).toEqual([0, 0, 2, 3, 3, 5])
      expect(staying(3, properties)).toEqual([0, 0, 0, 3])
      expect(staying(2, properties)).toEqual([0, 0, 2])
    }
  })

  test('go on to the next page together if the paragraph keeps them', () => {
    expect(staying(5, `${off}<w:keepLines/>`)).toEqual([0, 0, 0, 0, 0, 5])
  })
})

test('lines of a paragraph that suppresses them are neither numbered nor counted', () => {
  const section = `${smallSection}<w:lnNumType w:countBy="1"/>`
  const numbers = (properties: string) =>
    textFrames(pagesOf(p('a') + p('b', properties) + p('c'), { section })[0]!)
      .filter(({ x }) => x < 50)
      .map(({ text, y }) => `${text} ${y.toFixed(1)}`)
  expect(numbers('')).toEqual(['1 59.4', '2 70.9', '3 82.4'])
  expect(numbers('<w:suppressLineNumbers/>')).toEqual(['1 59.4', '2 82.4'])
  // A border moves the line, and its number along.
  expect(numbers('<w:pBdr><w:top w:val="single" w:sz="8" w:space="4" w:color="000000"/></w:pBdr>')).toEqual([
    '1 59.4',
    '2 75.9',
    '3 87.4',
  ])
})

describe('a paragraph from right to left', () => {
  const bordered = (indents: string) =>
    p(
      'a',
      `<w:bidi/><w:pBdr>${['top', 'left', 'right'].map((side) => `<w:${side} w:val="single" w:sz="8" w:space="${side === 'top' ? 0 : 4}" w:color="000000"/>`).join('')}</w:pBdr><w:shd w:val="clear" w:fill="EEEEEE"/>${indents}`,
    )
  const shapes = (indents: string) => dumpShapes(pagesOf(bordered(indents))[0]!)

  test('has its borders and shading at its indents, of which the first is at the right', () => {
    // Sides are 4 pt and half of a point outside of the text.
    expect(shapes('<w:ind w:left="400" w:right="600"/>')).toEqual([
      'box 75.5,50.0 159.0×12.5',
      'line 75.5,50.5 234.5,50.5',
      'line 75.5,50.0 75.5,62.5',
      'line 234.5,50.0 234.5,62.5',
    ])
    // A first line that hangs out of the others is inside of the border.
    expect(shapes('<w:ind w:left="400" w:hanging="200"/>')[1]).toBe('line 45.5,50.5 244.5,50.5')
  })
})

describe('a paragraph that is hidden', () => {
  const mark = '<w:rPr><w:vanish/></w:rPr>'
  const bar = '<w:tabs><w:tab w:val="bar" w:pos="1000"/></w:tabs>'

  test('draws nothing, and is still a place that links lead to', () => {
    const hidden = (properties: string) =>
      `<w:p><w:pPr>${bar}${properties}</w:pPr><w:bookmarkStart w:id="1" w:name="there"/><w:bookmarkEnd w:id="1"/></w:p>`
    const kinds = (properties: string) =>
      pagesOf(p('a') + hidden(properties) + p('b'))[0]!.frames.map((frame) =>
        frame.kind === 'text' ? frame.text : frame.kind,
      )
    expect(kinds('')).toEqual(['a', 'destination', 'line', 'b'])
    expect(kinds(mark)).toEqual(['a', 'destination', 'b'])
  })
})

describe('line spacing below the last line of a cell', () => {
  const below = (properties: string, run = '') => {
    const cell = `<w:tbl><w:tblPr><w:tblCellMar><w:top w:w="0" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${p('a', properties, run)}</w:tc></w:tr></w:tbl>`
    const next = dump(pagesOf(cell + p('next'))[0]!).at(-1)!
    return Math.round((Number(next.split(/[, ]/)[1]) - 59.4) * 10) / 10
  }

  test('follows from the size of the paragraph’s style, not from that of its text', () => {
    expect(below('')).toBe(11.5)
    // Double spacing of 10 pt, of which a line is 1.15 times as high.
    expect(below('<w:spacing w:line="480" w:lineRule="auto"/>')).toBe(23)
    const large = below('', '<w:sz w:val="40"/>')
    expect(below('<w:spacing w:line="480" w:lineRule="auto"/>', '<w:sz w:val="40"/>')).toBeCloseTo(large + 11.5, 1)
  })

  test('is none where the height of the lines is stated', () => {
    expect(below('<w:spacing w:line="480" w:lineRule="exact"/>')).toBe(24)
    expect(below('<w:spacing w:line="480" w:lineRule="atLeast"/>')).toBe(24)
  })
})
