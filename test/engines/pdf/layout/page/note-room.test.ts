import { describe, expect, test } from 'bun:test'
import { dump, dumpShapes, layoutOf, p, smallSection, type WordParts, wordDocument } from '../../word.ts'

/*
 * The small page has 300 pt for text. A line is 11.5 pt high, and so is a line of a note; a rule with 10 pt of room is
 * above the first note of a page.
 */
const lines = (count: number, name = 'l', properties = '') =>
  Array.from({ length: count }, (_, index) => p(`${name}${index}`, properties)).join('')
const referring = (text: string, ids: readonly number[], properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r>${ids.map((id) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`).join('')}</w:p>`
const note = (id: number, content: string) => `<w:footnote w:id="${id}">${content}</w:footnote>`
/** What is on each page, without the numbers of references. */
const pagesOf = (body: string, parts: WordParts) =>
  layoutOf(wordDocument(body, parts)).pages.map((page) =>
    dump(page)
      .map((line) => line.slice(line.indexOf(' ') + 1))
      .filter((text) => !/^\d+$/.test(text)),
  )
const counts = (body: string, parts: WordParts) =>
  pagesOf(body, parts).map((texts) => [
    texts.filter((text) => text.startsWith('l')).length,
    texts.filter((text) => text.startsWith('n')).length,
  ])

describe('a line that refers to footnotes', () => {
  test('needs room for all of them, and for the space between them', () => {
    const both = (after: number) => note(1, p('n', `<w:spacing w:after="${after * 20}"/>`)) + note(2, p('n'))
    const body = lines(22) + referring('l', [1, 2])
    // 23 lines, two notes and the rule are 297.5 pt.
    expect(counts(body, { footnotes: both(2) })).toEqual([[23, 2]])
    expect(counts(body, { footnotes: both(3) })).toEqual([
      [22, 0],
      [1, 2],
    ])
  })

  test('needs none for the line spacing below the last line of a note', () => {
    const double = '<w:spacing w:line="480" w:lineRule="auto"/>'
    // 24 lines, the rule and 11.5 pt of note are 297.5 pt; the other 11.5 pt may run over the foot of the page.
    expect(counts(lines(23) + referring('l', [1]), { footnotes: note(1, p('n', double)) })).toEqual([[24, 1]])
  })

  test('has the line spacing of a note of several paragraphs below each of them but the last', () => {
    const double = '<w:spacing w:line="480" w:lineRule="auto"/>'
    const footnotes =
      note(1, p('n1', double) + p('n2') + p('n3', double)) + note(2, p('n4', '<w:spacing w:before="100"/>'))
    const baselines = (ids: number[]) => {
      const frames = dump(layoutOf(wordDocument(referring('l', ids), { footnotes })).pages[0]!)
      return frames.filter((line) => / n\d/.test(line)).map((line) => Number(line.split(/[, ]/)[1]))
    }
    expect(baselines([1])).toEqual([313.4, 336.4, 347.9])
    // Before another note the last one's spacing counts too, besides the 5 pt that the other asks for.
    expect(baselines([1, 2])).toEqual([285.4, 308.4, 319.9, 347.9])
  })

  test('leaves its own line spacing to its footnote', () => {
    const double = '<w:spacing w:line="480" w:lineRule="auto"/>'
    const body = lines(11, 'l', double) + referring('l', [1], double)
    // The text of 12 lines ends at 264.5 pt: the rule and two lines of note fit below it, above which is no spacing.
    expect(counts(body, { footnotes: note(1, lines(3, 'n')) })).toEqual([
      [12, 2],
      [0, 1],
    ])
  })

  test('brings a footnote to its page once, if others refer to it too', () => {
    const footnotes = note(1, p('note'))
    expect(pagesOf(referring('a', [1]) + referring('b', [1]), { footnotes })).toEqual([['a', 'b', 'note']])
    const next = `<w:p><w:pPr><w:pageBreakBefore/></w:pPr><w:r><w:t>b</w:t><w:footnoteReference w:id="1"/></w:r></w:p>`
    expect(pagesOf(referring('a', [1]) + next, { footnotes })).toEqual([['a', 'note'], ['b']])
  })

  test('needs no room for a footnote that the document lacks', () => {
    expect(counts(lines(25) + referring('l', [7]), { footnotes: note(1, p('n')) })).toEqual([[26, 0]])
  })

  test('is on the page of the first lines of its footnote that a page may not part', () => {
    // 22 lines and the rule leave 37 pt: three lines of note.
    const body = lines(21) + referring('l', [1])
    expect(counts(body, { footnotes: note(1, lines(5, 'n')) })).toEqual([
      [22, 3],
      [0, 2],
    ])
    expect(counts(body, { footnotes: note(1, lines(3, 'n', '<w:keepNext/>') + lines(2, 'n')) })).toEqual([
      [21, 0],
      [1, 5],
    ])
    const kept = lines(2, 'n') + lines(2, 'n', '<w:keepNext/>') + p('n')
    expect(counts(body, { footnotes: note(1, kept) })).toEqual([
      [22, 2],
      [0, 3],
    ])
  })
})

describe('a footnote that continues on the next page', () => {
  test('has no space above its first line there, and the next one follows at its own distance', () => {
    const spaced = (name: string) => p(name, '<w:spacing w:before="200" w:after="160"/>')
    const body = lines(22) + referring('l', [1]) + p('l')
    const footnotes = note(1, spaced('n1') + spaced('n2'))
    const docx = wordDocument(body + referring('l', [2]), { footnotes: footnotes + note(2, p('n3')) })
    const pages = layoutOf(docx).pages.map((page) => dump(page).filter((line) => / n\d/.test(line)))
    // Its own 10 pt are above the first one; the second page has two lines of note, 8 pt apart, and nothing below.
    expect(pages).toEqual([['50.0,347.9 n1'], ['50.0,328.4 n2', '50.0,347.9 n3']])
    // The rule is 5 pt above the first line of a page's notes, and above the space that the note itself asks for.
    const rules = layoutOf(docx).pages.map((page) => dumpShapes(page))
    expect(rules).toEqual([['line 50.0,323.5 194.0,323.5'], ['line 50.0,314.0 194.0,314.0']])
  })

  test('takes the next one along, which waits for its end', () => {
    const body = lines(20) + referring('l', [1]) + referring('l', [2])
    // 21 lines and the rule leave 48.5 pt: four lines of note, of six. The line of the second note fits the page no more.
    expect(counts(body, { footnotes: note(1, lines(6, 'n')) + note(2, p('n')) })).toEqual([
      [21, 4],
      [1, 3],
    ])
    const sameLine = lines(20) + referring('l', [1, 2])
    expect(counts(sameLine, { footnotes: note(1, p('n')) + note(2, lines(6, 'n')) })).toEqual([
      [21, 4],
      [0, 3],
    ])
  })
})

test('footnotes are complete and in order where one fills the pages on which others are referred to', () => {
  for (const count of [50, 60]) {
    const body = referring('a', [1]) + referring('b', [2])
    const footnotes = note(1, lines(count, 'n')) + note(2, p('m'))
    const texts = pagesOf(body, { footnotes }).flat()
    expect(texts.filter((text) => /^[nm]/.test(text))).toEqual([
      ...Array.from({ length: count }, (_, at) => `n${at}`),
      'm',
    ])
  }
})

test('a footnote is whole in a section whose columns differ in width', () => {
  const columns = '<w:cols w:num="2" w:equalWidth="0"><w:col w:w="2400" w:space="400"/><w:col w:w="1200"/></w:cols>'
  const parts = { footnotes: note(1, lines(6, 'n')), section: `${smallSection}${columns}` }
  const shown = (before: number) =>
    layoutOf(wordDocument(lines(before) + referring('see', [1]), parts)).pages.map((page) =>
      dump(page)
        .filter((line) => / (n\d|see)/.test(line))
        .map((line) => (Number(line.split(',')[0]) < 165 ? 'left' : 'right')),
    )
  // 19 lines, the rule and six lines of note are 297.5 pt.
  expect(shown(18)).toEqual([Array(7).fill('left')])
  expect(shown(19)).toEqual([Array(7).fill('right')])
})

test('a footnote that is longer than a page is parted there too, and every line of it is on the paper', () => {
  const columns = '<w:cols w:num="2" w:equalWidth="0"><w:col w:w="2400" w:space="400"/><w:col w:w="1200"/></w:cols>'
  const parts = { footnotes: note(1, lines(70, 'n')), section: `${smallSection}${columns}` }
  const pages = layoutOf(wordDocument(referring('see', [1]), parts)).pages.map(dump)
  const found = pages.flat().filter((line) => / n\d/.test(line))
  expect(found.map((line) => line.replace(/^\S+ /, ''))).toEqual(Array.from({ length: 70 }, (_, at) => `n${at}`))
  for (const line of found) {
    const [x = 0, y = 0] = line.split(/[ ,]/).map(Number)
    expect([line, x < 165, y > 50, y < 350]).toEqual([line, true, true, true])
  }
  expect(pages.length).toBe(3)
})

test('a footnote goes on behind the blank page before a section that begins on the other side of the sheet', () => {
  const end = (type: string) => `${smallSection}<w:type w:val="${type}"/>`
  const section = (type: string) => `<w:p><w:pPr><w:sectPr>${end(type)}</w:sectPr></w:pPr></w:p>`
  for (const [first, type] of [
    ['', 'oddPage'],
    [`${lines(1)}${section('nextPage')}`, 'evenPage'],
  ] as const) {
    const body = `${first}${referring('see', [1])}${section('nextPage')}${lines(1)}`
    const pages = pagesOf(body, { footnotes: note(1, lines(60, 'n')), section: end(type) })
    const texts = pages.flat().filter((text) => text.startsWith('n'))
    expect(texts).toEqual(Array.from({ length: 60 }, (_, at) => `n${at}`))
    expect(pages.filter((page) => page.length === 0).length).toBe(1)
  }
})

test('text begins behind the pages that a footnote fills, and neither covers it nor runs off the paper', () => {
  const cell = (content: string) => `<w:tbl><w:tr><w:tc>${content}</w:tc></w:tr></w:tbl>`
  const deep = cell(cell(cell(cell(`${lines(20, 'deep')}`))))
  for (const next of [lines(30, 'l'), `${deep}${lines(1)}`, lines(3, 'l', '<w:keepNext/>')]) {
    const body = referring('see', [1]) + next
    const pages = layoutOf(wordDocument(body, { footnotes: note(1, lines(73, 'n')) })).pages.map(dump)
    const shown = pages.map((page) => page.filter((line) => / (n|l|deep)\d/.test(line)))
    expect(shown[1]!.every((line) => / n\d/.test(line))).toBe(true)
    for (const page of shown) {
      const baselines = page.map((line) => Number(/,(-?[\d.]+)/.exec(line)![1])).sort((a, b) => a - b)
      expect(baselines.every((y) => y > 50 && y < 350)).toBe(true)
      expect(baselines.every((y, at) => at === 0 || y - baselines[at - 1]! > 11)).toBe(true)
    }
    expect(shown.flat().filter((line) => / n\d/.test(line)).length).toBe(73)
  }
})
