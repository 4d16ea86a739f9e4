/** The line above an editor: what state the draft is in, and saving and freezing it. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { ApiProblem } from '../../api/problem.ts'
import { commandKey, useCommand } from '../../keys.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { type Draft, savedMeanwhile } from './draft.ts'
import { MeetingTable } from './draft-conflict.tsx'
import { DraftHistoryButton } from './draft-history.tsx'
import { DraftOffer, ServerCopy } from './draft-offer.tsx'

interface DraftBarProps<Extra> {
  draft: Draft<Extra>
  mayEdit: boolean
  /** Makes an immutable version of what is saved; says what came of it. */
  freeze(): Promise<string>
  /** Freezing would be refused anyway. */
  hasErrors: boolean
  children?: ComponentChildren
}

export function DraftBar<Extra>({ draft, mayEdit, freeze, hasErrors, children }: DraftBarProps<Extra>) {
  const freezing = useSignal(false)
  const frozen = useSignal<string | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const chosen = useSignal<string | undefined>(undefined)
  useCommand('s', mayEdit ? draft.save : undefined)

  async function freezeDraft(): Promise<void> {
    if (freezing.value) return
    problem.value = undefined
    frozen.value = undefined
    freezing.value = true
    try {
      if (await draft.save()) frozen.value = await freeze()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      if (error.status === 412) await draft.catchUp()
      problem.value = error.status === 412 ? savedMeanwhile(draft.stored.value?.revision) : error
    } finally {
      freezing.value = false
    }
  }

  const { stored, isDirty, phase } = draft
  return (
    <>
      <div class="draft-bar">
        <p class="draft-state" role="status">
          {phase.value === 'saving'
            ? t`Saving…`
            : stored.value === undefined
              ? t`No draft yet`
              : t`Revision ${stored.value.revision}${isDirty.value ? t`, with unsaved changes` : t`, saved`}`}
        </p>
        {mayEdit && <ServerCopy autosave={draft.autosave} />}
        {children}
        {mayEdit && (
          <>
            <DraftHistoryButton draft={draft} chosen={chosen} />
            {isDirty.value && stored.value !== undefined && (
              <button type="button" class="button button-quiet button-small" onClick={() => void draft.discard()}>
                {t`Discard changes`}
              </button>
            )}
            <button
              type="button"
              class="button button-small"
              disabled={!isDirty.value || phase.value !== 'idle'}
              onClick={() => void draft.save()}
            >
              {rich`Save ${<kbd>{commandKey} S</kbd>}`}
            </button>
            <button
              type="button"
              class="button button-primary button-small"
              disabled={hasErrors || freezing.value || phase.value !== 'idle'}
              title={hasErrors ? t`Mend the errors first` : t`Makes an immutable version of the draft`}
              onClick={() => void freezeDraft()}
            >
              {freezing.value ? t`Freezing…` : t`Freeze a version`}
            </button>
          </>
        )}
      </div>
      <DraftOffer draft={draft} compare={(tabId) => (chosen.value = tabId)} />
      <DraftNotes draft={draft} />
      {draft.problem.value !== undefined && <ProblemNote problem={draft.problem.value} retry={draft.save} />}
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      {frozen.value !== undefined && (
        <p class="note note-success" role="status">
          <Icon name="check" /> <span>{frozen.value}</span>
        </p>
      )}
    </>
  )
}

/** What happened to the text besides typing. */
function DraftNotes<Extra>({ draft }: { draft: Draft<Extra> }) {
  const { isRecovered, isKept, merged, isDiscarded, bringBack } = draft
  return (
    <>
      {isRecovered.value && (
        <p class="note note-warning" role="status">
          <Icon name="reset" />{' '}
          <span>{t`This is what you had typed and not saved. Save it, or discard the changes.`}</span>
        </p>
      )}
      {!isKept.value && (
        <p class="note note-warning" role="status">
          <Icon name="alert" />{' '}
          <span>{t`This browser has no room to keep what you type: a reload would lose it. Save often.`}</span>
        </p>
      )}
      {merged.value !== undefined && (
        <div class="note note-warning" role="status">
          <Icon name="alert" />
          <div class="note-body">
            <p>
              {rich`Revision ${merged.value.theirRevision} was saved by somebody else meanwhile. Your changes don’t touch theirs, and both are in the editor now: look at them, then save.`}
            </p>
            <details class="meeting-details">
              <summary>{t`What changed where`}</summary>
              <MeetingTable meeting={merged.value} />
            </details>
          </div>
        </div>
      )}
      {isDiscarded.value && (
        <p class="note note-warning note-row" role="status">
          <Icon name="reset" />
          <span>{t`Your changes were discarded.`}</span>
          <button type="button" class="button button-small" onClick={() => void bringBack()}>
            {t`Bring them back`}
          </button>
        </p>
      )}
    </>
  )
}
