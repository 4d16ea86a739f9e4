import { expect, test } from 'bun:test'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { leastCpuMsOf } from '../../support/cpu.ts'
import { integrityFaults } from './integrity.ts'
import {
  compileCodes,
  compiled,
  composedPackage,
  linesOf,
  p,
  partText,
  tbl,
  tr,
  wordPackage,
  wordPart,
} from './word-package.ts'

const reference = (id: number, kind = 'footnote') => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`
const note = (id: number, text: string, kind = 'footnote') => `<w:${kind} w:id="${id}">${p(text)}</w:${kind}>`
const separators = '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'

test('a footnote in a loop becomes one note for every turn, filled with that turn’s data', () => {
  const footnotes = wordPart('footnotes', separators + note(1, 'plain {{/a}}') + note(2, 'on {{./n}}: {{@index}}'))
  const body = `${p('x').replace('</w:p>', `${reference(1)}</w:p>`) + p('{{#each /l}}')}<w:p>${reference(2)}</w:p>${p('{{#end}}')}`
  const bytes = wordPackage(body, { 'word/footnotes.xml': footnotes })
  const opened = composedPackage(bytes, { a: 'A', l: [{ n: 'one' }, { n: 'two' }] })
  expect(integrityFaults(opened)).toEqual([])
  const ids = [...partText(opened, 'word/document.xml').matchAll(/footnoteReference w:id="(\d+)"/g)]
  expect(ids.map((match) => match[1])).toEqual(['1', '3', '4'])
  const text = partText(opened, 'word/footnotes.xml')
  expect(linesOf(text)).toEqual(['', 'plain A', 'on one: 1', 'on two: 2'])
  expect(text).not.toContain('w:id="2"')
  expect(compiled(bytes).bindings.map(({ pointer, part }) => [pointer, part])).toContainEqual([
    '/l/*/n',
    'word/footnotes.xml',
  ])
  expect(compiled(bytes).findings).toEqual([])
  expect(integrityFaults(composedPackage(bytes, { a: 'A', l: [] }))).toEqual([])
})

test('a note without tags is copied too, with pictures and endnotes', () => {
  const endnotes = wordPart('endnotes', note(5, 'same', 'endnote') + note(6, '{{image /i}}', 'endnote'))
  const body = `${p('{{#each /l}}')}<w:p>${reference(5, 'endnote')}${reference(6, 'endnote')}</w:p>${p('{{#end}}')}`
  const i = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const opened = composedPackage(wordPackage(body, { 'word/endnotes.xml': endnotes }), { l: [1, 2], i })
  expect(integrityFaults(opened)).toEqual([])
  expect(partText(opened, 'word/endnotes.xml').match(/<w:endnote w:id="\d+"/g)).toEqual([
    '<w:endnote w:id="7"',
    '<w:endnote w:id="8"',
    '<w:endnote w:id="9"',
    '<w:endnote w:id="10"',
  ])
  expect(opened.relationships('word/endnotes.xml')).toHaveLength(1)
  expect(opened.relationships('word/document.xml').every(({ target }) => !target.includes('media'))).toBe(true)
})

const numbering = wordPart(
  'numbering',
  '<w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="5"/></w:lvl></w:abstractNum><w:num w:numId="9"><w:abstractNumId w:val="3"/></w:num>',
)
const item = (text: string) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="9"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const listIds = (source: string) => [...source.matchAll(/<w:numId w:val="(\d+)"/g)].map((match) => match[1])

test('numbered lists in a loop continue, or restart in every turn if asked to', () => {
  const loop = (word: string) =>
    wordPackage(item('before') + p(`{{#each /l${word}}}`) + item('{{.}}') + item('more') + p('{{#end}}'), {
      'word/numbering.xml': numbering,
    })
  const plain = composedPackage(loop(''), { l: [1, 2] })
  expect(listIds(partText(plain, 'word/document.xml'))).toEqual(['9', '9', '9', '9', '9'])
  expect(partText(plain, 'word/numbering.xml')).toBe(numbering)
  const restarted = composedPackage(loop(' restart'), { l: [1, 2] })
  expect(integrityFaults(restarted)).toEqual([])
  expect(listIds(partText(restarted, 'word/document.xml'))).toEqual(['9', '10', '10', '11', '11'])
  expect(partText(restarted, 'word/numbering.xml')).toContain(
    '<w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/>',
  )
})

