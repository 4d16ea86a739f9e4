import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { Database, Dialect } from '../../src/db/database.ts'

/**
 * Tables with any number of rows each, from a thousand on, made by the database itself: for what lists cost, and how they
 * are read. Ids say their table and number, so that whoever asks knows them. The rows are laid out against the reader:
 * what a filter asks for is rare and far from the newest, but two pages of it are there at every number of rows.
 */
const tableNumbers = {
  users: 1,
  families: 2,
  versions: 3,
  activations: 4,
  releases: 5,
  submissions: 6,
  executions: 7,
  steps: 9,
  artifacts: 10,
  cases: 11,
  auditRecords: 12,
  apiTokens: 13,
  webhooks: 14,
  webhookDeliveries: 15,
  batches: 16,
  batchRows: 17,
  events: 18,
  erasures: 19,
  erasedItems: 20,
  idempotency: 21,
} as const
export type Filled = keyof typeof tableNumbers

/** The id of row `n` of a table. */
export function filledId(table: Filled, n: number): string {
  return idPrefix(table) + n.toString(16).padStart(12, '0')
}

/** Of each kind, the one family that has versions. */
export const versionedFamilies = {
  contract: filledId('families', 4),
  ingestion_model: filledId('families', 5),
  transformer: filledId('families', 6),
  template: filledId('families', 7),
} as const

function idPrefix(table: Filled): string {
  return `0198c3d2-7a10-7c00-8${String(tableNumbers[table]).padStart(3, '0')}-`
}

/** How each dialect writes numbers as text. */
const writers = {
  sqlite: {
    hex: (n: string, width: number) => `printf('%0${width}x', ${n})`,
    digits: (n: string, width: number) => `printf('%0${width}d', ${n})`,
    second: (epoch: string) => `strftime('%Y-%m-%dT%H:%M:%S', ${epoch}, 'unixepoch')`,
    series: (from: number, to: number) =>
      `(with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to}) select n from numbers) as numbers`,
    no: '0',
    yes: '1',
  },
  postgres: {
    hex: (n: string, width: number) => `lpad(to_hex(${n}), ${width}, '0')`,
    digits: (n: string, width: number) => `lpad((${n})::text, ${width}, '0')`,
    second: (epoch: string) => `to_char(to_timestamp(${epoch}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`,
    series: (from: number, to: number) => `generate_series(${from}::bigint, ${to}::bigint) as numbers(n)`,
    no: 'false',
    yes: 'true',
  },
} satisfies Record<Dialect, unknown>

