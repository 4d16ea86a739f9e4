/**
 * Two versions filled with the same data, page by page beside each other, with the differences listed for each page.
 */

import { useMemo } from 'preact/hooks'
import type { Template } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import type { ReadPage } from '../../engines/answers.ts'
import { useAnswer } from '../../engines/ask.ts'
import { rich, t } from '../../language.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { ComparedText, Unfilled } from './compared-states.tsx'
import type { Box } from './drawn-page.tsx'
import { type Filled, fill } from './filled.ts'
import { nameOf, PagePairs } from './page-pairs.tsx'
import { type Sample, SampleChoice, SampleMissing, useSample } from './sample.tsx'

export function ComparePages({ template }: { template: Template }) {
  const sample = useSample(template)
  const numbers = template.versions.map(({ number }) => number).sort((a, b) => b - a)
  const [newest, older] = numbers
  const hasDraft = template.draft_revision > 0
  if (newest === undefined || (older === undefined && !hasDraft)) {
    return (
      <div class="panel empty-panel">
        <p>{t`There is nothing to compare yet: freeze a version first.`}</p>
      </div>
    )
  }
  const from = place.value.query.get('from') ?? String(older ?? newest)
  const to = place.value.query.get('to') ?? (older === undefined ? 'draft' : String(newest))
  return (
    <>
      <div class="filters">
        {(
          [
            ['from', t`From`, from],
            ['to', t`To`, to],
          ] as const
        ).map(([name, label, value]) => (
          <label class="filter" key={name}>
            <span>{label}</span>
            <select value={value} onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}>
              {hasDraft && <option value="draft">{t`Draft`}</option>}
              {numbers.map((one) => (
                <option value={String(one)} key={one}>
                  v{one}
                </option>
              ))}
            </select>
          </label>
        ))}
        <SampleChoice sample={sample} withCase={true} />
      </div>
      {sample.key === undefined ? (
        <>
          <SampleMissing sample={sample} />
          <Unfilled template={template} from={from} to={to} />
        </>
      ) : (
        <>
          <Sides template={template} from={from} to={to} sample={sample} />
          <ComparedText template={template} from={from} to={to} />
        </>
      )}
    </>
  )
}

interface SidesProps {
  template: Template
  from: string
  to: string
  sample: Sample
}

function Sides({ template, from, to, sample }: SidesProps) {
  const before = useSide(template, from, sample)
  const after = useSide(template, to, sample)
  const [old, young] = [before.value.value, after.value.value]
  return (
    <>
      {[before, after].map(
        ({ problem, again }, index) =>
          problem.value !== undefined && <ProblemNote key={index} problem={problem.value} retry={again} />,
      )}
      {(before.isRunning.value || after.isRunning.value) && (
        <div class="panel panel-loading" role="status" aria-label={t`Filling both`} />
      )}
      {old !== undefined && young !== undefined && (
        <>
          <Refused name={nameOf(from)} filled={old} />
          <Refused name={nameOf(to)} filled={young} />
          {old.drawn !== undefined && young.drawn !== undefined && (
            <Pairs from={nameOf(from)} to={nameOf(to)} before={old.drawn.pages} after={young.drawn.pages} />
          )}
        </>
      )}
    </>
  )
}

function useSide(template: Template, which: string, sample: Sample) {
  const key = `${template.id} ${which} ${template.draft_revision} ${sample.key}`
  return useWork(key, (abort) => fill(template.id, which === 'draft' ? 'draft' : Number(which), sample, abort))
}

function Refused({ name, filled }: { name: string; filled: Filled }) {
  if (filled.drawn !== undefined) return null
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>{rich`${name} can’t be filled with this data`}</h2>
      </header>
      <ul class="findings">
        {filled.errors.map((error) => (
          <li key={`${error.path} ${error.message}`}>
            {error.message} <code>{error.path}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface PairsProps {
  from: string
  to: string
  before: readonly ReadPage[]
  after: readonly ReadPage[]
}

function Pairs({ from, to, before, after }: PairsProps) {
  const asked = useMemo(() => {
    const svgOf = ({ svg }: ReadPage) => svg
    return { before: before.map(svgOf), after: after.map(svgOf) }
  }, [before, after])
  const { answer, isAnswered, problem, again } = useAnswer('pages', asked)
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={again} />
  if (!isAnswered.value) return <div class="panel panel-loading" role="status" aria-label={t`Comparing the pages`} />
  const side = (pages: readonly ReadPage[], index: number | undefined, regions: readonly Box[]) => {
    const page = pages[index ?? -1]
    return page === undefined ? undefined : { ...page, number: (index ?? 0) + 1, regions }
  }
  const pairs = (answer.value ?? []).map((pair) => ({
    before: side(before, pair.before, pair.regions.before),
    after: side(after, pair.after, pair.regions.after),
    isSame: pair.isSame,
  }))
  return <PagePairs from={from} to={to} pairs={pairs} />
}
