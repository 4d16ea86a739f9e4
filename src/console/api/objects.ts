/**
 * The objects of executions. Lists of executions lack them; their submissions have them. They are read one by one as
 * they come into view, or many at once, and kept, since a submission never changes its object.
 */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from './client.ts'
import type { Submission } from './types.ts'

export type Known = Pick<Submission, 'id' | 'object_reference' | 'model_slug' | 'executions'>

/** By the submission's id. */
export const knownObjects = signal<ReadonlyMap<string, Known>>(new Map())
const asked = new Set<string>()

/** Don't ask for rows that are only scrolled past. */
const settleMs = 120

/** Over once the newest submissions have come, or can't be had. */
let newest: Promise<void> = Promise.resolve()

export function rememberObjects(submissions: readonly Known[]): void {
  const fresh = submissions.filter(({ id }) => !knownObjects.peek().has(id))
  if (fresh.length === 0) return
  knownObjects.value = new Map([
    ...knownObjects.peek(),
    ...fresh.map((submission) => [submission.id, submission] as const),
  ])
}

/** Reads the newest submissions at once: most of the newest executions belong to them. */
export function useNewestObjects(): void {
  useEffect(() => {
    newest = call<{ submissions: Submission[] }>('/api/v1/submissions?limit=100').then(
      ({ submissions }) => rememberObjects(submissions),
      // The list works without; its rows then ask one by one.
      () => {},
    )
  }, [])
}

/** What a submission is about, as soon as it is known. */
export function useObject(submissionId: string | undefined): Known | undefined {
  const known = submissionId === undefined ? undefined : knownObjects.value.get(submissionId)
  useEffect(() => {
    if (submissionId === undefined || known !== undefined) return
    let isLeft = false
    const timer = setTimeout(async () => {
      await newest
      if (isLeft || knownObjects.peek().has(submissionId) || asked.has(submissionId)) return
      asked.add(submissionId)
      call<Submission>(`/api/v1/submissions/${submissionId}`).then(
        (submission) => rememberObjects([submission]),
        () => asked.delete(submissionId),
      )
    }, settleMs)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [submissionId, known])
  return known
}
