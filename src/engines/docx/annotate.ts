/** Writes findings into a copy of the template: as Word comments for its author, or as marks that show their page. */
import { describeSurroundings, type Finding, type Outcome, succeed } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { markText, maxMarks } from '../../core/marks.ts'
import { conformanceOf } from '../ooxml/namespaces.ts'
import { type OoxmlPackage, openPackage } from '../ooxml/package.ts'
import { beforeEnd, PackageEdit } from '../ooxml/package-edit.ts'
import { childElements, childNamed, type XmlElement } from '../ooxml/xml.ts'
import { escapeAttribute, escapeText, hasIllegalCharacter } from '../ooxml/xml-write.ts'
import { aroundIn, reopened } from './plan/boundaries.ts'
import { parsePlace } from './scan/document-place.ts'
import { attributeNames } from './scan/own-declarations.ts'
import { collectParagraphs, type Paragraph, pieceAt } from './scan/paragraphs.ts'
import { relatedPart, textualParts } from './scan/parts.ts'
import { plainSource } from './scan/scan.ts'
import { sourceOffset, wholeAttributeSpan } from './scan/source.ts'

/** XML inserted into a part at an offset of its source. Insertions at the same offset keep their order. */
interface Insertion {
  offset: number
  /** Where what it replaces ends. */
  end?: number
  xml: string
  /** Whether another one at the same offset says the same. */
  isOnce?: true
  /** Whether all others at the same offset come before it. */
  isLast?: true
}

/** A part that is changed at places of its text. */
interface OpenPart {
  source: string
  paragraphs: readonly Paragraph[]
  /** What the part writes before names of WordprocessingML: `w:`. */
  prefix: string
  /** Its namespace of WordprocessingML. */
  uri: string
}

function openPart(opened: OoxmlPackage, part: string): OpenPart | undefined {
  const document = opened.readXmlDocument(part)
  if (!document.ok) return undefined
  const { root, source } = plainSource(document.value)
  const prefix = root.written.slice(0, root.written.indexOf(':') + 1)
  return { source, paragraphs: collectParagraphs(root, source), prefix, uri: root.uri }
}

function inserted(source: string, insertions: readonly Insertion[]): string {
  const sorted = insertions.map((one, index) => ({ ...one, index }))
  const rank = ({ isLast, index }: { isLast?: true; index: number }) => (isLast ? insertions.length : index)
  sorted.sort((a, b) => a.offset - b.offset || rank(a) - rank(b))
  let text = ''
  let at = 0
  let saidAt = -1
  for (const { offset, end = offset, xml, isOnce } of sorted) {
    if (isOnce === true && saidAt === offset) continue
    if (isOnce === true) saidAt = offset
    text += source.slice(at, offset) + xml
    at = end
  }
  return text + source.slice(at)
}

/**
 * Copies a template and adds a comment for each finding at its place. Findings outside of the body, where Word takes no
 * comments, go to its first paragraph. Braces quoted in a comment are spaced apart, so that they don't read as tags.
 *
 * @returns findings if the file is no Word package
 */
export function annotateTemplate(template: Uint8Array, findings: readonly Finding[]): Outcome<Uint8Array> {
  const opened = openPackage(template)
  if (!opened.ok) return opened
  const main = openPart(opened.value, opened.value.mainPart)
  if (main === undefined) return { ok: false, findings: [...findings] }
  const edit = new PackageEdit(opened.value, conformanceOf(main.uri))
  const comments = commentsPart(opened.value, main)
  const insertions: Insertion[] = []
  let written = ''
  findings.forEach((finding, index) => {
    const id = comments.nextId + index
    const place = parsePlace(finding.path)
    const isInBody = place?.part === opened.value.mainPart
    const found = isInBody ? main.paragraphs[place.paragraph - 1] : undefined
    const paragraph = found ?? main.paragraphs[0]
    if (paragraph === undefined) return
    insertions.push(...commentAt(main, paragraph, found === undefined ? undefined : place?.position, id))
    written += commentXml(comments, id, finding)
  })
  edit.setText(opened.value.mainPart, inserted(main.source, insertions))
  writeComments(edit, opened.value, comments, written)
  return succeed(edit.bytes())
}

interface CommentsPart {
  part: string | undefined
  prefix: string
  uri: string
  nextId: number
}

