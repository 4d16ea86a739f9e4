import { describe, expect, test } from 'bun:test'
import type { Binding } from '../../../src/core/binding.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { compileTransformer, evaluateTransformer } from '../../../src/engines/declarative/declarative.ts'
import { codesOf, compile, findingsOf, sourceOf } from './compile.ts'
import { letterContract, letterSource } from './examples.ts'

const contract: JsonValue = {
  type: 'object',
  required: ['name', 'kind', 'qty', 'born', 'lines', 'tags', 'member'],
  properties: {
    name: { type: 'string' },
    nickname: { type: 'string' },
    note: { type: ['string', 'null'] },
    kind: { enum: ['home', 'car'] },
    qty: { type: 'integer' },
    born: { type: 'string', format: 'date' },
    member: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    lines: {
      type: 'array',
      maxItems: 100,
      items: { type: 'object', required: ['net'], properties: { net: { type: 'number' }, text: { type: 'string' } } },
    },
    agent: { type: 'object', required: ['phone'], properties: { phone: { type: 'string' } } },
    matrix: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
  },
}

/** The value under output, the code expected, and a word of its hint. */
const cases: [value: string, code: string, hint?: string][] = [
  ['{ $sum: /lines, $count: /lines }', 'one_operator'],
  ['{ $summ: /lines }', 'unknown_operator', '$sum'],
  ['{ $count: /lines, of: 1 }', 'unknown_argument'],
  ['{ $each: /lines, do: 1 }', 'missing_argument', 'as'],
  ['{ $case: /name, to: uper }', 'argument', 'upper'],
  ['/naem', 'unknown_path', 'name'],
  ['/lines/0/nett', 'unknown_path', 'net'],
  ['/lines/net', 'unknown_path', '$each'],
  ['/a~2b', 'pointer'],
  ['$nobody', 'unknown_name'],
  ['{ $each: /lines, as: line, do: $lien/net }', 'unknown_name', '$line'],
  ['$5.00', 'unknown_name', '$const'],
  ['{ $lookup: titles, key: /name }', 'unknown_table'],
  ['{ $format: /qty, number: "0", locale: xx }', 'unknown_locale'],
  ['{ $format: /qty, number: "0", locale: de-XX }', 'unknown_locale', 'de'],
  ['{ $format: /qty, number: "0", locale: en-UK }', 'unknown_locale', 'en-GB'],
  ['{ $sum: /tags }', 'type', '$parse'],
  ['{ $dateAdd: /name, days: 1 }', 'type', '$parse'],
  ['{ $text: "{m}", m: /member }', 'type'],
  ['{ $is: [/name, "<", /qty] }', 'type'],
  ['{ $is: [/born, "<", soon] }', 'type', 'YYYY'],
  ['{ $if: /name, then: 1, else: 2 }', 'type'],
  ['/nickname', 'may_be_missing', '$default'],
  ['/agent/phone', 'may_be_missing'],
  ['{ $case: /note, to: upper }', 'may_be_missing'],
  ['{ $parse: /name, as: decimal }', 'may_be_missing'],
  ['{ $is: [/nickname, "=", x] }', 'may_be_missing'],
  ['{ $is: [x, in, [/nickname]] }', 'may_be_missing'],
  ['{ $is: [/note, "<", x] }', 'may_be_missing'],
  ['{ $max: /lines, as: l, of: $l/net }', 'may_be_missing'],
  ['{ $pick: /tags, at: 0 }', 'may_be_missing'],
  ['{ $omit: /nickname }', 'may_be_missing'],
  ['{ $default: [/name, x] }', 'never_missing'],
  ['{ $omit: /name }', 'never_missing'],
  ['{ $require: /name, code: NAME }', 'never_missing'],
  ['{ $is: [/kind, "=", hoem] }', 'never_true', 'home'],
  ['{ $is: [/kind, in, [boat, plane]] }', 'never_true'],
  ['{ $match: /kind, home: 1, car: 2, caar: 3 }', 'never_true', 'car'],
  ['{ $match: /kind, home: 1 }', 'not_exhaustive'],
  ['{ $match: /name, home: 1 }', 'not_exhaustive', 'else'],
  ['{ $match: /member, true: 1 }', 'not_exhaustive'],
  ['{ $calc: "a +", a: /qty }', 'calc'],
  ['{ $calc: "a b", a: /qty, b: /qty }', 'calc'],
  ['{ $calc: "a / 2", a: /qty }', 'rounding', 'scale'],
  ['{ $calc: "a * 2", a: /qty, scale: 2 }', 'rounding'],
  ['{ $default: [{ $avg: /lines, as: l, of: $l/net }, 0] }', 'rounding'],
  ['{ $text: "{who}", whom: /name }', 'slot'],
  ['{ $text: "{", who: /name }', 'slot'],
  ['{ $calc: "a + b", a: /qty }', 'slot'],
  ['{ $format: /qty, number: "#,##0,00" }', 'pattern'],
  ['{ $format: /qty, number: "0,00" }', 'pattern'],
  ['{ $format: /born, date: "d. MMMMM" }', 'pattern'],
  ['{ $format: /born, date: "d HH:mm" }', 'pattern', 'd, M'],
  ['{ $each: /matrix, as: m, do: { $sum: $m } }', 'may_be_missing'],
]

