import { appendEvent } from '../../bus/outbox.ts'
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import type { Transaction } from '../../db/database.ts'
import type { FamilyRow, VersionRow } from '../configuration/configuration.service.ts'
import { type ActivationRow, findInForce, insertActivation } from './activations.store.ts'

export { findInForce } from './activations.store.ts'

/**
 * Puts a published version in force from an instant on. History never changes: an instant in the past is taken only
 * for a family's first activation, or when it is later than that of the one in force.
 *
 * @throws Fault conflict when the instant would change what was in force before
 * @throws a database error that `isUniqueViolation` knows when the family has an activation at that very instant
 */
export async function scheduleActivation(
  tx: Transaction,
  actor: Actor,
  family: FamilyRow,
  version: VersionRow,
  effectiveFrom: Instant,
): Promise<ActivationRow> {
  if (family.kind === 'contract') throw new Error('contracts are published, not activated')
  const inForce = await findInForce(tx, family.id, actor.at)
  if (effectiveFrom <= actor.at && inForce !== undefined && effectiveFrom <= inForce.effectiveFrom) {
    throw new Fault(
      'conflict',
      `effective_from: version ${inForce.version} is in force since ${formatInstant(inForce.effectiveFrom)}, and history never changes; choose a later instant`,
    )
  }
  const row: ActivationRow = {
    id: newId(),
    kind: family.kind,
    familyId: family.id,
    familySlug: family.slug,
    versionId: version.id,
    version: version.number,
    contentHash: version.contentHash,
    effectiveFrom,
    scheduledBy: actor.userId,
    correlationId: actor.correlationId,
    scheduledAt: actor.at,
    cancelledAt: null,
    cancellationCode: null,
  }
  await insertActivation(tx, row)
  await appendEvent(tx, actor.at, {
    aggregate: 'activation',
    aggregateId: row.id,
    type: 'scheduled',
    data: {
      kind: row.kind,
      family_id: row.familyId,
      family_slug: row.familySlug,
      version_id: row.versionId,
      version: row.version,
      content_hash: row.contentHash,
      effective_from: formatInstant(effectiveFrom),
    },
    correlationId: actor.correlationId,
  })
  return row
}
