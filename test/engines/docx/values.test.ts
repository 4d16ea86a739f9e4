import { describe, expect, test } from 'bun:test'
import { Document, Footer, Header, Packer, Paragraph, TextRun } from 'docx'
import { composeTemplate } from '../../../src/engines/docx/docx.ts'
import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'
import {
  compileCodes,
  compiled,
  composeCodes,
  composedBody,
  composedLines,
  composedPackage,
  linesOf,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
  wordPart,
} from './word-package.ts'

const tag = '{{/customer/name}}'
const inlineWrappers: [string, string][] = [
  ['', ''],
  ['<w:hyperlink w:anchor="x">', '</w:hyperlink>'],
  ['<w:ins w:id="7" w:author="a">', '</w:ins>'],
  ['<w:smartTag w:uri="u" w:element="e">', '</w:smartTag>'],
  ['<w:sdt><w:sdtPr/><w:sdtContent>', '</w:sdtContent></w:sdt>'],
  ['<w:proofErr w:type="spellStart"/>', '<w:proofErr w:type="spellEnd"/>'],
  ['<w:bookmarkStart w:id="1" w:name="b"/>', '<w:bookmarkEnd w:id="1"/>'],
]

test('a tag gives the same text when it is split into two runs, at any position and with any wrapper', () => {
  for (const [before, after] of inlineWrappers) {
    for (let at = 1; at < tag.length; at++) {
      const first = `<w:r><w:rPr><w:b/></w:rPr><w:t>A ${tag.slice(0, at)}</w:t></w:r>`
      const second = `<w:r><w:t>${tag.slice(at)} B</w:t></w:r>`
      const body = composedBody(`<w:p>${first}${before}${second}${after}</w:p>`, { customer: { name: 'Ann' } })
      expect(linesOf(body)).toEqual(['A Ann B'])
      // The value has the formatting of the run with the first brace.
      expect(body).toContain('<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">A Ann</w:t></w:r>')
      expect(body).not.toContain('{')
    }
  }
})

test('a tag with a run for every character is still one tag', () => {
  expect(composedLines(p('x', ...tag, 'y'), { customer: { name: 'Ann' } })).toEqual(['xAnny'])
})

test('text deleted under change tracking is not a tag and stays unchanged', () => {
  const deleted = '<w:del w:id="3" w:author="a"><w:r><w:delText>{{/gone}}</w:delText></w:r></w:del>'
  const body = composedBody(`<w:p>${deleted}<w:r><w:t>{{/a}}</w:t></w:r></w:p>`, { a: 'new' })
  expect(body).toContain(deleted)
  expect(body).toContain('new')
})

test('values are escaped, and cannot bring mark-up into the document', () => {
  const body = composedBody(p('{{/a}}'), { a: '<w:b/> & "x" ]]>' })
  expect(body).toContain('&lt;w:b/&gt; &amp; "x" ]]&gt;')
})

test('line breaks and tabs of a value become breaks and tabs of the document', () => {
  const body = composedBody(p('{{/a}}'), { a: 'one\r\ntwo\tthree' })
  expect(body).toContain(
    '<w:t xml:space="preserve">one</w:t><w:br/><w:t xml:space="preserve">two</w:t><w:tab/><w:t xml:space="preserve">three</w:t>',
  )
})

test('a value is never read as a tag', () => {
  expect(composedLines(p('{{/a}}'), { a: '{{/b}}', b: 'no' })).toEqual(['{{/b}}'])
})

test('numbers appear as their shortest decimal text, flags as true and false', () => {
  const lines = composedLines(p('{{/n}} {{/big}} {{/small}} {{/t}} {{/f}} {{/zero}}'), {
    n: 1234.5,
    big: 1e21,
    small: 2.5e-7,
    t: true,
    f: false,
    zero: 0,
  })
  expect(lines).toEqual(['1234.5 1000000000000000000000 0.00000025 true false 0'])
})

test('formats work on numbers, decimal text and dates, in the order written', () => {
  const body = p(
    '{{/n | number "#,##0.00" "de-DE"}}|{{/s | number “#,##0.00”}}|{{/d | date "d MMMM yyyy" "de-DE"}}|{{/x | upper}}|{{/x | lower}}',
  )
  const data = { n: 1234.5, s: '98765.432', d: '2026-03-01', x: 'aB' }
  expect(composedLines(body, data)).toEqual(['1.234,50|98,765.43|1 März 2026|AB|ab'])
})

