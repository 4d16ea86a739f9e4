import { canonicalHash } from '../../core/canonical.ts'
import type { PinnedFragment } from '../../core/fragment.ts'
import { formatInstant } from '../../core/instant.ts'
import { readStoredObject, requireReadable } from '../../core/unreadable.ts'
import { PRODUCT_VERSION } from '../../core/version.ts'
import type { Connection } from '../../db/database.ts'
import type { DrawnFonts } from '../../http/drawn-fonts.ts'
import { listFamilyHeads } from '../families/families.reads.ts'
import { findRelease } from '../releases/releases.service.ts'
import { listRemovedParts, missing } from '../tombstones/tombstones.reads.ts'
import { removedToWire } from '../tombstones/tombstones.wire.ts'
import { findVersionHead } from '../versions/versions.reads.ts'
import type { Provenance } from './executions.model.ts'
import { type ExecutionRow, findExecution, findSubmissionFacts, listArtifacts, listSteps } from './executions.store.ts'
import { artifactToWire } from './executions.wire.ts'

type Pinned = Provenance['contract']

/**
 * The manifest of an execution: every hash from the raw input to the artifacts, the exact versions, and which build made each
 * step when. `manifest_hash` covers all the rest, so that a copy kept elsewhere can be compared by it.
 *
 * @throws Fault not_found
 */
export async function readProvenance(connection: Connection, id: string): Promise<Provenance> {
  const execution = await findExecution(connection, id)
  if (execution === undefined) throw await missing(connection, 'execution', id)
  const release = await findRelease(connection, execution.releaseId)
  if (release === undefined) throw new Error(`execution ${id} has lost its release`)
  const steps = await listSteps(connection, [id])
  const artifacts = await listArtifacts(connection, [id])
  const submission = await findSubmissionFacts(connection, execution.submissionId)
  // Read last: an erasure removes everything at once, so if the submission exists, all rows read before belong to it.
  if (submission === undefined) throw await missing(connection, 'execution', id)
  const pinnedUnless = (id: string | null) => (id === null ? undefined : pinned(connection, id))
  const template = await pinnedUnless(release.templateVersionId)
  const model = await pinnedUnless(submission.modelVersionId)
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
    contract: await pinned(connection, release.contractVersionId),
    transformer: await pinned(connection, release.transformVersionId),
    ...(template === undefined ? {} : { template }),
    ...(release.fragments === null ? {} : { fragments: await pinnedAll(connection, release.fragments) }),
    ...(model === undefined ? {} : { ingestion_model: model }),
    model_slug: submission.modelSlug,
    object_reference: submission.objectReference,
    object_time: formatInstant(submission.objectTime),
    node_label: execution.nodeLabel,
    node_address: execution.nodeAddress,
    raw_input_hash: execution.rawInputHash,
    input_hash: execution.inputHash,
    ...(submission.params === null
      ? {}
      : {
          params: requireReadable(readStoredObject(submission.params), 'params') as NonNullable<Provenance['params']>,
        }),
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
      ...(Array.isArray(row.summary?.fonts) ? { fonts: row.summary.fonts as DrawnFonts } : {}),
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
    ...removedToWire(await listRemovedParts(connection, [execution.submissionId])),
  }
  return { ...manifest, manifest_hash: canonicalHash(manifest) }
}

function completedAt(execution: ExecutionRow): Pick<Provenance, 'completed_at'> {
  return execution.completedAt === null ? {} : { completed_at: formatInstant(execution.completedAt) }
}

async function pinnedAll(connection: Connection, fragments: readonly PinnedFragment[]): Promise<Pinned[]> {
  const found: Pinned[] = []
  for (const { versionId } of fragments) found.push(await pinned(connection, versionId))
  return found
}

/** A version with its family's names. */
async function pinned(connection: Connection, versionId: string): Promise<Pinned> {
  const version = await findVersionHead(connection, versionId)
  if (version === undefined) throw new Error(`version ${versionId} of a release is missing from the database`)
  const [family] = await listFamilyHeads(connection, [version.familyId])
  if (family === undefined) throw new Error(`version ${versionId} has lost its family`)
  return {
    family_id: family.id,
    slug: family.slug,
    name: family.name,
    version_id: version.id,
    version: version.number,
    content_hash: version.contentHash,
  }
}
