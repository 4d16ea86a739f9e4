import { expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileSchema } from '../../../src/engines/schema/schema.ts'
import { SchemaWatch } from '../../../src/engines/schema/watch.ts'

function watchOf(schema: JsonValue): SchemaWatch {
  const text = JSON.stringify(schema, null, 2)
  const compiled = compileSchema(text)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  return new SchemaWatch(compiled.value, text)
}

/** `place: gap` of every point that no value reaches. */
function gaps(schema: JsonValue, ...values: JsonValue[]): string[] {
  const watch = watchOf(schema)
  for (const value of values) watch.see(value)
  const reached = new Set(watch.coverage.take())
  return watch.coverage.points.flatMap(({ place, gap }, number) => (reached.has(number) ? [] : [`${place}: ${gap}`]))
}

test('a rule is met by a value that keeps it, and broken by one that does not', () => {
  const schema = { type: 'integer', minimum: 3 }
  expect(gaps(schema, 5)).toEqual(['/type: is broken by no input', '/minimum: is broken by no input'])
  expect(gaps(schema, 1)).toEqual(['/type: is broken by no input', '/minimum: is met by no input'])
  expect(gaps(schema, 5, 1, 'x')).toEqual([])
})

test('a rule about numbers is met by no text, and a value of the wrong type meets nothing', () => {
  expect(gaps({ minimum: 3 }, 'x')).toEqual(['/minimum: is met by no input', '/minimum: is broken by no input'])
  expect(gaps({ type: 'number', minimum: 3 }, null)).toEqual([
    '/type: is met by no input',
    '/minimum: is met by no input',
    '/minimum: is broken by no input',
  ])
})

test('every value of an enum is a point, and so is a value outside of it', () => {
  expect(gaps({ enum: ['a', 'b', { c: 1 }] }, 'b')).toEqual([
    '/enum: is broken by no input',
    '/enum/0: is the value in no input',
    '/enum/2: is the value in no input',
  ])
  expect(gaps({ enum: ['a', { c: 1 }] }, 'a', { c: 1 }, 'z')).toEqual([])
})

test('an optional property is a point where it is given and where it is not, a required one where it is missing', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: true, b: true }, additionalProperties: false }
  expect(gaps(schema, { a: 1 }, 7)).toEqual([
    '/additionalProperties: is broken by no input',
    '/required/0: is missing from no input',
    '/properties/b: is given by no input',
  ])
  expect(gaps(schema, { a: 1, b: 2 }, { a: 1 }, { c: 1 }, 7)).toEqual([])
})

test('alternatives and both answers of an if are points', () => {
  const schema = {
    oneOf: [{ type: 'string' }, { type: 'number' }],
    if: { minimum: 10 },
    then: { multipleOf: 10 },
    else: { maximum: 5 },
  }
  const found = gaps(schema, 3, 'x')
  expect(found).toContain('/then/multipleOf: is met by no input')
  expect(found).not.toContain('/oneOf/0: matches no input')
  expect(gaps(schema, 'x')).toContain('/oneOf/1: matches no input')
  expect(gaps(schema, 3)).toContain('/if: holds for no input')
  expect(gaps(schema, 20)).toContain('/if: holds for every input')
})

test('the rules of every schema that applies to members or items are points', () => {
  const rule = { maxLength: 3 }
  const within: JsonValue[] = [
    ...[{ additionalProperties: rule }, { unevaluatedProperties: rule }, { items: rule }, { unevaluatedItems: rule }],
    ...[{ prefixItems: [rule] }, { patternProperties: { '^a': rule } }, { dependentSchemas: { a: rule } }],
  ]
  for (const schema of within) {
    const found = gaps(schema).filter((gap) => /maxLength: is (?:met|broken) by no input$/.test(gap))
    expect([schema, found.length]).toEqual([schema, 2])
  }
})

test('what is inside of a property is told to be so, unless something else leads there as well', () => {
  const watch = watchOf({
    properties: { a: { $ref: '#/$defs/x' }, b: { minimum: 1 } },
    items: { $ref: '#/$defs/x' },
    $defs: { x: { maxLength: 3 } },
  })
  const insideOf = (place: string) => watch.coverage.points.find((point) => point.place === place)?.inside.length
  expect(insideOf('/properties/b/minimum')).toBe(1)
  expect(insideOf('/$defs/x/maxLength')).toBe(0)
})

test('a point has the line of its rule', () => {
  const watch = watchOf({ type: 'object', properties: { a: { enum: ['x'] } } })
  expect(watch.coverage.points.map(({ place, line }) => [place, line])).toContainEqual(['/properties/a/enum/0', 6])
})

