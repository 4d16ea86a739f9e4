import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { formatInstant, type Instant, parseInstant } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import { goodPassword, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects } from '../../support/database.ts'

const now = '2026-11-20T09:30:00.123456789Z'

/** Artifacts as the runner writes them: one a minute, newest last, two models and both formats in turn. */
async function insertArtifacts(database: Database, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const id = newId()
    ids.push(id)
    const minute = String(index % 60).padStart(2, '0')
    const hour = String(Math.floor(index / 60)).padStart(2, '0')
    await database.write((tx) =>
      tx.q.insert(tx.t.artifacts).values({
        id,
        executionId: newId(),
        submissionId: newId(),
        kind: index % 2 === 0 ? 'docx' : 'pdf',
        byteSize: 1000 + index,
        contentHash: String(index).padStart(64, '0'),
        objectReference: index % 3 === 0 ? 'POL:1' : 'POL:2',
        modelSlug: index % 5 === 0 ? 'policy' : 'claim',
        nodeLabel: 'Letter',
        nodeAddress: index % 5 === 0 ? 'policy:letter' : 'claim:letter:copy',
        // Three of them at the same instant, which only their ids tell apart.
        createdAt: parseInstant(`2026-11-19T${hour}:${index < 3 ? '00' : minute}:00Z`) as Instant,
      }),
    )
  }
  return ids
}

