import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileTransformer, evaluateTransformer } from '../../../src/engines/declarative/declarative.ts'
import { compile, evaluate, faultOf, outputOf, sourceOf } from './compile.ts'
import { invoiceInput, invoiceSource, letterContract, letterInput, letterSource } from './examples.ts'

describe('the two examples of the language', () => {
  test('make the policy letter, typed by its contract', () => {
    const transformer = compile(letterSource, { contract: letterContract })
    const { output, fuelUsed } = evaluate(transformer, letterInput, { params: { letterDate: '2025-02-01' } })
    expect(output).toEqual({
      ref: 'Unser Zeichen: P-77/2024',
      salutation: 'Sehr geehrte Frau Weber',
      premium: '1.234,50 €',
      cover: 'Kfz (B-XY 12)',
      urgent: true,
    })
    expect(fuelUsed).toBeLessThanOrEqual(transformer.costBound)
  })

  test('make the invoice, exact to the cent', () => {
    const { output } = evaluate(compile(invoiceSource), invoiceInput(4))
    expect(output).toEqual({
      rows: [
        { pos: 1, text: 'Item 1', amount: '0.87' },
        { pos: 2, text: 'Item 2', amount: '75.98' },
        { pos: 3, text: 'Item 3', amount: '224.97' },
        { pos: 4, text: 'Item 4', amount: '447.96' },
      ],
      vat: [
        { rate: 7, tax: 31.42 },
        { rate: 19, tax: 57.18 },
      ],
      net: 749.78,
    })
  })
})

