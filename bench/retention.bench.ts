/**
 * Removal by retention policies: its longest transaction, and the longest wait of a writer beside it.
 *
 * Method: old submissions, each with an execution of four steps, two artifacts, twelve events, three audit records and an answer.
 * The remover removes first each part of them and then the rest, with its pauses, while a writer records something small every 5
 * ms. The writer first runs alone. Embedded (a temporary file, synchronous=FULL), and PostgreSQL if it is installed.
 * Run: bun bench/retention.bench.ts [submissions]
 */
import { type SQL, sql } from 'drizzle-orm'
import { newId } from '../src/core/ids.ts'
import { addMs, parseInstant } from '../src/core/instant.ts'
import { createLog } from '../src/core/log.ts'
import { insertAuditRecords } from '../src/db/audit-log.ts'
import { writingWhile } from '../src/db/bound.ts'
import type { Database, Dialect } from '../src/db/database.ts'
import type { RetentionPolicy } from '../src/db/schema.ts'
import { startRemover } from '../src/modules/retention/retention.remover.service.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { postgresAvailable } from '../test/support/postgres.ts'
import { percentile, show } from './figures.ts'
import { startWriter } from './small-writer.ts'

const SUBMISSIONS = Number(process.argv[2] ?? 2_000)
const start = parseInstant('2026-01-01T00:00:00Z')!
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

async function fill(database: Database): Promise<void> {
  const long = 'x'.repeat(2_000)
  for (let from = 0; from < SUBMISSIONS; from += 50) {
    await database.write(async (tx) => {
      const { submissions, executions, steps, artifacts, events, idempotency } = tx.t
      for (let index = from; index < from + 50; index++) {
        const [id, execution, at] = [newId(), newId(), addMs(start, index)]
        const common = { correlationId: id, createdAt: at }
        const hash = index.toString(16).padStart(64, '0')
        const model = { objectReference: `O-${index}`, modelSlug: 'policy' }
        await tx.q.insert(submissions).values({
          ...{ ...common, ...model, id, objectTime: at, rawInput: long, rawInputHash: hash, submittedBy: id },
        })
        const node = { nodeLabel: 'Letter', nodeAddress: 'a:b' }
        await tx.q.insert(executions).values({
          ...{ ...common, ...node, id: execution, submissionId: id, releaseId: id, releaseHash: hash },
          ...{ processingKind: 'document_generation', status: 'completed', inputHash: hash, rawInputHash: hash },
          ...{ output: long, outputHash: hash, submittedBy: id, updatedAt: at, completedAt: at },
        })
        for (const [position, name] of (
          ['validate', 'transform.declarative', 'compose', 'render'] as const
        ).entries()) {
          const state = { status: 'succeeded', attempt: 1, stateVersion: 2, availableAt: at } as const
          await tx.q.insert(steps).values({ id: newId(), executionId: execution, position, name, ...state })
        }
        for (const kind of ['docx', 'pdf'] as const) {
          const of = {
            executionId: execution,
            submissionId: id,
            kind,
            byteSize: 9,
            contentHash: newId(),
            createdAt: at,
          }
          await tx.q.insert(artifacts).values({ id: newId(), ...of, ...model, ...node })
        }
        for (let sequence = 1; sequence <= 12; sequence++) {
          const of = { aggregate: 'execution', aggregateId: execution, sequence, type: 'progress', data: { long: 'x' } }
          await tx.q.insert(events).values({ id: newId(), ...common, ...of, publishedAt: at })
        }
        const record = { actorId: id, correlationId: id, at, detail: { object_reference: `O-${index}` } }
        await insertAuditRecords(tx, [
          { ...record, id: newId(), action: 'submission.created', resourceKind: 'submission', resourceId: id },
          { ...record, id: newId(), action: 'execution.created', resourceKind: 'execution', resourceId: execution },
          { ...record, id: newId(), action: 'execution.completed', resourceKind: 'execution', resourceId: execution },
        ])
        const answer = { actorId: id, key: newId(), requestHash: hash, status: 202, body: { id }, createdAt: at }
        await tx.q.insert(idempotency).values(answer)
      }
    })
  }
}

async function measure(dialect: Dialect): Promise<void> {
  const database = await openTestDatabase(dialect)
  await fill(database)
  const alone = startWriter(database)
  await Bun.sleep(3_000)
  const before = await alone.stop()
  for (const [index, [what, policy, left]] of measured.entries()) {
    const own = { id: newId(), number: index + 1, policies: [policy] }
    await database.write((tx) =>
      tx.q.insert(tx.t.retention).values({ ...own, setBy: newId(), correlationId: 'bench', setAt: start }),
    )
    await remove(database, { what: `${dialect}, ${what}`, left, before })
  }
  await database.close()
}

const parts = { raw_input: 1, output: 1, artifacts: 1, events: 1, steps: 1 }
/** What is removed, under which policy, and what must not remain. */
const measured: readonly [what: string, policy: RetentionPolicy, left: SQL][] = [
  ['each part', { keep_days: 400, parts }, sql`select id from submissions where raw_input <> ''`],
  ['the rest', { keep_days: 1 }, sql`select id from submissions`],
]

async function remove(
  database: Database,
  { what, left, before }: { what: string; left: SQL; before: readonly number[] },
): Promise<void> {
  const transactions: number[] = []
  const timed: Database = {
    ...writingWhile(database, () => undefined),
    read: database.read,
    write: (work) =>
      database.write(async (tx) => {
        const at = performance.now()
        const result = await work(tx)
        transactions.push(performance.now() - at)
        return result
      }),
  }
  const clock = { now: () => addMs(start, 10 * 86_400_000) }
  const writer = startWriter(database)
  const at = performance.now()
  const remover = startRemover({
    database: timed,
    objects: { get: async () => undefined },
    clock,
    log,
    isLeader: async () => true,
  })
  await remover.round()
  const seconds = (performance.now() - at) / 1_000
  await remover.stop()
  const waits = await writer.stop()
  transactions.sort((one, other) => one - other)
  if ((await database.read.rows(left)).length > 0) throw new Error('not everything was removed')
  const longest = (values: readonly number[]) => show(Math.max(...values))
  console.log(
    `${what}: ${SUBMISSIONS} submissions in ${show(seconds)} s, ${transactions.length} transactions of ${show(percentile(transactions, 50))} ms at the median, the longest ${longest(transactions)} ms`,
  )
  console.log(
    `  a writer waits ${show(percentile(before, 50))} ms alone (99 % ${show(percentile(before, 99))}, longest ${longest(before)}), and ${show(percentile(waits, 50))} ms beside it (99 % ${show(percentile(waits, 99))}, longest ${longest(waits)})`,
  )
}

await measure('sqlite')
if (postgresAvailable) await measure('postgres')
await cleanUp()
