import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { pageById } from '../../http/paging.ts'
import { configurationValidationResult, object } from '../../http/wire.ts'
import { nothing } from '../configuration/configuration.model.ts'
import { expectedRevision } from '../configuration/older.model.ts'
import {
  newTransform,
  transform,
  transformChange,
  transformId,
  transformList,
  transformPreview,
  transformToPreview,
  transformToValidate,
  transformVersionPath,
  wrappedTransform,
  wrappedTransformVersion,
} from './transforms.model.ts'
import type { TransformService } from './transforms.service.ts'

export function transformOperations(transforms: TransformService, { clock }: { clock: Clock }): Operation[] {
  const common = { tag: 'transforms', resourceKind: 'transformer' } as const
  const sourceBodyBytes = limits.transformerValidateBodyBytes
  return [
    defineOperation({
      ...common,
      id: 'listTransforms',
      method: 'GET',
      path: '/api/v1/transforms',
      summary: 'List transforms, newest first',
      access: sessionAccess(READ4),
      query: object(pageById),
      success: [{ status: 200, schema: transformList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await transforms.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'createTransform',
      method: 'POST',
      path: '/api/v1/transforms',
      summary: 'Create a transform with its first draft',
      access: sessionAccess(AE),
      body: jsonBody(newTransform, sourceBodyBytes),
      success: [{ status: 201, schema: wrappedTransform }],
      failures: [403, 409, 415, 422],
      handle: async (context) => ({
        body: { transform: await transforms.create(actorOf(context, clock), context.body) },
      }),
    }),
    defineOperation({
      ...common,
      id: 'getTransform',
      method: 'GET',
      path: '/api/v1/transforms/{transformId}',
      summary: 'Read a transform: its draft and its versions',
      access: sessionAccess(READ4),
      params: transformId,
      success: [{ status: 200, schema: transform }],
      failures: [403, 404],
      handle: async ({ params }) => ({ body: await transforms.read(params.transformId) }),
    }),
    defineOperation({
      ...common,
      id: 'updateTransformDraft',
      method: 'PUT',
      path: '/api/v1/transforms/{transformId}',
      summary: 'Replace the draft, if it is still at the expected revision',
      access: sessionAccess(AE),
      params: transformId,
      body: jsonBody(transformChange, sourceBodyBytes),
      success: [{ status: 200, schema: wrappedTransform }],
      failures: [403, 404, 409, 412, 415, 422],
      handle: async (context) => {
        const { transformId: id } = context.params
        return { body: { transform: await transforms.update(actorOf(context, clock), id, context.body) } }
      },
    }),
    defineOperation({
      ...common,
      id: 'validateTransformDraft',
      method: 'POST',
      path: '/api/v1/transforms/{transformId}/validate',
      summary: 'Say what is wrong with a source; changes nothing',
      access: sessionAccess(AE),
      params: transformId,
      body: jsonBody(transformToValidate, sourceBodyBytes),
      success: [{ status: 200, schema: configurationValidationResult }],
      failures: [403, 404, 415, 422],
      handle: async ({ params, body, correlationId }) => ({
        body: await transforms.validate(params.transformId, body, correlationId),
      }),
    }),
    defineOperation({
      ...common,
      id: 'previewTransform',
      method: 'POST',
      path: '/api/v1/transforms/{transformId}/preview',
      summary: 'Run a source on a case; keeps nothing',
      access: sessionAccess(AE),
      params: transformId,
      body: jsonBody(transformToPreview, sourceBodyBytes),
      success: [{ status: 200, schema: transformPreview }],
      failures: [403, 404, 415, 422],
      handle: async ({ params, body }) => ({ body: await transforms.preview(params.transformId, body) }),
    }),
    defineOperation({
      ...common,
      id: 'createTransformVersion',
      method: 'POST',
      path: '/api/v1/transforms/{transformId}/versions',
      summary: 'Freeze the draft as the next version',
      access: sessionAccess(AE),
      params: transformId,
      body: jsonBody(expectedRevision, limits.smallBodyBytes),
      success: [{ status: 201, schema: wrappedTransformVersion }],
      failures: [403, 404, 412, 415, 422],
      handle: async (context) => {
        const { transformId: id } = context.params
        return {
          body: { version: await transforms.freeze(actorOf(context, clock), id, context.body.expected_revision) },
        }
      },
    }),
    defineOperation({
      ...common,
      id: 'publishTransformVersion',
      method: 'POST',
      path: '/api/v1/transforms/{transformId}/versions/{number}/publish',
      summary: 'Let releases use a version; puts nothing in force',
      access: sessionAccess(AE),
      params: transformVersionPath,
      body: jsonBody(nothing, limits.smallBodyBytes),
      success: [{ status: 200, schema: wrappedTransformVersion }],
      failures: [403, 404, 409, 415, 422],
      handle: async (context) => {
        const { transformId: id, number } = context.params
        return { body: { version: await transforms.publish(actorOf(context, clock), id, number) } }
      },
    }),
  ]
}
