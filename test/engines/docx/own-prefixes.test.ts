import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { newestReading } from '../../../src/core/reading.ts'
import { annotateTemplate } from '../../../src/engines/docx/annotate.ts'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { type OoxmlPackage, openPackage } from '../../../src/engines/ooxml/package.ts'
import type { XmlNode } from '../../../src/engines/ooxml/xml.ts'
import { cpuMsOf } from '../../support/cpu.ts'
import { integrityFaults } from './integrity.ts'
import { composedBody, composedPackage, p, partText, tbl, tr, wordPackage, wordPart } from './word-package.ts'

const uri = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const declared = `xmlns:x="${uri}"`

/** The same paragraphs, their texts or runs written with a prefix that they declare themselves, or with none. */
const forms: Readonly<Record<string, (body: string) => string>> = {
  'a text with a prefix of its own': (body) =>
    body
      .replaceAll('<w:t ', `<x:t ${declared} `)
      .replaceAll('<w:t>', `<x:t ${declared}>`)
      .replaceAll('</w:t>', '</x:t>'),
  'a text without a prefix': (body) =>
    body
      .replaceAll('<w:t ', `<t xmlns="${uri}" `)
      .replaceAll('<w:t>', `<t xmlns="${uri}">`)
      .replaceAll('</w:t>', '</t>'),
  'a run with a prefix of its own': (body) =>
    body.replace(/<w:r>.*?<\/w:r>/gs, (run) =>
      run.replace('<w:r>', `<w:r ${declared}>`).replaceAll(/(<\/?)w:(?=[a-z])/g, '$1x:'),
    ),
  'a run that declares the prefix of its text': (body) =>
    body.replaceAll('<w:r>', `<w:r ${declared}>`).replace(/(<\/?)w:(t[ >])/g, '$1x:$2'),
  'a paragraph with a prefix of its own': (body) =>
    body.replace(/<w:p>.*?<\/w:p>/gs, (paragraph) =>
      paragraph.replace('<w:p>', `<w:p ${declared}>`).replaceAll(/(<\/?)w:(?=[a-z])/g, '$1x:'),
    ),
}

/** A dot, as PNG. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const texts: Readonly<Record<string, [body: string, data: JsonValue]>> = {
  'a value': [`<w:p><w:r><w:t>Dear {{/a}},</w:t></w:r></w:p>`, { a: 'Ann' }],
  'a value of several lines': [p('Dear {{/a}},'), { a: 'Ann\nand\tBob' }],
  'a tag over runs': [p('Dear {', '{/a}', '}, and so on'), { a: 'Ann' }],
  'a condition in a line': [p('one {{#if /a}}two{{#else}}three{{#end}} four'), { a: true }],
  'a loop in a line': [p('{{#each /l}}{{.}}, {{#end}}end'), { l: ['a', 'b'] }],
  'a loop over paragraphs': [p('a {{#each /l}}b') + p('{{.}}') + p('c{{#end}} d'), { l: [1, 2] }],
  'a block whose tags are beside marks': [
    `<w:p><w:bookmarkStart w:id="1" w:name="b"/><w:r><w:t>{{#if /a}}</w:t></w:r></w:p>${p('one')}<w:p><w:r><w:t>{{#end}}</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>${p('two')}`,
    { a: true },
  ],
  'formatted text alone, beside marks': [
    `<w:p><w:bookmarkStart w:id="1" w:name="b"/><w:r><w:t>{{rich /h}}</w:t></w:r></w:p><w:p><w:r><w:t>two</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>`,
    { h: '<p>one</p>' },
  ],
  'a comment over paragraphs with marks': [
    `${p('one {{!--')}<w:p><w:bookmarkStart w:id="1" w:name="b"/><w:r><w:t>gone</w:t></w:r></w:p>${p('--}} two')}<w:p><w:r><w:t>three</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>`,
    {},
  ],
  'a paragraph that vanishes, beside marks': [
    `<w:p><w:bookmarkStart w:id="1" w:name="b"/><w:r><w:t>{{#if /a}}one{{#end}}</w:t></w:r></w:p><w:p><w:r><w:t>two</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>`,
    { a: false },
  ],
  'a page break': [p('one {{pagebreak}} two'), {}],
  'a picture': [p('one {{image /i}} two'), { i: picture }],
  'a comment': [p('a{{! why }}b'), {}],
  'a comment over runs': [`<w:p><w:r><w:t>a{{!</w:t></w:r><w:r><w:drawing/></w:r><w:r><w:t>x}}b</w:t></w:r></w:p>`, {}],
  'formatted text in a line': [
    `<w:p><w:r><w:rPr><w:i/></w:rPr><w:t xml:space="preserve">a {{rich /h}} b</w:t></w:r></w:p>`,
    { h: '<b>bold</b> and' },
  ],
  'formatted text alone': [
    `<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t>{{rich /h}}</w:t></w:r></w:p>`,
    { h: '<p>one</p><p>two</p>' },
  ],
}

/** Elements by their names as Office has them, without what they declare. */
function read(body: string): string {
  return readPart(openPackage(wordPackage(body)))
}

