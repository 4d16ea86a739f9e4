/** A template filled with sample data: its pages with every value marked, beside the list of its bindings. */

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Template } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { useCommand } from '../../keys.ts'
import { t } from '../../language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PdfFrame } from '../../parts/pdf-frame.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { DrawnPageView } from './drawn-page.tsx'
import { type Bound, type Filled, fill } from './filled.ts'
import { isAt, partName, placeKey } from './places.ts'
import { SampleChoice, SampleMissing, useSample } from './sample.tsx'

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
  const { drawn, errors, bindings } = filled
  const showsPdf = useSignal(false)
  const pages = useRef<HTMLElement>(null)
  const list = useRef<HTMLElement>(null)
  const at = place.value.query.get('at')
  const selected = bindings.find((binding) => isAt(binding, at))
  const selectedPlace = selected === undefined ? undefined : placeKey(selected)
  const drawnPlaces = new Set(drawn?.pages.flatMap(({ marks }) => marks.map(placeKey)))
  const byPlace = new Map(bindings.map((binding) => [placeKey(binding), binding]))

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
          {errors.length > 0 && (
            <ul class="findings">
              {errors.map((error) => (
                <li key={`${error.path} ${error.message}`}>
                  {error.message} <code>{error.path}</code>
                </li>
              ))}
            </ul>
          )}
          {drawn?.pages.map((page, index) => (
            <DrawnPageView
              key={index}
              page={page}
              name={t`Page ${index + 1} of ${drawn.total_pages}`}
              marks={{
                selected: selectedPlace,
                onSelect: select,
                titleOf: (one) => byPlace.get(one)?.pointer ?? one,
              }}
            />
          ))}
        </section>
      </section>
      <section class="pane" aria-label={t`Bindings`} ref={list}>
        <header class="pane-head">
          <h2>{t`Bindings`}</h2>
          <Resolved bindings={bindings} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
        <section class="pane-body" tabIndex={0} aria-label={t`Bindings and their values`}>
          <ul class="bound-list">
            {bindings.map((binding) => (
              <li key={`${placeKey(binding)} ${binding.pointer}`}>
                <BoundRow
                  binding={binding}
                  isLit={placeKey(binding) === selectedPlace}
                  isDrawn={drawnPlaces.has(placeKey(binding))}
                  onSelect={select}
                />
              </li>
            ))}
          </ul>
          {bindings.length === 0 && (
            <p class="pane-empty">{t`This template binds nothing: it is the same for all data.`}</p>
          )}
        </section>
      </section>
      {showsPdf.value && <PdfDialog filled={filled} onClose={() => (showsPdf.value = false)} />}
    </div>
  )
}

interface BoundRowProps {
  binding: Bound
  isLit: boolean
  isDrawn: boolean
  onSelect(place: string): void
}

function BoundRow({ binding, isLit, isDrawn, onSelect }: BoundRowProps) {
  const { pointer, resolved, required, value, part } = binding
  return (
    <button type="button" class="bound" aria-pressed={isLit} onClick={() => onSelect(placeKey(binding))}>
      <code class="bound-pointer">{pointer}</code>
      <span class="bound-value">
        {resolved ? (
          (value ?? <span class="muted">{t`a list or object`}</span>)
        ) : (
          <span class={required ? 'tone-danger' : 'muted'}>{required ? t`missing` : t`left out`}</span>
        )}
      </span>
      <span class="bound-place">
        {partName(part)}
        {!isDrawn && t`, draws nothing itself`}
      </span>
    </button>
  )
}

function Resolved({ bindings }: { bindings: readonly Bound[] }) {
  const missing = bindings.filter(({ resolved, required }) => required && !resolved).length
  return missing === 0 ? (
    <span class="pane-note tone-success">{t`every value is there`}</span>
  ) : (
    <span class="pane-note tone-danger">{missing === 1 ? t`one is missing` : t`${missing} are missing`}</span>
  )
}

function PdfDialog({ filled, onClose }: { filled: Filled; onClose(): void }) {
  const { value, problem, again } = useWork('pdf', () => filled.readPdf())
  return (
    <Dialog title={t`The filled template as PDF`} onClose={onClose} wide>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={again} />}
      {value.value !== undefined && <PdfFrame blob={value.value} title={t`Filled template`} />}
      {value.value === undefined && problem.value === undefined && (
        <div class="preview preview-loading" role="status" aria-label={t`Making the PDF`} />
      )}
      <div class="dialog-foot">
        <button type="button" class="button button-primary" onClick={onClose}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}

function pagesText(drawn: number, total: number): string {
  if (drawn < total) return t`the first ${drawn} of ${total}`
  return total === 1 ? t`one page` : t`${total} pages`
}

/** Scrolls the box, and then the window, only as far as needed: what is already in view stays put. */
function bringIntoView(box: Element, found: Element): void {
  const scroller = box.querySelector('.pane-body') ?? box
  const outer = scroller.getBoundingClientRect()
  const inner = found.getBoundingClientRect()
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    scroller.scrollTop += inner.top - outer.top - outer.height / 3
  found.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
