/**
 * A page of every list at 1,000 rows and at 1,000,000: what it costs must not grow with the table.
 *
 * Method: two libSQL files, each filled by one recursive INSERT a table; the whole application answers GET requests in
 * this process, 50 rows a page, each list and filter first without a cursor and then with one from the middle; median of
 * 60, the two files in turn. Filters name values that a tenth of the rows have or more; the last group names rare ones.
 * Run: bun bench/lists.bench.ts [rows]
 */
import { sql } from 'drizzle-orm'
import { goodPassword, startTestApp } from '../test/http/harness.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { percentile, show } from './figures.ts'

const SMALL = 1_000
const LARGE = Number(process.argv[2] ?? 1_000_000)
const TURNS = 60

/** The n-th id of a table; ids of different tables differ in their fourth group. */
const id = (table: number, n = 'n') => `printf('0198c3d2-7a10-7c00-8${String(table).padStart(3, '0')}-%012x', ${n})`
const idOf = (table: number, n: number) =>
  `0198c3d2-7a10-7c00-8${String(table).padStart(3, '0')}-${n.toString(16).padStart(12, '0')}`
const hash = `printf('%064x', n)`
/** All within the month before the test clock, so that the storage window holds them. */
const time = (rows: number) =>
  `strftime('%Y-%m-%dT%H:%M:%S', 1793664000 + n * 1500000 / ${rows}, 'unixepoch') || '.' || printf('%09d', n)  || 'Z'`

function fillings(rows: number): Record<string, string> {
  const at = time(rows)
  const old = `'2026-01-01T00:00:00.000000000Z'`
  return {
    users: `select ${id(1)}, 'user' || n, 'User', '["operator"]', 'x', 0, 0, ${at}, ${at}`,
    families: `select ${id(2)}, case n % 4 when 0 then 'contract' when 1 then 'ingestion_model' when 2 then 'transformer' else 'template' end,
      'slug-' || n, 'Name ' || n, '', 0, null, null, null, null, case n when 4 then ${rows} when 6 then ${rows} else 0 end, ${id(1)}, ${at}, ${at}`,
    versions: `select ${id(3)}, case n % 2 when 0 then '${idOf(2, 4)}' else '${idOf(2, 6)}' end, case n % 2 when 0 then 'contract' else 'transformer' end,
      n, ${hash}, 1, 'published', '{}', 'json', null, 2, null, ${id(1)}, ${at}, ${at}, null`,
    activations: `select ${id(4)}, case n % 3 when 0 then 'template' when 1 then 'transformer' else 'ingestion_model' end,
      ${id(2, 'n % 10')}, 'slug-' || (n % 10), ${id(3)}, 1, ${hash},
      case when n > ${rows} * 0.9 then '2027' || substr(${at}, 5) else ${at} end, ${id(1)}, 'c', ${at},
      case n % 10 when 0 then ${at} end, case n % 10 when 0 then 'mistake' end`,
    releases: `select ${id(5)}, 'Release ' || n, ${hash}, 'transformation', ${id(3)}, ${id(3)}, null, ${id(3)} || n, ${id(1)}, ${at}`,
    submissions: `select ${id(6)}, 'model', ${id(3)}, 'POL-' || (n % 10), ${at}, '{}', ${hash}, 'null', ${id(1)}, 'c', ${at}`,
    executions: `select ${id(7)}, ${id(6)}, ${id(8)}, 'Node', 'model:node', null, ${id(5, 'n % 10')}, ${hash}, 'transformation',
      case n % 3 when 0 then 'completed' when 1 then 'failed' else 'queued' end, ${hash}, ${hash}, null, null, ${id(1)}, 'c', ${at}, ${at}, null`,
    steps: `select ${id(9)}, ${id(7)}, 1, 'validate', 'succeeded', 1, 2, null, null, ${old}, ${old}, ${old}, 1, null, null`,
    artifacts: `select ${id(10)}, ${id(7)}, ${id(6)}, case n % 2 when 0 then 'docx' else 'pdf' end, 10, ${hash}, 'POL-' || (n % 10),
      'model-' || (n % 10), 'Node', 'model:node-' || (n % 10), ${at}`,
    cases: `select ${id(11)}, ${id(2)}, ${id(3, 'n % 10')}, 1, ${hash}, case n % 3 when 0 then 'valid' when 1 then 'boundary' else 'invalid' end,
      n, 'external-generator', null, null, '{}', ${hash}, 'c', ${id(1)}, ${at}`,
    audit_records: `select ${id(12)}, ${id(1, 'n % 10')}, case n % 10 when 0 then 'case.generated' else 'submission.created' end,
      case n % 10 when 0 then 'case' else 'submission' end, ${id(6, 'n % 100')}, 'c', ${at}, '{}', null, null, null`,
  }
}

