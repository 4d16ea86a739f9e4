import { describe, expect, test } from 'bun:test'
import { checkAgainstContract } from '../../src/commands/check-template.ts'
import { compileTransformer } from '../../src/engines/declarative/declarative.ts'
import { compiled, p, wordPackage } from '../engines/docx/word-package.ts'

const text = { type: 'string' }
const contract = {
  type: 'object',
  required: [
    'total',
    'day',
    'at',
    'flag',
    'kind',
    'name',
    'lines',
    'digits',
    'amount',
    'other',
    'days',
    'eight',
    'nine',
    'mixed',
    'both',
    'part',
    'due',
  ],
  properties: {
    total: { type: 'number' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    flag: { type: 'boolean' },
    kind: { enum: ['annual', 'monthly'] },
    other: { enum: ['weekly'] },
    digits: { enum: ['1', '2.50'] },
    name: text,
    days: { enum: ['2026-01-01', 'never'] },
    due: { enum: ['2026-01-01'] },
    eight: { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] },
    nine: { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] },
    mixed: { type: ['number', 'boolean'] },
    both: { anyOf: [{ type: 'string' }, {}] },
    part: { enum: ['annual', 'weekly'] },
    amount: { type: ['number', 'null'] },
    maybe: { type: 'integer' },
    anything: {},
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['price', 'on'],
        properties: { price: { type: 'number' }, on: { type: 'boolean' } },
      },
    },
  },
}

/** The errors that the contract has about a template, without their places. */
function said(...paragraphs: string[]): string[] {
  const body = paragraphs.map((one) => p(one.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))).join('')
  const { bindings } = compiled(wordPackage(body))
  const findings = checkAgainstContract(bindings, contract)
  for (const { severity } of findings) expect(severity).toBe('error')
  return findings.map(({ message, hint }) => `${message} ${hint}`)
}
const when = (condition: string) => said(`{{#if ${condition}}}x{{#end}}`)

test('what the contract lacks is an error, unless a default is for a value that it will have later', () => {
  const found = (...paragraphs: string[]) => {
    const { bindings } = compiled(wordPackage(paragraphs.map((one) => p(one)).join('')))
    return checkAgainstContract(bindings, contract).map(({ severity, message }) => `${severity}: ${message}`)
  }
  const gone = 'The contract has no /gone.'
  expect(found('{{/gone}}')).toEqual([`error: ${gone}`])
  expect(found('{{/gone | default "x"}}')).toEqual([`warning: ${gone}`])
  expect(found('{{#if /gone = "a"}}x{{#end}}')).toEqual([`error: ${gone}`])
  // An error is told once for a pointer, and a warning before it hides none.
  expect(found('{{/gone}}', '{{/gone}}', '{{/gone | default "x"}}')).toEqual([`error: ${gone}`])
  expect(found('{{/gone | default "x"}}', '{{/gone}}')).toEqual([`warning: ${gone}`, `error: ${gone}`])
})

