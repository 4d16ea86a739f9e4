import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { ADMINISTRATOR, AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../http/operation.ts'
import {
  acceptance,
  accepted,
  caseToRemove,
  newCase,
  newSuitePolicy,
  suite,
  suiteCase,
  suiteCaseId,
  suiteId,
  suiteList,
  suitePolicy,
  suiteQuery,
  suiteRun,
  suiteRunRequest,
} from './suites.model.ts'
import type { SuiteService } from './suites.service.ts'

const path = '/api/v1/suites'
const onePath = `${path}/{ingestionModelId}`
const casePath = `${onePath}/cases/{caseName}`

export function suiteOperations(suites: SuiteService, { clock }: { clock: Clock }): Operation[] {
  const common = { tag: 'suites', resourceKind: 'ingestion_model', variant: 'configuration' } as const
  const reading = sessionAccess(READ4, { scope: 'configuration_read' })
  const writing = sessionAccess(AE, { scope: 'configuration_write' })
  return [
    defineOperation({
      ...common,
      id: 'listSuites',
      method: 'GET',
      path,
      summary: 'The suites of ingestion models, newest model first; or of those that use a family.',
      access: reading,
      query: suiteQuery,
      success: [{ status: 200, schema: suiteList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await suites.list(query.family_id) }),
    }),
    defineOperation({
      ...common,
      id: 'getSuite',
      method: 'GET',
      path: onePath,
      summary: "A model's cases, and when they have to be green.",
      access: reading,
      params: suiteId,
      success: [{ status: 200, schema: suite }],
      failures: [403, 404],
      handle: async ({ params, principal }) => ({
        body: await suites.read(params.ingestionModelId, principal.token?.families),
      }),
    }),
    defineOperation({
      ...common,
      id: 'runSuite',
      isTrial: true,
      method: 'POST',
      path: `${onePath}/runs`,
      summary: 'Runs cases with drafts, or with what is in force, and says what is not as expected; keeps nothing.',
      access: writing,
      params: suiteId,
      body: jsonBody(suiteRunRequest, limits.smallBodyBytes),
      success: [{ status: 200, schema: suiteRun }],
      failures: [403, 404, 409, 415, 422],
      handle: async (context) => ({
        body: await suites.run(actorOf(context, clock), context.params.ingestionModelId, context.body),
      }),
    }),
    defineOperation({
      ...common,
      id: 'acceptSuite',
      isTrial: true,
      isKept: true,
      method: 'POST',
      path: `${onePath}/acceptances`,
      summary: 'Writes down what cases make now as what is expected of them, as quire test --update does.',
      access: writing,
      params: suiteId,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(acceptance, limits.smallBodyBytes),
      success: [{ status: 200, schema: accepted }],
      failures: [403, 404, 409, 415, 422],
      async handle(context) {
        const { params, idempotency, body } = context
        return { body: await suites.accept(actorOf(context, clock), idempotency, params.ingestionModelId, body) }
      },
    }),
    defineOperation({
      ...common,
      id: 'setSuitePolicy',
      method: 'PUT',
      path: `${onePath}/policy`,
      summary: 'Says when the suite has to be green, and may let it pass for some hours.',
      access: sessionAccess(ADMINISTRATOR, { scope: 'configuration_write' }),
      params: suiteId,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newSuitePolicy, limits.smallBodyBytes),
      success: [{ status: 200, schema: suitePolicy }],
      failures: [403, 404, 409, 415, 422],
      async handle(context) {
        const { params, idempotency, body } = context
        return { body: await suites.setPolicy(actorOf(context, clock), idempotency, params.ingestionModelId, body) }
      },
    }),
    defineOperation({
      ...common,
      id: 'getSuiteCase',
      method: 'GET',
      path: casePath,
      summary: 'A case: its input, its params, and which files say what is expected of it.',
      access: reading,
      params: suiteCaseId,
      success: [{ status: 200, schema: suiteCase }],
      failures: [403, 404, 409, 422],
      handle: async ({ params, principal }) => ({
        body: await suites.readCase(params.ingestionModelId, params.caseName, principal.token?.families),
      }),
    }),
    defineOperation({
      ...common,
      id: 'putSuiteCase',
      method: 'PUT',
      path: casePath,
      summary: 'Stores an input as a case; what is expected of it stays as it is.',
      access: writing,
      params: suiteCaseId,
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newCase, limits.submissionBodyBytes),
      success: [{ status: 200, schema: suiteCase }],
      failures: [403, 404, 409, 415, 422],
      async handle(context) {
        const { params, idempotency, body } = context
        const place = { id: params.ingestionModelId, name: params.caseName }
        return { body: await suites.put(actorOf(context, clock), idempotency, place, body) }
      },
    }),
    defineOperation({
      ...common,
      id: 'deleteSuiteCase',
      method: 'DELETE',
      path: casePath,
      summary: 'Removes a case with all that is expected of it.',
      access: writing,
      params: suiteCaseId,
      query: caseToRemove,
      body: emptyBody,
      success: [{ status: 204 }],
      failures: [403, 404, 409, 415, 422],
      async handle(context) {
        const { params, query } = context
        const place = { id: params.ingestionModelId, name: params.caseName }
        await suites.remove(actorOf(context, clock), place, query.case_hash)
        return {}
      },
    }),
  ]
}
