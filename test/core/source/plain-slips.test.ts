import { expect, test } from 'bun:test'
import { plainSlip } from '../../../src/core/source/plain-slips.ts'
import { readTree } from '../../../src/core/source/read.ts'
import type { ScalarNode } from '../../../src/core/source/tree.ts'
import { compileTransformer } from '../../../src/engines/declarative/declarative.ts'
import { compileModel } from '../../../src/modules/drafts/conditions.service.ts'

const remedies = { alias: '', anchor: '', merge: '', deep: '', long: '', empty: '' }

/** The scalar as one reader and as the other finds it: a tab in a comment makes the first give up. */
function scalarsOf(written: string, format: 'yaml' | 'json' = 'yaml'): ScalarNode[] {
  const texts = format === 'json' ? [`{"a": ${written}}`] : [`a: ${written}\nb: 1\n`, `a: ${written}\nb: 1 #\t\n`]
  return texts.map((text) => {
    const tree = readTree(text, format, remedies)
    const node = tree.ok && tree.value.kind === 'map' ? tree.value.entries[0]?.value : undefined
    if (node?.kind !== 'scalar') throw new Error(`no scalar: ${written}`)
    return node
  })
}

const text = (written: string, meant: string) => [
  `${written} is the text "${written}", and not ${meant}.`,
  `Write ${meant}, or put the text in quotes: "${written}".`,
]
const noNumber = (written: string, meant: string) => [
  `${written} is text, and no number.`,
  `Write ${meant}, or put the text in quotes: "${written}".`,
]
const odd = (written: string) => [
  `${written} is read as a number, and written in another way.`,
  `Quote it if it is a code: "${written}".`,
]

test.each<[string, string[]]>([
  ...['yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((one): [string, string[]] => [one, text(one, 'true')]),
  ...['no', 'No', 'NO', 'off', 'Off', 'OFF'].map((one): [string, string[]] => [one, text(one, 'false')]),
  ['1_000', noNumber('1_000', '1000')],
  ['-1_000_000.5', noNumber('-1_000_000.5', '-1000000.5')],
  ['0b101', noNumber('0b101', '5')],
  ['0xff_ff', noNumber('0xff_ff', '65535')],
  ['1,5', noNumber('1,5', '1.5')],
  ['-1.234.567,89', noNumber('-1.234.567,89', '-1234567.89')],
  ...['00123', '012', '0o17', '0x1F', '+49891234', '1e3', '12E5', '.5', '-.5', '7.'].map((one): [string, string[]] => [
    one,
    odd(one),
  ]),
  ['~', ['~ is null.', 'Write null, or "~" for the text.']],
  ['', ['Nothing is written here, which is null.', 'Write the value, or null.']],
])('%j without quotes is answered with what it is and what may be meant', (written, said) => {
  for (const scalar of scalarsOf(written)) {
    const slip = plainSlip(scalar)
    expect([slip?.message, slip?.hint] as unknown[]).toEqual(said)
  }
})

test.each([
  ...[
    '"yes"',
    "'no'",
    '"012"',
    '"~"',
    '""',
    '|\n  yes',
    'true',
    'False',
    'null',
    'Null',
    '0',
    '-0.50',
    '12',
    '1.5',
    '10.00',
  ],
  ...[
    '12:30',
    '1:30:00',
    '2026-01-31',
    '2026-01-31T10:00:00Z',
    'y',
    'N',
    'yes, please',
    'Norway',
    'nos',
    '1, 5',
    '1.2.3',
    '12,345,678',
  ],
])('%j reads one way only', (written) => {
  for (const scalar of scalarsOf(written)) expect(plainSlip(scalar)).toBeUndefined()
})

test('values of JSON read one way only', () => {
  for (const written of ['"yes"', '"1_000"', '1e3', '-0.5e-2', 'null', '""']) {
    for (const scalar of scalarsOf(written, 'json')) expect(plainSlip(scalar)).toBeUndefined()
  }
})

test('a transformer warns of them in its output, arguments and tables; its keys are texts', () => {
  const source = [
    'transform: declarative-v1',
    'tables:',
    '  country: { no: Norway, de: no }',
    'output:',
    '  yes: { $lookup: country, key: /c, else: off }',
    '  list: [on, "on", 1_000]',
    '  note:',
    '',
  ].join('\n')
  const { ok, findings } = compileTransformer(source, 'yaml')
  expect(ok).toBe(true)
  expect(findings.map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`)).toEqual([
    'warning boolean 3:30',
    'warning boolean 5:43',
    'warning boolean 6:10',
    'warning number 6:20',
    'warning null 7:8',
  ])
})

test('a test of a transformer that is a word for true or false is answered with the value', () => {
  const { findings } = compileTransformer(
    'transform: declarative-v1\noutput: { a: { $if: yes, then: 1, else: 2 } }\n',
    'yaml',
  )
  expect(findings.filter(({ severity }) => severity === 'error').map(({ hint }) => hint)).toEqual([
    'Write true, or put the text in quotes: "yes".',
  ])
})

test('an ingestion model warns of them in conditions, at any depth, and nowhere else', () => {
  const node = (key: string, rest: string) => `{ key: ${key}, label: no, transformer: t${rest} }`
  const when = ', when: { $all: [{ $is: [/paid, "=", yes] }, { $is: [/kind, "=", "no"] }] }'
  const source = `model: ingestion-model-v1\ncontract: { name: P, version: 1 }\nnodes:\n  - ${node('a', `, children: [${node('b', when)}]`)}\n`
  const model = compileModel({ source, format: 'yaml' })
  expect(model.ok).toBe(true)
  expect(model.findings).toEqual([
    {
      code: 'ingestion.plain',
      severity: 'warning',
      path: '/nodes/0/children/0/when/$all/0/$is/2',
      message: 'yes is the text "yes", and not true.',
      hint: 'Write true, or put the text in quotes: "yes".',
      line: 4,
      column: (source.split('\n')[3] ?? '').indexOf('yes]') + 1,
    },
  ])
})
