import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import type { Reading } from '../../../core/reading.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import type { XmlDocument, XmlElement } from '../../ooxml/xml.ts'
import { parseXmlDocument } from '../../ooxml/xml-parser.ts'
import { serializeXml } from '../../ooxml/xml-write.ts'
import { collectCheckBoxes } from './check-boxes.ts'
import { commentRanges } from './comment-ranges.ts'
import { divideContentsTags } from './contents.ts'
import { strippedRelationships } from './external.ts'
import { type ScannedField, scanFields } from './fields.ts'
import { mayHoldForeignText, reportForeignText } from './foreign-text.ts'
import { findLinkTemplates, type LinkTemplate } from './links.ts'
import { type NotesPart, notesWithin } from './notes.ts'
import { collectParagraphs } from './paragraphs.ts'
import type { PartKind } from './parts.ts'
import { collectLeaves, collectSingles } from './singles.ts'
import { isInRanges } from './source.ts'
import { reportStrayTags } from './stray.ts'
import type { Styles } from './styles.ts'
import { type LocatedTag, scanTags, type TaggedText } from './tags.ts'

/** Shared by the phases while they compile a template. */
export interface CompileContext {
  opened: OoxmlPackage
  styles: Styles
  notes: readonly NotesPart[]
  /** Notes that loops of the main document copy, as `footnote:2`; the main document comes first and fills it. */
  copiedNotes: Set<string>
  /** Notes that only comments refer to, `{{! … }}`: they go with them. */
  commentedNotes: Set<string>
  findings: Finding[]
  /** The rules by which tags are read and blocks placed. */
  reading: Reading
}

/** One part as it was read, with every tag in it. */
export interface ScannedPart {
  part: string
  kind: PartKind
  root: XmlElement
  source: string
  /** The part's paragraphs; none in a leaf. */
  text: TaggedText
  /** Tags in a table of contents that composing cannot fill. */
  contentsTags: LocatedTag[]
  fields: ScannedField[]
  /** Attributes, formulas and elements that only hold text, each on its own. */
  singles: TaggedText[]
  /** Hyperlinks that composing replaces by others. */
  links: LinkTemplate[]
  /** Ids of relationships to external content, which are removed. */
  external: ReadonlySet<string>
  notes: NotesPart | undefined
}

/** Finds all tags of a part; undefined if there is nothing to look at, or too much. */
export function scanPart(context: CompileContext, part: string, kind: PartKind): ScannedPart | undefined {
  const { opened, findings, reading } = context
  const document = opened.readXmlDocument(part)
  if (!document.ok) {
    findings.push(...document.findings)
    return undefined
  }
  const links = findLinkTemplates(opened, part, findings, reading)
  const external = strippedRelationships(opened, part)
  const notes = context.notes.find((one) => one.part === part)
  const mayHoldTags = document.value.source.includes('{') || document.value.source.includes('&#')
  const isUntouched = links.length === 0 && external.size === 0 && notes === undefined && !mayHoldTags
  if (isUntouched && !mayHoldForeignText(document.value.source)) return undefined
  const { root, source } = plainSource(document.value)
  const paragraphs = kind === 'word' ? collectParagraphs(root, source) : []
  if (isUntouched) {
    findings.push(...reportForeignText({ part, paragraphs, tags: [] }, source))
    return undefined
  }
  const dropped = notes === undefined ? [] : notesWithin(root, notes, context.commentedNotes)
  const read = paragraphs.filter(({ element }) => !isInRanges(dropped, element.start))
  const found = { ...scanTags(part, read, findings, reading), paragraphs }
  if (hasTooManyTags(part, [found], findings)) return undefined
  const { kept, gone } = divideContentsTags(root, source, found)
  const comments = [...commentRanges(kept, source), ...dropped].sort((a, b) => a.start - b.start)
  const text = { ...found, tags: kept, comments }
  if (kind === 'word') findings.push(...reportForeignText({ ...found, comments }, source))
  const singles = kind === 'word' ? collectSingles(root, source, paragraphs) : collectLeaves(root)
  if (kind === 'leaf') findings.push(...reportForeignText({ part, paragraphs: singles, tags: [] }, source))
  if (kind === 'word') singles.push(...collectCheckBoxes(root, source, { part, paragraphs, reading }, findings))
  const outside = singles.filter(({ element }) => !isInRanges(comments, element.start))
  const scanned: ScannedPart = {
    part,
    kind,
    root,
    source,
    text,
    contentsTags: gone,
    fields: kind === 'word' ? scanFields(text, root, source, findings, reading) : [],
    singles: outside.map((single) => scanTags(part, [single], findings, reading)),
    links,
    external,
    notes,
  }
  if (kind === 'word') reportStrayTags({ root, source }, text, textsOf(scanned), findings)
  return hasTooManyTags(part, textsOf(scanned), findings) ? undefined : scanned
}

/** All texts of a part that hold tags. */
export function textsOf({ text, fields, singles, links }: ScannedPart): TaggedText[] {
  return [text, ...fields.map((field) => field.text), ...singles, ...links.map((link) => link.text)]
}

function hasTooManyTags(part: string, texts: readonly TaggedText[], findings: Finding[]): boolean {
  if (texts.reduce((sum, { tags }) => sum + tags.length, 0) <= limits.templateTags) return false
  const message = `${part} has more than ${limits.templateTags} tags.`
  findings.push({ code: 'docx.too_many_tags', severity: 'error', message, hint: 'Split the template.', path: part })
  return true
}

/**
 * The same document in a form in which every character of text has one place in the source: without CDATA sections and
 * carriage returns. Few documents have either.
 */
export function plainSource(document: XmlDocument): XmlDocument {
  if (!document.source.includes('<![CDATA[') && !document.source.includes('\r')) return document
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const again = parseXmlDocument(head + serializeXml(document.root))
  if (!again.ok) throw new Error(`a part that was read cannot be read again: ${again.findings[0]?.message}`)
  return again.value
}
