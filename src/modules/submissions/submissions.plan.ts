import { Fault } from '../../core/faults.ts'
import type { FileFormat } from '../../core/formats.ts'
import type { PinnedFragment } from '../../core/fragment.ts'
import { sha256Hex } from '../../core/hash.ts'
import { uuidFromHash } from '../../core/ids.ts'
import { formatInstant, type Instant, parseInstant } from '../../core/instant.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { parsePointer } from '../../core/pointer.ts'
import type { Connection } from '../../db/database.ts'
import type { IngestionModel, ModelNode, ValueSource } from '../../engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { judgedBefore } from '../drafts/judge-known.service.ts'
import type { IntakeMetadata } from '../executions/executions.model.ts'
import { findFamilyId } from '../families/families.reads.ts'
import type { Pin } from '../releases/releases.service.ts'
import { loadModel } from '../versions/compiled.service.ts'
import { resolveFragments } from '../versions/fragments.service.ts'
import { findNamedContractSummary, findVersionHead } from '../versions/versions.reads.ts'
import { Conditions, type Decision } from './submissions.conditions.ts'
import { KnownConfiguration, type KnownContract } from './submissions.known.ts'
import { Moment } from './submissions.moment.ts'

/** What a submission will run. Only the configuration in force at its official object time decides that. */
export interface Plan {
  modelSlug: string
  modelVersionId: string
  objectReference: string
  objectTime: Instant
  /** The raw input as the model reads it; undefined if it can't be read, which the execution will report. */
  input: JsonValue | undefined
  /** The format of the model's inputs; undefined for JSON. */
  inputFormat: InputFormat | undefined
  /** The contract's version. */
  contract: Pin['contract']
  /** Parents before their children. */
  nodes: PlannedNode[]
  /** Nodes whose condition is false for this input; their children don't run, either. */
  unwanted: UnwantedNode[]
}

export interface UnwantedNode {
  node: ModelNode
  address: string
}

export interface PlannedNode {
  processingNodeId: string
  label: string
  /** The model's slug and the keys that lead to the node, joined by colons. */
  address: string
  pin: Pin
  /** The transformer's slug, and the template's. */
  transformer: string
  template: string | undefined
  formats: readonly FileFormat[]
  /** Whether the node has a condition, and its value. */
  isConditional: boolean
  decision: Decision
  /** Index in `nodes`. */
  parent: number | undefined
}

export type PlanRequest = {
  modelSlug: string
  /** The parsed raw input; undefined if it isn't JSON, which the execution will report. */
  input: JsonValue | undefined
  /** The raw input, for models that read another format. */
  raw?: string
} & ({ metadata: IntakeMetadata } | Received)

/** What is known about the object without intake metadata. */
export interface Received {
  metadata?: undefined
  /** From the request, if given there. */
  objectReference: string | undefined
  officialTime: Instant | undefined
  /** The submission's id, which names the object if nothing else does. */
  id: string
  /** When the submission was received, by the database's clock. */
  at: Instant
}

const OBJECT_REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$/

/** What planning reads: the current database, and cached facts that never change. */
interface Planning {
  /** Compiles models elsewhere, for a transaction that may run again; by default this thread compiles them. */
  compiles?: NonNullable<Parameters<typeof loadModel>[2]>
  connection: Connection
  known: KnownConfiguration
  moment: Moment
}

/**
 * Resolves model, transformers and templates.
 *
 * The request's time finds the model: that of the intake metadata, its own, or that of its receipt. If that model takes the
 * official object time from the input, the model in force at that time counts, and must agree.
 *
 * @throws Fault validation_failed naming the family and the instant at which nothing is in force, and if no node wants the input
 */
export async function planSubmission(
  connection: Connection,
  request: PlanRequest,
  known: KnownConfiguration = new KnownConfiguration(),
): Promise<Plan> {
  const plan = await resolvePlan(connection, request, known)
  if (plan.nodes.length > 0) return plan
  throw refuse(`No node of the ingestion model "${request.modelSlug}" wants this input. See the nodes' conditions.`)
}

