import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { newestReading } from '../../../src/core/reading.ts'
import type { Database } from '../../../src/db/database.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import type { TransformerQuestion } from '../../../src/modules/drafts/questions.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { refusalOf } from '../../../src/modules/versions/approval.service.ts'
import { loadModel } from '../../../src/modules/versions/compiled.service.ts'
import { differenceOf } from '../../../src/modules/versions/difference.service.ts'
import { loadDeclaring, paramFindings } from '../../../src/modules/versions/params.service.ts'
import { requireGreenDraft } from '../../../src/modules/versions/suite-gate.service.ts'
import {
  findNamedContractSummary,
  findNamedVersion,
  findNewestPublished,
  findVersionByHash,
  listFragmentsOf,
  listNewestVersions,
  listUnapproved,
  readVersion,
  type VersionRow,
  versionsPage,
} from '../../../src/modules/versions/versions.reads.ts'
import { bytesOf, contentOf, sourceOf } from '../../../src/modules/versions/versions.service.ts'
import { insertVersion } from '../../../src/modules/versions/versions.store.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const at = instantOf('2026-11-20T09:30:00Z')
const actor: Actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'rules', at }

describe('which versions are read', () => {
  let database: Database
  let family: string
  let other: string
  const idOf = (number: number, of = family) => `${of}-${number}`
  const row = (number: number, change: Partial<VersionRow> = {}): VersionRow => ({
    ...{
      id: idOf(number),
      familyId: family,
      kind: 'contract',
      number,
      contentHash: `h${number}`,
      sourceRevision: number,
    },
    ...{
      status: 'versioned',
      source: '{}',
      format: 'json',
      bytes: null,
      fileId: null,
      byteSize: 2,
      bindings: null,
      fragments: null,
    },
    ...{ reading: newestReading, createdBy: `by-${number}`, createdAt: at, publishedAt: null, deprecatedAt: null },
    ...change,
  })

  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    await database.write(async (tx) => {
      const names = (slug: string) => ({ kind: 'contract' as const, slug, name: `The ${slug}`, description: '' })
      family = (await createFamily(tx, actor, names('orders'))).id
      other = (await createFamily(tx, actor, names('others'))).id
      const rows = [
        row(1, { status: 'published', contentHash: 'same' }),
        row(2, { contentHash: 'same', createdBy: 'ann' }),
        row(3, { status: 'deprecated', contentHash: 'same', reading: 1 }),
        row(4, { contentHash: 'same', format: 'yaml', sourceRevision: 9 }),
        row(5, { sourceRevision: 7, createdBy: 'ann', fragments: ['a', 'b'] }),
        row(6, { status: 'published' }),
        row(7, {}),
        row(1, { id: idOf(1, other), familyId: other, contentHash: 'same', fragments: [] }),
      ]
      for (const each of rows) await insertVersion(tx, each)
      await tx.q.update(tx.t.families).set({ latestNumber: 7 })
    })
  })
  afterAll(() => database.close())

  test('of the same content, the newest in this format that today’s rules have read', async () => {
    const found = async (format: 'json' | 'yaml', hash = 'same') =>
      (await findVersionByHash(database.read, family, hash, format))?.number
    expect([await found('json'), await found('yaml'), await found('json', 'none')]).toEqual([2, 4, undefined])
  })

  test('of a contract that may be used, the one with the greatest number that is published', async () => {
    expect((await findNewestPublished(database.read, family))?.number).toBe(6)
    const closed = row(2, { id: idOf(2, other), familyId: other, status: 'deprecated' })
    await database.write((tx) => insertVersion(tx, closed))
    expect(await findNewestPublished(database.read, other)).toBeUndefined()
  })

  test('of those that nobody has approved: since the last that was published, deprecated or not', async () => {
    const of = async (number: number) => {
      const { after, versions } = await listUnapproved(database.read, family, number)
      return [after, versions.map((version) => version.number)]
    }
    expect([await of(1), await of(2), await of(3)]).toEqual([
      [0, [1]],
      [1, [2]],
      [1, [2, 3]],
    ])
    expect([await of(5), await of(6), await of(7)]).toEqual([
      [3, [4, 5]],
      [3, [4, 5, 6]],
      [6, [7]],
    ])
    const { versions } = await listUnapproved(database.read, family, 5)
    expect(versions.at(-1)).toEqual({ number: 5, sourceRevision: 7, createdBy: 'ann' })
  })

  test('of each family the newest, and pages of one before a number', async () => {
    const newest = async (perFamily: number) =>
      (await listNewestVersions(database.read, [family], perFamily)).map(({ number }) => number)
    expect([await newest(1), await newest(3), await listNewestVersions(database.read, [], 1)]).toEqual([
      [7],
      [5, 6, 7],
      [],
    ])
    const page = async (before: number | undefined, limit: number) =>
      (await versionsPage(database.read, family, before, limit)).map(({ number }) => number)
    expect([await page(undefined, 2), await page(6, 2), await page(1, 2)]).toEqual([[7, 6], [5, 4], []])
    const [head] = await versionsPage(database.read, family, undefined, 1)
    expect([Object.hasOwn(head!, 'source'), Object.hasOwn(head!, 'bytes')]).toEqual([false, false])
  })

  test('of those that include others, with the slugs, however many are asked for', async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `none-${index}`)
    const found = await listFragmentsOf(database.read, [
      ...[idOf(5), ...ids.slice(0, 700), idOf(1, other), ...ids.slice(700), idOf(6)],
    ])
    expect(found).toEqual([
      { id: idOf(5), fragments: ['a', 'b'] },
      { id: idOf(1, other), fragments: [] },
    ])
  })

  test('by the name of a source, with and without its content', async () => {
    for (const name of ['orders', 'The orders']) {
      expect((await findNamedVersion(database.read, 'contract', { name, version: 6 }))?.id).toBe(idOf(6))
      expect(await findNamedContractSummary(database.read, { name, version: 6 })).toEqual({
        ...{ id: idOf(6), familyId: family, kind: 'contract', number: 6, contentHash: 'h6', status: 'published' },
        format: 'json',
      })
    }
    expect(await findNamedVersion(database.read, 'template', { name: 'orders', version: 6 })).toBeUndefined()
    expect(await findNamedVersion(database.read, 'contract', { name: 'orders', version: 8 })).toBeUndefined()
    expect(await findNamedContractSummary(database.read, { name: 'nobody', version: 1 })).toBeUndefined()
    expect(await rejectionOf(readVersion(database.read, 'none'))).toMatchObject({
      message: 'version none is missing from the database',
    })
  })

  test('as a text or as a file, whichever it has', () => {
    const bytes = new Uint8Array([1, 2])
    expect(sourceOf(row(1))).toEqual({ source: '{}', format: 'json' })
    expect(contentOf(row(1))).toEqual({ source: '{}', format: 'json' })
    const file = row(1, { kind: 'template', source: null, format: 'docx', bytes })
    expect(contentOf(file)).toEqual({ bytes, format: 'docx' })
    expect(() => sourceOf(file)).toThrow(`template version ${file.id} has no source text`)
    expect(() => sourceOf({ ...file, source: 'x' })).toThrow('has no source text')
    expect(bytesOf({ bytes, format: 'docx' })).toBe(bytes)
    expect(Buffer.from(bytesOf({ source: 'ä', format: 'json' })).toString('hex')).toBe('c3a4')
  })

  test('hundreds of models stay compiled, however often all of them are gone through', async () => {
    const source =
      'model: ingestion-model-v1\ncontract: { name: c, version: 1 }\nnodes: [{ key: k, label: K, transformer: t }]\n'
    const ids = Array.from({ length: 200 }, (_, index) => `model-${index}`)
    await database.write(async (tx) => {
      for (const [index, id] of ids.entries()) {
        const model = { kind: 'ingestion_model', source, format: 'yaml' } as const
        await insertVersion(tx, row(index + 1, { id, familyId: 'm', ...model }))
      }
    })
    const loaded = []
    for (const id of ids) loaded.push(await loadModel(database.read, id))
    for (const [index, id] of ids.entries()) expect(await loadModel(database.read, id)).toBe(loaded[index]!)
  })

  test('a frozen transformer declares its params, and one with errors is a fault of the store', async () => {
    const source = 'transform: declarative-v1\nparams: { day: date }\noutput: { on: { param: day } }\n'
    await database.write(async (tx) => {
      await insertVersion(tx, row(1, { id: 'declares', familyId: 't', kind: 'transformer', source, format: 'yaml' }))
      await insertVersion(tx, row(2, { id: 'broken', familyId: 't', kind: 'transformer', source: '{', format: 'yaml' }))
    })
    const from = {
      connection: database.read,
      compile: (source: TransformerQuestion) => judgeHere.ask('transformer', source),
    }
    expect(await loadDeclaring(from, 'declares', 'data')).toEqual({
      name: 'data',
      params: { day: 'date' },
    })
    expect(await rejectionOf(loadDeclaring(from, 'broken', 'data'))).toMatchObject({
      message: 'transformer version broken was frozen with errors',
    })
  })
})

