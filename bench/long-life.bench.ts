/**
 * Whether a PostgreSQL store stays as large as what it keeps: removal against VACUUM, month after month.
 *
 * Method: this many submissions, each with an execution of four steps, two artifacts, twelve events, three audit records and an
 * answer, spread over 90 days. Then time advances ten days per round: another connection inserts a ninth as many, the remover
 * removes what is older than 90 days with its own transactions and pauses, and a writer records something small every 5 ms beside
 * both. Autovacuum has the server's own settings, except that it looks every second instead of every minute, because ten days
 * pass in minutes here. Sizes are those of the tables with their indexes.
 * Run: bun bench/long-life.bench.ts [submissions] [rounds]
 */
import { sql } from 'drizzle-orm'
import { newId } from '../src/core/ids.ts'
import { addMs, parseInstant } from '../src/core/instant.ts'
import { createLog } from '../src/core/log.ts'
import type { Database } from '../src/db/database.ts'
import { startRemover } from '../src/modules/retention/retention.remover.service.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { percentile, show } from './figures.ts'
import { startWriter } from './small-writer.ts'

const LIVE = Number(process.argv[2] ?? 90_000)
const ROUNDS = Number(process.argv[3] ?? 6)
const DAY = 86_400_000
const KEPT_DAYS = 90
const ROUND_DAYS = 10
const perDay = Math.round(LIVE / KEPT_DAYS)
const start = parseInstant('2026-01-01T00:00:00Z')!
const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })

/** Tables whose rows are removed, and those that grow with each removal. */
const kept = ['submissions', 'executions', 'steps', 'artifacts', 'events', 'idempotency'] as const
const growing = ['audit_records', 'erasures', 'erased_items'] as const

/** Inserts submissions `from` to `to`, each with a time of its own. */
async function insert(database: Database, from: number, to: number): Promise<void> {
  const id = (kind: string, n = 'n') => `'0198c3d2-7a10-7c00-8${kind}-' || lpad(to_hex(${n}), 12, '0')`
  const hash = `lpad(to_hex(n), 64, '0')`
  const at = `to_char(timestamp '2026-01-01' + n * interval '${DAY / perDay} milliseconds', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '000Z'`
  const long = `'"' || repeat(md5(n::text), 60) || '"'`
  const [submission, execution] = [id('001'), id('002')]
  const of = `${submission}, ${at}`
  const selects = [
    `submissions (id, correlation_id, created_at, object_reference, model_slug, object_time, raw_input, raw_input_hash, submitted_by)
     select ${submission}, ${of}, 'O-' || n, 'policy', ${at}, ${long}, ${hash}, 'bench' from numbers`,
    `executions (id, correlation_id, created_at, submission_id, node_label, node_address, release_id, release_hash, processing_kind,
       status, input_hash, raw_input_hash, output, output_hash, submitted_by, updated_at, completed_at)
     select ${execution}, ${of}, ${submission}, 'Letter', 'a:b', 'release', ${hash}, 'document_generation',
       'completed', ${hash}, ${hash}, ${long}, ${hash}, 'bench', ${at}, ${at} from numbers`,
    `steps (id, execution_id, position, name, status, attempt, state_version, available_at)
     select ${id('003', 'n * 4 + p')}, ${execution}, p, (array['validate','transform.declarative','compose','render'])[p + 1],
       'succeeded', 1, 2, ${at} from numbers, generate_series(0, 3) as positions(p)`,
    `artifacts (id, execution_id, submission_id, kind, byte_size, content_hash, object_reference, model_slug, node_label, node_address, created_at)
     select ${id('004', 'n * 2 + k')}, ${execution}, ${submission}, (array['docx','pdf'])[k + 1], 9, md5('x' || n * 2 + k) || md5('y' || n * 2 + k),
       'O-' || n, 'policy', 'Letter', 'a:b', ${at} from numbers, generate_series(0, 1) as kinds(k)`,
    `events (id, correlation_id, created_at, aggregate, aggregate_id, sequence, type, data, published_at)
     select ${id('005', 'n * 16 + s')}, ${of}, 'execution', ${execution}, s, 'progress', '{"long":"x"}', ${at}
     from numbers, generate_series(1, 12) as sequences(s)`,
    `idempotency (actor_id, key, request_hash, status, body, created_at)
     select 'bench', ${id('006')}, ${hash}, 202, '{"id":' || ${long} || '}', ${at} from numbers`,
    `audit_records (id, actor_id, action, resource_kind, resource_id, correlation_id, at, detail)
     select ${id('007', 'n * 4 + r')}, 'bench', (array['submission.created','execution.created','execution.completed'])[r + 1],
       (array['submission','execution','execution'])[r + 1], case r when 0 then ${submission} else ${execution} end, ${of}, '{}'
     from numbers, generate_series(0, 2) as records(r)`,
  ]
  for (let n = from; n < to; n += 500) {
    const numbers = `(select generate_series(${n}::bigint, ${Math.min(n + 500, to) - 1}::bigint) as n) as numbers`
    await database.write(async (tx) => {
      for (const select of selects)
        await tx.rows(sql.raw(`insert into ${select.replace('from numbers', `from ${numbers}`)}`))
    })
  }
}