describe('checking', () => {
  for (const [value, code, hint] of cases) {
    test(`reports ${code}, and nothing else, for ${value}`, () => {
      const findings = findingsOf(sourceOf(value), { contract })
      const codes = new Set(findings.map((finding) => finding.code))
      expect([...codes]).toEqual([code])
      const [finding] = findings
      expect(finding?.code).toMatch(/^[a-z][a-z0-9_.:-]{0,63}$/)
      expect(finding?.path).toStartWith('/output')
      expect(finding?.line).toBe(3)
      if (hint !== undefined) expect(`${finding?.hint}`).toContain(hint)
    })
  }

  test('reports a cost over the budget, which maxItems brings down', () => {
    const source = sourceOf('{ $each: { $default: [/matrix, []] }, as: m, do: { $sum: $m } }')
    expect(codesOf(source, { contract })).toEqual(['cost'])
    const bounded = structuredClone(contract) as { properties: { matrix: { maxItems?: number } } }
    bounded.properties.matrix.maxItems = 50
    expect(codesOf(source, { contract: bounded as unknown as JsonValue })).toEqual([])
  })

  test('names the line, the column and the pointer of a fault', () => {
    const [finding] = findingsOf(sourceOf('a: 1\nb: { c: [/name, /nmae] }'), { contract })
    expect(finding).toMatchObject({ code: 'unknown_path', path: '/output/b/c/1', line: 4, column: 19 })
    expect(finding?.hint).toBe('Did you mean name?')
  })

  test('gives all findings at once and none that only follows from another', () => {
    const source = sourceOf(
      'sum: { $calc: "a * b", a: $total, b: $total }\nname: { $case: $first, to: upper }\nqty: /qtty\nnick: /nickname',
      'let:\n  total: { $sum: /liness }\n  first: { $nope: /name }\n',
    )
    expect(codesOf(source, { contract })).toEqual([
      'unknown_path',
      'unknown_operator',
      'unknown_path',
      'may_be_missing',
    ])
  })

  test('refuses a wrong top level', () => {
    expect(codesOf('transform: declarative-v2\noutput: 1')).toEqual(['transform'])
    expect(codesOf('output: 1')).toEqual(['transform'])
    expect(codesOf('- 1')).toEqual(['transform'])
    expect(codesOf('transform: declarative-v1')).toEqual(['missing_argument'])
    expect(codesOf('transform: declarative-v1\nparam: {}\noutput: 1')).toEqual(['unknown_key'])
    expect(codesOf('transform: declarative-v1\nparams: { d: dat }\noutput: 1')).toEqual(['argument'])
    expect(codesOf('transform: declarative-v1\ncontract: policy\noutput: 1')).toEqual(['argument'])
    expect(codesOf('transform: declarative-v1\ntables: { t: { a: [1] } }\noutput: 1')).toEqual(['type'])
  })

  test('does not refuse a source for its warnings', () => {
    const compiled = compileTransformer(sourceOf('{ $default: [/name, x] }'), 'yaml', { contract })
    expect(compiled.ok).toBe(true)
    expect(compiled.findings.map((finding) => finding.severity)).toEqual(['warning'])
  })

  test('knows that a value is present where a test with $exists says so, and only there', () => {
    expect(codesOf(sourceOf('{ $if: { $exists: /nickname }, then: /nickname, else: /name }'), { contract })).toEqual([])
    expect(codesOf(sourceOf('{ $if: { $exists: /agent }, then: /agent/phone, else: none }'), { contract })).toEqual([])
    expect(
      codesOf(sourceOf('{ $if: { $not: { $exists: /nickname } }, then: /name, else: /nickname }'), { contract }),
    ).toEqual([])
    const where =
      '{ $each: /lines, as: l, where: { $all: [{ $exists: $l/text }, { $is: [$l/text, "!=", x] }] }, do: $l/text }'
    expect(codesOf(sourceOf(where), { contract })).toEqual([])
    expect(codesOf(sourceOf('{ $if: { $exists: /nickname }, then: 1, else: /nickname }'), { contract })).toEqual([
      'may_be_missing',
    ])
    expect(
      codesOf(sourceOf('{ $if: { $any: [{ $exists: /nickname }, /member] }, then: /nickname, else: 1 }'), { contract }),
    ).toEqual(['may_be_missing'])
  })

  test('finds a lookup whose table lacks a value of the enumeration', () => {
    const tables = 'tables: { t: { home: 1 } }\n'
    expect(codesOf(sourceOf('{ $lookup: t, key: /kind }', tables), { contract })).toEqual(['not_exhaustive'])
    expect(codesOf(sourceOf('{ $lookup: t, key: /kind, else: 0 }', tables), { contract })).toEqual([])
  })

  test('types the same source dynamically when no contract is given', () => {
    expect(compileTransformer(letterSource, 'yaml').ok).toBe(true)
    expect(compileTransformer(letterSource, 'yaml', { contract: letterContract }).ok).toBe(true)
    expect(codesOf(letterSource.replace('/policy/number', '/policy/nummer'))).toEqual([])
    expect(codesOf(letterSource.replace('/policy/number', '/policy/nummer'), { contract: letterContract })).toEqual([
      'unknown_path',
    ])
  })

  test('lists what a transformer reads and what it writes, with types', () => {
    const transformer = compile(letterSource, { contract: letterContract })
    expect(transformer.contract).toEqual({ name: 'policy-letter', version: 3 })
    expect(transformer.params).toEqual({ letterDate: 'date' })
    expect(transformer.reads).toContain('/policyholder/preferredName')
    expect(transformer.reads).not.toContain('/policyholder')
    expect(transformer.writes).toContainEqual({ pointer: '/agentPhone', type: 'string?' })
    expect(transformer.writes).toContainEqual({ pointer: '/urgent', type: 'boolean' })
  })
})