describe('params of several transformers', () => {
  const transformers = [
    { name: 'letter', params: { day: 'date', copies: 'decimal' } },
    { name: 'list', params: { day: 'datetime', draft: 'boolean' } },
  ] as const
  const told = (given: Parameters<typeof paramFindings>[0], of: Parameters<typeof paramFindings>[1] = transformers) =>
    paramFindings(given, of).map(({ code, path, message, hint }) => [code, path, message, hint])

  test('that are all there and of their types are right', () => {
    const [one] = transformers
    expect(told({ day: '2026-11-20', copies: 2 }, [one])).toEqual([])
    expect(told({}, [])).toEqual([])
  })

  test('are told once for each name: the unknown first, then what is missing or of another type', () => {
    expect(told({ colour: 'red', day: 7, draft: 'no' })).toEqual([
      [
        ...[
          'param.unknown',
          '/params/colour',
          'Body field params.colour is declared by no transformer that would run.',
        ],
        'Declared: copies, day, draft.',
      ],
      [
        ...[
          'param.type',
          '/params/day',
          'Body field params.day is no date: the transformer letter declares it as date.',
        ],
        'Give a date such as "2026-11-20".',
      ],
      [
        ...['param.missing', '/params/copies'],
        ...[
          'Body field params.copies is missing: the transformer letter declares it as decimal.',
          'Add it as a number.',
        ],
      ],
      [
        ...[
          'param.type',
          '/params/draft',
          'Body field params.draft is no boolean: the transformer list declares it as boolean.',
        ],
        'Give true or false.',
      ],
    ])
    expect(told({ x: 1 }, [])).toEqual([
      [
        ...['param.unknown', '/params/x', 'Body field params.x is declared by no transformer that would run.'],
        'None is declared.',
      ],
    ])
  })

  test('of a name that every object has are not there by that', () => {
    const [[code, path] = []] = told({}, [
      { name: 'odd', params: Object.fromEntries([['toString', 'string' as const]]) },
    ])
    expect([code, path]).toEqual(['param.missing', '/params/toString'])
  })

  test('are told up to as many as one answer has', () => {
    const many = Object.fromEntries(Array.from({ length: limits.configurationIssues + 1 }, (_, at) => [`p${at}`, 1]))
    expect(told(many, [])).toHaveLength(limits.configurationIssues)
  })
})