function commentsPart(opened: OoxmlPackage, { prefix, uri }: OpenPart): CommentsPart {
  const part = relatedPart(opened, 'comments')
  const root = part === undefined ? undefined : opened.readXml(part)
  if (part === undefined || !root?.ok) return { part: undefined, prefix, uri, nextId: 0 }
  const ids = childElements(root.value, 'w:comment').map(({ attributes }) => Number(attributes['w:id']) || 0)
  const { written } = root.value
  const own = written.slice(0, written.indexOf(':') + 1)
  return { part, prefix: own, uri: root.value.uri, nextId: ids.reduce((most, id) => Math.max(most, id), -1) + 1 }
}

const commentsType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml'

function writeComments(edit: PackageEdit, opened: OoxmlPackage, comments: CommentsPart, written: string): void {
  const { part, prefix, uri } = comments
  if (part !== undefined) {
    edit.setText(part, beforeEnd(edit.textOf(part) ?? '', written))
    return
  }
  if (written === '') return
  const name = edit.freeName('word/comments', '.xml')
  const declares = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`
  const root = `${prefix}comments`
  const text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root} ${declares}="${uri}">${written}</${root}>`
  edit.addPart(name, text, commentsType)
  edit.relate(opened.mainPart, { type: 'comments', target: name })
}

/** Without a date, so that equal findings give equal bytes. */
function commentXml({ prefix: w, uri }: CommentsPart, id: number, finding: Finding): string {
  const { message, hint, near = {}, severity, path = '' } = finding
  const kind = severity === 'warning' ? 'Warning: ' : ''
  const place = parsePlace(path)
  const elsewhere = near.in === undefined && place !== undefined ? '' : describeSurroundings(near) || path
  const lines = [`${kind}${message}`, hint, elsewhere].filter((line) => line !== undefined && line !== '')
  const paragraphs = lines.map((line) => {
    const text = escapeText(apart(String(line)))
    return `<${w}p><${w}r><${w}t xml:space="preserve">${text}</${w}t></${w}r></${w}p>`
  })
  const { declares, prefix: own } = attributeNames(w, uri)
  const attributes = [`${own}id="${id}"`, `${own}author="${escapeAttribute('Quire')}"`, `${own}initials="Q"`]
  return `<${w}comment${declares} ${attributes.join(' ')}>${paragraphs.join('')}</${w}comment>`
}

/** Text in which no tag is read, and that XML can carry. */
function apart(text: string): string {
  const shown = hasIllegalCharacter(text)
    ? text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd')
    : text
  return shown.replace(/[{«]/g, '$& ').replace(/[}»]/g, ' $&')
}

/**
 * The comment's range and the reference to it. The range encloses the tag at the position, splitting its run. Without
 * such a tag, or in text outside of runs, it encloses the whole paragraph.
 */
function commentAt(part: OpenPart, paragraph: Paragraph, position: number | undefined, id: number): Insertion[] {
  const w = part.prefix
  const { declares, prefix: own } = attributeNames(w, part.uri)
  const mark = (name: string) => `<${w}${name}${declares} ${own}id="${id}"/>`
  const begin = mark('commentRangeStart')
  const end = `${mark('commentRangeEnd')}<${w}r>${mark('commentReference')}</${w}r>`
  const to = position === undefined ? undefined : tagEnd(paragraph.text, position)
  const first = position === undefined ? undefined : cutIn(part, paragraph, position, 'before')
  const last = to === undefined ? undefined : cutIn(part, paragraph, to, 'after')
  if (first !== undefined && last !== undefined) {
    return [
      ...first.blanks,
      ...last.blanks,
      { offset: first.offset, xml: first.closes + begin + first.opens },
      { offset: last.offset, xml: last.closes + end + last.opens },
    ]
  }
  const { element } = paragraph
  const properties = childNamed(element, 'w:pPr')
  if (element.closeStart === element.openEnd && element.openEnd === element.end) {
    // A paragraph that is one empty element can hold nothing until it is opened, once for all comments.
    return [
      { offset: element.end - 2, end: element.end, xml: '>', isOnce: true },
      { offset: element.end, xml: begin + end },
      { offset: element.end, xml: `</${element.written}>`, isOnce: true, isLast: true },
    ]
  }
  return [
    { offset: properties?.end ?? element.openEnd, xml: begin },
    { offset: element.closeStart, xml: end },
  ]
}

/** Where the tag at a position ends; the end of its paragraph for one that is never closed. */
function tagEnd(text: string, position: number): number | undefined {
  if (!text.startsWith('{{', position)) return undefined
  const close = text.indexOf('}}', position)
  return close < 0 ? text.length : close + 2
}

