import { expect, test } from 'bun:test'
import { exitCodeOf, findingLines, findingsText } from '../../src/commands/findings.ts'
import { madeJson } from '../../src/commands/many.ts'
import type { Finding } from '../../src/core/finding.ts'

const error: Finding = { code: 'a.b', severity: 'error', message: 'It is wrong.' }
const warning: Finding = { ...error, severity: 'warning' }

test('each finding is a line in the form of compilers: file, place, message and hint', () => {
  expect(
    findingLines('a.yaml', [
      { ...error, line: 3, column: 9, path: '/output', hint: 'Mend it.' },
      { ...warning, path: '/output' },
      error,
    ]),
  ).toBe('a.yaml:3:9 /output: It is wrong. (Mend it.)\na.yaml: /output: warning: It is wrong.\na.yaml: It is wrong.\n')
  expect(findingLines('a.yaml', [])).toBe('')
})

test('behind it is where its author sees it, in brackets, and each part has its colour', () => {
  const near = { words: 'Dear', page: 2 }
  const paint = (text: string, colour: string) => `<${colour} ${text}>`
  const hinted = { ...error, hint: 'Mend it.', near }
  expect(findingLines('a.docx', [hinted, { ...warning, near }, warning, { ...warning, near: {} }], paint)).toBe(
    'a.docx: <red It is wrong.><faint  (Mend it.) [page 2, at “Dear”]>\n' +
      'a.docx: <yellow warning:> It is wrong.<faint  [page 2, at “Dear”]>\n' +
      'a.docx: <yellow warning:> It is wrong.\n'.repeat(2),
  )
})

test('the findings of files are lines for people, and one object with each file once and their counts for programs', () => {
  const files = [
    ['a.yaml', [error]],
    ['b.yaml', []],
    ['a.yaml', [warning, error]],
  ] as const
  const lines = 'a.yaml: It is wrong.\na.yaml: warning: It is wrong.\na.yaml: It is wrong.\n'
  expect([findingsText(files, {}), findingsText(files, { json: false })]).toEqual([lines, lines])
  const json = findingsText(files, { json: true })
  expect(json).toEndWith('}\n')
  expect(JSON.parse(json)).toEqual({
    files: [
      { path: 'a.yaml', findings: [error, warning, error] },
      { path: 'b.yaml', findings: [] },
    ],
    ...{ errors: 2, warnings: 1 },
  })
})

test('JSON of findings escapes what a terminal would obey', () => {
  const path = 'a\u009b\u202e.json'
  const findings = [{ ...error, message: 'x\u2066' }]
  for (const json of [
    findingsText([[path, findings]], { json: true }),
    madeJson([{ path, findings, output: 'b', isWritten: false }]),
  ]) {
    expect(JSON.parse(json).files).toEqual([{ path, findings }])
    expect(json).toContain('a\\u009b\\u202e.json')
    expect(json).toContain('x\\u2066')
  }
})

test('control characters of a file reach no terminal, neither from its name nor from its findings', () => {
  expect(findingLines('a\u001b[2J', [{ ...error, message: 'x\r\n\u0007\u009b\u007fy' }])).toBe('a [2J: x y\n')
})

test('a command fails for an error, and for no number of warnings', () => {
  expect([exitCodeOf([]), exitCodeOf([warning, warning]), exitCodeOf([warning, error])]).toEqual([0, 0, 1])
})
