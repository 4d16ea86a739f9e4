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

async function submit(): Promise<void> {
  const [scenario] = demo.scenarios
  const { status } = await app.send({
    method: 'POST',
    path: '/api/v1/submissions',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body: {
      ingestion_model: demo.ingestionModel.slug,
      raw_input: scenario?.raw_input,
      metadata: scenario?.metadata,
    },
  })
  expect(status).toBe(202)
}

test('a submission takes these statements and one commit, and no more', async () => {
  expect(await statementsDuring(submit)).toEqual([
    'select sessions',
    'begin',
    'select idempotency',
    'select families',
    'insert submissions',
    'insert audit_records',
    'insert executions',
    'insert steps',
    'insert events',
    'insert idempotency',
    'commit',
  ])
})

test('submissions that come together share commits', async () => {
  const ran = await statementsDuring(() => Promise.all(Array.from({ length: 48 }, submit)))
  expect(ran.filter((statement) => statement === 'insert submissions')).toHaveLength(48)
  // One, unless the machine holds this process up in between.
  expect(ran.filter((statement) => statement === 'commit').length).toBeLessThanOrEqual(3)
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
