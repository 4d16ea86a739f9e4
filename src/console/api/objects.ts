/**
 * What executions are about. Their list doesn't say it, their submissions do: read one by one as they come into view,
 * or many at once, and kept, since a submission never changes its object.
 */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from './client.ts'
import type { Submission } from './types.ts'

/** Object reference by submission id. */
export const knownObjects = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

/** Don't ask for rows that are only scrolled past. */
const settleMs = 120

export function rememberObjects(submissions: readonly Pick<Submission, 'id' | 'object_reference'>[]): void {
  const fresh = submissions.filter(({ id }) => !knownObjects.peek().has(id))
  if (fresh.length === 0) return
  knownObjects.value = new Map([
    ...knownObjects.peek(),
    ...fresh.map((submission) => [submission.id, submission.object_reference] as const),
  ])
}

/** Reads the newest submissions at once: most of the newest executions belong to them. */
export function useNewestObjects(): void {
  useEffect(() => {
    call<{ submissions: Submission[] }>('/api/v1/submissions?limit=100').then(
      ({ submissions }) => rememberObjects(submissions),
      // The list works without; its rows then ask one by one.
      () => {},
    )
  }, [])
}

/** The object of a submission, as soon as it is known. */
export function useObject(submissionId: string | undefined): string | undefined {
  const known = submissionId === undefined ? undefined : knownObjects.value.get(submissionId)
  useEffect(() => {
    if (submissionId === undefined || known !== undefined) return
    const timer = setTimeout(() => {
      if (asked.has(submissionId)) return
      asked.add(submissionId)
      call<Submission>(`/api/v1/submissions/${submissionId}`).then(
        (submission) => rememberObjects([submission]),
        () => asked.delete(submissionId),
      )
    }, settleMs)
    return () => clearTimeout(timer)
  }, [submissionId, known])
  return known
}
