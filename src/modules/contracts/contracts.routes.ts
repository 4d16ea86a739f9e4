import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, ALL, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { pageById } from '../../http/paging.ts'
import { object } from '../../http/wire.ts'
import { nothing } from '../configuration/configuration.model.ts'
import { expectedRevision } from '../configuration/older.model.ts'
import {
  contract,
  contractChange,
  contractDiff,
  contractDiffPath,
  contractId,
  contractList,
  contractToValidate,
  contractValidationResult,
  contractVersion,
  contractVersionPath,
  newContract,
  wrappedContract,
  wrappedContractVersion,
} from './contracts.model.ts'
import type { ContractService } from './contracts.service.ts'

export function contractOperations(contracts: ContractService, { clock }: { clock: Clock }): Operation[] {
  const common = { tag: 'contracts', resourceKind: 'contract' } as const
  return [
    defineOperation({
      ...common,
      id: 'listContracts',
      method: 'GET',
      path: '/api/v1/contracts',
      summary: 'List contracts with their versions, newest first',
      access: sessionAccess(ALL),
      query: object(pageById),
      success: [{ status: 200, schema: contractList }],
      failures: [403, 422],
      handle: async ({ query, principal }) => {
        const onlyReleased = !principal.roles.some((role) => READ4.includes(role))
        return { body: await contracts.list(query, onlyReleased) }
      },
    }),
    defineOperation({
      ...common,
      id: 'createContract',
      method: 'POST',
      path: '/api/v1/contracts',
      summary: 'Create a contract with its first draft',
      access: sessionAccess(AE),
      body: jsonBody(newContract, limits.contractBodyBytes),
      success: [{ status: 201, schema: wrappedContract }],
      failures: [403, 409, 415, 422],
      handle: async (context) => ({
        body: { contract: await contracts.create(actorOf(context, clock), context.body) },
      }),
    }),
    defineOperation({
      ...common,
      id: 'getContract',
      method: 'GET',
      path: '/api/v1/contracts/{contractId}',
      summary: 'Read a contract: its draft and its versions',
      access: sessionAccess(READ4),
      params: contractId,
      success: [{ status: 200, schema: contract }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await contracts.read(params.contractId) }),
    }),
    defineOperation({
      ...common,
      id: 'updateContractDraft',
      method: 'PUT',
      path: '/api/v1/contracts/{contractId}',
      summary: 'Replace the draft, if it is still at the expected revision',
      access: sessionAccess(AE),
      params: contractId,
      body: jsonBody(contractChange, limits.contractBodyBytes),
      success: [{ status: 200, schema: wrappedContract }],
      failures: [403, 404, 409, 412, 415, 422],
      handle: async (context) => ({
        body: { contract: await contracts.update(actorOf(context, clock), context.params.contractId, context.body) },
      }),
    }),
    defineOperation({
      ...common,
      id: 'validateContractDraft',
      method: 'POST',
      path: '/api/v1/contracts/{contractId}/validate',
      summary: 'Say what is wrong with the draft, or with the schema given; changes nothing',
      access: sessionAccess(AE),
      params: contractId,
      body: jsonBody(contractToValidate, limits.contractBodyBytes),
      success: [{ status: 200, schema: contractValidationResult }],
      failures: [403, 404, 415, 422],
      handle: async ({ params, body, correlationId }) => ({
        body: await contracts.validate(params.contractId, body.schema, correlationId),
      }),
    }),
    defineOperation({
      ...common,
      id: 'createContractVersion',
      method: 'POST',
      path: '/api/v1/contracts/{contractId}/versions',
      summary: 'Freeze the draft as the next version',
      access: sessionAccess(AE),
      params: contractId,
      body: jsonBody(expectedRevision, limits.smallBodyBytes),
      success: [{ status: 201, schema: wrappedContractVersion }],
      failures: [403, 404, 412, 415, 422],
      handle: async (context) => {
        const { contractId: id } = context.params
        return {
          body: { version: await contracts.freeze(actorOf(context, clock), id, context.body.expected_revision) },
        }
      },
    }),
    defineOperation({
      ...common,
      id: 'getContractVersion',
      method: 'GET',
      path: '/api/v1/contracts/{contractId}/versions/{number}',
      summary: 'Read one version with its schema',
      access: sessionAccess(READ4),
      params: contractVersionPath,
      success: [{ status: 200, schema: contractVersion }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await contracts.readVersion(params.contractId, params.number) }),
    }),
    defineOperation({
      ...common,
      id: 'compareContractVersions',
      method: 'GET',
      path: '/api/v1/contracts/{contractId}/versions/{older}/diff/{newer}',
      summary: 'Say what changed between two versions, and what that means for documents',
      access: sessionAccess(READ4),
      params: contractDiffPath,
      success: [{ status: 200, schema: contractDiff }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await contracts.diff(params.contractId, params.older, params.newer) }),
    }),
    defineOperation({
      ...common,
      id: 'publishContractVersion',
      method: 'POST',
      path: '/api/v1/contracts/{contractId}/versions/{number}/publish',
      summary: 'Let releases use a version',
      access: sessionAccess(AE),
      params: contractVersionPath,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 200, schema: wrappedContractVersion }],
      failures: [403, 404, 409, 415, 422],
      handle: async (context) => {
        const { contractId: id, number } = context.params
        return { body: { version: await contracts.publish(actorOf(context, clock), id, number) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'deprecateContractVersion',
      method: 'POST',
      path: '/api/v1/contracts/{contractId}/versions/{number}/deprecate',
      summary: 'Close a published version to new releases',
      access: sessionAccess(AE),
      params: contractVersionPath,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 200, schema: wrappedContractVersion }],
      failures: [403, 404, 409, 415, 422],
      handle: async (context) => {
        const { contractId: id, number } = context.params
        return { body: { version: await contracts.deprecate(actorOf(context, clock), id, number) } }
      },
    }),
  ]
}
