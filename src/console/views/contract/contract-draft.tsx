/** The schema while it is written: findings as one types, and the form that it describes. */

import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import type { Contract, Version } from '../../api/types.ts'
import type { CheckedSchema } from '../../engines/answers.ts'
import { useAnswer } from '../../engines/ask.ts'
import { t } from '../../language.ts'
import { Editor } from '../../parts/editor.tsx'
import type { EditorProps } from '../../parts/editor-props.ts'
import { Findings } from '../../parts/findings.tsx'
import { type DraftPort, type StoredDraft, useDraft } from '../configuration/draft.ts'
import { DraftBar } from '../configuration/draft-bar.tsx'
import { DraftPending } from '../configuration/draft-pending.tsx'
import { FamilySuites } from '../suite/suite-panel.tsx'
import { ConvertOffer } from './convert-offer.tsx'
import { FormPreview } from './form-preview.tsx'
import { schemaCompletions } from './schema-completions.ts'

interface About {
  name: string
  description: string
}

function storedOf(contract: Contract): StoredDraft<About> {
  const { schema = '', draft_revision: revision, name, description } = contract
  return { text: schema, revision, extra: { name, description } }
}

function portOf(id: string): DraftPort<About> {
  const path = `/api/v1/contracts/${id}`
  return {
    read: async () => storedOf(await call<Contract>(path)),
    write: async (schema, stored) => {
      const body = { ...stored?.extra, schema, expected_revision: stored?.revision ?? 0 }
      return storedOf((await call<{ contract: Contract }>(path, { method: 'PUT', body })).contract)
    },
  }
}

const unread: CheckedSchema = { findings: [] }

interface ContractDraftProps {
  contract: Contract
  mayEdit: boolean
  reload(): Promise<void>
}

export function ContractDraft({ contract, mayEdit, reload }: ContractDraftProps) {
  const draft = useDraft(contract.id, '', portOf(contract.id))
  // A new name raises the revision and leaves the schema as it is.
  useLayoutEffect(() => draft.takeIn(storedOf(contract)), [contract])
  const reveal = useSignal<EditorProps['reveal']>(undefined)
  const text = draft.text.value
  const { answer } = useAnswer('schema', draft.isPending.value ? undefined : text)
  const { findings, form, older } = answer.value ?? unread
  const errors = findings.filter((finding) => finding.severity === 'error').length
  if (draft.isPending.value) return <DraftPending draft={draft} />
  return (
    <>
      <DraftBar
        draft={draft}
        mayEdit={mayEdit}
        hasErrors={errors > 0}
        freeze={async () => {
          const { version } = await call<{ version: Version }>(`/api/v1/contracts/${contract.id}/versions`, {
            method: 'POST',
            body: { expected_revision: draft.stored.value?.revision },
          })
          void reload()
          return t`Version ${version.number} is frozen. Publish it under Versions to let releases use it.`
        }}
      />
      <div class="panes panes-two">
        <section class="pane" aria-label={t`Schema`}>
          <Editor
            label={t`Schema`}
            language="json"
            value={text}
            {...(mayEdit ? { onChange: draft.edit } : {})}
            past={draft.past}
            findings={findings}
            reveal={reveal.value}
            completions={schemaCompletions}
          />
          <div class="pane-foot">
            {older !== undefined && <ConvertOffer older={older} take={mayEdit ? draft.edit : undefined} />}
            <Findings
              findings={findings}
              none={answer.value === undefined ? t`Reading it…` : t`A valid JSON Schema 2020-12`}
              onReveal={({ line = 1, column = 1 }) => {
                reveal.value = { line, column }
              }}
            />
          </div>
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
        <section class="pane pane-scroll" aria-label={t`Form preview`} tabIndex={0}>
          <h2 class="pane-title">{t`Form preview`}</h2>
          {form === undefined ? (
            <p class="muted">
              {answer.value === undefined ? t`Reading…` : t`The form shows when the schema has no errors.`}
            </p>
          ) : (
            <FormPreview form={form} />
          )}
        </section>
      </div>
      <FamilySuites familyId={contract.id} revision={draft.stored.value?.revision} mayEdit={mayEdit} isContract />
    </>
  )
}