test('a default replaces missing, null and empty values only', () => {
  const body = p(
    '{{/a | default "-"}}{{/b | default "-"}}{{/c | default "-"}}{{/d | default "-"}}{{/e | upper | default "n/a"}}',
  )
  expect(composedLines(body, { b: null, c: '', d: 0 })).toEqual(['---0n/a'])
})

test('a default is printed by the formats behind it', () => {
  const body = p(
    '{{/a | default "1000" | number "#,##0.00"}} {{/b | default "none" | upper}} {{/c | upper | default "none"}}',
  )
  expect(composedLines(body, { c: '' })).toEqual(['1,000.00 NONE none'])
  expect(composedLines(body, { a: 2, b: 'x', c: 'y' })).toEqual(['2.00 X Y'])
})

test('all mistakes in the data are reported together, each with the place of its tag, and no document is made', () => {
  const body = p('{{/missing}} {{/null}} {{/list}}') + p('x', '{{/text | number "0"}}', '{{/text | date "d"}}')
  expect(composeCodes(body, { null: null, list: [], text: 'abc' })).toEqual([
    'docx.missing_value word/document.xml#1:0',
    'docx.missing_value word/document.xml#1:13',
    'docx.bad_value word/document.xml#1:23',
    'docx.bad_value word/document.xml#2:1',
    'docx.bad_value word/document.xml#2:23',
  ])
})

test('a value with a character that XML cannot carry is a located finding', () => {
  expect(composeCodes(p('{{/a}}'), { a: 'x\u0001' })).toEqual(['docx.illegal_character word/document.xml#1:0'])
  expect(composeCodes(p('{{/a}}'), { a: '\ud800' })).toEqual(['docx.illegal_character word/document.xml#1:0'])
})

test('pointers follow RFC 6901 and reach only own members', () => {
  expect(
    composedLines(p('{{/a~1b/0}} {{/m~0n}} {{/with space}}'), { 'a/b': ['x'], 'm~n': 'y', 'with space': 'z' }),
  ).toEqual(['x y z'])
  expect(composeCodes(p('{{/constructor}}{{/list/length}}'), { list: [] })).toEqual([
    'docx.missing_value word/document.xml#1:0',
    'docx.missing_value word/document.xml#1:16',
  ])
})

test('unknown, unclosed and malformed tags are located findings and never reach a document', () => {
  const body =
    p('{{name}} {{/open') +
    p('{{/a | shout}} {{#foo /x}} {{}} {{/a | number "0" "xx"}} {{/x~2}}') +
    p('{{rich /x format=rtf}}')
  expect(compileCodes(wordPackage(body))).toEqual([
    'docx.unknown_tag word/document.xml#1:0',
    'docx.unclosed_tag word/document.xml#1:9',
    'docx.unknown_format word/document.xml#2:0',
    'docx.unknown_tag word/document.xml#2:15',
    'docx.unknown_tag word/document.xml#2:27',
    'docx.unknown_locale word/document.xml#2:32',
    'docx.bad_pointer word/document.xml#2:57',
    'docx.bad_option word/document.xml#3:0',
  ])
})

test('a refused tag of a block is the only finding about the block', () => {
  const codes = (text: string) => compileCodes(wordPackage(p(text)))
  for (const [opening, code] of [
    ['{{#if /a ==== 1}}', 'docx.bad_condition'],
    ['{{#if}}', 'docx.unknown_tag'],
    ['{{#each /a as b}}', 'docx.bad_option'],
    ['{{#each name}}', 'docx.bad_pointer'],
    ['{{#unless /a}}', 'docx.unknown_tag'],
    ['{{#for x in /a}}', 'docx.unknown_tag'],
  ]) {
    const inner = opening?.includes('if') || opening?.includes('unless') ? 'x{{#else}}y' : '{{./x}}{{@index}}'
    expect([opening, codes(`${opening}${inner}{{#end}}`)]).toEqual([opening, [`${code} word/document.xml#1:0`]])
  }
  expect(codes('{{#if /a}}x{{else}}y{{#end}}')).toEqual(['docx.unknown_tag word/document.xml#1:11'])
  expect(codes('{{#if /a}}x{{#endif}}')).toEqual(['docx.unknown_tag word/document.xml#1:11'])
})

