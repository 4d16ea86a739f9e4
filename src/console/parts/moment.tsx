/** An instant: relative to now, and in absolute time with its zone beside it; to the second on hover. */

import { signal } from '@preact/signals'
import { formatInstant, formatRelative } from '../format.ts'
import { locale } from '../language.ts'

const refreshMs = 20_000

/** One clock for the whole page, so that ten thousand rows need no timer each. */
const ticks = signal(0)
setInterval(() => {
  ticks.value++
}, refreshMs)

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' })

/** An instant in absolute time alone, for sentences that say "since". */
export function Instant({ at }: { at: string }) {
  return (
    <time class="moment" dateTime={at} title={at}>
      {formatInstant(new Date(at))}
    </time>
  )
}

export function Moment({ at }: { at: string }) {
  // Read only to redraw on a tick; between ticks the current time is used.
  void ticks.value
  const instant = new Date(at)
  return (
    <time class="moment" dateTime={at} title={`${exact.format(instant)} (${at})`}>
      {formatRelative(instant, new Date())} <span class="moment-exact">{formatInstant(instant)}</span>
    </time>
  )
}
