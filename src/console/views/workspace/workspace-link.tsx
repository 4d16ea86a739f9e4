/** The way from a contract, a transformer or a template to the workspace of a model that uses it. */

import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { go } from '../../router.ts'
import { useSuites } from '../suite/suites-of.ts'

interface WorkspaceLinkProps {
  familyId: string
  /** The part that it opens with. */
  part: 'contract' | 'transformer' | 'template'
}

export function WorkspaceLink({ familyId, part }: WorkspaceLinkProps) {
  const models = useSuites(familyId).suites.value
  const [first] = models ?? []
  if (models === undefined || first === undefined) return null
  const hrefOf = (id: string) => `/ingestion-models/${id}/workspace?tab=${part}`
  if (models.length === 1) {
    return (
      <a class="button" href={hrefOf(first.ingestion_model_id)}>
        <Icon name="edit" size={16} /> {t`Workspace`}
      </a>
    )
  }
  return (
    <select
      class="button"
      aria-label={t`Workspace`}
      value=""
      onChange={(event) => {
        const { value } = event.currentTarget
        if (value !== '') go(hrefOf(value))
      }}
    >
      <option value="">{t`Workspace of…`}</option>
      {models.map(({ ingestion_model_id: id, name }) => (
        <option value={id} key={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
