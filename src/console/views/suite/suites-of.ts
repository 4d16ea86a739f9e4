/** The suites of all models that use a family: read once, however many parts of the page show them. */

import { type Signal, signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import type * as wire from '../../../client/quire.ts'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'

interface Reading {
  suites: Signal<readonly wire.SuiteItem[] | undefined>
  problem: Signal<ApiProblem | undefined>
  reload(): Promise<void>
}

interface SharedReading extends Reading {
  users: number
  stop(): void
}

/** By family; each as long as somebody shows it. */
const readings = new Map<string, SharedReading>()

export function useSuites(familyId: string): Reading {
  const reading = useMemo(() => readings.get(familyId) ?? newReading(familyId), [familyId])
  useLayoutEffect(() => {
    readings.set(familyId, reading)
    if (++reading.users === 1) void reading.reload()
    return () => {
      if (--reading.users > 0) return
      reading.stop()
      readings.delete(familyId)
    }
  }, [reading])
  return reading
}

function newReading(familyId: string): SharedReading {
  const suites = signal<readonly wire.SuiteItem[] | undefined>(undefined)
  const problem = signal<ApiProblem | undefined>(undefined)
  let abort = new AbortController()
  const reading: SharedReading = {
    ...{ suites, problem, users: 0 },
    stop: () => abort.abort(),
    async reload() {
      abort.abort()
      abort = new AbortController()
      const { signal: mine } = abort
      try {
        const answer = await call<{ suites: wire.SuiteItem[] }>(`/api/v1/suites?family_id=${familyId}`, {
          signal: mine,
        })
        if (mine.aborted) return
        suites.value = answer.suites
        problem.value = undefined
      } catch (error) {
        if (mine.aborted) return
        if (!(error instanceof ApiProblem)) throw error
        problem.value = error
      }
    },
  }
  readings.set(familyId, reading)
  return reading
}
