import { Fault } from '../../core/faults.ts'
import type { FileFormat } from '../../core/formats.ts'
import { sha256Hex } from '../../core/hash.ts'
import { uuidFromHash } from '../../core/ids.ts'
import { formatInstant, type Instant, parseInstant } from '../../core/instant.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { parsePointer } from '../../core/pointer.ts'
import type { Connection } from '../../db/database.ts'
import { evaluateTransformer } from '../../engines/declarative/declarative.ts'
import type { IngestionModel, ModelNode, ValueSource } from '../../engines/ingestion/ingestion-model.ts'
import { compileCondition } from '../drafts/conditions.service.ts'
import type { IntakeMetadata } from '../executions/executions.model.ts'
import { findFamilyId } from '../families/families.reads.ts'
import type { Pin } from '../releases/releases.service.ts'
import { loadModel } from '../versions/compiled.service.ts'
import { findNamedContractSummary } from '../versions/versions.reads.ts'
import { KnownConfiguration, type KnownContract } from './submissions.known.ts'
import { Moment } from './submissions.moment.ts'

/** What a submission will run: decided wholly by the configuration in force at its official object time. */
export interface Plan {
  modelSlug: string
  modelVersionId: string
  objectReference: string
  objectTime: Instant
  /** Parents before their children. */
  nodes: PlannedNode[]
}

export interface PlannedNode {
  processingNodeId: string
  label: string
  /** The model's slug and the keys down to the node, joined with colons. */
  address: string
  pin: Pin
  /** The transformer's slug. */
  transformer: string
  formats: readonly FileFormat[]
  /** Index in `nodes`. */
  parent: number | undefined
}

export interface PlanRequest {
  modelSlug: string
  metadata: IntakeMetadata
  /** The parsed raw input; undefined if it isn't JSON, which the execution will report. */
  input: JsonValue | undefined
}

const OBJECT_REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$/

/** What making a plan reads: the database now, and facts that never change. */
interface Planning {
  connection: Connection
  known: KnownConfiguration
  moment: Moment
}

/**
 * Resolves model, transformers and templates.
 *
 * The intake metadata's timestamp finds the model; if that model takes its official object time from the input, the
 * model in force at that time is the one that counts, and it must agree.
 *
 * @throws Fault validation_failed naming the family and the instant at which nothing is in force
 */
export async function planSubmission(
  connection: Connection,
  request: PlanRequest,
  known: KnownConfiguration = new KnownConfiguration(),
): Promise<Plan> {
  const handedInAt = parseInstant(request.metadata.source_timestamp)
  if (handedInAt === undefined) {
    throw refuse('Body field metadata.source_timestamp must be an RFC 3339 time such as 2026-11-20T09:30:00Z.')
  }
  const familyId = await known.family(connection, 'ingestion_model', request.modelSlug, () =>
    findFamilyId(connection, 'ingestion_model', request.modelSlug),
  )
  if (familyId === undefined) {
    throw refuse(
      `Body field ingestion_model: there is no ingestion model "${request.modelSlug}". Name the slug of one.`,
    )
  }
  const parts = [familyId, ...known.partsOf(familyId)]
  const planning: Planning = { connection, known, moment: new Moment(connection, handedInAt) }
  await planning.moment.read(parts)
  let found = await modelInForce(planning, familyId, request.modelSlug)
  const objectTime = readObjectTime(found.model, request) ?? handedInAt
  if (objectTime !== handedInAt) {
    planning.moment = new Moment(connection, objectTime)
    await planning.moment.read(parts)
    found = await modelInForce(planning, familyId, request.modelSlug)
    if ((readObjectTime(found.model, request) ?? handedInAt) !== objectTime) {
      throw refuse(
        `The ingestion models in force at ${formatInstant(handedInAt)} and ${formatInstant(objectTime)} take the official object time from different places. Correct the time in the input or in the metadata.`,
      )
    }
  }
  const plan: Plan = {
    modelSlug: request.modelSlug,
    modelVersionId: found.versionId,
    objectReference: readObjectReference(found.model, request),
    objectTime,
    nodes: [],
  }
  const contract = await pinContract(planning, found.model)
  await planNodes(planning, plan, found.model.nodes, request, contract, undefined, request.modelSlug)
  if (plan.nodes.length === 0) {
    throw refuse(`No node of the ingestion model "${request.modelSlug}" wants this input. See the nodes' conditions.`)
  }
  known.rememberParts(familyId, planning.moment.familyIds)
  return plan
}

