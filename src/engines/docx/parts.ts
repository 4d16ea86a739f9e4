import type { Finding } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { OoxmlPackage } from '../ooxml/package.ts'
import { parseXmlDocument, serializeXml, type XmlDocument, type XmlElement } from '../ooxml/xml.ts'
import { reportDataLinks, reportDividedFields, reportFieldTags } from './fields.ts'
import { greatestIds, planFreshIds } from './ids.ts'
import type { Item } from './items.ts'
import { findLinkTemplates, type LinkTemplate, planLinks } from './links.ts'
import { placeTags } from './place.ts'
import { buildProgram, type Op } from './program.ts'
import {
  attributeSpan,
  collectAttributes,
  collectLeaves,
  collectParagraphs,
  type Paragraph,
  placeOf,
  type ScannedPart,
  scanTags,
} from './scan.ts'

export interface CompiledPart {
  part: string
  ops: Op[]
  isStrict: boolean
  /** Relationships that give way to others, made while composing. */
  links: LinkTemplate[]
}

export type PartKind = 'word' | 'leaf'

/** Kinds of parts whose text a reader sees, by the end of their content type. */
const kindsByType: [suffix: string, kind: PartKind][] = [
  ['wordprocessingml.document.main+xml', 'word'],
  ['wordprocessingml.template.main+xml', 'word'],
  ['wordprocessingml.header+xml', 'word'],
  ['wordprocessingml.footer+xml', 'word'],
  ['wordprocessingml.footnotes+xml', 'word'],
  ['wordprocessingml.endnotes+xml', 'word'],
  ['wordprocessingml.comments+xml', 'word'],
  ['package.core-properties+xml', 'leaf'],
  ['officedocument.extended-properties+xml', 'leaf'],
  ['officedocument.custom-properties+xml', 'leaf'],
  ['drawingml.chart+xml', 'leaf'],
  ['drawingml.diagramData+xml', 'leaf'],
  ['drawingml.diagramDrawing+xml', 'leaf'],
]

/** The parts that may hold tags, the main document first, then in the order of the archive. */
export function textualParts(opened: OoxmlPackage): { part: string; kind: PartKind }[] {
  const found: { part: string; kind: PartKind }[] = []
  for (const part of opened.parts) {
    const type = (opened.contentType(part) ?? '').toLowerCase()
    const kind = kindsByType.find(([suffix]) => type.endsWith(suffix.toLowerCase()))?.[1]
    if (kind !== undefined) found.push({ part, kind })
  }
  const main = found.findIndex(({ part }) => part === opened.mainPart)
  if (main > 0) found.unshift(...found.splice(main, 1))
  return found
}

/** Compiles one part; undefined when no tag touches it, so that its compressed bytes can stay. */
export function compilePart(
  opened: OoxmlPackage,
  part: string,
  kind: PartKind,
  findings: Finding[],
): { part: CompiledPart; scanned: ScannedPart[] } | undefined {
  const document = opened.readXmlDocument(part)
  if (!document.ok) {
    findings.push(...document.findings)
    return undefined
  }
  reportDataLinks(part, document.value, findings)
  const links = linkTemplatesOf(opened, part, findings)
  if (links.length === 0 && !document.value.source.includes('{')) return undefined
  const { root, source } = plainSource(document.value)
  const scanned: ScannedPart[] = []
  const items: Item[] = []
  const paragraphs = kind === 'word' ? collectParagraphs(root) : []
  if (kind === 'word') {
    const found = scanTags(part, paragraphs, findings)
    scanned.push(found)
    items.push(...placeTags(found, source, findings))
    reportFieldTags(part, paragraphs, findings)
    reportDividedFields(part, root, items, findings)
  }
  const singles = kind === 'word' ? collectAttributes(root, source, paragraphs) : collectLeaves(root)
  for (const single of singles) planSingle(part, single, source, scanned, items, findings)
  reportStrayTags(part, root, paragraphs, kind, findings)
  items.push(...planLinks(root, source, links))
  scanned.push(...links.map((link) => link.scanned))
  const count = scanned.reduce((sum, { tags }) => sum + tags.length, 0)
  if (count === 0) return undefined
  if (count > limits.templateTags) {
    const hint = 'Split the template.'
    const message = `${part} has more than ${limits.templateTags} tags.`
    findings.push({ code: 'docx.too_many_tags', severity: 'error', message, hint, path: part })
    return undefined
  }
  const ids = planFreshIds(root, source, items)
  items.push(...ids.planned)
  for (const note of ids.notes) reportRepeatedNote(part, note, paragraphs, findings)
  const ops = buildProgram(part, source, items, findings)
  return { part: { part, ops, isStrict: root.uri.startsWith('http://purl.oclc.org/'), links }, scanned }
}

function reportRepeatedNote(part: string, note: XmlElement, paragraphs: Paragraph[], findings: Finding[]): void {
  const around = paragraphs.findLast(({ element }) => element.start <= note.start && element.end >= note.end)
  findings.push({
    code: 'docx.note_in_loop',
    severity: 'warning',
    message: 'A footnote or endnote stands in a loop; every copy refers to the same note.',
    hint: 'Write what differs from item to item into the text instead.',
    path: around === undefined ? part : placeOf(part, around, 0),
  })
}

