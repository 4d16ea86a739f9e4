import { loadChains, readBacklog } from '../../src/bus/relay.store.ts'
import { addMs, instantFromEpochMs } from '../../src/core/instant.ts'
import { retainedParts } from '../../src/core/retained-parts.ts'
import type { Transaction } from '../../src/db/database.ts'
import { forgetKeysBefore } from '../../src/http/idempotency.store.ts'
import { newestRecords } from '../../src/modules/audit/audit.coverage.reads.ts'
import { countUnsealed, headPosition, listSealed, listUnsealed } from '../../src/modules/audit/audit.store.ts'
import {
  countRows,
  countStates,
  findRawInput,
  listCauses,
  listEnded,
  listFailures,
  listOpen,
  listRunning,
  listWaiting,
} from '../../src/modules/batches/batches.store.ts'
import { findPart, listAtWork, listUnfit } from '../../src/modules/erasures/erasures.parts.store.ts'
import { listRefused, listWithFile, readRefused } from '../../src/modules/erasures/erasures.refused.store.ts'
import {
  answersAbout,
  findAbout,
  listErasedObjects,
  listItems,
  listPending,
  listThere,
  pauseOlderBatches,
} from '../../src/modules/erasures/erasures.store.ts'
import { listBefore, listHoldingBatches, listReferences } from '../../src/modules/retention/retention.store.ts'
import {
  executionIdsOf,
  executionPage,
  submissionPage,
  submissionsOfId,
  submissionsOfReference,
} from '../../src/modules/search/search.store.ts'
import { namedHashes } from '../../src/modules/storage/storage.reads.ts'
import {
  findErasureOf,
  lastRemovalAt,
  listRemovedParts,
  statesAfterRemoval,
} from '../../src/modules/tombstones/tombstones.reads.ts'
import {
  countPending,
  listDue,
  pruneDeliveries,
  readWebhookBacklog,
} from '../../src/modules/webhooks/webhooks.store.ts'
import {
  claimExpired,
  claimReady,
  countQueued,
  hasExpiredStep,
  hasReadyStep,
  readQueue,
} from '../../src/runner/claim.store.ts'
import { filledId } from './filled.ts'

const now = instantFromEpochMs(Date.UTC(2026, 10, 20))
const old = addMs(now, -3_650 * 86_400_000)
const some = [filledId('submissions', 3), filledId('submissions', 70)]
const place = { createdAt: addMs(now, -20 * 86_400_000), id: filledId('submissions', 9) }
const claim = { owner: 'w', leaseMs: 1_000, limit: 8 }
const [batch, erasure] = [filledId('batches', 3), filledId('erasures', 3)]
const refusedRows = [1, 2].map((number) => ({
  ...{ batchId: batch, number, modelSlug: 'x', reopened: 0, state: 'refused' as const },
}))

export type Work = (tx: Transaction) => Promise<unknown>

