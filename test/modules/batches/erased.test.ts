import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { artifactHashes, isNamed } from '../../../src/commands/move.store.ts'
import { addMs } from '../../../src/core/instant.ts'
import { createLog } from '../../../src/core/log.ts'
import { startFinisher } from '../../../src/modules/erasures/erasures.finisher.service.ts'
import { reconcile } from '../../../src/modules/erasures/erasures.reconcile.service.ts'
import { pauseOlderBatches } from '../../../src/modules/erasures/erasures.store.ts'
import { openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import { namedHashes } from '../../../src/modules/storage/storage.reads.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects, temporaryFolder } from '../../support/database.ts'
import { runAll } from '../executions/run.ts'
import { csvOf, handIn, startInvoices } from './fixture.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

describeOnBothDialects('what batches hold', (dialect) => {
  let app: TestApp
  let operator: Author
  let root: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    ;({ operator } = await startInvoices(app))
    root = await Author.signIn(app, 'root', ['administrator'])
  })

  const batchOf = async (id: string) => (await operator.get(`/batches/${id}`)).body
  const rowsOf = async (id: string) => (await operator.get(`/batches/${id}/rows`)).body.rows
  const erase = (reference: string) => root.post('/erasures', { object_reference: reference, reason: 'they asked' })
  async function finish(): Promise<void> {
    const { database, objects, clock } = app
    const ledger = openLedger({ dataFolder: temporaryFolder(), erasureLedger: undefined }, objects)
    const finisher = startFinisher({ database, objects, ledger, clock, log, isReconciled: true, minAgeMs: 0 })
    await finisher.round()
    await finisher.stop()
  }
  const everything = async () => {
    const { batches, batchRows } = app.database.read.t
    return JSON.stringify([
      await app.database.read.q.select().from(batches),
      await app.database.read.q.select().from(batchRows),
    ])
  }

  test('is not erased while the file is kept, and then with the submissions', async () => {
    const { body } = await handIn(operator, csvOf(12))
    await app.openFeeder({ queuedSteps: 1 }).round()
    await runAll(app.database, app.pool, app.objects)
    const early = await erase('A-1')
    expect([early.status, early.body.detail]).toEqual([409, expect.stringContaining('not wholly submitted')])
    expect((await root.post('/erasures/plan', { object_reference: 'A-1' })).body.at_work).toBe(1)
    const { read } = app.database
    const named = async () => {
      const listed: string[] = []
      for await (const { hash } of artifactHashes(read)) listed.push(hash)
      const of = body.content_hash
      return [listed.includes(of), await isNamed(read, of), (await namedHashes(read, [of])).size === 1]
    }
    // Backups, moves and the sweep know the file as long as there are rows to submit, and no longer.
    expect(await named()).toEqual([true, true, true])
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    expect(await named()).toEqual([false, false, false])
    expect((await erase('A-1')).status).toBe(201)
    expect((await rowsOf(body.id))[0]).toEqual({ number: 1, line: 2, state: 'erased' })
    expect((await batchOf(body.id)).counts).toMatchObject({ completed: 11, erased: 1 })
    const { erasedItems } = read.t
    const items = await read.q.select().from(erasedItems)
    expect(items.some(({ kind, itemId }) => kind === 'object' && itemId === body.content_hash)).toBe(true)
  })

  test('is not erased while a file has a row about the object that was not submitted yet', async () => {
    const later = await handIn(operator, csvOf(1, 80))
    await operator.post(`/batches/${later.body.id}/pause`, {})
    expect((await root.post('/erasures/plan', { object_reference: 'A-80' })).body.at_work).toBe(1)
    expect((await erase('A-80')).status).toBe(404)
    const alike = await handIn(operator, 'number,amount\n=A-80,1\n')
    await app.openFeeder().round()
    const waits = await erase('A-80')
    expect([waits.status, waits.body.detail]).toEqual([409, expect.stringContaining('not wholly submitted')])
    for (const { body } of [later, alike]) await operator.post(`/batches/${body.id}/cancel`, {})
  })

  test('of rows that the intake refused is erased where the reference is a value of them', async () => {
    const { body } = await handIn(operator, 'number,amount\n=C-1,1\n=C-11,2\nC 1,3\n')
    await app.openFeeder().round()
    expect((await batchOf(body.id)).counts.refused).toBe(3)
    expect((await erase('C-1')).status).toBe(201)
    const rows = await rowsOf(body.id)
    expect(rows.map(({ state }: { state: string }) => state)).toEqual(['erased', 'refused', 'refused'])
    expect((await everything()).includes('"=C-1"')).toBe(false)
    expect((await erase('C-1')).status).toBe(404)
  })

  test('of a file that was dropped is erased with the refused rows, and where its batch was cancelled', async () => {
    const refused = await handIn(operator, 'number,amount\n=S-1,1\n')
    await app.openFeeder().round()
    const cancelled = await handIn(operator, 'number,amount\nS-2,1\nS-3,2\n')
    await operator.post(`/batches/${cancelled.body.id}/pause`, {})
    expect((await operator.post(`/batches/${cancelled.body.id}/cancel`, {})).status).toBe(200)
    const files = [refused.body.content_hash, cancelled.body.content_hash]
    const areThere = () => Promise.all(files.map(async (hash) => (await app.objects.get(hash)) !== undefined))
    expect(await areThere()).toEqual([true, true])
    expect((await erase('S-4')).status).toBe(404)
    for (const [reference, refused_rows, dropped_files] of [
      ['S-1', 1, 0],
      ['S-2', 0, 1],
    ] as const) {
      const told = { refused_rows, dropped_files, remaining: 0 }
      expect((await root.post('/erasures/plan', { object_reference: reference })).body).toMatchObject(told)
      expect(await erase(reference)).toMatchObject({ status: 201, body: told })
      const left = await root.post('/erasures/plan', { object_reference: reference })
      expect(left.body).toMatchObject({ refused_rows: 0, dropped_files })
    }
    await finish()
    expect(await areThere()).toEqual([false, false])
    expect((await erase('S-3')).status).toBe(404)
  })

  test('is under the legal holds on its model and on whatever object it names', async () => {
    // A row about two objects: whoever erases the one takes what the other is held for.
    const refused = await handIn(operator, 'number,amount\n=E-1 of F-1,1\n')
    const paused = await handIn(operator, 'number,amount\nG-1,1\nF-2,2\n')
    await operator.post(`/batches/${paused.body.id}/pause`, {})
    await app.openFeeder().round()
    const kept = async () => (await rowsOf(refused.body.id)).map(({ state }: { state: string }) => state)
    const hold = async (on: object) => (await root.post('/holds', { ...on, reason: 'case 12' })).body.id as string
    const release = (id: string) => root.post(`/holds/${id}/release`, { reason: 'case 12 is over' })
    for (const on of [{ object_reference: 'F-1' }, { ingestion_model: 'invoices' }]) {
      const id = await hold(on)
      expect((await root.post('/erasures/plan', { object_reference: 'E-1' })).body.holds).toEqual([id])
      const early = await erase('E-1')
      expect([early.status, early.body.detail]).toEqual([409, expect.stringContaining(id)])
      const cancelled = await operator.post(`/batches/${refused.body.id}/cancel`, {})
      expect([cancelled.status, await kept()]).toEqual([409, ['refused']])
      expect((await release(id)).status).toBe(200)
    }
    // By its hash alone, as a restore brings it back; and in what was not submitted yet.
    const [one, other] = [await hold({ object_reference: 'F-1' }), await hold({ object_reference: 'F-2' })]
    await app.database.write((tx) => tx.q.update(tx.t.holds).set({ objectReference: null }))
    expect((await erase('E-1')).status).toBe(409)
    const dropped = await operator.post(`/batches/${paused.body.id}/cancel`, {})
    expect([dropped.status, dropped.body.detail]).toEqual([409, expect.stringContaining(other)])
    expect(await batchOf(paused.body.id)).toMatchObject({ status: 'paused', file_kept: true })
    for (const id of [one, other]) await release(id)
    expect((await operator.post(`/batches/${paused.body.id}/cancel`, {})).status).toBe(200)
    expect([(await erase('E-1')).status, await kept()]).toEqual([201, ['erased']])
  })

  test('is erased where it spells the reference with escapes, and where only what was said of it is left', async () => {
    const escaped = '{"number":"= \\u0048-1","amount":1}\n'
    const { body } = await handIn(operator, escaped, {}, 'application/x-ndjson')
    const column = { object_reference_field: 'number' }
    const named = await handIn(operator, 'number,amount\n=J-1,1\n', column)
    const more = await handIn(operator, csvOf(1, 60), column)
    await operator.post(`/batches/${more.body.id}/pause`, {})
    await app.openFeeder().round()
    expect((await erase('H-1')).status).toBe(201)
    expect((await rowsOf(body.id))[0].state).toBe('erased')
    // A batch that ended can't be cancelled: this is how one is left that was.
    await app.database.write((tx) => tx.q.update(tx.t.batchRows).set({ rawInput: null }))
    expect((await everything()).includes('=J-1')).toBe(true)
    expect((await erase('J-1')).status).toBe(201)
    expect((await everything()).includes('J-1')).toBe(false)
    expect((await rowsOf(named.body.id))[0].state).toBe('erased')
    await operator.post(`/batches/${more.body.id}/cancel`, {})
  })

  test('is erased again in an older copy of the store', async () => {
    const { body } = await handIn(operator, 'number,amount\n=K-1,1\n')
    await app.openFeeder().round()
    const [before] = (await app.database.read.q.select().from(app.database.read.t.batchRows)).filter(
      ({ batchId }) => batchId === body.id,
    )
    const { id } = (await erase('K-1')).body.erasure
    const ports = {
      ...{ database: app.database, clock: app.clock },
      ledger: openLedger({ dataFolder: temporaryFolder(), erasureLedger: undefined }, app.objects),
    }
    await reconcile(ports)
    // As it was before the erasure.
    await app.database.write(async (tx) => {
      await tx.q.delete(tx.t.batchRows).where(eq(tx.t.batchRows.batchId, body.id))
      await tx.q.insert(tx.t.batchRows).values(before!)
      await tx.q.delete(tx.t.erasures).where(eq(tx.t.erasures.id, id))
      await tx.q.delete(tx.t.erasedItems).where(eq(tx.t.erasedItems.erasureId, id))
    })
    expect((await everything()).includes('K-1')).toBe(true)
    expect((await reconcile(ports)).repeated).toEqual([id])
    expect((await everything()).includes('K-1')).toBe(false)
  })

  test('goes with the time that its model is kept, and cancels what is not wholly submitted', async () => {
    const paused = await handIn(operator, csvOf(3, 50))
    await operator.post(`/batches/${paused.body.id}/pause`, {})
    const refused = await handIn(operator, 'number,amount\n=D-1,1\n=D-2,2\n')
    const heldFile = await handIn(operator, csvOf(2, 54))
    await operator.post(`/batches/${heldFile.body.id}/pause`, {})
    await app.openFeeder().round()
    for (const object_reference of ['D-2', 'A-55']) await root.post('/holds', { object_reference, reason: 'case 13' })
    const policies = [{ ingestion_model: 'invoices', keep_days: 30 }]
    expect((await root.post('/retention', { policies, expected_number: 0 })).status).toBe(200)
    const remove = async () => {
      const { database, objects, clock } = app
      const remover = startRemover({
        database,
        objects,
        clock,
        log,
        isLeader: async () => true,
        pauseMs: 0,
        everyMs: 1e9,
      })
      await remover.round()
      await remover.stop()
    }
    await remove()
    expect([(await batchOf(paused.body.id)).status, await everything()]).toEqual([
      'paused',
      expect.stringContaining('=D-1'),
    ])
    app.clock.advance(31 * 86_400_000)
    root = await Author.signIn(app, 'later', ['administrator', 'operator'])
    operator = root
    await remove()
    expect(await batchOf(paused.body.id)).toMatchObject({
      status: 'cancelled',
      file_kept: false,
      counts: { dropped: 3 },
    })
    // What names a held object stays until it is released.
    expect((await batchOf(refused.body.id)).counts).toMatchObject({ erased: 1, refused: 1 })
    expect([(await everything()).includes('=D-1'), (await everything()).includes('=D-2')]).toEqual([false, true])
    expect(await batchOf(heldFile.body.id)).toMatchObject({ status: 'paused', file_kept: true })
    for (const { id } of (await root.get('/holds')).body.holds)
      await root.post(`/holds/${id}/release`, { reason: 'over' })
    await remove()
    expect((await batchOf(refused.body.id)).counts).toMatchObject({ erased: 2, refused: 0 })
    expect(await batchOf(heldFile.body.id)).toMatchObject({ status: 'cancelled', file_kept: false })
    expect((await everything()).includes('=D-2')).toBe(false)
  })

  test('waits for somebody to look at it where an erasure is made again after a restore', async () => {
    const { body } = await handIn(operator, csvOf(3, 70))
    const later = addMs(app.clock.now(), 1)
    await app.database.write((tx) => pauseOlderBatches(tx, later, 'An erasure was made again.'))
    await app.openFeeder().round()
    const held = { status: 'paused', pause_reason: 'An erasure was made again.', counts: { waiting: 3 } }
    expect(await batchOf(body.id)).toMatchObject(held)
    await operator.post(`/batches/${body.id}/cancel`, {})
  })

  test('is reached by tokens of its model, and by no others', async () => {
    const { body } = await handIn(operator, csvOf(1, 90))
    const families = (await root.get('/ingestion-models')).body
    const own = families.ingestion_models ?? families.items ?? Object.values(families)[0]
    const invoices = own.find(({ slug }: { slug: string }) => slug === 'invoices')
    const other = await root.family('ingestion-models', 'other')
    const scopes = ['submission_read', 'submission_create']
    const tokenFor = async (family: string) => {
      const made = await root.post('/tokens', { name: 'batches', scopes, families: [family] })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      return root.withToken(made.body.secret)
    }
    const mine = await tokenFor(invoices.id ?? invoices.resource_id)
    const theirs = await tokenFor(other)
    expect((await mine.get(`/batches/${body.id}`)).status).toBe(200)
    expect((await theirs.get(`/batches/${body.id}`)).status).toBe(403)
    expect((await mine.get('/batches')).status).toBe(403)
    expect((await handIn(mine, csvOf(1, 91))).status).toBe(202)
    expect((await handIn(theirs, csvOf(1, 92))).status).toBe(403)
    expect((await theirs.post(`/batches/${body.id}/cancel`, {})).status).toBe(403)
    expect((await mine.post(`/batches/${body.id}/cancel`, {})).status).toBe(200)
  })
})
