/** The intake test lab's catalog, and handing in a submission. */
import { call } from './client.ts'
import type { Catalog, IntakeMetadata, Submission } from './types.ts'

/** The slug of the demo's ingestion model; the catalog does not carry it. */
const demoModel = 'clws-policy'

export function readCatalog(): Promise<Catalog> {
  return call<Catalog>('/api/v1/intake-test-lab/scenarios')
}

/** Hands in one raw input; the same key again is the same submission. */
export async function submit(rawInput: string, metadata: IntakeMetadata, idempotencyKey: string): Promise<Submission> {
  const answer = await call<{ submission: Submission }>('/api/v1/submissions', {
    method: 'POST',
    headers: { 'idempotency-key': idempotencyKey },
    body: { ingestion_model: demoModel, raw_input: rawInput, metadata },
  })
  return answer.submission
}
