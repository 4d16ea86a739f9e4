/** Takes back what is to come into force, all of it in one step. */

import { mutate } from '../../api/client.ts'
import type { Activation } from '../../api/types.ts'
import { formatInstant } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { kindTexts } from '../configuration/kinds.ts'

interface TakeBackProps {
  /** What it is called, such as the model's name. */
  title: string
  parts: readonly Pick<Activation, 'id' | 'kind' | 'family_slug' | 'version'>[]
  /** Those of the parts that are still to come. */
  ids: readonly string[]
  at: string
  onDone?(): Promise<void>
  onClose(): void
}

export function TakeBackDialog({ title, parts, ids, at, onDone, onClose }: TakeBackProps) {
  const taken = parts.filter(({ id }) => ids.includes(id))
  return (
    <FormDialog
      title={t`Take all of ${title} back?`}
      action={t`Take all back`}
      isDestructive
      onClose={onClose}
      onSubmit={async () => {
        await mutate('/api/v1/activation-sets/cancel', {
          method: 'POST',
          body: { activation_ids: ids, cancellation_code: 'set_taken_back' },
        })
        await onDone?.()
      }}
    >
      <ul class="lines">
        {taken.map(({ id, kind, family_slug: slug, version }) => (
          <PartLine key={id} slug={slug} version={version} what={kindTexts[kind].singular} />
        ))}
      </ul>
      <p class="consequence">
        {rich`None of these comes into force on ${formatInstant(new Date(at))}. What is in force now stays.`}
      </p>
    </FormDialog>
  )
}

export function PartLine({ slug, version, what }: { slug: string; version: number; what: string }) {
  return (
    <li>
      <span class="line-main">
        {slug} <span class="line-version">v{version}</span>
      </span>
      <span class="line-end muted">{what}</span>
    </li>
  )
}
