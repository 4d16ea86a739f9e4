import { describe, expect, test } from 'bun:test'
import { canonicalHash, canonicalJson } from '../../../src/core/canonical.ts'
import { isJsonObject, type JsonObject, type JsonValue, readJson } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { caseKinds, generateCase } from '../../../src/engines/schema/cases.ts'
import { type CompiledSchema, compileSchemaValue, validatePayload } from '../../../src/engines/schema/schema.ts'
import { arbitraryDocument, seeded } from './arbitrary.ts'
import { bounded, chain, everyKeyword, impliedTypes, oneRule, policy, retried } from './case-schemas.ts'

function compiled(schema: JsonValue): CompiledSchema {
  const result = compileSchemaValue(schema)
  if (!result.ok) throw new Error(JSON.stringify(result.findings))
  return result.value
}

function valid(schema: JsonValue, seed = 1): JsonValue {
  const made = generateCase(compiled(schema), { kind: 'valid', seed })
  if (!made.ok) throw new Error(made.findings[0]?.message)
  return made.value.payload
}

/** SHA-256 of the canonical payloads for the seeds 0, 1, 2 and 2147483647; a stored case depends on each of them. */
const golden: Record<string, string[]> = {
  valid: ['0dbd25fe914753f4', 'cbe37485a08b1a5c', '16e3be38961eb74c', '5e7da9af5ae11ae4'],
  boundary: ['73c2a5d53fc56689', '2651fb348f6f0066', 'c7378710b5128e7a', '3beeaf4a4f36d921'],
  invalid: ['980de66597a2494b', '626a8ff4d667b63c', '4f4f57558f7f1870', '46d38e237a946f5d'],
}

