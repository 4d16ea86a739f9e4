/** The way to a new submission. */
import { t } from '../language.ts'
import { holdsPermission } from '../session.ts'
import { Icon } from './icon.tsx'

/** Leads to a new submission, for whoever may make one. */
export function SubmitLink({
  to,
  text = t`New submission`,
}: {
  to?: { model: string } | { release: string }
  text?: string
}) {
  if (!holdsPermission('submission_create')) return null
  const query = to === undefined ? '' : `?${new URLSearchParams(to)}`
  return (
    <a class="button" href={`/submissions/new${query}`}>
      <Icon name="add" size={16} /> {text}
    </a>
  )
}
