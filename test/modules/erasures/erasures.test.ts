import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { makeBackup } from '../../../src/commands/backup.ts'
import { checkBackup } from '../../../src/commands/backup-check.ts'
import { writeBackup } from '../../../src/commands/backup-files.ts'
import { createProgress } from '../../../src/commands/progress.ts'
import { fillDatabase, type TableLines } from '../../../src/commands/restore.store.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { addMs } from '../../../src/core/instant.ts'
import { createLog } from '../../../src/core/log.ts'
import { signingKeyOf } from '../../../src/core/signing-key.ts'
import { writingWhile } from '../../../src/db/bound.ts'
import { copiedTables, digestOf, readLines } from '../../../src/db/copy.ts'
import type { Connection, Database, Transaction } from '../../../src/db/database.ts'
import { appliedMigrations } from '../../../src/db/migrate.ts'
import { ensureStoreId } from '../../../src/db/store-id.ts'
import { type Coverage, verifyCoverage } from '../../../src/modules/audit/audit.coverage.ts'
import { exportRecords } from '../../../src/modules/audit/audit.export.ts'
import { startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { verifyChain } from '../../../src/modules/audit/audit.service.ts'
import { startFinisher } from '../../../src/modules/erasures/erasures.finisher.service.ts'
import { listUndone, reconcile } from '../../../src/modules/erasures/erasures.reconcile.service.ts'
import { createErasureService } from '../../../src/modules/erasures/erasures.service.ts'
import { reconcileHolds } from '../../../src/modules/holds/holds.notes.service.ts'
import { listHoldsOn } from '../../../src/modules/holds/holds.reads.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { type Ledger, LedgerDamaged, openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { reconcileRetention } from '../../../src/modules/policies/policies.notes.service.ts'
import { findInForce } from '../../../src/modules/policies/policies.reads.ts'
import { type RemoverDependencies, startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import type { ObjectStore } from '../../../src/objects/object-store.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { openPool } from '../../../src/runner/pool.ts'
import { goodPassword, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { whileUncommitted } from '../../support/lock-waits.ts'
import { outcomeOf, rejectionOf } from '../../support/outcome.ts'
import { createStepRunner } from '../executions/run.ts'

const reference = 'CLW-MARKER-4711'
const paths = '/api/v1/erasures'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
/** The parts that the finisher uses, so that one of them can fail. */
const objectsOf = ({ objects }: TestApp): ObjectStore => ({
  ...objects,
  deleteUnlessSince: (hash, sinceMs) => objects.deleteUnlessSince(hash, sinceMs),
})
const databaseOf = ({ database }: TestApp): Database => ({
  ...writingWhile(database, () => undefined),
  read: database.read,
})

/** With a ledger of its own. */
function finishing(app: TestApp) {
  const ledger = openLedger({ dataFolder: temporaryFolder(), erasureLedger: undefined }, app.objects)
  return { database: app.database, objects: app.objects, clock: app.clock, log, ledger, isReconciled: true }
}

async function linesOf(database: Database): Promise<TableLines[]> {
  const lines: TableLines[] = []
  for (const table of copiedTables(database.read)) {
    for await (const page of readLines(database.read, table)) lines.push({ table, lines: page.lines })
  }
  return lines
}

const signing = signingKeyOf('5'.repeat(64))
const pool = openPool({ size: 1, log })
afterAll(() => pool.close())

describeOnBothDialects('erasure of an object', (dialect) => {
  let app: TestApp
  let headers: Record<string, string>

  beforeAll(async () => {
    app = await startTestApp(dialect)
    app.database.attestWith?.(signing.attest)
    await app.addUser('root', ['administrator', 'operator'])
    await seedDemo(app.database, app.clock)
    headers = await app.signIn('root', goodPassword)
  })
  afterAll(() => app.database.close())

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  async function send(method: string, path: string, body?: unknown, more = {}): Promise<{ status: number; body: any }> {
    const answer = await app.send({ method, path, body, headers: { ...headers, ...more } })
    return { status: answer.status, body: await answer.json() }
  }
  const key = () => ({ 'idempotency-key': crypto.randomUUID() })

  async function submit(object: string, more: Record<string, string> = key()) {
    const scenarios = await send('GET', '/api/v1/intake-test-lab/scenarios')
    const { raw_input, metadata } = scenarios.body.scenarios[0]
    // Object references come from the input, as the demo's model has it.
    const named = raw_input.replaceAll(metadata.source_object, object)
    const about = { ...metadata, source_object: object }
    app.clock.advance(1)
    return send(
      'POST',
      '/api/v1/submissions',
      { ingestion_model: 'clws-policy', raw_input: named, metadata: about },
      // Clients may name the object here, too.
      { 'x-correlation-id': `import-${object}.json`, ...more },
    )
  }

  async function run(executionId: string): Promise<void> {
    await createStepRunner(app.database, pool)(executionId)
    // It claims all that is ready, and runs one.
    await app.database.write((tx) =>
      tx.rows(
        sql`update steps set status = 'queued', lease_owner = null, lease_expires_at = null where status = 'running'`,
      ),
    )
  }

  /** Submits, and runs to the end. */
  async function made(object: string, more: Record<string, string> = key()) {
    const { status, body } = await submit(object, more)
    expect({ status, object: body.submission?.object_reference }).toEqual({ status: 202, object })
    for (const { id } of body.submission.executions) await run(id)
    return body.submission as { id: string; executions: { id: string }[] }
  }

  async function seal(database: Database = app.database): Promise<void> {
    await startSealer({
      database,
      log,
      owner: crypto.randomUUID(),
      key: signing,
      clock: app.clock,
      isSoleInstance: true,
    }).drain()
  }

  async function problems({ read }: Database = app.database): Promise<{ found: string[]; coverage: Coverage }> {
    const found: string[] = []
    const report = (problem: string) => found.push(problem)
    const coverage = await verifyCoverage({ connection: read, report, key: signing })
    const { broken } = await verifyChain(read, 1)
    if (broken !== undefined) found.push(`position ${broken.position}: ${broken.reason}`)
    return { found, coverage }
  }

  /** Every row of every table as text. */
  async function everything(): Promise<string> {
    return (await linesOf(app.database)).flatMap(({ lines }) => lines).join('\n')
  }

  test('is planned without a change, waits for work at hand, and leaves nothing of the object in any row', async () => {
    // The first one brings the release about, whose records are about no object.
    const other = await made('CLW-OTHER-1')
    const used = key()
    const gone = await made(reference, used)
    await made(reference)
    await seal()
    // Also one whose records are outside of the chain yet.
    const working = (await submit(reference)).body.submission

    const plan = await send('POST', `${paths}/plan`, { object_reference: reference })
    expect(plan.status).toBe(200)
    expect(plan.body).toMatchObject({ remaining: 0, at_work: working.executions.length })
    expect(plan.body.counts).toMatchObject({ submissions: 3, answers: 3 })
    for (const kind of ['executions', 'steps', 'artifacts', 'artifact_bytes', 'events', 'audit_records']) {
      expect(plan.body.counts[kind]).toBeGreaterThan(2)
    }
    const wanted = { object_reference: reference, reason: 'request 17' }
    const early = await send('POST', paths, wanted, key())
    expect([early.status, early.body.code]).toEqual([409, 'conflict'])
    expect(early.body.detail).toContain('not ended yet')
    for (const { id } of working.executions) await run(id)

    // As true and false: a failure would print all rows.
    const has = async (text: string) => (await everything()).includes(text)
    expect(await has(reference)).toBe(true)
    const again = key()
    const erased = await send('POST', paths, wanted, again)
    expect(erased.status).toBe(201)
    expect(erased.body).toMatchObject({
      remaining: 0,
      erasure: { reason: 'request 17', status: 'finishing', object_reference_hash: sha256Hex(reference) },
    })
    expect((await send('POST', paths, wanted, again)).body).toEqual(erased.body)
    expect(await has(reference)).toBe(false)
    expect(await has('CLW-OTHER-1')).toBe(true)

    // Reads say what happened; lists don't show it any more.
    const { id } = gone.executions[0]!
    for (const path of [
      `executions/${id}`,
      `executions/${id}/trace`,
      `executions/${id}/provenance`,
      `submissions/${gone.id}`,
    ]) {
      const answer = await send('GET', `/api/v1/${path}`)
      expect([path, answer.status, answer.body.detail.includes('was erased at')]).toEqual([path, 404, true])
    }
    const download = await send('GET', `/api/v1/executions/${id}/artifacts/${crypto.randomUUID()}/download`)
    expect([download.status, download.body.code]).toEqual([410, 'content_unavailable'])
    expect((await send('GET', `/api/v1/submissions?object_reference=${reference}`)).body.submissions).toEqual([])
    expect((await send('GET', `/api/v1/executions/${other.executions[0]!.id}`)).status).toBe(200)
    const replay = await submit(reference, used)
    expect([replay.status, replay.body.detail]).toEqual([
      409,
      'What was made under this Idempotency-Key has been erased. Send a new key.',
    ])
    const none = await send('POST', paths, wanted, key())
    expect([none.status, none.body.code]).toEqual([404, 'not_found'])

    // The chain holds, with the records that were outside of it and those that were in it.
    await seal()
    expect((await problems()).found).toEqual([])
    const trail = await send('GET', '/api/v1/audit?action=object.erased')
    expect(trail.body.audit[0]).toMatchObject({
      resource_id: erased.body.erasure.id,
      detail: { reason: 'request 17', object_reference_hash: sha256Hex(reference) },
    })
    expect((await send('GET', paths)).body.erasures).toEqual([erased.body.erasure])
    expect((await send('GET', `${paths}/${erased.body.erasure.id}`)).body).toEqual(erased.body.erasure)
    expect((await send('GET', `${paths}/${crypto.randomUUID()}`)).status).toBe(404)
  }, 60_000)

  test('keeps the correlation ids of Quire’s own, which only happen to have a short reference in them', async () => {
    const id = '77777777-7777-4777-8777-777777777777'
    await made('777', { ...key(), 'x-correlation-id': id })
    const emptied = async () => {
      const rows = await app.database.read.rows<{ detail: string }>(
        sql`select detail from audit_records where correlation_id = ${id} and resource_kind = 'submission'`,
      )
      return rows.map(({ detail }) => JSON.stringify(detail).includes('erasure_id'))
    }
    expect(await emptied()).toEqual([false])
    expect((await send('POST', paths, { object_reference: '777', reason: 'short' }, key())).status).toBe(201)
    expect(await emptied()).toEqual([true])
  }, 60_000)

  test('is no finding while a store is verified that goes on being served, nor is anything that arrives then', async () => {
    await made('CLW-LEAVING-1')
    await seal()
    const found: string[] = []
    let states = 0
    const coverage = await verifyCoverage({
      ...{ connection: app.database.read, key: signing, report: (problem) => found.push(problem) },
      // Between two states that verify looks at: the heads, and the first records of the trail.
      async inOneState(work) {
        if (++states === 2) {
          await made('CLW-ARRIVING-1')
          const gone = await send('POST', paths, { object_reference: 'CLW-LEAVING-1', reason: 'request 18' }, key())
          expect(gone.status).toBe(201)
          await seal()
          const arrived =
            "where submission_id in (select id from submissions where object_reference = 'CLW-ARRIVING-1')"
          await app.database.write((tx) =>
            tx.rows(sql.raw(`update executions set node_label = node_label || '·' ${arrived}`)),
          )
        }
        return app.database.snapshot(work)
      },
    })
    // The heads, the trail as it was at the start, and what was sealed since.
    expect(states).toBe(3)
    expect(found).toEqual([expect.stringMatching(/^submission .*its executions or their steps are not what/)])
    const after = await problems()
    expect(after.found).toEqual(found)
    expect(coverage.covered).toBe(after.coverage.covered)
    await app.database.write((tx) => tx.rows(sql`update executions set node_label = replace(node_label, '·', '')`))
  }, 60_000)

  test('is told from a deletion, and its tombstones and emptied records are covered', async () => {
    const kept = await made('CLW-KEPT-1')
    await seal()
    const tamper = async (statement: string): Promise<string[]> => {
      const found: string[] = []
      await app.database
        .write(async (tx) => {
          await tx.rows(sql.raw(statement))
          const connection = tx
          await verifyCoverage({ connection, report: (problem) => found.push(problem), key: signing })
          const { broken } = await verifyChain(connection, 1)
          if (broken !== undefined) found.push(broken.reason)
          throw new Error('undone')
        })
        .catch((error: Error) => {
          if (error.message !== 'undone') throw error
        })
      return found
    }
    const [submission, execution] = [kept.id, kept.executions[0]!.id]
    expect((await tamper(`delete from submissions where id = '${submission}'`)).join('\n')).toContain(
      `submission ${submission} is missing`,
    )
    // A tombstone under an erasure that was made takes nothing into it.
    const forged = (
      await tamper(`insert into erased_items (erasure_id, kind, item_id)
      select id, 'execution', '${execution}' from erasures limit 1`)
    ).join('\n')
    expect(forged).toContain('its tombstones are not what the audit trail covers')
    expect(forged).toContain(`execution ${execution} was erased, and is there again`)
    expect((await tamper(`delete from erased_items where kind = 'submission'`)).join('\n')).toContain('is missing')
    expect((await tamper(`delete from erasures`)).join('\n')).toContain('is missing')
    const invented =
      await tamper(`insert into erasures (id, object_reference_hash, reason, counts, erased_by, correlation_id, erased_at)
      select 'invented', object_reference_hash, reason, counts, erased_by, correlation_id, erased_at from erasures limit 1`)
    expect((await problems()).coverage.since).toBeDefined()
    expect(invented.join('\n')).toContain('erasure invented has no record')
    const emptied = `select item_id from erased_items where kind = 'audit_record' order by item_id limit 1`
    expect((await tamper(`update audit_records set actor_id = 'x' where id in (${emptied})`)).join('\n')).toContain(
      'not what it was when it was sealed',
    )
    expect((await problems()).found).toEqual([])
    // Whoever takes the trail elsewhere is told of no break either.
    let emptiedLines = 0
    for await (const { lines, broken } of exportRecords(app.database.read, 0)) {
      emptiedLines += lines.filter(({ json }) => json.includes('"erasure_id"')).length
      expect(broken).toEqual([])
    }
    expect(emptiedLines).toBeGreaterThan(0)
  }, 60_000)

  test('leaves objects that others name, and removes the rest once no step can be about to name them', async () => {
    const bytes = new TextEncoder().encode(`shared ${dialect}`)
    const alone = new TextEncoder().encode(`alone ${dialect}`)
    const [shared, own] = [sha256Hex(bytes), sha256Hex(alone)]
    await app.objects.put(shared, bytes)
    await app.objects.put(own, alone)
    const gone = await made('CLW-OBJECTS-1')
    const stays = await made('CLW-OBJECTS-2')
    await app.database.write(async (tx) => {
      const name = (execution: string, kind: string, hash: string) =>
        tx.rows(sql`update artifacts set content_hash = ${hash} where execution_id = ${execution} and kind = ${kind}`)
      for (const [kind, hash] of [
        ['docx', shared],
        ['pdf', own],
      ] as const) {
        await name(gone.executions[0]!.id, kind, hash)
      }
      await name(stays.executions[0]!.id, 'docx', shared)
    })
    const wanted = { object_reference: 'CLW-OBJECTS-1', reason: 'retention' }
    const { body } = await send('POST', paths, wanted, key())
    const status = async () => (await send('GET', `${paths}/${body.erasure.id}`)).body.status
    const ports = finishing(app)
    // The database's clock may be hours ahead of what the times of objects are from.
    const patient = startFinisher({ ...ports, clock: { now: () => addMs(systemClock.now(), 7_200_000) } })
    await patient.round()
    await patient.stop()
    expect(await app.objects.get(own)).toEqual(alone)
    expect(await status()).toBe('finishing')
    // A step stores each again between the two questions about it, whichever comes first; its row comes after both.
    const asked = { names: 0, ages: 0 }
    const { read } = app.database
    const over: Connection['over'] = (statement) => {
      const { getQuery } = statement as { getQuery?: () => { sql: string } }
      if (getQuery?.call(statement).sql.startsWith('select distinct "content_hash"') === true) asked.names++
      return read.over(statement)
    }
    const deleteUnlessSince: ObjectStore['deleteUnlessSince'] = async (hash, sinceMs) =>
      asked.names > asked.ages++ ? 'kept' : app.objects.deleteUnlessSince(hash, sinceMs)
    const late = startFinisher({
      ...ports,
      database: { ...databaseOf(app), read: { ...read, over } },
      objects: { ...objectsOf(app), deleteUnlessSince },
    })
    await late.round()
    await late.stop()
    expect(await app.objects.get(own)).toEqual(alone)
    // Cut short at each of its steps, it is taken up again.
    const failing = () => Promise.reject(new Error('killed'))
    const silent = createLog({ level: 'error', readable: true, write: () => {} })
    const cut = [
      { ...ports, objects: { ...objectsOf(app), deleteUnlessSince: failing } },
      { ...ports, database: { ...databaseOf(app), scrub: failing } },
      { ...ports, database: { ...databaseOf(app), scrub: async () => false } },
      { ...ports, database: { ...databaseOf(app), write: failing } },
      { ...ports, ledger: { ...ports.ledger, write: failing } },
      { ...ports, isReconciled: false, ledger: { ...ports.ledger, names: failing } },
    ]
    for (const one of cut) {
      const finisher = startFinisher({ ...one, log: silent, minAgeMs: 0 })
      await finisher.round()
      await finisher.stop()
      expect(await status()).toBe('finishing')
    }
    const prompt = startFinisher({ ...ports, minAgeMs: 0 })
    await prompt.round()
    await prompt.stop()
    expect(await app.objects.get(own)).toBeUndefined()
    expect(await app.objects.get(shared)).toEqual(bytes)
    expect(await status()).toBe('completed')
  }, 60_000)

  test('is completed although an object of the next one could not be removed', async () => {
    const ids: string[] = []
    const hashes: string[] = []
    for (const place of [1, 2]) {
      const bytes = new TextEncoder().encode(`${place} of two ${dialect}`)
      hashes.push(sha256Hex(bytes))
      await app.objects.put(sha256Hex(bytes), bytes)
      const { executions } = await made(`CLW-TWO-${place}`)
      await app.database.write((tx) =>
        tx.rows(sql`update artifacts set content_hash = ${sha256Hex(bytes)}
          where execution_id = ${executions[0]!.id} and kind = 'pdf'`),
      )
      const wanted = { object_reference: `CLW-TWO-${place}`, reason: 'retention' }
      ids.push((await send('POST', paths, wanted, key())).body.erasure.id)
    }
    const deleteUnlessSince: ObjectStore['deleteUnlessSince'] = async (hash, sinceMs) => {
      if (hash === hashes[1]) throw new Error('500')
      return app.objects.deleteUnlessSince(hash, sinceMs)
    }
    const log = createLog({ level: 'error', readable: true, write: () => {} })
    const finisher = startFinisher({
      ...finishing(app),
      ...{ objects: { ...objectsOf(app), deleteUnlessSince }, log, minAgeMs: 0 },
    })
    await finisher.round()
    await finisher.stop()
    const statuses = await Promise.all(ids.map(async (id) => (await send('GET', `${paths}/${id}`)).body.status))
    expect(statuses).toEqual(['completed', 'finishing'])
  }, 60_000)

  test('is made again in an older copy of the store, wherever its ledger is left', async () => {
    const [object, folder] = ['CLW-RESTORED-1', temporaryFolder()]
    const gone = await made(object)
    // The copy also has one that had not ended, and lacks one that is made later.
    const queued = (await submit(object)).body.submission
    await made('CLW-RESTORED-2')
    const holding = async (on: object) => {
      const { status, body } = await send('POST', '/api/v1/holds', { ...on, reason: 'case 12' }, key())
      expect(status).toBe(201)
      return body.id as string
    }
    const released = await holding({ object_reference: 'CLW-RELEASED-1' })
    const own = await holding({ object_reference: object })
    await seal()
    const older = await linesOf(app.database)
    const tables = []
    for (const table of copiedTables(app.database.read)) {
      tables.push({ ...table, ...(await digestOf(app.database.read, table)) })
    }
    const copy = { tables, migrations: await appliedMigrations(app.database.read) }
    for (const { id } of queued.executions) await run(id)
    await made(object)
    expect((await send('POST', `/api/v1/holds/${own}/release`, { reason: 'case 12 is over' }, key())).status).toBe(200)
    const { body } = await send('POST', paths, { object_reference: object, reason: 'request 18' }, key())
    const held = await holding({ object_reference: 'CLW-RESTORED-2' })
    await send('POST', `/api/v1/holds/${released}/release`, { reason: 'case 12 is over' }, key())
    const store = await ensureStoreId(app.database)
    const places = { dataFolder: folder, erasureLedger: undefined }
    const empty = await openObjectStore(`file:${join(folder, 'lost')}`)
    const ledger = openLedger(places, app.objects)
    expect(await reconcileHolds({ database: app.database, ledger, clock: app.clock })).toEqual([])
    expect(await reconcile({ database: app.database, ledger, clock: app.clock })).toMatchObject({ repeated: [] })
    expect(await reconcile({ database: app.database, ledger, clock: app.clock })).toEqual({ repeated: [], noted: 0 })

    /** What is left of the object in a store that was filled from the copy. */
    async function restored(from: Ledger, id: string) {
      const database = await openTestDatabase(dialect)
      await using closing = new AsyncDisposableStack()
      closing.defer(() => database.close())
      database.attestWith?.(signing.attest)
      const read = async function* () {
        yield* older
      }
      await fillDatabase(database, copy, read, async () => {})
      await ensureStoreId(database, id)
      await seal(database)
      const has = async () => (await linesOf(database)).some(({ lines }) => lines.join('').includes(object))
      expect(await has()).toBe(true)
      const holds = await reconcileHolds({ database, ledger: from, clock: app.clock })
      expect([holds.includes(held), holds.includes(released)]).toEqual([true, true])
      expect(await reconcileHolds({ database, ledger: from, clock: app.clock })).toEqual([])
      const isHeld = async (object: string) =>
        (await listHoldsOn(database.read, { objects: [object], models: [] })).length === 1
      expect([await isHeld('CLW-RESTORED-2'), await isHeld('CLW-RELEASED-1')]).toEqual([true, false])
      const undone = await listUndone(database.read, from)
      const { repeated } = await reconcile({ database, ledger: from, clock: app.clock })
      expect(repeated).toEqual(undone)
      expect(await reconcile({ database, ledger: from, clock: app.clock })).toMatchObject({ repeated: [] })
      await seal(database)
      const { found } = await problems(database)
      const erasure = await createErasureService(database, app.objects)
        .read(body.erasure.id)
        .catch(() => undefined)
      const others = await database.read.q.select().from(database.read.t.submissions)
      return { repeated, found, has: await has(), erasure, others: others.length }
    }
    // In the folder beside the data directory, though the objects are lost; and beside the objects, in a store that was
    // restored elsewhere and has another id.
    const [inFolder, besideObjects] = [
      openLedger(places, empty),
      openLedger({ ...places, dataFolder: `${folder}/none` }, app.objects),
    ]
    for (const [left, id] of [
      [inFolder, store],
      [besideObjects, 'another'],
    ] as const) {
      const after = await restored(left, id)
      expect(after).toMatchObject({ found: [], has: false, erasure: { ...body.erasure, status: 'finishing' } })
      expect([after.repeated.includes(body.erasure.id), after.others > 0]).toEqual([true, true])
    }
    // A store that has nothing of them takes no erasures of another.
    const fresh = await openTestDatabase(dialect)
    await using closing = new AsyncDisposableStack()
    closing.defer(() => fresh.close())
    await ensureStoreId(fresh)
    expect(await reconcile({ database: fresh, ledger, clock: app.clock })).toEqual({ repeated: [], noted: 0 })
    // What can't be read is no reason to serve what it erased.
    const note = join(`${folder}.erasures`, `erasure.${body.erasure.id}`)
    expect(JSON.parse(readFileSync(note, 'utf8')).submissions).toContain(gone.id)
    expect(readFileSync(note, 'utf8')).not.toContain(object)
    writeFileSync(note, '{}')
    const damaged = openLedger(places, await openObjectStore(`file:${join(folder, 'lost too')}`))
    expect(await outcomeOf(restored(damaged, store))).toThrow(LedgerDamaged)
  }, 60_000)

  test('is refused while a legal hold is on the object or on its model, which says who, when and why', async () => {
    const object = 'CLW-HELD-1'
    await made(object)
    const erase = (more = key()) => send('POST', paths, { object_reference: object, reason: 'request 19' }, more)
    const holds = '/api/v1/holds'
    const release = (id: string, more = key()) => send('POST', `${holds}/${id}/release`, { reason: 'over' }, more)
    for (const on of [{ object_reference: object }, { ingestion_model: 'clws-policy' }]) {
      const used = key()
      const placed = await send('POST', holds, { ...on, reason: 'case 12' }, used)
      expect(placed).toMatchObject({ status: 201, body: { ...on, status: 'in_force', reason: 'case 12' } })
      expect((await send('POST', holds, { ...on, reason: 'case 12' }, used)).body).toEqual(placed.body)
      const { id } = placed.body
      expect((await send('POST', `${paths}/plan`, { object_reference: object })).body.holds).toEqual([id])
      const refused = await erase()
      expect([refused.status, refused.body.detail.includes(id)]).toEqual([409, true])
      expect((await send('GET', `/api/v1/submissions?object_reference=${object}`)).body.submissions).toHaveLength(1)
      const over = await release(id)
      expect(over).toMatchObject({
        status: 200,
        body: { status: 'released', release_reason: 'over', reason: 'case 12' },
      })
      expect((await release(id)).status).toBe(409)
      expect((await send('GET', `${holds}/${id}`)).body).toEqual(over.body)
      expect((await send('GET', holds)).body.holds[0]).toEqual(over.body)
      const trail = await send('GET', `/api/v1/audit?resource_id=${id}`)
      expect(trail.body.audit.map(({ action }: { action: string }) => action)).toEqual(['hold.released', 'hold.placed'])
    }
    for (const [body, status] of [
      [{ reason: 'none' }, 422],
      [{ object_reference: object, ingestion_model: 'clws-policy', reason: 'both' }, 422],
      [{ ingestion_model: 'unknown', reason: 'none' }, 404],
    ] as const) {
      expect([body, (await send('POST', holds, body, key())).status]).toEqual([body, status])
    }
    expect((await release(crypto.randomUUID())).status).toBe(404)
    // Placed before an erasure ends, it stops it; and at its end nothing in the holds names the object.
    const [last] = (await send('GET', holds)).body.holds
    await seal()
    await app.database.write((tx) => tx.rows(sql`update holds set released_at = null where id = ${last.id}`))
    expect((await problems()).found.join('\n')).toContain(`hold ${last.id}, or its release is not what`)
    await app.database.write((tx) =>
      tx.rows(sql`update holds set released_at = ${app.clock.now()} where id = ${last.id}`),
    )
    expect((await erase()).status).toBe(201)
    expect((await everything()).includes(object)).toBe(false)
    await seal()
    expect((await problems()).found).toEqual([])
    app.clock.advance(11 * 60_000)
    const { id } = (await send('POST', holds, { object_reference: 'CLW-LATER-1', reason: 'case 13' }, key())).body
    expect((await release(id)).status).toBe(403)
    headers = await app.signIn('root', goodPassword)
    expect((await release(id)).status).toBe(200)
  }, 60_000)

  test('is made by retention policies, of what is due and neither held nor at work, and goes on where it was cut short', async () => {
    const retention = '/api/v1/retention'
    expect((await send('GET', retention)).body).toEqual({ number: 0, policies: [] })
    const policy = { ingestion_model: 'clws-policy', keep_days: 30 }
    const set = (policies: object[], expected: number, more = key()) =>
      send('POST', retention, { policies, expected_number: expected }, more)
    for (const [policies, expected, status] of [
      [[policy, policy], 0, 422],
      [[{ keep_days: 1 }, { keep_days: 2 }], 0, 422],
      [[{ ingestion_model: 'unknown', keep_days: 1 }], 0, 422],
      [[{ keep_days: 0 }], 0, 422],
      [[policy], 1, 409],
    ] as const) {
      expect([policies, (await set([...policies], expected)).status]).toEqual([policies, status])
    }
    for (const { id, status } of (await send('GET', '/api/v1/holds')).body.holds) {
      if (status === 'in_force') await send('POST', `/api/v1/holds/${id}/release`, { reason: 'over' }, key())
    }
    const [due, held] = [await made('CLW-DUE-1'), await made('CLW-DUE-2')]
    const working = (await submit('CLW-DUE-3')).body.submission
    const { id } = (await send('POST', '/api/v1/holds', { object_reference: 'CLW-DUE-2', reason: 'case 14' }, key()))
      .body
    app.clock.advance(31 * 86_400_000)
    headers = await app.signIn('root', goodPassword)
    const young = await made('CLW-YOUNG-1')
    await seal()
    const there = async () => {
      const { submissions } = app.database.read.t
      return (await app.database.read.q.select({ id: submissions.id }).from(submissions)).map((row) => row.id)
    }
    const before = await there()

    // A policy for all models leaves those alone that have one of their own.
    const planned = await send('POST', `${retention}/plan`, { policies: [policy, { keep_days: 1 }] })
    expect(planned.body.is_complete).toBe(true)
    const removable = before.length - 3
    expect(planned.body.policies).toMatchObject([
      { policy, counts: { submissions: removable }, held: 1, at_work: 1 },
      { policy: { keep_days: 1 }, counts: { submissions: 0 }, held: 0, at_work: 0 },
    ])
    expect(planned.body.policies[0].counts.artifact_bytes).toBeGreaterThan(1_000)
    const none = { policy: { ingestion_model: 'clws-policy', keep_days: 400 }, counts: { submissions: 0 } }
    expect((await send('POST', `${retention}/plan`, { policies: [none.policy] })).body.policies).toMatchObject([none])
    expect((await send('POST', `${retention}/plan`, {})).body).toEqual({ policies: [], is_complete: true })
    expect(await there()).toEqual(before)

    const silent = createLog({ level: 'error', readable: true, write: () => {} })
    const { database, objects, clock } = app
    const ports = { database, objects, clock, log: silent, pauseMs: 0, isLeader: async () => true }
    async function round(more: Partial<RemoverDependencies> = {}) {
      const remover = startRemover({ ...ports, ...more })
      await remover.round()
      await remover.stop()
    }
    await round()
    expect(await there()).toEqual(before)
    const used = key()
    const made1 = await set([policy], 0, used)
    expect(made1).toMatchObject({ status: 200, body: { number: 1, policies: [policy] } })
    expect((await set([policy], 0, used)).body).toEqual(made1.body)
    // Not by an instance without the role, nor half where a transaction fails.
    await round({ isLeader: async () => false })
    await round({ database: { ...databaseOf(app), write: () => Promise.reject(new Error('killed')) } })
    expect(await there()).toEqual(before)
    await round()
    const left = [held.id, working.id, young.id].sort()
    expect((await there()).sort()).toEqual(left)
    const rule = { ...policy, retention: 1 }
    const [removal] = (await send('GET', paths)).body.erasures
    expect(removal).toMatchObject({ rule, reason: 'kept for 30 days (clws-policy)' })
    expect(removal.object_reference_hash).toBeUndefined()
    const trail = await send('GET', `/api/v1/audit?resource_id=${removal.id}`)
    expect(trail.body.audit).toMatchObject([{ action: 'retention.removed', detail: { rule } }])
    const gone = await send('GET', `/api/v1/submissions/${due.id}`)
    expect([gone.status, gone.body.detail.includes('was erased at')]).toEqual([404, true])
    expect((await everything()).includes('CLW-DUE-1')).toBe(false)
    await seal()
    expect((await problems()).found).toEqual([])

    // Released and ended, they go too, though they were passed over before.
    const remover = startRemover(ports)
    await remover.round()
    expect((await there()).sort()).toEqual(left)
    await send('POST', `/api/v1/holds/${id}/release`, { reason: 'over' }, key())
    for (const execution of working.executions) await run(execution.id)
    await remover.round()
    expect(await there()).toEqual([young.id])
    // What becomes due later goes in a later round.
    app.clock.advance(31 * 86_400_000)
    await remover.round()
    await remover.stop()
    expect(await there()).toEqual([])
    await seal()
    expect((await problems()).found).toEqual([])

    // One that is held at the very moment of its removal stays, and goes once it is released.
    headers = await app.signIn('root', goodPassword)
    const late = await made('CLW-DUE-4')
    app.clock.advance(31 * 86_400_000)
    headers = await app.signIn('root', goodPassword)
    let hold: string | undefined
    const write: Database['write'] = async (work) => {
      const wanted = { object_reference: 'CLW-DUE-4', reason: 'case 15' }
      hold ??= (await send('POST', '/api/v1/holds', wanted, key())).body.id as string
      return app.database.write(work)
    }
    const later = startRemover({ ...ports, database: { ...databaseOf(app), write } })
    await later.round()
    expect(await there()).toEqual([late.id])
    expect((await send('POST', `/api/v1/holds/${hold}/release`, { reason: 'over' }, key())).status).toBe(200)
    await later.round()
    await later.stop()
    expect(await there()).toEqual([])

    // A store that is restored from before has the newest set again, and no earlier one in force.
    headers = await app.signIn('root', goodPassword)
    if (dialect === 'postgres') {
      // Two people at one moment: the later one is told.
      const rival = { ...{ id: 'rival', number: 2, policies: [], setBy: 'x', correlationId: 'x' }, notedAt: null }
      const first = (tx: Transaction) => tx.q.insert(tx.t.retention).values({ ...rival, setAt: app.clock.now() })
      expect((await whileUncommitted(app.database, first, () => set([], 1))).status).toBe(409)
      await app.database.write((tx) => tx.rows(sql`delete from retention where id = 'rival'`))
    }
    expect((await set([], 1)).body).toMatchObject({ number: 2, policies: [] })
    const ledger = openLedger({ dataFolder: temporaryFolder(), erasureLedger: undefined }, app.objects)
    await reconcileRetention({ database: app.database, ledger, clock: app.clock })
    const fresh = await openTestDatabase(dialect)
    await using closing = new AsyncDisposableStack()
    closing.defer(() => fresh.close())
    if (dialect === 'postgres') {
      // Instances that start at one moment: what one brings back, the others find.
      const sets = await app.database.read.q.select().from(app.database.read.t.retention)
      const first = (tx: Transaction) => tx.q.insert(tx.t.retention).values(sets)
      const second = () => reconcileRetention({ database: fresh, ledger, clock: app.clock })
      expect(await whileUncommitted(fresh, first, second)).toEqual([])
      await fresh.write((tx) => tx.rows(sql`delete from retention`))
    }
    expect(await reconcileRetention({ database: fresh, ledger, clock: app.clock })).toEqual([1, 2])
    expect(await reconcileRetention({ database: fresh, ledger, clock: app.clock })).toEqual([])
    expect((await findInForce(fresh.read))?.policies).toEqual([])
  }, 60_000)

  test('is for administrators, who give their password again, and for tokens of its own scope', async () => {
    await app.addUser('ann', ['engineer', 'operator'])
    await app.addUser('oda', ['auditor'])
    const [ann, oda] = [await app.signIn('ann', goodPassword), await app.signIn('oda', goodPassword)]
    const wanted = { object_reference: 'CLW-NONE', reason: 'none' }
    for (const [who, read] of [
      [ann, 403],
      [oda, 200],
    ] as const) {
      const asked = { ...who, ...key() }
      expect((await app.send({ method: 'POST', path: paths, headers: asked, body: wanted })).status).toBe(403)
      const plan = { object_reference: 'CLW-NONE' }
      expect((await app.send({ method: 'POST', path: `${paths}/plan`, headers: asked, body: plan })).status).toBe(403)
      const hold = { ...plan, reason: 'none' }
      expect((await app.send({ method: 'POST', path: '/api/v1/holds', headers: asked, body: hold })).status).toBe(403)
      expect((await app.send({ path: '/api/v1/holds', headers: who })).status).toBe(read)
      const nothing = { policies: [], expected_number: 2 }
      expect(
        (await app.send({ method: 'POST', path: '/api/v1/retention', headers: asked, body: nothing })).status,
      ).toBe(403)
      expect((await app.send({ path: '/api/v1/retention', headers: who })).status).toBe(read)
      expect((await app.send({ path: paths, headers: who })).status).toBe(read)
    }
    app.clock.advance(11 * 60_000)
    const late = await send('POST', paths, wanted, key())
    expect([late.status, late.body.detail.includes('your password again')]).toEqual([403, true])
  })

  test('while a backup is made leaves a whole backup, which names the objects that it could not have', async () => {
    const hashesOf = async (object: string): Promise<string[]> => {
      const rows = await app.database.read.rows<{ hash: string }>(
        sql`select content_hash as hash from artifacts where object_reference = ${object}`,
      )
      return rows.map(({ hash }) => hash)
    }
    // The runner of these tests stores no files: one that is there for all, and others for what leaves.
    const point = async (text: string, where = sql``) => {
      const bytes = new TextEncoder().encode(text)
      await app.objects.put(sha256Hex(bytes), bytes)
      await app.database.write((tx) => tx.rows(sql`update artifacts set content_hash = ${sha256Hex(bytes)} ${where}`))
    }
    headers = await app.signIn('root', goodPassword)
    await made('CLW-LEAVING-2')
    await point('a file')
    for (const kind of ['docx', 'pdf'])
      await point(`leaving ${kind}`, sql`where object_reference = 'CLW-LEAVING-2' and kind = ${kind}`)
    const hashes = await hashesOf('CLW-LEAVING-2')
    const target = join(temporaryFolder(), 'backup')
    const manifest = await makeBackup({
      objects: app.objects,
      writer: await writeBackup(target),
      progress: createProgress(),
      database: {
        ...databaseOf(app),
        async snapshot(work) {
          const tables = await app.database.snapshot(work)
          const gone = await send('POST', paths, { object_reference: 'CLW-LEAVING-2', reason: 'request 19' }, key())
          expect(gone.status).toBe(201)
          // What the finisher does later.
          for (const hash of hashes) await app.objects.delete(hash)
          return tables
        },
      },
    })
    expect(manifest.objects.erased_meanwhile?.toSorted()).toEqual(hashes.toSorted())
    expect(await checkBackup(target)).toEqual({ manifest })
    // One of an artifact that is still there is missed.
    await made('CLW-STAYING-1')
    const [kept = ''] = (await hashesOf('CLW-STAYING-1')).toSorted()
    const again = { database: app.database, objects: app.objects, progress: createProgress() }
    const error = await rejectionOf(makeBackup({ ...again, writer: await writeBackup(`${target}-2`) }))
    expect(String(error)).toContain(`the object ${kept}, which an artifact names, is not in the store`)
  }, 60_000)
})
