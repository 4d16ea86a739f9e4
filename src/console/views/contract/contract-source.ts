/** The draft of a contract: its schema, beside its name and description. */

import { call } from '../../api/client.ts'
import type { Contract, Version } from '../../api/types.ts'
import { t } from '../../language.ts'
import type { DraftPort, StoredDraft } from '../configuration/draft.ts'

export interface About {
  name: string
  description: string
}

export function storedOf(contract: Contract): StoredDraft<About> {
  const { schema = '', draft_revision: revision, name, description } = contract
  return { text: schema, revision, extra: { name, description } }
}

export function contractDraftPort(id: string): DraftPort<About> {
  const path = `/api/v1/contracts/${id}`
  return {
    read: async () => storedOf(await call<Contract>(path)),
    write: async (schema, stored) => {
      const body = { ...stored?.extra, schema, expected_revision: stored?.revision ?? 0 }
      return storedOf((await call<{ contract: Contract }>(path, { method: 'PUT', body })).contract)
    },
  }
}

/** Answers what to tell. @throws ApiProblem */
export async function freezeContract(id: string, revision: number | undefined): Promise<string> {
  const { version } = await call<{ version: Version }>(`/api/v1/contracts/${id}/versions`, {
    method: 'POST',
    body: { expected_revision: revision },
  })
  return t`Version ${version.number} is frozen. Publish it under Versions to let releases use it.`
}
