import type { Binding } from '../../core/binding.ts'
import { errorsOf, type Finding } from '../../core/finding.ts'
import type { Reading } from '../../core/reading.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { compiledSchema, compiledTransformer } from './compiled-sources.service.ts'

/** A chain contract → transformer → template to be pinned together. */
export interface ChainContent {
  /** JSON Schema text; undefined if no contract is known. */
  contract: string | undefined
  transformer: SourceText
  /** The template's bindings; undefined without a template. */
  bindings: readonly Binding[] | undefined
  /** The rules under which the transformer was frozen. */
  reading: Reading
}

/**
 * Checks that the contract has everything the transformer reads, and the transformer's output everything the template needs.
 * @returns errors, each at its place in the transformer's source
 */
export function checkChain({ contract, transformer, bindings, reading }: ChainContent): Finding[] {
  const schema = contract === undefined ? undefined : compiledSchema(contract)
  if (schema?.ok === false) return errorsOf(schema.findings)
  return errorsOf(compiledTransformer(transformer, { contract, bindings, reading }).findings)
}
