/** Executions: reading them, and following one until it ends. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from './client.ts'
import { type ApiProblem, problemFrom } from './problem.ts'
import { openTrace } from './trace.ts'
import type { Execution } from './types.ts'

export function readExecution(id: string, abort: AbortSignal): Promise<Execution> {
  return call<Execution>(`/api/v1/executions/${encodeURIComponent(id)}`, { signal: abort })
}

export function downloadPath(executionId: string, artifactId: string): string {
  return `/api/v1/executions/${executionId}/artifacts/${artifactId}/download`
}

export function isTerminal(execution: Execution): boolean {
  return execution.status === 'completed' || execution.status === 'failed'
}

/**
 * What is known of an execution that is followed. A problem beside an execution means that the newest read failed and
 * will be repeated.
 */
export interface Followed {
  execution?: Execution
  problem?: ApiProblem
}

interface Following {
  state: ReturnType<typeof signal<Followed>>
  followers: number
  stop: AbortController
}

/** Everything read so far, by id; executions that ended never change, so they are read once. */
const known = new Map<string, Following>()

/**
 * Follows executions while the component that asks is on the page, however many components ask for the same one.
 * Returns one signal for each id.
 */
export function useExecutions(ids: readonly string[]): ReadonlySignal<Followed>[] {
  const key = ids.join(',')
  // The key represents the ids.
  useEffect(() => {
    for (const id of ids) follow(id)
    return () => {
      for (const id of ids) unfollow(id)
    }
  }, [key])
  return ids.map((id) => following(id).state as ReadonlySignal<Followed>)
}

function following(id: string): Following {
  let entry = known.get(id)
  if (entry === undefined) {
    entry = { state: signal<Followed>({}), followers: 0, stop: new AbortController() }
    known.set(id, entry)
  }
  return entry
}

function follow(id: string): void {
  const entry = following(id)
  entry.followers++
  if (entry.followers > 1) return
  const { execution } = followedNow(entry)
  if (execution !== undefined && isTerminal(execution)) return
  entry.stop = new AbortController()
  void observe(id, entry, entry.stop.signal)
}

function unfollow(id: string): void {
  const entry = known.get(id)
  if (entry === undefined) return
  entry.followers--
  if (entry.followers === 0) entry.stop.abort()
}

/** Takes in the answer of a mutation, and follows the execution again: a retry has put it back to work. */
export function adoptExecution(execution: Execution): void {
  const entry = following(execution.id)
  entry.state.value = { execution }
  if (entry.followers === 0 || isTerminal(execution)) return
  entry.stop.abort()
  entry.stop = new AbortController()
  void observe(execution.id, entry, entry.stop.signal)
}

function followedNow(entry: Following): Followed {
  return entry.state.peek() ?? {}
}

/** Reads again whenever the trace reports an event; polls if there is no stream. */
async function observe(id: string, entry: Following, abort: AbortSignal): Promise<void> {
  const news = openTrace(id, abort)
  const started = performance.now()
  let failures = 0
  for (;;) {
    try {
      const execution = await readExecution(id, abort)
      failures = 0
      entry.state.value = { execution }
      if (isTerminal(execution)) return news.close()
    } catch (error) {
      if (abort.aborted) return
      const problem = problemFrom(error)
      entry.state.value = { ...followedNow(entry), problem }
      // Asks again only for problems that may pass by themselves.
      if (problem.status !== 0 && problem.status < 500) return news.close()
      failures++
    }
    const pauseMs = nextPauseMs(performance.now() - started, failures)
    await (failures === 0 && news.isOpen()
      ? Promise.race([news.next(), pause(streamedPauseMs, abort)])
      : pause(pauseMs, abort))
    if (abort.aborted) return
  }
}

/** While a stream is open, polling only covers one that died silently. */
const streamedPauseMs = 10_000

/** Most documents are ready within 100 ms, so the first polls are quick; later ones come less often. */
export function nextPauseMs(sinceStartMs: number, failures: number): number {
  if (failures > 0) return Math.min(5_000, 250 * 2 ** failures)
  if (sinceStartMs < 300) return 60
  if (sinceStartMs < 10_000) return 200
  return sinceStartMs < 60_000 ? 1_000 : 3_000
}

function pause(ms: number, abort: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(done, ms)
  function done(): void {
    clearTimeout(timer)
    abort.removeEventListener('abort', done)
    resolve()
  }
  abort.addEventListener('abort', done)
  return promise
}
