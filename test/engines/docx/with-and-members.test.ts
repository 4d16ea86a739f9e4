import { describe, expect, test } from 'bun:test'
import { checkAgainstContract } from '../../../src/commands/check-template.ts'
import { writerOf } from '../../../src/console/views/template/bound.ts'
import { boundValue } from '../../../src/core/binding.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileTransformer } from '../../../src/engines/declarative/declarative.ts'
import { compileTemplate, composeTemplate, watchTemplate } from '../../../src/engines/docx/docx.ts'
import { compileCodes, compiled, composeCodes, composedLines, p, tbl, tr, wordPackage } from './word-package.ts'

const data = {
  title: 'T',
  customer: { name: 'Ann', address: { city: 'Bonn', title: 'A' }, none: null },
  lines: [{ item: { name: 'x' } }, { item: { name: 'y' } }],
  rates: { zone10: { price: 3 }, zone2: { price: 2 }, Base: { price: 1 } },
  empty: {},
}

const messages = (body: string, of: JsonValue = data) => {
  const composed = composeTemplate(compiled(wordPackage(body)), of)
  return composed.ok ? [] : composed.findings.map(({ code, message }) => `${code} ${message}`)
}

describe('#with', () => {
  test('makes an object the place that relative pointers lead from', () => {
    const body = p(
      '{{#with /customer}}{{./name}} {{#with ./address}}{{./city}} {{../name}} {{../../title}}{{#end}}{{#end}}',
    )
    expect(composedLines(body, data)).toEqual(['Ann Bonn Ann T'])
  })

  test('takes paragraphs and rows as other blocks do', () => {
    const paragraphs = p('a') + p('{{#with /customer}}') + p('{{./name}}') + p('{{#end}}') + p('b')
    expect(composedLines(paragraphs, data)).toEqual(['a', 'Ann', 'b'])
    const rows = tbl(tr('{{#with /customer}}', ''), tr('{{./name}}', '{{../title}}'), tr('{{#end}}', ''))
    expect(composedLines(rows, data)).toEqual(['Ann', 'T'])
  })

  test('leaves the words of the loop around it', () => {
    const body = p('{{#each /lines}}{{#with ./item}}{{@index}}/{{@count}}{{./name}} {{#end}}{{#end}}')
    expect(composedLines(body, data)).toEqual(['1/2x 2/2y '])
    expect(compileCodes(wordPackage(p('{{#with /customer}}{{@index}}{{#end}}')))).toEqual([
      'docx.outside_loop word/document.xml#1:19',
    ])
  })

  test('needs its object, or says what comes in its place', () => {
    expect(messages(p('{{#with /customer/none}}x{{#end}}'))).toEqual([
      'docx.missing_value /customer/none is missing, and #with looks into it.',
    ])
    for (const path of ['/title', '/lines']) {
      expect(messages(p(`{{#with ${path}}}x{{#end}}`))).toEqual([
        `docx.not_an_object ${path} is not an object, and #with looks into it.`,
      ])
    }
    const orElse = p('{{#with /gone}}{{./x}}{{#else if /title = "T"}}title{{#else}}nothing{{#end}}')
    expect(composedLines(orElse, data)).toEqual(['title'])
    expect(composedLines(orElse, {})).toEqual(['nothing'])
    expect(composedLines(p('{{#with /empty}}there{{#else}}gone{{#end}}'), data)).toEqual(['there'])
    const vanishing = p('a') + p('{{#with /gone}}x{{#else if /no}}y{{#end}}') + p('b')
    expect(composedLines(vanishing, data)).toEqual(['a', 'b'])
    expect(composedLines(vanishing, { gone: {} })).toEqual(['a', 'x', 'b'])
  })

  test('names missing values by their whole pointer', () => {
    expect(messages(p('{{#with /customer}}{{#with ./address}}{{./zip}}{{#end}}{{#end}}'))).toEqual([
      'docx.missing_value /customer/address/zip is missing.',
    ])
  })

  test('binds the object and what is read of it', () => {
    const bindingsOf = (body: string) =>
      compiled(wordPackage(body)).bindings.map(({ pointer, shape, required }) => [pointer, shape, required])
    expect(bindingsOf(p('{{#with /a}}{{./b}}{{../c}}{{#end}}'))).toEqual([
      ['/a', 'object', true],
      ['/a/b', 'scalar', true],
      ['/c', 'scalar', true],
    ])
    expect(bindingsOf(p('{{#each /l}}{{#with ./a}}{{./b}}{{#else}}{{./c}}{{#end}}{{#end}}'))).toEqual([
      ['/l', 'list', true],
      ['/l/*/a', 'object', false],
      ['/l/*/a/b', 'scalar', false],
      ['/l/*/c', 'scalar', true],
    ])
  })

  test('is refused without a pointer, and with names', () => {
    const of = (tag: string) => {
      const template = compileTemplate(wordPackage(p(`${tag}x{{#end}}`)))
      return template.ok ? undefined : template.findings.map(({ code, hint }) => `${code} ${hint}`)
    }
    expect(of('{{#with customer}}')?.[0]).toStartWith('docx.bad_pointer ')
    expect(of('{{#with /a as b}}')?.[0]).toStartWith('docx.bad_option Write {{#with /a}}: the members are ./name')
  })
})

