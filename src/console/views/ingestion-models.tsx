/** Every ingestion model, and which of its versions is in force. */

import { mutate } from '../api/client.ts'
import { t } from '../language.ts'
import { SubmitLink } from '../parts/submit-link.tsx'
import { FamilyList } from './configuration/family-list.tsx'

export function IngestionModelsView() {
  return (
    <FamilyList
      kind="ingestion_model"
      member="ingestion_models"
      lede={t`Which contract raw input must satisfy, and the tree of nodes that process it.`}
      empty={t`There is no ingestion model yet. Make one to say what becomes of a submission.`}
      create={async (family) =>
        (await mutate<{ resource_id: string }>('/api/v1/ingestion-models', { method: 'POST', body: family }))
          .resource_id
      }
    >
      <SubmitLink />
    </FamilyList>
  )
}
