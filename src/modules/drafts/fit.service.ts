import type { Binding } from '../../core/binding.ts'
import { errorsOf, type Finding } from '../../core/finding.ts'
import type { Reading } from '../../core/reading.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { compiledSchema, compiledTransformer } from './compiled-sources.service.ts'

/** What is pinned together: contract → transformer → template. */
export interface ChainContent {
  /** JSON Schema text; undefined if no contract is known. */
  contract: string | undefined
  transformer: SourceText
  /** What the template binds; undefined without a template. */
  bindings: readonly Binding[] | undefined
  /** The rules that the transformer was frozen under. */
  reading: Reading
}

/**
 * Whether everything the transformer reads is in the contract, and everything the template wants is in the
 * transformer's output: the errors, each located in the transformer's source.
 */
export function checkChain({ contract, transformer, bindings, reading }: ChainContent): Finding[] {
  const schema = contract === undefined ? undefined : compiledSchema(contract)
  if (schema?.ok === false) return errorsOf(schema.findings)
  return errorsOf(compiledTransformer(transformer, { contract, bindings, reading }).findings)
}
