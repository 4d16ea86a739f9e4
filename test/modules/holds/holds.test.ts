import { afterAll, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Actor } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { ensureStoreId } from '../../../src/db/store-id.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { noteHolds, reconcileHolds } from '../../../src/modules/holds/holds.notes.service.ts'
import {
  countReleased,
  holdsOnObjects,
  isModel,
  listHoldsOn,
  refuseHeld,
  requireNotHeld,
} from '../../../src/modules/holds/holds.reads.ts'
import { createHoldService } from '../../../src/modules/holds/holds.service.ts'
import { findHold, markNoted } from '../../../src/modules/holds/holds.store.ts'
import { openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { folderNotes } from '../../../src/objects/notes.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T09:30:00.000Z')
const placer = '0198c3d2-7a10-7c00-8000-0000000000a1'
const releaser = '0198c3d2-7a10-7c00-8000-0000000000b2'
const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'
const byPlacer = (at = start): Actor => ({ userId: placer, correlationId: 'placing', at })
const byReleaser = (at = start): Actor => ({ userId: releaser, correlationId: 'releasing', at })
const once = (actorId = placer) => ({ actorId, key: crypto.randomUUID(), requestHash: '0'.repeat(64) })

describeOnBothDialects('a legal hold', (dialect) => {
  let database: Database
  let holds: ReturnType<typeof createHoldService>

  beforeEach(async () => {
    if (database === undefined) {
      database = await openTestDatabase(dialect)
      await database.write(async (tx) => {
        const names = { slug: 'letters', name: 'Letters', description: '' }
        await createFamily(tx, byPlacer(), { kind: 'ingestion_model', ...names })
        await createFamily(tx, byPlacer(), { kind: 'template', slug: 'page', name: 'Page', description: '' })
      })
      await ensureStoreId(database)
    }
    await database.write((tx) => tx.q.delete(tx.t.holds))
    await database.write((tx) => tx.q.delete(tx.t.auditRecords))
    holds = createHoldService(database)
  })
  afterAll(() => database?.close())

  const onObject = (object_reference: string, at = start) =>
    holds.place(byPlacer(at), once(), { object_reference, reason: 'case 12' })
  const onModel = (at = start) => holds.place(byPlacer(at), once(), { ingestion_model: 'letters', reason: 'case 13' })
  const release = (id: string, at = addMs(start, 5)) =>
    holds.release(byReleaser(at), once(releaser), { id, reason: 'over' })
  const trail = async () => {
    const rows = await database.read.q.select().from(database.read.t.auditRecords)
    return rows.map(({ action, actorId, correlationId, resourceKind, resourceId, detail }) => ({
      ...{ action, actorId, correlationId, resourceKind, resourceId, detail },
    }))
  }

  test('is on an object or on a model: never on both, on neither, or on a missing model', async () => {
    const both = { object_reference: 'CLW-1', ingestion_model: 'letters', reason: 'x' }
    for (const wanted of [both, { reason: 'x' }]) {
      expect(await rejectionOf(holds.place(byPlacer(), once(), wanted))).toMatchObject({
        code: 'validation_failed',
        detail: 'A hold is on object_reference or on ingestion_model. Name one of them.',
      })
    }
    // A template of that slug is no model.
    for (const model of ['page', 'letter']) {
      const placing = holds.place(byPlacer(), once(), { ingestion_model: model, reason: 'x' })
      expect(await rejectionOf(placing)).toMatchObject({
        code: 'not_found',
        detail: `There is no ingestion model ${model}.`,
      })
    }
    expect([await holds.list({}), await trail()]).toEqual([{ holds: [] }, []])
  })

  test('says who placed it when and why, and after its release who released it, in the answer, the row and the trail', async () => {
    const object = await onObject('CLW-1')
    const about = { object_reference_hash: sha256Hex('CLW-1') }
    const placed = {
      ...{ id: object.id, status: 'in_force' as const, object_reference: 'CLW-1', ...about, reason: 'case 12' },
      ...{ placed_by: placer, placed_at: '2026-11-20T09:30:00Z', correlation_id: 'placing' },
    }
    expect([object, await holds.read(object.id)]).toEqual([placed, placed])
    const model = await onModel()
    expect(model).toEqual({
      ...{ id: model.id, status: 'in_force' as const, ingestion_model: 'letters', reason: 'case 13' },
      ...{ placed_by: placer, placed_at: '2026-11-20T09:30:00Z', correlation_id: 'placing' },
    })
    const released = await release(object.id)
    expect(released).toEqual({
      ...{ ...placed, status: 'released', release_reason: 'over' },
      ...{ released_by: releaser, released_at: '2026-11-20T09:30:00.005Z' },
    })
    expect(await holds.read(object.id)).toEqual(released)
    await release(model.id)
    const records = await trail()
    const of = (resourceId: string) => records.filter((record) => record.resourceId === resourceId)
    const byWhom = { actorId: placer, correlationId: 'placing', resourceKind: 'hold' }
    const byOther = { actorId: releaser, correlationId: 'releasing', resourceKind: 'hold' }
    expect(of(object.id)).toEqual([
      { ...byWhom, action: 'hold.placed', resourceId: object.id, detail: { ...about, reason: 'case 12' } },
      { ...byOther, action: 'hold.released', resourceId: object.id, detail: { ...about, reason: 'over' } },
    ])
    expect(of(model.id)).toEqual([
      {
        ...{ ...byWhom, action: 'hold.placed', resourceId: model.id },
        detail: { ingestion_model: 'letters', reason: 'case 13' },
      },
      {
        ...{ ...byOther, action: 'hold.released', resourceId: model.id },
        detail: { ingestion_model: 'letters', reason: 'over' },
      },
    ])
    expect(JSON.stringify(records)).not.toContain('CLW-1')
  })

  test('is released once, and one that nobody placed not at all', async () => {
    const { id } = await onObject('CLW-1')
    const first = await release(id)
    expect(await rejectionOf(release(id, addMs(start, 9)))).toMatchObject({
      code: 'conflict',
      detail: `The hold ${id} was released before. Nothing is left to do.`,
    })
    expect(await holds.read(id)).toEqual(first)
    for (const ask of [() => release(nobody), () => holds.read(nobody)]) {
      expect(await rejectionOf(ask())).toMatchObject({ code: 'not_found', detail: `There is no hold ${nobody}.` })
    }
    expect((await trail()).map(({ action }) => action).sort()).toEqual(['hold.placed', 'hold.released'])
  })

  test('is placed and released once under one key', async () => {
    const placing = once()
    const wanted = { object_reference: 'CLW-1', reason: 'case 12' }
    const placed = await holds.place(byPlacer(), placing, wanted)
    expect(await holds.place(byPlacer(addMs(start, 1)), placing, wanted)).toEqual(placed)
    const releasing = once(releaser)
    const over = { id: placed.id, reason: 'over' }
    const released = await holds.release(byReleaser(), releasing, over)
    expect(await holds.release(byReleaser(addMs(start, 1)), releasing, over)).toEqual(released)
    expect([(await holds.list({})).holds.length, (await trail()).length]).toEqual([1, 2])
  })

  test('is listed newest first, page by page, each once, those of one instant by their ids', async () => {
    const placed: string[] = []
    for (const at of [0, 0, 1, 2, 2]) placed.push((await onObject(`CLW-${placed.length}`, addMs(start, at))).id)
    const newest = placed.toReversed()
    expect((await holds.list({})).holds.map(({ id }) => id)).toEqual(newest)
    const seen: string[] = []
    const sizes: number[] = []
    for (let cursor: string | undefined, pages = 0; pages < 4; pages++) {
      const page = await holds.list({ limit: 2, cursor })
      seen.push(...page.holds.map(({ id }) => id))
      sizes.push(page.holds.length)
      cursor = page.next_cursor
      if (cursor === undefined) break
    }
    expect([seen, sizes]).toEqual([newest, [2, 2, 1]])
    expect(Object.keys(await holds.list({ limit: 5 }))).toEqual(['holds'])
    expect(await rejectionOf(holds.list({ cursor: nobody }))).toMatchObject({ code: 'validation_failed' })
  })

  test('holds its own object or model and no other, until it is released', async () => {
    const object = await onObject('CLW-1')
    const model = await onModel()
    const found = async (objects: string[], models: string[]) =>
      (await listHoldsOn(database.read, { objects, models })).map(({ id }) => id).sort()
    expect(await found(['CLW-1'], [])).toEqual([object.id])
    expect(await found([], ['letters'])).toEqual([model.id])
    expect(await found(['CLW-0', 'CLW-1'], ['page', 'letters'])).toEqual([object.id, model.id].sort())
    expect(await found(['CLW-2', 'letters'], ['CLW-1', 'page'])).toEqual([])
    expect([...(await holdsOnObjects(database.read))].map(([hash, { id }]) => [hash, id])).toEqual([
      [sha256Hex('CLW-1'), object.id],
    ])
    const refusal = async (objects: string[], models: string[]) =>
      database
        .write((tx) => requireNotHeld(tx, { objects, models }))
        .then(
          () => 'free',
          (fault) => fault,
        )
    expect(await refusal(['CLW-1'], [])).toMatchObject({
      code: 'conflict',
      detail: `The object is under the legal hold ${object.id}. Nothing is erased until it is released.`,
    })
    expect(await refusal([], ['letters'])).toMatchObject({
      code: 'conflict',
      detail: `The ingestion model letters is under the legal hold ${model.id}. Nothing is erased until it is released.`,
    })
    expect(refuseHeld((await findHold(database.read, model.id))!, 'A file').detail).toStartWith('A file is under the')
    expect([await refusal(['CLW-2'], ['page']), await countReleased(database.read)]).toEqual(['free', 0])
    await release(object.id)
    expect([await refusal(['CLW-1'], []), await countReleased(database.read)]).toEqual(['free', 1])
    await release(model.id)
    expect([await refusal([], ['letters']), await countReleased(database.read)]).toEqual(['free', 2])
    expect([(await holdsOnObjects(database.read)).size, await found(['CLW-1'], ['letters'])]).toEqual([0, []])
    // The same things are held anew by another hold.
    const again = await onObject('CLW-1')
    expect(await found(['CLW-1'], [])).toEqual([again.id])
  })

  test('of a model is on what is an ingestion model, by its slug', async () => {
    const asked = ['letters', 'Letters', 'letter', 'page'].map((slug) => isModel(database.read, slug))
    expect(await Promise.all(asked)).toEqual([true, false, false, false])
  })

  function openNotes() {
    const folder = temporaryFolder()
    const beside = join(folder, 'objects')
    const places = { dataFolder: join(folder, 'data'), erasureLedger: undefined }
    const clock = { now: () => addMs(start, 60_000) }
    return { beside, ports: { database, clock, ledger: openLedger(places, { notes: folderNotes(beside) }) } }
  }
  const noteIn = (folder: string, id: string) => JSON.parse(readFileSync(join(folder, `hold.${id}`), 'utf8'))

  test('is noted outside of the database as it is placed and as it is released, without the object’s name', async () => {
    const { beside, ports } = openNotes()
    await noteHolds(ports)
    const object = await onObject('CLW-1')
    const model = await onModel()
    await noteHolds(ports)
    const storeId = await ensureStoreId(database)
    const common = { format: 'quire-hold-1', store: storeId, placed_by: placer, correlation_id: 'placing' }
    const open = { release_reason: null, released_by: null, released_at: null }
    const noted = {
      ...{ ...common, id: object.id, object_reference_hash: sha256Hex('CLW-1'), ingestion_model: null },
      ...{ reason: 'case 12', placed_at: start },
    }
    expect(noteIn(beside, object.id)).toEqual({ ...noted, ...open })
    expect(noteIn(beside, model.id)).toMatchObject({ object_reference_hash: null, ingestion_model: 'letters' })
    const before = (await findHold(database.read, object.id))!
    expect(before.notedAt).not.toBeNull()
    await release(object.id)
    // The note before it says nothing of the release, also where it was written late.
    await database.write((tx) => markNoted(tx, before))
    expect((await findHold(database.read, object.id))?.notedAt).toBeNull()
    await noteHolds(ports)
    const over = { release_reason: 'over', released_by: releaser, released_at: addMs(start, 5) }
    expect(noteIn(beside, object.id)).toEqual({ ...noted, ...over })
    expect((await findHold(database.read, object.id))?.notedAt).not.toBeNull()
    // Another instance was still writing the hold as it had read it, and its note took that one's place.
    await ports.ledger.write('hold', object.id, { ...noted, ...open })
    await database.write((tx) => markNoted(tx, before))
    await noteHolds(ports)
    expect(noteIn(beside, object.id)).toEqual({ ...noted, ...over })
    expect(
      readdirSync(beside)
        .filter((name) => name.startsWith('hold.'))
        .sort(),
    ).toEqual([`hold.${object.id}`, `hold.${model.id}`].sort())
  })

  test('that an older copy lacks, or has unreleased, is restored from its note, and gets a note if it lacks one', async () => {
    const { beside, ports } = openNotes()
    const gone = await onObject('CLW-GONE')
    const goneReleased = await onObject('CLW-RELEASED')
    const stale = await onModel()
    const kept = await onObject('CLW-KEPT')
    const over = await onObject('CLW-OVER')
    await noteHolds(ports)
    for (const { id } of [goneReleased, stale, over]) await release(id)
    await noteHolds(ports)
    const later = await onObject('CLW-LATER')
    const before = await holds.read(stale.id)
    await database.write(async (tx) => {
      for (const { id } of [gone, goneReleased]) await tx.rows(sql`delete from ${tx.t.holds} where id = ${id}`)
      await tx.rows(
        sql`update ${tx.t.holds} set released_at = null, released_by = null, release_reason = null where id = ${stale.id}`,
      )
      await tx.q.delete(tx.t.auditRecords)
    })
    const changed = await reconcileHolds(ports)
    expect(changed).toEqual([gone.id, goneReleased.id, stale.id].sort())
    // The object's name is lost: the note has only its hash, and that is what holds.
    const { object_reference: _lost, ...nameless } = gone
    expect(await holds.read(gone.id)).toEqual(nameless)
    expect(await holds.read(goneReleased.id)).toMatchObject({ status: 'released', release_reason: 'over' })
    expect(await holds.read(stale.id)).toEqual(before)
    expect((await holds.read(kept.id)).status).toBe('in_force')
    expect((await holds.read(over.id)).status).toBe('released')
    expect(noteIn(beside, later.id)).toMatchObject({ reason: 'case 12' })
    const system = '00000000-0000-0000-0000-000000000000'
    const restored = { actorId: system, correlationId: 'placing', resourceKind: 'hold', detail: { from: 'ledger' } }
    expect((await trail()).sort((a, b) => ((a.resourceId ?? '') < (b.resourceId ?? '') ? -1 : 1))).toEqual(
      changed.map((resourceId) => ({
        ...{ ...restored, resourceId },
        action: resourceId === gone.id ? 'hold.placed' : 'hold.released',
      })),
    )
    expect(await reconcileHolds(ports)).toEqual([])
  })

  test('that was released here is held by no older note of it', async () => {
    const { ports } = openNotes()
    const { id } = await onObject('CLW-1')
    await noteHolds(ports)
    const released = await release(id)
    expect([await reconcileHolds(ports), await holds.read(id)]).toEqual([[], released])
  })

  test('of another store is brought back too', async () => {
    const { ports } = openNotes()
    const id = newId()
    await ports.ledger.write('hold', id, {
      ...{ format: 'quire-hold-1', store: 'another', id, object_reference_hash: sha256Hex('CLW-1') },
      ...{ ingestion_model: null, reason: 'case 14', placed_by: placer, correlation_id: 'there', placed_at: start },
      ...{ release_reason: null, released_by: null, released_at: null },
    })
    expect(await reconcileHolds(ports)).toEqual([id])
    const [held] = await listHoldsOn(database.read, { objects: ['CLW-1'], models: [] })
    expect(held).toMatchObject({ id, reason: 'case 14', placedAt: start, objectReference: null })
  })
})
