import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { ALL, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { object, uuid } from '../../http/wire.ts'
import { execution } from '../executions/executions.model.ts'
import {
  createdSubmission,
  newExecution,
  newSubmission,
  submission,
  submissionList,
  submissionPlan,
  submissionQuery,
} from './submissions.model.ts'
import type { SubmissionPlanService } from './submissions.outlook.service.ts'
import type { SubmissionService } from './submissions.service.ts'

const tag = 'submissions'

export function submissionOperations(
  submissions: SubmissionService,
  plans: SubmissionPlanService,
  { clock }: { clock: Clock },
): Operation[] {
  return [
    defineOperation({
      id: 'planSubmission',
      method: 'POST',
      path: '/api/v1/submissions/plan',
      tag,
      summary: 'What handing in this body now would run, with which versions and why; nothing is made.',
      access: sessionAccess(ALL, { permission: 'submission_create' }),
      body: jsonBody(newSubmission, limits.submissionBodyBytes),
      success: [{ status: 200, schema: submissionPlan }],
      failures: [401, 403, 415, 422, 503],
      handle: async (context) => ({ body: await plans.plan(actorOf(context, clock), context.body) }),
    }),
    defineOperation({
      id: 'createSubmission',
      method: 'POST',
      path: '/api/v1/submissions',
      tag,
      summary:
        'Hands in one raw input; every processing node of the model in force that wants it becomes an execution.',
      access: sessionAccess(ALL, { permission: 'submission_create' }),
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newSubmission, limits.submissionBodyBytes),
      success: [{ status: 202, schema: createdSubmission }],
      failures: [401, 403, 409, 415, 422, 503],
      handle: (context) => submissions.submit(actorOf(context, clock), context.idempotency, context.body),
    }),
    defineOperation({
      id: 'createExecution',
      method: 'POST',
      path: '/api/v1/executions',
      tag: 'executions',
      summary: 'Runs one release on one input; a submission is made for it.',
      access: sessionAccess(ALL, { permission: 'submission_create' }),
      headers: { idempotencyKey: 'optional' },
      body: jsonBody(newExecution, limits.submissionBodyBytes),
      success: [{ status: 202, schema: execution }],
      failures: [401, 403, 409, 415, 422, 503],
      handle: (context) => submissions.execute(actorOf(context, clock), context.idempotency, context.body),
    }),
    defineOperation({
      id: 'listSubmissions',
      method: 'GET',
      path: '/api/v1/submissions',
      tag,
      summary: 'Submissions, newest first; all of them, or those of one object.',
      access: sessionAccess(ALL, { permission: 'submission_read' }),
      query: submissionQuery,
      success: [{ status: 200, schema: submissionList }],
      failures: [401, 403, 422, 503],
      handle: async ({ query }) => ({
        body: await submissions.list(query),
      }),
    }),
    defineOperation({
      id: 'getSubmission',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}',
      tag,
      summary: 'One submission with the state of its executions.',
      access: sessionAccess(ALL, { permission: 'submission_read' }),
      params: object({ submissionId: uuid }),
      success: [{ status: 200, schema: submission }],
      failures: [401, 403, 404, 503],
      handle: async ({ params }) => ({ body: await submissions.read(params.submissionId) }),
    }),
  ]
}
