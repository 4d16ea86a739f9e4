/** Every template, and making one from a DOCX. */

import { useSignal } from '@preact/signals'
import { call, mutate } from '../api/client.ts'
import type { Template } from '../api/types.ts'
import { t } from '../language.ts'
import { authors } from '../navigation.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { go } from '../router.ts'
import { holdsRole } from '../session.ts'
import { FamilyList } from './configuration/family-list.tsx'
import { DropZone } from './template/drop-zone.tsx'

export function TemplatesView() {
  const isUploading = useSignal(false)
  return (
    <>
      <FamilyList
        kind="template"
        member="templates"
        lede={t`Word documents with bindings such as {{/policy/number}}, filled without Word.`}
        empty={t`There is no template yet. Upload a DOCX; its bindings are found at once.`}
        create={async (family) => {
          const { template } = await mutate<{ template: Template }>('/api/v1/templates', {
            method: 'POST',
            body: family,
          })
          return template.id
        }}
      >
        {holdsRole(authors) && (
          <button
            type="button"
            class="button"
            onClick={() => {
              isUploading.value = true
            }}
          >
            <Icon name="upload" size={16} /> {t`Upload a DOCX`}
          </button>
        )}
      </FamilyList>
      {isUploading.value && (
        <UploadDialog
          onClose={() => {
            isUploading.value = false
          }}
        />
      )}
    </>
  )
}

function UploadDialog({ onClose }: { onClose(): void }) {
  const file = useSignal<File | undefined>(undefined)
  const name = useSignal('')
  return (
    <FormDialog
      title={t`Upload a template`}
      action={t`Upload`}
      disabled={file.value === undefined}
      onClose={onClose}
      onSubmit={async (fields) => {
        const form = new FormData()
        form.set('name', name.value.trim())
        form.set('description', String(fields.get('description')))
        if (file.value !== undefined) form.set('file', file.value)
        const { template } = await call<{ template: Template }>('/api/v1/templates', { method: 'POST', body: form })
        go(`/templates/${template.id}`)
      }}
    >
      <DropZone
        text={file.value?.name ?? t`Drop a DOCX here, or choose one`}
        onFile={(dropped) => {
          file.value = dropped
          if (name.value === '') name.value = dropped.name.replace(/\.docx$/i, '')
        }}
      />
      <Field label={t`Name`} hint={t`It becomes version 1, and the draft.`}>
        <input
          required
          maxLength={160}
          autocomplete="off"
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
      </Field>
      <Field label={t`Description`}>
        <textarea name="description" maxLength={2000} />
      </Field>
    </FormDialog>
  )
}
