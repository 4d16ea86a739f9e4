/** Makes a family: its name, its slug, and what it is for. */

import { useSignal } from '@preact/signals'
import { t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'

interface NewFamilyProps {
  /** `contract`, as in "New contract". */
  word: string
  /** Contracts derive theirs. */
  hasSlug: boolean
  /** Goes to what was made. Throws `ApiProblem`. */
  create(family: { slug: string; name: string; description: string }): Promise<void>
  onClose(): void
}

export function NewFamilyDialog({ word, hasSlug, create, onClose }: NewFamilyProps) {
  const name = useSignal('')
  const slug = useSignal<string | undefined>(undefined)
  return (
    <FormDialog
      title={t`New ${word}`}
      action={t`Create`}
      onClose={onClose}
      onSubmit={(fields) =>
        create({
          name: name.value.trim(),
          slug: slug.value ?? slugOf(name.value),
          description: String(fields.get('description')),
        })
      }
    >
      <Field label={t`Name`}>
        <input
          name="name"
          required
          maxLength={160}
          autocomplete="off"
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
      </Field>
      {hasSlug && (
        <Field label={t`Slug`} hint={t`How other configuration names it. It never changes.`}>
          <input
            name="slug"
            required
            maxLength={64}
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            autocomplete="off"
            spellcheck={false}
            value={slug.value ?? slugOf(name.value)}
            onInput={(event) => {
              slug.value = event.currentTarget.value
            }}
          />
        </Field>
      )}
      <Field label={t`Description`}>
        <textarea name="description" maxLength={2000} />
      </Field>
    </FormDialog>
  )
}

export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return plain
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '')
}
