/** What the server says about two states of a template: their pages with the tags unfilled, and their text. */

import { useResource } from '../../api/resource.ts'
import type { Comparison, Template } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { changesIn, countsOf, LineDifference } from '../../parts/line-difference.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Counted } from '../configuration/compare-lines.tsx'
import { EarlierReading } from '../configuration/earlier-reading.tsx'
import { nameOf, PagePairs } from './page-pairs.tsx'

interface StatesProps {
  template: Template
  from: string
  to: string
}

/** @param pages whether they are wanted, which takes a while */
function useComparison({ template, from, to }: StatesProps, pages: 'drawn' | 'none') {
  const query = new URLSearchParams({ kind: 'template', family_id: template.id, from, to, pages })
  return useResource<Comparison>(`/api/v1/comparisons?${query}`)
}

/** The pages and the text, without data. */
export function Unfilled(props: StatesProps) {
  const { value, problem, reload } = useComparison(props, 'drawn')
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={reload} />
  if (value.value === undefined) return <div class="panel panel-loading" role="status" aria-label={t`Comparing`} />
  return (
    <>
      <EarlierReading from={value.value.from} to={value.value.to} />
      <p class="muted">{t`These are the pages with their tags unfilled.`}</p>
      {value.value.pages !== undefined && (
        <PagePairs from={nameOf(props.from)} to={nameOf(props.to)} pairs={value.value.pages.pairs} />
      )}
      <TextOf comparison={value.value} />
    </>
  )
}

export function ComparedText(props: StatesProps) {
  const { value, problem, reload } = useComparison(props, 'none')
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={reload} />
  return value.value === undefined ? null : <TextOf comparison={value.value} />
}

function TextOf({ comparison: { difference } }: { comparison: Comparison }) {
  const changes = changesIn(difference)
  if (changes.length === 0) return null
  return (
    <section class="panel panel-flush">
      <header class="panel-head">
        <h2>{rich`Text ${<Counted {...countsOf(changes)} />}`}</h2>
      </header>
      <LineDifference changes={changes} label={t`Text that differs`} />
    </section>
  )
}
