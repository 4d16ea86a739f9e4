import { sql } from 'drizzle-orm'
import type { Connection } from './database.ts'

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