/** `planSubmission`, but returns a plan even if no node wants the input. */
export async function resolvePlan(
  connection: Connection,
  request: PlanRequest,
  known: KnownConfiguration,
): Promise<Plan> {
  const familyId = await known.family(connection, 'ingestion_model', request.modelSlug, () =>
    findFamilyId(connection, 'ingestion_model', request.modelSlug),
  )
  if (familyId === undefined) throw noSuchModel(request.modelSlug)
  for (let look = 1; ; look++) {
    const planning: Planning = {
      ...{ connection, known, compiles: (text) => judgedBefore('frozenModel', text) },
      moment: new Moment(connection, known.inForce, timeOfRequest(request)),
    }
    const plan = await lookUpPlan(planning, familyId, request).catch((error: unknown) => {
      if (error instanceof Fault) return error
      throw error
    })
    known.rememberParts(familyId, planning.moment.familyIds)
    // Try again; the next attempt reads all these families with one statement, unless it needs others.
    if (look < limits.planLooks && !(await planning.moment.isOne())) continue
    if (plan instanceof Fault) throw plan
    return plan
  }
}

async function lookUpPlan(planning: Planning, familyId: string, request: PlanRequest): Promise<Plan> {
  const { connection, known } = planning
  const handedInAt = planning.moment.at
  const parts = [familyId, ...known.partsOf(familyId)]
  await planning.moment.read(parts)
  let found = await modelInForce(planning, familyId, request)
  let read = await readBy(found.model, request)
  const objectTime = readObjectTime(found.model, read) ?? handedInAt
  if (objectTime !== handedInAt) {
    planning.moment = new Moment(connection, known.inForce, objectTime)
    await planning.moment.read(parts)
    found = await modelInForce(planning, familyId, request)
    read = await readBy(found.model, request)
    if ((readObjectTime(found.model, read) ?? handedInAt) !== objectTime) {
      throw refuse(
        `The ingestion models in force at ${formatInstant(handedInAt)} and ${formatInstant(objectTime)} take the official object time from different places. Correct the time in the input, or ${nameOfTime(request)}.`,
      )
    }
  }
  const contract = await pinContract(planning, found.model)
  const plan: Plan = {
    modelSlug: request.modelSlug,
    modelVersionId: found.versionId,
    objectReference: readObjectReference(found.model, read),
    objectTime,
    input: read.input,
    inputFormat: found.model.input,
    contract,
    nodes: [],
    unwanted: [],
  }
  const conditions = new Conditions(found.model.nodes, read.input)
  await planNodes({ planning, plan, conditions, request: read }, found.model.nodes, undefined, request.modelSlug)
  return plan
}

/**
 * The ingestion model that is in force at an instant, and its contract's version.
 * @throws Fault validation_failed if there is none
 */
export async function modelAt(
  connection: Connection,
  modelSlug: string,
  at: Instant,
): Promise<{ model: IngestionModel; contract: Pin['contract'] }> {
  const familyId = await findFamilyId(connection, 'ingestion_model', modelSlug)
  if (familyId === undefined) throw noSuchModel(modelSlug)
  const known = new KnownConfiguration()
  const planning: Planning = { connection, known, moment: new Moment(connection, known.inForce, at) }
  const request: PlanRequest = { modelSlug, input: undefined, objectReference: undefined, officialTime: at, id: '', at }
  const { model } = await modelInForce(planning, familyId, request)
  return { model, contract: await pinContract(planning, model) }
}

/** The request with its input parsed in the model's format. */
async function readBy(model: IngestionModel, request: PlanRequest): Promise<PlanRequest> {
  if (model.input === undefined || request.raw === undefined) return request
  const { readInput } = await import('../../engines/ingestion/read-input.ts')
  const read = readInput(request.raw, model.input)
  return { ...request, input: read.ok ? read.value.value : undefined }
}

interface NodePlanning {
  planning: Planning
  plan: Plan
  conditions: Conditions
  request: PlanRequest
}

/**
 * Excludes only nodes whose condition is false, not those whose condition fails: a faulty input must reach `validate`, which
 * explains it.
 */