describe('what differs between two contents', () => {
  const text = (source: string) => ({ source, format: 'yaml' as const })

  test('is its changed lines with what is around them, and their places', () => {
    expect(differenceOf({ before: text('a\nb\nc\n'), after: text('a\nB\nc\n') })).toBe('@@ line 1 @@\n a\n-b\n+B\n c\n')
    expect(differenceOf({ before: text('a\n'), after: text('a\n') })).toBe('')
  })

  test('is cut at its greatest length, with a sign', () => {
    const after = (chars: number) => differenceOf({ before: text(''), after: text('x'.repeat(chars)) })
    const whole = after(1)
    const room = limits.projectDifferenceChars - whole.length + 1
    expect(after(room)).toHaveLength(limits.projectDifferenceChars)
    expect(after(room)).not.toContain('…')
    expect(after(room + 1)).toHaveLength(limits.projectDifferenceChars)
    expect(after(room + 1).endsWith('…')).toBe(true)
  })

  test('of templates is that of their text, and nothing where there is none', () => {
    const file = (line: string) => ({ bytes: wordPackage(p(line)), format: 'docx' as const })
    const difference = differenceOf({ before: file('Dear Ann'), after: file('Dear Bob') })
    expect(difference).toContain('-Dear Ann\n')
    expect(difference).toContain('+Dear Bob\n')
    const broken = { bytes: new Uint8Array([1]), format: 'docx' as const }
    expect(differenceOf({ before: broken, after: broken })).toBe('')
  })
})

test('a refusal is that of the policy only where nothing else is in the way', () => {
  const about = { stage: 'plan', resourceKind: 'project', resourceId: 'x' }
  const finding = (code: string) => ({ code, severity: 'error' as const, message: 'm' })
  const own = [finding('four_eyes.own_work')]
  expect(refusalOf(own, 'does not fit', about)).toMatchObject({
    code: 'forbidden',
    detail: 'QUIRE_FOUR_EYES lets nobody put their own work in force. The errors name it, and say who may.',
    extras: { findings: own, ...about },
  })
  const both = [...own, finding('other')]
  expect(refusalOf(both, 'does not fit', about)).toMatchObject({
    ...{ code: 'validation_failed', detail: 'does not fit', extras: { findings: both, ...about } },
  })
})

test('a draft whose suite is not green is refused with what the suite found', async () => {
  const family = { id: 'f', kind: 'transformer', slug: 'data' } as const
  const found = [{ code: 'suite.not_green', severity: 'error' as const, message: 'm' }]
  const asked: unknown[] = []
  const gate = (findings: typeof found) =>
    requireGreenDraft(
      {
        findings: async () => [],
        draftFindings: async (_tx, _actor, families) => {
          asked.push([...families])
          return findings
        },
        guard: (_actor, run) => run(),
      },
      {} as never,
      actor,
      family,
    )
  expect(await gate([])).toBeUndefined()
  expect(await rejectionOf(gate(found))).toMatchObject({
    code: 'validation_failed',
    detail: "The draft of data is not frozen while its suite isn't green. See the errors.",
    extras: { findings: found, stage: 'suite', resourceKind: 'transformer', resourceId: 'f' },
  })
  expect(asked).toEqual([['f'], ['f']])
})
