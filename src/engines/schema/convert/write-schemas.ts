/** Translates a document of an older draft to 2020-12: first the rule of each keyword, then references to what moved. */
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../../core/json.ts'
import { joinPointer } from '../../../core/pointer.ts'
import { dialectUri } from '../metaschema.ts'
import { type Draft, draftNames, draftOf, isIgnoredBesideRef, isIgnoredBy } from './dialects.ts'
import { type IndexedSchema, idOf, SchemaIndex, type Target } from './index-schemas.ts'

export interface Change {
  /** JSON Pointer in the document as it was. */
  path: string
  /** What was done there: the keyword, and what is now there or why nothing is. */
  text: string
  /** Whether the change is more than a renaming: something was left out, moved or wrapped. */
  isNotable: boolean
}

export interface Written {
  value: JsonValue
  changes: Change[]
  /** Where each schema is now, by where it was. */
  moved: ReadonlyMap<string, string>
}

/** @param copied hears of every object and list that takes the place of another */
export function writeSchemas(
  root: JsonValue,
  draft: Draft,
  copied: (from: JsonValue, to: JsonValue) => void = () => {},
): Written {
  return new Writer(new SchemaIndex(root, draft), copied).write()
}

/** Holds keywords that the older draft ignores, but that a reference leads into. Nothing else reads it. */
const ignoredPart = 'x-ignored'

/** A schema that is being written. */
interface Place {
  /** Where it was, and where it is now. */
  from: string
  to: string
  value: JsonObject
  draft: Draft
  schema: IndexedSchema
  out: JsonObject
  /** Schemas that have to be in `allOf` of the new one. */
  extra: JsonValue[]
}

class Writer {
  readonly #changes: Change[] = []
  readonly #moved = new Map<string, string>()
  readonly #references: { out: JsonObject; keyword: string; reference: string; target: Target }[] = []
  /** Anchors of older drafts may have characters that those of 2020-12 may not. */
  readonly #anchors: ReadonlyMap<string, string>
  readonly #dynamicAnchor: string
  /** In 2019-09 `contains` does not count as having evaluated items; in 2020-12 it does. */
  readonly #hidesContains: boolean

