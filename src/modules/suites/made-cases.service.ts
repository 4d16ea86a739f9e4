/** Cases that were generated or imported for a contract's version, as files of a model's suite. */
import { limits } from '../../core/limits.ts'
import { casesFolder } from '../../core/project-layout.ts'
import type { Connection } from '../../db/database.ts'
import { newestFittingCases } from '../cases/cases.reads.ts'

export interface MadeCase {
  path: string
  payload: string
  contentHash: string
}

/** Those that satisfy the contract, by the path that they get below a model's folder. */
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

/** How much of the hash is in the name of a case that has no other: no two of one model are alike. */
const hashCharsShown = 12
