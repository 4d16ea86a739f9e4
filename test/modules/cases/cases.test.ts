import { beforeAll, expect, test } from 'bun:test'
import { canonicalJson } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { compileSchema, isValidPayload } from '../../../src/engines/schema/schema.ts'
import { createCaseService } from '../../../src/modules/cases/cases.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'

interface Case {
  id: string
  kind: string
  seed: number
  payload: string
  content_hash: string
  contract_version_id: string
}
interface Version {
  id: string
  number: number
  content_hash: string
}

const path = '/api/v1/cases'
const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'
const schema = JSON.stringify({
  type: 'object',
  required: ['name', 'amount'],
  properties: { name: { type: 'string', minLength: 2, maxLength: 20 }, amount: { type: 'integer', minimum: 0 } },
})

describeOnBothDialects('cases', (dialect) => {
  let started: TestApp
  let engineer: Record<string, string>
  let engineerId: string
  let contractId: string
  let version: Version
  let other: Version

  beforeAll(async () => {
    started = await startTestApp(dialect)
    engineerId = (await started.addUser('engineer', ['engineer'])).id
    engineer = await started.signIn('engineer')
    const made = await send('POST', '/api/v1/contracts', { name: 'Order', description: '', schema })
    contractId = (made.body.contract as { id: string }).id
    version = await freeze()
    other = await freeze()
  })

  async function send(method: string, at: string, body?: unknown, headers = engineer) {
    started.clock.advance(1)
    const response = await started.send({ method, path: at, headers, ...(body === undefined ? {} : { body }) })
    return { status: response.status, body: await jsonOf(response) }
  }
  const call = (method: string, rest: string, body?: unknown, headers = engineer) =>
    send(method, `${path}${rest}`, body, headers)
  async function freeze(id = contractId): Promise<Version> {
    const { body } = await send('POST', `/api/v1/contracts/${id}/versions`, { expected_revision: 1 })
    return body.version as Version
  }
  async function contractOf(text: string): Promise<Version> {
    const { body } = await send('POST', '/api/v1/contracts', { name: newId(), description: '', schema: text })
    return freeze((body.contract as { id: string }).id)
  }
  const generate = (kind: string, seed: number, contract_version_id = version.id) =>
    call('POST', '/generate', { contract_version_id, kind, seed })
  const importCase = (payload: string, kind = 'valid', contract_version_id = version.id) =>
    call('POST', '/import', { contract_version_id, kind, payload })
  const auditOf = async (id: string) => {
    const rows = await started.database.read.q.select().from(started.database.read.t.auditRecords)
    return rows.filter(({ resourceId }) => resourceId === id).map(({ action }) => action)
  }

  test.each(['valid', 'boundary', 'invalid'])(
    'a generated %s case has exactly the fields of the interface',
    async (kind) => {
      const { status, body } = await generate(kind, 11)
      expect(status).toBe(201)
      const { invalid_path, invalid_keyword, ...rest } = body
      expect(rest).toEqual({
        id: expect.any(String),
        contract_id: contractId,
        contract_version_id: version.id,
        contract_version_number: 1,
        contract_hash: version.content_hash,
        content_hash: sha256Hex(String(body.payload)),
        created_by: engineerId,
        kind,
        seed: 11,
        provider: 'external-generator',
        provider_version: '40.28.1',
        locale: 'en_US',
        generator_version: 'svc-json-schema-v1',
        correlation_id: expect.any(String),
        created_at: expect.any(String),
        payload: expect.any(String),
      })
      expect([typeof invalid_path, typeof invalid_keyword]).toEqual(
        kind === 'invalid' ? ['string', 'string'] : ['undefined', 'undefined'],
      )
      const compiled = compileSchema(schema)
      const payload = JSON.parse(String(body.payload)) as JsonValue
      expect(String(body.payload)).toBe(canonicalJson(payload))
      expect(compiled.ok && isValidPayload(compiled.value, payload)).toBe(kind !== 'invalid')
      expect((await call('GET', `/${body.id}`)).body).toEqual(body)
      expect(await auditOf(String(body.id))).toEqual(['case.generated'])
    },
  )

  test('the same kind and seed for the same version are the same stored case: 201 first, 200 after', async () => {
    const first = await generate('valid', 21)
    const before = await stateOf(started.database)
    const second = await generate('valid', 21)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
    expect(await stateOf(started.database)).toBe(before)
  })

  test('another kind, seed or version is another case, and the same schema gives the same payload', async () => {
    const { body: base } = await generate('valid', 31)
    const elsewhere = await generate('valid', 31, other.id)
    expect(elsewhere.status).toBe(201)
    expect(elsewhere.body.id).not.toBe(base.id)
    expect(elsewhere.body.payload).toBe(base.payload as string)
    const ids = [base, (await generate('boundary', 31)).body, (await generate('valid', 32)).body].map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
  })

  test('asked for at once by many, one case is made and all are given it', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => generate('valid', 41)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await auditOf(String(answers[0]!.body.id))).toEqual(['case.generated'])
  })

  test('an imported case keeps its payload byte for byte, and says that it is a fixture', async () => {
    const payload = '{ "name": "Ärger 🙂",\n "amount": 1.0 }\n'
    const { status, body } = await importCase(payload)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      contract_id: contractId,
      contract_version_id: version.id,
      contract_version_number: 1,
      contract_hash: version.content_hash,
      content_hash: sha256Hex(payload),
      created_by: engineerId,
      kind: 'valid',
      seed: 0,
      provider: 'svc fixture',
      provider_version: '1',
      locale: 'synthetic',
      generator_version: 'svc-fixture-import-v1',
      correlation_id: expect.any(String),
      created_at: expect.any(String),
      payload,
    })
    expect(await auditOf(String(body.id))).toEqual(['case.imported'])
  })

  test('import is idempotent by payload and kind, also at once, and never meets a generated case', async () => {
    const payload = '{"name":"twin","amount":2}'
    const answers = await Promise.all(Array.from({ length: 8 }, () => importCase(payload)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await importCase(payload, 'boundary')).status).toBe(201)
    expect((await importCase(`${payload} `)).status).toBe(201)
    const { body: generated } = await generate('valid', 0)
    const imported = await importCase(String(generated.payload))
    expect([imported.status, imported.body.id === generated.id]).toEqual([201, false])
  })

  test('the audit trail says by whom, of which version and kind a case was made, and has its hash alone', async () => {
    const [made, brought] = [await generate('boundary', 71), await importCase('{"name":"told","amount":71}')]
    const rows = await started.database.read.q.select().from(started.database.read.t.auditRecords)
    for (const [{ body }, action] of [
      [made, 'case.generated'],
      [brought, 'case.imported'],
    ] as const) {
      const [record] = rows.filter(({ resourceId }) => resourceId === body.id)
      expect(record).toMatchObject({ action, resourceKind: 'case', actorId: engineerId })
      expect([record?.detail, record?.correlationId]).toEqual([
        { contract_version_id: version.id, kind: String(body.kind), content_hash: String(body.content_hash) },
        String(body.correlation_id),
      ])
    }
  })

  test.each([
    ['{"name":"a","amount":1}', '/name'],
    ['{"name":"ab"}', 'amount'],
    ['[]', 'object'],
    ['{"name":"ab","amount":1', 'not acceptable JSON'],
    ['{"name":"ab","amount":1,"amount":2}', 'twice'],
    ['{"name":"ab","amount":12345678901234567890}', 'double'],
  ])('a payload of %s is refused by import, naming what is wrong', async (payload, named) => {
    const before = await stateOf(started.database)
    const { status, body } = await importCase(payload)
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(String(body.detail)).toContain(named)
    expect(await stateOf(started.database)).toBe(before)
  })

  test('a contract that no payload satisfies gives 422 with the reason, and no case', async () => {
    const hopeless = await contractOf('{"allOf":[{"type":"string"},{"type":"integer"}]}')
    const anything = await contractOf('true')
    const before = await stateOf(started.database)
    for (const answer of [await generate('valid', 1, hopeless.id), await generate('invalid', 1, anything.id)]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
      expect(String(answer.body.detail)).toContain('No ')
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('lists leave payloads out, page through every case once, and filter by version and kind', async () => {
    const mine = await contractOf(schema)
    const made: string[] = []
    for (const [kind, seed] of [
      ['valid', 1],
      ['invalid', 1],
      ['valid', 2],
      ['boundary', 1],
      ['valid', 3],
    ] as const) {
      made.unshift(String((await generate(kind, seed, mine.id)).body.id))
    }
    const idsOf = async (query: string) => {
      const seen: string[] = []
      let cursor: unknown
      do {
        const { status, body } = await call('GET', `?${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
        expect(status).toBe(200)
        for (const item of body.cases as Case[]) {
          expect(item).not.toHaveProperty('payload')
          seen.push(item.id)
        }
        cursor = body.next_cursor
      } while (cursor !== undefined)
      return seen
    }
    expect(await idsOf(`contract_version_id=${mine.id}&limit=2`)).toEqual(made)
    expect(await idsOf(`contract_version_id=${mine.id.toUpperCase()}`)).toEqual(made)
    expect(await idsOf(`contract_version_id=${mine.id}&kind=valid&limit=1`)).toEqual([made[0]!, made[2]!, made[4]!])
    expect((await idsOf('kind=boundary&limit=3'))[0]).toBe(made[1]!)
    expect((await idsOf('limit=3')).slice(0, 5)).toEqual(made)
    expect(await idsOf(`contract_version_id=${nobody}`)).toEqual([])
  })

  test('at exactly its limits a case is accepted, and one more is refused', async () => {
    const anything = await contractOf('true')
    const largest = `"${'x'.repeat(limits.payloadBytes - 2)}"`
    const kept = await importCase(largest, 'valid', anything.id)
    expect([kept.status, (kept.body.payload as string).length]).toEqual([201, limits.payloadBytes])
    expect((await importCase(`${' '.repeat(limits.payloadBytes - 4)}null`, 'valid', anything.id)).status).toBe(201)
    expect((await generate('valid', limits.caseSeedMax)).status).toBe(201)
    const before = await stateOf(started.database)
    expect((await importCase(`${largest} `, 'valid', anything.id)).status).toBe(422)
    expect((await importCase(`"${'ü'.repeat(limits.payloadBytes / 2)}"`, 'valid', anything.id)).status).toBe(422)
    expect((await importCase('', 'valid', anything.id)).status).toBe(422)
    expect((await generate('valid', limits.caseSeedMax + 1)).status).toBe(422)
    expect((await generate('valid', -1)).status).toBe(422)
    expect(await stateOf(started.database)).toBe(before)
  })

  test('no operation accepts a broken body, and no refusal changes anything', async () => {
    const operations: [string, Record<string, unknown>][] = [
      ['/generate', { contract_version_id: version.id, kind: 'valid', seed: 51 }],
      ['/import', { contract_version_id: version.id, kind: 'valid', payload: '{"name":"ab","amount":51}' }],
    ]
    const before = await stateOf(started.database)
    for (const [at, body] of operations) {
      for (const [name, text] of [...brokenBodies(body), ...brokenProperties(body)]) {
        const answer = await call('POST', at, text)
        expect([at, name, answer.status, answer.body.code]).toEqual([at, name, 422, 'validation_failed'])
      }
      const headers = { ...engineer, 'content-type': 'text/json' }
      expect((await call('POST', at, body, headers)).status).toBe(415)
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('what is unknown or malformed is refused by the right code, and changes nothing', async () => {
    const transformer = await send('POST', '/api/v1/transforms', {
      name: newId(),
      description: '',
      source: 'transform: declarative-v1\noutput: 1\n',
      format: 'yaml',
    })
    const { id } = transformer.body.transform as { id: string }
    const frozen = await send('POST', `/api/v1/transforms/${id}/versions`, { expected_revision: 1 })
    const foreign = (frozen.body.version as Version).id
    const table: [string, string, unknown, number][] = [
      ['POST', '/generate', { contract_version_id: nobody, kind: 'valid', seed: 1 }, 422],
      ['POST', '/generate', { contract_version_id: foreign, kind: 'valid', seed: 1 }, 422],
      ['POST', '/generate', { contract_version_id: contractId, kind: 'valid', seed: 1 }, 422],
      ['POST', '/generate', { contract_version_id: 'x', kind: 'valid', seed: 1 }, 422],
      ['POST', '/generate', { contract_version_id: version.id, kind: 'odd', seed: 1 }, 422],
      ['POST', '/generate', { contract_version_id: version.id, kind: 'valid', seed: 1.5 }, 422],
      ['POST', '/generate', { contract_version_id: version.id, kind: 'valid', seed: '1' }, 422],
      ['POST', '/import', { contract_version_id: nobody, kind: 'valid', payload: '1' }, 422],
      ['POST', '/import', { contract_version_id: version.id, kind: 'invalid', payload: '1' }, 422],
      ['POST', '/import', { contract_version_id: version.id, kind: 'valid', payload: { name: 'ab', amount: 1 } }, 422],
      ['GET', `/${nobody}`, undefined, 404],
      ['GET', '/no-uuid', undefined, 404],
      ['GET', '?limit=0', undefined, 422],
      ['GET', '?limit=101', undefined, 422],
      ['GET', '?kind=odd', undefined, 422],
      ['GET', '?contract_version_id=x', undefined, 422],
      ['GET', `?cursor=${newId()}`, undefined, 422],
      ['GET', '?cursor=x', undefined, 422],
      ['GET', '?seed=1', undefined, 422],
    ]
    const before = await stateOf(started.database)
    for (const [method, at, body, status] of table) {
      const answer = await call(method, at, body)
      expect([method, at, body, answer.status]).toEqual([method, at, body, status])
      expect(answer.body).not.toHaveProperty('errors')
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test.each([
    ['cases_page', {}],
    ['cases_kind_page', { kind: 'valid' }],
    ['cases_version_page', { contract_version_id: nobody }],
  ] as const)('the list uses %s, first page and next', async (index, query) => {
    const { body } = await generate('valid', 61)
    const cases = createCaseService({ database: started.database, judge: judgeHere })
    const plans = await plansOf(started.database, 'cases', async () => {
      await cases.list({ ...query, limit: 1 })
      await cases.list({ ...query, limit: 1, cursor: String(body.id) })
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    }
  })
})
