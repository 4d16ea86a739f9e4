/** What was put in force together, and the way back while there is one. */
import { useSignal } from '@preact/signals'
import type * as wire from '../../../client/quire.ts'
import { mutate } from '../../api/client.ts'
import { formatInstant } from '../../format.ts'
import { Dialog, FormDialog } from '../../parts/dialog.tsx'
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
      <FormDialog
        title={`Take all of ${model.name} back?`}
        action="Take all back"
        isDestructive
        onClose={onClose}
        onSubmit={async () => {
          await mutate('/api/v1/activation-sets/cancel', {
            method: 'POST',
            body: { activation_ids: coming.map(({ id }) => id), cancellation_code: 'set_taken_back' },
          })
        }}
      >
        <ul class="lines">{activated}</ul>
        <p class="consequence">None of these comes into force on {when}. What is in force now stays.</p>
      </FormDialog>
    )
  }
  return (
    <Dialog
      title={coming.length === 0 ? 'All of it is in force' : `All of it comes into force on ${when}`}
      onClose={onClose}
      wide
    >
      <ul class="lines">
        {published.map(({ slug, to_version: version = 0 }) => (
          <PartLine key={slug} slug={slug} version={version} what="Contract, published" />
        ))}
        {activated}
      </ul>
      <p class="muted">
        {coming.length === 0 && isFirst === true
          ? 'From now on, input can be submitted to it.'
          : coming.length === 0
            ? 'To undo this, review the model again, and choose what was before.'
            : 'Until then, all of it can be taken back in one step.'}
      </p>
      <div class="dialog-foot">
        {coming.length > 0 && (
          <button type="button" class="button" onClick={() => (isTakingBack.value = true)}>
            Take all back
          </button>
        )}
        <a class="button" href={`/activations`}>
          See the timeline
        </a>
        <button type="button" class="button button-primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

function PartLine({ slug, version, what }: { slug: string; version: number; what: string }) {
  return (
    <li>
      <span class="line-main">
        {slug} <span class="line-version">v{version}</span>
      </span>
      <span class="line-end muted">{what}</span>
    </li>
  )
}