async function planNodes(
  making: NodePlanning,
  nodes: readonly ModelNode[],
  parent: number | undefined,
  parentAddress: string,
): Promise<void> {
  const { planning, plan, conditions, request } = making
  const { contract } = plan
  for (const node of nodes) {
    const address = `${parentAddress}:${node.key}`
    const decision = await conditions.decide(node.when)
    if (decision === false) {
      plan.unwanted.push({ node, address })
      continue
    }
    const transformer = await pinInForce(planning, 'transformer', node.transformer, request)
    const template =
      node.template === undefined ? undefined : await pinInForce(planning, 'template', node.template, request)
    const fragments = template === undefined ? [] : await pinFragments(planning, template, request)
    plan.nodes.push({
      processingNodeId: uuidFromHash(sha256Hex(`${plan.modelVersionId}:${address}`)),
      label: node.label,
      address,
      pin: { contract, transformer, template, ...(fragments.length === 0 ? {} : { fragments }) },
      transformer: node.transformer,
      template: node.template,
      formats: node.formats,
      isConditional: node.when !== undefined,
      decision,
      parent,
    })
    await planNodes(making, node.children, plan.nodes.length - 1, address)
  }
}

async function modelInForce(
  { connection, moment, compiles }: Planning,
  familyId: string,
  request: PlanRequest,
): Promise<{ versionId: string; model: IngestionModel }> {
  const versionId = (await moment.find(familyId))?.versionId
  if (versionId == null) throw nothingInForce('ingestion model', request.modelSlug, moment.at, request)
  return { versionId, model: await loadModel(connection, versionId, compiles) }
}

async function pinContract({ connection, known, moment }: Planning, model: IngestionModel): Promise<Pin['contract']> {
  const { name, version } = model.contract
  // Check a contract found by its slug again: another contract may have taken that slug as its name.
  const isStillNamed = async ({ familyId }: KnownContract) => (await moment.find(familyId))?.name === name
  const find = () => findUsableContract(connection, model)
  const contract = await known.contract(connection, name, version, find, isStillNamed)
  if (contract === undefined) {
    throw refuse(`The contract "${name}" of the ingestion model has no published version ${version}. Publish it first.`)
  }
  return { id: contract.id, contentHash: contract.contentHash }
}

async function findUsableContract(
  connection: Connection,
  { contract }: IngestionModel,
): Promise<KnownContract | undefined> {
  const found = await findNamedContractSummary(connection, contract)
  if (found === undefined || found.status === 'versioned') return undefined
  return { familyId: found.familyId, id: found.id, contentHash: found.contentHash }
}

async function pinInForce(
  { connection, known, moment }: Planning,
  kind: 'transformer' | 'template',
  slug: string,
  request: PlanRequest,
): Promise<Pin['contract']> {
  const familyId = await known.family(connection, kind, slug, () => findFamilyId(connection, kind, slug))
  if (familyId === undefined)
    throw refuse(`The ${kind} "${slug}" of the ingestion model does not exist. Make it first.`)
  const inForce = await moment.find(familyId)
  if (inForce?.versionId == null || inForce.contentHash == null) throw nothingInForce(kind, slug, moment.at, request)
  return { id: inForce.versionId, contentHash: inForce.contentHash }
}

/** The included templates in force. Nearly all templates include none, which is cached for each version. */
async function pinFragments(
  { connection, known, moment }: Planning,
  template: Pin['contract'],
  request: PlanRequest,
): Promise<PinnedFragment[]> {
  const factsOf = (versionId: string) =>
    known.includes(versionId, async () => {
      const version = await findVersionHead(connection, versionId)
      if (version === undefined) throw new Error(`version ${versionId} is missing from the database`)
      return { includes: version.fragments ?? [], reading: version.reading }
    })
  const own = await factsOf(template.id)
  if (own.includes.length === 0) return []
  const { fragments, gaps } = await resolveFragments(own, async (slug) => {
    const familyId = await known.family(connection, 'template', slug, () => findFamilyId(connection, 'template', slug))
    const inForce = familyId === undefined ? undefined : await moment.find(familyId)
    if (inForce?.versionId == null || inForce.contentHash == null) {
      return familyId === undefined ? 'does not exist' : `has no version in force at ${formatInstant(moment.at)}`
    }
    return {
      slug,
      versionId: inForce.versionId,
      contentHash: inForce.contentHash,
      ...(await factsOf(inForce.versionId)),
    }
  })
  const [gap] = gaps
  if (gap === undefined) return fragments
  throw refuse(
    `Body field ${nameOfTime(request)}: ${gap.message} It is included by {{> ${gap.chain.join(' → ')}}}. ${gap.hint}`,
  )
}

