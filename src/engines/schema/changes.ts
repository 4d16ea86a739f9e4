/**
 * What changed between two versions of a schema, and what that means for documents that satisfied the older one. Both
 * are walked side by side. Each rule gets either stricter or looser; its place decides the effect: a stricter property
 * breaks documents, a stricter `not` does not, and inside `oneOf` it can't be decided. An undecided change is
 * `unknown`: "all compatible" is a promise.
 */
import { isJsonObject } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { joinPointer } from '../../core/pointer.ts'
import { acceptsAll, annotationsOf, countsMembers, speakingKeywords } from './changes/meaning.ts'
import { MemberRules } from './changes/members.ts'
import { amongOthers, Changes, type Context, type SchemaChange, untold, weakened } from './changes/report.ts'
import { compareScalarRules } from './changes/scalars.ts'
import { identityOf } from './compare.ts'
import { maskOf } from './family.ts'
import { type SchemaModel, SchemaNode } from './model.ts'
import type { CompiledSchema } from './schema.ts'

export type { ChangeEffect, SchemaChange } from './changes/report.ts'

/**
 * Every change from `older` to `newer`, outermost first, at most `limits.schemaChanges`; if there are more, the last one
 * says so. No change at all means that both accept the same documents and have the same annotations.
 */
export function compareSchemas(older: CompiledSchema, newer: CompiledSchema): SchemaChange[] {
  const comparison = new Comparison(older.model, newer.model)
  comparison.compare(older.model.root, newer.model.root)
  const changes = comparison.list()
  if (changes.length === 0 && identityOf(older.root) !== identityOf(newer.root)) {
    return [
      {
        pointer: '',
        side: 'new',
        keyword: '',
        effect: 'compatible',
        message: 'Nothing changed that decides about documents; documents that were valid stay valid.',
      },
    ]
  }
  return changes
}

interface Pair {
  older: SchemaNode
  newer: SchemaNode
  context: Context
}

class Comparison {
  private readonly changes = new Changes()
  private readonly members = new MemberRules(this.changes, (older, newer, context) => this.push(older, newer, context))
  private readonly queue: Pair[] = []
  private readonly met = new Map<SchemaNode, Map<SchemaNode, Set<string>>>()
  private readonly anchors: { older: DynamicAnchors; newer: DynamicAnchors }
  private pairs = 0
  private isCut = false

  constructor(older: SchemaModel, newer: SchemaModel) {
    this.anchors = { older: dynamicAnchorsOf(older), newer: dynamicAnchorsOf(newer) }
  }

  compare(older: SchemaNode, newer: SchemaNode): void {
    this.push(older, newer, { stricter: 'breaking', looser: 'compatible', isCounted: false })
    // Comparing a pair adds further pairs to the end.
    for (const pair of this.queue) {
      if (++this.pairs > limits.schemaPairsCompared || this.changes.found.size > limits.schemaChanges) {
        this.isCut = true
        return
      }
      this.comparePair(pair)
    }
  }

  list(): SchemaChange[] {
    const list = [...this.changes.found.values()].slice(0, limits.schemaChanges)
    if (this.isCut) {
      const message = 'There are more changes than are told here; whether documents stay valid is unknown.'
      list.push({ pointer: '', side: 'new', keyword: '', effect: 'unknown', message })
    }
    return list
  }

  /** A missing schema accepts everything, on either side. */
  private push(older: SchemaNode | undefined, newer: SchemaNode | undefined, context: Context): void {
    const some = older ?? newer
    if (some === undefined) return
    const pair = { older: older ?? anything(some), newer: newer ?? anything(some), context }
    const key = `${context.stricter}${context.looser}${String(context.isCounted)}`
    const partners = this.met.get(pair.older) ?? new Map<SchemaNode, Set<string>>()
    this.met.set(pair.older, partners)
    const contexts = partners.get(pair.newer) ?? new Set<string>()
    partners.set(pair.newer, contexts)
    if (contexts.has(key)) return
    contexts.add(key)
    this.queue.push(pair)
  }

  private comparePair({ older: first, newer: second, context }: Pair): void {
    const older = behindReference(first)
    const newer = behindReference(second)
    this.compareAnnotations(first, second)
    if (older !== first && newer !== second) this.compareAnnotations(older, newer)
    const wasOpen = acceptsAll(older)
    const isOpen = acceptsAll(newer)
    if ((wasOpen && isOpen) || (older.always === false && newer.always === false)) return
    if (older.always === false) {
      this.changes.tell(
        'new',
        newer.pointer,
        'false',
        context.looser,
        `What was forbidden at #${older.pointer} is allowed`,
      )
      return
    }
    if (newer.always === false) {
      this.changes.tell('new', newer.pointer, 'false', context.stricter, 'Nothing is allowed here any more')
      return
    }
    if ((older.ref === undefined) !== (newer.ref === undefined) && !wasOpen && !isOpen) {
      // Rules may only have moved between the schema and what it refers to.
      this.changes.tell(
        'new',
        joinPointer(newer.pointer, '$ref'),
        '$ref',
        'unknown',
        'A reference replaces rules, or rules a reference',
      )
      return
    }
    const isCounted = context.isCounted || countsMembers(older) || countsMembers(newer)
    const here = { ...context, isCounted }
    compareScalarRules(older, newer, context, this.changes)
    this.members.compareObjects(older, newer, here)
    this.members.compareArrays(older, newer, here)
    for (const keyword of ['unevaluatedProperties', 'unevaluatedItems'] as const) {
      if (older[keyword] === undefined && newer[keyword] === undefined) continue
      // For an outer schema, these keywords evaluate members themselves.
      this.members.comparePresence(older, newer, keyword, context)
      this.push(older[keyword], newer[keyword], { ...context, isCounted: false })
    }
    this.compareCombinations(older, newer, here)
  }

