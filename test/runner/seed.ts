import { sql } from 'drizzle-orm'
import { appendEvent } from '../../src/bus/outbox.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { newId } from '../../src/core/ids.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import type { FamilyKind } from '../../src/core/kinds.ts'
import { stepNames } from '../../src/core/steps.ts'
import type { Database, Transaction } from '../../src/db/database.ts'

export interface SeedOptions {
  /** 2 for a release without a template, 3 for DOCX only, 4 for DOCX and PDF. */
  stepCount?: 2 | 3 | 4
  rawInput?: string
  /** Makes a child node: its first step waits for this execution. */
  parentId?: string
  /** That of an earlier execution, as of the same configuration; else one of its own. */
  releaseId?: string
  sources?: Partial<Record<'contract' | 'transformer', string>> & { template?: Uint8Array }
}

/** An accepted submission as the submission service writes it: rows, first step queued, event, in one transaction. */
export async function seedExecution(database: Database, options: SeedOptions = {}): Promise<string> {
  const { stepCount = 4, rawInput = '{"a":1}', parentId, sources = {} } = options
  const at = instantFromEpochMs(Date.now())
  const id = newId()
  const submissionId = newId()
  const releaseId = options.releaseId ?? newId()
  await database.write(async (tx) => {
    const { submissions, releases, executions, steps, versions } = tx.t
    const version = async (kind: FamilyKind, source: string | null, bytes: Uint8Array | null) => {
      const versionId = newId()
      await tx.q.insert(versions).values({
        id: versionId,
        familyId: newId(),
        kind,
        number: 1,
        contentHash: sha256Hex(source ?? bytes!),
        sourceRevision: 1,
        status: 'published',
        source,
        format: bytes === null ? 'json' : 'docx',
        bytes,
        byteSize: (source ?? bytes!).length,
        createdBy: 'u',
        createdAt: at,
      })
      return versionId
    }
    if (options.releaseId === undefined) {
      await tx.q.insert(releases).values({
        id: releaseId,
        name: 'release',
        releaseHash: sha256Hex(releaseId),
        processingKind: stepCount === 2 ? 'transformation' : 'document_generation',
        contractVersionId: await version('contract', sources.contract ?? '{}', null),
        transformVersionId: await version('transformer', sources.transformer ?? '{}', null),
        templateVersionId:
          stepCount === 2 ? null : await version('template', null, sources.template ?? new Uint8Array([1])),
        contractChecked: true,
        createdBy: 'u',
        createdAt: at,
      })
    }
    await tx.q.insert(submissions).values({
      id: submissionId,
      modelSlug: 'model',
      objectReference: 'policy-1',
      objectTime: at,
      rawInput,
      rawInputHash: sha256Hex(rawInput),
      metadata: null,
      submittedBy: 'u',
      correlationId: `c-${id}`,
      createdAt: at,
    })
    await tx.q.insert(executions).values({
      id,
      submissionId,
      nodeLabel: 'Letter',
      nodeAddress: 'model:letter',
      parentExecutionId: parentId ?? null,
      releaseId,
      releaseHash: sha256Hex(releaseId),
      processingKind: stepCount === 2 ? 'transformation' : 'document_generation',
      status: 'queued',
      inputHash: sha256Hex(rawInput),
      rawInputHash: sha256Hex(rawInput),
      submittedBy: 'u',
      correlationId: `c-${id}`,
      createdAt: at,
      updatedAt: at,
    })
    await tx.q.insert(steps).values(
      stepNames.slice(0, stepCount).map((name, index) => ({
        id: newId(),
        executionId: id,
        position: index + 1,
        name,
        status: index === 0 && parentId === undefined ? ('queued' as const) : ('not_started' as const),
        attempt: 0,
        stateVersion: 1,
        availableAt: at,
      })),
    )
    if (parentId === undefined) {
      const event = {
        aggregate: 'execution',
        aggregateId: id,
        type: 'queued',
        data: {},
        correlationId: `c-${id}`,
      } as const
      await appendEvent(tx, at, event)
    }
  })
  return id
}

/** Leases that ended so long ago that nothing about them has to rest any more. */
export const LONG_AGO_MS = -60_000

/** Ends the leases of all steps at work, so many milliseconds from now: nobody has to wait for it. */
export async function endLeases(tx: Transaction, ms: number): Promise<void> {
  await tx.rows(sql`update ${tx.t.steps} set lease_expires_at = ${tx.clockPlus(ms)} where status = 'running'`)
}
