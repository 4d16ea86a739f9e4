import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import type { RetainedPart } from '../../../src/core/retained-parts.ts'
import { namesObjects } from '../../../src/db/named-objects.ts'
import { demo } from '../../../src/demo/demo.ts'
import { removePartByPolicy } from '../../../src/modules/erasures/erasures.service.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { sortDue } from '../../../src/modules/retention/retention.due.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { runAll } from '../executions/run.ts'

describeOnBothDialects('batches of whose submissions a policy has removed parts', (dialect) => {
  let app: TestApp
  let operator: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    await seedDemo(app.database, app.clock)
    operator = await Author.signIn(app, 'operator', ['administrator', 'operator'])
  })

  /** One good row, and one whose execution fails. */
  async function handIn(name: string): Promise<string> {
    const [monthly] = demo.scenarios
    const good = JSON.stringify({ ...JSON.parse(monthly.raw_input), issuedOn: '2026-03-02' })
    const fields = { ingestion_model: 'clws-policy', name, official_time: monthly.metadata.source_timestamp }
    const file = new TextEncoder().encode(`${good}\n{}`)
    const { body } = await operator.form('POST', '/batches', fields, file, {}, 'application/x-ndjson')
    return body.id
  }

  async function ended(name: string): Promise<string> {
    const id = await handIn(name)
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    expect((await operator.get(`/batches/${id}`)).body.counts).toMatchObject({ completed: 1, failed: 1 })
    return id
  }

  const rowsOf = async (id: string) => (await operator.get(`/batches/${id}/rows`)).body.rows
  const causeOf = async (id: string) => (await operator.get(`/batches/${id}/failures`)).body.causes[0].cause
  const retry = async (id: string) => operator.post(`/batches/${id}/retry`, { cause: await causeOf(id) })

  /** @returns how many submissions lost it */
  async function remove(id: string, part: RetainedPart): Promise<number> {
    const ids = (await rowsOf(id)).map((row: { submission_id: string }) => row.submission_id)
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: newId(), at: app.clock.now() }
    return app.database.write((tx) =>
      removePartByPolicy(tx, actor, {
        ...{ rule: { retention: 1, keep_days: 1, part }, submissionIds: ids },
        sortDue: (again, some) => sortDue(again, some, part),
      }),
    )
  }

  test('don’t submit rows again whose input is gone, and say so', async () => {
    const id = await ended('inputs')
    expect(await remove(id, 'raw_input')).toBe(2)
    const { status, body } = await retry(id)
    expect([status, body.detail]).toEqual([409, expect.stringContaining('has removed the inputs of these rows')])
    expect((await operator.get(`/batches/${id}`)).body).toMatchObject({ status: 'completed', counts: { failed: 1 } })
  })

  test('give no execution another try of which a part is gone, and submit its input again instead', async () => {
    const id = await ended('outputs')
    const failed = (await rowsOf(id))[1]
    const { batchRows, executions, steps } = app.database.read.t
    const [execution] = await app.database.read.q
      .select()
      .from(executions)
      .where(eq(executions.submissionId, failed.submission_id))
    // As of a renderer that could not be had for a while.
    await app.database.write(async (tx) => {
      const failure = { code: 'render_failed', message: 'x', issues: [] }
      const ofStep = eq(steps.executionId, execution?.id ?? '')
      await tx.q.update(steps).set({ failure }).where(ofStep)
      await tx.q
        .update(batchRows)
        .set({ code: 'render_failed' })
        .where(eq(batchRows.submissionId, failed.submission_id))
    })
    expect(await remove(id, 'output')).toBe(2)
    expect((await retry(id)).status).toBe(200)
    expect((await operator.get(`/executions/${execution?.id}`)).body.status).toBe('failed')
    expect((await operator.get(`/batches/${id}`)).body.counts).toMatchObject({ waiting: 1, completed: 1 })
    // And a row that waits to be submitted keeps its input.
    expect(await remove(id, 'raw_input')).toBe(1)
    await app.openFeeder().round()
    expect((await rowsOf(id))[1].submission_id).not.toBe(failed.submission_id)
  })

  test('hold no document whose bytes are gone, though another execution has the same', async () => {
    const [removed, other] = [await ended('documents'), await ended('same documents')]
    expect(await remove(removed, 'artifacts')).toBe(2)
    const { body } = await operator.get(`/batches/${removed}/results`)
    expect(new TextDecoder().decode(body)).toMatch(/letter\.docx \(removed\) \S+letter\.pdf \(removed\)/)
    const pdf = await operator.get(`/batches/${removed}/results?form=pdf`)
    expect([pdf.status, pdf.body.detail]).toEqual([410, 'The PDF of row 1 was removed under a retention policy.'])
    expect((await operator.get(`/batches/${other}/results?form=pdf`)).status).toBe(200)
  })

  test('repeat nothing of a failure whose details are gone', async () => {
    const id = await ended('details')
    expect((await rowsOf(id))[1].message).toBeString()
    expect(await remove(id, 'steps')).toBe(2)
    expect((await rowsOf(id))[1]).not.toHaveProperty('message')
  })

  test('name their file, so that a start without its folder is refused', async () => {
    const { artifacts } = app.database.read.t
    await app.database.write((tx) =>
      tx.q
        .update(artifacts)
        .set({ removedAt: app.clock.now() })
        .then(() => {}),
    )
    const id = await handIn('kept')
    expect(await namesObjects(app.database.read)).toBe(true)
    await operator.post(`/batches/${id}/cancel`, {})
    expect(await namesObjects(app.database.read)).toBe(false)
  })
})
