import { expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { retentionOperations } from '../../../src/modules/retention/retention.routes.ts'
import { handled, notingService, sessionAuthor } from '../../support/handled.ts'

test('another set of policies comes into force only after the password was given again', async () => {
  const at = instantOf('2026-11-30T00:00:00Z')
  const [read, set, plan] = [{ number: 1 }, { number: 2 }, { due: [] }]
  const { calls, service } = notingService({ read, set, plan })
  const operations = retentionOperations({
    ...{ policies: service, retention: service, auth: service, clock: { now: () => at } as never },
  })
  const body = { policies: [], expected_number: 1 }
  expect(await handled(operations, 'getRetention')).toEqual({ body: read })
  expect(await handled(operations, 'planRetention', { body })).toEqual({ body: plan })
  expect(await handled(operations, 'setRetention', { body, idempotency: 'key' })).toEqual({ body: set })
  expect(calls).toEqual([
    ...[['read'], ['plan', []], ['requireRecentPassword', expect.objectContaining({ userId: 'u' })]],
    ['set', { ...sessionAuthor, at }, 'key', body],
  ])
})
