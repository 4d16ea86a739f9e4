/**
 * From syntax to program in one walk: every node becomes its type, its cost bound and the function that evaluates it,
 * and everything wrong with it becomes a finding. Checker and evaluator cannot disagree, because each operator states
 * all three in one place.
 */
import { Decimal } from '../../core/decimal.ts'
import { type Finding, tellCount } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { parsePointer } from '../../core/pointer.ts'
import { buildCall, type OperatorTable } from './call.ts'
import { checkItem } from './check.ts'
import { burn, type Frame, type Origin, originPattern, type Run } from './frame.ts'
import { readPath } from './path.ts'
import { addSizes, type Size } from './size.ts'
import {
  type ListNode,
  type MapEntry,
  type MapNode,
  pathOf,
  type ScalarNode,
  type SourceNode,
  shorten,
} from './source.ts'
import { suggest } from './suggest.ts'
import {
  arrayOf,
  asItem,
  describeType,
  type Field,
  joinTypes,
  objectOf,
  present,
  stepInto,
  type Type,
  typeOf,
  types,
} from './types.ts'
import { type ObjectValue, setValue, type Value } from './value.ts'
import type { Want, WantTypes } from './wants.ts'

export interface Built {
  node: SourceNode
  type: Type
  /** Evaluated nodes, this one and all below it. */
  cost: Size
  run: Run
  /** Where in the input the value lies, when it is a part of the input taken as it is. */
  origin?: Origin
  /** Its items lie somewhere in the array at its origin, not at their own indexes. */
  scattered?: true
  /** The name under which it may be known to be present. */
  known?: string
  /** Names known to be present when this boolean is true, and when it is false. */
  whenTrue?: readonly string[]
  whenFalse?: readonly string[]
  /** The value of a literal. */
  literal?: Value
}

/** An argument that was checked: its run converts, and faults where the value is not what was wanted. */
export interface Checked<W extends Want> {
  built: Built
  type: Type
  cost: Size
  run(frame: Frame): WantTypes[W]
}

export interface Variable {
  name: string
  kind: 'let' | 'param' | 'item' | 'group'
  slot: number
  type: Type
  origin?: Origin
  scattered?: true
  /** Slot of the 0-based position among the items that remain after `where` and `sort`, for `$index`. */
  positionSlot?: number
}

export interface Table {
  entries: Map<string, Value>
  type: Type
}

const namePattern = /^[A-Za-z_][A-Za-z0-9_-]*$/

export function isName(text: string): boolean {
  return namePattern.test(text)
}

export interface BuilderOptions {
  operators: OperatorTable
  input: Type
  /** With a contract, text is not taken for a date: the contract would have said so. */
  hasContract: boolean
  /** Line and column of an offset. */
  locate(offset: number): { line: number; column: number }
}

export class Builder {
  readonly reads = new Set<string>()
  /** Arrays of the input that something loops over. */
  readonly loops = new Set<string>()
  readonly tables = new Map<string, Table>()
  readonly operators: OperatorTable
  readonly hasContract: boolean
  slotCount = 0
  groupCount = 0
  errorCount = 0
  private findingCount = 0
  private naming = false
  private readonly errors: Finding[] = []
  private readonly warnings: Finding[] = []
  /** How many findings came before each kept one, which orders errors and warnings among each other. */
  private readonly places = new Map<Finding, number>()
  private readonly scope = new Map<string, Variable>()
  private readonly presentNames = new Map<string, number>()

  constructor(private readonly options: BuilderOptions) {
    this.operators = options.operators
    this.hasContract = options.hasContract
  }

  // Findings.

  error(code: string, node: SourceNode, message: string, hint?: string, at?: MapEntry): void {
    this.errorCount++
    this.add('error', code, node, message, hint, at)
  }

  warning(code: string, node: SourceNode, message: string, hint?: string): void {
    this.add('warning', code, node, message, hint)
  }

