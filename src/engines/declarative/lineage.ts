/**
 * Where outputs come from. While an evaluation with lineage runs, a set is being collected: every value that is read
 * adds its input pointer, and every expression adds its place in the source. Every member of a made object or array
 * keeps the set collected while it was made; reading that member later adds its set.
 */
import { Decimal } from '../../core/decimal.ts'
import { limits } from '../../core/limits.ts'
import { joinPointer } from '../../core/pointer.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { isObjectValue, type Value } from './value.ts'

/** Input pointers, and the source nodes that took part. */
export interface Trace {
  pointers: Set<string>
  nodes: Set<SourceNode>
}

export interface LineageEntry {
  /** JSON Pointer of a leaf of the output. */
  output: string
  /** JSON Pointers into the input, in the order in which they were read. */
  inputs: string[]
  /** 1-based lines of the source, ascending. */
  lines: number[]
}

export class Lineage {
  /** Pointers of input containers, by identity, so that a value keeps its pointer through sorting, grouping and variables. */
  private readonly inputPointers = new WeakMap<object, string>()
  /** For made containers: the trace of every member. */
  private readonly made = new WeakMap<object, Map<string, Trace>>()
  /** Traces of variables that hold scalars. */
  private readonly slots = new Map<number, Trace>()
  /** Every input pointer that was read, for any purpose. */
  readonly reads = new Set<string>()
  /** True while a let only names a part of the input: that part is read where the name is used. */
  isNaming = false
  private current: Trace = newTrace()

  constructor(input: Value) {
    if (typeof input === 'object' && input !== null) this.inputPointers.set(input, '')
  }

  /** Collects what happens while `make` runs into a trace of its own. */
  collect<T>(make: () => T): { value: T; trace: Trace } {
    const outer = this.current
    const trace = newTrace()
    this.current = trace
    try {
      return { value: make(), trace }
    } finally {
      this.current = outer
    }
  }

  add(trace: Trace | undefined): void {
    if (trace === undefined) return
    for (const pointer of trace.pointers) this.current.pointers.add(pointer)
    for (const node of trace.nodes) this.current.nodes.add(node)
  }

  note(node: SourceNode): void {
    this.current.nodes.add(node)
  }

  /** Records that a path reached a member of a container, on its way or at its end. */
  step(container: Value, key: string | number, value: Value, at: 'on its way' | 'at its end'): void {
    if (typeof container !== 'object' || container === null) return
    const isContainer = typeof value === 'object' && value !== null && !(value instanceof Decimal)
    const pointer = this.inputPointers.get(container)
    if (pointer === undefined) {
      if (!isContainer) this.add(this.made.get(container)?.get(String(key)))
      return
    }
    const memberPointer = joinPointer(pointer, key)
    if (isContainer) this.inputPointers.set(value, memberPointer)
    // Passing through a container, or naming it, does not read it yet.
    if (at === 'on its way' || isContainer) return
    if (!this.isNaming) this.reads.add(memberPointer)
    this.current.pointers.add(memberPointer)
  }

  /** A loop variable takes an item. Containers are identified by the object, scalars by the variable's slot. */
  enterItem(slot: number, array: Value[], index: number): void {
    const item = array[index]
    const pointer = this.inputPointers.get(array)
    if (typeof item === 'object' && item !== null && !(item instanceof Decimal)) {
      if (pointer !== undefined) this.inputPointers.set(item, joinPointer(pointer, index))
      this.slots.delete(slot)
    } else this.slots.set(slot, this.memberTrace(array, index))
  }

  /** Records that a container was used as a whole, for example for its length. */
  takeWhole(container: object): void {
    const pointer = this.inputPointers.get(container)
    if (pointer === undefined) return
    this.reads.add(pointer)
    this.current.pointers.add(pointer)
  }

  setMember(container: object, key: string | number, trace: Trace): void {
    let members = this.made.get(container)
    if (members === undefined) {
      members = new Map()
      this.made.set(container, members)
    }
    members.set(String(key), trace)
  }

  /** The trace of a member of any container. */
  memberTrace(container: object, key: string | number): Trace {
    const pointer = this.inputPointers.get(container)
    if (pointer !== undefined) return { pointers: new Set([joinPointer(pointer, key)]), nodes: new Set() }
    return this.made.get(container)?.get(String(key)) ?? newTrace()
  }

  /** A member moves from one container to another and keeps its trace. */
  copyMember(from: object, fromKey: string | number, to: object, toKey: string | number): void {
    this.setMember(to, toKey, this.memberTrace(from, fromKey))
    const pointer = this.inputPointers.get(from)
    if (pointer === undefined) return
    const member = (from as Record<string | number, Value>)[fromKey]
    if (typeof member === 'object' && member !== null) this.inputPointers.set(member, joinPointer(pointer, fromKey))
  }

  setSlot(slot: number, trace: Trace): void {
    this.slots.set(slot, trace)
  }

  /** A variable that holds a scalar is read; containers bring their members' traces with them. */
  readSlot(slot: number, value: Value): void {
    if (typeof value === 'object' && value !== null && !(value instanceof Decimal)) return
    const trace = this.slots.get(slot)
    this.add(trace)
    if (!this.isNaming) for (const pointer of trace?.pointers ?? []) this.reads.add(pointer)
  }

  /** One entry for every leaf of the output, at most `limits.transformOutputValues`. */
  entries(output: Value, trace: Trace, lineOf: (node: SourceNode) => number): LineageEntry[] {
    const entries: LineageEntry[] = []
    const known = new Map<SourceNode, number>()
    const linesOf = (nodes: ReadonlySet<SourceNode>): number[] => {
      const lines: number[] = []
      for (const node of nodes) {
        let line = known.get(node)
        if (line === undefined) {
          line = lineOf(node)
          known.set(node, line)
        }
        if (!lines.includes(line)) lines.push(line)
      }
      return lines.sort((left, right) => left - right)
    }
    const visit = (value: Value, pointer: string, own: Trace): void => {
      if (entries.length >= limits.transformOutputValues) return
      const members: [string | number, Value][] = Array.isArray(value)
        ? value.map((item, index) => [index, item])
        : isObjectValue(value)
          ? Object.entries(value)
          : []
      for (const [key, member] of members) {
        if (member === undefined) continue
        const found = this.memberTrace(value as object, key)
        this.passDown(value as object, key, member)
        visit(member, joinPointer(pointer, key), found.nodes.size > 0 ? found : { ...found, nodes: own.nodes })
      }
      if (members.length > 0) return
      entries.push({ output: pointer, inputs: [...own.pointers], lines: linesOf(own.nodes) })
    }
    visit(output, '', trace)
    return entries
  }

  /** Gives pointers to containers inside a part of the input that was taken whole. */
  private passDown(container: object, key: string | number, member: Value): void {
    const pointer = this.inputPointers.get(container)
    if (pointer === undefined || typeof member !== 'object' || member === null) return
    this.inputPointers.set(member, joinPointer(pointer, key))
  }
}

function newTrace(): Trace {
  return { pointers: new Set(), nodes: new Set() }
}
