import { eq, sql } from 'drizzle-orm'
import type { Instant } from '../core/instant.ts'
import type { Connection } from '../db/database.ts'

/** What a PostgreSQL is set to, as far as a store rests on it. */
export type ServerFacts = {
  version: string
  encoding: string
  fsync: string
  commits: string
  /** With their units; `0` for no bound. */
  statements: string
  locks: string
  standby: boolean
  readonly: string
  free: number
  encrypted: boolean | null
}

export async function readServerFacts(connection: Connection): Promise<ServerFacts | undefined> {
  const [facts] = await connection.rows<ServerFacts>(
    sql`select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
          current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
          current_setting('statement_timeout') as statements, current_setting('lock_timeout') as locks,
          pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') as readonly,
          (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - (select count(*) from pg_stat_activity where backend_type = 'client backend'))::int as free,
          (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted`,
  )
  return facts
}

export async function readFileFacts(connection: Connection): Promise<{ version: string; encoding: string }> {
  const [row] = await connection.rows<{ version: string; encoding: string }>(
    sql`select sqlite_version() as version, (select encoding from pragma_encoding) as encoding`,
  )
  return row ?? { version: '', encoding: '' }
}

/** Undefined while there is none. */
export async function newestRecordAt(connection: Connection): Promise<Instant | undefined> {
  const [row] = await connection.rows<{ at: Instant | null }>(
    sql`select max(at) as at from ${connection.t.auditRecords}`,
  )
  return row?.at ?? undefined
}

/** What decides whether an account can sign in by password and set things right; undefined if there is none. */
export async function readAccountFacts(
  connection: Connection,
  username: string,
): Promise<{ disabled: boolean; hasPassword: boolean; isAdministrator: boolean } | undefined> {
  const { users } = connection.t
  const [row] = await connection.q.select().from(users).where(eq(users.username, username))
  if (row === undefined) return undefined
  return {
    disabled: row.disabled,
    hasPassword: row.passwordHash !== '',
    isAdministrator: row.roles.includes('administrator'),
  }
}
