import { expect, test } from 'bun:test'
import { p, renderingOf, smallSection, type WordParts, wordDocument } from '../word.ts'

/** What the report says of content that has no room in a document of this body. */
function cutOff(body: string, parts: WordParts = {}): (string | undefined)[] {
  const { report } = renderingOf(wordDocument(body, parts))
  return report.flatMap(({ code, path }) => (code === 'render.cut_off' ? [path] : []))
}

const lines = (count: number) => Array.from({ length: count }, (_, at) => p(`line ${at}`)).join('')
/** A box that is 30 pt high, as two lines are. */
const box = (content: string, more = '') =>
  `<w:p><w:r><w:pict><v:shape style="width:100pt;height:30pt${more}"><v:textbox inset="0,0,0,0"><w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`
const row = (content: string, rule: string) =>
  `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:trPr><w:trHeight w:val="600" w:hRule="${rule}"/></w:trPr><w:tc>${content}</w:tc></w:tr></w:tbl>`
const frame = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    p(`line ${at}`, '<w:framePr w:w="2000" w:h="600" w:hRule="exact" w:hAnchor="margin" w:vAnchor="margin" w:y="1"/>'),
  ).join('') + p('text')

test.each([
  ['a text box', box(lines(6)), box(lines(2)), 'word/document.xml#w:txbxContent'],
  ['a row of exact height', row(lines(6), 'exact'), row(lines(2), 'exact'), 'word/document.xml#w:trHeight'],
  ['a frame', frame(6), frame(2), 'word/document.xml#w:framePr'],
])('the report tells of lines that begin below %s, and of nothing where all have room', (_, tooMuch, enough, path) => {
  expect(cutOff(tooMuch)).toEqual([path])
  expect(cutOff(enough)).toEqual([])
})

test('empty lines are no loss, and what grows with its content loses none', () => {
  expect(cutOff(row(lines(2) + p('').repeat(8), 'exact'))).toEqual([])
  expect(cutOff(box(lines(2) + p('').repeat(8)))).toEqual([])
  expect(cutOff(row(lines(6), 'atLeast'))).toEqual([])
})

test('a table in a row of exact height that begins below it is a loss', () => {
  expect(cutOff(row(p('').repeat(6) + row(lines(1), 'atLeast') + p(''), 'exact'))).toEqual([
    'word/document.xml#w:trHeight',
  ])
})

test('lines of merged cells are a loss below the exact row that ends them', () => {
  const part = (merge: string, rule: string, content: string) =>
    row(content, rule).replace('<w:tc>', `<w:tc><w:tcPr><w:vMerge w:val="${merge}"/></w:tcPr>`)
  const merged = (first: string, last: string, count: number) =>
    (part('restart', first, lines(count)) + part('continue', last, p(''))).replace(/<\/w:tbl>.*?<\/w:tblGrid>/, '')
  expect(cutOff(merged('atLeast', 'exact', 8))).toEqual(['word/document.xml#w:trHeight'])
  expect(cutOff(merged('exact', 'exact', 5))).toEqual([])
  expect(cutOff(merged('exact', 'atLeast', 8))).toEqual([])
})

test('a picture beside an empty line that begins below its row is a loss', () => {
  const picture =
    '<w:p><w:r><w:pict><v:rect style="position:absolute;width:20pt;height:10pt" fillcolor="red"/></w:pict></w:r></w:p>'
  expect(cutOff(row(p('').repeat(6) + picture, 'exact'))).toEqual(['word/document.xml#w:trHeight'])
  expect(cutOff(row(picture, 'exact'))).toEqual([])
})

test('what is laid out once more is not told of by what was tried before', () => {
  const stored = 'Error! Bookmark not defined. '.repeat(5)
  const reference = `<w:p><w:fldSimple w:instr="PAGEREF x"><w:r><w:t>${stored}</w:t></w:r></w:fldSimple></w:p>`
  const target = '<w:p><w:bookmarkStart w:id="1" w:name="x"/><w:r><w:t>here</w:t></w:r></w:p>'
  expect(cutOff(row(reference, 'exact') + target)).toEqual([])
  expect(cutOff(row(reference, 'exact'))).toEqual(['word/document.xml#w:trHeight'])
  const wide = row(p('words that have room in a line or two of a box as wide as they are'), 'exact')
  expect(cutOff(box(wide.replace(' w:w="2000"', ''), ';mso-wrap-style:none'))).toEqual([])
})

test('a loss in a header is told of as one there', () => {
  const section = `<w:headerReference w:type="default" r:id="header1"/>${smallSection}`
  const headers = { header1: row(lines(6), 'exact') }
  expect(cutOff(p('text'), { section, headers })).toEqual(['word/header1.xml#w:trHeight'])
})

test('what a field showed while a header was measured is no loss, and what it shows in the end is one', () => {
  const section = `<w:headerReference w:type="default" r:id="header1"/>${smallSection}`
  const field = (instruction: string, stored: string) =>
    `<w:p><w:fldSimple w:instr="${instruction}"><w:r><w:t>${stored}</w:t></w:r></w:fldSimple></w:p>`
  const header = (content: string) => ({ section, headers: { header1: row(content, 'exact') } })
  const target = `<w:p><w:bookmarkStart w:id="1" w:name="x"/><w:r><w:t>${'words that go on for lines '.repeat(9)}</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>`
  const stored = 'Error! Bookmark not defined. '.repeat(5)
  expect(cutOff(p('text'), header(field('NUMPAGES', stored)))).toEqual([])
  expect(cutOff(target, header(field('PAGEREF x', stored)))).toEqual([])
  expect(cutOff(target, header(field('PAGEREF y', stored)))).toEqual(['word/header1.xml#w:trHeight'])
})
