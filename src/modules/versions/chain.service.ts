import type { Binding } from '../../core/binding.ts'
import { errorsOf, type Finding } from '../../core/finding.ts'
import type { Reading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { compileTransformer } from '../../engines/declarative/declarative.ts'
import { compileSchema } from '../../engines/schema/schema.ts'
import { readVersion } from './versions.reads.ts'
import { type SourceText, sourceOf } from './versions.service.ts'

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
  const schema = contract === undefined ? undefined : compileSchema(contract)
  if (schema?.ok === false) return errorsOf(schema.findings)
  const context = {
    reading,
    ...(schema === undefined ? {} : { contract: schema.value.root }),
    ...(bindings === undefined ? {} : { bindings }),
  }
  return errorsOf(compileTransformer(transformer.source, transformer.format, context).findings)
}

/** The same for frozen versions, by their ids. */
export async function checkPinnedChain(
  connection: Connection,
  pin: { contractVersionId: string | undefined; transformVersionId: string; templateVersionId: string | undefined },
): Promise<Finding[]> {
  const read = async (id: string | undefined) => (id === undefined ? undefined : readVersion(connection, id))
  const contract = await read(pin.contractVersionId)
  const transformer = await readVersion(connection, pin.transformVersionId)
  const template = await read(pin.templateVersionId)
  return checkChain({
    contract: contract && sourceOf(contract).source,
    transformer: sourceOf(transformer),
    bindings: template?.bindings ?? undefined,
    reading: transformer.reading,
  })
}
