import type { Clock } from '../../core/clock.ts'
import { fileFormats } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { ALL, sessionAccess } from '../../http/access.ts'
import { actorOf, authorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { nothing } from '../../http/wire.ts'
import {
  batch,
  batchFailures,
  batchId,
  batchList,
  batchMediaTypes,
  batchQuery,
  batchResultQuery,
  batchRetried,
  batchRetry,
  batchRowList,
  batchRowQuery,
  newBatch,
} from './batches.model.ts'
import type { BatchResultService } from './batches.results.service.ts'
import type { BatchRetryService } from './batches.retries.service.ts'
import type { BatchService } from './batches.service.ts'

const path = '/api/v1/batches'
const one = `${path}/{batchId}`
const common = { tag: 'batches', resourceKind: 'batch' } as const
const file = {
  kind: 'multipart',
  fields: newBatch,
  fileMediaTypes: [batchMediaTypes.csv, batchMediaTypes.ndjson],
  maxBytes: limits.batchFileBytes + limits.multipartOverheadBytes,
} as const

export interface BatchRoutePorts {
  batches: BatchService
  batchRetries: BatchRetryService
  batchResults: BatchResultService
  clock: Clock
}

export function batchOperations({ batches, batchRetries, batchResults, clock }: BatchRoutePorts): Operation[] {
  const creating = sessionAccess(ALL, { permission: 'submission_create' })
  const reading = sessionAccess(ALL, { permission: 'submission_read' })
  const moves = [
    ['pauseBatch', 'pause', 'Submits nothing more of a batch until it is resumed; what was submitted goes on.'],
    ['resumeBatch', 'resume', 'Goes on with a batch that was paused.'],
    ['cancelBatch', 'cancel', 'Drops what was not submitted of a batch, and its file, for good.'],
  ] as const
  return [
    defineOperation({
      ...common,
      id: 'createBatch',
      isCostly: true,
      method: 'POST',
      path,
      summary: 'Hands in a file of many inputs for one ingestion model, CSV or NDJSON; each row becomes a submission.',
      access: creating,
      headers: { idempotencyKey: 'required' },
      body: file,
      success: [{ status: 202, schema: batch }],
      failures: [401, 403, 409, 415, 422, 503],
      handle: (context) => batches.create(actorOf(context, clock), context.idempotency, context.body),
    }),
    defineOperation({
      ...common,
      id: 'listBatches',
      method: 'GET',
      path,
      summary: 'Batches with what became of their rows, newest first.',
      access: reading,
      query: batchQuery,
      success: [{ status: 200, schema: batchList }],
      failures: [401, 403, 422, 503],
      handle: async ({ query }) => ({ body: await batches.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'getBatch',
      method: 'GET',
      path: one,
      summary: 'One batch with what became of its rows.',
      access: reading,
      params: batchId,
      success: [{ status: 200, schema: batch }],
      failures: [401, 403, 404, 503],
      handle: async ({ params }) => ({ body: await batches.read(params.batchId) }),
    }),
    defineOperation({
      ...common,
      id: 'listBatchRows',
      method: 'GET',
      path: `${one}/rows`,
      summary: 'Rows of a batch in their order, as far as it has come; all of them, or those of one state or cause.',
      access: reading,
      params: batchId,
      query: batchRowQuery,
      success: [{ status: 200, schema: batchRowList }],
      failures: [401, 403, 404, 422, 503],
      handle: async ({ params, query }) => ({ body: await batches.rows(params.batchId, query) }),
    }),
    ...moves.map(([id, verb, summary]) =>
      defineOperation({
        ...common,
        ...{ id, method: 'POST', path: `${one}/${verb}`, summary, access: creating, params: batchId },
        body: jsonBody(nothing, limits.smallBodyBytes),
        success: [{ status: 200, schema: batch }],
        failures: [401, 403, 404, 409, 415, 422, 503],
        handle: async (context) => ({ body: await batches[verb](actorOf(context, clock), context.params.batchId) }),
      }),
    ),
    defineOperation({
      ...common,
      id: 'listBatchFailures',
      method: 'GET',
      path: `${one}/failures`,
      summary: 'Why rows of a batch failed or were refused, by cause, the most frequent first.',
      access: reading,
      params: batchId,
      success: [{ status: 200, schema: batchFailures }],
      failures: [401, 403, 404, 503],
      handle: async ({ params }) => ({ body: await batchRetries.failures(params.batchId) }),
    }),
    defineOperation({
      ...common,
      id: 'retryBatchRows',
      method: 'POST',
      path: `${one}/retry`,
      summary: 'Gives the rows of one cause another try, some hundreds in a request; it says how many remain.',
      access: sessionAccess(['administrator', 'operator'], { scope: 'submission_create' }),
      params: batchId,
      body: jsonBody(batchRetry, limits.smallBodyBytes),
      success: [{ status: 200, schema: batchRetried }],
      failures: [401, 403, 404, 409, 415, 422, 503],
      handle: async (context) => ({
        body: await batchRetries.retry(actorOf(context, clock), context.params.batchId, context.body),
      }),
    }),
    defineOperation({
      ...common,
      id: 'downloadBatchResults',
      isCostly: true,
      method: 'GET',
      path: `${one}/results`,
      summary: 'What the rows of a batch have made, as a ZIP of all documents or as one PDF with bookmarks.',
      access: sessionAccess(ALL, { permission: 'artifact_download' }),
      params: batchId,
      query: batchResultQuery,
      success: [
        { status: 200, mediaType: 'application/zip' },
        { status: 200, mediaType: fileFormats.pdf.mediaType },
      ],
      failures: [401, 403, 404, 409, 410, 422, 503],
      handle: ({ params, query, ...context }) => batchResults.download(authorOf(context), params.batchId, query),
    }),
  ]
}
