/** Notes what an evaluation reaches, if the transformer is built to be watched; otherwise nothing is noted. */
import { Coverage, itemCount, itemGaps, possibleCounts } from '../../core/coverage.ts'
import type { LineIndex } from '../../core/positions.ts'
import { shorten } from '../../core/source/read.ts'
import { type MapNode, pathOf, type SourceNode } from '../../core/source/tree.ts'
import type { Built } from './built.ts'
import { itemsOf, type Type, typeLabel, types } from './types.ts'
import type { Value } from './value.ts'

/** What a value showed of a node: a bit for each. */
const seen = {
  evaluated: 1,
  there: 2,
  missing: 4,
  true: 8,
  false: 16,
  none: 32,
  one: 64,
  several: 128,
  faulted: 256,
} as const

function bitsOf(value: Value): number {
  if (value === undefined || value === null) return seen.missing
  if (value === true) return seen.there | seen.true
  if (value === false) return seen.there | seen.false
  return Array.isArray(value) ? seen.there | seen[itemCount(value.length)] : seen.there
}

/** Loops that make something of each item, where it matters how many there are. */
const loops = new Set(['$each', '$group'])

interface Outcome {
  node: SourceNode
  bit: number
  point: number
}

export class TransformerWatch {
  readonly coverage = new Coverage()
  /** The bits of each node. */
  private readonly marks = new Map<SourceNode, number>()
  private readonly types = new Map<SourceNode, Type>()
  private readonly outcomes: Outcome[] = []
  private readonly reached = new Map<SourceNode, number>()
  /** Other members of the same type, by the offset of a path to one. */
  readonly siblings = new Map<number, readonly string[]>()
  private text = ''
  private lines: LineIndex | undefined

  /** What was built for a node, with its run noting what it gives. */
  watched(built: Built): Built {
    const { node, run } = built
    const { marks } = this
    this.types.set(node, built.type)
    return {
      ...built,
      run(frame) {
        // Before it runs, so that what ends in a fault is reached too.
        marks.set(node, (marks.get(node) ?? 0) | seen.evaluated)
        const value = run(frame)
        marks.set(node, (marks.get(node) ?? 0) | bitsOf(value))
        return value
      },
    }
  }

  /** A table whose rows note that they were looked up. */
  watchedTable(node: SourceNode, entries: ReadonlyMap<string, Value>): Map<string, Value> {
    const { marks } = this
    const rows = node.kind === 'map' ? node.byKey : undefined
    return new (class extends Map<string, Value> {
      override get(key: string): Value {
        const row = rows?.get(key)
        if (row !== undefined) marks.set(row.value, seen.evaluated)
        return super.get(key)
      }
    })(entries)
  }

  /** A path leads to a member of an object. Records the members of the same type that could replace it, the next one first. */
  noteMember(node: SourceNode, { parent, name, type }: { parent: Type; name: string; type: Type }): void {
    const shape = parent.alternatives.find((each) => each.kind === 'object')?.shape
    if (shape === undefined) return
    const label = typeLabel(type)
    const fits = (other: string) => other === name || typeLabel(shape.field(other)?.type ?? types.missing) === label
    const names = shape.names.filter(fits)
    const at = names.indexOf(name)
    this.siblings.set(node.offset, [...names.slice(at + 1), ...names.slice(0, Math.max(at, 0))])
  }

  /** Lists the points of a source that was built with this. */
  begin(root: SourceNode, text: string, lines: LineIndex): void {
    this.text = text
    this.lines = lines
    if (root.kind !== 'map') return
    this.addTables(root.byKey.get('tables')?.value)
    for (const key of ['let', 'output']) this.walk(root.byKey.get(key)?.value, [])
  }

  /** Turns what was seen since the last call into reached points. `fault` is the source path of the fault that ended a run. */
  settle(fault: string | undefined): void {
    for (const { node, bit, point } of this.outcomes) {
      if (((this.marks.get(node) ?? 0) & bit) !== 0) this.coverage.hit(point)
      else if (bit === seen.faulted && fault !== undefined && pathOf(node) === fault) this.coverage.hit(point)
    }
    this.marks.clear()
  }

  private addTables(tables: SourceNode | undefined): void {
    for (const { value: table } of tables?.kind === 'map' ? tables.entries : []) {
      for (const { value: row } of table.kind === 'map' ? table.entries : []) {
        this.add(row, seen.evaluated, 'is a row that is never looked up', [])
      }
    }
  }

  private walk(node: SourceNode | undefined, inside: readonly number[]): void {
    if (node === undefined || node.kind === 'scalar') return
    if (node.kind === 'list') {
      for (const item of node.items) this.walk(item, inside)
      return
    }
    const operator = node.entries.find(({ key }) => key.startsWith('$') && !key.startsWith('$$'))
    if (operator === undefined) {
      for (const { value } of node.entries) this.walk(value, inside)
      return
    }
    this.walkCall(node, operator.key, operator.value, inside)
  }

