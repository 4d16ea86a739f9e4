import { beforeAll, describe, expect, test } from 'bun:test'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { limits } from '../../../src/core/limits.ts'
import { createConfigurationService } from '../../../src/modules/configuration/configuration.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import type { EnginePool } from '../../../src/runner/pool.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { type Answered, Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'

const source = 'transform: declarative-v1\noutput: { name: /name }\n'
const otherSource = 'transform: declarative-v1\noutput: { name: /name, second: true }\n'
const model = `model: ingestion-model-v1
contract: { name: nobody, version: 1 }
nodes:
  - { key: main, label: Main, transformer: data }
`
const first = { 'if-none-match': '*' }
const at = (revision: number) => ({ 'if-match': `"${revision}"` })

describeOnBothDialects('canonical configuration', (dialect) => {
  let app: TestApp
  let author: Author
  let other: Author
  let slugs = 0

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    other = await Author.signIn(app, 'other', ['administrator'])
  })

  const slug = () => `family-${++slugs}`
  const withDraft = async (content = source) => {
    const id = await author.family('transformers', slug())
    await author.call('PUT', `/transformers/${id}/draft`, { source: content, format: 'yaml' }, first)
    return id
  }
  const auditOf = async (id: string) => {
    const rows = await app.database.read.q.select().from(app.database.read.t.auditRecords)
    return rows.filter(({ resourceId }) => resourceId === id).map(({ action }) => action)
  }
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }

  describe.each([
    ['ingestion-models', 'ingestion_model', 'ingestion_models', model],
    ['transformers', 'transformer', 'transformers', source],
  ] as const)('%s', (plural, kind, list, content) => {
    test('go their whole way: family, draft, change, freeze, freeze again', async () => {
      const names = { slug: slug(), name: `Überschrift ${slugs}`, description: 'Line one\nline two' }
      const made = await author.post(`/${plural}`, names)
      expect(made.status).toBe(201)
      const id = made.body.resource_id
      expect(made.body).toEqual({
        resource_kind: kind,
        resource_id: id,
        result: {
          kind,
          id,
          ...names,
          draft_revision: 0,
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
        response_hash: canonicalHash(made.body.result),
        idempotent_replay: false,
        correlation_id: made.headers.get('x-correlation-id'),
      })
      expect((await author.get(`/${plural}/${id}`)).body).toEqual({ ...made.body.result, versions: [] })
      expect((await author.get(`/${plural}/${id}/draft`)).status).toBe(404)

      const put = await author.call('PUT', `/${plural}/${id}/draft`, { source: content, format: 'yaml' }, first)
      expect([put.status, put.headers.get('etag')]).toEqual([200, '"1"'])
      expect(put.body).toEqual({
        id,
        ...names,
        source: content,
        format: 'yaml',
        revision: 1,
        updated_at: expect.any(String),
      })
      const read = await author.get(`/${plural}/${id}/draft`)
      expect([read.body, read.headers.get('etag')]).toEqual([put.body, '"1"'])
      expect(read.headers.get('cache-control')).toContain('no-transform')

      const frozen = await author.freeze(plural, id, 1)
      expect(frozen.status).toBe(201)
      const version = {
        kind,
        id: frozen.body.resource_id,
        family_id: id,
        number: 1,
        content_hash: sha256Hex(content),
        source_revision: 1,
        status: 'versioned',
        created_at: expect.any(String),
        reused: false,
      }
      // First, since Bun's matchers leave themselves behind in what they matched.
      expect(frozen.body.response_hash).toBe(canonicalHash(frozen.body.result))
      const { result } = structuredClone(frozen.body)
      expect(frozen.body).toMatchObject({ resource_kind: kind, result: version, idempotent_replay: false })

      const again = await author.freeze(plural, id, 1)
      expect([again.status, again.body.result]).toEqual([200, { ...result, reused: true }])
      const one = await author.get(`/${plural}/${id}/versions/1`)
      expect(one.body).toMatchObject({ id: frozen.body.resource_id, number: 1, source: content, status: 'versioned' })
      expect((await author.get(`/${plural}/${id}/versions`)).body.versions).toHaveLength(1)
      expect((await author.get(`/${plural}?limit=1`)).body[list][0]).toMatchObject({ id, draft_revision: 1 })
      expect(await auditOf(id)).toEqual([`${kind}.created`, `${kind}.draft_saved`, `${kind}.version_frozen`])
    })

    test('a slug or a name that is taken is 409, and an unknown family 404, in the configuration variant', async () => {
      const taken = { slug: slug(), name: `Name ${slugs}`, description: '' }
      await author.post(`/${plural}`, taken)
      for (const [change, named] of [
        [{ slug: slug() }, 'Body field name:'],
        [{ name: 'Another' }, 'Body field slug:'],
      ] as const) {
        const refused = await changesNothing(() => author.post(`/${plural}`, { ...taken, ...change }))
        expect([refused.status, refused.body.code, refused.body.errors.length]).toEqual([409, 'conflict', 1])
        expect(refused.body.detail).toStartWith(named)
      }
      for (const path of ['', '/draft', '/versions', '/versions/1']) {
        const missing = await author.get(`/${plural}/${nobody}${path}`)
        expect([missing.status, missing.body.errors[0].resource_kind]).toEqual([404, kind])
      }
      expect((await author.get(`/${plural}/not-a-uuid`)).status).toBe(422)
    })
  })

  test('a transformer is a transform: both surfaces read one row', async () => {
    const made = await author.post('/transforms', { name: `Older ${slug()}`, description: '', source, format: 'yaml' })
    const { id } = made.body.transform
    expect((await author.get(`/transformers/${id}/draft`)).body).toMatchObject({ source, revision: 1 })
    await author.freeze('transformers', id, 1)
    expect((await author.get(`/transforms/${id}`)).body.versions).toHaveLength(1)
    expect((await author.get(`/ingestion-models/${id}`)).status).toBe(404)
  })

  describe('conditions of a draft', () => {
    test.each<[string, Record<string, string>, number, number]>([
      ['neither header', {}, 1, 428],
      ['If-None-Match: * where there is a draft', first, 1, 412],
      ['a stale tag', at(1), 2, 412],
      ['a tag of the future', at(9), 2, 412],
      ['a weak tag of the current revision', { 'if-match': 'W/"1"' }, 1, 412],
      ['a list without the current revision', { 'if-match': '"3", "4"' }, 1, 412],
      ['an asterisk', { 'if-match': '*' }, 1, 422],
      ['a tag without quotes', { 'if-match': '1' }, 1, 422],
      ['a tag with a leading zero', { 'if-match': '"01"' }, 1, 422],
      ['a zero tag', { 'if-match': '"0"' }, 1, 422],
      ['another If-None-Match', { 'if-none-match': '"1"' }, 1, 422],
    ])('%s is refused and changes nothing', async (_name, headers, revision, status) => {
      const id = await withDraft()
      const path = `/transformers/${id}/draft`
      for (let next = 1; next < revision; next++) {
        await author.call('PUT', path, { source: otherSource, format: 'yaml' }, at(next))
      }
      const refused = await changesNothing(() =>
        author.call('PUT', path, { source: otherSource, format: 'yaml' }, headers),
      )
      expect([refused.status, refused.body.errors.length]).toEqual([status, 1])
      expect(refused.headers.get('etag')).toBeNull()
      if (headers['if-none-match'] !== undefined) return
      const frozen = await changesNothing(() =>
        author.post(`/transformers/${id}/versions`, {}, { 'if-match': undefined, ...headers }),
      )
      expect(frozen.status).toBe(status)
    })

    test('a list with the current revision is accepted, and a first draft wants If-None-Match', async () => {
      const id = await withDraft()
      const path = `/transformers/${id}/draft`
      const put = await author.call('PUT', path, { source, format: 'yaml' }, { 'if-match': 'W/"9", "7" , "1"' })
      expect([put.status, put.body.revision]).toEqual([200, 2])
      const empty = await author.family('transformers', slug())
      const stale = await author.call('PUT', `/transformers/${empty}/draft`, { source, format: 'yaml' }, at(1))
      expect(stale.status).toBe(412)
      const none = await author.call('PUT', `/transformers/${empty}/draft`, { source, format: 'yaml' })
      expect([none.status, none.body.detail]).toEqual([428, expect.stringContaining('If-None-Match')])
      expect((await author.freeze('transformers', empty, 1)).status).toBe(404)
    })

    test('a missing family is 404 before it is 428', async () => {
      const path = `/transformers/${nobody}/draft`
      expect((await author.call('PUT', path, { source, format: 'yaml' })).status).toBe(404)
      expect((await author.post(`/transformers/${nobody}/versions`, {})).status).toBe(404)
    })

    test('of many changes of one revision at once, one is accepted', async () => {
      const id = await withDraft()
      const puts = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          author.call('PUT', `/transformers/${id}/draft`, { source: `${source}# ${index}\n`, format: 'yaml' }, at(1)),
        ),
      )
      expect(puts.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412])
      expect((await author.get(`/transformers/${id}/draft`)).body.revision).toBe(2)
    })
  })

  describe('a key', () => {
    test('replays the answer exactly, says so, and has one effect', async () => {
      const key = { 'idempotency-key': newKey() }
      const body = { slug: slug(), name: `Name ${slugs}`, description: '' }
      const made = await author.post('/transformers', body, key)
      const replayed = await changesNothing(() => author.post('/transformers', { ...body }, key))
      expect(replayed.status).toBe(201)
      expect(replayed.body).toEqual({ ...made.body, idempotent_replay: true })

      const id = made.body.resource_id
      const put = { ...first, 'idempotency-key': newKey() }
      const saved = await author.call('PUT', `/transformers/${id}/draft`, { source, format: 'yaml' }, put)
      const resaved = await author.call('PUT', `/transformers/${id}/draft`, { format: 'yaml', source }, put)
      expect([resaved.status, resaved.body, resaved.headers.get('etag')]).toEqual([200, saved.body, '"1"'])

      const freezing = { 'idempotency-key': newKey() }
      const frozen = await author.freeze('transformers', id, 1, freezing)
      const refrozen = await author.freeze('transformers', id, 1, freezing)
      expect([frozen.status, refrozen.status]).toEqual([201, 200])
      expect(refrozen.body).toEqual({ ...frozen.body, idempotent_replay: true })
    })

    test('with other content, another path or another If-Match is 409, and free after a refusal', async () => {
      const key = { 'idempotency-key': newKey() }
      const body = { slug: slug(), name: `Name ${slugs}`, description: '' }
      const { resource_id: id } = (await author.post('/transformers', body, key)).body
      const changed = await changesNothing(() => author.post('/transformers', { ...body, description: 'x' }, key))
      expect([changed.status, changed.body.code]).toEqual([409, 'conflict'])
      expect((await author.post('/ingestion-models', body, key)).status).toBe(409)
      await author.call('PUT', `/transformers/${id}/draft`, { source, format: 'yaml' }, first)

      const tried = { 'idempotency-key': newKey() }
      expect((await author.freeze('transformers', id, 7, tried)).status).toBe(412)
      expect((await author.freeze('transformers', id, 1, tried)).status).toBe(201)
      expect((await author.freeze('transformers', id, 2, tried)).status).toBe(409)
    })

    test('of one actor is nothing to another', async () => {
      const key = { 'idempotency-key': newKey() }
      const one = await author.post('/transformers', { slug: slug(), name: slug(), description: '' }, key)
      const two = await other.post('/transformers', { slug: slug(), name: slug(), description: '' }, key)
      expect([one.status, two.status, two.body.idempotent_replay]).toEqual([201, 201, false])
      expect(two.body.resource_id).not.toBe(one.body.resource_id)
    })

    test('used fifty times at once has one effect', async () => {
      const key = { 'idempotency-key': newKey() }
      const body = { slug: slug(), name: `Fifty ${slugs}`, description: '' }
      const answers = await Promise.all(Array.from({ length: 50 }, () => author.post('/transformers', body, key)))
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201))
      expect(new Set(answers.map((answer) => answer.body.resource_id)).size).toBe(1)
      expect(answers.filter((answer) => !answer.body.idempotent_replay)).toHaveLength(1)
      const rows = await app.database.read.q.select().from(app.database.read.t.families)
      expect(rows.filter((row) => row.slug === body.slug)).toHaveLength(1)
      expect(await auditOf(answers[0]!.body.resource_id)).toEqual(['transformer.created'])
    })

    test('is wanted by all that write, and by validate and test, which never conflict', async () => {
      const id = await withDraft()
      const without = { 'idempotency-key': undefined }
      const malformed = { 'idempotency-key': 'short' }
      for (const headers of [without, malformed]) {
        expect(
          (await author.post('/transformers', { slug: slug(), name: slug(), description: '' }, headers)).status,
        ).toBe(422)
        expect((await author.freeze('transformers', id, 1, headers)).status).toBe(422)
        expect((await author.post(`/transformers/${id}/validate`, { source, format: 'yaml' }, headers)).status).toBe(
          422,
        )
        expect((await author.post(`/transformers/${id}/test`, { data: {} }, headers)).status).toBe(422)
      }
      const key = { 'idempotency-key': newKey() }
      for (const content of [source, otherSource]) {
        const { status } = await author.post(`/transformers/${id}/validate`, { source: content, format: 'yaml' }, key)
        expect(status).toBe(200)
      }
    })
  })

  describe('validate', () => {
    test('says of a good source that it is valid, and of a bad one where it is not, and writes nothing', async () => {
      const id = await author.family('transformers', slug())
      const good = await changesNothing(() => author.post(`/transformers/${id}/validate`, { source, format: 'yaml' }))
      expect(good.body).toEqual({ valid: true, errors: [], correlation_id: good.headers.get('x-correlation-id') })
      const bad = await author.post(`/transformers/${id}/validate`, {
        source: 'transform: declarative-v1\noutput: { a: { $nonsense: 1 }, b: { $other: 2 } }\n',
        format: 'yaml',
      })
      expect([bad.status, bad.body.valid]).toEqual([200, false])
      expect(bad.body.errors.length).toBeGreaterThanOrEqual(2)
      expect(bad.body.errors[0]).toMatchObject({
        stage: 'validate',
        resource_kind: 'transformer',
        resource_id: id,
        path: expect.stringContaining('/output/a'),
        context: { line: '2' },
        correlation_id: bad.headers.get('x-correlation-id'),
      })
    })

    test('types a transformer by the contract it names, and reports a missing one', async () => {
      const name = `policy-${slug()}`
      await author.contract(
        name,
        '{"type":"object","properties":{"known":{"type":"string"}},"required":["known"],"additionalProperties":false}',
      )
      const id = await author.family('transformers', slug())
      const validate = (text: string) => author.post(`/transformers/${id}/validate`, { source: text, format: 'yaml' })
      const typed = (path: string, contract: string) =>
        validate(`transform: declarative-v1\ncontract: ${contract}\noutput: { a: ${path} }\n`)
      expect((await typed('/known', `${name}@1`)).body).toMatchObject({ valid: true })
      expect((await typed('/unknown', `${name}@1`)).body).toMatchObject({ valid: false })
      expect((await typed('/known', `${name}@2`)).body.errors[0]).toMatchObject({
        code: 'unknown_contract',
        path: '/contract',
      })
    })

    test('answers for ingestion models, conditions included', async () => {
      const id = await author.family('ingestion-models', slug())
      const validate = async (text: string) =>
        (await author.post(`/ingestion-models/${id}/validate`, { source: text, format: 'yaml' })).body
      expect(await validate(model)).toMatchObject({
        valid: false,
        errors: [{ code: 'unknown_contract', path: '/contract' }],
      })
      const closed =
        '{"type":"object","properties":{"total":{"type":"number"}},"required":["total"],"additionalProperties":false}'
      await author.contract('nobody', closed)
      expect(await validate(model)).toMatchObject({ valid: true, errors: [] })
      const placeIn = (text: string, piece: string) => {
        const before = text.slice(0, text.indexOf(piece)).split('\n')
        return { line: `${before.length}`, column: `${(before.at(-1)?.length ?? 0) + 1}` }
      }
      const when = (condition: string) => validate(model.replace('data }', `data, when: ${condition} }`))
      expect(await when('{ $is: [/total, ">", 1] }')).toMatchObject({ valid: true })
      expect(await when('{ $is: [/totl, ">", 1] }')).toMatchObject({
        valid: false,
        errors: [
          {
            code: 'unknown_path',
            path: '/nodes/0/when/$is/0',
            context: placeIn(model.replace('data }', 'data, when: { $is: [/totl, ">", 1] } }'), '/totl'),
            message: expect.stringContaining('Did you mean total?'),
          },
        ],
      })
      expect(await when('{ $is: [/total, "=", many] }')).toMatchObject({ valid: false })
      expect(await when('/total')).toMatchObject({
        valid: false,
        errors: [{ code: 'ingestion.when', path: '/nodes/0/when', message: expect.stringContaining('decimal') }],
      })
      const broken = await validate(model.replace('transformer: data', 'transformer: data, when: { $is: [1] }'))
      expect(broken.valid).toBe(false)
      expect(broken.errors[0].path).toStartWith('/nodes/0/when')
    })
  })

  describe('test', () => {
    test('runs a transformer draft on data and keeps nothing', async () => {
      const id = await withDraft()
      const tried = await changesNothing(() => author.post(`/transformers/${id}/test`, { data: { name: 'Ada' } }))
      expect(tried.status).toBe(200)
      expect(tried.body).toEqual({
        valid: true,
        result: {
          transformer_id: id,
          draft_revision: 1,
          transformer_hash: sha256Hex(source),
          input_hash: canonicalHash({ name: 'Ada' }),
          output: { name: 'Ada' },
          output_hash: canonicalHash({ name: 'Ada' }),
        },
        errors: [],
        correlation_id: expect.any(String),
      })
      const refused = await author.post(`/transformers/${id}/test`, { data: {} })
      expect([refused.status, refused.body.valid, refused.body.result]).toEqual([200, false, undefined])
      expect(refused.body.errors[0]).toMatchObject({ stage: 'test', code: 'transform_failed' })
    })

    test('needs a draft, and takes any JSON value, null included', async () => {
      const empty = await author.family('transformers', slug())
      expect((await author.post(`/transformers/${empty}/test`, { data: 1 })).status).toBe(404)
      const id = await withDraft('transform: declarative-v1\noutput: 1\n')
      for (const data of [null, 0, 'text', [], { a: [1] }]) {
        expect((await author.post(`/transformers/${id}/test`, { data })).body.valid).toBe(true)
      }
      expect((await author.post(`/transformers/${id}/test`, {})).status).toBe(422)
    })
  })

  describe('bad input', () => {
    const family = { slug: 'good-slug', name: 'A good name', description: 'Good.' }
    const draft = { source, format: 'yaml' }

    test.each([...brokenBodies(family), ...brokenProperties(family)])('a family of %s is 422', async (_name, text) => {
      const refused = await changesNothing(() => author.call('POST', '/transformers', text))
      expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
      expect(refused.body.errors.length).toBeGreaterThan(0)
    })

    test.each<[string, object]>([
      ['an empty slug', { slug: '' }],
      ['an upper-case slug', { slug: 'Slug' }],
      ['a slug with two hyphens', { slug: 'a--b' }],
      ['a slug of 65', { slug: 'a'.repeat(65) }],
      ['a blank name', { name: ' ' }],
      ['a name with a line break', { name: 'a\nb' }],
      ['a name of 161', { name: 'n'.repeat(161) }],
      ['a description of 4001', { description: 'd'.repeat(4001) }],
      ['a description with a bell', { description: 'a\u0007' }],
    ])('%s is 422', async (_name, change) => {
      const refused = await changesNothing(() => author.post('/transformers', { ...family, ...change }))
      expect(refused.status).toBe(422)
    })

    test('at exactly its limits a family is accepted', async () => {
      const names = { slug: 'b'.repeat(64), name: `😀${'n'.repeat(159)}`, description: '😀'.repeat(4000) }
      expect((await author.post('/transformers', names)).status).toBe(201)
    })

    test.each([...brokenBodies(draft), ...brokenProperties(draft)])('a draft of %s is 422', async (_name, text) => {
      const id = await author.family('transformers', slug())
      const refused = await changesNothing(() => author.call('PUT', `/transformers/${id}/draft`, text, first))
      expect(refused.status).toBe(422)
      expect((await author.call('POST', `/transformers/${id}/validate`, text)).status).toBe(422)
    })

    test('a source is accepted at 262,144 bytes and refused one byte above, escapes and all', async () => {
      const id = await author.family('transformers', slug())
      const fill = (bytes: number) =>
        `${source}#${'ä'.repeat((bytes - source.length - 1) >> 1)}`.padEnd(
          bytes - ((bytes - source.length - 1) >> 1),
          'a',
        )
      const exact = fill(limits.sourceBytes)
      expect(Buffer.byteLength(exact)).toBe(limits.sourceBytes)
      const over = await author.call('PUT', `/transformers/${id}/draft`, { source: `${exact}a`, format: 'yaml' }, first)
      expect([over.status, over.body.detail]).toEqual([422, expect.stringContaining('262144')])
      const put = await author.call('PUT', `/transformers/${id}/draft`, { source: exact, format: 'yaml' }, first)
      expect([put.status, put.body.source === exact]).toEqual([200, true])
    })

    test('an empty source is 422, and a source that is no transformer is kept and cannot be frozen', async () => {
      const id = await author.family('transformers', slug())
      const path = `/transformers/${id}/draft`
      expect((await author.call('PUT', path, { source: '', format: 'yaml' }, first)).status).toBe(422)
      expect((await author.call('PUT', path, { source: 'nonsense', format: 'json' }, first)).status).toBe(200)
      const refused = await changesNothing(() => author.freeze('transformers', id, 1))
      expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
      expect(refused.body.errors[0]).toMatchObject({ stage: 'freeze', resource_kind: 'transformer', resource_id: id })
    })

    test('a freeze takes an empty object and nothing else, and every mutation JSON only', async () => {
      const id = await withDraft()
      for (const [, text] of brokenBodies({})) {
        if (text === '') continue
        const refused = await changesNothing(() => author.call('POST', `/transformers/${id}/versions`, text, at(1)))
        expect(refused.status).toBe(422)
      }
      const typed = { ...at(1), 'content-type': 'text/plain' }
      expect((await author.call('POST', `/transformers/${id}/versions`, {}, typed)).status).toBe(415)
      expect((await author.call('PUT', `/transformers/${id}/draft`, draft, { ...typed })).status).toBe(415)
    })

    test('queries are refused by name', async () => {
      const id = await withDraft()
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=1.5',
        'cursor=abc',
        `cursor=${nobody}`,
        'color=red',
        'limit=1&limit=2',
      ]) {
        for (const path of ['/transformers', `/transformers/${id}/versions`]) {
          const refused = await author.get(`${path}?${query}`)
          expect([query, refused.status, refused.body.errors.length]).toEqual([query, 422, 1])
        }
      }
      for (const number of ['0', '-1', '01', 'one', '1.0']) {
        expect((await author.get(`/transformers/${id}/versions/${number}`)).status).toBe(422)
      }
      expect((await author.get(`/transformers/${id}/versions/2`)).status).toBe(404)
    })
  })

  test('a new draft name or description goes with the draft, and a taken name is 409', async () => {
    const taken = `Taken ${slug()}`
    await author.post('/transformers', { slug: slug(), name: taken, description: '' })
    const id = await withDraft()
    const path = `/transformers/${id}/draft`
    const renamed = await author.call(
      'PUT',
      path,
      { source, format: 'yaml', name: `New ${slugs}`, description: 'd' },
      at(1),
    )
    expect(renamed.body).toMatchObject({ name: `New ${slugs}`, description: 'd', revision: 2 })
    const refused = await changesNothing(() => author.call('PUT', path, { source, format: 'yaml', name: taken }, at(2)))
    expect(refused.status).toBe(409)
  })

  test('freezing content that an older version has gives that version, in that format only', async () => {
    const id = await withDraft()
    const path = `/transformers/${id}/draft`
    await author.freeze('transformers', id, 1)
    await author.call('PUT', path, { source: otherSource, format: 'yaml' }, at(1))
    await author.freeze('transformers', id, 2)
    await author.call('PUT', path, { source, format: 'yaml' }, at(2))
    const back = await author.freeze('transformers', id, 3)
    expect([back.status, back.body.result]).toMatchObject([200, { number: 1, reused: true, source_revision: 1 }])
    const versions = (await author.get(`/transformers/${id}/versions`)).body.versions
    expect(versions.map((one: { number: number }) => one.number)).toEqual([2, 1])
  })

  test('lists page through everything once, newest first, from their index', async () => {
    const made: string[] = []
    for (let count = 0; count < 5; count++) made.push(await author.family('ingestion-models', slug()))
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await author.get(`/ingestion-models?limit=2${cursor}`)
      seen.push(...body.ingestion_models.map((one: { id: string }) => one.id))
      if (body.next_cursor === undefined) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen.slice(0, 5)).toEqual(made.reverse())
    expect(new Set(seen).size).toBe(seen.length)
    // A family of another kind is no place of this list.
    const foreign = await author.family('transformers', slug())
    expect((await author.get(`/ingestion-models?cursor=${foreign}`)).status).toBe(422)
  })

  test('the lists are read from their indexes, first page and next', async () => {
    const id = await withDraft()
    const { resource_id: versionId } = (await author.freeze('transformers', id, 1)).body
    const suites = noSuites(judgeHere)
    const service = createConfigurationService({
      ...{ database: app.database, pool: {} as EnginePool, judge: judgeHere, suites },
    })
    const plans = [
      ...(await plansOf(app.database, 'families', async () => {
        await service.list('transformer', { limit: 1 })
        await service.list('transformer', { limit: 1, cursor: id })
      })),
      ...(await plansOf(app.database, 'versions', async () => {
        await service.listVersions('transformer', id, { limit: 1 })
        await service.listVersions('transformer', id, { limit: 1, cursor: versionId })
      })),
    ]
    expect(plans).toHaveLength(4)
    for (const [index, plan] of plans.entries()) {
      expect(plan).toContain(index < 2 ? 'families_page' : 'versions_number')
      expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan|SCAN families|SCAN versions/)
    }
  })
})
