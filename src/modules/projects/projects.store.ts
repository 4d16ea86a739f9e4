import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export type ProjectFileRow = Tables['projectFiles']['$inferSelect']

/** A number of its own among PostgreSQL's advisory locks. */
const projectLock = 7_120_533_002

/**
 * Waits until no other transaction applies a project, and keeps them waiting until this one ends: files of cases have no
 * row that all of them could hold. An embedded database has one writer anyway.
 */
export async function holdProjects(tx: Transaction): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`select pg_advisory_xact_lock(${projectLock})`)
}

/** The files of cases without their content, in the order of their paths. */
export function listProjectFiles(connection: Connection): Promise<Pick<ProjectFileRow, 'path' | 'contentHash'>[]> {
  const { projectFiles } = connection.t
  return connection.q
    .select({ path: projectFiles.path, contentHash: projectFiles.contentHash })
    .from(projectFiles)
    .orderBy(asc(projectFiles.path))
}

/** A stretch of the files, each with its content, in the order of their paths. */
export function readProjectFiles(connection: Connection, after: string, limit: number): Promise<ProjectFileRow[]> {
  const { projectFiles } = connection.t
  return connection.q
    .select()
    .from(projectFiles)
    .where(gt(projectFiles.path, after))
    .orderBy(asc(projectFiles.path))
    .limit(limit)
}

/** Writes over what is there. */
export async function putProjectFiles(tx: Transaction, rows: readonly ProjectFileRow[]): Promise<void> {
  const { projectFiles } = tx.t
  await tx.q
    .insert(projectFiles)
    .values([...rows])
    .onConflictDoUpdate({
      target: projectFiles.path,
      set: {
        content: sql`excluded.content`,
        contentHash: sql`excluded.content_hash`,
        writtenBy: sql`excluded.written_by`,
        correlationId: sql`excluded.correlation_id`,
        writtenAt: sql`excluded.written_at`,
      },
    })
}

export async function removeProjectFiles(tx: Transaction, paths: readonly string[]): Promise<void> {
  const { projectFiles } = tx.t
  await tx.q.delete(projectFiles).where(inArray(projectFiles.path, [...paths]))
}

/** All activations that begin after an instant and are not cancelled, the next one first. */
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

/** The activations of families, newest scheduling first; those of contracts are their publications. */
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

/** The same of contracts, which are published and have no activations: what the audit trail says of them. */
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

/** Those of the correlation ids under which a project was applied. */
export async function appliedAmong(connection: Connection, correlationIds: readonly string[]): Promise<Set<string>> {
  const { auditRecords } = connection.t
  const rows = await connection.q
    .selectDistinct({ correlationId: auditRecords.correlationId })
    .from(auditRecords)
    .where(and(eq(auditRecords.action, 'project.applied'), inArray(auditRecords.correlationId, [...correlationIds])))
  return new Set(rows.map(({ correlationId }) => correlationId))
}
