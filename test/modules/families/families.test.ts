import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Actor } from '../../../src/core/actor.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import type { FamilyKind } from '../../../src/core/kinds.ts'
import { limits } from '../../../src/core/limits.ts'
import { type Database, isUniqueViolation } from '../../../src/db/database.ts'
import {
  familiesPage,
  findFamily,
  findFamilyByName,
  findFamilyByReference,
  findFamilyBySlug,
  findFamilyHead,
  findFamilyId,
  listFamilyHeads,
  newestFamilies,
} from '../../../src/modules/families/families.reads.ts'
import {
  createFamily,
  deriveSlug,
  holdFamily,
  requireFreeNames,
} from '../../../src/modules/families/families.service.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T09:30:00.000Z')
const maker = '0198c3d2-7a10-7c00-8000-0000000000a1'
const actor = (at = start): Actor => ({
  ...{ userId: maker, correlationId: 'making', traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01' },
  at,
})

describeOnBothDialects('a family', (dialect) => {
  let database: Database

  beforeEach(async () => {
    database ??= await openTestDatabase(dialect)
    await database.write((tx) => tx.q.delete(tx.t.families))
    await database.write((tx) => tx.q.delete(tx.t.events))
  })
  afterAll(() => database?.close())

  const make = (kind: FamilyKind, slug: string, name = slug, at = start) =>
    database.write((tx) => createFamily(tx, actor(at), { kind, slug, name, description: `about ${name}` }))

  test('begins without a draft and without versions, and one event tells of it', async () => {
    const made = await make('template', 'letter', 'Letter')
    expect(made).toEqual({
      ...{ id: made.id, kind: 'template', slug: 'letter', name: 'Letter', description: 'about Letter' },
      ...{
        draftRevision: 0,
        draftSource: null,
        draftFormat: null,
        draftBytes: null,
        draftFileId: null,
        draftUpdatedAt: null,
      },
      ...{ latestNumber: 0, createdBy: maker, createdAt: start, updatedAt: start },
    })
    expect(await findFamily(database.read, 'template', made.id)).toEqual(made)
    const events = await database.read.q.select().from(database.read.t.events)
    expect(events).toMatchObject([
      {
        ...{ aggregate: 'family', aggregateId: made.id, type: 'created', correlationId: 'making' },
        traceparent: actor().traceparent,
      },
    ])
    expect(JSON.stringify(events[0])).toContain('letter')
  })

  test('is found by its id, slug and name in its own kind alone', async () => {
    const letter = await make('template', 'letter', 'Letter')
    const other = await make('contract', 'letter', 'Letter')
    const { draftSource: _source, draftBytes: _bytes, draftFileId: _file, ...head } = letter
    const { read } = database
    expect(await findFamilyBySlug(read, 'template', 'letter')).toEqual(head)
    expect(await findFamilyByName(read, 'template', 'Letter')).toEqual(head)
    expect(await findFamilyHead(read, 'template', letter.id)).toEqual(head)
    expect(await findFamilyId(read, 'template', 'letter')).toBe(letter.id)
    expect(await findFamilyId(read, 'contract', 'letter')).toBe(other.id)
    expect(await holdFamilyIn('template', letter.id)).toEqual(letter)
    for (const found of [
      await findFamilyBySlug(read, 'transformer', 'letter'),
      await findFamilyBySlug(read, 'template', 'Letter'),
      await findFamilyByName(read, 'transformer', 'Letter'),
      await findFamilyByName(read, 'template', 'letter'),
      await findFamilyHead(read, 'contract', letter.id),
      await findFamily(read, 'contract', letter.id),
      await findFamilyId(read, 'ingestion_model', 'letter'),
      await holdFamilyIn('contract', letter.id),
    ])
      expect(found).toBeUndefined()
    expect(await listFamilyHeads(read, [])).toEqual([])
    const ids = (await listFamilyHeads(read, [letter.id, other.id])).map(({ id }) => id)
    expect(ids.sort()).toEqual([letter.id, other.id].sort())
    expect((await listFamilyHeads(read, [other.id])).map(({ id }) => id)).toEqual([other.id])
  })
  const holdFamilyIn = (kind: FamilyKind, id: string) => database.write((tx) => holdFamily(tx, kind, id))

  test('is what a source names by its name, else by its slug, in its own kind alone', async () => {
    const named = await make('contract', 'first', 'second')
    const slugged = await make('contract', 'second', 'Another')
    await make('template', 'third', 'second')
    const found = async (reference: string, kind: FamilyKind = 'contract') =>
      (await findFamilyByReference(database.read, kind, reference))?.id
    expect([await found('second'), await found('first'), await found('Another')]).toEqual([
      named.id,
      named.id,
      slugged.id,
    ])
    expect([await found('third'), await found('SECOND'), await found('second', 'transformer')]).toEqual([
      ...[undefined, undefined, undefined],
    ])
  })

  test('has a slug and a name that no other of its kind has, and is refused in the words of its kind', async () => {
    const kinds = [
      ['contract', 'a contract'],
      ['ingestion_model', 'an ingestion model'],
      ['transformer', 'a transformer'],
      ['template', 'a template'],
    ] as const
    for (const [kind, words] of kinds) {
      await requireFreeNames(database.read, kind, { slug: 'letter', name: 'Letter' })
      await make(kind, 'letter', 'Letter')
      const refusal = (names: { slug?: string; name?: string }) =>
        rejectionOf(requireFreeNames(database.read, kind, names))
      expect(await refusal({ slug: 'letter' })).toMatchObject({
        code: 'conflict',
        detail: `Body field slug: there is ${words} "letter" already. Choose another.`,
      })
      expect(await refusal({ name: 'Letter' })).toMatchObject({
        code: 'conflict',
        detail: `Body field name: there is ${words} named "Letter" already. Choose another.`,
      })
      expect(await refusal({ slug: 'other', name: 'Letter' })).toMatchObject({ code: 'conflict' })
      await requireFreeNames(database.read, kind, {})
      await requireFreeNames(database.read, kind, { slug: 'other', name: 'Other' })
      for (const [slug, name] of [
        ['letter', 'Another'],
        ['another', 'Letter'],
      ] as const)
        expect(isUniqueViolation(await rejectionOf(make(kind, slug, name)))).toBe(true)
    }
  })

  test('gets its slug from its name, numbered from 2 where that is taken in its kind, and never too long', async () => {
    const derive = (name: string) => deriveSlug(database.read, 'contract', name)
    await make('template', 'a-letter')
    expect([await derive('Ä Letter!'), await derive('§§')]).toEqual(['a-letter', 'item'])
    const long = 'x'.repeat(limits.slugChars + 9)
    expect(await derive(long)).toBe('x'.repeat(limits.slugChars))
    await make('contract', 'x'.repeat(limits.slugChars))
    expect(await derive(long)).toBe(`${'x'.repeat(limits.slugChars - 2)}-2`)
    await make('contract', 'a-letter')
    for (let suffix = 2; suffix <= limits.slugSuffixes; suffix++) {
      if (suffix < 4 || suffix === limits.slugSuffixes) expect(await derive('A letter')).toBe(`a-letter-${suffix}`)
      await make('contract', `a-letter-${suffix}`)
    }
    expect(await rejectionOf(derive('A letter'))).toMatchObject({
      code: 'conflict',
      detail: 'Too many others have nearly the same name. Choose one that differs more.',
    })
  })

  test('is listed with its kind, newest first and those of one instant by their ids, after a place or from the first', async () => {
    const made: { id: string; createdAt: string }[] = []
    for (const at of [0, 0, 1, 2, 2]) {
      made.push(await make('contract', `c-${made.length}`, undefined, addMs(start, at)))
    }
    await make('template', 't', undefined, addMs(start, 1))
    const newest = made.toReversed().map(({ id }) => id)
    const page = async (after: number | undefined, limit: number) => {
      const place = after === undefined ? undefined : made[made.length - 1 - after]
      return (await familiesPage(database.read, 'contract', place, limit)).map(({ id }) => id)
    }
    expect([await page(undefined, 9), await page(undefined, 2)]).toEqual([newest, newest.slice(0, 2)])
    for (const after of [0, 1, 2, 3, 4]) {
      expect(await page(after, 9)).toEqual(newest.slice(after + 1))
      expect(await page(after, 1)).toEqual(newest.slice(after + 1, after + 2))
    }
    const [heads, drafts] = [await familiesPage(database.read, 'contract', undefined, 1), await newest2()]
    expect([Object.hasOwn(heads[0]!, 'draftSource'), Object.hasOwn(heads[0]!, 'draftBytes')]).toEqual([false, false])
    expect(drafts.map(({ id }) => id)).toEqual(newest.slice(0, 2))
    expect(drafts.every((row) => Object.hasOwn(row, 'draftSource'))).toBe(true)
  })
  const newest2 = () => newestFamilies(database.read, 'contract', 2)
})
