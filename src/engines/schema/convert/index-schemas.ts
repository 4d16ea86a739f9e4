/** The schemas of a document of an older draft: their places, their resources, and the targets of references. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { formatPointer, joinPointer, parsePointer } from '../../../core/pointer.ts'
import { resolveUri } from '../uri.ts'
import { type Draft, draftOf, isIgnoredBesideRef, schemasIn } from './dialects.ts'

export interface IndexedSchema {
  value: JsonObject | boolean
  draft: Draft
  /** URI of its resource. */
  base: string
}

/** Where a reference leads: the schema, the resource its URI names, and whether by a name. */
export interface Target {
  pointer: string
  resource: string
  anchor: string | undefined
}

export class SchemaIndex {
  readonly schemas = new Map<string, IndexedSchema>()
  /** Pointers that lead to a schema or to something that has one inside. */
  readonly #around = new Set<string>()
  readonly #resources = new Map<string, string>()
  readonly #anchors = new Map<string, string>()
  readonly #references: { base: string; reference: string }[] = []

  constructor(
    readonly root: JsonValue,
    draft: Draft,
  ) {
    this.#resources.set('', '')
    this.#add(root, '', '', draft)
    // A reference may make a schema of what no keyword does, and that may hold further references.
    for (const { base, reference } of this.#references) this.#reach(base, reference)
  }

  hasInside(pointer: string): boolean {
    return this.#around.has(pointer)
  }

  /** Every name that an anchor has, in whichever resource. */
  anchorNames(): string[] {
    return [...this.#anchors.keys()].map((name) => name.slice(name.indexOf('#') + 1))
  }

  /** Where the resource of a schema begins. */
  resourceOf({ base }: IndexedSchema): string {
    return this.#resources.get(base) ?? ''
  }

  /** Undefined if it leads out of the document, or nowhere. */
  targetOf(base: string, reference: string): Target | undefined {
    const { uri, fragment } = resolveUri(base, reference)
    const resource = this.#resources.get(uri)
    if (resource === undefined) return undefined
    const name = decoded(fragment)
    if (name === undefined) return undefined
    if (name !== '' && !name.startsWith('/')) {
      const pointer = this.#anchors.get(`${uri}#${name}`)
      return pointer === undefined ? undefined : { pointer, resource, anchor: name }
    }
    const tokens = parsePointer(name)
    return tokens && { pointer: resource + formatPointer(tokens), resource, anchor: undefined }
  }

  #reach(base: string, reference: string): void {
    const target = this.targetOf(base, reference)
    if (target === undefined || this.schemas.has(target.pointer)) return
    let value: JsonValue | undefined = this.root
    let pointer = ''
    let around = this.schemas.get('')
    for (const token of parsePointer(target.pointer) ?? []) {
      if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined
      else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
      if (value === undefined) return
      pointer = joinPointer(pointer, token)
      around = this.schemas.get(pointer) ?? around
    }
    if (around !== undefined) this.#add(value, pointer, around.base, around.draft)
  }

  /** The JSON reader's bound of depth bounds the recursion. */
  #add(value: JsonValue | undefined, pointer: string, outerBase: string, outerDraft: Draft): void {
    if (typeof value !== 'boolean' && !isJsonObject(value)) return
    if (this.schemas.has(pointer)) return
    const draft = (isJsonObject(value) ? draftOf(value.$schema) : undefined) ?? outerDraft
    const base = isJsonObject(value) ? this.#identify(value, pointer, outerBase, draft) : outerBase
    this.schemas.set(pointer, { value, draft, base })
    for (let around = pointer; !this.#around.has(around); around = around.slice(0, around.lastIndexOf('/'))) {
      this.#around.add(around)
      if (around === '') break
    }
    if (!isJsonObject(value)) return
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = value[keyword]
      if (typeof reference === 'string') this.#references.push({ base, reference })
    }
    for (const [tokens, child] of schemasIn(value, draft)) {
      this.#add(child, pointer + formatPointer(tokens), base, draft)
    }
  }

  /** Notes what the schema calls itself. @returns the URI of its resource */
  #identify(schema: JsonObject, pointer: string, outerBase: string, draft: Draft): string {
    const id = idOf(schema, pointer, draft)
    const { uri, fragment } = id === undefined ? { uri: outerBase, fragment: '' } : resolveUri(outerBase, id)
    // The first to claim a URI has it; a second one is refused when the converted document is compiled.
    if (uri !== outerBase && !this.#resources.has(uri)) this.#resources.set(uri, pointer)
    const names = [fragment.startsWith('/') ? '' : fragment]
    if (draft >= 2019) names.push(text(schema.$anchor))
    if (draft >= 2020) names.push(text(schema.$dynamicAnchor))
    for (const name of names) {
      const key = `${uri}#${name}`
      if (name !== '' && !this.#anchors.has(key)) this.#anchors.set(key, pointer)
    }
    return uri
  }
}

/** The schema's own URI. At the root it counts even beside a `$ref`: there it is harmless, and names the document. */
export function idOf(schema: JsonObject, pointer: string, draft: Draft): string | undefined {
  const keyword = draft === 4 ? 'id' : '$id'
  const id = schema[keyword]
  if (typeof id !== 'string') return undefined
  return pointer !== '' && isIgnoredBesideRef(draft, keyword, schema) ? undefined : id
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}
