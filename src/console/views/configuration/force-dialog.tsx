/** Puts a version in force from an instant on, and says beforehand what that changes. */
import { useSignal } from '@preact/signals'
import { instantFromEpochMs, formatInstant as wireInstant } from '../../../core/instant.ts'
import { mutate, serverNow } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import type { Activation, ConfigurationKind } from '../../api/types.ts'
import { formatInstant } from '../../format.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { consequenceOfForce, inForceAt } from './consequence.ts'
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

/** The value a `datetime-local` field takes. */
export function localText(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** Where nothing is in force, but something was or will be, the server takes no past instant, however short ago. */
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
  const known = activations.value.value?.activations
  const isNow = useSignal(true)
  const from = useSignal(localText(new Date(serverNow().getTime() + 86_400_000)))
  const at = isNow.value ? serverNow() : new Date(from.value)
  const isFirst = known?.length === 0
  const isPast = !isNow.value && at.getTime() < serverNow().getTime()
  const isRefused = Number.isNaN(at.getTime()) || (isPast && !isFirst)
  return (
    <FormDialog
      title={`Put ${family.name} v${version} in force`}
      action="Put in force"
      disabled={isRefused || known === undefined}
      onClose={onClose}
      onSubmit={async () => {
        const instant = isNow.value ? nowFor(known ?? []) : at
        await mutate(`/api/v1${path}/${family.id}/versions/${version}/publish`, {
          method: 'POST',
          body: { effective_from: wireInstant(instantFromEpochMs(instant.getTime())) },
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
      <fieldset class="choices">
        <legend class="choices-title">From</legend>
        <label>
          <input type="radio" name="when" checked={isNow.value} onChange={() => (isNow.value = true)} /> Now{' '}
          <span class="muted">{formatInstant(serverNow())}</span>
        </label>
        <label>
          <input type="radio" name="when" checked={!isNow.value} onChange={() => (isNow.value = false)} />{' '}
          {isFirst ? 'Another instant' : 'A later instant'}
        </label>
      </fieldset>
      {!isNow.value && (
        <Field label="In force from" hint={hintOf(at, isFirst)}>
          <input
            type="datetime-local"
            step={60}
            required
            aria-invalid={isRefused}
            value={from.value}
            onInput={(event) => {
              from.value = event.currentTarget.value
            }}
          />
        </Field>
      )}
      <p class="consequence" role="status" data-refused={isRefused}>
        {known === undefined || Number.isNaN(at.getTime())
          ? ' '
          : isRefused
            ? 'This instant is past, and history never changes. Choose Now or a later one.'
            : consequenceOfForce(known, version, at)}
      </p>
    </FormDialog>
  )
}

function hintOf(at: Date, isFirst: boolean): string {
  if (Number.isNaN(at.getTime())) return ''
  const utc = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const local = formatInstant(at)
  const both = local.endsWith('UTC') ? local : `${local}, which is ${utc}`
  return `${both}. ${isFirst ? 'The first version may begin in the past.' : 'Compared with the official time of each object.'}`
}
