/** A template filled with sample data: its pages with every value marked, beside the list of its bindings. */

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Template } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { useCommand } from '../../keys.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { BoundList, Resolved } from './bound-list.tsx'
import { type Filled, fill } from './filled.ts'
import { isAt, placeKey } from './places.ts'
import { SampleChoice, SampleMissing, useSample } from './sample.tsx'
import { bringIntoView, PdfDialog, pagesText, Sheets } from './sheets.tsx'

export function Preview({ template }: { template: Template }) {
  const sample = useSample(template)
  const numbers = template.versions.map(({ number }) => number).sort((a, b) => b - a)
  const subject = place.value.query.get('of') ?? String(numbers[0] ?? 'draft')
  const isReady = sample.key !== undefined
  const key = isReady ? `${template.id} ${subject} ${template.draft_revision} ${sample.key}` : undefined
  const filling = useWork(key, (abort) =>
    fill(template.id, subject === 'draft' ? 'draft' : Number(subject), sample, abort),
  )
  useCommand('Enter', isReady ? filling.again : undefined)
  const isRunning = filling.isRunning.value

  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>{t`Template`}</span>
          <select value={subject} onChange={(event) => changeQuery({ of: event.currentTarget.value })}>
            {template.draft_revision > 0 && <option value="draft">{t`Draft`}</option>}
            {numbers.map((number) => (
              <option value={String(number)} key={number}>
                v{number}
              </option>
            ))}
          </select>
        </label>
        <SampleChoice sample={sample} withCase={true} />
        <span class="filters-end">
          <button type="button" class="button" disabled={!isReady || isRunning} onClick={() => void filling.again()}>
            <Icon name="play" size={16} /> {isRunning && isReady ? t`Filling…` : t`Fill again`}
          </button>
        </span>
      </div>
      {!isReady && <SampleMissing sample={sample} />}
      {filling.problem.value !== undefined && <ProblemNote problem={filling.problem.value} retry={filling.again} />}
      {isRunning && isReady && filling.value.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Filling the template`} />
      )}
      {filling.value.value !== undefined && <Shown filled={filling.value.value} />}
    </>
  )
}

function Shown({ filled }: { filled: Filled }) {
  const { drawn, bindings } = filled
  const showsPdf = useSignal(false)
  const pages = useRef<HTMLElement>(null)
  const list = useRef<HTMLElement>(null)
  const at = place.value.query.get('at')
  const selected = bindings.find((binding) => isAt(binding, at))
  const selectedPlace = selected === undefined ? undefined : placeKey(selected)
  const drawnPlaces = new Set(drawn?.pages.flatMap(({ marks }) => marks.map(placeKey)))

  // What is lit in one of the two is brought into view in the other.
  useLayoutEffect(() => {
    if (selectedPlace === undefined) return
    for (const [box, lit] of [
      [pages.current, '.sheet-mark[aria-pressed=true]'],
      [list.current, '[aria-pressed=true]'],
    ] as const) {
      const found = box?.querySelector(lit)
      if (box && found) bringIntoView(box, found)
    }
  }, [selectedPlace, drawn])

  const select = (chosen: string) => changeQuery({ at: chosen === selectedPlace ? undefined : chosen })
  return (
    <div class="preview-panes">
      <section class="pane preview-pages" aria-label={t`Pages`} ref={pages}>
        <header class="pane-head">
          <h2>{t`Pages`}</h2>
          {drawn !== undefined && (
            <>
              <span class="pane-note">{pagesText(drawn.pages.length, drawn.total_pages)}</span>
              <button type="button" class="button button-small" onClick={() => (showsPdf.value = true)}>
                {t`As PDF`}
              </button>
            </>
          )}
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
        <section class="pane-body sheets" tabIndex={0} aria-label={t`Filled pages`}>
          <Sheets
            {...filled}
            isLit={(mark) => placeKey(mark) === selectedPlace}
            onSelect={(mark) => select(placeKey(mark))}
          />
        </section>
      </section>
      <section class="pane" aria-label={t`Bindings`} ref={list}>
        <header class="pane-head">
          <h2>{t`Bindings`}</h2>
          <Resolved bindings={bindings} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
        <section class="pane-body" tabIndex={0} aria-label={t`Bindings and their values`}>
          <BoundList
            bindings={bindings}
            isLit={(binding) => placeKey(binding) === selectedPlace}
            isDrawn={(binding) => drawnPlaces.has(placeKey(binding))}
            onSelect={(binding) => select(placeKey(binding))}
          />
        </section>
      </section>
      {showsPdf.value && <PdfDialog filled={filled} onClose={() => (showsPdf.value = false)} />}
    </div>
  )
}