describe('operators', () => {
  /** Value, input, output. */
  const cases: [string, JsonValue, JsonValue][] = [
    ['{ $text: "{{{a}}} {b}", a: /a, b: /b }', { a: 1.1, b: 'x' }, '{1.1} x'],
    ['{ $case: "o\'neill-van DER berg", to: title }', {}, "O'neill-Van Der Berg"],
    ['{ $concat: [a, 1, /b] }', { b: 2.5 }, 'a12.5'],
    ['{ $concat: [/a, /b] }', { a: 'x', b: 'y' }, 'xy'],
    ['{ $slice: /t, from: 1, to: 3 }', { t: 'a😀b𝒞d' }, '😀b'],
    ['{ $pad: /n, to: 4, side: end, with: . }', { n: 7 }, '7...'],
    ['{ $pad: /n, to: 5, with: "0" }', { n: -7.5 }, '-07.5'],
    ['{ $pad: /n, to: 5, with: "0" }', { n: -12345 }, '-12345'],
    ['{ $pad: /s, to: 5, with: "0" }', { s: '-a' }, '000-a'],
    ['{ $pad: /s, to: 5, with: "0" }', { s: '−12' }, '−0012'],
    ['{ $pad: /n, to: 4, with: " " }', { n: -7 }, '  -7'],
    ['{ $replace: /t, find: ., with: "" }', { t: '1.2.3' }, '123'],
    ['{ $calc: "-(a - b) * 2.5", a: /a, b: /b }', { a: 0.1, b: 0.3 }, 0.5],
    ['{ $calc: "a / b * b", a: 1, b: 3, scale: 2, round: half-up }', {}, 1],
    ['{ $calc: "1 - a / b - 2", a: 1, b: 4, scale: 2, round: half-up }', {}, -1.25],
    ['{ $calc: "a / b", a: 1, b: /z, zero: -1, scale: 0, round: down }', { z: 0 }, -1],
    ['{ $calc: "a * b", a: /a, b: /a }', { a: 0.1234567890123 }, '0.01524157875322755800955129'],
    ['{ $format: /n, number: "0.0%", locale: en }', { n: 0.1234 }, '12.3%'],
    ['{ $format: /n, number: "#,##0.00;(#,##0.00)" }', { n: -1234.5 }, '(1,234.50)'],
    ['{ $format: 1234567, number: 0 }', {}, '1234567'],
    [
      '{ $format: /d, date: "EEEE, d. MMMM yyyy, H:mm", locale: de }',
      { d: '2025-03-01T09:05:00+01:00' },
      'Samstag, 1. März 2025, 9:05',
    ],
    ['{ $format: /n, number: "#,##0.0", locale: /loc }', { n: 1234, loc: 'de-CH' }, "1'234.0"],
    ['{ $parse: " 2024-02-30", as: date, else: none }', {}, 'none'],
    ['{ $parse: /d, as: date, else: none }', { d: '2024-02-29T23:00:00Z' }, '2024-02-29'],
    ['{ $parse: /b, as: boolean, else: null }', { b: 'yes' }, null],
    ['{ $default: [/a, /b, null] }', { a: null }, null],
    ['[{ $omit: /a }, { $omit: /b }]', { b: 2 }, [2]],
    ['{ x: { $if: false, then: 1 } }', {}, {}],
    ['{ $match: /v, "1": one, "2.5": more, else: none }', { v: 2.5 }, 'more'],
    ['{ $match: /v, true: yes, false: no }', { v: false }, 'no'],
    ['{ $is: [/a, "=", /b] }', { a: 1, b: 1.0 }, true],
    ['{ $is: [/a, "=", null] }', { a: null }, true],
    ['{ $is: [/a, "<", /b] }', { a: '2025-01-01T00:30:00+01:00', b: '2025-01-01T00:00:00Z' }, true],
    ['{ $is: [/a, "<", /b] }', { a: '\ufb00', b: '\u{1f600}' }, true],
    ['{ $is: [2, in, /list] }', { list: [1, 2] }, true],
    [
      '{ $group: /l, as: x, by: $x, do: [$key, { $count: $items }] }',
      { l: [1, '1', 1.0, true] },
      [
        [1, 2],
        ['1', 1],
        [true, 1],
      ],
    ],
    [
      '{ $each: /l, as: x, sort: [{ by: $x/a }, { by: $x/b, descending: true }], do: $x/b }',
      {
        l: [
          { a: 2, b: 1 },
          { a: 1, b: 1 },
          { a: 1, b: 2 },
        ],
      },
      [2, 1, 1],
    ],
    ['{ $each: /l, as: x, where: { $is: [$x, ">", 1] }, do: { $index: x, from: 0 } }', { l: [1, 2, 3] }, [0, 1]],
    ['{ $each: /l, as: x, sort: { by: $x, descending: true } }', { l: [1, 3, 2] }, [3, 2, 1]],
    ['{ $sum: /l }', { l: [] }, 0],
    ['{ $default: [{ $min: /l }, none] }', { l: [] }, 'none'],
    ['{ $default: [{ $avg: /l, scale: 1, round: half-even }, 0] }', { l: [1, 1.5, 1.25] }, 1.2],
    ['{ $default: [{ $pick: /l, at: -1 }, none] }', { l: [1, 2] }, 2],
    ['{ $default: [{ $pick: /l, at: 5 }, none] }', { l: [1, 2] }, 'none'],
    ['{ $merge: [/a, { b: 2 }] }', { a: { b: 1, c: 3 } }, { b: 2, c: 3 }],
    [
      '{ $entries: /o }',
      { o: { '10': 1, a: 2, '9': 3 } },
      [
        { key: '10', value: 1 },
        { key: '9', value: 3 },
        { key: 'a', value: 2 },
      ],
    ],
    ['{ $dateAdd: /d, months: 1 }', { d: '2025-01-31' }, '2025-02-28'],
    ['{ $dateAdd: /d, years: -1, days: 1 }', { d: '2024-02-29T10:00:00.5Z' }, '2023-03-01T10:00:00.5Z'],
    ['{ $dateDiff: [/a, /b], unit: years }', { a: '2000-02-29', b: '2025-02-28' }, 25],
    ['{ $dateDiff: [/a, /b], unit: days }', { a: '2025-03-01', b: '2025-02-01' }, -28],
    ['{ $dateDiff: [/a, /b], unit: hours }', { a: '2025-03-30T00:00:00+01:00', b: '2025-03-30T12:00:00+02:00' }, 11],
    ['{ $$ref: 1, $$$x: 2 }', {}, { $ref: 1, $$x: 2 }],
    ['{ $const: { $ref: /a, "n": 1.5 } }', {}, { $ref: '/a', n: 1.5 }],
    ['/a~1b/~0/0', { 'a/b': { '~': ['found'] } }, 'found'],
  ]
  for (const [value, input, output] of cases) {
    test(`give ${JSON.stringify(output)} for ${value}`, () => expect(outputOf(value, input)).toEqual(output))
  }

  test('do not read what an object inherits', () => {
    expect(outputOf('{ $default: [/constructor, /__proto__, /toString/name, own] }', {})).toBe('own')
    expect(outputOf('{ $exists: /list/length }', { list: [1] })).toBe(false)
  })

  test('leave the branch that is not taken alone', () => {
    expect(
      outputOf('{ $if: { $is: [/n, "=", 0] }, then: 0, else: { $calc: "1 / n", n: /n, scale: 2, round: up } }', {
        n: 0,
      }),
    ).toBe(0)
    expect(outputOf('{ $all: [false, /nothing] }', {})).toBe(false)
    expect(outputOf('{ $any: [true, /nothing] }', {})).toBe(true)
  })

  test('keep a number that no double holds as text', () => {
    expect(outputOf('{ $calc: "a + b", a: /a, b: /b }', { a: 9007199254740991, b: 0.5 })).toBe('9007199254740991.5')
    expect(outputOf('0.10', {})).toBe(0.1)
    expect(outputOf('12345678901234567890', {})).toBe('12345678901234567890')
  })
})

