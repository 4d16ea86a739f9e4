import { expect, test } from 'bun:test'
import { unzipSync, Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate'
import { plainPng } from '../documents.ts'
import { chartSpace, p, picture, renderingOf, smallSection, wordDocument } from '../word.ts'

/**
 * A document with a part of every kind, in the other forms that XML, OPC, zip and ISO 29500 allow: each gives the same PDF, byte for
 * byte. `packages.test.ts` has the forms of one small document.
 */

const chart = chartSpace(
  '<c:chart><c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:cat><c:strRef><c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>a</c:v></c:pt><c:pt idx="1"><c:v>b</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:ptCount val="2"/><c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="1"><c:v>3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart>',
)
const drawnChart =
  '<w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><wp:docPr id="9" name="chart" descr="A chart"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="chart"/></a:graphicData></a:graphic></wp:inline></w:drawing>'
const choice =
  '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:t>chosen</w:t></mc:Choice><mc:Fallback><w:t>fallen back</w:t></mc:Fallback></mc:AlternateContent></w:r>'
const look =
  '<w:b/><w:i w:val="1"/><w:strike w:val="0"/><w:color w:val="C00000"/><w:sz w:val="28"/><w:spacing w:val="20"/>'
const cell = (text: string) => `<w:tc><w:tcPr><w:tcW w:w="2500" w:type="pct"/></w:tcPr>${p(text)}</w:tc>`
const body =
  p('Heading', '<w:pStyle w:val="H"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
  `<w:p><w:pPr><w:spacing w:before="120" w:line="300" w:lineRule="exact"/><w:ind w:left="400"/><w:jc w:val="right"/></w:pPr><w:r><w:rPr>${look}</w:rPr><w:t>Text &amp; sign</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>` +
  `<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders><w:top w:val="single" w:sz="8" w:color="00AA00"/></w:tblBorders></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid><w:tr>${cell('one')}${cell('two')}</w:tr></w:tbl>` +
  `<w:p><w:r>${picture('logo', 20, 20)}</w:r><w:hyperlink r:id="web"><w:r><w:t>site</w:t></w:r></w:hyperlink>${choice}</w:p>` +
  `<w:p><w:r>${drawnChart}</w:r></w:p>`

const relationship = (id: string, kind: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"${more}/>`

const document = wordDocument(body, {
  styles:
    '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="H"/><w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style>',
  numbering:
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
  footnotes: `<w:footnote w:id="2">${p('Note')}</w:footnote>`,
  headers: { first: p('Head') },
  section: `<w:headerReference w:type="default" r:id="first"/>${smallSection}`,
  media: { 'logo.png': plainPng(4, 4, [200, 30, 30]) },
  others: { 'charts/chart1.xml': chart },
  extraRelationships:
    relationship('chart', 'chart', 'charts/chart1.xml') +
    relationship('web', 'hyperlink', 'https://example.com/', ' TargetMode="External"'),
})

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
type Files = Record<string, Uint8Array>
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The document with every XML part rewritten. */
const rewritten = (change: (text: string, name: string) => string | Uint8Array) => () => {
  let isChanged = false
  const files = Object.entries(unzipSync(document)).map(([name, bytes]): [string, Uint8Array] => {
    if (!/\.(?:xml|rels)$/.test(name)) return [name, bytes]
    const changed = change(textOf(bytes), name)
    isChanged ||= changed !== textOf(bytes)
    return [name, typeof changed === 'string' ? bytesOf(changed) : changed]
  })
  if (!isChanged) throw new Error('no part was changed')
  return zipSync(Object.fromEntries(files))
}
/** The document with other names of parts, and with texts that refer to them changed. */
const renamed =
  (names: Record<string, string>, texts: readonly (readonly [part: string, from: string, to: string])[]) => () => {
    const files: Files = {}
    for (const [name, bytes] of Object.entries(unzipSync(document))) {
      let text = bytes
      for (const [part, from, to] of texts) {
        if (part !== name) continue
        if (!textOf(text).includes(from)) throw new Error(`${part} has no ${from}`)
        text = bytesOf(textOf(text).replaceAll(from, to))
      }
      files[names[name] ?? name] = text
    }
    return zipSync(files)
  }
const isWord = (name: string) => name.startsWith('word/') && name.endsWith('.xml')
const inWord = (change: (text: string) => string) => rewritten((text, name) => (isWord(name) ? change(text) : text))
const swap = (from: string, to: string) => inWord((text) => text.replaceAll(from, to))
const rels = 'word/_rels/document.xml.rels'

function streamed(entry: (name: string) => ZipDeflate | ZipPassThrough): Uint8Array {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for (const [name, bytes] of Object.entries(unzipSync(document))) {
    const file = entry(name)
    zip.add(file)
    file.push(bytes, true)
  }
  zip.end()
  return new Uint8Array(Buffer.concat(chunks))
}

const forms: Record<string, () => Uint8Array> = {
  'attributes in single quotes': rewritten((text) => text.replace(/="([^"']*)"/g, "='$1'")),
  'blanks in tags': rewritten((text) => text.replace(/ ([\w:]+)=/g, '\n\t$1 = ').replace(/<\/([\w:]+)>/g, '</$1\n>')),
  'elements on lines of their own': inWord((text) => text.replace(/><(?!\/w:t>)/g, '>\n  <')),
  'comments and instructions everywhere': inWord((text) =>
    text.replace(/><(?!\/w:t>)/g, '><!-- c --><?app x?><').replace('Text &amp; sign', 'Te<!-- c -->xt<?x?> &amp; sign'),
  ),
  'references to characters': inWord((text) => text.replace('Text &amp; sign', '&#84;&#x65;xt &#38; si&#103;n')),
  'a declaration in another case': rewritten(
    (text) => `<?xml version='1.0' encoding='utf-8' standalone="yes" ?>${text.replace(/^<\?xml[^>]*\?>/, '')}`,
  ),
  'a Western encoding': rewritten(
    (text) => `<?xml version="1.0" encoding="ISO-8859-1"?>${text.replace(/^<\?xml[^>]*\?>/, '')}`,
  ),
  'UTF-16 with the high byte first': rewritten(
    (text) => new Uint8Array(Buffer.from(`\ufeff${text.replace(/^<\?xml[^>]*\?>/, '')}`, 'utf16le').swap16()),
  ),
  'booleans as words': inWord((text) =>
    text
      .replaceAll('<w:b/>', '<w:b w:val="on"/>')
      .replaceAll('<w:i w:val="1"/>', '<w:i w:val="true"/>')
      .replaceAll('<w:strike w:val="0"/>', '<w:strike w:val="off"/>'),
  ),
  'lengths with units': inWord((text) =>
    text
      .replaceAll('<w:sz w:val="28"/>', '<w:sz w:val="14pt"/>')
      .replaceAll('<w:sz w:val="40"/>', '<w:sz w:val="20pt"/>')
      .replaceAll('<w:spacing w:val="20"/>', '<w:spacing w:val="1pt"/>')
      .replaceAll('w:before="120" w:line="300"', 'w:before="6pt" w:line="15pt"')
      .replaceAll('<w:ind w:left="400"/>', '<w:ind w:left="20pt"/>')
      .replaceAll('w:w="6000" w:h="8000"', 'w:w="300pt" w:h="400pt"')
      .replaceAll('w:top="1000" w:right="1000"', 'w:top="50pt" w:right="5pc"'.replace('5pc', '50pt'))
      .replaceAll('<w:gridCol w:w="2000"/>', '<w:gridCol w:w="100pt"/>'),
  ),
  'shares with a percent sign': inWord((text) =>
    text
      .replaceAll('w:w="5000" w:type="pct"', 'w:w="100%" w:type="pct"')
      .replaceAll('w:w="2500" w:type="pct"', 'w:w="50%"'),
  ),
  'sides by direction': inWord((text) =>
    text.replaceAll('w:left="400"', 'w:start="400"').replaceAll('<w:jc w:val="right"/>', '<w:jc w:val="end"/>'),
  ),
  'colours in small letters': swap('C00000', 'c00000'),
  'unknown elements that may be ignored': inWord((text) =>
    text
      .replace(/(<w:(?:document|hdr|footnotes|styles) )/, '$1xmlns:zz="urn:zz" mc:Ignorable="zz" ')
      .replaceAll('<w:r>', '<zz:mark/><w:r zz:note="n">'),
  ),
  'unknown elements whose content counts': inWord((text) =>
    text
      .replace(
        /(<w:(?:document|hdr|footnotes|styles) )/,
        '$1xmlns:zz="urn:zz" mc:Ignorable="zz" mc:ProcessContent="zz:wrap" ',
      )
      .replace(/<w:r><w:t>site<\/w:t><\/w:r>/, '<zz:wrap>$&</zz:wrap>'),
  ),
  'runs in wrappers': inWord((text) =>
    text.replace(
      /<w:r><w:t>site<\/w:t><\/w:r>/,
      '<w:smartTag w:uri="u" w:element="e"><w:smartTagPr/><w:sdt><w:sdtPr/><w:sdtContent><w:customXml w:uri="u" w:element="e">$&</w:customXml></w:sdtContent></w:sdt></w:smartTag>',
    ),
  ),
  'blanks around numbers': inWord((text) =>
    text
      .replaceAll('w:val="28"', 'w:val=" 28 "')
      .replaceAll('w:w="6000"', 'w:w="\n6000 "')
      .replaceAll('w:left="400"', 'w:left=" 400"'),
  ),
  'prefixes that are declared where they are used': inWord((text) =>
    text
      .replace(
        '<mc:Choice Requires="wps">',
        '<mc:Choice xmlns:q="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" Requires="q">',
      )
      .replace(
        '<w:hyperlink r:id="web">',
        '<w:hyperlink xmlns:z="http://schemas.openxmlformats.org/officeDocument/2006/relationships" z:id="web">',
      ),
  ),
  'prefixes with another meaning further down': inWord((text) =>
    text
      .replace(/<w:r><w:t>site<\/w:t><\/w:r>/, `<q:r xmlns:q="${main}" xmlns:w="urn:other"><q:t>site</q:t></q:r>`)
      .replace(/(<w:document )/, '$1mc:Ignorable="wp14" '),
  ),
  'paragraphs and rows in controls': inWord((text) =>
    text
      .replace(
        /<w:tr>.*<\/w:tr>/,
        '<w:sdt><w:sdtPr/><w:sdtContent><w:customXml w:uri="u" w:element="e">$&</w:customXml></w:sdtContent></w:sdt>',
      )
      .replace(
        /<w:tbl>.*<\/w:tbl>/,
        '<w:customXml w:uri="u" w:element="e"><w:sdt><w:sdtContent>$&</w:sdtContent></w:sdt></w:customXml>',
      )
      .replace(/<w:tc>/g, '<w:sdt><w:sdtContent><w:tc>')
      .replace(/<\/w:tc>/g, '</w:tc></w:sdtContent></w:sdt>'),
  ),
  'alternate content around paragraphs, tables and rows': inWord((text) =>
    text
      .replace(
        /<w:tr>.*<\/w:tr>/,
        '<mc:AlternateContent><mc:Choice Requires="w14x" xmlns:w14x="urn:none"><w:tr/></mc:Choice><mc:Fallback>$&</mc:Fallback></mc:AlternateContent>',
      )
      .replace(
        /<w:tbl>.*<\/w:tbl>/,
        '<mc:AlternateContent><mc:Choice Requires="wps">$&</mc:Choice><mc:Fallback/></mc:AlternateContent>',
      ),
  ),
  'insertions, moves and comments around runs': inWord((text) =>
    text.replace(
      /<w:r><w:t>site<\/w:t><\/w:r>/,
      '<w:commentRangeStart w:id="5"/><w:ins w:id="6"><w:moveTo w:id="7"><w:proofErr w:type="spellStart"/>$&</w:moveTo></w:ins><w:del w:id="8"><w:r><w:delText>gone</w:delText></w:r></w:del><w:permStart w:id="9"/><w:commentRangeEnd w:id="5"/>',
    ),
  ),
  'a style that is the default in another word': inWord((text) => text.replaceAll('w:default="1"', 'w:default="true"')),
  'ids of other alphabets': rewritten((text) =>
    text.replaceAll('r:id="web"', 'r:id="ä-1"').replaceAll('Id="web"', 'Id="ä-1"'),
  ),
  'the strict vocabulary of all parts': rewritten((text) =>
    text
      .replaceAll(
        'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
        'http://purl.oclc.org/ooxml/wordprocessingml/main',
      )
      .replaceAll(
        'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
        'http://purl.oclc.org/ooxml/officeDocument/relationships',
      )
      .replaceAll('http://schemas.openxmlformats.org/drawingml/2006/main', 'http://purl.oclc.org/ooxml/drawingml/main')
      .replaceAll(
        'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
        'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
      )
      .replaceAll(
        'http://schemas.openxmlformats.org/drawingml/2006/picture',
        'http://purl.oclc.org/ooxml/drawingml/picture',
      )
      .replaceAll(
        'http://schemas.openxmlformats.org/drawingml/2006/chart',
        'http://purl.oclc.org/ooxml/drawingml/chart',
      ),
  ),
  'other prefixes in drawings': rewritten((text) =>
    text.replace(/(<\/?|\s(?:xmlns:)?)(wp|a|pic|c|mc)(?=[:=])/g, '$1k$2'),
  ),
  'an explicit document grid of none, and nothing for what is the default': inWord((text) =>
    text
      .replaceAll('<w:ilvl w:val="0"/><w:numId', '<w:numId')
      .replaceAll(' w:type="default" r:id="first"', ' r:id="first"'),
  ),
  'targets that say Internal': rewritten((text) =>
    text.replace(/(Target="[a-z]+\d?\.xml")/g, '$1 TargetMode="Internal"'),
  ),
  'a picture with a name in percent signs': renamed({ 'word/media/logo.png': 'word/media/l%C3%B6go%20a.png' }, [
    [rels, 'media/logo.png', 'media/l%C3%B6go%20a.png'],
  ]),
  'a picture with a name in percent signs, one way': renamed({ 'word/media/logo.png': 'word/media/lögo a.png' }, [
    [rels, 'media/logo.png', 'media/l%c3%b6go%20a.png'],
  ]),
  'parts in other folders': renamed(
    { 'word/styles.xml': 'looks/s.xml', 'word/media/logo.png': 'pics/logo.png', 'word/charts/chart1.xml': 'c1.xml' },
    [
      [rels, '"styles.xml"', '"/looks/s.xml"'],
      [rels, 'media/logo.png', '../pics/logo.png'],
      [rels, 'charts/chart1.xml', './../word/../c1.xml'],
    ],
  ),
  'the main part elsewhere': renamed({ 'word/document.xml': 'word/main.xml', [rels]: 'word/_rels/main.xml.rels' }, [
    ['_rels/.rels', 'word/document.xml', '/word/main.xml'],
    ['[Content_Types].xml', '/word/document.xml', '/word/main.xml'],
  ]),
  'names of parts in capitals': renamed(
    { 'word/styles.xml': 'WORD/Styles.XML', 'word/media/logo.png': 'Word/Media/LOGO.PNG' },
    [],
  ),
  'types by extension alone': renamed({}, [
    [
      '[Content_Types].xml',
      'ContentType="application/xml"',
      'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"',
    ],
    [
      '[Content_Types].xml',
      '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>',
      '',
    ],
  ]),
  'entries in another order': () => zipSync(Object.fromEntries(Object.entries(unzipSync(document)).reverse())),
  'entries that are stored': () => zipSync(unzipSync(document), { level: 0 }),
  'entries with their sizes behind them': () => streamed((name) => new ZipDeflate(name)),
  'stored entries with their sizes behind them': () => streamed((name) => new ZipPassThrough(name)),
  'folders among the entries': () =>
    zipSync({ 'word/': new Uint8Array(0), ...unzipSync(document), 'word/media/': new Uint8Array(0) }),
  'extra fields': () =>
    zipSync(
      Object.fromEntries(
        Object.entries(unzipSync(document)).map(([name, bytes]) => [
          name,
          [bytes, { extra: { 21589: new Uint8Array(5) }, mtime: '2020-01-01' }],
        ]),
      ),
    ),
  'bytes before and behind the end': () => new Uint8Array([...zipSync(unzipSync(document)), 13, 10, 0]),
}

const plain = renderingOf(document)

test('the document shows all of its parts', () => {
  expect(plain.report.filter(({ code }) => code !== 'render.font_twin')).toEqual([])
  expect(plain.pages).toBe(1)
})

test.each(Object.entries(forms))('%s give the same file', (_, form) => {
  const other = form()
  expect(Buffer.from(other).equals(Buffer.from(document))).toBe(false)
  const { pdf, report } = renderingOf(other)
  expect(report).toEqual(plain.report)
  expect(Buffer.from(pdf).equals(Buffer.from(plain.pdf))).toBe(true)
})
