/** What batches answer, record and tell, word by word; on one database, because nothing of it differs by the other. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { formatInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { findRow } from '../../../src/modules/batches/batches.store.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { type Author, nobody } from '../../support/author.ts'
import { runAll } from '../executions/run.ts'
import { csvOf, handIn, startInvoices } from './fixture.ts'

let app: TestApp
let operator: Author
let operatorId: string

beforeAll(async () => {
  app = await startTestApp('sqlite')
  ;({ operator } = await startInvoices(app))
  const { q, t } = app.database.read
  const [user] = await q.select().from(t.users).where(eq(t.users.username, 'operator'))
  operatorId = user!.id
})

const batchOf = async (id: string) => (await operator.get(`/batches/${id}`)).body
const move = (id: string, verb: string) => operator.post(`/batches/${id}/${verb}`, {})
const recordsOf = async (id: string) => {
  const { auditRecords } = app.database.read.t
  const rows = await app.database.read.q
    .select()
    .from(auditRecords)
    .where(eq(auditRecords.resourceId, id))
    .orderBy(auditRecords.id)
  return rows.map(({ action, resourceKind, detail }) => ({ action, resourceKind, detail }))
}
const eventsOf = async (id: string) => {
  const { events } = app.database.read.t
  const rows = await app.database.read.q
    .select()
    .from(events)
    .where(and(eq(events.aggregate, 'batch'), eq(events.aggregateId, id)))
    .orderBy(events.sequence)
  return rows.map(({ type, data }) => ({ type, data }))
}
const about = (rows: number) => ({ model_slug: 'invoices', rows })

describe('a batch that was handed in', () => {
  test('is answered with all that is known of it, and is the same when it is read and listed', async () => {
    const file = csvOf(3)
    const { status, body } = await handIn(operator, file, { official_time: '2026-03-01T00:00:00+01:00' })
    const { id, correlation_id: correlationId } = body
    const now = formatInstant(app.clock.now())
    expect(status).toBe(202)
    expect(body).toEqual({
      ...{ id, name: 'May', model_slug: 'invoices', format: 'csv', content_hash: sha256Hex(file) },
      ...{ byte_size: file.length, rows: 3, status: 'running', file_kept: true },
      counts: { waiting: 3, at_work: 0, completed: 0, failed: 0, refused: 0, erased: 0, dropped: 0 },
      ...{ official_time: '2026-02-28T23:00:00Z', created_at: now, updated_at: now },
      ...{ created_by: operatorId, correlation_id: correlationId },
    })
    expect(await batchOf(id)).toEqual(body)
    expect((await operator.get('/batches?limit=1')).body.batches).toEqual([body])
    expect(await recordsOf(id)).toEqual([
      {
        ...{ action: 'batch.created', resourceKind: 'batch' },
        detail: { model_slug: 'invoices', name: 'May', rows: 3, content_hash: sha256Hex(file) },
      },
    ])
    await move(id, 'cancel')
  })

  test('is called as its sender says, else as its file, without folders, control characters and what is too long', async () => {
    const nameOf = async (fileName: string, name?: string) => {
      const form = new FormData()
      form.set('ingestion_model', 'invoices')
      if (name !== undefined) form.set('name', name)
      form.set('file', new File([csvOf(1)], fileName, { type: 'text/csv' }))
      const encoded = new Response(form)
      const type = encoded.headers.get('content-type')!
      const bytes = new Uint8Array(await encoded.arrayBuffer())
      const { status, body } = await operator.call('POST', '/batches', bytes, { 'content-type': type })
      expect([fileName, status]).toEqual([fileName, 202])
      await move(body.id, 'cancel')
      return body.name
    }
    expect(await nameOf('may.csv')).toBe('may.csv')
    expect(await nameOf('may.csv', 'May')).toBe('May')
    expect(await nameOf('C:\\in\\sub/may.csv')).toBe('may.csv')
    expect(await nameOf('in/')).toBe('batch')
    expect(await nameOf(' \tm\u0001ay ')).toBe('m ay')
    expect(await nameOf(`${'é'.repeat(199)}ab`)).toBe(`${'é'.repeat(199)}a`)
  })

  test('of a format is taken by its media type, and without an official time counts as of its receipt', async () => {
    const { body } = await handIn(operator, '{"number":"N-1","amount":1}\n', {}, 'application/x-ndjson')
    expect([body.format, body.rows, 'official_time' in body]).toEqual(['ndjson', 1, false])
    app.clock.advance(60_000)
    await app.openFeeder().round()
    const [row] = (await operator.get(`/batches/${body.id}/rows`)).body.rows
    expect((await operator.get(`/submissions/${row.submission_id}`)).body.object_time).toBe(body.created_at)
    const timed = await handIn(operator, csvOf(1, 40), { official_time: '2026-03-01T00:00:00Z' })
    await app.openFeeder().round()
    const [other] = (await operator.get(`/batches/${timed.body.id}/rows`)).body.rows
    expect((await operator.get(`/submissions/${other.submission_id}`)).body.object_time).toBe('2026-03-01T00:00:00Z')
  })
})

describe('a batch that somebody moves', () => {
  test('says from which state it can’t go where, and changes nothing', async () => {
    const { body } = await handIn(operator, csvOf(2, 100))
    const refused = async (verb: string) => {
      const { status, body: problem } = await move(body.id, verb)
      return [status, problem.code, problem.detail]
    }
    expect(await refused('resume')).toEqual([409, 'conflict', 'The batch is running, so it can not be resumed.'])
    await move(body.id, 'pause')
    expect(await refused('pause')).toEqual([409, 'conflict', 'The batch is paused, so it can not be paused.'])
    const cancelled = await move(body.id, 'cancel')
    const ended = formatInstant(app.clock.now())
    expect(cancelled.body).toMatchObject({ status: 'cancelled', completed_at: ended, updated_at: ended })
    for (const verb of ['pause', 'resume', 'cancel']) {
      const done = verb === 'cancel' ? 'cancelled' : `${verb}d`
      expect(await refused(verb)).toEqual([409, 'conflict', `The batch is cancelled, so it can not be ${done}.`])
    }
    expect(await batchOf(body.id)).toEqual(cancelled.body)
    expect((await recordsOf(body.id)).map(({ action, detail }) => [action, detail])).toEqual([
      ['batch.created', expect.any(Object)],
      ['batch.paused', {}],
      ['batch.cancelled', { submitted: 0 }],
    ])
    expect((await eventsOf(body.id)).slice(1)).toEqual([
      { type: 'paused', data: about(2) },
      { type: 'cancelled', data: { ...about(2), submitted: 0 } },
    ])
    for (const verb of ['pause', 'resume', 'cancel', 'retry']) {
      const asked = await operator.post(`/batches/${nobody}/${verb}`, verb === 'retry' ? { cause: '0'.repeat(16) } : {})
      expect([verb, asked.status, asked.body.detail]).toEqual([verb, 404, `There is no batch ${nobody}.`])
    }
    for (const read of ['', '/rows', '/failures', '/results']) {
      expect([read, (await operator.get(`/batches/${nobody}${read}`)).status]).toEqual([read, 404])
    }
  })

  test('goes on as it was once it is resumed, and tells both', async () => {
    const { body } = await handIn(operator, csvOf(2, 120))
    await move(body.id, 'pause')
    const { body: resumed } = await move(body.id, 'resume')
    const now = formatInstant(app.clock.now())
    expect(resumed).toEqual({ ...body, updated_at: now })
    expect(now).not.toBe(body.updated_at)
    expect((await eventsOf(body.id)).map(({ type }) => type)).toEqual(['created', 'paused', 'resumed'])
    expect((await recordsOf(body.id)).map(({ action }) => action)).toEqual([
      ...['batch.created', 'batch.paused', 'batch.resumed'],
    ])
    await move(body.id, 'cancel')
  })

  test('is not paused once all its rows are submitted, unless some wait to be submitted again', async () => {
    const { body } = await handIn(operator, 'number,amount\nP-1,-1\n')
    await app.openFeeder().round()
    const early = await move(body.id, 'pause')
    expect([early.status, early.body.detail]).toEqual([
      ...[409, 'Every row of the batch is submitted. There is nothing to pause.'],
    ])
    await runAll(app.database, app.pool, app.objects)
    await app.openFeeder().round()
    const { causes } = (await operator.get(`/batches/${body.id}/failures`)).body
    const retried = await operator.post(`/batches/${body.id}/retry`, { cause: causes[0].cause })
    expect([retried.body.retried, 'completed_at' in retried.body.batch]).toEqual([1, false])
    expect((await move(body.id, 'pause')).body.status).toBe('paused')
    // What is paused submits no waiting row either.
    await app.openFeeder().round()
    expect((await batchOf(body.id)).counts).toMatchObject({ waiting: 1, at_work: 0 })
    await move(body.id, 'resume')
    await app.openFeeder().round()
    expect((await batchOf(body.id)).counts).toMatchObject({ waiting: 0, at_work: 1 })
    const { cause } = causes[0]
    expect((await recordsOf(body.id)).slice(1, 2)).toEqual([
      {
        ...{ action: 'batch.rows_retried', resourceKind: 'batch' },
        detail: { cause, code: 'contract_violated', step: 'validate', place: '/amount', rows: 1 },
      },
    ])
    expect((await eventsOf(body.id)).map(({ type }) => type)).toEqual([
      ...['created', 'completed', 'resumed', 'paused', 'resumed'],
    ])
  })

  test('that is cancelled half way says how much was submitted, and drops the input of what was refused', async () => {
    const { body } = await handIn(operator, `number,amount\n=Q-1,1\n${csvOf(15, 200).split('\n').slice(1).join('\n')}`)
    await app.openFeeder({ feedRows: 4, queuedSteps: (await queued()) + 1 }).round()
    expect((await findRow(app.database.read, body.id, 1))?.rawInput).toBe('{"number":"=Q-1","amount":1}')
    const cancelled = await move(body.id, 'cancel')
    expect(cancelled.body.counts).toMatchObject({ dropped: 12, at_work: 3, refused: 1 })
    expect((await eventsOf(body.id)).at(-1)).toEqual({ type: 'cancelled', data: { ...about(16), submitted: 4 } })
    expect((await recordsOf(body.id)).at(-1)?.detail).toEqual({ submitted: 4 })
    expect((await findRow(app.database.read, body.id, 1))?.rawInput).toBeNull()
  })
})

async function queued(): Promise<number> {
  const rows = await app.database.read.q.select().from(app.database.read.t.steps)
  return rows.filter(({ status }) => status === 'queued').length
}

describe('rows of a batch', () => {
  test('are paged in their order, each once, and only from a row that the batch has', async () => {
    const { body } = await handIn(operator, csvOf(5, 300))
    await app.openFeeder().round()
    const page = async (query: string) => (await operator.get(`/batches/${body.id}/rows${query}`)).body
    const numbers = ({ rows }: { rows: { number: number }[] }) => rows.map(({ number }) => number)
    const first = await page('?limit=2')
    expect([numbers(first), first.next_cursor]).toEqual([[1, 2], '2'])
    const second = await page('?limit=2&cursor=2')
    expect([numbers(second), second.next_cursor]).toEqual([[3, 4], '4'])
    expect(await page('?limit=2&cursor=4')).toEqual({ rows: [expect.objectContaining({ number: 5 })] })
    expect(await page('?limit=5')).not.toHaveProperty('next_cursor')
    expect((await operator.get(`/batches/${body.id}/rows?cursor=6`)).status).toBe(422)
    const submitted = await page('?limit=1')
    const [row] = submitted.rows
    expect(row).toEqual({
      ...{ number: 1, line: 2, state: 'submitted', object_reference: 'A-300', submission_id: row.submission_id },
    })
  })

  test('that the intake refused are shown with the reason, and with nothing they lack', async () => {
    const { body } = await handIn(operator, 'number,amount\n=R-1,1\n')
    await app.openFeeder().round()
    const { rows } = (await operator.get(`/batches/${body.id}/rows`)).body
    const [{ cause, message }] = rows
    expect(rows).toEqual([
      {
        ...{ number: 1, line: 2, state: 'refused', cause, code: 'validation_failed', step: '' },
        ...{ place: 'raw_input/number', message },
      },
    ])
    expect(message).toContain('raw_input/number')
    expect((await operator.get(`/batches/${body.id}/failures`)).body.causes).toEqual([
      {
        ...{ cause, state: 'refused', code: 'validation_failed', step: '', place: 'raw_input/number', message },
        ...{ rows: 1, first_row: 1, remedy: 'submit_again' },
      },
    ])
  })

  test('of whose batch all are at an end complete it, which is told with how they ended', async () => {
    const { body } = await handIn(operator, 'number,amount\nT-1,1\nT-2,-1\n=T-3,1\n')
    const feeder = app.openFeeder()
    await feeder.round()
    expect((await batchOf(body.id)).status).toBe('running')
    await runAll(app.database, app.pool, app.objects)
    app.clock.advance(5_000)
    await feeder.round()
    const now = formatInstant(app.clock.now())
    expect(await batchOf(body.id)).toMatchObject({ status: 'completed', completed_at: now, updated_at: now })
    expect((await eventsOf(body.id)).at(-1)).toEqual({
      ...{ type: 'completed', data: { ...about(3), completed: 1, failed: 1, refused: 1 } },
    })
  })
})

describe('what Quire pauses', () => {
  test('is paused in the name of its author, with the reason in the trail and the event', async () => {
    const { body } = await handIn(operator, csvOf(2, 400))
    await app.objects.delete(body.content_hash)
    app.clock.advance(7_000)
    await app.openFeeder().round()
    const reason = 'Its file is not in the object store any more.'
    const now = formatInstant(app.clock.now())
    expect(await batchOf(body.id)).toMatchObject({ status: 'paused', updated_at: now })
    expect((await recordsOf(body.id)).at(-1)).toEqual({
      ...{ action: 'batch.paused', resourceKind: 'batch', detail: { reason } },
    })
    expect((await eventsOf(body.id)).at(-1)).toEqual({ type: 'paused', data: { ...about(2), reason } })
    // Whoever resumes it takes the reason away.
    const { body: resumed } = await move(body.id, 'resume')
    expect([resumed.status, 'pause_reason' in resumed]).toEqual(['running', false])
    await move(body.id, 'cancel')
  })
})

describe('results of a batch', () => {
  test('are its rows as a table, all or from one to another, with what is said of each', async () => {
    const { body } = await handIn(operator, 'number,amount\nU-1,1\nU-2,-1\n=U-3,1\nU-4,1\n', { name: 'Rows of.csv' })
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    const { rows } = (await operator.get(`/batches/${body.id}/rows`)).body
    const [, { message: failed }, { message: refused }] = rows
    expect([failed, refused].every((message) => message.includes(',') && !message.includes('"'))).toBe(true)
    const lines = [
      `1,2,completed,U-1,${rows[0].submission_id},,,,,`,
      `2,3,failed,U-2,${rows[1].submission_id},contract_violated,validate,/amount,"${failed}",`,
      `3,4,refused,,,validation_failed,,raw_input/number,"${refused}",`,
      `4,5,completed,U-4,${rows[3].submission_id},,,,,`,
    ]
    const head = 'row,line,state,object_reference,submission_id,code,step,place,message,files'
    const tableOf = async (query: string) => {
      const { status, headers, body: zip } = await operator.get(`/batches/${body.id}/results${query}`)
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        ...[200, 'application/zip', 'private, no-store, no-transform'],
      ])
      const archive = readZip(zip)
      const table = archive.ok ? archive.value.read('rows.csv') : archive
      if (!archive.ok || !table.ok) throw new Error('there is no table')
      expect([...archive.value.names]).toEqual(['rows.csv'])
      return [new TextDecoder().decode(table.value as Uint8Array), headers.get('content-disposition')]
    }
    const whole = (some: string[]) => `${[head, ...some].join('\r\n')}\r\n`
    const named = (name: string) => `attachment; filename="${name}"`
    expect(await tableOf('')).toEqual([whole(lines), named('Rows-of.zip')])
    expect(await tableOf('?from_row=2&to_row=3')).toEqual([whole(lines.slice(1, 3)), named('Rows-of-2-3.zip')])
    expect(await tableOf('?from_row=4')).toEqual([whole(lines.slice(3)), named('Rows-of-4-4.zip')])
    expect(await tableOf('?to_row=1')).toEqual([whole(lines.slice(0, 1)), named('Rows-of-1-1.zip')])
    const wrong = await operator.get(`/batches/${body.id}/results?from_row=3&to_row=2`)
    expect([wrong.status, wrong.body.detail]).toEqual([422, 'Query field from_row must not be after to_row.'])
    const none = await operator.get(`/batches/${body.id}/results?form=pdf`)
    expect([none.status, none.body.code]).toEqual([409, 'conflict'])
    // What was refused is no download.
    expect((await recordsOf(body.id)).slice(1)).toEqual(
      ['1-4', '2-3', '4-4', '1-1'].map((some) => ({
        ...{ action: 'batch.downloaded', resourceKind: 'batch', detail: { form: 'zip', rows: some } },
      })),
    )
  })

  test('are one PDF up to so many bytes, and beyond it the row is named from which on it is too much', async () => {
    const { body } = await handIn(operator, csvOf(2, 500))
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    const { rows } = (await operator.get(`/batches/${body.id}/rows`)).body
    const { executions, artifacts } = app.database.read.t
    const sizes = [limits.batchPrintBytes - 1, 1]
    for (const [index, byteSize] of sizes.entries()) {
      const { submission_id: submissionId } = rows[index]
      const { q } = app.database.read
      const [execution] = await q.select().from(executions).where(eq(executions.submissionId, submissionId))
      await app.database.write((tx) =>
        tx.q.insert(artifacts).values({
          ...{
            id: newId(),
            executionId: execution!.id,
            submissionId,
            kind: 'pdf',
            byteSize,
            contentHash: 'b'.repeat(64),
          },
          ...{ objectReference: 'A-500', modelSlug: 'invoices', nodeLabel: 'Letter', nodeAddress: 'invoices:letter' },
          ...{ createdAt: app.clock.now(), removedAt: null },
        }),
      )
    }
    const print = async () => {
      const { status, body: problem } = await operator.get(`/batches/${body.id}/results?form=pdf`)
      return [status, problem.detail]
    }
    // Nobody has stored these bytes, which is the next thing that is looked at.
    expect(await print()).toEqual([410, 'The PDF of row 1 is not in the object store any more.'])
    await app.database.write(async (tx) => {
      await tx.q.update(artifacts).set({ byteSize: 2 }).where(eq(artifacts.byteSize, 1))
    })
    const most = `${limits.batchPrintDocuments} documents and ${limits.batchPrintBytes} bytes`
    expect(await print()).toEqual([
      ...[422, `One PDF holds at most ${most}, which row 2 goes beyond. Ask for parts with from_row and to_row.`],
    ])
    expect((await operator.get(`/batches/${body.id}/results?form=pdf&to_row=1`)).status).toBe(410)
  })
})