describe('generated cases', () => {
  test('a seed gives the same payload on every machine and release, to the byte', () => {
    const schema = compiled(policy)
    for (const kind of caseKinds) {
      const hashes = [0, 1, 2, limits.caseSeedMax].map((seed) => {
        const made = generateCase(schema, { kind, seed })
        if (!made.ok) throw new Error(made.findings[0]?.message)
        return canonicalHash(made.value.payload).slice(0, 16)
      })
      expect({ [kind]: hashes }).toEqual({ [kind]: golden[kind] ?? [] })
      expect(new Set(hashes).size).toBe(4)
    }
  })

  test('a schema that names no type has values of the one that its keyword is for', () => {
    const typeOf = (value: JsonValue) => (Array.isArray(value) ? 'array' : typeof value)
    for (const [type, schemas] of Object.entries(impliedTypes)) {
      for (const [keyword, schema] of Object.entries(schemas)) {
        const types = new Set(Array.from({ length: 8 }, (_, seed) => typeOf(valid(schema, seed))))
        expect([keyword, ...types]).toEqual([keyword, type])
      }
    }
  })

  test('choices that fail are followed by others, until a payload is found', () => {
    for (const [name, schema] of Object.entries(retried)) {
      const made = Array.from({ length: 12 }, (_, seed) => generateCase(compiled(schema), { kind: 'valid', seed }))
      const found = made.flatMap((case_) => (case_.ok ? [case_.value.payload] : []))
      // Some seeds find nothing.
      expect([name, found.length > 4]).toEqual([name, true])
      for (const payload of found) expect([name, validatePayload(compiled(schema), payload)]).toEqual([name, []])
    }
  })

  test('generating again, with other cases in between, changes nothing', () => {
    const schema = compiled(policy)
    const first = generateCase(schema, { kind: 'valid', seed: 7 })
    generateCase(schema, { kind: 'invalid', seed: 7 })
    generateCase(schema, { kind: 'valid', seed: 8 })
    expect(generateCase(schema, { kind: 'valid', seed: 7 })).toEqual(first)
    expect(generateCase(compiled(structuredClone(policy)), { kind: 'valid', seed: 7 })).toEqual(first)
  })

  test('the text is the canonical JSON of the payload and reads back as the same value', () => {
    const made = generateCase(compiled(policy), { kind: 'valid', seed: 3 })
    if (!made.ok) throw new Error('no case')
    const read = readJson(made.value.text)
    expect(read.ok && read.value).toEqual(made.value.payload)
    expect(made.value.text).toBe(canonicalJson(made.value.payload))
    expect(made.value).not.toHaveProperty('path')
  })

  test('values are American and fit their format and the name of their property', () => {
    const customer = (valid(policy, 1) as JsonObject).customer as JsonObject
    expect(String(customer.email)).toStartWith(`${String(customer.firstName).toLowerCase()}.`)
    const named = valid({
      type: 'object',
      properties: {
        city: { type: 'string' },
        state: { type: 'string' },
        zipCode: { type: 'string' },
        phone: { type: 'string' },
        age: { type: 'integer' },
        dueDate: { type: 'string' },
        unitPrice: { type: 'number' },
      },
      required: ['city', 'state', 'zipCode', 'phone', 'age', 'dueDate', 'unitPrice'],
    }) as JsonObject
    expect(String(named.state)).toMatch(/^[A-Z]{2}$/)
    expect(String(named.zipCode)).toMatch(/^\d{5}$/)
    expect(String(named.phone)).toMatch(/^\(555\) 555-01\d\d$/)
    expect(String(named.dueDate)).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(Number(named.age)).toBeWithin(18, 80)
    expect(Number(named.unitPrice)).toBe(Math.round(Number(named.unitPrice) * 100) / 100)
  })

  test('the items of a list fit its name in the singular', () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => seed)
    const named = (name: string, schema: JsonObject) =>
      seeds.flatMap(
        (seed) =>
          (valid({ type: 'object', required: [name], properties: { [name]: schema } }, seed) as JsonObject)[name] ?? [],
      )
    const text = { type: 'string' }
    for (const [many, one] of [
      ['companies', 'company'],
      ['billing_currencies', 'currency'],
      ['homeCountries', 'country'],
      ['cities', 'city'],
      ['months', 'month'],
      ['departments', 'department'],
    ] as const) {
      const items = named(many, { type: 'array', items: text, minItems: 2 })
      const known = new Set(named(one, text))
      expect(items.length).toBeGreaterThanOrEqual(80)
      expect([many, ...items.filter((item) => !known.has(item)).slice(0, 1)]).toEqual([many])
    }
  })

  test('whatever the schema is, a valid or boundary case satisfies it and an invalid one breaks one rule, which is named', () => {
    let answered = 0
    for (let seed = 0; seed < 250; seed++) {
      const schema = compiled(arbitraryDocument(seeded(seed)))
      for (const kind of caseKinds) {
        const made = generateCase(schema, { kind, seed })
        if (!made.ok) {
          expect(made.findings).toHaveLength(1)
          continue
        }
        answered++
        const findings = validatePayload(schema, made.value.payload)
        if (kind === 'invalid') {
          expect(findings).toHaveLength(1)
          expect({ path: findings[0]?.path, keyword: findings[0]?.keyword }).toEqual({
            path: made.value.path,
            keyword: made.value.keyword,
          } as never)
        } else expect(findings).toEqual([])
      }
    }
    expect(answered).toBeGreaterThan(500)
  })

  test('ten seeds reach every property, every item and every branch', () => {
    const seen = new Set<string>()
    const collect = (value: JsonValue | undefined, path: string) => {
      seen.add(path)
      if (Array.isArray(value)) for (const item of value) collect(item, `${path}/*`)
      else if (isJsonObject(value)) for (const key of Object.keys(value)) collect(value[key], `${path}/${key}`)
    }
    for (let seed = 0; seed < 10; seed++) collect(valid(policy, seed), '')
    for (const path of [
      '/premium',
      '/status',
      '/customer/address/zipCode',
      '/items/*/price',
      '/payment/iban',
      '/payment/card',
    ]) {
      expect(seen).toContain(path)
    }
    expect(seen).not.toContain('/unexpected')
  })
})

describe('valid cases go through every keyword', () => {
  for (const [name, schema] of Object.entries(everyKeyword)) {
    test(`with ten seeds of ten: ${name}`, () => {
      const target = compiled(schema)
      for (let seed = 0; seed < 10; seed++) {
        const made = generateCase(target, { kind: 'valid', seed })
        expect(made.ok ? [] : made.findings).toEqual([])
        if (made.ok) expect(validatePayload(target, made.value.payload)).toEqual([])
      }
    })
  }
})

