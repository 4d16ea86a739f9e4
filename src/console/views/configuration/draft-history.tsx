/** What was typed into a draft and not saved, as it was from time to time: what differs from the editor, and the way back. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { changedLines } from '../../../core/line-difference.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { UnsavedState } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { t } from '../../language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { countsOf, LineDifference } from '../../parts/line-difference.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Counted } from './compare-lines.tsx'
import type { Draft } from './draft.ts'

interface DraftHistoryProps<Extra> {
  draft: Draft<Extra>
  /** The tab whose newest state is to be shown first; empty for the newest of all, undefined while nothing is shown. */
  chosen: Signal<string | undefined>
}

export function DraftHistoryButton<Extra>({ draft, chosen }: DraftHistoryProps<Extra>) {
  return (
    <>
      <button type="button" class="button button-quiet button-small" onClick={() => (chosen.value = '')}>
        <Icon name="reset" size={16} /> {t`History`}
      </button>
      {chosen.value !== undefined && <DraftHistory draft={draft} chosen={chosen} />}
    </>
  )
}

function DraftHistory<Extra>({ draft, chosen }: DraftHistoryProps<Extra>) {
  const { autosave } = draft
  const list = useWork<readonly UnsavedState[]>('states', async () => {
    await autosave.flush()
    return autosave.states()
  })
  const shown = useSignal<string | undefined>(undefined)
  const states = list.value.value
  const close = () => {
    chosen.value = undefined
  }
  useEffect(() => {
    if (states === undefined || shown.value !== undefined) return
    shown.value = (states.find(({ tab_id }) => tab_id === chosen.value) ?? states[0])?.id
  }, [states])
  const state = states?.find(({ id }) => id === shown.value)
  return (
    <Dialog title={t`What you typed`} onClose={close} wide>
      <p class="muted">
        {t`Only you see it. States are kept for two weeks: one a minute for the last hour, then one an hour.`}
      </p>
      {list.problem.value !== undefined && <ProblemNote problem={list.problem.value} retry={list.again} />}
      {states?.length === 0 && (
        <p class="history-none">{t`Nothing yet. What you type and don’t save is kept here while you type.`}</p>
      )}
      {states !== undefined && states.length > 0 && (
        <div class="history">
          <ul class="history-states" aria-label={t`States`}>
            {states.map((each) => (
              <li key={each.id}>
                <button
                  type="button"
                  class="history-state"
                  aria-pressed={each.id === shown.value}
                  onClick={() => {
                    shown.value = each.id
                  }}
                >
                  <Moment at={each.typed_at} />
                  <span class="muted">{placeOf(draft, each)}</span>
                </button>
              </li>
            ))}
          </ul>
          {state !== undefined && <ShownState key={state.id} draft={draft} state={state} close={close} />}
        </div>
      )}
      <HistoryFoot draft={draft} hasStates={states !== undefined && states.length > 0} close={close} />
    </Dialog>
  )
}

function placeOf<Extra>({ autosave }: Draft<Extra>, state: UnsavedState): string {
  const where = autosave.isOwn(state) ? t`this tab` : autosave.isHere(state) ? t`another tab` : t`another device`
  const base = state.base_revision === 0 ? t`before the first draft` : t`from revision ${state.base_revision}`
  return `${where}, ${base}`
}

interface ShownStateProps<Extra> {
  draft: Draft<Extra>
  state: UnsavedState
  close(): void
}

function ShownState<Extra>({ draft, state, close }: ShownStateProps<Extra>) {
  const read = useWork(state.id, () => draft.autosave.read(state.id))
  const text = read.value.value?.text
  const here = draft.text.value
  const changes = useMemo(() => (text === undefined ? [] : changedLines(here, text)), [here, text])
  if (read.problem.value !== undefined) return <ProblemNote problem={read.problem.value} retry={read.again} />
  if (text === undefined) return <div class="panel-loading" role="status" aria-label={t`Loading`} />
  if (changes.length === 0) {
    return (
      <p class="verdict verdict-success" role="status">
        <span class="verdict-head">
          <Icon name="check" />
          <strong>{t`This is what is in the editor`}</strong>
        </span>
      </p>
    )
  }
  return (
    <section class="history-shown">
      <header class="history-head">
        <h3>
          {t`What differs from the editor`} <Counted {...countsOf(changes)} />
        </h3>
        <button
          type="button"
          class="button button-primary button-small"
          onClick={() => {
            draft.edit(text)
            close()
          }}
        >
          {t`Bring this back`}
        </button>
      </header>
      <LineDifference changes={changes} label={t`Lines that differ`} />
    </section>
  )
}

interface HistoryFootProps<Extra> {
  draft: Draft<Extra>
  hasStates: boolean
  close(): void
}

function HistoryFoot<Extra>({ draft, hasStates, close }: HistoryFootProps<Extra>) {
  const isSure = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  async function remove(): Promise<void> {
    try {
      await draft.autosave.removeAll()
      close()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    }
  }
  return (
    <>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      <div class="dialog-foot">
        {hasStates && !isSure.value && (
          <button type="button" class="button button-quiet history-remove" onClick={() => (isSure.value = true)}>
            {t`Remove all`}
          </button>
        )}
        {isSure.value && (
          <button type="button" class="button button-danger history-remove" onClick={() => void remove()}>
            {t`Remove all for good`}
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {t`Close`}
        </button>
      </div>
    </>
  )
}
