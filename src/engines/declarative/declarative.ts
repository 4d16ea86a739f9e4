/**
 * declarative-v1: JSON in, JSON out, by a program that always ends, is exact, and is checked before it runs.
 *
 * source text → `readSource` → tree with positions → `buildProgram` (types, names, cost, functions) → `runProgram`.
 *
 * Nothing here reads a clock, a zone, the network or `Intl`: the same source, input and params always give the same
 * output.
 */
import type { Binding } from '../../core/binding.ts'
import type { Coverage, ItemBounds } from '../../core/coverage.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { LineIndex } from '../../core/positions.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import type { SourceFormat } from '../../core/source/read.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { tellEarlier } from './earlier.ts'
import { type EvaluateOptions, type Evaluation, runProgram } from './evaluate.ts'
import type { LineageEntry } from './lineage.ts'
import type { ParamType } from './params.ts'
import { buildProgram, type Program, type VersionName } from './program.ts'
import { readSource } from './source.ts'
import { itemBoundsAt } from './types.ts'
import { TransformerWatch } from './watch.ts'
import type { Write } from './writes.ts'

export { EvaluationGivenUp } from './frame.ts'
export { isParamValue } from './params.ts'
export type { EvaluateOptions, Evaluation, LineageEntry, ParamType, SourceFormat, VersionName, Write }

export interface CompileContext {
  /** A JSON Schema 2020-12 root: what is known of the input. Without it, everything read is checked at run time. */
  contract?: JsonValue
  /** What the template wants of the output. */
  bindings?: readonly Binding[]
  /** The rules that the source was frozen under; today's where it is absent. */
  reading?: Reading
  /** What `readSource` makes of the very source, where somebody has asked it before. */
  read?: Outcome<SourceNode>
}

export interface Transformer {
  /** As named in the source; the caller passes the contract's schema and the template's bindings. */
  contract?: VersionName
  template?: { slug: string; version: number }
  /** Values that every evaluation must be given, by name. */
  params: Readonly<Record<string, ParamType>>
  /** JSON Pointers into the input, sorted; `*` means any item. */
  reads: readonly string[]
  /** JSON Pointers of the arrays in the input that it loops over, sorted; `*` means any item. */
  loops: readonly string[]
  writes: readonly Write[]
  /** Nodes that an evaluation can take at most; also its fuel. */
  costBound: number
  /** Warnings where today's rules refuse a source of earlier rules or write something else; none for today's. */
  earlier: readonly Finding[]
}

/** A transformer that notes what its evaluations reach; `coverage.take` returns what the last ones did. */
export interface WatchedTransformer {
  transformer: Transformer
  coverage: Coverage
  /** By a path's offset in the source, other names of the same type that its last one could be. */
  siblings: ReadonlyMap<number, readonly string[]>
  /** The bounds of a list in the output, by the tokens of its pointer; undefined if something else may be there. */
  itemsAt(tokens: readonly string[]): ItemBounds | undefined
}

interface Compiled {
  program: Program
  locate: LineIndex['positionOf']
  watch: TransformerWatch | undefined
}

const programs = new WeakMap<Transformer, Compiled>()

/**
 * Reads, checks and builds a transformer. Reports all findings at once, each with code, message, hint, JSON Pointer
 * into the source, line and column: at most `limits.configurationIssues`, errors in preference to warnings. If there
 * are more, the last message gives their count.
 */
export function compileTransformer(
  source: string,
  format: SourceFormat,
  context: CompileContext = {},
): Outcome<Transformer> {
  return compile(source, format, context)
}

/** The same for a transformer that is slower and notes what its evaluations reach. */
export function watchTransformer(
  source: string,
  format: SourceFormat,
  context: CompileContext = {},
): Outcome<WatchedTransformer> {
  const watch = new TransformerWatch()
  const compiled = compile(source, format, context, watch)
  if (!compiled.ok) return compiled
  const { coverage, siblings } = watch
  const output = programs.get(compiled.value)?.program.output
  const itemsAt = (tokens: readonly string[]) => output && itemBoundsAt(output.type, tokens)
  return succeed({ transformer: compiled.value, coverage, siblings, itemsAt }, compiled.findings)
}

function compile(
  source: string,
  format: SourceFormat,
  context: CompileContext,
  watch?: TransformerWatch,
): Outcome<Transformer> {
  const { read = readSource(source, format) } = context
  if (!read.ok) return read
  const lines = new LineIndex(source)
  const locate = (offset: number) => lines.positionOf(offset)
  const { reading = newestReading } = context
  const isSampled = reading !== newestReading
  const { program, findings, samples } = buildProgram(read.value, { ...context, isSampled, watch, locate })
  if (program === undefined) return fail(...findings)
  const { bindings: _bindings, ...around } = context
  const today = () => buildProgram(read.value, { ...around, reading: newestReading, isSampled, locate })
  const earlier = isSampled ? tellEarlier(samples, today(), locate) : []
  const { contract, template } = program
  const transformer: Transformer = {
    ...(contract === undefined ? {} : { contract }),
    ...(template === undefined ? {} : { template: { slug: template.name, version: template.version } }),
    params: Object.fromEntries([...program.params].map(([name, param]) => [name, param.type])),
    reads: program.reads,
    loops: program.loops,
    writes: program.writes,
    costBound: program.costBound,
    earlier,
  }
  watch?.begin(read.value, source, lines)
  programs.set(transformer, { program, locate, watch })
  return succeed(transformer, [...findings, ...earlier])
}

/**
 * Runs a compiled transformer on one input, made by `readJson` (its numbers carry exact decimals). A fault is one
 * finding, located in the source, whose message names the place in the input: `required.<code>`, `division_by_zero`,
 * `no_row`, `fuel`, and, where the contract could not rule them out, `type` and `missing`. Bad params give `param`.
 * @throws EvaluationGivenUp as soon as `isOver` returns true
 */
export function evaluateTransformer(
  transformer: Transformer,
  input: JsonValue,
  options: EvaluateOptions = {},
): Outcome<Evaluation> {
  const compiled = programs.get(transformer)
  if (compiled === undefined) throw new TypeError('Only what compileTransformer returned can be evaluated')
  const { program, locate, watch } = compiled
  const outcome = runProgram(program, input, options, locate, transformer.costBound)
  watch?.settle(outcome.ok ? undefined : outcome.findings[0]?.path)
  return outcome
}
