/**
 * Batches: one file of many inputs for one ingestion model. Accepting a file checks all of it and writes one row; the feeder
 * (batches.feeder.service.ts) then submits the batch's rows, a few at a time. Who sets which status: `running` on submitting or
 * resuming the batch or retrying rows of it, `paused` and `cancelled` a person or Quire, `completed` the feeder.
 */

import type { Actor } from '../../core/actor.ts'
import { canonicalJson } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import { contentHashOf } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { instantOf } from '../../core/instant.ts'
import {
  decodeUtf8InParts,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
  readJsonInParts,
} from '../../core/json.ts'
import type { BatchFormat, BatchStatus } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { batchFilters } from '../../core/list-filters.ts'
import { inTurns } from '../../core/turns.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import type { BatchReading } from '../../engines/ingestion/batch-file.ts'
import { validationFault } from '../../http/body.ts'
import { type Mutated, mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { filterValues } from '../../http/list-query.ts'
import type { Upload } from '../../http/operation.ts'
import { cutPage, foreignCursor, readPage } from '../../http/paging.ts'
import { checkShape } from '../../http/shape.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { lookAtRefused } from '../erasures/erasures.service.ts'
import { heldInFile } from '../holds/holds.files.service.ts'
import { keepHoldsOut, refuseHeld, requireNotHeld } from '../holds/holds.reads.ts'
import { modelAt } from '../submissions/submissions.service.ts'
import { transformerParams } from '../versions/versions.model.ts'
import { readVersion } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import { fileReader } from './batches.files.ts'
import {
  type Batch,
  type BatchQuery,
  type BatchRowQuery,
  type BatchRowShape,
  batchMediaTypes,
  type NewBatch,
} from './batches.model.ts'
import { appendBatchEvent, recordBatch } from './batches.record.ts'
import {
  type BatchRecord,
  countStates,
  dropInputs,
  findBatch,
  findRow,
  insertBatch,
  listBatches,
  listRows,
  listWaiting,
  moveBatch,
  type RowRecord,
} from './batches.store.ts'
import { batchesToWire, rowToWire } from './batches.wire.ts'

export type BatchService = ReturnType<typeof createBatchService>

export interface BatchPorts {
  database: Database
  objects: ObjectStore
}

type Reading = { checked: { reading: BatchReading; rows: number }; format: BatchFormat }

export function createBatchService({ database, objects }: BatchPorts) {
  async function wire(connection: Connection, row: BatchRecord): Promise<Batch> {
    const [batch] = batchesToWire([row], await countStates(connection, [row.id]))
    return batch as Batch
  }

  async function move(id: string, change: (tx: Transaction, row: BatchRecord) => Promise<void>): Promise<Batch> {
    return database.write(async (tx) => {
      await change(tx, await requireBatch(tx, id))
      return wire(tx, await requireBatch(tx, id))
    })
  }

  return {
    /**
     * Accepts a file, which is checked completely and stored before the batch exists.
     * @throws Fault validation_failed with line and column of what can't be read, or if no such model is in force
     */
    async create(
      actor: Actor,
      request: IdempotentRequest,
      { fields, file }: { fields: NewBatch; file: Upload },
    ): Promise<Mutated<Batch>> {
      const contentHash = contentHashOf(file.bytes)
      const params = paramsOf(fields.params)
      const { checked, format } = await readFile(database.read, actor, fields, file)
      await objects.put(contentHash, file.bytes)
      const row: BatchRecord = {
        ...{ id: newId(), name: fields.name ?? nameOf(file), modelSlug: fields.ingestion_model, format, contentHash },
        fileHash: contentHash,
        ...{ byteSize: file.bytes.length, ...checked, params: params === undefined ? null : canonicalJson(params) },
        officialTime: fields.official_time === undefined ? null : instantOf(fields.official_time),
        ...{ status: 'running', pauseReason: null, nextRow: 1, nextOffset: checked.reading.start },
        ...{ createdBy: actor.userId, tokenId: actor.tokenId ?? null, correlationId: actor.correlationId },
        ...{ traceparent: actor.traceparent ?? null, createdAt: actor.at, updatedAt: actor.at },
        completedAt: null,
      }
      const { answer } = await mutate(database, actor.at, request, async (tx) => {
        await insertBatch(tx, row)
        await recordBatch(tx, actor, row, 'created', {
          ...{ model_slug: row.modelSlug, name: row.name, rows: row.rows, content_hash: contentHash },
        })
        await appendBatchEvent(tx, actor.at, row, 'created', { format, content_hash: contentHash })
        return { status: 202, body: await wire(tx, row) }
      })
      return answer
    },

    async read(id: string): Promise<Batch> {
      return wire(database.read, await requireBatch(database.read, id))
    },

    /** A page, newest first; the cursor is the id of the page's last batch. */
    async list(query: BatchQuery): Promise<{ batches: Batch[]; next_cursor?: string }> {
      const filter = filterValues(batchFilters, query)
      const { rows, last } = await readPage(query, {
        find: (id) => findBatch(database.read, id),
        rowsAfter: (after, limit) => listBatches(database.read, filter, after, limit),
      })
      const states = await countStates(
        database.read,
        rows.map(({ id }) => id),
      )
      const batches = batchesToWire(rows, states)
      return last === undefined ? { batches } : { batches, next_cursor: last.id }
    },

    /** Rows that the feeder has reached, in order; the cursor is the number of the page's last row. */
    async rows(id: string, query: BatchRowQuery): Promise<{ rows: BatchRowShape[]; next_cursor?: string }> {
      await requireBatch(database.read, id)
      const { limit = limits.pageSizeDefault, cursor, state, cause } = query
      const after = cursor === undefined ? 0 : Number(cursor)
      if (after > 0 && (await findRow(database.read, id, after)) === undefined) throw foreignCursor()
      const page = cutPage<RowRecord>(await listRows(database.read, id, { state, cause, after }, limit + 1), limit)
      const rows = page.rows.map(rowToWire)
      return page.last === undefined ? { rows } : { rows, next_cursor: String(page.last.number) }
    },

    /** Once this returns, no more rows are submitted; submitted ones continue. @throws Fault not_found, conflict */
    pause: (actor: Actor, id: string): Promise<Batch> =>
      move(id, async (tx, row) => {
        const hasMore = row.nextRow <= row.rows || (await listWaiting(tx, id, 1)).length > 0
        if (!hasMore) throw new Fault('conflict', 'Every row of the batch is submitted. There is nothing to pause.')
        await moveTo(tx, actor, row, { from: ['running'], to: 'paused', what: 'paused' })
      }),

    /** @throws Fault not_found, conflict */
    resume: (actor: Actor, id: string): Promise<Batch> =>
      move(id, (tx, row) => moveTo(tx, actor, row, { from: ['paused'], to: 'running', what: 'resumed' })),

    /**
     * Cancels a batch: rows not submitted yet never will be, and the file is deleted.
     * @throws Fault not_found, and conflict if it has ended, or has rows under a legal hold
     */
    async cancel(actor: Actor, id: string): Promise<Batch> {
      const { fileHash } = await requireBatch(database.read, id)
      const holdOnFile = await heldInFile({ connection: database.read, objects }, fileHash)
      const findRefused = await lookAtRefused(database.read, { batchId: id })
      return move(id, async (tx, row) => {
        await keepHoldsOut(tx)
        await requireNotHeld(tx, { objects: [], models: [row.modelSlug] })
        const [hold] = [await holdOnFile(tx), ...(await findRefused(tx)).held.values()]
        if (hold !== undefined) throw refuseHeld(hold, 'An object that the batch names')
        await moveTo(tx, actor, row, { from: ['running', 'paused'], to: 'cancelled', what: 'cancelled' })
      })
    },
  }
}

/** @throws Fault not_found */
export async function requireBatch(connection: Connection, id: string): Promise<BatchRecord> {
  const row = await findBatch(connection, id)
  if (row === undefined) throw new Fault('not_found', `There is no batch ${id}.`)
  return row
}

interface Move {
  from: readonly BatchStatus[]
  to: BatchStatus
  what: 'paused' | 'resumed' | 'cancelled'
}

async function moveTo(tx: Transaction, actor: Actor, row: BatchRecord, { from, to, what }: Move): Promise<void> {
  const fields = {
    ...{ status: to, pauseReason: null, updatedAt: actor.at },
    ...(to === 'cancelled' ? { fileHash: null, completedAt: actor.at } : {}),
  }
  if (!(await moveBatch(tx, { id: row.id, from }, fields))) {
    throw new Fault('conflict', `The batch is ${row.status}, so it can not be ${what}.`)
  }
  if (to === 'cancelled') await dropInputs(tx, row.id)
  const submitted = row.nextRow - 1
  await recordBatch(tx, actor, row, what, to === 'cancelled' ? { submitted } : {})
  await appendBatchEvent(tx, actor.at, row, what, to === 'cancelled' ? { submitted } : {})
}

async function readFile(connection: Connection, actor: Actor, fields: NewBatch, file: Upload): Promise<Reading> {
  if (file.bytes.length > limits.batchFileBytes) {
    throw new Fault('validation_failed', `Body part file must be at most ${limits.batchFileBytes} bytes. Split it.`)
  }
  const format: BatchFormat = file.mediaType === batchMediaTypes.csv ? 'csv' : 'ndjson'
  const { checkBatch, wideEncoding } = await fileReader()
  const wide = wideEncoding(file.bytes)
  if (wide !== undefined) throw validationFault([wide])
  const decoded = await inTurns(decodeUtf8InParts(file.bytes))
  if (!decoded.ok) throw validationFault(decoded.findings.map((one) => ({ ...one, code: 'batch.encoding' })))
  const at = fields.official_time === undefined ? actor.at : instantOf(fields.official_time)
  const { model, contract } = await modelAt(connection, fields.ingestion_model, at)
  const schema = await inTurns(readJsonInParts(sourceOf(await readVersion(connection, contract.id)).source))
  const wanted = {
    ...{ format, input: model.input, schema: schema.ok ? schema.value : {} },
    referenceField: fields.object_reference_field,
  }
  const checked = await inTurns(checkBatch(decoded.value, wanted))
  if (!checked.ok) throw validationFault(checked.findings)
  return { checked: checked.value, format }
}

function paramsOf(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  const read = readJson(text)
  const value: JsonValue | undefined = read.ok ? read.value : undefined
  if (!isJsonObject(value))
    throw new Fault('validation_failed', 'Body field params holds no JSON object. Write one, or leave it out.')
  const findings = checkShape(transformerParams, value, 'body')
  if (findings.length > 0) throw validationFault(findings)
  return value
}

/** A file's name without folders, and without characters that the interface doesn't allow in texts. */
function nameOf({ fileName }: Upload): string {
  const name = (fileName.split(/[/\\]/).at(-1) ?? '').replace(/\p{Cc}/gu, ' ').trim()
  return [...name].slice(0, limits.batchNameChars).join('') || 'batch'
}