test('inner loops continue counting within a turn of an outer loop that restarts', () => {
  const body = p('{{#each /l restart}}') + p('{{#each .}}') + item('{{.}}') + p('{{#end}}') + p('{{#end}}')
  const opened = composedPackage(wordPackage(body, { 'word/numbering.xml': numbering }), { l: [[1, 2], [3]] })
  expect(listIds(partText(opened, 'word/document.xml'))).toEqual(['10', '10', '11'])
})

test('a number from a paragraph’s style restarts as well', () => {
  const styles = wordPart(
    'styles',
    '<w:style w:type="paragraph" w:styleId="Base"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="9"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Item"><w:basedOn w:val="Base"/></w:style>',
  )
  const styled = '<w:p><w:pPr><w:pStyle w:val="Item"/><w:jc w:val="left"/></w:pPr><w:r><w:t>{{.}}</w:t></w:r></w:p>'
  const bytes = wordPackage(p('{{#each /l restart}}') + styled + p('{{#end}}'), {
    'word/numbering.xml': numbering,
    'word/styles.xml': styles,
  })
  const opened = composedPackage(bytes, { l: [1, 2] })
  expect(integrityFaults(opened)).toEqual([])
  expect(partText(opened, 'word/document.xml')).toContain(
    '<w:pStyle w:val="Item"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="10"/></w:numPr><w:jc w:val="left"/>',
  )
})

const packageUri = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...list: [id: string, word: string, target: string, external: boolean][]) =>
  `<Relationships xmlns="${packageUri}">${list
    .map(
      ([id, word, target, external]) =>
        `<Relationship Id="${id}" Type="${office}/${word}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

test('an attached template outside the document is removed and reported', () => {
  const bytes = wordPackage(p('no tags at all'), {
    'word/settings.xml': wordPart('settings', '<w:zoom w:percent="100"/><w:attachedTemplate r:id="rId1"/><w:compat/>'),
    'word/_rels/settings.xml.rels': relations(['rId1', 'attachedTemplate', 'https://x.org/evil.dotm', true]),
  })
  const opened = composedPackage(bytes, {})
  expect(integrityFaults(opened)).toEqual([])
  expect(partText(opened, 'word/settings.xml')).not.toContain('attachedTemplate')
  expect(partText(opened, 'word/_rels/settings.xml.rels')).not.toContain('x.org')
  expect(compiled(bytes).findings.map(({ code, severity }) => [code, severity])).toEqual([
    ['ooxml.external_target', 'warning'],
  ])
})

test('pictures that a reader would fetch are removed, and embedded ones stay', () => {
  const blip = (attributes: string) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="n"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip ${attributes}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const bytes = wordPackage(blip('r:embed="rId2" r:link="rId1"'), {
    'word/_rels/document.xml.rels': relations(
      ['rId1', 'image', 'https://x.org/p.png', true],
      ['rId2', 'image', 'media/a.png', false],
    ),
    'word/media/a.png': 'x',
  })
  const source = (part: string) => partText(composedPackage(bytes, {}), part)
  expect(source('word/document.xml')).toContain('<a:blip r:embed="rId2" />')
  expect(source('word/_rels/document.xml.rels')).not.toContain('x.org')
})

test('other external content and documents inside documents are refused', () => {
  const withRelation = (word: string, external: boolean) =>
    wordPackage(p('{{/a}}'), { 'word/_rels/document.xml.rels': relations(['rId1', word, 'x', external]) })
  expect(compileCodes(withRelation('video', true))).toContain('docx.foreign_content word/document.xml')
  expect(compileCodes(withRelation('subDocument', true))).toContain('docx.foreign_content word/document.xml')
  expect(compileCodes(withRelation('aFChunk', false))).toEqual(['docx.foreign_content word/document.xml'])
  const said = (word: string, external: boolean) =>
    compileTemplate(withRelation(word, external)).findings.find(({ code }) => code === 'docx.foreign_content')?.message
  expect(said('video', true)).toBe('word/document.xml takes in an external video, which a template may not.')
  expect(said('aFChunk', false)).toBe('word/document.xml takes in an embedded aFChunk, which a template may not.')
})

