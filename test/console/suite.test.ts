import { expect, test } from 'bun:test'
import type { SuiteCaseResult } from '../../src/client/quire.ts'
import { countsOf, verdictOf } from '../../src/console/views/suite/suite-run.ts'

function results(...verdicts: SuiteCaseResult['verdict'][]): SuiteCaseResult[] {
  return verdicts.map((verdict, index) => ({
    ...{ name: `case-${index}`, case_hash: '', made_hash: '', failures: [] },
    verdict,
  }))
}

test.each([
  [results('green'), 'The case is green'],
  [results('green', 'green'), 'All 2 cases are green'],
  [results('red'), 'The case is red'],
  [results('red', 'green'), '1 of 2 cases is red'],
  [results('red', 'red', 'unwritten'), '2 of 3 cases are red'],
  [results('unwritten'), 'Nothing refuses it, and nothing is written down of it'],
  [results('unwritten', 'unwritten'), 'Nothing refuses them, and nothing is written down of them'],
  [results('green', 'unwritten'), '1 case is green, and of one nothing is written down'],
  [results('green', 'green', 'unwritten', 'unwritten'), '2 cases are green, and of 2 nothing is written down'],
])('a suite says in one line how its cases came out', (cases, words) => {
  expect(verdictOf(countsOf(cases))).toBe(words)
})
