import { eq } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import type { Database } from './database.ts'

/**
 * Resolves if the database accepts a commit and reads pages that the commit changed; rejects otherwise. A statement that touches
 * no page would succeed even on a full, read-only or missing disk. Each probe uses and deletes a row of its own, so a process
 * that is stopped in the middle of one blocks no other instance.
 */
export async function probeDatabase(database: Database): Promise<void> {
  const name = `probe-${newId()}`
  await database.write(async (tx) => {
    const { leases } = tx.t
    await tx.q.insert(leases).values({ name, owner: 'readiness', expiresAt: tx.clock })
    await tx.q.delete(leases).where(eq(leases.name, name))
  })
  const { leases } = database.read.t
  await database.read.q.select({ owner: leases.owner }).from(leases).where(eq(leases.name, name))
}
