import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { ADMINISTRATOR, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import type { AuthService } from '../auth/auth.service.ts'
import { newRetention, retention } from '../policies/policies.model.ts'
import type { PolicyService } from '../policies/policies.service.ts'
import { retentionPlan, retentionPlanBody } from './retention.model.ts'
import type { RetentionService } from './retention.service.ts'

export interface RetentionPorts {
  policies: PolicyService
  retention: RetentionService
  auth: Pick<AuthService, 'requireRecentPassword'>
  clock: Clock
}

export function retentionOperations({ policies, retention: service, auth, clock }: RetentionPorts): Operation[] {
  const common = { tag: 'erasures', resourceKind: 'retention' } as const
  const setting = sessionAccess(ADMINISTRATOR)
  const reading = sessionAccess(['administrator', 'auditor'], { permission: 'audit_read' })
  return [
    defineOperation({
      ...common,
      id: 'getRetention',
      method: 'GET',
      path: '/api/v1/retention',
      summary: 'The retention policies in force: how long submissions are kept, with all that is about them',
      access: reading,
      success: [{ status: 200, schema: retention }],
      failures: [403],
      handle: async () => ({ body: await policies.read() }),
    }),
    defineOperation({
      ...common,
      id: 'setRetention',
      method: 'POST',
      path: '/api/v1/retention',
      summary: 'Put another set of retention policies in force; asks for your own password again',
      access: setting,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newRetention, limits.smallBodyBytes),
      success: [{ status: 200, schema: retention }],
      failures: [403, 409, 415, 422],
      async handle({ body, idempotency, ...context }) {
        auth.requireRecentPassword(context.principal)
        return { body: await policies.set(actorOf(context, clock), idempotency, body) }
      },
    }),
    defineOperation({
      ...common,
      id: 'planRetention',
      method: 'POST',
      path: '/api/v1/retention/plan',
      summary: 'Count what retention policies would remove now; nothing is changed',
      access: setting,
      body: jsonBody(retentionPlanBody, limits.smallBodyBytes),
      success: [{ status: 200, schema: retentionPlan }],
      failures: [403, 415, 422],
      handle: async ({ body }) => ({ body: await service.plan(body.policies) }),
    }),
  ]
}
