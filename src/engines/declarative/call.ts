/**
 * Operators are declared once: arguments, type and cost of the result, evaluation, and the line in the reference. This
 * file defines the form of a declaration, and what a declaration may ask about one call.
 */

import type { JsonObject } from '../../core/json.ts'
import { shorten } from '../../core/source/read.ts'
import type { MapEntry, MapNode, SourceNode } from '../../core/source/tree.ts'
import type { BuildCall, Builder } from './build.ts'
import type { Built, Checked } from './built.ts'
import { checkValue } from './check.ts'
import { type BuildContext, isName, type Variable } from './context.ts'
import type { Findings } from './findings.ts'
import { choiceMeant, ownArgument, ownForm } from './foreign.ts'
import type { Frame } from './frame.ts'
import type { Size } from './size.ts'
import type { Type } from './types.ts'
import type { Want } from './wants.ts'

export type Group = 'text and numbers' | 'missing' | 'choice' | 'tests' | 'arrays' | 'objects' | 'dates'

interface ArgumentBase {
  doc: string
  optional?: true
}

export type ArgumentSpec =
  /** An expression; `inner` ones see variables that the operator makes. */
  | (ArgumentBase & { kind: 'value'; want: Want; inner?: true })
  /** A sequence of expressions, written out. */
  | (ArgumentBase & { kind: 'values'; want: Want; min: number })
  /** Literal text. */
  | (ArgumentBase & { kind: 'word' })
  | (ArgumentBase & { kind: 'choice'; choices: readonly string[] })
  /** A literal whole number. */
  | (ArgumentBase & { kind: 'integer'; min: number; max: number })
  | (ArgumentBase & { kind: 'flag' })
  /** The name of a loop variable. */
  | (ArgumentBase & { kind: 'name' })
  /** Any other node, which the operator reads itself. `form` is its schema for editors; by default, that of a value. */
  | (ArgumentBase & { kind: 'node'; form?: JsonObject })

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>> & { subject: ArgumentSpec }

export interface Operator<S extends ArgumentSpecs = ArgumentSpecs> {
  /** With the dollar sign. */
  name: string
  group: Group
  /** One sentence for the reference. */
  doc: string
  /** `subject` is the value of the operator's own key. */
  args: S
  /** Whether keys other than the arguments are allowed: named slots of a text or formula, or cases of a match. */
  open?: 'slots' | 'cases'
  build(call: Call<S>): Built
}

/** A declaration whose arguments `build` sees with their types. */
export function operator<const S extends ArgumentSpecs>(declaration: Operator<S>): Operator {
  return declaration as unknown as Operator
}

export type OperatorTable = ReadonlyMap<string, Operator>

type WantOf<Spec> = Spec extends { want: infer W extends Want } ? W : never
type NamesOf<S, Kind extends ArgumentSpec['kind']> = {
  [K in keyof S & string]: S[K] extends { kind: Kind } ? K : never
}[keyof S & string]

/** One call of an operator in a source, for code shared by several operators: it names arguments by plain text. */
export class CallSite {
  constructor(
    readonly builder: Builder,
    readonly node: MapNode,
    readonly operator: Operator,
    protected readonly subjectEntry: MapEntry,
  ) {}

  get name(): string {
    return this.operator.name
  }

  get context(): BuildContext {
    return this.builder.context
  }

  entry(name: string): MapEntry | undefined {
    return name === 'subject' ? this.subjectEntry : this.node.byKey.get(name)
  }

  has(name: string): boolean {
    return this.entry(name) !== undefined
  }

  /** The node of an argument that is required or known to be present. */
  nodeOf(name: string): SourceNode {
    return this.entry(name)?.value ?? this.node
  }

  /** Named slots or cases: every entry that isn't an argument. */
  others(): MapEntry[] {
    return this.node.entries.filter(
      (entry) => entry !== this.subjectEntry && !Object.hasOwn(this.operator.args, entry.key),
    )
  }

  protected role(name: string): string {
    return name === 'subject' ? this.name : `"${name}" of ${this.name}`
  }

  check<W extends Want>(built: Built, want: W): Checked<W> {
    return checkValue(this.context, built, want, this.name)
  }

