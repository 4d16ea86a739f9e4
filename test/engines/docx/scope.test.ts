import { describe, expect, test } from 'bun:test'
import { checkAgainstContract } from '../../../src/commands/check-template.ts'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { chartPackage, drawing } from './chart-package.ts'
import { compiled, linesOf, p, partText, tbl, tr, wordPackage } from './word-package.ts'

/** Findings about a template as `severity code place: message hint`. */
const findingsOf = (bytes: Uint8Array) =>
  compileTemplate(bytes).findings.map(
    ({ severity, code, path = '', message, hint }) =>
      `${severity} ${code} ${path.replace('word/document.xml', '')}: ${message} ${hint}`,
  )
const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const said = (text: string) => findingsOf(wordPackage(p(escaped(text))))

const star = (path: string, loop: string) =>
  `error docx.bad_pointer #1:0: “*” in ${path} stands for no item of a list. Loop: ${loop}.`
const texts = '{{#each /lines}} … {{./text}} … {{#end}}'

describe('a star for all items is refused, whichever tag has it', () => {
  test.each([
    '{{/lines/*/text}}',
    '{{/lines/"*"/text}}',
    '{{/lines/*/text | default "none"}}',
    '{{/lines/*/text | number "0"}}',
    '{{image /lines/*/text}}',
    '{{qr /lines/*/text}}',
    '{{barcode /lines/*/text type=code39}}',
    '{{rich /lines/*/text}}',
    '{{check /lines/*/text = "a"}}',
    '{{#if /lines/*/text}}x{{#end}}',
    '{{#if not /lines/*/text}}x{{#end}}',
    '{{#if /lines/*/text > 3}}x{{#end}}',
    '{{#if /lines/*/text is empty}}x{{#end}}',
    '{{#if /lines/*/text in ["a"]}}x{{#end}}',
    '{{#each /lines/*/text}}x{{#end}}',
    '{{#with /lines/*/text}}x{{#end}}',
  ])('%s', (tag) => expect(said(tag)).toEqual([star('/lines/*/text', texts)]))

  test('with the loops that all of its stars stand for', () => {
    const loops = '{{#each /a/b}} … {{#each .}} … {{#each ./c}} … {{.}} … {{#end}} … {{#end}} … {{#end}}'
    expect(said('{{/a/b/*/*/c/*}}')).toEqual([star('/a/b/*/*/c/*', loops)])
    expect(said('{{/*/x}}')).toEqual([star('/*/x', '{{#each /list}} … {{./x}} … {{#end}}')])
    expect(said('{{#each /a}}{{../b/*/x}}{{#end}}')).toEqual([
      star('../b/*/x', '{{#each ../b}} … {{./x}} … {{#end}}').replace('#1:0', '#1:12'),
    ])
  })

  test('on either side of a comparison, in each test of a condition, and behind #else if', () => {
    for (const condition of ['/a = /l/*/x', '"b" != /l/*/x', '/a or (/b and not /l/*/x)', '/a in ["a", /l/*/x]']) {
      expect(said(`{{#if ${condition}}}x{{#end}}`)).toEqual([
        star('/l/*/x', texts.replace('lines', 'l').replace('text', 'x')),
      ])
    }
    expect(said('{{#if /a}}x{{#else if /l/*/x}}y{{#end}}')).toHaveLength(1)
    // A name may hold a star beside other characters in quotes, and a text may be one.
    expect(said('{{#if /"a*" = "*"}}x{{#end}}')).toEqual([])
  })

  test('in cells, columns, charts, addresses and field codes', () => {
    const row = (tag: string) => wordPackage(tbl(tr(p(tag))))
    for (const tag of ['{{shade /l/*/x}}', '{{merge down same /l/*/x}}', '{{merge across count /l/*/x}}']) {
      expect(findingsOf(row(tag)).filter((one) => one.includes('bad_pointer'))).toHaveLength(1)
    }
    expect(findingsOf(row('{{#each /l/*/x columns}}{{.}}{{#end}}'))).toHaveLength(1)
    for (const tag of [
      '{{chart /m/* by ./n show ./s ./c}}',
      '{{chart /m by ./* show ./s ./c}}',
      '{{chart /m by ./n show ./s ./*}}',
    ]) {
      expect(findingsOf(chartPackage(drawing(tag)))).toEqual([expect.stringContaining('docx.bad_pointer')])
    }
    const link =
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "http://x/{{/l/*/x}}"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>x</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    expect(findingsOf(wordPackage(link))).toEqual([expect.stringContaining('docx.bad_pointer')])
  })
})