describe('boundary cases', () => {
  test('thirty seeds reach every limit, and each reaches the limit that it names', () => {
    const reached = new Set<string>()
    let withNote = 0
    for (let seed = 0; seed < 30; seed++) {
      const made = generateCase(compiled(bounded), { kind: 'boundary', seed })
      if (!made.ok) throw new Error(made.findings[0]?.message)
      const { payload, path, keyword } = made.value
      const { name, count, list, note } = payload as { name: string; count: number; list: boolean[]; note?: string }
      if (note !== undefined) withNote++
      reached.add(`name ${name.length}`).add(`count ${count}`).add(`list ${list.length}`)
      const actual = { '/name': name.length, '/count': count, '/list': list.length }[path ?? '']
      const limit = { minLength: 2, maxLength: 9, minimum: -3, exclusiveMaximum: 11, minItems: 1, maxItems: 6 }[
        keyword ?? ''
      ]
      expect(actual).toBe(limit as number)
    }
    for (const place of ['name 2', 'name 9', 'count -3', 'count 11', 'list 1', 'list 6'])
      expect(reached).toContain(place)
    expect(withNote).toBeWithin(5, 26)
  })

  test('without figures, all optional properties or none of them are the limit', () => {
    const schema: JsonValue = {
      type: 'object',
      required: ['a'],
      properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
    }
    const sizes = new Set<number>()
    for (let seed = 0; seed < 6; seed++) {
      const made = generateCase(compiled(schema), { kind: 'boundary', seed })
      if (!made.ok) throw new Error('no case')
      sizes.add(Object.keys(made.value.payload as JsonObject).length)
      expect(['required', 'properties']).toContain(made.value.keyword!)
      expect(made.value.path).toBe('')
    }
    expect([...sizes].sort()).toEqual([1, 3])
  })

  test('a schema without any limit gets a finding and no payload', () => {
    const made = generateCase(compiled({ const: 5 }), { kind: 'boundary', seed: 0 })
    expect(made.ok).toBe(false)
    expect(made.findings[0]?.code).toBe('case.no-limit')
  })
})

describe('invalid cases', () => {
  test('every kind of rule is broken by some seed, and the place of each is named', () => {
    const broken = new Map<string, string>()
    const schema = compiled(policy)
    for (let seed = 0; seed < 120; seed++) {
      const made = generateCase(schema, { kind: 'invalid', seed })
      if (!made.ok) throw new Error(made.findings[0]?.message)
      broken.set(made.value.keyword!, made.value.path!)
    }
    const keywords =
      'additionalProperties enum exclusiveMinimum format maxItems maxLength maximum minItems minLength minimum multipleOf pattern required type'
    for (const keyword of keywords.split(' ')) expect([...broken.keys()]).toContain(keyword)
    expect(broken.get('pattern')).toMatch(/policyNumber|zipCode/)
    expect(broken.get('additionalProperties')).toMatch(/^\/[^/]+$/)
  })

  for (const [keyword, schema] of Object.entries(oneRule)) {
    test(`${keyword} can be the rule that is broken`, () => {
      const keywords = new Set<string>()
      for (let seed = 0; seed < 20; seed++) {
        const made = generateCase(compiled(schema), { kind: 'invalid', seed })
        if (made.ok) keywords.add(made.value.keyword!)
      }
      expect([...keywords]).toContain(keyword)
    })
  }

  test('a schema that accepts everything has no invalid case, and its finding says so', () => {
    for (const schema of [true, {}, { title: 'Anything' }]) {
      const made = generateCase(compiled(schema), { kind: 'invalid', seed: 0 })
      expect(made.ok).toBe(false)
      expect(made.findings[0]?.code).toBe('case.no-rule')
    }
  })
})

