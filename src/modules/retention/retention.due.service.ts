import { sha256Hex } from '../../core/hash.ts'
import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import type { PagePlace } from '../../db/keyset.ts'
import type { RetentionPolicy } from '../../db/schema.ts'
import { listHoldsOn } from '../holds/holds.reads.ts'
import { policyOf } from '../policies/policies.reads.ts'
import { listBefore, listReferences } from './retention.store.ts'

const dayMs = 86_400_000

/** Up to when submissions are due under a policy. */
export function dueBefore({ keep_days: days }: RetentionPolicy, now: Instant): Instant {
  return addMs(now, -days * dayMs)
}

export interface DuePage {
  /** Of the policy's models. */
  ids: string[]
  /** The last row that was looked at; the next page begins after it. */
  last: PagePlace
}

/**
 * What is due under one policy of a set, oldest first, a page of the index at a time: pages also pass over the submissions
 * of other models.
 */
export async function* duePages(
  connection: Connection,
  policies: readonly RetentionPolicy[],
  { policy, before, after }: { policy: RetentionPolicy; before: Instant; after: PagePlace | undefined },
): AsyncGenerator<DuePage> {
  for (let place = after; ; ) {
    const rows = await listBefore(connection, { before, after: place, limit: limits.retentionPageRows })
    const end = rows.at(-1)
    if (end === undefined) return
    place = { createdAt: end.createdAt, id: end.id }
    const ids = rows.filter(({ modelSlug }) => policyOf(policies, modelSlug) === policy).map(({ id }) => id)
    yield { ids, last: place }
    // The embedded driver never yields by itself.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export interface Sorted {
  removable: string[]
  /** Under a legal hold. */
  held: string[]
  /** With an execution that has not ended. */
  atWork: string[]
}

/** Which of some submissions may go now. */
export async function sortDue(connection: Connection, ids: readonly string[]): Promise<Sorted> {
  const sorted: Sorted = { removable: [], held: [], atWork: [] }
  if (ids.length === 0) return sorted
  const rows = await listReferences(connection, ids)
  const holds = await listHoldsOn(connection, {
    objects: rows.map(({ objectReference }) => objectReference),
    models: [...new Set(rows.map(({ modelSlug }) => modelSlug))],
  })
  const hashes = new Set(holds.map(({ objectReferenceHash }) => objectReferenceHash))
  const heldModels = new Set(holds.map(({ modelSlug }) => modelSlug))
  for (const { id, objectReference, modelSlug, isAtWork } of rows) {
    if (hashes.has(sha256Hex(objectReference)) || heldModels.has(modelSlug)) sorted.held.push(id)
    else if (isAtWork) sorted.atWork.push(id)
    else sorted.removable.push(id)
  }
  return sorted
}
