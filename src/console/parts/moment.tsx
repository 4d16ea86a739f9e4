/** An instant, told relative to now, exact on hover. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatRelative } from '../format.ts'

const refreshMs = 20_000

export function Moment({ at }: { at: string }) {
  const now = useSignal(new Date())
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = new Date()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [now])
  const instant = new Date(at)
  return (
    <time dateTime={at} title={`${instant.toLocaleString()} (${at})`}>
      {formatRelative(instant, now.value)}
    </time>
  )
}
