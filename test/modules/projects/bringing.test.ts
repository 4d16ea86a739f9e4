import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { addMs, formatInstant, type Instant, instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import type { PlanFields } from '../../../src/modules/projects/projects.model.ts'
import { createProjectService } from '../../../src/modules/projects/projects.service.ts'
import { openTestDatabase } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { contract, type Files, filesOf, hello, model, transformer, zipOf } from './fixture.ts'

const start = instantOf('2026-11-20T09:30:00Z')
/** Pages are drawn by the judge's process alone, and nothing here is about them. */
const judge: Judge = {
  ...judgeHere,
  ask: (async (name: string, given: never) =>
    name === 'changedPages' ? undefined : judgeHere.ask(name as never, given)) as Judge['ask'],
}

describe('a project that is brought into force', () => {
  let database: Database
  let now: Instant
  let keys = 0
  const service = () => createProjectService({ database, clock: { now: () => now }, judge, suites: noSuites(judge) })
  const actor = (): Actor => ({ userId: SYSTEM_ACTOR_ID, correlationId: `bringing-${keys}`, at: now })
  const plan = (files: Files, fields: PlanFields = {}) => service().plan(actor(), zipOf(files), fields)
  async function apply(files: Files, fields: PlanFields = {}) {
    const { plan_hash } = await plan(files, fields)
    const key = { actorId: SYSTEM_ACTOR_ID, key: `apply-${++keys}`, requestHash: `hash-${keys}` }
    return service().apply(actor(), key, zipOf(files), { ...fields, plan_hash })
  }
  const steps = (changes: readonly { path: string; action: string; from_version?: number; to_version: number }[]) =>
    changes.map(({ path, action, from_version: from, to_version: to }) => [path, action, from, to])
  const records = async (action: string) => {
    const { q, t } = database.read
    return (await q.select().from(t.auditRecords)).filter((row) => row.action === action)
  }

  beforeEach(async () => {
    now = start
    database = await openTestDatabase('sqlite')
  })
  afterEach(() => database.close())

  const all: [string, string, number | undefined, number][] = [
    ['contracts/person.schema.json', 'create', undefined, 1],
    ['templates/hello.docx', 'create', undefined, 1],
    ['transformers/hello.yaml', 'create', undefined, 1],
    ['models/hello.yaml', 'create', undefined, 1],
  ]

  test('makes what is new and leaves what is there, and a plan of it changes nothing', async () => {
    const planned = await plan(hello)
    expect([steps(planned.changes), planned.valid, planned.unchanged, planned.absent]).toEqual([all, true, 0, []])
    expect(planned.changes.every(({ difference }) => difference === '')).toBe(true)
    expect(await database.read.q.select().from(database.read.t.families)).toEqual([])
    const applied = await apply(hello)
    expect([steps(applied.changes), applied.unchanged, applied.plan_hash]).toEqual([all, 0, planned.plan_hash])
    expect(applied.effective_from).toBe(formatInstant(now))
    expect(await records('project.applied')).toMatchObject([
      {
        ...{ resourceKind: 'project', resourceId: planned.plan_hash },
        detail: { plan_hash: planned.plan_hash, changes: 4, effective_from: formatInstant(now) },
      },
    ])
    const again = await plan(hello)
    expect([again.changes, again.unchanged, again.valid]).toEqual([[], 4, true])
    const { 'models/hello.yaml': _model, ...others } = hello
    expect((await plan(others)).absent).toEqual(['models/hello.yaml'])
    const alone = { 'transformers/other.yaml': transformer('Other') }
    // In the order of their paths.
    expect((await plan(alone)).absent).toEqual([
      ...['contracts/person.schema.json', 'models/hello.yaml', 'templates/hello.docx', 'transformers/hello.yaml'],
    ])
  })

  test('gives what has changed the next version, and tells from which and how it differs', async () => {
    await apply(hello)
    now = addMs(now, 1_000)
    const changed = { ...hello, 'transformers/hello.yaml': transformer('Good day') }
    const planned = await plan(changed)
    expect([steps(planned.changes), planned.unchanged]).toEqual([[['transformers/hello.yaml', 'new_version', 1, 2]], 3])
    expect(planned.changes[0]).toMatchObject({
      replaces_draft: false,
      renames: false,
      kind: 'transformer',
      slug: 'hello',
    })
    expect(planned.changes[0]!.difference).toContain('Good day')
    await apply(changed)
    // Back again is the first version, which is there.
    now = addMs(now, 1_000)
    const back = await apply(hello)
    expect(steps(back.changes)).toEqual([['transformers/hello.yaml', 'activate', 2, 1]])
    expect((await plan(changed)).drift).toEqual([])
  })

  test('gives families other names without another version, and says that it renames', async () => {
    await apply(hello)
    now = addMs(now, 1_000)
    const texts = (name: string, description: string) => ({
      ...hello,
      'families.json': JSON.stringify({ models: { hello: { name, description } } }),
    })
    const described = await apply(texts('hello', 'Says hello'))
    expect([steps(described.changes), described.changes[0]?.renames]).toEqual([
      ...[[['models/hello.yaml', 'describe', 1, 1]], false],
    ])
    const renamed = await apply(texts('Hello!', 'Says hello'))
    expect([steps(renamed.changes), renamed.changes[0]?.renames]).toEqual([
      ...[[['models/hello.yaml', 'describe', 1, 1]], true],
    ])
    expect((await plan(texts('Hello!', 'Says hello'))).changes).toEqual([])
    const exported = filesOf(await service().export(actor(), undefined))
    expect(JSON.parse(String(exported['families.json'])).models).toEqual({
      hello: { name: 'Hello!', description: 'Says hello' },
    })
  })

  test('is refused as a whole where its parts do not fit, with the place in each file', async () => {
    const broken = { ...hello, 'transformers/hello.yaml': transformer('x').replace('name: /name', 'name: /other') }
    const planned = await plan(broken)
    expect(planned.valid).toBe(false)
    expect(planned.issues[0]!.path).toStartWith('transformers/hello.yaml#')
    const key = { actorId: SYSTEM_ACTOR_ID, key: 'broken', requestHash: 'h' }
    const refused = await rejectionOf(service().apply(actor(), key, zipOf(broken), { plan_hash: planned.plan_hash }))
    expect(refused).toMatchObject({ code: 'validation_failed', extras: { stage: 'plan', resourceKind: 'project' } })
    expect(await database.read.q.select().from(database.read.t.families)).toEqual([])
    const misnamed = await plan({ ...hello, 'models/hello.yaml': model(3) })
    expect(misnamed.issues.map(({ code }) => code)).toContain('project.version')
  })

  test('is applied as it was planned, and not after something else has changed', async () => {
    const { plan_hash } = await plan(hello)
    await apply({ 'contracts/person.schema.json': contract() })
    const key = { actorId: SYSTEM_ACTOR_ID, key: 'stale', requestHash: 'h' }
    expect(await rejectionOf(service().apply(actor(), key, zipOf(hello), { plan_hash }))).toMatchObject({
      code: 'conflict',
      detail: 'The configuration has changed since the plan was made. Plan again, then apply that plan.',
    })
    expect(await records('project.applied')).toHaveLength(1)
  })

  test('comes into force at an instant from now on, and has another hash where that was named', async () => {
    const from = (ms: number) => ({ effective_from: formatInstant(addMs(now, ms)) })
    const detail = 'Body field effective_from is in the past. Name an instant from now on, or leave it out.'
    expect(await rejectionOf(plan(hello, from(-1)))).toMatchObject({ code: 'validation_failed', detail })
    const [unnamed, atOnce, later] = [await plan(hello), await plan(hello, from(0)), await plan(hello, from(1_000))]
    expect([unnamed, atOnce, later].map((each) => each.effective_from)).toEqual([
      ...[undefined, formatInstant(now), formatInstant(addMs(now, 1_000))],
    ])
    expect(new Set([unnamed, atOnce, later].map((each) => each.plan_hash)).size).toBe(3)
    await apply(hello, from(1_000))
    const rows = await database.read.q.select().from(database.read.t.activations)
    expect(rows.map(({ status, effectiveFrom }) => [status, effectiveFrom])).toEqual(
      Array(3).fill(['scheduled', addMs(now, 1_000)]),
    )
    expect((await plan(hello)).later.map(({ path, version }) => [path, version])).toEqual([
      ...['models/hello.yaml', 'templates/hello.docx', 'transformers/hello.yaml'].map(
        (path) => [path, 1] as [string, number],
      ),
    ])
  })

  test('is only frozen where that is asked for, under the numbers that applying gives', async () => {
    const freezing = { freeze_only: 'true' as const }
    const detail =
      'Body field effective_from does not go with freeze_only, which puts nothing in force. Leave one of them out.'
    expect(await rejectionOf(plan(hello, { ...freezing, effective_from: formatInstant(now) }))).toMatchObject({
      code: 'validation_failed',
      detail,
    })
    const planned = await plan(hello, freezing)
    expect([steps(planned.changes), planned.freeze_only, planned.valid]).toEqual([all, true, true])
    const frozen = await apply(hello, freezing)
    expect([steps(frozen.changes), Object.hasOwn(frozen, 'effective_from')]).toEqual([all, false])
    expect(await records('project.frozen')).toHaveLength(1)
    const { q, t } = database.read
    expect([
      await q.select().from(t.activations),
      (await q.select().from(t.versions)).map(({ status }) => status),
    ]).toEqual([[], Array(4).fill('versioned')])
    expect((await plan(hello, freezing)).changes).toEqual([])
    const applied = await apply(hello)
    expect(steps(applied.changes)).toEqual([
      ['contracts/person.schema.json', 'publish', undefined, 1],
      ['templates/hello.docx', 'activate', undefined, 1],
      ['transformers/hello.yaml', 'activate', undefined, 1],
      ['models/hello.yaml', 'activate', undefined, 1],
    ])
  })

  test('is exported as it was applied, the same bytes each time, with a record of who took it', async () => {
    await apply(hello)
    const archive = await service().export(actor(), undefined)
    const { 'README.md': _readme, ...configuration } = hello
    const exported = filesOf(archive)
    for (const [path, content] of Object.entries(configuration)) expect([path, exported[path]]).toEqual([path, content])
    expect(Object.keys(exported).sort()).toEqual(
      [...Object.keys(configuration), 'families.json', 'templates/hello.docx.md'].sort(),
    )
    expect(Buffer.from(await service().export(actor(), undefined)).equals(Buffer.from(archive))).toBe(true)
    expect(await records('project.exported')).toMatchObject([
      { resourceKind: 'project', detail: { at: formatInstant(now), bytes: archive.length } },
      {},
    ])
    // Before anything was in force there was nothing to take but the contract, which has no instant.
    const before = filesOf(await service().export(actor(), formatInstant(addMs(now, -3_600_000))))
    expect(Object.keys(before)).toEqual(['contracts/person.schema.json', 'families.json'])
  })
})
