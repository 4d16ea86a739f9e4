import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { newestReading } from '../../../src/core/reading.ts'
import type { Database } from '../../../src/db/database.ts'
import { freezeOrReuse, makeFamily, putDraft } from '../../../src/modules/configuration/changes.service.ts'
import { requireSameToday } from '../../../src/modules/drafts/compile.service.ts'
import { compileCondition } from '../../../src/modules/drafts/conditions.service.ts'
import { checkContent, compileSource, earlierFindings } from '../../../src/modules/drafts/content.service.ts'
import { draftContent, freezeDraft, judgeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import { checkChain } from '../../../src/modules/drafts/fit.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { Unjudged, withVerdicts } from '../../../src/modules/drafts/judge-known.service.ts'
import { type FamilyRow, findFamily } from '../../../src/modules/families/families.reads.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const actor = (seconds = 0, families?: readonly string[]): Actor => ({
  ...{ userId: SYSTEM_ACTOR_ID, correlationId: 'saving', at: addMs(start, seconds * 1_000) },
  ...(families === undefined ? {} : { families }),
})
const json = (source: string) => ({ source, format: 'json' as const })
const yaml = (source: string) => ({ source, format: 'yaml' as const })

describe('a draft', () => {
  let database: Database
  let family: FamilyRow
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
  })
  beforeEach(async () => {
    await database.write(async ({ q, t }) => {
      for (const table of [t.families, t.versions, t.events, t.auditRecords]) await q.delete(table)
    })
    const names = { kind: 'contract' as const, slug: 'orders', name: 'Orders', description: 'Of customers' }
    family = await database.write((tx) => createFamily(tx, actor(), names))
  })
  afterAll(() => database.close())

  async function told() {
    const { q, t } = database.read
    const events = await q.select().from(t.events).orderBy(t.events.id)
    const records = await q.select().from(t.auditRecords).orderBy(t.auditRecords.id)
    await database.write(async (tx) => {
      await tx.q.delete(tx.t.events)
      await tx.q.delete(tx.t.auditRecords)
    })
    return {
      events: events.map(({ aggregateId, type, data }) => [aggregateId, type, data]),
      trail: records.map(({ action, resourceId, detail }) => [action, resourceId, detail]),
    }
  }

  test('is saved at the next revision, keeps what is not said of its family, and is told of', async () => {
    await told()
    const saved = await database.write((tx) => saveDraft(tx, actor(1), family, json('{}')))
    expect(saved).toEqual({
      ...{ ...family, draftRevision: 1, draftSource: '{}', draftFormat: 'json', draftBytes: null },
      ...{ draftUpdatedAt: addMs(start, 1_000), updatedAt: addMs(start, 1_000) },
    })
    expect(await findFamily(database.read, 'contract', family.id)).toEqual(saved)
    expect((await told()).events).toEqual([
      [family.id, 'draft.saved', { kind: 'contract', revision: 1, format: 'json' }],
    ])
    const about = { name: 'Other', description: '' }
    const bytes = new Uint8Array([1])
    const file = await database.write((tx) => saveDraft(tx, actor(2), saved, { bytes, format: 'docx' }, about))
    expect(file).toMatchObject({ ...about, draftRevision: 2, draftSource: null, draftFormat: 'docx', slug: 'orders' })
    expect(draftContent(file)).toEqual({ bytes, format: 'docx' })
    expect(draftContent(saved)).toEqual(json('{}'))
  })

  test('gives its family another name only where that is free, and not by a token of some families', async () => {
    await database.write((tx) =>
      createFamily(tx, actor(), { kind: 'contract', slug: 'taken', name: 'Taken', description: '' }),
    )
    const save = (name: string, by = actor()) => database.write((tx) => saveDraft(tx, by, family, json('{}'), { name }))
    expect(await rejectionOf(save('Taken'))).toMatchObject({ code: 'conflict' })
    expect(await rejectionOf(save('Fresh', actor(0, [family.id])))).toMatchObject({ code: 'forbidden' })
    expect(await save('Orders', actor(0, [family.id]))).toMatchObject({ name: 'Orders', draftRevision: 1 })
  })

  test('that is missing is not frozen, nor one with errors, and nothing missing is judged', async () => {
    const none = { code: 'not_found', detail: 'There is no draft of orders yet. Write one first.' }
    expect(() => draftContent(family)).toThrow(expect.objectContaining(none))
    expect(await rejectionOf(database.write((tx) => freezeDraft(tx, actor(), family)))).toMatchObject(none)
    const asked: unknown[] = []
    const judge = { ask: async (...all: unknown[]) => asked.push(all) } as never
    await judgeDraft(judge, undefined)
    await judgeDraft(judge, family)
    expect(asked).toEqual([])
    const wrong = await database.write((tx) => saveDraft(tx, actor(), family, json('{"type":"none"}')))
    await judgeDraft(judge, wrong)
    expect(asked).toEqual([['content', { kind: 'contract', content: json('{"type":"none"}') }]])
    await told()
    const text = await database.write((tx) => saveDraft(tx, actor(), wrong, json('{"type":"nothing"}')))
    await told()
    expect(await rejectionOf(database.write((tx) => freezeDraft(tx, actor(), text)))).toMatchObject({
      ...{ code: 'validation_failed', detail: 'The draft of orders has errors. Mend them, then freeze it.' },
      extras: { stage: 'freeze', resourceKind: 'contract', resourceId: family.id, findings: [{ severity: 'error' }] },
    })
    expect((await told()).events).toEqual([])
  })

  test('is made, saved and frozen with a record of each, and frozen once for each content', async () => {
    await told()
    const made = await database.write((tx) =>
      makeFamily(tx, actor(), 'contract', { slug: 'fresh', name: 'Fresh', description: '' }),
    )
    expect((await told()).trail).toEqual([['contract.created', made.id, { slug: 'fresh', name: 'Fresh' }]])
    const put = (row: FamilyRow, source: string, ifNoneMatch = false) =>
      database.write((tx) =>
        putDraft(tx, actor(), row, { ifMatch: undefined, ifNoneMatch }, { content: json(source), about: {} }),
      )
    const saved = await put(made, '{}', true)
    expect(await rejectionOf(put(saved, '{}', true))).toMatchObject({ code: 'precondition_failed' })
    expect((await told()).trail).toEqual([
      ['contract.draft_saved', made.id, { revision: 1, content_hash: sha256Hex('{}') }],
    ])
    const freeze = (row: FamilyRow) => database.write((tx) => freezeOrReuse(tx, actor(), row))
    const first = await freeze(saved)
    expect([first.reused, first.version]).toMatchObject([false, { number: 1, contentHash: sha256Hex('{}') }])
    expect((await told()).trail).toEqual([
      ['contract.version_frozen', made.id, { version_id: first.version.id, number: 1, content_hash: sha256Hex('{}') }],
    ])
    const again = await freeze({ ...saved, latestNumber: 1 })
    expect([again.reused, again.version.id, await told()]).toEqual([
      ...[true, first.version.id, { events: [], trail: [] }],
    ])
    const other = await put(saved, '{"type":"object"}')
    expect((await freeze({ ...other, latestNumber: 1 })).version.number).toBe(2)
  })

  test('that earlier rules have frozen is published only while it means the same today', async () => {
    const source = 'transform: declarative-v1\noutput: { a: /a }\n'
    const row = await database.write(async (tx) => {
      const names = { kind: 'transformer' as const, slug: 'data', name: 'Data', description: '' }
      const saved = await saveDraft(tx, actor(), await createFamily(tx, actor(), names), yaml(source))
      return freezeDraft(tx, actor(), saved)
    })
    expect(row).toMatchObject({
      number: 1,
      status: 'versioned',
      reading: newestReading,
      bindings: null,
      fragments: null,
    })
    const broken = { ...row, source: 'output: [' }
    expect(await requireSameToday({ ...row, reading: 1 })).toBeUndefined()
    expect(await requireSameToday(broken)).toBeUndefined()
    expect(await requireSameToday({ ...broken, reading: 1, status: 'published' })).toBeUndefined()
    expect(await rejectionOf(requireSameToday({ ...broken, reading: 1 }))).toMatchObject({
      ...{
        code: 'validation_failed',
        extras: { stage: 'freeze', resourceKind: 'transformer', resourceId: row.familyId },
      },
    })
    const large = { ...row, reading: 1 as const, source: `${source}# ${'x'.repeat(limits.judgedOnTheSpotChars)}\n` }
    expect(await rejectionOf(requireSameToday(large))).toBeInstanceOf(Unjudged)
    expect(await withVerdicts(judgeHere, () => requireSameToday(large))).toBeUndefined()
    const largeBroken = { ...large, source: large.source.replace('/a }', '[') }
    expect(await rejectionOf(withVerdicts(judgeHere, () => requireSameToday(largeBroken)))).toMatchObject({
      code: 'validation_failed',
    })
  })
})