const lists: [name: string, path: string][] = [
  ['users', '/admin/users'],
  ['contracts', '/contracts'],
  ['transforms', '/transforms'],
  ['ingestion models', '/ingestion-models'],
  ['transformers', '/transformers'],
  ['templates', '/templates'],
  ['versions of a transformer', `/transformers/${idOf(2, 6)}/versions`],
  ['activations', '/activations'],
  ['activations, kind', '/activations?kind=transformer'],
  ['activations, family', `/activations?family_id=${idOf(2, 7)}`],
  ...['scheduled', 'active', 'superseded', 'cancelled'].map((one): [string, string] => [
    `activations, ${one}`,
    `/activations?status=${one}`,
  ]),
  ['releases', '/releases'],
  ['submissions', '/submissions'],
  ['executions', '/executions'],
  ['executions, status', '/executions?status=completed'],
  ['executions, release', `/executions?release_id=${idOf(5, 3)}`],
  ['executions, release and status', `/executions?release_id=${idOf(5, 3)}&status=completed`],
  ['storage', '/storage'],
  ['storage, format', '/storage?format=pdf'],
  ['storage, reference', '/storage?object_reference=POL-3'],
  ['storage, model', '/storage?model_slug=model-3'],
  ['storage, node', '/storage?producing_node_address=model:node-3'],
  ['cases', '/cases'],
  ['cases, version', `/cases?contract_version_id=${idOf(3, 3)}`],
  ['cases, kind', '/cases?kind=valid'],
  ['cases, version and kind', `/cases?contract_version_id=${idOf(3, 3)}&kind=valid`],
  ['audit', '/audit'],
  ['audit, action', '/audit?action=submission.created'],
  ['audit, actor and action', `/audit?actor_id=${idOf(1, 3)}&action=submission.created`],
]

type Started = Awaited<ReturnType<typeof filled>>

async function filled(rows: number) {
  const started = await startTestApp('sqlite', { checkAnswers: false })
  await started.addUser('bench', ['administrator', 'auditor'])
  const headers = await started.signIn('bench', goodPassword)
  for (const [table, select] of Object.entries(fillings(rows))) {
    const startedAt = performance.now()
    const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})`
    await started.database.write((tx) =>
      tx.rows(sql.raw(`insert or ignore into ${table} ${numbers} ${select} from numbers`)),
    )
    if (rows > SMALL)
      console.error(`${table}: ${rows} rows in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  return { ...started, headers, rows }
}

async function pageOf({ send, headers }: Started, path: string): Promise<{ count: number; next: string | undefined }> {
  const response = await send({ path: `/api/v1${path}`, headers })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const body = (await response.json()) as Record<string, unknown>
  const [items] = Object.values(body).filter(Array.isArray)
  return { count: items!.length, next: body.next_cursor as string | undefined }
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

const [small, large] = [await filled(SMALL), await filled(LARGE)]
console.log(`${'a page of 50, ms'.padEnd(34)} ${String(SMALL).padStart(9)} ${String(LARGE).padStart(9)}      ratio`)
for (const [name, path] of lists) {
  for (const place of ['first', 'later']) {
    const paths = new Map<Started, string>()
    for (const one of [small, large]) {
      const first = withQuery(path, 'limit=50')
      const { next, count } = await pageOf(one, first)
      if (count === 0) throw new Error(`${name} is empty at ${one.rows} rows`)
      paths.set(one, place === 'first' || next === undefined ? first : `${first}&cursor=${next}`)
    }
    const times = new Map<Started, number[]>([
      [small, []],
      [large, []],
    ])
    // Lists whose pages take long have said enough after three seconds.
    const endsAt = performance.now() + 3_000
    for (let turn = 0; turn < TURNS && performance.now() < endsAt; turn++) {
      for (const one of [small, large]) {
        const startedAt = performance.now()
        await pageOf(one, paths.get(one)!)
        times.get(one)!.push(performance.now() - startedAt)
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
      `${`${name}, ${place}`.padEnd(34)} ${show(few!).padStart(9)} ${show(many!).padStart(9)} ${ratio.toFixed(2).padStart(10)}${ratio > 1.5 ? '  over 1.5' : ''}`,
    )
  }
}
await small.database.close()
await large.database.close()
await cleanUp()