async function planNodes(
  planning: Planning,
  plan: Plan,
  nodes: readonly ModelNode[],
  request: PlanRequest,
  contract: Pin['contract'],
  parent: number | undefined,
  parentAddress: string,
): Promise<void> {
  for (const node of nodes) {
    if (isExcluded(node, request.input)) continue
    const address = `${parentAddress}:${node.key}`
    const transformer = await pinInForce(planning, 'transformer', node.transformer)
    const template = node.template === undefined ? undefined : await pinInForce(planning, 'template', node.template)
    plan.nodes.push({
      processingNodeId: uuidFromHash(sha256Hex(`${plan.modelVersionId}:${address}`)),
      label: node.label,
      address,
      pin: { contract, transformer, template },
      transformer: node.transformer,
      formats: node.formats,
      parent,
    })
    await planNodes(planning, plan, node.children, request, contract, plan.nodes.length - 1, address)
  }
}

/**
 * Only a condition that is false excludes a node, not one that fails: a faulty input must reach `validate`, which
 * explains it.
 */
function isExcluded(node: ModelNode, input: JsonValue | undefined): boolean {
  if (node.when === undefined || input === undefined) return false
  // Checked by today's rules when it was frozen, and never refused by them afterwards.
  const condition = compileCondition(node.when, { reading: 1 })
  if (!condition.ok) return false
  const outcome = evaluateTransformer(condition.value, input)
  return outcome.ok && outcome.value.output === false
}

async function modelInForce(
  { connection, moment }: Planning,
  familyId: string,
  slug: string,
): Promise<{ versionId: string; model: IngestionModel }> {
  const versionId = (await moment.find(familyId))?.versionId
  if (versionId == null) throw nothingInForce('ingestion model', slug, moment.at)
  return { versionId, model: await loadModel(connection, versionId) }
}

async function pinContract({ connection, known, moment }: Planning, model: IngestionModel): Promise<Pin['contract']> {
  const { name, version } = model.contract
  // One that was found by its slug is looked for again: another may have taken that as its name.
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
): Promise<Pin['contract']> {
  const familyId = await known.family(connection, kind, slug, () => findFamilyId(connection, kind, slug))
  if (familyId === undefined)
    throw refuse(`The ${kind} "${slug}" of the ingestion model does not exist. Make it first.`)
  const inForce = await moment.find(familyId)
  if (inForce?.versionId == null || inForce.contentHash == null) throw nothingInForce(kind, slug, moment.at)
  return { id: inForce.versionId, contentHash: inForce.contentHash }
}

function readObjectTime(model: IngestionModel, request: PlanRequest): Instant | undefined {
  const text = readSource(model.object.time, request)
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  if (instant !== undefined) return instant
  throw refuse(`Body field ${nameOf(model.object.time)} must be an RFC 3339 time such as 2026-11-20T09:30:00Z.`)
}

function readObjectReference(model: IngestionModel, request: PlanRequest): string {
  const text = readSource(model.object.reference, request) ?? request.metadata.source_object
  if (OBJECT_REFERENCE.test(text)) return text
  throw refuse(
    `Body field ${nameOf(model.object.reference)} must be an object reference, which matches ${OBJECT_REFERENCE.source}.`,
  )
}

/** Undefined if the input isn't JSON or has nothing there: then the metadata's own field is used. */
function readSource(source: ValueSource, request: PlanRequest): string | undefined {
  if ('metadata' in source) return String(request.metadata[source.metadata as keyof IntakeMetadata])
  let value = request.input
  for (const token of parsePointer(source.pointer) ?? []) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined
    else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function nameOf(source: ValueSource): string {
  return 'metadata' in source ? `metadata.${source.metadata}` : `raw_input${source.pointer}`
}

function refuse(detail: string): Fault {
  return new Fault('validation_failed', detail)
}

function nothingInForce(what: string, slug: string, at: Instant): Fault {
  return refuse(
    `Body field metadata.source_timestamp: no version of the ${what} "${slug}" is in force at ${formatInstant(at)}. Activate one, or correct the time.`,
  )
}
