import { expect, test } from 'bun:test'
import { dump, layoutOf, p, smallSection, wordDocument } from '../../word.ts'

/* The text area starts 50 pt down, so that a line of Arial 10 pt without space above has its baseline at 59.4. */
const tops = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages.map((page) => dump(page)[0])

const broken = `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr></w:p>`

test('a section’s first paragraph keeps the part of its space that exceeds the space below the last one', () => {
  const head = p('head', '<w:spacing w:before="300"/>')
  expect(tops(p('a') + broken + head)[1]).toBe('50.0,74.4 head')
  expect(tops(p('a', '<w:spacing w:after="200"/>') + broken + head)[1]).toBe('50.0,64.4 head')
  expect(tops(p('a', '<w:spacing w:after="400"/>') + broken + head)[1]).toBe('50.0,59.4 head')
})

test('a paragraph that starts a page does the same before Word 2013’s mode, and has no space after one of its own style', () => {
  const parts = { settings: '<w:compat/>' }
  const after = p('a', '<w:spacing w:after="200"/>')
  const before = '<w:pageBreakBefore/><w:spacing w:before="300"/>'
  expect(tops(after + p('b', before), parts)[1]).toBe('50.0,64.4 b')
  const styles =
    '<w:style w:type="paragraph" w:styleId="L"><w:name w:val="L"/><w:pPr><w:contextualSpacing/></w:pPr></w:style>'
  const own = '<w:pStyle w:val="L"/>'
  expect(tops(p('a', own) + p('b', own + before), { ...parts, styles })[1]).toBe('50.0,59.4 b')
  expect(tops(p('a') + p('b', own + before), { ...parts, styles })[1]).toBe('50.0,74.4 b')
})

test('a section’s last paragraph is a line of its own if a field ends in it, and no line if it is bare', () => {
  const ending = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
  const begun =
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>' +
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>entry</w:t></w:r></w:p>'
  const mark = (content: string) => `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr>${content}</w:p>`
  const section = `<w:type w:val="continuous"/>${smallSection}`
  const next = (content: string) =>
    dump(layoutOf(wordDocument(begun + mark(content) + p('next'), { section })).pages[0]!).at(-1)
  expect(next('')).toBe('50.0,70.9 next')
  expect(next(ending)).toBe('50.0,82.4 next')
})

test('a section’s bare last paragraph takes no page of its own, even where it asks for one', () => {
  // In nine of Word's PDFs a section ends so: none has a page between the one before and the one after.
  const mark = (content: string) =>
    `<w:p><w:pPr><w:pageBreakBefore/><w:sectPr>${smallSection}</w:sectPr></w:pPr>${content}</w:p>`
  expect(tops(p('a') + mark('') + p('b'))).toEqual(['50.0,59.4 a', '50.0,59.4 b'])
  expect(tops(p('a') + mark('<w:r><w:t>own</w:t></w:r>') + p('b'))).toEqual(
    ['a', 'own', 'b'].map((text) => `50.0,59.4 ${text}`),
  )
})

test('after a page break, a table’s first paragraph loses its space above, and no other does', () => {
  const cell = (text: string) => `<w:tc><w:tcPr/>${p(text, '<w:spacing w:before="300"/>')}</w:tc>`
  const table = (text: string) =>
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr>${cell(text)}</w:tr><w:tr>${cell('next')}</w:tr></w:tbl>`
  const breaking = '<w:p><w:r><w:t>a</w:t><w:br w:type="page"/></w:r></w:p>'
  const pages = layoutOf(wordDocument(breaking + table('cell') + p('z'))).pages.map((page) => dump(page))
  expect(pages[1]).toEqual(
    ['50.0,59.4 cell', '50.0,85.9 next', '50.0,97.4 z'].map((line) => expect.stringContaining(line.slice(4))),
  )
  expect(dump(layoutOf(wordDocument(p('a') + table('cell'))).pages[0]!)[1]).toEndWith(',85.9 cell')
})
