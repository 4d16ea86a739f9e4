import { beforeAll, expect, test } from 'bun:test'
import { formatInstant } from '../../../src/core/instant.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author, newKey } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { runAll } from '../executions/run.ts'
import { csvOf, handIn, startInvoices } from './fixture.ts'

describeOnBothDialects('batches', (dialect) => {
  let app: TestApp
  let author: Author
  let operator: Author
  let letterId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    ;({ author, operator, letterId } = await startInvoices(app))
  })

  const batchOf = async (id: string) => (await operator.get(`/batches/${id}`)).body

  async function references(id: string): Promise<string[]> {
    const { body } = await operator.get(`/batches/${id}/rows?limit=100`)
    return body.rows.map((row: { object_reference: string }) => row.object_reference)
  }

  test('become submissions, each row once, and complete with their executions', async () => {
    const { status, body } = await handIn(operator, csvOf(12))
    expect([status, body.status, body.rows, body.counts.waiting, body.file_kept]).toEqual([
      202,
      'running',
      12,
      12,
      true,
    ])
    const feeder = app.openFeeder()
    await feeder.round()
    const fed = await batchOf(body.id)
    expect([fed.counts.at_work, fed.counts.waiting, fed.file_kept]).toEqual([12, 0, false])
    expect(await references(body.id)).toEqual(Array.from({ length: 12 }, (_, index) => `A-${index + 1}`))
    const rows = await operator.get(`/batches/${body.id}/rows`)
    const { submission_id: submissionId, line } = rows.body.rows[3]
    expect(line).toBe(5)
    const submission = (await operator.get(`/submissions/${submissionId}`)).body
    expect(submission).toMatchObject({ object_reference: 'A-4', object_time: fed.created_at })
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    expect(await batchOf(body.id)).toMatchObject({ status: 'completed', counts: { completed: 12, at_work: 0 } })
    const listed = await operator.get('/batches?status=completed&model_slug=invoices')
    expect(listed.body.batches.map(({ id }: { id: string }) => id)).toContain(body.id)
  })

  test('are one under one Idempotency-Key', async () => {
    const bytes = new TextEncoder().encode(csvOf(1))
    const key = { 'idempotency-key': newKey() }
    const send = () => operator.form('POST', '/batches', { ingestion_model: 'invoices' }, bytes, key, 'text/csv')
    const [one, other] = [await send(), await send()]
    expect([one.status, other.status, other.body.id]).toEqual([202, 202, one.body.id])
    await operator.post(`/batches/${one.body.id}/cancel`, {})
  })

  test('are refused with line and column where the file is no good, and nothing is kept', async () => {
    const before = (await operator.get('/batches')).body.batches.length
    const latin1 = Uint8Array.from([...'number,amount\nA-1,1\nM\u00fcller,1\n'].map((letter) => letter.charCodeAt(0)))
    const wide = new Uint8Array(Buffer.from(`\ufeff${csvOf(2)}`, 'utf16le'))
    const cases: [string | Uint8Array, string, string][] = [
      ['number,amuont\nA-1,1\n', 'text/csv', '1:8 The contract has no property "amuont". (Did you mean "amount"?)'],
      ['number,amount\nA-1,1,2\n', 'text/csv', '2:1 '],
      ['{"number":\n', 'application/x-ndjson', '1:11 '],
      [latin1, 'text/csv', '3:2 The bytes are not UTF-8'],
      [wide, 'text/csv', '1:1 The file is in UTF-16. (Save the file as UTF-8.)'],
      ['', 'text/csv', '1:1 There is no line of names.'],
    ]
    for (const [text, type, detail] of cases) {
      const { status, body } = await handIn(operator, text, {}, type)
      expect([status, body.detail]).toEqual([422, expect.stringContaining(detail)])
    }
    const other = await handIn(operator, csvOf(1), {}, 'application/json')
    expect([other.status, other.body.detail]).toEqual([
      422,
      'Body part file must be of type text/csv or application/x-ndjson. Set its type.',
    ])
    const unknown = await handIn(operator, csvOf(1), { ingestion_model: 'invoicse' })
    expect([unknown.status, unknown.body.detail]).toEqual([
      422,
      'Body field ingestion_model: there is no ingestion model "invoicse". Name the slug of one.',
    ])
    const early = await handIn(operator, csvOf(1), { official_time: '2020-01-01T00:00:00Z' })
    expect([early.status, early.body.detail]).toEqual([422, expect.stringContaining('is in force at 2020-01-01')])
    expect((await operator.get('/batches')).body.batches.length).toBe(before)
  })

  test('pause, resume and are cancelled; what is paused submits nothing', async () => {
    const { body } = await handIn(operator, csvOf(10, 100))
    const move = (verb: string) => operator.post(`/batches/${body.id}/${verb}`, {})
    expect((await move('pause')).body.status).toBe('paused')
    expect((await move('pause')).status).toBe(409)
    await app.openFeeder().round()
    expect((await batchOf(body.id)).counts).toMatchObject({ waiting: 10, at_work: 0 })
    expect((await move('resume')).body.status).toBe('running')
    // Room for one transaction of rows.
    await app.openFeeder({ queuedSteps: (await queued()) + 1 }).round()
    expect((await batchOf(body.id)).counts).toMatchObject({ waiting: 2, at_work: 8 })
    const cancelled = await move('cancel')
    expect(cancelled.body).toMatchObject({ status: 'cancelled', file_kept: false, counts: { dropped: 2, at_work: 8 } })
    await app.openFeeder().round()
    expect((await batchOf(body.id)).counts).toMatchObject({ dropped: 2, at_work: 8 })
    expect((await move('resume')).status).toBe(409)
    await runAll(app.database, app.pool, app.objects)
    await app.openFeeder().round()
    expect((await batchOf(body.id)).counts).toMatchObject({ dropped: 2, completed: 8 })
  })

  async function queued(): Promise<number> {
    const rows = await app.database.read.q.select().from(app.database.read.t.steps)
    return rows.filter(({ status }) => status === 'queued').length
  }

  test('leave the queue short, take turns, and wait while others fill it', async () => {
    const one = await handIn(operator, csvOf(16, 1_000))
    const other = await handIn(operator, csvOf(16, 2_000))
    const before = await queued()
    await app.openFeeder({ queuedSteps: before + 16 }).round()
    const after = await queued()
    expect(after - before).toBeGreaterThanOrEqual(16)
    expect(after - before).toBeLessThan(24)
    const counts = [await batchOf(one.body.id), await batchOf(other.body.id)].map(({ counts: { at_work } }) => at_work)
    expect(Math.abs(counts[0] - counts[1])).toBeLessThanOrEqual(8)
    await app.openFeeder({ queuedSteps: before + 16 }).round()
    expect(await queued()).toBe(after)
    for (const { body } of [one, other]) await operator.post(`/batches/${body.id}/cancel`, {})
  })

  test('submit each row once, however many feed them at once, and with a pause in between', async () => {
    const { body } = await handIn(operator, csvOf(32, 3_000))
    const feeders = [app.openFeeder(), app.openFeeder(), app.openFeeder()]
    const pausing = (async () => {
      await Bun.sleep(5)
      await operator.post(`/batches/${body.id}/pause`, {})
      const paused = await batchOf(body.id)
      await Bun.sleep(20)
      expect((await batchOf(body.id)).counts).toEqual(paused.counts)
      await operator.post(`/batches/${body.id}/resume`, {})
    })()
    await Promise.all([pausing, ...feeders.map((feeder) => feeder.round())])
    for (let round = 0; round < 5; round++) await feeders[0]?.round()
    expect((await batchOf(body.id)).counts).toMatchObject({ waiting: 0, at_work: 32 })
    const wanted = Array.from({ length: 32 }, (_, index) => `A-${3_000 + index}`)
    expect(await references(body.id)).toEqual(wanted)
    const { submissions } = app.database.read.t
    const made = await app.database.read.q.select({ reference: submissions.objectReference }).from(submissions)
    expect(made.filter(({ reference }) => wanted.includes(reference)).length).toBe(32)
    await operator.post(`/batches/${body.id}/cancel`, {})
  })

  test('group what failed by cause, and submit those rows again in the place of the first', async () => {
    const text = 'number,amount\nB-1,-1\nB-2,2\nB-3,-3\nB-4,x\n=1+1,5\n'
    const { body } = await handIn(operator, text)
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    expect(await batchOf(body.id)).toMatchObject({
      status: 'completed',
      counts: { completed: 1, failed: 3, refused: 1, at_work: 0, waiting: 0 },
    })
    const { causes } = (await operator.get(`/batches/${body.id}/failures`)).body
    expect(causes.map(({ message: _message, cause: _cause, ...told }: Record<string, unknown>) => told)).toEqual([
      {
        ...{ state: 'failed', code: 'contract_violated', step: 'validate', place: '/amount' },
        ...{ rows: 3, first_row: 1, remedy: 'submit_again' },
      },
      {
        ...{ state: 'refused', code: 'validation_failed', step: '', place: 'raw_input/number' },
        ...{ rows: 1, first_row: 5, remedy: 'submit_again' },
      },
    ])
    const [{ cause }, { cause: refusal }] = causes
    const numbersOf = async (query: string) =>
      (await operator.get(`/batches/${body.id}/rows?${query}`)).body.rows.map(
        ({ number }: { number: number }) => number,
      )
    expect(await numbersOf('state=completed')).toEqual([2])
    expect(await numbersOf('state=failed')).toEqual([1, 3, 4])
    expect(await numbersOf('state=refused')).toEqual([5])
    expect(await numbersOf('state=submitted')).toEqual([])
    expect(await numbersOf(`state=failed&cause=${cause}`)).toEqual([1, 3, 4])
    expect(await numbersOf(`state=refused&cause=${cause}`)).toEqual([])
    const listed = await operator.get(`/batches/${body.id}/rows?cause=${cause}`)
    expect(listed.body.rows.map(({ number }: { number: number }) => number)).toEqual([1, 3, 4])
    const first = listed.body.rows[0]
    const retried = await operator.post(`/batches/${body.id}/retry`, { cause })
    expect(retried.body).toMatchObject({
      retried: 3,
      remaining: 0,
      batch: { status: 'running', counts: { waiting: 3 } },
    })
    await feeder.round()
    const again = (await operator.get(`/batches/${body.id}/rows?limit=1`)).body.rows[0]
    expect([again.state, again.number, again.submission_id === first.submission_id]).toEqual(['submitted', 1, false])
    expect((await operator.get(`/submissions/${again.submission_id}`)).body.corrects).toBe(first.submission_id)
    // The refused one is refused again, and keeps its input for the next time.
    const other = await operator.post(`/batches/${body.id}/retry`, { cause: refusal })
    expect(other.body.retried).toBe(1)
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    await feeder.round()
    expect(await batchOf(body.id)).toMatchObject({
      status: 'completed',
      counts: { failed: 3, refused: 1, completed: 1 },
    })
  })

  test('of another object reference than a reference may be are refused row by row', async () => {
    const { body } = await handIn(operator, 'number,amount\nok,1\nä,2\n', { object_reference_field: 'number' })
    await app.openFeeder().round()
    const { rows } = (await operator.get(`/batches/${body.id}/rows`)).body
    expect(rows.map(({ state, place }: { state: string; place?: string }) => [state, place])).toEqual([
      ['submitted', undefined],
      ['refused', 'object_reference'],
    ])
    await operator.post(`/batches/${body.id}/cancel`, {})
  })

  test('hand their parameters to each row, and are refused with parameters that no transformer could take', async () => {
    const hand = (params: string, from = 8_000) => handIn(operator, csvOf(1, from), { params })
    for (const [params, detail] of [
      ['{]', 'Body field params holds no JSON object.'],
      ['[1]', 'Body field params holds no JSON object.'],
      ['{"amount":{"in":"CHF"}}', 'Body field'],
    ] as const) {
      const { status, body } = await hand(params)
      expect([params, status, body.detail]).toEqual([params, 422, expect.stringContaining(detail)])
    }
    const { status, body } = await hand('{"place":"Bern"}', 8_100)
    expect(status).toBe(202)
    await app.openFeeder().round()
    const { rows } = (await operator.get(`/batches/${body.id}/rows`)).body
    // The transformer of these declares none.
    expect(rows).toMatchObject([
      { state: 'refused', message: expect.stringContaining('params.place is declared by no') },
    ])
  })

  test('submit nothing of a cancelled batch again', async () => {
    const { body } = await handIn(operator, 'number,amount\n=1+1,5\nB-9,1\n')
    await app.openFeeder().round()
    await operator.post(`/batches/${body.id}/cancel`, {})
    const { causes } = (await operator.get(`/batches/${body.id}/failures`)).body
    const retried = await operator.post(`/batches/${body.id}/retry`, { cause: causes[0].cause })
    expect([retried.status, retried.body.detail]).toEqual([409, expect.stringContaining('was cancelled')])
    expect((await batchOf(body.id)).counts).toMatchObject({ refused: 1, waiting: 0 })
  })

  test('pause by themselves when their file is lost, and say so', async () => {
    const { body } = await handIn(operator, csvOf(9, 5_000))
    await app.objects.delete(body.content_hash)
    await app.openFeeder().round()
    expect(await batchOf(body.id)).toMatchObject({
      ...{ status: 'paused', pause_reason: 'Its file is not in the object store any more.' },
      counts: { waiting: 9 },
    })
    await operator.post(`/batches/${body.id}/cancel`, {})
  })

  test('are nothing for those who may not submit, and leave a trail', async () => {
    const auditor = await Author.signIn(app, 'auditor', ['auditor'])
    expect((await handIn(auditor, csvOf(1))).status).toBe(403)
    const { body } = await handIn(operator, csvOf(1, 6_000))
    expect((await auditor.get(`/batches/${body.id}`)).status).toBe(200)
    expect((await auditor.post(`/batches/${body.id}/cancel`, {})).status).toBe(403)
    await operator.post(`/batches/${body.id}/cancel`, {})
    const { audit } = (await auditor.get(`/audit?resource_id=${body.id}`)).body
    expect(audit.map(({ action }: { action: string }) => action)).toEqual(['batch.cancelled', 'batch.created'])
    const { events } = app.database.read.t
    const told = await app.database.read.q.select().from(events)
    const own = told.filter(({ aggregateId }) => aggregateId === body.id).sort((a, b) => a.sequence - b.sequence)
    expect(own.map(({ type, data }) => [type, data])).toEqual([
      ['created', { model_slug: 'invoices', rows: 1, format: 'csv', content_hash: body.content_hash }],
      ['cancelled', { model_slug: 'invoices', rows: 1, submitted: 0 }],
    ])
  })

  test('use the versions that were in force when they were submitted', async () => {
    const { body } = await handIn(operator, csvOf(1, 7_000))
    const source = 'transform: declarative-v1\ncontract: invoices@1\noutput: { m: /amount }\n'
    const draft = { source, format: 'yaml' }
    await author.call('PUT', `/transformers/${letterId}/draft`, draft, { 'if-match': '"1"' })
    expect((await author.freeze('transformers', letterId, 2)).status).toBe(201)
    const now = formatInstant(app.clock.now())
    expect((await author.publish('transformers', letterId, 2, now)).status).toBe(201)
    const later = await handIn(operator, csvOf(1, 7_100))
    await app.openFeeder().round()
    const outputs: string[] = []
    for (const id of [body.id, later.body.id]) {
      await runAll(app.database, app.pool, app.objects)
      const { rows } = (await operator.get(`/batches/${id}/rows`)).body
      const { executions } = (await operator.get(`/submissions/${rows[0].submission_id}`)).body
      outputs.push(JSON.stringify((await operator.get(`/executions/${executions[0].id}`)).body.output))
    }
    expect(outputs).toEqual(['{"n":1}', '{"m":1}'])
  })
})
