import { relationshipType, strictRelationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, escapeAttribute } from '../../ooxml/xml.ts'
import type { ZipEntry, ZipOutput } from '../../ooxml/zip.ts'
import { type CompileContext, type CompiledPart, greatestIdsOf, relationshipPart } from '../plan/parts.ts'
import { strippedRelationships } from '../scan/external.ts'
import { hasTableOfContents } from '../scan/fields.ts'
import type { CompositionTemplate, PartRelationships } from './compose.ts'
import { type NumberingGains, readNumbering } from './numbering.ts'
import type { LoadedPicture } from './pictures.ts'
import { composedSettings } from './settings.ts'

/** What a composed document keeps from its template. */
export interface Skeleton extends CompositionTemplate {
  entries: readonly ZipEntry[]
  mainPart: string
  /** Whether the main document has a table of contents. */
  hasContents: boolean
  contentTypes: string
  contentTypesPart: string
  /** Parts that every composition changes in the same way. */
  fixed: ReadonlyMap<string, Uint8Array>
  /** Relationship parts by the compiled part they belong to. `text` is undefined where the package has none. */
  relationships: ReadonlyMap<string, { part: string; text: string | undefined; isChanged: boolean }>
}

const encoder = new TextEncoder()

export function skeletonOf(context: CompileContext, parts: CompiledPart[]): Skeleton {
  const { opened, styles } = context
  const contentTypesPart = opened.parts.find((part) => part.toLowerCase() === '[content_types].xml')!
  const main = opened.readXml(opened.mainPart)
  const uri = main.ok ? main.value.uri : ''
  const written = main.ok ? main.value.written : ''
  const relationships = new Map<string, { part: string; text: string | undefined; isChanged: boolean }>()
  for (const { part, links, external } of parts) {
    const gone = new Set([...links.map(({ id }) => id), ...external])
    relationships.set(part, { ...relationsWithout(opened, part, gone), isChanged: gone.size > 0 })
  }
  if (!relationships.has(opened.mainPart)) {
    relationships.set(opened.mainPart, { ...relationsWithout(opened, opened.mainPart, new Set()), isChanged: false })
  }
  const hasContents = main.ok && hasTableOfContents(main.value)
  const notes = parts.flatMap(({ part, notes }) => [...notes].map(([name, ops]) => [name, { part, ops }] as const))
  return {
    entries: opened.parts.map((part) => opened.archive.entry(part)!),
    mainPart: opened.mainPart,
    contentTypes: sourceOf(opened, contentTypesPart)!,
    contentTypesPart,
    hasContents,
    fixed: fixedParts(opened, hasContents),
    relationships,
    greatestIds: greatestIdsOf(context),
    numbering: readNumbering(opened, uri),
    styles,
    uri,
    prefix: written.slice(0, written.indexOf(':') + 1),
    notes: new Map(notes),
  }
}

function sourceOf(opened: OoxmlPackage, part: string): string | undefined {
  const document = opened.readXmlDocument(part)
  return document.ok ? document.value.source : undefined
}

/** The relationship part of a part without some of its relationships. */
function relationsWithout(
  opened: OoxmlPackage,
  owner: string,
  gone: ReadonlySet<string>,
): { part: string; text: string | undefined } {
  const part = relationshipPart(opened, owner)
  const document = opened.readXmlDocument(part)
  if (!document.ok) return { part, text: undefined }
  const { root, source } = document.value
  let text = ''
  let at = 0
  for (const element of childElements(root, 'Relationship')) {
    if (!gone.has(element.attributes.Id ?? '')) continue
    text += source.slice(at, element.start)
    at = element.end
  }
  return { part, text: text + source.slice(at) }
}

function fixedParts(opened: OoxmlPackage, hasContents: boolean): Map<string, Uint8Array> {
  const fixed = new Map<string, Uint8Array>()
  const settings = composedSettings(opened, hasContents)
  if (settings === undefined) return fixed
  fixed.set(settings.part, encoder.encode(settings.text))
  const external = strippedRelationships(opened, settings.part)
  if (external.size > 0) {
    const { part, text } = relationsWithout(opened, settings.part, external)
    if (text !== undefined) fixed.set(part, encoder.encode(text))
  }
  return fixed
}

export interface ComposedPart {
  part: string
  /** Undefined where only relationships are added. */
  text: string | undefined
  gained: PartRelationships
}

