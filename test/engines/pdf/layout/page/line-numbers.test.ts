import { describe, expect, test } from 'bun:test'
import { layoutOf, p, smallSection, textFrames, wordDocument } from '../../word.ts'

/** The numbers beside the text of each page, as `number@baseline`. */
function numbersOf(body: string, type: string): string[][] {
  const section = `${smallSection}<w:lnNumType ${type}/>`
  return layoutOf(wordDocument(body, { section })).pages.map((page) =>
    textFrames(page)
      .filter((frame) => frame.x < 50)
      .map((frame) => frame.text),
  )
}

const lines = (count: number) => p('text').repeat(count)

describe('line numbers', () => {
  test('are right-aligned to the left of the text, on the baseline of their line', () => {
    const section = `${smallSection}<w:lnNumType w:countBy="1" w:distance="200"/>`
    const frames = textFrames(layoutOf(wordDocument(lines(10), { section })).pages[0]!)
    const numbers = frames.filter((frame) => frame.x < 50)
    expect(numbers.map((frame) => frame.text)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
    for (const number of numbers) expect(number.x + number.width).toBeCloseTo(40, 2)
    const texts = frames.filter((frame) => frame.text === 'text')
    expect(numbers.map((frame) => frame.y)).toEqual(texts.map((frame) => frame.y))
  })

  test('follow the interval and the start that the section sets', () => {
    expect(numbersOf(lines(12), 'w:countBy="5"')).toEqual([['5', '10']])
    expect(numbersOf(lines(3), 'w:countBy="1" w:start="9"')).toEqual([['10', '11', '12']])
    expect(numbersOf(lines(3), 'w:start="9"')).toEqual([[]])
  })

  test('restart on each page unless they continue through the document', () => {
    const [first, second] = numbersOf(lines(30), 'w:countBy="1"')
    expect(second![0]).toBe('1')
    const [one, two] = numbersOf(lines(30), 'w:countBy="1" w:restart="continuous"')
    expect(one).toEqual(first!)
    expect(two![0]).toBe(`${first!.length + 1}`)
  })

  test('skip tables and paragraphs that suppress them', () => {
    const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${lines(3)}</w:tc></w:tr></w:tbl>`
    const body = p('text') + p('text', '<w:suppressLineNumbers/>') + table + p('text')
    expect(numbersOf(body, 'w:countBy="1"')).toEqual([['1', '2']])
  })

  test('are not part of the content that is read aloud', () => {
    const section = `${smallSection}<w:lnNumType w:countBy="1"/>`
    const frames = textFrames(layoutOf(wordDocument(lines(2), { section })).pages[0]!)
    for (const frame of frames) expect(frame.node === -1).toBe(frame.x < 50)
  })

  test('look as the style of line numbers says, and end where they would without it', () => {
    const section = `${smallSection}<w:lnNumType w:countBy="1" w:distance="200"/>`
    const numberIn = (name: string, run: string) => {
      const styles = `<w:style w:type="character" w:styleId="n"><w:name w:val="${name}"/><w:rPr>${run}</w:rPr></w:style>`
      const frames = textFrames(layoutOf(wordDocument(lines(1), { section, styles })).pages[0]!)
      return frames.find((frame) => frame.x < 50)!
    }
    const plain = numberIn('other', '<w:sz w:val="40"/>')
    const large = numberIn('Line Number', '<w:sz w:val="40"/>')
    const narrow = numberIn('line number', '<w:w w:val="50"/>')
    expect(plain.width).toBeCloseTo(5.56, 1)
    expect([large.width / plain.width, narrow.width / plain.width].map((ratio) => ratio.toFixed(2))).toEqual([
      '2.00',
      '0.50',
    ])
    for (const { x, width } of [plain, large, narrow]) expect(x + width).toBeCloseTo(40, 2)
  })
})
