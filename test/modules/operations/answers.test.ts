/** What the status of the operations says of what only this process knows, and of what it can't know. */
import { expect, test } from 'bun:test'
import { addMs, formatInstant, instantFromEpochMs, instantOf } from '../../../src/core/instant.ts'
import { createLog } from '../../../src/core/log.ts'
import { PRODUCT_VERSION, REVISION } from '../../../src/core/version.ts'
import type { Database } from '../../../src/db/database.ts'
import {
  createOperationsService,
  type Instance,
  type OperationsPorts,
} from '../../../src/modules/operations/operations.service.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'

const now = instantOf('2026-11-20T09:30:00Z')
let opened: Database | undefined

async function statusOf(instance: Partial<Instance> | undefined, change: Partial<OperationsPorts> = {}) {
  opened ??= await openTestDatabase('sqlite')
  const logged: string[] = []
  const own: Instance = {
    owner: 'me',
    startedAt: addMs(now, -5),
    isSole: true,
    folders: { data: '', objects: undefined },
  }
  const service = createOperationsService({
    ...{ database: opened, clock: { now: () => now } },
    log: createLog({ level: 'warn', readable: false, write: (line) => logged.push(line) }),
    relay: { health: async () => ({ backlogSize: 1, oldestUnpublishedAgeSeconds: 2, publishFailures: 3 }) },
    runner: { consumerLastSuccessAt: null, pause: undefined, countPaused: async () => 4 },
    instance: instance === undefined ? undefined : { ...own, ...instance },
    ...change,
  })
  return { status: await service.status(), logged }
}

test('says which build answers, since when, and what it has sent', async () => {
  const { status, logged } = await statusOf({ folders: { data: temporaryFolder(), objects: undefined } })
  expect([status.at, status.publish_failures, logged]).toEqual([formatInstant(now), 3, []])
  expect(status.instances).toEqual({
    own: { version: PRODUCT_VERSION, revision: REVISION, started_at: formatInstant(addMs(now, -5)) },
    other_versions: [],
  })
})

test('tells the room of both folders, and of a bucket none', async () => {
  const folder = temporaryFolder()
  const { status } = await statusOf({ folders: { data: folder, objects: folder } })
  for (const disk of [status.storage.data_disk, status.storage.objects_disk]) {
    expect(disk!.total_bytes).toBeGreaterThan(1_000_000)
    expect(disk!.free_bytes).toBeLessThanOrEqual(disk!.total_bytes)
  }
  const { status: other, logged } = await statusOf({ folders: { data: `${folder}/gone`, objects: undefined } })
  expect([other.storage.data_disk, other.storage.objects_disk]).toEqual([null, null])
  expect([logged.length, logged[0]]).toEqual([1, expect.stringContaining('"figure":"disk"')])
})

test('tells what pauses the steps, since when and how many wait for that', async () => {
  const pause = { dependency: 'object-store', code: 'object_store_full', since: addMs(now, -9) } as const
  const runner = { consumerLastSuccessAt: null, pause, countPaused: async () => 4 }
  const { status } = await statusOf({}, { runner: runner as unknown as OperationsPorts['runner'] })
  expect(status.paused).toEqual({
    ...{ dependency: 'object-store', code: 'object_store_full', since: formatInstant(addMs(now, -9)), steps: 4 },
  })
  expect((await statusOf({})).status.paused).toBeNull()
})

test('tells of the last sweep what it found, and when the next ones come', async () => {
  const last = { atMs: Date.parse('2026-11-20T08:00:00Z'), objects: 7, bytes: 70, found: 2, removed: 1 }
  const nextAtMs = Date.parse('2026-11-20T14:00:00Z')
  const swept = await statusOf({ sweeper: { last, nextAtMs }, remover: { nextAtMs } })
  const at = formatInstant(instantFromEpochMs(last.atMs))
  expect(swept.status.orphan_sweep).toEqual({
    ...{ next_at: '2026-11-20T14:00:00Z', last: { at, found: 2, removed: 1 } },
  })
  expect(swept.status.storage.objects).toEqual({ count: 7, bytes: 70, at })
  expect(swept.status.retention).toEqual({ policies: 0, next_at: '2026-11-20T14:00:00Z', last_removed: null })
  const before = await statusOf({ sweeper: { last: undefined, nextAtMs } })
  expect(before.status.orphan_sweep).toEqual({ next_at: '2026-11-20T14:00:00Z', last: null })
  expect([before.status.storage.objects, before.status.retention.next_at]).toEqual([null, null])
})

test('tells how far a copy elsewhere is behind, if one is kept', async () => {
  const replica = async (kept: Instance['replica']) =>
    (await statusOf(kept === undefined ? {} : { replica: kept })).status.replica
  expect(await replica({ lagSeconds: () => 0, failures: 2 })).toEqual({
    is_configured: true,
    lag_seconds: 0,
    failures: 2,
  })
  expect(await replica({ lagSeconds: () => undefined, failures: 0 })).toEqual({
    ...{ is_configured: true, lag_seconds: null, failures: 0 },
  })
  expect(await replica(null)).toEqual({ is_configured: false, lag_seconds: null, failures: null })
  expect(await replica(undefined)).toEqual({ is_configured: null, lag_seconds: null, failures: null })
})

test('tells of each receiver of the audit trail what waits for it, one that fails beside the others', async () => {
  const good = { name: 'tcp', health: async () => ({ waiting: 1, oldestAgeSeconds: 2, failures: 3 }) }
  const bad = { name: 'tls', health: () => Promise.reject(new Error('away')) }
  const { status, logged } = await statusOf({ forwarders: [bad, good] })
  expect(status.audit_receivers).toEqual([
    { name: 'tls', waiting: null, oldest_seconds: null, failures: null },
    { name: 'tcp', waiting: 1, oldest_seconds: 2, failures: 3 },
  ])
  expect(logged.some((line) => line.includes('audit receiver') && line.includes('away'))).toBe(true)
  expect([
    (await statusOf({ forwarders: [] })).status.audit_receivers,
    (await statusOf({})).status.audit_receivers,
  ]).toEqual([[], null])
})

test('knows nothing of an instance before it has started', async () => {
  const { status } = await statusOf(undefined)
  expect(status).toMatchObject({
    ...{ instances: { own: { started_at: null }, other_versions: null }, audit_receivers: null },
    ...{ storage: { data_disk: null, objects_disk: null, objects: null }, orphan_sweep: { next_at: null, last: null } },
  })
})
