import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { formatInstant, type Instant, parseInstant } from '../../../src/core/instant.ts'
import type { FamilyKind } from '../../../src/core/kinds.ts'
import { limits } from '../../../src/core/limits.ts'
import { goodPassword, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects } from '../../support/database.ts'

type Found = { kind: string; id: string; title: string; words: string; found_in: string }

const instant = (text: string) => parseInstant(text) as Instant
/** Past what is looked through. */
const old = instant('2020-01-01T00:00:00Z')
const hash = 'f'.repeat(64)

describeOnBothDialects('the search', (dialect) => {
  let app: TestApp
  let headers: Record<string, string>
  let asViewer: Record<string, string>

  beforeAll(async () => {
    app = await startTestApp(dialect)
    await app.addUser('searcher', ['auditor'])
    headers = await app.signIn('searcher', goodPassword)
    await app.addUser('viewer', ['business_viewer'])
    asViewer = await app.signIn('viewer', goodPassword)
  })
  afterAll(() => app.database.close())

  async function search(text: string, as = headers): Promise<{ found: Found[]; looked_back_to: string | null }> {
    const response = await app.send({ path: `/api/v1/search?${new URLSearchParams({ text })}`, headers: as })
    expect(response.status).toBe(200)
    return (await response.json()) as { found: Found[]; looked_back_to: string | null }
  }
  const found = async (text: string) => (await search(text)).found
  const idsOf = async (text: string) => (await found(text)).map(({ id }) => id)

  async function addFamily(kind: FamilyKind, name: string, content: { draft?: string; version?: string } = {}) {
    const id = newId()
    const at = instant('2026-11-20T00:00:00Z')
    const common = { kind, createdBy: 'x', createdAt: at }
    await app.database.write(async (tx) => {
      await tx.q.insert(tx.t.families).values({
        ...{
          ...common,
          id,
          slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
          name,
          description: `About ${name}s.`,
        },
        ...{ draftRevision: 1, draftSource: content.draft ?? null, draftFormat: 'yaml', updatedAt: at },
        latestNumber: content.version === undefined ? 0 : 2,
      })
      for (const [number, source] of [content.version].flatMap((one) =>
        one === undefined
          ? []
          : [
              [1, 'older'],
              [2, one],
            ],
      )) {
        await tx.q.insert(tx.t.versions).values({
          ...{ ...common, id: newId(), familyId: id, number: Number(number), contentHash: hash, sourceRevision: 1 },
          ...{ status: 'published', source: String(source), format: 'yaml', byteSize: 1 },
        })
      }
    })
    return id
  }

  async function addSubmissions(references: readonly string[], createdAt: Instant): Promise<string[]> {
    const rows = references.map((objectReference) => ({
      ...{ id: newId(), modelSlug: 'claims-intake', objectReference, objectTime: createdAt, rawInput: '{}' },
      ...{ rawInputHash: hash, submittedBy: 'x', correlationId: 'x', createdAt },
    }))
    for (let at = 0; at < rows.length; at += 500) {
      await app.database.write((tx) =>
        tx.q
          .insert(tx.t.submissions)
          .values(rows.slice(at, at + 500))
          .then(() => {}),
      )
    }
    return rows.map(({ id }) => id)
  }

  async function addExecutions(count: number, createdAt: Instant): Promise<string[]> {
    const rows = Array.from({ length: count }, () => ({
      ...{
        id: newId(),
        submissionId: newId(),
        nodeLabel: 'Cover letter',
        nodeAddress: 'claims:letter',
        releaseId: newId(),
      },
      ...{
        releaseHash: hash,
        processingKind: 'transformation' as const,
        status: 'completed' as const,
        inputHash: hash,
      },
      ...{ rawInputHash: hash, submittedBy: 'x', correlationId: 'x', createdAt, updatedAt: createdAt },
    }))
    for (let at = 0; at < rows.length; at += 500) {
      await app.database.write((tx) =>
        tx.q
          .insert(tx.t.executions)
          .values(rows.slice(at, at + 500))
          .then(() => {}),
      )
    }
    return rows.map(({ id }) => id)
  }

  test('finds configuration by any part of its name, slug, description and id, the best first', async () => {
    const letter = await addFamily('template', 'Ärzte: Dunning letter')
    const other = await addFamily('transformer', 'A dunning step')
    expect((await found('dunning')).map(({ id, found_in }) => [id, found_in])).toEqual([
      [other, 'title'],
      [letter, 'title'],
    ])
    expect(await found('ärzte')).toEqual([
      {
        kind: 'template',
        id: letter,
        title: 'Ärzte: Dunning letter',
        words: '-rzte-dunning-letter',
        found_in: 'title',
      },
    ])
    expect(await found('zte-dunn')).toMatchObject([{ id: letter, found_in: 'words' }])
    expect(await found('about a dunn')).toMatchObject([{ id: other, found_in: 'words' }])
    expect(await found(letter.slice(-9).toUpperCase())).toMatchObject([{ id: letter, found_in: 'id' }])
    expect(await found('no such thing anywhere')).toEqual([])
  })

  test('finds configuration by what its draft and its newest version say, not an older one', async () => {
    const drafted = await addFamily('transformer', 'Premiums', { draft: 'steps: [{ $multiplyBy_100%: 3 }]' })
    const published = await addFamily('contract', 'Parcels', { version: '{"title":"Consignment Note"}' })
    expect(await found('$MULTIPLYby_100%')).toMatchObject([{ id: drafted, found_in: 'content', title: 'Premiums' }])
    expect(await found('consignment')).toMatchObject([{ id: published, kind: 'contract', found_in: 'content' }])
    // Neither sign is a wildcard, and what was replaced is not searched.
    expect(await idsOf('$multiply%y')).toEqual([])
    expect(await idsOf('$multiply_y')).toEqual([])
    expect(await idsOf('older')).toEqual([])
  })

  test('finds submissions by any part of their reference, and executions by any part of their id', async () => {
    const [first, second] = await addSubmissions(['CLM-2026-000777-A', 'POL-9'], instant('2026-11-21T00:00:00Z'))
    const [execution] = await addExecutions(1, instant('2026-11-21T00:00:00Z'))
    expect(await search('2026-000777')).toEqual({
      found: [
        { kind: 'submission', id: first!, title: 'CLM-2026-000777-A', words: 'claims-intake', found_in: 'title' },
      ],
      looked_back_to: null,
    })
    expect(await idsOf('ms-intake')).toEqual([second!, first!])
    expect(await found(execution!.slice(4, 30))).toEqual([
      { kind: 'execution', id: execution!, title: 'Cover letter', words: 'completed', found_in: 'id' },
    ])
  })

  test('finds older ones than it looks through by how they begin, and says how far back it looked', async () => {
    const [submission] = await addSubmissions(['ARCHIVE-55'], old)
    const [execution] = await addExecutions(1, old)
    const newer = instant('2022-02-02T00:00:00Z')
    await addSubmissions(
      Array.from({ length: limits.searchedRows }, (_, at) => `BULK-${at}`),
      newer,
    )
    await addExecutions(limits.searchedRows, newer)
    expect(await search('archive-5')).toMatchObject({
      found: [{ id: submission, title: 'ARCHIVE-55' }],
      looked_back_to: formatInstant(newer),
    })
    expect(await idsOf('chive-5')).toEqual([])
    expect(await idsOf(submission!.slice(0, 34))).toContain(submission!)
    expect(await idsOf(execution!.slice(0, 34))).toContain(execution!)
    expect((await found('bulk-')).length).toBe(limits.searchResults)
  }, 60_000)

  test('refuses a search without a text or for more than a line, and one by a token', async () => {
    const status = async (query: string) => (await app.send({ path: `/api/v1/search${query}`, headers })).status
    expect(await status('')).toBe(422)
    expect(await status('?text=')).toBe(422)
    expect(await status(`?text=${'x'.repeat(limits.searchCharsMax)}`)).toBe(200)
    expect(await status(`?text=${'x'.repeat(limits.searchCharsMax + 1)}`)).toBe(422)
    expect((await app.send({ path: '/api/v1/search?text=a' })).status).toBe(401)
    expect((await search('   ')).found).toEqual([])
  })

  test('finds for business viewers what they may read: no configuration, nor whether it has a text, and no executions', async () => {
    const at = instant('2026-11-21T00:00:00Z')
    await addFamily('transformer', 'Rebates of zebras', { draft: 'rebate: { $multiply: [/zebra-share, 0.17] }' })
    const [submission = ''] = await addSubmissions(['ZEBRA-1'], at)
    const [execution = ''] = await addExecutions(1, at)
    const seen = async (text: string, as?: Record<string, string>) =>
      (await search(text, as)).found.map(({ kind, id }) => [kind, id])
    expect((await seen('zebra')).map(([kind]) => kind).sort()).toEqual(['submission', 'transformer'])
    expect(await seen(execution)).toEqual([['execution', execution]])
    expect(await seen('zebra', asViewer)).toEqual([['submission', submission]])
    for (const text of ['zebra-share', 'rebates of', execution]) expect(await seen(text, asViewer)).toEqual([])
  })
})
