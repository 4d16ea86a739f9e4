/** From a JSON document to the schema model: index every schema, read its keywords, then resolve the references. */
import type { Finding } from '../../core/finding.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { nearest } from '../../core/nearest.ts'
import { joinPointer } from '../../core/pointer.ts'
import { markAlternatives } from './alternatives.ts'
import { identityOf } from './compare.ts'
import { draftOf } from './convert/dialects.ts'
import { findEndlessReference } from './endless.ts'
import { formatTest } from './format.ts'
import { otherFormat, otherKeyword } from './keyword-slips.ts'
import { dialectUri, metaschemas } from './metaschema.ts'
import {
  inPlaceOf,
  type PatternSchema,
  type PlainObject,
  type SchemaDocument,
  type SchemaModel,
  SchemaNode,
  type SchemaResource,
  type TypeName,
  typeBits,
  typeNames,
} from './model.ts'
import { PatternPool } from './pattern-pool.ts'
import { References } from './references.ts'
import { SchemaFindings } from './schema-findings.ts'
import { resolveUri } from './uri.ts'

export interface BuildOptions {
  /** Whether `format` asserts (it does unless this is false). */
  assertFormats?: boolean
  /** Further documents that references may resolve to, by URI. Contracts have none: no reference leaves the document. */
  documents?: ReadonlyMap<string, JsonValue>
}

/** Every keyword of the dialect. The second line is for older schemas and asserts nothing here. */
const knownKeywords = new Set(
  `$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs
  $recursiveRef $recursiveAnchor definitions dependencies
  allOf anyOf oneOf not if then else dependentSchemas properties patternProperties additionalProperties propertyNames
  prefixItems items contains unevaluatedItems unevaluatedProperties
  type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern
  maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired
  title description default deprecated readOnly writeOnly examples
  format contentEncoding contentMediaType contentSchema`.split(/\s+/),
)

const vocabularyPrefix = 'https://json-schema.org/draft/2020-12/vocab/'

export interface BuiltModel {
  model: SchemaModel
  /** Findings for the author, the first hundred of each severity; with an error the model must not be used. */
  findings: Finding[]
  /** How many findings there are. */
  count: number
}

export function buildModel(root: JsonValue, options: BuildOptions = {}): BuiltModel {
  const builder = new Builder(options)
  return builder.build(root)
}

class Builder {
  private readonly findings = new SchemaFindings()
  private readonly resources = new Map<string, SchemaResource>()
  private readonly nodes: SchemaNode[] = []
  private readonly references = new References(this.findings, {
    resourceAt: (uri) => this.resourceAt(uri),
    addSchema: (source, pointer, parent) => this.addSchema(source, pointer, parent),
  })
  private readonly patterns = new PatternPool(this.findings)
  private readonly available: ReadonlyMap<string, JsonValue>

  constructor(private readonly options: BuildOptions) {
    this.available = new Map([...metaschemas, ...(options.documents ?? [])])
  }

  build(root: JsonValue): BuiltModel {
    const rootNode = this.addDocument('', root, { isAuthors: true })
    this.references.resolve()
    this.patterns.compile()
    for (const node of this.nodes) {
      node.hasCombinations = !inPlaceOf(node).next().done
      const names =
        (node.required?.length ?? 0) + (node.dependentRequired?.size ?? 0) + (node.dependentSchemas?.size ?? 0)
      node.objectRuleCost = names >> 2
      node.plainObject = plainObjectOf(node)
    }
    markAlternatives(this.nodes)
    const endless = findEndlessReference(this.nodes)
    if (endless !== undefined) {
      this.findings.error(endless.from.resource.document, {
        code: 'schema.endless-reference',
        path: endless.from.pointer,
        keyword: '$ref',
        message: `This schema applies "#${endless.to.pointer}" to the same value again and again.`,
        hint: 'Put a property or an item between the schema and its own use.',
      })
    }
    const isDynamic = this.nodes.some((node) => node.dynamicRef?.anchor !== undefined)
    const { list, count } = this.findings
    return { model: { root: rootNode, nodes: this.nodes, isDynamic }, findings: list, count }
  }

