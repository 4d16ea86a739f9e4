/**
 * Reviews a schema that compiles: finds rules that can never matter, and rules that were probably not meant. All
 * findings are warnings. `compileSchema` already reports unknown keywords and formats, and refuses a pattern that needs
 * look-around, since it cannot run.
 */
import type { Finding } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { nearest } from '../../core/nearest.ts'
import { joinPointer, parsePointer } from '../../core/pointer.ts'
import { locatePointers } from '../../core/positions.ts'
import { identityOf } from './compare.ts'
import { appliedInPlace, familyOf, maskOf, ownersInPlace } from './family.ts'
import { certainConjunctsOf, type SchemaNode, typeBits } from './model.ts'
import type { CompiledSchema } from './schema.ts'

export interface ReviewOptions {
  /**
   * JSON Pointers of the arrays in the payload that a transformer loops over. `-`, an asterisk or any index stands for
   * all items of an array on the way, as in `/orders/-/lines`.
   */
  loopedPointers?: readonly string[]
  /** The schema's text, for line and column. */
  text?: string
}

/**
 * Reviews a schema. Codes, all warnings: `schema.unreachable-branch`, `schema.contradiction`,
 * `schema.required-undeclared`, `schema.unbounded-loop`. At most `limits.configurationIssues`, in document order except
 * for the loops, which come first.
 */
export function reviewSchema(schema: CompiledSchema, options: ReviewOptions = {}): Finding[] {
  const review = new Review(schema)
  for (const pointer of new Set(options.loopedPointers ?? [])) review.loop(pointer)
  for (const node of schema.model.nodes) {
    if (review.findings.length >= limits.configurationIssues) break
    // The metaschemas are not the author's.
    if (node.resource.document.isAuthors && node.always === undefined) review.node(node)
  }
  const findings = review.findings.slice(0, limits.configurationIssues)
  if (options.text !== undefined && findings.length > 0) {
    const positions = locatePointers(
      options.text,
      findings.map(({ path }) => path ?? ''),
    )
    for (const finding of findings) Object.assign(finding, positions.get(finding.path ?? ''))
  }
  return findings
}

const boundPairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minimum', 'maximum'],
  ['minContains', 'maxContains'],
] as const

class Review {
  readonly findings: Finding[] = []
  private readonly owners: ReadonlyMap<SchemaNode, readonly SchemaNode[]>
  private readonly negated: ReadonlySet<SchemaNode>
  private looked = 0

  constructor(private readonly schema: CompiledSchema) {
    this.owners = ownersInPlace(schema.model)
    // Under `not`, a rule says what must not be, so rules that look odd elsewhere are mostly intended there.
    const negated = new Set<SchemaNode>()
    for (const node of schema.model.nodes) if (node.not !== undefined) negated.add(node.not)
    for (const node of negated) {
      for (const part of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) negated.add(part)
    }
    this.negated = negated
  }

  node(node: SchemaNode): void {
    this.branches(node)
    this.conditions(node)
    this.bounds(node)
    this.delimiters(node)
    if (!this.negated.has(node)) this.required(node)
  }

  /** A pattern with the slashes and flags of JavaScript wants these in the text. */
  private delimiters(node: SchemaNode): void {
    const written = node.keyword('pattern')
    const [, inner, flags] = typeof written === 'string' ? (/^\/(\^.*|.*\$)\/([a-z]*)$/s.exec(written) ?? []) : []
    if (inner === undefined) return
    const place = joinPointer(node.pointer, 'pattern')
    const hint = `Write the pattern alone${flags === '' ? '' : ', without flags'}: ${JSON.stringify(inner.slice(0, 80))}.`
    this.warn(
      'schema.contradiction',
      place,
      'pattern',
      'The slashes around the pattern are part of it, so no text matches.',
      hint,
    )
  }