  private compareAnnotations(older: SchemaNode, newer: SchemaNode): void {
    if (typeof older.source === 'boolean' || typeof newer.source === 'boolean') return
    for (const keyword of annotationsOf(older.source, newer.source)) {
      const [before, after] = [older.source[keyword], newer.source[keyword]]
      if (before === after || (before !== undefined && after !== undefined && identityOf(before) === identityOf(after)))
        continue
      const side = after === undefined ? 'old' : 'new'
      const place = joinPointer((after === undefined ? older : newer).pointer, keyword)
      const verb = before === undefined ? 'is new' : after === undefined ? 'is gone' : 'changed'
      this.changes.tell(side, place, keyword, 'compatible', `"${keyword}" ${verb}`)
    }
  }

  private compareCombinations(older: SchemaNode, newer: SchemaNode, context: Context): void {
    if (older.ref !== undefined || newer.ref !== undefined) this.push(older.ref, newer.ref, context)
    this.compareDynamicReference(older, newer, context)
    const [all, gone, added] = paired(older.allOf, newer.allOf)
    for (const [before, after] of all) this.push(before, after, context)
    for (const part of gone) this.push(part, undefined, context)
    for (const part of added) this.push(undefined, part, context)
    for (const keyword of ['anyOf', 'oneOf'] as const) this.compareBranches(older, newer, keyword, context)
    this.compareNegation(older, newer, context)
    this.compareConditions(older, newer, context)
    const triggers = new Set([...(older.dependentSchemas?.keys() ?? []), ...(newer.dependentSchemas?.keys() ?? [])])
    for (const trigger of triggers) {
      this.push(older.dependentSchemas?.get(trigger), newer.dependentSchemas?.get(trigger), amongOthers(context))
    }
  }

  /** The target depends on the path to the reference, so it may be any schema with the anchor. */
  private compareDynamicReference(older: SchemaNode, newer: SchemaNode, context: Context): void {
    const [was, is] = [older.dynamicRef, newer.dynamicRef]
    if (was === undefined && is === undefined) return
    const inside = { ...untold, isCounted: context.isCounted }
    this.push(was?.target, is?.target, inside)
    const before = this.anchors.older.get(was?.anchor ?? '') ?? new Map<string, SchemaNode>()
    const after = this.anchors.newer.get(is?.anchor ?? '') ?? new Map<string, SchemaNode>()
    // With one schema of that anchor, it is the target.
    if (before.size < 2 && after.size < 2) return
    const shared = [...after].filter(([place]) => before.has(place))
    for (const [place, schema] of shared) this.push(before.get(place), schema, inside)
    if (was?.anchor === is?.anchor && before.size === shared.length && after.size === shared.length) return
    const place = joinPointer((is === undefined ? older : newer).pointer, '$dynamicRef')
    const what = 'What the reference leads to may be another schema now'
    this.changes.tell(is === undefined ? 'old' : 'new', place, '$dynamicRef', 'unknown', what)
  }

  private compareBranches(older: SchemaNode, newer: SchemaNode, keyword: 'anyOf' | 'oneOf', context: Context): void {
    const [before, after] = [older[keyword], newer[keyword]]
    if (before === undefined && after === undefined) return
    const place = joinPointer((after === undefined ? older : newer).pointer, keyword)
    if (after === undefined) {
      this.changes.tell(
        'old',
        place,
        keyword,
        context.isCounted ? 'unknown' : context.looser,
        'The alternatives are gone, and with them their rules',
      )
      return
    }
    if (before === undefined) {
      this.changes.tell(
        'new',
        place,
        keyword,
        weakened(context.stricter),
        'Documents must match one of several alternatives now',
      )
      return
    }
    // Where no value can take two branches, exactly one is the same as at least one.
    const isExclusive = keyword === 'oneOf' && !(areApart(before) && areApart(after))
    const inside = isExclusive ? { ...untold, isCounted: context.isCounted } : amongOthers(context)
    const [same, gone, added] = paired(before, after)
    for (const [was, is] of same) this.push(was, is, inside)
    for (const branch of added) {
      this.changes.tell('new', branch.pointer, keyword, inside.looser, 'An alternative is new')
    }
    let kept = 0
    for (const branch of after) kept |= maskOf(branch)
    for (const branch of gone) {
      const mask = maskOf(branch)
      const isAlone = mask !== 0 && (mask & kept) === 0
      const effect = isExclusive || !isAlone ? 'unknown' : context.stricter
      this.changes.tell('old', branch.pointer, keyword, effect, 'An alternative is gone')
    }
  }

