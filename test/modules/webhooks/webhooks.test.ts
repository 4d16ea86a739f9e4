import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { cloudEvent } from '../../../src/bus/cloudevent.ts'
import { appendEvents, type NewEvent } from '../../../src/bus/outbox.ts'
import { newId } from '../../../src/core/ids.ts'
import { epochMsOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { networksOf } from '../../../src/core/networks.ts'
import type { Transaction } from '../../../src/db/database.ts'
import { removeFound } from '../../../src/modules/erasures/erasures.store.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { createSend } from '../../../src/modules/webhooks/webhooks.request.ts'
import {
  type SenderDependencies,
  startWebhookSender,
  sweepDeliveries,
  type WebhookSender,
} from '../../../src/modules/webhooks/webhooks.sender.service.ts'
import {
  hasMarkedEvents,
  holdNewWebhooks,
  insertWebhook,
  stopWebhook,
  updateWebhook,
} from '../../../src/modules/webhooks/webhooks.store.ts'
import { jsonOf, secret, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, testOf } from '../../support/database.ts'
import { whileUncommitted } from '../../support/lock-waits.ts'
import { until } from '../../support/until.ts'
import { expectedSignature, startReceiver } from './receiver.ts'

const day = 86_400_000

describeOnBothDialects('webhooks', (dialect) => {
  let app: TestApp
  let headers: Record<string, string>
  const senders: WebhookSender[] = []
  const receivers: ReturnType<typeof startReceiver>[] = []
  const logged: string[] = []

  beforeAll(async () => {
    app = await startTestApp(dialect, { webhookNetworks: ['127.0.0.1/32'] })
    await app.addUser('root', ['administrator'])
    await seedDemo(app.database, app.clock)
    headers = await app.signIn('root')
  })
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.drain(2_000)))
    for (const receiver of receivers.splice(0)) await receiver.stop()
    headers = await app.signIn('root')
    for (const { id } of await app.webhooks.list()) expect((await call('DELETE', `/${id}`)).status).toBe(204)
  })
  afterAll(() => app.database.close())

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const answer = await app.send({ method, path: `/api/v1/webhooks${path}`, headers, body })
    return { status: answer.status, body: answer.status === 204 ? undefined : await jsonOf(answer) }
  }
  function receiver(...given: Parameters<typeof startReceiver>) {
    const started = startReceiver(...given)
    receivers.push(started)
    return started
  }
  async function register(url: string, more = {}): Promise<{ id: string; secret: string }> {
    const { status, body } = await call('POST', '', { name: 'Billing', url, ...more })
    expect(status).toBe(201)
    return { id: body.webhook.id, secret: body.secret }
  }
  function sender(more: Partial<SenderDependencies> = {}): WebhookSender {
    const log = createLog({ level: 'warn', readable: false, write: (line) => logged.push(line) })
    const started = startWebhookSender({
      ...{ database: app.database, clock: app.clock, log, owner: newId(), secrets: [secret], pollMs: 20 },
      send: createSend({ allowed: networksOf(['127.0.0.1']), requestMs: 30_000 }),
      ...more,
    })
    senders.push(started)
    return started
  }
  const event = (aggregateId: string, type = 'step.started'): NewEvent => ({
    ...{ aggregate: 'execution', aggregateId, type, data: { n: 1 }, correlationId: 'c' },
  })
  const append = (...events: NewEvent[]) => app.database.write((tx) => appendEvents(tx, app.clock.now(), events))
  const read = async (id: string) => (await call('GET', `/${id}`)).body.webhook
  const deliveries = async (id: string, query = '') => (await call('GET', `/${id}/deliveries${query}`)).body.deliveries
  const actionsOf = async (id: string) => {
    const rows = await app.database.read.q.select().from(app.database.read.t.auditRecords)
    return rows.flatMap(({ resourceId, action }) => (resourceId === id ? [action] : []))
  }

  test('bring every event once, signed, with the bytes of the broker, in order per aggregate and never two of one at once', async () => {
    const there = receiver(async () => {
      await Bun.sleep(1)
      return new Response()
    })
    const { id, secret: shown } = await register(there.url)
    const subjects = [newId(), newId(), newId(), newId(), newId(), newId()]
    for (let n = 0; n < 4; n++) await append(...subjects.map((subject) => event(subject)))
    sender()
    await until('all have come', () => there.received.length >= 24)
    await until('all are recorded', async () => (await read(id)).pending === 0)
    expect(there.received).toHaveLength(24)
    expect(there.state.overlaps).toBe(0)
    for (const subject of subjects) {
      const own = there.received.filter((one) => one.subject === subject).map(({ sequence }) => sequence)
      expect(own).toEqual([1, 2, 3, 4])
    }
    const [first] = there.received
    const rows = await app.database.read.q.select().from(app.database.read.t.events)
    expect(first!.body).toBe(cloudEvent(rows.find((row) => row.id === first!.id)!))
    expect(first!.headers.get('webhook-id')).toBe(first!.id)
    expect(first!.headers.get('content-type')).toBe('application/cloudevents+json')
    expect(Number(first!.headers.get('webhook-timestamp'))).toBe(Math.floor(epochMsOf(app.clock.now()) / 1_000))
    expect(first!.headers.get('webhook-signature')).toBe(expectedSignature(shown, first!))
  })

  test('bring what happens after a registration to whoever was registered before the clock was set back', async () => {
    const there = receiver()
    app.clock.advance(7_200_000)
    headers = await app.signIn('root')
    const { id } = await register(there.url)
    app.clock.advance(-7_200_000)
    const subject = newId()
    await append(event(subject))
    sender()
    await until('its mark is off', async () => !(await hasMarkedEvents(app.database.read)))
    await until('nothing waits', async () => (await app.webhooks.read(id)).pending === 0)
    expect(there.received.map((one) => one.subject)).toEqual([subject])
    headers = await app.signIn('root')
  })

  test('look again at once if there was news during a round', async () => {
    let reads = 0
    const database = new Proxy(app.database, {
      get(target, name) {
        // The last of the first round, which has found nothing.
        if (name === 'read' && ++reads === 2) started.wake()
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const started = sender({ database, pollMs: 3_600_000 })
    await until('it looks again', () => reads > 2)
  })

  test('have a secret that is shown once, sealed in the database, and replaced with an overlap of a day', async () => {
    const there = receiver()
    const { id, secret: before } = await register(there.url)
    expect(before).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
    const renewed = await call('POST', `/${id}/renew-secret`, {})
    expect(renewed.status).toBe(200)
    const stored = JSON.stringify(await app.database.read.q.select().from(app.database.read.t.webhooks))
    const told = JSON.stringify([
      await read(id),
      await app.database.read.q.select().from(app.database.read.t.auditRecords),
    ])
    for (const one of [before, renewed.body.secret]) {
      expect(stored + told + app.logged.join('')).not.toContain(one.slice(6))
    }
    sender()
    await append(event(newId()))
    const both = await until('one has come', () => there.received[0])
    expect(both.headers.get('webhook-signature')).toBe(
      `${expectedSignature(renewed.body.secret, both)} ${expectedSignature(before, both)}`,
    )
    app.clock.advance(limits.webhookSecretOverlapMs)
    await append(event(newId()))
    const one = await until('another has come', () => there.received[1])
    expect(one.headers.get('webhook-signature')).toBe(expectedSignature(renewed.body.secret, one))
    expect(await actionsOf(id)).toEqual(['webhook.created', 'webhook.secret_renewed'])
  })

  test('use nothing up while a receiver is away, delay nobody else, and bring all of it in order when it is back', async () => {
    const here = receiver()
    const away = receiver(() => new Response('come back later', { status: 503 }))
    const [near, far] = [await register(here.url), await register(away.url)]
    sender()
    const [one, other] = [newId(), newId()]
    await append(event(one), event(one), event(other), event(one))
    await until('the other has all', async () => here.received.length === 4 && (await read(near.id)).pending === 0)
    await until('it counts as away', async () => {
      app.clock.advance(limits.webhookAwayMs)
      return (await app.webhooks.read(far.id)).failures >= limits.webhookAwayFailures
    })
    for (let days = 0; days < 4; days++) {
      const { failures } = await app.webhooks.read(far.id)
      app.clock.advance(day)
      await until('it has failed again', async () => (await app.webhooks.read(far.id)).failures > failures)
    }
    // Away, it is asked with one at a time.
    expect(away.received.length).toBeLessThan(20)
    headers = await app.signIn('root')
    const waiting = await deliveries(far.id)
    expect(waiting.map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts])).toEqual(
      Array.from({ length: 4 }, () => ['pending', 0]),
    )
    expect(
      waiting.some(
        (row: Record<string, object>) => Reflect.get(row.last_attempt ?? {}, 'answer') === 'come back later',
      ),
    ).toBe(true)
    const before = away.received.length
    away.state.answer = () => new Response()
    app.clock.advance(limits.webhookAwayMaxMs)
    await until('all is taken', async () => (await read(far.id)).pending === 0)
    const taken = away.received.slice(before)
    expect(taken.filter(({ subject }) => subject === one).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    expect(taken).toHaveLength(4)
    expect(await read(far.id)).toMatchObject({ status: 'active', failures: 0 })
  })

  test('are given up after the last wait, one aggregate only, and are sent again under the same id when somebody asks', async () => {
    const poison = newId()
    const there = receiver(({ subject, sequence }) =>
      subject === poison && sequence === 1 ? new Response('no such customer', { status: 422 }) : new Response(),
    )
    const { id } = await register(there.url)
    sender()
    await append(event(poison), event(poison))
    const refused = () => there.received.filter(({ subject, sequence }) => subject === poison && sequence === 1)
    const others = () => there.received.filter(({ subject }) => subject !== poison)
    for (const [tries, waitSeconds] of [...limits.webhookRetrySeconds, 0].entries()) {
      await until(`try ${tries + 1}`, () => refused().length === tries + 1)
      // Others go on meanwhile, and what follows it waits.
      await append(event(newId()))
      await until('others go on', () => others().length === tries + 1)
      await until('both are recorded', async () => {
        const { rows } = await app.webhooks.listDeliveries(id, {})
        const delivered = rows.filter(({ status, aggregateId }) => status === 'delivered' && aggregateId !== poison)
        return delivered.length === tries + 1 && rows.some(({ attempts }) => attempts === tries + 1)
      })
      app.clock.advance(waitSeconds * 1_000)
    }
    await until('what follows it has come', () =>
      there.received.some(({ subject, sequence }) => subject === poison && sequence === 2),
    )
    headers = await app.signIn('root')
    const [failed] = await deliveries(id, '?status=failed')
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 10,
      last_attempt: { status: 422, answer: 'no such customer' },
    })
    expect(failed).not.toHaveProperty('due_at')
    app.clock.advance(day)
    headers = await app.signIn('root')
    there.state.answer = () => new Response()
    const before = there.received.length
    expect((await call('POST', `/${id}/deliveries/${failed.id}/send-again`, {})).body.delivery).toMatchObject({
      status: 'pending',
      // As many tries as a new one has.
      attempts: 0,
    })
    await until('it has come again', () => there.received.length === before + 1)
    expect(there.received.at(-1)!.id).toBe(failed.event_id)
    await until('it is delivered', async () => (await deliveries(id, '?status=failed')).length === 0)
  })

  test.each([410, 500])('go on at their new address though the old one answers %p after the move', async (status) => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const old = receiver(async () => {
      await mayAnswer
      return new Response('', { status })
    })
    const there = receiver()
    const { id } = await register(old.url)
    const subject = newId()
    await append(event(subject))
    sender()
    await until('it is on its way to the old address', () => old.received.length === 1)
    expect((await call('PATCH', `/${id}`, { url: there.url })).status).toBe(200)
    answer()
    await until('it has come at the new one', () => there.received.some((one) => one.subject === subject))
    await until('that is recorded', async () => (await read(id)).pending === 0)
    expect(await read(id)).toMatchObject({ status: 'active', url: there.url, failures: 0 })
    const [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 0 })
  })

  test('stop at a 410 and after days of failures, are reported, and continue with what waits when somebody resumes them', async () => {
    const gone = receiver(() => new Response('', { status: 410 }))
    const broken = receiver(() => new Response('', { status: 500 }))
    const listening = receiver()
    const [first, second] = [await register(gone.url), await register(broken.url)]
    const third = await register(listening.url, { event_types: ['quire.webhook.stopped'] })
    sender()
    await append(event(newId()))
    await until('it is gone', async () => (await read(first.id)).status === 'gone')
    await until('the other fails', async () => (await read(second.id)).failures > 0)
    app.clock.advance(limits.webhookDisableMs)
    await until('it is disabled', async () => (await app.webhooks.read(second.id)).status === 'disabled')
    await until('it is told', () => listening.received.length === 2)
    const told = listening.received.map(({ subject, body }) => [subject, (JSON.parse(body) as { data: object }).data])
    expect(told).toEqual([
      [first.id, { name: 'Billing', status: 'gone' }],
      [second.id, { name: 'Billing', status: 'disabled' }],
    ])
    expect(await actionsOf(second.id)).toContain('webhook.stopped')
    expect(logged.join('')).toContain('until somebody resumes it')
    const asked = gone.received.length
    await append(event(newId()))
    await until('it waits', async () => (await app.webhooks.read(first.id)).pending >= 2)
    expect(gone.received).toHaveLength(asked)
    gone.state.answer = () => new Response()
    headers = await app.signIn('root')
    expect((await call('PATCH', `/${first.id}`, { status: 'active' })).body.webhook).toMatchObject({ failures: 0 })
    await until('all is taken', async () => (await read(first.id)).pending === 0)
    expect((await read(third.id)).pending).toBe(0)
  })

  testOf(dialect, 'postgres')('are bounded in number, also when two are registered at once', async () => {
    await register('https://example.test/')
    const [row] = await app.database.read.q.select().from(app.database.read.t.webhooks)
    const insert = (tx: Transaction) => insertWebhook(tx, { ...row!, id: newId() })
    await app.database.write(async (tx) => {
      for (let nth = 2; nth < limits.webhooks; nth++) await insert(tx)
    })
    const last = async (tx: Transaction) => {
      await holdNewWebhooks(tx)
      await insert(tx)
    }
    const body = { name: 'one too many', url: 'https://example.test/' }
    expect((await whileUncommitted(app.database, last, () => call('POST', '', body))).status).toBe(409)
  })

  testOf(dialect, 'postgres')('stay stopped where somebody renames them at that moment', async () => {
    const { id } = await register('https://example.test/')
    const stop = (tx: Transaction) => stopWebhook(tx, id, 'gone', app.clock.now())
    const renamed = await whileUncommitted(app.database, stop, () => call('PATCH', `/${id}`, { name: 'Renamed' }))
    expect(renamed.body.webhook).toMatchObject({ name: 'Renamed', status: 'gone' })
    const between = 'v1.sealed.between'
    const renew = (tx: Transaction) => updateWebhook(tx, id, { secret: between })
    expect((await whileUncommitted(app.database, renew, () => call('POST', `/${id}/renew-secret`, {}))).status).toBe(
      200,
    )
    const [row] = await app.database.read.q.select().from(app.database.read.t.webhooks)
    expect(row!.previousSecret).toBe(between)
  })

  test('bring the types and families that they name, and nothing of before they were made', async () => {
    const [byType, byFamily, late] = [receiver(), receiver(), receiver()]
    const models = await app.database.read.q.select().from(app.database.read.t.families)
    const family = models.find(({ kind }) => kind === 'ingestion_model')!
    const one = await register(byType.url, { event_types: ['quire.execution.completed'] })
    const other = await register(byFamily.url, { families: [family.id] })
    expect((await read(other.id)).families).toMatchObject([{ id: family.id, slug: family.slug }])
    const scenarios = await jsonOf(await app.send({ path: '/api/v1/intake-test-lab/scenarios', headers }))
    const [scenario] = scenarios.scenarios as { ingestion_model_slug: string; raw_input: string; metadata: unknown }[]
    const body = { ingestion_model: family.slug, raw_input: scenario!.raw_input, metadata: scenario!.metadata }
    const submitted = await app.send({
      ...{ method: 'POST', path: '/api/v1/submissions', body },
      headers: { ...headers, 'idempotency-key': newId() },
    })
    expect(submitted.status).toBe(202)
    await append(event(newId(), 'completed'), event(newId()), {
      ...{ aggregate: 'family', aggregateId: family.id, type: 'draft.saved', data: {}, correlationId: 'c' },
    })
    // Whatever the clocks say.
    app.clock.advance(-3_600_000)
    headers = await app.signIn('root')
    await register(late.url)
    app.clock.advance(3_600_000)
    headers = await app.signIn('root')
    sender()
    await until(
      'all have come',
      async () => (await read(one.id)).pending + (await read(other.id)).pending === 0 && byFamily.received.length >= 3,
    )
    expect(byType.received.map(({ type }) => type)).toEqual(['quire.execution.completed'])
    expect(new Set(byFamily.received.map(({ type }) => type))).toEqual(
      new Set(['quire.submission.created', 'quire.execution.queued', 'quire.family.draft.saved']),
    )
    expect(late.received).toEqual([])
  })

  test('bring those of a family also what is about its batches and what came into force of it, and nothing of another', async () => {
    const there = receiver()
    const { families, batches } = app.database.read.t
    const models = await app.database.read.q.select().from(families)
    const model = models.find(({ kind }) => kind === 'ingestion_model')!
    const { id } = await register(there.url, { families: [model.id] })
    const [own, foreign] = [newId(), newId()]
    const batch = (batchId: string, modelSlug: string) => ({
      ...{ id: batchId, name: 'batch', modelSlug, format: 'csv', contentHash: 'h', byteSize: 1, rows: 1 },
      ...{ reading: {}, status: 'running', nextRow: 1, nextOffset: 0, createdBy: 'u', correlationId: 'c' },
      ...{ createdAt: app.clock.now(), updatedAt: app.clock.now() },
    })
    const rows = [batch(own, model.slug), batch(foreign, 'another')] as (typeof batches.$inferInsert)[]
    await app.database.write((tx) => tx.q.insert(tx.t.batches).values(rows))
    const about = (aggregate: 'batch' | 'activation', aggregateId: string, data: Record<string, unknown> = {}) => ({
      ...{ aggregate, aggregateId, type: 'told', data, correlationId: 'c' },
    })
    const activation = newId()
    await append(
      ...[about('batch', foreign), about('activation', newId(), { family_id: newId() }), about('activation', newId())],
      ...[about('batch', own), about('activation', activation, { family_id: model.id })],
    )
    sender()
    await until('both have come', () => there.received.length >= 2)
    await until('all are recorded', async () => (await read(id)).pending === 0)
    expect(there.received.map(({ subject }) => subject).sort()).toEqual([own, activation].sort())
  })

  test('take nothing from the others when one is deleted', async () => {
    const there = receiver(() => new Response(null, { status: 500 }))
    const [one, other] = [await register(there.url), await register(there.url)]
    await append(event(newId()))
    sender()
    for (const { id } of [one, other]) await until('it was tried', async () => (await read(id)).pending === 1)
    const kept = await deliveries(other.id)
    expect(kept).toHaveLength(1)
    expect((await call('DELETE', `/${one.id}`)).status).toBe(204)
    expect((await deliveries(other.id)).map(({ id }: { id: string }) => id)).toEqual([kept[0].id])
    expect((await call('GET', `/${one.id}`)).status).toBe(404)
    const rows = await app.database.read.q.select().from(app.database.read.t.webhookDeliveries)
    expect(new Set(rows.map(({ webhookId }) => webhookId))).toEqual(new Set([other.id]))
  })

  test('bring one that was registered again nothing of what the one before it left', async () => {
    const [before, after] = [receiver(), receiver()]
    const { id } = await register(before.url)
    await append(event(newId()))
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
    await register(after.url)
    sender()
    await until('its mark is off', async () => !(await hasMarkedEvents(app.database.read)))
    const subject = newId()
    await append(event(subject))
    await until('it has come', () => after.received.some((one) => one.subject === subject))
    expect(after.received.filter(({ type }) => type === 'quire.execution.step.started')).toHaveLength(1)
    expect(before.received).toEqual([])
  })

  test('go out at once where the clock was set back since they were written', async () => {
    const there = receiver()
    await register(there.url)
    app.clock.advance(3_600_000)
    const subject = newId()
    await append(event(subject))
    app.clock.advance(-3_600_000)
    sender()
    await until('it has come', () => there.received.some((one) => one.subject === subject))
  })

  testOf(dialect, 'postgres')(
    'miss nothing that is committed after their registration, of the first receiver as well',
    async () => {
      const there = receiver()
      const [before, after] = [newId(), newId()]
      const order: string[] = []
      const written = Promise.withResolvers<void>()
      const mayCommit = Promise.withResolvers<void>()
      const committed = app.database
        .write(async (tx) => {
          await appendEvents(tx, app.clock.now(), [event(before)])
          written.resolve()
          await mayCommit.promise
        })
        .then(() => order.push('committed'))
      await written.promise
      const registered = register(there.url).then(() => order.push('registered'))
      await until('the receiver is there', async () => (await app.webhooks.list()).length === 1)
      await Bun.sleep(5 * limits.webhookRegistrationPollMs)
      mayCommit.resolve()
      await Promise.all([committed, registered])
      // What was committed later than the answer is its business, and what was committed earlier is not.
      expect(order).toEqual(['committed', 'registered'])
      await append(event(after))
      sender()
      await until('the next has come', () => there.received.some(({ subject }) => subject === after))
      expect(there.received.filter(({ subject }) => subject === before)).toEqual([])
    },
  )

  test('never bring what was erased, and are removed when they are old', async () => {
    const there = receiver(() => new Response('', { status: 503 }))
    const { id } = await register(there.url)
    const [erased, kept] = [newId(), newId()]
    await append(event(erased), event(erased))
    sender()
    await until('a try is recorded', async () => JSON.stringify(await deliveries(id)).includes('last_attempt'))
    await app.database.write((tx) =>
      removeFound(tx, {
        ...{ submissionIds: [], executions: [{ id: erased, status: 'completed' }], artifacts: [], auditRecords: [] },
        ...{
          answers: [],
          models: [],
          objectReferences: [],
          batchesAtWork: [],
          batchFiles: [],
          remaining: 0,
          counts: {} as never,
        },
      }),
    )
    there.state.answer = () => new Response()
    const before = there.received.length
    await append(event(kept))
    app.clock.advance(limits.webhookAwayMaxMs)
    await until('the other has come', () => there.received.some(({ subject }) => subject === kept))
    await until('nothing waits', async () => (await app.webhooks.read(id)).pending === 0)
    expect(there.received.slice(before).map(({ subject }) => subject)).toEqual([kept])
    await sweepDeliveries(app.database, app.clock)
    headers = await app.signIn('root')
    expect(await deliveries(id)).toHaveLength(1)
    app.clock.advance(limits.webhookKeptMs + 1)
    await sweepDeliveries(app.database, app.clock)
    headers = await app.signIn('root')
    expect(await deliveries(id)).toEqual([])
  })

  test('are sent by one instance at a time, and by the next at once when that one stops', async () => {
    const there = receiver()
    const { id } = await register(there.url)
    const [first, second] = [sender(), sender()]
    for (let n = 0; n < 5; n++) await append(event(newId()), event(newId()))
    await until('all have come', async () => (await read(id)).pending === 0 && there.received.length >= 10)
    expect(there.received).toHaveLength(10)
    const { taken } = await first.health()
    expect([taken, (await second.health()).taken].toSorted((a, b) => a - b)).toEqual([0, 10])
    await (taken === 10 ? first : second).drain(2_000)
    await append(event(newId()))
    await until('the other sends', () => there.received.length === 11)
  })

  test('are sealed again when QUIRE_SECRET is replaced, and wait when it is lost', async () => {
    const there = receiver()
    const { id, secret: shown } = await register(there.url)
    const next = 'another secret of more than 32 characters'
    const sealed = async () => (await app.database.read.q.select().from(app.database.read.t.webhooks))[0]!.secret
    const before = await sealed()
    // At the start: it may be long until the next event, and the old key goes earlier.
    const replacing = sender({ secrets: [next, secret] })
    await until('it is sealed anew', async () => (await sealed()) !== before)
    await replacing.drain(2_000)
    const alone = sender({ secrets: [next] })
    await append(event(newId()))
    const second = await until('it has come', () => there.received[0])
    expect(second.headers.get('webhook-signature')).toBe(expectedSignature(shown, second))
    await alone.drain(2_000)
    sender({ secrets: ['a third one, which has nothing to do with them'] })
    await append(event(newId()))
    await until('it is said', async () =>
      JSON.stringify(await deliveries(id)).includes('its secret is of another QUIRE_SECRET'),
    )
    expect(there.received).toHaveLength(1)
  })

  test('are the affair of administrators who gave their password just now, and of tokens for it', async () => {
    const url = 'https://hooks.example.test/in'
    app.clock.advance(limits.passwordRecentMs + 1)
    expect((await call('POST', '', { name: 'Later', url })).status).toBe(403)
    headers = await app.signIn('root')
    const { id } = await register(url)
    app.clock.advance(limits.passwordRecentMs + 1)
    expect((await call('PATCH', `/${id}`, { url: 'https://elsewhere.example.test' })).status).toBe(403)
    expect((await call('POST', `/${id}/renew-secret`, {})).status).toBe(403)
    expect((await call('PATCH', `/${id}`, { status: 'paused', event_types: null })).body.webhook.status).toBe('paused')
    headers = await app.signIn('root')
    const made = await app.send({
      ...{ method: 'POST', path: '/api/v1/tokens', headers },
      body: { name: 'hooks', scopes: ['webhook_manage'] },
    })
    const { secret: token } = (await jsonOf(made)) as { secret: string }
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const byToken = await register(url)
    expect((await call('GET', `/${byToken.id}`)).body.webhook.created_by).toBeDefined()
    for (const [bad, why] of [
      ['http://hooks.example.test@127.0.0.1/', 'credentials'],
      ['https://user:pass@hooks.example.test/', 'credentials'],
      ['https://hooks.example.test/#part', 'after #'],
      ['https://169.254.169.254/latest/', 'private network'],
      ['https://[::ffff:10.0.0.1]/', 'private network'],
      ['https://2130706434/', 'private network'],
      ['http://93.184.216.34/', 'by https only'],
      ['ftp://hooks.example.test/', 'must match'],
    ]) {
      const { status, body } = await call('POST', '', { name: 'Bad', url: bad })
      expect([bad, status, body.detail]).toEqual([bad, 422, expect.stringContaining(why!)])
    }
    const unknown = await call('POST', '', { name: 'Bad', url, families: [newId()] })
    expect([unknown.status, unknown.body.detail]).toEqual([422, expect.stringContaining('there is no family')])
    expect((await call('GET', `/${newId()}/deliveries`)).status).toBe(404)
  })
})
