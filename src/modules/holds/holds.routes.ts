import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { ADMINISTRATOR, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import type { AuthService } from '../auth/auth.service.ts'
import { hold, holdId, holdList, holdQuery, holdRelease, newHold } from './holds.model.ts'
import type { HoldService } from './holds.service.ts'

export interface HoldPorts {
  holds: HoldService
  auth: Pick<AuthService, 'requireRecentPassword'>
  clock: Clock
}

export function holdOperations({ holds, auth, clock }: HoldPorts): Operation[] {
  const common = { tag: 'erasures', resourceKind: 'hold' } as const
  const holding = sessionAccess(ADMINISTRATOR)
  const reading = sessionAccess(['administrator', 'auditor'], { permission: 'audit_read' })
  return [
    defineOperation({
      ...common,
      id: 'placeHold',
      method: 'POST',
      path: '/api/v1/holds',
      summary: 'Place a legal hold on an object or an ingestion model: nothing of it is erased until it is released',
      access: holding,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newHold, limits.smallBodyBytes),
      success: [{ status: 201, schema: hold }],
      failures: [403, 404, 409, 415, 422],
      async handle({ body, idempotency, ...context }) {
        return { body: await holds.place(actorOf(context, clock), idempotency, body) }
      },
    }),
    defineOperation({
      ...common,
      id: 'releaseHold',
      method: 'POST',
      path: '/api/v1/holds/{holdId}/release',
      summary: 'Release a legal hold, for good; asks for your own password again',
      access: holding,
      params: holdId,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(holdRelease, limits.smallBodyBytes),
      success: [{ status: 200, schema: hold }],
      failures: [403, 404, 409, 415, 422],
      async handle({ params, body, idempotency, ...context }) {
        auth.requireRecentPassword(context.principal)
        const wanted = { id: params.holdId, reason: body.reason }
        return { body: await holds.release(actorOf(context, clock), idempotency, wanted) }
      },
    }),
    defineOperation({
      ...common,
      id: 'listHolds',
      method: 'GET',
      path: '/api/v1/holds',
      summary: 'Legal holds, in force and released, newest first',
      access: reading,
      query: holdQuery,
      success: [{ status: 200, schema: holdList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await holds.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'getHold',
      method: 'GET',
      path: '/api/v1/holds/{holdId}',
      summary: 'One legal hold',
      access: reading,
      params: holdId,
      success: [{ status: 200, schema: hold }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await holds.read(params.holdId) }),
    }),
  ]
}
