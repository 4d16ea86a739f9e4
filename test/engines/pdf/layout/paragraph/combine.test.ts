import { expect, test } from 'bun:test'
import { dump, layoutOf, p, textFrames, wordDocument } from '../../word.ts'

/* Arial 10 pt, text from 50 pt: a line is 11.5 pt high, its baseline 9.4 pt down. Halves of it are set in 5 pt. */
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const combined = (text: string, more = '', id = '7') =>
  run(text, `<w:eastAsianLayout w:id="${id}" w:combine="1"${more}/>`)
const body = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>${p('next')}`
const page = (...runs: string[]) => layoutOf(wordDocument(body(...runs))).pages[0]!

test('two lines in one are half as high, as narrow as possible, and do not change the line’s height', () => {
  const frames = textFrames(page(run('a'), combined('one two'), run('b')))
  const [before, upper, lower, behind, next] = frames
  expect(frames.map((frame) => frame.text.trim())).toEqual(['a', 'one', 'two', 'b', 'next'])
  expect([upper!.look.size, lower!.look.size]).toEqual([5, 5])
  expect(upper!.x).toBe(lower!.x)
  expect(upper!.y).toBeLessThan(before!.y)
  expect(lower!.y - upper!.y).toBeCloseTo(5.75, 1)
  expect(behind!.x - before!.x - before!.width).toBeLessThan(Math.max(upper!.width, lower!.width) + 0.1)
  expect(next!.y).toBeCloseTo(70.9, 1)
})

test('runs with the same id are combined, and runs with different ids are placed side by side', () => {
  const text = (...ids: string[]) =>
    dump(page(combined('one ', '', ids[0]), combined('two', '', ids[1]))).map((line) => line.replace(/^[\d.]+,/, ''))
  const together = text('7', '7')
  expect(together).toHaveLength(3)
  expect(together[0]!.split(' ')[0]).not.toBe(together[1]!.split(' ')[0])
  const apart = text('7', '8')
  expect(apart[0]!.split(' ')[0]).toBe(apart[1]!.split(' ')[0]!)
})

test('brackets around combined text have the full size, and other text stays on one line', () => {
  const bracketed = textFrames(page(combined('one two', ' w:combineBrackets="square"')))
  expect(bracketed.map((frame) => [frame.text.trim(), frame.look.size])).toEqual([
    ['[', 10],
    ['one', 5],
    ['two', 5],
    [']', 10],
    ['next', 10],
  ])
  const off = run('one two', '<w:eastAsianLayout w:id="7" w:combine="0"/>')
  expect(dump(page(off))[0]).toBe('50.0,59.4 one two')
})

test('two lines in one are as wide as the longer one has to be, and the shorter one is stretched to it', () => {
  const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>'
  const set = (text: string) => {
    const frames = textFrames(page(run(text, `${mono}<w:eastAsianLayout w:id="7" w:combine="1"/>`), run('x', mono)))
    const behind = frames.find((frame) => frame.text === 'x')!
    const inside = frames.slice(0, frames.indexOf(behind))
    for (const frame of inside) expect(frame.x + frame.width).toBeLessThan(behind.x + 0.05)
    return { width: Math.round((behind.x - 50) * 10) / 10, lines: inside.map((frame) => frame.text.trim()), inside }
  }
  // A letter of 5 pt is 3 pt wide.
  expect([set('aaaa bbbb').width, set('aaaa bbbb').lines]).toEqual([12, ['aaaa', 'bbbb']])
  expect([set('aaaaaa bb cc').width, set('aaaaaa bb cc').lines]).toEqual([18, ['aaaaaa', 'bb cc']])
  expect(set('a bbbbbb c').width).toBe(24)
  // What can't be parted is one line.
  expect([set('aaaaaaaa').width, set('aaaaaaaa').lines]).toEqual([24, ['aaaaaaaa']])
  const [first, second] = set('aaaaaa bb cc').inside
  expect(second!.x + second!.width).toBeCloseTo(first!.x + first!.width, 1)
})

test('two lines in one are no wider for the blank between them, however narrow their letters are', () => {
  const frames = textFrames(page(combined('i i'), run('x')))
  // An i of 5 pt is 1.1 pt wide, a blank 1.4 pt.
  expect(frames.find(({ text }) => text === 'x')!.x - 50).toBeCloseTo(1.11, 1)
})

test('the two lines are about the middle of the text beside them', () => {
  const [upper, lower] = textFrames(page(combined('one two')))
  // The lines of 5 pt, 5.75 pt each, are between the top and the foot of a line of 10 pt.
  expect(upper!.y).toBeCloseTo(50 + 4.7, 0)
  expect(lower!.y).toBeCloseTo(50 + 5.75 + 4.7, 0)
})
