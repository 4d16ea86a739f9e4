import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { startPresence } from '../../../src/bus/presence.ts'
import { noteIn } from '../../../src/commands/backup-note.ts'
import { addMs, formatInstant, instantFromEpochMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { PRODUCT_VERSION } from '../../../src/core/version.ts'
import { ensureStoreId } from '../../../src/db/store-id.ts'
import type { Role } from '../../../src/http/access.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import type { OperationsStatus } from '../../../src/modules/operations/operations.model.ts'
import type { Instance } from '../../../src/modules/operations/operations.service.ts'
import { startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import { startSweeper } from '../../../src/modules/storage/sweeper.service.ts'
import { updateWebhook } from '../../../src/modules/webhooks/webhooks.store.ts'
import { claimReady } from '../../../src/runner/claim.store.ts'
import { type EnginePool, openPool } from '../../../src/runner/pool.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects, temporaryFolder, testOf } from '../../support/database.ts'
import { createStepRunner } from '../executions/run.ts'

setDefaultTimeout(60_000)
const log = createLog({ level: 'error', readable: false, write: () => {} })
const path = '/admin/operations'
const minuteMs = 60_000
let pool: EnginePool

beforeAll(() => {
  pool = openPool({ size: 1, log })
})
afterAll(() => pool.close())

describeOnBothDialects('the status of the operations', (dialect) => {
  let app: TestApp
  let author: Author
  const instance: Instance = {
    ...{ owner: 'this one', startedAt: instantFromEpochMs(Date.now()), isSole: false },
    folders: { data: temporaryFolder(), objects: undefined },
    replica: null,
  }
  const exactly = (count: number) => ({ count, is_exact: true })

  beforeAll(async () => {
    app = await startTestApp(dialect, { instance, webhookNetworks: ['127.0.0.1/32'] })
    app.clock.advance(Date.now() - Date.parse(app.clock.now()))
    await seedDemo(app.database, app.clock)
    author = await Author.signIn(app, 'root', ['administrator', 'operator'])
  })
  afterAll(() => app.database.close())

  async function status(): Promise<OperationsStatus> {
    const { status: code, body } = await author.get(path)
    expect(code).toBe(200)
    return body
  }

  async function submit(raw_input: string): Promise<string> {
    const { body } = await author.post('/submissions', { ingestion_model: 'clws-policy', raw_input })
    return body.submission.executions[0].id
  }

  test('counts what ended in the hour and the day, why it failed, and what was made', async () => {
    expect(await status()).toMatchObject({
      ended: {
        hour: { completed: exactly(0), failed: exactly(0) },
        day: { completed: exactly(0), failed: exactly(0) },
      },
      failures: { causes: [], is_complete: true },
      storage: { artifacts_day: exactly(0) },
    })
    const run = createStepRunner(app.database, pool, app.objects)
    const { scenarios } = (await author.get('/intake-test-lab/scenarios')).body
    for (const { raw_input } of scenarios) await run(await submit(raw_input))
    // What was made bears instants of the database, which went on meanwhile.
    app.clock.advance(minuteMs)
    const { executions } = (await author.get('/executions')).body
    const failed = executions.find((one: { status: string }) => one.status === 'failed')
    const { name: step, failure } = failed.steps.find((one: { status: string }) => one.status === 'failed')
    const artifacts = (await app.database.read.q.select().from(app.database.read.t.artifacts)).length
    expect(artifacts).toBeGreaterThan(0)
    const all = { completed: exactly(scenarios.length - 1), failed: exactly(1) }
    expect(await status()).toMatchObject({
      ended: { hour: all, day: all },
      failures: { causes: [{ step, code: failure.code, executions: 1, last_execution_id: failed.id }] },
      storage: { artifacts_day: exactly(artifacts) },
    })

    await app.database.write(async (tx) => {
      const { auditRecords } = tx.t
      const isFailure = and(eq(auditRecords.action, 'execution.failed'), eq(auditRecords.resourceId, failed.id))
      await tx.q
        .update(auditRecords)
        .set({ at: addMs(app.clock.now(), -120 * minuteMs) })
        .where(isFailure)
    })
    expect((await status()).ended).toEqual({ hour: { ...all, failed: exactly(0) }, day: all })
  })

  test('counts the steps that wait and run, and says how long the oldest does', async () => {
    expect(await status()).toMatchObject({
      ...{
        steps: { queued: exactly(0), oldest_queued_seconds: null, running: exactly(0), longest_running_seconds: null },
      },
      paused: null,
    })
    const { scenarios } = (await author.get('/intake-test-lab/scenarios')).body
    const [first] = [await submit(scenarios[0].raw_input), await submit(scenarios[0].raw_input)]
    await app.database.write(async (tx) => {
      const { steps } = tx.t
      const since = { availableAt: tx.clockPlus(-7 * minuteMs) }
      await tx.q
        .update(steps)
        .set(since)
        .where(and(eq(steps.executionId, first), eq(steps.status, 'queued')))
    })
    expect((await status()).steps).toMatchObject({ queued: exactly(2), running: exactly(0) })
    expect((await status()).steps?.oldest_queued_seconds).toBeWithin(420, 480)
    await app.database.write((tx) => claimReady(tx, { owner: 'test', leaseMs: 60_000, limit: 1 }))
    await app.database.write((tx) =>
      tx.q
        .update(tx.t.steps)
        .set({ startedAt: tx.clockPlus(-3 * minuteMs) })
        .where(eq(tx.t.steps.status, 'running')),
    )
    const { steps } = await status()
    expect(steps).toMatchObject({ queued: exactly(1), running: exactly(1) })
    expect(steps?.longest_running_seconds).toBeWithin(180, 240)
    expect(steps?.oldest_queued_seconds).toBeLessThan(60)
  })

  test('reports events and deliveries that wait, and receivers that fail', async () => {
    const { events } = app.database.read.t
    const waiting = (await app.database.read.q.select().from(events)).length
    const before = await status()
    expect(before.outbox).toMatchObject({ waiting: exactly(waiting) })
    expect(before.outbox?.oldest_seconds).toBeNumber()
    expect(before.webhooks).toEqual({ waiting: exactly(0), failing: [] })
    const { status: code, body } = await author.post('/webhooks', { name: 'Ledger', url: 'http://127.0.0.1:9/hook' })
    expect(code).toBe(201)
    const id = body.id ?? body.webhook.id
    const since = app.clock.now()
    await app.database.write((tx) => updateWebhook(tx, id, { failures: 3, failingSince: since }))
    expect((await status()).webhooks?.failing).toEqual([
      { id, name: 'Ledger', status: 'active', failures: 3, failing_since: formatInstant(since) },
    ])
    await app.database.write((tx) => tx.q.update(events).set({ publishedAt: tx.clock }))
    expect((await status()).outbox).toEqual({ waiting: exactly(0), oldest_seconds: null })
  })

  test('names the versions of the other instances for as long as they are there', async () => {
    const present = (owner: string) => startPresence({ database: app.database, owner, log })
    const [own, other] = [present('this one'), present('another')]
    await Promise.all([own.first, other.first])
    expect((await status()).instances).toMatchObject({
      own: { version: PRODUCT_VERSION },
      other_versions: [PRODUCT_VERSION],
    })
    await other.stop(10_000)
    expect((await status()).instances.other_versions).toEqual([])
    await own.stop(10_000)
    const { leases } = app.database.read.t
    expect(await app.database.read.q.select().from(leases)).toEqual([])
  })

  test('knows the last backup once it is noted, the last sweep, the disk and what retention removed', async () => {
    expect((await status()).backup).toBeNull()
    await ensureStoreId(app.database)
    expect((await status()).backup).toBeNull()
    for (const at of ['2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z']) {
      await noteIn(app.database, [at])
      expect((await status()).backup).toEqual({ at })
    }
    expect(await status()).toMatchObject({ storage: { objects: null }, orphan_sweep: { last: null, next_at: null } })
    instance.sweeper = startSweeper({
      ...{ database: app.database, objects: app.objects, log },
      isLeader: async () => true,
    })
    await (instance.sweeper as ReturnType<typeof startSweeper>).round()
    const swept = await status()
    expect(swept.storage.objects?.count).toBeGreaterThan(0)
    expect(swept.storage.objects?.bytes).toBeGreaterThan(1_000)
    expect(swept.orphan_sweep.last).toMatchObject({ found: 0, removed: 0 })
    expect(swept.storage.data_disk?.total_bytes).toBeGreaterThan(swept.storage.data_disk?.free_bytes ?? Infinity)
    expect(swept.storage.objects_disk).toBeNull()
    ;(instance.sweeper as ReturnType<typeof startSweeper>).stop()

    expect(swept.retention).toEqual({ policies: 0, next_at: null, last_removed: null })
    const keep = async (policy: object, expected_number: number) =>
      expect((await author.post('/retention', { policies: [policy], expected_number })).status).toBe(200)
    await keep({ keep_days: 60, parts: { raw_input: 30 } }, 0)
    app.clock.advance(31 * 86_400_000)
    const remover = startRemover({
      ...{ database: app.database, objects: app.objects, clock: app.clock, log },
      isLeader: async () => true,
      pauseMs: 0,
    })
    await remover.round()
    author = await Author.signIn(app, 'later', ['administrator'])
    expect((await status()).retention.last_removed).toMatchObject({ submissions: 4, part: 'raw_input' })
    await keep({ keep_days: 30 }, 1)
    await remover.round()
    await remover.stop()
    instance.remover = remover
    const { retention } = await status()
    expect(retention).toMatchObject({ policies: 1, next_at: expect.any(String) })
    expect([retention.last_removed?.submissions, retention.last_removed?.part]).toEqual([4, undefined])
    expect(retention.last_removed?.artifact_bytes).toBeGreaterThan(1_000)
  })

  testOf(dialect, 'sqlite')('counts no further than its bound, and says so', async () => {
    await app.database.write(async (tx) => {
      const { auditRecords } = tx.t
      const [record] = await tx.q
        .select()
        .from(auditRecords)
        .where(eq(auditRecords.action, 'execution.completed'))
        .limit(1)
      const row = { ...record!, position: null, previousHash: null, hash: null, at: app.clock.now() }
      for (let from = 0; from <= limits.statusRows; from += 500) {
        await tx.q
          .insert(auditRecords)
          .values(Array.from({ length: 500 }, (_, n) => ({ ...row, id: `copy ${from + n}` })))
      }
    })
    expect((await status()).ended?.hour.completed).toEqual({ count: limits.statusRows, is_exact: false })
  })

  test('is for administrators, and for their tokens with the scope of the readiness', async () => {
    const roles: Role[] = ['engineer', 'operator', 'auditor', 'business_viewer']
    for (const role of roles) {
      const other = await Author.signIn(app, `the-${role}`, [role])
      expect([role, (await other.get(path)).status]).toEqual([role, 403])
    }
    for (const [scope, code] of [
      ['readiness_read', 200],
      ['audit_read', 403],
    ] as const) {
      const { body } = await author.post('/tokens', { name: scope, scopes: [scope], expires_in_days: 1 })
      expect([scope, (await author.withToken(body.token.secret ?? body.secret).get(path)).status]).toEqual([
        scope,
        code,
      ])
    }
  })
})

test('what nothing tells is unknown, and never zero', async () => {
  const fails = async () => {
    throw new Error('away')
  }
  const own: Instance = {
    ...{ owner: 'this one', startedAt: instantFromEpochMs(0), isSole: true },
    folders: { data: '/nowhere/at/all', objects: undefined },
    replica: { lagSeconds: () => undefined, failures: 2 },
    forwarders: [{ name: 'syslog', health: fails }],
  }
  const pause = { dependency: 'object-store', code: 'away', since: instantFromEpochMs(0) } as never
  const app = await startTestApp('sqlite', {
    instance: own,
    health: { relay: { health: fails }, runner: { consumerLastSuccessAt: null, pause, countPaused: fails } },
  })
  const author = await Author.signIn(app, 'root', ['administrator'])
  expect((await author.get(path)).body).toMatchObject({
    paused: { dependency: 'object-store', steps: null },
    storage: { data_disk: null, objects_disk: null, objects: null },
    publish_failures: null,
    instances: { other_versions: [] },
    replica: { is_configured: true, lag_seconds: null, failures: 2 },
    audit_receivers: [{ name: 'syslog', waiting: null, oldest_seconds: null, failures: null }],
    backup: null,
  })
  const bare = await startTestApp('sqlite')
  const other = await Author.signIn(bare, 'root', ['administrator'])
  expect((await other.get(path)).body).toMatchObject({
    instances: { own: { started_at: null }, other_versions: null },
    replica: { is_configured: null, lag_seconds: null, failures: null },
    audit_receivers: null,
  })
})