  private compareNegation(older: SchemaNode, newer: SchemaNode, context: Context): void {
    if (older.not === undefined && newer.not === undefined) return
    if (older.not !== undefined && newer.not !== undefined) {
      this.push(older.not, newer.not, {
        stricter: context.looser,
        looser: weakened(context.stricter),
        isCounted: false,
      })
      return
    }
    const isGone = newer.not === undefined
    const place = joinPointer((isGone ? older : newer).pointer, 'not')
    const effect = isGone ? context.looser : weakened(context.stricter)
    this.changes.tell(
      isGone ? 'old' : 'new',
      place,
      'not',
      effect,
      isGone ? 'What was excluded is allowed' : 'Some values are excluded now',
    )
  }

  private compareConditions(older: SchemaNode, newer: SchemaNode, context: Context): void {
    const [before, after] = [older.condition, newer.condition]
    const some = after ?? before
    if (some === undefined) return
    const branch = amongOthers(context)
    if (before === undefined || after === undefined) {
      const side = after === undefined ? 'old' : 'new'
      const place = some.pointer
      const isGone = after === undefined
      const effect = context.isCounted ? 'unknown' : isGone ? context.looser : weakened(context.stricter)
      this.changes.tell(
        side,
        place,
        'if',
        effect,
        isGone ? 'A condition is gone with its rules' : 'A condition with rules is new',
      )
      return
    }
    this.push(before, after, { ...untold, isCounted: context.isCounted })
    this.push(older.whenTrue, newer.whenTrue, branch)
    this.push(older.whenFalse, newer.whenFalse, branch)
  }
}

/** The schemas that have each dynamic anchor, by the place of their resource: an `$id` may change between versions. */
type DynamicAnchors = ReadonlyMap<string, ReadonlyMap<string, SchemaNode>>

function dynamicAnchorsOf({ nodes }: SchemaModel): DynamicAnchors {
  const found = new Map<string, Map<string, SchemaNode>>()
  for (const { uri, pointer, document, dynamicAnchors } of new Set(nodes.map(({ resource }) => resource))) {
    const place = document.isAuthors ? pointer : uri
    for (const [name, schema] of dynamicAnchors) {
      const schemas = found.get(name) ?? new Map<string, SchemaNode>()
      found.set(name, schemas.set(place, schema))
    }
  }
  return found
}

/** The schema behind a schema that only refers to it. */
function behindReference(node: SchemaNode): SchemaNode {
  let at = node
  for (let steps = 0; steps < 100 && at.ref !== undefined && speakingKeywords(at).length === 1; steps++) at = at.ref
  return at
}

const openSchemas = new WeakMap<SchemaNode, SchemaNode>()

/** The schema that accepts everything, at the place of one that only the other version has. */
function anything(place: SchemaNode): SchemaNode {
  let node = openSchemas.get(place)
  if (node === undefined) {
    node = new SchemaNode(true, place.pointer, place.resource)
    openSchemas.set(place, node)
  }
  return node
}

/** Whether the branches have no type in common, so that no value takes two of them. */
function areApart(branches: readonly SchemaNode[]): boolean {
  let taken = 0
  for (const branch of branches) {
    const mask = maskOf(branch)
    if ((mask & taken) !== 0) return false
    taken |= mask
  }
  return true
}

/** Pairs branches: equal ones first, then the others in order. Unpaired ones are gone or added. */
function paired(
  before: readonly SchemaNode[] = [],
  after: readonly SchemaNode[] = [],
): [same: [SchemaNode, SchemaNode][], gone: SchemaNode[], added: SchemaNode[]] {
  const same: [SchemaNode, SchemaNode][] = []
  const waiting = new Map<string, SchemaNode[]>()
  for (const branch of after) {
    const identity = identityOf(branch.source)
    const list = waiting.get(identity)
    if (list === undefined) waiting.set(identity, [branch])
    else list.push(branch)
  }
  const left: SchemaNode[] = []
  for (const branch of before) {
    const partner = waiting.get(identityOf(branch.source))?.shift()
    if (partner === undefined) left.push(branch)
    else same.push([branch, partner])
  }
  const taken = new Set(same.map(([, partner]) => partner))
  const free = after.filter((branch) => !taken.has(branch))
  // A branch that was edited still has its title, or its type.
  const gone: SchemaNode[] = []
  for (const branch of left) {
    const index = free.findIndex((candidate) => looksLike(branch, candidate))
    const partner = index === -1 ? undefined : free.splice(index, 1)[0]
    if (partner === undefined) gone.push(branch)
    else same.push([branch, partner])
  }
  return [same, gone, free]
}

function looksLike(left: SchemaNode, right: SchemaNode): boolean {
  if (!isJsonObject(left.source) || !isJsonObject(right.source)) return false
  const [before, after] = [left.source, right.source]
  if (before.title !== undefined || after.title !== undefined) return before.title === after.title
  if (before.$ref !== undefined || after.$ref !== undefined) return before.$ref === after.$ref
  return left.typeMask === right.typeMask
}
