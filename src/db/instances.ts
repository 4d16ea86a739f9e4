import { sql } from 'drizzle-orm'
import type { Connection } from './database.ts'
import { hasTable } from './live-schema.ts'

const prefix = 'instance/'

/** The lease by which an instance tells that it runs, and its version. */
export function presenceOf(version: string, owner: string): string {
  return `${prefix}${version}/${owner}`
}

/** Leases of presence by name, for SQL's `like`. */
export const presences = `${prefix}%`

export interface RunningInstance {
  version: string
  owner: string
}

/** The instances that share the database and have said so lately, by version. */
export async function runningInstances(connection: Connection): Promise<RunningInstance[]> {
  const { leases } = connection.t
  const rows = await connection.q
    .select({ name: leases.name, owner: leases.owner })
    .from(leases)
    .where(sql`${leases.name} like ${presences} and ${leases.expiresAt} >= ${connection.clock}`)
    .orderBy(leases.name)
  return rows.map(({ name, owner }) => ({ version: name.split('/')[1] ?? '', owner }))
}

/** Ends the sentence of a refusal: how many instances run, which versions they have, and what to do. */
export function instancesInWords(running: readonly RunningInstance[]): string {
  const versions = running.map(({ version }) => version).join(', ')
  return `${running.length} ${running.length === 1 ? 'uses' : 'use'} this database (version ${versions}); stop all of them first, one that was killed counts for a minute`
}

/** For what nobody else may see or write meanwhile. @throws when an instance runs on the database of a server */
export async function requireNoInstance(connection: Connection, what: string): Promise<void> {
  const running = (await hasTable(connection, 'leases')) ? await runningInstances(connection) : []
  if (running.length > 0)
    throw new Error(`${what} is not for a database that is served, and ${instancesInWords(running)}`)
}