test('a schema that applies itself, and a value that is too much, end', () => {
  const tree = { type: 'object', properties: { next: { $ref: '#' } } }
  let value: JsonValue = {}
  for (let depth = 0; depth < 600; depth++) value = { next: value }
  expect(gaps(tree, value)).toContain('/type: is broken by no input')
})

test('what a value meets before it becomes too deep to be judged is met', () => {
  const tree = { type: 'object', properties: { first: { const: 1 }, next: { $ref: '#' } } }
  let value: JsonValue = {}
  for (let depth = 0; depth < 2_500; depth++) value = { next: value }
  const found = gaps(tree, { first: 1, next: value })
  expect(found).toContain('/properties/first/const: is broken by no input')
  expect(found).not.toContain('/properties/first/const: is met by no input')
})

test('an alternative is shown by its title, or by the keyword and number under which it is', () => {
  const { coverage } = watchOf({
    properties: { a: { anyOf: [{ type: 'string' }, { title: 'A number', type: 'number' }] } },
  })
  const shown = coverage.points.filter(({ gap }) => gap === 'matches no input').map(({ excerpt }) => excerpt)
  expect(shown).toEqual(['anyOf/0', '"A number"'])
})

test('each kind of rule is a point that a value keeps and one that a value breaks', () => {
  const rows: [schema: { [keyword: string]: JsonValue }, kept: JsonValue, broken: JsonValue, keyword?: string][] = [
    [{ type: 'string' }, 'a', 1],
    [{ const: 1 }, 1, 2],
    [{ not: { const: 1 } }, 2, 1],
    [{ minimum: 2 }, 2, 1],
    [{ maximum: 2 }, 2, 3],
    [{ exclusiveMinimum: 2 }, 3, 2],
    [{ exclusiveMaximum: 2 }, 1, 2],
    [{ multipleOf: 2 }, 2, 3],
    [{ minLength: 2 }, 'ab', 'a'],
    [{ maxLength: 2 }, 'ab', 'abc'],
    [{ pattern: '^a' }, 'a', 'b'],
    [{ format: 'date' }, '2026-01-31', 'soon'],
    [{ minItems: 1 }, [1], []],
    [{ maxItems: 1 }, [1], [1, 2]],
    [{ uniqueItems: true }, [1], [1, 1]],
    [{ contains: { const: 1 } }, [1], [2]],
    [{ contains: { const: 1 }, minContains: 2 }, [1, 1], [1], 'minContains'],
    [{ contains: { const: 1 }, minContains: 0, maxContains: 1 }, [1], [1, 1], 'maxContains'],
    [{ items: false }, [], [1]],
    [{ unevaluatedItems: false }, [], [1]],
    [{ minProperties: 1 }, { a: 1 }, {}],
    [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
    [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 2 }, { a: 1 }],
    [{ additionalProperties: false }, {}, { a: 1 }],
    [{ propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
    [{ unevaluatedProperties: false }, {}, { a: 1 }],
  ]
  for (const [schema, kept, broken, keyword = Object.keys(schema)[0]] of rows) {
    const [met, violated] = [`/${keyword}: is met by no input`, `/${keyword}: is broken by no input`]
    expect([schema, gaps(schema)]).toEqual([schema, [met, violated]])
    expect([schema, gaps(schema, kept)]).toEqual([schema, [violated]])
    expect([schema, gaps(schema, broken)]).toEqual([schema, [met]])
    // What the rule isn't about says nothing of it.
    if (keyword === 'const' || keyword === 'not') continue
    expect([schema, gaps(schema, null, true)]).toEqual([schema, keyword === 'type' ? [met] : [met, violated]])
  }
})

test('what no value can break is no point', () => {
  for (const schema of [
    ...[{ minLength: 0 }, { minItems: 0 }, { minProperties: 0 }, { uniqueItems: false }, { format: 'of nobody' }],
    ...[{ items: true }, { additionalProperties: {} }, { unevaluatedItems: true }, { unevaluatedProperties: true }],
    ...[
      { contains: { const: 1 }, minContains: 0 },
      { minContains: 2 },
      { maxContains: 2 },
      { properties: { a: false } },
    ],
  ])
    expect([schema, gaps(schema)]).toEqual([schema, []])
})

test('a value outside of its const or enum is judged no further, and one of its values is', () => {
  for (const choice of [{ const: 5 }, { enum: [5] }]) {
    const broken = gaps({ ...choice, minimum: 3 }, 4)
    expect(broken).toContain('/minimum: is met by no input')
    expect(gaps({ ...choice, minimum: 3 }, 5)).not.toContain('/minimum: is met by no input')
  }
})

test('a rule counts for the schema that has it, also where others are being judged around it', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ maxProperties: 1 }] }
  expect(gaps(schema, { a: 1 }, { a: 1, b: 2 })).toEqual([
    '/type: is broken by no input',
    '/properties/a: is missing from no input',
    '/properties/a/type: is met by no input',
  ])
})

