/**
 * Questions about authored content that requests ask, as functions of plain values. A worker answers them, because a slow one
 * would hold up every other request.
 */
import type { Binding } from '../../core/binding.ts'
import { type Finding, type Outcome, succeed } from '../../core/finding.ts'
import type { TextFormat } from '../../core/formats.ts'
import type { JsonValue } from '../../core/json.ts'
import type { CaseKind } from '../../core/kinds.ts'
import type { Reading } from '../../core/reading.ts'
import { compileTransformer, type ParamType } from '../../engines/declarative/declarative.ts'
import { includedSlugs } from '../../engines/docx/fragments/within.ts'
import { compileIngestionModel, type ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { placedIn, readInput } from '../../engines/ingestion/read-input.ts'
import { reviewTextOf } from '../../engines/ooxml/document-markdown.ts'
import { generateCase } from '../../engines/schema/cases.ts'
import { compareSchemas, type SchemaChange } from '../../engines/schema/changes.ts'
import { reviewSchema } from '../../engines/schema/review.ts'
import { type CompiledSchema, compileSchema, validatePayload } from '../../engines/schema/schema.ts'
import { differenceOf } from '../versions/difference.service.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { runCases } from './case-runs.service.ts'
import { compiledModel, compiledSchema, compiledTransformer } from './compiled-sources.service.ts'
import { checkConditions, compileModel, decideConditions } from './conditions.service.ts'
import { checkContent, earlierFindings, gaps, linkedBindings, missingFragments } from './content.service.ts'
import type { drawnQuestions } from './drawn.questions.ts'
import { checkChain } from './fit.service.ts'

/** Facts about a transformer's source, besides its findings. */
export interface TransformerFacts {
  contract: { name: string; version: number } | undefined
  template: { slug: string; version: number } | undefined
  params: Readonly<Record<string, ParamType>>
}

export interface TransformerQuestion extends SourceText {
  reading: Reading
  /** JSON Schema text. */
  contract?: string
  bindings?: readonly Binding[]
}

export const questions = {
  /** Whether the engine accepts a draft by itself; for templates, also their bindings. */
  content: checkContent,

  linkedBindings,

  gaps,

  missingFragments,

  /** Slugs that a draft includes; it may have mistakes. */
  includedSlugs,

  /** What today's rules read differently in a frozen version. */
  earlier: earlierFindings,

  chain: checkChain,

  difference: differenceOf,

  transformer({ source, format, ...surroundings }: TransformerQuestion): Outcome<TransformerFacts> {
    const compiled = compiledTransformer({ source, format }, surroundings)
    if (!compiled.ok) return compiled
    const { contract, template, params } = compiled.value
    return succeed({ contract, template, params }, compiled.findings)
  },

  /** Runs inputs through contract, transformers and templates. */
  caseRuns: runCases,

  /** The text file next to a template in a project, for reviews. */
  reviewText: ({ name, bytes }: { name: string; bytes: Uint8Array }): string => reviewTextOf(name, bytes),

  /** Compiles an ingestion model; compares its conditions with the contract, if given. */
  model({ contract, ...text }: SourceText & { contract?: JsonValue }): Outcome<{
    contract: { name: string; version: number }
    nodes: ModelNode[]
    input?: InputFormat
  }> {
    const compiled = contract === undefined ? compiledModel(text) : compileModel(text, contract)
    if (!compiled.ok) return compiled
    const { contract: named, nodes, input } = compiled.value
    return succeed({ contract: named, nodes, ...(input === undefined ? {} : { input }) }, compiled.findings)
  },

  /** Reads a frozen model. */
  frozenModel: ({ source, format, reading }: SourceText & { reading: Reading }) =>
    compileIngestionModel(source, format, reading),

  /** Compares a frozen model's conditions with the contract that it names. */
  conditions({ contract, reading, ...text }: SourceText & { contract: string; reading: Reading }): Finding[] {
    const model = compileIngestionModel(text.source, text.format, reading)
    if (!model.ok) throw new Error('an ingestion model was frozen with errors')
    return checkConditions(model.value, text, frozen(contract).root)
  },

  /** Decides conditions that take too long on the main thread, on one input. */
  decided: decideConditions,

  /** What freezing a contract would find, and what its review warns of, given the transformers that may loop over it. */
  contract({ schema, name, transformers }: ContractQuestion): { findings: Finding[]; review: Finding[] } {
    const compiled = compileSchema(schema)
    if (!compiled.ok) return { findings: compiled.findings, review: [] }
    const loopedPointers = transformers.flatMap(({ source, format }) => {
      const transformer = compileTransformer(source, format)
      return transformer.ok && transformer.value.contract?.name === name ? transformer.value.loops : []
    })
    return { findings: compiled.findings, review: reviewSchema(compiled.value, { loopedPointers, text: schema }) }
  },

  contractChanges({ older, newer }: { older: string; newer: string }): SchemaChange[] {
    return compareSchemas(frozen(older), frozen(newer))
  },

  /** Checks a payload: that it can be read, and that it meets its contract. */
  payload({ contract, payload, format }: PayloadQuestion): {
    isJson: boolean
    findings: Finding[]
    /** The value, for an input in a format other than JSON. */
    value?: JsonValue
  } {
    const read = readInput(payload, format)
    if (!read.ok) return { isJson: false, findings: read.findings }
    const { value } = read.value
    const findings = placedIn(read.value, validatePayload(frozen(contract), value))
    return { isJson: true, findings, ...(format === undefined ? {} : { value }) }
  },

  generatedCase({ contract, kind, seed }: { contract: string; kind: CaseKind; seed: number }): Outcome<{
    text: string
    path?: string
    keyword?: string
  }> {
    const made = generateCase(frozen(contract), { kind, seed })
    if (!made.ok) return made
    const { payload: _payload, ...rest } = made.value
    return succeed(rest, made.findings)
  },
}

export interface PayloadQuestion {
  contract: string
  payload: string
  /** The payload's format; JSON by default. */
  format?: InputFormat | undefined
}

export interface ContractQuestion {
  schema: string
  name: string
  transformers: readonly { source: string; format: TextFormat }[]
}

export type Questions = typeof questions & typeof drawnQuestions
export type QuestionName = keyof Questions
export type Given<Name extends QuestionName> = Parameters<Questions[Name]>[0]
export type Verdict<Name extends QuestionName> = ReturnType<Questions[Name]>

/** @throws Error for an unknown question */
export function answer(known: Partial<Questions>, name: QuestionName, given: unknown): unknown {
  const question = known[name] as ((given: unknown) => unknown) | undefined
  if (question === undefined) throw new Error(`nobody answers ${name} here`)
  return question(given)
}

/** A frozen contract's schema. */
function frozen(text: string): CompiledSchema {
  const compiled = compiledSchema(text)
  if (!compiled.ok) throw new Error('a contract was frozen with errors')
  return compiled.value
}
