/** One row of a batch as a submission, or why the intake refuses it. */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { objectReferenceRule } from '../../core/list-filters.ts'
import type { Transaction } from '../../db/database.ts'
import { brokenTextRule } from '../../http/wire.ts'
import type { RawInput, SubmissionService } from '../submissions/submissions.service.ts'
import type { TransformerParams } from '../versions/versions.model.ts'
import { causeOf, placeOf } from './batches.causes.ts'
import type { BatchRecord, RowRecord } from './batches.store.ts'

export interface ReadRow {
  number: number
  line: number
  /** Where the next row may begin in the file. */
  end: number
  rawInput: string
  reference: string | undefined
}

export interface PreparedRow extends ReadRow {
  input: RawInput
  params: TransformerParams | undefined
  /** The submission that this one replaces. */
  corrects?: string | undefined
}

/** Does all slow work, before the transaction. */
export async function prepareRow(
  submissions: Pick<SubmissionService, 'readRow'>,
  { params }: Pick<BatchRecord, 'params'>,
  row: ReadRow,
): Promise<PreparedRow> {
  const given = params === null ? undefined : (JSON.parse(params) as TransformerParams)
  return { ...row, input: await submissions.readRow(row.rawInput), params: given }
}

export interface RowIntake {
  tx: Transaction
  actor: Actor
  submissions: Pick<SubmissionService, 'submitRow'>
  batch: BatchRecord
  /** When the row counts as received; by default the batch's time. */
  receivedAt?: Instant
}

/** @returns the fields to store in the row, and how many executions were made */
export async function submitRow(
  { tx, actor, submissions, batch, receivedAt = batch.createdAt }: RowIntake,
  { number, line, input, rawInput, reference, params, corrects }: PreparedRow,
): Promise<{ record: RowRecord; executions: number }> {
  const record: RowRecord = {
    ...{ batchId: batch.id, number, line, state: 'submitted', submissionId: corrects ?? null, rawInput: null },
    ...{ objectReference: reference ?? null, receivedAt: null, reopened: 0 },
    ...{ cause: null, code: null, step: null, place: null, message: null },
  }
  try {
    requireReference(reference)
    const body = {
      ingestion_model: batch.modelSlug,
      ...(reference === undefined ? {} : { object_reference: reference }),
      ...(batch.officialTime === null ? {} : { official_time: batch.officialTime }),
      ...(params === undefined ? {} : { params }),
      ...(corrects === undefined ? {} : { corrects }),
    }
    const made = await submissions.submitRow(tx, actor, { body, input, receivedAt })
    const { id: submissionId, object_reference: objectReference, executions } = made
    return { record: { ...record, submissionId, objectReference }, executions: executions.length }
  } catch (error) {
    // A refusal (422) is thrown before anything is written; any other error must roll the transaction back.
    if (!(error instanceof Fault) || error.status !== 422) throw error
    const [finding] = error.extras.findings ?? []
    const refused: Partial<RowRecord> = {
      ...causeOf({ code: finding?.code ?? error.code, step: '', place: placeOf(finding?.path, error.detail) }),
      message: error.detail.slice(0, limits.batchMessageChars),
      // If the row corrects a submission, that one has the input already.
      rawInput: corrects === undefined ? rawInput : null,
    }
    return { record: { ...record, ...refused, state: 'refused' }, executions: 0 }
  }
}

function requireReference(reference: string | undefined): void {
  const broken = reference === undefined ? undefined : brokenTextRule(objectReferenceRule, reference)
  if (broken !== undefined) throw new Fault('validation_failed', `Body field object_reference ${broken}.`)
}
