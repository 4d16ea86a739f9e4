/** Plans an object's properties: those to include, those they require, and those that other schemas have evaluated. */
import type { CompiledPattern } from '../../../core/pattern/pattern.ts'
import type { Conjunct, Demand } from './demand.ts'

/** Which properties an object will have, including those they require. */
export class ObjectPlan {
  readonly names = new Set<string>()
  readonly declared: string[]
  private readonly dependents: (readonly [string, readonly string[]])[] = []

  constructor(private readonly demand: Demand) {
    const declared = new Set<string>()
    for (const { node } of demand.conjuncts) {
      for (const name of node.properties?.keys() ?? []) declared.add(name)
      if (node.dependentRequired !== undefined) this.dependents.push(...node.dependentRequired)
    }
    this.declared = [...declared]
  }

  isDeclared(name: string): boolean {
    return this.demand.conjuncts.some(({ node }) => node.properties?.has(name) === true)
  }

  /** Adds a property with all that it requires; returns false, and adds nothing, if one of them is forbidden. */
  add(name: string): boolean {
    const closure = new Set([name])
    for (const member of closure) {
      if (this.demand.forbidden.has(member)) return false
      for (const [trigger, names] of this.dependents) {
        if (trigger === member) for (const other of names) closure.add(other)
      }
    }
    for (const member of closure) this.names.add(member)
    return true
  }

  addUndeclared(name: string): void {
    this.add(name)
  }

  addBreak(name: string, breaks: Conjunct): void {
    this.names.add(name)
    const list = this.demand.memberBreaks.get(name)
    if (list === undefined) this.demand.memberBreaks.set(name, [breaks])
    else list.push(breaks)
    this.demand.required.add(name)
  }

  canDrop(name: string): boolean {
    return !this.demand.required.has(name)
  }

  /** Takes a property out, and every optional one that cannot be without it. */
  drop(name: string): void {
    const gone = [name]
    for (const member of gone) {
      this.names.delete(member)
      for (const [trigger, names] of this.dependents) {
        if (names.includes(member) && this.names.has(trigger)) gone.push(trigger)
      }
    }
  }

  /** In the order in which the author declared them. */
  inOrder(): string[] {
    const declared = this.declared.filter((name) => this.names.has(name))
    const listed = new Set(declared)
    return [...declared, ...[...this.names].filter((name) => !listed.has(name))]
  }
}

export function isInside(conjunct: Conjunct, owner: Conjunct): boolean {
  for (let at: Conjunct | undefined = conjunct; at !== undefined; at = at.via) if (at === owner) return true
  return false
}

export function isPropertySeen(demand: Demand, owner: Conjunct, name: string): boolean {
  for (const conjunct of demand.conjuncts) {
    if (!isInside(conjunct, owner)) continue
    const { node } = conjunct
    if (node.additionalProperties !== undefined || node.properties?.has(name) === true) return true
    if (node.patternProperties?.some(({ pattern }) => pattern.test(name)) === true) return true
    if (conjunct !== owner && node.unevaluatedProperties !== undefined) return true
  }
  return false
}

/** The patterns of properties that an object may have beside the declared ones. */
export function openPatterns(demand: Demand): CompiledPattern[] {
  const found: CompiledPattern[] = []
  for (const { node } of demand.conjuncts) {
    for (const { pattern, schema } of node.patternProperties ?? []) if (schema.always !== false) found.push(pattern)
  }
  return found.slice(0, 20)
}
