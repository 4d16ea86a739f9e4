import { ADMINISTRATOR, sessionAccess } from '../../http/access.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { operationsStatus } from './operations.model.ts'
import type { OperationsService } from './operations.service.ts'

export function operationsOperations(operations: OperationsService): Operation[] {
  return [
    defineOperation({
      id: 'getOperationsStatus',
      method: 'GET',
      path: '/api/v1/admin/operations',
      tag: 'health',
      summary:
        'Queue, throughput, failures by cause, storage, retention, outbox, receivers, instances and replica at one look',
      access: sessionAccess(ADMINISTRATOR, { scope: 'readiness_read' }),
      success: [{ status: 200, schema: operationsStatus }],
      failures: [403],
      handle: async () => ({ body: await operations.status() }),
    }),
  ]
}