  private addDocument(uri: string, root: JsonValue, { isAuthors }: Pick<SchemaDocument, 'isAuthors'>): SchemaNode {
    const document: SchemaDocument = { root, nodes: new Map(), isAuthors, vocabularies: this.vocabulariesOf(root) }
    const resource: SchemaResource = { uri, document, pointer: '', anchors: new Map(), dynamicAnchors: new Map() }
    this.resources.set(uri, resource)
    return this.addSchema(root, '', resource) ?? new SchemaNode(true, '', resource)
  }

  private vocabulariesOf(root: JsonValue): ReadonlySet<string> | undefined {
    if (!isJsonObject(root) || typeof root.$schema !== 'string' || root.$schema === dialectUri) return undefined
    const metaschema = this.available.get(root.$schema)
    if (!isJsonObject(metaschema) || !isJsonObject(metaschema.$vocabulary)) return undefined
    return new Set(Object.keys(metaschema.$vocabulary).map((uri) => uri.replace(vocabularyPrefix, '')))
  }

  /** Adds a schema with all schemas inside it. The JSON reader's depth limit bounds the recursion. */
  private addSchema(source: JsonValue | undefined, pointer: string, parent: SchemaResource): SchemaNode | undefined {
    if (typeof source !== 'boolean' && !isJsonObject(source)) return undefined
    const { document } = parent
    const known = document.nodes.get(pointer)
    if (known !== undefined) return known
    const resource = typeof source === 'boolean' ? parent : this.resourceOf(source, pointer, parent)
    const node = new SchemaNode(source, pointer, resource)
    document.nodes.set(pointer, node)
    this.nodes.push(node)
    if (typeof source === 'object') this.readKeywords(node, source)
    return node
  }

  private resourceOf(source: JsonObject, pointer: string, parent: SchemaResource): SchemaResource {
    if (typeof source.$id !== 'string') return parent
    const { uri } = resolveUri(parent.uri, source.$id)
    if (pointer === '') {
      parent.uri = uri
      this.resources.set(uri, parent)
      return parent
    }
    const taken = this.resources.get(uri)
    if (taken !== undefined && taken.document === parent.document) {
      this.findings.error(parent.document, {
        code: 'schema.duplicate-id',
        path: joinPointer(pointer, '$id'),
        keyword: '$id',
        message: `The $id "${uri}" is used twice in the document.`,
        hint: 'Give each embedded schema an $id of its own.',
      })
    }
    const { document } = parent
    const resource: SchemaResource = { uri, document, pointer, anchors: new Map(), dynamicAnchors: new Map() }
    this.resources.set(uri, resource)
    return resource
  }

  private readKeywords(node: SchemaNode, source: JsonObject): void {
    const { document } = node.resource
    const uses = (vocabulary: string) => document.vocabularies?.has(vocabulary) ?? true
    this.readCore(node, source)
    if (uses('applicator')) this.readApplicators(node, source)
    if (uses('unevaluated')) {
      node.unevaluatedItems = this.child(node, 'unevaluatedItems')
      node.unevaluatedProperties = this.child(node, 'unevaluatedProperties')
    }
    if (uses('validation')) this.readAssertions(node, source)
    if (typeof source.format === 'string') this.readFormat(node, source.format)
    this.child(node, 'contentSchema')
    if (document.isAuthors) this.reportKeywords(node, source)
  }

