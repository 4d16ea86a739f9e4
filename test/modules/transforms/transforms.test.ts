import { beforeAll, expect, test } from 'bun:test'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'

interface Version {
  id: string
  number: number
  status: string
  content_hash: string
}
interface Transform {
  id: string
  slug: string
  name: string
  source: string
  format: string
  draft_revision: number
  versions: Version[]
}

const path = '/api/v1/transforms'
const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'
const source = 'transform: declarative-v1\noutput:\n  greeting: { $text: "Dear {name}", name: /name }\n'
const schema = JSON.stringify({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer' } },
})

describeOnBothDialects('transforms', (dialect) => {
  let started: TestApp
  let engineer: Record<string, string>
  let versionId: string
  let caseId: string
  let names = 0

  beforeAll(async () => {
    started = await startTestApp(dialect)
    await started.addUser('engineer', ['engineer'])
    engineer = await started.signIn('engineer')
    const contract = await send('POST', '/api/v1/contracts', { name: 'person', description: '', schema })
    const { id } = contract.body.contract as { id: string }
    const frozen = await send('POST', `/api/v1/contracts/${id}/versions`, { expected_revision: 1 })
    versionId = (frozen.body.version as Version).id
    caseId = await importCase('{"name":"Ann"}')
  })

  async function send(method: string, at: string, body?: unknown, headers = engineer) {
    started.clock.advance(1)
    const response = await started.send({ method, path: at, headers, ...(body === undefined ? {} : { body }) })
    return { status: response.status, body: await jsonOf(response) }
  }
  const call = (method: string, rest: string, body?: unknown, headers = engineer) =>
    send(method, `${path}${rest}`, body, headers)
  async function importCase(payload: string): Promise<string> {
    const body = { contract_version_id: versionId, kind: 'valid', payload }
    return String((await send('POST', '/api/v1/cases/import', body)).body.id)
  }
  const fresh = (change: object = {}) => ({
    name: `Transform ${++names}`,
    description: 'A test.',
    source,
    format: 'yaml',
    ...change,
  })
  async function make(change: object = {}): Promise<Transform> {
    const { status, body } = await call('POST', '', fresh(change))
    expect(status).toBe(201)
    return body.transform as Transform
  }
  const preview = (id: string, change: object = {}) =>
    call('POST', `/${id}/preview`, { source, format: 'yaml', case_id: caseId, ...change })
  const auditOf = async (id: string) => {
    const rows = await started.database.read.q.select().from(started.database.read.t.auditRecords)
    return rows.filter(({ resourceId }) => resourceId === id).map(({ action }) => action)
  }

  test('a transform goes its whole way: draft, change, validate, preview, freeze, publish', async () => {
    const made = await make({ name: 'Lettre à Zoë' })
    expect(made).toMatchObject({ slug: 'lettre-a-zoe', source, format: 'yaml', draft_revision: 1, versions: [] })
    expect((await call('GET', `/${made.id}`)).body).toEqual({ ...made })

    const json = '{"transform":"declarative-v1","output":{"name":"/name"}}'
    const change = { ...fresh(), source: json, format: 'json', expected_revision: 1 }
    const updated = (await call('PUT', `/${made.id}`, change)).body.transform as Transform
    expect(updated).toMatchObject({ source: json, format: 'json', draft_revision: 2, slug: 'lettre-a-zoe' })

    const validated = await call('POST', `/${made.id}/validate`, { source: json, format: 'json' })
    expect([validated.status, validated.body.valid, validated.body.errors]).toEqual([200, true, []])

    const previewed = await preview(made.id, { source: json, format: 'json' })
    expect(previewed).toEqual({
      status: 200,
      body: { output: { name: 'Ann' }, output_hash: canonicalHash({ name: 'Ann' }) },
    })

    const frozen = await call('POST', `/${made.id}/versions`, { expected_revision: 2 })
    expect(frozen.status).toBe(201)
    expect(frozen.body.version).toMatchObject({ number: 1, status: 'versioned', content_hash: sha256Hex(json) })
    const published = await call('POST', `/${made.id}/versions/1/publish`, {})
    expect([published.status, (published.body.version as Version).status]).toEqual([200, 'published'])
    expect(((await call('GET', `/${made.id}`)).body as unknown as Transform).versions).toEqual([
      published.body.version as Version,
    ])
    const rows = await started.database.read.q.select().from(started.database.read.t.activations)
    expect(rows.filter(({ familyId }) => familyId === made.id)).toEqual([])
    expect(await auditOf(made.id)).toEqual([
      'transformer.created',
      'transformer.draft_saved',
      'transformer.version_frozen',
      'transformer.version_published',
    ])
  })

  test('the list names id, name and draft revision, without sources, every transform once', async () => {
    const made = [await make(), await make(), await make()].map(({ id }) => id).reverse()
    const seen: string[] = []
    let cursor: unknown
    do {
      const { status, body } = await call('GET', `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      for (const item of body.transforms as Transform[]) {
        expect(item).toMatchObject({
          id: expect.any(String),
          name: expect.any(String),
          draft_revision: expect.any(Number),
        })
        expect(item).not.toHaveProperty('source')
        seen.push(item.id)
      }
      cursor = body.next_cursor
    } while (cursor !== undefined)
    expect(seen.slice(0, 3)).toEqual(made)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test.each([
    ['text that is no program', 'not a program', 'yaml'],
    ['broken JSON', '{', 'json'],
    ['an unknown operator', 'transform: declarative-v1\noutput: { $explode: /name }\n', 'yaml'],
    ['a contract that does not exist', 'transform: declarative-v1\ncontract: nothing@1\noutput: /name\n', 'yaml'],
    [
      'a read that its contract does not have',
      'transform: declarative-v1\ncontract: person@1\noutput: /surname\n',
      'yaml',
    ],
  ])('validate says what is wrong with %s, where, and changes nothing', async (_name, text, format) => {
    const made = await make()
    const before = await stateOf(started.database)
    const { status, body } = await call('POST', `/${made.id}/validate`, { source: text, format })
    expect([status, body.valid]).toEqual([200, false])
    const [first] = body.errors as { code: string; resource_kind: string; resource_id: string; message: string }[]
    expect(first).toMatchObject({ resource_kind: 'transformer', resource_id: made.id, stage: 'validate' })
    expect(await stateOf(started.database)).toBe(before)
  })

  test('a draft may have errors, and freezing it is refused with their place', async () => {
    const made = await make({ source: 'transform: declarative-v1\noutput: { $explode: /name }\n' })
    const before = await stateOf(started.database)
    const { status, body } = await call('POST', `/${made.id}/versions`, { expected_revision: 1 })
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(String(body.detail)).toContain('2:')
    expect(body).not.toHaveProperty('errors')
    expect(await stateOf(started.database)).toBe(before)
  })

  test('preview runs on the case given, types by its contract, and keeps nothing', async () => {
    const made = await make()
    const named = await importCase('{"name":"Zoë","age":3}')
    const before = await stateOf(started.database)
    expect((await preview(made.id, { case_id: named.toUpperCase() })).body.output).toEqual({ greeting: 'Dear Zoë' })
    const typed = `transform: declarative-v1\ncontract: person@1\noutput: { $calc: "age + 1", age: { $default: [/age, 0] } }\n`
    const sum = await preview(made.id, { source: typed, case_id: named })
    expect([sum.status, sum.body]).toEqual([200, { output: 4, output_hash: canonicalHash(4 as JsonValue) }])
    expect(await stateOf(started.database)).toBe(before)
  })

  test('preview refuses sources, cases and runs that fail, naming why, and keeps nothing', async () => {
    const made = await make()
    const generated = await send('POST', '/api/v1/cases/generate', {
      contract_version_id: versionId,
      kind: 'invalid',
      seed: 1,
    })
    const division =
      'transform: declarative-v1\noutput: { $calc: "1 / zero", zero: { $default: [/age, 0] }, scale: 2 }\n'
    const before = await stateOf(started.database)
    const table: [object, string][] = [
      [{ source: 'transform: declarative-v1\noutput: { $explode: 1 }\n' }, '2:'],
      [{ source: 'transform: declarative-v1\ncontract: person@1\noutput: /surname\n' }, 'surname'],
      [{ source: division }, 'zero'],
      [{ source: 'transform: declarative-v1\noutput: /missing\n' }, 'missing'],
      [{ params: { other: 'x' } }, 'other'],
      [{ source: 'transform: declarative-v1\nparams:\n  place: string\noutput: $place\n' }, 'place'],
      [{ case_id: nobody }, 'case_id'],
      [{ case_id: versionId }, 'case_id'],
      [
        { case_id: String(generated.body.id), source: 'transform: declarative-v1\noutput: 1\n' },
        'does not satisfy its contract',
      ],
    ]
    for (const [change, named] of table) {
      const { status, body } = await preview(made.id, change)
      expect([change, status, body.code]).toEqual([change, 422, 'validation_failed'])
      expect(String(body.detail)).toContain(named)
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('of two changes from one revision, at once, one is accepted and the others are 412', async () => {
    const made = await make()
    const puts = await Promise.all(
      Array.from({ length: 4 }, () => call('PUT', `/${made.id}`, { ...fresh(), expected_revision: 1 })),
    )
    expect(puts.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })

  test('at exactly its limits a source is accepted, and one byte more is refused', async () => {
    const padded = (bytes: number) => `${source}#${' '.repeat(bytes - source.length - 1)}`
    const made = await make({ source: padded(limits.sourceBytes), name: 'n'.repeat(limits.familyNameChars) })
    expect(made.source.length).toBe(limits.sourceBytes)
    const controls = '\\u0001'.repeat(limits.sourceBytes)
    const widest = JSON.stringify(fresh({ source: '@' })).replace('"@"', () => `"${controls}"`)
    expect([widest.length < limits.transformerValidateBodyBytes, (await call('POST', '', widest)).status]).toEqual([
      true,
      201,
    ])
    const before = await stateOf(started.database)
    const good = { source, format: 'yaml' }
    for (const [at, body] of [
      ['', fresh({ source: padded(limits.sourceBytes + 1) })],
      ['', fresh({ source: '' })],
      ['', fresh({ name: 'n'.repeat(limits.familyNameChars + 1) })],
      ['', fresh({ description: 'd'.repeat(limits.familyDescriptionChars + 1) })],
      ['', fresh({ format: 'docx' })],
      [`/${made.id}/validate`, { ...good, source: padded(limits.sourceBytes + 1) }],
      [`/${made.id}/preview`, { ...good, source: padded(limits.sourceBytes + 1), case_id: caseId }],
    ] as const) {
      expect([at, (await call('POST', at, body)).status]).toEqual([at, 422])
    }
    const text = JSON.stringify({ source, format: 'yaml' })
    const sized = (bytes: number) => `${text}${' '.repeat(bytes - text.length)}`
    expect((await call('POST', `/${made.id}/validate`, sized(limits.transformerValidateBodyBytes))).status).toBe(200)
    expect((await call('POST', `/${made.id}/validate`, sized(limits.transformerValidateBodyBytes + 1))).status).toBe(
      422,
    )
    expect(await stateOf(started.database)).toBe(before)
  })

  test('no operation accepts a broken body, and no refusal changes anything', async () => {
    const made = await make()
    await call('POST', `/${made.id}/versions`, { expected_revision: 1 })
    const good = { name: 'N', description: '', source, format: 'yaml' }
    const operations: [string, string, Record<string, unknown>][] = [
      ['POST', '', good],
      ['PUT', `/${made.id}`, { ...good, expected_revision: 1 }],
      ['POST', `/${made.id}/validate`, { source, format: 'yaml' }],
      ['POST', `/${made.id}/preview`, { source, format: 'yaml', case_id: caseId }],
      ['POST', `/${made.id}/versions`, { expected_revision: 1 }],
      ['POST', `/${made.id}/versions/1/publish`, {}],
    ]
    const before = await stateOf(started.database)
    for (const [method, at, body] of operations) {
      for (const [name, text] of [...brokenBodies(body), ...brokenProperties(body)]) {
        const answer = await call(method, at, text)
        expect([method, at, name, answer.status, answer.body.code]).toEqual([
          method,
          at,
          name,
          422,
          'validation_failed',
        ])
      }
      const headers = { ...engineer, 'content-type': 'application/yaml' }
      expect((await call(method, at, body, headers)).status).toBe(415)
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('what is missing, stale, taken or malformed is refused by the right code, and changes nothing', async () => {
    const made = await make()
    const other = await make()
    const put = (change: object) => ({ ...fresh(), expected_revision: 1, ...change })
    const probe = { source, format: 'yaml' }
    const table: [string, string, unknown, number, string][] = [
      ['PUT', `/${made.id}`, put({ expected_revision: 2 }), 412, 'precondition_failed'],
      ['PUT', `/${made.id}`, put({ name: other.name }), 409, 'conflict'],
      ['PUT', `/${nobody}`, put({}), 404, 'not_found'],
      ['PUT', '/no-uuid', put({}), 422, 'validation_failed'],
      ['POST', '', fresh({ name: other.name }), 409, 'conflict'],
      ['POST', `/${made.id}/versions`, { expected_revision: 2 }, 412, 'precondition_failed'],
      ['POST', `/${nobody}/versions`, { expected_revision: 1 }, 404, 'not_found'],
      ['POST', `/${nobody}/validate`, probe, 404, 'not_found'],
      ['POST', `/${nobody}/preview`, { ...probe, case_id: caseId }, 404, 'not_found'],
      ['POST', `/${made.id}/versions/1/publish`, {}, 404, 'not_found'],
      ['POST', `/${made.id}/versions/x/publish`, {}, 422, 'validation_failed'],
      ['GET', `/${nobody}`, undefined, 404, 'not_found'],
      ['GET', '/no-uuid', undefined, 404, 'not_found'],
      ['GET', '?limit=0', undefined, 422, 'validation_failed'],
      ['GET', '?limit=101', undefined, 422, 'validation_failed'],
      ['GET', `?cursor=${newId()}`, undefined, 422, 'validation_failed'],
      ['GET', '?limit=1&limit=1', undefined, 422, 'validation_failed'],
    ]
    const before = await stateOf(started.database)
    for (const [method, at, body, status, code] of table) {
      const answer = await call(method, at, body)
      expect([method, at, answer.status, answer.body.code]).toEqual([method, at, status, code])
      expect(answer.body).not.toHaveProperty('errors')
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('a contract is no transform, whatever its id', async () => {
    const contract = await send('POST', '/api/v1/contracts', { name: newId(), description: '', schema })
    const { id } = contract.body.contract as { id: string }
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('PUT', `/${id}`, { ...fresh(), expected_revision: 1 })).status).toBe(404)
    expect((await call('GET', `?cursor=${id}`)).status).toBe(422)
  })

  test('the list is read from its index, on the first page and on later ones', async () => {
    const made = await make()
    const plans = await plansOf(started.database, 'families', async () => {
      await call('GET', '?limit=1')
      await call('GET', `?limit=1&cursor=${made.id}`)
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain('families_page')
      expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    }
  })
})
