import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { type ReviewOptions, reviewSchema } from '../../../src/engines/schema/review.ts'
import { compileSchema, compileSchemaValue } from '../../../src/engines/schema/schema.ts'

function review(schema: JsonValue, options: ReviewOptions = {}): string[] {
  const compiled = compileSchemaValue(schema)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  const findings = reviewSchema(compiled.value, options)
  for (const finding of findings) {
    expect(finding.severity).toBe('warning')
    expect(finding.hint).toBeString()
  }
  return findings.map(({ code, path, message }) => `${code} ${path}: ${message}`)
}

describe('unreachable branches', () => {
  test('a branch of another type than the schema around it is reported with its place', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', anyOf: [{ minLength: 2 }, { type: 'integer' }] } },
    }
    expect(review(schema)).toEqual([
      'schema.unreachable-branch /properties/a/anyOf/1: No value can take this branch: it wants another type than the schema around it.',
    ])
  })

  test('types are compared through references and allOf, and integer is a number', () => {
    const $defs = { text: { allOf: [{ type: 'string' }] } }
    expect(review({ type: 'number', oneOf: [{ $ref: '#/$defs/text' }, { type: 'integer' }], $defs })).toHaveLength(1)
    expect(
      review({ type: ['number', 'string'], oneOf: [{ $ref: '#/$defs/text' }, { type: 'integer' }], $defs }),
    ).toEqual([])
  })

  test('false, values outside the enum and equal branches are reported', () => {
    expect(review({ anyOf: [{ type: 'string' }, false] })[0]).toContain(
      '/anyOf/1: No value can take this branch: it is false.',
    )
    expect(review({ enum: ['a', 'b'], anyOf: [{ const: 'a' }, { enum: ['c', 'd'] }] })[0]).toContain(
      'none of its values',
    )
    expect(review({ oneOf: [{ minimum: 1 }, { minimum: 1 }] })[0]).toContain('takes both, which oneOf forbids')
    expect(review({ anyOf: [{ minimum: 1 }, { maximum: 1 }, { minimum: 1 }] })[0]).toContain(
      'equals number 1, so it changes nothing',
    )
  })

  test('branches of conditions that never select them are reported', () => {
    // biome-ignore-start lint/suspicious/noThenProperty: the keyword of JSON Schema
    expect(review({ then: { minimum: 1 } })[0]).toContain('/then: "then" has no "if"')
    expect(review({ if: true, then: { minimum: 1 }, else: { minimum: 2 } })).toHaveLength(1)
    expect(review({ if: true, then: { minimum: 1 }, else: { minimum: 2 } })[0]).toContain('/else: "if" is always true')
    expect(review({ type: 'object', if: { type: 'string' }, then: { minLength: 1 } })[0]).toContain('/if: ')
    expect(review({ if: { type: 'string' }, then: { minLength: 1 }, else: { minimum: 2 } })).toEqual([])
    // biome-ignore-end lint/suspicious/noThenProperty: the keyword of JSON Schema
  })

  test('listed items beyond maxItems are reported', () => {
    expect(review({ prefixItems: [true, true, { type: 'string' }], maxItems: 2 })[0]).toContain('/prefixItems/2: ')
    expect(review({ prefixItems: [true, true], maxItems: 2 })).toEqual([])
  })
})

describe('contradictions', () => {
  test('bounds that allow no value are reported on the lower one', () => {
    expect(review({ minLength: 3, maxLength: 2 })[0]).toBe(
      'schema.contradiction /minLength: minLength is 3 and maxLength is 2, so no value satisfies both.',
    )
    expect(review({ minimum: 3, exclusiveMaximum: 3 })[0]).toContain('/exclusiveMaximum: ')
    expect(review({ minimum: 3, maximum: 3, minItems: 2, maxItems: 2 })).toEqual([])
  })

  test('slashes around a pattern are reported with the pattern alone, and only where they are those of JavaScript', () => {
    const hints = (pattern: string) => {
      const compiled = compileSchemaValue({ pattern })
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
      return reviewSchema(compiled.value).map(({ path, keyword, hint }) => `${path} ${keyword}: ${hint}`)
    }
    expect(hints('/^a$/')).toEqual(['/pattern pattern: Write the pattern alone: "^a$".'])
    expect(hints('/a$/i')).toEqual(['/pattern pattern: Write the pattern alone, without flags: "a$".'])
    for (const plain of ['^a$', '/a/', '/^a$', '/^a$/I']) expect([plain, ...hints(plain)]).toEqual([plain])
  })

  test('an enum without a value of the type, and a required property that is forbidden, are reported', () => {
    expect(review({ type: 'string', enum: [1, 2] })[0]).toContain('/enum: No value of "enum" has the type')
    expect(review({ type: 'integer', enum: [1.5, 2] })).toEqual([])
    expect(review({ required: ['a'], properties: { a: false } })[0]).toContain('schema.contradiction /required/0')
  })
})