  constructor(
    private readonly index: SchemaIndex,
    private readonly copied: (from: JsonValue, to: JsonValue) => void,
  ) {
    this.#anchors = anchorsFor(index.anchorNames())
    this.#dynamicAnchor = unusedName('recursive', new Set(this.#anchors.values()))
    const values = [...index.schemas.values()]
    this.#hidesContains = values.some(
      ({ value, draft }) => draft === 2019 && typeof value === 'object' && value.unevaluatedItems !== undefined,
    )
  }

  write(): Written {
    const value = this.#value(this.index.root, '', '')
    for (const { out, keyword, reference, target } of this.#references) this.#rewrite(out, keyword, reference, target)
    return { value, changes: this.#changes, moved: this.#moved }
  }

  /** A value with all schemas inside it rewritten; what holds none is the same value. */
  #value(value: JsonValue, from: string, to: string): JsonValue {
    const schema = this.index.schemas.get(from)
    if (schema !== undefined) this.#moved.set(from, to)
    if (!this.index.hasInside(from)) return value
    if (Array.isArray(value)) {
      const list = value.map((item, at) => this.#value(item, joinPointer(from, at), joinPointer(to, at)))
      this.copied(value, list)
      return list
    }
    if (!isJsonObject(value)) return value
    const out: JsonObject = {}
    this.copied(value, out)
    if (schema === undefined) {
      for (const key of Object.keys(value)) this.#copy({ from, to, value, out }, key, key)
      return out
    }
    const place: Place = { from, to, value, draft: schema.draft, schema, out, extra: [] }
    for (const key of Object.keys(value)) this.#keyword(place, key)
    if (place.extra.length > 0) {
      out.allOf = [...(Array.isArray(out.allOf) ? out.allOf : []), ...place.extra]
    }
    return out
  }

  #copy({ from, to, value, out }: Pick<Place, 'from' | 'to' | 'value' | 'out'>, key: string, as: string): void {
    setMember(out, as, this.#value(value[key] ?? null, joinPointer(from, key), joinPointer(to, as)))
  }

  #keyword(place: Place, key: string): void {
    const { draft, value, out } = place
    const given = value[key] ?? null
    if (key === '$schema' && place.from === '') setMember(out, key, draftOf(given) === undefined ? given : dialectUri)
    else if (key === '$schema' && draftOf(given) !== undefined) this.#tell(place, key, 'left out: the document has one')
    else if (draft === 2020) this.#current(place, key, given)
    else if (isIgnoredBesideRef(draft, key, value) && !(place.from === '' && /^\$?id$/.test(key))) {
      this.#ignored(place, key, `${draftNames[draft]} ignores it beside $ref`)
    } else if (isIgnoredBy(draft, key)) this.#ignored(place, key, `no keyword of ${draftNames[draft]}`)
    else if (key === 'deprecated' && draft < 2019 && typeof given !== 'boolean') {
      this.#copy(place, key, `x-${key}`)
      this.#tell(place, key, `x-${key}, since 2020-12 takes only true or false there`)
    } else this.#older(place, key, given)
  }

  #current(place: Place, key: string, given: JsonValue): void {
    this.#copy(place, key, key)
    if (key === '$ref' || key === '$dynamicRef') this.#refer(place, key, given)
  }

  #older(place: Place, key: string, given: JsonValue): void {
    const { draft, value, out } = place
    if (key === (draft === 4 ? 'id' : '$id') && typeof given === 'string') this.#identify(place, key)
    else if (key === '$ref') this.#current(place, key, given)
    else if (key === 'items' || key === 'additionalItems') this.#items(place, key)
    else if (key === 'dependencies' && isJsonObject(given)) this.#dependencies(place, given)
    else if (key === 'definitions' && isJsonObject(given)) this.#definitions(place)
    else if (key === 'minimum' || key === 'maximum') this.#bound(place, key)
    else if (/^exclusiveM(?:in|ax)imum$/.test(key) && typeof given === 'boolean') {
      if (!given) this.#tell(place, key, 'left out: false is what holds without it')
    } else if (draft === 2019 && key === '$anchor' && typeof given === 'string') {
      setMember(out, key, this.#anchors.get(given) ?? given)
    } else if (draft === 2019 && key === '$recursiveRef') this.#recursiveRef(place)
    else if (draft === 2019 && key === '$recursiveAnchor') {
      if (given === true) setMember(out, '$dynamicAnchor', this.#dynamicAnchor)
      this.#tell(
        place,
        key,
        given === true ? `$dynamicAnchor "${this.#dynamicAnchor}"` : 'left out: false says nothing',
      )
    } else if (this.#hidesContains && value.contains !== undefined && /^(?:contains|m(?:in|ax)Contains)$/.test(key)) {
      if (key === 'contains') this.#contains(place)
    } else this.#copy(place, key, key)
  }

  #tell(place: Place, key: string, text: string): void {
    const isNotable = /^(?:left out|moved|wrapped)/.test(text)
    this.#changes.push({ path: joinPointer(place.from, key), text: `${key}: ${text}`, isNotable })
  }

  /** Leaves out a keyword that the draft ignores but 2020-12 would obey; if a reference leads into it, keeps it aside. */
  #ignored(place: Place, key: string, why: string): void {
    if (!this.index.hasInside(joinPointer(place.from, key))) {
      this.#tell(place, key, `left out: ${why}`)
      return
    }
    const { from, to, value, out } = place
    const aside = isJsonObject(out[ignoredPart]) ? out[ignoredPart] : {}
    setMember(out, ignoredPart, aside)
    this.#copy({ from, to: joinPointer(to, ignoredPart), value, out: aside }, key, key)
    this.#tell(place, key, `moved into ${ignoredPart}, since a reference leads there: ${why}`)
  }

  #identify(place: Place, key: string): void {
    const id = idOf(place.value, place.from, place.draft) ?? ''
    const hash = id.indexOf('#')
    const uri = hash === -1 ? id : id.slice(0, hash)
    const name = hash === -1 ? '' : id.slice(hash + 1)
    if (uri !== '') setMember(place.out, '$id', uri)
    if (name !== '' && !name.startsWith('/')) setMember(place.out, '$anchor', this.#anchors.get(name) ?? name)
    const made = Object.keys(place.out).filter((own) => own === '$id' || own === '$anchor')
    if (made.length === 0) this.#tell(place, key, 'left out: it names nothing')
    else if (key !== '$id' || uri !== id) this.#tell(place, key, made.join(' and '))
  }

  #items(place: Place, key: 'items' | 'additionalItems'): void {
    const { items, additionalItems } = place.value
    if (key === 'additionalItems') {
      if (!Array.isArray(items)) {
        this.#ignored(place, key, 'it counts only beside a list in items')
        return
      }
      this.#copy(place, key, 'items')
      this.#tell(place, key, 'items')
    } else if (!Array.isArray(items)) this.#copy(place, key, key)
    else if (items.length > 0) {
      this.#copy(place, key, 'prefixItems')
      this.#tell(place, key, 'prefixItems')
    } else if (additionalItems === undefined) this.#tell(place, key, 'left out: an empty list checks nothing')
  }

  #dependencies(place: Place, dependencies: JsonObject): void {
    const from = joinPointer(place.from, 'dependencies')
    const made: string[] = []
    for (const [key, value] of Object.entries(dependencies)) {
      const keyword = Array.isArray(value) || typeof value === 'string' ? 'dependentRequired' : 'dependentSchemas'
      // 2019-09 has these keywords, and may have one beside the older one.
      const known = place.out[keyword] ?? place.value[keyword]
      const group: JsonObject = isJsonObject(known) ? { ...known } : {}
      const to = joinPointer(joinPointer(place.to, keyword), key)
      setMember(group, key, typeof value === 'string' ? [value] : this.#value(value, joinPointer(from, key), to))
      setMember(place.out, keyword, group)
      this.copied(dependencies, group)
      if (!made.includes(keyword)) made.push(keyword)
    }
    this.#tell(place, 'dependencies', made.length === 0 ? 'left out: it is empty' : made.join(' and '))
  }

  #definitions(place: Place): void {
    const { value, from, to, out } = place
    // Where both are there, a name could be in both.
    if (value.$defs !== undefined) {
      this.#copy(place, 'definitions', 'definitions')
      return
    }
    this.#copy({ value, from, to, out }, 'definitions', '$defs')
    this.#tell(place, 'definitions', '$defs')
  }

  #bound(place: Place, key: 'minimum' | 'maximum'): void {
    const exclusive = key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
    if (place.value[exclusive] !== true) {
      this.#copy(place, key, key)
      return
    }
    this.#copy(place, key, exclusive)
    this.#tell(place, key, `${exclusive}, since ${exclusive} is true`)
  }

  /** `$recursiveRef` is always "#"; it is dynamic only where its own resource says so. */
  #recursiveRef(place: Place): void {
    const { value } = this.index.schemas.get(this.index.resourceOf(place.schema)) ?? {}
    const isDynamic = isJsonObject(value) && value.$recursiveAnchor === true
    const made: JsonObject = isDynamic ? { $dynamicRef: `#${this.#dynamicAnchor}` } : { $ref: '#' }
    if (!isDynamic && typeof place.value.$ref === 'string') place.extra.push(made)
    else Object.assign(place.out, made)
    this.#tell(place, '$recursiveRef', isDynamic ? '$dynamicRef' : '$ref')
  }

  /** Under two negations nothing counts as evaluated, and the same values satisfy it. */
  #contains(place: Place): void {
    const { value, from, to } = place
    const index = (Array.isArray(value.allOf) ? value.allOf.length : 0) + place.extra.length
    const inner: JsonObject = {}
    this.#copy({ from, to: `${to}/allOf/${index}/not/not`, value, out: inner }, 'contains', 'contains')
    for (const key of ['minContains', 'maxContains'] as const) {
      if (value[key] !== undefined) inner[key] = value[key]
    }
    place.extra.push({ not: { not: inner } })
    this.#tell(place, 'contains', 'wrapped, so that it does not count as having evaluated items')
  }

  #refer(place: Place, keyword: string, reference: JsonValue): void {
    if (typeof reference !== 'string') return
    const target = this.index.targetOf(place.schema.base, reference)
    if (target !== undefined) this.#references.push({ out: place.out, keyword, reference, target })
  }

  #rewrite(out: JsonObject, keyword: string, reference: string, target: Target): void {
    const uri = reference.split('#', 1)[0] ?? ''
    if (target.anchor !== undefined) {
      out[keyword] = `${uri}#${this.#anchors.get(target.anchor) ?? target.anchor}`
      return
    }
    const now = this.#moved.get(target.pointer)
    const resource = this.#moved.get(target.resource) ?? ''
    const before = target.pointer.slice(target.resource.length)
    if (now === undefined || now.slice(resource.length) === before) return
    out[keyword] = `${uri}#${encodeURI(now.slice(resource.length)).replaceAll('#', '%23')}`
  }
}

function anchorsFor(names: readonly string[]): Map<string, string> {
  const made = new Map<string, string>()
  const taken = new Set(names)
  for (const name of names) {
    if (made.has(name)) continue
    const plain = /^[A-Za-z_]/.test(name) ? name : `_${name}`
    const valid = plain.replaceAll(/[^-A-Za-z0-9._]/g, '_')
    const own = valid === name ? name : unusedName(valid, taken)
    taken.add(own)
    made.set(name, own)
  }
  return made
}

function unusedName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted
  for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`
  return name
}
