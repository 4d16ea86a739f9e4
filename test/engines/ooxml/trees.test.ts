import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import type { TreeCache } from '../../../src/engines/ooxml/trees.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'
import { createRenderCache } from '../../../src/engines/pdf/cache.ts'

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const uri = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'

function letter(header: string, text = 'Dear Ann'): Uint8Array {
  const texts = {
    '[Content_Types].xml': `<Types xmlns="${uri}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${types}.document.main+xml"/><Override PartName="/word/header1.xml" ContentType="${types}.header+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${uri}/relationships"><Relationship Id="r1" Type="${office}" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
    'word/header1.xml': header,
  }
  return writeZip(Object.entries(texts).map(([name, xml]) => ({ name, data: new TextEncoder().encode(xml) })))
}

const header = (text: string) => `<w:hdr xmlns:w="${word}"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:hdr>`

/** A cache that tells the parts that were parsed. */
function counting(): TreeCache & { parsed: string[] } {
  const cache = createRenderCache({ maxBytes: limits.xmlSharedBytes })
  const parsed: string[] = []
  return {
    parsed,
    once: (key, make) =>
      cache.once(key, () => {
        parsed.push(key.slice(0, key.indexOf(' ')))
        return make()
      }),
  }
}

function partOf(bytes: Uint8Array, part: string, trees?: TreeCache) {
  const opened = openPackage(bytes, 'ignored', trees)
  return opened.ok ? opened.value.readXmlDocument(part) : opened
}

test('parts of the same text are parsed once, whatever else differs, and read as without the trees of others', () => {
  const trees = counting()
  const letters = [letter(header('A'), 'Dear Ann'), letter(header('A'), 'Dear Bob'), letter(header('B'), 'Dear Bob')]
  for (const bytes of letters) {
    for (const part of ['word/header1.xml', 'word/document.xml']) {
      expect(partOf(bytes, part, trees)).toEqual(partOf(bytes, part))
    }
  }
  const once = ['[Content_Types].xml', '_rels/.rels', 'word/header1.xml']
  expect(trees.parsed).toEqual([...once, 'word/header1.xml'])
})

test('the main part is never kept, and no part of more text than the limit', () => {
  const trees = counting()
  const long = letter(header('A'.repeat(limits.xmlSharedChars)))
  for (const part of ['word/header1.xml', 'word/document.xml']) expect(partOf(long, part, trees).ok).toBe(true)
  expect(trees.parsed).toEqual(['[Content_Types].xml', '_rels/.rels'])
})

test('a part that can not be read says so each time, with its own name', () => {
  const trees = counting()
  const broken = letter('<w:hdr>')
  const first = partOf(broken, 'word/header1.xml', trees)
  expect(first.ok).toBe(false)
  expect(first.findings[0]?.path).toStartWith('word/header1.xml')
  expect(partOf(broken, 'word/header1.xml', trees)).toEqual(first)
  expect(trees.parsed.filter((part) => part === 'word/header1.xml')).toHaveLength(2)
})
