import { isNull } from 'drizzle-orm'
import type { Connection } from './database.ts'

/** Whether any artifact names an object: one whose bytes no policy has removed. */
export async function namesObjects(connection: Connection): Promise<boolean> {
  const { artifacts } = connection.t
  const rows = await connection.q
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(isNull(artifacts.removedAt))
    .limit(1)
  return rows.length > 0
}
