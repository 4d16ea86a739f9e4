import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { ADMINISTRATOR, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import type { AuthService } from '../auth/auth.service.ts'
import {
  erasure,
  erasureId,
  erasureList,
  erasurePlan,
  erasurePlanBody,
  erasureQuery,
  madeErasure,
  newErasure,
} from './erasures.model.ts'
import type { ErasureService } from './erasures.service.ts'

export interface ErasurePorts {
  erasures: ErasureService
  auth: Pick<AuthService, 'requireRecentPassword'>
  clock: Clock
}

export function erasureOperations({ erasures, auth, clock }: ErasurePorts): Operation[] {
  const common = { tag: 'erasures', resourceKind: 'erasure' } as const
  const erasing = sessionAccess(ADMINISTRATOR, { scope: 'object_erase' })
  const reading = sessionAccess(['administrator', 'auditor'], { permission: 'audit_read' })
  return [
    defineOperation({
      ...common,
      id: 'planErasure',
      method: 'POST',
      path: '/api/v1/erasures/plan',
      summary: 'Count what erasing an object would take away; nothing is changed',
      access: erasing,
      body: jsonBody(erasurePlanBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: erasurePlan }],
      failures: [403, 415, 422],
      handle: async ({ body }) => ({ body: await erasures.plan(body.object_reference, clock.now()) }),
    }),
    defineOperation({
      ...common,
      id: 'createErasure',
      method: 'POST',
      path: '/api/v1/erasures',
      summary: 'Erase all that is about an object, for good. In a session it asks for your own password again',
      access: erasing,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newErasure, limits.smallBodyBytes),
      success: [{ status: 201, schema: madeErasure }],
      failures: [403, 404, 409, 415, 422],
      async handle({ body, idempotency, ...context }) {
        if (context.principal.token === undefined) auth.requireRecentPassword(context.principal)
        const wanted = { objectReference: body.object_reference, reason: body.reason }
        return { body: await erasures.erase(actorOf(context, clock), idempotency, wanted) }
      },
    }),
    defineOperation({
      ...common,
      id: 'listErasures',
      method: 'GET',
      path: '/api/v1/erasures',
      summary: 'Erasures, newest first',
      access: reading,
      query: erasureQuery,
      success: [{ status: 200, schema: erasureList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await erasures.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'getErasure',
      method: 'GET',
      path: '/api/v1/erasures/{erasureId}',
      summary: 'One erasure',
      access: reading,
      params: erasureId,
      success: [{ status: 200, schema: erasure }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await erasures.read(params.erasureId) }),
    }),
  ]
}
