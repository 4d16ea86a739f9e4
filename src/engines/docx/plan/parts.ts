import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childNamed, parseXmlDocument, serializeXml, type XmlDocument, type XmlElement } from '../../ooxml/xml.ts'
import type { CompositionTemplate } from '../compose/compose.ts'
import { buildProgram, type Op } from '../program/program.ts'
import { planStripping, strippedRelationships } from '../scan/external.ts'
import { reportDividedFields, type ScannedField, scanFields, takeContentsTags } from '../scan/fields.ts'
import { findLinkTemplates, type LinkTemplate, planLinks } from '../scan/links.ts'
import { type NotesPart, planNotes } from '../scan/notes.ts'
import {
  attributeSpan,
  collectAttributes,
  collectFormulas,
  collectLeaves,
  collectParagraphs,
  type Paragraph,
  paragraphBefore,
  placeOf,
  type ScannedPart,
  scanTags,
  TagSearch,
} from '../scan/scan.ts'
import type { Styles } from '../scan/styles.ts'
import { isBlockTag } from './blocks.ts'
import { greatestIds, planFreshIds } from './ids.ts'
import type { Item } from './items.ts'
import { cutTags, placeTags } from './place.ts'
import { planRestarts } from './restarts.ts'

export interface CompiledPart {
  part: string
  ops: Op[]
  /** Programs of the notes that loops copy, by name (`footnote:2`). */
  notes: ReadonlyMap<string, Op[]>
  isStrict: boolean
  /** Relationships that give way to others, made while composing. */
  links: LinkTemplate[]
  /** Ids of relationships to external content, which go. */
  external: ReadonlySet<string>
  /** Whether the text of the last section may vanish, which leaves two section properties side by side. */
  mayLoseSection: boolean
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

/** What compiling one part needs to know of the others. */
export interface CompileContext {
  opened: OoxmlPackage
  styles: Styles
  notes: readonly NotesPart[]
  /** Notes that loops of the main document copy, as `footnote:2`; the main document comes first and fills it. */
  copiedNotes: Set<string>
  findings: Finding[]
}

/** Compiles one part; undefined when nothing in it changes, so that its compressed bytes can stay. */
export function compilePart(
  context: CompileContext,
  part: string,
  kind: PartKind,
): { part: CompiledPart; scanned: ScannedPart[] } | undefined {
  const { opened, findings } = context
  const document = opened.readXmlDocument(part)
  if (!document.ok) {
    findings.push(...document.findings)
    return undefined
  }
  const links = linkTemplatesOf(opened, part, findings)
  const external = strippedRelationships(opened, part)
  const notes = context.notes.find((one) => one.part === part)
  const mayHoldTags = document.value.source.includes('{') || document.value.source.includes('&#')
  const isQuiet = links.length === 0 && external.size === 0 && !mayHoldTags
  if (isQuiet && (notes === undefined || context.copiedNotes.size === 0)) return undefined
  const { root, source } = plainSource(document.value)
  const scanned: ScannedPart[] = []
  const items: Item[] = []
  const fields: ScannedField[] = []
  const paragraphs = kind === 'word' ? collectParagraphs(root, source) : []
  if (kind === 'word') {
    const found = scanTags(part, paragraphs, findings)
    if (hasTooManyTags(part, found.tags.length, findings)) return undefined
    items.push(...cutTags(takeContentsTags(root, source, found), source))
    scanned.push(found)
    items.push(...placeTags(found, source, findings))
    fields.push(...scanFields(part, root, source, paragraphs, findings))
    for (const field of fields) items.push(...planField(field, source, scanned, findings))
    reportDividedFields(part, root, items, findings)
  }
  const formulas = kind === 'word' && source.includes('oMath') ? collectFormulas(root, source, paragraphs) : []
  const singles = kind === 'word' ? [...collectAttributes(root, source, paragraphs), ...formulas] : collectLeaves(root)
  for (const single of singles) planSingle(part, single, source, scanned, items, findings)
  const others = [...formulas, ...fields.flatMap(({ scanned }) => scanned.paragraphs)]
  reportStrayTags(part, root, source, paragraphs, others, kind, findings)
  items.push(...planLinks(root, source, links), ...planStripping(root, source, external))
  if (notes !== undefined) items.push(...planNotes(root, source, notes.kind, context.copiedNotes))
  scanned.push(...links.map((link) => link.scanned))
  const count = scanned.reduce((sum, { tags }) => sum + tags.length, 0)
  if (count === 0 && items.length === 0 && external.size === 0) return undefined
  if (hasTooManyTags(part, count, findings)) return undefined
  items.push(...planRestarts(source, items, paragraphs, context.styles))
  const copyable = new Set(part === opened.mainPart ? context.notes.flatMap(({ ids }) => [...ids]) : [])
  const ids = planFreshIds(root, source, items, copyable)
  items.push(...ids.planned)
  for (const note of ids.copiedNotes) context.copiedNotes.add(note)
  const mayLoseSection = part === opened.mainPart && endsInBlock(root, items)
  const program = buildProgram(part, source, items, findings)
  const compiled = {
    ...program,
    isStrict: root.uri.startsWith('http://purl.oclc.org/'),
    links,
    external,
    mayLoseSection,
  }
  return { part: { part, ...compiled }, scanned }
}

function hasTooManyTags(part: string, count: number, findings: Finding[]): boolean {
  if (count <= limits.templateTags) return false
  const message = `${part} has more than ${limits.templateTags} tags.`
  findings.push({ code: 'docx.too_many_tags', severity: 'error', message, hint: 'Split the template.', path: part })
  return true
}

/** Tags in a field code, planned like others but each with the form that its field allows. */
function planField(field: ScannedField, source: string, scanned: ScannedPart[], findings: Finding[]): Item[] {
  const allowed = { ...field.scanned, tags: field.scanned.tags.filter((tag) => field.forms.has(tag)) }
  scanned.push(allowed)
  return placeTags(allowed, source, findings).map((item) => {
    if (item.kind !== 'hole') return item
    const form = field.forms.get(item.tag)!
    return { ...item, tag: { ...item.tag, paragraph: { ...item.tag.paragraph, form } } }
  })
}

/** Whether all text behind the last section break inside of the body stands in blocks, and so may vanish. */
function endsInBlock(root: XmlElement, items: Item[]): boolean {
  const body = childNamed(root, 'w:body')
  const section = body === undefined ? undefined : childNamed(body, 'w:sectPr')
  if (body === undefined || section === undefined) return false
  const last = body.children.findLast((child) => child.kind === 'element' && child.end <= section.start)
  return items.some(
    (item) =>
      (item.kind === 'block' || item.kind === 'any' || item.kind === 'cut') &&
      last?.kind === 'element' &&
      item.end >= last.start &&
      item.start <= last.end,
  )
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

/** Brace pairs where no tag can work, such as prompts of content controls: better refused than printed. */
function reportStrayTags(
  part: string,
  root: XmlElement,
  source: string,
  paragraphs: Paragraph[],
  others: Paragraph[],
  kind: PartKind,
  findings: Finding[],
): void {
  if (kind !== 'word') return
  const tagged = [...paragraphs, ...others].filter(({ isPlain }) => !isPlain)
  const known = new Set(tagged.flatMap(({ pieces }) => pieces.map(({ node }) => node)))
  const search = new TagSearch(source)
  const walk = (element: XmlElement) => {
    if (unread.has(element.name) || !search.mayHoldTags(element)) return
    for (const child of element.children) {
      if (child.kind === 'element') walk(child)
      else if (child.text.includes('{{') && !known.has(child)) {
        const paragraph = paragraphBefore(paragraphs, child.start) ?? paragraphs[0]
        findings.push({
          code: 'docx.misplaced',
          severity: 'error',
          message: `A tag stands in ${element.name}, where none can be filled.`,
          hint: 'Move it to ordinary text.',
          path: paragraph === undefined ? part : placeOf(part, paragraph, 0),
        })
      }
    }
  }
  walk(root)
}

/** Text nobody reads, or that has findings of its own. */
const unread = new Set(['w:delText', 'w:delInstrText', 'w:del', 'w:moveFrom'])

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
    if (kind === 'text' || isBlockTag(tag)) continue
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${tag.raw} cannot stand in text without formatting.`,
      hint: 'Put it into a paragraph, or alone into the alternative text of the picture it replaces.',
      path: placeOf(part, single, tag.from),
    })
  }
  found.tags = found.tags.filter((tag) => tag.syntax.kind === 'text' || isBlockTag(tag))
  items.push(...placeTags(found, source, findings))
}

/** A picture whose alternative text is nothing but a picture tag keeps its box and gets another image. */
function placeholderOf(found: ScannedPart, source: string): Item[] | undefined {
  const [tag] = found.tags
  if (tag === undefined || found.tags.length !== 1 || tag.raw !== tag.paragraph.text.trim()) return undefined
  const { kind } = tag.syntax
  if (kind !== 'image' && kind !== 'qr' && kind !== 'barcode') return undefined
  const { element, pieces, ancestors } = tag.paragraph
  const node = pieces[0]!.node!
  const picture = pictureOf(element, ancestors)
  const span = picture === undefined ? undefined : attributeSpan(picture.element, picture.attribute, source)
  if (span === undefined) return undefined
  const embedded = { ...tag, paragraph: { ...tag.paragraph, form: { kind: 'embed' as const } } }
  return [
    { kind: 'cut', start: node.start, end: node.end, text: '' },
    // LibreOffice writes the text twice, beside the drawing and in the picture; the second hole is void.
    { kind: 'hole', ...span, tag: embedded },
  ]
}

/** The reference to the image in the drawing (or VML shape) whose alternative text an element carries. */
function pictureOf(
  element: XmlElement,
  ancestors: XmlElement[],
): { element: XmlElement; attribute: string } | undefined {
  const isVml = element.name === 'v:shape'
  const holder = isVml ? element : ancestors.find(({ name }) => holdersOfPictures.has(name))
  const wanted = isVml ? 'v:imagedata' : 'a:blip'
  const search = (from: XmlElement): XmlElement | undefined => {
    if (from.name === wanted) return from
    for (const child of from.children) {
      const hit = child.kind === 'element' ? search(child) : undefined
      if (hit !== undefined) return hit
    }
    return undefined
  }
  const found = holder === undefined ? undefined : search(holder)
  return found === undefined ? undefined : { element: found, attribute: isVml ? 'r:id' : 'r:embed' }
}

const holdersOfPictures = new Set(['wp:inline', 'wp:anchor', 'pic:pic'])

/** The greatest ids over all Word parts of a package. */
export function greatestIdsOf({ opened, notes }: CompileContext): CompositionTemplate['greatestIds'] {
  const greatest = { drawing: 0, bookmark: 0, footnote: 0, endnote: 0 }
  for (const { kind, greatestId } of notes) greatest[kind] = greatestId
  for (const { part, kind } of textualParts(opened)) {
    const root = kind === 'word' ? opened.readXml(part) : undefined
    if (root === undefined || !root.ok) continue
    const ids = greatestIds(root.value)
    greatest.drawing = Math.max(greatest.drawing, ids.drawing)
    greatest.bookmark = Math.max(greatest.bookmark, ids.bookmark)
  }
  return greatest
}
