import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { Fault } from '../../../src/core/faults.ts'
import { parseInstant } from '../../../src/core/instant.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import type { Database } from '../../../src/db/database.ts'
import { demo } from '../../../src/demo/demo.ts'
import { scheduleActivation } from '../../../src/modules/activations/activations.service.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { planSubmission } from '../../../src/modules/submissions/submissions.service.ts'
import { publishVersion } from '../../../src/modules/versions/versions.service.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { noConditionTakesLong } from '../../support/no-slow-conditions.ts'

const actor: Actor = {
  userId: SYSTEM_ACTOR_ID,
  correlationId: 'plan-test',
  at: parseInstant('2025-12-01T00:00:00Z')!,
}
const metadata = { ...demo.scenarios[0]!.metadata, source_timestamp: '2026-06-15T00:00:00Z' }

const transformer = 'transform: declarative-v1\noutput: { id: /id }\n'
const otherTransformer = 'transform: declarative-v1\noutput: { id: /id, second: true }\n'

function model(nodes: string, object = ''): string {
  return `model: ingestion-model-v1\ncontract: { name: order, version: 1 }\n${object}nodes:\n${nodes}`
}

describeOnBothDialects('the plan of a submission', (dialect) => {
  noConditionTakesLong()
  let database: Database

  async function define(kind: 'transformer' | 'ingestion_model', slug: string, versions: [string, string][]) {
    await database.write(async (tx) => {
      let family = await createFamily(tx, actor, { kind, slug, name: slug, description: '' })
      for (const [source, effectiveFrom] of versions) {
        family = await saveDraft(tx, actor, family, { source, format: 'yaml' })
        const version = await publishVersion(tx, actor, await freezeDraft(tx, actor, family))
        family = { ...family, latestNumber: version.number }
        await scheduleActivation(tx, actor, family, version, parseInstant(effectiveFrom)!)
      }
    })
  }

  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    await database.write(async (tx) => {
      const family = await createFamily(tx, actor, { kind: 'contract', slug: 'order', name: 'order', description: '' })
      const draft = await saveDraft(tx, actor, family, { source: '{"type": "object"}', format: 'json' })
      await publishVersion(tx, actor, await freezeDraft(tx, actor, draft))
    })
    await define('transformer', 'data', [
      [transformer, '2026-01-01T00:00:00Z'],
      [otherTransformer, '2026-07-01T00:00:00.000000001Z'],
    ])
    const tree = `  - key: main
    label: Main
    transformer: data
    children:
      - { key: copy, label: Copy, transformer: data, when: { $is: [/copies, ">", 1] } }
  - { key: big, label: Big, transformer: data, when: { $is: [/total, ">", 100] } }
`
    await define('ingestion_model', 'orders', [[model(tree), '2026-01-01T00:00:00Z']])
    await define('ingestion_model', 'by-input', [
      [
        model('  - { key: a, label: A, transformer: data }\n', 'object: { reference: /ref, time: /at }\n'),
        '2026-01-01T00:00:00Z',
      ],
    ])
    await define('ingestion_model', 'unmet', [
      [model('  - { key: a, label: A, transformer: missing }\n'), '2026-01-01T00:00:00Z'],
    ])
  })
  afterAll(() => database.close())

  const plan = (modelSlug: string, input: JsonValue | undefined, at = metadata.source_timestamp) =>
    planSubmission(database.read, { modelSlug, metadata: { ...metadata, source_timestamp: at }, input })

  async function refusal(...args: Parameters<typeof plan>): Promise<string> {
    const fault = await plan(...args).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Fault)
    expect((fault as Fault).code).toBe('validation_failed')
    return (fault as Fault).detail
  }

  test('holds the nodes that want the input, parents before children, under their addresses', async () => {
    const addresses = async (input: JsonValue) => (await plan('orders', input)).nodes.map((node) => node.address)
    expect(await addresses({ copies: 2, total: 500 })).toEqual(['orders:main', 'orders:main:copy', 'orders:big'])
    expect(await addresses({ copies: 1, total: 500 })).toEqual(['orders:main', 'orders:big'])
    expect((await plan('orders', { copies: 2, total: 1 })).nodes.map((node) => node.parent)).toEqual([undefined, 0])
  })

  test('excludes nothing where a condition cannot be decided: validate will say why', async () => {
    for (const input of [undefined, {}, { copies: 'many', total: null }]) {
      expect((await plan('orders', input)).nodes).toHaveLength(3)
    }
  })

  test('takes the version in force at the official object time, to the nanosecond', async () => {
    const hashAt = async (at: string) => (await plan('orders', {}, at)).nodes[0]!.pin.transformer.contentHash
    const before = await hashAt('2026-07-01T00:00:00Z')
    const after = await hashAt('2026-07-01T00:00:00.000000001Z')
    expect(after).not.toBe(before)
    expect(await hashAt('2026-01-01T00:00:00Z')).toBe(before)
    expect(await hashAt('2026-07-01T02:00:00+02:00')).toBe(before)
  })

  test('takes reference and time from the input where the model says so', async () => {
    const planned = await plan('by-input', { ref: 'ORD-7', at: '2026-08-01T00:00:00Z' })
    expect(planned.objectReference).toBe('ORD-7')
    expect(planned.objectTime as string).toBe('2026-08-01T00:00:00.000000000Z')
    const fallen = await plan('by-input', undefined)
    expect(fallen.objectReference).toBe(metadata.source_object)
    expect(fallen.objectTime as string).toBe('2026-06-15T00:00:00.000000000Z')
  })

  test('gives a node the same id in every plan of one model version', async () => {
    const ids = async (at: string) => (await plan('orders', {}, at)).nodes.map((node) => node.processingNodeId)
    const first = await ids('2026-03-01T00:00:00Z')
    expect(new Set(first).size).toBe(3)
    expect(await ids('2026-09-01T00:00:00Z')).toEqual(first)
  })

  test('refuses what nothing is in force for, naming the family and the instant', async () => {
    expect(await refusal('orders', {}, '2025-12-31T23:59:59Z')).toMatch(
      /ingestion model "orders".*2025-12-31T23:59:59Z/,
    )
    expect(await refusal('unmet', {})).toMatch(/transformer "missing"/)
    expect(await refusal('nobody', {})).toMatch(/ingestion_model.*"nobody"/)
    expect(await refusal('orders', {}, 'soon')).toMatch(/source_timestamp/)
    expect(await refusal('by-input', { ref: 'has space', at: '2026-08-01T00:00:00Z' })).toMatch(/raw_input\/ref/)
    expect(await refusal('by-input', { ref: 'ORD-7', at: 'now' })).toMatch(/raw_input\/at/)
  })
})
