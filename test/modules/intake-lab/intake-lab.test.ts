/** The demo configuration as it comes into a store, and what its catalog says of it. */
import { beforeAll, expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { demo } from '../../../src/demo/demo.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { withVerdicts } from '../../../src/modules/drafts/judge-known.service.ts'
import { createIntakeLabService, seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { createSubmissionService } from '../../../src/modules/submissions/submissions.service.ts'
import { openTestDatabase } from '../../support/database.ts'

const at = instantOf('2026-11-20T09:30:00Z')
const clock: Clock = { now: () => at }

let database: Database
beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})

const everything = async () => {
  const { families, versions, activations, cases, auditRecords } = database.read.t
  const { q } = database.read
  return {
    families: await q.select().from(families).orderBy(asc(families.id)),
    versions: await q.select().from(versions),
    activations: await q.select().from(activations),
    cases: await q.select().from(cases),
    records: await q.select().from(auditRecords).orderBy(asc(auditRecords.id)),
  }
}

test('the catalog has the four scenarios, and is not ready before the configuration is there', async () => {
  const catalog = await createIntakeLabService({ database, judge: judgeHere }).catalog()
  expect(catalog).toEqual({ fixture_family: 'clws-policy-v1', ready: false, scenarios: [...demo.scenarios] as never })
  expect(catalog.scenarios.map(({ id }) => id)).toEqual(['monthly', 'semiannual', 'annual', 'invalid'])
})

test('the configuration is put in force once, as the system’s own work, and is the same after a second time', async () => {
  expect(await seedDemo(database, clock)).toBe(true)
  const seeded = await everything()
  const { slug } = demo.ingestionModel
  const kinds = ['contract', 'transformer', 'template', 'ingestion_model'] as const
  const described = {
    ...{ contract: demo.contract, transformer: demo.transformer, template: demo.template },
    ingestion_model: demo.ingestionModel,
  }
  expect(seeded.families.map(({ kind, slug: own, name, description }) => [kind, own, name, description])).toEqual(
    kinds.map((kind) => [kind, slug, described[kind].name, described[kind].description]),
  )
  expect(seeded.versions.map(({ number, status, createdBy }) => [number, status, createdBy])).toEqual(
    kinds.map(() => [1, 'published', SYSTEM_ACTOR_ID]),
  )
  const effectiveFrom = instantOf(demo.effectiveFrom)
  expect(seeded.activations.map((row) => row.effectiveFrom)).toEqual([effectiveFrom, effectiveFrom, effectiveFrom])
  const [scenario] = demo.scenarios
  expect(seeded.cases.map(({ kind, payload, provider }) => [kind, payload, provider])).toEqual([
    ['valid', scenario.raw_input, 'svc fixture'],
  ])
  // The same records that the steps leave when a person takes them, all of one request.
  const steps = (kind: string) =>
    ['created', 'draft_saved', 'version_frozen', 'version_published'].map((what) => `${kind}.${what}`)
  const actions = seeded.records.map(({ action }) => action)
  for (const kind of kinds) {
    expect(actions.filter((action) => action.startsWith(`${kind}.`)).slice(0, 4)).toEqual(steps(kind))
  }
  expect(actions).toContain('case.imported')
  expect(new Set(seeded.records.map(({ actorId }) => actorId))).toEqual(new Set([SYSTEM_ACTOR_ID]))
  const [requests] = [new Set(seeded.records.map(({ correlationId }) => correlationId))]
  expect([requests.size, [...requests][0]]).toEqual([1, expect.stringMatching(/^demo-/)])
  const detailOf = (action: string) => seeded.records.find((record) => record.action === action)?.detail
  const [, transformer] = seeded.versions.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const contentHash = sha256Hex(demo.transformer.source)
  expect(detailOf('transformer.created')).toEqual({ slug, name: demo.transformer.name })
  expect(detailOf('transformer.draft_saved')).toEqual({ revision: 1, content_hash: contentHash })
  expect(detailOf('transformer.version_frozen')).toEqual({
    ...{ version_id: transformer!.id, number: 1, content_hash: contentHash },
  })
  expect(await seedDemo(database, clock)).toBe(false)
  expect(await everything()).toEqual(seeded)
})

test('the catalog is ready then, and names the release of the scenarios once there is one', async () => {
  const lab = createIntakeLabService({ database, judge: judgeHere })
  const before = await lab.catalog()
  expect([before.ready, 'release_id' in before]).toEqual([true, false])
  const submissions = createSubmissionService({ database, judge: judgeHere })
  const [{ raw_input, metadata }] = demo.scenarios
  const { ingestionModel } = demo
  const body = { ingestion_model: ingestionModel.slug, raw_input, metadata: { ...metadata } }
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at }
  const input = await submissions.readRow(raw_input)
  await withVerdicts(judgeHere, () =>
    database.write((tx) => submissions.submitRow(tx, actor, { body, input, receivedAt: at } as never)),
  )
  const [release] = await database.read.q.select().from(database.read.t.releases)
  expect(await lab.catalog()).toEqual({ ...before, release_id: release!.id })
})

test('a store that can’t be read is no store without the demo', async () => {
  const broken = {
    read: new Proxy(
      {},
      {
        get: () => {
          throw new Error('the database is gone')
        },
      },
    ),
  } as unknown as Database
  const asked = createIntakeLabService({ database: broken, judge: judgeHere }).catalog()
  expect(String(await asked.catch((error) => error))).toContain('the database is gone')
})
