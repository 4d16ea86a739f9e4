/** A month as its weeks. The arrow keys move between days; what changes on the chosen day is beside it. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { locale, rich, t } from '../../language.ts'
import { changeQuery, place } from '../../router.ts'
import { ChangeList, type Shown } from './change-list.tsx'
import { addDays, addMonths, type Change, dayOf, startOf, weeksOf } from './changes.ts'

/** More would make the rows of one month differ in height. */
const chipsMax = 3
/** Changes of one day; more are a list of lines. */
const unfoldedMax = 3
const dayTitle = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })

/** How many days a key moves on. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

export function MonthView({ month, ...shown }: Omit<Shown, 'isUnfolded'> & { month: string }) {
  const { changes, today } = shown
  const weeks = weeksOf(month)
  const byDay = Map.groupBy(changes, ({ atMs }) => dayOf(atMs))
  const chosen = chosenDay(month, today, byDay)
  const own = byDay.get(chosen) ?? []
  const grid = useRef<HTMLTableSectionElement>(null)
  const isMoving = useRef(false)
  // The focus follows the keys, and never goes to the grid by itself.
  useLayoutEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [chosen])

  function onKey(event: KeyboardEvent): void {
    const to = dayAfter(event.key, chosen)
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    isMoving.current = true
    changeQuery({ month: to.slice(0, 7), day: to })
  }

  return (
    <div class="month">
      <table class="panel month-grid" aria-label={t`Days`}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th scope="col" key={day}>
                {weekday.format(startOf(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={grid} onKeyDown={onKey}>
          {weeks.map((days) => (
            <tr key={days[0]}>
              {days.map((day) => (
                <td key={day} data-outside={!day.startsWith(month)}>
                  <Day day={day} changes={byDay.get(day) ?? []} isToday={day === today} isChosen={day === chosen} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <section class="month-day" aria-label={t`The chosen day`}>
        <h3>{dayTitle.format(startOf(chosen))}</h3>
        <ChangeList key={chosen} {...shown} changes={own} isUnfolded={own.length <= unfoldedMax} />
        {own.length === 0 && <p class="muted">{t`Nothing comes into force on this day.`}</p>}
        <p>
          <a
            href={`/activations?at=${encodeURIComponent(endOf(chosen))}`}
          >{t`What is in force at the end of this day`}</a>
        </p>
      </section>
    </div>
  )
}

function dayAfter(key: string, day: string): string | undefined {
  if (key === 'PageUp' || key === 'PageDown') return addMonths(day, key === 'PageUp' ? -1 : 1)
  const days = steps[key]
  return days === undefined ? undefined : addDays(day, days)
}

/** That of the address; else today, the first on which something changes, or the first. */
function chosenDay(month: string, today: string, byDay: ReadonlyMap<string, unknown>): string {
  const asked = place.value.query.get('day') ?? ''
  if (startOf(asked) !== undefined && asked.startsWith(month)) return asked
  if (today.startsWith(month)) return today
  return [...byDay.keys()].find((day) => day.startsWith(month)) ?? `${month}-01`
}

function endOf(day: string): string {
  const next = startOf(addDays(day, 1)) ?? new Date()
  return new Date(next.getTime() - 1_000).toISOString().replace('.000Z', 'Z')
}

interface DayProps {
  day: string
  changes: readonly Change[]
  isToday: boolean
  isChosen: boolean
}

function Day({ day, changes, isToday, isChosen }: DayProps) {
  const left = changes.length - chipsMax
  return (
    <button
      type="button"
      class="month-cell"
      tabIndex={isChosen ? 0 : -1}
      aria-pressed={isChosen}
      aria-current={isToday ? 'date' : undefined}
      onClick={() => changeQuery({ month: day.slice(0, 7), day })}
    >
      <span class="month-number" aria-hidden="true">
        {Number(day.slice(8))}
      </span>
      <span class="offscreen">{dayTitle.format(startOf(day))} </span>
      {changes.slice(0, left === 1 ? chipsMax + 1 : chipsMax).map(({ key, title, status, members }) => (
        <span class="month-chip" data-status={status} key={key}>
          <span class="month-chip-text">{title}</span>
          {members.length > 1 && <span class="month-chip-count">{members.length}</span>}
        </span>
      ))}
      {left > 1 && <span class="month-more">{rich`${left} more`}</span>}
    </button>
  )
}