test('headers, footers, footnotes, properties and alternative texts are filled', () => {
  const footnote = `<w:footnote w:id="2">${p('note {{/note}}')}</w:footnote>`
  const core = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On {{/title}}</dc:title></cp:coreProperties>`
  const drawing =
    '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="n" descr="Logo of {{/title}}"/></wp:inline></w:drawing></w:r></w:p>'
  const bytes = wordPackage(drawing, {
    'word/header1.xml': wordPart('hdr', p('{{/head}}')),
    'word/footer1.xml': wordPart('ftr', p('{{/foot}}')),
    'word/footnotes.xml': wordPart('footnotes', footnote),
    'docProps/core.xml': core,
  })
  const opened = composedPackage(bytes, { head: 'H', foot: 'F', note: 'N', title: 'a "b" & c' })
  expect(linesOf(partText(opened, 'word/header1.xml'))).toEqual(['H'])
  expect(linesOf(partText(opened, 'word/footer1.xml'))).toEqual(['F'])
  expect(linesOf(partText(opened, 'word/footnotes.xml'))).toEqual(['note N'])
  expect(partText(opened, 'docProps/core.xml')).toContain('<dc:title>On a "b" &amp; c</dc:title>')
  expect(partText(opened, 'word/document.xml')).toContain('descr="Logo of a &quot;b&quot; &amp; c"')
})

test('a text box is filled in both of its copies', () => {
  const box = `<w:txbxContent>${p('{{/a}}')}</w:txbxContent>`
  const body = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
  expect(composedBody(body, { a: 'in box' }).match(/in box/g)).toHaveLength(2)
})

test('braces written as references count as braces', () => {
  const body = '<w:p><w:r><w:t>&#123;&#x7b;/x&#125;}</w:t></w:r></w:p>'
  expect(linesOf(composedBody(body, { x: 'y' }))).toEqual(['y'])
})

test('text in CDATA sections and with carriage returns is filled like any other', () => {
  const body = '<w:p><w:r><w:t><![CDATA[a & {{/x]]>}} b\r\n</w:t></w:r></w:p>'
  expect(linesOf(composedBody(body, { x: '<1>' }))).toEqual(['a & <1> b\n'])
})

describe('the blanks of a text with a tag', () => {
  const inRun = (text: string) => `<w:p><w:r>${text}</w:r></w:p>`
  const filled = (text: string) => composedBody(inRun(text), { a: 'A', b: 'B' })

  test('are kept by the text that the tag leaves, however many tags it has', () => {
    for (const opening of ['<w:t>', '<w:t xml:space="default">', '<w:t >'])
      expect([opening, filled(`${opening}x {{/a}} {{/b}} </w:t>`)]).toEqual([
        opening,
        inRun('<w:t xml:space="preserve">x A B </w:t>'),
      ])
    expect(filled('<w:t>x {{! note}}</w:t>')).toBe(inRun('<w:t xml:space="preserve">x </w:t>'))
  })

  test('leave a text as it is written that keeps them already, and one without a tag', () => {
    const opening = "<w:t  xml:space='preserve' >"
    expect(filled(`${opening}x {{/a}} {{/b}} </w:t>`)).toBe(inRun(`${opening}x A B </w:t>`))
    expect(filled('<w:t>x</w:t><w:tab/><w:t>{{/a}}</w:t>')).toBe(
      inRun('<w:t>x</w:t><w:tab/><w:t xml:space="preserve">A</w:t>'),
    )
  })

  test('are kept in each run that a tag is split over', () => {
    const runs = (...texts: string[]) => `<w:p>${texts.map((text) => `<w:r>${text}</w:r>`).join('')}</w:p>`
    const keeping = "<w:t xml:space='preserve'>"
    expect(
      composedBody(runs('<w:t>x {{</w:t>', '<w:t>/</w:t>', `${keeping}a}} </w:t>`, '<w:t>y</w:t>'), { a: 'A' }),
    ).toBe(
      runs(
        '<w:t xml:space="preserve">x A</w:t>',
        '<w:t xml:space="preserve"></w:t>',
        `${keeping} </w:t>`,
        '<w:t>y</w:t>',
      ),
    )
  })
})

test('text outside of paragraphs has the number of the paragraph around or before it, else of the first', () => {
  const unclosed = (body: string) => compileCodes(wordPackage(body)).map((code) => code.replace(/.*xml#/, ''))
  const captioned = (name: string) => `<w:tbl><w:tblPr><w:${name} w:val="of {{/a"/></w:tblPr>${tr('cell')}</w:tbl>`
  for (const table of [captioned('tblCaption'), captioned('tblDescription')]) {
    expect(unclosed(table + p('a'))).toEqual(['1:3'])
    expect(unclosed(p('a') + p('b') + table + p('c'))).toEqual(['2:3'])
    expect(unclosed(tbl(tr('a', 'b')) + p('c') + table + p('d'))).toEqual(['3:3'])
  }
  const drawing = (name: string) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="n" ${name}="of {{/a"/></wp:inline></w:drawing></w:r></w:p>`
  for (const name of ['descr', 'title']) {
    expect(unclosed(drawing(name) + p('a'))).toEqual(['1:3'])
    expect(unclosed(p('a') + drawing(name) + p('b'))).toEqual(['2:3'])
  }
  const formula =
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>x={{/a</m:t></m:r></m:oMath>'
  expect(unclosed(formula + p('a'))).toEqual(['1:2'])
  expect(unclosed(p('a') + formula + p('b'))).toEqual(['1:2'])
  expect(unclosed(`${p('a')}<w:p>${formula}</w:p>`)).toEqual(['2:2'])
})