  /** Branches of anyOf and oneOf that no value can take, or that no value can take alone. */
  private branches(node: SchemaNode): void {
    const mask = maskOf(node)
    const allowed = this.choicesOf(node)
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const earlier = new Map<string, number>()
      node[keyword]?.slice(0, limits.schemaBranchesCompared).forEach((branch, index) => {
        const place = joinPointer(joinPointer(node.pointer, keyword), index)
        const reason = this.whyUnreachable(branch, mask, allowed)
        if (reason !== undefined) {
          this.warn(
            'schema.unreachable-branch',
            place,
            keyword,
            `No value can take this branch: ${reason}.`,
            'Correct or remove it.',
          )
          return
        }
        const identity = identityOf(branch.source)
        const same = earlier.get(identity)
        if (same === undefined) {
          earlier.set(identity, index)
          return
        }
        const sentence =
          keyword === 'oneOf'
            ? `This branch equals number ${same + 1}, so a value that takes one takes both, which oneOf forbids.`
            : `This branch equals number ${same + 1}, so it changes nothing.`
        this.warn('schema.unreachable-branch', place, keyword, sentence, 'Remove one of the two.')
      })
    }
  }

  private whyUnreachable(
    branch: SchemaNode,
    mask: number,
    allowed: ReadonlySet<string> | undefined,
  ): string | undefined {
    if (branch.always === false) return 'it is false'
    if (mask !== 0 && (maskOf(branch) & mask) === 0) return 'it wants another type than the schema around it'
    if (allowed === undefined) return undefined
    const own = this.choicesOf(branch)
    if (own === undefined || [...own].some((identity) => allowed.has(identity))) return undefined
    return 'none of its values is among those that the schema around it allows'
  }

  /** The values that `const` and `enum` leave, by their identity; undefined if there is neither. */
  private choicesOf(node: SchemaNode): ReadonlySet<string> | undefined {
    let left: ReadonlySet<string> | undefined
    for (const part of certainConjunctsOf(node)) {
      const { constant, choices } = part
      if (constant !== undefined) left = intersection(left, new Set([constant.identity]))
      if (choices !== undefined) left = intersection(left, choices.identities)
    }
    return left
  }

  private conditions(node: SchemaNode): void {
    const { condition } = node
    for (const [keyword, branch] of [
      ['then', node.whenTrue],
      ['else', node.whenFalse],
    ] as const) {
      if (branch === undefined) continue
      const place = joinPointer(node.pointer, keyword)
      if (condition === undefined) {
        const message = `"${keyword}" has no "if", so it is never applied.`
        this.warn('schema.unreachable-branch', place, keyword, message, 'Add the condition, or move its rules out.')
      } else if (condition.always === (keyword === 'else')) {
        const message = `"if" is always ${String(condition.always)}, so "${keyword}" is never applied.`
        this.warn('schema.unreachable-branch', place, keyword, message, 'Write the rules without the condition.')
      }
    }
    if (condition !== undefined && condition.always === undefined && (maskOf(condition) & maskOf(node)) === 0) {
      const place = joinPointer(node.pointer, 'if')
      const message = 'The condition wants another type than the schema around it, so "then" is never applied.'
      this.warn('schema.unreachable-branch', place, 'if', message, 'Correct the type of the condition.')
    }
    const listed = node.prefixItems?.length ?? 0
    if (node.maxItems !== undefined && listed > node.maxItems) {
      const place = joinPointer(joinPointer(node.pointer, 'prefixItems'), node.maxItems)
      const message = `maxItems is ${node.maxItems}, so the schemas for items from number ${node.maxItems + 1} on are never applied.`
      this.warn('schema.unreachable-branch', place, 'prefixItems', message, 'Raise maxItems, or remove those schemas.')
    }
  }

  /** Rules that together leave no value at all. */
  private bounds(node: SchemaNode): void {
    for (const [low, high] of boundPairs) {
      const [least, most] = [node[low], node[high]]
      if (least === undefined || most === undefined || least <= most) continue
      const message = `${low} is ${least} and ${high} is ${most}, so no value satisfies both.`
      this.warn('schema.contradiction', joinPointer(node.pointer, low), low, message, 'Swap or correct the bounds.')
    }
    const least = node.exclusiveMinimum ?? node.minimum
    const most = node.exclusiveMaximum ?? node.maximum
    const isOpen = node.exclusiveMinimum !== undefined || node.exclusiveMaximum !== undefined
    if (isOpen && least !== undefined && most !== undefined && least >= most) {
      const keyword = node.exclusiveMinimum === undefined ? 'exclusiveMaximum' : 'exclusiveMinimum'
      const message = `No number lies between ${least} and ${most} as these bounds want it.`
      this.warn('schema.contradiction', joinPointer(node.pointer, keyword), keyword, message, 'Correct the bounds.')
    }
    const ownChoices = node.choices?.values ?? (node.constant === undefined ? [] : [node.constant.value])
    if (node.types !== undefined && ownChoices.length > 0) {
      const isPossible = ownChoices.some((value) => (node.typeMask & bitOf(value)) !== 0)
      const keyword = node.choices === undefined ? 'const' : 'enum'
      if (!isPossible) {
        const message = `No value of "${keyword}" has the type that "type" wants.`
        this.warn(
          'schema.contradiction',
          joinPointer(node.pointer, keyword),
          keyword,
          message,
          'Correct the type or the values.',
        )
      }
    }
    for (const [index, name] of (node.required ?? []).entries()) {
      if (node.properties?.get(name)?.always !== false) continue
      const place = joinPointer(joinPointer(node.pointer, 'required'), index)
      const message = `"${name}" is required, but its schema is false, so no object satisfies both.`
      this.warn('schema.contradiction', place, 'required', message, 'Remove it from required, or allow it.')
    }
  }

  /** A required property that no schema on the same value declares is mostly a misspelt one. */
  private required(node: SchemaNode): void {
    if (node.required === undefined || node.required.length === 0) return
    if (node.required.every((name) => node.properties?.has(name) === true)) return
    if (this.looked > limits.schemaReviewed) return
    const family = familyOf(node, this.owners)
    this.looked += family.size
    const declared = new Set<string>()
    for (const member of family) {
      for (const name of member.properties?.keys() ?? []) declared.add(name)
      // Further properties have a schema of their own here, so every name counts as declared.
      for (const further of [member.additionalProperties, member.unevaluatedProperties]) {
        if (further !== undefined && further.always === undefined) return
      }
    }
    for (const [index, name] of node.required.entries()) {
      if (declared.has(name)) continue
      const isPatterned = [...family].some((member) =>
        member.patternProperties?.some(({ pattern }) => pattern.test(name)),
      )
      if (isPatterned) continue
      const similar = nearest(name, declared)
      const hint = similar === undefined ? 'Declare it under properties, with its type.' : `Did you mean "${similar}"?`
      const place = joinPointer(joinPointer(node.pointer, 'required'), index)
      const message = `"${name}" is required but declared nowhere, so any value of it passes.`
      this.warn('schema.required-undeclared', place, 'required', message, hint)
    }
  }

  /** An array that a transformer loops over should say how long it can be. */
  loop(pointer: string): void {
    const tokens = parsePointer(pointer)
    if (tokens === undefined) return
    let nodes = appliedInPlace([this.schema.model.root])
    for (const token of tokens) nodes = appliedInPlace(membersAt(nodes, token))
    const arrays = [...nodes].filter((node) => node.types === undefined || (node.typeMask & typeBits.array) !== 0)
    // The schema that says "array" is where the author would write the bound.
    const place = arrays.find((node) => node.typeMask === typeBits.array) ?? arrays[0]
    if (place === undefined || arrays.some(isBounded)) return
    const message = `A transformer loops over ${pointer === '' ? 'the payload' : pointer}, whose length has no bound here.`
    const hint = `Add maxItems; without it ${limits.transformAssumedItems} items are assumed, and more fail when it runs.`
    this.warn(
      'schema.unbounded-loop',
      place.resource.document.isAuthors ? place.pointer : '',
      'maxItems',
      message,
      hint,
    )
  }

  private warn(code: string, path: string, keyword: string, message: string, hint: string): void {
    this.findings.push({ code, severity: 'warning', message, hint, path, keyword })
  }
}

