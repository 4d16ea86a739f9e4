import { beforeAll, expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { Fault } from '../../../src/core/faults.ts'
import type { Connection, Database } from '../../../src/db/database.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { removePartByPolicy } from '../../../src/modules/erasures/erasures.service.ts'
import { createExecutionService } from '../../../src/modules/executions/executions.service.ts'
import { createVerifyService } from '../../../src/modules/executions/verify.service.ts'
import { sortDue } from '../../../src/modules/retention/retention.due.service.ts'
import { createSubmissionService } from '../../../src/modules/submissions/submissions.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { beforeStatement } from '../../support/between-statements.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { startInvoices } from '../batches/fixture.ts'
import { runAll } from '../executions/run.ts'

describeOnBothDialects('what is read while it is removed', (dialect) => {
  let app: TestApp
  let operator: Author
  let root: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    ;({ operator } = await startInvoices(app))
    root = await Author.signIn(app, 'root', ['administrator'])
  })

  let count = 0
  async function submitted(): Promise<{ reference: string; submissionId: string; executionId: string }> {
    const reference = `A-${++count}`
    const raw_input = JSON.stringify({ number: reference, amount: 1 })
    const { body } = await operator.post('/submissions', { ingestion_model: 'invoices', raw_input })
    await runAll(app.database, app.pool, app.objects)
    const { id, executions } = body.submission
    return { reference, submissionId: id, executionId: executions[0].id }
  }
  type Made = Awaited<ReturnType<typeof submitted>>

  const erase = async ({ reference }: Made) => {
    const erased = await root.post('/erasures', { object_reference: reference, reason: 'they asked' })
    expect(erased.status).toBe(201)
  }
  const removeInput = async ({ submissionId }: Made) => {
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at: app.clock.now() }
    const rule = { retention: 1, keep_days: 1, part: 'raw_input' } as const
    const sort = (tx: Connection, ids: readonly string[]) => sortDue(tx, ids, rule.part)
    const removed = await app.database.write((tx) =>
      removePartByPolicy(tx, actor, { rule, submissionIds: [submissionId], sortDue: sort }),
    )
    expect(removed).toBe(1)
  }

  /** Each with the removal before its first statement, its second, and so on, until it is done before. */
  async function everywhere(
    remove: (made: Made) => Promise<void>,
    read: (database: Database, made: Made) => Promise<unknown>,
    isTrue: (answer: unknown) => void,
  ): Promise<number> {
    for (let number = 1; ; number++) {
      const made = await submitted()
      const { database, hasHappened } = beforeStatement(app.database, number, () => remove(made))
      const answer = await read(database, made).catch((error: unknown) => error)
      if (!hasHappened()) return number - 1
      if (answer instanceof Fault) expect(answer.status).toBeOneOf([404, 409])
      else if (answer instanceof Error) throw answer
      else isTrue(answer)
    }
  }

  const submissions = (database: Database) => createSubmissionService({ database, judge: judgeHere })
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  type Answer = any

  test.each<[string, (database: Database, made: Made) => Promise<unknown>, (answer: Answer) => void]>([
    [
      'an execution',
      (database, { executionId }) => createExecutionService(database).read(executionId),
      ({ steps, raw_input }) => expect([steps.length, raw_input === undefined]).toEqual([2, false]),
    ],
    [
      'its provenance',
      (database, { executionId }) => createExecutionService(database).provenance(executionId),
      ({ steps }) => expect(steps).toHaveLength(2),
    ],
    [
      'its trace',
      (database, { executionId }) => createExecutionService(database).trace(executionId),
      ({ events }) => expect(events.length).toBeGreaterThan(1),
    ],
    [
      'executions',
      (database) => createExecutionService(database).list({}),
      ({ executions }) => expect(executions.map(({ steps }: Answer) => steps.length)).not.toContain(0),
    ],
    [
      'a submission',
      (database, { submissionId }) => submissions(database).read(submissionId),
      ({ executions }) => expect(executions).toHaveLength(1),
    ],
    [
      'submissions',
      (database) => submissions(database).list({}),
      (answer) => expect(answer.submissions.map(({ executions }: Answer) => executions.length)).not.toContain(0),
    ],
    [
      'a verification',
      (database, { executionId }) => createVerifyService({ database, pool: app.pool }).verify(executionId),
      ({ identical }) => expect(identical).toBe(true),
    ],
  ])('of %s nothing is there, or all of it', async (_what, read, isWhole) => {
    expect(await everywhere(erase, read, isWhole)).toBeGreaterThan(1)
  })

  test('no verification takes an input that a policy has removed for another one', async () => {
    const verify = (database: Database, { executionId }: Made) =>
      createVerifyService({ database, pool: app.pool }).verify(executionId)
    const isWhole = (answer: Answer) => expect(answer.identical).toBe(true)
    expect(await everywhere(removeInput, verify, isWhole)).toBeGreaterThan(4)
  })
})
