import { relationshipType, strictRelationshipType } from '../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../ooxml/package.ts'
import { escapeAttribute } from '../ooxml/xml.ts'
import type { ZipEntry, ZipOutput } from '../ooxml/zip.ts'
import type { PartRelationships } from './compose.ts'
import { type CompiledPart, greatestIdsOf, relationshipPart } from './parts.ts'
import type { LoadedPicture } from './pictures.ts'

/** What a composed document keeps from its template. */
export interface Skeleton {
  entries: readonly ZipEntry[]
  contentTypes: string
  contentTypesPart: string
  greatestIds: { drawing: number; bookmark: number }
  /** Relationship parts by the compiled part they belong to. `text` is undefined where the package has none. */
  relationships: ReadonlyMap<string, { part: string; text: string | undefined; isChanged: boolean }>
}

const encoder = new TextEncoder()

export function skeletonOf(opened: OoxmlPackage, parts: CompiledPart[]): Skeleton {
  const contentTypesPart = opened.parts.find((part) => part.toLowerCase() === '[content_types].xml')!
  const textOf = (part: string) => {
    const document = opened.readXmlDocument(part)
    return document.ok ? document.value.source : undefined
  }
  const relationships = new Map<string, { part: string; text: string | undefined; isChanged: boolean }>()
  for (const { part, links } of parts) {
    const name = relationshipPart(opened, part)
    let text = textOf(name)
    for (const { element } of [...links].reverse()) text = text!.slice(0, element.start) + text!.slice(element.end)
    relationships.set(part, { part: name, text, isChanged: links.length > 0 })
  }
  return {
    entries: opened.parts.map((part) => opened.archive.entry(part)!),
    contentTypes: textOf(contentTypesPart)!,
    contentTypesPart,
    greatestIds: greatestIdsOf(opened),
    relationships,
  }
}

export interface ComposedPart {
  part: string
  text: string
  gained: PartRelationships
}

/** The entries of the composed archive, in the template's order, new parts last. */
export function assemble(
  skeleton: Skeleton,
  composed: ComposedPart[],
  media: ReadonlyMap<string, LoadedPicture>,
): ZipOutput[] {
  const replaced = new Map<string, Uint8Array>()
  for (const { part, text, gained } of composed) {
    replaced.set(part, encoder.encode(text))
    const relations = skeleton.relationships.get(part)!
    if (gained.pictures.size + gained.links.size === 0 && !relations.isChanged) continue
    replaced.set(relations.part, encoder.encode(withRelationships(relations.text, gained, media)))
  }
  const contentTypes = withContentTypes(skeleton.contentTypes, media)
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

function mediaPart(picture: LoadedPicture): string {
  return `word/media/quire-${picture.hash.slice(0, 32)}.${picture.extension}`
}

const relationshipsUri = 'http://schemas.openxmlformats.org/package/2006/relationships'

function withRelationships(
  text: string | undefined,
  gained: PartRelationships,
  media: ReadonlyMap<string, LoadedPicture>,
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
  if (text === undefined) {
    return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${relationshipsUri}">${added}</Relationships>`
  }
  return insertBeforeEnd(text, added)
}

function withContentTypes(text: string, media: ReadonlyMap<string, LoadedPicture>): string {
  let types = text.replaceAll('wordprocessingml.template.main+xml', 'wordprocessingml.document.main+xml')
  const extensions = new Set([...media.values()].map((picture) => picture.extension))
  for (const extension of extensions) {
    if (new RegExp(`Extension\\s*=\\s*["']${extension}["']`, 'i').test(types)) continue
    const uri = 'http://schemas.openxmlformats.org/package/2006/content-types'
    const entry = `<Default xmlns="${uri}" Extension="${extension}" ContentType="image/${extension}"/>`
    // Defaults come before overrides in every writer's files; some readers count on it.
    types = types.replace(/(<(?:\w+:)?Types\b[^>]*>)/, `$1${entry}`)
  }
  return types
}

/** Puts XML in front of the root's end tag; a root without content is opened first. */
function insertBeforeEnd(text: string, added: string): string {
  const end = text.lastIndexOf('</')
  if (end >= 0) return text.slice(0, end) + added + text.slice(end)
  return text.replace(/<((?:\w+:)?Relationships)\b([^>]*)\/>\s*$/, `<$1$2>${added}</$1>`)
}
