import { and, eq, inArray, sql } from 'drizzle-orm'
import type { FileFormat } from '../core/formats.ts'
import type { PinnedFragment } from '../core/fragment.ts'
import { newestReading } from '../core/reading.ts'
import type { StepName } from '../core/steps.ts'
import type { Connection } from '../db/database.ts'
import { requireLargeFile } from '../db/large-files.ts'
import { prepareByIds, prepareOnce, readTogether } from '../db/prepared.ts'
import type { InputFormat } from '../engines/ingestion/input-format.ts'
import type { Source } from './job.ts'
import type { NewArtifact } from './record.store.ts'

/** What a runner must know of an execution to run any of its steps. */
export interface ExecutionInputs {
  /** The submitted text, which `validate` checks against the contract. */
  rawInput: string
  /** Its format, if the submission's model has one; else JSON. */
  inputFormat?: InputFormat | undefined
  /** JSON text to transform: the raw input, or the parent's output. */
  input: string
  /** The submission's params as JSON text, if there are any. */
  params: string | undefined
  /** True if `input` is the parent's output. */
  readsParent: boolean
  /** The transformer's result, once there is one. */
  output: string | undefined
  contractVersionId: string
  transformVersionId: string
  templateVersionId: string | undefined
  /** Templates that the template includes. */
  fragments: readonly PinnedFragment[]
  /** Columns that every artifact row of the execution repeats for the storage list. */
  projection: Pick<NewArtifact, 'submissionId' | 'objectReference' | 'modelSlug' | 'nodeLabel' | 'nodeAddress'>
}

/** What an execution's release pins; these rows are never removed before the execution. */
export async function loadPins(
  connection: Connection,
  executionId: string,
): Promise<Pick<ExecutionInputs, 'contractVersionId' | 'transformVersionId' | 'templateVersionId' | 'fragments'>> {
  const { executions, releases } = connection.t
  const [row] = await connection.q
    .select({
      contractVersionId: releases.contractVersionId,
      transformVersionId: releases.transformVersionId,
      templateVersionId: releases.templateVersionId,
      fragments: releases.fragments,
    })
    .from(executions)
    .innerJoin(releases, eq(releases.id, executions.releaseId))
    .where(eq(executions.id, executionId))
  if (row === undefined) throw new Error(`execution ${executionId} lacks its release`)
  return { ...row, templateVersionId: row.templateVersionId ?? undefined, fragments: row.fragments ?? [] }
}

/** Runs before the first step of every execution. Left out is what never changes, because the caller may have it cached. */
const inputsByIds = prepareByIds(({ q, t: { executions, submissions, releases } }, ids) =>
  q
    .select({
      executionId: executions.id,
      rawInput: submissions.rawInput,
      modelVersionId: submissions.modelVersionId,
      params: submissions.params,
      parentId: executions.parentExecutionId,
      // Not a join, which takes the database longer to plan.
      parentOutput: sql<
        string | null
      >`(select output from ${executions} as parents where parents.id = ${executions.parentExecutionId})`,
      output: executions.output,
      contractVersionId: releases.contractVersionId,
      transformVersionId: releases.transformVersionId,
      templateVersionId: releases.templateVersionId,
      fragments: releases.fragments,
      submissionId: executions.submissionId,
      objectReference: submissions.objectReference,
      modelSlug: submissions.modelSlug,
      nodeLabel: executions.nodeLabel,
      nodeAddress: executions.nodeAddress,
    })
    .from(executions)
    .innerJoin(submissions, eq(submissions.id, executions.submissionId))
    .innerJoin(releases, eq(releases.id, executions.releaseId))
    .where(inArray(executions.id, ids))
    .prepare(),
)

const inputsById = readTogether(inputsByIds, ({ executionId }) => executionId)

/**
 * The inputs of a claimed execution; its rows exist as long as the step does.
 * @param source returns the content of a version, cached or not
 */
export async function loadInputs(
  connection: Connection,
  executionId: string,
  source = (versionId: string) => loadSource(connection, versionId),
): Promise<ExecutionInputs> {
  const [row] = await inputsById(connection, executionId)
  if (row === undefined) throw new Error(`execution ${executionId} lacks its submission or its release`)
  const input = row.parentId === null ? row.rawInput : row.parentOutput
  if (input === null) throw new Error(`execution ${executionId} was begun before its parent had an output`)
  const { submissionId, objectReference, modelSlug, nodeLabel, nodeAddress } = row
  return {
    rawInput: row.rawInput,
    inputFormat: row.modelVersionId === null ? undefined : await inputFormatOf(await source(row.modelVersionId)),
    input,
    params: row.params ?? undefined,
    readsParent: row.parentId !== null,
    output: row.output ?? undefined,
    contractVersionId: row.contractVersionId,
    transformVersionId: row.transformVersionId,
    templateVersionId: row.templateVersionId ?? undefined,
    fragments: row.fragments ?? [],
    projection: { submissionId, objectReference, modelSlug, nodeLabel, nodeAddress },
  }
}

/** The input format of a frozen model. Nearly all models have none, and aren't compiled to find out. */
async function inputFormatOf({ content, format, reading }: Source): Promise<InputFormat | undefined> {
  if (typeof content !== 'string' || !/\binput\b/.test(content)) return undefined
  const { compileIngestionModel } = await import('../engines/ingestion/ingestion-model.ts')
  const model = compileIngestionModel(content, format === 'json' ? 'json' : 'yaml', reading ?? newestReading)
  return model.ok ? model.value.input : undefined
}

/** The pinned version's content; versions never change, so the caller may keep it. */
export async function loadSource(connection: Connection, versionId: string): Promise<Source> {
  const [row] = await sourceById(connection).execute({ versionId })
  const fileId = row?.fileId ?? undefined
  const content =
    fileId === undefined
      ? (row?.bytes ?? row?.source)
      : await requireLargeFile(connection, fileId, `version ${versionId}`)
  if (row === undefined || content === null || content === undefined) {
    throw new Error(`version ${versionId} has no content`)
  }
  return { hash: row.hash, format: row.format, reading: row.reading, content }
}

const sourceById = prepareOnce(({ q, t: { versions } }) =>
  q
    .select({
      hash: versions.contentHash,
      format: versions.format,
      reading: versions.reading,
      source: versions.source,
      bytes: versions.bytes,
      fileId: versions.fileId,
    })
    .from(versions)
    .where(eq(versions.id, sql.placeholder('versionId')))
    .prepare(),
)

/** The steps of an execution, in order. */
export function loadSteps(
  connection: Connection,
  executionId: string,
): Promise<readonly { name: StepName; attempt: number }[]> {
  return stepsOf(connection, executionId)
}

const stepsByIds = prepareByIds(({ q, t: { steps } }, ids) =>
  q
    .select({ executionId: steps.executionId, name: steps.name, attempt: steps.attempt })
    .from(steps)
    .where(inArray(steps.executionId, ids))
    .orderBy(steps.position)
    .prepare(),
)

const stepsOf = readTogether(stepsByIds, ({ executionId }) => executionId)

/** The content hash of a file that the execution made; undefined before its step succeeded. */
export async function loadFileHash(
  connection: Connection,
  executionId: string,
  format: FileFormat,
): Promise<string | undefined> {
  const { artifacts } = connection.t
  const [row] = await connection.q
    .select({ contentHash: artifacts.contentHash })
    .from(artifacts)
    .where(and(eq(artifacts.executionId, executionId), eq(artifacts.kind, format)))
  return row?.contentHash
}