describe('required properties that are declared nowhere', () => {
  test('a misspelt name is reported with the name that was probably meant', () => {
    const compiled = compileSchemaValue({ properties: { premium: { type: 'number' } }, required: ['premuim'] })
    if (!compiled.ok) throw new Error('does not compile')
    expect(reviewSchema(compiled.value)).toEqual([
      {
        code: 'schema.required-undeclared',
        severity: 'warning',
        message: '"premuim" is required but declared nowhere, so any value of it passes.',
        hint: 'Did you mean "premium"?',
        path: '/required/0',
        keyword: 'required',
      },
    ])
  })

  test('what any schema on the same value declares counts, in both directions', () => {
    expect(
      review({ properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'], properties: { b: {} } }] }),
    ).toEqual([])
    expect(
      review({ required: ['a'], allOf: [{ $ref: '#/$defs/base' }], $defs: { base: { properties: { a: {} } } } }),
    ).toEqual([])
    expect(review({ required: ['x-1'], patternProperties: { '^x-': {} } })).toEqual([])
    expect(review({ required: ['a'], additionalProperties: { type: 'string' } })).toEqual([])
    expect(review({ properties: { a: {} }, not: { required: ['b'] } })).toEqual([])
    expect(review({ properties: { inner: { properties: { a: {} } } }, required: ['a'] })).toHaveLength(1)
  })
})

describe('arrays that a transformer loops over', () => {
  const schema = {
    type: 'object',
    properties: {
      orders: { type: 'array', maxItems: 50, items: { $ref: '#/$defs/order' } },
      tags: { type: 'array', items: { type: 'string' } },
    },
    $defs: { order: { type: 'object', properties: { lines: { type: 'array', items: {} } } } },
  }

  test('those without maxItems are reported at the array’s declaration, and only if they are looped over', () => {
    const loopedPointers = ['/orders', '/orders/-/lines', '/orders/0/lines']
    const findings = review(schema, { loopedPointers: loopedPointers.slice(0, 2) })
    expect(findings).toEqual([
      'schema.unbounded-loop /$defs/order/properties/lines: A transformer loops over /orders/-/lines, whose length has no bound here.',
    ])
    expect(review(schema, { loopedPointers: ['/orders/*/lines', '/tags'] })).toHaveLength(2)
    expect(review(schema)).toEqual([])
    expect(review(schema, { loopedPointers: ['/elsewhere', 'not a pointer'] })).toEqual([])
  })

  test('those under a pattern or under further names are found, but not under further names where another rule has theirs', () => {
    const list = { type: 'array' }
    const found = (schema: JsonValue) =>
      review(schema, { loopedPointers: ['/x-1', '/y'] }).map((text) => text.replace(/: .*/, ''))
    expect(found({ patternProperties: { '^x-': list }, additionalProperties: list })).toEqual([
      'schema.unbounded-loop /patternProperties/^x-',
      'schema.unbounded-loop /additionalProperties',
    ])
    expect(
      found({ properties: { y: { maxItems: 1 } }, patternProperties: { '^x-': true }, additionalProperties: list }),
    ).toEqual(['schema.unbounded-loop /patternProperties/^x-'])
  })

  test('a bound in any schema on the array suffices, as does a tuple', () => {
    const bounded = {
      properties: { a: { allOf: [{ type: 'array' }, { maxItems: 3 }] }, b: { prefixItems: [true], items: false } },
    }
    expect(review(bounded, { loopedPointers: ['/a', '/b'] })).toEqual([])
  })
})

test('line and column are reported if the text is given', () => {
  const text = '{\n  "properties": { "a": {} },\n  "required": ["b"]\n}'
  const compiled = compileSchema(text)
  if (!compiled.ok) throw new Error('does not compile')
  expect(reviewSchema(compiled.value, { text })[0]).toMatchObject({ line: 3, column: 16 })
})

test('ten thousand oddities are reported up to the bound', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { minLength: 2, maxLength: 1 }]),
  )
  const compiled = compileSchemaValue({ properties })
  if (!compiled.ok) throw new Error('does not compile')
  expect(reviewSchema(compiled.value)).toHaveLength(limits.configurationIssues)
})

test('a sound schema has no findings', () => {
  expect(
    review({
      type: 'object',
      required: ['a'],
      properties: { a: { type: ['string', 'null'] }, b: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
      additionalProperties: false,
    }),
  ).toEqual([])
})
