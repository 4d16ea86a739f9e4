/**
 * declarative-v1: JSON in, JSON out, by a program that always ends, is exact, and is checked before it runs.
 *
 * source text → `readSource` → tree with positions → `buildProgram` (types, names, cost, functions) → `runProgram`.
 *
 * Nothing here reads a clock, a zone, the network or `Intl`: the same source, input and params always give the same
 * output.
 */
import type { Binding } from '../../core/binding.ts'
import { fail, type Outcome, succeed } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { LineIndex } from '../../core/positions.ts'
import type { Reading } from '../../core/reading.ts'
import type { SourceFormat } from '../../core/source/read.ts'
import { type EvaluateOptions, type Evaluation, isParamValue, runProgram } from './evaluate.ts'
import type { LineageEntry } from './lineage.ts'
import { buildProgram, type ParamType, type Program, type VersionName } from './program.ts'
import { readSource } from './source.ts'
import type { Write } from './writes.ts'

export type { EvaluateOptions, Evaluation, LineageEntry, ParamType, SourceFormat, VersionName, Write }
export { isParamValue }

export interface CompileContext {
  /** A JSON Schema 2020-12 root: what the input is known to be. Without it everything read is checked as it runs. */
  contract?: JsonValue
  /** What the template wants of the output. */
  bindings?: readonly Binding[]
  /** The rules that the source was frozen under; today's where it is absent. */
  reading?: Reading
}

export interface Transformer {
  /** As named in the source; whoever compiles hands in the contract's schema and the template's bindings. */
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
}

const programs = new WeakMap<Transformer, { program: Program; locate: LineIndex['positionOf'] }>()

/**
 * Reads, checks and builds a transformer. All findings come at once, errors and warnings, each with code, message,
 * hint, JSON Pointer into the source, line and column: the first `limits.configurationIssues`, errors before warnings
 * if there is no room for both, and in the last one's message how many there are.
 */
export function compileTransformer(
  source: string,
  format: SourceFormat,
  context: CompileContext = {},
): Outcome<Transformer> {
  const read = readSource(source, format)
  if (!read.ok) return read
  const lines = new LineIndex(source)
  const locate = (offset: number) => lines.positionOf(offset)
  const { program, findings } = buildProgram(read.value, { ...context, locate })
  if (program === undefined) return fail(...findings)
  const { contract, template } = program
  const transformer: Transformer = {
    ...(contract === undefined ? {} : { contract }),
    ...(template === undefined ? {} : { template: { slug: template.name, version: template.version } }),
    params: Object.fromEntries([...program.params].map(([name, param]) => [name, param.type])),
    reads: program.reads,
    loops: program.loops,
    writes: program.writes,
    costBound: program.costBound,
  }
  programs.set(transformer, { program, locate })
  return succeed(transformer, findings)
}

/**
 * Runs a compiled transformer on one input, which `readJson` made (its numbers carry exact decimals). Faults are one
 * finding, located in the source, whose message names the place in the input: `required.<code>`, `division_by_zero`,
 * `no_row`, `fuel`, and, where the contract could not rule them out, `type` and `missing`; params give `param`.
 */
export function evaluateTransformer(
  transformer: Transformer,
  input: JsonValue,
  options: EvaluateOptions = {},
): Outcome<Evaluation> {
  const compiled = programs.get(transformer)
  if (compiled === undefined) throw new TypeError('Only what compileTransformer returned can be evaluated')
  return runProgram(compiled.program, input, options, compiled.locate, transformer.costBound)
}
