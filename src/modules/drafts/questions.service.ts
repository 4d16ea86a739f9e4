/**
 * What is asked about authored content on behalf of a request, as functions of plain values: whatever takes more than a
 * moment of them would hold every other request, so a worker answers them.
 */
import type { Binding } from '../../core/binding.ts'
import { type Finding, type Outcome, succeed } from '../../core/finding.ts'
import type { TextFormat } from '../../core/formats.ts'
import { sha256Hex } from '../../core/hash.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import type { CaseKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Reading } from '../../core/reading.ts'
import { compileTransformer, type ParamType } from '../../engines/declarative/declarative.ts'
import { generateCase } from '../../engines/schema/cases.ts'
import { compareSchemas, type SchemaChange } from '../../engines/schema/changes.ts'
import { reviewSchema } from '../../engines/schema/review.ts'
import { type CompiledSchema, compileSchema, validatePayload } from '../../engines/schema/schema.ts'
import { LruCache } from '../../runner/lru.ts'
import { differenceOf } from '../versions/difference.service.ts'
import { checkChain } from '../versions/fit.service.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { compileModel } from './conditions.service.ts'
import { checkContent } from './content.service.ts'

/** What a transformer's source says, besides its findings. */
export interface TransformerFacts {
  contract: { name: string; version: number } | undefined
  template: { slug: string; version: number } | undefined
  params: Readonly<Record<string, ParamType>>
}

export interface TransformerQuestion extends SourceText {
  reading: Reading
  contract?: JsonValue
  bindings?: readonly Binding[]
}

export const questions = {
  /** Whether a draft's engine accepts it by itself; of templates, also what they bind. */
  content: checkContent,

  chain: checkChain,

  difference: differenceOf,

  transformer({ source, format, ...context }: TransformerQuestion): Outcome<TransformerFacts> {
    const compiled = compileTransformer(source, format, context)
    if (!compiled.ok) return compiled
    const { contract, template, params } = compiled.value
    return succeed({ contract, template, params }, compiled.findings)
  },

  /** An ingestion model, with its conditions held against the contract if that is given. */
  model({ contract, ...text }: SourceText & { contract?: JsonValue }): Outcome<{
    contract: { name: string; version: number }
  }> {
    const compiled = compileModel(text, contract)
    return compiled.ok ? succeed({ contract: compiled.value.contract }, compiled.findings) : compiled
  },

  /** What freezing a contract would find, and what its review warns of; with the transformers that may loop over it. */
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

  /** What is wrong with a payload: that it is no JSON, or what its contract says against it. */
  payload({ contract, payload }: { contract: string; payload: string }): { isJson: boolean; findings: Finding[] } {
    const read = readJson(payload)
    if (!read.ok) return { isJson: false, findings: read.findings }
    return { isJson: true, findings: validatePayload(frozen(contract), read.value) }
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

export interface ContractQuestion {
  schema: string
  name: string
  transformers: readonly { source: string; format: TextFormat }[]
}

export type Questions = typeof questions
export type QuestionName = keyof Questions
export type Given<Name extends QuestionName> = Parameters<Questions[Name]>[0]
export type Verdict<Name extends QuestionName> = ReturnType<Questions[Name]>

/** @throws Error for a name that is none */
export function answer(name: QuestionName, given: unknown): unknown {
  const question = questions[name] as (given: unknown) => unknown
  return question(given)
}

const compiledSchemas = new LruCache<CompiledSchema>(limits.judgedSchemas)

/** A frozen contract's schema; many cases are made of one. */
function frozen(text: string): CompiledSchema {
  const key = sha256Hex(text)
  const known = compiledSchemas.get(key)
  if (known !== undefined) return known
  const compiled = compileSchema(text)
  if (!compiled.ok) throw new Error('a contract was frozen with errors')
  compiledSchemas.set(key, compiled.value)
  return compiled.value
}
