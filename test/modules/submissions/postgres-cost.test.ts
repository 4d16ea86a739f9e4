import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { openDatabase } from '../../../src/db/connect.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { demo } from '../../../src/demo/demo.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { goodPassword, startTestApp, type TestApp } from '../../http/harness.ts'
import { emptyDatabaseUrl } from '../../support/database.ts'
import { listenIn, statementIn } from '../../support/listen-in.ts'
import { postgresAvailable } from '../../support/postgres.ts'
import { briefly } from '../../support/statements.ts'

/** What submissions cost on PostgreSQL, where each statement is parsed and planned again; cost.test.ts has the embedded database. */
describe.if(postgresAvailable)('submissions on PostgreSQL', () => {
  let app: TestApp
  let relay: Awaited<ReturnType<typeof listenIn>>
  let headers: Record<string, string>
  beforeAll(async () => {
    relay = await listenIn(await emptyDatabaseUrl('postgres'))
    const database = await openDatabase(relay.url)
    await migrate(database)
    app = await startTestApp('postgres', { database, checkAnswers: false })
    await seedDemo(app.database, app.clock)
    await app.addUser('caller', ['operator'])
    headers = await app.signIn('caller', goodPassword)
    // The first of all also look at the configuration, and at how long the queue is.
    for (let first = 0; first < 3; first++) await accepted()
  })
  afterAll(async () => {
    await app.database.close()
    relay.close()
  })

  function submit(key: string, more: object = {}): Promise<Response> {
    const [scenario] = demo.scenarios
    const { raw_input, metadata } = scenario ?? {}
    return app.send({
      ...{ method: 'POST', path: '/api/v1/submissions', headers: { ...headers, 'idempotency-key': key } },
      body: { ingestion_model: demo.ingestionModel.slug, raw_input, metadata, ...more },
    })
  }

  async function accepted(key: string = crypto.randomUUID()): Promise<string> {
    const answer = await submit(key)
    expect(answer.status).toBe(202)
    const { submission } = (await answer.json()) as { submission: { id: string } }
    return submission.id
  }

  /** The statements of each transaction that was begun meanwhile. */
  async function transactionsDuring(work: () => Promise<unknown>): Promise<string[][]> {
    const before = relay.sent().map((messages) => messages.length)
    await work()
    const statements = relay
      .sent()
      .map((messages, index) => messages.slice(before[index] ?? 0).flatMap((message) => statementIn(message) ?? []))
      .map((texts) => texts.map(briefly))
    return statements.flatMap((texts) =>
      texts.flatMap((text, index) =>
        text === 'begin' ? [texts.slice(index, texts.findIndex((one, at) => at > index && one === 'commit') + 1)] : [],
      ),
    )
  }

  test('take these statements each, and no more', async () => {
    const inserts = ['submissions', 'audit_records', 'executions', 'steps', 'events', 'idempotency']
    expect(await transactionsDuring(() => accepted())).toEqual([
      // The first one holds the key.
      [
        'begin',
        'select',
        'select idempotency',
        'select families',
        ...inserts.map((table) => `insert ${table}`),
        'commit',
      ],
    ])
  })

  test('share transactions and statements where they come together, one transaction after the other', async () => {
    const transactions = await transactionsDuring(() => Promise.all(Array.from({ length: 48 }, () => accepted())))
    const count = (statement: string) => transactions.flat().filter((one) => one === statement).length
    // Three, unless the machine holds this process up in between.
    expect(transactions.length).toBeLessThanOrEqual(5)
    for (const table of ['submissions', 'audit_records', 'executions', 'idempotency']) {
      expect(count(`insert ${table}`)).toBe(transactions.length)
    }
    // 32 rows take one statement, and each submission of the demo has four steps.
    expect(count('insert steps')).toBeLessThanOrEqual(6 + transactions.length)
    for (const reading of ['select', 'select idempotency'])
      expect(count(reading)).toBeLessThanOrEqual(transactions.length)
  })

  test('are one where they have the same key, whether they come together or not, and leave the others as they are', async () => {
    const keys = Array.from({ length: 24 }, (_, index) => `together-${index % 20}`)
    const ids: string[] = []
    const transactions = await transactionsDuring(async () => {
      ids.push(...(await Promise.all(keys.map((key) => accepted(key)))))
    })
    expect(new Set(ids).size).toBe(20)
    expect(ids.slice(20)).toEqual(ids.slice(0, 4))
    // One or two for the twenty, and one for each of the four, which waited.
    expect(transactions.filter((statements) => statements.includes('insert submissions')).length).toBeLessThanOrEqual(3)
    expect(await accepted('together-1')).toBe(ids[1] as string)
    const many = await Promise.all(Array.from({ length: 50 }, () => accepted('fifty-at-once')))
    expect(new Set(many).size).toBe(1)
  })

  test('wait for a key that another instance holds beside all others, however often it is sent again', async () => {
    const other = postgres(relay.url, { max: 1, onnotice: () => {} })
    const [user] = await other<{ id: string }[]>`select id from users where username = 'caller'`
    const isHeld = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = other.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`${user?.id} held-by-another`}, 0))`
      isHeld.resolve()
      await released.promise
    })
    await isHeld.promise
    const waiting = Array.from({ length: 12 }, () => accepted('held-by-another'))
    const transactions = await transactionsDuring(async () => {
      for (let round = 0; round < 4; round++) {
        await Promise.all([
          ...Array.from({ length: 8 }, () => accepted()),
          app.database.read.q.select().from(app.database.read.t.users),
        ])
      }
    })
    // A failed group would have run each of its eight alone.
    expect(transactions.filter((statements) => statements.includes('insert submissions')).length).toBeLessThanOrEqual(
      12,
    )
    expect(await Promise.race([...waiting, 'none'])).toBe('none')
    released.resolve()
    await holding
    expect(new Set(await Promise.all(waiting)).size).toBe(1)
    await other.end()
  })

  test('share a transaction with those that are refused, which use no key up', async () => {
    const wrong = [
      { ingestion_model: 'no-such-model' },
      { params: { nobody: 'declares it' } },
      { corrects: crypto.randomUUID() },
    ]
    const bodies = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? wrong[(index / 2) % 3] : {}))
    const answers: Response[] = []
    const transactions = await transactionsDuring(async () => {
      answers.push(...(await Promise.all(bodies.map((body, index) => submit(`refused-${index}`, body)))))
    })
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 422 : 202)))
    expect(transactions.length).toBeLessThanOrEqual(4)
    await accepted('refused-0')
    await accepted('refused-2')
  })
})
