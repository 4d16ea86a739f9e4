/** Why rows failed, grouped by cause. */
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { causeRule } from '../../core/list-filters.ts'
import type { FailedExecution, RowRecord } from './batches.store.ts'

type Ended = Pick<RowRecord, 'number' | 'reopened' | 'submissionId'>
type Closing = Pick<RowRecord, 'state' | 'cause' | 'code' | 'step' | 'place' | 'message'>

const completed: Closing = { state: 'completed', cause: null, code: null, step: null, place: null, message: null }

/** Groups ended rows by how they ended. */
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

/** The parts that distinguish causes, with the cause's id. An empty step stands for the intake. */
export function causeOf(parts: { code: string; step: string; place: string }) {
  const { code, step, place } = parts
  return { cause: sha256Hex(JSON.stringify([step, code, place])).slice(0, causeRule.maxLength), ...parts }
}

/**
 * The place of a failure without its array indexes, so that it is equal in every row. A refusal without a finding names its
 * field.
 */
export function placeOf(path: string | undefined, detail: string): string {
  const field = path ?? /^Body field ([\w./~-]+)/.exec(detail)?.[1] ?? ''
  return field.replace(/\/\d+(?=\/|$)/g, '/*').slice(0, limits.batchPlaceChars)
}
