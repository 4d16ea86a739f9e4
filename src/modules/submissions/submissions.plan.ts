import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { uuidFromHash } from '../../core/ids.ts'
import { formatInstant, type Instant, parseInstant } from '../../core/instant.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { parsePointer } from '../../core/pointer.ts'
import type { Connection } from '../../db/database.ts'
import { evaluateTransformer } from '../../engines/declarative/declarative.ts'
import type { IngestionModel, ModelNode, ValueSource } from '../../engines/ingestion/ingestion-model.ts'
import { findInForce } from '../activations/activations.service.ts'
import {
  compileCondition,
  findFamilyByName,
  findFamilyId,
  findVersionSummary,
  loadModel,
} from '../configuration/configuration.service.ts'
import type { IntakeMetadata } from '../executions/executions.model.ts'
import type { Pin } from '../releases/releases.service.ts'

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
  formats: readonly ('docx' | 'pdf')[]
  /** Index in `nodes`. */
  parent: number | undefined
}

export interface PlanRequest {
  modelSlug: string
  metadata: IntakeMetadata
  /** The parsed raw input; undefined where it isn't JSON, and the execution will say so. */
  input: JsonValue | undefined
}

const OBJECT_REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}$/

/**
 * Resolves model, transformers and templates.
 *
 * The intake metadata's timestamp finds the model; where that model takes its official object time from the input, the
 * model in force at that time is the one that counts, and it must agree.
 *
 * @throws Fault validation_failed naming the family and the instant at which nothing is in force
 */
export async function planSubmission(connection: Connection, request: PlanRequest): Promise<Plan> {
  const handedInAt = parseInstant(request.metadata.source_timestamp)
  if (handedInAt === undefined) {
    throw refuse('metadata.source_timestamp: must be an RFC 3339 time such as 2026-11-20T09:30:00Z')
  }
  const familyId = await findFamilyId(connection, 'ingestion_model', request.modelSlug)
  if (familyId === undefined) {
    throw refuse(`ingestion_model: there is no ingestion model "${request.modelSlug}"; name the slug of one`)
  }
  let found = await modelInForce(connection, familyId, request.modelSlug, handedInAt)
  const objectTime = readObjectTime(found.model, request) ?? handedInAt
  if (objectTime !== handedInAt) {
    found = await modelInForce(connection, familyId, request.modelSlug, objectTime)
    if ((readObjectTime(found.model, request) ?? handedInAt) !== objectTime) {
      throw refuse(
        `ingestion_model: the models in force at ${formatInstant(handedInAt)} and ${formatInstant(objectTime)} take the official object time from different places; correct the time in the input or in the metadata`,
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
  const contract = await pinContract(connection, found.model)
  await planNodes(connection, plan, found.model.nodes, request, contract, undefined, request.modelSlug)
  if (plan.nodes.length === 0) {
    throw refuse(`raw_input: no node of the model "${request.modelSlug}" wants it; see the nodes' conditions`)
  }
  return plan
}

async function planNodes(
  connection: Connection,
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
    const transformer = await pinInForce(connection, 'transformer', node.transformer, plan.objectTime)
    const template =
      node.template === undefined ? undefined : await pinInForce(connection, 'template', node.template, plan.objectTime)
    plan.nodes.push({
      processingNodeId: uuidFromHash(sha256Hex(`${plan.modelVersionId}:${address}`)),
      label: node.label,
      address,
      pin: { contract, transformer, template },
      formats: node.formats,
      parent,
    })
    await planNodes(connection, plan, node.children, request, contract, plan.nodes.length - 1, address)
  }
}

/** Only a condition that is decidedly false excludes: a faulty input must reach `validate`, which explains it. */
function isExcluded(node: ModelNode, input: JsonValue | undefined): boolean {
  if (node.when === undefined || input === undefined) return false
  const condition = compileCondition(node.when)
  if (!condition.ok) return false
  const outcome = evaluateTransformer(condition.value, input)
  return outcome.ok && outcome.value.output === false
}

async function modelInForce(
  connection: Connection,
  familyId: string,
  slug: string,
  at: Instant,
): Promise<{ versionId: string; model: IngestionModel }> {
  const activation = await findInForce(connection, familyId, at)
  if (activation === undefined) throw nothingInForce('ingestion model', slug, at)
  return { versionId: activation.versionId, model: await loadModel(connection, activation.versionId) }
}

async function pinContract(connection: Connection, model: IngestionModel): Promise<Pin['contract']> {
  const { name, version } = model.contract
  const family = await findFamilyByName(connection, 'contract', name)
  const found = family === undefined ? undefined : await findVersionSummary(connection, family.id, version)
  if (found === undefined || found.status === 'versioned') {
    throw refuse(`ingestion_model: its contract "${name}" has no published version ${version}; publish it first`)
  }
  return found
}

async function pinInForce(
  connection: Connection,
  kind: 'transformer' | 'template',
  slug: string,
  at: Instant,
): Promise<Pin['contract']> {
  const familyId = await findFamilyId(connection, kind, slug)
  if (familyId === undefined) throw refuse(`ingestion_model: its ${kind} "${slug}" does not exist`)
  const activation = await findInForce(connection, familyId, at)
  if (activation === undefined) throw nothingInForce(kind, slug, at)
  return { id: activation.versionId, contentHash: activation.contentHash }
}

function readObjectTime(model: IngestionModel, request: PlanRequest): Instant | undefined {
  const text = readSource(model.object.time, request)
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  if (instant !== undefined) return instant
  throw refuse(`${nameOf(model.object.time)}: must be an RFC 3339 time such as 2026-11-20T09:30:00Z`)
}

function readObjectReference(model: IngestionModel, request: PlanRequest): string {
  const text = readSource(model.object.reference, request) ?? request.metadata.source_object
  if (OBJECT_REFERENCE.test(text)) return text
  throw refuse(`${nameOf(model.object.reference)}: an object reference must match ${OBJECT_REFERENCE.source}`)
}

/** Undefined where the input isn't JSON or has nothing there: then the metadata's own field stands in. */
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
    `metadata.source_timestamp: no version of the ${what} "${slug}" is in force at ${formatInstant(at)}; activate one, or correct the time`,
  )
}