/** For each table its columns as SQL over `n`; columns that aren't named are null. */
function fillings(dialect: Dialect, rows: number): Record<Filled, Record<string, string>> {
  const { hex, digits, second, no, yes } = writers[dialect]
  const id = (table: Filled, n = 'n') => `'${idPrefix(table)}' || ${hex(n, 12)}`
  // Spread as hashes are: an index of them is read and written everywhere.
  const hash = `${hex('(n * 2654435761) % 4294967296', 8)} || ${hex('n', 56)}`
  // All within the weeks before the test clock, so that the storage window holds them.
  const at = `${second(`1793664000 + n * 1500000 / ${rows}`)} || '.' || ${digits('n', 9)} || 'Z'`
  const old = `'2026-01-01T00:00:00.000000000Z'`
  const by = id('users', '1')
  const kinds = `when 0 then 'contract' when 1 then 'ingestion_model' when 2 then 'transformer' else 'template'`
  const kindOf = (n: string) => `case ${n} % 4 ${kinds} end`
  const future = `n > ${rows} * 6 / 10`
  return {
    users: {
      id: id('users'),
      username: `'user' || n`,
      displayName: `'User'`,
      roles: `'["operator"]'`,
      passwordHash: `'x'`,
      mustChangePassword: no,
      disabled: no,
      createdAt: at,
      updatedAt: at,
    },
    apiTokens: {
      id: id('apiTokens'),
      tokenHash: hash,
      userId: `case when n < 20 then ${id('users', '3')} else ${id('users')} end`,
      name: `'Token ' || n`,
      scopes: `'["submission_read"]'`,
      createdBy: by,
      createdAt: at,
      expiresAt: at,
    },
    webhooks: {
      id: id('webhooks'),
      name: `'Webhook ' || n`,
      url: `'https://hooks.example.test/'`,
      status: `'paused'`,
      secret: `'x'`,
      failures: '0',
      createdBy: by,
      createdAt: at,
      updatedAt: at,
    },
    // Nearly all of one receiver, and taken; what waits is old.
    webhookDeliveries: {
      id: id('webhookDeliveries'),
      webhookId: id('webhooks', `(case when n % 10 = 0 then n else 3 end)`),
      eventId: id('webhookDeliveries'),
      aggregate: `'execution'`,
      aggregateId: id('executions'),
      sequence: '1',
      type: `'completed'`,
      status: `case when n < 20 then 'pending' when n < 40 then 'failed' else 'delivered' end`,
      attempts: '0',
      dueAt: at,
      createdAt: at,
    },
    families: {
      id: id('families'),
      kind: kindOf('n'),
      slug: `'slug-' || n`,
      name: `'Name ' || n`,
      description: `''`,
      draftRevision: '0',
      latestNumber: `case when n between 4 and 7 then ${rows} else 0 end`,
      createdBy: by,
      createdAt: at,
      updatedAt: at,
    },
    versions: {
      id: id('versions'),
      familyId: id('families', '(4 + n % 4)'),
      kind: kindOf('n'),
      number: 'n',
      contentHash: hash,
      sourceRevision: '1',
      status: `'published'`,
      source: `'{}'`,
      format: `'json'`,
      byteSize: '2',
      createdBy: by,
      createdAt: at,
      publishedAt: at,
    },
    // The newest four tenths are scheduled; of each family one is active, and all before it is history.
    activations: {
      id: id('activations'),
      kind: `case n % 2 when 0 then 'transformer' else 'template' end`,
      familyId: id('families', 'n % 4'),
      familySlug: `'slug-' || (n % 4)`,
      versionId: id('versions'),
      version: '1',
      contentHash: hash,
      effectiveFrom: `case when ${future} then '2027' || substr(${at}, 5) else ${at} end`,
      scheduledBy: by,
      correlationId: `'c'`,
      scheduledAt: at,
      status: `case when n % 4 = 0 then 'cancelled' when ${future} then 'scheduled'
        when n > ${rows} * 6 / 10 - 4 then 'active' else 'superseded' end`,
      cancelledAt: `case n % 4 when 0 then ${at} end`,
      cancellationCode: `case n % 4 when 0 then 'mistake' end`,
    },
    releases: {
      id: id('releases'),
      name: `'Release ' || n`,
      releaseHash: hash,
      processingKind: `'transformation'`,
      contractVersionId: id('versions'),
      transformVersionId: id('versions'),
      automaticPin: `${id('versions')} || n`,
      contractChecked: yes,
      createdBy: by,
      createdAt: at,
    },
    submissions: {
      id: id('submissions'),
      modelSlug: `'model'`,
      modelVersionId: id('versions'),
      objectReference: `'POL-' || (n % 4)`,
      objectTime: at,
      rawInput: `'{}'`,
      rawInputHash: hash,
      metadata: `'null'`,
      submittedBy: by,
      correlationId: `'c'`,
      createdAt: at,
    },
    batches: {
      id: id('batches'),
      name: `'May.csv'`,
      modelSlug: `'model-' || (n % 4)`,
      format: `'csv'`,
      contentHash: hash,
      byteSize: '10',
      rows: '1',
      reading: `'{}'`,
      status: `case when n < 20 then 'paused' when n < 40 then 'cancelled' when n > ${rows} - 20 then 'running' else 'completed' end`,
      nextRow: '2',
      nextOffset: '10',
      createdBy: by,
      correlationId: `'c'`,
      createdAt: at,
      updatedAt: at,
    },
    // Nearly all of one batch, and completed; what failed comes first.
    batchRows: {
      batchId: id('batches', `(case when n % 10 = 0 then n else 3 end)`),
      number: 'n',
      line: 'n',
      state: `case when n < 8 then 'waiting' when n < 16 then 'submitted' when n < 24 then 'failed' when n < 32 then 'refused'
        when n < 40 then 'erased' else 'completed' end`,
      submissionId: id('submissions'),
      reopened: '0',
      cause: `case when n between 16 and 31 then '00000000000000' || (case when n < 24 then '03' else '04' end) end`,
      code: `case when n between 16 and 31 then 'contract_violated' end`,
    },
    // Nearly all completed; what failed is old, what is under way is new and of one release.
    executions: {
      id: id('executions'),
      submissionId: id('submissions'),
      nodeLabel: `'Node'`,
      nodeAddress: `'model:node'`,
      releaseId: `case when n > ${rows} - 150 then ${id('releases', '3')} else ${id('releases', 'n % 4')} end`,
      releaseHash: hash,
      processingKind: `'transformation'`,
      status: `case when n <= 430 then 'failed' when n > ${rows} - 150 then 'queued' else 'completed' end`,
      inputHash: hash,
      rawInputHash: hash,
      submittedBy: by,
      correlationId: `'c'`,
      createdAt: at,
      updatedAt: at,
    },
    steps: {
      id: id('steps'),
      executionId: id('executions'),
      position: '1',
      name: `'validate'`,
      status: `'succeeded'`,
      attempt: '1',
      stateVersion: '2',
      availableAt: old,
    },
    artifacts: {
      id: id('artifacts'),
      executionId: id('executions'),
      submissionId: id('submissions'),
      // PDFs are old, and one model makes none.
      kind: `case when n <= 430 and n % 4 <> 2 then 'pdf' else 'docx' end`,
      byteSize: '10',
      contentHash: hash,
      objectReference: `'POL-' || (n % 4)`,
      modelSlug: `'model-' || (n % 4)`,
      nodeLabel: `'Node'`,
      nodeAddress: `'model-' || (n % 4) || ':node'`,
      createdAt: at,
    },
    cases: {
      id: id('cases'),
      contractId: id('families'),
      contractVersionId: id('versions', 'n % 4'),
      contractVersionNumber: '1',
      contractHash: hash,
      kind: `case when n % 3 = 0 then 'invalid' else 'valid' end`,
      seed: 'n',
      provider: `'external-generator'`,
      payload: `'{}'`,
      contentHash: hash,
      correlationId: `'c'`,
      createdBy: by,
      createdAt: at,
    },
    // All sent, but for a few.
    events: {
      id: id('events'),
      aggregate: `'execution'`,
      aggregateId: id('executions'),
      sequence: '1',
      type: `'completed'`,
      data: `'{}'`,
      correlationId: `'c'`,
      createdAt: at,
      publishedAt: `case when n > 20 then ${at} end`,
    },
    erasures: {
      id: id('erasures'),
      objectReferenceHash: `''`,
      rule: `'{"retention":1,"keep_days":30,"part":"output"}'`,
      reason: `'kept for 30 days'`,
      counts: `'{}'`,
      erasedBy: by,
      correlationId: `'c'`,
      erasedAt: at,
      completedAt: `case when n > 20 then ${at} end`,
    },
    // The older half has lost its output.
    erasedItems: {
      erasureId: id('erasures'),
      kind: `case when n % 2 = 0 then 'output' else 'execution_state' end`,
      itemId: `case when n % 2 = 0 then ${id('submissions', 'n / 2')} else ${id('executions', 'n / 2')} end`,
      contentHash: hash,
    },
    idempotency: {
      actorId: by,
      key: `'key-' || n`,
      requestHash: hash,
      status: '202',
      body: `'{}'`,
      createdAt: at,
    },
    // All but the newest are sealed, after what the store had.
    auditRecords: {
      id: id('auditRecords'),
      actorId: id('users', 'n % 4'),
      action: `case n % 3 when 0 then 'case.generated' else 'submission.created' end`,
      resourceKind: `case n % 3 when 0 then 'case' else 'submission' end`,
      resourceId: id('submissions', 'n % 5'),
      correlationId: `'c'`,
      at,
      detail: `'{}'`,
      contentHash: hash,
      position: `case when n <= ${rows} - 20 then n + 1000 end`,
      previousHash: `case when n <= ${rows} - 20 then ${hash} end`,
      hash: `case when n <= ${rows} - 20 then ${hash} end`,
    },
  }
}

