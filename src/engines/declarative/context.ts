/** State while a program is built: the names in scope, values known to be present, and what the program reads. */

import type { SourcePosition } from '../../core/positions.ts'
import type { Reading } from '../../core/reading.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { Findings } from './findings.ts'
import type { Origin } from './frame.ts'
import type { Type } from './types.ts'
import type { Value } from './value.ts'
import type { TransformerWatch } from './watch.ts'

export interface Variable {
  name: string
  slot: number
  type: Type
  origin?: Origin
  scattered?: true
  /** Slot for `$index`: the 0-based position among the items left after `where` and `sort`. */
  positionSlot?: number
}

export interface Table {
  entries: Map<string, Value>
  type: Type
}

/** All rows of a table, for operators that read it as a whole. Under a watch, all rows count as reached. */
export function wholeTable({ entries }: Table): (readonly [key: string, value: Value])[] {
  return [...entries.keys()].map((key) => [key, entries.get(key)] as const)
}

/** Names of lets, params, tables and loop variables. */
export const namePattern = /^[A-Za-z_][A-Za-z0-9_-]*$/

export function isName(text: string): boolean {
  return namePattern.test(text)
}

/** What a call writes of values that show every form of it. */
export interface Sample {
  node: SourceNode
  texts: readonly string[]
}

export interface ContextOptions {
  /** The type of the whole input. */
  input: Type
  /** With a contract, text is not taken for a date: the contract would say so. */
  hasContract: boolean
  /** The rules that the source is read by. */
  reading: Reading
  /** Whether calls are to give samples of what they write. */
  isSampled?: boolean
  /** Present where what runs reach is to be noted. */
  watch?: TransformerWatch | undefined
  /** Line and column of an offset. */
  locate(offset: number): SourcePosition
}

export class BuildContext {
  readonly findings: Findings
  readonly input: Type
  readonly hasContract: boolean
  readonly reading: Reading
  readonly watch: TransformerWatch | undefined
  private readonly isSampled: boolean
  /** Input pointers that something reads. */
  readonly reads = new Set<string>()
  /** Arrays of the input that something loops over. */
  readonly loops = new Set<string>()
  /** Where the same source is read by other rules: what calls write, to be compared. */
  readonly samples: Sample[] = []
  readonly tables = new Map<string, Table>()
  slotCount = 0
  private sizeCount = 0
  private readonly scope = new Map<string, Variable>()
  private present: ReadonlySet<string> = new Set()

  constructor({ input, hasContract, reading, isSampled = false, watch, locate }: ContextOptions) {
    this.findings = new Findings(locate)
    this.input = input
    this.hasContract = hasContract
    this.reading = reading
    this.watch = watch
    this.isSampled = isSampled
  }

  /** Notes what a call writes by these rules; only where others are compared with them. */
  sample(node: SourceNode, texts: () => readonly string[]): void {
    if (this.isSampled) this.samples.push({ node, texts: texts() })
  }

  newSlot(): number {
    return this.slotCount++
  }

  /** A number for a size that differs from turn to turn of a loop. */
  readonly newSize = (): number => this.sizeCount++

  declare(variable: Variable): void {
    this.scope.set(variable.name, variable)
  }

  lookUp(name: string): Variable | undefined {
    return this.scope.get(name)
  }

  /** Runs `build` with variables that only it sees. */
  within<T>(variables: readonly Variable[], build: () => T): T {
    const outer = variables.map((variable) => this.scope.get(variable.name))
    for (const variable of variables) this.scope.set(variable.name, variable)
    const result = build()
    variables.forEach((variable, index) => {
      const before = outer[index]
      if (before === undefined) this.scope.delete(variable.name)
      else this.scope.set(variable.name, before)
    })
    return result
  }

  /** Runs `build` where the named values are known to be present. */
  knowing<T>(names: readonly string[] | undefined, build: () => T): T {
    if (names === undefined || names.length === 0) return build()
    const outer = this.present
    this.present = new Set([...outer, ...names])
    const result = build()
    this.present = outer
    return result
  }

  isPresent(name: string): boolean {
    return this.present.has(name)
  }

  /** The names of all variables in scope. */
  names(): Iterable<string> {
    return this.scope.keys()
  }
}
