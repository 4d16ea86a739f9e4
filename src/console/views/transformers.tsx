/** Every transformer, and which of its versions is in force. */

import { mutate } from '../api/client.ts'
import { t } from '../language.ts'
import { FamilyList } from './configuration/family-list.tsx'

export function TransformersView() {
  return (
    <FamilyList
      kind="transformer"
      member="transformers"
      lede={t`Programs that make a document's data from its input, checked before they run.`}
      empty={t`There is no transformer yet. Make one, and try it on a case as you write.`}
      create={async (family) =>
        (await mutate<{ resource_id: string }>('/api/v1/transformers', { method: 'POST', body: family })).resource_id
      }
    />
  )
}
