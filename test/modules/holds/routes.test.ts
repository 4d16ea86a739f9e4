import { beforeEach, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { holdOperations } from '../../../src/modules/holds/holds.routes.ts'
import { handled, notingService, sessionAuthor } from '../../support/handled.ts'

const at = instantOf('2026-11-30T00:00:00Z')
const [place, release, list, read] = [{ id: 'p' }, { id: 'r' }, { holds: [] }, { id: 'h' }]
const { calls, service } = notingService({ place, release, list, read })
const operations = holdOperations({ holds: service, auth: service, clock: { now: () => at } as never })
const by = { ...sessionAuthor, at }

beforeEach(() => void calls.splice(0))

test('a hold is released only after the password was given again, and placed without that', async () => {
  const params = { holdId: 'h' }
  const body = { object_reference: 'P-1', reason: 'case 12' }
  expect(await handled(operations, 'placeHold', { body, idempotency: 'key' })).toEqual({ body: place })
  expect(await handled(operations, 'releaseHold', { params, body: { reason: 'over' }, idempotency: 'key' })).toEqual({
    body: release,
  })
  expect(calls).toEqual([
    ['place', by, 'key', body],
    ['requireRecentPassword', expect.objectContaining({ userId: 'u' })],
    ['release', by, 'key', { id: 'h', reason: 'over' }],
  ])
})

test('a page and one hold are answered as they are', async () => {
  expect(await handled(operations, 'listHolds', { query: { limit: 3 } })).toEqual({ body: list })
  expect(await handled(operations, 'getHold', { params: { holdId: 'h' } })).toEqual({ body: read })
  expect(calls).toEqual([
    ['list', { limit: 3 }],
    ['read', 'h'],
  ])
})