describe('a loop over an object', () => {
  const body = p('{{#each /rates}}{{@index}}/{{@count}} {{@name}}={{./price}}{{#if not @last}}, {{#end}}{{#end}}')

  test('takes its members by their names, whatever order the data has', () => {
    expect(composedLines(body, data)).toEqual(['1/3 Base=1, 2/3 zone10=3, 3/3 zone2=2'])
    const turned = { rates: Object.fromEntries(Object.entries(data.rates).reverse()) }
    expect(composedLines(body, turned)).toEqual(composedLines(body, data))
    expect(composedLines(p('{{#each /o}}{{@name}}{{.}} {{#end}}'), { o: { 10: 'a', 9: 'b', x: 'c' } })).toEqual([
      '10a 9b xc ',
    ])
  })

  test('may be over rows and paragraphs, and be empty', () => {
    expect(composedLines(tbl(tr('{{#each /rates}}{{@name}}', '{{./price}}{{#end}}')), data)).toEqual([
      'Base',
      '1',
      'zone10',
      '3',
      'zone2',
      '2',
    ])
    expect(composedLines(p('{{#each /empty}}x{{#else}}none{{#end}}'), data)).toEqual(['none'])
    expect(composedLines(p('a') + p('{{#each /empty}}x{{#end}}') + p('b'), data)).toEqual(['a', 'b'])
  })

  test('may compare the name, and name missing values by it', () => {
    expect(composedLines(p('{{#each /rates}}{{#if @name = "Base"}}{{./price}}{{#end}}{{#end}}'), data)).toEqual(['1'])
    expect(messages(p('{{#each /r}}{{./price}}{{#end}}'), { r: { 'a/b': {} } })).toEqual([
      'docx.missing_value /r/a~1b/price is missing.',
    ])
  })

  test('has no names where the data is a list', () => {
    expect(composeCodes(p('{{#each /lines}}{{@name}}{{#end}}'), data)).toEqual([
      'docx.missing_value word/document.xml#1:16',
      'docx.missing_value word/document.xml#1:16',
    ])
    expect(messages(p('{{#each /title}}x{{#end}}'))).toEqual([
      'docx.not_a_list /title is neither a list nor an object, and #each repeats over it.',
    ])
  })

  test('binds its members, which values are found at', () => {
    const { bindings } = compiled(wordPackage(body))
    expect(bindings.slice(0, 2).map(({ pointer, shape, use }) => [pointer, shape, use])).toEqual([
      ['/rates', 'list', { as: 'members' }],
      ['/rates/*/price', 'scalar', undefined],
    ])
    expect(boundValue(data, '/rates/*/price')).toEqual({ resolved: true, text: '1' })
    expect(boundValue({ rates: { a: {} } }, '/rates/*/price')).toEqual({ resolved: false })
    const write = (pointer: string) => ({ pointer, type: 'number', line: 1, column: 1 }) as never
    expect(writerOf('/rates/*/price', [write('/rates/a/price')])).toBeDefined()
    expect(writerOf('/rates/*/price', [write('/rates/a')])).toBeDefined()
    expect(writerOf('/rates/*/price', [write('/rates/a/name'), write('/other')])).toBeUndefined()
  })
})

