import { ALL, sessionAccess } from '../../http/access.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { storageList, storageQuery } from './storage.model.ts'
import type { StorageService } from './storage.service.ts'

export function storageOperations(storage: StorageService): Operation[] {
  return [
    defineOperation({
      id: 'listStorage',
      method: 'GET',
      path: '/api/v1/storage',
      tag: 'storage',
      summary: 'Successful artifacts in a window of time, newest first.',
      access: sessionAccess(ALL, { permission: 'submission_read' }),
      query: storageQuery,
      success: [{ status: 200, schema: storageList }],
      failures: [401, 403, 422, 503],
      handle: async ({ query }) => ({ body: await storage.list(query) }),
    }),
  ]
}
