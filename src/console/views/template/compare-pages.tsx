/**
 * Two versions filled with the same data, page by page beside each other, with the differences listed for each page.
 */

import type { DrawnPage, Template } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { DrawnPageView } from './drawn-page.tsx'
import { type Filled, fill } from './filled.ts'
import { type Sample, SampleChoice, SampleMissing, useSample } from './sample.tsx'

export function ComparePages({ template }: { template: Template }) {
  const sample = useSample(template)
  const numbers = template.versions.map(({ number }) => number).sort((a, b) => b - a)
  const [newest, older] = numbers
  const hasDraft = template.draft_revision > 0
  if (newest === undefined || (older === undefined && !hasDraft)) {
    return (
      <div class="panel empty-panel">
        <p>There is nothing to compare yet: freeze a version first.</p>
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
            ['from', 'From', from],
            ['to', 'To', to],
          ] as const
        ).map(([name, label, value]) => (
          <label class="filter" key={name}>
            <span>{label}</span>
            <select value={value} onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}>
              {hasDraft && <option value="draft">Draft</option>}
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
        <SampleMissing sample={sample} />
      ) : (
        <Sides template={template} from={from} to={to} sample={sample} />
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
        <div class="panel panel-loading" role="status" aria-label="Filling both" />
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
        <h2>{name} can’t be filled with this data</h2>
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
  before: readonly DrawnPage[]
  after: readonly DrawnPage[]
}

function Pairs({ from, to, before, after }: PairsProps) {
  const pairs = Array.from({ length: Math.max(before.length, after.length) }, (_, index) => {
    const [left, right] = [before[index], after[index]]
    const isSame = left !== undefined && left.svg === right?.svg
    const missing = left === undefined ? `only in ${to}` : right === undefined ? `only in ${from}` : undefined
    return { left, right, isSame, verdict: missing ?? (isSame ? 'the same' : 'different') }
  })
  const changed = pairs.flatMap(({ isSame }, index) => (isSame ? [] : [index + 1]))
  return (
    <>
      <p class={`verdict ${changed.length === 0 ? 'verdict-success' : 'verdict-neutral'}`} role="status">
        <span class="verdict-head">
          <Icon name={changed.length === 0 ? 'check' : 'edit'} />
          <strong>
            {changed.length === 0
              ? 'Every page looks the same'
              : `${changed.length === 1 ? 'Page' : 'Pages'} ${changed.join(', ')} of ${pairs.length} ${changed.length === 1 ? 'looks' : 'look'} different`}
          </strong>
        </span>
      </p>
      {pairs.map(({ left, right, isSame, verdict }, index) => (
        <section class="panel" key={index} data-same={isSame} aria-label={`Page ${index + 1}`}>
          <header class="panel-head">
            <h2>Page {index + 1}</h2>
            <span class={isSame ? 'tone-success' : 'tone-warning'}>{verdict}</span>
          </header>
          <div class="compare-pages">
            <Side name={from} page={left} number={index + 1} />
            <Side name={to} page={right} number={index + 1} />
          </div>
        </section>
      ))}
    </>
  )
}

function Side({ name, page, number }: { name: string; page: DrawnPage | undefined; number: number }) {
  return (
    <figure class="compare-side">
      <figcaption>{name}</figcaption>
      {page === undefined ? (
        <p class="muted">No page {number}</p>
      ) : (
        <DrawnPageView page={page} name={`Page ${number} of ${name}`} />
      )}
    </figure>
  )
}

function nameOf(which: string): string {
  return which === 'draft' ? 'the draft' : `v${which}`
}
