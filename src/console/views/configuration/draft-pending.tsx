/** What is in an editor's place while there is nothing to edit: the draft is being read, can't be, or waits for a decision. */
import { t } from '../../language.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import type { Draft } from './draft.ts'
import { DraftConflict } from './draft-conflict.tsx'

export function DraftPending<Extra>({ draft }: { draft: Draft<Extra> }) {
  const conflict = draft.conflict.value
  if (conflict !== undefined) {
    return <DraftConflict meeting={conflict} decide={(text) => draft.decide(text)} takeTheirs={draft.discard} />
  }
  if (draft.problem.value !== undefined) return <ProblemNote problem={draft.problem.value} retry={draft.load} />
  return <div class="panel panel-loading" role="status" aria-label={t`Loading the draft`} />
}
