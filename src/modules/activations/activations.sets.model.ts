import { type Static, Type } from '@sinclair/typebox'
import { familyKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import {
  configurationIssue,
  correlationId,
  hash,
  object,
  oneOf,
  positiveInteger,
  slug,
  text,
  uuid,
} from '../../http/wire.ts'
import { cancellationCode } from '../configuration/configuration.model.ts'
import { activation, dateTime } from './activations.model.ts'

/** Wire shapes of sets: an ingestion model with all that it names, put in force at one instant. */

export const setStates = ['newest', 'drafts', 'before', 'past'] as const

const chosenVersion = object({ family_id: uuid, version: positiveInteger })
const setMembers = {
  ingestion_model_id: uuid,
  state: Type.Optional(
    oneOf(setStates, {
      description:
        'newest: the newest frozen version of each family, unless given. drafts: the draft of each family, which is frozen where it holds changes. before: what was in force before the last change of any of them. past: what was in force at the instant `as_of`.',
    }),
  ),
  as_of: Type.Optional(
    text({
      format: 'date-time',
      description: 'Only with the state past, which needs it: an instant that is not to come.',
    }),
  ),
  versions: Type.Optional(
    Type.Array(chosenVersion, {
      maxItems: limits.activationSetMembers,
      description: 'Other versions than those of the state.',
    }),
  ),
  effective_from: Type.Optional(text({ format: 'date-time', description: 'Now, unless given.' })),
}

export const setRequest = object(setMembers, { $id: 'ActivationSetRequest' })
export type SetRequest = Static<typeof setRequest>

export const setApplication = object({ ...setMembers, plan_hash: hash }, { $id: 'ActivationSetApplication' })

const setMember = object(
  {
    kind: oneOf(familyKinds),
    family_id: uuid,
    slug,
    name: text({ minLength: 1 }),
    action: oneOf(['none', 'activate', 'publish', 'missing'], {
      description:
        'none: it is in force already. publish: of a contract. missing: there is no such family, or no version to use.',
    }),
    from_version: Type.Optional(positiveInteger),
    to_version: Type.Optional(positiveInteger),
    newest_version: Type.Optional(positiveInteger),
    content_hash: Type.Optional(hash),
    freezes_revision: Type.Optional(
      Type.Integer({ minimum: 1, description: "The draft's revision that is frozen as `to_version`." }),
    ),
    since: Type.Optional(dateTime),
    next: Type.Optional(object({ version: positiveInteger, effective_from: dateTime })),
    nodes: Type.Array(text(), { description: 'The addresses of the nodes that use it.' }),
  },
  { $id: 'ActivationSetMember' },
)
export type SetMember = Static<typeof setMember>

const brokenSetCase = object(
  {
    name: text({ description: "The case's file in the project, or its contract, kind and seed." }),
    node: text({ description: "The keys down to the model's node, with slashes between them." }),
    step: text(),
    message: text({ minLength: 1 }),
  },
  { $id: 'BrokenSetCase' },
)

export const setPlan = object(
  {
    plan_hash: hash,
    effective_from: dateTime,
    members: Type.Array(setMember, { maxItems: limits.activationSetMembers }),
    valid: Type.Boolean(),
    cases_run: Type.Integer({
      minimum: 0,
      description:
        'Cases of applied projects and of the contract, or of its version before, that were run as far as the document. None where something does not fit together.',
    }),
    broken_cases: Type.Array(brokenSetCase, {
      maxItems: limits.projectPlanRows,
      description: 'Cases that a node refuses and that do not expect it. They make nothing invalid.',
    }),
    issues: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
    correlation_id: correlationId,
  },
  { $id: 'ActivationSetPlan' },
)
export type SetPlan = Static<typeof setPlan>

export const appliedSet = object(
  {
    plan_hash: hash,
    effective_from: dateTime,
    activations: Type.Array(activation, { maxItems: limits.activationSetMembers }),
    correlation_id: correlationId,
  },
  { $id: 'AppliedActivationSet' },
)
export type AppliedSet = Static<typeof appliedSet>

export const cancelSetBody = object({
  activation_ids: Type.Array(uuid, { minItems: 1, maxItems: limits.activationSetMembers }),
  cancellation_code: cancellationCode,
})
export type CancelSet = Static<typeof cancelSetBody>
export const cancelledSet = object({
  activations: Type.Array(activation, { maxItems: limits.activationSetMembers }),
  correlation_id: correlationId,
})
export type CancelledSet = Static<typeof cancelledSet>
