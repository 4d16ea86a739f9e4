/** Slips of those who know another language. */

import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { choiceMeant, ownArgument, ownForm } from '../../../src/engines/declarative/foreign.ts'
import { operators } from '../../../src/engines/declarative/operators/table.ts'
import { codesOf, findingsOf, outputOf, sourceOf } from './compile.ts'

const hintOf = (value: string) => findingsOf(sourceOf(value)).find(({ code }) => code === 'unknown_operator')?.hint

describe('an operator of another language', () => {
  test.each([
    ['$map', 'Loop with { $each: /list, as: item, do: … }.'],
    ['$filter', 'Leave items out with { $each: /list, as: item, where: … }.'],
    ['$reduce', 'Carry a value with { $fold: /list, as: item, into: total, from: 0, do: … }.'],
    ['$abs', 'Calculate it: { $calc: "abs(a)", … }.'],
    ['$sortBy', 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.'],
    ['$order_by', 'Sort with { $each: /list, as: item, sort: { by: $item/name } }.'],
    ['$toUpper', 'Use { $case: …, to: upper }.'],
    ['$strip', 'Use $trim.'],
    ['$now', 'A transformer has no clock: declare a param of type date, and hand the date in.'],
    ['$gte', 'Compare with { $is: [left, ">=", right] }.'],
    ['$dateToString', 'Use { $format: …, date: "d MMMM yyyy" }.'],
    ['$mapp', undefined],
  ])('%s is answered with the form that it has here', (name, hint) => {
    if (hint === undefined) expect(ownForm(name)).toBeUndefined()
    else expect(hintOf(`{ ${name}: /a }`)).toBe(hint)
  })

  test('is never one that is here, and its answer names only what is', () => {
    for (const name of operators.keys()) expect([name, ownForm(name)]).toEqual([name, undefined])
    const source = Bun.file(new URL('../../../src/engines/declarative/foreign.ts', import.meta.url)).text()
    return source.then((text) => {
      const named = [...text.matchAll(/\$[a-z][A-Za-z]+/g)].map(([name]) => name)
      const free = new Set(['$item', '$name'])
      for (const name of new Set(named)) if (!free.has(name)) expect([name, operators.has(name)]).toEqual([name, true])
      expect(named.length).toBeGreaterThan(80)
    })
  })

  test('has a sentence for an answer, whichever word it is', async () => {
    const source = await Bun.file(new URL('../../../src/engines/declarative/foreign.ts', import.meta.url)).text()
    const table = source.slice(source.indexOf('answers:'), source.indexOf('/** What to write instead'))
    const words = [...table.matchAll(/[{, ](\w+): (?:['"]|[a-z]\w*[,(])/g)].map(([, word = '']) => word)
    expect(words.length).toBeGreaterThan(120)
    for (const word of words) {
      if (ownForm(word) !== undefined)
        expect([word, ownForm(word)]).toEqual([word, expect.stringMatching(/^[A-Z].{6,}\.$/)])
    }
    for (const word of [
      'unique',
      'uniq',
      'foreach',
      'groupby',
      'head',
      'len',
      'round',
      'eq',
      'tostring',
      'today',
      'uuid',
    ]) {
      expect(words).toContain(word)
    }
  })

  test('otherwise gets the nearest name, or how to write such a key', () => {
    expect(hintOf('{ $grup: /a }')).toBe('Did you mean $group?')
    expect(hintOf('{ $nothingLikeThat: /a }')).toStartWith('For a key that starts with $')
  })
})

describe('an argument as other languages call it', () => {
  const known = [...operators.values()].flatMap(({ args }) => Object.keys(args))
  const meant = (word: string, names: readonly string[] = [...known, 'descending', 'sort']) =>
    ownArgument('$each', word, names)

  test.each([
    ['where', 'filter'],
    ['where or then', 'if'],
    ['do', 'select map return'],
    ['then', 'yes true'],
    ['else', 'no false default otherwise'],
    ['with', 'separator sep to replacement'],
    ['on or with', 'delimiter'],
    ['on', 'by'],
    ['from', 'start begin init initial'],
    ['to', 'end'],
    ['to or count', 'length'],
    ['count', 'limit'],
    ['find', 'from search'],
    ['number or date', 'pattern format'],
    ['as or unit', 'type'],
    ['as', 'item var name'],
    ['scale', 'decimals precision places digits'],
    ['locale', 'lang language'],
    ['sort', 'orderBy sortBy'],
    ['of', 'value'],
    ['of or by', 'field'],
  ])('is answered with %s: %s', (own, words) => {
    for (const word of words.split(' ')) expect(meant(word)).toBe(`Write ${own} instead of ${word}.`)
  })

  test('of an order is answered with the flag and its value', () => {
    for (const word of ['order', 'direction', 'desc'])
      expect(meant(word)).toBe(`Write descending instead of ${word}: descending: true.`)
  })

  test('names only what the operator has, and is nothing where it has none of them', () => {
    expect(meant('if', ['as', 'where'])).toBe('Write where instead of if.')
    expect(meant('delimiter', ['with'])).toBe('Write with instead of delimiter.')
    expect(meant('if', ['as'])).toBeUndefined()
    for (const word of ['nothing', 'constructor', '']) expect(meant(word)).toBeUndefined()
    expect(ownArgument('$match', 'default', ['else'])).toBe('Write else instead of default for all other cases.')
  })

  test('is reported with the finding', () => {
    const found = findingsOf(sourceOf('{ $each: /list, as: item, filter: true, do: 1 }'))
    expect(found.map(({ hint }) => hint)).toContain('Write where instead of filter.')
  })
})

test('a choice as other languages call it is answered with the one that is here, where the argument takes it', () => {
  const own = ['decimal', 'boolean', 'datetime', 'upper', 'lower', 'title', 'start', 'end', 'half-up', 'half-even']
  const words = {
    decimal: 'number int integer float Integer',
    boolean: 'bool',
    datetime: 'timestamp date-time',
    ...{ upper: 'uppercase UpperCase', lower: 'lowercase', title: 'capitalize titlecase' },
    ...{ start: 'left', end: 'right', 'half-up': 'halfup', 'half-even': 'bankers' },
  }
  for (const [choice, others] of Object.entries(words)) {
    for (const other of others.split(' ')) {
      expect([other, choiceMeant(other, own)]).toEqual([other, `Write ${choice}.`])
      expect([other, choiceMeant(other, [])]).toEqual([other, undefined])
    }
  }
  for (const other of ['nothing', 'constructor']) expect(choiceMeant(other, own)).toBeUndefined()
})

test('an operator on texts is answered with its fellow for arrays', () => {
  const hints = ['{ $slice: [a], from: 0 }', '{ $length: [a] }', '{ $contains: [a], find: a }', '{ $trim: [a] }'].map(
    (value) => findingsOf(sourceOf(value)).map(({ code, hint }) => [code, hint]),
  )
  expect(hints).toEqual([
    [['type', 'For a part of an array use $take.']],
    [['type', 'For the number of items use $count.']],
    [['type', 'For an array use { $is: [value, in, array] }.']],
    [['type', undefined]],
  ])
})

describe('a word where a path was meant', () => {
  const contract = { type: 'object', properties: { name: { type: 'string' } } }
  const warnings = (value: string, before = '') =>
    findingsOf(sourceOf(value, before), { contract }).map(({ code, severity, path, hint }) => [
      code,
      severity,
      path,
      hint,
    ])

  test('is warned of if there is such a value', () => {
    expect(warnings('{ name: name }')).toEqual([
      ['forgotten_slash', 'warning', '/output/name', 'Write /name to read it.'],
    ])
    expect(warnings('{ total: total }', 'let: { total: 1 }\n')).toEqual([
      ['forgotten_slash', 'warning', '/output/total', 'Write $total to read it.'],
    ])
    expect(codesOf(sourceOf('{ name: name }'))).toEqual(['forgotten_slash'])
  })

  test('is warned of in the slots of a text too', () => {
    expect(warnings('{ $text: "Dear {name}", name: name }')).toEqual([
      ['forgotten_slash', 'warning', '/output/name', 'Write /name to read it.'],
    ])
  })

  const order = {
    type: 'object',
    required: ['no', 'lines'],
    properties: {
      no: { type: 'string' },
      to: { type: 'object', properties: { city: { type: 'string' } } },
      lines: { type: 'array', items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } },
    },
  }
  const hints = (value: string, contract?: JsonValue) =>
    findingsOf(sourceOf(value), contract === undefined ? {} : { contract })
      .filter(({ code }) => code === 'forgotten_slash')
      .map(({ hint }) => hint)

  const person = {
    type: 'object',
    required: ['name', 'born', 'qty', 'kind', 'member', 'lines', 'agent'],
    properties: {
      name: { type: 'string' },
      nickname: { type: 'string' },
      born: { type: 'string', format: 'date' },
      qty: { type: 'number' },
      kind: { enum: ['home', 'car'] },
      member: { type: 'boolean' },
      lines: { type: 'array', maxItems: 9, items: { type: 'object' } },
      agent: { type: 'object', required: ['phone'], properties: { phone: { type: 'string' } } },
    },
  }
  const warned = (value: string, before = '') =>
    findingsOf(sourceOf(value, before), { contract: person }).map(({ code, severity, path, hint }) => [
      code,
      severity,
      path,
      hint,
    ])

  test('is warned of in the branches of a choice, where each word names a value', () => {
    const both = ['/output/then', '/output/else']
    const places = (value: string) =>
      warned(value).flatMap(([code, , path]) => (code === 'forgotten_slash' ? [path] : []))
    expect(warned('{ $if: /member, then: name, else: "/name" }')).toEqual([
      ['forgotten_slash', 'warning', '/output/then', 'Write /name to read it, or { $const: name } for the word.'],
    ])
    expect(places('{ $if: /member, then: name, else: born }')).toEqual(both)
    expect(places('{ $default: [/nickname, name] }')).toEqual(['/output/$default/1'])
    expect(places('{ $each: /lines, as: line, do: { $if: /member, then: qty } }')).toEqual(['/output/do/then'])
    for (const value of [
      '{ $if: /member, then: member, else: name }',
      '{ $if: /member, then: name, else: none }',
      '{ $if: /member, then: { $const: name }, else: /name }',
      '{ $if: /member, then: kind, else: 5 }',
      '{ $if: /member, then: lines }',
    ])
      expect([value, places(value)]).toEqual([value, []])
  })

  test('is warned of in the midst of a text, where such a path is there', () => {
    expect(warned('{ $text: "Dear /name" }')).toEqual([
      ['forgotten_slash', 'warning', '/output/$text', 'Write { $text: "Dear {name}", name: /name }.'],
    ])
    expect(warned('{ a: "Call /agent/phone, please" }')).toEqual([
      ['forgotten_slash', 'warning', '/output/a', 'Write { $text: "Call {phone}, please", phone: /agent/phone }.'],
    ])
    expect(warned('{ $text: "($total)" }', 'let: { total: /qty }\n').map(([code]) => code)).toContain('forgotten_slash')
    for (const text of ['km/h and/or', 'see /etc/name', 'http://a/name', '5 / name', 'a $name', '//name'])
      expect([text, warned(`{ $text: ${JSON.stringify(text)} }`)]).toEqual([text, []])
    expect(codesOf(sourceOf('{ $text: "Dear /name" }'))).toEqual([])
  })

  test.each([
    ['./no', 'Write /no to read it.'],
    ['to/city', 'Write /to/city to read it.'],
    ['to.city', 'Write /to/city to read it.'],
    ['{{/to/city}}', 'Write /to/city to read it.'],
    ['{{ no }}', 'Write /no to read it.'],
    ['Order {no} of today', 'Write { $text: "… {x} …", x: /no }.'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what other languages write
    ['Order ${no}', 'Write { $text: "… {x} …", x: /no }.'],
  ])('is warned of in the form of a template or another language: %s', (text, hint) => {
    expect(hints(`{ a: ${JSON.stringify(text)} }`, order)).toEqual([hint])
    expect(hints(`[${JSON.stringify(text)}]`, order)).toEqual([hint])
  })

  test.each([
    ['line.sku', 'Write $line/sku to read it.'],
    ['line/sku', 'Write $line/sku to read it.'],
  ])('is warned of for a variable: %s', (text, hint) => {
    expect(hints(`{ $each: /lines, as: line, do: { a: ${text} } }`, order)).toEqual([hint])
  })

  test('is no path if nothing of that name is known', () => {
    for (const text of ['a/b', 'to/nowhere', 'no', '{other}', 'and/or', 'e.g.', 'see no.', './']) {
      expect([text, hints(`{ a: ${JSON.stringify(text)} }`, order)]).toEqual([text, []])
    }
    expect(hints('{ a: to/city, b: "{{/no}}" }')).toEqual([])
    expect(hints('{ a: { $const: "{{/no}}" } }', order)).toEqual([])
    const loop = '{ $each: /lines, as: n, do: { $plural: 2, one: "{n} line", other: "{n} lines" } }'
    expect(hints(loop, order)).toEqual([])
  })

  test.each([
    ['/to.city', 'Write /to/city: a slash leads to a member, and to an item by its number from 0.'],
    ['/to[0]', 'Write /to/0: a slash leads to a member, and to an item by its number from 0.'],
    ['/to/x.y', 'Write /to/x/y: a slash leads to a member, and to an item by its number from 0.'],
    ['/lines.length', 'Count the items with { $count: /list }.'],
    ['/to/*', 'Loop with { $each: /list, as: item, do: $item/name }.'],
    ['/to/no==1', 'Compare with { $is: [/to/no, "=", 1] }.'],
    ['/to/a * b', 'Calculate with { $calc: "a * b", a: /first, b: /second }.'],
    ['/to//city', 'Write one slash before each name, and none at the end.'],
    ['/to/city/', 'Write one slash before each name, and none at the end.'],
    ['/lines/sku', 'Loop over it: { $each: /lines, as: item, do: $item/sku }, or take one item with $pick.'],
    ['/to/cty', 'Did you mean city?'],
  ])('is answered, in a path that leads nowhere, before a name like it: %s', (path, hint) => {
    const found = findingsOf(sourceOf(JSON.stringify(path)), { contract: order })
    expect(found.map((one) => [one.code, one.hint])).toEqual([['unknown_path', hint]])
  })

  test('is nothing to speak of elsewhere', () => {
    for (const value of [
      '{ kind: kind }',
      '{ name: /name }',
      '{ name: { $const: Name } }',
      '{ name: other }',
      '[name]',
    ]) {
      expect(warnings(value).filter(([code]) => code === 'forgotten_slash')).toEqual([])
    }
    expect(outputOf('{ name: name }', { name: 'x' })).toEqual({ name: 'name' })
  })
})