function readPart(document: ReturnType<typeof openPackage>, part = 'word/document.xml'): string {
  const root = document.ok ? document.value.readXml(part) : document
  if (!root.ok) throw new Error(JSON.stringify(root.findings))
  const inWords = (node: XmlNode): string => {
    if (node.kind === 'text') return node.text
    const attributes = Object.entries(node.attributes).filter(([name]) => !name.startsWith('xmlns'))
    return `<${[node.name, ...attributes.map(([name, value]) => `${name}=${value}`)].join(' ')}>${node.children.map(inWords).join('')}</>`
  }
  return root.value.children.map(inWords).join('')
}

describe.each(Object.entries(forms))('%s', (_, written) => {
  test.each(Object.entries(texts))('takes %s', (_name, [body, data]) => {
    expect(read(composedBody(written(body), data))).toBe(read(composedBody(body, data)))
  })
})

describe.each(Object.entries(forms))('a copy with comments takes %s', (_, written) => {
  test('with all of its text, around the tag', () => {
    const body = `<w:p><w:r><w:rPr><w:i/></w:rPr><w:t>a {{bad}} b</w:t></w:r></w:p>`
    const finding = { code: 'x', severity: 'error', message: 'No.', path: 'word/document.xml#1:2' } as const
    const bodyOf = (given: string) => {
      const copy = annotateTemplate(wordPackage(given), [finding])
      const opened = copy.ok ? openPackage(copy.value) : copy
      if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
      const source = partText(opened.value, 'word/document.xml')
      return read(source.slice(source.indexOf('<w:body>') + 8, source.indexOf('</w:body>')))
    }
    const usual = bodyOf(body)
    expect(
      usual
        .replace(/<[^>]*>/g, '|')
        .split('|')
        .filter(Boolean),
    ).toEqual(['a ', '{{bad}}', ' b'])
    expect(bodyOf(written(body))).toBe(usual)
    // Blanks that its author let go are kept where the text is divided.
    const without = body.replace('<w:t>', '<w:t xml:space="default">')
    expect(bodyOf(without)).toBe(usual)
    expect(bodyOf(written(without))).toBe(usual)
  })
})

describe('a part whose elements have no prefix', () => {
  const w14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
  const part = (body: string) =>
    `<document xmlns="${uri}" xmlns:a="${uri}" ${w14}><body>${body
      .replaceAll(/(<\/?)w:/g, '$1')
      .replaceAll(' w:', ' a:')}</body></document>`
  const usual = (body: string) => `<w:document xmlns:w="${uri}" ${w14}><w:body>${body}</w:body></w:document>`
  const cell = (text: string) => `<w:tc><w:tcPr><w:tcW w:w="100" w:type="dxa"/></w:tcPr>${p(text)}</w:tc>`
  const table = (...rows: string[]) =>
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="100"/><w:gridCol w:w="100"/></w:tblGrid>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`
  const box = (font: string) =>
    `<w:p><w:sdt><w:sdtPr><w:tag w:val="{{check /a}}"/><w14:checkbox><w14:checkedState w14:val="2612" w14:font="${font}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt></w:p>`
  const field =
    '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:helpText w:val="{{check /a}}"/><w:checkBox><w:sizeAuto/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
  const styles = `<w:styles xmlns:w="${uri}"><w:style w:type="paragraph" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:ilvl w:val="2"/><w:numId w:val="7"/></w:numPr></w:pPr></w:style></w:styles>`
  const shown: [what: string, body: string][] = [
    ['a page break', p('one {{pagebreak}} two')],
    [
      'coloured and merged cells',
      table(cell('{{shade /c}}{{merge across count 2}}a') + cell('b'), cell('{{merge down count 2}}c'), cell('d')),
    ],
    ['a loop over columns', table(cell('{{#each /l columns}}{{.}}{{#end}}') + cell('b'))],
    ['check boxes', box('Segoe UI') + box('Wingdings') + field],
    [
      'a list that restarts',
      `${p('{{#each /l restart}}')}<w:p><w:pPr><w:pStyle w:val="L"/></w:pPr><w:r><w:t>{{.}}</w:t></w:r></w:p>${p('{{#end}}')}`,
    ],
    ['what is kept together', p('{{#keep}}') + p('a') + p('b') + p('{{#end}}')],
  ]
  test.each(shown)('takes %s', (_, body) => {
    const data = { a: true, c: '#FF0000', l: [1, 2, 3] }
    const read = (text: string) =>
      readPart({
        ok: true,
        value: composedPackage(wordPackage('', { 'word/document.xml': text, 'word/styles.xml': styles }), data),
      } as never)
    expect(read(part(body))).toBe(read(usual(body)))
  })

  test('takes comments of findings', () => {
    const finding = { code: 'x', severity: 'error', message: 'No.', path: 'word/document.xml#1:2' } as const
    const read = (text: string, inside: string) => {
      const copy = annotateTemplate(wordPackage('', { 'word/document.xml': text }), [finding])
      return readPart(copy.ok ? openPackage(copy.value) : (copy as never), inside)
    }
    const body = p('a {{bad}} b')
    for (const inside of ['word/document.xml', 'word/comments.xml'])
      expect(read(part(body), inside)).toBe(read(usual(body), inside))
  })
})

