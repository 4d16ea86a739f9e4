import { sql } from 'drizzle-orm'
import type { Connection } from './database.ts'
import { hasTable } from './live-schema.ts'

const prefix = 'instance/'

/** Name of the lease by which an instance announces that it runs, and its version. */
export function presenceOf(version: string, owner: string): string {
  return `${prefix}${version}/${owner}`
}

/** Pattern for SQL's `like` that matches these leases. */
export const presences = `${prefix}%`

export interface RunningInstance {
  version: string
  owner: string
}

/** Instances that share the database and have announced themselves lately, by version. */
export async function runningInstances(connection: Connection): Promise<RunningInstance[]> {
  const { leases } = connection.t
  const rows = await connection.q
    .select({ name: leases.name, owner: leases.owner })
    .from(leases)
    .where(sql`${leases.name} like ${presences} and ${leases.expiresAt} >= ${connection.clock}`)
    .orderBy(leases.name)
  return rows.map(({ name, owner }) => ({ version: name.split('/')[1] ?? '', owner }))
}

/** The rest of a refusal: how many instances run, which versions they have, and what to do. */
export function instancesInWords(running: readonly RunningInstance[]): string {
  const versions = running.map(({ version }) => version).join(', ')
  return `${running.length} ${running.length === 1 ? 'uses' : 'use'} this database (version ${versions}); stop all of them first, one that was killed counts for a minute`
}

/** For work that nobody else may observe or disturb. @throws if an instance uses the database of a server */
export async function requireNoInstance(connection: Connection, what: string): Promise<void> {
  const running = (await hasTable(connection, 'leases')) ? await runningInstances(connection) : []
  if (running.length > 0)
    throw new Error(`${what} is not for a database that is served, and ${instancesInWords(running)}`)
}
