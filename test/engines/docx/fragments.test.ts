import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { newestReading } from '../../../src/core/reading.ts'
import { compileTemplate, composeTemplate, type Fragments } from '../../../src/engines/docx/docx.ts'
import { withSurroundings } from '../../../src/engines/docx/surroundings.ts'
import { type OoxmlPackage, openPackage } from '../../../src/engines/ooxml/package.ts'
import { integrityFaults } from './integrity.ts'
import { linesOf, p, partText, tbl, tr, wordPackage, wordPart } from './word-package.ts'

const style = (id: string, content: string, name = id) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/>${content}</w:style>`
const normal = '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
const styled = (id: string, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const listed = (text: string) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const lists = (text: string) =>
  `<w:abstractNum w:abstractNumId="0"><w:nsid w:val="0000000A"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
const noted = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`
const notes = (text: string) => wordPart('footnotes', `<w:footnote w:id="2">${p(text)}</w:footnote>`)
const marked = (name: string) =>
  `<w:p><w:bookmarkStart w:id="5" w:name="${name}"/><w:r><w:t>marked</w:t></w:r><w:bookmarkEnd w:id="5"/><w:hyperlink w:anchor="${name}"><w:r><w:t> see</w:t></w:r></w:hyperlink></w:p>`

function linked(body: string, fragments: Fragments, parts: Record<string, string> = {}) {
  return compileTemplate(wordPackage(body, parts), newestReading, fragments)
}

function composed(
  body: string,
  fragments: Fragments,
  data: JsonValue,
  parts: Record<string, string> = {},
): OoxmlPackage {
  const template = linked(body, fragments, parts)
  if (!template.ok) throw new Error(JSON.stringify(template.findings))
  const document = composeTemplate(template.value, data)
  const opened = document.ok ? openPackage(document.value) : document
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  expect(integrityFaults(opened.value)).toEqual([])
  return opened.value
}

function open(bytes: Uint8Array): OoxmlPackage {
  const opened = openPackage(bytes)
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  return opened.value
}

const documentOf = (opened: OoxmlPackage) => partText(opened, 'word/document.xml')
const clause = (body: string, parts: Record<string, string> = {}) => new Map([['clause', wordPackage(body, parts)]])
const problems = (outcome: ReturnType<typeof linked>) => outcome.findings.map(({ code, path }) => `${code} ${path}`)

describe('an included template', () => {
  test('has no ids of its paragraphs, which those of the template could have too', () => {
    const body = '<w:p w14:paraId="0A1B2C3D" w14:textId="77777777" w:rsidR="1"><w:r><w:t>Clause</w:t></w:r></w:p>'
    const source = documentOf(composed(p('{{> clause}}'), clause(body), {}))
    expect(source).toContain('Clause')
    expect(source).toContain('w:rsidR="1"')
    expect(source).not.toMatch(/paraId|textId/)
  })

  test('may have a comment over whole paragraphs, whatever prefixes it declares', () => {
    const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const mark = (end: string) => `<w:commentRange${end} w:id="1"/>`
    const body = `${mark('Start')}<w:p><w:r><w:t>Clause</w:t></w:r></w:p>${mark('End')}`
    const document = `<w:document xmlns:w="${w}" xmlns="urn:other"><w:body>${body}</w:body></w:document>`
    const source = documentOf(composed(p('{{> clause}}'), clause('', { 'word/document.xml': document }), {}))
    expect(linesOf(source)).toEqual(['Clause'])
    expect(source).not.toContain('comment')
  })

  test('declares its own namespaces where its text goes, and as ignorable only what it calls so', () => {
    const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
    const root = (more: string, body: string) =>
      `<w:document xmlns:w="${w}"${more}><w:body>${body}</w:body></w:document>`
    const rootOf = (more: string, own = '') => {
      const fragment = wordPackage('', {
        'word/document.xml': root(` xmlns:q="urn:q"${more}`, '<w:p q:mark="1"><w:r><w:t>Clause</w:t></w:r></w:p>'),
      })
      const parts = { 'word/document.xml': root(own, p('{{> clause}}')) }
      const source = documentOf(composed('', new Map([['clause', fragment]]), {}, parts))
      expect(source).toContain('q:mark="1"')
      return /<w:document[^>]*>/.exec(source)?.[0]
    }
    expect(rootOf('')).toBe(`<w:document xmlns:w="${w}" xmlns:q="urn:q">`)
    const ignorable = ` xmlns:mc="${compatibility}" mc:Ignorable="q"`
    expect(rootOf(ignorable)).toBe(
      `<w:document xmlns:w="${w}" mc:Ignorable="q" xmlns:q="urn:q" xmlns:mc="${compatibility}">`,
    )
    const own = ` xmlns:x="urn:x" xmlns:m="${compatibility}" m:Ignorable="x"`
    expect(rootOf(ignorable, own)).toBe(
      `<w:document xmlns:w="${w}" xmlns:x="urn:x" xmlns:m="${compatibility}" m:Ignorable="x q" xmlns:q="urn:q" xmlns:mc="${compatibility}">`,
    )
  })

  test('leaves each tag and binding the place that it has in its own file', () => {
    const outcome = linked(p('{{/a}}') + p('{{> clause}}') + p('x {{/b}}'), clause(p('one') + p('{{/c}}')))
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
    const { tags, bindings } = outcome.value
    const places = (all: readonly { part: string; paragraph: number; position: number }[]) =>
      all.map(({ part, paragraph, position }) => `${part}#${paragraph}:${position}`)
    const own = ['word/document.xml#1:0', 'clause>word/document.xml#2:0', 'word/document.xml#3:2']
    expect(places(tags)).toEqual(own)
    expect(places(bindings)).toEqual(own)
  })

  test('gives its text in the place of its tag: in the body, in blocks, in cells and headers', () => {
    const header = wordPart('hdr', p('{{> clause}}'))
    const sectioned = '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    const relations =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="h" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/header" Target="header1.xml"/></Relationships>'
    const body =
      p('Before') +
      p('{{#if /yes}}') +
      p('{{', '> cla', 'use }}') +
      p('{{#end}}') +
      p('{{#if /no}}') +
      p('{{> clause}}') +
      p('{{#end}}') +
      tbl(tr('cell', p('{{> clause}}'))) +
      p('After') +
      sectioned
    const parts = { 'word/header1.xml': header, 'word/_rels/document.xml.rels': relations }
    const opened = composed(
      body,
      clause(p('Dear {{/name}}') + p('again')),
      { yes: true, no: false, name: 'Ada' },
      parts,
    )
    expect(linesOf(documentOf(opened))).toEqual(['Before', 'Dear Ada', 'again', 'cell', 'Dear Ada', 'again', 'After'])
    expect(linesOf(partText(opened, 'word/header1.xml'))).toEqual(['Dear Ada', 'again'])
  })

  test('may include others, and leaves a paragraph where Word wants one', () => {
    const fragments = new Map([
      ['outer', wordPackage(tbl(tr('a')) + p('{{> inner}}'))],
      ['inner', wordPackage(tbl(tr('b')))],
    ])
    const document = documentOf(composed(tbl(tr(p('{{> outer}}'))) + p('{{> inner}}'), fragments, {}))
    // No two tables touch, and the cell and the body end with paragraphs.
    expect(
      document.replace(/<w:(p|tbl)\b[^>]*?\/>/g, '<$1>').match(/<\/w:tbl>(?:<\/w:tbl>|<w:tbl>|<\/w:tc>|<\/w:body>)/),
    ).toBeNull()
    expect(document.match(/<w:tbl>/g)?.length).toBe(4)
  })

  test('shares styles that are defined alike, and has others under names of their own', () => {
    const own = wordPart(
      'styles',
      normal + style('Same', '<w:rPr><w:b/></w:rPr>') + style('Other', '<w:rPr><w:i/></w:rPr>'),
    )
    const foreign = wordPart(
      'styles',
      normal +
        style('Same', '<w:rPr><w:b/></w:rPr>') +
        style('Other', '<w:rPr><w:u w:val="single"/></w:rPr>') +
        style('New', ''),
    )
    const body = styled('Same', 'same') + styled('Other', 'other') + styled('New', 'new') + styled('Normal', 'plain')
    const opened = composed(
      styled('Other', 'own') + p('{{> clause}}') + p('{{> clause}}'),
      clause(body, { 'word/styles.xml': foreign }),
      {},
      { 'word/styles.xml': own },
    )
    const used = [...documentOf(opened).matchAll(/w:pStyle w:val="([^"]*)"/g)].map(([, id]) => id)
    const included = ['Same', 'Other-clause', 'New', 'Normal']
    expect(used).toEqual(['Other', ...included, ...included])
    const styles = partText(opened, 'word/styles.xml')
    expect([...styles.matchAll(/w:styleId="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      ...['Normal', 'Same', 'Other', 'Other-clause', 'New'],
    ])
    expect(styles).toContain('<w:name w:val="Other (clause)"/>')
    // Names may be taken, too.
    const taken = style('Older', '', 'Other (clause)')
    const again = composed(
      p('{{> clause}}'),
      clause(styled('Other', 'other'), { 'word/styles.xml': foreign }),
      {},
      { 'word/styles.xml': own.replace('</w:styles>', `${taken}</w:styles>`) },
    )
    expect(partText(again, 'word/styles.xml')).toContain('<w:name w:val="Other (clause 2)"/>')
  })

  test('counts its lists for itself each time, and brings notes, bookmarks and their links', () => {
    const parts = {
      'word/numbering.xml': wordPart('numbering', lists('%1)')),
      'word/footnotes.xml': notes('note of {{/name}}'),
    }
    const body = listed('one') + noted('text') + marked('Terms')
    const own = { 'word/numbering.xml': wordPart('numbering', lists('%1.')), 'word/footnotes.xml': notes('own note') }
    const opened = composed(
      `${listed('mine')}${noted('own')}${p('{{> clause}}')}${p('{{> clause}}')}${listed('mine too')}`,
      clause(body, parts),
      { name: 'Ada' },
      own,
    )
    const document = documentOf(opened)
    expect([...document.matchAll(/w:numId w:val="(\d+)"/g)].map(([, id]) => id)).toEqual(['1', '2', '3', '1'])
    expect([...document.matchAll(/footnoteReference w:id="(\d+)"/g)].map(([, id]) => id)).toEqual(['2', '3', '4'])
    expect(linesOf(partText(opened, 'word/footnotes.xml'))).toEqual(['own note', 'note of Ada', 'note of Ada'])
    expect([...document.matchAll(/w:name="([^"]*)"|w:anchor="([^"]*)"/g)].map(([, name, to]) => name ?? to)).toEqual([
      ...['Terms', 'Terms', 'Terms_2', 'Terms_2'],
    ])
    // Without notes and lists of its own, the template gets both.
    const bare = composed(p('{{> clause}}'), clause(body, parts), { name: 'Ada' })
    expect(bare.parts.filter((part) => /numbering|footnotes/.test(part))).toEqual([
      ...['word/footnotes.xml', 'word/numbering.xml'],
    ])
  })

  test('leaves every part of the template its own text, whichever parts gain some', () => {
    const endnotes = (...texts: string[]) =>
      texts.map((text, index) => `<w:endnote w:id="${index + 2}">${p(text)}</w:endnote>`).join('')
    const cited = '<w:p><w:r><w:t>cited</w:t></w:r><w:r><w:endnoteReference w:id="2"/></w:r></w:p>'
    const fragments = new Map([
      ['plain', wordPackage(p('of {{/name}}'))],
      ['noted', wordPackage(noted('noted'), { 'word/footnotes.xml': notes('a foot') })],
      ['cited', wordPackage(cited, { 'word/endnotes.xml': wordPart('endnotes', endnotes('an end')) })],
    ])
    const relation = (name: string) =>
      `<Relationship Id="r-${name}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}" Target="${name}1.xml"/>`
    const notesRelation = relation('footnotes').replace('footnotes1.xml', 'footnotes.xml')
    const own = {
      'word/header1.xml': wordPart('hdr', p('head') + p('{{> plain}}') + p('tail')),
      'word/footer1.xml': wordPart('ftr', p('foot')),
      'word/footnotes.xml': notes('own foot'),
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('header')}${relation('footer')}${notesRelation}</Relationships>`,
    }
    const body = noted('first') + p('{{> plain}}') + p('{{> noted}}') + p('{{> cited}}') + p('last')
    const opened = composed(body, fragments, { name: 'Ada' }, own)
    const textOf = (part: string) => linesOf(partText(opened, `word/${part}.xml`))
    expect(textOf('document')).toEqual(['first', 'of Ada', 'noted', 'cited', 'last'])
    expect(textOf('header1')).toEqual(['head', 'of Ada', 'tail'])
    expect(partText(opened, 'word/footer1.xml')).toBe(own['word/footer1.xml'])
    expect(textOf('footnotes')).toEqual(['own foot', 'a foot'])
    expect(textOf('endnotes')).toEqual(['an end'])
  })

  test('has copies of its lists that Word takes for lists of their own, and only that of a style is bound to it', () => {
    const item =
      '<w:style w:type="paragraph" w:styleId="Item"><w:name w:val="Item"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    const head = '<w:multiLevelType w:val="multilevel"/><w:tmpl w:val="00000001"/>'
    const level = (bound: string, picture: string) =>
      `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>${bound}<w:lvlText w:val="%1"/>${picture}</w:lvl>`
    const bound = '<w:pStyle w:val="Item"/>'
    const names = '<w:name w:val="Outline"/><w:styleLink w:val="Item"/>'
    const numbering = wordPart(
      'numbering',
      `<w:numPicBullet w:numPicBulletId="0"/><w:abstractNum w:abstractNumId="0"><w:nsid w:val="0000000A"/>${head}${names}${level(bound, '<w:lvlPicBulletId w:val="0"/>')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
    )
    const parts = { 'word/styles.xml': wordPart('styles', normal + item), 'word/numbering.xml': numbering }
    const opened = composed(p('{{> clause}}') + p('{{> clause}}'), clause(styled('Item', 'a') + listed('b'), parts), {})
    const made = partText(opened, 'word/numbering.xml')
    const copies = [
      ...made.matchAll(/<w:abstractNum w:abstractNumId="(\d+)"><w:nsid w:val="(\w+)"\/>(.*?)<\/w:abstractNum>/g),
    ]
    // That of the style, and one for each time that it is included.
    expect(copies.map(([, id, , rest]) => [id, rest])).toEqual([
      ['1', head + level(bound, '')],
      ['2', head + level('', '')],
      ['3', head + level('', '')],
    ])
    expect(new Set([...copies.map(([, , nsid]) => nsid), '0000000A']).size).toBe(4)
    for (const [, , nsid] of copies) expect(nsid).toMatch(/^[0-9A-F]{8}$/)
    expect([...documentOf(opened).matchAll(/w:numId w:val="(\d+)"/g)].map(([, id]) => id)).toEqual(['2', '3'])
  })

  test('has its own pictures, links and prefixes, however another one names its own', () => {
    const relations = (target: string) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/image1.png"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${target}" TargetMode="External"/></Relationships>`
    const body =
      '<w:p q:mark="1"><w:hyperlink r:id="r2"><w:r><w:drawing><wp:inline><wp:docPr id="1" name="a"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="r1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:hyperlink></w:p>'
    const file = (name: string) =>
      wordPackage('', {
        'word/document.xml': partText(open(wordPackage(body.replace(' q:mark="1"', ''))), 'word/document.xml')
          .replace('<w:p>', '<w:p q:mark="1">')
          .replace('<w:document ', `<w:document xmlns:q="urn:${name}" `),
        'word/_rels/document.xml.rels': relations(`https://${name}.org/`),
        'word/media/image1.png': name,
      })
    const fragments = new Map(['one', 'two'].map((name) => [name, file(name)]))
    const opened = composed(p('{{> one}}') + p('{{> two}}') + p('{{> one}}'), fragments, {})
    const source = documentOf(opened)
    const targets = new Map(opened.relationships('word/document.xml').map(({ id, target }) => [id, target]))
    const led = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, id = '']) => targets.get(id) ?? '')
    const files = led(/r:embed="([^"]*)"/g).map((part) => {
      const bytes = opened.readBytes(part)
      return bytes.ok ? new TextDecoder().decode(bytes.value) : ''
    })
    expect(files).toEqual(['one', 'two', 'one'])
    expect(led(/<w:hyperlink r:id="([^"]*)"/g)).toEqual(['https://one.org/', 'https://two.org/', 'https://one.org/'])
    expect(new Set(source.match(/docPr id="\d+"/g)).size).toBe(3)
    const marks = [...source.matchAll(/<w:p( xmlns:q="[^"]*")? q:mark/g)].map(([, declared]) => declared)
    expect([/<w:document [^>]*xmlns:q="urn:one"/.test(source), ...marks]).toEqual([
      true,
      undefined,
      ' xmlns:q="urn:two"',
      undefined,
    ])
  })

  test('brings all that its parts refer to, and links out of the package as they are', () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const relations = (inside: string) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`
    const body =
      '<w:p><w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="r1"/></w:drawing></w:r></w:p>'
    const file = wordPackage(body, {
      'word/_rels/document.xml.rels': relations(
        `<Relationship Id="r1" Type="${office}/chart" Target="charts/chart1.xml"/>`,
      ),
      'word/charts/chart1.xml': '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/>',
      'word/charts/_rels/chart1.xml.rels': relations(
        `<Relationship Id="a" Type="${office}/package" Target="../embeddings/book.bin"/><Relationship Id="b" Type="${office}/hyperlink" Target="https://figures.org/" TargetMode="External"/>`,
      ),
      'word/embeddings/book.bin': 'a book',
    })
    const opened = composed(p('{{> one}}'), new Map([['one', file]]), {})
    const [chart] = opened.relationships('word/document.xml').filter(({ type }) => type === `${office}/chart`)
    const related = opened.relationships(chart?.target ?? '')
    const book = opened.readBytes(related.find(({ id }) => id === 'a')?.target ?? '')
    expect(book.ok && new TextDecoder().decode(book.value)).toBe('a book')
    expect(related.find(({ id }) => id === 'b')).toMatchObject({ target: 'https://figures.org/', external: true })
  })

  test.each(['1', 'true', 'on', 'false'])(
    'takes text without a style of its own for that of the template (w:default="%s")',
    (said) => {
      const plain = (id: string, content: string) =>
        `<w:style w:type="paragraph" w:default="${said}" w:styleId="${id}"><w:name w:val="${id}"/>${content}</w:style>`
      const parts = { 'word/styles.xml': wordPart('styles', plain('Standard', '<w:rPr><w:i/></w:rPr>')) }
      const own = { 'word/styles.xml': wordPart('styles', plain('Normal', '<w:rPr><w:b/></w:rPr>')) }
      const opened = composed(p('{{> clause}}'), clause(styled('Standard', 'x'), parts), {}, own)
      expect(/w:pStyle w:val="([^"]*)"/.exec(documentOf(opened))?.[1]).toBe(said === 'false' ? 'Standard' : 'Normal')
    },
  )

  test('is named by a slug with blanks of any kind around it', () => {
    const opened = composed(p('{{>\u00a0clause\u00a0}}'), clause(p('x')), {})
    expect(linesOf(documentOf(opened))).toEqual(['x'])
    expect(problems(linked(p('{{>cla\u00a0use}}'), clause(p('x'))))).toEqual(['docx.unknown_tag word/document.xml#1:0'])
  })

  test('makes the same bytes whenever it is linked', () => {
    const fragments = clause(styled('New', '{{/name}}'), { 'word/styles.xml': wordPart('styles', style('New', '')) })
    const made = [1, 2].map(() => {
      const template = linked(p('{{> clause}}'), fragments)
      return template.ok ? composeTemplate(template.value, { name: 'Ada' }) : template
    })
    expect(made.map((one) => one.ok && Buffer.from(one.value).toString('base64'))).toEqual([
      ...[1, 2].map(() => (made[0]?.ok ? Buffer.from(made[0].value).toString('base64') : '')),
    ])
  })
})

describe('findings about included templates', () => {
  test('have their place in the file that has the tag', () => {
    const fragments = clause(p('fine') + p('Dear {{name}}'))
    const bytes = wordPackage(p('Before') + p('{{> clause}}') + p('{{other}}'))
    const template = compileTemplate(bytes, newestReading, fragments)
    expect(problems(template)).toEqual([
      'docx.unknown_tag clause>word/document.xml#2:5',
      'docx.unknown_tag word/document.xml#3:0',
    ])
    expect(withSurroundings(bytes, template.findings, fragments)[0]?.near).toEqual({
      template: 'clause',
      words: 'fine ¶ Dear {{name}}',
    })
    const filled = linked(p('{{> clause}}'), clause(p('one') + p('{{/missing}}')))
    const refused = filled.ok ? composeTemplate(filled.value, {}) : filled
    expect(refused.findings.map(({ path }) => path)).toEqual(['clause>word/document.xml#2:0'])
  })

  test('name what is missing, circles with their chain, and what nests too deeply', () => {
    expect(problems(linked(p('x') + p('{{> clause}}'), new Map()))).toEqual([
      'docx.fragment_missing word/document.xml#2:0',
    ])
    const circle = new Map([
      ['one', wordPackage(p('{{> two}}'))],
      ['two', wordPackage(p('{{> one}}'))],
    ])
    const turned = linked(p('{{> one}}'), circle)
    expect(turned.findings[0]?.message).toContain('one → two → one')
    const deep = new Map(
      Array.from({ length: limits.fragmentDepth + 1 }, (_, index) => [
        `f${index}`,
        wordPackage(p(`{{> f${index + 1}}}`)),
      ]),
    )
    expect(problems(linked(p('{{> f0}}'), deep))).toEqual([
      `docx.fragment_depth f${limits.fragmentDepth - 1}>word/document.xml#1:0`,
    ])
    const many = p('{{> clause}}').repeat(limits.fragmentInclusions + 1)
    expect(problems(linked(many, clause(p('x'))))[0]).toStartWith('docx.fragment_count')
  })

  test('say what keeps a file from being included', () => {
    const told = (file: Uint8Array) => {
      const [finding] = linked(p('{{> clause}}'), new Map([['clause', file]])).findings
      return [finding?.code, finding?.message.replace(/^The template "clause" can't be included: /, '')]
    }
    expect(told(wordPackage('<w:p><x:y/></w:p>'))).toEqual(['docx.fragment_unusable', 'The prefix x is not declared.'])
    expect(told(wordPackage('', { 'word/document.xml': '<w:document xmlns:w="urn:w"/>' }))).toEqual([
      'docx.fragment_unusable',
      'it has no text.',
    ])
    expect(told(new TextEncoder().encode('none'))[0]).toBe('docx.fragment_unusable')
  })

  test('refuse sections, notes in headers, and tags that stand where none can be followed', () => {
    const section = '<w:p><w:pPr><w:sectPr/></w:pPr></w:p>'
    expect(problems(linked(p('{{> clause}}'), clause(section + p('x'))))).toEqual([
      'docx.fragment_content word/document.xml#1:0',
    ])
    expect(problems(linked(p('Text {{> clause}}'), clause(p('x'))))).toEqual(['docx.misplaced word/document.xml#1:5'])
    const { findings } = linked(p('{{> Liability clause}}'), new Map())
    expect(findings[0]?.hint).toBe('Write {{> liability-clause}} with the slug of the template that is included.')
  })

  test('are none while a template is checked by itself, which can then not be filled', () => {
    const template = compileTemplate(wordPackage(p('{{/name}}') + p('{{> clause}}')))
    if (!template.ok) throw new Error('it was refused')
    expect(template.value.fragments).toEqual([{ slug: 'clause', path: 'word/document.xml#2:0' }])
    expect(template.value.bindings.map(({ pointer }) => pointer)).toEqual(['/name'])
    expect(
      composeTemplate(template.value, { name: 'Ada' }).findings.map(({ code, path }) => `${code} ${path}`),
    ).toEqual(['docx.fragment_missing word/document.xml#2:0'])
  })

  test('are none about tags in comments of several paragraphs', () => {
    const template = linked(p('{{!-- later:') + p('{{> clause}}') + p('--}}') + p('text'), new Map())
    expect(problems(template)).toEqual([])
  })
})
