import { READ4, sessionAccess } from '../../http/access.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { comparison, comparisonQuery } from './comparisons.model.ts'
import type { ComparisonService } from './comparisons.service.ts'

export function comparisonOperations(comparisons: ComparisonService): Operation[] {
  return [
    defineOperation({
      id: 'compareConfiguration',
      method: 'GET',
      path: '/api/v1/comparisons',
      tag: 'activations',
      variant: 'configuration',
      summary:
        'What differs between two states of a family: lines, rules of a contract, pages of a template with the places that changed.',
      access: sessionAccess(READ4, { scope: 'configuration_read' }),
      query: comparisonQuery,
      success: [{ status: 200, schema: comparison }],
      failures: [403, 404, 422],
      handle: async ({ query, correlationId }) => ({ body: await comparisons.compare(query, correlationId) }),
    }),
  ]
}
