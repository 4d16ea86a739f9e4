import { expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { projectOperations } from '../../../src/modules/projects/projects.routes.ts'
import { handled, notingService, sessionAuthor } from '../../support/handled.ts'

test('a project is exported as an archive with a name, planned, and applied under its key', async () => {
  const at = instantOf('2026-11-30T00:00:00Z')
  const { calls, service } = notingService({ export: 'archive', plan: { valid: true }, apply: { applied: true } })
  const operations = projectOperations(service, { clock: { now: () => at } as never })
  const by = { ...sessionAuthor, at }
  const bytes = Uint8Array.of(80, 75)
  const body = { fields: { plan_hash: 'h' }, file: { bytes } }
  expect(await handled(operations, 'exportProject', { query: { at: 'then' } })).toEqual({
    headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="quire-project.zip"' },
    stream: 'archive',
  } as never)
  expect(await handled(operations, 'planProject', { body })).toEqual({ body: { valid: true } })
  expect(await handled(operations, 'applyProject', { body, idempotency: 'key' })).toEqual({ body: { applied: true } })
  expect(calls).toEqual([
    ...[
      ['export', by, 'then'],
      ['plan', by, bytes, { plan_hash: 'h' }],
      ['apply', by, 'key', bytes, { plan_hash: 'h' }],
    ],
  ])
})
