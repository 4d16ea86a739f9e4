import { describe, expect, test } from 'bun:test'
import { Document, ExternalHyperlink, Packer, Paragraph, TextRun } from 'docx'
import { relationshipType } from '../../../src/engines/ooxml/namespaces.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { resolveTarget } from '../../../src/engines/ooxml/targets.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const uri = 'http://schemas.openxmlformats.org/package/2006'
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'

function packed(
  options: { type?: string; relations?: string; parts?: Record<string, string>; overrides?: string } = {},
): Uint8Array {
  const texts = {
    '[Content_Types].xml': `<Types xmlns="${uri}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${options.type ?? wordType}"/>${options.overrides ?? ''}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${uri}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="/Word/document.xml"/></Relationships>`,
    'word/document.xml': '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>',
    'word/_rels/document.xml.rels': `<Relationships xmlns="${uri}/relationships">${options.relations ?? ''}</Relationships>`,
    ...options.parts,
  }
  return writeZip(Object.entries(texts).map(([name, text]) => ({ name, data: new TextEncoder().encode(text) })))
}

function codesOf(bytes: Uint8Array): string[] {
  return openPackage(bytes).findings.map(({ code, severity }) => `${severity} ${code}`)
}

test('a document of the docx package opens with parts, types and relationships', async () => {
  const link = new ExternalHyperlink({ link: 'https://example.org/', children: [new TextRun('x')] })
  const bytes = await Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph({ children: [link] })] }] }))
  const opened = openPackage(new Uint8Array(bytes))
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  expect(opened.findings).toEqual([])
  expect(opened.value.mainPart).toBe('word/document.xml')
  const relations = opened.value.relationships('word/document.xml')
  expect(relations.find(({ type }) => type === relationshipType('styles'))?.target).toBe('word/styles.xml')
  expect(relations.find(({ external }) => external)).toMatchObject({
    target: 'https://example.org/',
    type: relationshipType('hyperlink'),
  })
  const root = opened.value.readXml('word/document.xml')
  expect(root.ok && root.value.name).toBe('w:document')
})

test('part names are found in any spelling, and relationship types of strict documents are the usual ones', () => {
  const strict = `<Relationship Id="r2" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/image" Target="../media/%C3%BC.png"/>`
  const opened = openPackage(packed({ relations: strict }))
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  expect(opened.value.readBytes('WORD/Document.xml').ok).toBe(true)
  expect(opened.value.relationships('word/document.xml')[0]).toMatchObject({
    type: relationshipType('image'),
    target: 'media/ü.png',
  })
  expect(opened.value.readBytes('word/none.xml').ok).toBe(false)
})

test('macros, controls and embedded objects are refused', () => {
  expect(codesOf(packed({ type: 'application/vnd.ms-word.document.macroEnabled.main+xml' }))).toContain(
    'error ooxml.active_content',
  )
  for (const word of ['vbaProject', 'oleObject', 'control']) {
    expect(codesOf(packed({ relations: `<Relationship Id="r" Type="${office}/${word}" Target="x.bin"/>` }))).toContain(
      'error ooxml.active_content',
    )
  }
  const override = '<Override PartName="/word/vbaProject.bin" ContentType="application/vnd.ms-office.vbaProject"/>'
  expect(codesOf(packed({ overrides: override, parts: { 'word/vbaProject.bin': 'x' } }))).toContain(
    'error ooxml.active_content',
  )
})

test('a field that starts programs is found in a part of many megabytes, in its body and beside it', () => {
  const field = '<w:fldSimple w:instr="DDE x"/>'
  const figures = Array.from({ length: 40 }, (_, at) => (at * 7_919) ** 3).join(' instr ')
  const filler = Array.from({ length: 8_000 }, (_, at) => `<w:p><w:r><w:t>${at ** 3} ${figures}</w:t></w:r></w:p>`)
  const document = (body: string, beside = '') => {
    const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const xml = `<w:document xmlns:w="${space}"><w:body>${body}</w:body>${beside}</w:document>`
    return packed({ parts: { 'word/document.xml': xml } })
  }
  const content = filler.join('')
  expect(content.length).toBeGreaterThan(4_194_304)
  const inside = openPackage(document(`${content}<w:p>${field}</w:p>`))
  expect(inside.findings.map(({ code, path }) => `${code} ${path}`)).toEqual(['ooxml.dde word/document.xml#8001:0'])
  expect(codesOf(document(content, `<w:p>${field}</w:p>`))).toEqual(['error ooxml.dde'])
}, 60_000)

