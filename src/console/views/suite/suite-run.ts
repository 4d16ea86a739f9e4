/** Running a suite in steps, so that a long one shows how far it is; again whenever what it runs through changes. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type * as wire from '../../../client/quire.ts'
import { limits } from '../../../core/limits.ts'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { t } from '../../language.ts'

/** Which content of each part the cases run through. */
export type SuiteTarget = Pick<wire.SuiteRunRequest, 'state' | 'versions' | 'contract'>

export interface SuiteState {
  suite: Signal<wire.Suite | undefined>
  /** By the case's name; those of an earlier run stay until there is a newer one. */
  results: Signal<ReadonlyMap<string, wire.SuiteCaseResult>>
  /** Why nothing can be run. */
  issues: Signal<readonly wire.ConfigurationIssue[]>
  problem: Signal<ApiProblem | undefined>
  /** How many cases have run, and of how many; undefined when nothing runs. */
  progress: Signal<readonly [done: number, all: number] | undefined>
  /** What the last run ran through. */
  parts: Signal<wire.SuiteRun['parts']>
  again(): Promise<void>
}

/**
 * @param key changes with what the cases run through
 * @param mayRun whether the user may run cases
 */
export function useSuite(modelId: string, target: SuiteTarget, { key, mayRun }: { key: string; mayRun: boolean }) {
  const state: Omit<SuiteState, 'again'> = {
    suite: useSignal<wire.Suite | undefined>(undefined),
    results: useSignal<ReadonlyMap<string, wire.SuiteCaseResult>>(new Map()),
    issues: useSignal<readonly wire.ConfigurationIssue[]>([]),
    problem: useSignal<ApiProblem | undefined>(undefined),
    progress: useSignal<readonly [done: number, all: number] | undefined>(undefined),
    parts: useSignal<wire.SuiteRun['parts']>([]),
  }
  const abort = useRef<AbortController>(undefined)

  async function again(): Promise<void> {
    abort.current?.abort()
    const mine = new AbortController()
    abort.current = mine
    try {
      await runAll(state, { modelId, target, mayRun, signal: mine.signal })
    } catch (error) {
      if (mine.signal.aborted) return
      if (!(error instanceof ApiProblem)) throw error
      state.problem.value = error
    }
    state.progress.value = undefined
  }

  useEffect(() => {
    void again()
    return () => abort.current?.abort()
  }, [modelId, key])

  return { ...state, again }
}

interface Running {
  modelId: string
  target: SuiteTarget
  mayRun: boolean
  signal: AbortSignal
}

async function runAll(state: Omit<SuiteState, 'again'>, { modelId, target, mayRun, signal }: Running): Promise<void> {
  const path = `/api/v1/suites/${modelId}`
  const suite = await call<wire.Suite>(path, { signal })
  state.suite.value = suite
  state.problem.value = undefined
  const names = suite.cases.map(({ name }) => name)
  if (!mayRun || names.length === 0) return
  const results = new Map(state.results.peek())
  for (const known of results.keys()) if (!names.includes(known)) results.delete(known)
  for (let from = 0; from < names.length; from += limits.suiteRunCases) {
    state.progress.value = [from, names.length]
    const body = { ...target, cases: names.slice(from, from + limits.suiteRunCases) }
    const run = await call<wire.SuiteRun>(`${path}/runs`, { method: 'POST', body, signal })
    state.issues.value = run.issues
    if (run.issues.length > 0) {
      state.results.value = new Map()
      return
    }
    state.parts.value = run.parts
    for (const result of run.cases) results.set(result.name, result)
    state.results.value = new Map(results)
  }
}

export interface SuiteCounts {
  green: number
  red: number
  unwritten: number
}

export function countsOf(results: Iterable<wire.SuiteCaseResult>): SuiteCounts {
  const counts: SuiteCounts = { green: 0, red: 0, unwritten: 0 }
  for (const { verdict } of results) counts[verdict]++
  return counts
}

/** "2 of 5 cases are red". */
export function verdictOf({ green, red, unwritten }: SuiteCounts): string {
  const all = green + red + unwritten
  if (red > 0) return all === 1 ? t`The case is red` : t`${red} of ${all} cases ${red === 1 ? t`is` : t`are`} red`
  if (unwritten === 0) return all === 1 ? t`The case is green` : t`All ${all} cases are green`
  if (green === 0) {
    return unwritten === 1
      ? t`Nothing refuses it, and nothing is written down of it`
      : t`Nothing refuses them, and nothing is written down of them`
  }
  const written = green === 1 ? t`1 case is green` : t`${green} cases are green`
  return unwritten === 1
    ? t`${written}, and of one nothing is written down`
    : t`${written}, and of ${unwritten} nothing is written down`
}
