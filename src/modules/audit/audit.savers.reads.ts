import { and, eq, sql } from 'drizzle-orm'
import type { FamilyKind } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'

export interface Saved {
  kind: FamilyKind
  familyId: string
  /** Revisions after this one, up to and including the other. */
  after: number
  upTo: number
}

/**
 * Who saved these revisions of a family's draft, according to the audit trail. If no save covers the first revision, the record
 * of the family's creation does: the older surface and uploads create both at once.
 */
export async function listSavers(connection: Connection, { kind, familyId, after, upTo }: Saved): Promise<Set<string>> {
  const { auditRecords: a } = connection.t
  const [created, saved] = [`${kind}.created`, `${kind}.draft_saved`]
  const savers = new Set<string>()
  let maker: string | undefined
  let isFirstSaved = false
  let last: PagePlace | undefined
  for (;;) {
    const rows = await connection.q
      .select({ id: a.id, at: a.at, action: a.action, actorId: a.actorId, detail: a.detail })
      .from(a)
      .where(
        and(
          eq(a.resourceId, familyId),
          // An expression, or SQLite might choose the index on actions and read those of all families.
          sql`(${a.action} || '') in (${created}, ${saved})`,
          last && olderThan(a.at, a.id, last),
        ),
      )
      .orderBy(...newestFirst(a.at, a.id))
      .limit(limits.tablePageRows)
    let isPast = true
    for (const { action, actorId, detail } of rows) {
      if (action === created) {
        maker = actorId
        continue
      }
      // The older surface uses another name.
      const revision = Number(detail.revision ?? detail.draft_revision)
      if (revision > after) isPast = false
      if (revision > after && revision <= upTo) savers.add(actorId)
      if (revision === 1) isFirstSaved = true
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tablePageRows || (isPast && after > 0)) break
    last = { createdAt: end.at, id: end.id }
  }
  if (maker !== undefined && !isFirstSaved && after < 1 && upTo >= 1) savers.add(maker)
  return savers
}
