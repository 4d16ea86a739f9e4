import { canonicalHash } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import { formatInstant } from '../../core/instant.ts'
import type { JsonValue } from '../../core/json.ts'
import { PRODUCT_VERSION } from '../../core/version.ts'
import type { Connection } from '../../db/database.ts'
import { listFamilyHeads } from '../families/families.reads.ts'
import { findRelease } from '../releases/releases.service.ts'
import { findVersionHead, type VersionHead } from '../versions/versions.reads.ts'
import type { Provenance } from './executions.model.ts'
import { type ExecutionRow, findExecution, findSubmissionFacts, listArtifacts, listSteps } from './executions.store.ts'
import { artifactToWire } from './executions.wire.ts'

type Pinned = Provenance['contract']

/**
 * The manifest of an execution: every hash from the raw input to the artifacts, the exact versions, and what made each
 * step when. `manifest_hash` covers all the rest, so that a copy kept elsewhere can be compared by it.
 *
 * @throws Fault not_found
 */
export async function readProvenance(connection: Connection, id: string): Promise<Provenance> {
  const execution = await findExecution(connection, id)
  if (execution === undefined) throw new Fault('not_found', `There is no execution ${id}.`)
  const release = await findRelease(connection, execution.releaseId)
  if (release === undefined) throw new Error(`execution ${id} has lost its release`)
  const submission = await findSubmissionFacts(connection, execution.submissionId)
  const pinned = await pinnedVersions(connection, {
    contract: release.contractVersionId,
    transformer: release.transformVersionId,
    template: release.templateVersionId,
    model: submission.modelVersionId,
  })
  const steps = await listSteps(connection, [id])
  const artifacts = await listArtifacts(connection, [id])
  const manifest: Omit<Provenance, 'manifest_hash'> = {
    execution_id: id,
    submission_id: execution.submissionId,
    ...(execution.parentExecutionId === null ? {} : { parent_execution_id: execution.parentExecutionId }),
    status: execution.status,
    release: {
      id: release.id,
      name: release.name,
      release_hash: release.releaseHash,
      processing_kind: release.processingKind,
    },
    contract: pinned.contract!,
    transformer: pinned.transformer!,
    ...(pinned.template === undefined ? {} : { template: pinned.template }),
    ...(pinned.model === undefined ? {} : { ingestion_model: pinned.model }),
    model_slug: submission.modelSlug,
    object_reference: submission.objectReference,
    object_time: formatInstant(submission.objectTime),
    node_label: execution.nodeLabel,
    node_address: execution.nodeAddress,
    raw_input_hash: execution.rawInputHash,
    input_hash: execution.inputHash,
    ...(submission.params === null
      ? {}
      : { params: JSON.parse(submission.params) as NonNullable<Provenance['params']> }),
    ...(submission.paramsHash === null ? {} : { params_hash: submission.paramsHash }),
    ...(execution.outputHash === null ? {} : { output_hash: execution.outputHash }),
    product_version: PRODUCT_VERSION,
    steps: steps.map((row) => ({
      name: row.name,
      position: row.position,
      status: row.status,
      attempts: row.attempt,
      ...(typeof row.summary?.engine_revision === 'string' ? { engine_revision: row.summary.engine_revision } : {}),
      ...(typeof row.summary?.renderer === 'string' ? { renderer: row.summary.renderer } : {}),
      ...(typeof row.summary?.fonts_hash === 'string' ? { fonts_hash: row.summary.fonts_hash } : {}),
      ...(row.startedAt === null ? {} : { started_at: formatInstant(row.startedAt) }),
      ...(row.finishedAt === null ? {} : { finished_at: formatInstant(row.finishedAt) }),
      ...(row.durationMs === null ? {} : { duration_ms: row.durationMs }),
    })),
    artifacts: artifacts.map(artifactToWire),
    submitted_by: execution.submittedBy,
    correlation_id: execution.correlationId,
    submitted_at: formatInstant(submission.createdAt),
    created_at: formatInstant(execution.createdAt),
    ...completedAt(execution),
  }
  return { ...manifest, manifest_hash: canonicalHash(manifest as unknown as JsonValue) }
}

function completedAt(execution: ExecutionRow): Pick<Provenance, 'completed_at'> {
  return execution.completedAt === null ? {} : { completed_at: formatInstant(execution.completedAt) }
}

/** The versions of these ids with their families' names. */
async function pinnedVersions<Role extends string>(
  connection: Connection,
  ids: Record<Role, string | null>,
): Promise<Partial<Record<Role, Pinned>>> {
  const versions = new Map<string, VersionHead>()
  for (const [role, id] of Object.entries<string | null>(ids)) {
    if (id === null) continue
    const version = await findVersionHead(connection, id)
    if (version === undefined) throw new Error(`version ${id} of a release is missing from the database`)
    versions.set(role, version)
  }
  const familyIds = [...new Set([...versions.values()].map(({ familyId }) => familyId))]
  const families = new Map((await listFamilyHeads(connection, familyIds)).map((family) => [family.id, family]))
  return Object.fromEntries(
    [...versions].map(([role, version]) => {
      const family = families.get(version.familyId)!
      return [
        role,
        {
          family_id: family.id,
          slug: family.slug,
          name: family.name,
          version_id: version.id,
          version: version.number,
          content_hash: version.contentHash,
        },
      ]
    }),
  ) as Partial<Record<Role, Pinned>>
}
