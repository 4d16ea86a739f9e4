import type { NewEvent } from '../../bus/outbox.ts'
import type { Actor, Author } from '../../core/actor.ts'
import { canonicalHash, canonicalInParts, canonicalJson } from '../../core/canonical.ts'
import { Fault } from '../../core/faults.ts'
import { defaultFileFormats, type FileFormat } from '../../core/formats.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId, slugify } from '../../core/ids.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { type JsonValue, readJsonInParts } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { submissionFilters } from '../../core/list-filters.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import { atOnce, inTurns } from '../../core/turns.ts'
import { readStoredObject, requireReadable, Unreadable } from '../../core/unreadable.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { type Mutated, mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import { filterValues } from '../../http/list-query.ts'
import { readPage } from '../../http/paging.ts'
import { requireReached } from '../../http/reach.ts'
import { countQueued } from '../../runner/claim.store.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { digestOfState, submissionState } from '../audit/audit.states.reads.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { judgeKnown, Unanswered, withVerdicts } from '../drafts/judge-known.service.ts'
import type { Execution, IntakeMetadata } from '../executions/executions.model.ts'
import {
  type ExecutionRow,
  listFailedSteps,
  listOfSubmissions,
  type MadeExecution,
  makeExecution,
  readExecution,
  saveExecutions,
} from '../executions/executions.service.ts'
import { readableFailure } from '../executions/executions.wire.ts'
import { findRelease, pinRelease, type ReleaseRow } from '../releases/releases.service.ts'
import { listRemovedParts, missing, type RemovedPartRow } from '../tombstones/tombstones.reads.ts'
import { removedToWire } from '../tombstones/tombstones.wire.ts'
import { type Declaring, type DeclaringPorts, loadDeclaring, paramFindings } from '../versions/params.service.ts'
import type { TransformerParams } from '../versions/versions.model.ts'
import { findVersionHead } from '../versions/versions.reads.ts'
import { Backlog } from './submissions.backlog.ts'
import { KnownConfiguration } from './submissions.known.ts'
import type { NewExecution, NewSubmission, Submission, SubmissionQuery } from './submissions.model.ts'
import { type AboutObject, aboutObject, received } from './submissions.object.ts'
import { planSubmission } from './submissions.plan.ts'
import {
  findSubmission,
  insertSubmission,
  listSubmissions,
  type SubmissionRow,
  type SubmissionSummary,
} from './submissions.store.ts'

export { modelAt, planSubmission } from './submissions.plan.ts'

/** A raw input, read once: its hash, and its value if it is JSON. */
export interface RawInput {
  text: string
  rawHash: string
  value: JsonValue | undefined
  /** Hash of the canonical JSON; the raw hash if it isn't JSON. */
  inputHash: string
}

export type SubmissionService = ReturnType<typeof createSubmissionService>

export interface SubmissionPorts {
  database: Database
  judge: Judge
  /** How many steps may be queued before submissions are refused; by default `limits.queuedSteps`. */
  queueLimit?: number | undefined
  /** Called while a submission is accepted, so that the engines load meanwhile. */
  warmEngines?: (() => void) | undefined
  timers?: Timers
}

