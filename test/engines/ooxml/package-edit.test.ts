import { describe, expect, test } from 'bun:test'
import { type OoxmlPackage, openPackage } from '../../../src/engines/ooxml/package.ts'
import { beforeEnd, PackageEdit } from '../../../src/engines/ooxml/package-edit.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const uri = 'http://schemas.openxmlformats.org/package/2006'
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const plain = {
  '[Content_Types].xml': `<Types xmlns="${uri}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${wordType}"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${uri}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="/word/document.xml"/></Relationships>`,
  'word/document.xml': '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>',
}

function opened(parts: Record<string, string> = {}): OoxmlPackage {
  const texts = Object.entries({ ...plain, ...parts })
  return reopened(writeZip(texts.map(([name, text]) => ({ name, data: new TextEncoder().encode(text) }))))
}

function reopened(bytes: Uint8Array): OoxmlPackage {
  const result = openPackage(bytes)
  if (!result.ok) throw new Error(JSON.stringify(result.findings))
  return result.value
}

const editOf = (parts?: Record<string, string>) => new PackageEdit(opened(parts), 'transitional')

describe('a package that is edited', () => {
  test('keeps its other entries and their order, and has new parts last', () => {
    const before = opened({ 'word/a.xml': '<a/>', 'word/b.xml': '<b/>' })
    const edit = new PackageEdit(before, 'transitional')
    edit.setText('word/a.xml', '<a>1</a>')
    edit.addPart('word/c.xml', '<c/>', 'application/xml')
    edit.addPart('word/d.bin', new Uint8Array([1, 2]), 'application/octet-stream')
    const after = reopened(edit.bytes())
    expect(after.parts.slice(0, before.parts.length)).toEqual([...before.parts])
    expect(after.parts.slice(before.parts.length).toSorted()).toEqual(['word/c.xml', 'word/d.bin'])
    const text = (part: string) => {
      const document = after.readXmlDocument(part)
      return document.ok ? document.value.source : undefined
    }
    expect([text('word/a.xml'), text('word/b.xml'), text('word/c.xml')]).toEqual(['<a>1</a>', '<b/>', '<c/>'])
    expect(after.archive.entry('word/b.xml')?.compressed).toEqual(before.archive.entry('word/b.xml')!.compressed)
    expect(after.contentType('word/c.xml')).toBe('application/xml')
    expect(after.contentType('word/d.bin')).toBe('application/octet-stream')
    expect(after.contentType('word/document.xml')).toBe(wordType)
  })

  test('gives the text of a part as it is by now, and none for a missing part', () => {
    const edit = editOf({ 'word/a.xml': '<a/>' })
    expect([edit.textOf('word/a.xml'), edit.textOf('word/none.xml')]).toEqual(['<a/>', undefined])
    edit.setText('word/a.xml', '<a>1</a>')
    expect(edit.textOf('word/a.xml')).toBe('<a>1</a>')
  })

  test('has free names that no part has in capital or small letters, also none of those it was given', () => {
    const edit = editOf({ 'word/Comments.xml': '<c/>' })
    expect(edit.freeName('word/notes', '.xml')).toBe('word/notes.xml')
    expect(edit.freeName('word/comments', '.xml')).toBe('word/comments2.xml')
    edit.addPart('word/COMMENTS2.xml', '<c/>', 'application/xml')
    expect(edit.freeName('word/comments', '.xml')).toBe('word/comments3.xml')
    edit.relate('word/document.xml', { type: 'image', target: 'word/media/a.png' })
    expect(edit.freeName('word/_rels/document.xml', '.rels')).toBe('word/_rels/document.xml2.rels')
  })

  test('writes relationships of a part with free ids, whole types and targets from the root', () => {
    const edit = editOf()
    const ids = [
      edit.relate('word/document.xml', { type: 'image', target: 'word/media/a.png' }),
      edit.relate('word/document.xml', {
        type: `${office}/hyperlink`,
        target: 'https://x.org/?a=1&b="2"',
        external: true,
      }),
      edit.relate('word/document.xml', { id: 'own', type: 'urn:own', target: 'word/b.xml' }),
      edit.relate('word/document.xml', { type: 'image', target: 'word/media/c.png' }),
    ]
    expect(ids).toEqual(['rId1', 'rId2', 'own', 'rId4'])
    const after = reopened(edit.bytes())
    expect(
      after.relationships('word/document.xml').map(({ id, type, target, external }) => [id, type, target, external]),
    ).toEqual([
      ['rId1', `${office}/image`, 'word/media/a.png', false],
      ['rId2', `${office}/hyperlink`, 'https://x.org/?a=1&b="2"', true],
      ['own', 'urn:own', 'word/b.xml', false],
      ['rId4', `${office}/image`, 'word/media/c.png', false],
    ])
  })

  test('adds to relationships and types that are spelled otherwise, and takes no id twice', () => {
    const relation = (id: string) => `<Relationship Id='${id}' Type="${office}/image" Target="/word/x.png"/>`
    const parts = {
      'word/_rels/Document.xml.RELS': `<Relationships xmlns="${uri}/relationships">${relation('rId2')}${relation('rId3')}</Relationships>`,
    }
    const edit = editOf(parts)
    expect(edit.relate('word/document.xml', { type: 'image', target: 'word/y.png' })).toBe('rId4')
    expect(edit.textOf('word/_rels/Document.xml.RELS')).toContain('Id="rId4"')
    const relations = reopened(edit.bytes()).parts.filter((part) => part.toLowerCase().startsWith('word/_rels/'))
    expect(relations).toEqual(['word/_rels/Document.xml.RELS'])
  })

  test('names the types of a strict package as that form has them', () => {
    const edit = new PackageEdit(opened(), 'strict')
    edit.relate('word/document.xml', { type: 'image', target: 'word/a.png' })
    expect(edit.textOf('word/_rels/document.xml.rels')).toContain(
      'Type="http://purl.oclc.org/ooxml/officeDocument/relationships/image"',
    )
  })

  test('has the same bytes for the same changes', () => {
    const bytes = () => {
      const edit = editOf()
      edit.addPart('word/a.xml', '<a/>', 'application/xml')
      edit.relate('word/document.xml', { type: 'image', target: 'word/a.xml' })
      return edit.bytes()
    }
    expect(bytes()).toEqual(bytes())
  })
})

test.each([
  ['<a></a>', '<a>+</a>'],
  ['<a><b/></a>', '<a><b/>+</a>'],
  ['<a>x</a>\n', '<a>x+</a>\n'],
  ['<a/>', '<a>+</a>'],
  ['<?xml version="1.0"?>\n<x:a b="1" />\n', '<?xml version="1.0"?>\n<x:a b="1" >+</x:a>'],
])('more goes in front of the end of the root: %j', (text, expected) => {
  expect(beforeEnd(text, '+')).toBe(expected)
})
