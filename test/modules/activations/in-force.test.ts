import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { formatInstant, type Instant, parseInstant } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { checkActivation } from '../../../src/modules/activations/activations.check.ts'
import { scheduleActivation } from '../../../src/modules/activations/activations.service.ts'
import {
  type ActivationRow,
  findAtInstant,
  findInForce,
  hasActivation,
  listDue,
  listInForce,
  listInForceOf,
  listLaterInstants,
  markCancelled,
  settleFamily,
} from '../../../src/modules/activations/activations.store.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import type { Content } from '../../../src/modules/versions/versions.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { outcomeOf } from '../../support/outcome.ts'
import { actor, type Made, make } from './made.ts'

const at = (text: string): Instant => parseInstant(`2026-${text}Z`)!
const yaml = (source: string): Content => ({ source, format: 'yaml' })
const transformer = (output: string) => yaml(`transform: declarative-v1\noutput: ${output}\n`)
const template = (text: string): Content => ({ bytes: wordPackage(p(text)), format: 'docx' })

const schedule = (database: Database, { family, versions }: Made, number: number, from: Instant) =>
  database.write((tx) => scheduleActivation(tx, actor, family, versions[number - 1]!, from))

const early = at('02-01T00:00:00')
const late = at('03-01T00:00:00')
const beforeLate = at('02-28T23:59:59.999999999')

describeOnBothDialects('what is in force', (dialect) => {
  let database: Database
  let made: Made
  let other: Made
  let first: ActivationRow
  beforeEach(async () => {
    database = await openTestDatabase(dialect)
    made = await make(database, 'transformer', 'one', [transformer('1'), transformer('2')])
    other = await make(database, 'transformer', 'other', [transformer('3')])
    first = await schedule(database, made, 1, early)
    await schedule(database, made, 2, late)
    await schedule(database, other, 1, at('02-15T00:00:00'))
  })
  afterEach(() => database.close())

  const versionAt = async (instant: Instant) => (await findInForce(database.read, made.family.id, instant))?.version

  test('begins at its very instant, and lasts until the next one begins', async () => {
    expect(await versionAt(at('01-31T23:59:59.999999999'))).toBeUndefined()
    expect([await versionAt(early), await versionAt(beforeLate), await versionAt(late)]).toEqual([1, 1, 2])
    expect(await versionAt(at('12-31T00:00:00'))).toBe(2)
  })

  test('of many families, or of a kind, is the same as of each', async () => {
    const ids = [made.family.id, other.family.id]
    for (const [instant, numbers] of [
      [at('01-31T00:00:00'), []],
      [early, ['one@1']],
      [beforeLate, ['one@1', 'other@1']],
      [late, ['one@2', 'other@1']],
    ] as const) {
      const names = (rows: readonly { versionId: string | null; name: string }[]) =>
        rows
          .filter(({ versionId }) => versionId !== null)
          .map(({ name, versionId }) => {
            const number = [...made.versions, ...other.versions].find(({ id }) => id === versionId)?.number
            return `${name}@${number}`
          })
          .toSorted()
      const all = await listInForceOf(database.read, ids, instant)
      expect(all.map(({ familyId }) => familyId).toSorted()).toEqual(ids.toSorted())
      expect(names(all)).toEqual([...numbers])
      const ofKind = await listInForce(database.read, 'transformer', instant)
      expect(names(ofKind.map((row) => ({ ...row, name: row.familySlug })))).toEqual([...numbers])
      expect(await listInForce(database.read, 'template', instant)).toEqual([])
    }
  })

  test('is what it would be without the activations that were cancelled', async () => {
    const [second] = await database.read.q
      .select()
      .from(database.read.t.activations)
      .where(eq(database.read.t.activations.effectiveFrom, late))
    const cancel = () => database.write((tx) => markCancelled(tx, second!.id, early, 'a_mistake'))
    expect(await cancel()).toMatchObject({ status: 'cancelled', cancelledAt: early, cancellationCode: 'a_mistake' })
    expect(await cancel()).toBeUndefined()
    expect(await versionAt(late)).toBe(1)
    const [inForce] = await listInForceOf(database.read, [made.family.id], late)
    expect(inForce?.versionId).toBe(made.versions[0]!.id)
    expect(await findAtInstant(database.read, made.family.id, late)).toBeUndefined()
    expect((await listInForce(database.read, 'transformer', late)).map(({ version }) => version)).toEqual([1, 1])
    expect(await listLaterInstants(database.read, early, 9)).toEqual([at('02-15T00:00:00')])
    expect(await hasActivation(database.read, made.family.id)).toBe(true)
    await database.write((tx) => markCancelled(tx, first.id, early, 'a_mistake'))
    expect(await hasActivation(database.read, made.family.id)).toBe(false)
    expect(await hasActivation(database.read, other.family.id)).toBe(true)
  })

  test('changes at later instants, listed once each, in order, up to a limit', async () => {
    await schedule(database, other, 1, late)
    expect(await listLaterInstants(database.read, early, 9)).toEqual([at('02-15T00:00:00'), late])
    expect(await listLaterInstants(database.read, at('01-01T00:00:00'), 2)).toEqual([early, at('02-15T00:00:00')])
    expect(await listLaterInstants(database.read, late, 9)).toEqual([])
    expect((await findAtInstant(database.read, made.family.id, late))?.version).toBe(2)
    expect((await findAtInstant(database.read, other.family.id, late))?.version).toBe(1)
    expect(await findAtInstant(database.read, made.family.id, beforeLate)).toBeUndefined()
  })

  test('is settled for one family at its very instant: the latest is active, those before it superseded', async () => {
    const statuses = async ({ family }: Made) => {
      const { activations } = database.read.t
      const rows = await database.read.q.select().from(activations).where(eq(activations.familyId, family.id))
      return rows.toSorted((a, b) => a.version - b.version).map(({ status }) => status)
    }
    const dueAt = async (now: Instant) => (await listDue(database.read, now, 9)).map(({ familyId }) => familyId)
    const settle = (now: Instant) => database.write((tx) => settleFamily(tx, made.family.id, now))
    expect(await statuses(made)).toEqual(['scheduled', 'scheduled'])
    expect(await dueAt(at('01-31T23:59:59.999999999'))).toEqual([])
    expect(await dueAt(early)).toEqual([made.family.id])
    await settle(at('01-31T23:59:59.999999999'))
    expect(await statuses(made)).toEqual(['scheduled', 'scheduled'])
    await settle(early)
    expect(await statuses(made)).toEqual(['active', 'scheduled'])
    await settle(beforeLate)
    expect(await statuses(made)).toEqual(['active', 'scheduled'])
    await settle(late)
    expect(await statuses(made)).toEqual(['superseded', 'active'])
    expect(await statuses(other)).toEqual(['scheduled'])
    expect(await dueAt(late)).toEqual([other.family.id])
  })

  test('takes no activation that would change history, and the very present is no past', async () => {
    const now = late
    const later = (from: Instant) =>
      database.write((tx) => scheduleActivation(tx, { ...actor, at: now }, made.family, made.versions[0]!, from))
    expect(await outcomeOf(later(late))).toThrow('begins at 2026-03-01T00:00:00Z already')
    expect(await outcomeOf(later(beforeLate))).toThrow('Version 2 is in force since 2026-03-01T00:00:00Z')
    const fresh = await make(database, 'transformer', 'fresh', [transformer('4')])
    const begin = (from: Instant) =>
      database.write((tx) => scheduleActivation(tx, { ...actor, at: now }, fresh.family, fresh.versions[0]!, from))
    await begin(at('04-01T00:00:00'))
    expect(await outcomeOf(begin(beforeLate))).toThrow('Only the first activation of a family may begin in the past')
    expect((await begin(now)).effectiveFrom).toBe(now)
    const contract = await make(database, 'contract', 'schema', [{ source: '{}', format: 'json' }])
    expect(await outcomeOf(schedule(database, contract, 1, late))).toThrow('contracts are published, not activated')
  })
})

