import { expect, test } from 'bun:test'
import { Document, ExternalHyperlink, Packer, Paragraph, TextRun } from 'docx'
import { relationshipType } from '../../../src/engines/ooxml/namespaces.ts'
import { openPackage, resolveTarget } from '../../../src/engines/ooxml/package.ts'
import { writeZip } from '../../../src/engines/ooxml/zip.ts'

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

test('what is no Word document is refused', () => {
  expect(codesOf(new TextEncoder().encode('x'))).toEqual(['error zip.not_a_zip'])
  expect(codesOf(writeZip([{ name: 'a', data: new Uint8Array(1) }]))).toEqual(['error ooxml.no_content_types'])
  expect(codesOf(packed({ type: 'application/xml' }))).toEqual(['error ooxml.not_word'])
})

test('targets never leave the package', () => {
  expect(resolveTarget('../../../etc/passwd', 'word')).toBe('etc/passwd')
  expect(resolveTarget('/word/a.xml', 'word')).toBe('word/a.xml')
  expect(resolveTarget('media/a.png', 'word')).toBe('word/media/a.png')
})
