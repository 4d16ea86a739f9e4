/** Whether the policy of four eyes is in the way of putting a version in force: asked before somebody tries. */
import type * as wire from '../../../client/quire.ts'
import { useResource } from '../../api/resource.ts'

interface Asked {
  kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
  familyId: string
  version: number
}

/** What is in the way, if anything is; nothing is known while it is asked for. An unanswered question leaves it to the server. */
export function useApproval(asked: Asked | undefined): { isKnown: boolean; reason: string | undefined } {
  const query =
    asked && new URLSearchParams({ kind: asked.kind, family_id: asked.familyId, version: String(asked.version) })
  const { value, problem } = useResource<wire.VersionApproval>(query && `/api/v1/approvals?${query}`)
  const isKnown = query === undefined || value.value !== undefined || problem.value !== undefined
  return { isKnown, reason: value.value?.allowed === false ? value.value.reason : undefined }
}