describe('what would be in force together', () => {
  let database: Database
  beforeEach(async () => {
    database = await openTestDatabase('sqlite')
    await make(database, 'contract', 'order', [
      {
        source:
          '{"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}, "additionalProperties": false}',
        format: 'json',
      },
    ])
  })
  afterEach(() => database.close())

  const model = (nodes: string, contract = 'name: order, version: 1') =>
    yaml(`model: ingestion-model-v1\ncontract: { ${contract} }\nnodes:\n${nodes}`)
  const nested = `  - key: main
    label: Main
    transformer: plain
    children:
      - { key: sub, label: Sub, transformer: plain, template: letter }
`
  const aside = '  - { key: aside, label: Aside, transformer: plain }\n'
  const check = async ({ family, versions }: Made, number: number, from: Instant) =>
    (
      await checkActivation(
        { connection: database.read, judge: judgeHere, reach: undefined },
        family,
        versions[number - 1]!,
        from,
      )
    ).map(({ code, path, message }) => [code, path, message])

  test('lacks each part of a model that has nothing in force, named with its place and the reason', async () => {
    const made = await make(database, 'ingestion_model', 'orders', [model(nested)])
    expect(await check(made, 1, late)).toEqual([
      ['nothing_in_force', '/nodes/0/transformer', 'The transformer "plain" does not exist.'],
      ['nothing_in_force', '/nodes/0/children/0/transformer', 'The transformer "plain" does not exist.'],
      ['nothing_in_force', '/nodes/0/children/0/template', 'The template "letter" does not exist.'],
    ])
    const plain = await make(database, 'transformer', 'plain', [transformer('{ id: /id }')])
    const letter = await make(database, 'template', 'letter', [template('{{/id}}')])
    await schedule(database, plain, 1, late)
    await schedule(database, letter, 1, at('04-01T00:00:00'))
    expect(await check(made, 1, late)).toEqual([
      [
        'nothing_in_force',
        '/nodes/0/children/0/template',
        `The template "letter" has no version in force at ${formatInstant(late)}.`,
      ],
    ])
    expect(await check(made, 1, at('04-01T00:00:00'))).toEqual([])
  })

  test('wants a contract that is published', async () => {
    for (const [contract, words] of [
      ['name: order, version: 2', 'Version 2 of the contract "order" is not published.'],
      ['name: nobody, version: 1', 'Version 1 of the contract "nobody" is not published.'],
    ] as const) {
      const slug = `lost-${contract.length}-${words.length}`
      const made = await make(database, 'ingestion_model', slug, [model(nested, contract)])
      expect(await check(made, 1, late)).toEqual([['contract_unavailable', '/contract', words]])
    }
    const made = await make(database, 'ingestion_model', 'orders', [
      model('  - { key: a, label: A, transformer: plain }\n'),
    ])
    const plain = await make(database, 'transformer', 'plain', [transformer('{ id: /id }')])
    await schedule(database, plain, 1, late)
    expect(await check(made, 1, late)).toEqual([])
    const { versions } = database.read.t
    await database.write((tx) =>
      tx.q.update(versions).set({ status: 'deprecated' }).where(eq(versions.kind, 'contract')),
    )
    expect(await check(made, 1, late)).toEqual([
      ['contract_unavailable', '/contract', 'Version 1 of the contract "order" is deprecated.'],
    ])
  })

  test('is checked for every model in force that mentions the new part, at whatever depth, and for no other', async () => {
    const plain = await make(database, 'transformer', 'plain', [transformer('{ id: /id }'), transformer('{ no: /id }')])
    const namesake = await make(database, 'transformer', 'letter', [transformer('{ id: /nobody }')])
    const letter = await make(database, 'template', 'letter', [template('{{/id}}'), template('{{/other}}')])
    const orders = await make(database, 'ingestion_model', 'orders', [model(`${nested}${aside}`)])
    for (const one of [plain, letter, orders]) await schedule(database, one, 1, late)
    expect(await check(plain, 1, late)).toEqual([])
    expect(await check(letter, 1, late)).toEqual([])
    // A template that wants what its transformer doesn't make is refused at the place in the model.
    const [[code, path, message], ...more] = (await check(letter, 2, late)) as [string[], ...string[][]]
    expect([path, more]).toEqual(['/nodes/0/children/0', []])
    expect(code).not.toBe('nothing_in_force')
    expect(message).toStartWith('orders:main:sub (transformer plain@1, template letter@2): ')
    const [[, , lacking]] = (await check(plain, 2, late)) as [string[]]
    expect(lacking).toStartWith('orders:main:sub (transformer plain@2, template letter@1): ')
    // A model that is broken already, and mentions neither of them, is no reason to refuse them.
    const wrong = await make(database, 'transformer', 'wrong', [transformer('{ id: /nobody }')])
    const broken = await make(database, 'ingestion_model', 'broken', [model(aside.replace('plain', 'wrong'))])
    for (const one of [wrong, broken]) await schedule(database, one, 1, late)
    expect(await check(wrong, 1, late)).toHaveLength(1)
    for (const one of [plain, letter]) expect(await check(one, 1, late)).toEqual([])
    // A transformer of the template's name is another thing, which no model mentions.
    expect(await check(namesake, 1, late)).toEqual([])
    // From before the model is in force until version 1 follows, nothing is broken; after that, it is.
    expect(await check(letter, 2, early)).toEqual([])
    expect(await check(letter, 2, at('04-01T00:00:00'))).toHaveLength(1)
  })

  test('is checked up to the family’s own next activation, each combination once', async () => {
    const plain = await make(database, 'transformer', 'plain', [transformer('{ id: /id }')])
    const letter = await make(database, 'template', 'letter', [template('{{/id}}'), template('{{/other}}')])
    const orders = await make(database, 'ingestion_model', 'orders', [model(nested), model(nested)])
    await schedule(database, plain, 1, early)
    await schedule(database, letter, 1, early)
    await schedule(database, orders, 1, late)
    expect(await check(letter, 2, at('02-02T00:00:00'))).toHaveLength(1)
    await schedule(database, letter, 1, at('02-15T00:00:00'))
    expect(await check(letter, 2, at('02-02T00:00:00'))).toEqual([])
    // Further models in force make the same combination, which is told once.
    await schedule(database, orders, 2, at('05-01T00:00:00'))
    expect(await check(letter, 2, at('02-16T00:00:00'))).toHaveLength(1)
  })
})