const section = (id: string) =>
  `<w:p><w:pPr><w:sectPr><w:pgSz w:w="${id}"/></w:sectPr></w:pPr><w:r><w:t>s${id}</w:t></w:r></w:p>`

test('a conditional section is removed with its break, and the last one leaves no empty page', () => {
  const final = '<w:sectPr><w:pgSz w:w="3"/></w:sectPr>'
  const source = (body: string, yes: boolean) =>
    partText(composedPackage(wordPackage(body), { yes }), 'word/document.xml').replace(
      /^.*<w:body>|<\/w:body>.*$/gs,
      '',
    )
  const middle = section('1') + p('{{#if /yes}}') + p('x') + section('2') + p('{{#end}}') + p('y') + final
  expect(source(middle, false)).toBe(section('1') + p('y') + final)
  expect(source(middle, true)).toBe(section('1') + p('x') + section('2') + p('y') + final)
  const last = section('1') + p('{{#if /yes}}') + p('x') + p('{{#end}}') + final
  expect(source(last, true)).toBe(section('1') + p('x') + final)
  expect(source(last, false)).toBe(
    '<w:p><w:pPr></w:pPr><w:r><w:t>s1</w:t></w:r></w:p><w:sectPr><w:pgSz w:w="1"/></w:sectPr>',
  )
  // Whatever looks like the end of a paragraph inside.
  for (const inside of ['a:p> b', '<w:drawing><a:p><a:r><a:t>b</a:t></a:r></a:p></w:drawing>']) {
    const written = section('1').replace('<w:t>s1</w:t>', `<w:t>${inside}</w:t>`)
    expect(source(last.replace(section('1'), written), false)).toBe(
      `<w:p><w:pPr></w:pPr><w:r><w:t>${inside}</w:t></w:r></w:p><w:sectPr><w:pgSz w:w="1"/></w:sectPr>`,
    )
  }
})

test('merged cells are kept when rows repeat', () => {
  const row =
    '<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>' +
    p('{{#each /l}}{{.}}') +
    '</w:tc><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>' +
    p('a{{#end}}') +
    '</w:tc></w:tr>'
  const source = partText(
    composedPackage(wordPackage(tbl(row, tr('x', 'y', 'z'))), { l: [1, 2, 3] }),
    'word/document.xml',
  )
  expect(source.match(/<w:vMerge w:val="restart"\/>/g)).toHaveLength(3)
  expect(source.match(/<w:gridSpan w:val="2"\/>/g)).toHaveLength(3)
})

test('thousands of tags, each in its own run or in a loop, compile in time proportional to their number', () => {
  const time = (body: string) => {
    const bytes = wordPackage(body)
    return leastCpuMsOf(() => expect(composeTemplate(compiled(bytes), { a: 'x', l: [1] }).ok).toBe(true))
  }
  const shapes: [string, (count: number) => string][] = [
    ['runs', (count) => p(...Array.from({ length: count }, () => '{{/a}}'))],
    ['inline loops', (count) => p(...Array.from({ length: count }, () => '{{#each /l}}x{{#end}}'))],
    ['paragraph loops', (count) => (p('{{#each /l}}') + p('x') + p('{{#end}}')).repeat(count)],
    ['rows', (count) => tbl(...Array.from({ length: count }, () => tr('{{#each /l}}{{.}}', '{{#end}}')))],
    [
      'fields',
      (count) =>
        `<w:p>${'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'.repeat(count)}</w:p>${p('{{#if /a}}x{{#end}}').repeat(count)}`,
    ],
  ]
  for (const [name, shape] of shapes) {
    time(shape(500))
    const small = Math.max(5, time(shape(600)))
    const large = time(shape(3_600))
    expect([name, large / small < 18 || large < 500]).toEqual([name, true])
  }
}, 60_000)
