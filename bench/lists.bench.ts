/**
 * A page of every list, and all background work, at 1,000 rows and at 1,000,000: the cost must not grow with the table.
 *
 * Method: two databases of one dialect, each table filled by one INSERT (test/support/filled.ts). The whole application answers
 * GET requests in this process, 50 rows a page, each list and filter first without a cursor and then with the first page's
 * cursor; median of 60, alternating between the databases. The rows are laid out unfavourably: what a filter asks for is often
 * rare, and far from the newest. Background work is that of test/support/background-work.ts, each in a transaction that is rolled
 * back. Above a million, only tables that grow with each execution have this many rows: submissions, executions, steps,
 * artifacts, events and answers; audit trail and tombstones have a tenth, and all others a thousand.
 * Run: bun bench/lists.bench.ts [sqlite|postgres] [rows] [a folder with two stores that were filled before, `small` and `large`]
 */
import { join } from 'node:path'
import { instantFromEpochMs } from '../src/core/instant.ts'
import { limits } from '../src/core/limits.ts'
import { openDatabase } from '../src/db/connect.ts'
import type { Database } from '../src/db/database.ts'
import { forgetKeysBefore } from '../src/http/idempotency.store.ts'
import { listBefore } from '../src/modules/retention/retention.store.ts'
import { namedHashes } from '../src/modules/storage/storage.reads.ts'
import { goodPassword, startTestApp } from '../test/http/harness.ts'
import { type Work, works } from '../test/support/background-work.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { type Filled, fill, filledId, versionedFamilies } from '../test/support/filled.ts'
import { percentile, show } from './figures.ts'

const dialect = process.argv[2] === 'postgres' ? 'postgres' : 'sqlite'
const SMALL = 1_000
const LARGE = Number(process.argv[3] ?? 1_000_000)
const KEPT = process.argv[4]
const TURNS = 60
/** The greatest ratio allowed between a page's cost at the large and at the small number of rows. */
const REACH = 1.5

const lists: [name: string, path: string][] = [
  ['users', '/admin/users'],
  ['contracts', '/contracts'],
  ['transforms', '/transforms'],
  ['ingestion models', '/ingestion-models'],
  ['transformers', '/transformers'],
  ['templates', '/templates'],
  ['versions of a transformer', `/transformers/${versionedFamilies.transformer}/versions`],
  ['activations', '/activations'],
  ['activations, kind', '/activations?kind=transformer'],
  ['activations, family', `/activations?family_id=${filledId('families', 3)}`],
  ...['scheduled', 'active', 'superseded', 'cancelled'].map((one): [string, string] => [
    `activations, ${one}`,
    `/activations?status=${one}`,
  ]),
  ...['scheduled', 'active', 'superseded', 'cancelled'].map((one): [string, string] => [
    `activations, kind and ${one}`,
    `/activations?kind=transformer&status=${one}`,
  ]),
  ['activations, family and superseded', `/activations?family_id=${filledId('families', 3)}&status=superseded`],
  ['releases', '/releases'],
  ['submissions', '/submissions'],
  ['submissions, object', '/submissions?object_reference=POL-3'],
  ['executions', '/executions'],
  ['executions, completed', '/executions?status=completed'],
  ['executions, failed', '/executions?status=failed'],
  ['executions, queued', '/executions?status=queued'],
  ['executions, release', `/executions?release_id=${filledId('releases', 3)}`],
  ...['completed', 'failed', 'queued'].map((one): [string, string] => [
    `executions, release and ${one}`,
    `/executions?release_id=${filledId('releases', 3)}&status=${one}`,
  ]),
  ['executions, submission', `/executions?submission_id=${filledId('submissions', 3)}`],
  ['storage', '/storage'],
  ['storage, format', '/storage?format=pdf'],
  ['storage, reference', '/storage?object_reference=POL-3'],
  ['storage, model', '/storage?model_slug=model-3'],
  ['storage, node', '/storage?producing_node_address=model-3:node'],
  ['storage, model and PDF', '/storage?model_slug=model-3&format=pdf'],
  ['storage, model without PDF', '/storage?model_slug=model-2&format=pdf'],
  ['cases', '/cases'],
  ['cases, version', `/cases?contract_version_id=${filledId('versions', 3)}`],
  ['cases, kind', '/cases?kind=valid'],
  ['cases, version and kind', `/cases?contract_version_id=${filledId('versions', 3)}&kind=valid`],
  ['audit', '/audit'],
  ['audit, action', '/audit?action=submission.created'],
  ['audit, resource', `/audit?resource_id=${filledId('submissions', 3)}`],
  ['audit, kind', '/audit?resource_kind=case'],
  ['audit, actor and action', `/audit?actor_id=${filledId('users', 3)}&action=submission.created`],
]

/** Requests other than pages of lists. */
const looks: [name: string, path: string][] = [
  ['search, a reference', '/search?text=POL-3'],
  ['search, an id', `/search?text=${filledId('executions', 3)}`],
  ['operations', '/admin/operations'],
]

type Started = Awaited<ReturnType<typeof filled>>

