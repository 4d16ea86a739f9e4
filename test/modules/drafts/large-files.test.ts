import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import { digestOfState, readStates } from '../../../src/modules/audit/audit.states.reads.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import { type FamilyRow, findFamily, findFamilyHead } from '../../../src/modules/families/families.reads.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { holdFamily } from '../../../src/modules/families/families.store.ts'
import { findVersionByNumber, findVersionHead, readVersion } from '../../../src/modules/versions/versions.reads.ts'
import { publishVersion } from '../../../src/modules/versions/versions.service.ts'
import { loadSource } from '../../../src/runner/executions.store.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const actor = (seconds = 0): Actor => ({
  ...{ userId: SYSTEM_ACTOR_ID, correlationId: 'large', at: addMs(start, seconds * 1_000) },
})

/** A template with a picture that nobody shows, which no compression makes smaller. */
function template(mark: string, bytes: number): Uint8Array {
  const noise = new Uint8Array(bytes)
  let state = 1
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    noise[at] = state >> 16
  }
  return wordPackage(p(`${mark} {{/name}}`), { 'word/media/image1.png': noise })
}

const large = (mark: string) => template(mark, 3 * limits.filePieceBytes)

describeOnBothDialects('the file of a large template', (dialect) => {
  let database: Database
  let names = 0
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  afterAll(() => database.close())

  const made = () => {
    const slug = `letter-${++names}`
    const family = { kind: 'template' as const, slug, name: slug, description: '' }
    return database.write((tx) => createFamily(tx, actor(), family))
  }
  const save = ({ id }: FamilyRow, bytes: Uint8Array) =>
    database.write(async (tx) => {
      const held = await holdFamily(tx, 'template', id)
      return saveDraft(tx, actor(1), held!, { bytes, format: 'docx' })
    })
  const freeze = ({ id }: FamilyRow) =>
    database.write(async (tx) => freezeDraft(tx, actor(2), (await holdFamily(tx, 'template', id))!))
  async function stored({ id }: FamilyRow) {
    const { q, t } = database.read
    const [family] = await q.select().from(t.families).where(eq(t.families.id, id))
    const versions = await q
      .select()
      .from(t.versions)
      .where(eq(t.versions.familyId, id))
      .orderBy(asc(t.versions.number))
    const files = new Map<string, number>()
    for (const { fileId } of await q.select({ fileId: t.filePieces.fileId }).from(t.filePieces)) {
      files.set(fileId, (files.get(fileId) ?? 0) + 1)
    }
    return { family: family!, versions, files }
  }

  test('is read whole wherever it is read, and its rows hold none of it', async () => {
    const family = await made()
    const bytes = large('whole')
    const saved = await save(family, bytes)
    expect(await findFamily(database.read, 'template', family.id)).toEqual({ ...saved, draftBytes: bytes })
    const version = await freeze(family)
    expect([version.bytes, version.contentHash, version.byteSize]).toEqual([bytes, sha256Hex(bytes), bytes.length])
    expect(await readVersion(database.read, version.id)).toEqual(version)
    expect(await findVersionByNumber(database.read, family.id, 1)).toEqual(version)
    expect((await loadSource(database.read, version.id)).content).toEqual(bytes)
    const rows = await stored(family)
    expect([rows.family.draftBytes, rows.versions.map((each) => each.bytes)]).toEqual([null, [null]])
    expect(Object.keys((await findFamilyHead(database.read, 'template', family.id))!)).not.toContain('draftFileId')
    expect(Object.keys((await findVersionHead(database.read, version.id))!)).not.toContain('fileId')
  })

  test('is stored once for a draft and the version that was frozen of it', async () => {
    const family = await made()
    await save(family, large('once'))
    const before = (await stored(family)).files.size
    const version = await freeze(family)
    const { family: row, versions, files } = await stored(family)
    expect(files.size).toBe(before)
    expect([versions[0]!.fileId, files.get(row.draftFileId!)]).toEqual([row.draftFileId, 4])
    await database.write((tx) => publishVersion(tx, actor(3), version))
    expect((await readVersion(database.read, version.id)).bytes).toEqual(version.bytes)
  })

  test('goes with the draft that it was of, unless a version has it', async () => {
    const family = await made()
    const first = await save(family, large('first'))
    const second = await save(family, large('second'))
    expect(second.draftFileId).not.toBe(first.draftFileId)
    const version = await freeze(family)
    const third = await save(family, large('third'))
    const small = await save(family, template('small', 10))
    expect(small.draftFileId).toBeNull()
    const { family: row, files } = await stored(family)
    const ids = [first, second, third].map(({ draftFileId }) => files.get(draftFileId!))
    expect([ids, row.draftFileId, row.draftBytes]).toEqual([[undefined, 4, undefined], null, template('small', 10)])
    expect((await readVersion(database.read, version.id)).bytes).toEqual(large('second'))
  })

  test('stays as it is where only its name changes', async () => {
    const family = await made()
    const saved = await save(family, large('named'))
    const renamed = await database.write(async (tx) => {
      const held = (await holdFamily(tx, 'template', family.id))!
      return saveDraft(tx, actor(4), held, { bytes: held.draftBytes!, format: 'docx' }, { name: `other ${names}` })
    })
    expect([renamed.draftFileId, renamed.draftRevision]).toEqual([saved.draftFileId, 2])
    expect((await findFamily(database.read, 'template', family.id))!.draftBytes).toEqual(large('named'))
  })

  test('is covered by the audit trail just as one that its row holds', async () => {
    const family = await made()
    const saved = await save(family, large('covered'))
    const digest = async () => digestOfState((await readStates(database.read, 'template', [family.id])).get(family.id)!)
    const inPieces = await digest()
    const { q, t } = database.read
    const change = (values: Partial<FamilyRow>) =>
      database.write(({ q, t }) => q.update(t.families).set(values).where(eq(t.families.id, family.id)))
    await change({ draftFileId: null, draftBytes: saved.draftBytes })
    expect(await digest()).toBe(inPieces)
    await change({ draftFileId: saved.draftFileId, draftBytes: null })
    const [piece] = await q.select().from(t.filePieces).where(eq(t.filePieces.fileId, saved.draftFileId!)).limit(1)
    await database.write(({ q, t }) =>
      q
        .update(t.filePieces)
        .set({ bytes: piece!.bytes.map((byte, at) => (at === 5 ? byte ^ 1 : byte)) })
        .where(eq(t.filePieces.fileId, saved.draftFileId!)),
    )
    expect(await digest()).not.toBe(inPieces)
  })

  test('is read whole while it is replaced again and again', async () => {
    const family = await made()
    const [one, other] = [large('one'), large('other')]
    await save(family, one)
    let isOver = false
    const replacing = (async () => {
      for (let round = 0; round < 4; round++) await save(family, round % 2 === 0 ? other : one)
    })().finally(() => {
      isOver = true
    })
    let reads = 0
    while (!isOver) {
      const { draftBytes } = (await findFamily(database.read, 'template', family.id))!
      expect([sha256Hex(one), sha256Hex(other)]).toContain(sha256Hex(draftBytes!))
      reads++
    }
    await replacing
    expect(reads).toBeGreaterThan(0)
  })

  test('that has lost a piece is named in the error of whoever reads it', async () => {
    const family = await made()
    const { draftFileId } = await save(family, large('lost'))
    const version = await freeze(family)
    await database.write(({ q, t }) => q.delete(t.filePieces).where(eq(t.filePieces.fileId, draftFileId!)))
    expect(await rejectionOf(findFamily(database.read, 'template', family.id))).toEqual(
      new Error(`pieces of the file of ${family.id}'s draft are missing from the database`),
    )
    for (const read of [readVersion, loadSource]) {
      expect(await rejectionOf(read(database.read, version.id))).toEqual(
        new Error(`pieces of the file of version ${version.id} are missing from the database`),
      )
    }
  })
})
