/**
 * Rows of batches that the intake refused. No submission says what they are about, so what has an object's reference as a
 * value may be about it.
 */
import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { findReference } from '../../core/references.ts'
import { atOnce } from '../../core/turns.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

/** What is left of a refused row's input: of a cancelled batch, only what was said about it. */
export interface RefusedRow {
  batchId: string
  number: number
  modelSlug: string
  texts: (string | null)[]
}

/** Of a batch's row only its number is left, and that it was erased. */
export async function eraseRows(tx: Transaction, which: SQL | undefined): Promise<void> {
  const { batchRows } = tx.t
  const nothing = {
    submissionId: null,
    objectReference: null,
    rawInput: null,
    cause: null,
    code: null,
    step: null,
    place: null,
  }
  await tx.q
    .update(batchRows)
    .set({ ...nothing, message: null, state: 'erased', reopened: sql`${batchRows.reopened} + 1` })
    .where(which)
}

export async function eraseRefused(tx: Transaction, rows: readonly RefusedRow[]): Promise<void> {
  const { batchRows } = tx.t
  const byBatch = Map.groupBy(rows, ({ batchId }) => batchId)
  for (const [batchId, own] of byBatch) {
    const numbers = own.map(({ number }) => number)
    for (let from = 0; from < numbers.length; from += limits.tablePageRows) {
      const some = numbers.slice(from, from + limits.tablePageRows)
      await eraseRows(tx, and(eq(batchRows.batchId, batchId), inArray(batchRows.number, some)))
    }
  }
}

/** The refused rows that name an object. */
export async function listRefusedAbout(connection: Connection, objectReference: string): Promise<RefusedRow[]> {
  const { batchRows } = connection.t
  const has = (column: Column, text: string) =>
    connection.dialect === 'sqlite' ? sql`instr(${column}, ${text}) > 0` : sql`strpos(${column}, ${text}) > 0`
  // An input in JSON may spell the reference with escapes.
  const mayName = or(
    has(batchRows.rawInput, '\\'),
    ...[batchRows.rawInput, batchRows.objectReference, batchRows.place, batchRows.message].map((column) =>
      has(column, objectReference),
    ),
  )
  const rows = (await listRefused(connection, hasInput, mayName)).concat(
    await listRefused(connection, wasRefused, mayName),
  )
  return naming(rows, (reference) => reference === objectReference)
}

/** The same by the reference's hash, which is all that an erasure keeps of it. */
export async function listRefusedAboutHash(connection: Connection, objectReferenceHash: string): Promise<RefusedRow[]> {
  const { batchRows } = connection.t
  const ids = new Set<string>()
  for (const source of [hasInput, wasRefused]) {
    const own = await connection.q.selectDistinct({ id: batchRows.batchId }).from(batchRows).where(source)
    for (const { id } of own) ids.add(id)
  }
  const found: RefusedRow[] = []
  // The inputs of one batch at a time.
  for (const id of ids) {
    found.push(
      ...naming(await listRefusedOf(connection, id), (reference) => sha256Hex(reference) === objectReferenceHash),
    )
  }
  return found
}

/** What is left of the refused rows of one batch. */
export function listRefusedOf(connection: Connection, batchId: string): Promise<RefusedRow[]> {
  const { batchRows } = connection.t
  return listRefused(connection, or(hasInput, wasRefused), eq(batchRows.batchId, batchId))
}

/** Batches that still have their file, since not all of its rows are submitted. */
export function listWithFile(connection: Connection): Promise<{ id: string; fileHash: string | null }[]> {
  const { batches } = connection.t
  return connection.q
    .select({ id: batches.id, fileHash: batches.fileHash })
    .from(batches)
    .where(isNotNull(batches.fileHash))
}

type Column = Tables['batchRows']['rawInput' | 'objectReference' | 'place' | 'message']

/** These two are spelled out for their partial indexes. A row that waits to be submitted again has its input, too. */
const hasInput = sql`raw_input is not null`
/** Of a cancelled batch: its rows have no input any more. As an expression: most rows that have a cause have a submission. */
const wasRefused = sql`cause is not null and raw_input is null and coalesce(submission_id, '') = ''`

async function listRefused(connection: Connection, ...which: (SQL | undefined)[]): Promise<RefusedRow[]> {
  const { batches, batchRows } = connection.t
  const rows = await connection.q
    .select({
      ...{ batchId: batchRows.batchId, number: batchRows.number, modelSlug: batches.modelSlug },
      ...{ rawInput: batchRows.rawInput, reference: batchRows.objectReference },
      ...{ place: batchRows.place, message: batchRows.message },
    })
    .from(batchRows)
    .innerJoin(batches, eq(batches.id, batchRows.batchId))
    .where(and(...which))
  return rows.map(({ rawInput, reference, place, message, ...row }) => ({
    ...row,
    texts: [rawInput, reference, place, message],
  }))
}

function naming(rows: readonly RefusedRow[], isWanted: (reference: string) => boolean): RefusedRow[] {
  const names = (text: string | null) => text !== null && atOnce(findReference(text, isWanted)) !== undefined
  return rows.filter(({ texts }) => texts.some(names))
}
