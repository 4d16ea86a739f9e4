/** A package with some parts changed or added. All other entries stay the same, in the same order; new parts come last. */
import { type Conformance, relationshipType } from './namespaces.ts'
import type { OoxmlPackage } from './package.ts'
import { escapeAttribute } from './xml-write.ts'
import { writeZip } from './zip-writer.ts'

const relationshipsUri = 'http://schemas.openxmlformats.org/package/2006/relationships'
const typesUri = 'http://schemas.openxmlformats.org/package/2006/content-types'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** A relationship to add. `type` is a full URI, or the last word of an Office type: `image`. */
export interface NewRelationship {
  /** A free one without it. */
  id?: string
  type: string
  target: string
  external?: boolean
}

/** Collects changes to a package, and writes the package with them. The same changes give the same bytes. */
export class PackageEdit {
  private readonly texts = new Map<string, string>()
  private readonly files = new Map<string, Uint8Array>()
  private readonly taken: Set<string>

  constructor(
    private readonly opened: OoxmlPackage,
    private readonly conformance: Conformance,
  ) {
    this.taken = new Set(opened.parts.map((part) => part.toLowerCase()))
  }

  /** The XML of a part as it is by now; undefined if there is none, or it can't be read. */
  textOf(part: string): string | undefined {
    const changed = this.texts.get(part)
    if (changed !== undefined) return changed
    const document = this.opened.readXmlDocument(part)
    return document.ok ? document.value.source : undefined
  }

  setText(part: string, text: string): void {
    this.texts.set(part, text)
  }

  /** A name that no part has yet: `word/comments.xml`, or `word/comments2.xml`. */
  freeName(stem: string, extension: string): string {
    let name = `${stem}${extension}`
    for (let number = 2; this.taken.has(name.toLowerCase()); number++) name = `${stem}${number}${extension}`
    return name
  }

  /** Adds a part and its content type, unless the package's default for the extension is the same. */
  addPart(part: string, data: Uint8Array | string, contentType: string): void {
    this.taken.add(part.toLowerCase())
    if (typeof data === 'string') this.texts.set(part, data)
    else this.files.set(part, data)
    const types = this.contentTypesPart()
    const text = this.textOf(types) ?? ''
    const override = `<Override xmlns="${typesUri}" PartName="/${escapeAttribute(part)}" ContentType="${escapeAttribute(contentType)}"/>`
    this.texts.set(types, beforeEnd(text, override))
  }

  /** Adds a relationship to a part. @returns its id */
  relate(owner: string, { id: wantedId, type, target, external = false }: NewRelationship): string {
    const slash = owner.lastIndexOf('/') + 1
    const wanted = `${owner.slice(0, slash)}_rels/${owner.slice(slash)}.rels`
    const part = this.spelled(wanted)
    const text = this.textOf(part) ?? `${declaration}<Relationships xmlns="${relationshipsUri}"></Relationships>`
    const ids = new Set([...text.matchAll(/\bId\s*=\s*["']([^"']*)["']/g)].map(([, id = '']) => id))
    let number = ids.size + 1
    while (ids.has(`rId${number}`)) number++
    const id = wantedId ?? `rId${number}`
    const whole = type.includes(':') ? type : relationshipType(type, this.conformance)
    const mode = external ? ' TargetMode="External"' : ''
    const written = external ? target : `/${target}`
    const entry = `<Relationship xmlns="${relationshipsUri}" Id="${escapeAttribute(id)}" Type="${escapeAttribute(whole)}" Target="${escapeAttribute(written)}"${mode}/>`
    this.texts.set(part, beforeEnd(text, entry))
    this.taken.add(part.toLowerCase())
    return id
  }

  bytes(): Uint8Array {
    const { opened } = this
    const encoder = new TextEncoder()
    const changed = new Map(this.files)
    for (const [part, text] of this.texts) changed.set(part, encoder.encode(text))
    const kept = opened.parts.flatMap((name) => {
      const data = changed.get(name)
      changed.delete(name)
      const entry = data === undefined ? opened.archive.entry(name) : { name, data }
      return entry === undefined ? [] : [entry]
    })
    return writeZip([...kept, ...[...changed].map(([name, data]) => ({ name, data }))])
  }

  private contentTypesPart(): string {
    return this.spelled('[Content_Types].xml')
  }

  private spelled(part: string): string {
    return this.opened.parts.find((other) => other.toLowerCase() === part.toLowerCase()) ?? part
  }
}

/** XML with more in front of its root's end tag; a root without content is opened first. */
export function beforeEnd(text: string, added: string): string {
  const end = text.lastIndexOf('</')
  const empty = text.lastIndexOf('/>')
  // The last tag of a part is its root's end tag, or its root.
  if (end > empty) return text.slice(0, end) + added + text.slice(end)
  const name = /<([^\s/>!?]+)[^<]*$/.exec(text.slice(0, empty))?.[1] ?? ''
  return `${text.slice(0, empty)}>${added}</${name}>`
}