test('external targets are warned of, except links a reader clicks', () => {
  const external = (word: string) =>
    packed({ relations: `<Relationship Id="r" Type="${office}/${word}" Target="http://x/" TargetMode="External"/>` })
  expect(codesOf(external('attachedTemplate'))).toEqual(['warning ooxml.external_target'])
  expect(codesOf(external('image'))).toEqual(['warning ooxml.external_target'])
  expect(codesOf(external('hyperlink'))).toEqual([])
})

test('a file that is not a Word document is refused', () => {
  expect(codesOf(new TextEncoder().encode('x'))).toEqual(['error zip.not_a_zip'])
  expect(codesOf(writeZip([{ name: 'a', data: new Uint8Array(1) }]))).toEqual(['error ooxml.no_content_types'])
  expect(codesOf(packed({ type: 'application/xml' }))).toEqual(['error ooxml.not_word'])
})

describe('a part is found', () => {
  const types = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`
  const encode = (text: string) => new TextEncoder().encode(text)

  /** A package whose main part has these names, and a picture beside it. */
  function named(names: { archive: string; target: string; typed: string; type?: string; rels?: string }): Uint8Array {
    const [, folder = '', file = ''] = /^(.*)\/(.*)$/.exec(names.archive) ?? []
    const relation = (word: string, target: string) =>
      `<Relationships xmlns="${uri}/relationships"><Relationship Id="r1" Type="${office}/${word}" Target="${target}"/></Relationships>`
    return writeZip([
      {
        name: '[Content_Types].xml',
        data: encode(
          `<Types xmlns="${uri}/content-types">${types}<Override PartName="${names.typed}" ContentType="${names.type ?? wordType}"/></Types>`,
        ),
      },
      { name: '_rels/.rels', data: encode(relation('officeDocument', names.target)) },
      { name: names.archive, data: encode('<a/>') },
      { name: names.rels ?? `${folder}/_rels/${file}.rels`, data: encode(relation('image', 'my%20media/a.png')) },
      { name: `${folder}/my%20media/a.png`, data: encode('png') },
    ])
  }

  const encoded = 'word/d%C3%B6c.xml'
  const plain = 'word/döc.xml'
  test.each([
    ['percent-encoded everywhere', { archive: encoded, target: encoded, typed: `/${encoded}` }],
    ['percent-encoded outside the archive', { archive: plain, target: encoded, typed: `/${encoded}` }],
    ['percent-encoded in the archive alone', { archive: encoded, target: plain, typed: `/${plain}` }],
    ['percent-encoded in content types alone', { archive: plain, target: plain, typed: `/${encoded}` }],
    ['by a relative target with a fragment', { archive: plain, target: `./x/../${plain}#a`, typed: `/${plain}` }],
    ['by an absolute target in another case', { archive: plain, target: '/Word/DÖC.XML', typed: '/WORD/döc.XML' }],
    ['by a target with backslashes', { archive: plain, target: 'word\\döc.xml', typed: `/${plain}` }],
    [
      'with a type in another case',
      { archive: plain, target: plain, typed: `/${plain}`, type: wordType.toUpperCase() },
    ],
    [
      'in a folder that is percent-encoded',
      { archive: 'my%20word/d.xml', target: 'my%20word/d.xml', typed: '/my%20word/d.xml' },
    ],
    [
      'with relationships spelled in another way',
      { archive: plain, target: plain, typed: `/${plain}`, rels: 'word/_rels/d%C3%B6c.xml.rels' },
    ],
  ])('%s', (_, names) => {
    const opened = openPackage(named(names))
    if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
    const { value } = opened
    expect(value.mainPart).toBe(names.archive)
    expect(value.contentType(value.mainPart)?.toLowerCase()).toBe(wordType)
    expect(value.readXml(value.mainPart).ok).toBe(true)
    const [image] = value.relationships(value.mainPart)
    expect(image?.target).toEndWith('/my%20media/a.png')
    expect(value.readBytes(image?.target ?? '').ok).toBe(true)
  })

  test('under its exact name, where another has that name percent-encoded', () => {
    const parts = { 'word/a%62.xml': '<encoded/>', 'word/ab.xml': '<exact/>' }
    const opened = openPackage(packed({ parts }))
    const nameOf = (part: string) => {
      const root = opened.ok ? opened.value.readXml(part) : undefined
      return root?.ok ? root.value.name : undefined
    }
    expect([nameOf('word/ab.xml'), nameOf('word/a%62.xml')]).toEqual(['exact', 'encoded'])
  })
})