test('the scan reports tags and bindings with pointer, shape and place', () => {
  const body =
    p('{{/a}}') + p('{{#each /lines}}') + p('{{./x | default "-"}}{{#if ../b}}{{/b}}{{#end}}') + p('{{#end}}')
  const template = compiled(wordPackage(body))
  expect(template.bindings).toEqual([
    { pointer: '/a', shape: 'scalar', required: true, part: 'word/document.xml', paragraph: 1, position: 0 },
    { pointer: '/lines', shape: 'list', required: true, part: 'word/document.xml', paragraph: 2, position: 0 },
    { pointer: '/lines/*/x', shape: 'scalar', required: false, part: 'word/document.xml', paragraph: 3, position: 0 },
    {
      pointer: '/b',
      shape: 'flag',
      required: false,
      part: 'word/document.xml',
      paragraph: 3,
      position: 21,
      use: { as: 'test' },
    },
    { pointer: '/b', shape: 'scalar', required: false, part: 'word/document.xml', paragraph: 3, position: 33 },
  ])
  expect(template.tags.map(({ kind, pointer }) => [kind, pointer])).toEqual([
    ['text', '/a'],
    ['each', '/lines'],
    ['text', '/lines/*/x'],
    ['if', '/b'],
    ['text', '/b'],
    ['end', undefined],
    ['end', undefined],
  ])
  expect(template.contentHash).toMatch(/^[0-9a-f]{64}$/)
})

test('composing twice gives the same bytes, and parts without tags keep their compressed bytes', async () => {
  const document = new Document({
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph('{{/head}}')] }) },
        footers: { default: new Footer({ children: [new Paragraph('plain')] }) },
        children: [
          new Paragraph({ children: [new TextRun('Dear {{/na'), new TextRun({ text: 'me}},', bold: true })] }),
        ],
      },
    ],
  })
  const bytes = new Uint8Array(await Packer.toBuffer(document))
  const data = { head: 'H', name: 'Ann' }
  const first = composeTemplate(compiled(bytes), data)
  const second = composeTemplate(compiled(bytes), data)
  if (!first.ok || !second.ok) throw new Error('composing failed')
  expect(first.value).toEqual(second.value)
  const opened = composedPackage(bytes, data)
  expect(linesOf(partText(opened, 'word/document.xml'))).toEqual(['Dear Ann,'])
  const template = compiled(bytes)
  const touched = new Set(template.parts.map(({ part }) => part))
  expect(touched.size).toBe(2)
  for (const entry of template.skeleton.entries) {
    if (!touched.has(entry.name)) expect(opened.archive.entry(entry.name)!.compressed).toEqual(entry.compressed)
  }
})

test('a template document (.dotx) becomes an ordinary document', () => {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"/></Types>'
  const opened = composedPackage(wordPackage(p('{{/a}}'), { '[Content_Types].xml': types }), { a: 'x' })
  expect(opened.contentType('word/document.xml')).toEndWith('wordprocessingml.document.main+xml')
})

test('a strict document with its own prefixes is filled in its own vocabulary', () => {
  const source =
    '<x:document xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:body><x:p><x:r><x:t>{{/a}}</x:t></x:r></x:p></x:body></x:document>'
  const text = partText(
    composedPackage(wordPackage('', { 'word/document.xml': source }), { a: 'one\ntwo' }),
    'word/document.xml',
  )
  expect(text).toContain('<x:t xml:space="preserve">one</x:t><x:br/><x:t xml:space="preserve">two</x:t>')
})

