import { READ4, sessionAccess } from '../../http/access.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { demoCatalog } from './intake-lab.model.ts'
import type { IntakeLabService } from './intake-lab.service.ts'

export function intakeLabOperations(lab: IntakeLabService): Operation[] {
  return [
    defineOperation({
      id: 'getIntakeTestLabCatalog',
      method: 'GET',
      path: '/api/v1/intake-test-lab/scenarios',
      tag: 'intake test lab',
      summary: 'The four synthetic scenarios, and whether the configuration they need is in force.',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      success: [{ status: 200, schema: demoCatalog }],
      failures: [401, 403, 503],
      handle: async () => ({ body: await lab.catalog() }),
    }),
  ]
}