describe('against a contract', () => {
  const number = { type: 'number' }
  const contract = {
    type: 'object',
    required: ['a', 'r', 'l', 't'],
    properties: {
      a: { type: 'object', required: ['b'], properties: { b: number, c: number }, additionalProperties: false },
      o: { type: 'object', required: ['b'], properties: { b: number }, additionalProperties: false },
      r: { type: 'object', additionalProperties: { type: 'object', required: ['p'], properties: { p: number } } },
      l: { type: 'array', items: number },
      t: { type: 'string' },
    },
  }
  const found = (body: string) =>
    checkAgainstContract(compiled(wordPackage(body)).bindings, contract).map(
      ({ code, message }) => `${code} ${message}`,
    )

  test('#with and loops over members are checked', () => {
    expect(
      found(p('{{#with /a}}{{./b}}{{#end}}{{#each /r}}{{@name}}{{./p}}{{#end}}{{#each /a}}{{.}}{{#end}}')),
    ).toEqual([])
    expect(found(p('{{#with /a}}{{./x}}{{#end}}'))).toEqual(['docx.unbound The contract has no /a/x.'])
    expect(found(p('{{#with /o}}{{./b}}{{#else}}–{{#end}}'))).toEqual([])
    expect(found(p('{{#with /o}}{{./b}}{{#end}}'))[0]).toBe(
      'docx.may_be_missing The contract lets /o be missing or null.',
    )
    expect(found(p('{{#with /t}}{{.}}{{#end}}'))[0]).toStartWith('docx.unfit The tag wants an object at /t')
    expect(found(p('{{#each /t}}{{.}}{{#end}}'))[0]).toStartWith('docx.unfit The tag wants a list or an object at /t')
    expect(found(p('{{#each /l}}{{@name}}{{#end}}'))[0]).toStartWith('docx.unfit The tag reads the names of members')
    expect(found(p('{{#each /r}}{{./q}}{{#end}}'))).toHaveLength(1)
  })

  test('what a transformer writes is checked, and used', () => {
    const check = (output: string, body: string) => {
      const { bindings } = compiled(wordPackage(body))
      return compileTransformer(`transform: declarative-v1\noutput: ${output}\n`, 'yaml', { bindings }).findings.map(
        ({ message }) => message,
      )
    }
    const rates = '{ r: { a: { p: 1 }, b: { p: 2 } } }'
    expect(check(rates, p('{{#each /r}}{{@name}} {{./p}}{{#end}}'))).toEqual([])
    expect(check(rates, p('{{#each /r}}{{./q}}{{#end}}'))[0]).toContain('/r/*/q')
    expect(check('{ r: { a: 1 } }', p('{{#with /r}}{{./a}}{{#end}}'))).toEqual([])
    expect(check('{ r: 1 }', p('{{#with /r}}{{./a}}{{#end}}'))[0]).toContain('an object at /r')
  })
})

test('data reaches #with when its object is there, and when it is missing', () => {
  const outcome = watchTemplate(wordPackage(p('{{#with /a}}{{./b}}{{#else}}none{{#end}}')))
  if (!outcome.ok) throw new Error('refused')
  const { coverage, compose } = outcome.value
  const missed = (of: JsonValue) => {
    compose(of)
    const reached = new Set(coverage.take())
    return coverage.points.flatMap(({ gap }, index) => (reached.has(index) ? [] : [gap]))
  }
  expect(missed({ a: { b: 1 } })).toEqual(['is never missing'])
  expect(missed({})).toEqual(['is never there', 'is never filled'])
})
