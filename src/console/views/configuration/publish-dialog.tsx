/** Puts a version in force from an instant on, and says beforehand what that changes. */
import { useSignal } from '@preact/signals'
import { mutate } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import type { Activation, ConfigurationKind } from '../../api/types.ts'
import { instantOf } from '../../list-query.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { consequenceOfPublishing } from './consequence.ts'
import { kindTexts } from './kinds.ts'

interface PublishDialogProps {
  kind: ConfigurationKind
  family: { id: string; slug: string; name: string }
  version: number
  /** Others to choose from. */
  versions?: readonly number[]
  onDone(): void
  onClose(): void
}

/** The value a `datetime-local` field takes. */
export function localText(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

export function PublishDialog(props: PublishDialogProps) {
  const { kind, family, versions = [], onDone, onClose } = props
  const chosen = useSignal(props.version)
  const version = chosen.value
  const { path } = kindTexts[kind]
  const activations = useResource<{ activations: Activation[] }>(`/api/v1/activations?family_id=${family.id}&limit=100`)
  const known = activations.value.value?.activations
  // A minute ahead: the server would refuse an instant that passed while the dialog was open.
  const from = useSignal(localText(new Date(Math.ceil(Date.now() / 60_000 + 1) * 60_000)))
  const at = new Date(from.value)
  const isFirst = known?.every((activation) => activation.status === 'cancelled') === true
  return (
    <FormDialog
      title={`Put ${family.name} v${version} in force`}
      action="Publish"
      disabled={Number.isNaN(at.getTime())}
      onClose={onClose}
      onSubmit={async () => {
        await mutate(`/api/v1${path}/${family.id}/versions/${version}/publish`, {
          method: 'POST',
          body: { effective_from: instantOf(from.value) },
        })
        onDone()
      }}
    >
      {versions.length > 1 && (
        <Field label="Version">
          <select
            value={String(version)}
            onChange={(event) => {
              chosen.value = Number(event.currentTarget.value)
            }}
          >
            {versions.map((number) => (
              <option value={String(number)} key={number}>
                v{number}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Field
        label="In force from"
        hint={`${at.toString() === 'Invalid Date' ? '' : `${instantOf(from.value)} in UTC. `}${isFirst ? 'The first activation may lie in the past.' : 'Compared with the official time of each object.'}`}
      >
        <input
          type="datetime-local"
          step={1}
          required
          value={from.value}
          onInput={(event) => {
            from.value = event.currentTarget.value
          }}
        />
      </Field>
      <p class="consequence" role="status">
        {known === undefined || Number.isNaN(at.getTime()) ? ' ' : consequenceOfPublishing(known, version, at)}
      </p>
    </FormDialog>
  )
}
