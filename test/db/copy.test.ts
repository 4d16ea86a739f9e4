import { expect, test } from 'bun:test'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { copiedTables, digestOf, readLines, writeLines } from '../../src/db/copy.ts'
import type { Database, Dialect } from '../../src/db/database.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { postgresAvailable } from '../support/postgres.ts'

const at = instantFromEpochMs(1_700_000_000_123)

/** One row of every kind of column, and enough rows for several pages. */
async function fill(database: Database): Promise<void> {
  const { users, families, idempotency, sessions } = database.read.t
  await database.write(async (tx) => {
    for (let index = 0; index < 230; index++) {
      await tx.q.insert(users).values({
        id: `u${String(index).padStart(4, '0')}`,
        username: `ü"\\${index}`,
        displayName: '1\u2028 漢字 😀',
        roles: ['operator'],
        passwordHash: 'h',
        mustChangePassword: index % 2 === 0,
        disabled: false,
        createdAt: at,
        updatedAt: at,
      })
    }
    await tx.q.insert(families).values({
      id: 'f1',
      kind: 'template',
      slug: 's',
      name: 'n',
      description: '',
      draftRevision: 3,
      draftSource: null,
      draftFormat: 'docx',
      draftBytes: new Uint8Array([0, 255, 10, 13]),
      draftUpdatedAt: at,
      latestNumber: 0,
      createdBy: 'u',
      createdAt: at,
      updatedAt: at,
    })
    for (const key of ['b', 'a']) {
      await tx.q
        .insert(idempotency)
        .values({ actorId: 'u', key, requestHash: 'r', status: 202, body: { a: [1.5, null] }, createdAt: at })
    }
    await tx.q.insert(sessions).values({
      id: 's',
      tokenHash: 't',
      userId: 'u',
      host: 'h',
      createdAt: at,
      lastSeenAt: at,
      expiresAt: at,
    })
  })
}

async function digests(database: Database) {
  const entries = copiedTables(database.read).map(
    async (table) => [table.name, await digestOf(database.read, table)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

describeOnBothDialects('a copied database', (dialect) => {
  const targets: Dialect[] = postgresAvailable ? ['sqlite', 'postgres'] : ['sqlite']
  for (const target of targets) {
    test(`has the same lines in ${target}, whatever its columns hold, and none of what is left out`, async () => {
      const source = await openTestDatabase(dialect)
      await fill(source)
      const copy = await openTestDatabase(target)
      for (const table of copiedTables(source.read)) {
        for await (const { lines } of readLines(source.read, table)) {
          await copy.write((tx) => writeLines(tx, table, lines))
        }
      }
      const expected = await digests(source)
      expect(expected.users?.rows).toBe(230)
      expect(expected.sessions).toBeUndefined()
      expect(await digests(copy)).toEqual(expected)
      const { users, families, sessions } = copy.read.t
      expect((await copy.read.q.select().from(users))[0]).toMatchObject({ mustChangePassword: true, disabled: false })
      expect((await copy.read.q.select().from(families))[0]?.draftBytes).toEqual(new Uint8Array([0, 255, 10, 13]))
      expect(await copy.read.q.select().from(sessions)).toEqual([])
      await source.close()
      await copy.close()
    })
  }

  test('differs in its digest from one with a single other value', async () => {
    const source = await openTestDatabase(dialect)
    await fill(source)
    const before = await digests(source)
    await source.write(async (tx) => {
      await tx.q.update(tx.t.users).set({ displayName: 'other' })
    })
    const after = await digests(source)
    expect(after.users?.sha256).not.toBe(before.users?.sha256)
    expect(after.families).toEqual(before.families)
    await source.close()
  })
})