export function createSubmissionService(ports: SubmissionPorts) {
  const { database, judge, queueLimit = limits.queuedSteps, timers = systemTimers } = ports
  const known = new KnownConfiguration()
  const backlog = new Backlog({
    countQueued: (most) => countQueued(database.read, most),
    limit: queueLimit,
    nowMs: () => timers.nowMs(),
  })

  /** Runs an effect that makes executions, if the queue has room. A replay needs no room. */
  async function takeIn<Body extends object>(
    actor: Actor,
    request: IdempotentRequest | undefined,
    make: (tx: Transaction) => Promise<{ body: Body; executions: number }>,
  ): Promise<Mutated<Body>> {
    await backlog.refresh()
    let made = 0
    const effect = async (tx: Transaction) => {
      backlog.requireRoom(actor.userId)
      ports.warmEngines?.()
      const { body, executions } = await make(tx)
      made = executions
      return { status: 202, body }
    }
    const { answer, replayed } = await withVerdicts(judge, () =>
      mutate(database, actor.at, request, effect, 'submissions'),
    )
    if (!replayed) backlog.noteAccepted(actor.userId, made)
    return answer
  }

  return {
    /**
     * Accepts a raw input, and makes one execution for each processing node that applies.
     *
     * @throws Fault validation_failed for unknown names, and if nothing is in force at the official object time
     */
    async submit(
      actor: Actor,
      request: IdempotentRequest,
      body: NewSubmission,
    ): Promise<Mutated<{ submission: Submission }>> {
      const input = await readRawInput(body.raw_input)
      return takeIn(actor, request, async (tx) => {
        const submission = await submitBody({ tx, actor, known }, body, input)
        return { body: { submission }, executions: submission.executions.length }
      })
    },

    /**
     * Runs one release on one input, as a submission of its own.
     * @throws Fault validation_failed for an unknown release, and unless there is exactly one input
     */
    async execute(
      actor: Actor,
      request: IdempotentRequest | undefined,
      body: NewExecution,
    ): Promise<Mutated<Execution>> {
      const { release_id: releaseId, params } = body
      const input = await readRawInput(await rawInputOf(body))
      return takeIn(actor, request, async (tx) => {
        const { executionId } = await submitToRelease(
          { tx, actor, known },
          { ...aboutObject(body), releaseId, params, input, corrects: undefined },
        )
        return { body: await readExecution(tx, executionId, atOnce), executions: 1 }
      })
    },

    /** Reads a raw input for `submitRow`. */
    readRow: readRawInput,

    /**
     * Accepts a row of a batch, in the transaction that notes it; the caller bounds the queue.
     *
     * @param receivedAt counts as the time of receipt, if neither the request nor the input gives a time
     * @throws Fault validation_failed, before anything of the submission is written
     */
    submitRow: (tx: Transaction, actor: Actor, { body, input, receivedAt }: SubmittedRow): Promise<Submission> =>
      submitBody({ tx, actor, known, receivedAt }, body, input),

    async read(id: string): Promise<Submission> {
      const row = await findSubmission(database.read, id)
      const [submission] = row === undefined ? [] : await withExecutions(database.read, [row])
      if (row === undefined || submission === undefined) throw await missing(database.read, 'submission', id)
      requireReadable(row.metadata, 'metadata')
      if (row.params !== null) requireReadable(readStoredObject(row.params), 'params')
      return submission
    },

    /** A page, newest first; the cursor is the id of the page's last submission. */
    async list(query: SubmissionQuery): Promise<{ submissions: Submission[]; next_cursor?: string }> {
      const filter = filterValues(submissionFilters, query)
      const { rows, last } = await readPage(query, {
        find: (id) => findSubmission(database.read, id),
        rowsAfter: (after, limit) => listSubmissions(database.read, filter, after, limit),
      })
      const submissions = await withExecutions(database.read, rows)
      return last === undefined ? { submissions } : { submissions, next_cursor: last.id }
    },
  }
}

export interface SubmittedRow {
  body: Omit<NewSubmission, 'raw_input'>
  input: RawInput
  receivedAt: Instant
}

/** What accepting a submission needs. */
interface Intake {
  tx: Transaction
  actor: Actor
  known: KnownConfiguration
  /** By default the actor's time. */
  receivedAt?: Instant
}

/** What decides what runs: the ingestion model in force, or a release. */
type Wanted<Runs> = Runs &
  AboutObject & { input: RawInput; params: TransformerParams | undefined; corrects: string | undefined }

async function submitBody(
  intake: Intake,
  body: Omit<NewSubmission, 'raw_input'>,
  input: RawInput,
): Promise<Submission> {
  const { ingestion_model: modelSlug, release_id: releaseId, params } = body
  const wanted = { ...aboutObject(body), params, input, corrects: await findCorrected(intake.tx, body, intake.actor) }
  if (modelSlug !== undefined && releaseId === undefined) return submitToModel(intake, { ...wanted, modelSlug })
  if (releaseId !== undefined && modelSlug === undefined) {
    const { submission } = await submitToRelease(intake, { ...wanted, releaseId })
    return submission
  }
  throw invalid('The body must have either ingestion_model or release_id. Give one of them.')
}

