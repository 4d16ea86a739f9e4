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
