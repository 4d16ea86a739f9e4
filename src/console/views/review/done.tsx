/** What was put in force together, and the way back while there is one. */

import { useSignal } from '@preact/signals'
import type * as wire from '../../../client/quire.ts'
import { formatInstant } from '../../format.ts'
import { t } from '../../language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { PartLine, TakeBackDialog } from '../activations/take-back.tsx'
import { kindTexts } from '../configuration/kinds.ts'

interface DoneProps {
  applied: wire.AppliedActivationSet
  plan: wire.ActivationSetPlan | undefined
  model: { name: string }
  onClose(): void
}

/** What was done, and the way back while there is one. */
export function Done({ applied, plan, model, onClose }: DoneProps) {
  const isTakingBack = useSignal(false)
  const isFirst = plan?.members.every(({ kind, from_version: before }) => kind === 'contract' || before === undefined)
  // Contracts are published at once and for good, whatever the instant.
  const published = plan?.members.filter(({ action }) => action === 'publish') ?? []
  const coming = applied.activations.filter(({ status }) => status === 'scheduled')
  const activated = applied.activations.map(({ id, kind, family_slug: slug, version }) => (
    <PartLine key={id} slug={slug} version={version} what={kindTexts[kind].singular} />
  ))
  const when = formatInstant(new Date(applied.effective_from))
  if (isTakingBack.value) {
    return (
      <TakeBackDialog
        title={model.name}
        parts={applied.activations}
        ids={coming.map(({ id }) => id)}
        at={applied.effective_from}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      title={coming.length === 0 ? t`All of it is in force` : t`All of it comes into force on ${when}`}
      onClose={onClose}
      wide
    >
      <ul class="lines">
        {published.map(({ slug, to_version: version = 0 }) => (
          <PartLine key={slug} slug={slug} version={version} what={t`Contract, published`} />
        ))}
        {activated}
      </ul>
      <p class="muted">
        {coming.length === 0 && isFirst === true
          ? t`From now on, input can be submitted to it.`
          : coming.length === 0
            ? t`To undo this, review the model again, and choose what was before.`
            : t`Until then, all of it can be taken back in one step.`}
      </p>
      <div class="dialog-foot">
        {coming.length > 0 && (
          <button type="button" class="button" onClick={() => (isTakingBack.value = true)}>
            {t`Take all back`}
          </button>
        )}
        <a class="button" href="/activations?tab=month">
          {t`See the calendar`}
        </a>
        <button type="button" class="button button-primary" onClick={onClose}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}