/** @throws Fault validation_failed for an unknown submission, forbidden for one beyond the token's reach */
export async function findCorrected(
  connection: Connection,
  { corrects }: Pick<NewSubmission, 'corrects'>,
  { families: reach }: Author,
): Promise<string | undefined> {
  const id = corrects?.toLowerCase()
  if (id === undefined) return undefined
  const corrected = await findSubmission(connection, id)
  if (reach !== undefined) {
    const modelVersionId = corrected?.modelVersionId
    const model = modelVersionId == null ? undefined : await findVersionHead(connection, modelVersionId)
    requireReached(reach, model?.familyId)
  }
  if (corrected !== undefined) return id
  throw invalid(`Body field corrects: there is no submission ${id}.`)
}

async function submitToModel(
  { tx, actor, known, receivedAt = actor.at }: Intake,
  { modelSlug, input, params, corrects, ...about }: Wanted<{ modelSlug: string }>,
): Promise<Submission> {
  const id = newId()
  const { metadata } = about
  const request = {
    modelSlug,
    input: input.value,
    raw: input.text,
    ...(metadata === undefined ? received(about, id, receivedAt) : { metadata }),
  }
  const plan = await planSubmission(tx, request, known)
  await requireParams(
    tx,
    known,
    params,
    plan.nodes.map(({ pin, transformer }) => ({ versionId: pin.transformer.id, name: transformer })),
  )
  const submission = makeSubmission(actor, input, {
    id,
    modelSlug,
    modelVersionId: plan.modelVersionId,
    objectReference: plan.objectReference,
    objectTime: plan.objectTime,
    metadata: metadata ?? null,
    corrects: corrects ?? null,
    ...paramColumns(params),
  })
  const inputHash = plan.inputFormat === undefined ? input.inputHash : hashOfInput(plan.input, input)
  const executions: MadeExecution[] = []
  for (const node of plan.nodes) {
    const reads = node.parent === undefined ? 'raw input' : 'output of its parent'
    const execution = makeExecution(actor, {
      submissionId: submission.id,
      release: await known.release(tx, node.pin, reads, () => pinRelease(tx, actor, node.label, node.pin, reads)),
      formats: node.formats,
      processingNodeId: node.processingNodeId,
      nodeLabel: node.label,
      nodeAddress: node.address,
      // biome-ignore lint/style/noNonNullAssertion: a plan has parents before their children.
      parentExecutionId: node.parent === undefined ? null : executions[node.parent]!.row.id,
      inputHash,
      rawInputHash: input.rawHash,
    })
    executions.push(execution)
  }
  return save(tx, actor, submission, executions)
}

async function submitToRelease(
  { tx, actor, known }: Intake,
  { releaseId, metadata, objectReference, officialTime, input, params, corrects }: Wanted<{ releaseId: string }>,
): Promise<{ submission: Submission; executionId: string }> {
  const release = await findRelease(tx, releaseId.toLowerCase())
  if (release === undefined) throw invalid(`Body field release_id: there is no release ${releaseId.toLowerCase()}.`)
  const transformer = { versionId: release.transformVersionId, name: 'of the release' }
  await requireParams(tx, known, params, [transformer])
  const id = newId()
  const modelSlug = slugify(release.name)
  const submission = makeSubmission(actor, input, {
    id,
    modelSlug,
    modelVersionId: null,
    objectReference: metadata?.source_object ?? objectReference ?? id,
    objectTime: officialTime ?? actor.at,
    metadata: metadata ?? null,
    corrects: corrects ?? null,
    ...paramColumns(params),
  })
  const execution = makeExecution(actor, {
    submissionId: id,
    release,
    formats: formatsOfRelease(release),
    processingNodeId: null,
    nodeLabel: release.name.slice(0, limits.nodeLabelChars),
    nodeAddress: `${modelSlug}:${slugify(release.processingKind)}`,
    parentExecutionId: null,
    inputHash: input.inputHash,
    rawInputHash: input.rawHash,
  })
  return { submission: await save(tx, actor, submission, [execution]), executionId: execution.row.id }
}

