import { describe, expect, test } from 'bun:test'
import type { Finding } from '../../../src/core/finding.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { conjunctsOf } from '../../../src/engines/schema/model.ts'
import {
  type CompiledSchema,
  compileSchema,
  isValidPayload,
  validatePayload,
} from '../../../src/engines/schema/schema.ts'
import { cpuMsOf } from '../../support/cpu.ts'

function refused(schema: JsonValue | string): Finding[] {
  const compiled = compileSchema(typeof schema === 'string' ? schema : JSON.stringify(schema, null, 2))
  if (compiled.ok) throw new Error('the schema was accepted')
  expect(compiled.findings.some((finding) => finding.severity === 'error')).toBe(true)
  for (const finding of compiled.findings) {
    expect(finding.code).toMatch(/^[a-z][a-z0-9_.:-]{0,63}$/)
    expect(finding.line).toBeGreaterThan(0)
    expect(finding.column).toBeGreaterThan(0)
    expect(finding.hint).toBeTruthy()
  }
  return compiled.findings
}

function compiled(schema: JsonValue): CompiledSchema {
  const outcome = compileSchema(JSON.stringify(schema))
  if (!outcome.ok) throw new Error(outcome.findings.map((finding) => finding.message).join('\n'))
  return outcome.value
}

function messages(schema: JsonValue, value: JsonValue): string[] {
  return validatePayload(compiled(schema), value).map((finding) => `${finding.path}: ${finding.message}`)
}

describe('the gate before a schema is accepted', () => {
  test('text that is not strict JSON is refused with the place', () => {
    expect(refused('{"type": "object",\n "type": "array"}')).toMatchObject([
      { code: 'json.duplicate-key', line: 2, column: 2 },
    ])
  })

  test('a value that the metaschema forbids is refused with pointer, line and cause', () => {
    const findings = refused({ type: 'strin', properties: { a: { minLength: -1 }, b: 3 }, required: 'a' })
    expect(findings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      '/properties/a/minLength: "minLength" must be at least 0, is -1.',
      '/properties/b: "b" must be an object or true or false, is 3.',
      '/type: "type" must be "array", "boolean", "integer", "null", "number", "object", "string" or an array, is "strin".',
      '/required: "required" must be an array, is "a".',
    ])
    expect(findings[0]).toMatchObject({ code: 'schema.keyword', keyword: 'minimum', line: 5, column: 20 })
  })

  test('an unknown keyword is a warning with a suggestion, and the schema is accepted', () => {
    const outcome = compileSchema('{"propertie": {}, "x-note": 1, "zzz": 2}')
    expect(outcome.ok).toBe(true)
    expect(outcome.findings).toMatchObject([
      {
        code: 'schema.unknown-keyword',
        severity: 'warning',
        path: '/propertie',
        hint: 'Did you mean "properties"?',
        column: 15,
      },
      { code: 'schema.unknown-keyword', severity: 'warning', path: '/zzz' },
    ])
  })

  test('findings of schemas have their members in the order of all findings', () => {
    const order = ['code', 'severity', 'message', 'hint', 'path', 'keyword', 'line', 'column']
    const [error] = refused({ pattern: '^*' })
    const [warning] = compileSchema('{"format": "dat"}').findings
    expect([error, warning].map((finding) => Object.keys(finding ?? {}))).toEqual([order, order])
  })

  test('an unknown format is a warning', () => {
    expect(compileSchema('{"format": "dat"}').findings).toMatchObject([
      { code: 'schema.unknown-format', severity: 'warning' },
    ])
  })

  test('another dialect is refused', () => {
    expect(refused({ $schema: 'http://json-schema.org/draft-07/schema#' })).toMatchObject([
      { code: 'schema.dialect', path: '/$schema' },
    ])
  })

  test('no reference leaves the document', () => {
    const findings = refused({ $ref: 'https://example.com/a.json', items: { $dynamicRef: 'other#x' } })
    expect(findings).toMatchObject([
      { code: 'schema.foreign-reference', path: '/$ref', keyword: '$ref' },
      { code: 'schema.foreign-reference', path: '/items/$dynamicRef', keyword: '$dynamicRef' },
    ])
  })

  test('a reference to nothing is refused, with what may have been meant', () => {
    const findings = refused({ $defs: { Address: {}, n: 1 as never }, items: { $ref: '#/$defs/Adress' } })
    expect(findings[0]).toMatchObject({ code: 'schema.keyword', path: '/$defs/n' })
    expect(refused({ $defs: { Address: {} }, items: { $ref: '#/$defs/Adress' } })).toMatchObject([
      { code: 'schema.unresolved-reference', path: '/items/$ref', hint: 'Did you mean "#/$defs/Address"?' },
    ])
    expect(refused({ $ref: '#/title', title: 'x' })).toMatchObject([{ code: 'schema.unresolved-reference' }])
    expect(refused({ $ref: '#/%zz' })).toMatchObject([{ code: 'schema.keyword' }])
  })

  test('a schema that only applies itself is refused, one that consumes a member is not', () => {
    for (const schema of [
      { $ref: '#' },
      { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
      { if: { $dynamicRef: '#me' }, $dynamicAnchor: 'me' },
    ]) {
      expect(refused(schema)).toMatchObject([{ code: 'schema.endless-reference' }])
    }
    expect(compileSchema('{"items": {"$ref": "#"}}').ok).toBe(true)
  })

  test('duplicate anchors and ids are refused', () => {
    expect(refused({ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } })).toMatchObject([
      { code: 'schema.duplicate-anchor' },
    ])
    expect(refused({ $defs: { a: { $id: 'x' }, b: { $id: 'x' } } })).toMatchObject([{ code: 'schema.duplicate-id' }])
  })

  test('a pattern that cannot run in linear time says so; one that is no pattern says what is wrong', () => {
    const findings = refused({ pattern: '^(?!a)', items: { pattern: '(a)\\1' }, patternProperties: { '(': true } })
    expect(findings.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      'schema.pattern /patternProperties/(',
      'schema.pattern-unsupported /items/pattern',
      'schema.pattern-unsupported /pattern',
    ])
  })

  test('a hundred of ten thousand findings are reported, errors before warnings', () => {
    const properties: Record<string, JsonValue> = {}
    for (let index = 0; index < 10_000; index++) properties[`p${index}`] = { unknwon: 1 }
    const findings = refused({ properties, $ref: '#/nowhere' })
    expect(findings).toHaveLength(limits.configurationIssues)
    expect(findings[0]).toMatchObject({ code: 'schema.unresolved-reference' })
  })
})

