import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import {
  automaticPinOf,
  createReleaseService,
  findPinnedRelease,
  type Pin,
  processingKindOf,
  releaseHashOf,
} from '../../../src/modules/releases/releases.service.ts'
import {
  findRelease,
  insertRelease,
  insertReleaseOnce,
  markContractChecked,
  type ReleaseRow,
} from '../../../src/modules/releases/releases.store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const pinned = (id: string) => ({ id, contentHash: `hash of ${id}` })
const pin: Pin = { contract: pinned('c'), transformer: pinned('t'), template: pinned('l') }
const fragment = (slug: string) => ({ slug, versionId: `v-${slug}`, contentHash: `hash of ${slug}` })
const including: Pin = { ...pin, fragments: [fragment('a'), fragment('b')] }

describe('what a release pins', () => {
  test('is known by its ids, and by those of what its template includes', () => {
    expect(automaticPinOf(pin)).toBe('c:t:l')
    expect(automaticPinOf({ ...pin, template: undefined })).toBe('c:t:')
    expect(automaticPinOf({ ...pin, fragments: [] })).toBe('c:t:l')
    expect(automaticPinOf(including)).toBe(`c:t:l:${sha256Hex('a v-a\nb v-b')}`)
  })

  test('is hashed by its contents alone, and as a document only with a template', () => {
    expect([processingKindOf(pin), processingKindOf({ ...pin, template: undefined })]).toEqual([
      ...(['document_generation', 'transformation'] as const),
    ])
    const contents = {
      ...{ contract: 'hash of c', transformer: 'hash of t', template: 'hash of l' },
      processing_kind: 'document_generation',
    }
    expect(releaseHashOf(pin)).toBe(canonicalHash(contents))
    expect(releaseHashOf({ ...pin, fragments: [] })).toBe(canonicalHash(contents))
    const fragments = ['a', 'b'].map((slug) => ({ slug, hash: `hash of ${slug}` }))
    expect(releaseHashOf(including)).toBe(canonicalHash({ ...contents, fragments }))
  })
})

describe('stored releases', () => {
  let database: Database
  const row = (id: string, change: Partial<ReleaseRow> = {}): ReleaseRow => ({
    ...{ id, name: `Release ${id}`, releaseHash: 'h', processingKind: 'document_generation', contractVersionId: 'c' },
    ...{ transformVersionId: 't', templateVersionId: 'l', fragments: null, automaticPin: null, contractChecked: false },
    ...{ createdBy: 'ann', createdAt: start, ...change },
  })
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    await database.write(async (tx) => {
      await insertRelease(tx, row('a'))
      await insertRelease(tx, row('c', { name: 'Another', createdAt: addMs(start, 1), fragments: [fragment('x')] }))
      await insertRelease(tx, row('b', { createdAt: addMs(start, 1), templateVersionId: null }))
    })
  })
  afterAll(() => database.close())
  const service = () => createReleaseService(database, judgeHere)

  test('are listed newest first, those of one instant by their ids, page by page', async () => {
    const page = async (query: { limit?: number; cursor?: string }) => {
      const { releases, next_cursor: next } = await service().list(query)
      return [releases.map(({ id }) => id), next]
    }
    expect(await page({})).toEqual([['c', 'b', 'a'], undefined])
    expect(await page({ limit: 1 })).toEqual([['c'], 'c'])
    expect(await page({ limit: 2, cursor: 'c' })).toEqual([['b', 'a'], undefined])
    expect(await rejectionOf(service().list({ cursor: 'nobody' }))).toMatchObject({ code: 'validation_failed' })
  })

  test('are shown with a template and what that includes only where they have them', async () => {
    const common = {
      ...{ release_hash: 'h', processing_kind: 'document_generation', contract_version_id: 'c' },
      ...{ transform_version_id: 't', automatic: false, created_by: 'ann', created_at: '2026-11-20T09:30:00.001Z' },
    }
    expect(await service().read('b')).toEqual({ ...common, id: 'b', name: 'Release b' } as never)
    expect(await service().read('c')).toMatchObject({
      ...{ ...common, id: 'c', template_version_id: 'l', fragments: [{ slug: 'x' }] },
    } as never)
    expect(await rejectionOf(service().read('nobody'))).toMatchObject({
      ...{ code: 'not_found', detail: 'There is no release nobody.' },
      extras: { resourceKind: 'release', resourceId: 'nobody' },
    })
  })

  test('of one pin are made once, and each is checked against its contract by itself', async () => {
    const once = (id: string) =>
      database.write((tx) => insertReleaseOnce(tx, row(id, { automaticPin: automaticPinOf(including) })))
    expect([await once('first'), await once('second')]).toEqual([true, false])
    expect((await findPinnedRelease(database.read, including))?.id).toBe('first')
    expect(await findPinnedRelease(database.read, pin)).toBeUndefined()
    expect((await service().read('first')).automatic).toBe(true)
    await database.write((tx) => markContractChecked(tx, 'first'))
    expect((await findRelease(database.read, 'first'))?.contractChecked).toBe(true)
    expect((await findRelease(database.read, 'a'))?.contractChecked).toBe(false)
  })
})
