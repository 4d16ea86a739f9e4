/** Whether the policy of four eyes is in the way of putting a version in force: asked before somebody tries. */
import type * as wire from '../../../client/quire.ts'
import { useResource } from '../../api/resource.ts'

interface Asked {
  kind: 'contract' | 'ingestion_model' | 'transformer' | 'template'
  familyId: string
  version: number
}

/**
 * What is in the way, as far as that is known. Nothing is disabled until the answer comes: a disabled button loses the focus,
 * and the server refuses by itself.
 */
export function useApproval(asked: Asked | undefined): string | undefined {
  const query =
    asked && new URLSearchParams({ kind: asked.kind, family_id: asked.familyId, version: String(asked.version) })
  const { value } = useResource<wire.VersionApproval>(query && `/api/v1/approvals?${query}`)
  return value.value?.allowed === false ? value.value.reason : undefined
}
