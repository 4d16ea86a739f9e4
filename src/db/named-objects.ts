import { isNotNull, isNull } from 'drizzle-orm'
import type { Connection } from './database.ts'

/** Whether any row names an object: an artifact whose bytes no policy has removed, or a batch that still has its file. */
export async function namesObjects({ q, t: { artifacts, batches } }: Connection): Promise<boolean> {
  const made = await q.select({ id: artifacts.id }).from(artifacts).where(isNull(artifacts.removedAt)).limit(1)
  if (made.length > 0) return true
  const kept = await q.select({ id: batches.id }).from(batches).where(isNotNull(batches.fileHash)).limit(1)
  return kept.length > 0
}
