import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import type { FileFormat } from '../../core/formats.ts'
import { newId, slugify } from '../../core/ids.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { type JsonValue, readJsonInParts } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { stepsFor } from '../../core/steps.ts'
import { inTurns } from '../../core/turns.ts'
import type { Connection, Database } from '../../db/database.ts'
import type { ModelNode, ValueSource } from '../../engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { configurationIssueOf } from '../../http/problem.ts'
import { findInForce } from '../activations/activations.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { withVerdicts } from '../drafts/judge-known.service.ts'
import { findFamilyId, listFamilyHeads } from '../families/families.reads.ts'
import { findRelease, type ReleaseRow } from '../releases/releases.service.ts'
import { loadModel } from '../versions/compiled.service.ts'
import { type Declaring, type DeclaringPorts, loadDeclaring, paramFindings } from '../versions/params.service.ts'
import { readVersion, type VersionRow } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import { KnownConfiguration } from './submissions.known.ts'
import type { InputFormatShape, NewSubmission, PlannedNodeShape, SubmissionPlan } from './submissions.model.ts'
import { type AboutObject, aboutObject, received } from './submissions.object.ts'
import { type PlannedNode, resolvePlan, valueAt } from './submissions.plan.ts'
import { findCorrected, formatsOfRelease } from './submissions.service.ts'

type VersionInForce = NonNullable<SubmissionPlan['model']>

/** A plan without the findings about the input and the params. */
type Outline = Omit<
  SubmissionPlan,
  'params' | 'valid' | 'input_format' | 'input' | 'input_is_json' | 'issues' | 'correlation_id'
>

/** An outline, and the material for the rest of the plan. */
interface Outlined {
  outline: Outline
  contract: VersionRow
  /** The input's format, if the model has one. */
  inputFormat?: InputFormat | undefined
  transformers: readonly { versionId: string; name: string }[]
}

export type SubmissionPlanService = ReturnType<typeof createSubmissionPlanService>

/** What a submission would do, without writing anything: the same code decides. */
export function createSubmissionPlanService({ database, judge }: { database: Database; judge: Judge }) {
  const known = new KnownConfiguration()
  return {
    /** @throws Fault validation_failed if the submission itself would be refused, except for its params */
    async plan(actor: Actor, body: NewSubmission): Promise<SubmissionPlan> {
      const read = await inTurns(readJsonInParts(body.raw_input))
      const input = read.ok ? read.value : undefined
      const outlined = await withVerdicts(judge, () => outlineOf(database.read, actor, body, input))
      const { outline, contract, transformers, inputFormat } = outlined
      const declaring = await declaringOf(
        known,
        { connection: database.read, compile: (source) => judge.ask('transformer', source) },
        transformers,
      )
      const judged = await judge.ask('payload', {
        contract: sourceOf(contract).source,
        payload: body.raw_input,
        format: inputFormat,
      })
      const paramProblems = paramFindings(body.params ?? {}, declaring)
      const issuesOf = (stage: string, findings: readonly Finding[]) =>
        findings.map((finding) =>
          configurationIssueOf(finding, { stage, resourceKind: 'submission', correlationId: actor.correlationId }),
        )
      const issues = [...issuesOf('params', paramProblems), ...issuesOf('input', judged.findings)]
      return {
        ...outline,
        params: declaredParams(declaring),
        valid: issues.length === 0 && outline.nodes.some(({ runs }) => runs),
        ...(inputFormat && { input_format: shapeOfFormat(inputFormat) }),
        ...(judged.value === undefined ? {} : { input: judged.value }),
        input_is_json: judged.isJson,
        issues: issues.slice(0, limits.configurationIssues),
        correlation_id: actor.correlationId,
      }
    },
  }
}

function shapeOfFormat(format: InputFormat): InputFormatShape {
  if (format.format === 'xml') {
    const { namespaces, types, isEarlier: _, ...rest } = format
    return { ...rest, namespaces: { ...namespaces }, types: { ...types } }
  }
  const { header, types, isEarlier: _, ...rest } = format
  return { ...rest, ...(header === 'first line' ? {} : { columns: header }), types: { ...types } }
}

