import { expect, test } from 'bun:test'
import { p, renderingOf, wordDocument } from '../word.ts'

/** What the report says of content that has no room in a document of this body. */
function cutOff(body: string): (string | undefined)[] {
  const { report } = renderingOf(wordDocument(body))
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