/** A place between runs: where the text is divided, and what closes and opens its run there. */
interface Cut {
  offset: number
  closes: string
  opens: string
  /** What keeps the blanks at the ends of a text that is divided. */
  blanks: Insertion[]
}

function cutIn(part: OpenPart, paragraph: Paragraph, position: number, side: 'before' | 'after'): Cut | undefined {
  const piece = paragraph.pieces[pieceAt(paragraph, side === 'before' ? position : position - 1)]
  const [text, run] = piece?.chain ?? []
  if (piece?.node === undefined || text?.name !== 'w:t' || run?.name !== 'w:r') return undefined
  const index = position - piece.from
  // At an end of the run's only text nothing has to be divided.
  const isOnlyText = childElements(run).every((child) => child === text || child.name === 'w:rPr')
  if (isOnlyText && index <= 0) return { offset: run.start, closes: '', opens: '', blanks: [] }
  if (isOnlyText && index >= piece.text.length) return { offset: run.end, closes: '', opens: '', blanks: [] }
  const { source } = part
  const again = [run, text].map((element) => reopened(element, source, aroundIn(piece.chain, paragraph, element)))
  const closes = `</${text.written}></${run.written}>`
  const offset = sourceOffset(piece.node, index, source)
  return { offset, closes, opens: again.join(''), blanks: keptBlanks(text, source) }
}

function keptBlanks(text: XmlElement, source: string): Insertion[] {
  const space = text.attributes['xml:space']
  if (space === 'preserve') return []
  const written = space === undefined ? undefined : wholeAttributeSpan(text, 'xml:space', source)
  if (written === undefined) return [{ offset: text.openEnd - 1, xml: ' xml:space="preserve"', isOnce: true }]
  return [{ offset: written.start, end: written.end, xml: 'xml:space="preserve"', isOnce: true }]
}

/** A template in which places are marked, to be laid out and never kept (see `core/marks.ts`). */
export interface MarkedTemplate {
  bytes: Uint8Array
  /** A mark is an index into them. */
  places: readonly string[]
}

/**
 * Marks the character at each place. A place outside the text of any run marks the first text of its paragraph.
 *
 * @returns undefined for a file that can't be opened or is so long that laying it out takes seconds
 */
export function markPlaces(template: Uint8Array, places: readonly string[]): MarkedTemplate | undefined {
  const opened = openPackage(template, 'ignored')
  if (!opened.ok) return undefined
  const { archive, mainPart } = opened.value
  if ((archive.entry(mainPart)?.inflatedBytes ?? 0) > limits.packageKeptPartBytes) return undefined
  const edits = new Map<string, { open: OpenPart; insertions: Insertion[]; marked: Set<number> }>()
  const wordParts = new Set(textualParts(opened.value).flatMap(({ part, kind }) => (kind === 'word' ? [part] : [])))
  places.slice(0, maxMarks).forEach((path, mark) => {
    const place = parsePlace(path)
    if (place === undefined || !wordParts.has(place.part)) return
    const known = edits.get(place.part)
    const open = known?.open ?? openPart(opened.value, place.part)
    const paragraph = open?.paragraphs[place.paragraph - 1]
    if (open === undefined || paragraph === undefined) return
    const edit = known ?? { open, insertions: [], marked: new Set<number>() }
    edits.set(place.part, edit)
    const piece = paragraph.pieces[pieceAt(paragraph, place.position)]
    const { node, from, text } = piece?.node === undefined ? (paragraph.pieces.find((one) => one.node) ?? {}) : piece
    if (node === undefined || from === undefined || text === undefined || text === '') return
    const index = Math.max(0, Math.min(place.position - from, text.length - 1))
    const offset = sourceOffset(node, index, open.source)
    // One character can have one mark: others of the same place are on the same page.
    if (edit.marked.has(offset)) return
    edit.marked.add(offset)
    const [opens = '', closes = ''] = markText('|', mark).split('|')
    const end = sourceOffset(node, index + String.fromCodePoint(text.codePointAt(index) ?? 0).length, open.source)
    edit.insertions.push({ offset, xml: opens }, { offset: end, xml: closes })
  })
  const changed = new PackageEdit(opened.value, 'transitional')
  for (const [part, { open, insertions }] of edits) changed.setText(part, inserted(open.source, insertions))
  return { bytes: changed.bytes(), places }
}
