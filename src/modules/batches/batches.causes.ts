/** Why rows failed, in the form by which causes are told apart. */
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { causeRule } from '../../core/list-filters.ts'
import type { FailedExecution, RowRecord } from './batches.store.ts'

type Ended = Pick<RowRecord, 'number' | 'reopened' | 'submissionId'>
type Closing = Pick<RowRecord, 'state' | 'cause' | 'code' | 'step' | 'place' | 'message'>

const completed: Closing = { state: 'completed', cause: null, code: null, step: null, place: null, message: null }

/** Rows that ended, together with those that ended in the same way. */
export function closedAs(
  ended: readonly Ended[],
  failures: readonly FailedExecution[],
): { rows: Ended[]; fields: Closing }[] {
  const failureOf = new Map<string, FailedExecution>()
  for (const one of failures) if (!failureOf.has(one.submissionId)) failureOf.set(one.submissionId, one)
  const closing = new Map<string, { rows: Ended[]; fields: Closing }>()
  for (const row of ended) {
    const failed = row.submissionId === null ? undefined : failureOf.get(row.submissionId)
    const fields = failed === undefined ? completed : failedAs(failed)
    const key = JSON.stringify(fields)
    const group = closing.get(key) ?? { rows: [], fields }
    group.rows.push(row)
    closing.set(key, group)
  }
  return [...closing.values()]
}

function failedAs({ step, failure: { code, message, issues } }: FailedExecution): Closing {
  const [issue] = issues
  const said = issue === undefined ? message : `${message} ${issue.message}`
  return {
    state: 'failed',
    ...causeOf({ code, step, place: placeOf(issue?.path, '') }),
    message: said.slice(0, limits.batchMessageChars),
  }
}

/** What causes are told apart by, with their name; an empty step is the intake. */
export function causeOf(parts: { code: string; step: string; place: string }) {
  const { code, step, place } = parts
  return { cause: sha256Hex(JSON.stringify([step, code, place])).slice(0, causeRule.maxLength), ...parts }
}

/** The same place in every row: indexes of arrays differ, and a refusal without a finding names its field. */
export function placeOf(path: string | undefined, detail: string): string {
  const field = path ?? /^Body field ([\w./~-]+)/.exec(detail)?.[1] ?? ''
  return field.replace(/\/\d+(?=\/|$)/g, '/*').slice(0, limits.batchPlaceChars)
}