describe('outside of blocks there is no item', () => {
  const outside = (path: string, own: string, place = '#1:0') =>
    `error docx.outside_loop ${place}: ${path} needs a loop around it. Put it between {{#each /list}} and {{#end}}, or ${own}.`

  test.each([
    '{{./name}}',
    '{{./name | default "x"}}',
    '{{image ./name}}',
    '{{qr ./name}}',
    '{{rich ./name}}',
    '{{check ./name}}',
    '{{#if ./name}}x{{#end}}',
    '{{#if ./name is not empty}}x{{#end}}',
    '{{#if /a or "b" = ./name}}x{{#end}}',
    '{{#each ./name}}x{{#end}}',
    '{{#with ./name}}x{{#end}}',
  ])('for %s', (tag) => expect(said(tag)).toEqual([outside('./name', 'write /name')]))

  test('for the item itself, in the second part of a loop, and inside of other blocks than loops', () => {
    expect(said('{{.}}')).toEqual([outside('.', 'point to a value such as /name')])
    expect(said('{{#each /l}}{{./a}}{{#else}}{{./b}}{{#end}}')).toEqual([outside('./b', 'write /b', '#1:28')])
    expect(said('{{#each /l}}x{{#else if ./b}}y{{#end}}')).toEqual([outside('./b', 'write /b', '#1:13')])
    expect(said('{{#if /a}}{{./b}}{{#end}}')).toEqual([outside('./b', 'write /b', '#1:10')])
    expect(findingsOf(chartPackage(drawing('{{chart ./m by ./n show ./s ./c}}')))).toHaveLength(1)
  })

  test('and inside of them there is', () => {
    const body = '{{#each /l}}{{./a}}{{../b}}{{#if ./a}}{{.}}{{#end}}{{#end}}{{#with /o}}{{./a}}{{../b}}{{#end}}'
    expect(said(body)).toEqual([])
  })
})

test('a version frozen under earlier rules prints what it printed then, with a remark for each such tag', () => {
  const bytes = wordPackage(p('{{./name}} {{/l/*/x | default "none"}}{{#if ./name = "Ada"}}!{{#end}}'))
  for (const reading of [2, 4] as const) {
    const template = compileTemplate(bytes, reading)
    expect(template.findings.map(({ code, severity, path }) => `${severity} ${code} ${path}`)).toEqual([
      'warning docx.earlier_reading word/document.xml#1:0',
      'warning docx.earlier_reading word/document.xml#1:11',
      'warning docx.earlier_reading word/document.xml#1:38',
    ])
    if (!template.ok) throw new Error('refused')
    const filled = composeTemplate(template.value, { name: 'Ada', l: [{ x: 1 }] })
    const opened = filled.ok ? openPackage(filled.value) : filled
    if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
    expect(linesOf(partText(opened.value, 'word/document.xml'))).toEqual(['Ada none!'])
  }
})

test('a contract reports a tag without default, though one with a default comes before it', () => {
  const { bindings } = compiled(wordPackage(p('{{/nome | default "x"}} {{/nome}} {{/nome}}')))
  const contract = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false }
  expect(checkAgainstContract(bindings, contract).map(({ severity, path }) => `${severity} ${path}`)).toEqual([
    'warning word/document.xml#1:0',
    'error word/document.xml#1:24',
  ])
})
