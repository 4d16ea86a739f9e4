import { expect, test } from 'bun:test'
import { unzipSync, zipSync } from 'fflate'
import { dump, layoutOf, p, wordDocument } from '../word.ts'

/** The same document in the other forms that XML, OPC and ISO 29500 allow looks the same. */

const document = wordDocument(
  `${p('Heading', '<w:pStyle w:val="H"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')}<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>Text &amp; sign</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
  {
    styles:
      '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="H"/><w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style>',
    numbering:
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    footnotes: `<w:footnote w:id="2">${p('Note')}</w:footnote>`,
    headers: { first: p('Head') },
  },
)

/** The document with every XML part rewritten. */
function rewritten(change: (text: string, name: string) => string | Uint8Array): Uint8Array {
  const files = Object.entries(unzipSync(document)).map(([name, bytes]) => {
    const changed = change(new TextDecoder().decode(bytes), name)
    return [name, typeof changed === 'string' ? new TextEncoder().encode(changed) : changed]
  })
  return zipSync(Object.fromEntries(files))
}

const pagesOf = (docx: Uint8Array) => layoutOf(docx).pages.map(dump)
const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const isWord = (name: string) => name.startsWith('word/') && name.endsWith('.xml')
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

test.each<[string, (text: string, name: string) => string | Uint8Array]>([
  [
    'strict namespaces',
    (text) =>
      text
        .replaceAll(main, 'http://purl.oclc.org/ooxml/wordprocessingml/main')
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
          'http://purl.oclc.org/ooxml/officeDocument/relationships',
        ),
  ],
  [
    'other prefixes',
    (text, name) => (isWord(name) ? text.replace(/(<\/?|\s)w:/g, '$1ns0:').replaceAll('xmlns:w=', 'xmlns:ns0=') : text),
  ],
  [
    'the default namespace',
    (text, name) =>
      isWord(name) ? text.replace(/(<\/?)w:/g, '$1').replaceAll('xmlns:w=', `xmlns="${main}" xmlns:w=`) : text,
  ],
  [
    'prefixes for the parts of the package',
    (text, name) => (isWord(name) ? text : text.replace(/(<\/?)(?=[A-Z])/g, '$1k:').replace(/ xmlns=/, ' xmlns:k=')),
  ],
  ['UTF-16 in every part', (text) => utf16(text)],
  ['a byte order mark in every part', (text) => `\ufeff${text}`],
  ['character data sections', (text) => text.replace('Text &amp; sign', '<![CDATA[Text & ]]>si<!-- -->g<?x?>n')],
  ['absolute targets', (text) => text.replace(/Target="([a-z]+\d*\.xml)"/g, 'Target="/word/x/../$1#mark"')],
  [
    'targets in another case',
    (text) => text.replace(/Target="([a-z]+\d*\.xml)"/g, (_, file) => `Target="./${file.toUpperCase()}"`),
  ],
])('%s change nothing', (_, change) => {
  const expected = pagesOf(document)
  expect(expected[0]!.length).toBeGreaterThan(4)
  expect(pagesOf(rewritten(change))).toEqual(expected)
})

test('a document needs no part but its main one', () => {
  const files = unzipSync(document)
  const alone = ['[Content_Types].xml', '_rels/.rels', 'word/document.xml']
  const docx = zipSync(Object.fromEntries(Object.entries(files).filter(([name]) => alone.includes(name))))
  const texts = pagesOf(docx).flat().join(' ')
  expect(texts).toContain('Heading')
  expect(texts).toContain('Text & sign')
})