describe('what a draft’s engine says', () => {
  test('of a template has what it binds, and each that it includes once', () => {
    const bytes = wordPackage(
      ['{{/name}}', '{{> clause}}', '{{> terms}}', '{{> clause}}'].map((line) => p(line)).join(''),
    )
    const read = checkContent({ kind: 'template', content: { bytes, format: 'docx' } })
    expect(read).toMatchObject({
      ok: true,
      value: { bindings: [{ pointer: '/name' }], fragments: ['clause', 'terms'] },
    })
    const alone = { bytes: wordPackage(p('Dear')), format: 'docx' as const }
    expect(checkContent({ kind: 'template', content: alone })).toMatchObject({
      ...{ ok: true, value: { bindings: [], fragments: null } },
    })
    expect(checkContent({ kind: 'template', content: { bytes: new Uint8Array([1]), format: 'docx' } }).ok).toBe(false)
  })

  test('of a text binds nothing, and is that of the engine of its kind', () => {
    expect(checkContent({ kind: 'contract', content: json('{}') })).toMatchObject({
      ...{ ok: true, value: { bindings: null, fragments: null } },
    })
    for (const kind of ['contract', 'ingestion_model', 'transformer'] as const)
      expect([kind, compileSource(kind, json('[')).ok]).toEqual([kind, false])
    expect(() => compileSource('template', json('{}'))).toThrow('a template has bytes, not source text')
  })

  test('of earlier rules is nothing under today’s, and nothing of contracts and models', () => {
    const content = json('{"transform":"declarative-v1","output":{"a":"/a"}}')
    expect(earlierFindings({ kind: 'transformer', content, reading: newestReading })).toEqual([])
    for (const kind of ['contract', 'ingestion_model', 'transformer'] as const)
      expect(earlierFindings({ kind, content, reading: 1 })).toEqual([])
  })

  test('of a condition is whether it is true or false, but under the first rules', () => {
    const told = (when: unknown, reading?: 1) =>
      compileCondition(when as never, reading === undefined ? {} : { reading }).findings.map(({ code }) => code)
    expect(told({ $is: ['/a', '=', 'b'] })).toEqual([])
    expect(told('/a')).toEqual([])
    expect(told({ $text: 'x' })).toEqual(['ingestion.when'])
    expect(told({ a: true })).toEqual(['ingestion.when'])
    expect(told({ $text: 'x' }, 1)).toEqual([])
  })

  test('of a chain is what its contract lacks, else what its template wants', () => {
    const contract =
      '{"type":"object","required":["a"],"properties":{"a":{"type":"string"}},"additionalProperties":false}'
    const transformer = (pointer: string) => yaml(`transform: declarative-v1\noutput: { made: ${pointer} }\n`)
    const binding = { pointer: '/made', part: 'p', paragraph: 1, position: 1, required: true } as never
    const check = (pointer: string, rules: string | undefined, bindings?: never[]) =>
      checkChain({ contract: rules, transformer: transformer(pointer), bindings, reading: newestReading }).length
    expect([check('/a', contract), check('/b', contract), check('/b', undefined)]).toEqual([0, 1, 0])
    expect([check('/a', contract, [binding]), check('/a', '{"type":"none"}')]).toEqual([0, 1])
    expect(check('/a', contract, [{ ...(binding as object), pointer: '/other' } as never])).toBe(1)
  })
})