  word(name: string): string | undefined {
    const node = this.entry(name)?.value
    if (node === undefined) return undefined
    if (node.kind === 'scalar' && node.value !== null) return typeof node.value === 'string' ? node.value : node.text
    this.error('argument', node, `${this.role(name)} wants literal text.`, 'Quote it.')
    return undefined
  }

  choice(name: string): string | undefined {
    const node = this.entry(name)?.value
    if (node === undefined) return undefined
    const { choices } = this.operator.args[name] as ArgumentSpec & { kind: 'choice' }
    const text = node.kind === 'scalar' ? node.text : ''
    if (node.kind === 'scalar' && choices.includes(text)) return text
    const hint = choiceMeant(text, choices) ?? this.suggest(text, choices)
    this.error('argument', node, `${this.role(name)} is one of ${choices.join(', ')}.`, hint)
    return undefined
  }

  integer(name: string): number | undefined {
    const node = this.entry(name)?.value
    if (node === undefined) return undefined
    const { min, max } = this.operator.args[name] as ArgumentSpec & { kind: 'integer' }
    const number = node.kind === 'scalar' && typeof node.value === 'object' ? node.value?.toNumber() : undefined
    if (number !== undefined && Number.isSafeInteger(number) && number >= min && number <= max) return number
    this.error('argument', node, `${this.role(name)} wants a whole number from ${min} to ${max}.`)
    return undefined
  }

  flag(name: string): boolean {
    const node = this.entry(name)?.value
    if (node === undefined) return false
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
    this.error('argument', node, `${this.role(name)} wants true or false.`)
    return false
  }

  /** The name that a loop variable gets; undefined after a finding or when there is none. */
  variableName(name: string): string | undefined {
    const node = this.entry(name)?.value
    if (node === undefined) return undefined
    const text = node.kind === 'scalar' ? node.text : ''
    if (isName(text)) return text
    this.error('argument', node, `${this.role(name)} wants a name: letters, digits, _ and -.`, 'Write it without $.')
    return undefined
  }

  within<T>(variables: readonly Variable[], build: () => T): T {
    return this.context.within(variables, build)
  }

  error(...problem: Parameters<Findings['error']>): void {
    this.context.findings.error(...problem)
  }

  warning(...problem: Parameters<Findings['warning']>): void {
    this.context.findings.warning(...problem)
  }

  suggest(name: string, candidates: Iterable<string>): string | undefined {
    return this.context.findings.suggest(name, candidates)
  }

  result(type: Type, cost: Size, run: (frame: Frame) => ReturnType<Built['run']>): Built {
    return { node: this.node, type, cost, run }
  }

  broken(): Built {
    return this.builder.broken(this.node)
  }
}

/** One call of an operator, whose expressions come with the types that the declaration states. */
export class Call<S extends ArgumentSpecs = ArgumentSpecs> extends CallSite {
  /** A required expression, checked against what the declaration wants. */
  value<K extends NamesOf<S, 'value'>>(name: K): Checked<WantOf<S[K]>> {
    const spec = this.operator.args[name] as ArgumentSpec & { kind: 'value' }
    const built = this.builder.value(this.nodeOf(name))
    return checkValue(this.context, built, spec.want, this.role(name)) as Checked<WantOf<S[K]>>
  }

  optionalValue<K extends NamesOf<S, 'value'>>(name: K): Checked<WantOf<S[K]>> | undefined {
    return this.has(name) ? this.value(name) : undefined
  }

  values<K extends NamesOf<S, 'values'>>(name: K): Checked<WantOf<S[K]>>[] {
    const spec = this.operator.args[name] as ArgumentSpec & { kind: 'values' }
    const node = this.nodeOf(name)
    if (node.kind !== 'list' || node.items.length < spec.min) {
      this.error(
        'argument',
        node,
        `${this.role(name)} wants a sequence of at least ${spec.min}.`,
        sequenceHint(this.name, spec.min),
      )
      return []
    }
    return node.items.map((item) => this.check(this.builder.value(item), spec.want as WantOf<S[K]>))
  }
}