  private walkCall(node: MapNode, name: string, subject: SourceNode, outer: readonly number[]): void {
    const inside = [this.reach(node, 'is never evaluated', outer)]
    if (this.isTest(node)) this.addTest(node, inside)
    const branches = new Map<SourceNode, readonly number[]>()
    const branch = (value: SourceNode | undefined, gap: string) => {
      if (value !== undefined) branches.set(value, [this.reach(value, gap, inside)])
    }
    const argument = (key: string) => node.byKey.get(key)?.value
    if (name === '$if') {
      branch(argument('then'), 'is never taken')
      branch(argument('else'), 'is never taken')
    } else if (name === '$match') {
      for (const { key, value } of node.entries) if (key !== '$match') branch(value, 'is never taken')
    } else if (name === '$lookup') branch(argument('else'), 'is never taken: every row is there')
    else if (name === '$default') this.addFallbacks(subject, inside)
    else if (name === '$require') this.add(node, seen.faulted, 'is never missing', inside, 'by refusal')
    else if (name === '$omit') {
      this.add(subject, seen.there, 'is never there', inside)
      this.add(subject, seen.missing, 'is never left out', inside)
    } else if (loops.has(name)) this.addLoop(subject, inside)
    for (const test of testsOf(node, name, subject)) {
      if (test.kind === 'scalar' && this.types.has(test) && /^[/$]/.test(test.text)) this.addTest(test, inside)
    }
    for (const { value } of node.entries) this.walk(value, branches.get(value) ?? inside)
  }

  private addFallbacks(subject: SourceNode, inside: readonly number[]): void {
    if (subject.kind !== 'list') return
    for (const [index, item] of subject.items.entries()) {
      const isLast = index === subject.items.length - 1
      if (isLast) this.add(item, seen.evaluated, 'is a default that is never taken', inside)
      else this.add(item, seen.there, 'is never there', inside)
    }
  }

  /** An array that always has this many items needs no case with fewer. */
  private addLoop(subject: SourceNode, inside: readonly number[]): void {
    const type = this.types.get(subject)
    const { min, max } = type === undefined ? { min: 0, max: 2 } : itemsOf(type)
    const possible = possibleCounts({ min, max: typeof max === 'number' ? max : 2 })
    for (const [bit, gap] of itemGaps) if (possible[bit]) this.add(subject, seen[bit], gap, inside)
  }

  private isTest(node: SourceNode): boolean {
    const alternatives = this.types.get(node)?.alternatives ?? []
    return alternatives.length === 1 && alternatives[0]?.kind === 'boolean'
  }

  private addTest(node: SourceNode, inside: readonly number[]): void {
    this.add(node, seen.true, 'is never true', inside)
    this.add(node, seen.false, 'is never false', inside)
  }

  /** The point that is reached when a node is evaluated; one for each node. */
  private reach(node: SourceNode, gap: string, inside: readonly number[]): number {
    const known = this.reached.get(node)
    if (known !== undefined) return known
    const point = this.add(node, seen.evaluated, gap, inside)
    this.reached.set(node, point)
    return point
  }

  private add(
    node: SourceNode,
    bit: number,
    gap: string,
    inside: readonly number[],
    reached: 'by a value' | 'by refusal' = 'by a value',
  ): number {
    const { line } = this.lines?.positionOf(node.offset) ?? { line: 1 }
    const point = this.coverage.add({
      place: pathOf(node),
      line,
      excerpt: this.excerptOf(node),
      gap,
      byRefusal: reached === 'by refusal',
      inside,
    })
    this.outcomes.push({ node, bit, point })
    return point
  }

  /** A scalar with its key; of anything else the line that it begins in, from its key on. */
  private excerptOf(node: SourceNode): string {
    const { parent, key } = node
    if (node.kind === 'scalar') return shorten(typeof key === 'string' ? `${key}: ${node.text}` : node.text, 100)
    const entry = parent?.kind === 'map' && typeof key === 'string' ? parent.byKey.get(key) : undefined
    const from = Math.min(entry?.keyOffset ?? node.offset, node.offset)
    const end = this.text.indexOf('\n', Math.max(node.offset, from))
    const lines = this.text.slice(from, end < 0 ? undefined : end)
    return shorten(lines.replace(/\s+/g, ' ').trim(), 100)
  }
}

/** The nodes that an operator takes as tests. */
function testsOf(node: MapNode, name: string, subject: SourceNode): SourceNode[] {
  const where = node.byKey.get('where')?.value
  const tests = where === undefined ? [] : [where]
  if (name === '$if' || name === '$not') tests.push(subject)
  if ((name === '$all' || name === '$any') && subject.kind === 'list') tests.push(...subject.items)
  return tests
}