async function filled(name: string, rows: number) {
  const kept = KEPT === undefined ? {} : { database: await openDatabase(`file:${join(KEPT, name, 'quire.db')}`) }
  const started = await startTestApp(dialect, { checkAnswers: false, ...kept })
  const username = `bench-${Date.now()}`
  await started.addUser(username, ['administrator', 'auditor'])
  const headers = await started.signIn(username, goodPassword)
  let startedAt = performance.now()
  const onFilled = (table: string) => {
    const seconds = (performance.now() - startedAt) / 1000
    if (rows > SMALL) console.error(`${table}: ${rows} rows in ${seconds.toFixed(1)} s`)
    startedAt = performance.now()
  }
  if (KEPT === undefined) await fill(started.database, rows, { others: rows > 1_000_000 ? fewer(rows) : {}, onFilled })
  return { ...started, headers, rows }
}

function fewer(rows: number): Partial<Record<Filled, number>> {
  const few: Filled[] = ['users', 'families', 'versions', 'activations', 'releases', 'cases', 'apiTokens']
  const fewToo: Filled[] = ['webhooks', 'webhookDeliveries', 'batches', 'batchRows', 'erasures']
  const tenth = Math.round(rows / 10)
  return {
    ...Object.fromEntries([...few, ...fewToo].map((name) => [name, SMALL])),
    auditRecords: tenth,
    erasedItems: tenth,
  }
}

async function pageOf({ send, headers }: Started, path: string): Promise<{ count: number; next: string | undefined }> {
  const response = await send({ path: `/api/v1${path}`, headers })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const body = (await response.json()) as Record<string, unknown>
  const [items] = Object.values(body).filter(Array.isArray)
  return { count: items?.length ?? 0, next: body.next_cursor as string | undefined }
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

const [small, large] = [await filled('small', SMALL), await filled('large', LARGE)]
/** Times both alternately, and prints their medians. @param ask returns how long it took, if not all of it counts */
async function compare(name: string, ask: (one: Started) => Promise<unknown>): Promise<void> {
  const times = new Map<Started, number[]>([
    [small, []],
    [large, []],
  ])
  // Three seconds are enough for a slow one.
  const endsAt = performance.now() + 3_000
  for (let turn = 0; turn < TURNS && performance.now() < endsAt; turn++) {
    for (const one of [small, large]) {
      const startedAt = performance.now()
      const ms = await ask(one)
      times.get(one)!.push(typeof ms === 'number' ? ms : performance.now() - startedAt)
    }
  }
  const [few, many] = [small, large].map((one) =>
    percentile(
      times.get(one)!.toSorted((a, b) => a - b),
      50,
    ),
  )
  const ratio = many! / few!
  console.log(
    `${name.padEnd(44)} ${show(few!).padStart(9)} ${show(many!).padStart(9)} ${ratio.toFixed(2).padStart(10)}${ratio > REACH ? `  over ${REACH}` : ''}`,
  )
}

class RolledBack extends Error {}

/** How long the work took, in a transaction that is rolled back. */
async function rolledBack(database: Database, work: Work): Promise<number> {
  let ms = 0
  await database
    .write(async (tx) => {
      const startedAt = performance.now()
      await work(tx)
      ms = performance.now() - startedAt
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return ms
}

/** Finds whole pages where these stores otherwise have little. */
const late = instantFromEpochMs(Date.UTC(2027, 0, 1))
const objects = Array.from({ length: limits.orphanSweepBatch }, (_, n) => n.toString(16).padStart(64, '0'))
const pages: [name: string, indexes: string[], work: Work][] = [
  ['a page of expired keys', [], (tx) => forgetKeysBefore(tx, late)],
  ['a page of the orphan sweep, none named', [], (tx) => namedHashes(tx, objects)],
  [
    'a page of a policy',
    [],
    (tx) => listBefore(tx, { part: undefined, before: late, after: undefined, limit: limits.retentionPageRows }),
  ],
  [
    'a page of a policy for a part',
    [],
    (tx) => listBefore(tx, { part: 'output', before: late, after: undefined, limit: limits.retentionPageRows }),
  ],
]

console.log(
  `${`a page of 50, ms, ${dialect}`.padEnd(44)} ${String(SMALL).padStart(9)} ${String(LARGE).padStart(9)}      ratio`,
)
for (const [name, path] of lists) {
  for (const place of ['first', 'later']) {
    const paths = new Map<Started, string>()
    const counts = new Set<number>()
    for (const one of [small, large]) {
      const first = withQuery(path, 'limit=50')
      const { next } = await pageOf(one, first)
      const asked = place === 'first' || next === undefined ? first : `${first}&cursor=${next}`
      paths.set(one, asked)
      counts.add((await pageOf(one, asked)).count)
    }
    if (counts.size > 1) throw new Error(`${name}: pages of ${[...counts].join(' and ')} can't be compared`)
    await compare(`${name}, ${place}`, (one) => pageOf(one, paths.get(one)!))
  }
}
for (const [name, path] of looks) await compare(name, (one) => pageOf(one, path))
for (const [name, , work] of [...works, ...pages]) await compare(name, (one) => rolledBack(one.database, work))
await small.database.close()
await large.database.close()
await cleanUp()
