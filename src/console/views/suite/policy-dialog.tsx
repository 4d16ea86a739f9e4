/** When a suite has to be green, and letting it pass for some hours. */

import { useSignal } from '@preact/signals'
import type * as wire from '../../../client/quire.ts'
import { limits } from '../../../core/limits.ts'
import { mutate } from '../../api/client.ts'
import { t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'

const choices = [
  ['nothing', t`Never`, t`what is red is shown, and holds nothing back`],
  ['in_force', t`Before anything is put in force`, t`drafts can be frozen while it is red`],
  ['freeze', t`Before a version is frozen, too`, t`of whatever the model uses`],
] as const

interface PolicyDialogProps {
  suite: wire.Suite
  onDone(): void
  onClose(): void
}

export function PolicyDialog({ suite, onDone, onClose }: PolicyDialogProps) {
  const requires = useSignal(suite.requires)
  const lifts = useSignal(false)
  return (
    <FormDialog
      title={t`When the suite of ${suite.name} has to be green`}
      action={t`Set`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const lift = { hours: Number(fields.get('hours')), reason: String(fields.get('reason')) }
        const body = { requires: requires.value, ...(lifts.value && requires.value !== 'nothing' ? { lift } : {}) }
        await mutate(`/api/v1/suites/${suite.ingestion_model_id}/policy`, { method: 'PUT', body })
        onDone()
      }}
    >
      <fieldset class="choices">
        <legend class="offscreen">{t`When`}</legend>
        {choices.map(([value, title, meaning]) => (
          <label key={value}>
            <input
              type="radio"
              name="requires"
              checked={requires.value === value}
              onChange={() => {
                requires.value = value
              }}
            />{' '}
            {title} <span class="muted">{meaning}</span>
          </label>
        ))}
      </fieldset>
      {requires.value !== 'nothing' && (
        <label class="choice-alone">
          <input
            type="checkbox"
            checked={lifts.value}
            onChange={(event) => {
              lifts.value = event.currentTarget.checked
            }}
          />{' '}
          {t`Let it pass for some hours, although cases are red`}
        </label>
      )}
      {requires.value !== 'nothing' && lifts.value && (
        <>
          <Field label={t`Hours`}>
            <input name="hours" type="number" required min={1} max={limits.suiteLiftHours} defaultValue="1" />
          </Field>
          <Field label={t`Reason`} hint={t`It is in the audit trail, with each use.`}>
            <input name="reason" required maxLength={limits.auditReasonChars} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
