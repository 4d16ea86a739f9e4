import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { Fault } from '../../../src/core/faults.ts'
import { addMs, parseInstant } from '../../../src/core/instant.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import { demo } from '../../../src/demo/demo.ts'
import { scheduleActivation } from '../../../src/modules/activations/activations.service.ts'
import { markCancelled } from '../../../src/modules/activations/activations.store.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { findFamilyByName, findFamilyBySlug } from '../../../src/modules/families/families.reads.ts'
import { createFamily, holdFamily } from '../../../src/modules/families/families.service.ts'
import { KnownConfiguration } from '../../../src/modules/submissions/submissions.known.ts'
import { createSubmissionService, planSubmission } from '../../../src/modules/submissions/submissions.service.ts'
import { findVersionByNumber } from '../../../src/modules/versions/versions.reads.ts'
import { deprecateVersion, publishVersion } from '../../../src/modules/versions/versions.service.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

const actor: Actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'known', at: parseInstant('2025-12-01T00:00:00Z')! }
const metadata = { ...demo.scenarios[0]!.metadata, source_timestamp: '2026-06-15T00:00:00Z' }
const model = `model: ingestion-model-v1
contract: { name: order, version: 1 }
nodes:
  - { key: main, label: Main, transformer: data }
`

/** The service remembers what can't change; whatever can, a plan must see at once, whoever changed it. */
describeOnBothDialects('a plan made with what is known from plans before', (dialect) => {
  let database: Database
  let known: KnownConfiguration

  async function version(
    tx: Transaction,
    kind: 'transformer' | 'ingestion_model' | 'contract',
    slug: string,
    source: string,
  ) {
    const existing = await findFamilyBySlug(tx, kind, slug)
    const family =
      existing === undefined
        ? await createFamily(tx, actor, { kind, slug, name: slug, description: '' })
        : (await holdFamily(tx, kind, existing.id))!
    const draft = await saveDraft(tx, actor, family, { source, format: kind === 'contract' ? 'json' : 'yaml' })
    return { family: draft, version: await publishVersion(tx, actor, await freezeDraft(tx, actor, draft)) }
  }
  async function activate(
    tx: Transaction,
    kind: 'transformer' | 'ingestion_model',
    slug: string,
    source: string,
    from: string,
  ) {
    const made = await version(tx, kind, slug, source)
    return scheduleActivation(tx, actor, made.family, made.version, parseInstant(from)!)
  }
  /** As a submission makes it, and the same as one that knows nothing. */
  async function planIn(tx: Transaction, at = metadata.source_timestamp) {
    const made = await planSubmission(tx, request(at), known)
    expect(made).toEqual(await planSubmission(tx, request(at)))
    return made
  }
  const request = (at = metadata.source_timestamp) => ({
    ...{ modelSlug: 'orders', input: {} },
    metadata: { ...metadata, source_timestamp: at },
  })
  const plan = (at?: string) => database.write((tx) => planIn(tx, at))
  const transformerInForce = async () => (await plan()).nodes[0]!.pin.transformer.id
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => '',
      (error: unknown) => (error as Fault).detail,
    )

  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    known = new KnownConfiguration()
    await database.write(async (tx) => {
      await version(tx, 'contract', 'order', '{"type":"object"}')
      await activate(tx, 'transformer', 'data', 'transform: declarative-v1\noutput: 1\n', '2026-01-01T00:00:00Z')
      await activate(tx, 'ingestion_model', 'orders', model, '2026-01-01T00:00:00Z')
    })
    await plan()
  })
  afterAll(() => database.close())

  test('is the one made without it', async () => {
    const fresh = await planSubmission(database.read, { modelSlug: 'orders', metadata, input: {} })
    expect(await plan()).toEqual(fresh)
    expect(await refusal(plan('2025-06-15T00:00:00Z'))).toContain('no version of the ingestion model "orders"')
  })

  test('sees a new activation, and its cancellation', async () => {
    const before = await transformerInForce()
    const source = 'transform: declarative-v1\noutput: 2\n'
    const made = await database.write((tx) => activate(tx, 'transformer', 'data', source, '2026-06-01T00:00:00Z'))
    expect(await transformerInForce()).toBe(made.versionId)
    await database.write((tx) => markCancelled(tx, made.id, actor.at, 'mistake'))
    expect(await transformerInForce()).toBe(before)
  })

  test('goes by its own time, among several activations', async () => {
    const days = [10, 12, 14].map((day) => `2026-06-${day}T00:00:00Z`)
    const made = await database.write(async (tx) => {
      const ids: string[] = []
      for (const [place, day] of days.entries()) {
        const source = `transform: declarative-v1\noutput: ${100 + place}\n`
        ids.push((await activate(tx, 'transformer', 'data', source, day)).id)
      }
      return ids
    })
    const after = days.flatMap((day) => [day, day.replace('T00', 'T23')])
    const times = ['2026-06-09T23:59:59.999999999Z', ...after, ...after.toReversed()]
    const transformersAt = () =>
      database.write(async (tx) => {
        const ids = new Set<string>()
        for (const at of times) ids.add((await planIn(tx, at)).nodes[0]!.pin.transformer.id)
        return ids.size
      })
    expect(await transformersAt()).toBe(4)
    await database.write(async (tx) => {
      for (const id of made) await markCancelled(tx, id, actor.at, 'mistake')
    })
    expect(await transformersAt()).toBe(1)
  })

  test('sees what its own transaction has changed, and nobody does once that is taken back', async () => {
    const before = await transformerInForce()
    const rolledBack = await refusal(
      database.write(async (tx) => {
        const source = 'transform: declarative-v1\noutput: 9\n'
        const { versionId } = await activate(tx, 'transformer', 'data', source, '2026-06-05T00:00:00Z')
        expect((await planIn(tx)).nodes[0]!.pin.transformer.id).toBe(versionId)
        throw new Fault('conflict', 'rolled back')
      }),
    )
    expect(rolledBack).toBe('rolled back')
    expect(await transformerInForce()).toBe(before)
  })

  test('sees what others of its commit have changed, and what one of them has taken back', async () => {
    const before = await transformerInForce()
    const source = 'transform: declarative-v1\noutput: 10\n'
    const change = (error?: Fault) =>
      database.write(async (tx) => {
        const made = await activate(tx, 'transformer', 'data', source, '2026-06-06T00:00:00Z')
        await planIn(tx)
        if (error !== undefined) throw error
        return made
      })
    const [, unchanged] = await Promise.all([refusal(change(new Fault('conflict', 'no'))), transformerInForce()])
    expect(unchanged).toBe(before)
    const beside = () => database.write((tx) => planSubmission(tx, request(), known))
    const [made, seen] = await Promise.all([change(), beside()])
    // On PostgreSQL each has a transaction of its own, and sees what was committed before each statement.
    if (dialect === 'sqlite') expect(seen.nodes[0]!.pin.transformer.id).toBe(made.versionId)
    await database.write((tx) => markCancelled(tx, made.id, actor.at, 'mistake'))
    expect(await transformerInForce()).toBe(before)
  })

  test('sees a model that wants another transformer, one that was not there before', async () => {
    const other = model.replace('transformer: data', 'transformer: later')
    const made = await database.write((tx) => activate(tx, 'ingestion_model', 'orders', other, '2026-06-02T00:00:00Z'))
    expect(await refusal(plan())).toContain('"later" of the ingestion model does not exist')
    const source = 'transform: declarative-v1\noutput: 3\n'
    const later = await database.write((tx) => activate(tx, 'transformer', 'later', source, '2026-01-01T00:00:00Z'))
    expect(await transformerInForce()).toBe(later.versionId)
    await database.write((tx) => markCancelled(tx, made.id, actor.at, 'mistake'))
    expect(await transformerInForce()).not.toBe(later.versionId)
  })

  test('sees that a contract’s name has gone to another contract', async () => {
    const first = (await plan()).nodes[0]!.pin.contract.id
    const rename = (from: string, to: string) =>
      database.write(async (tx) => {
        const family = (await holdFamily(tx, 'contract', (await findFamilyByName(tx, 'contract', from))!.id))!
        await saveDraft(tx, actor, family, { source: '{"type":"object"}', format: 'json' }, { name: to })
      })
    await rename('order', 'former order')
    // Its slug still is the name that the model gives; a name counts before a slug.
    expect((await plan()).nodes[0]!.pin.contract.id).toBe(first)
    const second = await database.write((tx) => version(tx, 'contract', 'second', '{"type":"object","title":"2"}'))
    await rename('second', 'order')
    expect((await plan()).nodes[0]!.pin.contract.id).toBe(second.version.id)
    await rename('order', 'second')
    await rename('former order', 'order')
    expect((await plan()).nodes[0]!.pin.contract.id).toBe(first)
  })

  test('keeps nothing of a transaction that was rolled back', async () => {
    const remembering = new KnownConfiguration()
    const slug = 'unborn'
    const request = { modelSlug: slug, metadata, input: {} }
    const rolledBack = await refusal(
      database.write(async (tx) => {
        await activate(tx, 'ingestion_model', slug, model, '2026-01-01T00:00:00Z')
        expect((await planSubmission(tx, request, remembering)).nodes).toHaveLength(1)
        throw new Fault('conflict', 'rolled back')
      }),
    )
    expect(rolledBack).toBe('rolled back')
    expect(await refusal(planSubmission(database.read, request, remembering))).toContain('there is no ingestion model')
    await database.write((tx) => activate(tx, 'ingestion_model', slug, model, '2026-01-01T00:00:00Z'))
    expect((await planSubmission(database.read, request, remembering)).nodes).toHaveLength(1)
  })

  test('makes no new release for a contract deprecated since then, and keeps using the existing one', async () => {
    const service = createSubmissionService({ database, judge: judgeHere })
    const body = { ingestion_model: 'orders', raw_input: '{}', metadata }
    const submit = async () => {
      const request = { actorId: actor.userId, key: crypto.randomUUID(), requestHash: '0'.repeat(64) }
      return (await service.submit(actor, request, body)).body.submission
    }
    expect((await submit()).executions).toHaveLength(1)
    await database.write(async (tx) => {
      const contract = (await findFamilyByName(tx, 'contract', 'order'))!
      await deprecateVersion(tx, actor, (await findVersionByNumber(tx, contract.id, 1))!)
    })
    expect((await submit()).executions).toHaveLength(1)
    const source = 'transform: declarative-v1\noutput: 4\n'
    const at = addMs(parseInstant('2026-06-03T00:00:00Z')!, 0)
    await database.write((tx) => activate(tx, 'transformer', 'data', source, at))
    expect(await refusal(submit())).toContain('deprecated')
  })
})
