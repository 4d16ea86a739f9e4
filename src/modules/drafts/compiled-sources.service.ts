/**
 * Compiled sources by their content, kept for the life of the judge's process. A plan first asks whether each file is usable and
 * then what its cases make, and a model's nodes may share transformers and templates.
 */
import type { Binding } from '../../core/binding.ts'
import type { Outcome } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { newestReading, type Reading } from '../../core/reading.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { compileTransformer, type Transformer } from '../../engines/declarative/declarative.ts'
import { readSource } from '../../engines/declarative/source.ts'
import { compileTemplate, type Fragments, type Template } from '../../engines/docx/docx.ts'
import type { IngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { type CompiledSchema, compileSchema } from '../../engines/schema/schema.ts'
import { LruCache } from '../../runner/lru.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { compileModel } from './conditions.service.ts'

const kept = new LruCache<unknown>(limits.judgedSourceBytes)

/** The result depends only on what the key names, so failures are kept, too. */
function once<T>(key: string, bytes: number, compile: () => Outcome<T>): Outcome<T> {
  const known = kept.get(key)
  if (known !== undefined) return known as Outcome<T>
  const outcome = compile()
  kept.set(key, outcome, bytes)
  return outcome
}

export function compiledSchema(text: string): Outcome<CompiledSchema> {
  return once(`contract ${sha256Hex(text)}`, text.length, () => compileSchema(text))
}

/** @param fragments included templates; without them the template is compiled by itself */
export function compiledTemplate(bytes: Uint8Array, fragments?: Fragments): Outcome<Template> {
  const included = [...(fragments ?? [])].map(([slug, file]) => ` ${slug} ${sha256Hex(file)}`)
  const key = `template ${sha256Hex(bytes)}${included.join('')}${fragments === undefined ? ' alone' : ''}`
  return once(key, bytes.length, () => compileTemplate(bytes, newestReading, fragments))
}

/** Compiles the model by itself, without the contract that it names. */
export function compiledModel({ source, format }: SourceText): Outcome<IngestionModel> {
  return once(`model ${format} ${sha256Hex(source)}`, source.length, () => compileModel({ source, format }))
}

export function sourceTree({ source, format }: SourceText): Outcome<SourceNode> {
  return once(`tree ${format} ${sha256Hex(source)}`, source.length, () => readSource(source, format))
}

export interface TransformerSurroundings {
  /** Text of the contract that types it. */
  contract?: string | undefined
  /** The template's bindings. */
  bindings?: readonly Binding[] | undefined
  /** The rules under which it was frozen; today's if absent. */
  reading?: Reading
}

/** Without contract and bindings, the transformer is compiled by itself. */
export function compiledTransformer(
  { source, format }: SourceText,
  { contract, bindings, reading = newestReading }: TransformerSurroundings = {},
): Outcome<Transformer> {
  const schema = contract === undefined ? undefined : compiledSchema(contract)
  const context = {
    reading,
    read: sourceTree({ source, format }),
    ...(schema?.ok === true ? { contract: schema.value.root } : {}),
    ...(bindings === undefined ? {} : { bindings }),
  }
  const key = keyOf({ source, format }, contract, reading)
  const around = bindings === undefined ? '' : sha256Hex(JSON.stringify(bindings))
  return once(`transformer ${key} ${around}`, source.length, () => {
    const outcome = compileTransformer(source, format, context)
    if (outcome.ok) kept.set(`program ${key}`, outcome, source.length)
    return outcome
  })
}

/**
 * A transformer to run, whatever its template binds: bindings only check its output, so one compiled with any of them will do.
 * Its findings may be about those bindings.
 */
export function runnableTransformer(text: SourceText, contract: string): Outcome<Transformer> {
  const known = kept.get(`program ${keyOf(text, contract, newestReading)}`)
  return known === undefined ? compiledTransformer(text, { contract }) : (known as Outcome<Transformer>)
}

function keyOf({ source, format }: SourceText, contract: string | undefined, reading: Reading): string {
  return `${format} ${reading} ${sha256Hex(source)} ${contract === undefined ? '' : sha256Hex(contract)}`
}
