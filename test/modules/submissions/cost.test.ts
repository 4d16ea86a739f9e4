import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openBus } from '../../../src/bus/bus.ts'
import { onEventsCommitted } from '../../../src/bus/outbox.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { newId } from '../../../src/core/ids.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Database } from '../../../src/db/database.ts'
import { demo } from '../../../src/demo/demo.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { openObjectStore } from '../../../src/objects/objects.ts'
import { type Runner, startRunner } from '../../../src/runner/runner.ts'
import { goodPassword, startTestApp, type TestApp } from '../../http/harness.ts'
import { scriptedPool } from '../../runner/scripted-pool.ts'
import { seedExecution } from '../../runner/seed.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { statementsDuring } from '../../support/statements.ts'

/**
 * What a submission and its steps cost in statements and commits. Each statement is time of the one thread, each commit a wait
 * for the disk, and nothing else tells when one is added: who adds one here on purpose says in the commit what it costs.
 */
const writes = /^(?:begin|commit|savepoint|insert|update|delete)/

let app: TestApp
let headers: Record<string, string>
beforeAll(async () => {
  app = await startTestApp('sqlite', { checkAnswers: false })
  await seedDemo(app.database, app.clock)
  await app.addUser('caller', ['operator'])
  headers = await app.signIn('caller', goodPassword)
  // The first of all also look at the configuration, and at how long the queue is.
  for (let first = 0; first < 3; first++) await submit()
})
afterAll(() => app.database.close())

/** Submits the demo's first scenario; gives the submission's id. */
async function submit(key: string = crypto.randomUUID()): Promise<string> {
  const [scenario] = demo.scenarios
  const answer = await app.send({
    method: 'POST',
    path: '/api/v1/submissions',
    headers: { ...headers, 'idempotency-key': key },
    body: {
      ingestion_model: demo.ingestionModel.slug,
      raw_input: scenario?.raw_input,
      metadata: scenario?.metadata,
    },
  })
  expect(answer.status).toBe(202)
  const { submission } = (await answer.json()) as { submission: { id: string } }
  return submission.id
}

test('a submission takes these statements and one commit, and no more', async () => {
  expect(await statementsDuring(() => submit())).toEqual([
    'select sessions',
    'begin',
    'select idempotency',
    'insert submissions',
    'insert audit_records',
    'insert executions',
    'insert steps',
    'insert events',
    'insert idempotency',
    'commit',
  ])
})

test('submissions that come together share commits, statements and savepoints', async () => {
  const ran = await statementsDuring(() => Promise.all(Array.from({ length: 48 }, () => submit())))
  const count = (statement: string) => ran.filter((one) => one === statement).length
  // One, unless the machine holds this process up in between.
  expect(count('commit')).toBeLessThanOrEqual(3)
  // Eight rows take one statement; each commit may have a few left.
  expect(count('insert submissions')).toBeGreaterThanOrEqual(6)
  expect(count('insert submissions')).toBeLessThanOrEqual(10)
  expect(count('insert idempotency')).toBe(count('insert submissions'))
  expect(count('savepoint')).toBeLessThanOrEqual(6)
})

test('submissions that come together with the same key are one, and leave the others as they are', async () => {
  const keys = Array.from({ length: 24 }, (_, index) => `together-${index % 20}`)
  const ids = await Promise.all(keys.map((key) => submit(key)))
  expect(new Set(ids).size).toBe(20)
  expect(ids.slice(20)).toEqual(ids.slice(0, 4))
})

test('the four steps of an execution take these writes and commits, and no more', async () => {
  const database = await openTestDatabase('sqlite')
  const bus = await openBus('embedded')
  const objects = await openObjectStore(`file:${temporaryFolder()}`)
  const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
  const runner: Runner = startRunner({
    ...{ database, bus, objects, log, pool: scriptedPool(), clock: systemClock, owner: newId() },
  })
  await untilCompleted(database)
  const ran = await statementsDuring(() => untilCompleted(database))
  await runner.drain(1_000)
  await bus.close()
  await database.close()
  const sown = ran.indexOf('commit') + 1
  // Between the two first steps, which one job makes, nothing is committed.
  expect(ran.slice(sown).filter((statement) => writes.test(statement))).toEqual([
    ...['begin', 'update steps', 'update executions', 'insert events', 'commit'],
    ...['begin', 'update steps', 'update steps', 'update steps', 'update executions', 'insert events', 'commit'],
    ...['begin', 'update steps', 'insert artifacts', 'update steps', 'update executions', 'insert events', 'commit'],
    ...['begin', 'update steps', 'insert artifacts', 'update steps', 'update executions'],
    ...['insert events', 'insert audit_records', 'commit'],
  ])
})

/** Sows an execution and waits for its end without asking the database. */
async function untilCompleted(database: Database): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onEventsCommitted((events) => {
    if (events.some(({ type }) => type === 'completed')) resolve()
  })
  await seedExecution(database)
  await promise
  stop()
}
