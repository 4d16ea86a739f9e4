import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import {
  createIncluded,
  fragmentsInForce,
  including,
} from '../../../src/modules/activations/activations.fragments.service.ts'
import { scheduleActivation } from '../../../src/modules/activations/activations.service.ts'
import { freezeDraft, saveDraft } from '../../../src/modules/drafts/drafts.service.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import type { FamilyRow } from '../../../src/modules/families/families.reads.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { publishVersion } from '../../../src/modules/versions/versions.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const actor: Actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'included', at: instantOf('2026-01-01T00:00:00Z') }
const early = instantOf('2026-02-01T00:00:00Z')
const late = instantOf('2026-03-01T00:00:00Z')
const file = (text: string, includes: readonly string[]) =>
  wordPackage([text, ...includes.map((slug) => `{{> ${slug}}}`)].map((line) => p(line)).join(''))

describeOnBothDialects('templates in force that include others', (dialect) => {
  let database: Database
  const families: Record<string, FamilyRow> = {}

  /** A template with a version for each list of what it includes, the first in force early, the next one late. */
  async function make(slug: string, ...includes: readonly (readonly string[])[]): Promise<void> {
    await database.write(async (tx) => {
      let family = await createFamily(tx, actor, { kind: 'template', slug, name: `The ${slug}`, description: '' })
      for (const [at, each] of includes.entries()) {
        const bytes = file(`${slug} ${at + 1}`, each)
        family = await saveDraft(tx, actor, family, { bytes, format: 'docx' })
        const version = await publishVersion(tx, actor, await freezeDraft(tx, actor, family))
        family = { ...family, latestNumber: version.number }
        await scheduleActivation(tx, actor, family, version, at === 0 ? early : late)
      }
      families[slug] = family
    })
  }

  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    await make('clause', [])
    await make('terms', ['clause'])
    await make('letter', ['terms'], [])
    await make('appendix', ['terms', 'clause'])
    await make('notice', [], ['clause'])
    await make('apart', [])
    await database.write(async (tx) => {
      const family = await createFamily(tx, actor, { kind: 'template', slug: 'draft', name: 'Draft', description: '' })
      const bytes = file('draft', ['clause'])
      families.draft = await saveDraft(tx, actor, family, { bytes, format: 'docx' })
    })
  })
  afterAll(() => database.close())

  const told = async (slugs: string[], at = early) =>
    (await including(database.read, slugs, at)).map(({ slug, chain }) => `${slug}: ${chain.join(' > ')}`)

  test('are those that include one directly or through others, each once with its shortest way, by their slugs', async () => {
    expect(await told(['clause'])).toEqual([
      'appendix: appendix > clause',
      'letter: letter > terms > clause',
      'terms: terms > clause',
    ])
    expect(await told(['terms'])).toEqual(['appendix: appendix > terms', 'letter: letter > terms'])
    expect([await told(['letter']), await told([]), await told(['nobody'])]).toEqual([[], [], []])
    expect(await told(['letter', 'terms'])).toEqual(['appendix: appendix > terms', 'letter: letter > terms'])
    const [first] = await including(database.read, ['terms'], early)
    expect(first).toEqual({
      ...{ slug: 'appendix', familyId: families.appendix!.id, version: 1, chain: ['appendix', 'terms'] },
    })
  })

  test('are those of the instant that is asked for, with their versions then', async () => {
    expect(await told(['clause'], actor.at)).toEqual([])
    expect(await told(['clause'], late)).toEqual([
      'appendix: appendix > clause',
      'notice: notice > clause',
      'terms: terms > clause',
    ])
    const { including: of } = createIncluded(database, judgeHere)
    expect((await of('clause', late)).map(({ slug, version }) => [slug, version])).toEqual([
      ['appendix', 1],
      ['notice', 2],
      ['terms', 1],
    ])
  })

  const finding = (reach: readonly string[] | undefined, at = early) =>
    fragmentsInForce({ connection: database.read, reach }, at)

  test('find the version in force of what they include, and say why there is none', async () => {
    const find = finding(undefined)
    expect(await find('letter')).toMatchObject({ slug: 'letter', includes: ['terms'] })
    expect(await finding(undefined, late)('letter')).toMatchObject({ slug: 'letter', includes: [] })
    expect(await find('clause')).toMatchObject({ slug: 'clause', includes: [] })
    expect([await find('nobody'), await find('draft')]).toEqual([
      'does not exist',
      'has no version in force at 2026-02-01T00:00:00Z',
    ])
    const version = { id: 'v', contentHash: 'h', fragments: ['apart'], reading: 6 } as never
    const instead = fragmentsInForce({ connection: database.read, reach: [] }, early, { slug: 'clause', version })
    expect(await instead('clause')).toEqual({
      ...{ slug: 'clause', versionId: 'v', contentHash: 'h', includes: ['apart'], reading: 6 },
    })
  })

  test('find for a token only what it reaches', async () => {
    const find = finding([families.clause!.id])
    expect(await find('clause')).toMatchObject({ slug: 'clause' })
    for (const slug of ['terms', 'nobody']) {
      expect(await rejectionOf(find(slug))).toMatchObject({ code: 'forbidden' })
    }
  })

  test('are tried with the version in force, else the draft, and without templates that don’t exist', async () => {
    const asked: string[] = []
    const judge: Judge = {
      ...judgeHere,
      ask: (name, given) => {
        asked.push(name)
        return judgeHere.ask(name, given)
      },
    }
    const { forTrial } = createIncluded(database, judge)
    const tried = async (includes: string[], at = early, reach?: string[]) =>
      [...(await forTrial(at, includes, reach))].map(([slug, bytes]) => [slug, Bun.hash(bytes)])
    const hashed = (slug: string, text: string, ...includes: string[]) => [slug, Bun.hash(file(text, includes))]
    const clause = hashed('clause', 'clause 1')
    expect(await tried(['terms', 'nobody', 'terms'])).toEqual([clause, hashed('terms', 'terms 1', 'clause')])
    // What a version includes is known; a draft is read by the judge.
    expect(asked).toEqual([])
    expect(await tried(['draft'])).toEqual([clause, hashed('draft', 'draft', 'clause')])
    expect(asked).toEqual(['includedSlugs'])
    // What begins later counts from then on; before anything is in force, the draft does.
    expect(await tried(['notice'])).toEqual([hashed('notice', 'notice 1')])
    expect(await tried(['notice'], late)).toEqual([clause, hashed('notice', 'notice 2', 'clause')])
    expect(await tried(['letter'], actor.at)).toEqual([hashed('letter', 'letter 2')])
    expect(await tried([])).toEqual([])
    expect(await rejectionOf(tried(['terms'], early, [families.terms!.id]))).toMatchObject({ code: 'forbidden' })
  })
})