test('targets never leave the package', () => {
  expect(resolveTarget('../../../etc/passwd', 'word')).toBe('etc/passwd')
  expect(resolveTarget('/word/a.xml', 'word')).toBe('word/a.xml')
  expect(resolveTarget('media/a.png', 'word')).toBe('word/media/a.png')
})

test('targets are resolved against the folder of their part, decoded once and without their fragment', () => {
  for (const [target, folder, resolved] of [
    ['a.xml', '', 'a.xml'],
    ['./a.xml', 'word', 'word/a.xml'],
    ['../a.xml', 'word', 'a.xml'],
    ['../../a.xml', 'word/x', 'a.xml'],
    ['b//c.xml', 'word', 'word/b/c.xml'],
    ['a.xml#mark', 'word', 'word/a.xml'],
    ['%61%2561.xml', 'word', 'word/a%61.xml'],
    ['%zz.xml', 'word', 'word/%zz.xml'],
    ['/%2e%2e/a.xml', 'word', 'a.xml'],
    ['media\\a.png', 'word', 'word/media/a.png'],
  ] as const) {
    expect([target, resolveTarget(target, folder)]).toEqual([target, resolved])
  }
})

test.each([
  ['wordVbaData', 'a macro project'],
  ['vbaProject', 'a macro project'],
  ['oleObject', 'an OLE object'],
  ['control', 'an ActiveX control'],
  ['activeXControlBinary', 'an ActiveX control'],
  ['attachedToolbars', 'a toolbar with macros'],
])('a relationship to %s is refused as %s', (word, what) => {
  const opened = openPackage(packed({ relations: `<Relationship Id="r" Type="${office}/${word}" Target="x.bin"/>` }))
  expect(opened.findings.map(({ code, message, path }) => [code, message, path])).toEqual([
    ['ooxml.active_content', `word/document.xml refers to ${what}.`, 'word/document.xml'],
  ])
})

test('a relationship named like an object’s member is an ordinary one', () => {
  expect(codesOf(packed({ relations: `<Relationship Id="r" Type="${office}/constructor" Target="x.bin"/>` }))).toEqual(
    [],
  )
})

test.each(['macroEnabled', 'vbaProject', 'vbaData', 'activeX', 'oleObject'])(
  'a part of the type %s is refused',
  (word) => {
    const overrides = `<Override PartName="/word/x.bin" ContentType="application/vnd.ms-${word}+xml"/>`
    expect(codesOf(packed({ overrides, parts: { 'word/x.bin': 'x' } }))).toEqual(['error ooxml.active_content'])
  },
)

test('templates and documents are Word documents, and other Office files are not', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
  expect(codesOf(packed({ type: `${word}.document.main+xml` }))).toEqual([])
  expect(codesOf(packed({ type: `${word}.template.main+xml` }))).toEqual([])
  expect(codesOf(packed({ type: `${word}.styles+xml` }))).toEqual(['error ooxml.not_word'])
  const none = `<Relationships xmlns="${uri}/relationships"/>`
  expect(codesOf(packed({ parts: { '_rels/.rels': none } }))).toEqual(['error ooxml.no_document'])
  const external = `<Relationships xmlns="${uri}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml" TargetMode="External"/></Relationships>`
  expect(codesOf(packed({ parts: { '_rels/.rels': external } }))).toEqual(['error ooxml.no_document'])
  const lost = external.replace(' TargetMode="External"', '').replace('word/document.xml', 'word/other.xml')
  expect(codesOf(packed({ parts: { '_rels/.rels': lost } }))).toEqual(['error ooxml.no_document'])
})

test('content types are found by part, or else by the last extension, in any spelling', () => {
  const opened = openPackage(
    packed({
      overrides:
        '<Default Extension="PNG" ContentType="image/png"/><Override PartName="/word/A.png" ContentType="image/x"/>',
      parts: { 'word/a.PNG': 'x', 'word/b.c.Png': 'x', 'word/none': 'x' },
    }),
  )
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  expect(['word/a.PNG', 'word/b.c.Png', 'word/none'].map((part) => opened.value.contentType(part))).toEqual([
    'image/x',
    'image/png',
    undefined,
  ])
})

