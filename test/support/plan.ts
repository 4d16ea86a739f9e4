import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../src/db/database.ts'

export interface Logged {
  statement: string
  parameters: unknown[]
}

/** A statement that was read, and how the database would read it. */
export interface Planned {
  statement: string
  plan: string
}

/**
 * The plans of the ordered queries that `work` reads from a table, as the database tells them, in the order they were
 * asked. PostgreSQL would read tables as small as a test's from end to end: it is told not to wherever it has a choice,
 * so that a plan without the index means that the index can't serve the query.
 */
export async function plansOf(database: Database, table: string, work: () => Promise<unknown>): Promise<string[]> {
  const isOrdered = (statement: string) =>
    new RegExp(`from ["\`]${table}["\`]`).test(statement) && / order by /.test(statement)
  return (await plannedBy(database, work)).filter(({ statement }) => isOrdered(statement)).map(({ plan }) => plan)
}

/** The same of every query that `work` reads. */
export async function plannedBy(database: Database, work: () => Promise<unknown>): Promise<Planned[]> {
  return Promise.all(
    (await queriesOf(database, work)).map(async (query) => ({
      statement: query.statement,
      plan: await explain(database, query),
    })),
  )
}

/**
 * Runs every query that `work` reads once more on PostgreSQL, planned as it plans them by its statistics: how many rows
 * each looked at in vain, at most at one place of its plan, and that plan.
 */
export async function wastedBy(
  database: Database,
  work: () => Promise<unknown>,
): Promise<(Planned & { rows: number })[]> {
  const wasted: (Planned & { rows: number })[] = []
  for (const query of await queriesOf(database, work)) {
    const lines = await database.read.rows<{ 'QUERY PLAN': string }>(sql`explain (analyze) ${filledIn(query)}`)
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
    const counts = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map((match) => Number(match[1]))
    wasted.push({ statement: query.statement, plan, rows: Math.max(0, ...counts) })
  }
  return wasted
}

async function queriesOf(database: Database, work: () => Promise<unknown>): Promise<Logged[]> {
  const logged: Logged[] = []
  const { session } = database.read.q as unknown as { session: { logger: unknown } }
  const { logger } = session
  session.logger = { logQuery: (statement: string, parameters: unknown[]) => logged.push({ statement, parameters }) }
  try {
    await work()
  } finally {
    session.logger = logger
  }
  return logged.filter(({ statement }) => /^\s*(?:select|with) /i.test(statement))
}

async function explain(database: Database, query: Logged): Promise<string> {
  if (database.dialect === 'sqlite') {
    // In a transaction of its own: libSQL leaves an EXPLAIN open, and the reading connection would from then on see
    // the database as it was.
    const rows = await database.write((tx) => tx.rows<{ detail: string }>(sql`explain query plan ${filledIn(query)}`))
    return rows.map(({ detail }) => detail).join('\n')
  }
  return database.write(async (tx) => {
    for (const choice of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
      await tx.rows(sql.raw(`set local enable_${choice} = off`))
    }
    const rows = await tx.rows<{ 'QUERY PLAN': string }>(sql`explain ${filledIn(query)}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

/** The statement with its parameters where they belong; both dialects number or count them from left to right. */
export function filledIn({ statement, parameters }: Logged): SQL {
  const parts = statement.split(/\?|\$\d+/)
  return sql.join(
    parts.flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [sql`${parameters[index - 1]}`, sql.raw(part)])),
  )
}
