import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { caseId, caseImport, caseList, caseQuery, caseWanted, testCase } from './cases.model.ts'
import type { CaseService, MadeCase } from './cases.service.ts'

export function caseOperations(cases: CaseService, { clock }: { clock: Clock }): Operation[] {
  const common = { tag: 'cases', resourceKind: 'case' } as const
  /** 201 for a new case, 200 for an existing one. */
  const made = [
    { status: 201, schema: testCase },
    { status: 200, schema: testCase },
  ] as const
  const answer = ({ case: body, isNew }: MadeCase) => ({ status: isNew ? 201 : 200, body })
  return [
    defineOperation({
      ...common,
      id: 'listCases',
      method: 'GET',
      path: '/api/v1/cases',
      summary: 'List cases without their payloads, newest first',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      query: caseQuery,
      success: [{ status: 200, schema: caseList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await cases.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'generateCase',
      isTrial: true,
      isKept: true,
      method: 'POST',
      path: '/api/v1/cases/generate',
      summary: 'Generate a payload for a contract version; the same kind and seed give the same case',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      body: jsonBody(caseWanted, limits.smallBodyBytes),
      success: made,
      failures: [403, 415, 422],
      handle: async (context) => answer(await cases.generate(actorOf(context, clock), context.body)),
    }),
    defineOperation({
      ...common,
      id: 'importFixtureCase',
      isTrial: true,
      isKept: true,
      method: 'POST',
      path: '/api/v1/cases/import',
      summary: 'Store a payload that satisfies its contract; the same payload and kind give the same case',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      body: jsonBody(caseImport, limits.submissionBodyBytes),
      success: made,
      failures: [403, 415, 422],
      handle: async (context) => answer(await cases.import(actorOf(context, clock), context.body)),
    }),
    defineOperation({
      ...common,
      id: 'getCase',
      method: 'GET',
      path: '/api/v1/cases/{caseId}',
      summary: 'Read one case with its payload',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      params: caseId,
      success: [{ status: 200, schema: testCase }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await cases.read(params.caseId) }),
    }),
  ]
}
