/** Which submission one corrects, and which correct it. */

import { type Resource, useResource } from '../api/resource.ts'
import type { Submission } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { Icon } from './icon.tsx'
import { Moment } from './moment.tsx'
import { Status } from './status.tsx'

const refreshMs = 15_000

/** Those made in place of a submission, newest first; undefined until that is known. */
export function useLater(id: string | undefined): readonly Submission[] | undefined {
  const path = id && `/api/v1/submissions?corrects=${id}&limit=10`
  const { value }: Resource<{ submissions: Submission[] }> = useResource(path, refreshMs)
  return value.value?.submissions
}

export function CorrectedEarlier({ submission: { corrects } }: { submission: Submission }) {
  return corrects === undefined ? null : <a href={`/submissions/${corrects}`}>{t`Corrects an earlier submission`}</a>
}

/** Says first of all that what is on the page was made again, and how that went. */
export function CorrectedLater({ later }: { later: readonly Submission[] }) {
  const [newest, ...others] = later
  if (newest === undefined) return null
  const failed = newest.executions.some(({ status }) => status === 'failed')
  return (
    <div class={`note ${failed ? 'note-warning' : 'note-success'}`} role="status">
      <Icon name={failed ? 'alert' : 'check'} />
      <div class="note-body">
        <p class="corrected-line">
          <span>
            {rich`Corrected: ${<a href={`/submissions/${newest.id}`}>{t`a later submission`}</a>} took its place ${<Moment at={newest.created_at} />}.`}
          </span>
          {newest.executions.map(({ id, status }) => (
            <Status key={id} of={status} />
          ))}
        </p>
        {others.length > 0 && (
          <p class="muted">
            {t`Before that:`}{' '}
            {others.map(({ id, created_at: at }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <a href={`/submissions/${id}`}>
                  <Moment at={at} />
                </a>
              </span>
            ))}
          </p>
        )}
      </div>
    </div>
  )
}
