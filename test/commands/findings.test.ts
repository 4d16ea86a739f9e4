import { expect, test } from 'bun:test'
import { exitCodeOf, findingLines } from '../../src/commands/findings.ts'
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

test('control characters of a file reach no terminal, neither from its name nor from its findings', () => {
  expect(findingLines('a\u001b[2J', [{ ...error, message: 'x\r\n\u0007\u009b\u007fy' }])).toBe('a [2J: x y\n')
})

test('a command fails for an error, and for no number of warnings', () => {
  expect([exitCodeOf([]), exitCodeOf([warning, warning]), exitCodeOf([warning, error])]).toEqual([0, 0, 1])
})
