/** Reading for a screen: one resource, or a list page by page. Both keep what they have while they read again. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { keepInStep, keptInStep } from '../history.ts'
import { call } from './client.ts'
import { type ApiProblem, problemFrom } from './problem.ts'
import { useWork } from './work.ts'

export interface Resource<T> {
  value: Signal<T | undefined>
  problem: Signal<ApiProblem | undefined>
  reload(): Promise<void>
}

/**
 * Reads a path while the component is on the page, and again when the path changes.
 *
 * @param path undefined while it is not known yet
 * @param refreshMs reads again at this interval while the page is visible
 */
export function useResource<T>(path: string | undefined, refreshMs?: number): Resource<T> {
  const { value, problem, isRunning, again } = useWork<T>(path, (signal) => call<T>(path ?? '', { signal }))

  useEffect(() => {
    if (refreshMs === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isRunning.peek()) void again()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [path, refreshMs])

  return { value, problem, reload: again }
}

/** The first of several resources that could not be read, with what reads it again; undefined if all were read. */
export function firstFailed(
  ...resources: readonly Pick<Resource<unknown>, 'problem' | 'reload'>[]
): { problem: ApiProblem; retry: () => Promise<void> } | undefined {
  for (const { problem, reload } of resources)
    if (problem.value !== undefined) return { problem: problem.value, retry: reload }
  return undefined
}

export interface Pages<Row> {
  rows: Signal<readonly Row[]>
  phase: Signal<'loading' | 'idle'>
  problem: Signal<ApiProblem | undefined>
  /** True while the list has more. */
  hasMore: Signal<boolean>
  more(): Promise<void>
  /** Reads the newest page again, and takes in what is new or changed. */
  refresh(): Promise<void>
  /** Reads from the start. */
  restart(): Promise<void>
}

/** What is kept of a list for the way back. */
interface KeptList<Row> {
  rows: readonly Row[]
  cursor: string | undefined
  hasMore: boolean
}

type Page<Row> = { next_cursor?: string } & Record<string, Row[]>

/**
 * A list, newest first, that grows page by page.
 *
 * @param path with its filters, without `limit` and `cursor`
 * @param member the list's name in the answer
 */
export function usePages<Row>(
  path: string | undefined,
  member: string,
  keyOf: (row: Row) => string,
  pageSize = 100,
): Pages<Row> {
  const rows = useSignal<readonly Row[]>([])
  const phase = useSignal<'loading' | 'idle'>('loading')
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const hasMore = useSignal(false)
  const state = useRef<{ cursor?: string | undefined; abort: AbortController }>({ abort: new AbortController() })

  async function read(cursor: string | undefined): Promise<Page<Row> | undefined> {
    if (path === undefined) return undefined
    const { signal } = state.current.abort
    const query = new URLSearchParams({ limit: String(pageSize) })
    if (cursor !== undefined) query.set('cursor', cursor)
    try {
      return await call<Page<Row>>(`${path}${path.includes('?') ? '&' : '?'}${query}`, { signal })
    } catch (error) {
      if (signal.aborted) return undefined
      problem.value = problemFrom(error)
      return undefined
    }
  }

  async function load(from: string | undefined): Promise<void> {
    const { abort } = state.current
    phase.value = 'loading'
    problem.value = undefined
    const page = await read(from)
    if (abort.signal.aborted) return
    phase.value = 'idle'
    if (page === undefined) return
    const loaded = page[member] ?? []
    rows.value = from === undefined ? loaded : [...rows.value, ...loaded]
    state.current.cursor = page.next_cursor
    hasMore.value = page.next_cursor !== undefined
    keep()
  }

  async function more(): Promise<void> {
    if (phase.value === 'loading' || !hasMore.value || problem.value !== undefined) return
    await load(state.current.cursor)
  }

  async function restart(): Promise<void> {
    state.current.abort.abort()
    state.current = { abort: new AbortController() }
    await load(undefined)
  }

  async function refresh(): Promise<void> {
    if (phase.value === 'loading') return
    const { abort } = state.current
    const page = await read(undefined)
    if (page === undefined || abort.signal.aborted) return
    problem.value = undefined
    const newest = page[member] ?? []
    const merged = mergeNewest(rows.value, newest, keyOf, page.next_cursor === undefined)
    rows.value = merged
    if (merged === newest) {
      state.current.cursor = page.next_cursor
      hasMore.value = page.next_cursor !== undefined
    }
    keep()
  }

  /** For coming back to this list. */
  function keep(): void {
    if (path === undefined) return
    const list: KeptList<Row> = { rows: rows.value, cursor: state.current.cursor, hasMore: hasMore.value }
    keepInStep(`list ${path}`, list)
  }

  /** Shows the list as it was when the person left it, then takes in what is new. */
  async function resume(list: KeptList<Row>): Promise<void> {
    state.current = { cursor: list.cursor, abort: new AbortController() }
    rows.value = list.rows
    hasMore.value = list.hasMore
    phase.value = 'idle'
    await refresh()
  }

  // Before the paint, so that no row of another path is seen or chosen under this one.
  useLayoutEffect(() => {
    const list = keptInStep(`list ${path}`) as KeptList<Row> | undefined
    if (list === undefined) {
      rows.value = []
      hasMore.value = false
      void restart()
    } else void resume(list)
    return () => state.current.abort.abort()
  }, [path])

  return { rows, phase, problem, hasMore, more, refresh, restart }
}

/**
 * Puts the known rows that are older than the newest page behind it. Known rows that the page lacks have left the list: a failed
 * execution was retried, say, or a row no longer matches the filter. If the page doesn't reach the known rows, it replaces
 * them, so that none is missing in between.
 * @param isAll whether the newest page is the whole list
 */
export function mergeNewest<Row>(
  known: readonly Row[],
  newest: readonly Row[],
  keyOf: (row: Row) => string,
  isAll: boolean,
): readonly Row[] {
  if (isAll) return newest
  const last = newest.at(-1)
  const reached = last === undefined ? -1 : known.findIndex((row) => keyOf(row) === keyOf(last))
  const older = reached === -1 ? [] : known.slice(reached + 1)
  return older.length === 0 ? newest : [...newest, ...older]
}
