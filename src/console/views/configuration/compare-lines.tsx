/** Any two states of a transformer or ingestion model, line by line. */

import { useMemo } from 'preact/hooks'
import { changedLines } from '../../../core/line-difference.ts'
import { useResource } from '../../api/resource.ts'
import type { ConfigurationKind, DefinitionFamily, SourceDraft, Version } from '../../api/types.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { countsOf, LineDifference } from '../../parts/line-difference.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { place } from '../../router.ts'
import { ComparedSides } from './compare-side.tsx'
import { EarlierVersions } from './earlier-reading.tsx'
import type { FamilyPart } from './family-page.tsx'
import { unsavedText } from './kept-text.ts'
import { pathOfFamily } from './kinds.ts'

export function linesCompared(kind: Exclude<ConfigurationKind, 'template'>, family: DefinitionFamily): FamilyPart {
  return { key: 'compare', title: t`Compare`, show: () => <CompareLines kind={kind} family={family} /> }
}

interface CompareLinesProps {
  kind: ConfigurationKind
  family: DefinitionFamily
}

function CompareLines({ kind, family }: CompareLinesProps) {
  const path = `/api/v1${pathOfFamily(kind, family.id)}`
  const numbers = family.versions.map(({ number }) => number).sort((a, b) => b - a)
  const typed = unsavedText(family.id)
  const from = place.value.query.get('from') ?? String(numbers[0] ?? 'draft')
  const to = place.value.query.get('to') ?? (typed === undefined ? 'draft' : 'typed')
  // Read now: what the page knows of the draft may be older than the last save.
  const now = useResource<DefinitionFamily>(path)
  const hasDraft = now.value.value !== undefined && now.value.value.draft_revision > 0
  const draft = useResource<SourceDraft>(hasDraft ? `${path}/draft` : undefined)
  const before = useSource(path, from)
  const after = useSource(path, to)
  const textOf = (which: string, version: Version | undefined) =>
    which === 'typed'
      ? (typed ?? draft.value.value?.source)
      : which === 'draft'
        ? draft.value.value?.source
        : version?.source
  const [old, young] = [textOf(from, before.value.value), textOf(to, after.value.value)]
  const revision = draft.value.value?.revision
  return (
    <ComparedSides {...{ from, to, numbers, revision }} hasTyped={typed !== undefined}>
      {[now, draft, before, after].map(
        ({ problem, reload }, index) =>
          problem.value !== undefined && <ProblemNote key={index} problem={problem.value} retry={reload} />,
      )}
      {kind === 'transformer' && <EarlierVersions {...{ kind, from, to }} id={family.id} />}
      {old !== undefined && young !== undefined && <Lines before={old} after={young} />}
    </ComparedSides>
  )
}

function useSource(path: string, which: string) {
  return useResource<Version>(which === 'draft' || which === 'typed' ? undefined : `${path}/versions/${which}`)
}

function Lines({ before, after }: { before: string; after: string }) {
  const changes = useMemo(() => changedLines(before, after), [before, after])
  const { added, removed } = countsOf(changes)
  if (changes.length === 0) {
    return (
      <p class="verdict verdict-success" role="status">
        <span class="verdict-head">
          <Icon name="check" />
          <strong>{t`No difference`}</strong>
        </span>
      </p>
    )
  }
  return (
    <section class="panel panel-flush">
      <header class="panel-head">
        <h2>
          {changes.length === 1 ? t`One place differs` : t`${changes.length} places differ`}{' '}
          <Counted added={added} removed={removed} />
        </h2>
      </header>
      <LineDifference changes={changes} label={t`Lines that differ`} />
    </section>
  )
}

export function Counted({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="diff-counts">
      <span class="tone-success">
        +{added}
        <span class="offscreen"> {t`added,`}</span>
      </span>{' '}
      <span class="tone-danger">
        −{removed}
        <span class="offscreen"> {t`removed`}</span>
      </span>
    </span>
  )
}