/** The relationship part of a part, whether or not the package has it. */
export function relationshipPart(opened: OoxmlPackage, part: string): string {
  const slash = part.lastIndexOf('/') + 1
  const wanted = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  return opened.parts.find((other) => other.toLowerCase() === wanted.toLowerCase()) ?? wanted
}

function linkTemplatesOf(opened: OoxmlPackage, part: string, findings: Finding[]): LinkTemplate[] {
  if (!opened.relationships(part).some(({ external, target }) => external && /\{|%7b/i.test(target))) return []
  const name = relationshipPart(opened, part)
  const relations = opened.readXmlDocument(name)
  return relations.ok ? findLinkTemplates(name, relations.value, findings) : []
}

/** Brace pairs where no tag can work, such as formulas: better refused than printed. */
function reportStrayTags(
  part: string,
  root: XmlElement,
  paragraphs: Paragraph[],
  kind: PartKind,
  findings: Finding[],
): void {
  if (kind !== 'word') return
  const known = new Set(paragraphs.flatMap(({ pieces }) => pieces.map(({ node }) => node)))
  const numbers = new Map(paragraphs.map((paragraph) => [paragraph.element, paragraph]))
  let current = paragraphs[0]
  const walk = (element: XmlElement) => {
    if (unread.has(element.name)) return
    current = numbers.get(element) ?? current
    for (const child of element.children) {
      if (child.kind === 'element') walk(child)
      else if (child.text.includes('{{') && !known.has(child)) {
        findings.push({
          code: 'docx.misplaced',
          severity: 'error',
          message: `A tag stands in ${element.name}, where none can be filled.`,
          hint: 'Move it to ordinary text.',
          path: current === undefined ? part : placeOf(part, current, 0),
        })
      }
    }
  }
  walk(root)
}

/** Text nobody reads, or that has findings of its own. */
const unread = new Set(['w:instrText', 'w:delText', 'w:delInstrText', 'w:del', 'w:moveFrom'])

/**
 * The same document in a form in which every character of text has one place in the source: without CDATA sections and
 * carriage returns, which are rare.
 */
function plainSource(document: XmlDocument): XmlDocument {
  if (!document.source.includes('<![CDATA[') && !document.source.includes('\r')) return document
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const again = parseXmlDocument(head + serializeXml(document.root))
  if (!again.ok) throw new Error(`a part that was read cannot be read again: ${again.findings[0]?.message}`)
  return again.value
}

/** Tags of an attribute or a text-only element; they have no neighbours to build blocks with. */
function planSingle(
  part: string,
  single: Paragraph,
  source: string,
  scanned: ScannedPart[],
  items: Item[],
  findings: Finding[],
): void {
  const found = scanTags(part, [single], findings)
  if (found.tags.length === 0) return
  scanned.push(found)
  const placeholder = placeholderOf(found, source)
  if (placeholder !== undefined) {
    items.push(...placeholder)
    return
  }
  for (const tag of found.tags) {
    const { kind } = tag.syntax
    if (kind !== 'image' && kind !== 'qr' && kind !== 'barcode' && kind !== 'pagebreak') continue
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${tag.raw} cannot stand in text without formatting.`,
      hint: 'Put it into a paragraph, or alone into the alternative text of the picture it replaces.',
      path: placeOf(part, single, tag.from),
    })
  }
  items.push(...placeTags(found, source, findings))
}

/** A picture whose alternative text is nothing but a picture tag keeps its box and gets another image. */
function placeholderOf(found: ScannedPart, source: string): Item[] | undefined {
  const [tag] = found.tags
  if (tag === undefined || found.tags.length !== 1 || tag.raw !== tag.paragraph.text.trim()) return undefined
  const { kind } = tag.syntax
  if (kind !== 'image' && kind !== 'qr' && kind !== 'barcode') return undefined
  const { element, pieces } = tag.paragraph
  const node = pieces[0]!.node!
  const blip = element.name === 'wp:docPr' ? blipAfter(found, element) : undefined
  const span = blip === undefined ? undefined : attributeSpan(blip, 'r:embed', source)
  if (span === undefined) return undefined
  const embedded = { ...tag, paragraph: { ...tag.paragraph, form: { kind: 'embed' as const } } }
  return [
    { kind: 'cut', start: node.start, end: node.end, text: '' },
    { kind: 'hole', ...span, tag: embedded },
  ]
}

/** The `a:blip` of the drawing that a `wp:docPr` describes. */
function blipAfter(found: ScannedPart, docPr: XmlElement): XmlElement | undefined {
  const holder = found.paragraphs[0]!.ancestors[0]
  const search = (element: XmlElement): XmlElement | undefined => {
    if (element.name === 'a:blip') return element
    for (const child of element.children) {
      const hit = child.kind === 'element' ? search(child) : undefined
      if (hit !== undefined) return hit
    }
    return undefined
  }
  return holder === undefined || holder.children.every((child) => child !== docPr) ? undefined : search(holder)
}

/** The greatest ids over all Word parts of a package. */
export function greatestIdsOf(opened: OoxmlPackage): { drawing: number; bookmark: number } {
  const greatest = { drawing: 0, bookmark: 0 }
  for (const { part, kind } of textualParts(opened)) {
    const root = kind === 'word' ? opened.readXml(part) : undefined
    if (root === undefined || !root.ok) continue
    const ids = greatestIds(root.value)
    greatest.drawing = Math.max(greatest.drawing, ids.drawing)
    greatest.bookmark = Math.max(greatest.bookmark, ids.bookmark)
  }
  return greatest
}
