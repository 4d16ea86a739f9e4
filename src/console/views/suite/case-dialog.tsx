/** A case's input: a new one, or another for one that is there. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type * as wire from '../../../client/quire.ts'
import { limits } from '../../../core/limits.ts'
import { mutate } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'

interface CaseDialogProps {
  modelId: string
  /** The name of the case to change; left out for a new one. */
  name?: string
  onDone(): void
  onClose(): void
}

export function CaseDialog({ modelId, name: known, onDone, onClose }: CaseDialogProps) {
  const pathOf = (name: string) => `/api/v1/suites/${modelId}/cases/${encodeURIComponent(name)}`
  const { value, problem } = useResource<wire.SuiteCase>(known === undefined ? undefined : pathOf(known))
  const name = useSignal(known ?? '')
  const input = useSignal('')
  const params = useSignal('')
  const format = useSignal<wire.SuiteCase['format']>('json')
  const stored = value.value
  useEffect(() => {
    if (stored === undefined) return
    input.value = stored.input
    params.value = stored.params ?? ''
    format.value = stored.format
  }, [stored])
  return (
    <FormDialog
      title={known === undefined ? t`Add a case` : t`Change the input of ${known}`}
      action={known === undefined ? t`Add` : t`Save`}
      wide
      disabled={input.value === '' || name.value === '' || (known !== undefined && stored === undefined)}
      onClose={onClose}
      onSubmit={async () => {
        const body = {
          input: input.value,
          format: format.value,
          ...(params.value.trim() === '' ? {} : { params: params.value }),
          ...(stored === undefined ? {} : { case_hash: stored.case_hash }),
        }
        await mutate(pathOf(name.value), { method: 'PUT', body })
        onDone()
      }}
    >
      {problem.value !== undefined && <p class="muted">{problem.value.detail}</p>}
      {known === undefined && (
        <Field label={t`Name`} hint={t`As its file is called in an export, such as large-family.`}>
          <input
            name="name"
            required
            maxLength={limits.suiteNameChars}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value
            }}
          />
        </Field>
      )}
      <Field label={t`Input`} hint={t`Exactly as it would be submitted, also one that is to be refused.`}>
        <textarea
          class="source"
          rows={12}
          required
          spellcheck={false}
          value={input.value}
          onInput={(event) => {
            input.value = event.currentTarget.value
          }}
        />
      </Field>
      <label class="button file-button">
        <Icon name="upload" size={16} /> {t`Take a file`}
        <input
          type="file"
          accept=".json,.csv,.xml"
          class="offscreen"
          onChange={async (event) => {
            const file = event.currentTarget.files?.[0]
            if (file === undefined) return
            const [, base = '', end = ''] = /^(.*)\.(json|csv|xml)$/i.exec(file.name) ?? []
            input.value = await file.text()
            if (end !== '') format.value = end.toLowerCase() as typeof format.value
            if (name.value === '') name.value = base
          }}
        />
      </label>
      <Field label={t`Format`}>
        <select
          value={format.value}
          onChange={(event) => {
            format.value = event.currentTarget.value as typeof format.value
          }}
        >
          <option value="json">{t`JSON`}</option>
          <option value="csv">{t`CSV`}</option>
          <option value="xml">{t`XML`}</option>
        </select>
      </Field>
      <Field label={t`Params`} hint={t`A JSON object, where a transformer declares some; else empty.`}>
        <textarea
          class="source"
          rows={2}
          spellcheck={false}
          value={params.value}
          onInput={(event) => {
            params.value = event.currentTarget.value
          }}
        />
      </Field>
    </FormDialog>
  )
}
