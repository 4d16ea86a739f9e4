import { describe, expect, test } from 'bun:test'
import { dump, layoutOf, p, smallSection, type WordParts, wordDocument } from '../../word.ts'

const reference = (id: number, kind = 'footnote', attributes = '') =>
  `<w:r><w:${kind}Reference w:id="${id}"${attributes}/></w:r>`
const referring = (...runs: string[]) => `<w:p><w:r><w:t>see</w:t></w:r>${runs.join('')}</w:p>`
const footnotes = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `<w:footnote w:id="${index + 1}"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> n${index + 1}</w:t></w:r></w:p></w:footnote>`,
  ).join('')
const endnotes = (count: number, before = '') => ({
  others: {
    'endnotes.xml': `<w:endnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${before}${footnotes(count).replaceAll('footnote', 'endnote')}</w:endnotes>`,
  },
  extraRelationships:
    '<Relationship Id="endnotes" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/endnotes" Target="endnotes.xml"/>',
})
const settings = (inside: string) =>
  `${inside}<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>`
const newSection = `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr></w:p>`

/** The texts of each page, joined: `see1 1 n1`. */
function shown(body: string, parts: WordParts): string[] {
  return layoutOf(wordDocument(body, parts)).pages.map((page) =>
    dump(page)
      .map((line) => line.replace(/^\S+ /, ''))
      .join(' '),
  )
}

describe('the numbers of notes', () => {
  test('continue through the document, footnotes in decimals, endnotes in small roman numerals', () => {
    const body = referring(reference(1)) + newSection + referring(reference(2))
    expect(shown(body, { footnotes: footnotes(2) })).toEqual(['see 1 1 n1', 'see 2 2 n2'])
    const both = referring(reference(1, 'endnote')) + referring(reference(2, 'endnote'))
    expect(shown(both, endnotes(2))).toEqual(['seei seeii i n1 ii n2'])
  })

  test('have the format and the start that the document or the section sets', () => {
    const format = '<w:footnotePr><w:numFmt w:val="chicago"/><w:numStart w:val="2"/></w:footnotePr>'
    const body = referring(reference(1), reference(2))
    expect(shown(body, { footnotes: footnotes(2), settings: settings(format) })).toEqual(['see † ‡ † n1 ‡ n2'])
    const section = `<w:footnotePr><w:numFmt w:val="lowerLetter"/></w:footnotePr>${smallSection}`
    expect(shown(body, { footnotes: footnotes(2), settings: settings(format), section })).toEqual(['see b c b n1 c n2'])
  })

  test('restart in each section if the document says so', () => {
    const body = referring(reference(1), reference(2)) + newSection + referring(reference(3))
    const restart = settings('<w:footnotePr><w:numRestart w:val="eachSect"/></w:footnotePr>')
    expect(shown(body, { footnotes: footnotes(3), settings: restart })).toEqual(['see 1 2 1 n1 2 n2', 'see 1 1 n3'])
  })

  test('restart on each page if the document says so, also when text moves them there', () => {
    const restart = settings('<w:footnotePr><w:numRestart w:val="eachPage"/></w:footnotePr>')
    const filling = Array.from({ length: 22 }, () => p('x')).join('')
    const body = referring(reference(1), reference(2)) + filling + referring(reference(3)) + referring(reference(4))
    const pages = shown(body, { footnotes: footnotes(4), settings: restart })
    expect(pages.map((text) => text.replace(/( x)+/, ' …'))).toEqual(['see 1 2 … 1 n1 2 n2', 'see 1 see 2 1 n3 2 n4'])
  })

  test('are not used up by notes with a mark of their own', () => {
    const custom = reference(1, 'footnote', ' w:customMarkFollows="1"').replace('</w:r>', '<w:t>*</w:t></w:r>')
    const notes = footnotes(2).replace('<w:footnoteRef/>', '<w:t>*</w:t>')
    expect(shown(referring(custom, reference(2)), { footnotes: notes })).toEqual(['see * 1 * n1 1 n2'])
  })
})

