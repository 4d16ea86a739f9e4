import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { authorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { pageById } from '../../http/paging.ts'
import { configurationValidationResult, object } from '../../http/wire.ts'
import { operationsByRevision } from '../by-revision/by-revision.routes.ts'
import {
  newTransform,
  transform,
  transformChange,
  transformId,
  transformList,
  transformPreview,
  transformToPreview,
  transformToValidate,
  transformVersion,
} from './transforms.model.ts'
import type { TransformService } from './transforms.service.ts'

const transformKind = {
  common: { tag: 'transforms', resourceKind: 'transformer' },
  name: 'Transform',
  one: 'transform',
  path: '/api/v1/transforms',
  param: 'transformId',
  newOne: newTransform,
  change: transformChange,
  maxBodyBytes: limits.transformerValidateBodyBytes,
  schema: transform,
  version: transformVersion,
} as const

export function transformOperations(transforms: TransformService, { clock }: { clock: Clock }): Operation[] {
  const { common, maxBodyBytes } = transformKind
  const revision = operationsByRevision(transformKind, transforms, clock)
  return [
    defineOperation({
      ...common,
      id: 'listTransforms',
      method: 'GET',
      path: '/api/v1/transforms',
      summary: 'List transforms, newest first',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      query: object(pageById),
      success: [{ status: 200, schema: transformList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await transforms.list(query) }),
    }),
    revision.create,
    revision.read,
    revision.update,
    defineOperation({
      ...common,
      id: 'validateTransformDraft',
      isTrial: true,
      method: 'POST',
      path: '/api/v1/transforms/{transformId}/validate',
      summary: 'Say what is wrong with a source; changes nothing',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      params: transformId,
      body: jsonBody(transformToValidate, maxBodyBytes),
      success: [{ status: 200, schema: configurationValidationResult }],
      failures: [403, 404, 415, 422],
      handle: async (context) => ({
        body: await transforms.validate(context.params.transformId, context.body, authorOf(context)),
      }),
    }),
    defineOperation({
      ...common,
      id: 'previewTransform',
      isTrial: true,
      method: 'POST',
      path: '/api/v1/transforms/{transformId}/preview',
      summary: 'Run a source on a case; keeps nothing',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      params: transformId,
      body: jsonBody(transformToPreview, maxBodyBytes),
      success: [{ status: 200, schema: transformPreview }],
      failures: [403, 404, 415, 422],
      handle: async ({ params, body }) => ({ body: await transforms.preview(params.transformId, body) }),
    }),
    revision.freeze,
    revision.moveVersion('publish', 'Let releases use a version; puts nothing in force', transforms.publish),
  ]
}
