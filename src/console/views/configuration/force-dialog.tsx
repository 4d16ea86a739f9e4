/** Puts a version in force from an instant on, and says beforehand what that changes. */

import { useSignal } from '@preact/signals'
import { instantFromEpochMs, formatInstant as wireInstant } from '../../../core/instant.ts'
import { mutate, serverNow } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import type { Activation, ConfigurationKind, Template } from '../../api/types.ts'
import { t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { useApproval } from './approval.ts'
import { consequenceForIncluding, consequenceOfForce, inForceAt } from './consequence.ts'
import { FromChoice, useFrom } from './from-choice.tsx'
import { kindTexts } from './kinds.ts'

interface ForceDialogProps {
  kind: ConfigurationKind
  family: { id: string; slug: string; name: string }
  version: number
  /** Others to choose from. */
  versions?: readonly number[]
  onDone(): void
  onClose(): void
}

/** Where nothing is in force, but something was or will be, the server takes no past instant, so "now" lies this far ahead. */
const leadMs = 2_000

/** The instant that the server gets for "now", by its own clock. */
function nowFor(activations: readonly Activation[]): Date {
  const now = serverNow()
  const isTaken = activations.length === 0 || inForceAt(activations, now.getTime()) !== undefined
  return isTaken ? now : new Date(now.getTime() + leadMs)
}

export function ForceDialog(props: ForceDialogProps) {
  const { kind, family, versions = [], onDone, onClose } = props
  const chosen = useSignal(props.version)
  const version = chosen.value
  const { path } = kindTexts[kind]
  const activations = useResource<{ activations: Activation[] }>(`/api/v1/activations?family_id=${family.id}&limit=100`)
  const template = useResource<Template>(kind === 'template' ? `/api/v1/templates/${family.id}` : undefined)
  const known = activations.value.value?.activations
  const from = useFrom()
  const isFirst = known?.length === 0
  const replaced = inForceAt(known ?? [], (from.at ?? serverNow()).getTime())?.version
  const including =
    known === undefined || replaced === version ? '' : consequenceForIncluding(template.value.value?.included_by)
  const isRefused = !from.isReadable || (from.isPast && !isFirst)
  const reason = useApproval({ kind, familyId: family.id, version })
  return (
    <FormDialog
      title={t`Put ${family.name} v${version} in force`}
      action={t`Put in force`}
      disabled={isRefused || known === undefined || reason !== undefined}
      onClose={onClose}
      onSubmit={async () => {
        const instant = from.at ?? nowFor(known ?? [])
        await mutate(`/api/v1${path}/${family.id}/versions/${version}/publish`, {
          method: 'POST',
          body: { effective_from: wireInstant(instantFromEpochMs(instant.getTime())) },
        })
        onDone()
      }}
    >
      {versions.length > 1 && (
        <Field label={t`Version`}>
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
      <FromChoice from={from} mayBePast={isFirst} />
      <p class="consequence" role="status" data-refused={isRefused}>
        {known === undefined || !from.isReadable
          ? ' '
          : isRefused
            ? t`This instant is past, and history never changes. Choose Now or a later one.`
            : consequenceOfForce(known, version, from.at ?? serverNow())}
      </p>
      {reason !== undefined && (
        <p class="consequence" role="status" data-refused>
          {reason}
        </p>
      )}
      {including !== '' && <p class="consequence">{including}</p>}
    </FormDialog>
  )
}
