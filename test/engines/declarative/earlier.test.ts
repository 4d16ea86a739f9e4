import { expect, test } from 'bun:test'
import type { Reading } from '../../../src/core/reading.ts'
import { compileTransformer } from '../../../src/engines/declarative/declarative.ts'

/** What is told of a source's output that was frozen under earlier rules. */
function told(output: string, reading: Reading, contract?: object): string[] {
  const source = `transform: declarative-v1\noutput:\n  x: ${output}\n`
  const compiled = compileTransformer(source, 'yaml', {
    reading,
    ...(contract === undefined ? {} : { contract }),
  } as never)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  expect(compiled.findings.filter(({ code }) => code === 'earlier_reading')).toEqual([...compiled.value.earlier])
  return compiled.value.earlier.map(({ severity, path, line, message }) => `${severity} ${path} ${line} ${message}`)
}

const day = '{ $format: /d, date: "EEE d. MMM", locale: de }'

test('a transformer of earlier rules is reported where today’s write another form of a locale, with both forms', () => {
  expect(told(day, 5)).toEqual([
    'warning /output/x 3 This version writes “Do 1. Jan.” where today’s rules write “Do. 1. Jan.”.',
  ])
  expect(told(day, 6)).toEqual([])
  expect(told('{ $format: /d, date: "EEE d. MMM", locale: en }', 5)).toEqual([])
  expect(told('{ $format: /n, number: "#,##0.00", locale: de-CH }', 5)).toEqual([
    "warning /output/x 3 This version writes “1’234.50” where today’s rules write “1'234.50”.",
  ])
  expect(told('{ $format: /n, currency: CAD, locale: en-CA }', 5)[0]).toContain(
    '“CA$1,234.50” where today’s rules write “$1,234.50”',
  )
  expect(told('{ $join: /l, list: and, locale: es }', 5)[0]).toContain(
    '“padres y hijos” where today’s rules write “padres e hijos”',
  )
  expect(told('{ $plural: /n, locale: de-CH, one: "{n} Tag", other: "{n} Tage" }', 5)).toHaveLength(1)
  expect(told('{ $plural: /n, locale: de-CH, one: Tag, other: Tage }', 5)).toEqual([])
})

test('a locale or currency that is data is reported where one of its possible values differs', () => {
  const dynamic = '{ $format: /n, number: "#,##0.00", locale: /l }'
  const contract = (...tags: string[]) => ({
    type: 'object',
    required: ['n', 'l'],
    properties: { n: { type: 'number' }, l: { type: 'string', enum: tags } },
  })
  expect(told(dynamic, 5, contract('de', 'fr'))).toEqual([])
  expect(told(dynamic, 5, contract('de', 'it'))).toHaveLength(1)
  expect(told(dynamic, 5)).toHaveLength(1)
  expect(told('{ $format: /n, currency: /c, locale: de }', 5)).toHaveLength(1)
})

test('what today’s rules refuse, and signs before zeros, are reported too', () => {
  expect(told('{ $format: /d, date: dd/mm/yyyy }', 1)[0]).toContain(
    'Today this would be refused: The date pattern "dd/mm/yyyy"',
  )
  expect(told('{ $take: /l, count: -1 }', 5)[0]).toContain('Today this would be refused')
  expect(told('{ $pad: /t, to: 4, with: "0" }', 5)).toEqual([
    'warning /output/x 3 This version writes “00-7” where today’s rules write “-007”.',
  ])
  expect(told('{ $pad: /t, to: 4, with: "0", side: end }', 5)).toEqual([])
  expect(told('{ $pad: /t, to: 4 }', 5)).toEqual([])
})