/** Makes a builder of mappings with one operator key from a table of operators. Checks the names of arguments first. */
export function callsOf(operators: OperatorTable): BuildCall {
  return (builder, node, subject) => {
    const operator = operators.get(subject.key)
    if (operator !== undefined) return buildCall(builder, node, operator, subject)
    const { findings } = builder.context
    const name = shorten(subject.key)
    const known = ownForm(subject.key) ?? findings.suggest(subject.key, operators.keys())
    const hint = known ?? `For a key that starts with $ write $${name}.`
    findings.error('unknown_operator', node, `There is no operator ${name}.`, hint, subject)
    return builder.broken(node)
  }
}

function buildCall(builder: Builder, node: MapNode, operator: Operator, subject: MapEntry): Built {
  if (hasArguments(builder.context.findings, node, operator, subject)) {
    return operator.build(new Call(builder, node, operator, subject))
  }
  // The given arguments are still checked, except those that need variables which can't be made now.
  for (const [name, spec] of Object.entries(operator.args)) {
    const entry = name === 'subject' ? subject : node.byKey.get(name)
    if (entry !== undefined && spec.kind === 'value' && spec.inner === undefined) builder.value(entry.value)
  }
  return builder.broken(node)
}

/** Reports unknown and missing arguments; false if one is missing. */
function hasArguments(findings: Findings, node: MapNode, operator: Operator, subject: MapEntry): boolean {
  const specs = Object.entries(operator.args).filter(([name]) => name !== 'subject')
  const names = specs.map(([name]) => name)
  if (operator.open === undefined) {
    for (const entry of node.entries) {
      if (entry === subject || names.includes(entry.key)) continue
      const hint =
        ownArgument(operator.name, entry.key, names) ??
        findings.suggest(entry.key, names) ??
        'A mapping with an operator holds only its arguments: put the rest outside.'
      findings.error('unknown_argument', node, `${operator.name} has no argument "${shorten(entry.key)}".`, hint, entry)
    }
  }
  let complete = true
  for (const [name, spec] of specs) {
    if (spec.optional === true || node.byKey.has(name)) continue
    complete = false
    findings.error('missing_argument', node, `${operator.name} needs "${name}".`, `${name}: ${spec.doc}`)
  }
  return complete
}

/** Any value of the language, in its schema. */
export const valueForm: JsonObject = { $ref: '#/$defs/value' }

/** Declarations of arguments. */
export const take = {
  value: <const W extends Want>(want: W, doc: string) => ({ kind: 'value', want, doc }) as const,
  optional: <const W extends Want>(want: W, doc: string) => ({ kind: 'value', want, doc, optional: true }) as const,
  inner: <const W extends Want>(want: W, doc: string) => ({ kind: 'value', want, doc, inner: true }) as const,
  optionalInner: <const W extends Want>(want: W, doc: string) =>
    ({ kind: 'value', want, doc, inner: true, optional: true }) as const,
  values: <const W extends Want>(want: W, min: number, doc: string) => ({ kind: 'values', want, min, doc }) as const,
  word: (doc: string) => ({ kind: 'word', doc }) as const,
  optionalWord: (doc: string) => ({ kind: 'word', doc, optional: true }) as const,
  choice: (choices: readonly string[], doc: string) => ({ kind: 'choice', choices, doc }) as const,
  optionalChoice: (choices: readonly string[], doc: string) =>
    ({ kind: 'choice', choices, doc, optional: true }) as const,
  integer: (min: number, max: number, doc: string) => ({ kind: 'integer', min, max, doc }) as const,
  optionalInteger: (min: number, max: number, doc: string) =>
    ({ kind: 'integer', min, max, doc, optional: true }) as const,
  optionalFlag: (doc: string) => ({ kind: 'flag', doc, optional: true }) as const,
  name: (doc: string) => ({ kind: 'name', doc }) as const,
  optionalName: (doc: string) => ({ kind: 'name', doc, optional: true }) as const,
  node: (doc: string, form: JsonObject = valueForm) => ({ kind: 'node', doc, form }) as const,
  optionalNode: (doc: string, form: JsonObject = valueForm) => ({ kind: 'node', doc, form, optional: true }) as const,
}

function sequenceHint(operator: string, least: number): string {
  const items = Array.from({ length: least }, (_, index) => `/${String.fromCharCode(97 + index)}`)
  return operator === '$default'
    ? 'Write the value and what to take without it: { $default: [/note, "none"] }.'
    : `Write { ${operator}: [${items.join(', ')}] }.`
}
