/** An instant, told relative to now, exact on hover. */
import { signal } from '@preact/signals'
import { formatRelative } from '../format.ts'

const refreshMs = 20_000

/** One clock for all that a page tells: a list of ten thousand has no timer for each. */
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
  // Read for its news only: what is drawn between two ticks tells the time that it is.
  void ticks.value
  const instant = new Date(at)
  return (
    <time dateTime={at} title={`${exact.format(instant)} (${at})`}>
      {formatRelative(instant, new Date())}
    </time>
  )
}
