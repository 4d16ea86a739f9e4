/** Another name or description of a contract; its schema and its versions stay. */
import { useSignal } from '@preact/signals'
import { call } from '../../api/client.ts'
import type { Contract } from '../../api/types.ts'
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
        <Icon name="edit" size={16} /> Name and description
      </button>
      {isOpen.value && (
        <FormDialog
          title="Name and description"
          action="Save"
          onClose={() => {
            isOpen.value = false
          }}
          onSubmit={async (fields) => {
            const path = `/api/v1/contracts/${contract.id}`
            // Read just now: the schema goes along unchanged, whoever saved it last.
            const { schema, draft_revision: revision } = await call<Contract>(path)
            const body = {
              name: name.value.trim(),
              description: String(fields.get('description')),
              schema,
              expected_revision: revision,
            }
            await call(path, { method: 'PUT', body })
            await reload()
          }}
        >
          <Field label="Name">
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
              Ingestion models and transformers name a contract by its name: submissions to a model that still says “
              {contract.name}” are refused from then on. Name it anew there as well.
            </p>
          )}
          <Field label="Description">
            <textarea name="description" maxLength={2000} defaultValue={contract.description} />
          </Field>
        </FormDialog>
      )}
    </>
  )
}