describe('an included template', () => {
  const styles = wordPart(
    'styles',
    '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="S"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
  )
  const numbering = wordPart(
    'numbering',
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="3"/></w:lvlOverride></w:num>',
  )
  const footnotes = wordPart('footnotes', `<w:footnote w:id="2">${p('note')}</w:footnote>`)
  const parts = { 'word/styles.xml': styles, 'word/numbering.xml': numbering, 'word/footnotes.xml': footnotes }
  const read = (bytes: Uint8Array, clause: Uint8Array) => {
    const template = compileTemplate(bytes, newestReading, new Map([['clause', clause]]))
    const document = template.ok ? composeTemplate(template.value, {}) : template
    const opened = document.ok ? openPackage(document.value) : document
    return ['document', ...Object.keys(parts).map((part) => part.slice(5, -4))].map((name) => {
      const has = opened.ok && opened.value.parts.includes(`word/${name}.xml`)
      return has || !opened.ok ? readPart(opened, `word/${name}.xml`) : ''
    })
  }
  /** Elements without a prefix, their attributes with one of their own. */
  const bare = (xml: string) =>
    xml
      .replaceAll(/(<\/?)w:/g, '$1')
      .replaceAll(' w:', ' q:')
      .replace('xmlns:w=', `xmlns:q="${uri}" xmlns=`)
  const cited = (id: number) => `<w:p><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`
  const text = `<w:p><w:pPr><w:pStyle w:val="S"/></w:pPr></w:p>${cited(2)}`
  const clause = (form: (xml: string) => string) =>
    wordPackage('', {
      'word/document.xml': form(`<w:document xmlns:w="${uri}"><w:body>${text}</w:body></w:document>`),
      ...Object.fromEntries(Object.entries(parts).map(([part, xml]) => [part, form(xml)])),
    })

  test.each([
    ['nothing', {}],
    ['the same', { ...parts, 'word/styles.xml': styles.replaceAll('"S"', '"T"') }],
  ])('whose elements have no prefix brings what it refers to where there is %s', (_, own) => {
    const template = wordPackage(p('{{> clause}}'), own)
    expect(read(template, clause(bare))).toEqual(
      read(
        template,
        clause((xml) => xml),
      ),
    )
  })

  /** Notes and lists that declare their prefix themselves. */
  const owned = (xml: string) =>
    xml.replaceAll(/<w:(footnote|num) .*?<\/w:\1>/g, (element) =>
      element.replaceAll('w:', 'x:').replace(/^<x:\w+/, `$& ${declared}`),
    )

  test.each([
    ['whose notes and lists', owned],
    [
      'with another meaning of the prefix around them, whose notes and lists',
      (xml: string) => owned(xml).replace(' ', ' xmlns:x="urn:a" '),
    ],
    [
      'with the same meaning of the prefix around them, whose notes and lists',
      (xml: string) => owned(xml).replace(' ', ` ${declared} `),
    ],
  ])('%s declare their prefix brings them along', (_, form) => {
    const others = Object.entries({ ...parts, 'word/styles.xml': styles.replaceAll('"S"', '"T"') })
    const own = Object.fromEntries(others.map(([part, xml]) => [part, xml.replace(' ', ' xmlns:x="urn:b" ')]))
    const template = wordPackage(p('{{> clause}}'), own)
    expect(read(template, clause(form))).toEqual(read(template, clause(String)))
  })

  test('takes the place of a paragraph that declares its prefix, and leaves one where there has to be one', () => {
    const table = tbl(tr('a'))
    const section = '<w:pPr><w:sectPr><w:pgSz w:w="1"/></w:sectPr></w:pPr>'
    const tag = (properties: string) => `<w:p>${properties}<w:r><w:t>{{> clause}}</w:t></w:r></w:p>`
    const owned = forms['a paragraph with a prefix of its own'] ?? String
    for (const form of [
      owned,
      (xml: string) => xml.replaceAll('<w:p>', `<p xmlns="${uri}">`).replaceAll('</w:p>', '</p>'),
    ])
      for (const properties of ['', section]) {
        const body = (written: string) => `${table}${written}${table}<w:sectPr/>`
        const usual = read(wordPackage(body(tag(properties))), wordPackage(table))
        expect(read(wordPackage(body(form(tag(properties)))), wordPackage(table))).toEqual(usual)
        const checked = compileTemplate(wordPackage(body(form(tag(properties)))))
        expect(checked.findings).toEqual([])
      }
  })
})