function binding(pointer: string, shape: Binding['shape'], required = true): Binding {
  return { pointer, shape, required, part: 'word/document.xml', paragraph: 4, position: 0 }
}

describe('outputs against a template', () => {
  const source = sourceOf(
    'name: /name\nphone: { $omit: /nickname }\nunused: { deep: 1 }\nrows: { $each: /lines, as: l, do: { net: $l/net, spare: 1 } }',
  )

  test('get no finding when everything wanted is written and everything written is wanted', () => {
    const bindings = [
      binding('/name', 'scalar'),
      binding('/phone', 'scalar', false),
      binding('/unused/deep', 'flag'),
      binding('/rows', 'list'),
      binding('/rows/*/net', 'scalar'),
      binding('/rows/*/spare', 'scalar'),
    ]
    expect(findingsOf(source, { contract, bindings })).toEqual([])
  })

  test('report what the template wants and nothing writes, with the nearest name', () => {
    const bindings = [binding('/nmae', 'scalar'), binding('/nmae', 'scalar'), binding('/rows/*/nett', 'scalar')]
    const errors = findingsOf(source, { contract, bindings }).filter((finding) => finding.severity === 'error')
    expect(errors.map((finding) => finding.code)).toEqual(['unbound_binding', 'unbound_binding'])
    expect(errors[0]?.hint).toBe('Did you mean name?')
    expect(errors[0]?.message).toContain('paragraph 4')
    expect(errors[1]?.hint).toBe('Did you mean net?')
  })

  test('report a required value that may be left out, and a wrong shape', () => {
    const bindings = [binding('/phone', 'scalar'), binding('/rows', 'scalar'), binding('/name', 'list')]
    const errors = findingsOf(source, { contract, bindings }).filter((finding) => finding.severity === 'error')
    expect(errors.map((finding) => [finding.code, finding.path])).toEqual([
      ['unbound_binding', '/output/phone'],
      ['type', '/output/rows'],
      ['type', '/output/name'],
    ])
  })

  test('warn once, at the top, of what nothing uses', () => {
    const bindings = [binding('/name', 'scalar'), binding('/phone', 'scalar', false), binding('/rows/*/net', 'scalar')]
    const findings = findingsOf(source, { contract, bindings })
    expect(findings.map((finding) => [finding.code, finding.severity, finding.path])).toEqual([
      ['unused_output', 'warning', '/output/unused'],
      ['unused_output', 'warning', '/output/rows/do/spare'],
    ])
  })
})

test('versions of the first rules take an unknown region for its language', () => {
  const format = (tag: string) => sourceOf(`{ $format: 1234567, number: "#,##0", locale: ${tag} }`)
  const printed = (tag: string, reading: Reading) => {
    const evaluated = evaluateTransformer(compile(format(tag), { reading }), {})
    return evaluated.ok ? evaluated.value.output : evaluated.findings
  }
  expect([printed('en-IN', 1), printed('en-IN', 2)]).toEqual(['1,234,567', '12,34,567'])
  expect(printed('de-XX', 1)).toBe('1.234.567')
  expect(codesOf(format('de-XX'))).toEqual(['unknown_locale'])
  const fromData = compile(sourceOf('{ $format: 1, number: "0", locale: /tag }'), { reading: 1 })
  expect(evaluateTransformer(fromData, { tag: 'de-XX' }).ok).toBe(true)
  const today = compile(sourceOf('{ $format: 1, number: "0", locale: /tag }'))
  expect(evaluateTransformer(today, { tag: 'de-XX' }).findings[0]?.message).toContain('There is no locale "de-XX"')
})

test('amounts in letters keep no space under the first rules', () => {
  const source = sourceOf('{ $format: 5, currency: CHF }')
  const printed = ([1, 2] as const).map((reading) => {
    const evaluated = evaluateTransformer(compile(source, { reading }), {})
    return evaluated.ok ? evaluated.value.output : evaluated.findings
  })
  expect(printed).toEqual(['CHF5.00', 'CHF\u00a05.00'])
})
