/** From when on something is in force: now, or an instant that is typed. */

import { type Signal, useSignal } from '@preact/signals'
import { serverNow } from '../../api/client.ts'
import { formatInstant } from '../../format.ts'
import { t } from '../../language.ts'
import { Field } from '../../parts/field.tsx'

const dayMs = 86_400_000

export interface From {
  isNow: Signal<boolean>
  /** As a `datetime-local` field has it. */
  text: Signal<string>
  /** The instant as typed, possibly an invalid Date; undefined means at once. */
  at: Date | undefined
  isReadable: boolean
  isPast: boolean
}

/** Now, until somebody chooses otherwise; the field begins a day later. */
export function useFrom(): From {
  const isNow = useSignal(true)
  const text = useSignal(localText(new Date(serverNow().getTime() + dayMs)))
  const at = isNow.value ? undefined : new Date(text.value)
  const isReadable = at === undefined || !Number.isNaN(at.getTime())
  return { isNow, text, at, isReadable, isPast: at !== undefined && at.getTime() < serverNow().getTime() }
}

/** The value a `datetime-local` field takes. */
function localText(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** @param mayBePast whether nothing is in force yet that a past instant would change */
export function FromChoice({ from, mayBePast = false }: { from: From; mayBePast?: boolean }) {
  const { isNow, text, at, isReadable, isPast } = from
  return (
    <div class="from-choice">
      <fieldset class="choices">
        <legend class="choices-title">{t`From`}</legend>
        <label>
          <input type="radio" name="when" checked={isNow.value} onChange={() => (isNow.value = true)} /> {t`Now`}{' '}
          <span class="muted">{formatInstant(serverNow())}</span>
        </label>
        <label>
          <input type="radio" name="when" checked={!isNow.value} onChange={() => (isNow.value = false)} />{' '}
          {mayBePast ? t`Another instant` : t`A later instant`}
        </label>
      </fieldset>
      {at !== undefined && (
        <Field label={t`In force from`} hint={isReadable ? hintOf(at, mayBePast) : ''}>
          <input
            type="datetime-local"
            step={60}
            required
            aria-invalid={!isReadable || (isPast && !mayBePast)}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
            }}
          />
        </Field>
      )}
    </div>
  )
}

function hintOf(at: Date, mayBePast: boolean): string {
  const utc = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const local = formatInstant(at)
  const both = local.endsWith('UTC') ? local : t`${local}, which is ${utc}`
  return `${both}. ${mayBePast ? t`The first version may begin in the past.` : t`Compared with the official time of each object.`}`
}
