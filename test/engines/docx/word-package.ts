import type { JsonValue } from '../../../src/core/json.ts'
import { compileTemplate, composeTemplate, type Template } from '../../../src/engines/docx/docx.ts'
import { type OoxmlPackage, openPackage } from '../../../src/engines/ooxml/package.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'

const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'mc:Ignorable="w14"',
].join(' ')

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const partTypes: Record<string, string> = {
  'word/document.xml': `${word}.document.main+xml`,
  'word/header1.xml': `${word}.header+xml`,
  'word/footer1.xml': `${word}.footer+xml`,
  'word/footnotes.xml': `${word}.footnotes+xml`,
  'word/endnotes.xml': `${word}.endnotes+xml`,
  'word/comments.xml': `${word}.comments+xml`,
  'word/numbering.xml': `${word}.numbering+xml`,
  'word/styles.xml': `${word}.styles+xml`,
  'word/settings.xml': `${word}.settings+xml`,
  'word/charts/chart1.xml': 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
  'word/embeddings/sheet.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageUri = 'http://schemas.openxmlformats.org/package/2006'

/** Parts that the main document is related to by a word that is also their name. */
const related = ['styles', 'numbering', 'settings', 'footnotes', 'endnotes', 'comments']

/** A DOCX by hand: the body's XML, and further parts by name. */
export function wordPackage(body: string, parts: Record<string, string | Uint8Array> = {}): Uint8Array {
  const texts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': '',
    '_rels/.rels': `<Relationships xmlns="${packageUri}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
    ...parts,
  }
  const relations = related
    .filter((name) => texts[`word/${name}.xml`] !== undefined)
    .map((name) => `<Relationship Id="r-${name}" Type="${office}/${name}" Target="${name}.xml"/>`)
  if (relations.length > 0) {
    texts['word/_rels/document.xml.rels'] ??=
      `<Relationships xmlns="${packageUri}/relationships">${relations.join('')}</Relationships>`
  }
  const overrides = Object.keys(texts).flatMap((part) => {
    const type = partTypes[part]
    return type === undefined ? [] : [`<Override PartName="/${part}" ContentType="${type}"/>`]
  })
  const defaults =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
  if (texts['[Content_Types].xml'] === '') {
    texts['[Content_Types].xml'] = `<Types xmlns="${packageUri}/content-types">${defaults}${overrides.join('')}</Types>`
  }
  const encoder = new TextEncoder()
  return writeZip(
    Object.entries(texts).map(([name, text]) => ({
      name,
      data: typeof text === 'string' ? encoder.encode(text) : text,
    })),
  )
}

export function wordPart(
  root: 'hdr' | 'ftr' | 'footnotes' | 'endnotes' | 'numbering' | 'styles' | 'settings',
  content: string,
): string {
  return `<w:${root} ${namespaces}>${content}</w:${root}>`
}

/** A paragraph with one run for each text. */
export function p(...runs: string[]): string {
  return `<w:p>${runs.map((text) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`).join('')}</w:p>`
}

export function tr(...cells: string[]): string {
  return `<w:tr>${cells.map((cell) => `<w:tc>${cell.startsWith('<') ? cell : p(cell)}</w:tc>`).join('')}</w:tr>`
}

export function tbl(...rows: string[]): string {
  return `<w:tbl><w:tblPr/>${rows.join('')}</w:tbl>`
}

export function compiled(bytes: Uint8Array): Template {
  const template = compileTemplate(bytes)
  if (!template.ok) throw new Error(JSON.stringify(template.findings))
  return template.value
}

export function composedPackage(bytes: Uint8Array, data: JsonValue): OoxmlPackage {
  const composed = composeTemplate(compiled(bytes), data)
  if (!composed.ok) throw new Error(JSON.stringify(composed.findings))
  const opened = openPackage(composed.value)
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  return opened.value
}

export function partText(opened: OoxmlPackage, part: string): string {
  const document = opened.readXmlDocument(part)
  if (!document.ok) throw new Error(JSON.stringify(document.findings))
  return document.value.source
}

/** The body's XML after composing. */
export function composedBody(body: string, data: JsonValue): string {
  const source = partText(composedPackage(wordPackage(body), data), 'word/document.xml')
  return source.slice(source.indexOf('<w:body>') + 8, source.indexOf('</w:body>'))
}

/** The text of each paragraph of the composed body; runs without text are gone, tabs and breaks are \t and \n. */
export function composedLines(body: string, data: JsonValue): string[] {
  return linesOf(composedBody(body, data))
}

export function linesOf(xml: string): string[] {
  return xml
    .split(/<\/w:p>|<w:p\/>/)
    .slice(0, -1)
    .map((paragraph) =>
      paragraph
        .replace(/<w:br\/>/g, '\n')
        .replace(/<w:tab\/>/g, '\t')
        .replace(/<w:instrText[^>]*>[^<]*<\/w:instrText>/g, '')
        .replace(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    )
}

export function compileCodes(bytes: Uint8Array): string[] {
  const template = compileTemplate(bytes)
  return template.ok ? [] : template.findings.map((finding) => `${finding.code} ${finding.path}`)
}

export function composeCodes(body: string, data: JsonValue): string[] {
  const composed = composeTemplate(compiled(wordPackage(body)), data)
  return composed.ok ? [] : composed.findings.map((finding) => `${finding.code} ${finding.path}`)
}