  private readCore(node: SchemaNode, source: JsonObject): void {
    const { resource, pointer } = node
    for (const keyword of ['$anchor', '$dynamicAnchor'] as const) {
      const anchor = source[keyword]
      if (typeof anchor !== 'string') continue
      const taken = resource.anchors.get(anchor)
      if (taken !== undefined && taken !== node) {
        this.findings.error(resource.document, {
          code: 'schema.duplicate-anchor',
          path: joinPointer(pointer, keyword),
          keyword,
          message: `The anchor "${anchor}" is used twice.`,
          hint: 'Give each schema an anchor of its own.',
        })
      }
      resource.anchors.set(anchor, node)
      if (keyword === '$dynamicAnchor') resource.dynamicAnchors.set(anchor, node)
    }
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      const reference = source[keyword]
      if (typeof reference === 'string') this.references.add({ node, keyword, base: resource.uri, reference })
    }
    this.childMap(node, '$defs')
    this.childMap(node, 'definitions')
  }

  private readApplicators(node: SchemaNode, source: JsonObject): void {
    node.allOf = this.childList(node, 'allOf')
    node.anyOf = this.childList(node, 'anyOf')
    node.oneOf = this.childList(node, 'oneOf')
    node.not = this.child(node, 'not')
    node.condition = this.child(node, 'if')
    node.whenTrue = this.child(node, 'then')
    node.whenFalse = this.child(node, 'else')
    node.prefixItems = this.childList(node, 'prefixItems')
    node.items = this.child(node, 'items')
    node.contains = this.child(node, 'contains')
    node.properties = this.childMap(node, 'properties')
    node.additionalProperties = this.child(node, 'additionalProperties')
    node.propertyNames = this.child(node, 'propertyNames')
    node.dependentSchemas = this.childMap(node, 'dependentSchemas')
    const patterns: PatternSchema[] = []
    for (const [text, schema] of this.childMap(node, 'patternProperties') ?? []) {
      const place = joinPointer(joinPointer(node.pointer, 'patternProperties'), text)
      const pattern = this.patterns.read(text, {
        document: node.resource.document,
        place,
        keyword: 'patternProperties',
      })
      if (pattern !== undefined) patterns.push({ pattern, schema })
    }
    if (patterns.length > 0) node.patternProperties = patterns
    if (isJsonObject(source.dependencies)) this.readDependencies(node, source.dependencies)
  }

  /** `dependencies` of older drafts still has its meaning: a list of names, or a schema. */
  private readDependencies(node: SchemaNode, dependencies: JsonObject): void {
    const place = joinPointer(node.pointer, 'dependencies')
    const schemas = new Map(node.dependentSchemas)
    const names = new Map<string, readonly string[]>()
    for (const [key, value] of Object.entries(dependencies)) {
      const list = strings(value)
      const schema = this.addSchema(value, joinPointer(place, key), node.resource)
      if (list !== undefined) names.set(key, list)
      if (schema !== undefined) schemas.set(key, schema)
    }
    if (schemas.size > 0) node.dependentSchemas = schemas
    if (names.size > 0) node.dependentRequired = names
  }

  private readAssertions(node: SchemaNode, source: JsonObject): void {
    const types = typeof source.type === 'string' ? [source.type] : strings(source.type)
    if (types !== undefined) {
      node.types = types.filter(isTypeName)
      for (const type of node.types) node.typeMask |= typeBits[type]
    }
    if (source.const !== undefined) node.constant = { value: source.const, identity: identityOf(source.const) }
    if (Array.isArray(source.enum)) {
      const scalars = new Set(source.enum.filter((choice) => typeof choice !== 'object' || choice === null))
      node.choices = { values: source.enum, scalars, identities: new Set(source.enum.map(identityOf)) }
    }
    node.minimum = number(source.minimum)
    node.maximum = number(source.maximum)
    node.exclusiveMinimum = number(source.exclusiveMinimum)
    node.exclusiveMaximum = number(source.exclusiveMaximum)
    const divisor = number(source.multipleOf)
    node.multipleOf = divisor !== undefined && divisor > 0 ? divisor : undefined
    node.minLength = number(source.minLength)
    node.maxLength = number(source.maxLength)
    if (typeof source.pattern === 'string') {
      const place = joinPointer(node.pointer, 'pattern')
      const { document } = node.resource
      node.pattern = this.patterns.read(source.pattern, { document, place, keyword: 'pattern' })
    }
    node.minContains = number(source.minContains)
    node.maxContains = number(source.maxContains)
    node.minItems = number(source.minItems)
    node.maxItems = number(source.maxItems)
    node.uniqueItems = source.uniqueItems === true
    node.required = strings(source.required)
    node.minProperties = number(source.minProperties)
    node.maxProperties = number(source.maxProperties)
    if (!isJsonObject(source.dependentRequired)) return
    const names = new Map(node.dependentRequired)
    for (const [key, value] of Object.entries(source.dependentRequired)) names.set(key, strings(value) ?? [])
    node.dependentRequired = names
  }

  private readFormat(node: SchemaNode, name: string): void {
    const { vocabularies, isAuthors } = node.resource.document
    const test = formatTest(name)
    // A dialect that lists the format-assertion vocabulary overrides the caller's choice for the standard dialect.
    const asserts = vocabularies?.has('format-assertion') ?? this.options.assertFormats ?? true
    node.format = { name, test: asserts ? test : undefined }
    if (test === undefined && isAuthors) {
      this.findings.warn({
        code: 'schema.unknown-format',
        path: joinPointer(node.pointer, 'format'),
        keyword: 'format',
        message: `The format "${name}" is not known, so it checks nothing.`,
        hint: otherFormat(name) ?? 'Use a format of JSON Schema 2020-12, or a pattern.',
      })
    }
  }

  private reportKeywords(node: SchemaNode, source: JsonObject): void {
    for (const key of Object.keys(source)) {
      if (knownKeywords.has(key) || key.startsWith('x-')) continue
      // A suggestion costs far more than the reading, and nobody sees more than this many.
      const other = otherKeyword(key)
      const similar = other === undefined && this.findings.listsWarnings ? nearest(key, knownKeywords) : undefined
      const hint =
        other ??
        (similar === undefined
          ? 'Remove it, or start its name with x- when it is a note of your own.'
          : `Did you mean "${similar}"?`)
      this.findings.warn({
        code: 'schema.unknown-keyword',
        path: joinPointer(node.pointer, key),
        keyword: key,
        message: `"${key}" is no keyword of JSON Schema 2020-12, so it checks nothing.`,
        hint,
      })
    }
    const dialect = source.$schema
    if (typeof dialect !== 'string' || dialect === dialectUri || this.available.has(dialect)) return
    // To leave the name of an older draft out would change what the rest means.
    const hint =
      draftOf(dialect) === undefined
        ? `Write "${dialectUri}", or leave $schema out.`
        : 'Convert it: `quire check --fix` does, and "Convert to 2020-12" in the console.'
    this.findings.error(node.resource.document, {
      code: 'schema.dialect',
      path: joinPointer(node.pointer, '$schema'),
      keyword: '$schema',
      message: `The dialect "${dialect}" is not supported.`,
      hint,
    })
  }

  private child(node: SchemaNode, keyword: string): SchemaNode | undefined {
    const value = node.keyword(keyword)
    return this.addSchema(value, joinPointer(node.pointer, keyword), node.resource)
  }

  private childList(node: SchemaNode, keyword: string): SchemaNode[] | undefined {
    const value = node.keyword(keyword)
    if (!Array.isArray(value)) return undefined
    const place = joinPointer(node.pointer, keyword)
    return value
      .map((item, index) => this.addSchema(item, joinPointer(place, index), node.resource))
      .filter((item) => item !== undefined)
  }

  private childMap(node: SchemaNode, keyword: string): Map<string, SchemaNode> | undefined {
    const value = node.keyword(keyword)
    if (!isJsonObject(value)) return undefined
    const place = joinPointer(node.pointer, keyword)
    const made = new Map<string, SchemaNode>()
    for (const key of Object.keys(value)) {
      const child = this.addSchema(value[key], joinPointer(place, key), node.resource)
      if (child !== undefined) made.set(key, child)
    }
    return made
  }

  private resourceAt(uri: string): SchemaResource | undefined {
    const known = this.resources.get(uri)
    if (known !== undefined) return known
    const document = this.available.get(uri)
    if (document === undefined) return undefined
    this.addDocument(uri, document, { isAuthors: false })
    return this.resources.get(uri)
  }
}

function plainObjectOf(node: SchemaNode): PlainObject | undefined {
  const { required = [], properties = new Map<string, SchemaNode>(), additionalProperties } = node
  const isClosed = additionalProperties?.always === false
  const others = [
    node.patternProperties,
    node.propertyNames,
    node.minProperties,
    node.maxProperties,
    node.dependentRequired,
  ]
  if (others.some((rule) => rule !== undefined) || (additionalProperties !== undefined && !isClosed)) return undefined
  return { required, others: required.filter((key) => !properties.has(key)), properties, isClosed }
}

function isTypeName(text: string): text is TypeName {
  return typeNames.some((name) => name === text)
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function strings(value: JsonValue | undefined): string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}
