/** The ingestion models that something is limited to, as fields `families` of a form. */

import { usePages } from '../api/resource.ts'
import type { DefinitionFamily } from '../api/types.ts'
import { t } from '../language.ts'

/** @param mayRead false for whoever may not list models; there is nothing to choose then */
export function ModelChoice({ mayRead = true }: { mayRead?: boolean }) {
  const path = mayRead ? '/api/v1/ingestion-models' : undefined
  const models = usePages<DefinitionFamily>(path, 'ingestion_models', ({ id }) => id)
  if (models.rows.value.length === 0) return null
  return (
    <fieldset class="choices">
      <legend class="choices-title">{t`Only for these models`}</legend>
      {models.rows.value.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" name="families" value={id} /> {name}
        </label>
      ))}
    </fieldset>
  )
}
