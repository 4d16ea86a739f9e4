import { sha256Hex } from '../../core/hash.ts'
import { addMs, dayMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { type RetainedPart, retainedParts } from '../../core/retained-parts.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection } from '../../db/database.ts'
import type { PagePlace } from '../../db/keyset.ts'
import type { RetentionPolicy } from '../../db/schema.ts'
import { listUnfit } from '../erasures/erasures.service.ts'
import { listHoldsOn } from '../holds/holds.reads.ts'
import { policyOf } from '../policies/policies.reads.ts'
import { listBefore, listReferences } from './retention.store.ts'

/** What a policy removes after some days: whole submissions, or a part of them. */
export interface Term {
  policy: RetentionPolicy
  part?: RetainedPart
  days: number
}

/** Whole submissions come first, so that no part is removed from one that is due as a whole. */
export function termsOf(policy: RetentionPolicy): Term[] {
  const parts = retainedParts.flatMap((part): Term[] => {
    const days = policy.parts?.[part]
    return days === undefined ? [] : [{ policy, part, days }]
  })
  return [{ policy, days: policy.keep_days }, ...parts]
}

/** Submissions made before this instant are due. */
export function dueBefore({ days }: Pick<Term, 'days'>, now: Instant): Instant {
  return addMs(now, -days * dayMs)
}

export interface DuePage {
  /** Ids of submissions under the policy. */
  ids: string[]
  /** The page's last row; the next page begins after it. */
  last: PagePlace
}

/**
 * What is due under one policy of a set, oldest first, one page of the index at a time. Pages skip submissions of other models.
 */
export async function* duePages(
  connection: Connection,
  policies: readonly RetentionPolicy[],
  {
    term,
    before,
    after,
    turn = othersTurn,
  }: { term: Term; before: Instant; after: PagePlace | undefined; turn?: () => Promise<void> },
): AsyncGenerator<DuePage> {
  const { policy, part } = term
  for (let place = after; ; ) {
    const rows = await listBefore(connection, { part, before, after: place, limit: limits.retentionPageRows })
    const end = rows.at(-1)
    if (end === undefined) return
    place = { createdAt: end.createdAt, id: end.id }
    const ids = rows
      .filter(({ modelSlug, isGone }) => !isGone && policyOf(policies, modelSlug) === policy)
      .map(({ id }) => id)
    yield { ids, last: place }
    // The embedded driver never yields by itself.
    await turn()
  }
}

export interface Sorted {
  removable: string[]
  /** Under a legal hold. */
  held: string[]
  /** With an execution that has not ended or, for the part `events`, with an event that not every receiver has been sent. */
  atWork: string[]
}

/** Which of some submissions may be removed now, or lose a part that they still have. */
export async function sortDue(connection: Connection, ids: readonly string[], part?: RetainedPart): Promise<Sorted> {
  const sorted: Sorted = { removable: [], held: [], atWork: [] }
  if (ids.length === 0) return sorted
  const rows = await listReferences(connection, ids)
  const holds = await listHoldsOn(connection, {
    objects: rows.map(({ objectReference }) => objectReference),
    models: [...new Set(rows.map(({ modelSlug }) => modelSlug))],
  })
  const hashes = new Set(holds.map(({ objectReferenceHash }) => objectReferenceHash))
  const heldModels = new Set(holds.map(({ modelSlug }) => modelSlug))
  const { gone, unsent } = part === undefined ? none : await listUnfit(connection, part, ids)
  for (const { id, objectReference, modelSlug, isAtWork } of rows) {
    if (gone.has(id)) continue
    if (hashes.has(sha256Hex(objectReference)) || heldModels.has(modelSlug)) sorted.held.push(id)
    else if (isAtWork || unsent.has(id)) sorted.atWork.push(id)
    else sorted.removable.push(id)
  }
  return sorted
}

const none = { gone: new Set<string>(), unsent: new Set<string>() }
