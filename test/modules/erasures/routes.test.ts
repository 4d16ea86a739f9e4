import { beforeEach, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { erasureOperations } from '../../../src/modules/erasures/erasures.routes.ts'
import { handled, notingService, sessionAuthor, tokenAuthor } from '../../support/handled.ts'

const at = instantOf('2026-11-30T00:00:00Z')
const [plan, erase, list, read] = [{ counts: 1 }, { erasure: 2 }, { erasures: [] }, { id: 'e' }]
const { calls, service } = notingService({ plan, erase, list, read })
const operations = erasureOperations({ erasures: service, auth: service, clock: { now: () => at } as never })
const body = { object_reference: 'P-1', reason: 'asked' }

beforeEach(() => void calls.splice(0))

test('an erasure asks for the password again in a session, before anything is erased, and none of a token', async () => {
  const wanted = { objectReference: 'P-1', reason: 'asked' }
  expect(await handled(operations, 'createErasure', { body, idempotency: 'key' })).toEqual({ body: erase })
  expect(calls).toEqual([
    ['requireRecentPassword', expect.objectContaining({ userId: 'u' })],
    ['erase', { ...sessionAuthor, at }, 'key', wanted],
  ])
  calls.splice(0)
  await handled(operations, 'createErasure', { body, idempotency: 'key', isToken: true })
  expect(calls).toEqual([['erase', { ...tokenAuthor, at }, 'key', wanted]])
})

test('a plan, a page and one erasure are answered as they are', async () => {
  expect(await handled(operations, 'planErasure', { body })).toEqual({ body: plan })
  expect(await handled(operations, 'listErasures', { query: { limit: 3 } })).toEqual({ body: list })
  expect(await handled(operations, 'getErasure', { params: { erasureId: 'e' } })).toEqual({ body: read })
  expect(calls).toEqual([
    ['plan', 'P-1', at],
    ['list', { limit: 3 }],
    ['read', 'e'],
  ])
})
