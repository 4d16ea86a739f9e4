/** A text that changes only when the typing pauses. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The text after typing has paused for this long. The first text counts at once. */
export function useDebounced(value: string, pauseMs: number): string {
  const settled = useSignal(value)
  useEffect(() => {
    if (settled.peek() === '') {
      settled.value = value
      return
    }
    const timer = setTimeout(() => {
      settled.value = value
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled.value
}