describe('notes', () => {
  test('are right below the text if the document says so, else at the bottom of the page', () => {
    const at = (inside: string) =>
      dump(
        layoutOf(wordDocument(referring(reference(1)), { footnotes: footnotes(1), settings: settings(inside) }))
          .pages[0]!,
      )
        .filter((line) => line.includes('n1'))
        .map((line) => Number(line.split(/[, ]/)[1]))[0]!
    expect(at('')).toBeGreaterThan(330)
    expect(at('<w:footnotePr><w:pos w:val="beneathText"/></w:footnotePr>')).toBeWithin(70, 100)
  })

  test('at the end of the document can be at the end of their section instead', () => {
    const body = referring(reference(1, 'endnote')) + newSection + referring(reference(2, 'endnote'))
    expect(shown(body, endnotes(2))).toEqual(['seei', 'seeii i n1 ii n2'])
    const perSection = settings('<w:endnotePr><w:pos w:val="sectEnd"/></w:endnotePr>')
    expect(shown(body, { ...endnotes(2), settings: perSection })).toEqual(['seei i n1', 'seeii ii n2'])
  })

  test('are below a rule in a paragraph of its own, one for all endnotes', () => {
    const separator = `<w:endnote w:id="-1" w:type="separator">${p('', '<w:spacing w:line="600" w:lineRule="exact"/>')}</w:endnote>`
    const body = referring(reference(1, 'endnote')) + referring(reference(2, 'endnote'))
    const [page] = layoutOf(wordDocument(body, endnotes(2, separator))).pages
    const [plain] = layoutOf(wordDocument(body, endnotes(2))).pages
    const tops = (frames = page!.frames) => frames.flatMap((frame) => (frame.kind === 'text' ? [frame.y] : []))
    const lower = tops().map((y, index) => y - tops(plain!.frames)[index]!)
    expect(lower).toEqual([0, 0, 30, 30])
    const rules = page!.frames.filter(({ kind }) => kind === 'line')
    expect(rules).toHaveLength(1)
    expect(plain!.frames.some(({ kind }) => kind === 'line')).toBe(false)
  })

  test('that a floating table refers to are at the bottom of its page', () => {
    const position = '<w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpX="1000" w:tblpY="1000"/>'
    const table = `<w:tbl><w:tblPr>${position}</w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${referring(reference(1))}</w:tc></w:tr></w:tbl>`
    const [page] = layoutOf(wordDocument(table + p('text'), { footnotes: footnotes(1) })).pages
    expect(dump(page!)).toContain('50.0,347.9 1 n1')
  })

  test('at the end of a section of balanced columns go on in the last of them, down to the foot of the page', () => {
    const two = `${smallSection}<w:cols w:num="2" w:space="200"/>`
    const perSection = settings('<w:endnotePr><w:pos w:val="sectEnd"/></w:endnotePr>')
    const lines = Array.from({ length: 6 }, (_, index) => p(`l${index}`)).join('')
    const end = `<w:p><w:pPr><w:sectPr>${two}</w:sectPr></w:pPr><w:r><w:t>see</w:t></w:r>${reference(1, 'endnote')}${reference(2, 'endnote')}</w:p>`
    const parts = { ...endnotes(2), settings: perSection, section: `<w:type w:val="continuous"/>${smallSection}` }
    const { pages } = layoutOf(wordDocument(lines + end + p('after'), parts))
    expect(pages).toHaveLength(1)
    // Seven lines in two columns: four and three, and the notes below the three.
    const right = dump(pages[0]!).filter((line) => Number(line.split(',')[0]) > 150)
    expect(right.map((line) => line.replace(/^\d+\.\d,/, ''))).toEqual([
      '59.4 l4',
      '70.9 l5',
      '82.4 seeiii',
      '93.9 i n1',
      '105.4 ii n2',
    ])
    expect(dump(pages[0]!).at(-1)).toBe('50.0,116.9 after')
  })

  const spaced = (id: number, properties: string) => `<w:footnote w:id="${id}">${p(`n${id}`, properties)}</w:footnote>`

  test('have space below them only before another note, and the larger of two spaces wins', () => {
    const lines = (before: number) => {
      const notes =
        spaced(1, '<w:spacing w:after="200"/>') +
        spaced(2, `<w:spacing w:before="${before}" w:after="400"/>`) +
        spaced(3, '<w:spacing w:after="400"/>')
      const body = referring(reference(1), reference(2), reference(3))
      return dump(layoutOf(wordDocument(body, { footnotes: notes })).pages[0]!).slice(-3)
    }
    expect(lines(0)).toEqual(['50.0,294.9 n1', '50.0,316.4 n2', '50.0,347.9 n3'])
    expect(lines(300)).toEqual(['50.0,289.9 n1', '50.0,316.4 n2', '50.0,347.9 n3'])
  })

  test('take no room for the line spacing below the last of their lines', () => {
    const notes = spaced(1, '<w:spacing w:line="480" w:lineRule="auto"/>')
    const body = referring(reference(1)) + Array.from({ length: 23 }, (_, index) => p(`l${index}`)).join('')
    // 24 lines of 11.5 pt, the rule's 10 pt and the note's own 11.5 pt are 297.5 of the page's 300 pt.
    expect(layoutOf(wordDocument(body, { footnotes: notes })).pages).toHaveLength(1)
  })
})

