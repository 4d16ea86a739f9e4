/** Any two states of a contract beside each other: what breaks, and what stays compatible. */
import { useMemo } from 'preact/hooks'
import type { SchemaChange } from '../../../engines/schema/changes.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import type { Contract, Version } from '../../api/types.ts'
import { useAnswer } from '../../engines/ask.ts'
import { Blocks } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { unsavedText } from '../configuration/kept-text.ts'

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
  if (numbers.length === 0) {
    return (
      <div class="panel empty-panel">
        <p>There is nothing to compare yet: freeze a version first.</p>
      </div>
    )
  }
  const sides = { numbers, revision: draft.value.value?.draft_revision, hasTyped: typed !== undefined }
  return (
    <>
      <div class="filters">
        <Side name="from" label="From" value={from} {...sides} />
        <Side name="to" label="To" value={to} {...sides} />
      </div>
      {before.problem !== undefined && <ProblemNote problem={before.problem} />}
      {after.problem !== undefined && <ProblemNote problem={after.problem} />}
      {before.schema !== undefined && after.schema !== undefined && (
        <Changes before={before.schema} after={after.schema} />
      )}
    </>
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

interface SideProps {
  name: string
  label: string
  value: string
  numbers: readonly number[]
  revision: number | undefined
  hasTyped: boolean
}

function Side({ name, label, value, numbers, revision, hasTyped }: SideProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}>
        {hasTyped && <option value="typed">Unsaved changes</option>}
        <option value="draft">Draft{revision !== undefined && `, revision ${revision}`}</option>
        {numbers.map((number) => (
          <option value={String(number)} key={number}>
            v{number}
          </option>
        ))}
      </select>
    </label>
  )
}

const effects = [
  ['breaking', 'Breaking', 'Input that was valid may be refused.'],
  ['unknown', 'Undecided', 'Whether input stays valid depends on what it holds.'],
  ['compatible', 'Compatible', 'What was valid stays valid.'],
] as const

function Changes({ before, after }: { before: string; after: string }) {
  const asked = useMemo(() => ({ before, after }), [before, after])
  const { answer, isAnswered } = useAnswer('comparison', asked)
  if (!isAnswered.value) return <div class="panel panel-loading" role="status" aria-label="Comparing" />
  const changes = answer.value
  if (changes === undefined) return <p class="muted">One of the two has errors. Mend them in the draft first.</p>
  const { tone, icon, words } = verdictOf(changes)
  return (
    <>
      <p class={`verdict verdict-${tone}`} role="status">
        <span class="verdict-head">
          <Icon name={icon} />
          <strong>{words}</strong>
        </span>
      </p>
      {effects.map(([effect, title, meaning]) => (
        <ChangeList
          key={effect}
          title={title}
          meaning={meaning}
          changes={changes.filter((change) => change.effect === effect)}
        />
      ))}
    </>
  )
}

function verdictOf(changes: readonly SchemaChange[]) {
  const has = (wanted: SchemaChange['effect']) => changes.some(({ effect }) => effect === wanted)
  if (changes.length === 0) return { tone: 'success', icon: 'check', words: 'No difference' } as const
  if (has('breaking')) return { tone: 'danger', icon: 'alert', words: 'A breaking change' } as const
  if (has('unknown')) return { tone: 'neutral', icon: 'alert', words: 'A change that may break' } as const
  return { tone: 'success', icon: 'check', words: 'A compatible change' } as const
}

const changePx = 32

function ChangeList({ title, meaning, changes }: { title: string; meaning: string; changes: readonly SchemaChange[] }) {
  if (changes.length === 0) return null
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>
          {title} <span class="tab-count">{changes.length}</span>
        </h2>
        <span class="muted">{meaning}</span>
      </header>
      <Blocks
        rows={changes}
        class="changes"
        rowPx={changePx}
        draw={(change) => (
          <li key={`${change.side} ${change.pointer} ${change.message}`} data-effect={change.effect}>
            <code>{change.pointer === '' ? 'the whole contract' : change.pointer}</code> <span>{change.message}</span>
          </li>
        )}
      />
    </section>
  )
}
