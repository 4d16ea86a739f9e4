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
  ['/na\u00adme', 'unknown_path', 'It holds the unseen character U+00AD: type name anew.'],
  [
    '{ $each: /lines, as: l, do: /net }',
    'unknown_path',
    'Write $l/net: a path that begins with / starts at the input.',
  ],
  ['{ $sum: /lines/net }', 'unknown_path', 'Write { $sum: /lines, as: item, of: $item/net }.'],
  ['{ $each: /lines, as: l, do: $l.net }', 'unknown_name', 'Write $l/net: a slash leads to a member.'],
  ['{ $each: /lines, as: l, do: "$l[0]" }', 'unknown_name', 'Write $l/name: a slash leads to a member.'],
  ['{ $sum: tags }', 'type', 'Write /tags to read it.'],
  ['{ $count: my.tags }', 'type', 'Write /my/tags to read it.'],
  ['{ $take: /tags, count: "3" }', 'type', 'Write 3 without quotes.'],
  ['{ $match: /name, cases: { a: 1 }, else: 3 }', 'foreign_case', 'Write the values themselves as keys'],
  ['{ $match: /name, when: 1, else: 3 }', 'foreign_case', 'Write the values themselves as keys'],
  ['{ $words: /qty, locale: fr, currency: GBP }', 'argument', 'Leave currency out.'],
  ['{ $format: /qty, number: "0", locale: /kind }', 'unknown_locale'],
  ['{ $calc: "/qty * 2" }', 'calc', 'Names of a formula are slots: { $calc: "a * 1.19", a: /total }.'],
  ['{ $calc: "$a * 2", a: /qty }', 'calc', 'Names of a formula are slots: { $calc: "a * 1.19", a: /total }.'],
  ['{ $calc: "a ** 2", a: /qty }', 'calc', 'Write ^ for a power: a ^ 2.'],
  ['{ $calc: "a % 2", a: /qty }', 'calc', 'Write mod(a, b) for a remainder, and / 100 for percent.'],
  ['{ $calc: "1,5 * a", a: /qty }', 'calc', 'Write a point in numbers: 1.19.'],
  ['{ $calc: "ceil(a)", a: /qty }', 'calc', 'Round with scale: 2, round: half-up beside $calc.'],
  ['{ $replace: /name, pattern: "(a)", with: "$1" }', 'literal_group', 'Write {1} for a group, {0} for the match.'],
  ['{ $replace: /name, pattern: "(a)", with: "$&" }', 'literal_group', 'Write {0} for the match.'],
  ['{ $replace: /name, pattern: "(a)", with: "$0" }', 'literal_group', 'Write {0} for the match.'],
  ['{ $is: [/name, ">", 1.3.2026] }', 'odd_date', 'Write dates as 2026-03-01'],
  ['{ $is: [01/03/2026, "<=", /name] }', 'odd_date', 'Write dates as 2026-03-01'],
  ['{ $text: "{{name}}", name: /name }', 'slot', 'Write {name}: {{ and }} print braces.'],
  ['{ $text: "x", name: /name }', 'slot', 'Remove it, or write {name} in the text.'],
  ['{ $replace: /name, with: x }', 'argument', 'For example find: "-".'],
  ['{ $replace: /name, find: a, pattern: b, with: x }', 'argument', 'For example find: "-".'],
  ['"/qty * 2"', 'unknown_path', 'Calculate with { $calc: "a * b", a: /first, b: /second }.'],
  ['{ $plural: /qty, ordinal: maybe, one: x, other: x }', 'argument'],
]