test('rules behind references are points, each once, and those that are nobody’s own are not', () => {
  const places = (schema: JsonValue) => watchOf(schema).coverage.points.map(({ place }) => place)
  const $defs = { a: { $dynamicAnchor: 'a', minimum: 1 } }
  for (const schema of [
    { $ref: '#/$defs/a' },
    { $dynamicRef: '#a' },
    { allOf: [{ $ref: '#a' }, { $ref: '#/$defs/a' }] },
  ])
    expect([schema, places({ ...schema, $defs })]).toEqual([schema, ['/$defs/a/minimum', '/$defs/a/minimum']])
  expect(places({ $ref: 'https://json-schema.org/draft/2020-12/schema' })).toEqual([])
})

test('what two optional properties lead to is inside of both', () => {
  const { coverage } = watchOf({
    properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } },
    $defs: { x: { maxLength: 3 } },
  })
  const given = coverage.points.flatMap(({ gap }, number) => (gap === 'is given by no input' ? [number] : []))
  const inside = coverage.points.filter(({ place }) => place === '/$defs/x/maxLength').map((point) => point.inside)
  expect([given.length, inside]).toEqual([2, [given, given]])
})

test('a point says what is there, what leads to it, and whether only a refusal can reach it', () => {
  const { points } = watchOf({
    type: 'object',
    required: ['kind', 'note'],
    properties: {
      kind: { enum: ['a', 7] },
      note: { minLength: 1 },
      size: { anyOf: [{ title: 'Small', maximum: 9 }, { $ref: '#/$defs/large' }] },
    },
    if: { required: ['size'] },
    then: { minProperties: 3 },
    else: { maxProperties: 2 },
    $defs: { large: { minimum: 100 } },
  }).coverage
  const told = points.map(
    ({ place, line, excerpt, gap, byRefusal, inside }) =>
      `${line} ${place} ${excerpt} ${gap}${byRefusal ? ', by refusal' : ''}${inside.map((one) => ` in ${one}`).join()}`,
  )
  expect(told).toEqual([
    '2 /type type: "object" is met by no input',
    '2 /type type: "object" is broken by no input, by refusal',
    '4 /required/0 "kind" is missing from no input, by refusal',
    '5 /required/1 "note" is missing from no input, by refusal',
    '9 /properties/kind/enum enum: ["a",7] is broken by no input, by refusal',
    '10 /properties/kind/enum/0 "a" is the value in no input',
    '11 /properties/kind/enum/1 7 is the value in no input',
    '15 /properties/note/minLength minLength: 1 is met by no input',
    '15 /properties/note/minLength minLength: 1 is broken by no input, by refusal',
    '17 /properties/size "size" is given by no input',
    '17 /properties/size "size" is missing from no input',
    '19 /properties/size/anyOf/0 "Small" matches no input in 9',
    '21 /properties/size/anyOf/0/maximum maximum: 9 is met by no input in 9',
    '21 /properties/size/anyOf/0/maximum maximum: 9 is broken by no input, by refusal in 9',
    '23 /properties/size/anyOf/1 anyOf/1 matches no input in 9',
    '42 /$defs/large/minimum minimum: 100 is met by no input in 9',
    '42 /$defs/large/minimum minimum: 100 is broken by no input, by refusal in 9',
    '29 /if if holds for no input',
    '29 /if if holds for every input',
    '35 /then/minProperties minProperties: 3 is met by no input in 17',
    '35 /then/minProperties minProperties: 3 is broken by no input, by refusal in 17',
    '38 /else/maxProperties maxProperties: 2 is met by no input in 18',
    '38 /else/maxProperties maxProperties: 2 is broken by no input, by refusal in 18',
  ])
})

test('both answers of an if are met by the values that it holds for and doesn’t', () => {
  const schema = { if: { minimum: 10 } }
  expect(gaps(schema)).toEqual(['/if: holds for no input', '/if: holds for every input'])
  expect(gaps(schema, 10)).toEqual(['/if: holds for every input'])
  expect(gaps(schema, 9)).toEqual(['/if: holds for no input'])
})
