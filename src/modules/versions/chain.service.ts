import type { Finding } from '../../core/finding.ts'
import type { Connection } from '../../db/database.ts'
import { checkChain } from './fit.service.ts'
import { readVersion } from './versions.reads.ts'
import { sourceOf } from './versions.service.ts'

/** Whether frozen versions, named by their ids, fit together. */
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
