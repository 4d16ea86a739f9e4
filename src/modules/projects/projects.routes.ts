import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { AE, READ4, sessionAccess } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { defineOperation, type MultipartBody, type Operation } from '../../http/operation.ts'
import { ownWorkRefusals } from '../versions/versions.model.ts'
import {
  applyFields,
  exportQuery,
  planFields,
  projectApplied,
  projectArchiveType,
  projectPlan,
} from './projects.model.ts'
import type { ProjectService } from './projects.service.ts'

const path = '/api/v1/project'
const common = { tag: 'project', resourceKind: 'project', variant: 'configuration' } as const

function archive<const F extends MultipartBody['fields']>(fields: F) {
  const maxBytes = limits.projectArchiveBytes + limits.multipartOverheadBytes
  return { kind: 'multipart', fields, fileMediaTypes: [projectArchiveType], maxBytes } as const
}

export function projectOperations(projects: ProjectService, { clock }: { clock: Clock }): Operation[] {
  return [
    defineOperation({
      ...common,
      id: 'exportProject',
      isCostly: true,
      method: 'GET',
      path,
      summary: 'All that is in force as a ZIP archive of files, the same bytes each time.',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      query: exportQuery,
      success: [{ status: 200, mediaType: projectArchiveType }],
      failures: [403, 422],
      async handle(context) {
        const headers = {
          'content-type': projectArchiveType,
          'content-disposition': 'attachment; filename="quire-project.zip"',
        }
        return { headers, stream: await projects.export(actorOf(context, clock), context.query.at) }
      },
    }),
    defineOperation({
      ...common,
      id: 'planProject',
      isCostly: true,
      method: 'POST',
      path: `${path}/plan`,
      summary: 'What bringing an archive of files into force would change and break; nothing is changed.',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      body: archive(planFields),
      success: [{ status: 200, schema: projectPlan }],
      failures: [403, 409, 415, 422],
      async handle(context) {
        const { fields, file } = context.body
        return { body: await projects.plan(actorOf(context, clock), file.bytes, fields) }
      },
    }),
    defineOperation({
      ...common,
      id: 'applyProject',
      method: 'POST',
      path: `${path}/apply`,
      summary: 'Brings an archive of files into force as it was planned, or only freezes it, all in one transaction.',
      access: sessionAccess(AE, { scope: 'configuration_write' }),
      headers: { idempotencyKey: 'required' },
      body: archive(applyFields),
      success: [{ status: 200, schema: projectApplied }],
      failures: [403, 409, 415, 422],
      refusals: ownWorkRefusals,
      async handle(context) {
        const { body, idempotency } = context
        return { body: await projects.apply(actorOf(context, clock), idempotency, body.file.bytes, body.fields) }
      },
    }),
  ]
}
