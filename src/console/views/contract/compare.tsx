/** Any two states of a contract beside each other: what breaks, and what stays compatible. */

import { useMemo } from 'preact/hooks'
import { type Resource, useResource } from '../../api/resource.ts'
import type { Contract, Version } from '../../api/types.ts'
import { useAnswer } from '../../engines/ask.ts'
import { t } from '../../language.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { place } from '../../router.ts'
import { ComparedSides } from '../configuration/compare-side.tsx'
import { unsavedText } from '../configuration/kept-text.ts'
import { ContractChanges } from './contract-changes.tsx'

export function Compare({ contract }: { contract: Contract }) {
  const numbers = contract.versions.map(({ number }) => number).sort((a, b) => b - a)
  const [newest, older] = numbers
  const from = place.value.query.get('from') ?? String(older ?? newest ?? 'draft')
  const to = place.value.query.get('to') ?? (older === undefined ? 'draft' : String(newest))
  // Read now: what the page knows of the draft may be older than the last save.
  const draft = useResource<Contract>(`/api/v1/contracts/${contract.id}`)
  const typed = unsavedText(contract.id)
  const before = useSchema({ draft, typed }, from)
  const after = useSchema({ draft, typed }, to)
  const revision = draft.value.value?.draft_revision
  return (
    <ComparedSides {...{ from, to, numbers, revision }} hasTyped={typed !== undefined}>
      {before.problem !== undefined && <ProblemNote problem={before.problem} />}
      {after.problem !== undefined && <ProblemNote problem={after.problem} />}
      {before.schema !== undefined && after.schema !== undefined && (
        <Changes before={before.schema} after={after.schema} />
      )}
    </ComparedSides>
  )
}

interface Drafts {
  draft: Resource<Contract>
  /** What is in the editor and not saved. */
  typed: string | undefined
}

/** One side: a version by its number, the draft as it is saved, or what is typed. */
function useSchema({ draft, typed }: Drafts, which: string) {
  const saved = draft.value.value
  const isVersion = which !== 'draft' && which !== 'typed'
  const version = useResource<Version>(
    isVersion && saved !== undefined ? `/api/v1/contracts/${saved.id}/versions/${which}` : undefined,
  )
  if (isVersion) return { schema: version.value.value?.schema, problem: version.problem.value }
  return { schema: which === 'typed' ? (typed ?? saved?.schema) : saved?.schema, problem: draft.problem.value }
}

function Changes({ before, after }: { before: string; after: string }) {
  const asked = useMemo(() => ({ before, after }), [before, after])
  const { answer, isAnswered, problem, again } = useAnswer('comparison', asked)
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={again} />
  if (!isAnswered.value) return <div class="panel panel-loading" role="status" aria-label={t`Comparing`} />
  const changes = answer.value
  if (changes === undefined) return <p class="muted">{t`One of the two has errors. Mend them in the draft first.`}</p>
  return <ContractChanges changes={changes} />
}
