import { ALL, type Principal, READ4, sessionAccess } from '../../http/access.ts'
import { defineOperation, type Operation } from '../../http/operation.ts'
import { searchAnswer, searchQuery } from './search.model.ts'
import type { Reads, SearchService } from './search.service.ts'

/** For people only: a token may be limited to some families, and lists can be filtered. */
export function searchOperations(search: SearchService): Operation[] {
  return [
    defineOperation({
      id: 'search',
      method: 'GET',
      path: '/api/v1/search',
      tag: 'search',
      summary: 'Configuration, submissions and executions by any part of a name, slug, reference, id or source',
      access: sessionAccess(ALL),
      query: searchQuery,
      success: [{ status: 200, schema: searchAnswer }],
      failures: [403, 422],
      handle: async ({ query, principal }) => ({ body: await search.find(query.text, readsOf(principal)) }),
    }),
  ]
}

/** The same rights that the read operations of each kind require. */
function readsOf({ roles, permissions }: Principal): Reads {
  const isReader = READ4.some((role) => roles.includes(role))
  return { configuration: isReader, submissions: permissions.includes('submission_read'), executions: isReader }
}
