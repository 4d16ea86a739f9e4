/** What is said of what is gone, and what is there although it should be. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { RetainedPart } from '../../../src/core/retained-parts.ts'
import type { Database } from '../../../src/db/database.ts'
import type { ErasedKind, RetentionRule } from '../../../src/db/schema.ts'
import {
  findErasureOf,
  lastRemovalAt,
  listErasedItems,
  listRemovedParts,
  missing,
  statesAfterRemoval,
  wrongTombstones,
} from '../../../src/modules/tombstones/tombstones.reads.ts'
import { removalInWords, removedToWire } from '../../../src/modules/tombstones/tombstones.wire.ts'
import { seedExecution } from '../../runner/seed.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const rule: RetentionRule = { retention: 3, keep_days: 30 }

let database: Database
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async (tx) => {
    for (const table of [tx.t.erasures, tx.t.erasedItems, tx.t.auditRecords]) await tx.q.delete(table)
  })
})
afterAll(() => database?.close())

type Item = [kind: ErasedKind, id: string, contentHash?: string]

async function erased(items: Item[], change: { rule?: RetentionRule | null; erasedAt?: Instant } = {}) {
  const id = newId()
  const counts = {
    ...{ submissions: 0, executions: 0, steps: 0, artifacts: 0, artifact_bytes: 0 },
    ...{ events: 0, audit_records: 0, answers: 0 },
  }
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.erasures).values({
      ...{ id, objectReferenceHash: '', rule: change.rule === undefined ? rule : change.rule, reason: 'they asked' },
      ...{ counts, erasedBy: SYSTEM_ACTOR_ID, correlationId: 'c' },
      ...{ erasedAt: change.erasedAt ?? start, completedAt: null },
    })
    await tx.q
      .insert(tx.t.erasedItems)
      .values(
        items.map(([kind, itemId, contentHash]) => ({ erasureId: id, kind, itemId, contentHash: contentHash ?? null })),
      )
  })
  return id
}

async function recorded(resourceId: string, at: Instant, position: number | null): Promise<void> {
  await database.write(async (tx) => {
    await tx.q.insert(tx.t.auditRecords).values({
      ...{ id: newId(), actorId: SYSTEM_ACTOR_ID, action: 'retention.removed', resourceKind: 'erasure', resourceId },
      ...{ correlationId: 'c', at, detail: {}, contentHash: null, digest: null, attestation: null },
      ...{ position, previousHash: null, hash: null },
    })
  })
}

describe('what is missing', () => {
  test('was never there, or was erased when and why', async () => {
    const [gone, other] = [newId(), newId()]
    const erasure = await erased([['submission', gone]], { rule: null })
    expect(await missing(database.read, 'submission', other)).toMatchObject({
      ...{ code: 'not_found', detail: `There is no submission ${other}.` },
    })
    expect(await missing(database.read, 'submission', gone)).toMatchObject({
      code: 'not_found',
      detail: `The submission ${gone} was erased at 2026-11-20T09:30:00Z; the erasure ${erasure} says why.`,
    })
    // By its kind: an execution is no submission.
    expect(await missing(database.read, 'execution', gone)).toMatchObject({ detail: `There is no execution ${gone}.` })
    expect((await findErasureOf(database.read, 'submission', gone))?.id).toBe(erasure)
    expect(await findErasureOf(database.read, 'execution', gone)).toBeUndefined()
    expect(await findErasureOf(database.read, 'submission', other)).toBeUndefined()
  })

  test('is listed of one kind, among the ids that are asked for', async () => {
    const [one, two, three] = [newId(), newId(), newId()]
    const erasureId = await erased([
      ...([
        ['submission', one],
        ['execution', one],
        ['submission', two],
      ] as Item[]),
      ['audit_record', three, 'a'.repeat(64)],
    ])
    expect(await listErasedItems(database.read, 'submission', [one, three])).toEqual([
      { erasureId, kind: 'submission', itemId: one, contentHash: null },
    ])
    expect(await listErasedItems(database.read, 'audit_record', [three])).toEqual([
      { erasureId, kind: 'audit_record', itemId: three, contentHash: 'a'.repeat(64) },
    ])
    expect(await listErasedItems(database.read, 'submission', [])).toEqual([])
  })
})

describe('parts that a policy has removed', () => {
  test('are told in the order of the parts, with the policy, of the submissions that are asked for', async () => {
    const [own, other] = [newId(), newId()]
    const later = addMs(start, 1)
    const ofModel = { ...rule, retention: 4, ingestion_model: 'letters' }
    const steps = await erased([
      ['steps', own],
      ['output', other],
    ])
    const input = await erased([['raw_input', own]], { rule: ofModel, erasedAt: later })
    // What somebody erased has no policy, and no other kind is a part.
    await erased([['artifacts', own]], { rule: null })
    await erased([
      ['submission', own],
      ['execution_state', own],
    ])
    const parts = await listRemovedParts(database.read, [own])
    expect(parts).toEqual([
      { submissionId: own, part: 'raw_input', erasureId: input, removedAt: later, rule: ofModel },
      { submissionId: own, part: 'steps', erasureId: steps, removedAt: start, rule },
    ])
    expect((await listRemovedParts(database.read, [own, other])).map(({ part }) => part)).toEqual([
      ...(['raw_input', 'output', 'steps'] as const),
    ])
    expect(await listRemovedParts(database.read, [])).toEqual([])
    expect(removedToWire(parts)).toEqual({
      removed: [
        {
          ...{ part: 'raw_input', removed_at: '2026-11-20T09:30:00.001Z', erasure_id: input },
          policy: { retention: 4, ingestion_model: 'letters', keep_days: 30 },
        },
        {
          ...{ part: 'steps', removed_at: '2026-11-20T09:30:00Z', erasure_id: steps },
          policy: { retention: 3, keep_days: 30 },
        },
      ],
    })
    expect([removedToWire([]), removedToWire()]).toEqual([{}, {}])
  })

  test.each([
    ['raw_input', 'its raw input was'],
    ['output', 'its output was'],
    ['artifacts', 'its documents were'],
    ['events', 'its events were'],
    ['steps', 'its details of steps were'],
  ] as const)('are said in words: %s', (part, words) => {
    expect(removalInWords({ submissionId: newId(), part, erasureId: newId(), removedAt: start, rule })).toBe(
      `${words} removed at 2026-11-20T09:30:00Z under retention policies, set 3`,
    )
  })
})

describe('the state of an execution after a removal', () => {
  const [one, two] = [newId(), newId()]

  test('is that of the removal whose record is last in the chain, whatever its clock said', async () => {
    const first = await erased([['execution_state', one, 'first']])
    const second = await erased([
      ['execution_state', one, 'second'],
      ['execution_state', two, 'only'],
    ])
    await erased([['output', two, 'no state']])
    await recorded(first, addMs(start, 9), 7)
    await recorded(second, start, 8)
    expect(Object.fromEntries(await statesAfterRemoval(database.read, [one, two]))).toEqual({
      [one]: { digest: 'second', position: 8 },
      [two]: { digest: 'only', position: 8 },
    })
    expect([
      ...(await statesAfterRemoval(database.read, [newId()])),
      ...(await statesAfterRemoval(database.read, [])),
    ]).toEqual([])
  })

  test('is that of the newest removal whose record is not sealed yet, also before one is written', async () => {
    const sealed = await erased([['execution_state', one, 'sealed']])
    const open = await erased([['execution_state', one, 'open']])
    const newest = await erased([['execution_state', one, 'newest']])
    await recorded(newest, addMs(start, 2), null)
    await recorded(open, addMs(start, 1), null)
    await recorded(sealed, addMs(start, 3), 99)
    const states = await statesAfterRemoval(database.read, [one])
    expect(states.get(one)).toEqual({ digest: 'newest', position: Number.POSITIVE_INFINITY })
    await erased([['execution_state', two, 'unrecorded']])
    expect((await statesAfterRemoval(database.read, [two])).get(two)?.digest).toBe('unrecorded')
  })

  test('was recorded last when the newest of its removals was', async () => {
    const first = await erased([['execution_state', one]])
    const second = await erased([
      ['execution_state', one],
      ['execution_state', two],
    ])
    const third = await erased([['execution_state', one]])
    const other = await erased([['output', one]])
    await recorded(first, addMs(start, 3), null)
    await recorded(second, addMs(start, 5), null)
    await recorded(third, addMs(start, 1), null)
    await recorded(other, addMs(start, 9), null)
    expect(await lastRemovalAt(database.read, [one])).toBe(addMs(start, 5))
    expect(await lastRemovalAt(database.read, [two])).toBe(addMs(start, 5))
    expect(await lastRemovalAt(database.read, [newId()])).toBeUndefined()
    expect(await lastRemovalAt(database.read, [])).toBeUndefined()
  })
})

describe('what was removed and is there nevertheless', () => {
  async function there(): Promise<string[]> {
    const names: string[] = []
    for await (const { name, wrong } of wrongTombstones(database.read)) if (wrong === 'there') names.push(name)
    return names.sort()
  }
  async function seeded() {
    const executionId = await seedExecution(database, { stepCount: 2 })
    const { executions } = database.read.t
    const [row] = await database.read.q.select().from(executions).where(eq(executions.id, executionId))
    return { executionId, submissionId: row!.submissionId }
  }

  test('is named by its kind, and nothing that is gone is', async () => {
    const { executionId, submissionId } = await seeded()
    await erased([
      ['submission', submissionId],
      ['execution', executionId],
    ])
    await erased([
      ['submission', newId()],
      ['execution', newId()],
      ['object', submissionId],
      ['audit_record', executionId],
    ])
    // An id of one kind is nothing of the other.
    await erased([
      ['submission', executionId],
      ['execution', submissionId],
    ])
    expect(await there()).toEqual([`execution ${executionId}`, `submission ${submissionId}`])
  })

  test('is named by the part, as long as the submission has it', async () => {
    const { executionId, submissionId } = await seeded()
    await erased(
      (['raw_input', 'output', 'artifacts', 'events', 'steps'] as const).map((part): Item => [part, submissionId]),
    )
    const name = (part: RetainedPart) => `${part} of the submission ${submissionId}`
    expect(await there()).toEqual([name('raw_input')])
    const { submissions, executions, artifacts } = database.read.t
    await database.write(async (tx) => {
      await tx.q.update(submissions).set({ rawInput: '' }).where(eq(submissions.id, submissionId))
    })
    expect(await there()).toEqual([])
    await database.write(async (tx) => {
      await tx.q.update(submissions).set({ params: '{}' }).where(eq(submissions.id, submissionId))
      await tx.q.update(executions).set({ output: '{}' }).where(eq(executions.id, executionId))
      await tx.q.insert(artifacts).values({
        ...{ id: newId(), executionId, submissionId, kind: 'docx', byteSize: 1, contentHash: 'c'.repeat(64) },
        ...{ objectReference: 'A-1', modelSlug: 'letters', nodeLabel: 'Letter', nodeAddress: 'letters:letter' },
        ...{ createdAt: start, removedAt: null },
      })
    })
    expect(await there()).toEqual([name('artifacts'), name('output'), name('raw_input')])
    await database.write(async (tx) => {
      await tx.q.update(artifacts).set({ removedAt: start }).where(eq(artifacts.executionId, executionId))
    })
    expect(await there()).toEqual([name('output'), name('raw_input')])
  })

  test('is found on every page of the tombstones', async () => {
    const { submissionId } = await seeded()
    const gone = Array.from({ length: limits.tableHashRows }, (): Item => ['submission', newId()])
    for (let at = 0; at < gone.length; at += 500) await erased(gone.slice(at, at + 500))
    // Both at the end of the first page and on the next: erasures are looked at by their ids, the newest last.
    await erased([['submission', submissionId]])
    expect(await there()).toEqual([`submission ${submissionId}`])
  })
})