/** `input` is taken as its canonical JSON. */
async function rawInputOf(body: NewExecution): Promise<string> {
  const { raw_input: rawInput, input } = body
  const isBoth = rawInput !== undefined && Object.hasOwn(body, 'input')
  if (isBoth) throw invalid('The body must have either input or raw_input. Leave one of them out.')
  if (rawInput !== undefined) return rawInput
  if (!Object.hasOwn(body, 'input')) throw invalid('The body must have either input or raw_input. Give one of them.')
  const { text } = await inTurns(canonicalInParts(input as JsonValue))
  if (Buffer.byteLength(text) > limits.payloadBytes) {
    throw invalid(`Body field input must be at most ${limits.payloadBytes} bytes of canonical JSON.`)
  }
  return text
}

export function formatsOfRelease(release: ReleaseRow): readonly FileFormat[] {
  return release.processingKind === 'document_generation' ? defaultFileFormats : []
}

/** @throws Fault validation_failed unless the params are exactly those that all the transformers together declare */
async function requireParams(
  tx: Transaction,
  known: KnownConfiguration,
  given: TransformerParams | undefined,
  transformers: readonly { versionId: string; name: string }[],
): Promise<void> {
  const names = new Map<string, string>()
  for (const { versionId, name } of transformers) if (!names.has(versionId)) names.set(versionId, name)
  const declaring: Declaring[] = []
  const unanswered = new Unanswered()
  const from: DeclaringPorts = { connection: tx, compile: (source) => judgeKnown.ask('transformer', source) }
  for (const [versionId, name] of names) {
    const load = () => known.declaring(versionId, () => loadDeclaring(from, versionId, name))
    const found = await unanswered.of(load)
    if (found !== undefined) declaring.push({ name, params: found.params })
  }
  unanswered.settle()
  const findings = paramFindings(given ?? {}, declaring)
  if (findings.length > 0) throw validationFault(findings)
}

function paramColumns(params: TransformerParams | undefined): Pick<SubmissionRow, 'params' | 'paramsHash'> {
  if (params === undefined) return { params: null, paramsHash: null }
  const text = canonicalJson(params)
  return { params: text, paramsHash: sha256Hex(text) }
}

type SubmissionFields =
  | 'id'
  | 'modelSlug'
  | 'modelVersionId'
  | 'objectReference'
  | 'objectTime'
  | 'metadata'
  | 'corrects'
  | 'params'
  | 'paramsHash'

function makeSubmission(actor: Actor, input: RawInput, fields: Pick<SubmissionRow, SubmissionFields>): SubmissionRow {
  return {
    ...fields,
    rawInput: input.text,
    rawInputHash: input.rawHash,
    submittedBy: actor.userId,
    correlationId: actor.correlationId,
    createdAt: actor.at,
  }
}

async function save(
  tx: Transaction,
  actor: Actor,
  row: SubmissionRow,
  executions: readonly MadeExecution[],
): Promise<Submission> {
  await insertSubmission(tx, row)
  await recordAudit(tx, actor, {
    action: 'submission.created',
    resourceKind: 'submission',
    resourceId: row.id,
    detail: {
      model_slug: row.modelSlug,
      object_reference: row.objectReference,
      raw_input_hash: row.rawInputHash,
      ...paramsHashOf(row),
    },
    digest: digestOfState(
      submissionState(
        tx,
        row,
        executions.map((execution) => execution.row),
        executions.flatMap((execution) => execution.steps),
      ),
    ),
  })
  const created: NewEvent = {
    aggregate: 'submission',
    aggregateId: row.id,
    type: 'created',
    data: {
      model_slug: row.modelSlug,
      object_reference: row.objectReference,
      object_time: formatInstant(row.objectTime),
      raw_input_hash: row.rawInputHash,
      ...paramsHashOf(row),
    },
    correlationId: actor.correlationId,
    traceparent: actor.traceparent,
  }
  await saveExecutions(tx, actor, executions, [created])
  return submissionToWire(
    row,
    executions.map((execution) => execution.row),
  )
}