describe('faults', () => {
  /** Value, input, code, and a part of the message that names the place in the input. */
  const cases: [string, JsonValue, string, string][] = [
    ['{ $require: /plate, code: PLATE_MISSING }', {}, 'required.plate_missing', '/plate'],
    ['{ $calc: "1 / n", n: /n, scale: 2, round: up }', { n: 0 }, 'division_by_zero', '1 / n'],
    ['{ $lookup: t, key: /k }', { k: 'x' }, 'no_row', '"x"'],
    ['{ $match: /k, a: 1 }', { k: 'b' }, 'no_row', '"b"'],
    ['{ $each: /l, as: x, do: { $case: $x/name, to: upper } }', { l: [{ name: 'a' }, {}] }, 'missing', '/l/1/name'],
    [
      '{ $each: /l, as: x, do: { $case: $x/name, to: upper } }',
      { l: [{ name: 'a' }, { name: 5 }] },
      'type',
      '/l/1/name is a number',
    ],
    ['{ $sum: /l }', { l: [1, '2'] }, 'type', '/l/1'],
    ['{ $sum: /l }', { l: 5 }, 'type', '/l is a number'],
    [
      '{ $group: /l, as: x, by: $x/k, do: { $sum: $items, as: i, of: $i/v } }',
      { l: [{ k: 1, v: 'a' }] },
      'type',
      '/l/*/v',
    ],
    ['{ $dateAdd: /d, days: 1 }', { d: '2025-02-29' }, 'type', '/d is text'],
    ['{ $dateAdd: /d, years: 9000 }', { d: '2025-02-28' }, 'fuel', 'years'],
    ['{ $each: /l, as: x, sort: { by: $x } }', { l: [1, 'a'] }, 'type', 'order'],
    ['/a/b', {}, 'missing', '/a/b'],
  ]
  for (const [value, input, code, named] of cases) {
    test(`end a run with ${code} for ${value}`, () => {
      const transformer = compile(sourceOf(value, 'tables: { t: { a: 1 } }\n'))
      const fault = faultOf(transformer, input)
      expect(fault.code).toBe(code)
      expect(fault.message).toContain(named)
      expect(fault.path).toStartWith('/output')
      expect(fault.line).toBe(4)
      expect(faultOf(transformer, input, { lineage: true })).toEqual(fault)
    })
  }

  test('end a run whose array is longer than the contract said with fuel', () => {
    const contract = {
      type: 'object',
      required: ['l'],
      properties: { l: { type: 'array', maxItems: 3, items: { type: 'number' } } },
    }
    const transformer = compile(sourceOf('{ $sum: /l }'), { contract })
    expect(evaluate(transformer, { l: [1, 2, 3] }).output).toBe(6)
    expect(faultOf(transformer, { l: [1, 2, 3, 4, 5, 6, 7] }).code).toBe('fuel')
  })

  test('refuse params that are lacking, unknown or of another type', () => {
    const transformer = compile(sourceOf('$day', 'params: { day: date }\n'))
    expect(evaluate(transformer, {}, { params: { day: '2025-01-01' } }).output).toBe('2025-01-01')
    expect(faultOf(transformer, {}).code).toBe('param')
    expect(faultOf(transformer, {}, { params: { day: '2025-13-01' } }).path).toBe('/params/day')
    expect(faultOf(transformer, {}, { params: { day: '2025-01-01', dya: 1 } }).hint).toBe('Did you mean day?')
    // What is unknown comes first, since the name may be what is lacking.
    expect(evaluateTransformer(transformer, {}, { params: { dya: 1 } })).toMatchObject({
      findings: [{ path: '/params/dya' }, { path: '/params/day' }],
    })
  })

  test.each([
    ['string', ['', 'x'], [1, true, null, ['x']]],
    ['boolean', [true, false], ['true', 0, null]],
    ['decimal', [0, -1.5], ['1.5x', true, null, {}]],
    ['date', ['2024-02-29'], ['2025-02-29', '2025-01-01T00:00:00Z', 20250101]],
    ['datetime', ['2025-01-01T10:00:00Z', '2025-01-01T10:00:00+02:00'], ['2025-01-01', '10:00', 1]],
  ] as const)('take params of the type %s, which are never missing, and refuse all others', (type, good, bad) => {
    const transformer = compile(sourceOf('{ v: $p, w: { $concat: [[$p], [$p]] } }', `params: { p: ${type} }\n`))
    expect(transformer.params).toEqual({ p: type })
    for (const value of good)
      expect(evaluate(transformer, {}, { params: { p: value } }).output).toMatchObject({ v: value })
    for (const value of bad) {
      const fault = faultOf(transformer, {}, { params: { p: value as JsonValue } })
      expect([value, fault.code, fault.path]).toEqual([value, 'param', '/params/p'])
    }
  })
})