/** The entries of the composed archive, in the template's order, new parts last. */
export function assemble(
  skeleton: Skeleton,
  composed: ComposedPart[],
  media: ReadonlyMap<string, LoadedPicture>,
  numbering: NumberingGains,
): ZipOutput[] {
  const replaced = new Map(skeleton.fixed)
  const added: AddedPart[] = []
  if (!numbering.isEmpty) {
    const part = skeleton.numbering.part ?? freeName(skeleton, 'word/numbering', '.xml')
    replaced.set(part, encoder.encode(numbering.text()))
    if (skeleton.numbering.part === undefined) added.push({ part, type: numberingType, word: 'numbering' })
  }
  for (const { part, text, gained } of composed) {
    if (text !== undefined) replaced.set(part, encoder.encode(text))
    const relations = skeleton.relationships.get(part)!
    const own = part === skeleton.mainPart ? added : []
    if (gained.pictures.size + gained.links.size + own.length === 0 && !relations.isChanged) continue
    replaced.set(relations.part, encoder.encode(withRelationships(relations.text, gained, media, own)))
  }
  const contentTypes = withContentTypes(skeleton.contentTypes, media, added)
  if (contentTypes !== skeleton.contentTypes) replaced.set(skeleton.contentTypesPart, encoder.encode(contentTypes))
  const outputs: ZipOutput[] = skeleton.entries.map((entry) => {
    const data = replaced.get(entry.name)
    if (data === undefined) return entry
    replaced.delete(entry.name)
    return { name: entry.name, data }
  })
  for (const [name, data] of replaced) outputs.push({ name, data })
  for (const picture of media.values()) outputs.push({ name: mediaPart(picture), data: picture.bytes })
  return outputs
}

export function mediaPart(picture: LoadedPicture): string {
  return `word/media/quire-${picture.hash.slice(0, 32)}.${picture.extension}`
}

/** A part that the template lacks and the composed document needs. */
interface AddedPart {
  part: string
  type: string
  /** What the main document calls its relationship to it. */
  word: string
}

const numberingType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml'

function freeName(skeleton: Skeleton, stem: string, extension: string): string {
  const taken = new Set(skeleton.entries.map(({ name }) => name.toLowerCase()))
  return taken.has(stem + extension) ? `${stem}-quire${extension}` : stem + extension
}

const relationshipsUri = 'http://schemas.openxmlformats.org/package/2006/relationships'

function withRelationships(
  text: string | undefined,
  gained: PartRelationships,
  media: ReadonlyMap<string, LoadedPicture>,
  parts: readonly AddedPart[],
): string {
  let added = ''
  const add = (id: string, word: string, target: string) => {
    const type = gained.isStrict ? strictRelationshipType(word) : relationshipType(word)
    added += `<Relationship xmlns="${relationshipsUri}" Id="${id}" Type="${type}" ${target}/>`
  }
  // An absolute target holds whatever folder the part itself is in.
  for (const [hash, id] of gained.pictures) add(id, 'image', `Target="/${mediaPart(media.get(hash)!)}"`)
  for (const [address, id] of gained.links) {
    add(id, 'hyperlink', `Target="${escapeAttribute(address)}" TargetMode="External"`)
  }
  for (const { part, word } of parts) add(`rIdQuire_${word}`, word, `Target="/${part}"`)
  if (text === undefined) {
    return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${relationshipsUri}">${added}</Relationships>`
  }
  return insertBeforeEnd(text, added)
}

const typesUri = 'http://schemas.openxmlformats.org/package/2006/content-types'

function withContentTypes(
  text: string,
  media: ReadonlyMap<string, LoadedPicture>,
  added: readonly AddedPart[],
): string {
  let types = text.replaceAll('wordprocessingml.template.main+xml', 'wordprocessingml.document.main+xml')
  const extensions = new Set([...media.values()].map((picture) => picture.extension))
  for (const extension of extensions) {
    if (new RegExp(`Extension\\s*=\\s*["']${extension}["']`, 'i').test(types)) continue
    const entry = `<Default xmlns="${typesUri}" Extension="${extension}" ContentType="image/${extension}"/>`
    // Defaults come before overrides in every writer's files; some readers count on it.
    types = types.replace(/(<(?:\w+:)?Types\b[^>]*>)/, `$1${entry}`)
  }
  for (const { part, type } of added) {
    const override = `<Override xmlns="${typesUri}" PartName="/${part}" ContentType="${type}"/>`
    types = insertBeforeEnd(types, override)
  }
  return types
}

/** Puts XML in front of the root's end tag; a root without content is opened first. */
function insertBeforeEnd(text: string, added: string): string {
  const end = text.lastIndexOf('</')
  if (end >= 0) return text.slice(0, end) + added + text.slice(end)
  return text.replace(/<((?:\w+:)?Relationships)\b([^>]*)\/>\s*$/, `<$1$2>${added}</$1>`)
}