/** What looks like one of the mistakes above, and is none. */
const fine = [
  '{ $match: /name, default: 1, x: 2, else: 3 }',
  '{ $match: /name, cases: 1, else: 3 }',
  '{ $replace: /name, find: a, with: "$1" }',
  '{ $replace: /name, pattern: a, with: "{0} $x" }',
  '{ $is: [/name, "=", 1.3.2026] }',
  '{ $words: /qty, locale: de, currency: CHF }',
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
      expect(finding?.message).toMatch(/^.{10,}\.$/)
      if (hint !== undefined) expect(`${finding?.hint}`).toContain(hint)
    })
  }

  test.each(fine)('reports nothing for %s', (value) => {
    expect(findingsOf(sourceOf(value), { contract })).toEqual([])
  })

  test('warns of a name with a mark that nobody sees, where nothing is known of the data', () => {
    const [finding, ...others] = findingsOf(sourceOf('[/na\u00adme, /name]'))
    expect(finding).toMatchObject({ code: 'odd_name', severity: 'warning', path: '/output/0' })
    expect(finding?.message).toContain('holds the unseen character U+00AD')
    expect(others).toEqual([])
  })

  test('names the first case for the rest that other languages have, and that else is missing', () => {
    const found = findingsOf(sourceOf('{ $match: /name, default: 1, x: 2 }'), { contract })
    expect(found.map(({ code, hint }) => [code, hint])).toEqual([
      ['foreign_case', 'Write else for all other cases.'],
      ['not_exhaustive', 'Add else.'],
    ])
  })

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

  test('checks the other arguments where one is missing, but not what needs its variable', () => {
    const found = (value: string) => findingsOf(sourceOf(value), { contract }).map(({ code, path }) => [code, path])
    expect(found('{ $words: /nmae }')).toEqual([
      ['missing_argument', '/output'],
      ['unknown_path', '/output/$words'],
    ])
    expect(found('{ $if: /member, else: /nmae }')).toEqual([
      ['missing_argument', '/output'],
      ['unknown_path', '/output/else'],
    ])
    expect(found('{ $each: /lines, do: $l/net }')).toEqual([['missing_argument', '/output']])
  })

  test('says how a value may be absent, and which operators are too many', () => {
    const absent = { type: 'object', properties: { a: { type: 'string' }, b: { type: ['string', 'null'] } } }
    const messageOf = (value: string) => findingsOf(sourceOf(value), { contract: absent })[0]?.message
    expect(messageOf('{ $case: /a, to: upper }')).toBe('/a may be missing.')
    expect(messageOf('{ $case: /b, to: upper }')).toBe('/b may be missing or null.')
    expect(messageOf('{ $case: { $default: [/b, null] }, to: upper }')).toBe('$default may be null.')
    expect(messageOf('{ $sum: 1, $count: 2, x: 3 }')).toBe('There is more than one operator here: $sum, $count.')
  })

  test('gives errors and warnings in the order of the source', () => {
    const source = sourceOf('a: { $default: [/name, x] }\nb: /nmae\nc: { $default: [/name, x] }\nd: /nmae')
    expect(findingsOf(source, { contract }).map(({ severity, path }) => [severity, path])).toEqual([
      ['warning', '/output/a/$default/0'],
      ['error', '/output/b'],
      ['warning', '/output/c/$default/0'],
      ['error', '/output/d'],
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

  test('finds a lookup in one of several tables, when one of them lacks the value', () => {
    const found = (home: string, car: string) =>
      codesOf(sourceOf('{ $lookup: /kind, key: /kind }', `tables: { home: ${home}, car: ${car} }\n`), { contract })
    const [one, both] = ['{ home: 1 }', '{ home: 1, car: 2 }']
    expect([found(both, both), found(one, both), found(both, one)]).toEqual([
      [],
      ['not_exhaustive'],
      ['not_exhaustive'],
    ])
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

  test('report a use that the value can not be meant for, each use once', () => {
    const as = (use: Binding['use']) => ({ ...binding('/name', 'scalar'), ...(use === undefined ? {} : { use }) })
    const [number, date] = [as({ as: 'number' }), as({ as: 'equal', values: [true] })]
    const rows = { ...binding('/rows/*/net', 'scalar'), use: { as: 'date' as const } }
    const errors = findingsOf(source, { contract, bindings: [number, date, date, rows, rows] }).filter(
      ({ severity }) => severity === 'error',
    )
    const place = 'The template (word/document.xml, paragraph 4)'
    expect(errors.map(({ code, path, message }) => [code, path, message])).toEqual([
      ['type', '/output/name', `${place} compares with true; /name is written as text.`],
      ['type', '/output/rows/do/net', `${place} writes a date; /rows/*/net is written as a number.`],
    ])
    expect(errors.map(({ hint }) => hint)).toEqual([
      'Put the text in quotes, as "annual".',
      'Remove | date, or point to a date such as 2026-01-31.',
    ])
  })

  test('have for every shape the values that fit it, and a finding at the value for any other', () => {
    const written = {
      text: 'x',
      list: '[{ a: 1 }]',
      object: '{ a: 1 }',
      either: '{ $if: /member, then: [1], else: { a: 1 } }',
      mixed: '{ $if: /member, then: [1], else: x }',
      given: '/given',
      absent: '{ $omit: /nickname }',
    }
    const open = structuredClone(contract) as { properties: { [name: string]: JsonValue }; required: string[] }
    open.properties.given = true
    open.required.push('given')
    const members = Object.entries(written).map(([name, value]) => `${name}: ${value}`)
    const found = (shape: Binding['shape'], changes: Partial<Binding> = {}) =>
      Object.keys(written).filter((name) => {
        const bindings = [{ ...binding(`/${name}`, shape), ...changes }]
        const context = { contract: open as unknown as JsonValue, bindings }
        const errors = findingsOf(sourceOf(members.join('\n')), context).filter(({ severity }) => severity === 'error')
        for (const { path } of errors) expect(path).toBe(`/output/${name}`)
        return errors.length > 0
      })
    for (const shape of ['scalar', 'image', 'rich'] as const) {
      expect([shape, found(shape)]).toEqual([shape, ['list', 'object', 'either', 'mixed', 'absent']])
      expect([shape, found(shape, { required: false })]).toEqual([shape, ['list', 'object', 'either', 'mixed']])
    }
    expect(found('list')).toEqual(['text', 'absent'])
    expect(found('list', { required: false })).toEqual(['text', 'absent'])
    expect(found('object')).toEqual(['text', 'list', 'mixed', 'absent'])
    expect(found('flag')).toEqual(['absent'])
    expect(found('flag', { required: false })).toEqual([])
  })

  test('are refused for a condition on what nothing writes, and not for a default', () => {
    const asked = (use: Binding['use']) => {
      const bindings = [{ ...binding('/nobody', 'scalar', false), ...(use === undefined ? {} : { use }) }]
      return findingsOf(source, { contract, bindings }).filter(({ severity }) => severity === 'error')
    }
    expect(asked(undefined)).toEqual([])
    expect(asked({ as: 'number' })).toEqual([])
    for (const as of ['test', 'equal', 'order'] as const) {
      expect(asked({ as })).toMatchObject([{ code: 'unbound_binding', path: '/output' }])
    }
  })

  test('leave the members of an item unused for a condition or #with, and use all of them for any other tag', () => {
    const unused = (...bindings: Binding[]) =>
      findingsOf(source, { contract, bindings }).flatMap(({ code, path }) => (code === 'unused_output' ? [path] : []))
    const others = [binding('/name', 'scalar'), binding('/phone', 'scalar', false), binding('/unused', 'rich')]
    const inside = ['/output/rows/do/net', '/output/rows/do/spare']
    expect(unused(...others)).toEqual(['/output/rows'])
    expect(unused(...others, binding('/rows', 'list'))).toEqual([])
    expect(unused(...others, binding('/rows/*', 'flag'))).toEqual(inside)
    expect(unused(...others, binding('/rows/*', 'object'))).toEqual(inside)
    expect(unused(...others, binding('/rows/*', 'rich'))).toEqual([])
    expect(unused(...others, binding('/*/deep', 'scalar'))).toEqual([])
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
