import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { ownWorkRefusals } from '../versions/versions.model.ts'
import {
  appliedSet,
  cancelledSet,
  cancelSetBody,
  setApplication,
  setPlan,
  setRequest,
} from './activations.sets.model.ts'
import type { ActivationSetService } from './activations.sets.service.ts'

const path = '/api/v1/activation-sets'
const common = { tag: 'activations', variant: 'configuration', resourceKind: 'ingestion_model' } as const
const authoring = sessionAccess(AE, { scope: 'configuration_write' })

export function activationSetOperations(sets: ActivationSetService, { clock }: { clock: Clock }): Operation[] {
  return [
    defineOperation({
      ...common,
      id: 'planActivationSet',
      method: 'POST',
      path: `${path}/plan`,
      summary:
        'What putting an ingestion model in force with all that it names would change and break; nothing is changed.',
      access: authoring,
      body: jsonBody(setRequest, limits.smallBodyBytes),
      success: [{ status: 200, schema: setPlan }],
      failures: [403, 404, 415, 422],
      handle: async (context) => ({ body: await sets.plan(actorOf(context, clock), context.body) }),
    }),
    defineOperation({
      ...common,
      id: 'applyActivationSet',
      method: 'POST',
      path,
      summary: 'Puts an ingestion model in force with all that it names, at one instant, as it was planned.',
      access: authoring,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(setApplication, limits.smallBodyBytes),
      success: [{ status: 200, schema: appliedSet }],
      failures: [403, 404, 409, 415, 422],
      refusals: ownWorkRefusals,
      handle: async (context) => ({
        body: await sets.apply(actorOf(context, clock), context.idempotency, context.body),
      }),
    }),
    defineOperation({
      ...common,
      id: 'cancelActivationSet',
      method: 'POST',
      path: `${path}/cancel`,
      summary: 'Cancels activations that have not begun, all of them or none.',
      access: authoring,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(cancelSetBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: cancelledSet }],
      failures: [403, 404, 409, 415, 422],
      handle: async (context) => ({
        body: await sets.cancel(actorOf(context, clock), context.idempotency, context.body),
      }),
    }),
  ]
}
