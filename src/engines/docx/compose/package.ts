import { relationshipType } from '../../ooxml/namespaces.ts'
import { escapeAttribute } from '../../ooxml/xml-write.ts'
import type { ZipOutput } from '../../ooxml/zip-writer.ts'
import { chartWorkbooks, withCharts } from './charts.ts'
import type { Composition } from './composition.ts'
import { drawingPart, type LoadedPicture, mediaPart } from './pictures.ts'
import type { PartRelationships } from './relationships.ts'
import type { Skeleton } from './skeleton.ts'

const encoder = new TextEncoder()

export interface ComposedPart {
  part: string
  /** Undefined if only relationships are added. */
  text: string | undefined
}

/** The entries of the composed archive, in the template's order, new parts last. */
export function assemble(skeleton: Skeleton, composed: readonly ComposedPart[], composition: Composition): ZipOutput[] {
  const { numbering } = composition
  const media = composition.pictures.used
  const replaced = new Map(skeleton.fixed)
  const added: AddedPart[] = []
  if (!numbering.isEmpty) {
    const part = skeleton.numbering.part ?? freeName(skeleton, 'word/numbering', '.xml')
    replaced.set(part, encoder.encode(numbering.text()))
    if (skeleton.numbering.part === undefined) added.push({ part, type: numberingType, word: 'numbering' })
  }
  for (const { part, text } of withCharts(composed, composition)) {
    if (text !== undefined) replaced.set(part, encoder.encode(text))
    const relations = skeleton.relationships.get(part)
    if (relations === undefined) continue
    const gained = relationshipXml(composition.relationshipsOf(part), media, part === skeleton.mainPart ? added : [])
    if (gained === '' && !relations.isChanged) continue
    replaced.set(relations.part, encoder.encode(withRelationships(relations.text, gained)))
  }
  for (const [part, bytes] of chartWorkbooks(composition, replaced)) replaced.set(part, bytes)
  const contentTypes = withContentTypes(skeleton.contentTypes, media, added)
  if (contentTypes !== skeleton.contentTypes) replaced.set(skeleton.contentTypesPart, encoder.encode(contentTypes))
  const outputs: ZipOutput[] = skeleton.entries.map((entry) => {
    const data = replaced.get(entry.name)
    if (data === undefined) return entry
    replaced.delete(entry.name)
    return { name: entry.name, data }
  })
  for (const [name, data] of replaced) outputs.push({ name, data })
  for (const picture of media.values()) {
    outputs.push({ name: mediaPart(picture), data: picture.bytes })
    const { drawing } = picture
    if (drawing !== undefined) outputs.push({ name: drawingPart(drawing.hash), data: drawing.bytes })
  }
  return outputs
}

/** A part that the composed document needs and the template lacks. */
interface AddedPart {
  part: string
  type: string
  /** The last word of its relationship's type: `numbering`. */
  word: string
}

const numberingType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml'

function freeName(skeleton: Skeleton, stem: string, extension: string): string {
  const taken = new Set(skeleton.entries.map(({ name }) => name.toLowerCase()))
  return taken.has(stem + extension) ? `${stem}-quire${extension}` : stem + extension
}

const relationshipsUri = 'http://schemas.openxmlformats.org/package/2006/relationships'

function relationshipXml(
  { pictures, drawings, links, conformance }: PartRelationships,
  media: ReadonlyMap<string, LoadedPicture>,
  parts: readonly AddedPart[],
): string {
  const relationship = (id: string, word: string, target: string) =>
    `<Relationship xmlns="${relationshipsUri}" Id="${id}" Type="${relationshipType(word, conformance)}" ${target}/>`
  let xml = ''
  for (const [hash, id] of pictures) {
    const picture = media.get(hash)
    // An absolute target is right whatever folder the part is in.
    if (picture !== undefined) xml += relationship(id, 'image', `Target="/${mediaPart(picture)}"`)
  }
  for (const [hash, id] of drawings) xml += relationship(id, 'image', `Target="/${drawingPart(hash)}"`)
  for (const [address, id] of links) {
    xml += relationship(id, 'hyperlink', `Target="${escapeAttribute(address)}" TargetMode="External"`)
  }
  for (const { part, word } of parts) xml += relationship(`rIdQuire_${word}`, word, `Target="/${part}"`)
  return xml
}

function withRelationships(text: string | undefined, gained: string): string {
  if (text !== undefined) return insertBeforeEnd(text, gained)
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${relationshipsUri}">${gained}</Relationships>`
}

const typesUri = 'http://schemas.openxmlformats.org/package/2006/content-types'

function withContentTypes(
  text: string,
  media: ReadonlyMap<string, LoadedPicture>,
  added: readonly AddedPart[],
): string {
  let types = text.replaceAll('wordprocessingml.template.main+xml', 'wordprocessingml.document.main+xml')
  const extensions = new Set<string>()
  for (const { extension, drawing } of media.values()) {
    extensions.add(extension)
    if (drawing !== undefined) extensions.add('svg')
  }
  for (const extension of extensions) {
    if (new RegExp(`Extension\\s*=\\s*["']${extension}["']`, 'i').test(types)) continue
    const entry = `<Default xmlns="${typesUri}" Extension="${extension}" ContentType="image/${extension === 'svg' ? 'svg+xml' : extension}"/>`
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
