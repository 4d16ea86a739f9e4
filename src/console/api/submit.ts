/** Submitting input: the plan of it beforehand, and the submission. */
import type * as wire from '../../client/quire.ts'
import type { Finding } from '../../core/finding.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { call } from './client.ts'
import type { Submission } from './types.ts'

export type NewSubmission = wire.NewSubmission
export type SubmissionPlan = wire.SubmissionPlan
export type PlannedNode = SubmissionPlan['nodes'][number]
export type Release = wire.Release

/** The format of the input, as its plan tells it; undefined for JSON. */
export function inputFormatOf({ input_format: told }: SubmissionPlan): InputFormat | undefined {
  if (told === undefined || told.format === 'xml') return told as InputFormat | undefined
  const { columns, ...rest } = told
  return { ...rest, header: columns ?? 'first line' }
}

/** What a plan finds wrong with an input that only the server reads, each at its place in the text. */
export function inputFindingsOf({ issues }: SubmissionPlan): Finding[] {
  return issues
    .filter(({ stage }) => stage === 'input')
    .map(({ code, message, path, context }) => {
      const { line, column } = context ?? {}
      const place = line === undefined ? {} : { line: Number(line), column: Number(column) }
      return { code, severity: 'error', message, ...(path === undefined ? {} : { path }), ...place }
    })
}

/** What submitting this now would run; nothing is made. */
export function planOf(body: NewSubmission, signal: AbortSignal): Promise<SubmissionPlan> {
  return call<SubmissionPlan>('/api/v1/submissions/plan', { method: 'POST', body, signal })
}

/** The same key again is the same submission. */
export async function submitInput(body: NewSubmission, idempotencyKey: string): Promise<Submission> {
  const headers = { 'idempotency-key': idempotencyKey }
  const answer = await call<{ submission: Submission }>('/api/v1/submissions', { method: 'POST', headers, body })
  return answer.submission
}