async function outlineOf(
  connection: Connection,
  actor: Actor,
  body: NewSubmission,
  input: JsonValue | undefined,
): Promise<Outlined> {
  const { ingestion_model: modelSlug, release_id: releaseId } = body
  const about = aboutObject(body)
  await findCorrected(connection, body, actor)
  if (modelSlug !== undefined && releaseId === undefined) {
    return outlineOfModel(connection, { actor, modelSlug, about, input, raw: body.raw_input })
  }
  if (releaseId !== undefined && modelSlug === undefined) {
    const release = await findRelease(connection, releaseId.toLowerCase())
    if (release !== undefined) return outlineOfRelease(connection, actor, release, about)
    throw new Fault('validation_failed', `Body field release_id: there is no release ${releaseId.toLowerCase()}.`)
  }
  throw new Fault('validation_failed', 'The body must have either ingestion_model or release_id. Give one of them.')
}

interface ModelRequest {
  actor: Actor
  modelSlug: string
  about: AboutObject
  input: JsonValue | undefined
  raw: string
}

async function outlineOfModel(
  connection: Connection,
  { actor, modelSlug, about, input: asJson, raw }: ModelRequest,
): Promise<Outlined> {
  const id = newId()
  const own = about.metadata === undefined ? received(about, id, actor.at) : { metadata: about.metadata }
  const plan = await resolvePlan(connection, { modelSlug, input: asJson, raw, ...own }, new KnownConfiguration())
  const { input } = plan
  const model = await loadModel(connection, plan.modelVersionId)
  const contract = await readVersion(connection, plan.contract.id)
  const inForce = versionsInForce(connection, plan.objectTime)
  const usedModel = await inForce('ingestion_model', modelSlug)
  const nodes: PlannedNodeShape[] = []
  for (const node of plan.nodes) {
    nodes.push({
      address: node.address,
      label: node.label,
      depth: depthOf(node.address),
      runs: true,
      reason: reasonOf(node),
      ...(await partsOf(inForce, node)),
      formats: [...node.formats],
      steps: stepsFor(node.formats),
    })
  }
  for (const { node, address } of plan.unwanted) {
    await addUnwanted(nodes, inForce, node, address, 'condition_false')
  }
  const source = {
    reference: sourceOfValue(model.object.reference, about, input, about.objectReference),
    time: sourceOfValue(model.object.time, about, input, about.officialTime),
  }
  return {
    contract,
    inputFormat: plan.inputFormat,
    transformers: plan.nodes.map(({ pin, transformer }) => ({ versionId: pin.transformer.id, name: transformer })),
    outline: {
      ...(usedModel && { model: usedModel }),
      contract: {
        family_id: contract.familyId,
        version_id: contract.id,
        version: contract.number,
        name: model.contract.name,
      },
      ...(plan.objectReference === id ? {} : { object_reference: plan.objectReference }),
      object_reference_from: source.reference,
      ...sourceName('object_reference_source', model.object.reference),
      object_time: formatInstant(plan.objectTime),
      object_time_from: source.time,
      ...sourceName('object_time_source', model.object.time),
      nodes: inTreeOrder(model.nodes, modelSlug, nodes),
    },
  }
}

/** A pointer into the input. Fields of the metadata aren't named, because they don't concern callers that send none. */
function sourceName<Name extends string>(name: Name, source: ValueSource): Partial<Record<Name, string>> {
  return 'pointer' in source ? ({ [name]: source.pointer } as Partial<Record<Name, string>>) : {}
}

function sourceOfValue(
  source: ValueSource,
  { metadata }: AboutObject,
  input: JsonValue | undefined,
  said: string | undefined,
): SubmissionPlan['object_time_from'] {
  if ('pointer' in source && valueAt(input, source.pointer) !== undefined) return 'input'
  if (metadata !== undefined) return 'metadata'
  return said === undefined ? 'default' : 'request'
}

function reasonOf({ isConditional, decision }: PlannedNode): PlannedNodeShape['reason'] {
  if (!isConditional) return 'always'
  return decision === true ? 'condition_true' : 'undecided'
}

async function addUnwanted(
  nodes: PlannedNodeShape[],
  inForce: InForce,
  node: ModelNode,
  address: string,
  reason: PlannedNodeShape['reason'],
): Promise<void> {
  nodes.push({
    address,
    label: node.label,
    depth: depthOf(address),
    runs: false,
    reason,
    ...(await partsOf(inForce, node)),
    formats: [...node.formats],
    steps: stepsFor(node.formats),
  })
  for (const child of node.children) {
    await addUnwanted(nodes, inForce, child, `${address}:${child.key}`, 'parent_unwanted')
  }
}

/** `model:node` has depth 0. */
function depthOf(address: string): number {
  return address.split(':').length - 2
}

