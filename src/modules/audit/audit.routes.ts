import { ALL, sessionAccess } from '../../http/access.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { auditList, auditQuery, auditVerification, auditVerifyQuery } from './audit.model.ts'
import type { AuditService } from './audit.service.ts'

export function auditOperations(audit: AuditService): Operation[] {
  const common = {
    method: 'GET',
    tag: 'audit',
    resourceKind: 'audit_record',
    access: sessionAccess(ALL, { permission: 'audit_read' }),
  } as const
  return [
    defineOperation({
      ...common,
      id: 'listAudit',
      path: '/api/v1/audit',
      summary: 'Audit records, newest first',
      query: auditQuery,
      success: [{ status: 200, schema: auditList }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await audit.list(query) }),
    }),
    defineOperation({
      ...common,
      id: 'verifyAudit',
      isCostly: true,
      path: '/api/v1/audit/verify',
      summary: 'Compute the chain of audit records again and say where it breaks',
      query: auditVerifyQuery,
      success: [{ status: 200, schema: auditVerification }],
      failures: [403, 422],
      handle: async ({ query }) => ({ body: await audit.verify(query.from_position) }),
    }),
  ]
}
