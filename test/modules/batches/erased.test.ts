import { beforeAll, expect, test } from 'bun:test'
import { artifactHashes, isNamed } from '../../../src/commands/move.store.ts'
import { addMs } from '../../../src/core/instant.ts'
import { createLog } from '../../../src/core/log.ts'
import { pauseOlderBatches } from '../../../src/modules/erasures/erasures.store.ts'
import { startRemover } from '../../../src/modules/retention/retention.remover.service.ts'
import { namedHashes } from '../../../src/modules/storage/storage.reads.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
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

  test('of rows that the intake refused is erased where the reference is a value of them', async () => {
    const { body } = await handIn(operator, 'number,amount\n=C-1,1\n=C-11,2\nC 1,3\n')
    await app.openFeeder().round()
    expect((await batchOf(body.id)).counts.refused).toBe(3)
    expect((await erase('C-1')).status).toBe(201)
    const rows = await rowsOf(body.id)
    expect(rows.map(({ state }: { state: string }) => state)).toEqual(['erased', 'refused', 'refused'])
    expect(await everything()).not.toContain('"=C-1"')
    expect((await erase('C-1')).status).toBe(404)
  })

  test('goes with the time that its model is kept, and cancels what is not wholly submitted', async () => {
    const paused = await handIn(operator, csvOf(3, 50))
    await operator.post(`/batches/${paused.body.id}/pause`, {})
    const refused = await handIn(operator, 'number,amount\n=D-1,1\n')
    await app.openFeeder().round()
    const policies = [{ ingestion_model: 'invoices', keep_days: 30 }]
    expect((await root.post('/retention', { policies, expected_number: 0 })).status).toBe(200)
    const remove = async () => {
      const { database, clock } = app
      const remover = startRemover({ database, clock, log, isLeader: async () => true, pauseMs: 0, everyMs: 1e9 })
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
    expect((await batchOf(refused.body.id)).counts).toMatchObject({ erased: 1, refused: 0 })
    expect(await everything()).not.toContain('=D-1')
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