describe('lineage', () => {
  test('names for every leaf the inputs and source lines that made it', () => {
    const { lineage } = evaluate(compile(invoiceSource), invoiceInput(2), { lineage: true })
    expect(lineage).toContainEqual({
      output: '/rows/1/amount',
      // That there is no discount decides the amount too.
      inputs: ['/lines/1/qty', '/lines/1/unitPrice', '/lines/1/discountPercent'],
      lines: [9, 18],
    })
    expect(lineage).toContainEqual({ output: '/vat/0/rate', inputs: ['/lines/0/taxRate'], lines: [8, 13, 15] })
    expect(lineage?.find((entry) => entry.output === '/rows/0/text')?.inputs).toEqual(['/lines/0/description'])
  })

  test('follows values through sorting, joining, merging and parts taken whole', () => {
    const source = sourceOf(
      'last: { $pick: { $each: /l, as: x, sort: { by: $x/k } }, at: -1 }\nall: { $join: { $each: /l, as: x, do: $x/v }, with: "-" }\nwhole: { $merge: [/o, { own: 1 }] }\nn: { $count: /l }',
    )
      .replace('{ $pick: { $each', '{ $default: [{ $pick: { $each')
      .replace('at: -1 }', 'at: -1 }, none] }')
    const input = {
      l: [
        { k: 2, v: 'b' },
        { k: 1, v: 'a' },
      ],
      o: { deep: { x: 1 } },
    }
    const { lineage, readsSeen } = evaluate(compile(source), input, { lineage: true })
    const inputs = Object.fromEntries((lineage ?? []).map((entry) => [entry.output, entry.inputs]))
    expect(inputs['/last/v']).toEqual(['/l/0/v'])
    expect(inputs['/all']).toEqual(['/l/0/v', '/l/1/v'])
    expect(inputs['/whole/deep/x']).toEqual(['/o/deep/x'])
    expect(inputs['/whole/own']).toEqual([])
    expect(inputs['/n']).toEqual(['/l'])
    expect(readsSeen).toContain('/l')
    expect(readsSeen).toContain('/l/1/k')
  })
})

describe('JSON as source', () => {
  test('compiles to the same transformer as YAML', () => {
    const source = '{"transform": "declarative-v1",\n "output": {"a": ["/x", 1.50, true, null, "t\\u00e9"]}}'
    const compiled = compileTransformer(source, 'json')
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
    expect(evaluate(compiled.value, { x: 1 }).output).toEqual({ a: [1, 1.5, true, null, 'té'] })
    const fault = evaluateTransformer(compiled.value, {})
    expect(fault.findings[0]).toMatchObject({ code: 'missing', path: '/output/a/0', line: 2, column: 19 })
  })

  test('is refused where JSON is, with the place', () => {
    expect(compileTransformer('{"transform": }', 'json').findings[0]).toMatchObject({ code: 'json.syntax', line: 1 })
    expect(compileTransformer('{"a": 1, "a": 2}', 'json').findings[0]?.code).toBe('json.duplicate-key')
  })
})

test('items are sorted as dictionaries have them where a locale is named, literal or read', () => {
  const input = { tag: 'sv', names: ['öl', 'zebra', 'ål', 'Bo', 'ana'] }
  const sorted = (locale: string) =>
    outputOf(`{ $each: /names, as: n, sort: { by: $n, ${locale}descending: false } }`, input)
  expect(sorted('locale: de, ')).toEqual(['ål', 'ana', 'Bo', 'öl', 'zebra'])
  expect(sorted('locale: /tag, ')).toEqual(['ana', 'Bo', 'zebra', 'ål', 'öl'])
  expect(sorted('')).toEqual(['Bo', 'ana', 'zebra', 'ål', 'öl'])
})
