/** Changes as a list by day, with a line where the present is. */

import { serverNow } from '../../api/client.ts'
import { formatInstant } from '../../format.ts'
import { locale, rich, t } from '../../language.ts'
import { ChangeList, type Shown } from './change-list.tsx'
import { dayOf, startOf } from './changes.ts'

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })

export function Agenda(shown: Omit<Shown, 'isUnfolded'>) {
  const { changes } = shown
  const nowMs = serverNow().getTime()
  // The present may be within a day.
  const days = [...Map.groupBy(changes, ({ atMs }) => `${dayOf(atMs)} ${atMs > nowMs ? 'coming' : 'past'}`)]
  const next = days.findIndex(([key]) => key.endsWith('coming'))
  if (days.length === 0) return null
  const isUnfolded = changes.length <= unfoldedMax
  return (
    <ol class="panel agenda">
      {days.map(([key, own], index) => (
        <AgendaDay
          key={key}
          day={key.slice(0, 10)}
          isNowAbove={index === next}
          shown={{ ...shown, isUnfolded, changes: own }}
        />
      ))}
      {next === -1 && <Now />}
    </ol>
  )
}

/** More than these are a list of lines. */
const unfoldedMax = 6

function Now() {
  return (
    <li class="agenda-now">
      <span>{rich`Now, ${formatInstant(serverNow())}`}</span>
    </li>
  )
}

function AgendaDay({ day, isNowAbove, shown }: { day: string; isNowAbove: boolean; shown: Shown }) {
  const start = startOf(day)
  const isToday = day === shown.today
  return (
    <>
      {isNowAbove && <Now />}
      <li class="agenda-day" data-today={isToday}>
        <h3>
          <span class="agenda-date">{dayAndMonth.format(start)}</span>{' '}
          <span class="muted">{isToday ? t`Today` : weekday.format(start)}</span>
        </h3>
        <ChangeList {...shown} />
      </li>
    </>
  )
}
