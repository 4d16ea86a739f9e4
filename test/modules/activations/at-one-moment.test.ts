/** What two people put in force at the same moment, on PostgreSQL, where both go on beside each other. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { addMs, formatInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { holdActivations } from '../../../src/modules/activations/activations.service.ts'
import { holdFamily } from '../../../src/modules/families/families.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { openTestDatabase } from '../../support/database.ts'
import { holdingCommits } from '../../support/lock-waits.ts'
import { postgresAvailable } from '../../support/postgres.ts'
import { patienceMs, until } from '../../support/until.ts'

const past = '2026-01-01T00:00:00Z'
const schema = (names: string[]) =>
  JSON.stringify({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  })
const transformer = (field: string) => `transform: declarative-v1\noutput: { n: /${field} }\n`
const model = (version: number) => `model: ingestion-model-v1
contract: { name: invoices, version: ${version} }
object: { reference: /number }
nodes:
  - { key: letter, label: Letter, transformer: letter }
`

describe.skipIf(!postgresAvailable)('two activations at one moment (postgres)', () => {
  let app: TestApp
  let author: Author
  let other: Author
  let holding: ReturnType<typeof holdingCommits>
  let letterId: string
  let modelId: string

  /** In force: a letter that reads `number`. The next letter reads `amount`, which the next contract no longer has. */
  beforeEach(async () => {
    holding = holdingCommits(await openTestDatabase('postgres'))
    app = await startTestApp('postgres', { database: holding.database })
    author = await Author.signIn(app, 'author')
    other = await Author.signIn(app, 'other')
    const contract = await author.contract('invoices', schema(['number', 'amount']))
    letterId = (await author.frozen('transformers', 'letter', transformer('number'))).id
    await author.publish('transformers', letterId, 1, past)
    modelId = (await author.frozen('ingestion-models', 'invoices', model(1))).id
    expect((await author.publish('ingestion-models', modelId, 1, past)).status).toBe(201)
    const { id } = contract
    const change = { name: 'invoices', description: '', schema: schema(['number']), expected_revision: 1 }
    expect((await author.call('PUT', `/contracts/${id}`, change)).status).toBe(200)
    expect((await author.post(`/contracts/${id}/versions`, { expected_revision: 2 })).status).toBe(201)
    expect((await author.post(`/contracts/${id}/versions/2/publish`, {})).status).toBe(200)
    for (const [plural, family, source] of [
      ['transformers', letterId, transformer('amount')],
      ['ingestion-models', modelId, model(2)],
    ] as const) {
      const path = `/${plural}/${family}/draft`
      expect((await author.call('PUT', path, { source, format: 'yaml' }, { 'if-match': '"1"' })).status).toBe(200)
      expect((await author.freeze(plural, family, 2)).status).toBe(201)
    }
  })

  test('each of which fits what was in force, and not the other, are not both put in force', async () => {
    const [first, second] = await holding.whileHeld(
      (outcome) => (outcome as { answer?: { status: number } })?.answer?.status === 201,
      () => author.publish('transformers', letterId, 2, '2027-01-01T00:00:00Z'),
      () => other.publish('ingestion-models', modelId, 2, '2027-01-01T00:00:00Z'),
    )
    expect([first.status, second.status]).toEqual([201, 422])
    expect(JSON.stringify(second.body)).toContain('amount')
  })

  test('however many, leave connections for others while they wait', async () => {
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holder = holding.database.write(async (tx) => {
      await holdActivations(tx)
      held.resolve()
      await released.promise
    })
    await held.promise
    const published = Array.from({ length: limits.databaseConnections }, (_, at) =>
      author.publish('transformers', letterId, 2, `20${30 + at}-01-01T00:00:00Z`),
    )
    // What needs a connection is answered before the lock is free.
    const read = await Promise.race([
      Bun.sleep(500).then(() => author.get(`/transformers/${letterId}`)),
      Bun.sleep(patienceMs()).then(() => undefined),
    ])
    released.resolve()
    await holder
    expect(read?.status).toBe(200)
    expect((await Promise.all(published)).map(({ status }) => status)).toEqual(published.map(() => 201))
  }, 60_000)

  test('nor is a set put in force beside a version that it does not fit', async () => {
    const versions = [
      { family_id: modelId, version: 2 },
      { family_id: letterId, version: 1 },
    ]
    const set = { ingestion_model_id: modelId, state: 'newest', versions }
    const planned = await other.post('/activation-sets/plan', set)
    expect(planned.body).toMatchObject({ valid: true })
    const [first, second] = await holding.whileHeld(
      (outcome) => (outcome as { answer?: { status: number } })?.answer?.status === 201,
      () => author.publish('transformers', letterId, 2, '2027-01-01T00:00:00Z'),
      () => other.post('/activation-sets', { ...set, plan_hash: planned.body.plan_hash }),
    )
    expect([first.status, second.status]).toEqual([201, 422])
    expect(JSON.stringify(second.body)).toContain('amount')
  })

  test.each([
    ['by itself', (id: string) => [`/activations/${id}/cancel`, {}] as const],
    ['with others', (id: string) => ['/activation-sets/cancel', { activation_ids: [id] }] as const],
  ])('an activation that begins while its cancellation waits is not cancelled, %s', async (_how, cancel) => {
    const soon = formatInstant(addMs(app.clock.now(), 10_000))
    expect((await author.publish('transformers', letterId, 2, soon)).status).toBe(201)
    const { id } = (await author.get(`/activations?family_id=${letterId}`)).body.activations[0]
    const [isHeld, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const held = app.database.write(async (tx) => {
      await holdFamily(tx, 'transformer', letterId)
      isHeld.resolve()
      await mayCommit.promise
    })
    await isHeld.promise
    const [path, body] = cancel(id)
    const cancelled = other.post(path, { ...body, cancellation_code: 'not_needed' })
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until('the cancellation waits', async () => (await app.database.read.rows(waiting)).length > 0)
    app.clock.advance(20_000)
    mayCommit.resolve()
    await held
    const { status, body: told } = await cancelled
    expect([status, told.detail ?? told.errors]).toEqual([409, expect.stringContaining('history never changes')])
    const resolved = await author.get(`/transformers/${letterId}/versions:resolve?at=${soon}`)
    expect(resolved.body.version).toBe(2)
  })
})
