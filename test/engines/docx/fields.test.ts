import { expect, test } from 'bun:test'
import { composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { integrityFaults } from './integrity.ts'
import {
  compileCodes,
  compiled,
  composeCodes,
  composedBody,
  composedLines,
  composedPackage,
  p,
  partText,
  wordPackage,
  wordPart,
} from './word-package.ts'

const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const code = (...texts: string[]) =>
  texts.map((text) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`).join('')
const field = (instruction: string, result = '<w:r><w:t>x</w:t></w:r>') =>
  `${mark('begin')}${instruction}${mark('separate')}${result}${mark('end')}`
const paragraph = (content: string) => `<w:p>${content}</w:p>`

test('the address of a HYPERLINK field takes values, percent-encoded, in every turn of a loop', () => {
  const link = paragraph(
    field(code('HYPERLINK "https://x.org/?q={{./i', 'd}}&amp;l=en"'), '<w:r><w:t>{{./id}}</w:t></w:r>'),
  )
  const body = composedBody(p('{{#each /list}}') + link + p('{{#end}}'), { list: [{ id: 'a "b"' }, { id: '\\x' }] })
  const codes = [...body.matchAll(/<w:instrText[^>]*>([^<]*)</g)].map((match) => match[1])
  expect(codes).toEqual([
    'HYPERLINK "https://x.org/?q=a%20%22b%22',
    '&amp;l=en"',
    'HYPERLINK "https://x.org/?q=%5Cx',
    '&amp;l=en"',
  ])
  expect(body).not.toContain('{{')
})

test('a simple HYPERLINK field is filled in its attribute', () => {
  const simple =
    '<w:p><w:fldSimple w:instr="HYPERLINK &quot;{{/url}}&quot;"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>'
  expect(composedBody(simple, { url: 'https://x.org/?a=1&b="2"' })).toContain(
    'w:instr="HYPERLINK &quot;https://x.org/?a=1&amp;b=%222%22&quot;"',
  )
})

test('a value cannot make a field lead to programs or files', () => {
  const link = paragraph(field(code('HYPERLINK "{{/url}}"')))
  for (const url of ['javascript:alert(1)', 'file:///c:/x', '\\\\server\\x', 'ms-word:x']) {
    expect([url, ...composeCodes(link, { url })]).toEqual([url, 'docx.bad_link word/document.xml#1:11'])
  }
})

test('tags anywhere else in a field code are refused, because a value there would be an instruction', () => {
  const cases: [string, string[]][] = [
    ['IF "{{/a}}" = "1" "x"', ['docx.tag_in_field word/document.xml#1:4']],
    ['HYPERLINK {{/a}}', ['docx.tag_in_field word/document.xml#1:10']],
    ['HYPERLINK "x" \\l "{{/a}}"', ['docx.tag_in_field word/document.xml#1:18']],
    [
      'HYPERLINK "{{#if /a}}x{{#end}}"',
      ['docx.tag_in_field word/document.xml#1:11', 'docx.tag_in_field word/document.xml#1:22'],
    ],
    ['INCLUDETEXT "{{/a}}"', ['docx.tag_in_field word/document.xml#1:13']],
  ]
  for (const [instruction, expected] of cases) {
    const codes = compileCodes(wordPackage(paragraph(field(code(instruction))))).filter((one) =>
      one.startsWith('docx.'),
    )
    expect([instruction, ...codes]).toEqual([instruction, ...expected])
  }
})

test('DDE is refused however it is written, before anything is composed or rendered', () => {
  const nested = (inner: string) => mark('begin') + code(inner) + mark('end')
  const hidden: string[] = [
    paragraph(field(code('DDEAUTO c:\\\\x'))),
    paragraph(field(code('DD', 'E c:\\\\x'))),
    paragraph(field(code(' ddeauto x'))),
    paragraph(field(nested('QUOTE 68 68 69 65 85 84 79') + code(' c:\\\\x'))),
    paragraph(field(nested('QUOTE "DDE"') + code(' x'))),
    paragraph(field(code('D') + nested('QUOTE 68 69') + code(' x'))),
    paragraph(field(nested('REF kind') + code(' c:\\\\x'))),
    paragraph(mark('begin') + code('DD')) + paragraph(code('E x') + mark('end')),
    '<w:p><w:fldSimple w:instr="DDE x"/></w:p>',
    paragraph(field(code('PAGE'), field(code('DDE x')))),
  ]
  for (const body of hidden) {
    const opened = openPackage(wordPackage(p('a') + body))
    const found = opened.ok ? [] : opened.findings.map((finding) => `${finding.code} ${finding.path}`)
    expect([body.replace(/<[^>]*>/g, ''), ...found]).toEqual([
      body.replace(/<[^>]*>/g, ''),
      'ooxml.dde word/document.xml#2:0',
    ])
  }
  const header = wordPackage(p('a'), { 'word/header1.xml': wordPart('hdr', paragraph(field(code('DDE x')))) })
  expect(openPackage(header).ok).toBe(false)
})

test('ordinary fields with others inside them are not taken for DDE', () => {
  const nested = mark('begin') + code('DATE') + mark('end')
  const harmless = [field(code('IF ') + nested + code(' = "x" "y"')), field(code('PAGE')), field(code('QUOTE "DDE"'))]
  for (const body of harmless) expect(openPackage(wordPackage(paragraph(body))).ok).toBe(true)
})

test('fields that fetch external content are reported and left unchanged', () => {
  const template = compiled(wordPackage(paragraph(field(code('INCLUDEPICTURE "https://x.org/a.png"'))) + p('{{/a}}')))
  expect(template.findings.map(({ code, severity }) => [code, severity])).toEqual([
    ['ooxml.external_target', 'warning'],
  ])
})

test('fields are updated on opening only when there is a table of contents, and settings stay otherwise', () => {
  const settings = wordPart('settings', '<w:zoom w:percent="100"/><w:compat/><w:rsids/>')
  const contents = paragraph(field(code('TOC \\o "1-3"')))
  const settingsOf = (body: string) => {
    const opened = composedPackage(wordPackage(body, { 'word/settings.xml': settings }), { a: 'x' })
    expect(integrityFaults(opened)).toEqual([])
    return partText(opened, 'word/settings.xml')
  }
  expect(settingsOf(p('{{/a}}') + paragraph(field(code('PAGE'))))).toBe(settings)
  expect(settingsOf(contents + p('{{/a}}'))).toMatch(/<w:zoom [^>]*><w:updateFields [^>]*w:val="true"\/><w:compat\/>/)
})

test('a tag split over the runs of a formula or of a chart label is one tag', () => {
  const math =
    '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>x={{/</m:t></m:r><m:r><m:rPr/><m:t>a}}+1</m:t></m:r></m:oMath></w:p>'
  expect(composedBody(math, { a: '<7>' })).toContain('<m:t>x=&lt;7&gt;</m:t></m:r><m:r><m:rPr/><m:t>+1</m:t>')
  expect(composedLines(p('{{#if /no}}') + math + p('{{#end}}') + p('z'), { a: 1, no: 0 })).toEqual(['z'])
  const chart =
    '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:p><a:r><a:rPr b="1"/><a:t>On {{</a:t></a:r><a:r><a:t>/a}} in {{#each /l}}[{{.</a:t></a:r><a:r><a:t>}}]{{#end}}</a:t></a:r></a:p></c:chart>'
  const opened = composedPackage(wordPackage(p('x'), { 'word/charts/chart1.xml': chart }), { a: 'A & B', l: [1, 2] })
  const text = partText(opened, 'word/charts/chart1.xml')
  expect(text.replace(/<[^>]*>/g, '')).toBe('On A &amp; B in [1][2]')
  expect(text.startsWith('<c:chart')).toBe(true)
})

test('a formula in a paragraph of tags is kept', () => {
  const math =
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>x</m:t></m:r></m:oMath>'
  const body = `<w:p><w:r><w:t>{{#each /l}}</w:t></w:r>${math}</w:p>${p('{{#end}}')}`
  expect(composedBody(body, { l: [1, 2] }).match(/<m:oMath /g)).toHaveLength(2)
})

test('a field with parts in several paragraphs gives the same document twice', () => {
  const body = paragraph(mark('begin') + code('TOC ')) + p('{{/a}}') + paragraph(mark('end'))
  const template = compiled(wordPackage(body))
  expect(composeTemplate(template, { a: 'x' })).toEqual(composeTemplate(template, { a: 'x' }))
})
