import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { compileTemplate, watchTemplate } from '../../../src/engines/docx/docx.ts'
import { schemaFaults } from './schema-order.ts'
import {
  compileCodes,
  compiled,
  composedBody,
  composedLines,
  composedPackage,
  linesOf,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
} from './word-package.ts'

/** Of each paragraph its text, with N where it is kept with the next, and L where its lines are. */
const keeps = (body: string, data: JsonValue = {}) => keepsOf(composedBody(body, data))
const keepsOf = (xml: string) => {
  const lines = linesOf(xml)
  const paragraphs = xml.split(/<\/w:p>|<w:p\/>/).slice(0, -1)
  return paragraphs.map((paragraph, index) => {
    const own = paragraph.slice(paragraph.lastIndexOf('<w:p>') + 1)
    return `${lines[index]} ${own.includes('<w:keepNext/>') ? 'N' : ''}${own.includes('<w:keepLines/>') ? 'L' : ''}`.trim()
  })
}
const open = p('{{#keep}}')
const end = p('{{#end}}')
const styled = (text: string, properties: string) => p(text).replace('<w:p>', `<w:p><w:pPr>${properties}</w:pPr>`)

describe('#keep', () => {
  test('keeps paragraphs whole and with the next, but the last not with what follows', () => {
    expect(keeps(p('x') + open + p('a') + p('b') + p('c') + end + p('y'))).toEqual(['x', 'a NL', 'b NL', 'c L', 'y'])
    expect(keeps(p('{{#keep}}a') + p('b{{#end}}') + p('y'))).toEqual(['a NL', 'b L', 'y'])
  })

  test('is about what the data leaves: the last is the last that appears', () => {
    const body = `${open}${p('a')}${p('{{#each /l}}')}${p('{{.}}')}${end}${p('{{#if /z}}z{{#end}}')}${end}${p('y')}`
    expect(keeps(body, { l: [1, 2] })).toEqual(['a NL', '1 NL', '2 L', 'y'])
    expect(keeps(body, { l: [], z: 1 })).toEqual(['a NL', 'z L', 'y'])
    expect(keeps(body, { l: [] })).toEqual(['a L', 'y'])
    expect(keeps(p('x') + open + p('{{#if /z}}a{{#end}}') + end + p('y'))).toEqual(['x', 'y'])
  })

  test('keeps every turn of a loop for itself', () => {
    const body = p('{{#each /l}}') + open + p('{{.}}') + p('of {{@count}}') + end + end
    expect(keeps(body, { l: [1, 2] })).toEqual(['1 NL', 'of 2 L', '2 NL', 'of 2 L'])
  })

  test('keeps rows whole and together, also those of a whole table', () => {
    const rows = tbl(tr('{{#keep}}', ''), tr('a', 'b'), tr('c', 'd'), tr('{{#end}}', ''), tr('e', 'f'))
    expect(keeps(rows)).toEqual(['a NL', 'b NL', 'c L', 'd L', 'e', 'f'])
    expect(composedBody(rows, {}).match(/<w:tr><w:trPr><w:cantSplit\/><\/w:trPr>/g)).toHaveLength(2)
    const table = open + p('Title') + tbl(tr('a', tbl(tr('in')) + p('b')), tr('c', 'd')) + end + p('y')
    expect(keeps(table)).toEqual(['Title NL', 'a NL', 'in NL', 'b NL', 'c L', 'd L', 'y'])
    expect(keeps(tbl(tr('{{#keep}}a', 'b{{#end}}')))).toEqual(['a L', 'b L'])
  })

  test('keeps the lines of one paragraph that it is around', () => {
    expect(keeps(p('{{#keep}}{{/a}}{{#end}}') + p('y'), { a: 'x' })).toEqual(['x L', 'y'])
  })

  test('goes with its paragraph where nothing is in it', () => {
    const marked = `<w:p><w:bookmarkStart w:id="1" w:name="b"/><w:r><w:t>{{#keep}}{{#end}}</w:t></w:r></w:p>`
    const body = composedBody(`${p('x')}${marked}${p('y')}`, {})
    expect(linesOf(body)).toEqual(['x', 'y'])
    expect(body.match(/bookmarkStart/g)).toHaveLength(1)
  })

  test('may be nested, and around rich text and pictures in the text', () => {
    expect(keeps(open + p('a') + open + p('b') + end + p('c') + end)).toEqual(['a NL', 'b NL', 'c L'])
    expect(keeps(open + p('{{rich /r}}') + p('c') + end, { r: '<p>a</p><p>b</p>' })).toEqual(['a NL', 'b NL', 'c L'])
  })

  test('replaces what the properties say, in the order of the schema', () => {
    const own = '<w:pStyle w:val="S"/><w:keepNext w:val="0"/><w:keepLines w:val="0"/><w:jc w:val="right"/>'
    const xml = composedBody(open + styled('a', own) + styled('b', '<w:keepNext/>') + end, {})
    expect(xml).toContain('<w:pPr><w:pStyle w:val="S"/><w:keepNext/><w:keepLines/><w:jc w:val="right"/></w:pPr>')
    // The author’s own wish about what follows the block stays.
    expect(xml).toContain('<w:pPr><w:keepNext/><w:keepLines/></w:pPr><w:r><w:t xml:space="preserve">b')
    const changed = `<w:ind w:left="1"/><w:pPrChange w:id="1" w:author="x"><w:pPr><w:keepNext/></w:pPr></w:pPrChange>`
    const row =
      '<w:tr><w:tblPrEx><w:jc w:val="left"/></w:tblPrEx><w:trPr><w:tblHeader/><w:cantSplit w:val="0"/></w:trPr>'
    const rows = tbl(tr('{{#keep}}x', 'y{{#end}}').replace('<w:tr>', row))
    const source = partText(
      composedPackage(wordPackage(`${open}${styled('a', changed)}<w:p/><w:p w:rsidR="1"/>${p('b')}${end}${rows}`), {}),
      'word/document.xml',
    )
    expect(schemaFaults(source)).toEqual([])
    expect(source).toContain(`<w:pPr><w:keepNext/><w:keepLines/>${changed}</w:pPr>`)
    expect(source).toContain('<w:p><w:pPr><w:keepNext/><w:keepLines/></w:pPr></w:p>')
    expect(source).toContain('<w:p w:rsidR="1"><w:pPr><w:keepNext/><w:keepLines/></w:pPr></w:p>')
    expect(source).toContain('</w:tblPrEx><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>')
  })

  test('leaves text boxes and comments in the XML as they are', () => {
    const box = `<w:p><w:r><w:pict><v:textbox xmlns:v="urn:schemas-microsoft-com:vml"><w:txbxContent>${p('in')}</w:txbxContent></v:textbox></w:pict></w:r></w:p>`
    const xml = composedBody(`${open}${box}<!-- <w:p> " -->${p('b')}${end}`, {})
    expect(xml.match(/<w:keepNext\/>/g)).toHaveLength(1)
    expect(xml).toContain(`<w:txbxContent>${p('in')}</w:txbxContent>`)
    expect(xml).toContain('<!-- <w:p> " -->')
  })

  test('binds what is in it as if it were not there', () => {
    const bindings = compiled(wordPackage(open + p('{{#if /a}}{{/a}}{{#end}}{{/b}}') + end)).bindings
    expect(bindings.map(({ pointer, required }) => [pointer, required])).toEqual([
      ['/a', false],
      ['/a', false],
      ['/b', true],
    ])
  })

  test('counts what is in it for coverage', () => {
    const watched = watchTemplate(wordPackage(open + p('{{#if /a}}A{{#end}}') + end + p('x')))
    if (!watched.ok) throw new Error(JSON.stringify(watched.findings))
    expect(watched.value.compose({ a: 1 }).ok).toBe(true)
    expect(watched.value.coverage.take().map((point) => watched.value.coverage.points[point]?.gap)).toEqual([
      'is never true',
    ])
    expect(watched.value.coverage.points.map(({ gap }) => gap)).toEqual(['is never true', 'is never false'])
  })

  test('is refused in the middle of text, with another part, and with words behind it', () => {
    expect(compileCodes(wordPackage(p('a {{#keep}}b{{#end}}')))).toEqual(['docx.misplaced word/document.xml#1:2'])
    expect(compileCodes(wordPackage(open + p('a') + p('{{#else}}') + end))).toEqual([
      'docx.unbalanced word/document.xml#3:0',
    ])
    const worded = compileTemplate(wordPackage(p('{{#keep together}}') + p('a') + end))
    expect(worded.findings.map(({ code, hint }) => [code, hint])).toEqual([
      ['docx.unknown_tag', 'Write {{#keep}} alone, and {{#end}} behind what has to stay on one page.'],
    ])
    expect(compileCodes(wordPackage(tbl(tr('{{#keep}}a', 'b')) + end))).toEqual([
      'docx.misplaced word/document.xml#1:0',
    ])
  })

  test('is refused by the first rules, which did not know it', () => {
    expect(compileTemplate(wordPackage(open + p('a') + end), 1).ok).toBe(false)
    expect(composedLines(open + p('a') + end, {})).toEqual(['a'])
  })

  test('leaves alone what is too long for any page', () => {
    const body = open + p('{{/t}}') + p('b') + end
    const marks = (length: number) => composedBody(body, { t: 'x'.repeat(length) }).match(/keepNext/g)?.length
    expect([marks(limits.keptChars - 1_000), marks(limits.keptChars)]).toEqual([1, undefined])
  })

  test('takes time in proportion to what it holds', () => {
    const body = p('{{#each /l}}') + open + open + p('{{.}}') + end + end + end
    expect(keeps(body, { l: Array(2000).fill('<w:p>') })).toHaveLength(2000)
  })
})