describe('a contract rules out', () => {
  test.each<[string, string]>([
    [
      '{{/total | date "d"}}',
      'The tag writes a date; /total is a number. Remove | date, or point to a date such as 2026-01-31.',
    ],
    [
      '{{/flag | date "d"}}',
      'The tag writes a date; /flag is a boolean. Remove | date, or point to a date such as 2026-01-31.',
    ],
    ['{{/day | number "0"}}', 'The tag writes a number; /day is a date. Remove | number, or point to a number.'],
    [
      '{{/kind | number "0"}}',
      'The tag writes a number; /kind is one of annual, monthly. Remove | number, or point to a number.',
    ],
    [
      '{{/day | date "d.M.yyyy HH:mm"}}',
      'The tag writes a time of day; /day is a date. Use d, M, y and E only in the pattern, or point to a date with time.',
    ],
    [
      '{{/kind | date "d"}}',
      'The tag writes a date; /kind is one of annual, monthly. Remove | date, or point to a date such as 2026-01-31.',
    ],
    [
      '{{/kind | date "HH"}}',
      'The tag writes a time of day; /kind is one of annual, monthly. Use d, M, y and E only in the pattern, or point to a date with time.',
    ],
    [
      '{{#each /lines}}{{./price | date "d"}}{{#end}}',
      'The tag writes a date; /lines/*/price is a number. Remove | date, or point to a date such as 2026-01-31.',
    ],
    [
      '{{/lines | upper}}',
      'The tag wants a single value at /lines; the contract has something else there. Point to a member of it, or loop with #each.',
    ],
  ])('%s', (tag, message) => {
    expect(said(tag)).toEqual([message])
  })

  test.each<[string, string]>([
    ['/kind = "anual"', 'The tag compares with "anual"; /kind is one of annual, monthly. Did you mean annual?'],
    ['/kind != "x"', 'The tag compares with "x"; /kind is one of annual, monthly. Known here: annual, monthly.'],
    [
      '/kind in ["annual", "dayly"]',
      'The tag compares with "dayly"; /kind is one of annual, monthly. Known here: annual, monthly.',
    ],
    ['"x" = /kind', 'The tag compares with "x"; /kind is one of annual, monthly. Known here: annual, monthly.'],
    [
      '/flag = "true"',
      'The tag compares with "true"; /flag is a boolean. Write /flag or not /flag, or compare with true or false, without quotes.',
    ],
    ['/total = true', 'The tag compares with true; /total is a number. Write a number, such as 1000.5.'],
    ['/total > "many"', 'The tag compares with "many"; /total is a number. Write a number, such as 1000.5.'],
    ['/day > 2026', 'The tag compares with 2026; /day is a date. Write the date in quotes, as "2026-01-31".'],
    [
      '/day = "1.1.2026"',
      'The tag compares with "1.1.2026"; /day is a date. Write the date in quotes, as "2026-01-31".',
    ],
    [
      '/at = "2026-01-31"',
      'The tag compares with "2026-01-31"; /at is a date with time. Write the date and time in quotes, as "2026-01-31T09:30:00Z".',
    ],
    ['/name = true', 'The tag compares with true; /name is text. Put the text in quotes, as "annual".'],
    [
      '/flag > true',
      'The tag compares with true; /flag is a boolean. Write /flag or not /flag, or compare with true or false, without quotes.',
    ],
    [
      '/total = /flag',
      'The tag compares with /flag, which is a boolean; /total is a number. Compare values of one type: numbers, texts, dates or flags.',
    ],
    [
      '/kind = /other',
      'The tag compares with /other, which is one of weekly; /kind is one of annual, monthly. Compare values of one type: numbers, texts, dates or flags.',
    ],
    [
      '/eight = "zz"',
      'The tag compares with "zz"; /eight is one of a, b, c, d, e, f, g, h. Known here: a, b, c, d, e, f, g, h.',
    ],
    [
      '/nine = "zz"',
      'The tag compares with "zz"; /nine is one of a, b, c, d, e, f, g, h, …. Known here: a, b, c, d, e, f, g, h, i.',
    ],
    [
      '/mixed = "x"',
      'The tag compares with "x"; /mixed is a number or a boolean. Write /flag or not /flag, or compare with true or false, without quotes.',
    ],
    ...['/name = /flag', '/kind > /total', '/kind < /day', '/days > /total', '/flag < /flag'].map(
      (condition): [string, string] => {
        const [, left = '', right = ''] = /^(\S+) . (\S+)$/.exec(condition) ?? []
        const is: Record<string, string> = {
          '/name': 'text',
          '/flag': 'a boolean',
          '/kind': 'one of annual, monthly',
          '/total': 'a number',
          '/day': 'a date',
          '/days': 'one of 2026-01-01, never',
        }
        const hint = 'Compare values of one type: numbers, texts, dates or flags.'
        return [condition, `The tag compares with ${right}, which is ${is[right]}; ${left} is ${is[left]}. ${hint}`]
      },
    ),
    ['/digits = 3', 'The tag compares with 3; /digits is one of 1, 2.50. Did you mean 1?'],
    ['/kidn = "annual"', 'The contract has no /kidn. Did you mean kind?'],
    ['not /flga', 'The contract has no /flga. Did you mean flag?'],
    [
      '/lines is empty and /total > 3 or /kind/x',
      'The contract has no /kind/x. Declare it in the contract, or point to what the contract has.',
    ],
  ])('the condition %s', (condition, message) => {
    expect(when(condition)).toEqual([message])
  })

  test('each use of one value at its own place', () => {
    const body =
      p('{{/kind}}{{#if /kind = "x"}}x{{#end}}') + p('{{#if /kind = "y"}}x{{#end}}{{#if /kind = "x"}}x{{#end}}')
    const { bindings } = compiled(wordPackage(body))
    expect(checkAgainstContract(bindings, contract).map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ['docx.unfit', 'error', 'word/document.xml#1:9'],
      ['docx.unfit', 'error', 'word/document.xml#2:0'],
    ])
  })
})

