/** What came and will come into force, by month or as a list: read for the range that the address names. */

import type * as wire from '../../../client/quire.ts'
import { activationFilters } from '../../../core/list-filters.ts'
import { serverNow } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { locale, rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { listQuery } from '../../parts/list-filters.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { changeQuery, place } from '../../router.ts'
import { Agenda } from './agenda.tsx'
import { addMonths, changesOf, dayOf, startOf, weeksOf } from './changes.ts'
import { MonthView } from './month.tsx'

/** A list shows a year from its month on. */
const listMonths = 12
const monthTitle = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })

export interface CalendarProps {
  as: 'month' | 'list'
  mayEdit: boolean
}

export function Calendar({ as, mayEdit }: CalendarProps) {
  const today = dayOf(serverNow())
  const asked = place.value.query.get('month') ?? ''
  const month = startOf(asked) === undefined ? today.slice(0, 7) : asked.slice(0, 7)
  const [from, before] = rangeOf(as, month)
  const { kind, family_id } = activationFilters
  const filters = listQuery({ kind, family_id }).replace('?', '&')
  const range = `from=${wireTime(from)}&before=${wireTime(before)}`
  const { value, problem, reload } = useResource<wire.ActivationCalendar>(
    `/api/v1/activations/calendar?${range}${filters}`,
  )
  const read = value.value
  const changes = changesOf(read?.activations ?? [])
  const title = as === 'month' ? titleOf(month) : `${titleOf(month)} – ${titleOf(addMonths(month, listMonths - 1))}`
  const shown = { changes, today, mayEdit, reload }
  return (
    <section class="calendar" aria-label={title} aria-busy={read === undefined}>
      <header class="calendar-head">
        <h2>{title}</h2>
        <div class="calendar-steps">
          <button
            type="button"
            class="button button-small"
            onClick={() => changeQuery({ month: undefined, day: undefined })}
          >
            {t`Today`}
          </button>
          <Step word={t`Earlier month`} class="calendar-back" onClick={() => show(addMonths(month, -1))} />
          <Step word={t`Later month`} class="calendar-on" onClick={() => show(addMonths(month, 1))} />
        </div>
      </header>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {read !== undefined && read.total > read.activations.length && (
        <p class="note-warning" role="status">
          {t`The first ${read.activations.length} of ${read.total} are shown.`}{' '}
          {as === 'month' ? t`Choose a kind to see the others.` : t`Choose a kind or a later month to see the others.`}
        </p>
      )}
      {read !== undefined && changes.length === 0 && (
        <p class="calendar-empty">
          {rich`Nothing comes into force in ${as === 'month' ? titleOf(month) : t`these months`}${filters === '' ? '' : t`, as it is filtered`}.`}
        </p>
      )}
      {as === 'month' ? <MonthView month={month} {...shown} /> : <Agenda {...shown} />}
      {(read?.previous_at ?? read?.next_at) !== undefined && (
        <p class="calendar-around">
          {read?.previous_at !== undefined && <Jump word={t`Before`} at={read.previous_at} />}
          {read?.next_at !== undefined && <Jump word={t`After`} at={read.next_at} />}
        </p>
      )}
    </section>
  )
}

function show(month: string): void {
  changeQuery({ month, day: undefined })
}

function Step({ word, onClick, ...rest }: { word: string; class: string; onClick(): void }) {
  return (
    <button type="button" aria-label={word} title={word} onClick={onClick} class={`icon-button ${rest.class}`}>
      <Icon name="chevron" />
    </button>
  )
}

/** To the nearest change outside of what is shown. */
function Jump({ word, at }: { word: string; at: string }) {
  const day = dayOf(new Date(at))
  return (
    <button type="button" class="link-button" onClick={() => changeQuery({ month: day.slice(0, 7), day })}>
      {word}: {titleOf(day)}
    </button>
  )
}

function titleOf(day: string): string {
  return monthTitle.format(startOf(day) ?? new Date())
}

/** Whole local days. */
function rangeOf(as: CalendarProps['as'], month: string): [from: string, before: string] {
  if (as === 'list') return [`${month}-01`, `${addMonths(month, listMonths)}-01`]
  const days = weeksOf(month).flat()
  const last = startOf(days.at(-1) ?? month) ?? new Date()
  return [days[0] ?? `${month}-01`, dayOf(new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1))]
}

function wireTime(day: string): string {
  return (startOf(day) ?? new Date()).toISOString().replace('.000Z', 'Z')
}