test('relationships belong to the part that their own part is named after, in any folder', () => {
  const one = (target: string) =>
    `<Relationships xmlns="${uri}/relationships"><Relationship Id="i" Type="${office}/image" Target="${target}"/></Relationships>`
  const opened = openPackage(
    packed({
      parts: { 'a/b/_rels/c.xml.rels': one('d.png'), '_rels/x.xml.rels': one('media/y.png'), 'a/B/D.png': 'x' },
    }),
  )
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  expect(opened.value.relationships('a/b/c.xml').map(({ target }) => target)).toEqual(['a/B/D.png'])
  expect(opened.value.relationships('X.xml').map(({ target }) => target)).toEqual(['media/y.png'])
  expect(opened.value.relationships('none.xml')).toEqual([])
})

test.each(['INCLUDEPICTURE', 'INCLUDETEXT', 'INCLUDE', 'IMPORT', 'LINK', 'DATABASE', 'RD'])(
  'a field %s is warned of, once for each part',
  (keyword) => {
    const field = `<w:p><w:fldSimple w:instr="${keyword} x"/></w:p>`
    const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const source = `<w:document xmlns:w="${space}"><w:body>${field}${field}</w:body></w:document>`
    expect(
      openPackage(packed({ parts: { 'word/document.xml': source } })).findings.map(({ message }) => message),
    ).toEqual([`word/document.xml refers to an external source by a field ${keyword}, which is never fetched.`])
    expect(codesOf(packed({ parts: { 'word/document.xml': source.replaceAll(keyword, 'PAGE') } }))).toEqual([])
  },
)

test('a part is parsed once and kept until it is released, and its text can be read block by block', () => {
  const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const source = `<w:document xmlns:w="${space}"><w:body><w:p/><w:tbl/></w:body></w:document>`
  const opened = openPackage(packed({ parts: { 'word/document.xml': source } }))
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  const blocks = () => {
    const names: string[] = []
    const rest = opened.value.visitBody('word/document.xml', (child, text) =>
      names.push(text.slice(child.start, child.end)),
    )
    return [...names, rest.ok]
  }
  expect(blocks()).toEqual(['<w:p/>', '<w:tbl/>', true])
  const first = opened.value.readXmlDocument('word/document.xml')
  expect(opened.value.readXmlDocument('word/document.xml')).toBe(first)
  expect(first.ok && first.value.source).toBe(source)
  expect(blocks()).toEqual(['<w:p/>', '<w:tbl/>', true])
  opened.value.release('word/document.xml')
  expect(opened.value.readXmlDocument('word/document.xml')).not.toBe(first)
  expect(opened.value.visitBody('word/none.xml', () => {}).ok).toBe(false)
})

test('a program in a field is found with the number of its paragraph, in every part of the text', () => {
  const space = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const part = (root: string, content: string) => `<w:${root} xmlns:w="${space}">${content}</w:${root}>`
  const field = '<w:p><w:fldSimple w:instr="DDE x"/></w:p>'
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml'
  const opened = openPackage(
    packed({
      overrides: `<Override PartName="/word/footer1.xml" ContentType="${type}"/>`,
      parts: { 'word/footer1.xml': part('ftr', `<w:p/><w:p/>${field}${field}`) },
    }),
  )
  expect(opened.findings.map(({ code, path }) => `${code} ${path}`)).toEqual(['ooxml.dde word/footer1.xml#3:0'])
})

test('content types and relationships can have two megabytes, and a part of text 32', () => {
  const pad = (bytes: number) => `<!--${'x'.repeat(bytes)}-->`
  const types = (bytes: number) =>
    packed({ overrides: pad(bytes) }).length > 0
      ? openPackage(packed({ overrides: pad(bytes) })).findings.map(({ code }) => code)
      : []
  expect(types(2_000_000)).toEqual([])
  expect(types(2_097_152)).toEqual(['xml.size'])
  expect(
    openPackage(packed({ relations: pad(2_097_152) })).findings.map(({ code, path }) => `${code} ${path}`),
  ).toEqual(['xml.size word/_rels/document.xml.rels'])
})