function hashOfInput(value: JsonValue | undefined, { rawHash }: RawInput): string {
  return value === undefined ? rawHash : canonicalHash(value)
}

async function readRawInput(text: string): Promise<RawInput> {
  const rawHash = sha256Hex(text)
  const outcome = await inTurns(readJsonInParts(text))
  if (!outcome.ok) return { text, rawHash, value: undefined, inputHash: rawHash }
  const { hash: inputHash } = await inTurns(canonicalInParts(outcome.value))
  return { text, rawHash, value: outcome.value, inputHash }
}

async function withExecutions(connection: Connection, rows: readonly SubmissionSummary[]): Promise<Submission[]> {
  const ids = rows.map((row) => row.id)
  const [executions, removed] = [await listOfSubmissions(connection, ids), await listRemovedParts(connection, ids)]
  const failed = executions.filter(({ status }) => status === 'failed').map(({ id }) => id)
  const failedSteps = new Map((await listFailedSteps(connection, failed)).map((step) => [step.executionId, step]))
  const removedFrom = Map.groupBy(removed, ({ submissionId }) => submissionId)
  const executionsOf = Map.groupBy(executions, (execution) => execution.submissionId)
  // Every submission has an execution; one without was erased after its row was read.
  return rows.flatMap((row) => {
    const own = executionsOf.get(row.id)
    return own === undefined ? [] : [submissionToWire(row, own, removedFrom.get(row.id), failedSteps)]
  })
}

function submissionToWire(
  row: SubmissionSummary,
  executions: readonly Pick<ExecutionRow, 'id' | 'nodeLabel' | 'nodeAddress' | 'status'>[],
  removed: readonly RemovedPartRow[] = [],
  failedSteps: ReadonlyMap<string, FailedStep> = new Map(),
): Submission {
  const submission: Submission = {
    id: row.id,
    model_slug: row.modelSlug,
    object_reference: row.objectReference,
    object_time: formatInstant(row.objectTime),
    raw_input_hash: row.rawInputHash,
    submitted_by: row.submittedBy,
    correlation_id: row.correlationId,
    created_at: formatInstant(row.createdAt),
    executions: executions.map((execution) => ({
      id: execution.id,
      node_label: execution.nodeLabel,
      node_address: execution.nodeAddress,
      status: execution.status,
      ...failureOf(failedSteps.get(execution.id)),
    })),
  }
  // Unreadable metadata fails the reading of one submission, but not a list.
  if (row.metadata !== null && !(row.metadata instanceof Unreadable))
    submission.metadata = row.metadata as IntakeMetadata
  if (row.corrects !== null) submission.corrects = row.corrects
  const params = row.params === null ? null : readStoredObject(row.params)
  if (params !== null && !(params instanceof Unreadable)) submission.params = params as TransformerParams
  Object.assign(submission, paramsHashOf(row), removedToWire(removed))
  return submission
}

type FailedStep = Awaited<ReturnType<typeof listFailedSteps>>[number]

/** Without the message, which may quote the input: not everybody who may read submissions may read that. */
function failureOf(step: FailedStep | undefined): Pick<Submission['executions'][number], 'failure'> {
  if (step === undefined || step.failure === null) return {}
  return { failure: { step: step.name, code: readableFailure(step.failure).code } }
}

function paramsHashOf({ paramsHash }: Pick<SubmissionRow, 'paramsHash'>): { params_hash?: string } {
  return paramsHash === null ? {} : { params_hash: paramsHash }
}

function invalid(detail: string): Fault {
  return new Fault('validation_failed', detail)
}
