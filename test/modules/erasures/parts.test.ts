import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { appendEvent } from '../../../src/bus/outbox.ts'
import { makeBackup } from '../../../src/commands/backup.ts'
import { checkBackup } from '../../../src/commands/backup-check.ts'
import { writeBackup } from '../../../src/commands/backup-files.ts'
import { createProgress } from '../../../src/commands/progress.ts'
import { fillDatabase, type TableLines } from '../../../src/commands/restore.store.ts'
import { verifyObjects, verifyRows } from '../../../src/commands/verify.ts'
import { createLog } from '../../../src/core/log.ts'
import { type RetainedPart, retainedParts } from '../../../src/core/retained-parts.ts'
import { signingKeyOf } from '../../../src/core/signing-key.ts'
import { writingWhile } from '../../../src/db/bound.ts'
import { copiedTables, digestOf, readLines } from '../../../src/db/copy.ts'
import type { Database } from '../../../src/db/database.ts'
import { appliedMigrations } from '../../../src/db/migrate.ts'
import { ensureStoreId } from '../../../src/db/store-id.ts'
import { erasedAnswer } from '../../../src/http/idempotency.store.ts'
import { verifyCoverage } from '../../../src/modules/audit/audit.coverage.ts'
import { startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { verifyChain } from '../../../src/modules/audit/audit.service.ts'
import { startFinisher } from '../../../src/modules/erasures/erasures.finisher.service.ts'
import { reconcileAll } from '../../../src/modules/erasures/erasures.reconcile.service.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { findInForce } from '../../../src/modules/policies/policies.reads.ts'
import { type RemoverDependencies, startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import type { ObjectStore } from '../../../src/objects/object-store.ts'
import { checkProof } from '../../../src/proof/check.ts'
import { gatherProof } from '../../../src/proof/gather.ts'
import { openPool } from '../../../src/runner/pool.ts'
import { goodPassword, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { createStepRunner } from '../executions/run.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const silent = createLog({ level: 'error', readable: true, write: () => {} })
const signing = signingKeyOf('6'.repeat(64))
const pool = openPool({ size: 1, log })
afterAll(() => pool.close())

const dayMs = 86_400_000
const days: Record<RetainedPart, number> = { raw_input: 30, output: 60, artifacts: 90, events: 120, steps: 150 }
const policy = { ingestion_model: 'clws-policy', keep_days: 3_650, parts: days }

async function linesOf(database: Database): Promise<TableLines[]> {
  const lines: TableLines[] = []
  for (const table of copiedTables(database.read)) {
    for await (const page of readLines(database.read, table)) lines.push({ table, lines: page.lines })
  }
  return lines
}

describeOnBothDialects('retention of parts', (dialect) => {
  let app: TestApp
  let headers: Record<string, string>

  beforeAll(async () => {
    app = await startTestApp(dialect)
    app.database.attestWith?.(signing.attest)
    await app.addUser('root', ['administrator', 'operator'])
    await seedDemo(app.database, app.clock)
    headers = await app.signIn('root', goodPassword)
    await ensureStoreId(app.database)
  })
  afterAll(() => app.database.close())

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  async function send(method: string, path: string, body?: unknown, more = {}): Promise<{ status: number; body: any }> {
    const answer = await app.send({ method, path, body, headers: { ...headers, ...more } })
    const text = await answer.text()
    return {
      status: answer.status,
      body: answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    }
  }
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })
  const signIn = async () => {
    headers = await app.signIn('root', goodPassword)
  }

  interface Made {
    id: string
    executions: { id: string }[]
    used: Record<string, string>
  }

  async function submit(object: string, change = (input: string) => input): Promise<Made> {
    const scenarios = await send('GET', '/api/v1/intake-test-lab/scenarios')
    const { raw_input, metadata } = scenarios.body.scenarios[0]
    const named = change(raw_input.replaceAll(metadata.source_object, object))
    const about = { ...metadata, source_object: object }
    app.clock.advance(1)
    const used = key()
    const body = { ingestion_model: 'clws-policy', raw_input: named, metadata: about }
    const made = await send('POST', '/api/v1/submissions', body, used)
    expect(made.status).toBe(202)
    return { ...made.body.submission, used }
  }

  async function run(executionId: string): Promise<void> {
    await createStepRunner(app.database, pool, app.objects)(executionId)
    await app.database.write((tx) =>
      tx.rows(
        sql`update steps set status = 'queued', lease_owner = null, lease_expires_at = null where status = 'running'`,
      ),
    )
  }

  async function made(object: string, change?: (input: string) => string): Promise<Made> {
    const submission = await submit(object, change)
    for (const { id } of submission.executions) await run(id)
    return submission
  }

  async function seal(database: Database = app.database): Promise<void> {
    const owner = crypto.randomUUID()
    await startSealer({ database, log, owner, key: signing, clock: app.clock, isSoleInstance: true }).drain()
  }

  /** All that `quire verify` finds. */
  async function problems({ read }: Database = app.database): Promise<string[]> {
    const found: string[] = []
    const report = (problem: string) => void found.push(problem)
    const progress = createProgress()
    await verifyRows(read, report, progress)
    await verifyObjects(read, app.objects, { report, progress })
    await verifyCoverage({ connection: read, report, key: signing })
    const { broken } = await verifyChain(read, 1)
    if (broken !== undefined) found.push(`position ${broken.position}: ${broken.reason}`)
    return found
  }

  async function round(more: Partial<RemoverDependencies> = {}): Promise<void> {
    const { database, objects, clock } = app
    const ports = { database, objects, clock, log: silent, pauseMs: 0, isLeader: async () => true }
    const remover = startRemover({ ...ports, ...more })
    await remover.round()
    await remover.stop()
  }

  async function publishAll(): Promise<void> {
    await app.database.write((tx) =>
      tx.rows(sql`update events set published_at = created_at where published_at is null`),
    )
  }

  const read = (id: string) => send('GET', `/api/v1/executions/${id}`)

  test('takes each part in its time, says so, and leaves a store that verifies and names what nobody removed', async () => {
    const retention = '/api/v1/retention'
    const set = (policies: object[], expected_number: number) =>
      send('POST', retention, { policies, expected_number }, key())
    for (const parts of [{ output: 3_650 }, { raw_input: 0 }, { audit: 3 }]) {
      expect((await set([{ ...policy, parts }], 0)).status).toBe(422)
    }
    const early = await set([{ keep_days: 10, parts: { events: 10 } }], 0)
    expect(early.body.detail).toContain('keeps events 10 days, and the submissions themselves 10')
    const put = await set([policy], 0)
    expect(put).toMatchObject({ status: 200, body: { number: 1, policies: [policy] } })

    // The others have the same documents.
    const [whole, failed, held, shared] = [
      await made('CLW-PART-1', (input) => input.replace(/"name": "[^"]+"/, '"name": "Ada Part"')),
      await submit('CLW-PART-2', (input) => input.replace('{', '{"unknown": 1, "x')),
      await made('CLW-PART-3'),
      await made('CLW-PART-6'),
    ]
    for (const { id } of failed.executions) await run(id)
    const working = await submit('CLW-PART-4')
    const hold = await send('POST', '/api/v1/holds', { object_reference: 'CLW-PART-3', reason: 'case 1' }, key())
    const { id } = whole.executions[0]!
    const [failedId, heldId] = [failed.executions[0]!.id, held.executions[0]!.id]
    const before = (await read(id)).body
    expect([before.status, before.removed, typeof before.raw_input, before.artifacts.length]).toEqual([
      'completed',
      undefined,
      'string',
      2,
    ])
    expect((await read(failedId)).body.status).toBe('failed')
    await seal()
    expect(await problems()).toEqual([])
    const older = await linesOf(app.database)
    const tables = []
    for (const table of copiedTables(app.database.read)) {
      tables.push({ ...table, ...(await digestOf(app.database.read, table)) })
    }
    const copy = { tables, migrations: await appliedMigrations(app.database.read) }

    app.clock.advance(31 * dayMs)
    await signIn()
    const young = await made('CLW-PART-5')
    const plan = (await send('POST', `${retention}/plan`, {})).body
    expect(plan).toMatchObject({
      is_complete: true,
      policies: [
        {
          counts: { submissions: 0 },
          parts: [
            { part: 'raw_input', counts: { submissions: 3, executions: 0, answers: 3 }, held: 1, at_work: 1 },
            { part: 'output', counts: { submissions: 0 }, held: 0, at_work: 0 },
            { part: 'artifacts', counts: { submissions: 0 } },
            { part: 'events', counts: { submissions: 0 } },
            { part: 'steps', counts: { submissions: 0 } },
          ],
        },
      ],
    })
    // Nothing is half done where a transaction fails.
    const database = { ...writingWhile(app.database, () => undefined), read: app.database.read }
    await round({ database: { ...database, write: () => Promise.reject(new Error('killed')) } })
    expect((await read(id)).body).toEqual(before)

    // Raw input.
    await round()
    const removed = [{ part: 'raw_input', policy: { retention: 1, ingestion_model: 'clws-policy', keep_days: 30 } }]
    const { raw_input: _raw, input: _input, ...rest } = before
    const without = (await read(id)).body
    expect(without).toEqual({ ...rest, removed: [expect.objectContaining(removed[0]!)] })
    const listed = (await send('GET', '/api/v1/executions')).body.executions
    expect(listed.find((one: Made) => one.id === id).removed).toEqual(without.removed)
    expect(listed.find((one: Made) => one.id === heldId).removed).toBeUndefined()
    const submission = (await send('GET', `/api/v1/submissions/${whole.id}`)).body
    expect([submission.removed, submission.raw_input_hash]).toEqual([without.removed, before.raw_input_hash])
    for (const { id } of [held, working, young]) {
      expect((await send('GET', `/api/v1/submissions/${id}`)).body.removed).toBeUndefined()
    }
    const text = (await linesOf(app.database)).flatMap(({ lines }) => lines).join('\n')
    // The object's reference stays in rows that are not the input.
    expect(text.split('\n').filter((line) => line.includes('CLW-PART-2') && line.includes('unknown'))).toEqual([])
    const conflict = async (path: string) => {
      const { status, body } = await send('POST', `/api/v1/executions/${path}`, {})
      expect([path, status]).toEqual([path, 409])
      return body.detail as string
    }
    expect(await conflict(`${id}/verify`)).toContain('its raw input was removed at')
    expect(await conflict(`${failedId}/retry`)).toContain('under retention policies, set 1. Hand the input in again.')
    const many = (await send('POST', '/api/v1/executions/retry', { dry_run: true })).body
    expect(many).toMatchObject({ retried: 0 })
    await seal()
    const proof = await gatherProof({ connection: app.database.read, objects: app.objects, heads: [] }, id)
    const { problems: wrong, differences, facts } = await checkProof(proof, { run: (job) => pool.run(job), heads: [] })
    expect([wrong, differences, facts?.removed.map(({ part }) => part)]).toEqual([[], [], ['raw_input']])
    expect(await problems()).toEqual([])
    const [answer] = await app.database.read.rows<{ status: number; body: string }>(
      sql`select status, body from idempotency where key = ${whole.used['idempotency-key']}`,
    )
    expect([answer?.status, answer?.body]).toEqual([erasedAnswer, '{}'])

    // Output.
    app.clock.advance(30 * dayMs)
    await round()
    await signIn()
    const { output: _output, ...less } = without
    expect((await read(id)).body).toEqual({
      ...less,
      removed: [without.removed[0], expect.objectContaining({ part: 'output' })],
    })
    // It never had one.
    expect((await read(failedId)).body.removed).toHaveLength(1)
    await seal()
    expect(await problems()).toEqual([])

    // Another execution may have made the same documents.
    app.clock.advance(30 * dayMs)
    await signIn()
    const sharedFiles = (await read(shared.executions[0]!.id)).body.artifacts
    const download = (artifact: string) =>
      send('GET', `/api/v1/executions/${id}/artifacts/${artifact}/download`, undefined, { 'if-none-match': '*' })
    await round()
    await signIn()
    const after = (await read(id)).body
    expect(after.artifacts).toEqual(before.artifacts.map((one: object) => ({ ...one, removed_at: expect.any(String) })))
    for (const { id: artifact } of before.artifacts) {
      const answer = await download(artifact)
      expect([answer.status, answer.body.code]).toEqual([410, 'content_unavailable'])
      expect(answer.body.detail).toContain('its documents were removed at')
    }
    const ledger = openLedger({ dataFolder: temporaryFolder(), erasureLedger: undefined }, app.objects)
    const finishing = { database: app.database, objects: app.objects, clock: app.clock, log: silent, ledger }
    const failing = () => Promise.reject(new Error('killed'))
    const cut: ObjectStore = {
      ...app.objects,
      deleteUnlessSince: failing,
    }
    for (const objects of [cut, app.objects]) {
      const finisher = startFinisher({ ...finishing, objects, isReconciled: true, minAgeMs: 0 })
      await finisher.round()
      await finisher.stop()
    }
    const isStored = async ({ content_hash: hash }: { content_hash: string }) =>
      (await app.objects.get(hash)) !== undefined
    expect(await Promise.all([...before.artifacts, ...sharedFiles].map(isStored))).toEqual([false, false, true, true])
    const target = join(temporaryFolder(), 'backup')
    const manifest = await makeBackup({
      objects: app.objects,
      database: app.database,
      writer: await writeBackup(target),
      progress: createProgress(),
    })
    expect(await checkBackup(target)).toEqual({ manifest })

    // Events: none that somebody waits for, and never the last.
    app.clock.advance(30 * dayMs)
    await round()
    await signIn()
    const trace = async () => (await send('GET', `/api/v1/executions/${id}/trace`)).body
    const long = (await trace()).events
    expect(long.length).toBeGreaterThan(3)
    await publishAll()
    // Webhooks have not been asked yet, and then one is away; a delivery that was made while another was removed keeps nothing.
    const ofWhole = sql`aggregate = 'execution' and aggregate_id = ${id}`
    await app.database.write((tx) => tx.rows(sql`update events set for_webhooks = ${true} where ${ofWhole}`))
    await round()
    await app.database.write((tx) => tx.rows(sql`update events set for_webhooks = null where ${ofWhole}`))
    const delivery = {
      ...{ id: crypto.randomUUID(), webhookId: 'w', eventId: long[0].id, aggregate: 'execution', aggregateId: id },
      ...{ sequence: 1, type: 'queued', status: 'pending' as const, attempts: 0 },
      ...{ dueAt: app.clock.now(), createdAt: app.clock.now() },
    } as const
    const receiver = {
      ...{
        id: 'w',
        name: 'W',
        url: 'https://receiver.example.org/',
        status: 'active' as const,
        secret: 'sealed',
        failures: 1,
      },
      ...{ createdBy: 'root', createdAt: app.clock.now(), updatedAt: app.clock.now() },
    }
    const sent = { ...delivery, id: crypto.randomUUID(), webhookId: 'v', status: 'delivered' as const }
    await app.database.write(async (tx) => {
      await tx.q.insert(tx.t.webhooks).values([receiver, { ...receiver, id: 'v' }])
      await tx.q.insert(tx.t.webhookDeliveries).values([delivery, sent])
    })
    await round()
    expect(await trace()).toEqual({ execution_id: id, events: long })
    await app.database.write((tx) => tx.q.delete(tx.t.webhooks).where(eq(tx.t.webhooks.id, 'w')))
    await round()
    expect(await app.database.read.q.select().from(app.database.read.t.webhookDeliveries)).toEqual([])
    const short = await trace()
    expect(short).toEqual({
      execution_id: id,
      events: long.slice(-1),
      removed: [expect.objectContaining({ part: 'events' })],
    })
    await app.database.write((tx) =>
      appendEvent(tx, app.clock.now(), {
        ...{ aggregate: 'execution', aggregateId: failedId, type: 'seen', data: {}, correlationId: 'x' },
      }),
    )
    const numbers = await app.database.read.rows<{ sequence: number }>(
      sql`select sequence from events where aggregate_id = ${failedId} order by sequence`,
    )
    expect(Number(numbers[1]?.sequence)).toBe(Number(numbers[0]?.sequence) + 1)
    await app.database.write((tx) => tx.rows(sql`delete from events where type = 'seen'`))

    // Details of steps.
    app.clock.advance(30 * dayMs)
    await publishAll()
    await round()
    await signIn()
    const bare = (await read(id)).body
    expect(bare.removed.map((one: { part: string }) => one.part)).toEqual([...retainedParts])
    for (const [index, step] of bare.steps.entries()) {
      const { name, position, status, attempt, state_version } = before.steps[index]
      expect(step).toEqual({ name, position, status, attempt, state_version })
    }
    const manifestOf = (await send('GET', `/api/v1/executions/${id}/provenance`)).body
    expect([manifestOf.removed.length, manifestOf.raw_input_hash]).toEqual([5, before.raw_input_hash])
    expect((await send('POST', '/api/v1/executions/retry', { code: 'removed', dry_run: true })).body.retried).toBe(0)
    expect((await read(heldId)).body.removed).toBeUndefined()
    const at = Date.parse(before.artifacts[0].created_at)
    const window = `from=${new Date(at - dayMs).toISOString()}&to=${new Date(at + dayMs).toISOString()}`
    const { storage } = (await send('GET', `/api/v1/storage?${window}`)).body
    const storedOf = ({ id }: Made) => storage.filter((one: { submission_id: string }) => one.submission_id === id)
    expect(storedOf(whole)).toMatchObject([{ removed_at: expect.any(String) }, { removed_at: expect.any(String) }])
    expect(storedOf(held).map((one: { removed_at?: string }) => one.removed_at)).toEqual([undefined, undefined])
    await seal()
    expect(await problems()).toEqual([])

    // What nobody removed, and what was put back.
    const heldRow = sql`(select submission_id from executions where id = ${heldId})`
    const tampers: [name: string, change: ReturnType<typeof sql>, said: RegExp][] = [
      [
        'input gone',
        sql`update submissions set raw_input = '', params = null where id = ${held.id}`,
        /does not have the input of its hash/,
      ],
      [
        'output gone',
        sql`update executions set output = null where id = ${heldId}`,
        /does not have the output of its hash/,
      ],
      [
        'documents gone',
        sql`update artifacts set removed_at = created_at where execution_id = ${heldId}`,
        /is without its bytes, and no policy has removed them/,
      ],
      [
        'events gone',
        sql`delete from events where aggregate_id = ${heldId} and sequence < 3`,
        /its steps, artifacts or events are not what the audit trail covers/,
      ],
      [
        'details gone',
        sql`update steps set summary = null where execution_id = ${heldId}`,
        /its steps, artifacts or events are not what the audit trail covers/,
      ],
      [
        'a tombstone of nobody',
        sql`insert into erased_items (erasure_id, kind, item_id) select min(id), 'output', ${heldRow} from erasures`,
        /erasure [^ ]+, or its tombstones are not/,
      ],
      [
        'input back',
        sql`update submissions set raw_input = 'x' where id = ${whole.id}`,
        /raw_input of the submission .* was erased, and is there again/,
      ],
      [
        'output back',
        sql`update executions set output = 'x' where id = ${id}`,
        /output of the submission .* was erased, and is there again/,
      ],
      [
        'documents back',
        sql`update artifacts set removed_at = null where execution_id = ${id}`,
        /artifacts of the submission .* was erased, and is there again/,
      ],
      [
        'details back',
        sql`update steps set duration_ms = 3 where execution_id = ${id}`,
        /its steps, artifacts or events are not what/,
      ],
      [
        'the last event',
        sql`update events set data = '{}' where aggregate_id = ${id}`,
        /its steps, artifacts or events are not what/,
      ],
      [
        'another state',
        sql`update erased_items set content_hash = ${'1'.repeat(64)} where kind = 'execution_state' and item_id = ${id}`,
        /erasure [^ ]+, or its tombstones are not/,
      ],
    ]
    for (const [name, change, said] of tampers) {
      let found: string[] = []
      const undo = new Error('undone')
      await app.database
        .write(async (tx) => {
          await tx.rows(change)
          found = await problems({ ...database, read: tx })
          throw undo
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error
        })
      expect([name, found.some((problem) => said.test(problem))]).toEqual([name, true])
    }

    // A store from before has all of it again, until its start has read the ledger.
    await reconcileAll({ ...finishing })
    const fresh = await openTestDatabase(dialect)
    await using closing = new AsyncDisposableStack()
    closing.defer(() => fresh.close())
    fresh.attestWith?.(signing.attest)
    const lines = async function* () {
      yield* older
    }
    await fillDatabase(fresh, copy, lines, async () => {})
    await ensureStoreId(fresh, await ensureStoreId(app.database))
    await seal(fresh)
    const brought = await reconcileAll({ database: fresh, ledger, clock: app.clock })
    const { erasures } = (await send('GET', '/api/v1/erasures')).body
    expect(brought.erasures.toSorted()).toEqual(erasures.map((one: Made) => one.id).toSorted())
    expect(erasures.map((one: { rule: object }) => one.rule)).toContainEqual({
      ...removed[0]?.policy,
      part: 'raw_input',
    })
    expect((await findInForce(fresh.read))?.policies).toEqual([policy])
    expect((await reconcileAll({ database: fresh, ledger, clock: app.clock })).erasures).toEqual([])
    await seal(fresh)
    expect(await problems(fresh)).toEqual([])
    const partsOf = async (submission: string) => {
      const rows = await fresh.read.rows<{ kind: string }>(
        sql`select kind from erased_items where item_id = ${submission} order by kind`,
      )
      return rows.map(({ kind }) => kind)
    }
    expect(await partsOf(whole.id)).toEqual([...retainedParts].sort())
    // What had not ended in it goes on, and the policy takes its parts later.
    expect(await partsOf(working.id)).toEqual([])

    // Released, the held one follows.
    const release = await send('POST', `/api/v1/holds/${hold.body.id}/release`, { reason: 'over' }, key())
    expect(release.status).toBe(200)
    await round()
    expect((await read(heldId)).body.removed).toHaveLength(5)
    await seal()
    expect(await problems()).toEqual([])

    // At the end goes the rest.
    app.clock.advance(3_700 * dayMs)
    await signIn()
    await round()
    expect((await read(id)).status).toBe(404)
  }, 120_000)

  test('leaves what verifies where the clock is set back between two parts, before either is sealed', async () => {
    app.clock.advance(31 * dayMs)
    await signIn()
    const { id, executions } = await made('CLW-PART-9')
    await publishAll()
    await app.database.write((tx) => tx.rows(sql`update events set for_webhooks = null`))
    await seal()
    app.clock.advance(151 * dayMs)
    await round({
      onPoint(point, part) {
        if (point === 'committed' && part === 'events') app.clock.advance(-3_600_000)
      },
    })
    await signIn()
    const { removed } = (await send('GET', `/api/v1/submissions/${id}`)).body
    expect(removed.map(({ part }: { part: string }) => part)).toEqual([...retainedParts])
    const [events, steps] = ['events', 'steps'].map((part) =>
      Date.parse(removed.find((one: { part: string }) => one.part === part).removed_at),
    )
    expect(steps).toBeLessThan(events!)
    await seal()
    expect(await problems()).toEqual([])
    const proof = await gatherProof(
      { connection: app.database.read, objects: app.objects, heads: [] },
      executions[0]!.id,
    )
    const { problems: wrong } = await checkProof(proof, { run: (job) => pool.run(job), heads: [] })
    expect(wrong).toEqual([])
  })
})
