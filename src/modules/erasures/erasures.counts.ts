import { namesOf } from '../../core/names.ts'
import type { ErasedCounts } from '../../db/schema.ts'

export function noCounts(): ErasedCounts {
  return {
    submissions: 0,
    executions: 0,
    steps: 0,
    artifacts: 0,
    artifact_bytes: 0,
    events: 0,
    audit_records: 0,
    answers: 0,
  }
}

export function addCounts(sum: ErasedCounts, more: ErasedCounts): void {
  for (const name of namesOf(sum)) sum[name] += more[name]
}