describe('messages a person understands', () => {
  const payment = {
    oneOf: [
      {
        title: 'Card',
        type: 'object',
        properties: { kind: { const: 'card' }, number: { type: 'string' } },
        required: ['kind', 'number'],
      },
      {
        title: 'Bank',
        type: 'object',
        properties: { kind: { const: 'iban' }, iban: { minLength: 5 } },
        required: ['kind', 'iban'],
      },
    ],
  }

  test('they say what a value must be and what it is', () => {
    const schema = {
      properties: {
        premium: { type: 'number', minimum: 0 },
        name: { type: 'string', minLength: 1 },
        start: { format: 'date' },
        items: { minItems: 2 },
        code: { enum: ['A', 'B', null] },
      },
      required: ['premium', 'number'],
      additionalProperties: false,
    }
    const value = { premium: -3, name: '', start: '31.1.2026', items: [1], code: 'C', nam: 1 }
    expect(messages(schema, value)).toEqual([
      ': must have the property "number"',
      '/premium: must be at least 0, is -3',
      '/name: must not be empty',
      '/start: must be a date such as 2026-01-31, is "31.1.2026"',
      '/items: must have at least 2 items, has 1',
      '/code: must be "A", "B" or null, is "C"',
      '/nam: is not a known property; did you mean "name"?',
    ])
  })

  test('a finding names its rule and fits the interface', () => {
    expect(validatePayload(compiled({ properties: { a: { minLength: 2 } } }), { a: 'x' })).toEqual([
      {
        code: 'payload.min-length',
        severity: 'error',
        message: 'must have at least 2 characters, has 1',
        hint: 'The rule is in the schema at #/properties/a/minLength.',
        path: '/a',
        keyword: 'minLength',
      },
    ])
  })

  test('oneOf tells the cause in the branch that was meant', () => {
    expect(messages(payment, { kind: 'iban', iban: 'x' })).toEqual(['/iban: must have at least 5 characters, has 1'])
    expect(messages(payment, { kind: 'card' })).toEqual([': must have the property "number"'])
  })

  test('oneOf tells the values of the property that chooses the branch', () => {
    expect(messages(payment, { kind: 'cash' })).toEqual(['/kind: must be "card" or "iban", is "cash"'])
  })

  test('alternatives that differ in only one thing are reported in one sentence', () => {
    expect(messages({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 3)).toEqual([': must be a string or null, is 3'])
    expect(messages({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {})).toEqual([
      ': must have the property "a" or "b"',
    ])
    expect(messages({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] }, [1, 'x'])).toEqual([
      '/1: must be an integer, is "x"',
    ])
  })

  test('too many matches are named by their titles', () => {
    expect(messages({ oneOf: [{ title: 'Any' }, { title: 'Number', type: 'number' }, false] }, 1)).toEqual([
      ': must match exactly one alternative, matches "Any" and "Number"',
    ])
  })

  test('the same rule on the same value is reported once, and message length is limited', () => {
    expect(messages({ allOf: [{ type: 'string' }, { type: 'string' }] }, 1)).toHaveLength(1)
    const schema = { enum: Array.from({ length: 500 }, (_, index) => `choice ${index} ${'x'.repeat(60)}`) }
    const [message] = messages(schema, 'y'.repeat(1_000))
    expect(message!.length).toBeLessThan(limits.stepIssueMessageChars)
    expect(message).toContain('more')
  })
})

describe('bounds', () => {
  test('the first hundred of ten thousand mistakes are listed, with the total count', () => {
    const schemaOf = (property: (index: number) => JsonValue) =>
      JSON.stringify({
        properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, property(i)])),
      })
    for (const source of [
      schemaOf(() => ({ type: 'nope' })),
      schemaOf(() => ({ pattern: '(?=a)' })),
      schemaOf(() => ({ typ: 'string' })),
      schemaOf((index) => ({ $ref: `#/$defs/none${index}` })),
    ]) {
      let findings: Finding[] = []
      const ms = cpuMsOf(() => {
        findings = compileSchema(source).findings
      })
      // Far above the 100 ms that is aimed at, so that a busy machine fails nothing: it took 900 ms before.
      expect(ms).toBeLessThan(600)
      expect(findings.length).toBe(100)
      expect(findings[99]?.path).toContain('k99')
      expect(findings[99]?.message).toMatch(/number 100 of (at least )?10000 findings/)
      expect(findings[98]?.message).not.toContain('findings')
    }
  })

  test('suggestions for references stop before they cost much', () => {
    const $defs = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`address${i}`, {}]))
    const anyOf = Array.from({ length: 4_000 }, (_, i) => ({ $ref: `#/$defs/adress${i}` }))
    let findings: Finding[] = []
    const ms = cpuMsOf(() => {
      findings = compileSchema(JSON.stringify({ $defs, anyOf })).findings
    })
    expect(ms).toBeLessThan(600)
    expect(findings[0]?.hint).toBe('Did you mean "#/$defs/address0"?')
    expect(findings[99]?.hint).not.toContain('Did you mean')
  })

  test('patterns that are too many together are refused before any is compiled', () => {
    const patterns = Array.from({ length: 4_000 }, (_, index) => ({ pattern: `^a${index}{2,90}b+$` }))
    const compiled = compileSchema(JSON.stringify({ anyOf: patterns }))
    expect(compiled.ok).toBe(false)
    expect(compiled.findings).toMatchObject([{ code: 'schema.pattern-unsupported', path: '/anyOf/3999/pattern' }])
  })

  test('findings stop at the number wanted', () => {
    const schema = compiled({ items: { type: 'string' } })
    const value = Array.from({ length: 10_000 }, (_, index) => index)
    expect(validatePayload(schema, value, { maxFindings: 8 })).toHaveLength(8)
    expect(validatePayload(schema, value)).toHaveLength(limits.schemaFindings)
  })

  test('alternatives that multiply end with a finding, not with the process', () => {
    const $defs: Record<string, JsonValue> = { a60: { type: 'string' } }
    for (let index = 0; index < 60; index++) {
      const next = { $ref: `#/$defs/a${index + 1}` }
      $defs[`a${index}`] = { anyOf: [next, next] }
    }
    const schema = compiled({ $defs, $ref: '#/$defs/a0' })
    expect(validatePayload(schema, 1)).toMatchObject([{ code: 'payload.too-complex', severity: 'error' }])
    expect(isValidPayload(schema, 1)).toBe(false)
    expect(isValidPayload(schema, 'x')).toBe(true)
  })

  test('a payload that cannot be judged in the steps that are given is not valid, whatever more would say', () => {
    const schema = compiled({ items: { type: 'integer', minimum: 0 } })
    const payload = Array.from({ length: 1_000 }, (_, index) => index)
    expect(isValidPayload(schema, payload)).toBe(true)
    expect(isValidPayload(schema, payload, { maxSteps: 500 })).toBe(false)
    expect(validatePayload(schema, payload, { maxSteps: 500 })).toMatchObject([{ code: 'payload.too-complex' }])
  })

  test('many looks at one large value are charged by its size', () => {
    const array = Array.from({ length: 20_000 }, (_, index) => `item ${index}`)
    const rules: [JsonValue, JsonValue][] = [
      [{ const: ['x'] }, array],
      [{ contains: false }, array],
      [{ maxLength: 3 }, 'a:'.repeat(100_000)],
      [{ pattern: '^[a:]+$', not: true }, 'a:'.repeat(100_000)],
    ]
    const required = Array.from({ length: 20_000 }, (_, index) => `p${index}`)
    const dependentRequired = Object.fromEntries(required.map((name) => [name, ['x']]))
    rules.push([{ items: { dependentRequired }, minItems: 20_001 }, array.map(() => ({}))])
    for (const [rule, value] of rules) {
      const schema = compiled({ $defs: { rule }, anyOf: Array.from({ length: 100 }, () => ({ $ref: '#/$defs/rule' })) })
      expect(validatePayload(schema, value, { maxSteps: 50_000 })).toMatchObject([{ code: 'payload.too-complex' }])
      expect(isValidPayload(schema, value, { maxSteps: 50_000 })).toBe(false)
    }
  })

  describe('what is wrong with a value', () => {
    const many = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, at) => make(at))
    /** One alternative holds for each item, and only then is the list told to be too short. */
    const besides = (rule: JsonValue, other: JsonValue) => ({
      allOf: [{ items: { anyOf: [rule, other] } }, { minItems: 100_000 }],
    })
    const names = many(100, (index) => `p${index}`)
    const constants = Object.fromEntries(names.map((name) => [name, { const: 'x' }]))
    const minima = Object.fromEntries(names.map((name) => [name, { minimum: 2 }]))
    const ones = Object.fromEntries(names.map((name) => [name, 1]))
    const choices = many(20, (index) => ({ enum: many(1_000, (at) => `v${index * 1_000 + at}`) }))
    const strings = many(20, () => ({ type: 'string' }))
    const inArrays = (depth: number, value: JsonValue): JsonValue =>
      depth === 0 ? value : [inArrays(depth - 1, value)]
    const arrays = (depth: number, rule: JsonValue): JsonValue =>
      depth === 0 ? rule : { items: arrays(depth - 1, rule) }

    test.each<[what: string, rule: JsonValue, value: JsonValue]>([
      ['values that alternatives allow', besides({ anyOf: choices }, { type: 'object' }), many(20, () => ({}))],
      [
        'characters of pointers',
        { additionalProperties: besides({ anyOf: strings }, true) },
        { ['k'.repeat(64_000)]: many(20, () => 1) },
      ],
      [
        'levels of pointers',
        arrays(100, besides({ anyOf: [...strings, ...strings, ...strings, ...strings] }, true)),
        inArrays(
          100,
          many(60, () => 1),
        ),
      ],
      [
        'faults of alternatives that are compared',
        besides({ anyOf: [{ properties: constants }, { properties: minima }] }, { type: 'object' }),
        many(60, () => ones),
      ],
      [
        'faults that are told again',
        {
          ...besides({ anyOf: many(1_000, () => ({ $ref: '#/$defs/a' })) }, true),
          $defs: { a: { anyOf: [{ items: { minimum: 2 } }] } },
        },
        many(5, () => names.map(() => 1)),
      ],
      ['names that are missing', besides({ required: names }, { type: 'object' }), many(800, () => ({}))],
    ])('is charged for the %s', (_what, rule, value) => {
      expect(validatePayload(compiled(rule), value, { maxSteps: 50_000 })).toMatchObject([
        { code: 'payload.too-complex' },
      ])
    })

    const properties = Object.fromEntries(many(5_000, (index) => [`prop${10_000 + index}`, {}]))
    test.each<[what: string, rule: JsonValue, value: JsonValue]>([
      ['of the values of an enum', besides({ enum: many(9_000, (at) => `v${at}`) }, true), many(33_000, () => 1)],
      ['of forbidden values', besides({ not: { enum: many(9_000, (at) => at) } }, true), many(33_000, () => 1)],
      [
        'of similar names',
        besides({ properties, additionalProperties: false }, { type: 'object' }),
        many(6_000, () => ({ prop1x0x0: 1 })),
      ],
      ['of alternatives that hold together', besides({ oneOf: many(9_000, () => ({})) }, true), many(500, () => 1)],
      [
        'of names beyond those that are told',
        besides({ required: many(9_000, (at) => `p${at}`) }, true),
        many(1_500, () => ({})),
      ],
    ])('costs no words %s where they are not told', (_what, rule, value) => {
      const schema = compiled(rule)
      let findings: Finding[] = []
      const ms = cpuMsOf(() => {
        findings = validatePayload(schema, value)
      })
      expect(findings).toMatchObject([{ code: 'payload.min-items' }])
      expect(ms).toBeLessThan(2_000)
    })

    test('a hundred findings about names like 9,000 others are told within two seconds', () => {
      const properties = Object.fromEntries(many(9_000, (at) => [`k${at}`.padEnd(31, '0'), true]))
      const schema = compiled({ properties, additionalProperties: false })
      const value = Object.fromEntries(many(200, (at) => [`k${at}`.padEnd(31, '1'), 1]))
      let findings: Finding[] = []
      const ms = cpuMsOf(() => {
        findings = validatePayload(schema, value)
      })
      expect(findings).toHaveLength(100)
      expect(ms).toBeLessThan(2_000)
    })
  })

  test('a chain of references and data of any depth end with a finding, not with a stack overflow', () => {
    const $defs: Record<string, JsonValue> = { a20000: { type: 'string' } }
    for (let index = 0; index < 20_000; index++) $defs[`a${index}`] = { $ref: `#/$defs/a${index + 1}` }
    expect(validatePayload(compiled({ $defs, $ref: '#/$defs/a0' }), 1)).toMatchObject([{ code: 'payload.too-deep' }])
    let deep: JsonValue = null
    for (let index = 0; index < 20_000; index++) deep = { next: deep }
    expect(validatePayload(compiled({ properties: { next: { $ref: '#' } } }), deep)).toMatchObject([
      { code: 'payload.too-deep' },
    ])
  })

  test('the deepest payload that the reader accepts is judged', () => {
    let deep: JsonValue = 'leaf'
    for (let index = 0; index < limits.jsonDepth; index++) deep = [deep]
    const list = {
      anyOf: [{ type: 'array', items: { $ref: '#' } }, { allOf: [{ $ref: '#/$defs/leaf' }] }],
      $defs: { leaf: { type: 'string' } },
    }
    expect(messages(list, deep)).toEqual([])
  })

  test('patterns that make a backtracking engine hang answer at once', () => {
    const started = process.cpuUsage()
    expect(messages({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toHaveLength(1)
    expect(messages({ pattern: '.*.*.*=.*' }, 'x'.repeat(50_000))).toHaveLength(1)
    expect(messages({ pattern: '^(?:.{0,4000}|b)x$' }, 'x'.repeat(500_000))[0]).toContain('cannot be judged')
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000)
  })

  test('patterns too large to compile are refused without being compiled', () => {
    expect(refused({ pattern: '((a{1000}){1000}){1000}' })).toMatchObject([{ code: 'schema.pattern-unsupported' }])
    const properties: Record<string, JsonValue> = {}
    for (let index = 0; index < 100; index++) properties[`p${index}`] = { pattern: `${index}a{9000}` }
    expect(refused({ properties }).filter((finding) => finding.severity === 'error')).toHaveLength(1)
  })
})

describe('the schema model', () => {
  test('has every schema with its references resolved, and walks recursive ones', () => {
    const { root, model } = compiled({
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      allOf: [{ $ref: '#/$defs/node' }, { required: ['next'] }],
    })
    expect(root).toBeObject()
    const node = model.nodes.find((candidate) => candidate.pointer === '/$defs/node')!
    expect(node.properties?.get('next')?.ref).toBe(node)
    expect(conjunctsOf(model.root).map((part) => part.pointer)).toEqual(['', '/allOf/0', '/allOf/1', '/$defs/node'])
  })

  test('annotation instead of assertion of formats is the caller’s choice', () => {
    const text = '{"format": "date"}'
    const annotating = compileSchema(text, { assertFormats: false })
    expect(annotating.ok && validatePayload(annotating.value, 'x')).toEqual([])
    expect(messages({ format: 'date' }, 'x')).toHaveLength(1)
  })
})
