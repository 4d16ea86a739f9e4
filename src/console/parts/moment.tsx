/** An instant, told relative to now, exact on hover. */
import { signal } from '@preact/signals'
import { formatRelative } from '../format.ts'

const refreshMs = 20_000

/** One clock for the whole page, so that ten thousand rows need no timer each. */
const ticks = signal(0)
setInterval(() => {
  ticks.value++
}, refreshMs)

const exact = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

export function Moment({ at }: { at: string }) {
  // Read only to redraw on a tick; between ticks the current time is used.
  void ticks.value
  const instant = new Date(at)
  return (
    <time dateTime={at} title={`${exact.format(instant)} (${at})`}>
      {formatRelative(instant, new Date())}
    </time>
  )
}
