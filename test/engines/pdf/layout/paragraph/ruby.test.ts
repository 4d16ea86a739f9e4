import { expect, test } from 'bun:test'
import { dump, layoutOf, p, renderingOf, textFrames, wordDocument } from '../../word.ts'

/* Arial 10 pt: a line is 11.5 pt high, its baseline 9.4 pt down, and "mmmm" 33.3 pt wide; "ii" in 5 pt is 2.2 pt wide. */
const ruby = (base: string, guide: string, align: string, raise = 18) =>
  `<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="${align}"/><w:hps w:val="10"/><w:hpsRaise w:val="${raise}"/></w:rubyPr>` +
  `<w:rt><w:r><w:t>${guide}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>${base}</w:t></w:r></w:rubyBase></w:ruby></w:r>`
const page = (content: string) => layoutOf(wordDocument(`<w:p>${content}</w:p>${p('next')}`)).pages[0]!

test('a phonetic guide has its own size above its base, which stays on the line', () => {
  const frames = textFrames(page(`<w:r><w:t>a</w:t></w:r>${ruby('mmmm', 'ii', 'center')}`))
  expect(frames.map(({ text, look }) => [text, look.size])).toEqual([
    ['a', 10],
    ['mmmm', 10],
    ['ii', 5],
    ['next', 10],
  ])
  const [text, base, guide, next] = frames
  expect(base!.y).toBe(text!.y)
  expect(base!.y - guide!.y).toBeCloseTo(9, 1)
  expect(guide!.x + guide!.width / 2).toBeCloseTo(base!.x + base!.width / 2, 1)
  // Nine points up, and the ascent of 5 pt: the line is that much higher than one without it.
  expect(text!.y).toBeCloseTo(50 + 9 + 4.7, 0)
  expect(next!.y - text!.y).toBeCloseTo(2.1 + 9.4, 0)
})

test('the shorter text is aligned to one side, or its letters share the room', () => {
  const placed = (align: string) => dump(page(ruby('mmmm', 'ii', align))).slice(0, 2)
  expect(placed('left')[1]).toMatch(/^50\.0,/)
  expect(placed('right')[1]).toMatch(/^81\.1,/)
  const guideOf = (align: string, base = 'mmmm', guide = 'ii') => textFrames(page(ruby(base, guide, align)))[1]!
  const between = guideOf('distributeLetter')
  expect(between.x).toBe(50)
  expect(between.shifts![0]).toBeCloseTo(33.3 - 2.2, 1)
  const around = guideOf('distributeSpace')
  expect(around.x).toBeCloseTo(50 + (33.3 - 2.2) / 4, 1)
  expect(around.shifts![0]).toBeCloseTo((33.3 - 2.2) / 2, 1)
  // A base that is shorter than its guide shares the room as well.
  const [base] = textFrames(page(ruby('i', 'mmmmmmmm', 'distributeSpace')))
  expect(base!.x).toBeCloseTo(50 + (33.3 - 2.2) / 2, 0)
})

test('a guide that states no place is right above the base', () => {
  const [base, guide] = textFrames(page(ruby('mmmm', 'ii', 'center', 0)))
  expect(base!.y - guide!.y).toBeCloseTo(9.4 + 5.75 - 4.7, 0)
})

test('all of both texts is shown, on one line each, whatever parts or squeezes them', () => {
  const texts = (base: string) =>
    textFrames(
      page(`<w:r><w:ruby><w:rt><w:r><w:t>ii</w:t></w:r></w:rt><w:rubyBase>${base}</w:rubyBase></w:ruby></w:r>`),
    ).map(({ text }) => text)
  for (const parting of ['<w:br/>', '<w:tab/>', '<w:br w:type="page"/>', '<w:cr/>'])
    expect(texts(`<w:r><w:t>one</w:t>${parting}<w:t>two</w:t></w:r>`).join('|')).toBe('one two|ii|next')
  const squeezed = '<w:r><w:rPr><w:spacing w:val="-400"/></w:rPr><w:t>one two</w:t></w:r>'
  expect(texts(squeezed)).toEqual(['one two', 'ii', 'next'])
})

test('in a paragraph from right to left both texts are above each other, at the right end of the line', () => {
  for (const [base, guide] of [
    ['mmmm', 'ii'],
    ['ii', 'mmmmmmmm'],
  ]) {
    const [lower, upper] = textFrames(
      layoutOf(wordDocument(`<w:p><w:pPr><w:bidi/></w:pPr>${ruby(base!, guide!, 'center')}</w:p>`)).pages[0]!,
    )
    expect([lower!.text, upper!.text]).toEqual([base!, guide!])
    expect(upper!.x + upper!.width / 2).toBeCloseTo(lower!.x + lower!.width / 2, 1)
    expect(Math.max(lower!.x + lower!.width, upper!.x + upper!.width)).toBeCloseTo(250, 1)
  }
})

test('a guide inside of another is drawn behind its text with a remark, and takes no more time with each level', () => {
  let content = '<w:r><w:t>base</w:t></w:r>'
  for (let level = 1; level <= 25; level++)
    content = `<w:r><w:ruby><w:rt><w:r><w:t>g${level}</w:t></w:r></w:rt><w:rubyBase>${content}</w:rubyBase></w:ruby></w:r>`
  const docx = wordDocument(`<w:p>${content}</w:p>`)
  const [inner, outer] = textFrames(layoutOf(docx).pages[0]!)
  const levels = Array.from({ length: 24 }, (_, at) => `g${at + 1}`).join('')
  expect([inner!.text, outer!.text]).toEqual([`base${levels}`, 'g25'])
  expect(renderingOf(docx).report.map(({ message }) => message)).toContain(
    'w:ruby is not supported; a guide inside of another is drawn behind its text.',
  )
})
