/**
 * What PostgreSQL reads for the queue, the outbox and the sealer while it has no statistics of a table: in the first minute of a store
 * that fills fast, and after an upgrade of the server. It guesses then that one row in 200 waits.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { loadChains, markPublished } from '../../src/bus/relay.store.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { countUnsealed, writeSeals } from '../../src/modules/audit/audit.store.ts'
import { hasMarkedEvents } from '../../src/modules/webhooks/webhooks.store.ts'
import { claimReady, hasExpiredStep, hasReadyStep } from '../../src/runner/claim.store.ts'
import { openTestDatabase } from '../support/database.ts'
import { filledIn, type Logged } from '../support/plan.ts'
import { postgresAvailable } from '../support/postgres.ts'

setDefaultTimeout(120_000)

const ROWS = 6_000
/** What a window of the queue and its executions take, and a chain of one event for each of some aggregates. */
const MOST_READ = 200

const at = '2026-11-29T12:00:00.000000000Z'
const fills = [
  `insert into executions (id, submission_id, node_label, node_address, release_id, release_hash, processing_kind, status, input_hash,
      raw_input_hash, submitted_by, correlation_id, created_at, updated_at)
    select 'e' || n, 's' || n, 'Letter', 'm:letter', 'r', 'h', 'document_generation', 'queued', 'h', 'h', 'u', 'c', '${at}', '${at}'
    from generate_series(1, ${ROWS}) as n`,
  // Those that ended lie in front of those that wait.
  ...[
    ['succeeded', 1],
    ['queued', 2],
  ].map(
    ([status, position]) =>
      `insert into steps (id, execution_id, position, name, status, attempt, state_version, available_at)
        select '${status}' || n, 'e' || n, ${position}, 'transform', '${status}', 0, 1, '${at}' from generate_series(1, ${ROWS}) as n`,
  ),
  `insert into events (id, aggregate, aggregate_id, sequence, type, data, correlation_id, created_at)
    select 'v' || n, 'execution', 'e' || n, 1, 'queued', '{}', 'c', '${at}' from generate_series(1, ${ROWS}) as n`,
  `insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail, content_hash, position)
    select 'z' || n, 'u', 'made', 'x', 'c', '${at}', '{}', 'h', n from generate_series(1, ${ROWS}) as n`,
  `insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail, content_hash)
    select 'a' || n, 'u', 'made', 'x', 'c', '${at}', '{}', 'h' from generate_series(1, ${ROWS}) as n`,
]

const seals = Array.from({ length: 8 }, (_, index) => ({
  ...{ id: `a${index + 1}`, contentHash: 'h', digest: null, position: ROWS + index + 1, previousHash: 'p', hash: 'h' },
}))
const ids = Array.from({ length: 8 }, (_, index) => `v${index + 1}`)

const works: [name: string, work: (tx: Transaction) => Promise<unknown>, only?: RegExp][] = [
  ['is a step ready', hasReadyStep],
  ['has a lease run out', hasExpiredStep],
  ['ready steps are claimed', (tx) => claimReady(tx, { owner: 'w', leaseMs: 1_000, limit: 8 })],
  ['is an event there for receivers', hasMarkedEvents],
  // What waits for the broker is read up to a limit, and sorted.
  ['the first of each aggregate is found', (tx) => loadChains(tx, 'broker', 8), /min\(/],
  [
    'events are marked',
    (tx) => markPublished({ write: (work: (tx: Transaction) => unknown) => work(tx) } as never, ids),
  ],
  ['is a record not sealed', (tx) => countUnsealed(tx, 1)],
  ['records are sealed', (tx) => writeSeals(tx, seals)],
]

/** Carries it out statement by statement, with the plan of each; what it changes is rolled back. Gives the most rows that a plan went through at one place. */
async function mostRead(
  database: Database,
  work: (tx: Transaction) => Promise<unknown>,
  only: RegExp,
): Promise<{ rows: number; plan: string }> {
  let most = { rows: -1, plan: '' }
  const logged = await statementsOf(database, work)
  await rolledBack(database, async (tx) => {
    for (const query of logged.filter(({ statement }) => only.test(statement))) {
      if (!/^(?:select|update|insert) /.test(query.statement)) {
        await tx.rows(filledIn(query))
        continue
      }
      const lines = await tx.rows<{ 'QUERY PLAN': string }>(sql`explain (analyze) ${filledIn(query)}`)
      const plan = [query.statement, ...lines.map((line) => line['QUERY PLAN'])].join('\n')
      const found = [...plan.matchAll(/\(actual .*rows=(\d+) loops=(\d+)\)|Rows Removed by Filter: (\d+)/g)]
      const rows = Math.max(...found.map(([, rows, loops, removed]) => Number(removed ?? Number(rows) * Number(loops))))
      if (rows > most.rows) most = { rows, plan }
    }
  })
  return most
}

async function statementsOf(database: Database, work: (tx: Transaction) => Promise<unknown>): Promise<Logged[]> {
  const logged: Logged[] = []
  await rolledBack(database, async (tx) => {
    const { session } = tx.q as unknown as { session: { logger: unknown } }
    session.logger = { logQuery: (statement: string, parameters: unknown[]) => logged.push({ statement, parameters }) }
    await work(tx)
  })
  return logged
}

class RolledBack extends Error {}

async function rolledBack(database: Database, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const writing = database.write(async (tx) => {
    await work(tx)
    throw new RolledBack()
  })
  await writing.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error
  })
}

describe.if(postgresAvailable)('PostgreSQL reads no more than it needs without statistics', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase('postgres')
    await database.write(async (tx) => {
      for (const table of ['executions', 'steps', 'events', 'audit_records']) {
        await tx.rows(sql.raw(`alter table ${table} set (autovacuum_enabled = false)`))
      }
      for (const statement of fills) await tx.rows(sql.raw(statement))
    })
  })
  afterAll(() => database.close())

  for (const [name, work, only = /^/] of works) {
    test(name, () => readLittle(work, only))
  }

  // It doesn't know then that those that wait lie behind all others.
  test('and with them, where half of the rows wait', async () => {
    await database.read.rows(sql`analyze`)
    for (const [, work, only = /^/] of works) await readLittle(work, only)
  })

  async function readLittle(work: (tx: Transaction) => Promise<unknown>, only: RegExp): Promise<void> {
    const { rows, plan } = await mostRead(database, work, only)
    if (rows > MOST_READ) throw new Error(`${rows} rows were read:\n${plan}`)
    expect(plan).not.toBe('')
  }
})
