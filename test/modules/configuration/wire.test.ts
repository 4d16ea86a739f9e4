import { expect, test } from 'bun:test'
import { sha256Hex } from '../../../src/core/hash.ts'
import { instantOf } from '../../../src/core/instant.ts'
import {
  canonicalStatus,
  familyToWire,
  sourceDraftToWire,
  versionOutcomeOf,
  versionToWire,
} from '../../../src/modules/configuration/configuration.wire.ts'
import { mutationResult } from '../../../src/modules/configuration/mutations.service.ts'
import { refuseTakenNames } from '../../../src/modules/configuration/refusals.service.ts'
import type { FamilyRow } from '../../../src/modules/families/families.reads.ts'
import type { VersionHead } from '../../../src/modules/versions/versions.reads.ts'
import { rejectionOf } from '../../support/outcome.ts'

const made = instantOf('2026-11-20T09:30:00Z')
const saved = instantOf('2026-11-20T09:31:00Z')
const family: FamilyRow = {
  ...{ id: 'f', kind: 'transformer', slug: 'data', name: 'Data', description: 'Some', draftRevision: 3 },
  ...{ draftSource: '{}', draftFormat: 'json', draftBytes: null, draftFileId: null, draftUpdatedAt: saved },
  ...{ latestNumber: 1, createdBy: 'ann', createdAt: made, updatedAt: made },
}
const version: VersionHead = {
  ...{ id: 'v', familyId: 'f', kind: 'transformer', number: 2, contentHash: 'h', sourceRevision: 3 },
  ...{ status: 'versioned', format: 'json', byteSize: 9, bindings: null, fragments: null, reading: 1 },
  ...{ createdBy: 'ann', createdAt: made, publishedAt: null, deprecatedAt: null },
}
const [at, later] = ['2026-11-20T09:30:00Z', '2026-11-20T09:31:00Z']

test('a family and its draft are shown with when each was changed', () => {
  expect(familyToWire(family)).toEqual({
    ...{ kind: 'transformer', id: 'f', slug: 'data', name: 'Data', description: 'Some', draft_revision: 3 },
    ...{ created_at: at, updated_at: at },
  })
  const draft = { id: 'f', slug: 'data', name: 'Data', description: 'Some', source: '{}', format: 'json' as const }
  expect(sourceDraftToWire(family)).toEqual({ ...draft, revision: 3, updated_at: later })
  expect(sourceDraftToWire({ ...family, draftFormat: 'yaml', draftUpdatedAt: null, draftSource: null })).toEqual({
    ...{ ...draft, source: '', format: 'yaml', revision: 3, updated_at: at },
  })
  expect(() => familyToWire({ ...family, kind: 'contract' })).toThrow(
    'a contract is not part of the canonical configuration',
  )
})

test('a version is shown with its source where that was read, and as published once it was', () => {
  const shown = {
    ...{ kind: 'transformer' as const, id: 'v', family_id: 'f', number: 2, content_hash: 'h', source_revision: 3 },
    ...{ status: 'versioned' as const, created_at: at },
  }
  expect(versionToWire(version)).toEqual({ ...shown, format: 'json', byte_size: 9, created_by: 'ann' })
  expect(versionToWire({ ...version, format: 'yaml', status: 'deprecated', publishedAt: saved, source: 'x' })).toEqual({
    ...{ ...shown, status: 'published', format: 'yaml', byte_size: 9, created_by: 'ann', published_at: later },
    source: 'x',
  })
  expect(versionOutcomeOf({ version, reused: true })).toEqual({ ...shown, reused: true })
  expect((['versioned', 'published', 'deprecated'] as const).map(canonicalStatus)).toEqual([
    ...(['versioned', 'published', 'published'] as const),
  ])
})

test('what a change answers has the hash of its result, whatever asked for it', () => {
  const result = { version: 2, id: 'v' } as never
  expect(mutationResult({ kind: 'transformer', id: 'v' }, result, 'asking')).toEqual({
    ...{ resource_kind: 'transformer', resource_id: 'v', result, response_hash: sha256Hex('{"id":"v","version":2}') },
    ...{ idempotent_replay: false, correlation_id: 'asking' },
  })
})

test('a name that was taken meanwhile is a conflict, and any other fault stays what it is', async () => {
  const taken = Object.assign(new Error('UNIQUE constraint failed'), { code: 'SQLITE_CONSTRAINT_UNIQUE' })
  expect(await rejectionOf(refuseTakenNames(Promise.reject(taken)))).toMatchObject({
    ...{ code: 'conflict', detail: 'The slug or the name was taken at the same moment. Choose another.' },
  })
  const other = new Error('another')
  expect(await rejectionOf(refuseTakenNames(Promise.reject(other)))).toBe(other)
  expect(await refuseTakenNames(Promise.resolve(7))).toBe(7)
})
