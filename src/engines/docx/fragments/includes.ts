/** Tags that include a template: `{{> clause-liability}}`, alone in a paragraph. */
import { hardBlanks } from '../../../core/plain-text.ts'
import { newestReading } from '../../../core/reading.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { includedSlug } from '../scan/included-slug.ts'
import { carrier, ownDeclaration } from '../scan/own-declarations.ts'
import { collectParagraphs, type Paragraph, placeOf } from '../scan/paragraphs.ts'
import { plainSource } from '../scan/scan.ts'
import { scanTags } from '../scan/tags.ts'

export interface Include {
  slug: string
  paragraph: Paragraph
  /** The place of the tag: `word/document.xml#12:0`. */
  place: string
  /** The properties of its paragraph, where they end a section; else empty. */
  section: string
  /** What a paragraph in its place declares, if its own does. */
  declares: string
}

/** A part of WordprocessingML with its text. */
export interface Story {
  part: string
  root: XmlElement
  source: string
  paragraphs: readonly Paragraph[]
}

export function readStory(opened: OoxmlPackage, part: string): Story | undefined {
  const document = opened.readXmlDocument(part)
  if (!document.ok) return undefined
  const { root, source } = plainSource(document.value)
  return { part, root, source, paragraphs: collectParagraphs(root, source) }
}

/** Nearly all templates include nothing, and looking for the signs of such a tag is cheaper than reading paragraphs. */
export function mayInclude(source: string): boolean {
  return /\{(?:\s|<[^<>]*>)*\{(?:\s|<[^<>]*>)*(?:&gt;|&#|>)/.test(source)
}

/** Where blocks of text can be put in the place of a paragraph. */
const holders = new Set(['w:body', 'w:tc', 'w:hdr', 'w:ftr', 'w:sdtContent'])

/** The tags of a story that stand where a template can be included. Scanning the part refuses all others. */
export function findIncludes({ part, paragraphs, source }: Story): Include[] {
  if (!mayInclude(source)) return []
  const found = paragraphs.flatMap((paragraph): Include[] => {
    const slug = paragraph.isPlain ? undefined : slugAlone(paragraph)
    if (slug === undefined || !isHeld(paragraph)) return []
    const place = placeOf(part, paragraph, paragraph.text.indexOf('{{'))
    const declares = ownDeclaration(paragraph.element, paragraph.ancestors)
    return [{ slug, paragraph, place, section: sectionOf(paragraph, source), declares }]
  })
  return found.length === 0 ? [] : withoutCommented(found, { part, paragraphs })
}

function sectionOf({ element, ancestors }: Paragraph, source: string): string {
  const properties = childNamed(element, 'w:pPr')
  const endsSection = properties !== undefined && childNamed(properties, 'w:sectPr') !== undefined
  return endsSection ? carrier([element], ancestors)(properties, source) : ''
}

function slugAlone({ text, objects }: Paragraph): string | undefined {
  const tag = text.replace(hardBlanks, ' ').trim()
  return objects.length === 0 && tag.startsWith('{{') && tag.endsWith('}}') ? includedSlug(tag.slice(2, -2)) : undefined
}

/** Text boxes are in the file twice, so what they include would be there twice as well. */
function isHeld({ ancestors }: Paragraph): boolean {
  const isInBox = ancestors.some(({ name }) => name === 'w:txbxContent')
  return holders.has(ancestors[0]?.name ?? '') && !isInBox
}

/** A comment over several paragraphs may hold the tag of another template. */
function withoutCommented(
  found: readonly Include[],
  { part, paragraphs }: Pick<Story, 'part' | 'paragraphs'>,
): Include[] {
  const comments: { from: number; to: number }[] = []
  for (const { syntax, paragraph } of scanTags(part, [...paragraphs], [], newestReading).tags) {
    if (syntax.kind === 'commentbegin') comments.push({ from: paragraph.number, to: Number.POSITIVE_INFINITY })
    const last = comments.at(-1)
    if (syntax.kind === 'commentend' && last !== undefined) last.to = paragraph.number
  }
  return found.filter(({ paragraph: { number } }) => !comments.some(({ from, to }) => from < number && number < to))
}
