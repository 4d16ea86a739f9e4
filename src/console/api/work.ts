/** Asynchronous work of a screen: started again when its dependencies change; late results are dropped. */
import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type ApiProblem, problemFrom } from './problem.ts'

export interface Work<T> {
  value: Signal<T | undefined>
  problem: Signal<ApiProblem | undefined>
  isRunning: Signal<boolean>
  /** Does it again for the same key, and keeps the value meanwhile. */
  again(): Promise<void>
}

/**
 * Does something while the component is on the page, and again when the key changes.
 *
 * @param key identifies everything that `work` depends on; undefined while that is unknown
 */
export function useWork<T>(key: string | undefined, work: (abort: AbortSignal) => Promise<T>): Work<T> {
  const value = useSignal<T | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isRunning = useSignal(key !== undefined)
  const abort = useRef<AbortController>(undefined)

  async function again(): Promise<void> {
    if (key === undefined) return
    abort.current?.abort()
    const mine = new AbortController()
    abort.current = mine
    isRunning.value = true
    try {
      const made = await work(mine.signal)
      if (mine.signal.aborted) return
      value.value = made
      problem.value = undefined
    } catch (error) {
      if (mine.signal.aborted) return
      problem.value = problemFrom(error)
    }
    isRunning.value = false
  }

  // Before the paint: what belongs to another key is never seen under this one.
  useLayoutEffect(() => {
    value.value = undefined
    problem.value = undefined
    isRunning.value = key !== undefined
    void again()
    return () => abort.current?.abort()
  }, [key])

  return { value, problem, isRunning, again }
}
