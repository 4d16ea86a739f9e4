import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { systemClock } from '../../src/core/clock.ts'
import { exportRecords } from '../../src/modules/audit/audit.export.ts'
import { sealBatch } from '../../src/modules/audit/audit.sealer.ts'
import { verifyChain } from '../../src/modules/audit/audit.service.ts'
import { seedDemo } from '../../src/modules/intake-lab/intake-lab.service.ts'
import { jsonOf, startTestApp, type TestApp } from '../http/harness.ts'
import { describeOnBothDialects } from '../support/database.ts'

/** Values that no Quire writes where it writes objects. */
const bad: [name: string, text: string][] = [
  ['broken JSON', '{'],
  ['null', 'null'],
  ['an array', '[]'],
  ['half of a surrogate pair', '{"a":"\\ud800"}'],
  ['too deep to be read', '['.repeat(200_000)],
  ['too deep to be written', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
]

describeOnBothDialects('a stored value that can not be read', (dialect) => {
  let app: TestApp
  let headers: Record<string, string>
  const ids: { execution: string; submission: string }[] = []

  beforeAll(async () => {
    app = await startTestApp(dialect)
    await app.addUser('root', ['administrator'])
    headers = await app.signIn('root')
    await seedDemo(app.database, systemClock)
    for (const key of ['first-key', 'second-key']) {
      const { scenarios } = (await jsonOf(await app.send({ path: '/api/v1/intake-test-lab/scenarios', headers }))) as {
        scenarios: { raw_input: string; metadata: object }[]
      }
      const { raw_input, metadata } = scenarios[0]!
      const answer = await app.send({
        ...{ method: 'POST', path: '/api/v1/submissions' },
        headers: { ...headers, 'idempotency-key': key },
        body: { ingestion_model: 'clws-policy', raw_input, metadata },
      })
      const { submission } = (await answer.json()) as { submission: { id: string; executions: { id: string }[] } }
      ids.push({ submission: submission.id, execution: submission.executions[0]!.id })
    }
  })

  async function get(path: string) {
    const response = await app.send({ path: `/api/v1${path}`, headers })
    // biome-ignore lint/suspicious/noExplicitAny: each test looks at its own fields
    return { status: response.status, body: (await response.json()) as any }
  }

  test.each(bad)(
    'in an audit record (%s) is named in its place, and holds up nothing behind it',
    async (_name, text) => {
      const [{ id }] = (await get('/audit?limit=3')).body.audit.slice(1)
      await app.database.write((tx) => tx.rows(sql`update audit_records set detail = ${text} where id = ${id}`))
      const { status, body } = await get('/audit?limit=3')
      expect([status, body.audit.length]).toEqual([200, 3])
      expect(body.audit[1]).toMatchObject({ id, detail: { unreadable: expect.any(String) } })
      expect(body.audit[0].detail).not.toHaveProperty('unreadable')
      expect((await get(`/audit?limit=1&cursor=${id}`)).status).toBe(200)

      while ((await sealBatch(app.database)) > 0) {}
      const verified = await verifyChain(app.database.read, 1)
      expect(verified.broken?.reason).toContain("can't be read")
      const lines: string[] = []
      const broken: string[] = []
      for await (const batch of exportRecords(app.database.read, 0)) {
        lines.push(...batch.lines.map(({ json }) => json))
        broken.push(...batch.broken)
      }
      expect(lines.filter((json) => JSON.parse(json).detail.unreadable !== undefined)).not.toEqual([])
      expect(broken).not.toEqual([])
    },
  )

  test.each(bad)('in a step or an event (%s) is named in its place', async (_name, text) => {
    const { execution } = ids[0]!
    await app.database.write(async (tx) => {
      await tx.rows(sql`update steps set summary = ${text}, failure = ${text} where execution_id = ${execution}`)
      await tx.rows(sql`update events set data = ${text} where aggregate_id = ${execution}`)
    })
    const list = await get('/executions')
    expect(list.status).toBe(200)
    const shown = list.body.executions.find(({ id }: { id: string }) => id === execution)
    for (const one of [shown, (await get(`/executions/${execution}`)).body]) {
      expect(one.steps[0].summary).toEqual({ unreadable: expect.any(String) })
      expect(one.steps[0].failure).toMatchObject({
        code: 'unreadable',
        message: expect.stringContaining("can't be read"),
      })
    }
    const trace = await get(`/executions/${execution}/trace`)
    expect([trace.status, trace.body.events[0].data]).toEqual([200, { unreadable: expect.any(String) }])
  })

  test.each(bad)('in a submission (%s) leaves the list whole; what reads it names the column', async (_name, text) => {
    const { submission, execution } = ids[0]!
    for (const column of ['metadata', 'params']) {
      await app.database.write((tx) =>
        tx.rows(sql`update submissions set ${sql.identifier(column)} = ${text} where id = ${submission}`),
      )
      const { status, body } = await get('/submissions')
      expect([status, body.submissions.length]).toEqual([200, 2])
      const paths = [
        `/submissions/${submission}`,
        `/executions/${execution}${column === 'params' ? '/provenance' : ''}`,
      ]
      for (const path of paths) {
        const refused = await get(path)
        expect([path, refused.status, refused.body.code]).toEqual([path, 500, 'internal_error'])
        expect(refused.body.detail).toContain(`a value of "${column}"`)
      }
      await app.database.write((tx) =>
        tx.rows(sql`update submissions set ${sql.identifier(column)} = null where id = ${submission}`),
      )
    }
  })

  test('anywhere else is a problem that names the column', async () => {
    await app.database.write((tx) => tx.rows(sql`update versions set bindings = '{' where bindings is not null`))
    expect(await get('/templates')).toMatchObject({
      status: 500,
      body: { code: 'internal_error', detail: expect.stringContaining('a value of "bindings" here') },
    })
  })
})