describe('where there is no case', () => {
  test('rules that contradict each other are named, and no payload is answered', () => {
    const schemas: [JsonValue, string][] = [
      [false, 'The schema is false, so no payload satisfies it.'],
      [{ type: 'integer', minimum: 5, maximum: 4 }, 'most attempts failed at "minimum"'],
      [{ type: 'string', allOf: [{ type: 'number' }] }, 'most attempts failed at "type"'],
      [{ type: 'string', pattern: '^a$', minLength: 2 }, 'most attempts failed at "pattern"'],
      [{ enum: [1, 2], not: { type: 'integer' } }, 'most attempts failed at'],
      [
        { type: 'object', required: ['epsilon'], propertyNames: { maxLength: 6 } },
        'most attempts failed at "propertyNames"',
      ],
      [
        { type: 'object', oneOf: [{ maxProperties: 0 }, { minProperties: 0 }], not: { minProperties: 1 } },
        'most attempts failed at "oneOf"',
      ],
      [
        { type: 'array', if: { uniqueItems: true }, then: { maxItems: 0, minItems: 1 }, else: { maxItems: 1 } },
        'most attempts failed at "if"',
      ],
      [{ type: 'array', not: { uniqueItems: true }, maxItems: 1 }, 'most attempts failed at "not"'],
      [{ type: 'boolean', not: { type: 'boolean' } }, 'most attempts failed at "not"'],
      [{ type: 'object', maxProperties: 1, required: ['a', 'b'] }, 'most attempts failed at "maxProperties"'],
      [{ enum: [1, 2], minimum: 3 }, 'most attempts failed at "enum"'],
      [{ const: 1, enum: [2] }, 'most attempts failed at "enum"'],
      [{ type: 'string', format: 'date', maxLength: 3 }, 'most attempts failed at "format"'],
      [{ type: 'string', minLength: 4, maxLength: 3 }, 'most attempts failed at "maxLength"'],
      [{ anyOf: [{ type: 'string' }, false], type: 'number' }, 'most attempts failed at "anyOf"'],
      [
        { type: 'object', required: ['a'], unevaluatedProperties: false },
        'what it requires is forbidden elsewhere in it',
      ],
      [{ type: 'array', minItems: 1, unevaluatedItems: false }, 'what it requires is forbidden elsewhere in it'],
      [{ type: 'array', not: { maxItems: 3 }, maxItems: 3 }, 'the choices it leaves contradict each other'],
      [{ type: 'array', contains: true, minContains: 3, maxItems: 2 }, 'the choices it leaves contradict each other'],
      [
        { type: 'array', minItems: 5, uniqueItems: true, items: { enum: [1, 2, 3] } },
        'the choices it leaves contradict',
      ],
    ]
    for (const [schema, sentence] of schemas) {
      for (const kind of caseKinds) {
        const made = generateCase(compiled(schema), { kind, seed: 0 })
        expect(made.ok).toBe(false)
        expect(made.findings[0]?.code).toBe('case.none')
        expect(made.findings[0]?.message).toContain(sentence)
        // The keyword goes with it for programs.
        expect([schema, made.findings[0]?.keyword]).toEqual([
          schema,
          /failed at "(\w+)"/.exec(made.findings[0]?.message ?? '')?.[1],
        ])
      }
    }
  })

  test('a payload has as many levels as can be read again, and no more', () => {
    const deep = generateCase(compiled(chain(limits.jsonDepth - 8)), { kind: 'valid', seed: 0 })
    expect(deep.ok && readJson(deep.value.text).ok).toBe(true)
    expect(generateCase(compiled(chain(limits.jsonDepth - 7)), { kind: 'valid', seed: 0 }).ok).toBe(false)
  })

  test('an endless recursion and too many items end within the budget', () => {
    const endless = {
      $ref: '#/$defs/n',
      $defs: {
        n: { type: 'object', required: ['a', 'b'], properties: { a: { $ref: '#/$defs/n' }, b: { $ref: '#/$defs/n' } } },
      },
    }
    const huge = { type: 'array', minItems: 1000, items: { type: 'array', minItems: 1000, items: { type: 'integer' } } }
    for (const schema of [endless, huge]) {
      const made = generateCase(compiled(schema), { kind: 'valid', seed: 0 })
      expect(made.ok).toBe(false)
      expect(made.findings[0]?.message).toContain('more steps than one case may take')
    }
  })

  test('no payload is larger than the interface takes', () => {
    const made = generateCase(compiled({ type: 'string', minLength: limits.payloadBytes - 2 }), {
      kind: 'valid',
      seed: 0,
    })
    expect(made.ok && made.value.text.length).toBe(limits.payloadBytes)
    const larger = generateCase(compiled({ type: 'string', minLength: limits.payloadBytes - 1 }), {
      kind: 'valid',
      seed: 0,
    })
    expect(larger.ok).toBe(false)
  })

  test('seeds and kinds out of range are refused', () => {
    const schema = compiled({})
    for (const seed of [-1, 1.5, limits.caseSeedMax + 1, Number.NaN]) {
      expect(generateCase(schema, { kind: 'valid', seed }).findings[0]?.code).toBe('case.seed')
    }
    expect(generateCase(schema, { kind: 'other' as never, seed: 0 }).findings[0]?.code).toBe('case.kind')
  })
})
