/** The schema while it is written: findings as one types, and the form that it describes. */

import { useLayoutEffect } from 'preact/hooks'
import type { Contract } from '../../api/types.ts'
import type { CheckedSchema } from '../../engines/answers.ts'
import { useAnswer } from '../../engines/ask.ts'
import { t } from '../../language.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { useDraft } from '../configuration/draft.ts'
import { DraftBar } from '../configuration/draft-bar.tsx'
import { DraftPending } from '../configuration/draft-pending.tsx'
import { EditorPane } from '../configuration/editor-pane.tsx'
import { FamilySuites } from '../suite/suite-panel.tsx'
import { contractDraftPort, freezeContract, storedOf } from './contract-source.ts'
import { ConvertOffer } from './convert-offer.tsx'
import { FormPreview } from './form-preview.tsx'
import { schemaCompletions } from './schema-completions.ts'

const unread: CheckedSchema = { findings: [] }

interface ContractDraftProps {
  contract: Contract
  mayEdit: boolean
  reload(): Promise<void>
}

export function ContractDraft({ contract, mayEdit, reload }: ContractDraftProps) {
  const draft = useDraft(contract.id, '', contractDraftPort(contract.id))
  // A new name raises the revision and leaves the schema as it is.
  useLayoutEffect(() => draft.takeIn(storedOf(contract)), [contract])
  const text = draft.text.value
  const { answer, problem, again } = useAnswer('schema', draft.isPending.value ? undefined : text)
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
          const told = await freezeContract(contract.id, draft.stored.value?.revision)
          void reload()
          return told
        }}
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={again} />}
      <div class="panes panes-two">
        <EditorPane
          label={t`Schema`}
          language="json"
          value={text}
          {...(mayEdit ? { onChange: draft.edit } : {})}
          past={draft.past}
          findings={findings}
          none={answer.value === undefined ? t`Reading it…` : t`A valid JSON Schema 2020-12`}
          completions={schemaCompletions}
        >
          {older !== undefined && <ConvertOffer older={older} take={mayEdit ? draft.edit : undefined} />}
        </EditorPane>
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