describe('footnotes of columns', () => {
  const columns = (inside: string) => smallSection.replace(/<w:cols[^>]*>|$/, inside)
  const two = columns('<w:cols w:num="2" w:space="200"/>')
  const continuous = (section: string) =>
    `<w:p><w:pPr><w:sectPr><w:type w:val="continuous"/>${section}</w:sectPr></w:pPr></w:p>`
  const filling = (count: number) => Array.from({ length: count }, () => p('x')).join('')
  const placesOf = (body: string, section: string, count = 2) =>
    layoutOf(wordDocument(body, { footnotes: footnotes(count), section })).pages.map((page) => dump(page))
  const note = (id: number) => new RegExp(` n${id}$`)
  const xOf = (line: string | undefined) => Number(line!.split(',')[0])
  const yOf = (line: string | undefined) => Number(line!.split(/[, ]/)[1])

  test('are at the bottom of the column that refers to them, and the other column keeps its whole height', () => {
    const [page] = placesOf(referring(reference(1)) + filling(30) + referring(reference(2)), two)
    const [first, second] = [1, 2].map((id) => page!.find((line) => note(id).test(line)))
    expect(xOf(first)).toBeLessThan(150)
    expect(xOf(second)).toBeGreaterThan(150)
    expect(yOf(first)).toBeCloseTo(yOf(second), 1)
    const alone = placesOf(referring(reference(1)) + filling(49), two, 1)
    expect(alone).toHaveLength(1)
    const right = alone[0]!.filter((line) => xOf(line) > 150 && line.endsWith(' x'))
    const left = alone[0]!.filter((line) => xOf(line) < 150 && line.endsWith(' x'))
    expect(Math.max(...right.map(yOf))).toBeGreaterThan(Math.max(...left.map(yOf)))
  })

  test('continue at the bottom of the next column if they are too long, and are as wide as their column', () => {
    const long = `<w:footnote w:id="1">${Array.from({ length: 15 }, (_, index) => p(`n${index}`)).join('')}</w:footnote>`
    const body = filling(20) + referring(reference(1)) + filling(10)
    const pages = layoutOf(wordDocument(body, { footnotes: long, section: two })).pages.map((page) => dump(page))
    expect(pages).toHaveLength(1)
    const notes = pages[0]!.filter((line) => / n\d+$/.test(line))
    expect(notes).toHaveLength(15)
    expect(new Set(notes.map(xOf)).size).toBe(2)
    expect(xOf(notes.at(-1))).toBeGreaterThan(150)
    expect(Math.max(...notes.map(yOf))).toBeLessThan(350)
    // No two lines of the page overlap.
    const places = pages[0]!.map((line) => `${xOf(line) > 150} ${Math.round(yOf(line))}`)
    expect(new Set(places).size).toBe(places.length - 1)

    // At the end of the document, too.
    const [ends, ...none] = layoutOf(
      wordDocument(filling(20) + referring(reference(1)), { footnotes: long, section: two }),
    ).pages.map((page) => dump(page))
    expect(none).toEqual([])
    expect(ends!.filter((line) => / n\d+$/.test(line) && xOf(line) > 150).length).toBeGreaterThan(5)

    const words = `<w:footnote w:id="1">${p('word '.repeat(20))}</w:footnote>`
    const [page] = layoutOf(wordDocument(referring(reference(1)), { footnotes: words, section: two })).pages
    expect(Math.max(...page!.frames.map((frame) => (frame.kind === 'text' ? frame.x + frame.width : 0)))).toBeLessThan(
      150,
    )
  })

  test('of sections on one page are placed section by section, below the text of all', () => {
    const body = referring(reference(1)) + continuous(smallSection) + filling(30) + referring(reference(2)) + p('last')
    const section = `<w:type w:val="continuous"/>${two}`
    const [page, ...more] = placesOf(body, section)
    expect(more).toEqual([])
    const [upper, lower] = [1, 2].map((id) => page!.find((line) => note(id).test(line)))
    expect([xOf(upper) > 150, xOf(lower) > 150]).toEqual([false, true])
    expect(yOf(lower) - yOf(upper)).toBeGreaterThan(11)
    const text = page!.filter((line) => / (x|last|see)$/.test(line)).map(yOf)
    expect(Math.max(...text)).toBeLessThan(yOf(upper))
  })

  test('of a section below another stay together, in one place below one rule', () => {
    const body =
      referring(reference(1)) + continuous(smallSection) + referring(reference(2)) + referring(reference(3)) + p('last')
    const section = `<w:type w:val="continuous"/>${two}`
    const { pages } = layoutOf(wordDocument(body, { footnotes: footnotes(3), section }))
    const [page] = pages.map((one) => dump(one))
    const [first, second, third] = [1, 2, 3].map((id) => page!.find((line) => note(id).test(line)))
    expect(yOf(third)).toBeCloseTo(347.9, 1)
    expect(yOf(third) - yOf(second)).toBeCloseTo(11.5, 1)
    // Between the two sections are the ten points of the second one's rule.
    expect(yOf(second) - yOf(first)).toBeCloseTo(21.5, 1)
    expect(pages[0]!.frames.filter(({ kind }) => kind === 'line')).toHaveLength(2)
  })

  test('end level at the bottom of columns side by side, and begin level right below the text', () => {
    const column = '<w:p><w:r><w:br w:type="column"/></w:r></w:p>'
    const body = referring(reference(1)) + referring(reference(2)) + column + referring(reference(3))
    const placed = (inside: string) => {
      const parts = { footnotes: footnotes(3), section: two, settings: settings(inside) }
      const page = dump(layoutOf(wordDocument(body, parts)).pages[0]!)
      return [1, 2, 3].map((id) => page.find((line) => note(id).test(line)))
    }
    const [first, second, third] = placed('')
    expect(yOf(second) - yOf(first)).toBeCloseTo(11.5, 1)
    expect(yOf(third)).toBeCloseTo(yOf(second), 1)
    expect(xOf(third)).toBeGreaterThan(150)
    const [upper, lower, beside] = placed('<w:footnotePr><w:pos w:val="beneathText"/></w:footnotePr>')
    expect(yOf(lower)).toBeLessThan(150)
    expect(yOf(lower) - yOf(upper)).toBeCloseTo(11.5, 1)
    expect(yOf(beside)).toBeCloseTo(yOf(upper), 1)
  })
})
