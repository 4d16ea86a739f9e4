import { beforeAll, expect, test } from 'bun:test'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { limits } from '../../../src/core/limits.ts'
import { createContractService } from '../../../src/modules/contracts/contracts.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'

interface Version {
  id: string
  number: number
  status: string
  content_hash: string
  source_revision: number
  schema?: string
}
interface Contract {
  id: string
  slug: string
  name: string
  schema: string
  draft_revision: number
  versions: Version[]
}

const path = '/api/v1/contracts'
const schema = '{"type": "object", "required": ["a"]}'
const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'

describeOnBothDialects('contracts', (dialect) => {
  let started: TestApp
  let engineer: Record<string, string>
  let auditor: Record<string, string>
  let viewer: Record<string, string>
  let names = 0

  beforeAll(async () => {
    started = await startTestApp(dialect)
    await started.addUser('engineer', ['engineer'])
    await started.addUser('auditor', ['auditor'])
    await started.addUser('viewer', ['business_viewer'])
    engineer = await started.signIn('engineer')
    auditor = await started.signIn('auditor')
    viewer = await started.signIn('viewer')
  })

  async function call(method: string, rest: string, body?: unknown, headers = engineer) {
    started.clock.advance(1)
    const response = await started.send({
      method,
      path: `${path}${rest}`,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, body: await jsonOf(response) }
  }
  const fresh = (change: object = {}) => ({ name: `Contract ${++names}`, description: 'A test.', schema, ...change })
  async function make(change: object = {}): Promise<Contract> {
    const { status, body } = await call('POST', '', fresh(change))
    expect(status).toBe(201)
    return body.contract as Contract
  }
  async function freeze(contract: Contract, revision = contract.draft_revision): Promise<Version> {
    const { status, body } = await call('POST', `/${contract.id}/versions`, { expected_revision: revision })
    expect(status).toBe(201)
    return body.version as Version
  }
  const read = async (id: string) => (await call('GET', `/${id}`)).body as unknown as Contract
  const auditOf = async (id: string) => {
    const rows = await started.database.read.q.select().from(started.database.read.t.auditRecords)
    return rows.filter(({ resourceId }) => resourceId === id).map(({ action }) => action)
  }

  test('a contract goes its whole way: draft, change, freeze, publish, deprecate', async () => {
    const name = 'Ärger & Größe'
    const contract = await make({ name })
    expect(contract).toMatchObject({ name, slug: 'arger-grosse', schema, draft_revision: 1, versions: [] })
    expect(await read(contract.id)).toEqual(contract)

    const change = { name, description: '', schema: '{"type":"array"}', expected_revision: 1 }
    const updated = (await call('PUT', `/${contract.id}`, change)).body.contract as Contract
    expect(updated).toMatchObject({ schema: '{"type":"array"}', draft_revision: 2, slug: 'arger-grosse' })

    const version = await freeze(updated)
    expect(version).toMatchObject({ number: 1, status: 'versioned', source_revision: 2 })
    expect(version.content_hash).toBe(sha256Hex('{"type":"array"}'))
    expect(version).not.toHaveProperty('schema')

    const at = `/${contract.id}/versions/1`
    expect((await call('GET', at)).body).toEqual({ ...version, schema: '{"type":"array"}' })
    expect((await call('POST', `${at}/publish`, {})).body.version).toMatchObject({ number: 1, status: 'published' })
    const deprecated = (await call('POST', `${at}/deprecate`, {})).body.version as Version
    expect(deprecated).toMatchObject({ number: 1, status: 'deprecated', content_hash: version.content_hash })
    expect((await read(contract.id)).versions).toEqual([deprecated])
    expect(await auditOf(contract.id)).toEqual([
      'contract.created',
      'contract.draft_saved',
      'contract.version_frozen',
      'contract.version_published',
      'contract.version_deprecated',
    ])
  })

  test('a frozen version never changes, and every freeze takes the next number, whatever it freezes', async () => {
    const contract = await make()
    const first = await freeze(contract)
    const second = await freeze(contract)
    expect([first.number, second.number]).toEqual([1, 2])
    expect(second.content_hash).toBe(first.content_hash)
    expect(second.id).not.toBe(first.id)
    await call('PUT', `/${contract.id}`, { ...fresh(), schema: 'true', expected_revision: 1 })
    expect((await call('GET', `/${contract.id}/versions/1`)).body.schema).toBe(schema)
  })

  test('publishing and deprecating again change nothing and record nothing', async () => {
    const contract = await make()
    await freeze(contract)
    const at = `/${contract.id}/versions/1`
    for (const verb of ['publish', 'deprecate']) {
      const first = await call('POST', `${at}/${verb}`, {})
      const before = await stateOf(started.database)
      expect(await call('POST', `${at}/${verb}`, {})).toEqual(first)
      expect(await stateOf(started.database)).toBe(before)
    }
  })

  test('of two changes from one revision, at once, one is accepted and the other is 412', async () => {
    const contract = await make()
    const puts = await Promise.all(
      ['true', 'false', '{}', '[]'].map((text) =>
        call('PUT', `/${contract.id}`, { ...fresh(), schema: text, expected_revision: 1 }),
      ),
    )
    expect(puts.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    expect((await read(contract.id)).draft_revision).toBe(2)
  })

  test('freezes at once get numbers without gaps', async () => {
    const contract = await make()
    const versions = await Promise.all(Array.from({ length: 6 }, () => freeze(contract)))
    expect(versions.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('of two contracts made at once under one name, one is made and the other is 409', async () => {
    const body = fresh()
    const posts = await Promise.all(Array.from({ length: 4 }, () => call('POST', '', body)))
    expect(posts.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  test('names whose slugs are the same get different slugs', async () => {
    const slugs = [(await make({ name: 'Twin name' })).slug, (await make({ name: 'twin-name' })).slug]
    expect(slugs).toEqual(['twin-name', 'twin-name-2'])
  })

  test('a draft may be JSON that is no schema; validate says so with places, and it cannot be frozen', async () => {
    const broken = '{\n  "type": "objekt"\n}'
    const contract = await make({ schema: broken })
    const before = await stateOf(started.database)
    const validated = await call('POST', `/${contract.id}/validate`, {})
    expect(validated.status).toBe(200)
    expect(validated.body).toMatchObject({ valid: false })
    const errors = validated.body.errors as { path: string; context: Record<string, string>; resource_id: string }[]
    expect(errors[0]).toMatchObject({ path: '/type', context: { line: '2' }, resource_id: contract.id })
    const frozen = await call('POST', `/${contract.id}/versions`, { expected_revision: 1 })
    expect(frozen.status).toBe(422)
    expect(String(frozen.body.detail)).toContain('2:')
    expect(String(frozen.body.detail)).toContain('/type')
    expect(frozen.body).not.toHaveProperty('errors')
    expect(await stateOf(started.database)).toBe(before)
  })

  test.each([
    ['the draft', {}, true],
    ['a good schema', { schema: '{"minLength": 2}' }, true],
    ['a bad keyword', { schema: '{"minLength": -1}' }, false],
    ['text that is not JSON', { schema: '{' }, false],
    ['a reference out of the document', { schema: '{"$ref": "https://example.test/s.json"}' }, false],
    ['a reference to nothing', { schema: '{"$ref": "#/$defs/none"}' }, false],
    ['a pattern that cannot run in linear time', { schema: '{"pattern": "(?=a)b"}' }, false],
    ['an unknown keyword, which is only a warning', { schema: '{"colour": "red"}' }, true],
  ] as const)('validate judges %s and changes nothing', async (_name, body, valid) => {
    const contract = await make()
    const before = await stateOf(started.database)
    const answer = await call('POST', `/${contract.id}/validate`, body)
    expect([answer.status, answer.body.valid, (answer.body.errors as unknown[]).length === 0]).toEqual([
      200,
      valid,
      valid,
    ])
    expect(await stateOf(started.database)).toBe(before)
  })

  test('validate warns of rules that cannot matter and of what transformers loop over without a limit', async () => {
    const schema = JSON.stringify({
      type: 'object',
      colour: 'red',
      required: ['id'],
      properties: {
        lines: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
        notes: { type: 'array', items: { type: 'string' } },
        kind: { type: 'string', anyOf: [{ type: 'number' }, { minLength: 1 }] },
      },
    })
    const contract = await make({ schema })
    const source = (name: string) =>
      `transform: declarative-v1\ncontract: ${name}@1\noutput: { $each: /lines, as: line, do: $line/text }\n`
    const warningsOf = async (body: object) => {
      const answer = await call('POST', `/${contract.id}/validate`, body)
      expect(answer.body).toMatchObject({ valid: true, errors: [] })
      const warnings = answer.body.warnings as { code: string; path: string; resource_id: string }[]
      return warnings.map(({ code, path: at }) => `${code} ${at}`).sort()
    }
    const ofSchema = [
      'schema.required-undeclared /required/0',
      'schema.unknown-keyword /colour',
      'schema.unreachable-branch /properties/kind/anyOf/0',
    ]
    expect(await warningsOf({})).toEqual(ofSchema)

    for (const [index, name] of [contract.name, `Not ${contract.name}`].entries()) {
      const body = { name: `Loops ${index} ${contract.name}`, description: '', source: source(name), format: 'yaml' }
      const request = { method: 'POST', path: '/api/v1/transforms', headers: engineer, body }
      expect((await started.send(request)).status).toBe(201)
    }
    expect(await warningsOf({})).toEqual([...ofSchema, 'schema.unbounded-loop /properties/lines'].sort())
    expect(await warningsOf({ schema: '{"properties": {"lines": {"type": "array", "maxItems": 9}}}' })).toEqual([])
    expect((await call('POST', `/${contract.id}/validate`, { schema: '{' })).body.warnings).toEqual([])
  })

  test('lists show every version to those who may read them, and released ones only to business viewers', async () => {
    const contract = await make()
    for (let count = 0; count < 3; count++) await freeze(contract)
    await call('POST', `/${contract.id}/versions/2/publish`, {})
    await call('POST', `/${contract.id}/versions/3/publish`, {})
    await call('POST', `/${contract.id}/versions/3/deprecate`, {})
    const statusesFor = async (headers: Record<string, string>) => {
      const { body } = await call('GET', '?limit=1', undefined, headers)
      const [item] = body.contracts as Contract[]
      expect(item!.id).toBe(contract.id)
      expect(item).not.toHaveProperty('schema')
      return item!.versions.map(({ number, status }) => `${number} ${status}`)
    }
    expect(await statusesFor(auditor)).toEqual(['1 versioned', '2 published', '3 deprecated'])
    expect(await statusesFor(viewer)).toEqual(['2 published', '3 deprecated'])
    expect((await call('GET', `/${contract.id}`, undefined, viewer)).status).toBe(403)
    expect((await call('GET', `/${contract.id}/versions/2`, undefined, viewer)).status).toBe(403)
  })

  test('pages hold every contract once, newest first, also while new ones are made', async () => {
    const made = [await make(), await make(), await make()].map(({ id }) => id).reverse()
    const seen: string[] = []
    let cursor: unknown
    for (let page = 0; page < 50; page++) {
      const { status, body } = await call('GET', `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      seen.push(...(body.contracts as Contract[]).map(({ id }) => id))
      if (page === 0) await make()
      cursor = body.next_cursor
      if (cursor === undefined) break
    }
    expect(seen.slice(0, 3)).toEqual(made)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('at exactly its limits a contract is accepted, and one more is refused', async () => {
    const padded = (bytes: number) => `true${' '.repeat(bytes - 4)}`
    const atLimit = await make({ schema: padded(limits.contractSchemaBytes), name: 'ü'.repeat(limits.familyNameChars) })
    expect(atLimit.schema.length).toBe(limits.contractSchemaBytes)
    expect(await freeze(atLimit)).toMatchObject({ byte_size: limits.contractSchemaBytes })
    await make({ description: '😀'.repeat(limits.familyDescriptionChars) })
    const before = await stateOf(started.database)
    const over = [
      [{ schema: padded(limits.contractSchemaBytes + 1) }, 'schema'],
      [{ schema: `"${'ü'.repeat(limits.contractSchemaBytes / 2)}"` }, 'schema'],
      [{ schema: '' }, 'schema'],
      [{ name: 'a'.repeat(limits.familyNameChars + 1) }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: '  ' }, 'name'],
      [{ name: 'two\nlines' }, 'name'],
      [{ description: 'a'.repeat(limits.familyDescriptionChars + 1) }, 'description'],
    ] as const
    for (const [change, field] of over) {
      const { status, body } = await call('POST', '', fresh(change))
      expect([field, status, body.code]).toEqual([field, 422, 'validation_failed'])
      expect(String(body.detail)).toContain(field)
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('a body of exactly its limit is read, and one byte more is refused', async () => {
    const body = JSON.stringify(fresh())
    const sized = (bytes: number) => `${body}${' '.repeat(bytes - body.length)}`
    expect((await call('POST', '', sized(limits.contractBodyBytes + 1))).status).toBe(422)
    expect((await call('POST', '', sized(limits.contractBodyBytes))).status).toBe(201)
  })

  test.each([
    ['{', '1:2'],
    ['{"a": 1, "a": 2}', 'twice'],
    ['{"a": "\\ud800"}', 'surrogate'],
    ['{"a": 12345678901234567890}', 'double'],
    ["{'a': 1}", '1:2'],
    [`${'['.repeat(129)}${']'.repeat(129)}`, '128'],
    ['nothing', '1:1'],
  ])('a schema of %s is refused at once, by create and by update, naming the place', async (text, place) => {
    const contract = await make()
    const before = await stateOf(started.database)
    for (const answer of [
      await call('POST', '', fresh({ schema: text })),
      await call('PUT', `/${contract.id}`, { ...fresh({ schema: text }), expected_revision: 1 }),
    ]) {
      expect(answer.status).toBe(422)
      expect(String(answer.body.detail)).toContain('Body field schema')
      expect(String(answer.body.detail)).toContain(place)
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('no operation accepts a broken body, and no refusal changes anything', async () => {
    const contract = await make()
    await freeze(contract)
    const good = { name: 'N', description: '', schema: 'true' }
    const operations: [string, string, Record<string, unknown>, string[]][] = [
      ['POST', '', good, []],
      ['PUT', `/${contract.id}`, { ...good, expected_revision: 1 }, []],
      ['POST', `/${contract.id}/validate`, { schema: 'true' }, ['schema']],
      ['POST', `/${contract.id}/versions`, { expected_revision: 1 }, []],
      ['POST', `/${contract.id}/versions/1/publish`, {}, []],
      ['POST', `/${contract.id}/versions/1/deprecate`, {}, []],
    ]
    const before = await stateOf(started.database)
    for (const [method, at, body, optional] of operations) {
      for (const [name, text] of [...brokenBodies(body), ...brokenProperties(body, optional)]) {
        const answer = await call(method, at, text)
        expect([method, at, name, answer.status, answer.body.code]).toEqual([
          method,
          at,
          name,
          422,
          'validation_failed',
        ])
      }
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        undefined,
      ]) {
        const headers = { ...engineer, 'content-type': type } as Record<string, string>
        expect([method, at, type, (await call(method, at, body, headers)).status]).toEqual([method, at, type, 415])
      }
    }
    expect(await stateOf(started.database)).toBe(before)
  })

  test('what is missing, stale, taken or malformed is refused by the right code, and changes nothing', async () => {
    const contract = await make()
    const other = await make()
    await freeze(contract)
    const put = (change: object) => ({ ...fresh(), expected_revision: 1, ...change })
    const table: [string, string, unknown, number, string][] = [
      ['PUT', `/${contract.id}`, put({ expected_revision: 2 }), 412, 'precondition_failed'],
      ['PUT', `/${contract.id}`, put({ expected_revision: 0 }), 412, 'precondition_failed'],
      ['PUT', `/${contract.id}`, put({ expected_revision: -1 }), 422, 'validation_failed'],
      ['PUT', `/${contract.id}`, put({ expected_revision: 1.5 }), 422, 'validation_failed'],
      ['PUT', `/${contract.id}`, put({ name: other.name }), 409, 'conflict'],
      ['PUT', `/${nobody}`, put({}), 404, 'not_found'],
      ['PUT', '/no-uuid', put({}), 422, 'validation_failed'],
      ['POST', '', fresh({ name: other.name }), 409, 'conflict'],
      ['POST', `/${contract.id}/versions`, { expected_revision: 2 }, 412, 'precondition_failed'],
      ['POST', `/${nobody}/versions`, { expected_revision: 1 }, 404, 'not_found'],
      ['POST', '/no-uuid/versions', { expected_revision: 1 }, 422, 'validation_failed'],
      ['POST', `/${nobody}/validate`, {}, 404, 'not_found'],
      ['POST', `/${contract.id}/versions/1/deprecate`, {}, 409, 'conflict'],
      ['POST', `/${contract.id}/versions/2/publish`, {}, 404, 'not_found'],
      ['POST', `/${contract.id}/versions/2/deprecate`, {}, 404, 'not_found'],
      ['POST', `/${other.id}/versions/1/publish`, {}, 404, 'not_found'],
      ['POST', `/${nobody}/versions/1/publish`, {}, 404, 'not_found'],
      ['POST', `/${contract.id}/versions/0/publish`, {}, 422, 'validation_failed'],
      ['POST', `/${contract.id}/versions/01/publish`, {}, 422, 'validation_failed'],
      ['GET', `/${nobody}`, undefined, 404, 'not_found'],
      ['GET', '/no-uuid', undefined, 404, 'not_found'],
      ['GET', `/${contract.id}/versions/2`, undefined, 404, 'not_found'],
      ['GET', `/${contract.id}/versions/one`, undefined, 404, 'not_found'],
      ['GET', `/${nobody}/versions/1`, undefined, 404, 'not_found'],
      ['GET', '?limit=0', undefined, 422, 'validation_failed'],
      ['GET', '?limit=101', undefined, 422, 'validation_failed'],
      ['GET', '?cursor=abc', undefined, 422, 'validation_failed'],
      ['GET', `?cursor=${newId()}`, undefined, 422, 'validation_failed'],
      ['GET', '?name=x', undefined, 422, 'validation_failed'],
    ]
    const before = await stateOf(started.database)
    for (const [method, at, body, status, code] of table) {
      const answer = await call(method, at, body)
      expect([method, at, answer.status, answer.body.code]).toEqual([method, at, status, code])
      expect(answer.body).not.toHaveProperty('errors')
    }
    await call('POST', `/${contract.id}/versions/1/publish`, {})
    await call('POST', `/${contract.id}/versions/1/deprecate`, {})
    const republished = await call('POST', `/${contract.id}/versions/1/publish`, {})
    expect([republished.status, republished.body.code]).toEqual([409, 'conflict'])
    expect(await stateOf(started.database)).not.toBe(before)
  })

  test('two versions are compared in either direction, each change with its place and what follows', async () => {
    const contract = await make({ schema: '{"properties":{"a":{"type":"string","minLength":2}}}' })
    await freeze(contract)
    const looser = '{"properties":{"a":{"type":"string","minLength":1}}}'
    await call('PUT', `/${contract.id}`, { ...fresh({ schema: looser }), expected_revision: 1 })
    await freeze(contract, 2)
    const diff = (older: unknown, newer: unknown) => call('GET', `/${contract.id}/versions/${older}/diff/${newer}`)
    expect((await diff(1, 2)).body).toEqual({
      older: 1,
      newer: 2,
      effect: 'compatible',
      changes: [
        {
          pointer: '/properties/a/minLength',
          side: 'new',
          keyword: 'minLength',
          effect: 'compatible',
          message: expect.stringContaining('minLength'),
        },
      ],
    })
    expect((await diff(2, 1)).body).toMatchObject({ older: 2, newer: 1, effect: 'breaking' })
    expect((await diff(1, 1)).body).toEqual({ older: 1, newer: 1, effect: 'compatible', changes: [] })
    for (const [older, newer] of [
      [1, 3],
      [3, 1],
      [0, 1],
      ['x', 1],
      ['1', '01'],
    ]) {
      expect([older, newer, (await diff(older, newer)).status]).toEqual([older, newer, 404])
    }
    expect((await call('GET', `/${nobody}/versions/1/diff/1`)).status).toBe(404)
  })

  test('ids are accepted in either case', async () => {
    const contract = await make()
    expect((await read(contract.id.toUpperCase())).id).toBe(contract.id)
    expect((await call('GET', `?cursor=${contract.id.toUpperCase()}`)).status).toBe(200)
  })

  test('the list is read from its index, on the first page and on later ones', async () => {
    const contract = await make()
    const contracts = createContractService({
      ...{ database: started.database, judge: judgeHere, suites: noSuites(judgeHere) },
    })
    const plans = await plansOf(started.database, 'families', async () => {
      await contracts.list({ limit: 1 }, 'all')
      await contracts.list({ limit: 1, cursor: contract.id }, 'all')
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain('families_page')
      expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    }
  })
})