  private add(
    severity: 'error' | 'warning',
    code: string,
    node: SourceNode,
    message: string,
    hint?: string,
    at?: MapEntry,
  ) {
    const number = this.findingCount++
    const kept = severity === 'error' ? this.errors : this.warnings
    if (kept.length >= limits.configurationIssues) return
    const place = at === undefined ? node : at.value
    const position = this.options.locate(at === undefined ? node.offset : at.keyOffset)
    const finding: Finding = {
      code,
      severity,
      message,
      ...(hint === undefined ? {} : { hint }),
      path: pathOf(place),
      ...position,
    }
    kept.push(finding)
    this.places.set(finding, number)
  }

  /** "Did you mean", while the finding that it is for will still be listed. */
  suggest(name: string, candidates: Iterable<string>, prefix = ''): string | undefined {
    return this.errors.length < limits.configurationIssues ? suggest(name, candidates, prefix) : undefined
  }

  /** In the order in which they were found. Errors go before warnings only where there is no room for both. */
  findings(): Finding[] {
    const kept = [...this.errors, ...this.warnings].slice(0, limits.configurationIssues)
    kept.sort((left, right) => this.places.get(left)! - this.places.get(right)!)
    return tellCount(kept, this.findingCount)
  }

  // Scope.

  newSlot(): number {
    return this.slotCount++
  }

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
    for (const name of names) this.presentNames.set(name, (this.presentNames.get(name) ?? 0) + 1)
    const result = build()
    for (const name of names) {
      const count = this.presentNames.get(name)! - 1
      if (count === 0) this.presentNames.delete(name)
      else this.presentNames.set(name, count)
    }
    return result
  }

  // Values.

  /** Stands for something already reported: unknown, so that nothing follows from it. */
  broken(node: SourceNode): Built {
    return { node, type: types.unknown, cost: 1, run: () => undefined }
  }

  value(node: SourceNode): Built {
    if (node.kind === 'list') return this.array(node)
    if (node.kind === 'map') return this.map(node)
    if (typeof node.value === 'string') {
      if (node.value.startsWith('/')) return this.inputPath(node, node.value)
      if (node.value.startsWith('$')) return this.reference(node, node.value)
    }
    return this.literal(node)
  }

  /** A let that only gives a part of the input a name is not yet a read. */
  alias(node: SourceNode): Built {
    this.naming = node.kind === 'scalar'
    const built = this.value(node)
    this.naming = false
    return built
  }

  literal(node: ScalarNode): Built {
    const { value } = node
    return { node, type: typeOfLiteral(value), cost: 0, run: () => value, literal: value }
  }

  private inputPath(node: ScalarNode, text: string): Built {
    const tokens = parsePointer(text)
    if (tokens === undefined) {
      this.error(
        'pointer',
        node,
        `${shorten(text)} is not a JSON Pointer.`,
        'Write ~0 for a tilde and ~1 for a slash in a name.',
      )
      return this.broken(node)
    }
    return this.path(node, { type: this.options.input, origin: [], known: '' }, tokens, (frame) => frame.input)
  }

  private reference(node: ScalarNode, text: string): Built {
    const slash = text.indexOf('/')
    const name = slash < 0 ? text.slice(1) : text.slice(1, slash)
    const variable = this.scope.get(name)
    if (variable === undefined) {
      const hint = isName(name)
        ? this.suggest(name, this.scope.keys(), '$')
        : `A name starts with a letter; for text that starts with $ write { $const: ${shorten(text, 30)} }.`
      this.error('unknown_name', node, `Nothing here is named ${shorten(`$${name}`)}.`, hint)
      return this.broken(node)
    }
    const tokens = slash < 0 ? [] : parsePointer(text.slice(slash))
    if (tokens === undefined) {
      this.error(
        'pointer',
        node,
        `${shorten(text)} is not a name and a JSON Pointer.`,
        'Write ~0 for a tilde and ~1 for a slash.',
      )
      return this.broken(node)
    }
    const { slot, type, origin } = variable
    const root = { type, known: `$${slot}`, slot, ...(origin === undefined ? {} : { origin }) }
    const built = this.path(node, root, tokens, (frame) => frame.slots[slot])
    return variable.scattered === true && tokens.length === 0 ? { ...built, scattered: true } : built
  }

  private path(
    node: ScalarNode,
    root: { type: Type; known: string; origin?: Origin; slot?: number },
    tokens: readonly string[],
    start: Run,
  ): Built {
    let { type, known } = root
    if (this.presentNames.has(known)) type = present(type)
    for (let index = 0; index < tokens.length; index++) {
      const step = stepInto(type, tokens[index]!)
      if (!step.ok) {
        const before = shorten(
          String(node.value)
            .split('/')
            .slice(0, index + 1)
            .join('/') || 'the input',
        )
        const hint = step.isArray
          ? 'Loop over it with $each, or take one item with $pick.'
          : this.suggest(tokens[index]!, step.names)
        this.error(
          'unknown_path',
          node,
          `${before} is ${describeType(type)} without "${shorten(tokens[index]!)}".`,
          hint,
        )
        return this.broken(node)
      }
      known = `${known}/${tokens[index]}`
      type = this.presentNames.has(known) ? present(step.type) : step.type
    }
    const origin = root.origin === undefined ? undefined : [...root.origin, ...tokens]
    if (origin !== undefined && !this.naming) this.reads.add(originPattern(origin))
    const run = readPath(node, start, tokens, root.slot)
    return { node, type, cost: 1, run, known, ...(origin === undefined ? {} : { origin }) }
  }

  private array(node: ListNode): Built {
    const items = node.items.map((item) => checkItem(this, this.value(item)))
    let type: Type | undefined
    for (const item of items) type = type === undefined ? asItem(item.type) : joinTypes(type, asItem(item.type))
    const runs = items.map((item) => item.run)
    const nodes = node.items
    const min = items.filter((item) => !item.type.missing).length
    const run: Run = (frame) => {
      burn(frame, node)
      const array: Value[] = []
      for (let index = 0; index < runs.length; index++) {
        const { lineage } = frame
        if (lineage === undefined) {
          const value = runs[index]!(frame)
          if (value !== undefined) array.push(value)
          continue
        }
        const { value, trace } = lineage.collect(() => runs[index]!(frame))
        if (value === undefined) continue
        trace.nodes.add(nodes[index]!)
        lineage.setMember(array, array.length, trace)
        array.push(value)
      }
      return array
    }
    return { node, type: arrayOf(type ?? types.unknown, items.length, min), cost: sumCosts(items), run }
  }

  private map(node: MapNode): Built {
    const operators = node.entries.filter((entry) => entry.key.startsWith('$') && !entry.key.startsWith('$$'))
    if (operators.length === 0) return this.object(node)
    if (operators.length > 1) {
      const names = operators.map((entry) => entry.key).join(', ')
      this.error(
        'one_operator',
        node,
        `There is more than one operator here: ${shorten(names)}.`,
        'Put one inside the other.',
      )
      return this.broken(node)
    }
    return buildCall(this, node, operators[0]!)
  }

  private object(node: MapNode): Built {
    const fields = new Map<string, Field>()
    const members = node.entries.map((entry) => {
      const built = checkItem(this, this.value(entry.value))
      const key = entry.key.startsWith('$$') ? entry.key.slice(1) : entry.key
      fields.set(key, { type: built.type, at: entry.value })
      return { key, built, run: built.run }
    })
    const run: Run = (frame) => {
      burn(frame, node)
      const object: ObjectValue = {}
      const { lineage } = frame
      for (const member of members) {
        if (lineage === undefined) {
          const value = member.run(frame)
          if (value !== undefined) setValue(object, member.key, value)
          continue
        }
        const { value, trace } = lineage.collect(() => member.run(frame))
        if (value === undefined) continue
        trace.nodes.add(member.built.node)
        setValue(object, member.key, value)
        lineage.setMember(object, member.key, trace)
      }
      return object
    }
    return { node, type: objectOf(fields), cost: sumCosts(members.map((member) => member.built)), run }
  }
}

export function sumCosts(parts: readonly { cost: Size }[], own = 1): Size {
  let cost: Size = own
  for (const part of parts) cost = addSizes(cost, part.cost)
  return cost
}

export function typeOfLiteral(value: Value): Type {
  if (value === null || value === undefined) return types.null
  if (typeof value === 'boolean') return types.boolean
  if (typeof value === 'number' || value instanceof Decimal) return types.decimal
  return typeOf({ kind: 'string', values: [String(value)] })
}
