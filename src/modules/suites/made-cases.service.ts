/** Cases that were generated or imported for a contract's version, in the form of a model's suite files. */
import { limits } from '../../core/limits.ts'
import { casesFolder } from '../../core/project-layout.ts'
import type { Connection } from '../../db/database.ts'
import { newestFittingCases } from '../cases/cases.reads.ts'

export interface MadeCase {
  path: string
  payload: string
  contentHash: string
}

/** Cases that satisfy the contract, by their path below a model's folder. */
export async function madeCasesOf(
  connection: Connection,
  slug: string,
  contractVersionId: string,
): Promise<MadeCase[]> {
  const cases = await newestFittingCases(connection, contractVersionId, limits.projectMadeCases)
  return cases.map(({ kind, seed, provider, payload, contentHash }) => {
    const name =
      provider === 'external-generator' ? `${kind}-${seed}` : `${kind}-${contentHash.slice(0, hashCharsShown)}`
    return { path: `${casesFolder}/${slug}/${name}.json`, payload, contentHash }
  })
}

/** Hash characters in the name of a case that has no other name: enough that no two cases of a model have the same. */
const hashCharsShown = 12
