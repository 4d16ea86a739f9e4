import { Fault } from '../core/faults.ts'
import type { Principal } from './access.ts'

/** What a request is about, for tokens that reach some families only. */
export type Subject =
  | { kind: 'family'; id: string }
  | { kind: 'model'; slug: string }
  | { kind: 'submission'; id: string }
  | { kind: 'batch'; id: string }
  | { kind: 'execution'; id: string }

/** Where it is known which family a subject belongs to. */
export interface FamilySource {
  /** The id of the family, or undefined if there is none. */
  familyOf(subject: Subject): Promise<string | undefined>
}

/** The input of a request, once it is checked. */
export interface Asked {
  params: Record<string, unknown>
  body: unknown
}

/** Operations whose path names all that they are about, by the parameter that does. */
const families: Readonly<Record<string, readonly string[]>> = {
  contractId: [
    ...['getContract', 'updateContractDraft', 'validateContractDraft', 'createContractVersion', 'getContractVersion'],
    ...['compareContractVersions', 'publishContractVersion', 'deprecateContractVersion'],
  ],
  transformId: [
    ...['getTransform', 'updateTransformDraft', 'validateTransformDraft', 'createTransformVersion'],
    'publishTransformVersion',
  ],
  ingestionModelId: [
    ...['getIngestionModel', 'getCanonicalIngestionModelDraft', 'updateCanonicalIngestionModelDraft'],
    ...['validateCanonicalIngestionModel', 'freezeIngestionModelVersion', 'listIngestionModelVersions'],
    ...['getIngestionModelVersion', 'publishIngestionModelVersion', 'resolveIngestionModelActivation'],
    // Running its cases reads other families as well.
    ...['getSuite', 'getSuiteCase', 'putSuiteCase', 'deleteSuiteCase', 'setSuitePolicy'],
  ],
  transformerId: [
    ...['getTransformer', 'getCanonicalTransformerDraft', 'updateCanonicalTransformerDraft'],
    ...['validateCanonicalTransformer', 'freezeTransformerVersion', 'listTransformerVersions', 'getTransformerVersion'],
    ...['testCanonicalTransformerDraft', 'publishTransformerVersion', 'resolveTransformerActivation'],
  ],
  familyId: ['getUnsavedDraft', 'putUnsavedDraft', 'getUnsavedState', 'settleUnsavedDraft', 'deleteUnsavedDraft'],
  templateId: [
    ...['getTemplate', 'getCanonicalTemplateDraft', 'updateCanonicalTemplateDraft', 'getCanonicalTemplateDraftContent'],
    ...['validateCanonicalTemplate', 'testCanonicalTemplateDraft', 'createTemplateVersion', 'listTemplateVersions'],
    ...['getTemplateVersion', 'publishTemplateVersion', 'resolveTemplateActivation', 'getTemplateFonts'],
  ],
}
const batches = [
  ...['getBatch', 'listBatchRows', 'pauseBatch', 'resumeBatch', 'cancelBatch', 'listBatchFailures', 'retryBatchRows'],
  'downloadBatchResults',
]
const executions = ['getExecution', 'getExecutionTrace', 'retryExecution', 'getExecutionProvenance', 'verifyExecution']

/**
 * The subject of each operation. An operation that is missing here concerns more than one family, as every list does,
 * or also reads other families, as the previews do. A token for some families can't call it at all.
 */
const subjects: Readonly<Record<string, (asked: Asked) => Subject | undefined>> = {
  ...Object.fromEntries(
    Object.entries(families).flatMap(([param, operations]) =>
      operations.map((id) => [id, ({ params }: Asked): Subject => ({ kind: 'family', id: String(params[param]) })]),
    ),
  ),
  ...Object.fromEntries(
    [...executions, 'downloadArtifact'].map((id) => [
      id,
      ({ params }: Asked): Subject => ({ kind: 'execution', id: String(params.executionId) }),
    ]),
  ),
  ...Object.fromEntries(
    batches.map((id) => [id, ({ params }: Asked): Subject => ({ kind: 'batch', id: String(params.batchId) })]),
  ),
  createBatch: ({ body }) => modelOf(fieldsOf(body)),
  getSubmission: ({ params }) => ({ kind: 'submission', id: String(params.submissionId) }),
  createSubmission: ({ body }) => modelOf(body),
  planSubmission: ({ body }) => modelOf(body),
}

function fieldsOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, 'fields') : undefined
}

function modelOf(body: unknown): Subject | undefined {
  const slug: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'ingestion_model') : undefined
  return typeof slug === 'string' ? { kind: 'model', slug } : undefined
}

/** Every operation that a token for some families can reach. */
export const reachableOperations: readonly string[] = Object.keys(subjects)

/** Call it before the input is looked at. @throws Fault forbidden for a token of some families if the operation concerns more */
export function requireReachable(operationId: string, principal: Principal | undefined): void {
  if (principal?.token?.families !== undefined && !Object.hasOwn(subjects, operationId)) refuse()
}

/** @throws Fault forbidden when the token doesn't reach the subject, whether or not the subject exists */
export async function requireReach(
  source: FamilySource,
  operationId: string,
  asked: Asked,
  principal: Principal | undefined,
): Promise<void> {
  const reached = principal?.token?.families
  if (reached === undefined) return
  const subject = subjects[operationId]?.(asked)
  const family = subject === undefined ? undefined : await source.familyOf(subject)
  requireReached(reached, family)
}

/** The families that the caller reaches, by id; undefined for all. */
export type Reach = readonly string[] | undefined

/**
 * Checks a family that the content names as if a path named it.
 * @param family undefined if there is no such family, which a limited token isn't told
 * @throws Fault forbidden
 */
export function requireReached(reach: Reach, family: string | undefined): void {
  if (reach !== undefined && (family === undefined || !reach.includes(family))) refuse()
}

/** @throws Fault forbidden if a token is limited to some families and the request concerns others */
export function requireAllReached(reach: Reach): void {
  if (reach !== undefined) refuse()
}

function refuse(): never {
  throw new Fault('forbidden', 'The token does not reach this. Use one that is made for this family, or for all.')
}
