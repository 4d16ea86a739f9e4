import { expect, test } from 'bun:test'
import { documentTables, documentText } from '../../../src/engines/ooxml/document-text.ts'
import { p, wordPackage } from '../docx/word-package.ts'

function textOf(body: string, parts: Record<string, string> = {}): string {
  const outcome = documentText(wordPackage(body, parts))
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

const run = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`
const cell = (content: string) => `<w:tc>${content}</w:tc>`

test('gives a line for each paragraph, without blank ones and without blanks at the end', () => {
  expect(textOf(p('One') + p('') + p('Two  '))).toBe('One\nTwo\n')
})

test('keeps tabs, breaks and hyphens that may not break, and symbols by their code', () => {
  expect(textOf(run('<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>'))).toBe(
    'a\tb\nc\u2011d\n',
  )
  expect(textOf(run('<w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="x"/><w:t>x</w:t>'))).toBe('\uf0fex\n')
})

test('gives a row as one line with bars between its cells, also those in content controls', () => {
  const row = `${cell(p('a') + p('b'))}<w:sdt><w:sdtPr/><w:sdtContent>${cell(p('c'))}</w:sdtContent></w:sdt>${cell(p(''))}`
  expect(textOf(`<w:tbl><w:tr>${row}</w:tr><w:tr>${cell(p('d'))}</w:tr></w:tbl>`)).toBe('a / b | c |\nd\n')
})

test('has results of fields and inserted text, but no codes, nothing deleted, and no copy for other readers', () => {
  const field = '<w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText><w:t>7</w:t>'
  expect(textOf(run(field))).toBe('7\n')
  expect(
    textOf('<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>'),
  ).toBe('new\n')
  const box = (text: string) => `<w:txbxContent>${p(text)}</w:txbxContent>`
  const both = `<mc:AlternateContent><mc:Choice Requires="wps">${box('box')}</mc:Choice><mc:Fallback>${box('box')}</mc:Fallback></mc:AlternateContent>`
  expect(textOf(run(`<w:t>anchor</w:t>${both}<w:t> end</w:t>`))).toBe('anchor end\nbox\n')
})

test('puts headers, footers and notes behind the document, each below its name', () => {
  const header =
    '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:r><w:t>Top</w:t></w:r></w:p></w:hdr>'
  const empty = header.replace('Top', '')
  expect(textOf(p('Body'), { 'word/header1.xml': header, 'word/footer1.xml': empty })).toBe(
    'Body\n\n--- header1\nTop\n',
  )
})

test('refuses what is no DOCX with the reason', () => {
  expect(documentText(new Uint8Array([1, 2, 3])).ok).toBe(false)
})

test('gives tables as rows of cells, a table within another behind it', () => {
  const row = (...cells: string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`
  const inner = `<w:tbl>${row(p('x'), p('y'))}</w:tbl>`
  const wrapped = `<w:sdt><w:sdtPr/><w:sdtContent>${row(p('c'), p(''))}</w:sdtContent></w:sdt>`
  const body = `<w:tbl>${row(p('a') + p('b'), inner)}${wrapped}</w:tbl>${p('between')}<w:tbl>${row(p('last'))}</w:tbl>`
  const outcome = documentTables(wordPackage(body))
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  expect(outcome.value).toEqual([
    [
      ['a\nb', 'x | y'],
      ['c', ''],
    ],
    [['x', 'y']],
    [['last']],
  ])
  expect(documentTables(new Uint8Array(4)).ok).toBe(false)
})