/** Rows of one table, as one statement for each million of them. */
interface Filling {
  table: string
  statements: string[]
}

const PIECE = 1_000_000

/** What makes so many rows of each table, beside those it has. @param others how many of tables that go by another number */
function fillingsOf({ dialect, read }: Database, rows: number, others: Partial<Record<Filled, number>> = {}) {
  return (Object.keys(tableNumbers) as Filled[]).map((name): Filling => {
    const count = others[name] ?? rows
    const values = fillings(dialect, count)[name]
    const columns = getTableColumns(read.t[name]) as Record<string, { name: string }>
    const table = getTableName(read.t[name])
    const names = Object.keys(values).map((key) => columns[key]!.name)
    const pieces = Array.from({ length: Math.ceil(count / PIECE) }, (_, piece) => piece * PIECE)
    const statements = pieces.map((after) => {
      const numbers = writers[dialect].series(after + 1, Math.min(after + PIECE, count))
      return `insert into ${table} (${names.join(', ')}) select ${Object.values(values).join(', ')} from ${numbers}`
    })
    return { table, statements }
  })
}

/** Fills every table with so many rows beside those it has, and lets PostgreSQL count them. @param others as `fillingsOf` has it */
export async function fill(
  database: Database,
  rows: number,
  {
    others = {},
    onFilled = () => {},
  }: { others?: Partial<Record<Filled, number>>; onFilled?: (table: string) => void } = {},
) {
  for (const { table, statements } of fillingsOf(database, rows, others)) {
    for (const statement of statements) await database.write((tx) => tx.rows(sql.raw(statement)))
    onFilled(table)
  }
  if (database.dialect === 'postgres') await database.read.rows(sql.raw('analyze'))
}
