/** Another name or description of a contract; its schema and its versions stay. */

import { useSignal } from '@preact/signals'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Contract } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'

interface EditDetailsProps {
  contract: Contract
  reload(): Promise<void>
}

export function EditDetails({ contract, reload }: EditDetailsProps) {
  const isOpen = useSignal(false)
  const name = useSignal(contract.name)
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          name.value = contract.name
          isOpen.value = true
        }}
      >
        <Icon name="edit" size={16} /> {t`Name and description`}
      </button>
      {isOpen.value && (
        <FormDialog
          title={t`Name and description`}
          action={t`Save`}
          onClose={() => {
            isOpen.value = false
          }}
          onSubmit={async (fields) => {
            const path = `/api/v1/contracts/${contract.id}`
            // Read just now: whatever isn't changed here stays as it is, whoever saved it last.
            const now = await call<Contract>(path)
            const typed = { name: name.value.trim(), description: String(fields.get('description')) }
            const body = {
              name: changedText('name', contract, typed, now),
              description: changedText('description', contract, typed, now),
              schema: now.schema,
              expected_revision: now.draft_revision,
            }
            await call(path, { method: 'PUT', body })
            await reload()
          }}
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
          {name.value.trim() !== contract.name && (
            <p class="consequence" role="status">
              {rich`Ingestion models and transformers name a contract by its name: submissions to a model that still says “${contract.name}” are refused from then on. Name it anew there as well.`}
            </p>
          )}
          <Field label={t`Description`}>
            <textarea name="description" maxLength={2000} defaultValue={contract.description} />
          </Field>
        </FormDialog>
      )}
    </>
  )
}

type Texts = Pick<Contract, 'name' | 'description'>

/** What a text becomes: as typed, or as it is now where it wasn't touched. @throws ApiProblem if both were changed */
function changedText(member: keyof Texts, opened: Texts, typed: Texts, now: Texts): string {
  if (typed[member] === opened[member]) return now[member]
  if (now[member] === opened[member] || now[member] === typed[member]) return typed[member]
  throw new ApiProblem(
    412,
    'precondition_failed',
    t`Somebody changed the ${member} meanwhile`,
    t`It is “${now[member]}” now. Close this, look at it, and change it again if you still want to.`,
  )
}
