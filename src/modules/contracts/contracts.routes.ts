import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, ALL, READ4, sessionAccess } from '../../http/access.ts'
import { authorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { pageById } from '../../http/paging.ts'
import { object } from '../../http/wire.ts'
import { operationsByRevision } from '../by-revision/by-revision.routes.ts'
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
  contractVersionItem,
  contractVersionPath,
  newContract,
} from './contracts.model.ts'
import type { ContractService } from './contracts.service.ts'

const contractKind = {
  common: { tag: 'contracts', resourceKind: 'contract' },
  name: 'Contract',
  one: 'contract',
  path: '/api/v1/contracts',
  param: 'contractId',
  newOne: newContract,
  change: contractChange,
  maxBodyBytes: limits.contractBodyBytes,
  schema: contract,
  version: contractVersionItem,
} as const

export function contractOperations(contracts: ContractService, { clock }: { clock: Clock }): Operation[] {
  const { common } = contractKind
  const revision = operationsByRevision(contractKind, contracts, clock)
  return [
    defineOperation({
      ...common,
      id: 'listContracts',
      method: 'GET',
      path: '/api/v1/contracts',
      summary: 'List contracts with their versions, newest first',
      access: sessionAccess(ALL, { scope: 'configuration_read' }),
      query: object(pageById),
      success: [{ status: 200, schema: contractList }],
      failures: [403, 422],
      handle: async ({ query, principal }) => {
        const seesAll = principal.roles.some((role) => READ4.includes(role))
        return { body: await contracts.list(query, seesAll ? 'all' : 'released') }
      },
    }),
    revision.create,
    revision.read,
    revision.update,
    defineOperation({
      ...common,
      id: 'validateContractDraft',
      isTrial: true,
      method: 'POST',
      path: '/api/v1/contracts/{contractId}/validate',
      summary: 'Say what is wrong with the draft, or with the schema given; changes nothing',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      params: contractId,
      body: jsonBody(contractToValidate, limits.contractBodyBytes),
      success: [{ status: 200, schema: contractValidationResult }],
      failures: [403, 404, 415, 422],
      handle: async (context) => ({
        body: await contracts.validate(context.params.contractId, context.body.schema, authorOf(context)),
      }),
    }),
    revision.freeze,
    defineOperation({
      ...common,
      id: 'getContractVersion',
      method: 'GET',
      path: '/api/v1/contracts/{contractId}/versions/{number}',
      summary: 'Read one version with its schema',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      params: contractVersionPath,
      success: [{ status: 200, schema: contractVersion }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await contracts.readVersion(params.contractId, params.number) }),
    }),
    defineOperation({
      ...common,
      id: 'compareContractVersions',
      isTrial: true,
      method: 'GET',
      path: '/api/v1/contracts/{contractId}/versions/{older}/diff/{newer}',
      summary: 'Say what changed between two versions, and what that means for documents',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      params: contractDiffPath,
      success: [{ status: 200, schema: contractDiff }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await contracts.diff(params.contractId, params.older, params.newer) }),
    }),
    revision.moveVersion('publish', 'Let releases use a version', contracts.publish),
    revision.moveVersion('deprecate', 'Close a published version to new releases', contracts.deprecate),
  ]
}