function isBounded(node: SchemaNode): boolean {
  return (
    node.maxItems !== undefined ||
    node.items?.always === false ||
    node.constant !== undefined ||
    node.choices !== undefined
  )
}

/** The schemas of a member. An index or an asterisk stands for every item, since loops visit them all. */
function membersAt(nodes: Iterable<SchemaNode>, token: string): SchemaNode[] {
  const found: SchemaNode[] = []
  const isItem = token === '*' || token === '-' || /^(0|[1-9][0-9]*)$/.test(token)
  for (const node of nodes) {
    const declared = node.properties?.get(token)
    if (declared !== undefined) found.push(declared)
    let isCovered = declared !== undefined
    for (const { pattern, schema } of node.patternProperties ?? []) {
      if (!pattern.test(token)) continue
      isCovered = true
      found.push(schema)
    }
    if (!isCovered && node.additionalProperties !== undefined) found.push(node.additionalProperties)
    if (!isItem) continue
    if (node.items !== undefined) found.push(node.items)
    found.push(...(node.prefixItems ?? []))
  }
  return found
}

function bitOf(value: unknown): number {
  if (typeof value === 'string') return typeBits.string
  if (typeof value === 'number') return Number.isInteger(value) ? typeBits.integer : typeBits.number & ~typeBits.integer
  if (typeof value === 'boolean') return typeBits.boolean
  if (value === null) return typeBits.null
  return Array.isArray(value) ? typeBits.array : typeBits.object
}

function intersection(left: ReadonlySet<string> | undefined, right: ReadonlySet<string>): ReadonlySet<string> {
  return left === undefined ? right : new Set([...left].filter((identity) => right.has(identity)))
}