describeOnBothDialects('the storage list', (dialect) => {
  let app: TestApp
  let headers: Record<string, string>
  let ids: string[]

  beforeAll(async () => {
    app = await startTestApp(dialect)
    await app.addUser('reader', ['business_viewer'])
    headers = await app.signIn('reader', goodPassword)
    ids = await insertArtifacts(app.database, 40)
  })
  afterAll(() => app.database.close())

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  async function get(query: Record<string, string>): Promise<{ status: number; body: any }> {
    const response = await app.send({ path: `/api/v1/storage?${new URLSearchParams(query)}`, headers })
    return { status: response.status, body: await response.json() }
  }

  async function walk(query: Record<string, string>): Promise<string[]> {
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const { status, body } = await get(cursor === undefined ? query : { ...query, cursor })
      expect(status).toBe(200)
      seen.push(...body.storage.map((item: { artifact_id: string }) => item.artifact_id))
      cursor = body.next_cursor
      if (cursor === undefined) return seen
      expect(cursor.length).toBeLessThanOrEqual(512)
    }
  }

  test('gives every artifact once, newest first, whatever the page size', async () => {
    const newestFirst = [...ids].reverse()
    for (const limit of ['1', '7', '39', '40', '100']) expect(await walk({ limit })).toEqual(newestFirst)
    expect((await get({})).body.storage).toHaveLength(25)
  })

  test('filters exactly, alone and together', async () => {
    const only = async (query: Record<string, string>) => (await walk(query)).length
    expect(await only({ format: 'pdf' })).toBe(20)
    expect(await only({ object_reference: 'POL:1' })).toBe(14)
    expect(await only({ model_slug: 'policy' })).toBe(8)
    expect(await only({ producing_node_address: 'claim:letter:copy' })).toBe(32)
    expect(await only({ model_slug: 'policy', format: 'docx', limit: '3' })).toBe(4)
    expect(await only({ object_reference: 'POL' })).toBe(0)
  })

  test('takes from inclusively and to exclusively', async () => {
    const at = (minute: string) => `2026-11-19T00:${minute}:00Z`
    expect(await walk({ from: at('10'), to: at('12') })).toEqual([ids[11]!, ids[10]!])
    expect(await walk({ from: at('10'), to: '2026-11-19T00:12:00.000000001Z' })).toEqual([ids[12]!, ids[11]!, ids[10]!])
    expect(await walk({ from: '2026-11-19T01:10:00+01:00', to: at('11') })).toEqual([ids[10]!])
  })

  test('covers the last 30 days by default', async () => {
    const old = newId()
    await app.database.write(async (tx) => {
      const [row] = await tx.q.select().from(tx.t.artifacts).limit(1)
      await tx.q.insert(tx.t.artifacts).values({
        ...row!,
        id: old,
        executionId: newId(),
        createdAt: parseInstant('2026-10-21T09:30:00.123456788Z')!,
      })
    })
    expect(await walk({})).not.toContain(old)
    expect(await walk({ from: '2026-10-21T09:30:00.123456788Z' })).toContain(old)
  })

  test.each([
    ['a reversed window', 'from', { from: now, to: '2026-01-01T00:00:00Z' }],
    [
      'a window too wide by a nanosecond',
      '366',
      { from: '2025-01-01T00:00:00Z', to: '2026-01-02T00:00:00.000000001Z' },
    ],
    ['a time that is none', 'from', { from: 'yesterday' }],
    ['a limit of zero', 'limit', { limit: '0' }],
    ['a limit over a hundred', 'limit', { limit: '101' }],
    ['an unknown format', 'format', { format: 'odt' }],
    ['a slug with a capital', 'model_slug', { model_slug: 'Policy' }],
    ['an address of one segment', 'producing_node_address', { producing_node_address: 'policy' }],
    ['a reference with a space', 'object_reference', { object_reference: 'a b' }],
    ['a cursor that is none', 'cursor', { cursor: 'nonsense' }],
    ['a cursor of 513 characters', 'cursor', { cursor: 'x'.repeat(513) }],
    ['an unknown field', 'colour', { colour: 'red' }],
  ] as [string, string, Record<string, string>][])('refuses %s and names %s', async (_what, named, query) => {
    const { status, body } = await get(query)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', detail: expect.stringContaining(named) })
    expect(body.errors).toBeUndefined()
  })

  test('takes a window of exactly 366 days', async () => {
    expect((await get({ from: '2025-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })).status).toBe(200)
  })

  test('binds a cursor to its window and to every filter', async () => {
    const query = { limit: '2', format: 'pdf', from: '2026-11-01T00:00:00Z', to: now }
    const { next_cursor: cursor } = (await get(query)).body
    expect((await get({ ...query, cursor })).status).toBe(200)
    expect((await get({ limit: '50', format: 'pdf', cursor })).status).toBe(200)
    const others: Record<string, string>[] = [
      { ...query, format: 'docx' },
      { ...query, model_slug: 'policy' },
      { ...query, from: '2026-11-02T00:00:00Z' },
      { ...query, to: '2026-11-20T00:00:00Z' },
      { limit: '2' },
    ]
    for (const other of others) expect((await get({ ...other, cursor })).status).toBe(422)
    const [payload, mac] = cursor.split('.')
    for (const forged of [`${payload}.${mac.slice(1)}A`, `${payload}A.${mac}`, payload, `.${mac}`]) {
      expect((await get({ ...query, cursor: forged })).status).toBe(422)
    }
  })

  test('keeps the first page’s window when the clock moves on', async () => {
    const first = (await get({ limit: '30' })).body
    app.clock.advance(1_000)
    const late = newId()
    await app.database.write(async (tx) => {
      const [row] = await tx.q.select().from(tx.t.artifacts).limit(1)
      await tx.q.insert(tx.t.artifacts).values({ ...row!, id: late, executionId: newId(), createdAt: app.clock.now() })
    })
    const second = (await get({ limit: '30', cursor: first.next_cursor })).body
    const seen = [...first.storage, ...second.storage].map((item: { artifact_id: string }) => item.artifact_id)
    expect(seen).not.toContain(late)
    expect(seen).toHaveLength(40)
  })

  test('shows what the interface says of an artifact, and nothing of where its bytes are', async () => {
    const { body } = await get({ limit: '1', to: '2026-11-19T00:00:00.5Z' })
    const [item] = body.storage
    expect(Object.keys(item).sort()).toEqual([
      'artifact_id',
      'byte_size',
      'content_hash',
      'created_at',
      'download_path',
      'format',
      'media_type',
      'model_slug',
      'object_reference',
      'producing_node_address',
      'producing_node_label',
      'submission_id',
    ])
    expect(item.created_at).toBe(formatInstant(parseInstant('2026-11-19T00:00:00Z')!))
    expect(item.download_path).toMatch(/^\/api\/v1\/executions\/[0-9a-f-]{36}\/artifacts\/[0-9a-f-]{36}\/download$/)
  })
})