/** The request's own instant, else that of its receipt. */
function timeOfRequest(request: PlanRequest): Instant {
  if (request.metadata === undefined) return request.officialTime ?? request.at
  const instant = parseInstant(request.metadata.source_timestamp)
  if (instant !== undefined) return instant
  throw refuse('Body field metadata.source_timestamp must be an RFC 3339 time such as 2026-11-20T09:30:00Z.')
}

/** Undefined if the model doesn't read a time, or the input has none. */
function readObjectTime(model: IngestionModel, request: PlanRequest): Instant | undefined {
  const { time } = model.object
  const text = readSource(time, request)
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  if (instant === undefined)
    throw refuse(`Body field ${nameOf(time)} must be an RFC 3339 time such as 2026-11-20T09:30:00Z.`)
  if (request.metadata !== undefined) return instant
  const { officialTime } = request
  if (officialTime !== undefined && officialTime !== instant) {
    throw contradicts('official_time', formatInstant(officialTime), nameOf(time), text)
  }
  return instant
}

function readObjectReference(model: IngestionModel, request: PlanRequest): string {
  const { reference } = model.object
  const text = readSource(reference, request)
  if (text !== undefined && !OBJECT_REFERENCE.test(text)) {
    throw refuse(
      `Body field ${nameOf(reference)} must be an object reference, which matches ${OBJECT_REFERENCE.source}.`,
    )
  }
  if (request.metadata !== undefined) return text ?? request.metadata.source_object
  const { objectReference, id } = request
  if (text !== undefined && objectReference !== undefined && objectReference !== text) {
    throw contradicts('object_reference', objectReference, nameOf(reference), text)
  }
  return text ?? objectReference ?? id
}

/** The refusal if a caller's value differs from the one that the model reads: neither is silently ignored. */
function contradicts(field: string, said: string, source: string, read: string): Fault {
  return refuse(
    `Body field ${field} says ${said}, but the ingestion model takes it from ${source}, which says ${read.slice(0, 128)}. Leave ${field} out, or correct one of them.`,
  )
}

/** Undefined without metadata, or if the input isn't JSON or has no such value; the request's own value is used then. */
function readSource(source: ValueSource, request: PlanRequest): string | undefined {
  if ('metadata' in source) {
    if (request.metadata === undefined) return undefined
    return String(request.metadata[source.metadata as keyof IntakeMetadata])
  }
  return valueAt(request.input, source.pointer)
}

/** The text or number at a pointer into the input, as text. */
export function valueAt(input: JsonValue | undefined, pointer: string): string | undefined {
  let value = input
  for (const token of parsePointer(pointer) ?? []) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function nameOf(source: ValueSource): string {
  return 'metadata' in source ? `metadata.${source.metadata}` : `raw_input${source.pointer}`
}

function noSuchModel(slug: string): Fault {
  return refuse(`Body field ingestion_model: there is no ingestion model "${slug}". Name the slug of one.`)
}

function refuse(detail: string): Fault {
  return new Fault('validation_failed', detail)
}

/** The field that gives the time, as messages name it. */
function nameOfTime(request: PlanRequest): string {
  return request.metadata === undefined ? 'official_time' : 'metadata.source_timestamp'
}

function nothingInForce(what: string, slug: string, at: Instant, request: PlanRequest): Fault {
  return refuse(
    `Body field ${nameOfTime(request)}: no version of the ${what} "${slug}" is in force at ${formatInstant(at)}. Activate one, or correct the time.`,
  )
}