describe('a bookmark in a loop has another name and id in every turn', () => {
  const start = '<w:bookmarkStart w:id="1" w:name="b"/>'
  const end = '<w:bookmarkEnd w:id="1"/>'
  const paragraph = (...inner: string[]) => `<w:p>${inner.join('')}</w:p>`
  const run = (inner: string) => `<w:r><w:t xml:space="preserve">${inner}</w:t></w:r>`
  const picture = '<w:r><w:drawing/></w:r>'
  test.each([
    ['a tag of an inner block', [paragraph(start, run('{{#if .}}')), p('y'), paragraph(run('{{#end}}'), end)]],
    ['formatted text', [paragraph(start, run('{{rich /h}}')), paragraph(run('y'), end)]],
    ['a paragraph of a comment', [p('a {{!-- '), paragraph(start, run('gone')), p('--}} b'), paragraph(run('c'), end)]],
    ['a picture in a comment', [paragraph(run('a {{!'), start, picture, run('}} b')), paragraph(run('c'), end)]],
  ])('beside %s', (_, inner) => {
    const body = p('{{#each /l}}') + inner.join('') + p('{{#end}}') + p('end')
    const opened = composedPackage(wordPackage(body), { l: [1, 2], h: '<p>q</p>' })
    expect(integrityFaults(opened)).toEqual([])
    const source = partText(opened, 'word/document.xml')
    expect(source.match(/w:name="[^"]*"/g)).toEqual(['w:name="b"', 'w:name="b_2"'])
    const ids = (name: string) => [...source.matchAll(new RegExp(`<w:${name} w:id="(\\d+)"`, 'g'))].map(([, id]) => id)
    expect([new Set(ids('bookmarkStart')).size, ids('bookmarkStart')]).toEqual([2, ids('bookmarkEnd')])
  })
})

test('marks of a paragraph that vanishes with its row stay once', () => {
  const row = (tag: string, mark: string) =>
    `<w:tr><w:tc><w:p ${declared}>${mark}<w:r><w:t>${tag}</w:t></w:r></w:p><w:p/></w:tc></w:tr>`
  const [start, end] = ['<x:bookmarkStart x:id="1" x:name="b"/>', '<x:bookmarkEnd x:id="1"/>']
  const body = `<w:tbl>${row('{{#each /l}}', start)}${tr('{{.}}')}${row('{{#end}}', end)}</w:tbl>`
  const usual = `<w:tbl>${start}${tr('1')}${tr('2')}${end}</w:tbl>`.replaceAll('x:', 'w:')
  expect(read(composedBody(body, { l: [1, 2] }))).toBe(read(usual))
})

test('what declares nothing of its own is written as it was, whatever else it declares', () => {
  const other = 'xmlns:o="urn:schemas-microsoft-com:office:office"'
  const text = (attributes: string) => `<w:p><w:r ${other}><w:t${attributes}>a {{/b}}</w:t></w:r></w:p>`
  const made = `<w:p><w:r ${other}><w:t xml:space="preserve">a c</w:t></w:r></w:p>`
  for (const attributes of ['', ` ${other}`, ` xmlns:w="${uri}"`, ' xml:space="preserve"'])
    expect([attributes, composedBody(text(attributes), { b: 'c' })]).toEqual([attributes, made])
})

test('formatted text takes what its properties are written with along, once and from the nearest', () => {
  const look = `<x:rPr><x:i ${declared}/><x:b/></x:rPr>`
  const paragraph = `<w:p xmlns:x="urn:other"><w:r ${declared}>${look.replaceAll('x:rPr', 'w:rPr')}<w:t>{{rich /h}}</w:t></w:r></w:p>`
  const usual = `<w:p><w:r><w:rPr><w:i/><w:b/></w:rPr><w:t>{{rich /h}}</w:t></w:r></w:p>`
  for (const h of ['one', '<p>one</p><p>two</p>'])
    expect(read(composedBody(paragraph, { h }))).toBe(read(composedBody(usual, { h })))
})

test.each([
  ['declare the prefix themselves, in any spelling', `<x:i xmlns:x ="${uri}"/>`, '<w:i/>'],
  ['have a sign in a value that ends tags', `<x:rFonts w:ascii="a>b" ${declared}/>`, '<w:rFonts w:ascii="a>b"/>'],
  ['use it behind a line break', '<w:sz\nx:val="20"/>', '<w:sz w:val="20"/>'],
  ['use it only within', '<w:rPrExt><x:i/></w:rPrExt>', '<w:rPrExt><w:i/></w:rPrExt>'],
])('formatted text takes along properties that %s', (_what, property, usual) => {
  const paragraph = (run: string, inside: string) =>
    `<w:p><w:r${run}><w:rPr>${inside}</w:rPr><w:t>a {{rich /h}} b</w:t></w:r></w:p>`
  expect(read(composedBody(paragraph(` ${declared}`, property), { h: '<b>c</b>' }))).toBe(
    read(composedBody(paragraph('', usual), { h: '<b>c</b>' })),
  )
})

test('many properties under many declarations are taken along without looking at each with each', () => {
  const names = Array.from({ length: 500 }, (_name, at) => at)
  const nested = Array.from({ length: 40 }, (_level, level) => {
    return `<w:smartTag ${names.map((at) => `xmlns:a${level}_${at}="u"`).join(' ')}>`
  })
  const properties = Array.from({ length: 200 }, (_property, at) => `<w:z${at}/>`).join('')
  const paragraph = `<w:p>${nested.join('')}<w:r><w:rPr>${properties}</w:rPr><w:t>{{rich /h}}</w:t></w:r>${'</w:smartTag>'.repeat(40)}</w:p>`
  const before = process.cpuUsage()
  composedBody(paragraph, { h: 'a' })
  const { user } = process.cpuUsage(before)
  expect(user / 1_000).toBeLessThan(2_000)
})

test('many marks that outlive their paragraph are kept without looking at each with each', () => {
  const marks = Array.from({ length: 30_000 }, (_mark, at) => `<w:bookmarkStart w:id="${at}" w:name="b${at}"/>`)
  const body = `<w:p><w:r><w:t>{{#if /a}}</w:t></w:r>${marks.join('')}</w:p>${p('one')}${p('{{#end}}')}`
  expect(cpuMsOf(() => expect(composedBody(body, { a: true })).toStartWith(marks.join('')))).toBeLessThan(3_000)
})

test('formatted text takes the place of a paragraph that alone declares the prefix w', () => {
  const part = (paragraph: string) =>
    `<x:document ${declared} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><x:body>${paragraph}</x:body></x:document>`
  const paragraph = `<w:p xmlns:w="${uri}"><w:r><w:t>{{rich /h}}</w:t></w:r></w:p>`
  const opened = composedPackage(wordPackage('', { 'word/document.xml': part(paragraph) }), { h: '<p>a</p><p>b</p>' })
  expect(documentText(opened)).toEqual(['a', 'b'])
})

function documentText(opened: OoxmlPackage): string[] {
  const root = opened.readXml('word/document.xml')
  if (!root.ok) throw new Error(JSON.stringify(root.findings))
  const textIn = (node: XmlNode): string => (node.kind === 'text' ? node.text : node.children.map(textIn).join(''))
  const [body] = root.value.children
  return body?.kind === 'element' ? body.children.map(textIn).filter((text) => text !== '') : []
}
