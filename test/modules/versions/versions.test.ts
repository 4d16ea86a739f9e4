import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { parseInstant } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import {
  findVersionByHash,
  findVersionByNumber,
  findVersionSummary,
  listNewestVersions,
  readVersion,
  versionsPage,
} from '../../../src/modules/versions/versions.reads.ts'
import { deprecateVersion, publishVersion } from '../../../src/modules/versions/versions.service.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { outcomeOf } from '../../support/outcome.ts'

const actor: Actor = {
  userId: SYSTEM_ACTOR_ID,
  correlationId: 'versions-test',
  at: parseInstant('2026-01-01T00:00:00Z')!,
}

describeOnBothDialects('the versions of a family', (dialect) => {
  let database: Database
  /** Two families: the first one's third version has the content of its first. */
  let first: string
  let second: string
  const source = (value: number) => `{"const": ${value}}`

  async function freeze(slug: string, values: readonly number[]): Promise<string> {
    return database.write(async (tx) => {
      let family = await createFamily(tx, actor, { kind: 'contract', slug, name: slug, description: '' })
      for (const value of values) {
        family = await saveDraft(tx, actor, family, { source: source(value), format: 'json' })
        family = { ...family, latestNumber: (await freezeDraft(tx, actor, family)).number }
      }
      return family.id
    })
  }
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    first = await freeze('first', [1, 2, 1, 4])
    second = await freeze('second', [1, 2])
  })
  afterAll(() => database.close())

  test('are found by their number, in their own family alone', async () => {
    expect(await findVersionByNumber(database.read, first, 4)).toMatchObject({ number: 4, source: source(4) })
    expect(await findVersionByNumber(database.read, second, 4)).toBeUndefined()
    expect(await findVersionSummary(database.read, second, 2)).toMatchObject({
      familyId: second,
      kind: 'contract',
      number: 2,
      contentHash: sha256Hex(source(2)),
      status: 'versioned',
      format: 'json',
    })
    expect(await findVersionSummary(database.read, second, 3)).toBeUndefined()
    expect(await outcomeOf(readVersion(database.read, first))).toThrow(`version ${first} is missing`)
  })

  test('are found by their content, the newest of those with the same, in its format', async () => {
    const numberOf = async (family: string, value: number, format: 'json' | 'yaml' = 'json') =>
      (await findVersionByHash(database.read, family, sha256Hex(source(value)), format))?.number
    expect(await numberOf(first, 1)).toBe(3)
    expect(await numberOf(first, 2)).toBe(2)
    expect(await numberOf(second, 1)).toBe(1)
    expect([await numberOf(second, 4), await numberOf(first, 1, 'yaml')]).toEqual([undefined, undefined])
  })

  test('are published once and then deprecated, as the answer, the row and one event each say', async () => {
    const family = await freeze('third', [1])
    const at = { ...actor, at: parseInstant('2026-02-01T00:00:00Z')! }
    const later = { ...actor, at: parseInstant('2026-03-01T00:00:00Z')! }
    const frozen = (await findVersionByNumber(database.read, family, 1))!
    const published = await database.write((tx) => publishVersion(tx, at, frozen))
    expect(published).toEqual({ ...frozen, status: 'published', publishedAt: at.at })
    expect(await database.write((tx) => publishVersion(tx, later, published))).toEqual(published)
    const deprecated = await database.write((tx) => deprecateVersion(tx, later, published))
    expect(deprecated).toEqual({ ...published, status: 'deprecated', deprecatedAt: later.at })
    expect(await readVersion(database.read, frozen.id)).toEqual(deprecated)
    const { events } = database.read.t
    const told = (await database.read.q.select().from(events)).filter(({ aggregateId }) => aggregateId === family)
    const types = told.sort((a, b) => a.sequence - b.sequence).map(({ type }) => type)
    expect(types.slice(-3)).toEqual(['version.frozen', 'version.published', 'version.deprecated'])
    expect(told.at(-1)?.data).toEqual({
      ...{ kind: 'contract', version_id: frozen.id, number: 1, content_hash: frozen.contentHash },
    })
  })

  test('are listed newest first, in pages, and never of another family', async () => {
    const page = async (before: number | undefined, limit: number) =>
      (await versionsPage(database.read, first, before, limit)).map(({ number }) => number)
    expect(await page(undefined, 2)).toEqual([4, 3])
    expect(await page(3, 2)).toEqual([2, 1])
    expect(await page(1, 2)).toEqual([])
  })

  test('of several families are listed by number, at most so many of each', async () => {
    const newest = async (perFamily: number) => {
      const rows = await listNewestVersions(database.read, [first, second], perFamily)
      return [first, second].map((family) =>
        rows.filter(({ familyId }) => familyId === family).map(({ number }) => number),
      )
    }
    expect(await newest(2)).toEqual([
      [3, 4],
      [1, 2],
    ])
    expect(await newest(3)).toEqual([
      [2, 3, 4],
      [1, 2],
    ])
    expect(await listNewestVersions(database.read, [], 2)).toEqual([])
    const heads = await listNewestVersions(database.read, [second], 1)
    expect(heads.map((head) => ['source' in head, 'bytes' in head])).toEqual([[false, false]])
  })
})
