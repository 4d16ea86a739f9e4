import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, formatInstant, instantFromEpochMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createRetryService } from '../../../src/modules/executions/retries.service.ts'
import { claimReady } from '../../../src/runner/claim.store.ts'
import { recordFailure } from '../../../src/runner/record.store.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { seedExecution } from '../../runner/seed.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'

const created = instantFromEpochMs(Date.parse('2026-11-01T00:00:00Z'))

describeOnBothDialects('many retries', (dialect) => {
  let app: TestApp
  let operator: Author
  /** Oldest first, a second apart. */
  let failed: string[]
  beforeAll(async () => {
    app = await startTestApp(dialect)
    operator = await Author.signIn(app, 'operator', ['operator'])
    const codes = ['step_overran', 'step_overran', 'step_overran', 'contract_violated', 'step_overran']
    failed = []
    for (const [index, code] of codes.entries()) failed.push(await failedExecution(index, code))
    const { steps } = app.database.read.t
    const [, , exhausted] = failed
    await app.database.write((tx) =>
      tx.q.update(steps).set({ attempt: limits.stepAttempts }).where(eq(steps.executionId, exhausted!)),
    )
  })

  /** Its first step fails with the code; it was made so many seconds after the first. */
  async function failedExecution(second: number, code: string): Promise<string> {
    const id = await seedExecution(app.database)
    await app.database.write(async (tx) => {
      const { executions } = tx.t
      await tx.q
        .update(executions)
        .set({ createdAt: addMs(created, second * 1000) })
        .where(eq(executions.id, id))
      const [claim] = await claimReady(tx, { owner: 'test', leaseMs: 60_000, limit: 1 })
      await recordFailure(tx, claim!, { durationMs: 1, failure: { code, message: 'It failed.', issues: [] } })
    })
    return id
  }
  const statusOf = async (id: string) => {
    const { q, t } = app.database.read
    const [row] = await q.select().from(t.executions).where(eq(t.executions.id, id))
    return row?.status
  }
  const ask = (body: object, as = operator) => as.post('/executions/retry', body)

  test('a dry run counts them by cause, and changes nothing', async () => {
    const before = await stateOf(app.database)
    const { status, body } = await ask({ dry_run: true })
    expect([status, body]).toEqual([
      200,
      {
        retried: 3,
        causes: [
          { step: 'validate', code: 'step_overran', executions: 4, retried: 3 },
          { step: 'validate', code: 'contract_violated', executions: 1, retried: 0 },
        ],
      },
    ])
    expect(await stateOf(app.database)).toBe(before)
  })

  test('pages go on after the last execution that was looked at, to the end', async () => {
    const service = createRetryService(app.database, 2)
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at: created }
    const pages = []
    for (let after: string | undefined; ; ) {
      const page = await service.retry(actor, { dry_run: true, ...(after === undefined ? {} : { after }) })
      pages.push([page.retried, page.next_after])
      after = page.next_after
      if (after === undefined) break
    }
    expect(pages).toEqual([
      [2, failed[1]],
      [0, failed[3]],
      [1, undefined],
    ])
  })

  test('narrows by time, step, release and code, and names a wrong place to go on from', async () => {
    const counted = async (body: object) => (await ask({ ...body, dry_run: true })).body.retried
    expect(await counted({ from: formatInstant(addMs(created, 1000)) })).toBe(2)
    expect(await counted({ to: formatInstant(addMs(created, 1000)) })).toBe(1)
    expect(await counted({ step: 'render' })).toBe(0)
    expect(await counted({ release_id: newId() })).toBe(0)
    expect(await counted({ code: 'contract_violated' })).toBe(1)
    expect(await counted({ code: 'parent_failed' })).toBe(0)
    const refused = await ask({ after: newId() })
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('`after`')])
    expect((await ask({ status: 'failed' })).status).toBe(422)
  })

  test('belongs to administrators and operators', async () => {
    const author = await Author.signIn(app, 'author')
    expect((await ask({}, author)).status).toBe(403)
  })

  test('puts those back that may pass, each with its event and its record, and leaves the others', async () => {
    const { body } = await ask({})
    expect(body.retried).toBe(3)
    expect(await Promise.all(failed.map(statusOf))).toEqual([
      'processing',
      'processing',
      'failed',
      'failed',
      'processing',
    ])
    const { q, t } = app.database.read
    const records = await q.select().from(t.auditRecords).where(eq(t.auditRecords.action, 'execution.retried'))
    expect(records.map(({ resourceId }) => resourceId).sort()).toEqual([failed[0]!, failed[1]!, failed[4]!].sort())
    const events = await q.select().from(t.events).where(eq(t.events.type, 'retried'))
    expect(events.map(({ aggregateId }) => aggregateId).sort()).toEqual([failed[0]!, failed[1]!, failed[4]!].sort())
    expect((await ask({})).body.retried).toBe(0)
  })
})