/** What works by itself, or looks a thing up; each with the indexes that its statements must take, besides those of primary keys. */
export const works: [name: string, indexes: string[], work: Work][] = [
  ['claims: is a step ready', ['steps_ready'], hasReadyStep],
  ['claims: has a lease run out', ['steps_leased'], hasExpiredStep],
  ['claims: ready steps', ['steps_ready'], (tx) => claimReady(tx, claim)],
  ['claims: steps whose lease ran out', ['steps_leased'], (tx) => claimExpired(tx, claim)],
  ['claims: the queue', ['steps_ready'], readQueue],
  ['claims: how many wait', ['steps_ready'], (tx) => countQueued(tx, 200)],
  ['outbox: for the broker', ['events_unpublished'], (tx) => loadChains(tx, 'broker', 100)],
  ['outbox: for receivers', ['events_for_webhooks'], (tx) => loadChains(tx, 'webhooks', 100)],
  ['outbox: what waits', ['events_unpublished'], (tx) => readBacklog(tx)],
  ['sealer: what is not sealed', ['audit_unsealed'], (tx) => listUnsealed(tx, 100)],
  ['sealer: a later page', ['audit_unsealed'], (tx) => listUnsealed(tx, 100, { at: now, id: some[0] ?? '' })],
  ['sealer: how much is not', ['audit_unsealed'], (tx) => countUnsealed(tx, 100)],
  ['sealer: the head', ['audit_position'], headPosition],
  ['verify: a part of the trail', ['audit_position'], (tx) => listSealed(tx, 10, 20)],
  ['verify: the newest records about some', ['audit_resource_page'], (tx) => newestRecords(tx, some)],
  ['sweeps: which objects are named', ['artifacts_hash', 'batches_file'], (tx) => namedHashes(tx, ['a', 'b'])],
  ...([undefined, ...retainedParts] as const).map((part): (typeof works)[number] => [
    `retention: what is old, ${part ?? 'whole'}`,
    ['submissions_page', ...(part === undefined ? [] : ['erased_items_item'])],
    (tx) => listBefore(tx, { part, before: now, after: place, limit: 500 }),
  ]),
  ['retention: what decides', ['executions_submission', 'batch_rows_submission'], (tx) => listReferences(tx, some)],
  ...retainedParts.flatMap((part): (typeof works)[number][] => [
    [
      `retention: what is there of ${part}`,
      [
        'executions_submission',
        ...{
          raw_input: ['idempotency_age'],
          output: [],
          artifacts: ['artifacts_kind'],
          events: ['events_sequence'],
          steps: ['steps_position'],
        }[part],
      ],
      (tx) => findPart(tx, part, some),
    ],
    [
      `retention: which can't lose ${part}`,
      ['erased_items_item', ...(part === 'events' ? ['events_sequence', 'webhook_deliveries_sequence'] : [])],
      (tx) => listUnfit(tx, part, some),
    ],
  ]),
  ['retention: which have not ended', ['executions_submission'], (tx) => listAtWork(tx, some)],
  [
    'retention: what batches hold',
    ['batches_page', 'batch_rows_kept', 'batch_rows_cause'],
    (tx) => listHoldingBatches(tx, { before: now, after: { createdAt: old, id: '' }, limit: 500 }),
  ],
  [
    'erasure: what is about an object',
    [
      'submissions_object_page',
      'executions_submission',
      'artifacts_kind',
      'steps_position',
      'events_sequence',
      'audit_resource_page',
      'idempotency_age',
      'batch_rows_submission',
    ],
    (tx) => findAbout(tx, { objectReference: 'POL-3' }, 50),
  ],
  ['erasure: answers', ['idempotency_age'], (tx) => answersAbout(tx, [now], some)],
  [
    'erasure: refused rows',
    ['batch_rows_kept', 'batch_rows_cause'],
    (tx) => listRefused(tx, { objectReference: 'POL-3' }),
  ],
  ['erasure: all refused rows', ['batch_rows_kept', 'batch_rows_cause'], (tx) => listRefused(tx, {})],
  ['erasure: refused rows of a batch', [], (tx) => listRefused(tx, { batchId: batch })],
  ['erasure: their inputs', [], (tx) => readRefused(tx, refusedRows).next()],
  ['erasure: files of batches', ['batches_file'], listWithFile],
  ['erasure: batches that wait', [], (tx) => pauseOlderBatches(tx, old, 'x')],
  ['erasure: what is still to be done', ['erasures_pending'], (tx) => listPending(tx, 100)],
  ['erasure: its objects', [], (tx) => listErasedObjects(tx, erasure)],
  ['erasure: its tombstones', [], (tx) => listItems(tx, erasure)],
  ['erasure: what came back', [], (tx) => listThere(tx, some)],
  ['erasure: who took it', ['erased_items_item'], (tx) => findErasureOf(tx, 'submission', some[0] ?? '')],
  ['erasure: removed parts', ['erased_items_item'], (tx) => listRemovedParts(tx, some)],
  ['erasure: states that are left', ['erased_items_item', 'audit_resource_page'], (tx) => statesAfterRemoval(tx, some)],
  [
    'erasure: when a state was removed last',
    ['erased_items_item', 'audit_resource_page'],
    (tx) => lastRemovalAt(tx, [filledId('executions', 1), filledId('executions', 30)]),
  ],
  ['batches: that run', ['batches_status_page'], (tx) => listRunning(tx, 8)],
  ['batches: with open rows', ['batch_rows_open'], (tx) => listOpen(tx, 8)],
  ['batches: rows that wait', ['batch_rows_state'], (tx) => listWaiting(tx, batch, 8)],
  ['batches: rows that ended', ['batch_rows_state', 'executions_submission'], (tx) => listEnded(tx, batch, 1_000)],
  ['batches: how they failed', ['executions_submission', 'steps_position'], (tx) => listFailures(tx, some)],
  ['batches: states', ['batch_rows_state'], (tx) => countStates(tx, [batch])],
  ['batches: causes', ['batch_rows_cause'], (tx) => listCauses(tx, batch, 200)],
  ['batches: rows of a cause', ['batch_rows_cause'], (tx) => countRows(tx, batch, 'x')],
  ['batches: an input', [], (tx) => findRawInput(tx, some[0] ?? '')],
  [
    'webhooks: what is due',
    ['webhook_deliveries_due'],
    (tx) => listDue(tx, filledId('webhooks', 3), { now, except: [], limit: 10 }),
  ],
  // By the one of two indexes that either database likes better.
  ['webhooks: what waits', [], (tx) => readWebhookBacklog(tx)],
  ['webhooks: what waits for each', [], (tx) => countPending(tx)],
  ['webhooks: what is old', ['webhook_deliveries_age'], (tx) => pruneDeliveries(tx, old)],
  ['expiry: keys', ['idempotency_age'], (tx) => forgetKeysBefore(tx, old)],
  ['search: submissions', ['submissions_page'], (tx) => submissionPage(tx, place, 500)],
  ['search: of a reference', ['submissions_object_page'], (tx) => submissionsOfReference(tx, 'POL', 10)],
  ['search: of an id', [], (tx) => submissionsOfId(tx, '0198', 10)],
  ['search: executions', ['executions_page'], (tx) => executionPage(tx, place, 500)],
  ['search: executions of an id', [], (tx) => executionIdsOf(tx, '0198', 10)],
]