/** In the model's order: nodes that run and nodes that don't, in one tree. */
function inTreeOrder(nodes: readonly ModelNode[], address: string, told: PlannedNodeShape[]): PlannedNodeShape[] {
  const byAddress = new Map(told.map((node) => [node.address, node]))
  const ordered = (siblings: readonly ModelNode[], parent: string): PlannedNodeShape[] =>
    siblings.flatMap((node) => {
      const own = `${parent}:${node.key}`
      const found = byAddress.get(own)
      return found === undefined ? [] : [found, ...ordered(node.children, own)]
    })
  return ordered(nodes, address)
}

type InForce = (
  kind: 'ingestion_model' | 'transformer' | 'template',
  slug: string,
) => Promise<VersionInForce | undefined>

function versionsInForce(connection: Connection, at: Instant): InForce {
  const known = new Map<string, VersionInForce | undefined>()
  return async (kind, slug) => {
    const key = `${kind} ${slug}`
    if (known.has(key)) return known.get(key)
    const familyId = await findFamilyId(connection, kind, slug)
    const row = familyId === undefined ? undefined : await findInForce(connection, familyId, at)
    const found = row && {
      family_id: row.familyId,
      version_id: row.versionId,
      version: row.version,
      slug,
      in_force_since: formatInstant(row.effectiveFrom),
    }
    known.set(key, found)
    return found
  }
}

async function partsOf(
  inForce: InForce,
  node: { transformer: string; template?: string | undefined },
): Promise<Pick<PlannedNodeShape, 'transformer' | 'template'>> {
  const transformer = await inForce('transformer', node.transformer)
  const template = node.template === undefined ? undefined : await inForce('template', node.template)
  return { ...(transformer && { transformer }), ...(template && { template }) }
}

async function outlineOfRelease(
  connection: Connection,
  actor: Actor,
  release: ReleaseRow,
  about: AboutObject,
): Promise<Outlined> {
  const contract = await readVersion(connection, release.contractVersionId)
  const transformer = await readVersion(connection, release.transformVersionId)
  const template =
    release.templateVersionId === null ? undefined : await readVersion(connection, release.templateVersionId)
  const families = await listFamilyHeads(
    connection,
    [contract, transformer, template].flatMap((version) => version?.familyId ?? []),
  )
  const named = (version: VersionRow) => {
    const family = families.find(({ id }) => id === version.familyId)
    if (family === undefined) throw new Error(`family ${version.familyId} is missing from the database`)
    return {
      family,
      version: { family_id: family.id, version_id: version.id, version: version.number, slug: family.slug },
    }
  }
  const formats: readonly FileFormat[] = formatsOfRelease(release)
  const { metadata, objectReference, officialTime } = about
  const reference = metadata?.source_object ?? objectReference
  const { slug: _slug, ...contractVersion } = named(contract).version
  return {
    contract,
    transformers: [{ versionId: transformer.id, name: 'of the release' }],
    outline: {
      release_id: release.id,
      contract: { ...contractVersion, name: named(contract).family.name },
      ...(reference === undefined ? {} : { object_reference: reference }),
      object_reference_from: metadata !== undefined ? 'metadata' : reference === undefined ? 'default' : 'request',
      object_time: formatInstant(officialTime ?? actor.at),
      object_time_from: officialTime === undefined ? 'default' : 'request',
      nodes: [
        {
          address: `${slugify(release.name)}:${slugify(release.processingKind)}`,
          label: release.name.slice(0, limits.nodeLabelChars),
          depth: 0,
          runs: true,
          reason: 'always',
          transformer: named(transformer).version,
          ...(template === undefined ? {} : { template: named(template).version }),
          formats: [...formats],
          steps: stepsFor(formats),
        },
      ],
    },
  }
}

async function declaringOf(
  known: KnownConfiguration,
  from: DeclaringPorts,
  transformers: readonly { versionId: string; name: string }[],
): Promise<Declaring[]> {
  const declaring = new Map<string, Declaring>()
  for (const { versionId, name } of transformers) {
    if (declaring.has(versionId)) continue
    const { params } = await known.declaring(versionId, () => loadDeclaring(from, versionId, name))
    declaring.set(versionId, { name, params })
  }
  return [...declaring.values()]
}

function declaredParams(declaring: readonly Declaring[]): SubmissionPlan['params'] {
  const params = new Map<string, SubmissionPlan['params'][number]>()
  for (const { name: transformer, params: declared } of declaring) {
    for (const [name, type] of Object.entries(declared)) {
      const known = params.get(name)
      if (known === undefined) params.set(name, { name, type, transformers: [transformer] })
      else known.transformers.push(transformer)
    }
  }
  return [...params.values()]
}
