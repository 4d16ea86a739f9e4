import { describe, expect, test } from 'bun:test'
import { readRichText } from '../../../src/engines/docx/compose/rich/blocks.ts'
import { composeTemplate } from '../../../src/engines/docx/docx.ts'
import { cpuMsOf } from '../../support/cpu.ts'
import { integrityFaults } from './integrity.ts'
import {
  compileCodes,
  compiled,
  composeCodes,
  composedPackage,
  linesOf,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
  wordPart,
} from './word-package.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** The body of the composed document, after a check that nothing in the package is out of order. */
function richBody(body: string, x: string, parts: Record<string, string> = {}): string {
  const opened = composedPackage(wordPackage(body, parts), { x, none: '', list: ['*a*', 'b'] })
  expect(integrityFaults(opened)).toEqual([])
  const source = partText(opened, 'word/document.xml')
  return source.slice(source.indexOf('<w:body>') + 8, source.indexOf('</w:body>'))
}

test('rich text alone in its paragraph becomes paragraphs that look like the one with the tag', () => {
  const tag =
    '<w:p><w:pPr><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t>{{rich /x}}</w:t></w:r></w:p>'
  const body = richBody(p('a') + tag + p('b'), '<p>One <b>two</b></p><p>three<br>four</p>')
  const run = (text: string, marks = '') =>
    `<w:r><w:rPr>${marks}<w:color w:val="FF0000"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const line = (content: string) => `<w:p><w:pPr><w:jc w:val="both"/></w:pPr>${content}</w:p>`
  expect(body).toBe(
    p('a') +
      line(run('One ') + run('two', '<w:b/><w:bCs/>')) +
      line(`${run('three')}<w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:br/></w:r>${run('four')}`) +
      p('b'),
  )
})

test('HTML and Markdown of the same meaning give the same document', () => {
  const html =
    '<h2>Title</h2><p>Some <em>slanted</em> and <strong>strong</strong> <s>text</s> in <code>code</code>.</p><ul><li>one<ol><li>inner</li></ol></li><li>two</li></ul><blockquote><p>quoted</p></blockquote><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table><p><a href="https://x.org/?a=1&amp;b=2">link</a></p>'
  const markdown =
    '## Title\n\nSome *slanted* and **strong** ~~text~~ in `code`.\n\n- one\n  1. inner\n- two\n\n> quoted\n\n|A|B|\n|-|-|\n|1|2|\n\n[link](https://x.org/?a=1&b=2)'
  const fromHtml = richBody(p('{{rich /x}}'), html)
  expect(richBody(p('{{rich /x}}'), markdown)).toBe(fromHtml)
  expect(linesOf(fromHtml)).toEqual([
    'Title',
    'Some slanted and strong text in code.',
    'one',
    'inner',
    'two',
    'quoted',
    'A',
    'B',
    '1',
    '2',
    'link',
  ])
  for (const expected of [
    '<w:i/>',
    '<w:strike/>',
    '<w:tbl>',
    '<w:tblHeader/>',
    '<w:hyperlink',
    '<w:outlineLvl w:val="1"/>',
  ])
    expect(fromHtml).toContain(expected)
})

test('lists are Word lists: bullets share one, and every ordered list counts separately', () => {
  const opened = composedPackage(wordPackage(p('{{rich /x}}')), {
    x: '<ol start="3"><li>c</li><li>d<p>more</p></li></ol><ul><li>dot</li></ul><ol><li>a</li></ol>',
  })
  expect(integrityFaults(opened)).toEqual([])
  const source = partText(opened, 'word/document.xml')
  expect([...source.matchAll(/<w:numId w:val="(\d+)"/g)].map((match) => match[1])).toEqual(['1', '1', '2', '3'])
  const numbering = partText(opened, 'word/numbering.xml')
  expect(numbering.match(/<w:abstractNum /g)).toHaveLength(2)
  expect(numbering).toContain('<w:lvlOverride w:ilvl="0"><w:startOverride w:val="3"/></w:lvlOverride>')
  expect(opened.relationships('word/document.xml').map(({ target }) => target)).toContain('word/numbering.xml')
})

test('lists of rich text are added to those the template has', () => {
  const numbering = wordPart(
    'numbering',
    '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"/></w:abstractNum><w:num w:numId="4"><w:abstractNumId w:val="7"/></w:num>',
  )
  const opened = composedPackage(wordPackage(p('{{rich /x}}'), { 'word/numbering.xml': numbering }), { x: '* dot' })
  expect(integrityFaults(opened)).toEqual([])
  expect(partText(opened, 'word/document.xml')).toContain('<w:numId w:val="5"/>')
  expect(partText(opened, 'word/numbering.xml')).toContain('<w:abstractNumId w:val="8"/>')
})

test("headings and links take the template's own styles where it has them", () => {
  const styles = wordPart(
    'styles',
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="Heading 1"/></w:style><w:style w:type="character" w:styleId="Lnk"><w:name w:val="Hyperlink"/></w:style>',
  )
  const body = richBody(p('{{rich /x}}'), '# Title\n\n[a](https://x.org)', { 'word/styles.xml': styles })
  expect(body).toContain('<w:pStyle w:val="berschrift1"/><w:keepNext/>')
  expect(body).toContain('<w:rStyle w:val="Lnk"/>')
  expect(body).not.toContain('0563C1')
})

test('rich text in a line stays in the line, and anything that needs paragraphs is refused there', () => {
  const body = richBody(p('See {{rich /x}}!'), 'the *new* terms')
  expect(linesOf(body)).toEqual(['See the new terms!'])
  expect(body).toContain('<w:rPr><w:i/><w:iCs/></w:rPr>')
  for (const x of ['one\n\ntwo', '* item', '<table><tr><td>a</td></tr></table>', '# head']) {
    expect(composeCodes(p('See {{rich /x}}!'), { x })).toEqual(['docx.bad_rich_text word/document.xml#1:4'])
  }
})

test('content that would run, load or ask something is refused, and none of it reaches the document', () => {
  for (const x of [
    '<p>a<script>alert(1)</script></p>',
    '<p><img src="https://x.org/p.png"></p>',
    '<iframe src="https://x.org"></iframe>',
    '<p><input></p>',
    '<svg></svg>',
  ]) {
    expect([x, ...composeCodes(p('{{rich /x}}'), { x })]).toEqual([x, 'docx.bad_rich_text word/document.xml#1:0'])
  }
  for (const href of ['javascript:alert(1)', 'file:///etc/passwd', '\\\\server\\share']) {
    const codes = composeCodes(p('{{rich /x}}'), { x: `<a href="${href}">a</a>` })
    expect([href, ...codes]).toEqual([href, 'docx.bad_link word/document.xml#1:0'])
  }
})

test('HTML mark-up in Markdown is text, and so are unknown entities', () => {
  expect(linesOf(richBody(p('{{rich /x}}'), 'a <b>b</b> &nope; **c**'))).toEqual(['a <b>b</b> &nope; c'])
  expect(linesOf(richBody(p('{{rich /x format=markdown}}'), '<p>x</p>'))).toEqual(['<p>x</p>'])
  expect(linesOf(richBody(p('{{rich /x format=html}}'), '*a* &amp; b'))).toEqual(['*a* & b'])
})

test('values of rich text are never read as tags', () => {
  expect(linesOf(richBody(p('{{rich /x}}'), '{{/none}}'))).toEqual(['{{/none}}'])
})

test('pictures are read from data URIs with their alternative text', () => {
  const body = richBody(
    p('{{rich /x}}'),
    `<p>a <img src="data:image/png;base64,${png}" alt="A &quot;dot&quot;" width="96"></p>`,
  )
  expect(body).toContain('descr="A &quot;dot&quot;"')
  expect(body).toContain('<wp:extent cx="914400" cy="914400"/>')
})

test('spanning cells keep the grid of the table whole', () => {
  const body = richBody(
    p('{{rich /x}}'),
    '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr><tr><td>e</td></tr></table>',
  )
  const rows = body.match(/<w:tr>.*?<\/w:tr>/g)!
  expect(rows).toHaveLength(3)
  for (const row of rows) {
    const spans = [...row.matchAll(/<w:gridSpan w:val="(\d+)"/g)].reduce((sum, match) => sum + Number(match[1]) - 1, 0)
    expect(row.match(/<w:tc>/g)!.length + spans).toBe(3)
  }
  expect(rows[1]).toContain('<w:vMerge/>')
})

test('tables never touch each other or the end of a cell, which Word could not open', () => {
  const table = '<table><tr><td>a</td></tr></table>'
  expect(richBody(tbl(tr(p('{{rich /x}}'))), table)).toContain('</w:tbl><w:p>')
  const between = richBody(tbl(tr('x')) + p('{{rich /x}}') + tbl(tr('y')), table + table)
  expect(between).not.toMatch(/<\/w:tbl><w:tbl/)
})

test('empty rich text leaves no line, but a cell keeps its paragraph', () => {
  expect(richBody(p('a') + p('{{rich /none}}') + p('b'), '')).toBe(p('a') + p('b'))
  expect(richBody(tbl(tr(p('{{rich /none}}'))), '')).toContain('<w:tc><w:p></w:p></w:tc>')
})

test('blocks around rich text, in its own paragraph or around it, repeat and drop whole paragraphs', () => {
  expect(linesOf(richBody(p('{{#each /list}}{{rich .}}{{#end}}') + p('z'), ''))).toEqual(['a', 'b', 'z'])
  expect(linesOf(richBody(p('{{#if /none}}{{rich /x}}{{#end}}') + p('z'), 'a\n\nb'))).toEqual(['z'])
  const outside = p('{{#each /list}}{{@index}}') + p('{{rich .}}') + p('{{#end}}')
  expect(linesOf(richBody(outside, ''))).toEqual(['1', 'a', '2', 'b'])
})

test('a section break and the marks of a rich paragraph survive it', () => {
  const section =
    '<w:p><w:pPr><w:sectPr/></w:pPr><w:bookmarkStart w:id="1" w:name="m"/><w:r><w:t>{{rich /x}}</w:t></w:r></w:p>'
  const body = richBody(`${section + p('x')}<w:p><w:bookmarkEnd w:id="1"/></w:p>`, 'a\n\nb')
  expect(body.match(/<w:sectPr\/>/g)).toHaveLength(1)
  expect(body).toContain('<w:bookmarkStart w:id="1" w:name="m"/>')
  expect(linesOf(body)).toEqual(['a', 'b', '', 'x', ''])
})

test("the tag's own list number goes to the first paragraph only", () => {
  const item =
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="4"/></w:numPr></w:pPr><w:r><w:t>{{rich /x}}</w:t></w:r></w:p>'
  const numbering = wordPart(
    'numbering',
    '<w:abstractNum w:abstractNumId="0"/><w:num w:numId="4"><w:abstractNumId w:val="0"/></w:num>',
  )
  const body = richBody(item, 'first\n\nsecond', { 'word/numbering.xml': numbering })
  expect([...body.matchAll(/<w:numId w:val="(\d+)"/g)].map((match) => match[1])).toEqual(['4', '0'])
})

test('rich text in headers and notes has relationships of its own', () => {
  const parts = { 'word/header1.xml': wordPart('hdr', p('{{rich /x}}')) }
  const opened = composedPackage(wordPackage(p('y'), parts), { x: '1. [a](https://x.org)' })
  expect(integrityFaults(opened)).toEqual([])
  expect(opened.relationships('word/header1.xml').map(({ target }) => target)).toEqual(['https://x.org'])
})

test('rich text is refused in a link and in text without formatting', () => {
  const link = '<w:p><w:hyperlink w:anchor="a"><w:r><w:t>go {{rich /x}}</w:t></w:r></w:hyperlink></w:p>'
  const body = richBody(link, '[a](https://x.org) *b*')
  expect(body.match(/<w:hyperlink/g)).toHaveLength(1)
  expect(linesOf(body)).toEqual(['go a b'])
  const drawing =
    '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="n" descr="{{rich /x}}"/></wp:inline></w:drawing></w:r></w:p>'
  expect(compileCodes(wordPackage(drawing))).toEqual(['docx.misplaced word/document.xml#1:0'])
})

test('the scan reports where rich text is wanted', () => {
  expect(compiled(wordPackage(p('{{rich /x}}'))).bindings.map(({ pointer, shape }) => [pointer, shape])).toEqual([
    ['/x', 'rich'],
  ])
})

describe('CSS in rich text', () => {
  const runsOf = (html: string, parts: Record<string, string> = {}) =>
    [...richBody(p('{{rich /x}}'), html, parts).matchAll(/<w:r>(?:<w:rPr>(.*?)<\/w:rPr>)?<w:t[^>]*>(.*?)<\/w:t>/g)].map(
      ([, properties = '', text]) => `${text}: ${properties}`,
    )
  const shade = (fill: string) => `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`
  const size = (halfPoints: number) => `<w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/>`

  test.each([
    ['color: #c00', '<w:color w:val="CC0000"/>'],
    ['color: rgb(0, 128, 255)', '<w:color w:val="0080FF"/>'],
    ['color: rgb(0% 50% 100% / 50%)', '<w:color w:val="0080FF"/>'],
    ['color: hsl(120, 100%, 25%)', '<w:color w:val="008000"/>'],
    ['COLOR: RebeccaPurple !important', '<w:color w:val="663399"/>'],
    ['background-color: yellow', shade('FFFF00')],
    ['background: url(x.png) no-repeat rgba(255,0,0,.5)', shade('FF0000')],
    ['font-size: 14pt', size(28)],
    ['font-size: 16px', size(24)],
    ['font-size: 1.5em', size(36)],
    ['font-size: 50%', size(12)],
    ['font-size: 9999pt', size(3_276)],
    ['font-weight: 700; font-style: italic', '<w:b/><w:bCs/><w:i/><w:iCs/>'],
    ['text-decoration: underline line-through', '<w:strike/><w:u w:val="single"/>'],
    ['vertical-align: super', '<w:vertAlign w:val="superscript"/>'],
    [
      'color: red; color: bogus; font-size: -3pt; font-size: 2lightyears; x: expression(alert(1))',
      '<w:color w:val="FF0000"/>',
    ],
    ['color: transparent; background: none; behavior: url(#x)', ''],
  ])('%s is what the run says, and nothing else', (style, properties) => {
    const styles = wordPart(
      'styles',
      '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults>',
    )
    const parts = { 'word/styles.xml': styles }
    expect(runsOf(`<p>a<span style="${style}">b</span>c</p>`, parts)).toEqual(['a: ', `b: ${properties}`, 'c: '])
  })

  test('is inherited by inner elements, multiplied if it is relative, and reset if they say so', () => {
    expect(
      runsOf(
        '<div style="color:blue;font-size:20pt">a<b style="font-size:50%">b<i style="font-weight:normal">c</i></b></div>',
      ),
    ).toEqual([
      `a: <w:color w:val="0000FF"/>${size(40)}`,
      `b: <w:b/><w:bCs/><w:color w:val="0000FF"/>${size(20)}`,
      `c: <w:i/><w:iCs/><w:color w:val="0000FF"/>${size(20)}`,
    ])
    expect(runsOf('<p>a<small>b<small>c</small></small><big>d</big></p>')).toEqual([
      'a: ',
      `b: ${size(17)}`,
      `c: ${size(14)}`,
      `d: ${size(24)}`,
    ])
    expect(runsOf('<p><font color="#123456" size="5">a</font></p>')).toEqual([
      `a: <w:color w:val="123456"/>${size(36)}`,
    ])
  })

  test('takes back what is around it, mark by mark, and only within itself', () => {
    const [bold, italic] = ['<w:b/><w:bCs/>', '<w:i/><w:iCs/>']
    const raised = '<w:vertAlign w:val="superscript"/>'
    for (const [style, left] of [
      ['font-weight: normal', italic + raised],
      ['font-weight: 400', italic + raised],
      ['font-style: normal', bold + raised],
      ['vertical-align: baseline', bold + italic],
      ['font-style: normal; font-weight: normal', raised],
      ['font-style: normal; font-weight: normal; vertical-align: baseline', ''],
      ['font-style: italic; font-weight: bold', bold + italic + raised],
    ] as const)
      expect([style, ...runsOf(`<b><i><sup>a<span style="${style}">b</span>c</sup></i></b>`)]).toEqual([
        style,
        `a: ${bold}${italic}${raised}`,
        `b: ${left}`,
        `c: ${bold}${italic}${raised}`,
      ])
    // An element that marks its text is no exception, and one inside of it marks it anew.
    expect(runsOf('<em style="font-style: normal">a<em>b</em></em>')).toEqual(['a: ', `b: ${italic}`])
    expect(runsOf('<strong style="font-weight: normal">a<b>b</b></strong>')).toEqual(['a: ', `b: ${bold}`])
    expect(runsOf('<div style="font-style: italic"><p style="font-style: normal">a</p>b</div>')).toEqual([
      'a: ',
      `b: ${italic}`,
    ])
  })

  test('fills paragraphs and cells behind blocks, and aligns them', () => {
    const body = richBody(
      p('{{rich /x}}'),
      '<p style="background:#eee;text-align:RIGHT">a</p><table style="background:silver"><tr bgcolor="red"><td>b</td><td style="background:lime"><p>c</p></td></tr><tr><td>d</td></tr></table><p>e</p>',
    )
    expect(body).toContain(`<w:p><w:pPr>${shade('EEEEEE')}<w:jc w:val="right"/></w:pPr>`)
    const fills = [...body.matchAll(/<w:tcPr>.*?<\/w:tcPr>/g)].map(([cell]) => /w:fill="(\w+)"/.exec(cell)?.[1])
    expect(fills.slice(0, 3)).toEqual(['FF0000', '00FF00', 'C0C0C0'])
    // Only the paragraph that says so is filled: a cell's colour is not painted twice.
    expect(body.match(/<w:pPr><w:shd/g)).toHaveLength(1)
  })

  test('gives a heading its colour and size on top of the style', () => {
    expect(runsOf('<h1 style="color:navy;font-size:30px">T</h1>')).toEqual([
      `T: <w:b/><w:bCs/><w:color w:val="000080"/>${size(45)}`,
    ])
  })
})

test('hostile rich text is refused or read in time', () => {
  const hostile = [
    '<div>'.repeat(10_000),
    '<p>'.repeat(50_000),
    '['.repeat(100_000),
    '**a *b '.repeat(20_000),
    '> '.repeat(50_000),
    `<table>${'<tr>'.repeat(15_000)}`,
    `<table><tr>${'<td colspan="60" rowspan="1000">'.repeat(100)}`,
    `<table>${'<tr><td rowspan="1000">a'.repeat(6_000)}`,
    '&'.repeat(100_000),
    '<!--'.repeat(50_000),
    `<p style="${'color:red;'.repeat(25_000)}">x`,
    `<p style="background:${'rgb('.repeat(60_000)}">x`,
    `<p style="color:${' '.repeat(200_000)}">x`,
  ]
  for (const x of hostile) {
    const ms = cpuMsOf(() => composeCodes(p('{{rich /x}}'), { x }))
    expect([x.slice(0, 8), ms < 3_000]).toEqual([x.slice(0, 8), true])
  }
  expect(readRichText('x'.repeat(300_000))).toMatchObject({ ok: false })
})

test('a strict document with its own prefixes gets rich text in its own namespace', () => {
  const source =
    '<x:document xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:body><x:p><x:pPr><x:keepLines/></x:pPr><x:r><x:t>{{rich /x}}</x:t></x:r></x:p></x:body></x:document>'
  const opened = composedPackage(wordPackage('', { 'word/document.xml': source }), { x: '* a [b](https://x.org)' })
  const text = partText(opened, 'word/document.xml')
  expect(text).toContain('<w:p xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main">')
  expect(text).toContain('xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships"')
})

test('text that begins like an element of HTML but isn’t one is reported, since it is not shown', () => {
  const told = (x: string, tag = '{{rich /x}}') => {
    const composed = composeTemplate(compiled(wordPackage(p(tag))), { x })
    if (!composed.ok) throw new Error(JSON.stringify(composed.findings))
    return composed.findings.map(({ code, severity, message }) => `${severity} ${code} ${message}`)
  }
  const lost = (text: string) => [
    `warning docx.lost_text /x has “${text}”, which is no element of HTML: it is not shown.`,
  ]
  expect(told('<LOD>')).toEqual(lost('<lod>'))
  expect(told('<LOD')).toEqual(lost('<LOD'))
  expect(told('<https://example.org>')).toEqual(lost('<https:>'))
  expect(told('<p>below <LOQ in both</p>')).toEqual(lost('<loq>'))
  for (const fine of [
    '<5 mg/l',
    'a <LOD',
    '<p>a<o:p></o:p></p>',
    '<my-note>a</my-note>',
    '<font size=2>a</font>',
    '<!-- a -->b',
  ]) {
    expect([fine, told(fine)]).toEqual([fine, []])
  }
  expect(told('<https://example.org>', '{{rich /x format=markdown}}')).toEqual([])
})