async function megabytes(database: Database, tables: readonly string[]) {
  const names = sql.raw(tables.map((name) => `'${name}'`).join(', '))
  const [row] = await database.read.rows<{ bytes: string; dead: string }>(
    sql`select sum(pg_total_relation_size(relid)) as bytes, sum(n_dead_tup) as dead from pg_stat_user_tables where relname in (${names})`,
  )
  return { megabytes: Math.round(Number(row!.bytes) / 1e6), dead: Number(row!.dead) }
}

async function vacuumed(database: Database): Promise<number> {
  const [row] = await database.read.rows<{ times: string }>(
    sql`select sum(autovacuum_count) as times from pg_stat_user_tables`,
  )
  return Number(row!.times)
}

const database = await openTestDatabase('postgres')
await database.read.rows(sql.raw(`alter system set autovacuum_naptime = '1s'`))
await database.read.rows(sql.raw('select pg_reload_conf()'))
await insert(database, 0, LIVE)
await database.read.rows(sql.raw('analyze'))
const rule = { id: newId(), number: 1, policies: [{ keep_days: KEPT_DAYS }] }
await database.write((tx) =>
  tx.q.insert(tx.t.retention).values({ ...rule, setBy: newId(), correlationId: 'bench', setAt: start }),
)
const before = await megabytes(database, kept)
console.log(
  `${LIVE} submissions: ${before.megabytes} MB in ${kept.join(', ')}; ${(await megabytes(database, growing)).megabytes} MB of trail`,
)

for (let round = 1; round <= ROUNDS; round++) {
  const added = perDay * ROUND_DAYS
  const from = LIVE + (round - 1) * added
  const clock = { now: () => addMs(start, (KEPT_DAYS + round * ROUND_DAYS) * DAY) }
  const writer = startWriter(database)
  const vacuums = await vacuumed(database)
  const at = performance.now()
  const remover = startRemover({
    ...{ database, objects: { get: async () => undefined }, clock, log, isLeader: async () => true },
  })
  await Promise.all([insert(database, from, from + added), remover.round()])
  const seconds = (performance.now() - at) / 1_000
  await remover.stop()
  const waits = await writer.stop()
  const [{ megabytes: size, dead }, told] = [await megabytes(database, kept), await megabytes(database, growing)]
  const [left] = await database.read.rows<{ count: string }>(sql`select count(*) as count from submissions`)
  console.log(
    `round ${round}: ${added} came, ${LIVE + added - Number(left!.count)} went in ${show(seconds)} s; ${size} MB (${show(size / before.megabytes)} ×), ${dead} dead rows, ` +
      `${(await vacuumed(database)) - vacuums} vacuums; ${told.megabytes} MB of trail and tombstones; a writer waits ${show(percentile(waits, 50))} ms, 99 % ${show(percentile(waits, 99))}`,
  )
}
await database.close()
await cleanUp()
