import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, jsonBody, type Operation } from '../../http/operation.ts'
import { pageById } from '../../http/paging.ts'
import { object, uuid } from '../../http/wire.ts'
import { newRelease, release, releaseList, wrappedRelease } from './releases.model.ts'
import type { ReleaseService } from './releases.service.ts'

const common = { tag: 'releases', resourceKind: 'release', variant: 'configuration' } as const

export function releaseOperations(releases: ReleaseService, { clock }: { clock: Clock }): Operation[] {
  return [
    defineOperation({
      ...common,
      id: 'createRelease',
      method: 'POST',
      path: '/api/v1/releases',
      summary: 'Pins published versions of contract, transformer and template that fit together.',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      headers: { idempotencyKey: 'required' },
      body: jsonBody(newRelease, limits.smallBodyBytes),
      success: [{ status: 201, schema: wrappedRelease }],
      failures: [403, 409, 415, 422],
      handle: (context) => releases.create(actorOf(context, clock), context.idempotency, context.body),
    }),
    defineOperation({
      ...common,
      id: 'listReleases',
      method: 'GET',
      path: '/api/v1/releases',
      summary: 'Releases, newest first.',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      query: object(pageById),
      success: [{ status: 200, schema: releaseList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await releases.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'getRelease',
      method: 'GET',
      path: '/api/v1/releases/{releaseId}',
      summary: 'One release.',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      params: object({ releaseId: uuid }),
      success: [{ status: 200, schema: release }],
      failures: [403, 404, 422],
      handle: async ({ params }) => ({ body: await releases.read(params.releaseId) }),
    }),
  ]
}