test('a contract takes every use that can be right', () => {
  for (const tag of [
    '{{/name | number "0"}}{{/name | date "d"}}{{/digits | number "0.00"}}{{/anything | date "HH:mm"}}',
    '{{/at | date "d.M.yyyy HH:mm"}}{{/day | date "d.M."}}{{/total | number "0"}}{{/maybe | number "0" | default "–"}}',
    '{{/days | date "d"}}{{/days | date "HH:mm"}}{{/both | number "0"}}{{/due | date "d"}}{{/due | date "HH"}}',
    '{{#each /lines}}{{./price | number "0"}}{{#if ./on}}{{@index}}{{#end}}{{#end}}',
  ]) {
    expect(said(tag)).toEqual([])
  }
  for (const condition of [
    '/kind = "annual" or /kind in ["annual", "monthly"]',
    '/kind < "b" and /digits = 2.5 and /digits > 3 and /digits = "1.0"',
    '/total > 3 and /total = "3.0" and /name = 3 and /name > "a"',
    '/day >= "2026-01-31" and /day = "2026-01-31" and /at > "2026-01-31" and /at = "2026-01-31T00:00:00Z"',
    '/day < /at and /day = /name and /total = /amount and /total > /name',
    '/flag = true and /flag != false and /amount = null and /maybe = null and /total != null',
    '/mixed = 3 and /mixed = true and /days > /day and /kind = /part and /name = /kind and /kind > /name',
    '/total = /digits and /name > /day and /anything > /total and /total = /anything and /flag = /mixed and /both = 3',
    '/anything = "x" and /anything > 3 and /anything = /flag and @index > 3',
  ]) {
    const body = p(
      `{{#each /lines}}{{#if ${condition.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}}}x{{#end}}{{#end}}`,
    )
    const findings = checkAgainstContract(compiled(wordPackage(body)).bindings, contract)
    expect([condition, findings]).toEqual([condition, []])
  }
})

describe('a transformer', () => {
  const found = (tag: string, output: string) => {
    const { bindings } = compiled(wordPackage(p(tag)))
    const source = `transform: declarative-v1\noutput:\n${output}\n`
    return compileTransformer(source, 'yaml', { contract, bindings }).findings.map(
      ({ code, severity, message, hint, line }) => [`${severity} ${code} ${line}`, `${message} ${hint ?? ''}`.trim()],
    )
  }

  test('is refused if it writes what its template can not use', () => {
    expect(found('{{/sum | date "d"}}', '  sum: /total')).toEqual([
      [
        'error type 3',
        'The template (word/document.xml, paragraph 1) writes a date; /sum is written as a number. Remove | date, or point to a date such as 2026-01-31.',
      ],
    ])
    expect(found('{{#if /kind = "anual"}}x{{#end}}', '  kind: /kind')).toEqual([
      [
        'error type 3',
        'The template (word/document.xml, paragraph 1) compares with "anual"; /kind is written as one of annual, monthly. Did you mean annual?',
      ],
    ])
  })

  test('is refused if a condition of its template asks for what it never writes', () => {
    expect(found('{{#if /knid = "annual"}}x{{#end}}{{/kind}}', '  kind: /kind')).toEqual([
      [
        'error unbound_binding 3',
        'The template wants /knid (word/document.xml, paragraph 1); nothing writes it. Did you mean kind?',
      ],
    ])
    expect(
      found('{{#if /kind}}x{{#end}}{{/gone | default "–"}}', '  kind: { $omit: { $if: /flag, then: a } }'),
    ).toEqual([])
  })
})