const hyperlinkType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
const linkRelations = (target: string) => ({
  'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId4" Type="${hyperlinkType}" Target="${target}" TargetMode="External"/></Relationships>`,
})
const link = '<w:p><w:hyperlink r:id="rId4"><w:r><w:t>{{./name}}</w:t></w:r></w:hyperlink></w:p>'

test('the address of a link is filled separately for every item of a loop', () => {
  const bytes = wordPackage(
    p('{{#each /list}}') + link + p('{{#end}}'),
    linkRelations('https://x.org/?id=%7B%7B./id%7D%7D&amp;l=en'),
  )
  const list = [
    { id: 'a b&c', name: 'A' },
    { id: '2', name: 'B' },
    { id: '2', name: 'C' },
  ]
  const opened = composedPackage(bytes, { list })
  expect(opened.relationships('word/document.xml').map(({ id, target, external }) => [id, target, external])).toEqual([
    ['rIdQuireLink1', 'https://x.org/?id=a%20b%26c&l=en', true],
    ['rIdQuireLink2', 'https://x.org/?id=2&l=en', true],
  ])
  const ids = [...partText(opened, 'word/document.xml').matchAll(/r:id="(\w+)"/g)].map((match) => match[1])
  expect(ids).toEqual(['rIdQuireLink1', 'rIdQuireLink2', 'rIdQuireLink2'])
  expect(compiled(bytes).bindings.map(({ pointer, part }) => `${pointer} ${part}`)).toContain(
    '/list/*/id word/_rels/document.xml.rels',
  )
})

test('a link address that comes whole from the data cannot run programs or open files', () => {
  const bytes = wordPackage(link.replace('./name', '/name'), linkRelations('{{/url}}'))
  const whole = composedPackage(bytes, { name: 'N', url: 'https://x.org/a b?q=%20ü' })
  expect(whole.relationships('word/document.xml')[0]!.target).toBe('https://x.org/a%20b?q=%20%C3%BC')
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', ' vbscript:x', '//server/share', 'ms-word:ofe|u|x']) {
    const composed = composeTemplate(compiled(bytes), { name: 'N', url })
    expect(composed.ok ? [] : composed.findings.map(({ code }) => code)).toEqual(['docx.bad_link'])
  }
})

test('a tag in a place that cannot be filled is refused, not printed', () => {
  const foreign = '<w:p><x:y xmlns:x="urn:x">{{/a}}</x:y></w:p>'
  expect(compileCodes(wordPackage(p('x') + foreign))).toEqual(['docx.misplaced word/document.xml#2:0'])
})

test('elements with names of JavaScript objects are elements like any other', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const run = `<w:p><w:r><${name}/><w:t>{{/a}}</w:t></w:r></w:p>`
    expect([name, ...composedLines(`<${name}>${run}</${name}>`, { a: 'x' })]).toEqual([name, 'x'])
  }
})

test('a filled content control loses the data binding that Word would use to replace the text', () => {
  const control = `<w:sdt><w:sdtPr><w:dataBinding w:xpath="/a"/><w:showingPlcHdr/><w:alias w:val="k"/></w:sdtPr><w:sdtContent>${p('{{/a}}')}</w:sdtContent></w:sdt>`
  const body = composedBody(control, { a: 'x' })
  expect(body).toContain('<w:sdtPr><w:alias w:val="k"/></w:sdtPr>')
})

test('a part in UTF-16 is written as the UTF-8 it then declares', () => {
  const source = `<?xml version="1.0" encoding="UTF-16"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${p('{{/a}} é')}</w:body></w:document>`
  const bytes = wordPackage('')
  const read = readZip(bytes)
  if (!read.ok) throw new Error('not read')
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${source}`, 'utf16le'))
  const entries = read.value.names.map((name) =>
    name === 'word/document.xml' ? { name, data: utf16 } : read.value.entry(name)!,
  )
  const text = partText(composedPackage(writeZip(entries), { a: 'ü' }), 'word/document.xml')
  expect(text).toContain('encoding="UTF-8"')
  expect(linesOf(text)).toEqual(['ü é'])
})

test('findings are in the order in which an author meets them', () => {
  const bytes = wordPackage(p('{{/a | x}}') + p('{{name}}') + p('{{@index}}') + p('{{/a}}'))
  expect(compileCodes(bytes)).toEqual([
    'docx.unknown_format word/document.xml#1:0',
    'docx.unknown_tag word/document.xml#2:0',
    'docx.outside_loop word/document.xml#3:0',
  ])
})
