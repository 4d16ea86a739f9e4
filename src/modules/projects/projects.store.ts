import { and, asc, desc, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection } from '../../db/database.ts'

/** All activations that begin after an instant and are not cancelled, earliest first. */
export function listLater(connection: Connection, after: Instant) {
  const { activations } = connection.t
  return connection.q
    .select({
      kind: activations.kind,
      familyId: activations.familyId,
      slug: activations.familySlug,
      versionId: activations.versionId,
      version: activations.version,
      effectiveFrom: activations.effectiveFrom,
    })
    .from(activations)
    .where(and(isNull(activations.cancelledAt), gt(activations.effectiveFrom, after)))
    .orderBy(asc(activations.effectiveFrom), asc(activations.kind), asc(activations.familySlug))
}

/** Who put a version in force, or published it, and under which correlation id. */
export interface PutInForce {
  familyId: string
  version: number
  correlationId: string
  by: string
  at: Instant
}

/** Activations of families, newest scheduling first; contracts have publications instead (`listPublished`). */
export async function listPutInForce(connection: Connection, familyIds: readonly string[]): Promise<PutInForce[]> {
  const { activations } = connection.t
  return connection.q
    .select({
      familyId: activations.familyId,
      version: activations.version,
      correlationId: activations.correlationId,
      by: activations.scheduledBy,
      at: activations.scheduledAt,
    })
    .from(activations)
    .where(and(inArray(activations.familyId, [...familyIds]), isNull(activations.cancelledAt)))
    .orderBy(desc(activations.scheduledAt), desc(activations.id))
}

/** Publications of contracts, which have no activations; from the audit trail. */
export async function listPublished(connection: Connection, familyIds: readonly string[]): Promise<PutInForce[]> {
  const { auditRecords } = connection.t
  const rows = await connection.q
    .select()
    .from(auditRecords)
    .where(and(inArray(auditRecords.resourceId, [...familyIds]), eq(auditRecords.action, 'contract.version_published')))
    .orderBy(desc(auditRecords.at), desc(auditRecords.id))
  return rows.flatMap(({ resourceId, detail, correlationId, actorId, at }) => {
    const { number } = detail
    return resourceId === null || typeof number !== 'number'
      ? []
      : [{ familyId: resourceId, version: number, correlationId, by: actorId, at }]
  })
}

/** Those of the correlation ids that belong to the application of a project. */
export async function appliedAmong(connection: Connection, correlationIds: readonly string[]): Promise<Set<string>> {
  const { auditRecords } = connection.t
  const rows = await connection.q
    .selectDistinct({ correlationId: auditRecords.correlationId })
    .from(auditRecords)
    .where(and(eq(auditRecords.action, 'project.applied'), inArray(auditRecords.correlationId, [...correlationIds])))
  return new Set(rows.map(({ correlationId }) => correlationId))
}
