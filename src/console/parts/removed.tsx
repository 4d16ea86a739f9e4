/** What retention policies have removed of what is on the page. */

import { partTitles } from '../../core/retained-parts.ts'
import type { RemovedPart } from '../api/types.ts'
import { rich, t, translated } from '../language.ts'
import { Icon } from './icon.tsx'
import { Moment } from './moment.tsx'

export function Removed({ parts = [] }: { parts: readonly RemovedPart[] | undefined }) {
  if (parts.length === 0) return null
  return (
    <div class="note note-warning" role="status">
      <Icon name="alert" />
      <div class="note-body">
        <p>{t`Removed under retention policies; hashes stay:`}</p>
        <ul>
          {parts.map(({ part, removed_at: at, policy: { retention, keep_days: days } }) => (
            <li key={part}>
              {rich`${translated(partTitles[part])}, ${<Moment at={at} />}, kept for ${days} ${days === 1 ? t`day` : t`days`} (set ${retention})`}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
