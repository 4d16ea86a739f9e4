/** Following `$ref` and `$dynamicRef` to the schemas that they lead to. */
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { joinPointer, parsePointer } from '../../core/pointer.ts'
import type { SchemaDocument, SchemaNode, SchemaResource } from './model.ts'
import type { SchemaFindings } from './schema-findings.ts'
import { resolveUri } from './uri.ts'

export interface Reference {
  node: SchemaNode
  keyword: '$ref' | '$dynamicRef'
  /** URI of the resource that it is written in. */
  base: string
  reference: string
}

/** The possible targets of references; asking for a document or a schema adds it. */
interface Schemas {
  resourceAt(uri: string): SchemaResource | undefined
  addSchema(source: JsonValue | undefined, pointer: string, parent: SchemaResource): SchemaNode | undefined
}

export class References {
  private readonly pending: Reference[] = []
  /** Where references may lead, by document, for suggestions. */
  private readonly definitions = new Map<SchemaDocument, readonly string[]>()

  constructor(
    private readonly findings: SchemaFindings,
    private readonly schemas: Schemas,
  ) {}

  add(reference: Reference): void {
    this.pending.push(reference)
  }

  resolve(): void {
    // Resolving adds schemas, and with them further references, to the end of the list.
    for (const reference of this.pending) this.resolveOne(reference)
  }

  private resolveOne({ node, keyword, base, reference }: Reference): void {
    const place = joinPointer(node.pointer, keyword)
    const { document } = node.resource
    const { uri, fragment } = resolveUri(base, reference)
    const resource = this.schemas.resourceAt(uri)
    if (resource === undefined) {
      this.findings.error(document, {
        code: 'schema.foreign-reference',
        path: place,
        keyword,
        message: `The reference "${reference}" leads out of the document, to "${uri}".`,
        hint: 'Copy that schema into $defs, with its $id, and refer to it there.',
      })
      return
    }
    const target = this.targetOf(resource, fragment)
    if (target === undefined) {
      const hint = this.referenceHint(resource, fragment)
      this.findings.error(document, {
        code: 'schema.unresolved-reference',
        path: place,
        keyword,
        message: `The reference "${reference}" leads to no schema.`,
        hint,
      })
      return
    }
    if (keyword === '$ref') {
      node.ref = target
      return
    }
    const isDynamic = resource.dynamicAnchors.get(fragment) === target
    node.dynamicRef = { target, anchor: isDynamic ? fragment : undefined }
  }

  private targetOf(resource: SchemaResource, fragment: string): SchemaNode | undefined {
    if (fragment !== '' && !fragment.startsWith('/')) return resource.anchors.get(fragment)
    const tokens = parsePointer(decoded(fragment) ?? '~')
    if (tokens === undefined) return undefined
    const { document } = resource
    // A schema may be inside an unknown keyword; its base is then the resource of the nearest schema around it.
    let value: JsonValue | undefined = document.root
    let around: SchemaResource = resource
    let pointer = ''
    for (const token of [...(parsePointer(resource.pointer) ?? []), ...tokens]) {
      value = memberOf(value, token)
      if (value === undefined) return undefined
      pointer = joinPointer(pointer, token)
      around = document.nodes.get(pointer)?.resource ?? around
    }
    return this.schemas.addSchema(value, pointer, around)
  }

  private referenceHint(resource: SchemaResource, fragment: string): string {
    if (fragment !== '' && !fragment.startsWith('/')) {
      const similar = this.findings.nearest(fragment, [...resource.anchors.keys()])
      return similar === undefined
        ? 'Add an $anchor of that name, or correct the reference.'
        : `Did you mean "#${similar}"?`
    }
    let places = this.definitions.get(resource.document)
    if (places === undefined) {
      const pointers = [...resource.document.nodes.keys()]
      places = pointers.filter((pointer) => /^\/(\$defs|definitions)\/[^/]+$/.test(pointer))
      this.definitions.set(resource.document, places)
    }
    const name = (decoded(fragment) ?? '').replace(/^.*\//s, '')
    const alike = [`/$defs/${name}`, `/definitions/${name}`].find((place) => resource.document.nodes.has(place))
    const similar = alike ?? this.findings.nearest(decoded(fragment) ?? '', places)
    return similar === undefined
      ? 'Add a schema in that place, or correct the reference.'
      : `Did you mean "#${similar}"?`
  }
}

function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]*)$/.test(token) ? value[Number(token)] : undefined
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}
