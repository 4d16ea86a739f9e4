import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../src/db/database.ts'
import { filledIn, type Logged, type Planned } from './plan.ts'

class RolledBack extends Error {}

interface Session {
  logger: typeof logger
}

let listening: Logged[] | undefined
/** Stays with each session, as it does with what is prepared in it. */
const logger = {
  logQuery(statement: string, parameters: unknown[]): void {
    listening?.push({ statement, parameters })
  },
}

/** How the database would carry out every statement that `work` sends, writing ones too; what it changes is rolled back. */
export async function plannedIn(database: Database, work: (tx: Transaction) => Promise<unknown>): Promise<Planned[]> {
  const logged: Logged[] = []
  await database
    .write(async (tx) => {
      const { session } = tx.q as unknown as { session: Session }
      session.logger = logger
      listening = logged
      await work(tx).finally(() => {
        listening = undefined
      })
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  const planned: Planned[] = []
  for (const query of logged) {
    if (!/^\s*(?:select|with|update|delete) /i.test(query.statement)) continue
    planned.push({ statement: query.statement, plan: await explain(database, query) })
  }
  return planned
}

/** PostgreSQL would read tables as small as a test's from end to end, and is told not to where it has a choice. */
async function explain(database: Database, query: Logged): Promise<string> {
  return database.snapshot(async ({ dialect, rows }) => {
    if (dialect === 'sqlite') {
      const lines = await rows<{ detail: string }>(sql`explain query plan ${filledIn(query)}`)
      return lines.map(({ detail }) => detail).join('\n')
    }
    await rows(sql`set local enable_seqscan = off`)
    const lines = await rows<{ 'QUERY PLAN': string }>(sql`explain ${filledIn(query)}`)
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  })
}

/** Takes an index away while `work` runs. */
export async function withoutIndex<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  const made =
    database.dialect === 'sqlite'
      ? sql`select sql as text from sqlite_master where type = 'index' and name = ${name}`
      : sql`select indexdef as text from pg_indexes where indexname = ${name}`
  const [row] = await database.read.rows<{ text: string }>(made)
  if (row === undefined) throw new Error(`there is no index ${name}`)
  await database.write((tx) => tx.rows(sql.raw(`drop index "${name}"`)))
  try {
    return await work()
  } finally {
    await database.write((tx) => tx.rows(sql.raw(row.text)))
  }
}
