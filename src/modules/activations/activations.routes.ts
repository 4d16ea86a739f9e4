import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { object, positiveInteger, uuid } from '../../http/wire.ts'
import { mutationResult } from '../configuration/configuration.model.ts'
import { wrappedTemplateVersion } from '../templates/templates.model.ts'
import type { TemplateService } from '../templates/templates.service.ts'
import { ownWorkRefusals } from '../versions/versions.model.ts'
import {
  activation,
  activationList,
  activationQuery,
  approval,
  approvalQuery,
  calendar,
  calendarQuery,
  cancelBody,
  publishBody,
  publishTemplateBody,
  resolveQuery,
} from './activations.model.ts'
import type { ActivationService } from './activations.service.ts'

const variant = 'configuration'
const authoring = sessionAccess(AE, { scope: 'configuration_write' })
/** Those who put versions in force. */
const approving = sessionAccess(AE, { scope: 'configuration_read' })
const reading = sessionAccess(READ4, { scope: 'configuration_read' })

export function activationOperations(
  activations: ActivationService,
  templates: TemplateService,
  { clock }: { clock: Clock },
): Operation[] {
  return [
    ...sourceKinds.flatMap((kind) => [publishOperation(kind, activations, clock), resolveOperation(kind, activations)]),
    publishTemplateOperation(activations, templates, clock),
    resolveOperation(
      { kind: 'template', path: '/api/v1/templates', param: 'templateId', Name: 'Template', tag: 'templates' },
      activations,
    ),
    ...activationTable(activations, clock),
  ]
}

interface Kind {
  kind: 'ingestion_model' | 'transformer' | 'template'
  path: string
  param: string
  Name: string
  tag: string
}

const sourceKinds: readonly Kind[] = [
  {
    kind: 'ingestion_model',
    path: '/api/v1/ingestion-models',
    param: 'ingestionModelId',
    Name: 'IngestionModel',
    tag: 'ingestion models',
  },
  {
    kind: 'transformer',
    path: '/api/v1/transformers',
    param: 'transformerId',
    Name: 'Transformer',
    tag: 'transformers',
  },
]

const publishFailures = [403, 404, 409, 415, 422] as const
const publishSummary = 'Publishes a version, and puts it in force from an instant on.'

function publishOperation({ kind, path, param, Name, tag }: Kind, activations: ActivationService, clock: Clock) {
  return defineOperation({
    id: `publish${Name}Version`,
    method: 'POST',
    path: `${path}/{${param}}/versions/{number}/publish`,
    tag,
    variant,
    resourceKind: kind,
    summary: publishSummary,
    access: authoring,
    params: object({ [param]: uuid, number: positiveInteger }),
    headers: { idempotencyKey: 'required' },
    body: jsonBody(publishBody, limits.smallBodyBytes),
    success: [{ status: 201, schema: mutationResult }],
    failures: publishFailures,
    refusals: ownWorkRefusals,
    handle: (context) => {
      const { params, body, idempotency } = context
      const [id, number] = [String(params[param]), Number(params.number)]
      return activations.publish({ kind, id, number }, actorOf(context, clock), idempotency, body.effective_from)
    },
  })
}

function publishTemplateOperation(activations: ActivationService, templates: TemplateService, clock: Clock) {
  return defineOperation({
    id: 'publishTemplateVersion',
    method: 'POST',
    path: '/api/v1/templates/{templateId}/versions/{number}/publish',
    tag: 'templates',
    variant,
    resourceKind: 'template',
    summary: `${publishSummary} With {} it only lets releases use the version.`,
    access: authoring,
    params: object({ templateId: uuid, number: positiveInteger }),
    headers: { idempotencyKey: 'optional' },
    body: jsonBody(publishTemplateBody, limits.smallBodyBytes),
    success: [
      { status: 201, schema: mutationResult },
      { status: 200, schema: wrappedTemplateVersion },
    ],
    failures: publishFailures,
    refusals: ownWorkRefusals,
    handle: (context) => {
      const { params, body, idempotency } = context
      const { templateId: id, number } = params
      const actor = actorOf(context, clock)
      if (body.effective_from === undefined) return templates.publish(id, number, actor, idempotency)
      if (idempotency === undefined) {
        throw new Fault(
          'validation_failed',
          'Header Idempotency-Key is missing. Send a new one with every new request.',
        )
      }
      return activations.publish({ kind: 'template', id, number }, actor, idempotency, body.effective_from)
    },
  })
}

function resolveOperation({ kind, path, param, Name, tag }: Kind, activations: ActivationService) {
  return defineOperation({
    id: `resolve${Name}Activation`,
    method: 'GET',
    path: `${path}/{${param}}/versions:resolve`,
    tag,
    variant,
    resourceKind: kind,
    summary: 'The activation in force at an instant.',
    access: reading,
    params: object({ [param]: uuid }),
    query: resolveQuery,
    success: [{ status: 200, schema: activation }],
    failures: [403, 404, 422],
    handle: async ({ params, query }) => ({
      body: await activations.resolve(kind, String(params[param]), query.at),
    }),
  })
}

function activationTable(activations: ActivationService, clock: Clock): Operation[] {
  const common = { tag: 'activations', variant, resourceKind: 'activation' } as const
  return [
    defineOperation({
      ...common,
      id: 'listActivations',
      method: 'GET',
      path: '/api/v1/activations',
      summary: 'Activations, newest scheduling first.',
      access: reading,
      query: activationQuery,
      success: [{ status: 200, schema: activationList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await activations.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'readActivationCalendar',
      method: 'GET',
      path: '/api/v1/activations/calendar',
      summary: 'What comes into force in a range of time, what it takes over from, and until when it is in force.',
      access: reading,
      query: calendarQuery,
      success: [{ status: 200, schema: calendar }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await activations.calendar(query) }),
    }),
    defineOperation({
      ...common,
      id: 'readVersionApproval',
      method: 'GET',
      path: '/api/v1/approvals',
      summary: 'Whether the policy of four eyes lets the caller put a version in force.',
      access: approving,
      query: approvalQuery,
      success: [{ status: 200, schema: approval }],
      failures: [403, 404, 422],
      handle: async (context) => ({ body: await activations.approval(actorOf(context, clock), context.query) }),
    }),
    defineOperation({
      ...common,
      id: 'cancelActivation',
      method: 'POST',
      path: '/api/v1/activations/{activationId}/cancel',
      summary: 'Cancels an activation that has not begun; its instant is free again.',
      access: authoring,
      params: object({ activationId: uuid }),
      headers: { idempotencyKey: 'required' },
      body: jsonBody(cancelBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: mutationResult }],
      failures: [403, 404, 409, 415, 422],
      handle: (context) => {
        const { params, body, idempotency } = context
        const actor = actorOf(context, clock)
        return activations.cancel(params.activationId, actor, idempotency, body.cancellation_code)
      },
    }),
  ]
}
